package machine

import "github.com/seltl/seltl/c/ir"

// endAll ends locals, and the arrays that they point to. Each life of a local has an object of its own.
func (m *Machine) endAll(e *ir.End) {
	vars := m.top().vars
	for _, v := range e.Vars {
		m.endArray(v)
		if o := vars[v]; o != nil && m.mem.taken[v] {
			m.mem.end(o)
			delete(vars, v)
		}
	}
}

// endArray ends the array of variable length that a local stands for, if that has been made.
func (m *Machine) endArray(v *ir.Var) {
	at := m.top().vars[v]
	if at == nil || v.Type.Kind != ir.Pointer {
		return
	}
	if bits, ok := m.peek(access{o: at, t: v.Type}); ok {
		if o := m.mem.find(bits); o != nil && o.site != nil && o.site.Callee != nil && o.site.Callee.Name == ir.ArrayRoutine && o.site.To != nil && o.site.To.Var == v {
			m.mem.end(o)
		}
	}
}
