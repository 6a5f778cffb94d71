package clp

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// Abstraction says how rules are abstracted ([Flanagan04], sec. 4): of each relation r,
// by number, the interface (primitive constraints over the parameters) and the explicated
// constraint, a set of formulas over the variables of r's rule that are true of all values.
// Both are sorted and without duplicates.
type Abstraction struct {
	Interface  [][]*logic.Term
	Explicated [][]*logic.Term
}

// Bottom is the coarsest abstraction of so many relations.
func Bottom(relations int) *Abstraction {
	return &Abstraction{make([][]*logic.Term, relations), make([][]*logic.Term, relations)}
}

// insert adds a term to a sorted list, and reports whether it was new.
func insert(list *[]*logic.Term, t *logic.Term) bool {
	i, found := slices.BinarySearchFunc(*list, t, (*logic.Term).Compare)
	if found {
		return false
	}
	*list = slices.Insert(*list, i, t)
	return true
}

// AddPredicate adds the primitive constraints of a formula to a relation's interface, each
// in its positive form, and reports whether any was new.
func (a *Abstraction) AddPredicate(relation int, f *logic.Term) (added bool) {
	for _, h := range logic.Atoms(f) {
		positive, _ := positiveForm(h)
		added = insert(&a.Interface[relation], positive) || added
	}
	return added
}

// Explicate adds a formula that is true of all values to a relation's explicated
// constraint, and reports whether it was new and not true already.
func (a *Abstraction) Explicate(relation int, f *logic.Term) bool {
	return !f.IsTrue() && insert(&a.Explicated[relation], f)
}

// Join returns the least abstraction above both.
func (a *Abstraction) Join(b *Abstraction) *Abstraction {
	out := Bottom(len(a.Interface))
	for r := range a.Interface {
		for _, x := range []*Abstraction{a, b} {
			for _, h := range x.Interface[r] {
				insert(&out.Interface[r], h)
			}
			for _, c := range x.Explicated[r] {
				insert(&out.Explicated[r], c)
			}
		}
	}
	return out
}

// Below reports a ⊑ b: b has all predicates and all formulas of a. (The paper's order
// compares the formulas by implication; sets of them are enough for its laws.)
func (a *Abstraction) Below(b *Abstraction) bool {
	for r := range a.Interface {
		if !subset(a.Interface[r], b.Interface[r]) || !subset(a.Explicated[r], b.Explicated[r]) {
			return false
		}
	}
	return true
}

func subset(a, b []*logic.Term) bool {
	return !slices.ContainsFunc(a, func(t *logic.Term) bool {
		_, found := slices.BinarySearchFunc(b, t, (*logic.Term).Compare)
		return !found
	})
}

// positiveForm returns a primitive constraint that stands for h and for its negation, and
// whether h is the negation. Package logic writes the negation of an inequality as another
// inequality; the one that is printed with a smaller left side is the positive form.
func positiveForm(h *logic.Term) (positive *logic.Term, negated bool) {
	if h.Op() == logic.OpNot {
		return h.Args()[0], true
	}
	if n := logic.Not(h); n.Op() != logic.OpNot && n.Compare(h) < 0 {
		return n, true
	}
	return h, false
}

// abstracter is the function of figure 3 within one rule: it maps primitive constraints to
// Boolean variables, one to one.
type abstracter struct {
	vars  map[*logic.Term]*logic.Term
	names map[string]bool
}

func newAbstracter() *abstracter {
	return &abstracter{map[*logic.Term]*logic.Term{}, map[string]bool{}}
}

// variable returns the Boolean variable that stands for a primitive constraint.
func (m *abstracter) variable(h *logic.Term) *logic.Term {
	v := m.vars[h]
	if v == nil {
		name := "[" + h.String() + "]"
		for n := 2; m.names[name]; n++ {
			name = fmt.Sprintf("[%s]_%d", h, n)
		}
		m.names[name] = true
		v = logic.Var(name, logic.Bool)
		m.vars[h] = v
	}
	return v
}

// constraint abstracts a formula: its propositional structure stays.
func (m *abstracter) constraint(f *logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, h := range logic.Atoms(f) {
		positive, negated := positiveForm(h)
		if by[h] = m.variable(positive); negated {
			by[h] = logic.Not(by[h])
		}
	}
	return propositional(f, by, map[*logic.Term]*logic.Term{})
}

// propositional replaces the atoms of a formula, and only them: what is inside an atom may
// be a formula, too.
func propositional(f *logic.Term, by, done map[*logic.Term]*logic.Term) *logic.Term {
	if g := by[f]; g != nil {
		return g
	}
	if g := done[f]; g != nil {
		return g
	}
	args := lists.Map(f.Args(), func(a *logic.Term) *logic.Term { return propositional(a, by, done) })
	g := logic.Rebuild(f, args)
	done[f] = g
	return g
}

// formula abstracts the body of a rule.
func (m *abstracter) formula(p *RuleSet, a *Abstraction, f *Formula) *Formula {
	switch f.Op {
	case OpConstraint:
		return Constraint(m.constraint(f.Constraint))
	case OpCall:
		by := map[*logic.Term]*logic.Term{}
		for k, v := range p.Relations[f.Relation].Params {
			by[v] = f.Args[k]
		}
		out := Call(f.Relation)
		for _, h := range a.Interface[f.Relation] {
			out.Args = append(out.Args, m.constraint(logic.Substitute(h, by)))
		}
		return out
	}
	out := &Formula{Op: f.Op, Span: f.Span}
	for _, part := range f.Parts {
		out.Parts = append(out.Parts, m.formula(p, a, part))
	}
	return out
}

// Abstract returns the rule set over Booleans that a makes of a valid rule set (fig. 3).
// Rules keep their alternatives and their order, so that a trace of one is a trace of the
// other (lemma 4). The goal has a derivation in it if it has one in p (lemma 2).
func (a *Abstraction) Abstract(p *RuleSet) *RuleSet {
	out := &RuleSet{Goal: p.Goal}
	for i, r := range p.Relations {
		m := newAbstracter()
		abstract := Relation{Name: r.Name, Span: r.Span}
		for _, h := range a.Interface[i] {
			abstract.Params = append(abstract.Params, m.variable(h))
		}
		abstract.Body = And(m.formula(p, a, r.body()), Constraint(m.constraint(logic.And(a.Explicated[i]...))))
		out.Relations = append(out.Relations, abstract)
	}
	return out
}
