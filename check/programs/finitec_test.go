package programs

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// TestFiniteC: C programs with few states are decided by enumeration, as a twin that computes
// by itself says. A few proofs are not confirmed within the work that they may take.
func TestFiniteC(t *testing.T) {
	pool := Common
	count := map[report.Verdict]int{}
	for seed := range soak.Long(uint64(100)) {
		f := gen.NewFinite(rand.New(rand.NewPCG(seed, 91)), true)
		states, unsafe, ok := naive.Finite(f, 40)
		if !ok || states < 4 {
			continue
		}
		want := report.Holds
		if unsafe {
			want = report.Violated
		}
		p, err := cfront.Parse([]*source.File{source.NewFile("t.c", f.C())}, cfront.Options{Model: ir.ILP32})
		if err != nil {
			t.Fatal(err)
		}
		e, err := encode.Encode(p, "")
		if err != nil {
			t.Fatal(err)
		}
		r, res, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{Method: armc.Enumerate, MaxQueries: 100}, Integers: safety.MachineIntegers})
		if err != nil {
			t.Fatal(err)
		}
		if v := r.Results[0].Verdict; v != want && v != report.Unknown {
			t.Errorf("seed %d: %s, want %s\n%s", seed, v, want, f.C())
		} else if v == report.Unknown {
			t.Logf("seed %d: %d states: %s", seed, states, r.Results[0].Reason)
		} else if res.Run == nil && unsafe {
			t.Errorf("seed %d: fails without a run", seed)
		}
		count[r.Results[0].Verdict]++
	}
	t.Logf("verdicts: %v", count)
	if count[report.Unknown]*5 > count[report.Holds]+count[report.Violated] {
		t.Errorf("many programs are not decided: %v", count)
	}
}
