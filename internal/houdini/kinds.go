package houdini

import (
	"math/big"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/unionfind"
	"github.com/seltl/seltl/logic"
)

// node is a parameter of a relation, or a variable of a clause.
type node struct {
	of    int // the relation, or -1 less the clause
	place int // of a parameter
	v     *logic.Term
}

func parameter(pred, place int) node          { return node{of: pred, place: place} }
func variable(clause int, v *logic.Term) node { return node{of: -1 - clause, v: v} }
func numeric(t *logic.Term) bool              { return t.Sort() == logic.Int || t.Sort() == logic.Real }
func one(x *big.Rat) bool                     { return x.IsInt() && x.Num().IsInt64() && x.Num().Int64() == 1 }
func within(x *big.Rat, least, most int64) bool {
	return x.Cmp(new(big.Rat).SetInt64(least)) >= 0 && x.Cmp(new(big.Rat).SetInt64(most)) <= 0
}

// kinds are numbers that are copied to each other or compared.
type kinds struct {
	same     unionfind.Sets[node]
	assigned map[node][]*logic.Term // numbers that parameters are given
}

// kindsOf are those of a problem.
func kindsOf(p *horn.Problem) *kinds {
	k := &kinds{assigned: map[node][]*logic.Term{}}
	for i := range p.Clauses {
		c := &p.Clauses[i]
		for _, a := range apps(c) {
			for place, t := range a.Args {
				k.copied(i, parameter(a.Pred, place), t)
			}
		}
		for t := range logic.Subterms(c.Terms()...) {
			k.compared(i, t)
		}
	}
	return k
}

func apps(c *horn.Clause) []horn.App {
	all := append([]horn.App(nil), c.Body...)
	if c.Head != nil {
		all = append(all, *c.Head)
	}
	return all
}

// of is what stands for the kind of a number.
func (k *kinds) of(n node) node { return k.same.Of(n) }

// copied joins a parameter with what it is given: a variable, a sum of such, or one of several.
func (k *kinds) copied(clause int, to node, t *logic.Term) {
	if !numeric(t) {
		return
	}
	sum := logic.LinearOf(t)
	if len(sum.Terms) == 0 {
		k.assigned[to] = append(k.assigned[to], t)
		return
	}
	for _, x := range sum.Terms {
		if !one(x.Coef) && x.Term.Op() != logic.OpIte {
			return
		}
	}
	for _, x := range sum.Terms {
		switch {
		case x.Term.Op() == logic.OpVar:
			k.same.Join(to, variable(clause, x.Term))
		case x.Term.Op() == logic.OpIte && len(sum.Terms) == 1 && one(x.Coef):
			k.copied(clause, to, x.Term.Args()[1])
			k.copied(clause, to, x.Term.Args()[2])
		}
	}
}

// compared joins two variables that are compared with each other.
func (k *kinds) compared(clause int, f *logic.Term) {
	if f.Sort() != logic.Bool {
		return
	}
	_, sum, bound, _, ok := logic.LinearAtom(f)
	if !ok || len(sum.Terms) != 2 || !within(bound, -1, 1) {
		return
	}
	x, y := sum.Terms[0], sum.Terms[1]
	if new(big.Rat).Add(x.Coef, y.Coef).Sign() == 0 && x.Term.Op() == logic.OpVar && y.Term.Op() == logic.OpVar {
		k.same.Join(variable(clause, x.Term), variable(clause, y.Term))
	}
}
