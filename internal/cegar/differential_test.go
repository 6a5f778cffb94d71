package cegar

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// small is a sort whose values can be enumerated.
var small = logic.BitVec(2)

func word(n int) *logic.Term { return logic.BVConst(big.NewInt(int64(n&3)), 2) }

// randomComponent makes a component over two small variables.
func randomComponent(r *rand.Rand, name string, actions []string, lost bool) *program.Component {
	x, y := logic.Var(name+"x", small), logic.Var(name+"y", small)
	in := logic.Var(name+"in", small)
	n := 3 + r.IntN(4)
	c := &program.Component{Name: name, System: &program.System{Name: name, Vars: []*logic.Term{x, y}}}
	for l := range n {
		c.System.Locations = append(c.System.Locations, program.Location{Name: fmt.Sprintf("%s%d", name, l)})
	}
	value := func() *logic.Term {
		switch r.IntN(6) {
		case 0:
			return logic.BVAdd(x, word(1))
		case 1:
			return y
		case 2:
			return x
		case 3:
			return in
		default:
			return word(r.IntN(4))
		}
	}
	atom := func() *logic.Term {
		a, b := []*logic.Term{x, y, x, y, in}[r.IntN(5)], []*logic.Term{word(r.IntN(4)), word(r.IntN(4)), y}[r.IntN(3)]
		f := logic.Eq(a, b)
		if r.IntN(3) == 0 {
			f = logic.BVULe(a, b)
		}
		if r.IntN(2) == 0 {
			f = logic.Not(f)
		}
		return f
	}
	if r.IntN(2) == 0 {
		c.Ends = []int{n - 1}
	}
	if lost {
		c.Lost = map[int]string{n - 2: "for a test"}
	}
	c.System.Init = []program.Region{{Location: 0, Where: logic.True()}}
	if r.IntN(2) == 0 {
		c.System.Init[0].Where = logic.Eq(x, word(r.IntN(4)))
	}
	for i := range n + 3 + r.IntN(6) {
		e := program.Edge{Name: fmt.Sprintf("e%d", i), From: r.IntN(n), To: r.IntN(n), Command: &program.Command{Inputs: []*logic.Term{in}, Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}}
		if _, is := c.Lost[e.From]; is || slices.Contains(c.Ends, e.From) {
			continue
		}
		if r.IntN(3) > 0 {
			e.Command.Guard = atom()
		}
		if r.IntN(2) == 0 {
			e.Command.Update[[]*logic.Term{x, y}[r.IntN(2)]] = value()
		}
		action := ""
		if r.IntN(5) < 2 {
			action = actions[r.IntN(len(actions))]
		}
		c.System.Edges = append(c.System.Edges, e)
		c.Actions = append(c.Actions, action)
	}
	c.Alphabet = slices.Clone(actions)
	slices.Sort(c.Alphabet)
	return c
}

// waitSomewhere makes some components wait at some locations where guards of silent steps are
// exhausted: these are no assumptions there.
func waitSomewhere(r *rand.Rand, components []*program.Component) {
	for _, c := range components {
		if r.IntN(3) > 0 {
			continue
		}
		for l := range c.System.Locations {
			if r.IntN(2) == 0 {
				c.Waits = append(c.Waits, l)
			}
		}
	}
}

func randomSpec(r *rand.Rand, actions []string) *lks.LKS {
	b := lks.NewBuilder("spec")
	for _, a := range actions {
		b.Action(a)
	}
	n := 1 + r.IntN(4)
	for range n {
		b.State()
	}
	end := b.StateID(lks.End, nil)
	for range n*len(actions) + r.IntN(4) {
		to := int32(r.IntN(n))
		if r.IntN(6) == 0 {
			to = end
		}
		action := lks.TauName
		if r.IntN(6) > 0 {
			action = actions[r.IntN(len(actions))]
		}
		b.Transition(int32(r.IntN(n)), action, to)
	}
	for s := range n {
		if r.IntN(2) == 0 {
			b.Transition(int32(s), lks.TauName, end)
		}
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

// values are all values of small variables.
func values(vars []*logic.Term) []logic.Model {
	all := []logic.Model{{}}
	for _, v := range vars {
		var longer []logic.Model
		for _, m := range all {
			for i := range 4 {
				n := maps.Clone(m)
				n[v.Name()], _ = logic.Eval(word(i), nil)
				longer = append(longer, n)
			}
		}
		all = longer
	}
	return all
}

// concrete is the meaning of a component, by enumeration: [Chaki05], 3.2, with an edge for
// each step.
func concrete(t *testing.T, c *program.Component) *lks.Network {
	b := lks.NewBuilder(c.Name)
	for _, a := range c.Alphabet {
		b.Action(a)
	}
	lost := b.Action(c.Name + ".lost")
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
			number[s] = b.StateID(kind, nil)
			queue, models = append(queue, s), append(models, m)
		}
		return number[s]
	}
	var initial []int32
	for _, m := range values(c.System.Vars) {
		for _, init := range c.System.Init {
			if ok, _ := logic.Holds(init.Where, m); ok {
				initial = append(initial, enter(init.Location, m))
			}
		}
	}
	b.Initial(initial...)
	for k := 0; k < len(queue); k++ {
		if _, is := c.Lost[queue[k].location]; is {
			b.TransitionID(int32(k), lost, int32(k))
		}
		for i, e := range c.System.Edges {
			if e.From != queue[k].location {
				continue
			}
			for _, inputs := range values(e.Command.Inputs) {
				if next, err := e.Command.Step(models[k], inputs); err == nil {
					a := c.Actions[i]
					if a == "" {
						a = lks.TauName
					}
					b.Transition(int32(k), a, enter(e.To, next))
				}
			}
		}
	}
	b.StateID(lks.End, nil) // a program has terminated when all components have
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}

// TestSimulatesConcrete compares the verdict with simulation, or trace containment, of what
// the components mean, for every way to find predicates.
func TestSimulatesConcrete(t *testing.T) {
	pool := common
	ctx := context.Background()
	counts := map[outcome.Verdict]int{}
	for seed := range uint64(soak.Seeds(70)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 17))
		actions := []string{"a", "b", "c"}
		lost := r.IntN(8) == 0
		var components []*program.Component
		var parts []*lks.Network
		for i := range 1 + r.IntN(2) {
			c := randomComponent(r, string(rune('p'+i)), [][]string{actions, actions[:2], actions[1:]}[r.IntN(3)], lost)
			components = append(components, c)
			parts = append(parts, concrete(t, c))
		}
		all := map[string]bool{}
		for _, c := range components {
			for _, a := range c.Alphabet {
				all[a] = true
			}
		}
		spec := randomSpec(r, slices.Sorted(maps.Keys(all)))
		net := parts[0]
		if len(parts) > 1 {
			var err error
			if net, err = lks.Compose("concrete", parts...); err != nil {
				t.Fatal(err)
			}
		}
		opts := Options{Predicates: Source(r.IntN(3)), Minimise: Minimisation(r.IntN(5)), Traces: r.IntN(3) == 0, Trees: 1 + r.IntN(5), Seed: seed, Apart: r.IntN(2) == 0, Levels: Levels(r.IntN(3))}
		opts.Without = somePasses(r)
		preorder := conform.Weak
		if opts.Traces {
			preorder = conform.Trace
		}
		wanted, err := conform.Check(ctx, net, widened(t, spec, components), conform.Options{Preorder: preorder, SilentSpec: conform.Saturate})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Simulates(ctx, components, spec, pool, opts)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		counts[got.Verdict]++
		if x := got.Counterexample; x != nil {
			for i, p := range x.Parts {
				executed(t, components[i], &p)
			}
		}
		if got.Verdict == outcome.Unknown && (lost || opts.Predicates == Branches) {
			continue // branches need not suffice: ERROR
		}
		if (got.Verdict == outcome.Holds) != wanted.Holds() || got.Verdict == outcome.Unknown {
			t.Errorf("seed %d: verdict %d (%s), wanted %v with %+v after %d rounds", seed, got.Verdict, got.Reason, wanted.Holds(), opts, len(got.Rounds))
		}
	}
	t.Log(counts)
}

// somePasses are none, all, or some.
func somePasses(r *rand.Rand) []passes.Pass {
	switch r.IntN(3) {
	case 0:
		return passes.Default()
	case 1:
		return slices.DeleteFunc(passes.Default(), func(passes.Pass) bool { return r.IntN(2) == 0 })
	}
	return nil
}

// executed checks that the steps of a part are of a component, and lead from one another.
func executed(t *testing.T, c *program.Component, p *Part) {
	t.Helper()
	sys := *c.System
	for l := range sys.Locations {
		sys.Error = append(sys.Error, program.Region{Location: l, Where: logic.True()})
	}
	traces := []*program.Trace{{Start: p.Steps[0].Location, Execution: program.Execution{States: []logic.Model{p.Steps[0].State}}}}
	for _, s := range p.Steps[1:] {
		before := traces[s.Parent]
		whole := &program.Trace{Start: before.Start, Edges: slices.Concat(before.Edges, s.Trace.Edges)}
		whole.Inputs, whole.States = slices.Concat(before.Inputs, s.Trace.Inputs), slices.Concat(before.States, s.Trace.States[1:])
		if err := whole.Replay(&sys); err != nil {
			t.Fatal(err)
		}
		if at := whole.Location(&sys, len(whole.Edges)); at != s.Location {
			t.Fatalf("the part is at %d, not at %d", at, s.Location)
		}
		var actions []string
		for _, e := range s.Trace.Edges {
			if a := c.Actions[e]; a != "" {
				actions = append(actions, a)
			}
		}
		if wanted := slices.DeleteFunc([]string{s.Action}, func(a string) bool { return a == "" }); !slices.Equal(actions, wanted) {
			t.Fatalf("the part performs %v, not %v", actions, wanted)
		}
		traces = append(traces, whole)
	}
}

// TestPassesKeep compares what components mean with what they mean after passes: each weakly
// simulates the other.
func TestPassesKeep(t *testing.T) {
	smaller := 0
	for seed := range uint64(soak.Cases(500)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 23))
		source := randomComponent(r, "p", []string{"a", "b"}, r.IntN(3) == 0)
		ends := r.IntN(3) > 0
		if !ends {
			source.Ends = nil
		}
		list := passes.Default()
		if r.IntN(3) == 0 {
			list = slices.DeleteFunc(list, func(passes.Pass) bool { return r.IntN(2) == 0 })
		}
		passed := passes.ApplyComponent(context.Background(), source, passes.Sight{Ends: ends}, list).Component
		if err := passed.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(passed.System.Vars) < len(source.System.Vars) {
			smaller++
		}
		before, after := concrete(t, source), concrete(t, passed)
		for _, pair := range [][2]*lks.Network{{before, after}, {after, before}} {
			found, err := conform.Check(context.Background(), pair[0], pair[1], conform.Options{Preorder: conform.Weak, SilentSpec: conform.Saturate})
			if err != nil {
				t.Fatal(err)
			}
			if !found.Holds() {
				t.Fatalf("seed %d: not the same after %v: %v", seed, list, found.Trees[0])
			}
		}
	}
	if smaller == 0 {
		t.Error("nothing became smaller")
	}
	t.Log(smaller)
}

func widened(t *testing.T, spec *lks.LKS, components []*program.Component) *lks.Network {
	b := lks.NewBuilder("spec")
	for _, a := range spec.Alphabet()[1:] {
		b.Action(a)
	}
	for _, c := range components {
		for _, a := range append(c.Alphabet, c.Name+".lost") {
			b.Action(a)
		}
	}
	for q := range int32(spec.NumStates()) {
		b.StateID(spec.Kind(q), nil)
		for _, e := range spec.Edges(q) {
			b.Transition(q, spec.Alphabet()[e.Action], e.Target)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}
