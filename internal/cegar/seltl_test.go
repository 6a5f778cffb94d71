package cegar

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
)

// randomPropositions makes some about a component.
func randomPropositions(r *rand.Rand, c *program.Component) (all []Proposition) {
	x, y := c.System.Vars[0], c.System.Vars[1]
	for i := range r.IntN(3) {
		p := Proposition{Prop: predabs.Prop{Name: fmt.Sprintf("%s.p%d", c.Name, i)}}
		switch r.IntN(4) {
		case 0:
			p.At = []int{r.IntN(len(c.System.Locations))}
		case 1:
			p.Formula = logic.BVULt(x, y)
		default:
			p.Formula = logic.Eq([]*logic.Term{x, y}[r.IntN(2)], word(r.IntN(4)))
		}
		if p.Formula != nil && r.IntN(12) == 0 {
			p.Undefined = logic.Eq(y, word(3))
			p.Formula = logic.And(p.Formula, logic.Not(p.Undefined))
		}
		all = append(all, p)
	}
	return all
}

// randomFormula makes a formula over atoms.
func randomFormula(r *rand.Rand, atoms []ltl.Atom, depth int) *ltl.Formula {
	if depth == 0 || r.IntN(8) == 0 {
		f := ltl.AtomOf(atoms[r.IntN(len(atoms))])
		if r.IntN(3) == 0 {
			f = ltl.MakeNot(f)
		}
		return f
	}
	sub := func() *ltl.Formula { return randomFormula(r, atoms, depth-1) }
	switch r.IntN(10) {
	case 0:
		return ltl.MakeAnd(sub(), sub())
	case 1:
		return ltl.MakeOr(sub(), sub())
	case 2:
		return ltl.MakeNot(sub())
	case 3, 4:
		return ltl.MakeEventually(sub())
	case 5, 6:
		return ltl.MakeAlways(sub())
	case 7:
		return ltl.MakeUntil(sub(), sub())
	case 8:
		return ltl.MakeWeakUntil(sub(), sub())
	}
	return ltl.MakeImplies(sub(), sub())
}

// undefined begins the names of propositions that hold where others have no value.
const undefined = "no value of "

// seenOf are propositions, each with where it has no value, as the engine observes them.
func seenOf(props []Proposition) (all []predabs.Prop) {
	for _, p := range props {
		all = append(all, p.Prop)
		if p.Undefined != nil {
			all = append(all, predabs.Prop{Name: undefined + p.Name, Formula: p.Undefined})
		}
	}
	return all
}

// observed is concrete, with propositions, a self-loop where a run leaves what is modelled,
// and one where an assumption fails.
func observed(t *testing.T, c *program.Component, props []predabs.Prop) *lks.Network {
	b := lks.NewBuilder(c.Name)
	for _, a := range c.Alphabet {
		b.Action(a)
	}
	lost, discarded := b.Action("lost in "+c.Name), b.Action("discarded in "+c.Name)
	for _, p := range props {
		b.Prop(p.Name)
	}
	outside := b.Prop("outside in " + c.Name)
	type state struct {
		location int
		values   string
	}
	number := map[state]int32{}
	var queue []state
	var models []logic.Model
	enter := func(l int, m logic.Model) int32 {
		s := state{l, m.String()}
		if _, known := number[s]; !known {
			kind := lks.Normal
			if slices.Contains(c.Ends, l) {
				kind = lks.End
			}
			var label []int32
			_, out := c.Lost[l]
			for _, p := range props {
				if holds, err := logic.Holds(p.Where(l), m); err != nil {
					t.Fatal(err)
				} else if holds && strings.HasPrefix(p.Name, undefined) {
					out = true
				} else if holds {
					label = append(label, b.Prop(p.Name))
				}
			}
			if out {
				label = append(label, outside)
			}
			number[s] = b.StateID(kind, label)
			queue, models = append(queue, s), append(models, m)
		}
		return number[s]
	}
	value := func(i int) logic.Value { v, _ := logic.Eval(word(i), nil); return v }
	var initial []int32
	for i := range 16 {
		m := logic.Model{c.Name + "x": value(i / 4), c.Name + "y": value(i)}
		if len(c.System.Vars) < 2 { // after passes
			maps.DeleteFunc(m, func(name string, _ logic.Value) bool {
				return !slices.ContainsFunc(c.System.Vars, func(v *logic.Term) bool { return v.Name() == name })
			})
		}
		for _, init := range c.System.Init {
			if ok, _ := logic.Holds(init.Where, m); ok {
				if n := enter(init.Location, m); !slices.Contains(initial, n) {
					initial = append(initial, n)
				}
			}
		}
	}
	b.Initial(initial...)
	for k := 0; k < len(queue); k++ {
		if _, is := c.Lost[queue[k].location]; is {
			b.TransitionID(int32(k), lost, int32(k))
			continue
		}
		stuck := !slices.Contains(c.Ends, queue[k].location) && !slices.Contains(c.Waits, queue[k].location)
		for i, e := range c.System.Edges {
			if e.From != queue[k].location {
				continue
			}
			stuck = stuck && c.Actions[i] == ""
			for v := range 4 {
				if next, err := e.Command.Step(models[k], logic.Model{c.Name + "in": value(v)}); err == nil {
					a := c.Actions[i]
					if a == "" {
						a = lks.TauName
					}
					stuck = false
					b.Transition(int32(k), a, enter(e.To, next))
				}
			}
		}
		if stuck {
			b.TransitionID(int32(k), discarded, int32(k))
		}
	}
	b.StateID(lks.End, nil)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}

// wantedVerdict decides a property on a network of observed components.
func wantedVerdict(t *testing.T, net *lks.Network, components []*program.Component, p *Property) (outcome.Verdict, bool) {
	fairness, sets := p.requirements(components)
	never := func(kind ltl.AtomKind, prefix string) *ltl.Formula {
		var fs []*ltl.Formula
		for _, c := range components {
			fs = append(fs, ltl.MakeNot(ltl.AtomOf(ltl.Atom{Kind: kind, Name: prefix + c.Name})))
		}
		return ltl.MakeAlways(ltl.MakeAnd(fs...))
	}
	exists, inside := never(ltl.Event, "discarded in "), never(ltl.Prop, "outside in ")
	holds := func(f *ltl.Formula, fair bool, finite product.FiniteRuns) bool {
		opts := product.Options{Finite: finite}
		if fair {
			opts.Fairness, opts.FairSets = fairness, sets
		}
		r, err := product.Verify(context.Background(), net, f, opts)
		if err != nil || r.Verdict == product.Unknown {
			t.Fatal(err, r)
		}
		return r.Verdict == product.Holds
	}
	finite := p.Finite
	if finite == product.RefuseRuns {
		finite = product.StutterRuns
		if !holds(ltl.MakeImplies(ltl.MakeAnd(exists, inside), ltl.MustParse("G !deadlock")), false, finite) {
			return outcome.Violated, true
		}
	}
	switch {
	case !holds(ltl.MakeImplies(ltl.MakeAnd(exists, inside), p.Formula), true, finite):
		return outcome.Violated, false
	case !holds(ltl.MakeImplies(exists, inside), false, product.StutterRuns):
		return outcome.Unknown, false
	}
	return outcome.Holds, false
}

// randomProperty makes components and a question about them.
func randomProperty(r *rand.Rand) (components []*program.Component, p *Property) {
	actions := []string{"a", "b", "c"}
	lost := r.IntN(10) == 0
	atoms := []ltl.Atom{{Kind: ltl.Deadlock}}
	p = &Property{Finite: product.FiniteRuns(r.IntN(3)), Fairness: product.Fairness(r.IntN(4))}
	if r.IntN(2) == 0 {
		p.Fairness = product.NoFairness
	}
	known := map[string]bool{}
	for i := range 1 + r.IntN(2) {
		c := randomComponent(r, string(rune('p'+i)), [][]string{actions, actions[:2], actions[1:]}[r.IntN(3)], lost)
		if r.IntN(20) > 0 {
			decided(c)
		}
		props := randomPropositions(r, c)
		components, p.Propositions = append(components, c), append(p.Propositions, props)
		for _, q := range props {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: q.Name})
		}
		for _, a := range c.Alphabet {
			if !known[a] {
				known[a] = true
				atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: a}, ltl.Atom{Kind: ltl.Enabled, Name: a})
			}
		}
	}
	for range 20 {
		p.Formula = randomFormula(r, atoms, 1+r.IntN(3))
		if why, err := product.IgnoresSilentSteps(lks.Single(alphabetOnly(atoms)), p.Formula, nil); r.IntN(10) == 0 || why == "" && err == nil {
			break
		}
	}
	return components, p
}

// decided leaves out guards, where a component communicates, that speak of a choice and of
// variables together: nothing is known then of what is not possible.
func decided(c *program.Component) {
	for i := range c.System.Edges {
		e := &c.System.Edges[i]
		vs := logic.Vars(e.Command.Guard)
		if len(vs) > 1 && slices.ContainsFunc(e.Command.Inputs, func(in *logic.Term) bool { return slices.Contains(vs, in) }) {
			e.Command.Guard = logic.True()
		}
	}
}

// alphabetOnly is a process with some labels, for what only depends on these.
func alphabetOnly(atoms []ltl.Atom) *lks.LKS {
	b := lks.NewBuilder("ANY")
	var label []int32
	for _, a := range atoms {
		switch a.Kind {
		case ltl.Prop:
			label = append(label, b.Prop(a.Name))
		case ltl.Event:
			b.Action(a.Name)
		}
	}
	for i := range 1 << len(label) {
		var some []int32
		for k, p := range label {
			if i>>k&1 == 1 {
				some = append(some, p)
			}
		}
		b.StateID(lks.Normal, some)
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

// TestSatisfiesConcrete compares the verdict with what the components, built explicitly,
// satisfy, for every reading of finite runs, every fairness and every way to find predicates.
func TestSatisfiesConcrete(t *testing.T) {
	pool := common
	ctx := context.Background()
	counts, noticing, open, ranked := map[outcome.Verdict]int{}, 0, 0, 0
	for seed := range uint64(soak.Long(70)) {
		r := rand.New(rand.NewPCG(seed, 18))
		components, p := randomProperty(r)
		waitSomewhere(r, components)
		seen := make([][]predabs.Prop, len(components))
		for i, c := range components {
			if seed%4 == 3 {
				lengthen(rand.New(rand.NewPCG(seed, uint64(i))), c)
			}
			seen[i] = seenOf(p.Propositions[i])
		}
		net := allStates(t, components, seen)
		opts := Options{Predicates: Source(r.IntN(3)), Minimise: Minimisation(r.IntN(5)), Seed: seed, Apart: r.IntN(2) == 0, Levels: Levels(r.IntN(3)), Without: somePasses(r), passes: seed%3 > 0}
		got, err := Satisfies(ctx, components, p, pool, opts)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, p.Formula, err)
		}
		counts[got.Verdict]++
		if got.Lasso != nil {
			for i, part := range got.Lasso.Parts {
				executed(t, components[i], &part)
			}
		}
		if len(slices.Concat(got.Rankings...)) > 0 {
			ranked++
		}
		if why, err := product.IgnoresSilentSteps(net, p.Formula, nil); why != "" || err != nil {
			noticing++
			if got.Verdict == outcome.Holds && len(got.Rounds) > 0 || got.Verdict == outcome.Violated {
				continue // the labels of the concrete network are fewer than it is asked of
			}
			continue
		}
		wanted, ends := wantedVerdict(t, net, components, p)
		if got.Verdict == outcome.Unknown && wanted != outcome.Unknown && (strings.Contains(fmt.Sprint(got.Reason), "depends on a choice") || opts.Predicates == Branches) {
			open++
			t.Logf("seed %d: open: %s", seed, got.Reason)
			continue
		}
		if got.Verdict != wanted || got.Ends != ends {
			t.Errorf("seed %d: verdict %d (%s), ends %v, wanted %d, %v: %v with %+v after %d rounds", seed, got.Verdict, got.Reason, got.Ends, wanted, ends, p.Formula, opts, len(got.Rounds))
		}
	}
	t.Log(counts, noticing, "notice silent steps,", open, "are open,", ranked, "need ranking functions")
}

// oneWord makes a component with a variable of any first value, and edges.
func oneWord(name string, locations int, alphabet []string, edges ...program.Edge) (*program.Component, *logic.Term) {
	x := logic.Var(name+"x", small)
	c := &program.Component{Name: name, Alphabet: alphabet, System: &program.System{Name: name, Vars: []*logic.Term{x}, Init: []program.Region{{Where: logic.True()}}}}
	for l := range locations {
		c.System.Locations = append(c.System.Locations, program.Location{Name: fmt.Sprint(l)})
	}
	for _, e := range edges {
		c.Actions = append(c.Actions, e.Name)
		if e.Command == nil {
			e.Command = &program.Command{Guard: logic.True()}
		}
		c.System.Edges = append(c.System.Edges, e)
	}
	return c, x
}

// TestNaiveAbstraction has questions that abstractions answer wrongly if all that they know is
// that they have the steps of the program: here, that an action is possible in some states of
// an abstract one makes it possible in all. It asks them with and without what is kept about it.
func TestNaiveAbstraction(t *testing.T) {
	pool := common
	ctx := context.Background()
	zero := &program.Command{Guard: logic.Eq(logic.Var("px", small), word(0))}
	some, _ := oneWord("p", 1, []string{"a", "b"}, program.Edge{Name: "a", Command: zero}, program.Edge{Name: "b"})
	only, _ := oneWord("p", 1, []string{"a"}, program.Edge{Name: "a", Command: zero})
	other, _ := oneWord("q", 1, []string{"b"}, program.Edge{Name: "b"})
	chain, _ := oneWord("p", 3, []string{"b"}, program.Edge{To: 1}, program.Edge{From: 1, To: 2}, program.Edge{Name: "b", From: 2, To: 2})
	for _, c := range []struct {
		name       string
		components []*program.Component
		property   Property
		want       outcome.Verdict
		naive      bool // it is a wrong proof without what is possible, or with merged silent steps
	}{
		{"enabled", []*program.Component{some}, Property{Formula: ltl.AtomOf(ltl.Atom{Kind: ltl.Enabled, Name: "a"})}, outcome.Violated, true},
		{"deadlock", []*program.Component{only}, Property{Formula: ltl.MustParse("G !deadlock")}, outcome.Violated, true},
		{"end of a run", []*program.Component{only}, Property{Formula: event("a", "G F a")}, outcome.Violated, true},
		{"no end of a run", []*program.Component{only}, Property{Formula: event("a", "G F a"), Finite: product.IgnoreRuns}, outcome.Holds, true},
		{"ends are refused", []*program.Component{only}, Property{Formula: ltl.T(), Finite: product.RefuseRuns}, outcome.Violated, true},
		{"fairness", []*program.Component{only, other}, Property{Formula: event("a", "F a"), Fairness: product.ProcessFairness}, outcome.Violated, true},
		{"fairness of actions", []*program.Component{only, other}, Property{Formula: event("a", "F a"), Fairness: product.StrongActionFairness}, outcome.Violated, true},
		{"next", []*program.Component{chain}, Property{Formula: event("b", "X b")}, outcome.Unknown, true},
		{"no next", []*program.Component{chain}, Property{Formula: event("b", "F b")}, outcome.Holds, true},
	} {
		got, err := Satisfies(ctx, c.components, &c.property, pool, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got.Verdict != c.want {
			t.Errorf("%s: verdict %d (%s), wanted %d", c.name, got.Verdict, got.Reason, c.want)
		}
		solver, err := pool.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r := &SatisfiesResult{}
		s := &satisfaction{programs: c.components, property: &c.property, formula: c.property.joined(), result: r, accepted: true}
		seen := s.observations(c.components)
		for i := range seen {
			seen[i].Offers = false
		}
		s.loop = newLoop(ctx, c.components, seen, solver, Options{}, &r.Answer)
		for i, k := range s.components { // PredInfer tracks guards of actions, too
			k.mapping = make(predabs.Mapping, len(c.components[i].System.Locations))
		}
		_, err = decide(s.loop, s)
		pool.Release(solver)
		if proved := err == nil && r.Verdict == outcome.Holds; proved != c.naive {
			t.Errorf("%s: the naive abstraction proves it: %v (%v)", c.name, proved, err)
		}
	}
}

func event(name, formula string) *ltl.Formula {
	f, err := ltl.ParseText(formula, ltl.ParseOptions{Events: []string{name}})
	if err != nil {
		panic(err)
	}
	return f
}

// TestDivergence has silent steps that go round for ever: joined steps must not lose them.
func TestDivergence(t *testing.T) {
	pool := common
	x := logic.Var("px", logic.BitVec(8))
	count := func(step int64, guard *logic.Term) *program.Command {
		return &program.Command{Guard: guard, Update: map[*logic.Term]*logic.Term{x: logic.BVAdd(x, logic.BVConst(big.NewInt(step), 8))}}
	}
	positive := logic.BVULt(logic.BVConst(big.NewInt(0), 8), x)
	for _, c := range []struct {
		name string
		loop *program.Command
		want outcome.Verdict
	}{
		{"silent cycle", &program.Command{Guard: logic.True()}, outcome.Violated},
		{"counts down", count(-1, positive), outcome.Holds},
		{"counts up and wraps", count(1, positive), outcome.Holds},
		{"counts by two", count(2, logic.Not(logic.Eq(x, logic.BVConst(big.NewInt(0), 8)))), outcome.Violated},
	} {
		p, _ := oneWord("p", 4, []string{"b"}, program.Edge{To: 1, Command: c.loop}, program.Edge{From: 1},
			program.Edge{To: 2, Command: &program.Command{Guard: logic.Not(c.loop.Guard)}}, program.Edge{Name: "b", From: 2, To: 3})
		if c.loop.Guard.IsTrue() {
			p.System.Edges[2].Command.Guard = logic.True()
		}
		p.System.Vars, p.Ends = []*logic.Term{x}, []int{3}
		got, err := Satisfies(context.Background(), []*program.Component{p}, &Property{Formula: event("b", "F b")}, pool, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got.Verdict != c.want {
			t.Errorf("%s: verdict %d (%s) after %d rounds, wanted %d", c.name, got.Verdict, got.Reason, len(got.Rounds), c.want)
		}
	}
}
