package partition

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

func randomGraph(r *rand.Rand) (*Graph, []int32) {
	g := &Graph{States: 1 + r.IntN(14), Labels: 1 + r.IntN(3)}
	for range r.IntN(3 * g.States) {
		g.Add(int32(r.IntN(g.States)), int32(r.IntN(g.Labels)), int32(r.IntN(g.States)))
	}
	initial := make([]int32, g.States)
	if r.IntN(2) == 0 {
		for s := range initial {
			initial[s] = int32(r.IntN(3))
		}
	}
	return g, initial
}

// coarsest splits by sets of (label, class) until nothing changes; with silent
// set, steps by label 0 inside a class are followed first.
func coarsest(g *Graph, initial []int32, silent bool) []int32 {
	class := append([]int32(nil), initial...)
	for {
		ids := map[string]int32{}
		next := make([]int32, g.States)
		for s := range class {
			offers := map[[2]int32]bool{}
			seen := map[int32]bool{int32(s): true}
			todo := []int32{int32(s)}
			for len(todo) > 0 {
				u := todo[0]
				todo = todo[1:]
				for e := range g.From {
					if g.From[e] != u {
						continue
					}
					t := g.To[e]
					if silent && g.Label[e] == 0 && class[t] == class[s] {
						if !seen[t] {
							seen[t] = true
							todo = append(todo, t)
						}
						continue
					}
					offers[[2]int32{g.Label[e], class[t]}] = true
				}
			}
			key := fmt.Sprint(class[s], offers)
			if _, ok := ids[key]; !ok {
				ids[key] = int32(len(ids))
			}
			next[s] = ids[key]
		}
		same := true
		count := map[int32]bool{}
		for _, c := range class {
			count[c] = true
		}
		same = len(count) == len(ids)
		class = next
		if same {
			return class
		}
	}
}

func TestAgainstCoarsest(t *testing.T) {
	for seed := range soak.Long(uint64(6000)) {
		g, initial := randomGraph(rand.New(rand.NewPCG(seed, 1)))
		for _, silent := range []bool{false, true} {
			want := coarsest(g, initial, silent)
			got, classes, _ := Refine(g, initial, nil)
			if silent {
				got, classes, _ = Branching(g, initial, nil)
			}
			most := int32(-1)
			for s := range got {
				if got[s] > most+1 {
					t.Fatalf("seed %d: classes %v are not numbered by first states", seed, got)
				}
				most = max(most, got[s])
				for u := range s {
					if (got[s] == got[u]) != (want[s] == want[u]) {
						t.Fatalf("seed %d, silent %v: states %d and %d: %v, want %v", seed, silent, s, u, got, want)
					}
				}
			}
			if int(most)+1 != classes {
				t.Fatalf("seed %d: %d classes, numbers up to %d", seed, classes, most)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	if class, n, _ := Refine(&Graph{Labels: 1}, nil, nil); len(class) != 0 || n != 0 {
		t.Errorf("no states: %v, %d", class, n)
	}
	if class, n, _ := Branching(&Graph{Labels: 1}, nil, nil); len(class) != 0 || n != 0 {
		t.Errorf("no states: %v, %d", class, n)
	}
}

// BenchmarkRefine refines families that are hard for naive refinement.
func BenchmarkRefine(b *testing.B) {
	const n = 100_000
	chain := &Graph{States: n, Labels: 2}
	silentChain := &Graph{States: n, Labels: 2}
	random := &Graph{States: n, Labels: 4}
	r := rand.New(rand.NewPCG(1, 2))
	for s := range int32(n - 1) {
		chain.Add(s, 1, s+1)
		silentChain.Add(s, s%2, s+1)
	}
	for range 3 * n {
		random.Add(int32(r.IntN(n)), int32(r.IntN(4)), int32(r.IntN(n)))
	}
	for name, g := range map[string]*Graph{"chain": chain, "silent-chain": silentChain, "random": random} {
		initial := make([]int32, n)
		for how, f := range map[string]func(*Graph, []int32, func() error) ([]int32, int, error){"strong": Refine, "branching": Branching} {
			b.Run(how+"/"+name, func(b *testing.B) {
				classes := 0
				for b.Loop() {
					_, classes, _ = f(g, initial, nil)
				}
				b.ReportMetric(float64(classes), "classes")
			})
		}
	}
}

// TestStops ends refinements at several questions: the error comes back, and questions
// change no classes.
func TestStops(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := &Graph{States: 40_000, Labels: 5}
	if testing.Short() {
		g.States /= 3
	}
	for range 4 * g.States {
		g.Add(r.Int32N(int32(g.States)), r.Int32N(int32(g.Labels)), r.Int32N(int32(g.States)))
	}
	initial := make([]int32, g.States)
	stop := errors.New("enough")
	for name, refine := range map[string]func(*Graph, []int32, func() error) ([]int32, int, error){"Refine": Refine, "Branching": Branching} {
		asked := 0
		_, want, err := refine(g, initial, func() error { asked++; return nil })
		if err != nil || asked < 10 {
			t.Errorf("%s: %v, asked %d times", name, err, asked)
		}
		if _, got, _ := refine(g, initial, nil); got != want {
			t.Errorf("%s: %d classes, %d without questions", name, want, got)
		}
		for at := 1; at <= asked; at += 1 + asked/soak.Size(5) {
			left := at
			_, _, err := refine(g, initial, func() error {
				if left--; left == 0 {
					return stop
				}
				return nil
			})
			if err != stop || left != 0 {
				t.Errorf("%s: stopped at question %d: %v, %d questions before", name, at, err, left)
			}
		}
	}
}
