package horn

import (
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// Write prints the problem as an SMT-LIB script, which Parse reads. The error is w's.
func (p *Problem) Write(w io.Writer) error {
	_, err := io.WriteString(w, "(set-logic HORN)\n"+p.String()+"(check-sat)\n")
	return err
}

// String returns the declarations and assertions of Write.
func (p *Problem) String() string {
	var b strings.Builder
	b.WriteString(p.declarations())
	for i, d := range p.Preds {
		sorts := lists.Map(d.Params, func(v *logic.Term) string { return v.Sort().String() })
		fmt.Fprintf(&b, "(declare-fun %s (%s) Bool)\n", logic.Symbol(p.PredName(i)), strings.Join(sorts, " "))
	}
	for i := range p.Clauses {
		p.writeClause(&b, &p.Clauses[i])
	}
	return b.String()
}

func (p *Problem) writeClause(b *strings.Builder, c *Clause) {
	vars := logic.Vars(c.Terms()...)
	b.WriteString("(assert ")
	if c.Name != "" {
		b.WriteString("(! ")
	}
	if len(vars) > 0 {
		b.WriteString("(forall (" + parameters(vars) + ") ")
	}
	b.WriteString("(=> (and true ")
	for _, a := range c.Body {
		b.WriteString(p.application(a) + " ")
	}
	b.WriteString(c.Constraint.Format(logic.SMTLIB))
	b.WriteString(") ")
	if c.Head != nil {
		b.WriteString(p.application(*c.Head) + " ")
	} else {
		b.WriteString("false")
	}
	b.WriteString(")")
	if len(vars) > 0 {
		b.WriteString(")")
	}
	if c.Name != "" {
		b.WriteString(" :named " + logic.Symbol(c.Name) + ")")
	}
	b.WriteString(")\n")
}

func (p *Problem) application(a App) string {
	name := logic.Symbol(p.PredName(a.Pred))
	if len(a.Args) == 0 {
		return name
	}
	return "(" + name + " " + logic.Formats(a.Args, logic.SMTLIB, " ") + ")"
}

func parameters(vars []*logic.Term) string {
	var b strings.Builder
	for _, v := range vars {
		b.WriteString("(" + logic.Symbol(v.Name()) + " " + v.Sort().String() + ")")
	}
	return b.String()
}

// WriteSolution prints a solution as solvers do, by a define-fun for each predicate, after define-funs-rec for folds;
// ParseSolution reads it. The error is w's.
func (p *Problem) WriteSolution(w io.Writer, s Solution) error {
	var b strings.Builder
	p.writeFolds(&b, s)
	for i, f := range s {
		if text := p.records.definition(p, i, f); text != "" {
			b.WriteString(text)
		} else {
			fmt.Fprintf(&b, "(define-fun %s (%s) Bool %s)\n", logic.Symbol(p.PredName(i)), parameters(p.Preds[i].Params), p.quantifiedText(s, i))
		}
	}
	_, err := io.WriteString(w, p.generics.written(b.String()))
	return err
}
