package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/sexp"
)

// Quantifiers of constraints are those of the clause where they can be moved there: forall in what must hold, and exists
// in a premise, below and, or, not, => and ite (clausal.go), where disjunctions become several clauses. Others are
// refused, but that arrays are the same everywhere.

func quantifier(n sexp.Node) bool { return n.Head() == "forall" || n.Head() == "exists" }

func hasQuantifier(n sexp.Node) bool {
	return quantifier(n) || slices.ContainsFunc(n.List, hasQuantifier)
}

// notHorn reports a predicate or a quantifier at a place that no clause has one at.
func (r *reader) notHorn(n sexp.Node) bool {
	if at, ok := firstQuantifier(n); quantifier(n) || ok && !r.hasPredicate(n) {
		return r.fail(at, "quantifier", "%s is not supported here: the variables of a clause are those of forall in what must hold, and of exists in a premise", at.Head())
	}
	return r.fail(n, "not-horn", "a predicate may only stand alone, or below and, or, not, => and ite")
}

func (r *reader) hasPredicate(n sexp.Node) bool {
	_, ok := r.pred(n)
	return ok || slices.ContainsFunc(n.List, r.hasPredicate)
}

func firstQuantifier(n sexp.Node) (at sexp.Node, ok bool) {
	if quantifier(n) {
		return n, true
	}
	for _, m := range n.List {
		if at, ok = firstQuantifier(m); ok {
			return at, true
		}
	}
	return at, false
}

// extensional rewrites (forall ((i S)) (= (select a i) (select b i))) to (= a b).
func extensional(n sexp.Node) sexp.Node {
	if !hasQuantifier(n) {
		return n
	}
	if n.Head() == "forall" && len(n.List) == 3 && len(n.List[1].List) == 1 && len(n.List[1].List[0].List) == 2 {
		i, body := n.List[1].List[0].List[0], n.List[2]
		at := func(m sexp.Node) bool {
			return m.Head() == "select" && len(m.List) == 3 && isName(i) && isName(m.List[2]) && m.List[2].Atom == i.Atom && !mentionsSort(m.List[1], i.Atom)
		}
		if body.Head() == "=" && len(body.List) == 3 && at(body.List[1]) && at(body.List[2]) {
			return list(n, body.List[0], body.List[1].List[1], body.List[2].List[1])
		}
	}
	n.List = lists.Map(n.List, extensional)
	return n
}
