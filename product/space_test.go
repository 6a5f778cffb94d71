package product_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// wholeSpace is a space that was explored.
type wholeSpace struct {
	space  *product.Space
	states [][]uint64
	number map[string]int
	parent []int // of states by number, -1 of initial ones
	out    [][]int
}

func exploreSpace(t *testing.T, s *product.Space) *wholeSpace {
	t.Helper()
	e, err := s.Explorer()
	if err != nil {
		t.Fatal(err)
	}
	w := &wholeSpace{space: s, number: map[string]int{}}
	add := func(state []uint64, parent int) int {
		key := fmt.Sprint(state)
		i, seen := w.number[key]
		if !seen {
			i = len(w.states)
			w.number[key] = i
			w.states, w.parent = append(w.states, slices.Clone(state)), append(w.parent, parent)
		}
		return i
	}
	initial, err := e.Initial()
	if err != nil {
		t.Fatal(err)
	}
	for state := range slices.Chunk(initial, s.Words()) {
		add(state, -1)
	}
	for i := 0; i < len(w.states); i++ {
		var out []int
		for state := range slices.Chunk(slices.Clone(e.Successors(w.states[i])), s.Words()) {
			out = append(out, add(state, i))
		}
		w.out = append(w.out, out)
	}
	return w
}

// cycle returns the states of a cycle through a state, with that at both ends, or nil.
func (w *wholeSpace) cycle(through int) []uint64 {
	from := map[int]int{}
	for queue := []int{through}; len(queue) > 0; queue = queue[1:] {
		for _, to := range w.out[queue[0]] {
			if _, seen := from[to]; seen {
				continue
			}
			from[to] = queue[0]
			if queue = append(queue, to); to != through {
				continue
			}
			way := slices.Clone(w.states[through])
			for at := from[through]; ; at = from[at] {
				way = append(slices.Clone(w.states[at]), way...)
				if at == through {
					return way
				}
			}
		}
	}
	return nil
}

func (w *wholeSpace) stem(to int) (way []uint64) {
	for ; to >= 0; to = w.parent[to] {
		way = append(slices.Clone(w.states[to]), way...)
	}
	return way
}

// TestSpace looks for accepting cycles in spaces by the definition.
func TestSpace(t *testing.T) {
	universal, cycles, holds, reduced := 0, 0, 0, 0
	for seed := range uint64(2 * problems()) {
		p, _ := problem(seed)
		if p == nil {
			continue
		}
		net, finite := networkOf(t, p.Components), product.FiniteRuns(seed%2)
		want, err := product.Verify(context.Background(), net, p.Formula, product.Options{Finite: finite})
		if err != nil {
			t.Fatal(err)
		}
		meter := budget.New(context.Background(), budget.Limits{}, nil)
		s, err := product.NewSpace(net, p.Formula, product.SpaceOptions{Finite: finite, POR: product.POR(seed % 3)}, meter)
		if err != nil {
			t.Fatal(err)
		}
		if s.Reduced() {
			reduced++
		}
		var stem, loop []uint64
		if !s.Trivial() {
			w := exploreSpace(t, s)
			for i, state := range w.states {
				if s.Universal(state) {
					universal++
					stem, loop = w.stem(i), nil
					break
				}
				if c := w.cycle(i); s.Accepting(state) && c != nil {
					if !s.Recurrent(state) {
						t.Fatalf("seed %d: a state on an accepting cycle is not recurrent", seed)
					}
					cycles++
					stem, loop = w.stem(i), c
				}
			}
		}
		if (stem != nil) != (want.Verdict == product.Violated) {
			t.Fatalf("seed %d, %v: found %v, want %v", seed, finite, stem != nil, want.Verdict)
		}
		if stem == nil {
			holds++
			continue
		}
		got, err := s.Violated(stem, loop, meter)
		if err != nil || got.Lasso.Replay(net) != nil || ltl.Eval(p.Formula, product.Word(got.Lasso)) {
			t.Fatalf("seed %d: %v, %v", seed, got, err)
		}
	}
	if universal < share(20) || cycles < share(20) || holds < share(20) || reduced < share(20) {
		t.Errorf("%d with a universal state, %d with a cycle, %d hold, %d reduced", universal, cycles, holds, reduced)
	}
}

// TestPredicate compares with the properties that states have one by one.
func TestPredicate(t *testing.T) {
	met := [2]int{}
	for seed := range uint64(problems()) {
		r := gen.Rand(seed)
		p := gen.NewProblem(r, 3, 9, shapeOf(seed))
		net := networkOf(t, p.Components)
		var atoms []ltl.Atom
		for _, a := range gen.ModelAtoms(p.Components...) {
			if a.Kind == ltl.Event {
				a.Kind = ltl.Enabled
			}
			atoms = append(atoms, a)
		}
		atoms = append(atoms, ltl.Atom{Kind: ltl.Deadlock})
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(6), Atoms: atoms, Ops: []ltl.Op{ltl.And, ltl.Or, ltl.Not, ltl.Implies}})
		holds, err := product.NewPredicate(net, f)
		if err != nil {
			t.Fatal(err)
		}
		reached, err := explore.Reach(net, explore.Options{Traces: true})
		if err != nil {
			t.Fatal(err)
		}
		ex := net.Explorer()
		var succ lks.Successors
		for i := range int32(min(reached.Len(), 50)) {
			trace, err := reached.Trace(i)
			if err != nil {
				t.Fatal(err)
			}
			ex.Successors(reached.State(i), &succ)
			want := ltl.Eval(f, ltl.Word{Loop: []ltl.Letter{product.StateLetter(&trace.Last)}})
			if got := holds.Holds(reached.State(i), &succ); got != want {
				t.Fatalf("seed %d, state %d: %v is %v, want %v", seed, i, f, got, want)
			}
			met[map[bool]int{true: 1}[want]]++
		}
	}
	if met[0] < share(10) || met[1] < share(10) {
		t.Error(met)
	}
}
