package semantics

import (
	"fmt"
	"slices"
	"strings"
)

// Equivalence is a relation of docs/equivalent.md.
type Equivalence string

const (
	Strong    Equivalence = "strong"
	Weak      Equivalence = "weak"
	Branching Equivalence = "branching"
	Traces    Equivalence = "trace"
)

// observation is what can be seen of a state itself: "The propositions; and whether
// it is END or ERROR [...] strong and simulation see all of this in the state
// itself." A deadlock is not seen.
func (s *State) observation() string { return fmt.Sprint(s.Kind, s.Props) }

// ends gives END and ERROR a step in place of an action, which is how relations
// that look through silent steps see them: "to them a process that goes silently to
// END, and can do nothing else, has ended."
func (g *Graph) ends() *Graph {
	h := &Graph{}
	for i, s := range g.States {
		t := State{Props: s.Props, Edges: slices.Clone(s.Edges)}
		switch s.Kind {
		case End:
			t.Edges = append(t.Edges, Edge{Action: "END", To: i})
		case Error:
			t.Edges = append(t.Edges, Edge{Action: "ERROR", To: i})
		}
		h.States = append(h.States, t)
	}
	return h
}

// looks gives every state a step for a look at its propositions.
func (g *Graph) looks() *Graph {
	h := &Graph{}
	for i, s := range g.States {
		h.States = append(h.States, State{Edges: append(slices.Clone(s.Edges), Edge{Action: fmt.Sprint("look ", s.Props), To: i})})
	}
	return h
}

// Equivalent reports whether the initial states of two graphs are equivalent.
func Equivalent(g, h *Graph, by Equivalence) bool {
	union := &Graph{States: slices.Clone(g.States)}
	for _, s := range h.States {
		t := State{Kind: s.Kind, Props: s.Props}
		for _, e := range s.Edges {
			t.Edges = append(t.Edges, Edge{Action: e.Action, To: e.To + len(g.States)})
		}
		union.States = append(union.States, t)
	}
	switch by {
	case Traces:
		return sameTraces(union.ends().looks(), 0, len(g.States))
	case Weak, Branching:
		union = union.ends()
	}
	class := union.classes(by)
	return class[0] == class[len(g.States)]
}

// classes is the coarsest bisimulation: states are told apart by what can be seen
// of them, then by what their steps lead to, as long as that tells more apart.
func (g *Graph) classes(by Equivalence) []int {
	class := make([]int, len(g.States))
	silent := g.silentWays()
	for n := 0; ; {
		number := map[string]int{}
		next := make([]int, len(g.States))
		for s := range g.States {
			key := fmt.Sprint(class[s], g.States[s].observation(), g.signature(s, by, class, silent))
			if _, ok := number[key]; !ok {
				number[key] = len(number)
			}
			next[s] = number[key]
		}
		if len(number) == n {
			return class
		}
		n, class = len(number), next
	}
}

// silentWays lists the states that silent steps alone lead to, by none too.
func (g *Graph) silentWays() []map[int]bool {
	next := make([][]int, len(g.States))
	for i, s := range g.States {
		for _, e := range s.Edges {
			if e.Action == tau {
				next[i] = append(next[i], e.To)
			}
		}
	}
	ways := make([]map[int]bool, len(g.States))
	for s := range next {
		ways[s] = closure(next, s)
	}
	return ways
}

// signature lists the steps of a state with the classes they lead to: strong, one
// transition; weak (Milner), s =tau*=> s' -a-> t' =tau*=> t, or tau* for tau;
// branching (van Glabbeek and Weijland), s =tau*=> s' -a-> t with all states up to
// s' in the class of s, silent steps inside the class left out.
func (g *Graph) signature(s int, by Equivalence, class []int, silent []map[int]bool) string {
	moves := map[string]bool{}
	move := func(a string, t int) { moves[fmt.Sprint(a, " ", class[t])] = true }
	switch by {
	case Strong:
		for _, e := range g.States[s].Edges {
			move(e.Action, e.To)
		}
	case Weak:
		for u := range silent[s] {
			move(tau, u)
			for _, e := range g.States[u].Edges {
				if e.Action != tau {
					for t := range silent[e.To] {
						move(e.Action, t)
					}
				}
			}
		}
	case Branching:
		inside := make([][]int, len(g.States))
		for i, u := range g.States {
			for _, e := range u.Edges {
				if e.Action == tau && class[i] == class[s] && class[e.To] == class[s] {
					inside[i] = append(inside[i], e.To)
				}
			}
		}
		for u := range closure(inside, s) {
			for _, e := range g.States[u].Edges {
				if e.Action != tau || class[e.To] != class[s] {
					move(e.Action, e.To)
				}
			}
		}
	}
	var all []string
	for m := range moves {
		all = append(all, m)
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// sameTraces: "A trace is what can be noted along a run: its visible actions in
// order, and between them, wherever one looks, the propositions that hold, and END
// or ERROR where the run is there. One may look as often as one likes, also between
// two silent steps, and need not look at all. Two processes are equivalent by trace
// if the same can be noted of both." Looks, END and ERROR are steps of the graph.
func sameTraces(g *Graph, a, b int) bool {
	type pair struct{ a, b string }
	silent := g.silentWays()
	seen := map[pair]bool{}
	todo := [][2][]int{{still(silent, a), still(silent, b)}}
	for len(todo) > 0 {
		x, y := todo[0][0], todo[0][1]
		todo = todo[1:]
		key := pair{fmt.Sprint(x), fmt.Sprint(y)}
		if seen[key] {
			continue
		}
		seen[key] = true
		steps, others := g.visibleSteps(x), g.visibleSteps(y)
		if len(steps) != len(others) {
			return false
		}
		for name, to := range steps {
			other, ok := others[name]
			if !ok {
				return false
			}
			todo = append(todo, [2][]int{still(silent, to...), still(silent, other...)})
		}
	}
	return true
}

// still are the states that silent steps lead to.
func still(silent []map[int]bool, states ...int) []int {
	var all []int
	for _, s := range states {
		for t := range silent[s] {
			all = append(all, t)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// visibleSteps are the steps of which something can be noted, by what that is.
func (g *Graph) visibleSteps(states []int) map[string][]int {
	steps := map[string][]int{}
	for _, i := range states {
		for _, e := range g.States[i].Edges {
			if e.Action != tau {
				steps[e.Action] = append(steps[e.Action], e.To)
			}
		}
	}
	return steps
}
