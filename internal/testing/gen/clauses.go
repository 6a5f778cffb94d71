package gen

import (
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Rewrite returns linear Horn clauses over integers that have a solution if and only if
// p's have one, in the many ways in which tools write them: arguments of predicates in
// another order, new values as variables of their own with equalities in the constraint,
// sums as arguments of premises. If p is of a system of NewSystem, its variables have
// values in 0..RewriteMax where it matters.
func Rewrite(r *rand.Rand, p *horn.Problem) *horn.Problem {
	w := &rewriting{Rand: r, problem: &horn.Problem{}}
	for _, d := range p.Preds {
		order := r.Perm(len(d.Params))
		w.orders = append(w.orders, order)
		w.problem.Preds = append(w.problem.Preds, horn.Pred{Name: d.Name, Params: permuted(d.Params, order)})
	}
	for _, c := range p.Clauses {
		w.rewrite(c)
	}
	r.Shuffle(len(w.problem.Clauses), func(i, j int) {
		cs := w.problem.Clauses
		cs[i], cs[j] = cs[j], cs[i]
	})
	return w.problem
}

// RewriteMax bounds the values of variables that Rewrite adds.
const RewriteMax = SystemMax + 2

type rewriting struct {
	*rand.Rand
	problem *horn.Problem
	orders  [][]int
	fresh   int
}

func permuted(ts []*logic.Term, order []int) []*logic.Term {
	out := make([]*logic.Term, len(ts))
	for i, k := range order {
		out[i] = ts[k]
	}
	return out
}

func (w *rewriting) variable() *logic.Term {
	w.fresh++
	return logic.Var(fmt.Sprintf("v%d", w.fresh), logic.Int)
}

func (w *rewriting) rewrite(c horn.Clause) {
	var also []*logic.Term
	loose := w.IntN(4) == 0 || len(c.Body) > 0 // explicit search has to guess loose values: one at most
	argument := func(t *logic.Term) *logic.Term {
		v, k := w.variable(), logic.IntConst(int64(w.IntN(RewriteMax-SystemMax+1)))
		switch w.IntN(5) {
		case 0:
			return t
		case 1: // by way of another variable
			u := w.variable()
			also = append(also, logic.Eq(v, logic.Sub(u, k)), logic.Eq(u, logic.Add(t, k)))
			return v
		case 2:
			also = append(also, logic.Eq(logic.Sub(v, k), t))
			return logic.Sub(v, k)
		case 3:
			if loose { // determined, but by no equality
				loose, also = false, append(also, logic.Le(v, t), logic.Ge(v, t))
				return v
			}
		}
		also = append(also, logic.Eq(v, t))
		return v
	}
	change := func(a horn.App) horn.App {
		args := make([]*logic.Term, len(a.Args))
		for i, t := range a.Args {
			args[i] = argument(t)
		}
		return horn.App{Pred: a.Pred, Args: permuted(args, w.orders[a.Pred])}
	}
	out := horn.Clause{Name: c.Name}
	for _, a := range c.Body {
		out.Body = append(out.Body, change(a))
	}
	if c.Head != nil {
		a := change(*c.Head)
		out.Head = &a
	}
	w.Shuffle(len(also), func(i, j int) { also[i], also[j] = also[j], also[i] })
	out.Constraint = logic.And(append(also, c.Constraint)...)
	w.problem.Clauses = append(w.problem.Clauses, out)
}
