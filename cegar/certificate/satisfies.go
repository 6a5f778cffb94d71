package certificate

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/smt"
)

// satisfies proves that no run of the graph violates a formula: the product of the graph and
// the tableau of the negation has no fair accepting run.
func (g *graph) satisfies(t *Task, meter *budget.Meter) error {
	if err := g.speaksOf(t); err != nil {
		return err
	}
	for s := range g.states {
		n := int32(s)
		for _, p := range t.Never {
			if g.props(n)[p] {
				return &Refused{Claim: p + " never holds", Where: g.name(n), Status: smt.Sat}
			}
		}
		if t.Finite == Refuse && len(g.out[n]) == 0 && !g.imaginary(n) {
			return &Refused{Claim: "no run ends", Where: g.name(n), Status: smt.Sat}
		}
	}
	if err := g.silentFor(t.Formula, meter); err != nil {
		return err
	}
	b := newTableau(ltl.Negate(t.Formula))
	a, names, err := g.product(t, b, meter)
	if err != nil {
		return err
	}
	if n := a.fairNode(); n >= 0 {
		return &Refused{Claim: "every run satisfies the formula", Where: "one is for ever about " + g.name(names[n]), Status: smt.Sat}
	}
	return nil
}

// speaksOf refuses atoms that no state can have: all is known of what is asked.
func (g *graph) speaksOf(t *Task) error {
	known := map[string]bool{}
	for i := range t.Components {
		for _, p := range t.props(i) {
			if known[p.Name] {
				return fmt.Errorf("two propositions have the name %s", p.Name)
			}
			known[p.Name] = true
		}
	}
	for _, p := range t.Never {
		if !known[p] {
			return fmt.Errorf("there is no proposition %s", p)
		}
	}
	for _, a := range ltl.Atoms(t.Formula) {
		ok := a.Kind == ltl.Deadlock || a.Kind == ltl.Prop && known[a.Name] ||
			(a.Kind == ltl.Event || a.Kind == ltl.Enabled) && a.Name != "" && slices.Contains(g.actions, a.Name)
		if !ok {
			return &ltl.AtomError{Atom: a, Why: "is nothing that the components have"}
		}
	}
	return nil
}

// props are the propositions that hold in a state.
func (g *graph) props(s int32) map[string]bool {
	all := map[string]bool{}
	for i, local := range g.states[s] {
		for _, p := range g.of[i].States[local].Props {
			all[p] = true
		}
	}
	return all
}

// holds says what holds in a state.
func (g *graph) holds(s int32) func(ltl.Atom) bool {
	props := g.props(s)
	return func(a ltl.Atom) bool {
		switch a.Kind {
		case ltl.Prop:
			return props[a.Name]
		case ltl.Deadlock:
			return len(g.out[s]) == 0
		default: // Enabled
			return slices.ContainsFunc(g.out[s], func(m move) bool { return g.actions[m.action] == a.Name })
		}
	}
}

// requirements are what the runs that count have to be fair to: moves by the requirement that
// they meet.
func (g *graph) requirements(f Fairness) (strong []bool, meets func(m *move) []int) {
	switch f {
	case Processes:
		return make([]bool, len(g.components)), func(m *move) (all []int) {
			for i, c := range g.components {
				if _, takes := slices.BinarySearch(c.Alphabet, g.actions[m.action]); m.who == int32(i) || m.who < 0 && takes {
					all = append(all, i)
				}
			}
			return all
		}
	case Actions, StrongActions:
		strong = make([]bool, len(g.actions))
		for i := range strong {
			strong[i] = f == StrongActions
		}
		return strong, func(m *move) []int { return []int{int(m.action)} }
	}
	return nil, func(*move) []int { return nil }
}

// product makes the product of the graph and a tableau. names are the graph's states by node.
// Promises of the tableau are requirements, too, behind those of fairness.
func (g *graph) product(t *Task, b *tableau, meter *budget.Meter) (a *arena, names []int32, err error) {
	strong, meets := g.requirements(t.Fairness)
	own := len(strong)
	a = &arena{strong: slices.Concat(strong, make([]bool, len(b.promises)))}
	type node struct{ s, q int32 }
	number := map[node]int32{}
	var nodes []node
	enter := func(n node) int32 {
		k, known := number[n]
		if !known {
			k = int32(len(nodes))
			number[n] = k
			nodes = append(nodes, n)
		}
		return k
	}
	for _, s := range g.initial {
		enter(node{s, 0})
	}
	edges := 0
	for k := 0; k < len(nodes); k++ {
		if err := meter.Tick(budget.Progress{Phase: "composing with the formula", States: int64(k)}); err != nil {
			return nil, nil, err
		}
		n := nodes[k]
		asks := make([]bool, len(a.strong))
		for r := own; r < len(asks); r++ {
			asks[r] = true
		}
		var out []arenaEdge
		follow := func(l *letter, m *move, to int32) {
			for _, e := range b.out(n.q) {
				if !e.reads(l) {
					continue
				}
				meet := make([]bool, len(a.strong))
				for p := range b.promises {
					meet[own+p] = !slices.Contains(e.off, int32(p))
				}
				if m != nil {
					for _, r := range meets(m) {
						meet[r] = true
					}
				}
				out = append(out, arenaEdge{enter(node{to, e.next}), meet})
			}
		}
		holds := g.holds(n.s)
		for i := range g.out[n.s] {
			m := &g.out[n.s][i]
			for _, r := range meets(m) {
				asks[r] = true
			}
			follow(&letter{holds, g.actions[m.action], m.action > 0}, m, m.to)
		}
		if len(g.out[n.s]) == 0 && t.Finite == Stutter && !g.imaginary(n.s) {
			follow(&letter{holds: holds}, nil, n.s)
		}
		if t.Fairness == Processes { // a component that would have to move, and cannot
			for i := range g.components {
				asks[i] = asks[i] || g.discarded(n.s, i)
			}
		}
		a.out, a.asks = append(a.out, out), append(a.asks, asks)
		names = append(names, n.s)
		if edges += len(out); edges > maxPairs/16 || b.tooLarge {
			return nil, nil, &TooLarge{What: "there is too much to be looked at for the formula"}
		}
	}
	return a, names, nil
}
