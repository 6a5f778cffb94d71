package bind

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Proposition is what an atom of a formula says of the states of a component.
type Proposition struct {
	Name string // as in Task.Propositions
	// Formula and Undefined are over the variables of Encoding.Words: where it holds, and
	// where it has no value (encode.Observed), in which Formula is false.
	Formula, Undefined *logic.Term
	// Label: it holds at the locations At, sorted, whatever the variables are; Formula and
	// Undefined are nil.
	Label bool
	At    []int
}

// Spelling are the parts of an atom COMPONENT::EXPRESSION, COMPONENT::at(LABEL) or
// COMPONENT::return {EXPRESSION}, which begins at From. Component is "" where the atom names
// none; Expr is "" of a return that may have any value.
type Spelling struct {
	Component, Label, Expr string
	From                   int // where Expr begins in the atom
	Returns                bool
}

var (
	returning  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*return\s*(?:\{(.*)\}\s*)?$`) })
	actionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z_]\w*(\.\w+)*$`) })
	atLabel    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*at\s*\(\s*([A-Za-z_]\w*)\s*\)\s*$`) })
	component  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*([A-Za-z_]\w*(?:\[-?\d+\])?(?:#\d+)?)\s*::`) })
)

// ParseProposition takes an atom of a formula apart; ok is false of one that reads like the
// name of an action, lock or fork.1.get, which it is then. "return" is no such name.
func ParseProposition(atom string) (s Spelling, ok bool) {
	s.Expr = atom
	if found := component().FindStringSubmatch(atom); found != nil {
		s.Component, s.From = found[1], len(found[0])
		s.Expr = atom[s.From:]
	}
	if found := returning().FindStringSubmatchIndex(s.Expr); found != nil {
		s.Returns, s.Label = true, ""
		if found[2] < 0 || strings.TrimSpace(s.Expr[found[2]:found[3]]) == "" {
			s.Expr = ""
			return s, true
		}
		s.Expr, s.From = s.Expr[found[2]:found[3]], s.From+found[2]
		return s, true
	}
	if actionName().MatchString(atom) || conditional(atom) {
		return Spelling{}, false
	}
	if found := atLabel().FindStringSubmatch(s.Expr); found != nil {
		s.Label, s.Expr = found[1], ""
	}
	return s, true
}

// asked is a proposition of a component.
type asked struct {
	name, label string
	at          source.Span // of the atom
	expr        *specification.CExpr
	condition   int // or -1
}

// atomAt is where an atom stands in a formula, in a file of its own if that is not known.
func (b *binder) atomAt(name string) source.Span {
	for _, f := range b.task.Formulas {
		if i := strings.Index(f.Text(), `"`+name+`"`); i >= 0 {
			return f.File.Span(f.Start+i+1, f.Start+i+1+len(name))
		}
		if i := strings.Index(f.Text(), name); i >= 0 {
			return f.File.Span(f.Start+i, f.Start+i+len(name))
		}
	}
	return source.NewFile("<formula>", name).Span(0, len(name))
}

// propositions finds the component that each proposition is about.
func (b *binder) propositions() {
	known := lists.Append(nil, b.parts, func(p *part) string { return p.name })
	for i, name := range b.task.Propositions {
		if slices.Contains(b.task.Propositions[:i], name) {
			continue
		}
		s, ok := ParseProposition(name)
		at := b.atomAt(name)
		if !ok { // the name of an action, or of a routine: see events
			continue
		}
		if !b.namesOnce(&s, at) {
			continue
		}
		p := b.partOf(s.Component)
		about := []*part{p}
		switch {
		case p == nil && s.Component == "" && s.Returns:
			about = b.parts
		case p == nil && s.Component == "":
			b.errs.Errorf(at, "which-component", "there are several components").Help = "say of which of them: " + known[0] + "::" + strings.TrimSpace(name)
			continue
		case p == nil:
			b.errs.Errorf(at, "unknown-component", "there is no component %s", s.Component).Help = source.DidYouMean(s.Component, known)
			continue
		}
		a := asked{name: name, label: s.Label, at: at, condition: -1}
		if s.Label == "" && s.Expr != "" {
			var err error
			a.expr, err = specification.ParseExpr(at.File.Span(at.Start+s.From, at.Start+s.From+len(s.Expr)), s.Returns)
			b.add(err)
		}
		for _, p := range about {
			own := a
			if s.Returns {
				p.returns = append(p.returns, &own)
			} else {
				p.asked = append(p.asked, &own)
			}
		}
	}
}

// inside finds components that are named inside of an expression.
var inside = regexp.MustCompile(`([A-Za-z_]\w*(?:\[-?\d+\])?(?:#\d+)?)\s*::\s*`)

// namesOnce reports whether a proposition, which stands at a place, names its component once,
// and before all of it.
func (b *binder) namesOnce(s *Spelling, at source.Span) bool {
	again := inside.FindStringSubmatchIndex(s.Expr)
	if again == nil {
		return true
	}
	name := s.Expr[again[2]:again[3]]
	place := at.File.Span(at.Start+s.From+again[0], at.Start+s.From+again[1])
	if s.Component != "" && s.Component != name {
		b.errs.Errorf(place, "two-components", "a proposition is about one component, not about %s and %s", s.Component, name).Help =
			"components share no variables: say what each does in propositions of their own, or by actions"
		return false
	}
	b.errs.Errorf(place, "component-inside", "a component is named once, before the whole expression").Help =
		"write " + strconv.Quote(name+"::"+strings.TrimSpace(inside.ReplaceAllString(s.Expr, "")))
	return false
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
	text := b.replaced(a.expr)
	c := cfront.Condition{Routine: p.procedure, Expr: a.at.File.Span(int(a.expr.Start), int(a.expr.End)), Text: text}
	c.Locals = b.locals(p, a.expr)
	a.condition = len(b.list)
	b.list = append(b.list, c)
}

// locals are the variables of a component's procedure that an expression names.
func (b *binder) locals(p *part, e *specification.CExpr) (all []ir.NamedVar) {
	f := b.plain.Func(p.procedure)
	if f == nil {
		return nil
	}
	for _, w := range e.Words {
		v, is := b.plain.Named(f, w.Text)
		if is && !slices.Contains(all, v) {
			all = append(all, v)
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
			b.errs.Errorf(a.at, "unknown-label", "%s has no label %s", p.procedure, a.label).Help = near(a.label, "its labels are", labels)
			if len(labels) == 0 {
				b.errs[len(b.errs)-1].Help = "it has none: write one, " + a.label + ":, in the C source"
			}
			continue
		}
		q.Label, q.At = true, at
		all = append(all, q)
	}
	return all
}

// near suggests a name that may be meant, or lists those that there are, if they are few.
func near(name, are string, known []string) string {
	const most = 10
	switch help := source.DidYouMean(name, known); {
	case help != "" && len(name) > 1: // all names of one letter are near
		return help
	case len(known) == 0 || len(known) > most:
		return ""
	}
	return are + " " + strings.Join(known, ", ")
}
