package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// A sort of declare-sort may have any values, also only one: clauses have a solution if they have one for some set of them. They
// are read as natural numbers, as a datatype. A solution for these is one. A derivation is one for all sets if it is still
// one when all values of the sort become the same, which is so where clauses do no more with them than to say in a premise that some are equal, and where
// no array has them as indices. Other clauses are refused.

// declareOpaque rewrites (declare-sort NAME 0).
func (m *generics) declareOpaque(n sexp.Node) []sexp.Node {
	sort := n.List[1]
	made := func(suffix string) sexp.Node { return named(sort, m.fresh(sort.Atom+suffix)) }
	m.opaque = append(m.opaque, sort.Atom)
	zero, next, before := made("!0"), made("!next"), made("!before")
	constructors := list(n, list(n, zero), list(n, next, list(n, before, sort)))
	return []sexp.Node{list(n, word(n, "declare-datatypes"), list(n, list(n, sort, word(n, "0"))), list(n, constructors))}
}

// opaque looks for what clauses do with values of some sorts.
type opaque struct {
	sorts   map[*logic.Sort]bool
	touched map[*logic.Sort]bool
	known   map[polarity]bool
}

type polarity struct {
	term     *logic.Term
	positive bool
}

// checkOpaque reports clauses that need to know how many values a sort has.
func (r *reader) checkOpaque(sorts []string) {
	o := &opaque{sorts: map[*logic.Sort]bool{}, touched: map[*logic.Sort]bool{}, known: map[polarity]bool{}}
	for _, name := range sorts {
		if s, err := r.vars.ParseSort(logic.Symbol(name)); err == nil {
			o.sorts[s] = true
		}
	}
	for i := range r.problem.Clauses {
		c := &r.problem.Clauses[i]
		ok := o.preserved(c.Constraint, true)
		for _, a := range c.apps() {
			ok = ok && !slices.ContainsFunc(a.Args, func(t *logic.Term) bool { return !o.preserved(t, true) || !o.preserved(t, false) })
		}
		if !ok {
			r.errs.Errorf(c.Span, "unsupported", "a clause that tells values of the sort %s apart is not supported", sorts[0]).Help = "values of a sort of declare-sort may only be equal, in a premise: how many there are is not known"
			return
		}
	}
}

// touches reports that values of a sort have parts of an opaque one.
func (o *opaque) touches(s *logic.Sort) bool {
	known, ok := o.touched[s]
	if !ok {
		known = o.reaches(s, map[*logic.Sort]bool{}, func(s *logic.Sort) bool { return o.sorts[s] })
		o.touched[s] = known
	}
	return known
}

func (o *opaque) reaches(s *logic.Sort, seen map[*logic.Sort]bool, is func(*logic.Sort) bool) bool {
	if seen[s] {
		return false
	}
	if seen[s] = true; is(s) {
		return true
	}
	if s.Kind() == logic.ArrayKind && (o.reaches(s.Index(), seen, is) || o.reaches(s.Element(), seen, is)) {
		return true
	}
	return slices.ContainsFunc(s.Constructors(), func(c logic.Constructor) bool {
		return slices.ContainsFunc(c.Fields, func(f logic.Field) bool { return o.reaches(f.Sort, seen, is) })
	})
}

// indexed reports arrays with such indices.
func (o *opaque) indexed(s *logic.Sort) bool {
	return o.touches(s) && o.reaches(s, map[*logic.Sort]bool{}, func(s *logic.Sort) bool { return s.Kind() == logic.ArrayKind && o.touches(s.Index()) })
}

// preserved says that a term has its value, or what becomes of it, where all values of opaque sorts become the same; of a formula that it
// is still true where it was, or false where it was.
func (o *opaque) preserved(t *logic.Term, positive bool) bool {
	key := polarity{t, positive}
	if known, ok := o.known[key]; ok {
		return known
	}
	ok := o.preserves(t, positive)
	o.known[key] = ok
	return ok
}

func (o *opaque) preserves(t *logic.Term, positive bool) bool {
	each := func(positive ...bool) bool {
		return !slices.ContainsFunc(t.Args(), func(a *logic.Term) bool {
			return slices.ContainsFunc(positive, func(p bool) bool { return !o.preserved(a, p) })
		})
	}
	switch t.Op() {
	case logic.OpNot:
		return each(!positive)
	case logic.OpAnd, logic.OpOr:
		return each(positive)
	case logic.OpEq:
		if a, b := t.Args()[0], t.Args()[1]; o.touches(a.Sort()) && !positive && !o.plain(a) && !o.plain(b) {
			return false
		}
	}
	return !o.indexed(t.Sort()) && each(true, false)
}

// plain reports a value by constructors that has no part of an opaque sort.
func (o *opaque) plain(t *logic.Term) bool {
	return !o.sorts[t.Sort()] && t.Op() == logic.OpConstruct && !slices.ContainsFunc(t.Args(), func(a *logic.Term) bool { return o.touches(a.Sort()) && !o.plain(a) })
}
