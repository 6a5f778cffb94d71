package machine

import "github.com/seltl/seltl/c/ir"

// changes takes down that something is stored at a place that a pointer leads to. To change what is constant is
// undefined (C11 6.7.3, 6), and most machines end the run there.
func (m *Machine) changes(to ir.Place, at access) {
	if to.Var != nil || at.o.v == nil || m.guess != "" {
		return
	}
	v, t := at.o.v, at.o.v.Type
	for t.Kind == ir.Array {
		t = t.Elem
	}
	if v.Literal == "" && !v.Const && t.Kind != ir.Struct {
		return
	}
	off, size := at.span()
	if names := v.Constants(off, off+size); len(names) > 0 {
		m.decided(m.guesses.label(guess{why: "what becomes of the constant " + names[0] + ", which is changed"}))
	}
}
