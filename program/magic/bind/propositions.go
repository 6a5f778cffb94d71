package bind

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/cfront/encode"
	"github.com/seltl/seltl/program/magic"
)

// Proposition is what an atom of a formula says of the states of a component.
type Proposition struct {
	Name string // as in Task.Propositions
	// Formula and Undefined are over the variables of Encoding.Words: where it holds, and
	// where it has no value (encode.Observed), in which Formula is false.
	Formula, Undefined *logic.Term
	// Label: it holds at the location At, whatever the variables are; Formula and Undefined
	// are nil.
	Label bool
	At    int
}

// Spelling are the parts of an atom COMPONENT::EXPRESSION or COMPONENT::at(LABEL). Component
// is "" where the atom names none.
type Spelling struct{ Component, Label, Expr string }

var (
	actionName = regexp.MustCompile(`^[a-z_]\w*(\.\w+)*$`)
	atLabel    = regexp.MustCompile(`^\s*at\s*\(\s*([A-Za-z_]\w*)\s*\)\s*$`)
	component  = regexp.MustCompile(`^\s*([A-Za-z_]\w*(?:\[-?\d+\])?(?:#\d+)?)\s*::`)
)

// ParseProposition takes an atom of a formula apart; ok is false of one that reads like the
// name of an action, lock or fork.1.get, which it is then.
func ParseProposition(atom string) (s Spelling, ok bool) {
	if actionName.MatchString(atom) {
		return s, false
	}
	s.Expr = atom
	if found := component.FindStringSubmatch(atom); found != nil {
		s.Component, s.Expr = found[1], atom[len(found[0]):]
	}
	if found := atLabel.FindStringSubmatch(s.Expr); found != nil {
		s.Label, s.Expr = found[1], ""
	}
	return s, true
}

// asked is a proposition of a component.
type asked struct {
	name, label string
	src         *source.File
	expr        *magic.CExpr
	condition   int // or -1
}

// propositions finds the component that each proposition is about.
func (b *binder) propositions() {
	var known []string
	for _, p := range b.parts {
		known = append(known, p.name)
	}
	for i, name := range b.task.Propositions {
		if slices.Contains(b.task.Propositions[:i], name) {
			continue
		}
		s, ok := ParseProposition(name)
		src := source.NewFile("<formula>", name)
		whole := src.Span(0, len(name))
		if !ok {
			b.errs.Errorf(whole, "unknown-action", "no component takes part in an action %s", name).Help = "a proposition that is one name alone is written with a comparison: " + name + " != 0"
			continue
		}
		p := b.partOf(s.Component)
		switch {
		case p == nil && s.Component == "":
			b.errs.Errorf(whole, "which-component", "there are several components").Help = "say of which of them: " + known[0] + "::" + strings.TrimSpace(name)
			continue
		case p == nil:
			b.errs.Errorf(whole, "unknown-component", "there is no component %s", s.Component).Help = source.DidYouMean(s.Component, known)
			continue
		}
		a := &asked{name: name, label: s.Label, src: source.NewFile("<formula>", s.Expr), condition: -1}
		if s.Label == "" {
			var err error
			a.expr, err = magic.ParseExpr(a.src)
			b.add(err)
		}
		p.asked = append(p.asked, a)
	}
}

// partOf is a component by its name, or by that of a procedure that is one component's only;
// nil if there is none.
func (b *binder) partOf(name string) *part {
	var found []*part
	for _, p := range b.parts {
		if p.name == name && name != "" {
			return p
		}
		if name == "" || p.procedure == name {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// askCondition adds a proposition over the variables of a component's procedure to the
// conditions.
func (b *binder) askCondition(p *part, a *asked) {
	if a.expr == nil {
		return
	}
	text := b.replaced(a.expr, p.bound)
	c := cfront.Condition{Routine: p.procedure, Expr: a.src.Span(int(a.expr.Start), int(a.expr.End)), Text: text}
	c.Locals = b.locals(p, a.expr)
	a.condition = len(b.list)
	b.list = append(b.list, c)
}

// locals are the variables of a component's procedure that an expression names.
func (b *binder) locals(p *part, e *magic.CExpr) (all []cfront.NamedVar) {
	f := b.plain.Func(p.procedure)
	if f == nil {
		return nil
	}
	for _, w := range e.Words {
		v := local(f, w.Text)
		if v != nil && !slices.ContainsFunc(all, func(n cfront.NamedVar) bool { return n.Name == v.Name }) {
			all = append(all, cfront.NamedVar{Name: v.Name, Type: v.Type})
		}
	}
	return all
}

// observed are the propositions of a component.
func (b *binder) observed(p *part, e *encode.Encoding) (all []Proposition) {
	seen := e.Observed()
	for _, a := range p.asked {
		q := Proposition{Name: a.name}
		if a.condition >= 0 {
			q.Formula, q.Undefined = seen[0].Words, seen[0].UndefinedWords
			seen = seen[1:]
			all = append(all, q)
			continue
		}
		at, known := e.Labels()[a.label]
		if !known {
			var labels []string
			for name := range e.Labels() {
				labels = append(labels, name)
			}
			slices.Sort(labels)
			whole := source.NewFile("<formula>", a.name)
			b.errs.Errorf(whole.Span(0, len(a.name)), "unknown-label", "%s has no label %s", p.procedure, a.label).Help = source.DidYouMean(a.label, labels)
			continue
		}
		q.Label, q.At = true, at
		all = append(all, q)
	}
	return all
}
