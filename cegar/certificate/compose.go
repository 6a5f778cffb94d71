package certificate

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// graph is what the abstractions do together ([Chaki05], Def. 5): an action is performed by
// all components that have it in their alphabet, or by none; silent steps by one. Only what can be
// reached is in it.
type graph struct {
	components []*program.Component
	of         []Component
	actions    []string // with "" first
	states     [][]int32
	out        [][]move
	initial    []int32
}

// move is a transition of the graph.
type move struct {
	action int32 // of graph.actions
	who    int32 // component that moves silently, or -1
	to     int32
}

// compose explores what the components can do together, and refuses what leaves what is
// modelled.
func compose(t *Task, c *Certificate, meter *budget.Meter) (*graph, error) {
	g := &graph{components: t.Components, of: c.Components, actions: []string{""}}
	all := map[string]bool{}
	for _, k := range t.Components {
		for _, a := range k.Alphabet {
			all[a] = true
		}
	}
	g.actions = append(g.actions, slices.Sorted(maps.Keys(all))...)
	number := map[string]int32{}
	enter := func(s []int32) int32 {
		var key []byte
		for _, x := range s {
			key = binary.AppendUvarint(key, uint64(x))
		}
		n, known := number[string(key)]
		if !known {
			n = int32(len(g.states))
			number[string(key)] = n
			g.states = append(g.states, slices.Clone(s))
		}
		return n
	}
	var choices [][]int32
	for i := range c.Components {
		var some []int32
		for _, n := range c.Components[i].Initial {
			some = append(some, int32(n))
		}
		choices = append(choices, some)
	}
	if size(choices) > maxPairs {
		return nil, &TooLarge{What: "the components together have too many initial states"}
	}
	product(choices, func(s []int32) { g.initial = append(g.initial, enter(s)) })
	moves := 0
	for n := 0; n < len(g.states); n++ {
		if err := meter.Tick(budget.Progress{Phase: "composing", States: int64(n)}); err != nil {
			return nil, err
		}
		if len(g.states) > maxPairs {
			return nil, &TooLarge{What: "the components together have too many states"}
		}
		if err := g.inside(int32(n)); err != nil {
			return nil, err
		}
		out, ok := g.moves(g.states[n], enter)
		if moves += len(out); !ok || moves > maxPairs {
			return nil, &TooLarge{What: "the components together have too many steps"}
		}
		g.out = append(g.out, out)
	}
	return g, nil
}

// size is how many choices product visits; maxPairs+1 stands for more.
func size(lists [][]int32) int {
	n := 1
	for _, l := range lists {
		if n *= len(l); n > maxPairs {
			return maxPairs + 1
		}
	}
	return n
}

// product visits each choice of one of several lists each. What it passes on changes.
func product(lists [][]int32, visit func([]int32)) {
	now := make([]int32, len(lists))
	var at func(i int)
	at = func(i int) {
		if i == len(lists) {
			visit(now)
			return
		}
		for _, x := range lists[i] {
			now[i] = x
			at(i + 1)
		}
	}
	at(0)
}

// moves are the transitions that leave a state; ok is false if they are too many.
func (g *graph) moves(s []int32, enter func([]int32) int32) (all []move, ok bool) {
	for a, action := range g.actions {
		var parts [][]int32
		for i, c := range g.components {
			targets := g.targets(i, s[i], action)
			if action == "" {
				for _, to := range targets {
					next := slices.Clone(s)
					next[i] = to
					all = append(all, move{0, int32(i), enter(next)})
				}
				continue
			}
			if _, takes := slices.BinarySearch(c.Alphabet, action); !takes {
				targets = s[i : i+1]
			}
			parts = append(parts, targets)
		}
		if size(parts) > maxPairs {
			return nil, false
		}
		if action != "" {
			product(parts, func(next []int32) { all = append(all, move{int32(a), -1, enter(next)}) })
		}
	}
	return all, true
}

func (g *graph) targets(component int, local int32, action string) (all []int32) {
	for _, step := range g.of[component].States[local].Steps {
		if step.Action == action {
			all = append(all, int32(step.To))
		}
	}
	return all
}

// location is where a component is.
func (g *graph) location(s int32, component int) int {
	return g.of[component].States[g.states[s][component]].Location
}

// inside refuses a state in which a component has left what is modelled.
func (g *graph) inside(s int32) error {
	for i, c := range g.components {
		if why, lost := c.Lost[g.location(s, i)]; lost {
			return &Refused{Component: c.Name, Claim: "no run leaves what is modelled", Where: g.name(s) + ", where " + why, Status: smt.Sat}
		}
	}
	return nil
}

// terminated reports whether all components have ended.
func (g *graph) terminated(s int32) bool {
	for i, c := range g.components {
		if !ended(c, g.location(s, i)) {
			return false
		}
	}
	return true
}

// discarded reports whether the run of a component does not exist: it would have to make a
// silent step, and none is possible, since an assumption of the program fails.
func (g *graph) discarded(s int32, component int) bool {
	c, at := g.components[component], g.location(s, component)
	if ended(c, at) || len(g.of[component].States[g.states[s][component]].Steps) > 0 {
		return false
	}
	for i, e := range c.System.Edges {
		if e.From == at && c.Actions[i] != "" {
			return false
		}
	}
	return true
}

// imaginary reports whether the run of some component does not exist.
func (g *graph) imaginary(s int32) bool {
	for i := range g.components {
		if g.discarded(s, i) {
			return true
		}
	}
	return false
}

// name tells a state.
func (g *graph) name(s int32) string {
	var all []string
	for i, c := range g.components {
		all = append(all, fmt.Sprintf("%s at %s (state %d)", c.Name, c.System.Locations[g.location(s, i)].Name, g.states[s][i]))
	}
	return strings.Join(all, ", ")
}

// neverStuck: nothing that can be reached is a deadlock, that is, in none can nothing happen
// though not all components have ended ([Chaki05], Def. 32).
func (g *graph) neverStuck() error {
	for s := range g.states {
		if n := int32(s); len(g.out[s]) == 0 && !g.terminated(n) && !g.imaginary(n) {
			return &Refused{Claim: "something is possible, or all have ended", Where: g.name(n), Status: smt.Sat}
		}
	}
	return nil
}
