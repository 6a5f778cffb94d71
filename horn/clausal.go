package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// maxClauses bounds the clauses that one assertion becomes.
const maxClauses = 1000

// read reads a clause, or what is left of it: what must hold.
func (r *reader) read(n sexp.Node) bool { return r.deeper(n, r.conclusion) }

func (r *reader) conclusion(n sexp.Node) bool {
	if part, ok := r.sharedPart(n); ok {
		return r.use(n, part, r.read)
	}
	if a, ok := r.application(n); ok {
		return a != nil && r.head(n, a)
	}
	switch n.Head() {
	case "forall":
		return r.bind(n, r.read)
	case "let":
		return r.let(n, r.read)
	case "!":
		return r.named(n) && r.read(n.List[1])
	case "=>":
		for i, m := range n.List[1:] {
			if last := i == len(n.List)-2; last && !r.read(m) || !last && !r.assume(m) {
				return false
			}
		}
		return true
	case "or":
		return !slices.ContainsFunc(n.List[1:], func(m sexp.Node) bool { return !r.read(m) })
	case "not":
		if len(n.List) == 2 {
			return r.assume(n.List[1])
		}
	case "and":
		if r.mentions(n) {
			return r.each(n, ways(n.List[1:], r.read)...)
		}
	case "ite":
		if len(n.List) == 4 && r.mentions(n) {
			return r.each(n, r.both(r.assume, n.List[1], r.read, n.List[2]), r.both(r.read, n.List[1], r.read, n.List[3]))
		}
	case "=": // of formulas: each implies the other
		if len(n.List) == 3 && r.mentions(n) {
			return r.each(n, r.both(r.assume, n.List[1], r.read, n.List[2]), r.both(r.assume, n.List[2], r.read, n.List[1]))
		}
	}
	f, ok := r.formula(n)
	if ok {
		r.constrain(logic.Not(f))
	}
	return ok
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

// assume reads a premise.
func (r *reader) assume(n sexp.Node) bool { return r.deeper(n, r.premise) }

func (r *reader) premise(n sexp.Node) bool {
	if part, ok := r.sharedPart(n); ok {
		return r.use(n, part, r.assume)
	}
	if a, ok := r.application(n); ok {
		for i := range r.clauses {
			if c := &r.clauses[i]; a != nil {
				c.Body = append(c.Body, *a)
			}
		}
		return a != nil
	}
	switch n.Head() {
	case "exists":
		return r.bind(n, r.assume)
	case "forall":
		if same := extensional(n); same.Head() == "=" {
			return r.assume(same)
		}
	case "let":
		return r.let(n, r.assume)
	case "!":
		return r.named(n) && r.assume(n.List[1])
	case "and":
		return !slices.ContainsFunc(n.List[1:], func(m sexp.Node) bool { return !r.assume(m) })
	case "not":
		if len(n.List) == 2 && r.mentions(n.List[1]) {
			return r.read(n.List[1])
		}
	case "or":
		if r.mentions(n) {
			return r.each(n, ways(n.List[1:], r.assume)...)
		}
	case "=>":
		if last := len(n.List) - 1; last > 0 && r.mentions(n) {
			return r.each(n, append(ways(n.List[1:last], r.read), ways(n.List[last:], r.assume)...)...)
		}
	case "ite":
		if len(n.List) == 4 && r.mentions(n) {
			return r.each(n, r.both(r.assume, n.List[1], r.assume, n.List[2]), r.both(r.read, n.List[1], r.assume, n.List[3]))
		}
	case "=":
		if len(n.List) == 3 && r.mentions(n) {
			return r.each(n, r.both(r.assume, n.List[1], r.assume, n.List[2]), r.both(r.read, n.List[1], r.read, n.List[2]))
		}
	}
	f, ok := r.formula(n)
	if ok {
		r.constrain(f)
	}
	return ok
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
