package statetable

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestWordSetGrow: sets of all loads, full ones and those whose last states lie at the
// start among them, keep their states when several goroutines move them, to any number
// of segments.
func TestWordSetGrow(t *testing.T) {
	wrapped, full := 0, 0
	for seed := range soak.Long(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 47))
		s := NewWordSet(1 + r.IntN(5))
		s.resize(1 + r.IntN(12))
		in := map[uint64]bool{}
		states := r.Uint64N(s.size + 1)
		if seed%8 == 0 {
			states = s.size
		}
		for i := range states {
			x := r.Uint64()
			switch { // crowd the end, or the start
			case i < 2000 && seed%4 == 0:
				for s.home(x) < s.size-500 {
					x = r.Uint64()
				}
			case i < 2000 && seed%4 == 1:
				for s.home(x) > 500 {
					x = r.Uint64()
				}
			}
			if isNew, room := s.add(x, s.home(x)); !isNew || !room {
				t.Fatalf("seed %d: %d is not new, or there is no room: %t, %t", seed, x, isNew, room)
			}
			in[x] = true
		}
		s.n.Store(int64(len(in)))
		if v := *s.slot(0); v != 0 && s.home(v-1) > 0 {
			wrapped++
		}
		if uint64(len(in)) == s.size {
			full++
		}
		s.grow(len(s.segments) + 1 + r.IntN(2*len(s.segments)))
		count := 0
		for state := range s.All {
			if count++; !in[state[0]] {
				t.Fatalf("seed %d: %d came from nowhere", seed, state[0])
			}
		}
		if count != len(in) {
			t.Fatalf("seed %d: %d states of %d are there", seed, count, len(in))
		}
		for x := range in {
			if isNew, _ := s.add(x, s.home(x)); isNew {
				t.Fatalf("seed %d: %d is not found", seed, x)
			}
		}
	}
	if least := soak.Least(5); wrapped < least || full < least {
		t.Errorf("%d sets ran over the end, %d were full", wrapped, full)
	}
}

// TestWordSetBytes holds the memory to what the type promises.
func TestWordSetBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, for seconds")
	}
	set := NewWordSet(1)
	in := set.Inserter()
	var sum, least, most float64 = 0, 100, 0
	samples := 0
	for i := uint64(0); i < 5_000_000; {
		var list []uint64
		for range 1000 {
			list = append(list, i*977)
			i++
		}
		for len(list) > 0 {
			done, _ := in.AddAll(list, nil)
			if list = list[done:]; set.Crowded() {
				in.Flush()
				set.Grow()
			}
		}
		if in.Flush(); i >= 1<<19 {
			per := float64(set.Bytes()) / float64(set.Len())
			sum, least, most = sum+per, min(least, per), max(most, per)
			samples++
		}
	}
	average := sum / float64(samples)
	t.Logf("%.2f to %.2f bytes per state, %.2f on average", least, most, average)
	if average > 13.5 || least > 10.1 || most > 20 {
		t.Errorf("%.2f to %.2f bytes per state, %.2f on average; want 10.1, 20, 13.5 at most", least, most, average)
	}
}

func BenchmarkWordSet(b *testing.B) {
	const n = 1 << 20
	states := make([]uint64, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range states {
		states[i] = r.Uint64N(n / 2)
	}
	var set *WordSet
	fresh := make([]uint64, 0, n)
	for b.Loop() {
		set = NewWordSet(1)
		in := set.Inserter()
		for done := 0; done < n; {
			k, _ := in.AddAll(states[done:min(n, done+1024)], fresh)
			if done += k; set.Crowded() {
				in.Flush()
				set.Grow()
			}
		}
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "Minserts/s")
	b.ReportMetric(float64(set.Bytes())/float64(set.Len()), "bytes/state")
}

// TestReserve adds the states of a set to another one in the order in which the first
// gives them, which is that of their hashes. With room for them from the start every
// state stays near where it belongs; without, they would lie behind each other in the
// first slots.
func TestReserve(t *testing.T) {
	n := soak.Size(1 << 20)
	for _, words := range []int{1, 2} {
		from, to := exactSet(words), exactSet(words)
		state := make([]uint64, words)
		for i := range uint64(n) {
			state[0], state[words-1] = i>>10, i*977
			from.add(state)
		}
		if err := to.Reserve(from.Len(), nil); err != nil {
			t.Fatal(err)
		}
		room := to.Bytes()
		count := 0
		for state := range from.All {
			to.add(state)
			if count++; count >= 1<<10 && count&(count-1) == 0 {
				if mean := displacement(to.roots) / count; mean > 8 {
					t.Fatalf("%d words: %d states are %d slots on average from where they belong", words, count, mean)
				}
			}
		}
		if to.Len() != n {
			t.Errorf("%d words: %d states of %d", words, to.Len(), n)
		}
		if to.Bytes() != room && words == 1 {
			t.Errorf("the set grew from %d to %d bytes", room, to.Bytes())
		}
	}
}

// set is what WordSet and TreeSet have in common.
type set interface {
	Crowded() bool
	Grow()
	Reserve(states int, tick func() error) error
	Len() int
	Bytes() int64
	All(yield func([]uint64) bool)
}

// growing is a set to which states are added one by one.
type growing struct {
	set
	roots *WordSet
	in    interface {
		AddAll(states, fresh []uint64) (int, []uint64)
		Flush()
	}
}

func exactSet(words int) growing {
	if words == 1 {
		s := NewWordSet(1)
		return growing{s, s, s.Inserter()}
	}
	s := NewTreeSet(words, []uint64{1<<32 - 1, 1<<32 - 1}, 1)
	return growing{s, s.roots, s.Inserter()}
}

func (g growing) add(state []uint64) {
	for done := 0; done < len(state); {
		done, _ = g.in.AddAll(state, nil)
		g.in.Flush()
		if g.Crowded() {
			g.Grow()
		}
	}
}

// displacement returns by how many slots in all the states lie behind their homes.
func displacement(s *WordSet) int {
	sum := uint64(0)
	for at := range s.size {
		if v := *s.slot(at); v != 0 {
			sum += (at + s.size - s.home(v-1)) % s.size
		}
	}
	return int(sum)
}
