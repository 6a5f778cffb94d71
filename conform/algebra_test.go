package conform

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// TestPreorderSpectrum: simulation implies weak simulation implies trace
// containment, and failures refinement implies trace containment.
func TestPreorderSpectrum(t *testing.T) {
	pairs(t, 1500, true, func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS) {
		holds := map[Preorder]bool{}
		for p := range preorders.List() {
			holds[Preorder(p)] = mustCheck(t, impl, spec, Options{Preorder: Preorder(p), SilentSpec: Letter}).Holds()
		}
		saturated := mustCheck(t, impl, spec, Options{Preorder: Weak, SilentSpec: Saturate}).Holds()
		if holds[Simulation] && !holds[Weak] || holds[Weak] && !saturated || saturated && !holds[Trace] || holds[Failures] && !holds[Trace] {
			t.Errorf("%v, saturated %v", holds, saturated)
		}
	})
}

// TestSaturate compares with the slow twin on a specification that was saturated
// by definition.
func TestSaturate(t *testing.T) {
	outcomes := map[bool]int{}
	pairs(t, 2000, true, func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS) {
		got := mustCheck(t, impl, spec, Options{Preorder: Weak, SilentSpec: Saturate, Trees: 2})
		want := naive.Simulated(naive.FromLKS(impl), saturated(naive.FromLKS(spec)), true)
		if got.Holds() != want {
			t.Errorf("%v, naive says %v", got.Holds(), want)
		}
		outcomes[want]++
	})
	if outcomes[true] < soak.Long(300) || outcomes[false] < soak.Long(300) {
		t.Errorf("outcomes %v", outcomes)
	}
}

// saturated adds weak transitions until none is new.
func saturated(p *naive.Process) *naive.Process {
	for s := range p.Edges {
		p.Edges[s][naive.Step{Action: lks.TauName, To: s}] = true
	}
	for changed := true; changed; {
		changed = false
		add := func(s, action, to string) {
			if e := (naive.Step{Action: action, To: to}); !p.Edges[s][e] {
				p.Edges[s][e] = true
				changed = true
			}
		}
		for s := range p.Edges {
			var first []naive.Step
			for e := range p.Edges[s] {
				first = append(first, e)
			}
			for _, e := range first {
				var second []naive.Step
				for f := range p.Edges[e.To] {
					second = append(second, f)
				}
				for _, f := range second {
					if e.Action == lks.TauName {
						add(s, f.Action, f.To)
					} else if f.Action == lks.TauName {
						add(s, e.Action, f.To)
					}
				}
			}
		}
	}
	return p
}

// TestMinimisingPreserves: minimising either side under an equivalence does not
// change the verdicts that the equivalence promises to keep.
func TestMinimisingPreserves(t *testing.T) {
	kept := map[lks.Equivalence][]Preorder{
		lks.Strong: {Simulation, Weak, Trace, Failures}, lks.Weak: {Trace}, lks.Branching: {Trace}, lks.DivergenceBranching: {Trace, Failures},
	}
	pairs(t, 1500, true, func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS) {
		for q, preorders := range kept {
			i, err := lks.Minimise(impl, q, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := lks.Minimise(spec, q, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range preorders {
				opts := Options{Preorder: p, SilentSpec: Letter}
				if want, got := mustCheck(t, impl, spec, opts).Holds(), mustCheck(t, i, s, opts).Holds(); want != got {
					t.Errorf("%s: %v, after minimisation under %s: %v\n%s%s", p, want, q, got, gen.Dump(i), gen.Dump(s))
				}
			}
		}
	})
}

// project is the projection of [Chaki05], Def. 19: other actions become tau, other propositions are dropped.
func project(m *lks.LKS, actions, props []string) (*lks.LKS, error) {
	b := lks.NewBuilder(m.Name())
	for _, name := range actions {
		b.Action(name)
	}
	for s := range int32(m.NumStates()) {
		var label []int32
		for _, p := range m.Label(s) {
			if name := m.Props()[p]; slices.Contains(props, name) {
				label = append(label, b.Prop(name))
			}
		}
		b.StateID(m.Kind(s), label)
		for _, e := range m.Edges(s) {
			name := m.Alphabet()[e.Action]
			if !slices.Contains(actions, name) {
				name = lks.TauName
			}
			b.Transition(s, name, e.Target)
		}
	}
	for _, name := range props {
		b.Prop(name)
	}
	b.Initial(m.Initial()...)
	return b.Build()
}

// TestRestrict: restriction is projection (Def. 19).
func TestRestrict(t *testing.T) {
	pairs(t, 1500, false, func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS) {
		actions := spec.Alphabet()[1:][:r.IntN(len(spec.Alphabet()))]
		props := spec.Props()[:r.IntN(len(spec.Props())+1)]
		small, err := project(spec, actions, props)
		if err != nil {
			t.Fatal(err)
		}
		projected, err := project(impl, actions, props)
		if err != nil {
			t.Fatal(err)
		}
		for p := range preorders.List() {
			opts := Options{Preorder: Preorder(p), SilentSpec: Letter}
			want := mustCheck(t, projected, small, opts).Holds()
			opts.Restrict = true
			if got := mustCheck(t, impl, small, opts); got.Holds() != want {
				t.Errorf("%s: restricted %v, projected %v", preorders.List()[p], got.Holds(), want)
			}
		}
	})
}

func TestMismatch(t *testing.T) {
	impl := build(t, "IMPL", "1 {p} -a-> 1, -b-> 1")
	spec := build(t, "SPEC", "1 {q} -a-> 1, -c-> 1")
	_, err := answer(t.Context(), lks.Single(impl), lks.Single(spec), Options{})
	if _, ok := errors.AsType[*Mismatch](err); !ok {
		t.Fatal(err)
	}
	want := "IMPL and SPEC cannot be compared, because they are about different things: IMPL has the action b, SPEC has not; SPEC has the action c, IMPL has not; IMPL has the proposition p, SPEC has not; SPEC has the proposition q, IMPL has not"
	if err.Error() != want {
		t.Error(err)
	}
	_, err = answer(t.Context(), lks.Single(impl), lks.Single(spec), Options{Restrict: true})
	if err == nil || strings.Contains(err.Error(), "action b") || !strings.Contains(err.Error(), "SPEC has the action c, IMPL has not") {
		t.Error(err)
	}
}

func TestTwoLevelRefuses(t *testing.T) {
	m := build(t, "M", "1 -a-> 2, -b-> 1\n2 -a-> 1")
	low := lks.Single(m).Yield(func(action string) bool { return action == "a" })
	for _, opts := range []Options{{Method: TwoLevel, Preorder: Failures}, {Method: TwoLevel}} {
		net := low
		if opts.Preorder == Failures {
			net = lks.Single(m)
		}
		if _, err := answer(t.Context(), net, lks.Single(m), opts); err == nil || !strings.Contains(err.Error(), "two-level method does not apply") {
			t.Errorf("%v", err)
		}
		opts.Method = Auto
		if r, err := answer(t.Context(), net, lks.Single(m), opts); err != nil || !r.Holds() || r.Method != Plain {
			t.Errorf("%v %v", r, err)
		}
	}
}

func TestLimits(t *testing.T) {
	net := gen.Philosophers(8, false)
	b := lks.NewBuilder("ANYTHING")
	b.State()
	for _, a := range net.Alphabet()[1:] {
		b.Transition(0, a, 0)
	}
	anything, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Preorder{Simulation, Weak, Trace, Failures} {
		for _, m := range []Method{Plain, Auto, TwoLevel} {
			if m == TwoLevel && p == Failures {
				continue
			}
			opts := Options{Preorder: p, Restrict: true, Method: m}
			cancelled, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := answer(cancelled, net, lks.Single(anything), opts); err != budget.ErrInterrupted {
				t.Errorf("%s by %s, cancelled: %v", p, m, err)
			}
			if m != Plain || p == Failures {
				continue // TwoLevel needs no states, and failures fail at once
			}
			opts.Limits.States = 1000
			r, err := answer(t.Context(), net, lks.Single(anything), opts)
			var exhausted *budget.Exhausted
			if !errors.As(err, &exhausted) || r.Stats.Positions < 1000 || r.Holds() {
				t.Errorf("%s by %s: %v, %+v", p, m, err, r)
			}
		}
	}
}

// TestDeep: nothing recurses over states, and deep answers stay usable.
func TestDeep(t *testing.T) {
	n := soak.Size(50_000)
	chain := func(name, last string) *lks.LKS {
		b := lks.NewBuilder(name)
		for _, a := range []string{"a", "b", "c"} {
			b.Action(a)
		}
		for range n + 1 {
			b.State()
		}
		for s := range int32(n) {
			action := "a"
			if int(s) == n-1 {
				action = last
			}
			b.Transition(s, action, s+1)
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	impl, spec := chain("I", "b"), chain("S", "c")
	r := mustCheck(t, impl, spec, Options{TreeEffort: 4 * n})
	if r.Holds() || r.Trees[0].Size != uint64(n)+1 || depthOf(r.Trees[0]) != n || !r.Smallest {
		t.Errorf("%v, size %d", r.Holds(), r.Trees[0].Size)
	}
	if text := r.Format(r.Trees[0], 5); strings.Count(text, "\n") != 6 {
		t.Error(text)
	}
	r = mustCheck(t, impl, spec, Options{Preorder: Trace})
	if r.Holds() || r.Trace.Run.Len() != n || r.Trace.Reason != NoEvent {
		t.Errorf("%v, %d steps", r.Holds(), r.Trace.Run.Len())
	}
}

// TestDeterminism: the same question gets the same answer.
func TestDeterminism(t *testing.T) {
	for seed := range soak.Cases(uint64(200)) {
		answers := map[string]bool{}
		for range 3 {
			r := gen.Rand(seed)
			a, b := gen.Pair(r, gen.PairShapes[seed%uint64(len(gen.PairShapes))], true)
			text := ""
			for p := range preorders.List() {
				x := mustCheck(t, a, b, Options{Preorder: Preorder(p), SilentSpec: Letter, Trees: 3})
				for _, tree := range x.Trees {
					text += x.Format(tree, 100)
				}
				text += fmt.Sprint(x.Holds(), x.Stats.Positions, x.Stats.Clauses)
				if x.Trace != nil {
					text += fmt.Sprintf("%+v", *x.Trace.Run) + fmt.Sprint(x.Trace.Reason, x.Trace.SpecStates, x.Trace.Refused)
				}
			}
			answers[strings.ReplaceAll(text, "0x", "")] = true
		}
		if len(answers) > 1 {
			for a := range answers {
				t.Log(a)
			}
			t.Fatalf("seed %d: %d different answers", seed, len(answers))
		}
	}
}

// depthOf returns the number of rounds after the choice of the initial state that
// the longest game by this strategy takes.
func depthOf(t *Tree) int {
	order, _ := t.postorder()
	depth := make([]int, len(t.Nodes))
	for _, n := range order {
		for _, c := range t.Nodes[n].Children {
			depth[n] = max(depth[n], depth[c]+1)
		}
	}
	return depth[0]
}
