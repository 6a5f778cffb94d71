package search

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/cluster/exchange/local"
	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// clockNetwork has components that tick together, and some that run free: states of several
// words, but few of them.
func clockNetwork(t testing.TB, free int) *lks.Network {
	var parts []*lks.Network
	for i, n := range slices.Concat(slices.Repeat([]int{32, 36, 48}, 6), slices.Repeat([]int{40}, free)) {
		b := lks.NewBuilder(fmt.Sprint("clock", i))
		for range n {
			b.State()
		}
		b.Initial(0)
		action := "tick"
		if n == 40 {
			action = fmt.Sprint("run", i)
		}
		for s := range int32(n) {
			b.Transition(s, action, (s+1)%int32(n))
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, lks.Single(m))
	}
	net, err := lks.Compose("clocks", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestWide compares counts of states of several words.
func TestWide(t *testing.T) {
	net := clockNetwork(t, 1)
	if net.Words() < 2 {
		t.Fatal(net.Words())
	}
	want, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for i, size := range sizes {
		got, err := runAll(t, size, local.Options{}, nil, asked(net, Question{Kind: Count}, nil), Options{Store: stores[i%2]})
		if err != nil || got.States != want.States || got.Transitions != want.Transitions || got.Depth != want.Depth {
			t.Errorf("%d workers: %+v, %v, want %+v", size, got, err, want)
		}
	}
}

// TestOwners: every state has one owner, wherever it is asked for, and nobody has much more
// than others.
func TestOwners(t *testing.T) {
	some := 0
	for _, net := range []*lks.Network{gen.Philosophers(7, false), gen.Milner(9), gen.Ring(8), clockNetwork(t, 1)} {
		r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{2, 3, 8} {
			o, words := newOwners(net, net.Words(), size), net.Words()
			chosen := 0
			used := net.Bits(func(int) bool { return true })
			for _, m := range o.masks {
				if m.mask != used[m.word] {
					chosen++
				}
			}
			if chosen > 0 || len(o.masks) < words {
				some++
			}
			parts := make([][]uint64, size)
			for i := range r.Len() {
				o.route(r.State(int32(i)), parts)
			}
			most := 0
			for rank, part := range parts {
				most = max(most, len(part)/words)
				if !o.has(rank, part, words) || len(part) > 0 && o.has((rank+1)%size, part, words) {
					t.Errorf("%s: the states of worker %d are of another", net.Name(), rank)
				}
			}
			if even := float64(r.Len()) / float64(size); r.Len() > 1000*size && float64(most) > 1.5*even {
				t.Errorf("%s: of %d states %d workers have %d at most", net.Name(), r.Len(), size, most)
			}
		}
	}
	if some == 0 {
		t.Error("owners depend on all components everywhere")
	}
}

// TestSentOnce: of two workers each sends a state hardly ever twice.
func TestSentOnce(t *testing.T) {
	r, err := runAll(t, 2, local.Options{}, nil, asked(gen.Philosophers(6, false), Question{Kind: Count}, nil), Options{Store: explore.Exact})
	if err != nil {
		t.Fatal(err)
	}
	sent := r.Workers[0].Sent + r.Workers[1].Sent
	if sent == 0 || float64(sent) > 1.1*float64(r.States) {
		t.Errorf("%d states of %d were sent", sent, r.States)
	}
	for _, c := range []struct {
		memory int64
		want   uint8
	}{{0, sentMost}, {-1, sentMost}, {1, sentLeast}, {24 << 20, 16}, {1 << 40, sentMost}} {
		if got := sentWords(c.memory); got != c.want {
			t.Errorf("with a limit of %d bytes 2^%d words, want 2^%d", c.memory, got, c.want)
		}
	}
}
