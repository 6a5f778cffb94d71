package omega

import "github.com/seltl/seltl/budget"

// StateBasedForm returns an equivalent automaton all edges of each state of which have the same
// marks. A state becomes one copy for each set of marks with which it is entered from its
// component. It is deterministic or complete if a is.
func (a *Automaton) StateBasedForm(meter *budget.Meter) (*Automaton, error) {
	if a.StateBased() {
		return a, nil
	}
	c := a.components()
	type copyOf struct {
		s     int32
		marks uint64
	}
	var copies numbering[copyOf]
	// From outside, a state is entered by the marks of some edge from inside.
	entry := make([]uint64, len(a.out))
	known := make([]bool, len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			if c.of[s] == c.of[e.To] && (!known[e.To] || e.Marks < entry[e.To]) {
				entry[e.To], known[e.To] = e.Marks, true
			}
		}
	}
	copies.add(copyOf{a.initial, entry[a.initial]})
	b := a.like(0, a.sets, a.condition)
	for i := 0; i < len(copies.list); i++ {
		if err := tick(meter, "moving marks to states", len(copies.list)); err != nil {
			return nil, err
		}
		k := copies.list[i]
		var es []Edge
		for _, e := range a.out[k.s] {
			to := copyOf{e.To, entry[e.To]}
			if c.of[k.s] == c.of[e.To] {
				to.marks = e.Marks
			}
			es = append(es, Edge{e.Label, copies.add(to), k.marks})
		}
		b.out = append(b.out, b.merge(es))
	}
	return b, nil
}
