package machine

import "github.com/seltl/seltl/c/ir"

// endAll ends locals, and the arrays that they point to. Each life of a local has an object of its own. Where lives
// are not looked at, a formula may still speak of the last one.
func (m *Machine) endAll(e *ir.End) {
	vars := m.top().vars
	for _, v := range e.Vars {
		m.endArray(v)
		switch o := vars[v]; {
		case o == nil:
		case !m.mem.lives:
			m.mem.leave(o)
		case m.mem.taken[v]:
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
			if m.mem.lives {
				m.mem.end(o)
			} else {
				m.mem.leave(o)
			}
		}
	}
}
