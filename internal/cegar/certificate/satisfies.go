package certificate

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// satisfies proves that no run of the graph violates a formula: the product of the graph and
// the tableau of the negation has no fair accepting run.
func (g *graph) satisfies(t *Task, meter *budget.Meter) error {
	if err := g.speaksOf(t); err != nil {
		return err
	}
	vain := g.vain()
	for s := range g.states {
		n := int32(s)
		for _, p := range t.Never {
			if g.props(n)[p] && !vain[s] {
				return &Refused{Claim: p + " never holds", Where: g.name(n), Status: smt.Sat}
			}
		}
		if t.Finite == Refuse && len(g.out[n]) == 0 && !g.imaginary(n) {
			return &Refused{Claim: "no run ends", Where: g.name(n), Status: smt.Sat}
		}
	}
	if t.silent() {
		if err := g.silentFor(t.Formula, t.Finite, meter); err != nil {
			return err
		}
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

// silent reports whether a component has a step that performs no action. Where none has, each step
// of the abstraction is one of the components', and a formula may count them.
func (t *Task) silent() bool {
	return slices.ContainsFunc(t.Components, func(c *program.Component) bool { return slices.Contains(c.Actions, "") })
}

// vain are the states that no run comes to which exists: however it goes on, it gets to where an
// assumption of the program fails, and can do nothing else.
func (g *graph) vain() []bool {
	all := make([]bool, len(g.states))
	left, before := make([]int, len(g.states)), make([][]int32, len(g.states))
	var todo []int32
	for s := range g.states {
		left[s] = len(g.out[s])
		for _, m := range g.out[s] {
			before[m.to] = append(before[m.to], int32(s))
		}
		if n := int32(s); left[s] == 0 && g.imaginary(n) {
			all[s], todo = true, append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, s := range before[n] {
			if left[s]--; left[s] == 0 {
				all[s], todo = true, append(todo, s)
			}
		}
	}
	return all
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

// requirements are what the runs that count have to be fair to: of components, first, and then
// of actions. meets are those that a move meets.
func (g *graph) requirements(f Fairness) (strong []bool, meets func(m *move) []int) {
	if f == AllRuns {
		return nil, func(*move) []int { return nil }
	}
	strong = make([]bool, len(g.components))
	if f != Processes {
		strong = append(strong, slices.Repeat([]bool{f == StrongActions}, len(g.actions)-1)...)
	}
	return strong, func(m *move) (all []int) {
		for i, c := range g.components {
			if _, takes := slices.BinarySearch(c.Alphabet, g.actions[m.action]); m.who == int32(i) || m.who < 0 && takes {
				all = append(all, i)
			}
		}
		if n := len(g.components) + int(m.action) - 1; m.action > 0 && n < len(strong) {
			all = append(all, n)
		}
		return all
	}
}

// pairing is the work of one product.
type pairing struct {
	*graph
	arena     *arena
	fair, own int // requirements of fairness are before fair, those of measures before own
	meets     func(m *move) []int
	number    map[pair]int32
	pairs     []pair
	names     []int32 // the graph's states by node
	between   []between
	edges     int
}

// pair is a node: a state of the graph and one of the tableau or, where between is not 0, a
// place on an edge.
type pair struct{ s, q, between int32 }

// stutters is where the step of a run leads that has ended: it is nobody's.
const stutters = -1

// between is a place on an edge that asks for something: its asks, and what is left of the edge.
type between struct {
	asks []bool
	edge arenaEdge
}

func (p *pairing) enter(n pair) int32 {
	k, known := p.number[n]
	if !known {
		k = int32(len(p.pairs))
		p.number[n] = k
		p.pairs = append(p.pairs, n)
	}
	return k
}

// add adds what leaves the next node, and what that asks for.
func (p *pairing) add(out []arenaEdge, asks []bool) {
	p.edges += len(out)
	p.arena.out, p.arena.asks = append(p.arena.out, out), append(p.arena.asks, asks)
}

// product makes the product of the graph and a tableau. names are the graph's states by node.
// Measures are requirements that a step which makes them smaller asks for, and that one meets of
// which nothing is known: behind those of fairness. Promises of the tableau are the last.
func (g *graph) product(t *Task, b *tableau, meter *budget.Meter) (a *arena, names []int32, err error) {
	p := &pairing{graph: g, arena: &arena{}, number: map[pair]int32{}}
	strong, meets := g.requirements(t.Fairness)
	p.meets, p.fair = meets, len(strong)
	p.own = p.fair + g.measures
	p.arena.strong = slices.Concat(strong, slices.Repeat([]bool{true}, g.measures), make([]bool, len(b.promises)))
	for _, s := range g.initial {
		p.enter(pair{s: s})
	}
	for k := 0; k < len(p.pairs); k++ {
		if err := meter.Tick(budget.Progress{Phase: "composing with the formula", States: int64(k)}); err != nil {
			return nil, nil, err
		}
		p.expand(t, b, p.pairs[k])
		if p.edges > maxPairs/16 || b.tooLarge {
			return nil, nil, &TooLarge{What: "there is too much to be looked at for the formula"}
		}
	}
	return p.arena, p.names, nil
}

// expand finds what leaves a node, and what that asks for.
func (p *pairing) expand(t *Task, b *tableau, n pair) {
	p.names = append(p.names, n.s)
	if n.between > 0 {
		x := &p.between[n.between-1]
		p.add([]arenaEdge{x.edge}, x.asks)
		return
	}
	asks := make([]bool, len(p.arena.strong))
	for r := p.own; r < len(asks); r++ {
		asks[r] = true
	}
	var out []arenaEdge
	var down [][]int32 // by edge
	follow := func(l *letter, m *move, to int32) {
		for _, e := range b.out(n.q) {
			if e.reads(l) {
				out, down = append(out, arenaEdge{p.enter(pair{s: to, q: e.next}), p.met(&e, m, b)}), append(down, m.down)
			}
		}
	}
	holds := p.holds(n.s)
	for i := range p.out[n.s] {
		m := &p.out[n.s][i]
		for _, r := range p.meets(m) {
			asks[r] = true
		}
		follow(&letter{holds, p.actions[m.action], m.action > 0}, m, m.to)
	}
	if len(p.out[n.s]) == 0 && t.Finite == Stutter && !p.imaginary(n.s) {
		follow(&letter{holds: holds}, &move{to: stutters}, n.s)
	}
	if p.fair > 0 { // a component that would have to move, and cannot
		for i := range p.components {
			asks[i] = asks[i] || p.discarded(n.s, i)
		}
	}
	for i := range out {
		if len(down[i]) > 0 {
			more := slices.Clone(asks)
			for _, k := range down[i] {
				more[p.fair+int(k)] = true
			}
			p.between = append(p.between, between{more, arenaEdge{out[i].to, make([]bool, len(asks))}})
			out[i].to = p.enter(pair{n.s, n.q, int32(len(p.between))})
		}
	}
	p.add(out, asks)
}

// met are the requirements that an edge meets which takes a move.
func (p *pairing) met(e *tableauEdge, m *move, b *tableau) []bool {
	meet := make([]bool, len(p.arena.strong))
	for i := range b.promises {
		meet[p.own+i] = !slices.Contains(e.off, int32(i))
	}
	for _, k := range m.any {
		meet[p.fair+int(k)] = true
	}
	if m.to != stutters {
		for _, r := range p.meets(m) {
			meet[r] = true
		}
	}
	return meet
}
