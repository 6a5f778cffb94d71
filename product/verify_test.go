package product_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// build makes an LKS from states "name {props}" and transitions "from action to".
func build(t testing.TB, name string, states []string, transitions ...string) *lks.LKS {
	t.Helper()
	b := lks.NewBuilder(name)
	number := map[string]int32{}
	for _, s := range states {
		fields := strings.Fields(s)
		number[fields[0]] = b.State(fields[1:]...)
	}
	for _, tr := range transitions {
		f := strings.Fields(tr)
		b.Transition(number[f[0]], f[1], number[f[2]])
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestThesis83 has the four verdicts that [Chaki05], 8.3 states for a structure of
// two states, {p,q} and {q,r}, whose transitions the text does not give.
func TestThesis83(t *testing.T) {
	net := lks.Single(build(t, "M", []string{"s p q", "t q r"}, "s b s", "s c t", "t a t", "t d s", "t d t"))
	for _, c := range []struct {
		formula string
		want    product.Verdict
	}{
		{"G(c -> F r)", product.Holds},
		{"G(b -> F r)", product.Violated},
		{"G(d -> F r)", product.Holds},
		{"G(d -> X F r)", product.Violated},
	} {
		for _, e := range searches() {
			if r := verify(t, net, parse(t, net, c.formula), product.Options{Search: product.Search{Emptiness: e}}, 0); r.Verdict != c.want {
				t.Errorf("%s by %v: %v, want %v", c.formula, e, r.Verdict, c.want)
			}
		}
	}
}

// surge is the surge protector of [Chaki05], 8.4 for thresholds and currents 0 to r.
func surge(t testing.TB, r int) *lks.Network {
	var states, transitions []string
	for m := range r + 1 {
		states = append(states, fmt.Sprintf("%d m.%d", m, m))
		for n := range r + 1 {
			transitions = append(transitions, fmt.Sprintf("%d m%d %d", m, n, n))
			if n <= m {
				transitions = append(transitions, fmt.Sprintf("%d c%d %d", m, n, m))
			}
		}
	}
	return lks.Single(build(t, "SURGE", states, transitions...))
}

func surgeProperty(t testing.TB, net *lks.Network, r int) *ltl.Formula {
	var all []string
	for c := 1; c <= r; c++ {
		all = append(all, fmt.Sprintf("(c%d -> m >= %d)", c, c))
	}
	return parse(t, net, "G("+strings.Join(all, " & ")+")")
}

func TestThesis84(t *testing.T) {
	for _, r := range []int{2, 12, 100} {
		net := surge(t, r)
		f := surgeProperty(t, net, r)
		result := verify(t, net, f, product.Options{}, 0)
		if result.Verdict != product.Holds || result.FiniteMet {
			t.Errorf("range %d: %+v", r, result)
		}
		if result.Stats.AutomatonStates > 2 {
			t.Errorf("range %d: the automaton has %d states, two are enough", r, result.Stats.AutomatonStates)
		}
		wrong := parse(t, net, fmt.Sprintf("G(c%d -> m > %d)", 1, 1))
		if result := verify(t, net, wrong, product.Options{Shortest: true}, 0); result.Verdict != product.Violated || result.Lasso.Len() != 2 || !result.ShortestRun {
			t.Errorf("range %d: %v by %v, want a lasso of two steps", r, result.Verdict, result.Lasso)
		}
	}
}

// TestEventAndState checks that an edge of the product reads the labels of the
// state it leaves together with its event ([Chaki05], 8.3.4), not those it enters.
func TestEventAndState(t *testing.T) {
	net := lks.Single(build(t, "M", []string{"s p", "t q"}, "s a t", "t b s"))
	for formula, want := range map[string]product.Verdict{
		"G(a -> p)":           product.Holds,
		"G(a -> q)":           product.Violated,
		"G(a -> X q)":         product.Holds,
		"G(a <-> X b)":        product.Holds,
		"a & X(b & q)":        product.Holds,
		"G !(a & b)":          product.Holds,
		"GF a & GF b":         product.Holds,
		"G(p -> !enabled(b))": product.Holds,
		"F deadlock":          product.Violated,
	} {
		if r := verify(t, net, parse(t, net, formula), product.Options{}, 0); r.Verdict != want {
			t.Errorf("%s: %v, want %v", formula, r.Verdict, want)
		}
	}
}

func TestFiniteRuns(t *testing.T) {
	net := lks.Single(build(t, "M", []string{"s", "stop done", "loop"}, "s a stop", "s b loop", "loop c loop"))
	for _, c := range []struct {
		formula string
		finite  product.FiniteRuns
		want    product.Verdict
		met     bool
	}{
		{"F c", product.StutterRuns, product.Violated, true},
		{"F c", product.IgnoreRuns, product.Holds, true},
		{"F(done | c)", product.StutterRuns, product.Holds, true},
		{"a -> X G(!a & !b & !c & deadlock & done)", product.StutterRuns, product.Holds, true},
		{"G !deadlock", product.StutterRuns, product.Violated, true},
		{"G !deadlock", product.IgnoreRuns, product.Holds, true},
		{"b | X true", product.IgnoreRuns, product.Holds, false},
	} {
		for _, e := range searches() {
			r := verify(t, net, parse(t, net, c.formula), product.Options{Search: product.Search{Emptiness: e}, Finite: c.finite}, 0)
			if r.Verdict != c.want || r.FiniteMet != c.met {
				t.Errorf("%s, %v: %v, finite run met: %t", c.formula, c.finite, r.Verdict, r.FiniteMet)
			}
		}
	}
	_, err := product.Verify(context.Background(), net, parse(t, net, "F c"), product.Options{Finite: product.RefuseRuns})
	var finite *product.FiniteRunError
	if !errors.As(err, &finite) || finite.Trace.Len() != 2 || finite.Trace.Stem[0].Event != "a" {
		t.Errorf("refused runs: %v", err)
	}
}

// TestError checks that in a network that is in error no proposition holds but those
// of what failed, and that both searches say so with the local states of the run.
func TestError(t *testing.T) {
	b := lks.NewBuilder("P")
	ok := b.State("fine")
	bad := b.StateID(lks.Error, []int32{b.Prop("broken")})
	b.Transition(ok, "fail", bad)
	b.Transition(ok, "work", ok)
	p, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	net := networkOf(t, []*lks.LKS{p, build(t, "Q", []string{"0 even", "1 odd"}, "0 work 1", "1 work 0", "1 spin 1")})
	r := verify(t, net, parse(t, net, "G fine"), product.Options{Shortest: true}, 0)
	if r.Verdict != product.Violated || r.Lasso.Len() != 2 || r.Lasso.Loop[0].State.Kind != lks.Error {
		t.Errorf("%v", r.Lasso)
	}
	r = verify(t, net, parse(t, net, "G(even | odd)"), product.Options{}, 0)
	if r.Verdict != product.Violated || !slices.Equal(r.Lasso.Loop[0].State.Props, []string{"broken"}) {
		t.Errorf("other propositions hold in error: %+v", r.Lasso)
	}
	r = verify(t, net, parse(t, net, "G(work -> X X !fail)"), product.Options{}, 0)
	last := r.Lasso.Loop[0].State
	if r.Verdict != product.Violated || last.Local[0] != 1 || len(last.Enabled) != 0 {
		t.Errorf("the lasso does not end in error as it should: %+v", last)
	}
}

func TestTrivial(t *testing.T) {
	net := gen.Ring(3)
	r := verify(t, net, parse(t, net, "G(enter0 -> !exit0)"), product.Options{}, 0)
	if !r.Trivial || r.Verdict != product.Holds || r.Stats.States != 0 {
		t.Errorf("at most one event at a time: %+v", r)
	}
	r = verify(t, net, parse(t, net, "G(crit0 -> !try0)"), product.Options{}, 0)
	if r.Verdict != product.Holds {
		t.Errorf("labels of one component: %v", r.Verdict)
	}
	if r := verify(t, net, ltl.Ff(), product.Options{}, 0); r.Verdict != product.Violated {
		t.Errorf("false: %v", r.Verdict)
	}
	if r := verify(t, net, ltl.T(), product.Options{}, 0); r.Verdict != product.Holds || !r.Trivial {
		t.Errorf("true: %v", r.Verdict)
	}
}

func TestUnknownAtoms(t *testing.T) {
	net := gen.Ring(2)
	for _, a := range []ltl.Atom{
		{Kind: ltl.Prop, Name: "crit7"}, {Kind: ltl.Event, Name: "crit0"}, {Kind: ltl.Enabled, Name: "nothing"}, {Kind: ltl.Name, Name: "crit0"},
	} {
		// Even where the translation would lose the atom.
		f := ltl.MakeOr(ltl.MakeEventually(ltl.AtomOf(a)), ltl.MakeNext(ltl.MakeAlways(ltl.MakeNot(ltl.AtomOf(a)))))
		_, err := product.Verify(context.Background(), net, f, product.Options{})
		var atom *ltl.AtomError
		if !errors.As(err, &atom) || atom.Atom != a {
			t.Errorf("%v: %v", a, err)
		}
	}
}

func TestLimits(t *testing.T) {
	net := gen.Ring(8)
	f := parse(t, net, "G(try1 -> F crit1)")
	for _, e := range searches() {
		r, err := product.Verify(context.Background(), net, f, product.Options{Search: product.Search{Emptiness: e}, Reductions: product.Reductions{POR: product.NoPOR}, Limits: budget.Limits{States: 100}})
		var exhausted *budget.Exhausted
		if err != nil || r.Verdict != product.Unknown || !errors.As(r.Reason, &exhausted) || exhausted.What != "states" || r.Stats.States == 0 {
			t.Errorf("%v: %+v, %v", e, r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r, err = product.Verify(ctx, net, f, product.Options{Search: product.Search{Emptiness: e}, Reductions: product.Reductions{POR: product.NoPOR}})
		if err != nil || r.Verdict != product.Unknown || !errors.Is(r.Reason, budget.ErrInterrupted) || r.Lasso != nil {
			t.Errorf("%v, cancelled: %+v, %v", e, r, err)
		}
		r, err = product.Verify(context.Background(), net, f, product.Options{Search: product.Search{Emptiness: e}, Reductions: product.Reductions{POR: product.NoPOR}, Limits: budget.Limits{Time: time.Nanosecond}})
		if err != nil || r.Verdict != product.Unknown || !errors.As(r.Reason, &exhausted) || exhausted.What != "time" {
			t.Errorf("%v, no time: %+v, %v", e, r, err)
		}
		r, err = product.Verify(context.Background(), net, f, product.Options{Search: product.Search{Emptiness: e}, Reductions: product.Reductions{POR: product.NoPOR}, Finite: product.RefuseRuns, Limits: budget.Limits{States: 10}})
		if err != nil || r.Verdict != product.Unknown || !errors.As(r.Reason, &exhausted) {
			t.Errorf("%v, few states, refuse: %+v, %v", e, r, err)
		}
	}
	// A limit that is reached after a violation was found does not hide it.
	r, err := product.Verify(context.Background(), net, parse(t, net, "G !crit0"), product.Options{Reductions: product.Reductions{POR: product.NoPOR}, Shortest: true, Limits: budget.Limits{States: 200}})
	if err != nil || r.Verdict != product.Violated {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestDeterminism runs everything twice.
func TestDeterminism(t *testing.T) {
	for seed := range soak.Long(uint64(100)) {
		p, _ := problem(seed)
		if p == nil {
			continue
		}
		for _, opts := range []product.Options{
			{}, {Search: product.Search{Emptiness: product.Components}}, {Shortest: true},
			{Fairness: product.ProcessFairness}, {Fairness: product.StrongActionFairness}, {Fairness: product.ChoiceFairness},
		} {
			var first string
			for i := range 2 {
				r := verify(t, networkOf(t, p.Components), p.Formula, opts, seed)
				s := r.Stats
				text := fmt.Sprint(r.Verdict, r.Lasso, s.States, s.Expanded, s.Transitions, s.Depth)
				if i == 0 {
					first = text
				} else if text != first {
					t.Fatalf("seed %d: %s, then %s", seed, first, text)
				}
			}
		}
	}
}

// TestTheorem17 checks the claim behind [Chaki05], Theorem 17: the verdict is that
// of the Kripke structure whose states are pairs of a state and the event that
// leaves it, with events as propositions.
func TestTheorem17(t *testing.T) {
	count := 0
	for seed := uint64(40_000_000); count < soak.Long(500); seed++ {
		r := gen.Rand(seed)
		shape := shapeOf(seed)
		shape.Special = 0
		m := gen.LKS(r, "x", shape)
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(10), Atoms: stateEventAtoms(m)})
		kripke, ok := kripkeStructure(t, m)
		if !ok {
			continue
		}
		count++
		flat := ltl.Map(f, func(a ltl.Atom) *ltl.Formula {
			if a.Kind == ltl.Event {
				a = ltl.Atom{Kind: ltl.Prop, Name: "event." + a.Name}
			}
			return ltl.AtomOf(a)
		})
		want := verify(t, lks.Single(kripke), flat, product.Options{Finite: product.IgnoreRuns}, seed).Verdict
		for _, e := range searches() {
			got := verify(t, lks.Single(m), f, product.Options{Search: product.Search{Emptiness: e}, Finite: product.IgnoreRuns}, seed).Verdict
			if got != want {
				t.Fatalf("seed %d, %v: %v, as a Kripke structure %v", seed, f, got, want)
			}
		}
	}
}

func stateEventAtoms(m *lks.LKS) []ltl.Atom {
	var atoms []ltl.Atom
	for _, p := range m.Props() {
		atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: p})
	}
	for _, a := range m.Alphabet() {
		atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: a})
	}
	return atoms
}

// kripkeStructure is M” of the proof of Theorem 17, false if no initial state of
// m has a successor.
func kripkeStructure(t *testing.T, m *lks.LKS) (*lks.LKS, bool) {
	b := lks.NewBuilder("kripke")
	for _, p := range m.Props() {
		b.Prop(p)
	}
	for _, a := range m.Alphabet() {
		b.Prop("event." + a)
	}
	type pair struct{ state, action int32 }
	number := map[pair]int32{}
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			if _, ok := number[pair{s, e.Action}]; ok {
				continue
			}
			props := []string{"event." + m.Alphabet()[e.Action]}
			for _, p := range m.Label(s) {
				props = append(props, m.Props()[p])
			}
			number[pair{s, e.Action}] = b.State(props...)
		}
	}
	initial := false
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			from := number[pair{s, e.Action}]
			if slices.Contains(m.Initial(), s) {
				b.Initial(from)
				initial = true
			}
			for _, next := range m.Edges(e.Target) {
				b.Transition(from, "step", number[pair{e.Target, next.Action}])
			}
		}
	}
	if !initial {
		return nil, false
	}
	k, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return k, true
}

func TestCountModel(t *testing.T) {
	net := gen.Ring(5)
	r := verify(t, net, parse(t, net, "G(try1 -> F crit1)"), product.Options{Reductions: product.Reductions{POR: product.NoPOR}, CountModel: true}, 0)
	reached, err := explore.Reach(net, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.ModelStates != reached.States || r.Stats.States <= reached.States {
		t.Errorf("%d states of the network in %d of the product, want %d", r.Stats.ModelStates, r.Stats.States, reached.States)
	}
}

// The automaton of the negated formula waits for the moment from which on nothing
// good comes any more. Depth-first search guesses that moment early: it does not go
// through the network first, and come back with a lasso as long as the network is large.
func TestGuessesEarly(t *testing.T) {
	for n, most := range map[int]int64{6: 500, 20: 1800} { // states of one word, and of several
		if testing.Short() && n > 6 {
			continue
		}
		for formula, net := range map[string]*lks.Network{"G F writing0": gen.ReadersWriters(n), "G F eating1": gen.Philosophers(n, true)} {
			for _, opts := range []product.Options{
				{Search: product.Search{Emptiness: product.NestedDFS}}, {Search: product.Search{Emptiness: product.Components}},
				{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.HashCompact}},
			} {
				opts.POR, opts.Limits.States = product.NoPOR, 5000
				if r := verify(t, net, parse(t, net, formula), opts, 0); r.Verdict != product.Violated || r.Stats.States > most {
					t.Errorf("%s, %d processes, by %v, %v store: %v after %d states", formula, n, opts.Emptiness, opts.Store, r.Verdict, r.Stats.States)
				}
			}
		}
	}
}
