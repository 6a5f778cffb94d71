package cegar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// randomMapping tracks some comparisons at some locations of a random component.
func randomMapping(r *rand.Rand, a *predabs.Abstracter) predabs.Mapping {
	m := make(predabs.Mapping, len(a.Component.System.Locations))
	vars := a.Component.System.Vars
	for l := range m {
		for range r.IntN(3) {
			f := logic.Eq(vars[r.IntN(2)], word(r.IntN(4)))
			if r.IntN(2) == 0 {
				f = logic.BVULe(vars[r.IntN(2)], word(r.IntN(4)))
			}
			if r.IntN(4) == 0 {
				f = logic.Eq(vars[0], vars[1])
			}
			m.Add(l, f)
		}
	}
	return m
}

// abstraction is the abstract LKS under a mapping.
func abstraction(t *testing.T, a *predabs.Abstracter, m predabs.Mapping) *lks.LKS {
	t.Helper()
	model, err := a.Build(context.Background(), m, budget.New(context.Background(), budget.Limits{}, nil))
	if err != nil {
		t.Fatal(err)
	}
	out, err := model.LKS(true)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// simulated reports whether an implementation is simulated by a specification that has silent
// steps of its own.
func simulated(t *testing.T, impl, spec *lks.Network, preorder conform.Preorder) bool {
	t.Helper()
	silent := conform.Letter
	if preorder == conform.Weak {
		silent = conform.Saturate
	}
	r, err := conform.Check(context.Background(), impl, spec, conform.Options{Preorder: preorder, SilentSpec: silent})
	if err != nil {
		t.Fatal(err)
	}
	return r.Holds()
}

// TestTheorem5: what an abstraction mapping maps is simulated by what it is mapped to.
func TestTheorem5(t *testing.T) {
	converse := 0
	for seed := range uint64(soak.Seeds(200)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 105))
		m := randomSpec(r, []string{"a", "b", "c"})
		to := make([]int32, m.NumStates()) // the mapping: kinds are kept
		b := lks.NewBuilder("abstract")
		for _, a := range m.Alphabet()[1:] {
			b.Action(a)
		}
		first := map[string]int32{}
		for s := range to {
			key := fmt.Sprint(m.Kind(int32(s)), r.IntN(2))
			if _, known := first[key]; !known {
				first[key] = b.StateID(m.Kind(int32(s)), nil)
			}
			to[s] = first[key]
		}
		for _, s := range m.Initial() {
			b.Initial(to[s])
		}
		for s := range to {
			for _, e := range m.Edges(int32(s)) {
				b.Transition(to[s], m.Alphabet()[e.Action], to[e.Target])
			}
		}
		abstract, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if !simulated(t, lks.Single(m), lks.Single(abstract), conform.Simulation) {
			t.Errorf("seed %d: %s is not simulated by %s", seed, m, abstract)
		}
		if simulated(t, lks.Single(abstract), lks.Single(m), conform.Simulation) {
			converse++
		}
	}
	t.Logf("the converse held %d times", converse)
}

// TestTheorems6And7: components, and programs of several, are simulated by their predicate
// abstractions, whatever is tracked. Blocks are one silent step for several, so weakly.
func TestTheorems6And7(t *testing.T) {
	_, solver := solvers(t)
	converse := 0
	for seed := range uint64(soak.Seeds(50)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 107))
		var means, abstract []*lks.Network
		for i := range 1 + r.IntN(2) {
			c := randomComponent(r, string(rune('p'+i)), []string{"a", "b", "c"}[i:], false)
			a := predabs.NewAbstracter(c, predabs.Observation{Offers: r.IntN(2) == 0}, predabs.NewProver(solver))
			m := randomMapping(r, a)
			m.AddAll(a.Always)
			means = append(means, bare(t, concrete(t, c).Components()[0]))
			abstract = append(abstract, bare(t, abstraction(t, a, m)))
		}
		impl, spec := composed(t, means), composed(t, abstract)
		if !simulated(t, impl, spec, conform.Weak) {
			t.Errorf("seed %d: not simulated", seed)
		}
		if simulated(t, spec, impl, conform.Weak) {
			converse++
		}
	}
	t.Logf("the converse held %d times", converse)
}

// bare is a component without the actions that tell of losses and failed assumptions.
func bare(t *testing.T, m *lks.LKS) *lks.Network {
	b := lks.NewBuilder(m.Name())
	for _, a := range m.Alphabet()[1:] {
		if len(a) == 1 {
			b.Action(a)
		}
	}
	for s := range int32(m.NumStates()) {
		b.StateID(m.Kind(s), nil)
		for _, e := range m.Edges(s) {
			if a := m.Alphabet()[e.Action]; len(a) == 1 || a == lks.TauName {
				b.Transition(s, a, e.Target)
			}
		}
	}
	b.Initial(m.Initial()...)
	out, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(out)
}

// composed is a network as one component.
func composed(t *testing.T, nets []*lks.Network) *lks.Network {
	if len(nets) == 1 {
		return nets[0]
	}
	net, err := lks.Compose("together", nets...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestTheorem14: AbsRefine finds a set of branches that excludes all parts, of the smallest
// size, and none only if there is none. What excludes is decided on the whole abstract LKS.
func TestTheorem14(t *testing.T) {
	_, solver := solvers(t)
	found, none, larger := 0, 0, 0
	for seed := range uint64(soak.Seeds(100)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 114))
		c := randomComponent(r, "p", []string{"a", "b"}, false)
		l := newLoop(context.Background(), []*program.Component{c}, nil, solver, Options{Predicates: Branches, Minimise: Smallest, Apart: true}, &Answer{})
		k := l.components[0]
		if len(k.seeds.units) > 6 {
			continue
		}
		var parts []*part
		for range 1 + r.IntN(2) {
			p := randomPart(r, k.abstracter)
			for n := range p.nodes {
				p.nodes[n].holds = nil
			}
			if status, _, _, err := p.feasible(l.ctx, solver); err == nil && status == smt.Unsat {
				parts = append(parts, p)
			}
		}
		if len(parts) == 0 {
			continue
		}
		set, err := l.absRefine(k, parts, nil)
		if err != nil {
			t.Fatal(err)
		}
		byParts := func(how Minimisation) (set []int) {
			l := newLoop(context.Background(), []*program.Component{c}, nil, solver, Options{Predicates: Branches, Minimise: how, Apart: true}, &Answer{})
			for _, p := range parts {
				if set, err = l.absRefMin(l.components[0], p); err != nil {
					t.Fatal(err)
				}
				if set == nil || l.answer.Incomplete {
					return nil
				}
			}
			return set
		}
		smallest := -1
		for bits := range 1 << len(k.seeds.units) {
			var some []int
			for i := range k.seeds.units {
				if bits>>i&1 == 1 {
					some = append(some, i)
				}
			}
			m := k.seeds.mapping(some)
			model, err := k.abstracter.Build(l.ctx, m, l.meter)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(parts, func(p *part) bool { return abstractlyFollows(model, p) }) && (smallest < 0 || len(some) < smallest) {
				smallest = len(some)
			}
		}
		if minimal := byParts(Minimal); minimal == nil && smallest >= 0 || minimal != nil && len(minimal) != smallest {
			t.Errorf("seed %d: AbsRefMin has %v, the smallest has %d", seed, minimal, smallest)
		}
		if few := byParts(Few); few != nil && len(few) > smallest {
			larger++
		}
		switch {
		case set == nil && smallest >= 0, set != nil && len(set) != smallest:
			t.Errorf("seed %d: found %v, the smallest has %d", seed, set, smallest)
		case set == nil:
			none++
		default:
			found++
		}
	}
	t.Logf("%d sets, %d times none, %d times Few has more branches than Minimal", found, none, larger)
	if found == 0 || none == 0 {
		t.Error("one outcome never comes")
	}
}

// abstractlyFollows reports whether an initial state of an abstraction can follow a part along
// its blocks, from the definition.
func abstractlyFollows(m *predabs.AbstractLKS, p *part) bool {
	var from func(n int, s int32) bool
	from = func(n int, s int32) bool {
		for _, child := range p.nodes[n].children {
			if !slices.ContainsFunc(m.Out[s], func(e predabs.AbstractStep) bool {
				return e.Block == p.nodes[child].block && from(child, e.Target)
			}) {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(m.Initial, func(s int32) bool {
		return m.States[s].Location == p.nodes[0].location && from(0, s)
	})
}
