package certificate

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Disjunction excludes runs in place of a measure: a transition invariant
// ([PodelskiRybalchenkoLICS04]). Decreases says of a step that the variables may be copied before it,
// which the relation allows, and that if they were at an earlier such step from the same state, one of
// Measures was not negative there and is smaller now. Stays says that the step keeps the relation. A
// run with infinitely many of the former has infinitely many from one state, each two of which
// are compared by some measure; by Ramsey's theorem infinitely many by the same one, which cannot be.
type Disjunction struct {
	Measures []Measure
	// Copies are other variables, for some of the component's: their values at the earlier step.
	Copies map[*logic.Term]*logic.Term
	// Relation is, by location, over the component's variables and copies. At others nothing was
	// copied.
	Relation map[int]*logic.Term
}

// wrong says why a disjunction is none of a component with these variables and locations; "" if it
// is one.
func (d *Disjunction) wrong(vars []*logic.Term, locations int) string {
	known := map[*logic.Term]bool{}
	names := map[string]bool{}
	for _, v := range vars {
		known[v], names[v.Name()] = true, true
	}
	for v, c := range d.Copies {
		if !slices.Contains(vars, v) || c.Op() != logic.OpVar || c.Sort() != v.Sort() || names[c.Name()] {
			return "a copy is a variable of its own, for one of the component's"
		}
		known[c], names[c.Name()] = true, true
	}
	for l, f := range d.Relation {
		if l < 0 || l >= locations {
			return fmt.Sprintf("there is a location %d", l)
		}
		if f.Sort() != logic.Bool || slices.ContainsFunc(logic.Vars(f), func(v *logic.Term) bool { return !known[v] }) {
			return "its relation is over the component's variables and their copies"
		}
	}
	for i := range d.Measures {
		m := &d.Measures[i]
		if m.Over != nil {
			return "it is of linear functions"
		}
		if why := m.wrong(vars, locations); why != "" {
			return why
		}
		for _, s := range m.Summands {
			if slices.ContainsFunc(logic.Vars(s.Term), func(v *logic.Term) bool { return d.Copies[v] == nil }) {
				return "what its functions depend on is copied"
			}
		}
	}
	return ""
}

func (d *Disjunction) at(location int) *logic.Term {
	if f := d.Relation[location]; f != nil {
		return f
	}
	return logic.False()
}

// effect is the formula that a path from a location, where literals hold, has an effect, for all
// values of copies: these have names in it that are not taken, and are added. It may be used once in a
// formula that is refuted, and under a negation only.
func (d *Disjunction) effect(kind byte, from int, here []*logic.Term, w *path, taken map[string]bool) *logic.Term {
	if kind == Any {
		return logic.True()
	}
	then := map[*logic.Term]*logic.Term{} // of any earlier state
	fresh := func(v *logic.Term) *logic.Term {
		if then[v] == nil {
			then[v] = logic.Var(logic.UnusedName(taken, v.Name()+"_then"), v.Sort())
		}
		return then[v]
	}
	copied := map[*logic.Term]*logic.Term{}
	for v, c := range d.Copies {
		copied[c] = fresh(v)
	}
	before := logic.Substitute(d.at(from), copied)
	after := maps.Clone(copied)
	maps.Copy(after, w.value)
	keeps := logic.Or(logic.Not(before), logic.Substitute(d.at(w.to), after))
	if kind == Stays {
		return keeps
	}
	made := maps.Clone(w.value)
	for v, c := range d.Copies {
		made[c] = v
	}
	earlier := []*logic.Term{before}
	for _, f := range here {
		for _, v := range logic.Vars(f) {
			fresh(v)
		}
		earlier = append(earlier, logic.Substitute(f, then))
	}
	return logic.And(keeps, logic.Substitute(d.at(w.to), made), logic.Or(logic.Not(logic.And(earlier...)), d.smaller(then)))
}

// smaller is the formula that a measure was not negative in an earlier state, and is smaller now.
func (d *Disjunction) smaller(then map[*logic.Term]*logic.Term) *logic.Term {
	var some []*logic.Term
	for i := range d.Measures {
		m := &d.Measures[i]
		width := m.width()
		total := func(value map[*logic.Term]*logic.Term) *logic.Term {
			all := []*logic.Term{constant(m.Constant, width)}
			for _, s := range m.Summands {
				all = append(all, s.term(logic.Substitute(s.Term, value), width))
			}
			return sum(width, all...)
		}
		was := total(then)
		some = append(some, logic.And(atMost(constant(new(big.Int), width), was), less(total(nil), was)))
	}
	return logic.Or(some...)
}

// constant is an exact number.
func constant(n *big.Int, width int) *logic.Term {
	if width == 0 {
		return logic.Number(new(big.Rat).SetInt(n), logic.Int)
	}
	return logic.BVConst(n, width)
}
