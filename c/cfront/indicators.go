package cfront

import (
	"slices"
	"strings"
)

// The indicators of a stream are clear at first. That of the end is set only where a read has come to the end, and one
// of both is set where a character was to be read and none was (C11 7.21.3, 7.21.7.1). Of a program that asks for the
// end, it is followed whether a read has come to one, of all streams as of one: it is a variable beside the others.
// That not both are clear behind a read that failed, and that none is set where nothing was read since it was clear, is
// asked of runs that were found (contradicts).

// asksEnd and asksError are the routines that ask for indicators, but for their variants.
const (
	asksEnd   = "feof"
	asksError = "ferror"
)

// indicator is the name of a routine of the library that asks for an indicator; "" of others.
func indicator(f *Func) string {
	if f == nil || f.Known == nil || !f.Extern() {
		return ""
	}
	if name := strings.TrimSuffix(plainName(f.Name), "_unlocked"); name == asksEnd || name == asksError {
		return name
	}
	return ""
}

// ends lets feof() be 0 until a read has come to the end.
func (l *linker) ends() {
	asked := false
	l.eachCall(func(_ *Func, c *Call) { asked = asked || indicator(c.Callee) == asksEnd && c.To != nil })
	if !asked {
		return
	}
	int_ := l.types.int()
	ended := whole(l.newGlobal("end of input", int_, Span{}))
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for k := 0; k < len(b.Instrs); k++ {
				c, ok := b.Instrs[k].(*Call)
				if !ok {
					continue
				}
				var behind Instr
				switch {
				case indicator(c.Callee) == asksEnd && c.To != nil:
					none := fold(&Binary{Eq, &Load{*c.To}, &Const{c.To.Type, 0}, int_})
					behind = &Assume{l.either(none, &Load{ended}), c.Span}
				case c.Callee != nil && readsCharacter(c.Callee) && c.To != nil && c.To.Type == int_:
					none := fold(&Binary{Lt, &Load{*c.To}, &Const{int_, 0}, int_})
					behind = &Assign{To: ended, Value: l.either(none, &Load{ended}), Span: c.Span}
				case l.mayEnd(c):
					behind = &Assign{To: ended, Value: &Const{int_, 1}, Span: c.Span}
				default:
					continue
				}
				k++
				b.Instrs = slices.Insert(b.Instrs, k, behind)
			}
		}
	}
}

// either is one of two numbers that is not 0, or 0.
func (l *linker) either(x, y Expr) Expr { return fold(&Binary{BitOr, x, y, l.types.int()}) }

// mayEnd reports a call that may read to the end: of routines that read, and of all that nothing is known of.
func (l *linker) mayEnd(c *Call) bool {
	f := c.Callee
	switch {
	case f == nil:
		return true // what it calls by a pointer
	case !f.Extern():
		return false
	case l.prog.scans[f] != nil || readsCharacter(f):
		return true
	case l.isInput(f):
		return false
	case f.Known == nil:
		return !strings.HasPrefix(f.Name, "__VERIFIER_")
	}
	return slices.ContainsFunc([]string{"getc", "getw", "getdelim", "getline", "gets", "scanf", "read", "flow"}, func(reads string) bool { return strings.Contains(f.Name, reads) })
}

// isInput reports a routine that stands for a choice.
func (l *linker) isInput(f *Func) bool {
	for _, g := range l.inputs {
		if f == g {
			return true
		}
	}
	return false
}
