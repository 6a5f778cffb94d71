package predabs

import (
	"fmt"

	"github.com/seltl/seltl/logic"
)

// Representation is a set of concrete states of a component ([Chaki05], Def. 10): by
// location a formula, over the variables and, after PreImage, over inputs with names of
// their own, which stand for any values. Steps are blocks: between cut points.
type Representation struct {
	Of    *Abstracter
	At    []*logic.Term
	fresh *int // numbers inputs
}

// NewRepresentation returns the states that satisfy a formula at every location. Sets that
// are to be put together come from one of them: what PreImage calls inputs differs then.
func NewRepresentation(a *Abstracter, everywhere *logic.Term) *Representation {
	r := &Representation{a, make([]*logic.Term, len(a.Component.System.Locations)), new(int)}
	for l := range r.At {
		r.At[l] = everywhere
	}
	return r
}

// InitialStates returns the set of initial states.
func InitialStates(a *Abstracter) *Representation {
	r := NewRepresentation(a, logic.False())
	copy(r.At, a.Blocks.Init)
	return r
}

// Complement returns the states that are not in the set. PreImage has not been applied
// to it: inputs of any value are not complemented so.
func (r *Representation) Complement() *Representation {
	return r.pointwise(func(l int) *logic.Term { return logic.Not(r.At[l]) })
}

// Union returns the states of two sets.
func (r *Representation) Union(s *Representation) *Representation {
	return r.pointwise(func(l int) *logic.Term { return logic.Or(r.At[l], s.At[l]) })
}

// Intersection returns the states that are in both sets.
func (r *Representation) Intersection(s *Representation) *Representation {
	return r.pointwise(func(l int) *logic.Term { return logic.And(r.At[l], s.At[l]) })
}

// Restrict returns the states of the set that satisfy a formula, the propositions that
// hold and the negations of the others, say (3.4.1).
func (r *Representation) Restrict(f *logic.Term) *Representation {
	return r.pointwise(func(l int) *logic.Term { return logic.And(r.At[l], f) })
}

// PreImage returns the states from which a step with the action, "" is the silent one,
// leads into the set (3.4.2).
func (r *Representation) PreImage(action string) *Representation {
	out := NewRepresentation(r.Of, logic.False())
	out.fresh = r.fresh
	for i, e := range r.Of.Blocks.All {
		if r.Of.Actions[i] != action || r.At[e.To].IsFalse() {
			continue
		}
		by := map[*logic.Term]*logic.Term{}
		for _, in := range e.Command.Inputs {
			*r.fresh++
			by[in] = logic.Var(fmt.Sprintf("%s@pre%d", in.Name(), *r.fresh), in.Sort())
		}
		update := map[*logic.Term]*logic.Term{}
		for v, t := range e.Command.Update {
			update[v] = logic.Substitute(t, by)
		}
		pre := logic.And(logic.Substitute(e.Command.Guard, by), logic.Substitute(r.At[e.To], update))
		out.At[e.From] = logic.Or(out.At[e.From], pre)
	}
	return out
}

func (r *Representation) pointwise(at func(l int) *logic.Term) *Representation {
	out := NewRepresentation(r.Of, logic.False())
	out.fresh = r.fresh
	for l := range out.At {
		out.At[l] = at(l)
	}
	return out
}
