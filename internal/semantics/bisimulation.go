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
	// Traces are what can be seen of runs; PlainTraces only their events.
	Traces      Equivalence = "trace"
	PlainTraces Equivalence = "plain trace"
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
			t.Edges = append(t.Edges, Edge{"END", i})
		case Error:
			t.Edges = append(t.Edges, Edge{"ERROR", i})
		}
		h.States = append(h.States, t)
	}
	return h
}

// onlyEvents forgets all but the events.
func (g *Graph) onlyEvents() *Graph {
	h := &Graph{}
	for _, s := range g.States {
		h.States = append(h.States, State{Edges: s.Edges})
	}
	return h
}

// Equivalent reports whether the initial states of two graphs are equivalent.
func Equivalent(g, h *Graph, by Equivalence) bool {
	union := &Graph{States: slices.Clone(g.States)}
	for _, s := range h.States {
		t := State{Kind: s.Kind, Props: s.Props}
		for _, e := range s.Edges {
			t.Edges = append(t.Edges, Edge{e.Action, e.To + len(g.States)})
		}
		union.States = append(union.States, t)
	}
	switch by {
	case PlainTraces:
		return sameTraces(union.onlyEvents(), 0, len(g.States))
	case Traces:
		return sameTraces(union.ends(), 0, len(g.States))
	case Weak, Branching:
		union = union.ends()
	}
	class := union.Classes(by)
	return class[0] == class[len(g.States)]
}

// Classes is the coarsest bisimulation: states are told apart by what can be seen
// of them, then by what their steps lead to, as long as that tells more apart.
func (g *Graph) Classes(by Equivalence) []int {
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
			if e.Action == Tau {
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
			move(Tau, u)
			for _, e := range g.States[u].Edges {
				if e.Action != Tau {
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
				if e.Action == Tau && class[i] == class[s] && class[e.To] == class[s] {
					inside[i] = append(inside[i], e.To)
				}
			}
		}
		for u := range closure(inside, s) {
			for _, e := range g.States[u].Edges {
				if e.Action != Tau || class[e.To] != class[s] {
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

// sameTraces compares what can be seen of all runs: the events, and between them
// the observations of states, those that silent steps change among them.
func sameTraces(g *Graph, a, b int) bool {
	if g.States[a].observation() != g.States[b].observation() {
		return false
	}
	type pair struct{ a, b string }
	seen := map[pair]bool{}
	todo := [][2][]int{{g.still([]int{a}), g.still([]int{b})}}
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
			todo = append(todo, [2][]int{g.still(to), g.still(other)})
		}
	}
	return true
}

// still adds the states that steps lead to of which nothing can be seen.
func (g *Graph) still(states []int) []int {
	all := slices.Clone(states)
	for i := 0; i < len(all); i++ {
		s := &g.States[all[i]]
		for _, e := range s.Edges {
			if e.Action == Tau && g.States[e.To].observation() == s.observation() && !slices.Contains(all, e.To) {
				all = append(all, e.To)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// visibleSteps are the steps of which something can be seen, by what that is.
func (g *Graph) visibleSteps(states []int) map[string][]int {
	steps := map[string][]int{}
	for _, i := range states {
		s := &g.States[i]
		for _, e := range s.Edges {
			seen := g.States[e.To].observation()
			if e.Action != Tau || seen != s.observation() {
				steps[e.Action+" "+seen] = append(steps[e.Action+" "+seen], e.To)
			}
		}
	}
	return steps
}
