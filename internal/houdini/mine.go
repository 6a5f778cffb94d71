package houdini

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Bounds of what is mined.
const (
	mostPredicates = 40      // of one relation
	mostCompared   = 6       // numbers of one kind with which an index is compared
	mostOthers     = 2       // variables of an atom beside one
	far            = 1 << 31 // of one number: bounds of types and of memory, which say little, are not less
	near           = 4       // of a difference: what facts say of it otherwise is more
)

// template is a predicate over a number of a kind and others, which stand for parameters of their kinds.
type template struct {
	kind   node // of the hole
	hole   *logic.Term
	f      *logic.Term
	others []*logic.Term // variables of f beside the hole, of the clause that f is from
	kinds  []node        // of these
}

// miner collects what clauses say of numbers.
type miner struct {
	problem   *horn.Problem
	kinds     *kinds
	indices   [][]*logic.Term // parameters, by relation
	focus     [][]*logic.Term // these and elements
	matters   map[node]bool   // kinds of these
	templates []template
	seen      map[*logic.Term][]node // kinds of templates by formula
	parts     map[*logic.Term]bool   // atoms that are parts of what is said together
	addresses map[node]bool          // kinds of which something is said together
}

var holes = map[*logic.Sort]*logic.Term{logic.Int: logic.Var("hole!", logic.Int), logic.Real: logic.Var("hole!real", logic.Real)}

// mine returns predicates for each relation, over its parameters: about those that matter, and what is of their kinds.
func mine(p *horn.Problem, indices, elements [][]*logic.Term) [][]*logic.Term {
	m := &miner{problem: p, kinds: kindsOf(p), indices: indices, matters: map[node]bool{}, seen: map[*logic.Term][]node{}, parts: map[*logic.Term]bool{}, addresses: map[node]bool{}}
	for i, d := range p.Preds {
		m.focus = append(m.focus, slices.Concat(indices[i], elements[i]))
		for k, v := range d.Params {
			if slices.Contains(m.focus[i], v) {
				m.matters[m.kinds.of(parameter(i, k))] = true
			}
		}
	}
	for i := range p.Clauses {
		for _, f := range formulas(&p.Clauses[i]) {
			m.together(i, f)
		}
	}
	for i := range p.Clauses {
		for _, f := range logic.Atoms(formulas(&p.Clauses[i])...) {
			m.alone(i, f)
		}
	}
	out := make([][]*logic.Term, len(p.Preds))
	for i := range out {
		out[i] = m.predicates(i)
	}
	return out
}

// formulas are all formulas in a clause.
func formulas(c *horn.Clause) (all []*logic.Term) {
	for t := range logic.Subterms(c.Terms()...) {
		if t.Sort() == logic.Bool {
			all = append(all, t)
		}
	}
	return all
}

// together takes what a conjunction says of one number as one predicate, if that is more than comparisons: that it is a
// multiple between bounds, as addresses of one allocation are. A disjunction is the negation of one.
func (m *miner) together(clause int, f *logic.Term) {
	parts := f.Args()
	switch f.Op() {
	case logic.OpAnd:
	case logic.OpOr:
		parts = nil
		for _, g := range f.Args() {
			parts = append(parts, logic.Not(g))
		}
	default:
		return
	}
	var vars []*logic.Term
	of := map[*logic.Term][]*logic.Term{}
	for _, g := range parts {
		if !logic.IsLiteral(g) || remote(g) {
			continue
		}
		for _, v := range logic.Vars(g) {
			if numeric(v) {
				if of[v] == nil {
					vars = append(vars, v)
				}
				of[v] = append(of[v], g)
			}
		}
	}
	for _, v := range vars {
		if len(of[v]) > 1 && slices.ContainsFunc(of[v], intricate) {
			m.template(clause, v, logic.And(of[v]...))
			m.addresses[m.kinds.of(variable(clause, v))] = true
			for _, g := range of[v] {
				m.parts[g], m.parts[logic.Not(g)] = true, true
			}
		}
	}
}

// alone takes an atom as what it says of each of its numbers.
func (m *miner) alone(clause int, f *logic.Term) {
	if remote(f) || m.parts[f] {
		return
	}
	for _, v := range logic.Vars(f) {
		if numeric(v) && (!m.addresses[m.kinds.of(variable(clause, v))] || identity(f)) {
			m.template(clause, v, f)
		}
	}
}

// identity reports an atom that says of a number which it is, or that it is another one: their order, or what lies between
// them, says little of addresses.
func identity(f *logic.Term) bool {
	op, sum, bound, _, ok := logic.LinearAtom(f)
	return ok && op == logic.OpEq && plain(sum) && (len(sum.Terms) == 1 || len(sum.Terms) == 2 && bound.Sign() == 0 && one(sum.Terms[0].Coef) != one(sum.Terms[1].Coef))
}

// intricate reports an atom that is no comparison of sums of variables, as with remainders.
func intricate(f *logic.Term) bool {
	_, sum, _, _, ok := logic.LinearAtom(f)
	return !ok || !plain(sum)
}

func plain(sum logic.Linear) bool {
	return !slices.ContainsFunc(sum.Terms, func(x logic.Monomial) bool { return x.Term.Op() != logic.OpVar })
}

// remote reports a bound of a type, of memory, or of a difference as facts have it, which says little.
func remote(f *logic.Term) bool {
	op, sum, bound, _, ok := logic.LinearAtom(f)
	if !ok || op == logic.OpEq || !plain(sum) {
		return false
	}
	if len(sum.Terms) > 1 {
		return !within(bound, -near, near)
	}
	return !within(bound, -far+2, far-2)
}

// template takes what is said of a variable of a clause. Of numbers of other kinds, only which number they are matters.
func (m *miner) template(clause int, v, f *logic.Term) {
	hole := holes[v.Sort()]
	t := template{kind: m.kinds.of(variable(clause, v)), hole: hole, f: logic.Substitute(f, map[*logic.Term]*logic.Term{v: hole})}
	if op, sum, _, _, ok := logic.LinearAtom(f); !m.matters[t.kind] && !(ok && op == logic.OpEq && len(sum.Terms) == 1) {
		return
	}
	for _, w := range logic.Vars(t.f) {
		if w != hole {
			t.others = append(t.others, w)
			t.kinds = append(t.kinds, m.kinds.of(variable(clause, w)))
		}
	}
	if len(t.others) > mostOthers || slices.Contains(m.seen[t.f], t.kind) {
		return
	}
	m.seen[t.f] = append(m.seen[t.f], t.kind)
	m.templates = append(m.templates, t)
}

// relation is one whose predicates are chosen.
type relation struct {
	focus          []*logic.Term
	first, further []*logic.Term // predicates about what matters, and others
	seen           map[*logic.Term]bool
}

func (r *relation) add(f *logic.Term) {
	if f.IsTrue() || f.IsFalse() || r.seen[f] || r.seen[logic.Not(f)] {
		return
	}
	r.seen[f] = true
	if slices.ContainsFunc(logic.Vars(f), func(v *logic.Term) bool { return slices.Contains(r.focus, v) }) {
		r.first = append(r.first, f)
	} else {
		r.further = append(r.further, f)
	}
}

// predicates are those of a relation: its truth values, which number its numbers are, templates, and indices that are equal
// to others.
func (m *miner) predicates(pred int) []*logic.Term {
	params := m.problem.Preds[pred].Params
	r := &relation{focus: m.focus[pred], seen: map[*logic.Term]bool{}}
	of := map[node][]*logic.Term{}
	for k, v := range params {
		switch kind := m.kinds.of(parameter(pred, k)); {
		case v.Sort() == logic.Bool:
			r.add(v)
		case numeric(v):
			of[kind] = append(of[kind], v)
			for _, c := range m.assigned(kind, v.Sort()) {
				r.add(logic.Eq(v, c))
			}
		}
	}
	for _, t := range m.templates {
		for _, v := range of[t.kind] {
			if v.Sort() == t.hole.Sort() {
				t.fill(v, of, r.add)
			}
		}
	}
	for k, v := range params {
		if same := of[m.kinds.of(parameter(pred, k))]; slices.Contains(m.indices[pred], v) && len(same) <= mostCompared {
			for _, w := range same {
				if w.Sort() == v.Sort() {
					r.add(logic.Eq(v, w))
				}
			}
		}
	}
	all := append(r.first, r.further...)
	return all[:min(len(all), mostPredicates)]
}

// assigned are the numbers that are assigned to something of a kind, sorted.
func (m *miner) assigned(kind node, s *logic.Sort) (all []*logic.Term) {
	for n, values := range m.kinds.assigned {
		if m.kinds.of(n) == kind {
			for _, c := range values {
				if c.Sort() == s && !slices.Contains(all, c) {
					all = append(all, c)
				}
			}
		}
	}
	slices.SortFunc(all, (*logic.Term).Compare)
	return all
}

// fill puts parameters in the places of a template: in the place of a variable that is one itself, and of another kind,
// itself, or else all of its kind.
func (t *template) fill(v *logic.Term, of map[node][]*logic.Term, add func(*logic.Term)) {
	ways := []map[*logic.Term]*logic.Term{{t.hole: v}}
	for k, w := range t.others {
		choices := slices.DeleteFunc(slices.Clone(of[t.kinds[k]]), func(u *logic.Term) bool { return u == v || u.Sort() != w.Sort() })
		if t.kinds[k] != t.kind && slices.Contains(choices, w) {
			choices = []*logic.Term{w}
		}
		var next []map[*logic.Term]*logic.Term
		for _, by := range ways {
			for _, u := range choices {
				more := maps.Clone(by)
				more[w] = u
				next = append(next, more)
			}
		}
		ways = next
	}
	for _, by := range ways {
		add(logic.Substitute(t.f, by))
	}
}
