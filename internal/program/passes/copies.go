package passes

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// copies is copy propagation: a variable is read as the one that it was assigned and that
// has not changed since, or, if it was assigned a comparison as 1 or 0, as that, so that it
// is tested where it was stored to be tested.
func copies(in subject) *image {
	return propagate(in, simple, false)
}

func simple(t *logic.Term) bool {
	switch {
	case t.Op() == logic.OpVar:
		return plain(t)
	case t.Op() == logic.OpIte:
		return constant(t.Args()[1]) && constant(t.Args()[2]) && comparison(t.Args()[0])
	case t.Sort() == logic.Bool:
		return comparison(t)
	}
	return false
}

// comparison reports an atom that compares two variables, or one and a number, and means the
// same for machine words as for integers.
func comparison(t *logic.Term) bool {
	if t.Op() == logic.OpNot {
		t = t.Args()[0]
	}
	if op, sum, bound, _, ok := logic.LinearAtom(t); ok {
		for _, m := range sum.Terms {
			if m.Term.Op() != logic.OpVar || !m.Coef.IsInt() || m.Coef.Num().BitLen() != 1 {
				return false
			}
		}
		number := len(sum.Terms) == 1
		same := len(sum.Terms) == 2 && sum.Terms[0].Coef.Sign() != sum.Terms[1].Coef.Sign() &&
			(bound.Sign() == 0 || op == logic.OpLe && bound.IsInt() && bound.Num().IsInt64() && bound.Num().Int64() == -1)
		return number || same
	}
	switch t.Op() {
	case logic.OpVar:
		return true
	case logic.OpEq, logic.OpBVULe, logic.OpBVULt, logic.OpBVSLe, logic.OpBVSLt:
		return !slices.ContainsFunc(t.Args(), func(x *logic.Term) bool { return x.Op() != logic.OpVar && !constant(x) })
	}
	return false
}

// decided writes tests of a comparison that was stored as a number as the comparison:
// (x == y ? 1 : 0) != 0 is x == y.
func decided(f *logic.Term) *logic.Term {
	switch f.Op() {
	case logic.OpNot, logic.OpAnd, logic.OpOr:
		args := lists.Map(f.Args(), decided)
		return logic.Rebuild(f, args)
	}
	if f.Sort() != logic.Bool || len(f.Args()) != 2 {
		return f
	}
	choice := choiceIn(f)
	if choice == nil {
		return f
	}
	yes := logic.Substitute(f, map[*logic.Term]*logic.Term{choice: choice.Args()[1]})
	no := logic.Substitute(f, map[*logic.Term]*logic.Term{choice: choice.Args()[2]})
	if !constant(yes) || !constant(no) {
		return f
	}
	return logic.Ite(choice.Args()[0], yes, no)
}

// choiceIn finds a choice between two numbers in a comparison, in a sum at most.
func choiceIn(t *logic.Term) *logic.Term {
	if t.Op() == logic.OpIte {
		return t
	}
	for _, a := range t.Args() {
		if a.Op() == logic.OpIte || a.Op() == logic.OpAdd || a.Op() == logic.OpMul {
			if c := choiceIn(a); c != nil {
				return c
			}
		}
	}
	return nil
}
