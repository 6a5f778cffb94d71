package armc

import (
	"context"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// A formula that lists states is checked state by state: with the numbers put in, little is
// left for the solver to do, which takes long over products, quotients and words otherwise.

// mostCases is how many states are checked so.
const mostCases = 256

// stateOf is a disjunct of a formula: what variables are in it, and what else it says.
type stateOf struct {
	by   map[*logic.Term]*logic.Term
	rest []*logic.Term
}

// casesBy are the cases of formulas, found where a question needs them.
type casesBy struct {
	all  map[*logic.Term][]stateOf
	hard map[*logic.Term]bool
}

// of returns the cases of an invariant, nil if there are none, or if nothing in a question about it takes
// the solver long: it is asked as it is.
func (c *casesBy) of(invariant *logic.Term, others ...*logic.Term) []stateOf {
	if !slices.ContainsFunc(append(others, invariant), c.isHard) {
		return nil
	}
	all, known := c.all[invariant]
	if !known {
		all = casesOf(invariant)
		c.all[invariant] = all
	}
	return all
}

// isHard reports a term with a product or quotient of variables, a shift by one, or what rounds.
func (c *casesBy) isHard(t *logic.Term) bool {
	is, known := c.hard[t]
	if known {
		return is
	}
	variable := len(lists.Filter(t.Args(), func(a *logic.Term) bool { return a.Op() != logic.OpNumber }))
	switch t.Op() {
	case logic.OpMul, logic.OpBVMul:
		is = variable > 1
	case logic.OpDiv, logic.OpIntDiv, logic.OpIntMod, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem:
		is = variable > 0
	case logic.OpBVShl, logic.OpBVLShr, logic.OpBVAShr:
		is = t.Args()[1].Op() != logic.OpNumber
	case logic.OpFloat:
		is = variable > 0
	}
	is = is || slices.ContainsFunc(t.Args(), c.isHard)
	c.hard[t] = is
	return is
}

// casesOf returns the disjuncts of a formula, nil if there is only one, or too many, or one
// that says of no variable what it is.
func casesOf(f *logic.Term) (all []stateOf) {
	if disjuncts(f, map[*logic.Term]int{}) > mostCases {
		return stepsOf(f)
	}
	cubes, ok := logic.DNF(f, mostCases)
	if !ok || len(cubes) < 2 {
		return nil
	}
	for _, cube := range cubes {
		s := stateOf{by: map[*logic.Term]*logic.Term{}}
		for _, l := range cube {
			if !s.learn(l) {
				s.rest = append(s.rest, l)
			}
		}
		if len(s.by) == 0 {
			return nil
		}
		all = append(all, s)
	}
	return all
}

// stepsOf returns the disjuncts of a formula that is not multiplied out, if it has some that all say what
// variables are, and one that says more: after so many steps a counter is this, and no error follows.
func stepsOf(f *logic.Term) []stateOf {
	all := logic.Conjuncts(f)
next:
	for i, or := range all {
		parts := logic.Disjuncts(or)
		if len(parts) < 2 || len(parts) > mostCases {
			continue
		}
		var cases []stateOf
		more := false
		for _, part := range parts {
			s := stateOf{by: map[*logic.Term]*logic.Term{}}
			for _, l := range logic.Conjuncts(part) {
				if !s.learn(l) {
					s.rest = append(s.rest, l)
				}
			}
			if len(s.by) == 0 {
				continue next
			}
			more = more || len(s.rest) > 0
			s.rest = append(append(s.rest, all[:i]...), all[i+1:]...)
			cases = append(cases, s)
		}
		if more {
			return cases
		}
	}
	return nil
}

// disjuncts counts those of a formula when it is multiplied out, as far as mostCases: too many where
// two choices would be multiplied, since the formula lists no states then, as a weakest precondition.
func disjuncts(f *logic.Term, known map[*logic.Term]int) int {
	if op := f.Op(); op != logic.OpAnd && op != logic.OpOr {
		return 1
	}
	n, seen := known[f]
	if seen {
		return n
	}
	if f.Op() == logic.OpAnd {
		n = 1
	}
	for _, a := range f.Args() {
		switch k := disjuncts(a, known); {
		case f.Op() == logic.OpOr:
			n += k
		case n > 1 && k > 1:
			n = mostCases + 1
		default:
			n *= k
		}
		n = min(n, mostCases+1)
	}
	known[f] = n
	return n
}

// learn reads a literal that says what a variable, or an element of an array, is. An array with
// such an element is the same as one to which it is written.
func (s *stateOf) learn(l *logic.Term) bool {
	x, value := l, logic.True()
	switch l.Op() {
	case logic.OpNot:
		x, value = l.Args()[0], logic.False()
	case logic.OpEq:
		if x, value = l.Args()[0], l.Args()[1]; len(logic.Vars(value)) > 0 {
			x, value = value, x
		}
	}
	if len(logic.Vars(value)) > 0 {
		return false
	}
	switch {
	case x.Op() == logic.OpVar && s.by[x] == nil:
		s.by[x] = value
		return true
	case x.Op() == logic.OpSelect && x.Args()[0].Op() == logic.OpVar && len(logic.Vars(x.Args()[1])) == 0:
		array, index := x.Args()[0], x.Args()[1]
		now := s.by[array]
		if now == nil {
			now = array
		} else if logic.Select(now, index).Op() != logic.OpSelect { // it is known already
			return false
		}
		s.by[array] = logic.Store(now, index, value)
		return true
	}
	return false
}

// impossibleIn proves that no state of a formula satisfies others; cases are those of the
// formula, if there are any.
func impossibleIn(ctx context.Context, s smt.Checker, kind, where string, cases []stateOf, all *logic.Term, fs ...*logic.Term) error {
	if cases == nil {
		return impossible(ctx, s, kind, where, append(fs, all)...)
	}
	f := logic.And(fs...)
	for _, c := range cases {
		now := logic.Substitute(logic.And(append(c.rest, f)...), c.by)
		if now.IsFalse() {
			continue
		}
		if err := impossible(ctx, s, kind, where, now); err != nil {
			return c.completed(err)
		}
	}
	return nil
}

// completed puts the values of the state into the example of a refusal.
func (s *stateOf) completed(err error) error {
	refused, ok := err.(*Refused)
	if !ok || refused.Example == nil {
		return err
	}
	for v, t := range s.by {
		if value, err := logic.Eval(t, refused.Example); err == nil {
			refused.Example[v.Name()] = value
		}
	}
	return refused
}
