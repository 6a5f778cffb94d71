package cfront

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// idle are templates of instructions that change nothing which a program can read: barriers among them,
// since nothing runs beside it.
var idle = map[string]bool{"": true, "nop": true, "pause": true, "rep; nop": true, "rep;nop": true, "mfence": true, "lfence": true, "sfence": true}

// assembly is an asm statement. One whose template is idle only moves values: its inputs are computed, an
// output that an input is tied to gets that, and what is both stays as it is. Others are refused.
func (r *routine) assembly(n *cc.AsmStatement) {
	no := func() {
		refuse(r.span(n), "c-asm", "replace it by C, or by a call of a routine without a body", "assembly is not supported")
	}
	template := strings.Trim(strings.NewReplacer(`"`, "", `\n`, " ", `\t`, " ", "\n", " ").Replace(n.Asm.Token3.SrcStr()), " \t;")
	if !idle[template] {
		no()
	}
	for q := n.Asm.AsmQualifierList; q != nil; q = q.AsmQualifierList {
		if q.AsmQualifier != nil && q.AsmQualifier.Case == cc.AsmQualifierGoto {
			no()
		}
	}
	var outputs, inputs []asmOperand
	part := 0
	for list := n.Asm.AsmArgList; list != nil; list = list.AsmArgList {
		for e := list.AsmExpressionList; e != nil; e = e.AsmExpressionList {
			o, ok := operandOf(e.AssignmentExpression)
			switch {
			case part < 2 && !ok:
				no()
			case part == 0:
				outputs = append(outputs, o)
			case part == 1:
				inputs = append(inputs, o)
			}
		}
		part++
	}
	for _, o := range append(slices.Clone(outputs), inputs...) {
		if bad := r.module.bad[o.e]; bad != nil {
			panic(bad)
		}
	}
	var places []ir.Place
	for _, o := range outputs {
		if hasEffects(o.e) {
			no()
		}
		places = append(places, r.place(o.e))
	}
	set := make([]ir.Expr, len(outputs))
	for _, o := range inputs {
		k := strings.Index("0123456789", strings.TrimLeft(o.constraint, "%"))
		if len(o.constraint) == 0 || hasEffects(o.e) || k >= len(outputs) {
			no()
		}
		v := r.need(o.e)
		if k >= 0 && v.Type().Scalar() && places[k].Type.Scalar() && v.Type().Size == places[k].Type.Size && (v.Type().Kind == ir.IEEE) == (places[k].Type.Kind == ir.IEEE) {
			set[k] = r.save(r.convert(o.e, v, places[k].Type), r.span(n))
		} else if k >= 0 {
			no()
		} else {
			r.use(v, r.span(n))
		}
	}
	for k, o := range outputs {
		switch {
		case strings.HasPrefix(o.constraint, "+") && set[k] == nil:
		case strings.HasPrefix(o.constraint, "=") && set[k] != nil:
			r.store(places[k], set[k], r.span(n))
		default:
			no()
		}
	}
}

// asmOperand is an operand of an asm statement.
type asmOperand struct {
	constraint string
	e          cc.ExpressionNode
}

// operandOf reads one, which the parser takes for the call of a string: "r"(x).
func operandOf(n cc.ExpressionNode) (asmOperand, bool) {
	call, ok := n.(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall || call.ArgumentExpressionList == nil || call.ArgumentExpressionList.ArgumentExpressionList != nil {
		return asmOperand{}, false
	}
	s, ok := call.PostfixExpression.(*cc.PrimaryExpression)
	if !ok || s.Case != cc.PrimaryExpressionString {
		return asmOperand{}, false
	}
	return asmOperand{strings.Trim(s.Token.SrcStr(), `"`), call.ArgumentExpressionList.AssignmentExpression}, true
}

// fileAssembly is assembly outside of routines. What it may define or change is what it names.
func (l *linker) fileAssembly(n *cc.AsmStatement) {
	l.assembled = append(l.assembled, identifier().FindAllString(n.Asm.Token3.SrcStr(), -1)...)
}

// assembledNames refuses what the program shares with assembly outside of routines.
func (l *linker) assembledNames(m *module) {
	for _, name := range l.assembled {
		for _, f := range []*ir.Func{m.funcs[name], l.funcs[name]} {
			if f != nil && f.Extern() {
				f.Known = ir.Unknowable()
			}
		}
		for _, v := range []*ir.Var{m.vars[name], l.vars[name]} {
			if v != nil {
				v.Unread = &ir.Refusal{}
				v.Unread.Code, v.Unread.Span, v.Unread.Message = "c-asm", v.Span, name+" is named by assembly outside of routines, which is not supported"
			}
		}
	}
}
