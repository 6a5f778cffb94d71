package certificate

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// graph is what the abstractions do together ([Chaki05], Def. 5): an action is performed by
// all components that have it in their alphabet, or by none; silent steps by one. Only what can be
// reached is in it.
type graph struct {
	components []*program.Component
	of         []Component
	waits      [][]bool // by component and location: see program.Component.Waiting
	actions    []string // with "" first
	states     [][]int32
	out        [][]move
	initial    []int32
	takes      [][]int       // by action: the components that take part
	steps      [][][][]int32 // by component, local state and action: numbers of steps
	first      []int32       // by component: the number of its first measure
	measures   int
}

// move is a transition of the graph.
type move struct {
	action int32 // of graph.actions
	who    int32 // component that moves silently, or -1
	to     int32
	// down and any are the measures that become smaller, and of which nothing is known.
	down, any []int32
}

// does notes what a step of a component does to its measures, and returns where it leads.
func (g *graph) does(m *move, component int, s *Step) int32 {
	for k := range s.Effects {
		switch n := g.first[component] + int32(k); s.Effects[k] {
		case Decreases:
			m.down = append(m.down, n)
		case Any:
			m.any = append(m.any, n)
		}
	}
	return int32(s.To)
}

// compose explores what the components can do together, and refuses what leaves what is
// modelled.
func compose(t *Task, c *Certificate, meter *budget.Meter) (*graph, error) {
	g := &graph{components: t.Components, of: c.Components, actions: []string{""}}
	for _, k := range t.Components {
		g.waits = append(g.waits, k.Waiting())
	}
	all := map[string]bool{}
	for _, k := range t.Components {
		for _, a := range k.Alphabet {
			all[a] = true
		}
	}
	g.actions = append(g.actions, slices.Sorted(maps.Keys(all))...)
	g.index()
	number := map[string]int32{}
	var key []byte
	enter := func(s []int32) int32 {
		key = key[:0]
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
		some := lists.Append(nil, c.Components[i].Initial, func(n int) int32 { return int32(n) })
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
	next := slices.Clone(s)
	for i := range s {
		for _, k := range g.steps[i][s[i]][0] {
			m := move{who: int32(i)}
			next[i] = g.does(&m, i, &g.of[i].States[s[i]].Steps[k])
			m.to = enter(next)
			all = append(all, m)
		}
		next[i] = s[i]
	}
	for a := 1; a < len(g.actions); a++ {
		parts := make([][]int32, 0, len(s))
		for _, i := range g.takes[a] {
			parts = append(parts, g.steps[i][s[i]][a])
		}
		if size(parts) > maxPairs {
			return nil, false
		}
		product(parts, func(chosen []int32) {
			copy(next, s)
			m := move{action: int32(a), who: -1}
			for k, i := range g.takes[a] {
				next[i] = g.does(&m, i, &g.of[i].States[s[i]].Steps[chosen[k]])
			}
			m.to = enter(next)
			all = append(all, m)
		})
	}
	return all, true
}

// index looks up who takes part in which action, and where it leads.
func (g *graph) index() {
	g.takes = make([][]int, len(g.actions))
	for i, c := range g.components {
		for a, action := range g.actions {
			if _, is := slices.BinarySearch(c.Alphabet, action); is && a > 0 {
				g.takes[a] = append(g.takes[a], i)
			}
		}
		by := make([][][]int32, len(g.of[i].States))
		for n, s := range g.of[i].States {
			by[n] = make([][]int32, len(g.actions))
			for k, step := range s.Steps {
				a := slices.Index(g.actions, step.Action)
				by[n][a] = append(by[n][a], int32(k))
			}
		}
		g.steps = append(g.steps, by)
		g.first = append(g.first, int32(g.measures))
		g.measures += len(g.of[i].Measures)
	}
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
	return !g.waits[component][at]
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
		all = append(all, fmt.Sprintf("%s at %s (state %d%s)", c.Name, c.System.Locations[g.location(s, i)].Name, g.states[s][i], g.of[i].placeOf(int(g.states[s][i]))))
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
