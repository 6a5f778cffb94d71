package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// maxClauses bounds the clauses that one assertion becomes.
const maxClauses = 1000

// read reads a clause, or what is left of it: what must hold.
func (r *reader) read(n sexp.Node) bool {
	return r.deeper(n, func(n sexp.Node) bool { return r.part(n, true, r.read, r.assume) })
}

// assume reads a premise.
func (r *reader) assume(n sexp.Node) bool {
	return r.deeper(n, func(n sexp.Node) bool { return r.part(n, false, r.assume, r.read) })
}

// part reads a conclusion or a premise, whose parts are read as same or, where they are negated, as other.
func (r *reader) part(n sexp.Node, conclusion bool, same, other func(sexp.Node) bool) bool {
	if part, ok := r.sharedPart(n); ok {
		return r.use(n, part, same)
	}
	if a, ok := r.application(n); ok {
		return a != nil && r.applied(n, a, conclusion)
	}
	all, cases, bound := "and", "or", "exists" // all of the parts are the same, or one case each
	if conclusion {
		all, cases, bound = cases, all, "forall"
	}
	switch head := n.Head(); head {
	case bound:
		return r.bind(n, same)
	case "forall": // of a premise
		if equal := extensional(n); equal.Head() == "=" {
			return same(equal)
		}
	case "let":
		return r.let(n, same)
	case "!":
		return r.named(n) && same(n.List[1])
	case all:
		return !slices.ContainsFunc(n.List[1:], func(m sexp.Node) bool { return !same(m) })
	case cases:
		if r.mentions(n) {
			return r.each(n, ways(n.List[1:], same)...)
		}
	case "not":
		if len(n.List) == 2 && (conclusion || r.mentions(n.List[1])) {
			return other(n.List[1])
		}
	case "=>":
		last := len(n.List) - 1
		if conclusion {
			return !slices.ContainsFunc(n.List[1:max(last, 1)], func(m sexp.Node) bool { return !other(m) }) && (last < 1 || same(n.List[last]))
		}
		if last > 0 && r.mentions(n) {
			return r.each(n, append(ways(n.List[1:last], other), ways(n.List[last:], same)...)...)
		}
	case "ite":
		if len(n.List) == 4 && r.mentions(n) {
			return r.each(n, r.both(r.assume, n.List[1], same, n.List[2]), r.both(r.read, n.List[1], same, n.List[3]))
		}
	case "=": // of formulas: each implies the other, or both hold, or none
		if len(n.List) == 3 && r.mentions(n) {
			if conclusion {
				return r.each(n, r.both(r.assume, n.List[1], r.read, n.List[2]), r.both(r.assume, n.List[2], r.read, n.List[1]))
			}
			return r.each(n, r.both(r.assume, n.List[1], r.assume, n.List[2]), r.both(r.read, n.List[1], r.read, n.List[2]))
		}
	}
	f, ok := r.formula(n)
	if conclusion && ok {
		f = logic.Not(f)
	}
	if ok {
		r.constrain(f)
	}
	return ok
}

// applied makes an application the head of the clauses that are read, or adds it to their bodies.
func (r *reader) applied(n sexp.Node, a *App, conclusion bool) bool {
	if conclusion {
		return r.head(n, a)
	}
	for i := range r.clauses {
		r.clauses[i].Body = append(r.clauses[i].Body, *a)
	}
	return true
}

// draft is a clause while it is read: its constraints are joined at the end, which takes linear time.
type draft struct {
	Clause
	constraints []*logic.Term
}

// keep adds the clauses that were read to the problem.
func (r *reader) keep() {
	for _, d := range r.clauses {
		d.Constraint = logic.And(d.constraints...)
		r.problem.Clauses = append(r.problem.Clauses, d.Clause)
	}
}

// constrain adds to the premise.
func (r *reader) constrain(f *logic.Term) {
	for i := range r.clauses {
		c := &r.clauses[i]
		c.constraints = append(c.constraints, f)
	}
}

func (r *reader) head(n sexp.Node, a *App) bool {
	for i := range r.clauses {
		if r.clauses[i].Head != nil {
			return r.fail(n, "not-horn", "a Horn clause has one predicate as its conclusion")
		}
		head := *a
		r.clauses[i].Head = &head
	}
	return true
}

// ways are the readings of several parts.
func ways(parts []sexp.Node, read func(sexp.Node) bool) (all []func() bool) {
	for _, p := range parts {
		all = append(all, func() bool { return read(p) })
	}
	return all
}

// both reads two parts.
func (r *reader) both(first func(sexp.Node) bool, a sexp.Node, second func(sexp.Node) bool, b sexp.Node) func() bool {
	return func() bool { return first(a) && second(b) }
}

// each continues what has been read in several ways: as many clauses for each there was.
func (r *reader) each(n sexp.Node, ways ...func() bool) bool {
	before := r.clauses
	for i := range before { // what is appended in one way is not seen in others
		d := &before[i]
		d.Body, d.constraints = slices.Clip(d.Body), slices.Clip(d.constraints)
	}
	var all []draft
	for _, way := range ways {
		r.clauses = slices.Clone(before)
		if !way() {
			return false
		}
		if all = append(all, r.clauses...); len(all) > maxClauses {
			return r.fail(n, "too-many", "this becomes more than %d clauses", maxClauses)
		}
	}
	r.clauses = all
	return true
}
