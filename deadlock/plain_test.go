package deadlock

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks/explore"
)

// searches are the ways to keep the states of a plain search. The array of the last
// is so small that it misses states even of small networks.
var searches = []explore.Resources{
	{Workers: 1}, {Workers: 2}, {Store: explore.Exact, Workers: 1}, {Store: explore.Compact, Workers: 2}, {Store: explore.HashCompact, Workers: 2},
	{Store: explore.BitstateHash, StoreBytes: 1 << 12}, {Store: explore.BitstateHash, StoreBytes: 8, Workers: 1},
}

// TestSearches compares all stores with the naive search: shortest traces with the
// exact ones, no proofs with the others.
func TestSearches(t *testing.T) {
	missed, deadlocks := 0, 0
	disk := explore.Resources{Disk: t.TempDir(), DiskMemory: 256}
	for seed := range soak.Long(uint64(750)) {
		net := randomNet(seed)
		if net == nil {
			continue
		}
		want := naive.Explore(net).Deadlock()
		tried := searches
		if seed%50 == 0 { // it writes files
			tried = append(tried[:len(tried):len(tried)], disk)
		}
		for _, search := range tried {
			r, err := answer(context.Background(), net, Options{Method: Plain, Search: search})
			var lost *explore.LossyStore
			switch {
			case errors.As(err, &lost):
				if !search.Store.Lossy() || r.Deadlock != nil {
					t.Fatalf("seed %d, %+v: %v", seed, search, err)
				}
				if want >= 0 {
					missed++
				}
				continue
			case err != nil:
				t.Fatalf("seed %d, %+v: %v", seed, search, err)
			case r.Free() != (want < 0) || r.Free() && search.Store.Lossy():
				t.Fatalf("seed %d, %+v: free %v, nearest deadlock at %d", seed, search, r.Free(), want)
			}
			if want < 0 {
				continue
			}
			deadlocks++
			if got := r.Deadlock.Trace.Len(); got < want || got > want && !search.Store.Lossy() {
				t.Fatalf("seed %d, %+v: a trace of %d steps, nearest deadlock at %d", seed, search, got, want)
			}
		}
	}
	t.Logf("%d deadlocks found, %d missed by lossy stores", deadlocks, missed)
	if !testing.Short() && missed == 0 || deadlocks < soak.Long(250) {
		t.Error("too few networks are of interest")
	}
}

// TestCheckpointed: a search that is stopped by a limit again and again ends as
// an uninterrupted one does.
func TestCheckpointed(t *testing.T) {
	net := gen.Philosophers(9, false)
	want, err := answer(context.Background(), net, Options{Method: Plain, NoReduction: true})
	if err != nil {
		t.Fatal(err)
	}
	search := explore.Resources{Checkpoint: filepath.Join(t.TempDir(), "run"), Workers: 2}
	stops := 0
	for limit := int64(2000); ; limit += 1000 {
		got, err := answer(context.Background(), net, Options{Method: Plain, Search: search, Limits: budget.Limits{States: limit}})
		if _, ok := errors.AsType[*budget.Exhausted](err); ok {
			stops++
			continue
		}
		if err != nil || got.Free() || got.Deadlock.Trace.Len() != want.Deadlock.Trace.Len() {
			t.Fatalf("after %d stops: %+v, %v", stops, got, err)
		}
		break
	}
	if stops < 2 {
		t.Errorf("only %d stops", stops)
	}
}

// TestSearchNeedsPlain: what only plain search can do is not ignored elsewhere.
func TestSearchNeedsPlain(t *testing.T) {
	for _, o := range []Options{
		{Search: explore.Resources{Store: explore.Exact}},
		{Method: Iter, Search: explore.Resources{Workers: 2}},
		{Method: Tree, Search: explore.Resources{Checkpoint: "x"}},
	} {
		if r, err := answer(context.Background(), gen.Ring(4), o); err == nil {
			t.Errorf("%+v: %+v", o, r)
		}
	}
}
