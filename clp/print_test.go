package clp

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Write prints a valid rule set in the .clp language, in the standard layout; Parse reads
// it as the same one, but for names that the language cannot spell and for empty
// conjunctions and disjunctions, which become true and false. The error is w's, or names a
// sort that the language does not have.
func (p *RuleSet) Write(w io.Writer) error {
	t := &printer{rules: p, taken: map[string]bool{}, names: map[*logic.Term]*logic.Term{}}
	for _, k := range keywords {
		t.taken[k] = true
	}
	for _, r := range p.Relations {
		t.relations = append(t.relations, logic.UnusedName(t.taken, spelled(r.Name)))
	}
	for _, r := range p.Relations {
		for _, v := range r.Vars() {
			t.declare(v)
		}
	}
	fmt.Fprintf(t, "query %s;\n", t.relations[p.Goal])
	for i, r := range p.Relations {
		params := logic.SubstituteAll(r.Params, t.names)
		fmt.Fprintf(t, "%s(%s) :- %s;\n", t.relations[i], logic.Formats(params, logic.C, ", "), t.formula(r.body()))
	}
	if t.err != nil {
		return t.err
	}
	_, err := io.WriteString(w, arranged(source.NewFile("", t.String())))
	return err
}

type printer struct {
	strings.Builder
	rules     *RuleSet
	taken     map[string]bool
	relations []string
	names     map[*logic.Term]*logic.Term
	err       error
}

// spelled returns a name that the language can spell.
func spelled(name string) string {
	for i, r := range name {
		if i == 0 && !letter(r) || !inName(r) {
			return logic.PlainName(name)
		}
	}
	return name
}

// declare writes the declaration of a variable, once.
func (t *printer) declare(v *logic.Term) {
	if t.names[v] != nil {
		return
	}
	name := logic.UnusedName(t.taken, spelled(v.Name()))
	t.names[v] = logic.Var(name, v.Sort())
	fmt.Fprintf(t, "var %s: %s;\n", name, t.sort(v.Sort()))
}

// sort is the text of a sort. As in program/gcl, on purpose: each language says which sorts
// it has, and this one has no words.
func (t *printer) sort(s *logic.Sort) string {
	switch {
	case s == logic.Int:
		return "int"
	case s == logic.Real:
		return "real"
	case s == logic.Bool:
		return "bool"
	case s.Kind() == logic.ArrayKind:
		return "array[" + t.sort(s.Index()) + "] of " + t.sort(s.Element())
	}
	t.err = fmt.Errorf("the .clp language has no sort %s", s)
	return ""
}

// formula prints a formula.
func (t *printer) formula(f *Formula) string {
	switch f.Op {
	case OpCall:
		return fmt.Sprintf("%s(%s)", t.relations[f.Relation], logic.Formats(logic.SubstituteAll(f.Args, t.names), logic.C, ", "))
	case OpConstraint:
		return constraintText(logic.Substitute(f.Constraint, t.names))
	}
	if len(f.Parts) == 0 {
		return fmt.Sprint(f.Op == OpAnd)
	}
	operator := map[Op]string{OpAnd: " && ", OpOr: " || "}[f.Op]
	var parts []string
	for _, g := range f.Parts {
		part := t.formula(g)
		if len(f.Parts) > 1 && len(g.Parts) > 1 && (g.Op == OpOr || g.Op == f.Op) {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, operator)
}

// constraintText prints a constraint as one part of a body.
func constraintText(f *logic.Term) string {
	if logic.IsLiteral(f) || f.IsTrue() || f.IsFalse() {
		return f.String()
	}
	return "(" + f.String() + ")"
}

// String is Write into a text, or says why it cannot be written.
func (p *RuleSet) String() string {
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// TraceRules returns a tree of clauses as a rule set ([Flanagan04], sec. 3.1): a relation
// for each node, a variant of the relation base[i], whose rule is the instance that the
// node is of that relation's rule.
func (c *Clauses) TraceRules(t *Trace) (rules *RuleSet, base []int) {
	rules = &RuleSet{}
	for i, n := range t.Nodes {
		r := c.Relation(n.Clause)
		base = append(base, r)
		clause := &c.Problem.Clauses[n.Clause]
		body := And(Constraint(clause.Constraint))
		for k, j := range n.Calls {
			body.Parts = append(body.Parts, Call(j, clause.Body[k].Args...))
		}
		rules.Relations = append(rules.Relations, Relation{Name: fmt.Sprintf("%s@%d", c.Rules.Relations[r].Name, i),
			Params: slices.Clone(c.Rules.Relations[r].Params), Body: body})
	}
	return rules, base
}

// Replicate gives every variant the abstraction of its relation; base has the relation of
// each variant (sec. 4.3).
func (a *Abstraction) Replicate(base []int) *Abstraction {
	out := Bottom(len(base))
	for s, r := range base {
		out.Interface[s], out.Explicated[s] = slices.Clone(a.Interface[r]), slices.Clone(a.Explicated[r])
	}
	return out
}

// Collapse gives every one of so many relations the join of the abstractions of its variants.
func (a *Abstraction) Collapse(base []int, relations int) *Abstraction {
	out := Bottom(relations)
	for s, r := range base {
		for _, h := range a.Interface[s] {
			insert(&out.Interface[r], h)
		}
		for _, c := range a.Explicated[s] {
			insert(&out.Explicated[r], c)
		}
	}
	return out
}
