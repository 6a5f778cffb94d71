package product_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/meet"
)

// watched returns a random network and a formula over its names; ok is false if the
// seed gives none.
func watched(r *rand.Rand) (net *lks.Network, f *ltl.Formula, ok bool) {
	net, err := gen.Network(r, 1+r.IntN(3), gen.Small).Build()
	if err != nil {
		return nil, nil, false
	}
	atoms := []ltl.Atom{{Kind: ltl.Deadlock}}
	for _, p := range net.Props() {
		atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: p})
	}
	for _, a := range net.Alphabet()[1:] {
		atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: a}, ltl.Atom{Kind: ltl.Enabled, Name: a})
	}
	r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
	return net, gen.Formula(r, gen.FormulaOptions{Atoms: atoms[:min(3, len(atoms))], Size: 1 + r.IntN(10)}), true
}

// randomLasso walks through a network until a state comes up again or nothing is possible.
func randomLasso(t *testing.T, r *rand.Rand, net *lks.Network) *run.Run {
	t.Helper()
	ex := net.Explorer()
	var succ lks.Successors
	words := net.Words()
	ex.Initial(&succ)
	pick := func() []uint64 {
		i := r.IntN(succ.Len())
		return slices.Clone(succ.States[i*words : (i+1)*words])
	}
	states := [][]uint64{pick()}
	var rules []int32
	for {
		last := states[len(states)-1]
		for i, s := range states[:len(states)-1] {
			if slices.Equal(s, last) && r.IntN(3) == 0 {
				return unpacked(t, net, states, rules, i)
			}
		}
		ex.Successors(last, &succ)
		if succ.Len() == 0 {
			return unpacked(t, net, append(states, last), append(rules, run.Stutter), len(states)-1)
		}
		i := r.IntN(succ.Len())
		rules = append(rules, succ.Rules[i])
		states = append(states, slices.Clone(succ.States[i*words:(i+1)*words]))
	}
}

func unpacked(t *testing.T, net *lks.Network, states [][]uint64, rules []int32, loop int) *run.Run {
	t.Helper()
	l, err := run.Unpack(net, states, rules, loop)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestWatchRuns: what a watch says after any prefix of a run is what the formula is worth on
// the run, evaluated by the semantics of lassos; and what is left of the formula is worth on
// the rest of the run what the formula is on all of it.
func TestWatchRuns(t *testing.T) {
	settled := 0
	for seed := range soak.Cases(uint64(900)) {
		r := gen.Rand(seed)
		net, f, ok := watched(r)
		if !ok {
			continue
		}
		w, err := product.NewWatch(net, f, budget.New(context.Background(), budget.Limits{}, nil))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		lasso := randomLasso(t, r, net)
		word := meet.Word(lasso)
		want := ltl.Eval(f, word)
		if w.Eval(lasso) != want {
			t.Fatalf("seed %d: Eval", seed)
		}
		at := w.Begin()
		steps := lasso.Steps()
		for i := range 2 * len(steps) {
			k := i
			for k >= len(steps) {
				k -= len(lasso.Loop)
			}
			step := &steps[k]
			switch v := w.Verdict(at, &step.State); {
			case v == product.Unknown && len(step.State.Enabled) == 0:
				t.Fatalf("seed %d: %v is open at the end of %v", seed, f, lasso)
			case v == product.Unknown:
			case (v == product.Holds) != want:
				t.Fatalf("seed %d: after %d steps of %v the verdict on %v is %v, and the run says %v", seed, i, lasso, f, v, want)
			default:
				settled++
			}
			rest := ltl.Word{Stem: word.Stem[min(k, len(word.Stem)):], Loop: word.Loop}
			if k > len(word.Stem) {
				n := k - len(word.Stem)
				rest = ltl.Word{Loop: slices.Concat(word.Loop[n:], word.Loop[:n])}
			}
			if at.Left == nil || ltl.Eval(at.Left, rest) != want {
				t.Fatalf("seed %d: after %d steps of %v, %v is left of %v", seed, i, lasso, at.Left, f)
			}
			for _, g := range w.Owed(at, &step.State) {
				if want && !ltl.Eval(g, rest) {
					t.Fatalf("seed %d: after %d steps of %v, %v has to come, and does not", seed, i, lasso, g)
				}
			}
			at = w.After(at, step)
		}
	}
	if settled < int(soak.Cases(600)) {
		t.Errorf("only %d verdicts", settled)
	}
}

// TestWatchViolation: the way to a violation is as long as the shortest run, of all runs,
// after which the watch says so; and there is none if no run of that length has one.
func TestWatchViolation(t *testing.T) {
	found := 0
	for seed := range soak.Cases(uint64(400)) {
		r := gen.Rand(seed)
		net, f, ok := watched(r)
		if !ok {
			continue
		}
		w, err := product.NewWatch(net, f, budget.New(context.Background(), budget.Limits{}, nil))
		if err != nil {
			t.Fatal(err)
		}
		var initial lks.Successors
		net.Explorer().Initial(&initial)
		from := initial.States[:net.Words()]
		local, err := run.Start(net, from)
		if err != nil {
			t.Fatal(err)
		}
		_, rules, err := w.Violation(from, w.Begin(), nil)
		if err != nil {
			t.Fatal(err)
		}
		states, _, _ := w.Violation(from, w.Begin(), nil)
		want, looked := shortestViolation(t, net, w, local, 5)
		switch {
		case states == nil && want >= 0, states != nil && want >= 0 && len(rules) != want, states != nil && want < 0 && len(rules) <= looked:
			t.Fatalf("seed %d: %v: the way has %d steps (%v), want %d of at most %d", seed, f, len(rules), states != nil, want, looked)
		case states != nil:
			found++
		}
	}
	if found < int(soak.Cases(80)) {
		t.Errorf("only %d violations", found)
	}
}

// shortestViolation tries all runs of up to so many steps, by the definition of a network,
// and returns the fewest steps after which the formula is violated, -1: in none, of runs of
// so many steps.
func shortestViolation(t *testing.T, net *lks.Network, w *product.Watch, local []int32, most int) (steps, looked int) {
	t.Helper()
	type node struct {
		state run.State
		at    product.Standing
	}
	describe := func(local []int32) run.State { return run.New(net, [][]int32{local}, nil, -1).Last }
	level := []node{{describe(local), w.Begin()}}
	for steps := range most + 1 {
		var next []node
		for _, n := range level {
			if w.Verdict(n.at, &n.state) == product.Violated {
				return steps, steps
			}
			for _, rule := range run.Possible(net, n.state.Local) {
				step := run.Step{State: n.state, Rule: rule, Event: net.Alphabet()[net.Rules()[rule].Action]}
				after := w.After(n.at, &step)
				for _, target := range targets(net, n.state.Local, rule) {
					next = append(next, node{describe(target), after})
				}
			}
		}
		if level = next; len(level) > 3000 {
			return -1, steps
		}
	}
	return -1, most
}

// targets returns the local states that a rule leads to.
func targets(net *lks.Network, local []int32, rule int32) [][]int32 {
	all := [][]int32{slices.Clone(local)}
	for _, p := range net.Rules()[rule].Parts {
		var more [][]int32
		for _, e := range net.Components()[p.Component].Succ(local[p.Component], p.Action) {
			for _, next := range all {
				next = slices.Clone(next)
				next[p.Component] = e.Target
				more = append(more, next)
			}
		}
		all = more
	}
	return all
}
