package ir

import (
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/lists"
)

// WriteC prints the program's routines as simplified C: with labels and gotos, one
// instruction a line, each with the line of the source that it comes from.
func (p *Program) WriteC(w io.Writer) error {
	var b strings.Builder
	for _, v := range p.Globals {
		if v.Literal != "" {
			fmt.Fprintf(&b, "%s = %q;\n", Declaration(v.Name, v.Type), strings.TrimSuffix(v.Literal, "\x00"))
			continue
		}
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
	params := lists.Append(nil, f.Params, func(p *Var) string { return Declaration(p.Name, p.Type) })
	if f.Extern() {
		if f.Name == UnreadRoutine {
			return
		}
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
			if a, ok := in.(*Assign); ok && a.To.Var != nil && a.To.Var.Literal != "" && f.Name == Initialisers {
				continue // written with the variable
			}
			writeLine(b, InstrText(in), f.line(in.At()))
		}
		next := (*Block)(nil)
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		if text := endText(block.End, next); text != "" {
			writeLine(b, text, f.line(block.End.At()))
		}
	}
	b.WriteString("}\n")
}

// line is the place of something in a routine, if that is in a source of the program.
func (f *Func) line(at Span) Span {
	if f.Library {
		return Span{}
	}
	return at
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
		text := fmt.Sprintf("if (%s) goto %s;", bare(t.Cond), t.Then.name())
		if t.Else != next {
			text += " else goto " + t.Else.name() + ";"
		}
		return text
	case *Return:
		if t.Value == nil {
			return "return;"
		}
		return "return " + bare(t.Value) + ";"
	case *Fail:
		return "fail; /* " + t.What + " */"
	case *Stop:
		return "stop; /* " + t.What + " */"
	}
	return ""
}

// bare is an expression that nothing stands beside: without brackets around all of it.
func bare(e Expr) string {
	text := Text(e)
	if !strings.HasPrefix(text, "(") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '"', '\'':
			return text
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(text)-1 {
				return text // (a) + (b)
			}
		}
	}
	return text[1 : len(text)-1]
}

// InstrText is an instruction as C has it; choices are calls of any() and unknown().
func InstrText(i Instr) string {
	switch i := i.(type) {
	case *Assign:
		return fmt.Sprintf("%s = %s;", i.To, bare(i.Value))
	case *Havoc:
		switch i.Why {
		case Floating:
			return fmt.Sprintf("%s = floating();", i.To)
		case Padding:
			return fmt.Sprintf("%s = padding();", i.To)
		}
		return fmt.Sprintf("%s = any();", i.To)
	case *Clear:
		return fmt.Sprintf("%s = {0};", i.To)
	case *Assume:
		return fmt.Sprintf("assume(%s);", bare(i.Cond))
	case *Use:
		return bare(i.Value) + ";"
	case *End:
		return fmt.Sprintf("end(%s);", strings.Join(lists.Map(i.Vars, func(v *Var) string { return v.Name }), ", "))
	case *Call:
		args := lists.Append(nil, i.Args, bare)
		name := "(*" + Text(i.Ptr) + ")"
		if i.Callee != nil {
			name = i.Callee.Name
		}
		if i.Unread != "" {
			return fmt.Sprintf("%s; /* %s */", UnreadRoutine, i.Unread)
		}
		text := fmt.Sprintf("%s(%s);", name, strings.Join(args, ", "))
		if i.To != nil {
			text = i.To.String() + " = " + text
		}
		return text
	}
	return ""
}
