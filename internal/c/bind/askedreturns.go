package bind

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/lists"
)

// askReturn adds the condition of a proposition about returning.
func (b *binder) askReturn(p *part, a *asked) {
	if a.expr == nil {
		return
	}
	for _, n := range a.expr.Dollars() {
		if n > 0 {
			b.errs.Errorf(a.at, "argument", "$%d has no meaning in what is returned", n).Help = "$0 is the value that is returned"
			return
		}
	}
	if !b.value(p) {
		b.errs.Errorf(a.at, "no-result", "%s returns no integer and no pointer", p.procedure).Help = "write return"
		return
	}
	a.condition = len(b.list)
	b.list = append(b.list, cfront.Condition{Routine: p.procedure, Expr: a.at.File.Span(int(a.expr.Start), int(a.expr.End)), Text: b.replaced(a.expr), Result: true})
}

// valued are the propositions about returning some values.
func (p *part) valued() (all []*asked) {
	return lists.Filter(p.returns, func(a *asked) bool { return a.condition >= 0 })
}

// ownReturns are the classes of what a component returns where no claim has any: its own
// actions, that is what propositions speak of.
func (b *binder) ownReturns(p *part) (classes []encode.Class) {
	if len(p.returns) == 0 {
		return nil
	}
	for _, a := range p.returns {
		if _, known := b.q.Returns[a.name]; !known { // perhaps no value is such
			b.q.Returns[a.name] = nil
		}
	}
	valued := p.valued()
	for _, signs := range p.split {
		class := encode.Class{}
		var holds []string
		for i, a := range valued {
			class.Where = append(class.Where, encode.Literal{Condition: b.q.Program.Conditions[a.condition], Negated: !signs[i]})
			if text := textOf(a.expr); signs[i] && !slices.Contains(holds, text) {
				holds = append(holds, text)
			}
		}
		class.Action = "return {" + strings.Join(holds, " && ") + "}"
		if len(b.parts) > 1 {
			class.Action = p.name + "::" + class.Action
		}
		classes = append(classes, class)
		for _, a := range p.returns {
			if i := slices.Index(valued, a); i < 0 || signs[i] {
				b.q.Returns[a.name] = append(b.q.Returns[a.name], class.Action)
			}
		}
	}
	return classes
}
