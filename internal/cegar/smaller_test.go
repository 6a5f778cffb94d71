package cegar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
)

// lengthen makes of some edges two, by a location of its own: one with the action, if it has any,
// and part of the guard, and one with the rest, or one for each outcome of a test, so that there
// are lines to join, and assumptions that fail behind them.
func lengthen(r *rand.Rand, c *program.Component) {
	x, y := c.System.Vars[0], c.System.Vars[1]
	for i := range c.System.Edges {
		if r.IntN(2) == 0 {
			continue
		}
		e := c.System.Edges[i]
		l := len(c.System.Locations)
		c.System.Locations = append(c.System.Locations, program.Location{Name: fmt.Sprintf("%s+%d", c.System.Locations[e.From].Name, l)})
		first, second := *e.Command, *e.Command
		switch r.IntN(3) {
		case 0:
			first.Update, second.Guard = nil, logic.True()
		case 1:
			first.Update, first.Guard = nil, logic.True()
		default:
			second.Update, second.Guard = nil, logic.True()
		}
		c.System.Edges[i].To, c.System.Edges[i].Command = l, &first
		add := func(to int, guard *logic.Term) {
			then := second
			then.Guard = logic.And(then.Guard, guard)
			c.System.Edges = append(c.System.Edges, program.Edge{Name: e.Name + "'", From: l, To: to, Command: &then})
			c.Actions = append(c.Actions, "")
		}
		switch test := logic.Eq([]*logic.Term{x, y}[r.IntN(2)], word(r.IntN(4))); r.IntN(4) {
		case 0:
			add(e.To, test)
			add(c.System.Edges[r.IntN(i+1)].From, logic.Not(test))
		case 1:
			add(e.To, test)
		default:
			add(e.To, logic.True())
		}
	}
}

// kept is what passes keep of components for a question about what they see of them.
func kept(components []*program.Component, seen [][]predabs.Prop, sight passes.Sight, list []passes.Pass) (small []*program.Component, props [][]predabs.Prop, smaller bool) {
	blocks := func(c *program.Component) int { b, _ := c.Blocks(); return len(b.All) }
	for i, c := range components {
		sight.Watched = watched(c, seen[i])
		made := passes.ApplyComponent(context.Background(), c, sight, list)
		var local []predabs.Prop
		for _, w := range made.Watched {
			local = append(local, predabs.Prop{Name: w.Name, Local: w.Where})
		}
		small, props = append(small, made.Component), append(props, local)
		smaller = smaller || len(made.Component.System.Vars) < len(c.System.Vars) || blocks(made.Component) < blocks(c)
	}
	return small, props, smaller
}

// TestPassesKeepVerdicts compares what components satisfy, and whether they get stuck, with what
// they do after passes: networks of all their states are asked, no solver, and nothing is
// abstracted. What is kept for conformance is not enough: many verdicts are wrong then, and some
// where endless runs may be sliced.
func TestPassesKeepVerdicts(t *testing.T) {
	wrong := map[string]int{}
	count, noticing, smaller, stuck := 0, 0, 0, 0
	verdicts := map[outcome.Verdict]int{}
	n := soak.Long(uint64(80))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 181))
		components, p := randomProperty(r)
		waitSomewhere(rand.New(rand.NewPCG(seed, 182)), components)
		seen := make([][]predabs.Prop, len(components))
		for i, c := range components {
			lengthen(r, c)
			seen[i] = seenOf(p.Propositions[i])
		}
		list := passes.Default()
		if r.IntN(3) == 0 {
			list = slices.DeleteFunc(list, func(passes.Pass) bool { return r.IntN(2) == 0 })
		}
		before := allStates(t, components, seen)
		if why, err := product.IgnoresSilentSteps(before, p.Formula, nil); why != "" || err != nil {
			noticing++
			continue
		}
		count++
		wanted, ends := wantedVerdict(t, before, components, p)
		verdicts[wanted]++
		free := naive.Explore(before).Deadlock() < 0
		if !free {
			stuck++
		}
		for _, k := range []struct {
			name     string
			deadlock bool
			sight    passes.Sight
		}{
			{"", false, passes.Sight{Ends: true, Offers: true, Endless: true}},
			{"", true, passes.Sight{Ends: true, Offers: true}},
			{"verified as for conformance", false, passes.Sight{Ends: true}},
			{"stuck as for conformance", true, passes.Sight{Ends: true}},
			{"verified with slices", false, passes.Sight{Ends: true, Offers: true}},
		} {
			see := seen
			if k.deadlock {
				see = make([][]predabs.Prop, len(seen))
			}
			small, props, less := kept(components, see, k.sight, list)
			if k.deadlock && k.name == "" && less {
				smaller++
			}
			for _, c := range small {
				if err := c.Validate(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			after := allStates(t, small, props)
			same := free == (naive.Explore(after).Deadlock() < 0)
			if !k.deadlock {
				got, end := wantedVerdict(t, after, small, p)
				same = got == wanted && end == ends
			}
			switch {
			case !same && k.name == "":
				t.Fatalf("seed %d: passes %v change the verdict (deadlock: %v) of %v, %d before", seed, list, k.deadlock, p.Formula, wanted)
			case !same:
				wrong[k.name]++
			}
		}
	}
	t.Log(count, "cases,", verdicts, stuck, "get stuck,", noticing, "notice silent steps;", smaller, "became smaller; wrong:", wrong)
	if !testing.Short() && len(wrong) < 3 || smaller < count/2 {
		t.Error("a kind of case is missing")
	}
}

// allStates is the network of all states of components.
func allStates(t *testing.T, components []*program.Component, seen [][]predabs.Prop) *lks.Network {
	var parts []*lks.Network
	for i, c := range components {
		parts = append(parts, observed(t, c, seen[i]))
	}
	return composed(t, parts)
}

// TestPassesKeepPropositions: a proposition that is true for a while on a silent line stays so,
// and so does what it speaks of; without a word of it to the passes, the line is one step.
func TestPassesKeepPropositions(t *testing.T) {
	pool := common
	set := func(n int) *program.Command {
		return &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{logic.Var("px", small): word(n)}}
	}
	zero := &program.Command{Guard: logic.Eq(logic.Var("px", small), word(0))}
	c, x := oneWord("p", 6, []string{"b"}, program.Edge{To: 1, Command: set(0)}, program.Edge{From: 1, To: 2, Command: set(1)},
		program.Edge{From: 2, To: 3, Command: set(2)}, program.Edge{From: 3, To: 4, Command: set(0)}, program.Edge{Name: "b", From: 4, To: 5, Command: zero})
	c.Ends = []int{5}
	for _, p := range []predabs.Prop{{Name: "p", Formula: logic.Eq(x, word(1))}, {Name: "p", At: []int{2}}} {
		for _, known := range []bool{true, false} {
			sight := passes.Sight{Ends: true, Offers: true, Endless: true}
			if known {
				sight.Watched = watched(c, []predabs.Prop{p})
			}
			made := passes.ApplyComponent(context.Background(), c, sight, passes.Default())
			if edges := len(made.Component.System.Edges); edges > 5 || !known && edges > 2 {
				t.Errorf("%d edges are left", edges)
			}
			if seen := slices.ContainsFunc(made.Watched, func(w passes.Watched) bool {
				return slices.ContainsFunc(w.Where, func(f *logic.Term) bool { return f != nil })
			}); seen != known {
				t.Errorf("it is seen: %v", seen)
			}
		}
		known := lks.Single(alphabetOnly([]ltl.Atom{{Kind: ltl.Prop, Name: "p"}, {Kind: ltl.Event, Name: "b"}}))
		for formula, want := range map[string]outcome.Verdict{"F p": outcome.Holds, "G !p": outcome.Violated, "F b": outcome.Holds, "!p U (p & F b)": outcome.Holds} {
			f, err := ltl.ParseText(formula, ltl.ParseOptions{Vocabulary: product.Vocabulary(known)})
			if err != nil {
				t.Fatal(err)
			}
			for _, without := range [][]passes.Pass{nil, passes.Default()} {
				got, err := Satisfies(context.Background(), []*program.Component{c}, &Property{Formula: f, Propositions: [][]Proposition{{{Prop: p}}}}, pool, Options{Without: without})
				if err != nil || got.Verdict != want {
					t.Errorf("%s without %v: %v (%s, %v), wanted %v", formula, without, got.Verdict, got.Reason, err, want)
				}
			}
		}
	}
}
