package omega

import (
	"slices"

	"github.com/seltl/seltl/budget"
)

// generalisedBuchi returns an equivalent automaton whose condition is a conjunction of Inf
// terms, t or f. Of each component, runs that need no set to be finite accept where they are:
// what they need is a conjunction of disjunctions of Inf terms, and Inf(i) | Inf(j) is met by
// the union of the sets. For others, a copy of the component without the edges of the sets
// that are to be finite is entered at any time, which is where determinism is lost.
func (a *Automaton) generalisedBuchi(meter *budget.Meter) (*Automaton, error) {
	if a.condition.fins() == 0 {
		if clauses, ok := a.condition.Conjuncts(); ok && len(clauses) <= MaxSets {
			return a.withSets(clauses), nil
		}
	}
	d := &finRemoval{a: a, c: a.components(), b: a.like(0, 0, nil)}
	d.b.out = make([][]Edge, len(a.out))
	d.b.initial = a.initial
	d.need = make([]need, len(a.out))
	for id := range d.c.states {
		if err := tick(meter, "removing Fin", len(d.b.out)); err != nil {
			return nil, err
		}
		if err := d.component(int32(id)); err != nil {
			return nil, err
		}
	}
	return d.finish()
}

// withSets gives the automaton a condition of Inf terms about unions of sets.
func (a *Automaton) withSets(clauses []Clause) *Automaton {
	for _, cl := range clauses {
		if cl.Inf == 0 { // an empty disjunction
			return a.mapEdges(1, Inf(0), func(int32, Edge) uint64 { return 0 })
		}
	}
	return a.mapEdges(len(clauses), GeneralisedBuchi(len(clauses)), func(_ int32, e Edge) uint64 {
		marks := uint64(0)
		for i, cl := range clauses {
			if e.Marks&cl.Inf != 0 {
				marks |= 1 << i
			}
		}
		return marks
	})
}

// need is what runs must meet infinitely often that stay where a state is, one of each union
// of sets; dead says that they do not accept.
type need struct {
	unions []uint64
	dead   bool
}

// finRemoval makes an automaton of a and copies of parts of its components.
type finRemoval struct {
	a    *Automaton
	c    *components
	b    *Automaton
	need []need // of each state of b
}

// component settles what a component needs, and makes copies of it.
func (d *finRemoval) component(id int32) error {
	a, states := d.a, d.c.states[id]
	settle := func(n need) {
		for _, s := range states {
			d.need[s] = n
		}
	}
	settle(need{dead: true})
	if !d.c.cyclic[id] {
		return nil
	}
	clauses, ok := a.condition.within(d.c.marks[id]).Disjuncts()
	if !ok {
		return &budget.Exhausted{What: "clauses of the acceptance condition", Limit: "4096"}
	}
	var here []*Condition
	for _, cl := range clauses {
		if cl.Fin == 0 {
			here = append(here, And(cl.terms()...))
			continue
		}
		d.copyOf(states, cl)
	}
	if len(here) > 0 {
		// Few disjuncts: as many sets as the conjunctive form has.
		conjuncts, ok := Or(here...).Conjuncts()
		if !ok || len(conjuncts) > MaxSets {
			return errTooManySets
		}
		var n need
		for _, cl := range conjuncts {
			n.unions = append(n.unions, cl.Inf)
		}
		settle(n)
	}
	return nil
}

// copyOf adds a copy of the states without the edges of the Fin terms of a clause, for each
// component of them that has what its Inf terms want.
func (d *finRemoval) copyOf(states []int32, cl Clause) {
	g := graph{out: d.a.out, without: cl.Fin, meter: d.a.meter}
	for _, part := range componentsWithin(g, states) {
		if part.marks&cl.Inf != cl.Inf {
			continue
		}
		copies := map[int32]int32{}
		for _, s := range part.states {
			copies[s] = int32(len(d.b.out))
			d.b.out = append(d.b.out, nil)
			n := need{}
			for _, set := range bitList(cl.Inf) {
				n.unions = append(n.unions, 1<<set)
			}
			d.need = append(d.need, n)
		}
		for _, s := range part.states {
			for _, e := range d.a.out[s] {
				if to, ok := copies[e.To]; ok && e.Marks&cl.Fin == 0 {
					d.b.out[copies[s]] = append(d.b.out[copies[s]], Edge{e.Label, to, e.Marks})
				}
			}
		}
		// Ways in.
		for s, es := range d.a.out {
			for _, e := range es {
				if to, ok := copies[e.To]; ok && d.c.of[s] >= 0 {
					d.b.out[s] = append(d.b.out[s], Edge{e.Label, to, 0})
				}
			}
		}
	}
}

// finish adds the edges of a and gives all edges the marks of what is needed.
func (d *finRemoval) finish() (*Automaton, error) {
	sets := 0
	for _, n := range d.need {
		sets = max(sets, len(n.unions))
		if n.dead {
			sets = max(sets, 1)
		}
	}
	b := d.b
	b.sets, b.condition = sets, GeneralisedBuchi(sets)
	for s, es := range b.out {
		if s < len(d.a.out) {
			es = slices.Concat(es, d.a.out[s])
		}
		n := d.need[s]
		for i, e := range es {
			marks := uint64(0)
			for set := range sets {
				if !n.dead && (set >= len(n.unions) || e.Marks&n.unions[set] != 0) {
					marks |= 1 << set
				}
			}
			es[i].Marks = marks
		}
		b.out[s] = b.merge(es)
	}
	return b, nil
}
