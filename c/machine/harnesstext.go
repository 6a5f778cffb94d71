package machine

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
)

// typeName is what a harness calls a type: memory that is copied as a whole is a struct of
// bytes, and so is floating point that is not computed.
func (h *harness) typeName(t *ir.Type) string {
	switch t.Kind {
	case ir.Void:
		return "void"
	case ir.Integer:
		return t.Name
	case ir.IEEE:
		h.floats = true
		return t.Name
	case ir.Pointer:
		return "char *"
	}
	size := max(t.Size, 0)
	h.sizes[size] = true
	return fmt.Sprintf("struct seltl_%d", size)
}

// aliasName is a type for accesses to memory of any other one.
func (h *harness) aliasName(t *ir.Type) string {
	switch {
	case t.Kind == ir.Pointer:
		return "seltl_pointer"
	case t.Kind == ir.IEEE:
		return "seltl_" + t.Name
	case t.Bool:
		return "seltl_bool"
	case t.Kind == ir.Integer && t.Size == 8 && !t.Signed:
		return "seltl_bits"
	case t.Kind == ir.Integer:
		return fmt.Sprintf("seltl_%s%d", map[bool]string{true: "i", false: "u"}[t.Signed], t.Width())
	}
	return h.typeName(t)
}

func (h *harness) declaration(v *ir.Var) string { return h.typeName(v.Type) + " " + h.names[v] }

func (h *harness) signature(f *ir.Func) string {
	params := lists.Append(nil, f.Params, func(p *ir.Var) string { return h.typeName(p.Type) + " " + h.names[p] })
	if len(params) == 0 {
		params = []string{"void"}
	}
	return fmt.Sprintf("%s %s(%s)", h.typeName(f.Type.Result), h.names[f], strings.Join(params, ", "))
}

// local makes a name for a variable of a routine.
func (h *harness) local(v *ir.Var, own map[string]bool) {
	name := h.name(v.Name)
	delete(h.taken, name)
	for base, n := name, 2; own[name] || h.taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	own[name] = true
	h.names[v] = name
}

func (h *harness) routine(f *ir.Func) {
	own := map[string]bool{}
	for _, v := range append(append([]*ir.Var{}, f.Params...), f.Locals...) {
		h.local(v, own)
	}
	fmt.Fprintf(h, "\nstatic %s\n{\n", h.signature(f))
	h.mortal = map[*ir.Var]bool{}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if e, ok := i.(*ir.End); ok {
				for _, v := range e.Vars {
					h.mortal[v] = true
				}
			}
		}
	}
	for _, v := range f.Locals {
		first := map[bool]string{true: " = 0", false: " = {0}"}[v.Type.Scalar()]
		fmt.Fprintf(h, "\t%s __attribute__((aligned(16)))%s;\n", h.declaration(v), first)
	}
	h.WriteString("\tint seltl_now = ++seltl_event;\n")
	for _, v := range append(append([]*ir.Var{}, f.Params...), f.Locals...) {
		if h.born[v] {
			fmt.Fprintf(h, "\tseltl_begin(seltl_now, %d, (char *)&%s, sizeof %s);\n", h.number(v), h.names[v], h.names[v])
		}
	}
	step := h.step
	if f == h.r.prog.Init { // which is no part of the run
		step = h.line
	}
	for i, b := range f.Blocks {
		fmt.Fprintf(h, "L%d:;\n", b.Index)
		for _, in := range b.Instrs {
			step(h.instr(in), in.At())
		}
		next := (*ir.Block)(nil)
		if i+1 < len(f.Blocks) {
			next = f.Blocks[i+1]
		}
		step(h.end(f, b.End, next), b.End.At())
	}
	h.WriteString("}\n")
}

// step is a line for something that the machine does.
func (h *harness) step(text string, at ir.Span) {
	if h.r.ofMemory() {
		text = "SELTL_STEP " + text
	}
	h.line(text, at)
}

func (h *harness) line(text string, at ir.Span) {
	if text == "" {
		return
	}
	if place := Where(at); place != "" {
		text = fmt.Sprintf("%-60s // %s", text, place)
	}
	fmt.Fprintf(h, "\t%s\n", text)
}

func (h *harness) end(f *ir.Func, t ir.Terminator, next *ir.Block) string {
	switch t := t.(type) {
	case *ir.Jump:
		if t.To == next {
			return ""
		}
		return fmt.Sprintf("goto L%d;", t.To.Index)
	case *ir.Branch:
		return fmt.Sprintf("if (%s) goto L%d; else goto L%d;", h.expr(t.Cond), t.Then.Index, t.Else.Index)
	case *ir.Return:
		switch {
		case f.Type.Result.Kind == ir.Void:
			return "return;"
		case t.Value == nil:
			return fmt.Sprintf("{ %s none = {0}; seltl_open = 1; return none; }", h.typeName(f.Type.Result))
		}
		return fmt.Sprintf("seltl_open = 0; return %s;", h.whole(t.Value))
	case *ir.Fail:
		at := t.Span
		if f.Library { // the only failure of the run
			at = h.r.Outcome.Span
		}
		return fmt.Sprintf("seltl_end(%s, SELTL_FAILED);", quoted(Where(at)+": "+t.What))
	case *ir.Stop:
		return fmt.Sprintf("seltl_end(%s, 0);", quoted(Where(t.Span)+": "+t.What))
	}
	return ""
}

// whole is a value of any type.
func (h *harness) whole(e ir.Expr) string {
	switch l, ok := e.(*ir.Load); {
	case e.Type().Kind == ir.Float:
		return fmt.Sprintf("(%s){0}", h.typeName(e.Type()))
	case e.Type().Aggregate() && ok:
		return fmt.Sprintf("*(%s *)%s", h.typeName(e.Type()), h.address(l.From))
	}
	return h.expr(e)
}

func (h *harness) instr(i ir.Instr) string {
	if to := ir.Destination(i); to != nil && to.Var != nil && h.mortal[to.Var] && h.r.ofMemory() { // it may begin here
		return fmt.Sprintf("SELTL_BEGINS(&%s, sizeof %s); ", h.names[to.Var], h.names[to.Var]) + h.does(i)
	}
	return h.does(i)
}

func (h *harness) does(i ir.Instr) string {
	switch i := i.(type) {
	case *ir.End:
		return h.ends(i)
	case *ir.Assign:
		if i.To.Type.Aggregate() {
			return fmt.Sprintf("__builtin_memmove(%s, %s, %d);", h.address(i.To), h.address(i.Value.(*ir.Load).From), i.To.Type.Size)
		}
		return h.store(i.To, h.expr(i.Value))
	case *ir.Havoc:
		return h.open(i.To)
	case *ir.Clear:
		return fmt.Sprintf("__builtin_memset(%s, 0, %d);", h.address(i.To), i.To.Type.Size)
	case *ir.Use:
		if i.Value.Type().Scalar() && h.r.ofMemory() { // compilers would leave it out
			return fmt.Sprintf("{ volatile %s seltl_used = %s; }", h.typeName(i.Value.Type()), h.expr(i.Value))
		}
		if i.Value.Type().Scalar() {
			return fmt.Sprintf("(void)%s;", h.expr(i.Value))
		}
	case *ir.Assume:
		return fmt.Sprintf("if (!(%s)) seltl_end(\"an assumption does not hold\", 0);", h.expr(i.Cond))
	case *ir.Call:
		return h.call(i)
	}
	return ""
}

// ends ends locals: the sanitizer is told.
func (h *harness) ends(e *ir.End) string {
	if !h.r.ofMemory() {
		return ""
	}
	var b strings.Builder
	for _, v := range e.Vars {
		fmt.Fprintf(&b, "SELTL_ENDS(&%s, sizeof %s); ", h.names[v], h.names[v])
	}
	return b.String()
}

// store assigns a scalar.
func (h *harness) store(p ir.Place, value string) string {
	switch {
	case p.Type.Kind == ir.Float:
		return ""
	case p.Bits > 0:
		return fmt.Sprintf("seltl_set(%s, %d, %d, %s);", h.address(p), p.BitOff, p.Bits, value)
	case direct(p):
		return fmt.Sprintf("%s = %s;", h.names[p.Var], value)
	}
	return fmt.Sprintf("*(%s *)%s = %s;", h.aliasName(p.Type), h.address(p), value)
}

// open gives a place what the run was given there.
func (h *harness) open(p ir.Place) string {
	if p.Type.Aggregate() || p.Type.Kind == ir.Float {
		return fmt.Sprintf("seltl_forget(%s, %d);", h.address(p), max(p.Type.Size, 0))
	}
	return h.store(p, h.given(p.Type))
}

func (h *harness) given(t *ir.Type) string {
	if t.Kind == ir.Pointer {
		return "seltl_at(seltl_given())"
	}
	if t.Kind == ir.IEEE {
		return fmt.Sprintf("seltl_as_%s(seltl_given())", t.Name)
	}
	return fmt.Sprintf("(%s)seltl_given()", t.Name)
}

// direct reports a place that is a scalar variable as a whole.
func direct(p ir.Place) bool {
	return p.Var != nil && p.Off == 0 && len(p.Index) == 0 && p.Bits == 0 && p.Type.Scalar() && p.Var.Type.Kind == p.Type.Kind &&
		p.Var.Type.Size == p.Type.Size && p.Var.Type.Signed == p.Type.Signed && p.Var.Type.Bool == p.Type.Bool
}

func (h *harness) call(c *ir.Call) string {
	if c.Callee != nil {
		return h.enter(c, c.Callee)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{ char *seltl_f = %s; ", h.expr(c.Ptr))
	for _, f := range h.r.prog.Funcs {
		if h.r.called[target{c, f}] {
			fmt.Fprintf(&b, "if (seltl_f == (char *)%s) { %s } else ", h.names[f], h.enter(c, f))
		}
	}
	return b.String() + "{ " + h.external(c, nil) + " } }"
}

// enter calls one routine.
func (h *harness) enter(c *ir.Call, f *ir.Func) string {
	if f.Extern() {
		return h.external(c, f)
	}
	if !h.r.entered[f] {
		return fmt.Sprintf("seltl_end(%s, 3);", quoted("the run does not come to "+f.Name))
	}
	var args []string
	for i, p := range f.Params {
		switch {
		case i >= len(c.Args) || p.Type.Scalar() != c.Args[i].Type().Scalar():
			h.err = fmt.Errorf("the arguments of %s have other types than its parameters", f.Name)
		case p.Type.Scalar():
			args = append(args, h.convert(c.Args[i], p.Type))
		default:
			args = append(args, h.whole(c.Args[i]))
		}
	}
	text := fmt.Sprintf("%s(%s);", h.names[f], strings.Join(args, ", "))
	if c.To == nil || f.Type.Result.Kind == ir.Void || c.To.Type.Kind == ir.Float {
		return text
	}
	if !c.To.Type.Scalar() {
		return fmt.Sprintf("*(%s *)%s = %s", h.typeName(c.To.Type), h.address(*c.To), text)
	}
	call := strings.TrimSuffix(text, ";")
	switch from := f.Type.Result; {
	case c.To.Type.Kind == ir.Pointer && from.Kind == ir.Integer:
		call = "seltl_at((seltl_uword)" + call + ")"
	case c.To.Type.Kind == ir.Integer && from.Kind == ir.Pointer:
		call = fmt.Sprintf("(%s)(seltl_uword)%s", c.To.Type.Name, call)
	}
	text = h.store(*c.To, call)
	for _, b := range f.Blocks {
		if r, ok := b.End.(*ir.Return); ok && r.Value == nil {
			return text + " if (seltl_open) { " + h.open(*c.To) + " }"
		}
	}
	return text
}

// external is a call of a routine without a body, nil if no routine is known: what Machine computes,
// or what it was given.
func (h *harness) external(c *ir.Call, f *ir.Func) string {
	var args []string
	for _, a := range c.Args {
		if a.Type().Scalar() {
			args = append(args, h.expr(a))
		}
	}
	if f != nil {
		if news, _ := f.Allocates(); news {
			call := fmt.Sprintf("seltl_new((seltl_uword)(%s))", strings.Join(args, ") * (seltl_uword)("))
			if c.To == nil {
				return call + ";"
			}
			return h.store(*c.To, call)
		}
	}
	if f != nil {
		switch {
		case f.Asks() == ir.AsksSize && c.To != nil:
			return h.store(*c.To, fmt.Sprintf("(%s)seltl_size((char *)%s)", c.To.Type.Name, args[0]))
		case f.Asks() == ir.AsksApart && h.r.ofMemory():
			return fmt.Sprintf("SELTL_APART((char *)%s, (char *)%s, %s);", args[0], args[1], args[2])
		case f.Asks() != ir.NoQuestion:
			return ""
		case f.Frees() && h.r.ofMemory():
			return fmt.Sprintf("seltl_free((char *)%s);", args[0])
		}
	}
	if c.To == nil {
		return ""
	}
	return h.open(*c.To)
}

// main runs the program.
func (h *harness) main() {
	h.WriteString("\nint main(void)\n{\n\tseltl_begin(0, 0, seltl_memory, sizeof seltl_memory);\n")
	for _, v := range h.r.prog.Globals {
		if h.born[v] {
			fmt.Fprintf(h, "\tseltl_begin(0, %d, (char *)&%s, sizeof %s);\n", h.number(v), h.names[v], h.names[v])
		}
	}
	var args []string
	for i, p := range h.r.entry.Params {
		var bits uint64
		if i < len(h.r.args) {
			bits = ir.Extend(p.Type, h.r.args[i])
		}
		switch p.Type.Kind {
		case ir.Integer:
			args = append(args, fmt.Sprintf("(%s)%#xull", p.Type.Name, bits))
		case ir.IEEE:
			args = append(args, h.number64(p.Type, bits))
		case ir.Pointer:
			args = append(args, fmt.Sprintf("seltl_at((seltl_uword)%#xull)", bits))
		default:
			args = append(args, fmt.Sprintf("(%s){0}", h.typeName(p.Type)))
		}
	}
	call := fmt.Sprintf("%s(%s)", h.names[h.r.entry], strings.Join(args, ", "))
	fmt.Fprintf(h, "\t%s();\n", h.names[h.r.prog.Init])
	if h.r.entry.Type.Result.Kind == ir.Integer {
		fmt.Fprintf(h, "\tdprintf(2, \"the result is %%lld\\n\", (long long)%s);\n", call)
	} else {
		fmt.Fprintf(h, "\t%s;\n", call)
	}
	if h.r.ofMemory() {
		h.WriteString("\tseltl_end(SELTL_WHAT, SELTL_STATUS);\n}\n")
		return
	}
	h.WriteString("\tseltl_end(\"the run ends without the failure\", 0);\n}\n")
}
