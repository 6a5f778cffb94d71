package cfront

import (
	"fmt"
	"io"
	"strings"
)

// operatorText are the operators as C writes them.
var operatorText = map[Op]string{Neg: "-", BitNot: "~", Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", Shl: "<<", Shr: ">>",
	BitAnd: "&", BitOr: "|", BitXor: "^", Eq: "==", Ne: "!=", Lt: "<", Le: "<="}

// WriteC prints the program's routines as simplified C: with labels and gotos, one
// instruction a line, each with the line of the source that it comes from.
func (p *Program) WriteC(w io.Writer) error {
	var b strings.Builder
	for _, v := range p.Globals {
		fmt.Fprintf(&b, "%s;\n", Declaration(v.Name, v.Type))
	}
	for _, f := range append([]*Func{p.Init}, p.Funcs...) {
		f.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Declaration is the declaration of a name in C: "int a[3]".
func Declaration(name string, t *Type) string {
	if t.Kind == Array {
		return Declaration(fmt.Sprintf("%s[%d]", name, t.Len), t.Elem)
	}
	return t.Name + " " + name
}

func (f *Func) write(b *strings.Builder) {
	var params []string
	for _, p := range f.Params {
		params = append(params, Declaration(p.Name, p.Type))
	}
	if f.Extern() {
		result, rest, _ := strings.Cut(f.Type.Name, "(")
		fmt.Fprintf(b, "extern %s %s(%s;\n", result, f.Name, rest)
		return
	}
	fmt.Fprintf(b, "\n%s %s(%s)\n{\n", f.Type.Result.Name, f.Name, strings.Join(params, ", "))
	for _, v := range f.Locals {
		fmt.Fprintf(b, "    %s;\n", Declaration(v.Name, v.Type))
	}
	for i, block := range f.Blocks {
		fmt.Fprintf(b, "%s:\n", block.name())
		for _, in := range block.Instrs {
			writeLine(b, InstrText(in), in.At())
		}
		next := (*Block)(nil)
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		if text := endText(block.End, next); text != "" {
			writeLine(b, text, block.End.At())
		}
	}
	b.WriteString("}\n")
}

func writeLine(b *strings.Builder, text string, at Span) {
	if at.Valid() {
		fmt.Fprintf(b, "    %-50s // %d\n", text, at.Pos().Line)
	} else {
		fmt.Fprintf(b, "    %s\n", text)
	}
}

func (b *Block) name() string {
	if b.Label != "" {
		return b.Label
	}
	return fmt.Sprintf("L%d", b.Index)
}

func endText(t Terminator, next *Block) string {
	switch t := t.(type) {
	case *Jump:
		if t.To == next {
			return ""
		}
		return "goto " + t.To.name() + ";"
	case *Branch:
		text := fmt.Sprintf("if (%s) goto %s;", Text(t.Cond), t.Then.name())
		if t.Else != next {
			text += " else goto " + t.Else.name() + ";"
		}
		return text
	case *Return:
		if t.Value == nil {
			return "return;"
		}
		return "return " + Text(t.Value) + ";"
	case *Fail:
		return "fail; /* " + t.What + " */"
	case *Stop:
		return "stop; /* " + t.What + " */"
	}
	return ""
}

// InstrText is an instruction as C has it; choices are calls of any() and unknown().
func InstrText(i Instr) string {
	switch i := i.(type) {
	case *Assign:
		return fmt.Sprintf("%s = %s;", i.To, Text(i.Value))
	case *Havoc:
		if i.Why == Floating {
			return fmt.Sprintf("%s = floating();", i.To)
		}
		return fmt.Sprintf("%s = any();", i.To)
	case *Clear:
		return fmt.Sprintf("%s = {0};", i.To)
	case *Assume:
		return fmt.Sprintf("assume(%s);", Text(i.Cond))
	case *Use:
		return Text(i.Value) + ";"
	case *Call:
		var args []string
		for _, a := range i.Args {
			args = append(args, Text(a))
		}
		name := "(*" + Text(i.Ptr) + ")"
		if i.Callee != nil {
			name = i.Callee.Name
		}
		text := fmt.Sprintf("%s(%s);", name, strings.Join(args, ", "))
		if i.To != nil {
			text = i.To.String() + " = " + text
		}
		return text
	}
	return ""
}

// String is the place as C has it, with names of members where the type tells them.
func (p Place) String() string {
	text, t := "", (*Type)(nil)
	if p.Var != nil {
		text, t = p.Var.Name, p.Var.Type
	} else {
		if t = p.Ptr.Type().Elem; p.Off == 0 && len(p.Index) == 0 && (t.Scalar() || t == p.Type) {
			return "*" + Text(p.Ptr)
		}
		text = "(*" + Text(p.Ptr) + ")"
	}
	off, index := p.Off, p.Index
walk:
	for t != nil && (off != 0 || len(index) > 0 || t.Aggregate() && t != p.Type) {
		switch {
		case t.Kind == Array && t.Elem.Size > 0 && len(index) > 0 && index[0].Stride == t.Elem.Size:
			text += "[" + Text(index[0].By) + plus(off/t.Elem.Size) + "]"
			index, off, t = index[1:], off%t.Elem.Size, t.Elem
			continue
		case t.Kind == Array && t.Elem.Size > 0 && len(index) == 0:
			text += fmt.Sprintf("[%d]", off/t.Elem.Size)
			off, t = off%t.Elem.Size, t.Elem
			continue
		case t.Kind == Struct && !t.Union:
			if f, ok := p.fieldAt(t, off); ok {
				text, off, t = text+"."+f.Name, off-f.Off, f.Type
				continue
			}
		}
		break walk
	}
	if off != 0 || len(index) > 0 {
		text += fmt.Sprintf("<%d", off)
		for _, i := range index {
			text += fmt.Sprintf("+%d*%s", i.Stride, Text(i.By))
		}
		text += ">"
	}
	return text
}

func plus(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("+%d", n)
}

// fieldAt is the member that an offset lies in.
func (p Place) fieldAt(t *Type, off int64) (Field, bool) {
	for _, f := range t.Fields {
		if f.Bits > 0 && f.Off == off && f.BitOff == p.BitOff && f.Bits == p.Bits || f.Bits == 0 && p.Bits == 0 && f.Off <= off && off < f.Off+max(f.Type.Size, 1) ||
			f.Bits == 0 && f.Type.Kind == Struct && f.Off <= off && off < f.Off+f.Type.Size {
			return f, true
		}
	}
	return Field{}, false
}

// Text is an expression as C has it.
func Text(e Expr) string {
	switch e := e.(type) {
	case *Const:
		if e.T.Kind == Pointer && e.Bits == 0 {
			return "NULL"
		}
		if e.T.Signed {
			return fmt.Sprint(int64(e.Bits))
		}
		return fmt.Sprintf("%du", e.Bits)
	case *Load:
		return e.From.String()
	case *Addr:
		return "&" + e.Of.String()
	case *FuncAddr:
		return e.Func.Name
	case *Unary:
		return operatorText[e.Op] + Text(e.X)
	case *Binary:
		return fmt.Sprintf("(%s %s %s)", Text(e.X), operatorText[e.Op], Text(e.Y))
	case *Convert:
		return fmt.Sprintf("(%s)%s", e.T, Text(e.X))
	case *Move:
		return fmt.Sprintf("(%s + %s)", Text(e.P), Text(e.By))
	case *Distance:
		return fmt.Sprintf("(%s - %s)", Text(e.P), Text(e.Q))
	}
	return "?"
}
