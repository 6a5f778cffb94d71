package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/cluster/exchange/local"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/internal/testing/gen"
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
		for _, size := range []int{3, 8} {
			o, words := newOwners(net, size), net.Words()
			if len(o.shares) > 0 && len(o.shares) < len(net.Components()) {
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
			if even := float64(r.Len()) / float64(size); r.Len() > 1000*size && float64(most) > 1.3*even {
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

// TestShares: the owner of a state is the sum of the parts of its components' local states,
// modulo the number of workers; so it is found by unpacking the state.
func TestShares(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	chosen := 0
	for _, net := range []*lks.Network{gen.Philosophers(9, false), gen.Milner(11), clockNetwork(t, 3)} {
		words := net.Words()
		for _, size := range []int{3, 8} {
			o := newOwners(net, size)
			if again := newOwners(net, size); !slices.Equal(again.shares, o.shares) {
				t.Fatalf("%s: %d workers would not agree on owners", net.Name(), size)
			}
			chosen += len(o.shares)
			s := newSample(net, size)
			local := make([]int32, len(net.Components()))
			owners := o.all(s.states, words)
			for range 200 {
				i := random.IntN(s.len())
				state := s.states[i*words : (i+1)*words]
				net.Unpack(state, local)
				sum, of := 0, 0
				for c, value := range local {
					f := net.Field(int32(c))
					for _, share := range o.shares {
						if drop := f.Width - min(f.Width, mostBits); share.word == int(f.Word) && share.shift == f.Shift+drop && f.Width > 0 {
							sum += int((uint64(share.of[value>>drop])*uint64(size) + 1<<31) >> 32)
							of++
						}
					}
				}
				if len(o.shares) > 0 && (sum%size != int(owners[i]) || of != len(o.shares)) {
					t.Fatalf("%s, %d workers: %x is of worker %d, want %d", net.Name(), size, state, owners[i], sum%size)
				}
			}
		}
	}
	if chosen == 0 {
		t.Error("owners depend on no component in particular")
	}
}

// TestSample: a sample has states that are reached and steps that there are, the same each time.
func TestSample(t *testing.T) {
	net := gen.Philosophers(7, false)
	r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
	if err != nil {
		t.Fatal(err)
	}
	reached := statetable.New(net.Words())
	for i := range r.Len() {
		reached.Insert(r.State(int32(i)))
	}
	s, again := newSample(net, 2), newSample(net, 2)
	if !slices.Equal(s.states, again.states) || !slices.Equal(s.next, again.next) {
		t.Error("two samples differ")
	}
	met, explorer := statetable.New(s.words), net.Explorer()
	var succ lks.Successors
	for i := 0; i < len(s.states); i += s.words {
		state, next := s.states[i:i+s.words], s.next[i:i+s.words]
		if _, fresh := met.Insert(state); !fresh || reached.Find(state) < 0 {
			t.Fatalf("%x is there twice, or not reached", state)
		}
		explorer.Successors(state, &succ)
		if !hasState(succ.States, next) && (succ.Len() > 0 || !slices.Equal(state, next)) {
			t.Fatalf("%x does not follow %x", next, state)
		}
	}
	if met.Len() < 1000 || len(s.window) != met.Len() || s.window[met.Len()-1] == 0 {
		t.Errorf("%d states of %d, windows up to %d", met.Len(), r.Len(), s.window[met.Len()-1])
	}
}
