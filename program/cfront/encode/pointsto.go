package encode

import (
	"cmp"
	"maps"
	"slices"

	"github.com/seltl/seltl/program/cfront"
)

// target is what a pointer may point to.
type target struct {
	obj *object
	off int64
}

// pointsTo proposes targets of pointers: inclusion-based, flow-insensitive, by offsets
// ([Andersen94], chapter 4). Nothing rests on it being complete: see package comment.
type pointsTo struct {
	m       *memory
	held    map[target]map[target]bool // what is stored at a place
	results map[*cfront.Func]map[target]bool
	changed bool
	unknown *object // stands for what routines without a body hand out
	escaped map[*object]bool
}

// maxTargets bounds the proposals for one pointer.
const maxTargets = 256

func analyse(m *memory, funcs []*cfront.Func) *pointsTo {
	p := &pointsTo{m: m, held: map[target]map[target]bool{}, results: map[*cfront.Func]map[target]bool{}, unknown: &object{name: "unknown"}}
	p.at(target{p.unknown, 0})[target{p.unknown, 0}] = true
	for p.changed = true; p.changed; {
		p.changed = false
		for _, f := range funcs {
			for _, b := range f.Blocks {
				for _, i := range b.Instrs {
					p.instr(i)
				}
				if r, ok := b.End.(*cfront.Return); ok && r.Value != nil {
					p.include(p.result(f), p.value(r.Value))
				}
			}
		}
	}
	p.escape(funcs)
	return p
}

// escape finds the objects whose addresses routines without a body may know, and hand
// out: arguments, what extern globals hold, and what can be reached from there.
func (p *pointsTo) escape(funcs []*cfront.Func) {
	p.escaped = map[*object]bool{}
	var work []*object
	known := func(all []target) {
		for _, t := range all {
			if !p.escaped[t.obj] {
				p.escaped[t.obj] = true
				work = append(work, t.obj)
			}
		}
	}
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*cfront.Call)
				if !ok || c.Callee != nil && (!c.Callee.Extern() || allocates[c.Callee.Name]) {
					continue
				}
				for _, a := range c.Args {
					if load, ok := a.(*cfront.Load); ok && load.From.Type.Kind == cfront.Struct {
						known(p.places(load.From)) // its members, then
					} else {
						known(p.value(a))
					}
				}
			}
		}
	}
	for _, v := range p.m.prog.Globals {
		if v.Extern {
			known([]target{{p.m.ofVar(v), 0}})
		}
	}
	known([]target{{p.unknown, 0}})
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for at, held := range p.held {
			if at.obj == o {
				known(list(held))
			}
		}
	}
}

// strange reports that all that a pointer may point to is what routines without a body
// hand out.
func (p *pointsTo) strange(all []target) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(t target) bool { return t.obj != p.unknown })
}

// handedOut are the cells of a type that such a pointer may point to.
func (p *pointsTo) handedOut(t *cfront.Type) (all []target) {
	for _, o := range p.m.all {
		if !p.escaped[o] || o.fn != nil {
			continue
		}
		for _, c := range o.sorted() {
			if c.key.bits == 0 && c.t.Kind == t.Kind && c.t.Size == t.Size {
				all = append(all, target{o, c.key.off})
			}
		}
	}
	return all
}

func (p *pointsTo) result(f *cfront.Func) map[target]bool {
	if p.results[f] == nil {
		p.results[f] = map[target]bool{}
	}
	return p.results[f]
}

func (p *pointsTo) at(t target) map[target]bool {
	if p.held[t] == nil {
		p.held[t] = map[target]bool{}
	}
	return p.held[t]
}

func (p *pointsTo) include(in map[target]bool, more []target) {
	for _, t := range more {
		if !in[t] && len(in) < maxTargets {
			in[t], p.changed = true, true
		}
	}
}

// list is a set in a fixed order.
func list(set map[target]bool) []target {
	return slices.SortedFunc(maps.Keys(set), func(a, b target) int {
		return cmp.Or(cmp.Compare(a.obj.base, b.obj.base), cmp.Compare(a.off, b.off))
	})
}

func (p *pointsTo) instr(i cfront.Instr) {
	switch i := i.(type) {
	case *cfront.Assign:
		p.assign(i.To, i.Value)
	case *cfront.Call:
		var routines []*cfront.Func
		if i.Callee != nil {
			routines = []*cfront.Func{i.Callee}
		} else {
			routines = p.routines(i.Ptr)
		}
		for _, f := range routines {
			p.call(i, f)
		}
	}
}

// routines are those that a pointer may point to.
func (p *pointsTo) routines(e cfront.Expr) (all []*cfront.Func) {
	for _, t := range p.value(e) {
		if t.obj.fn != nil && t.off == 0 {
			all = append(all, t.obj.fn)
		}
	}
	return all
}

func (p *pointsTo) call(c *cfront.Call, f *cfront.Func) {
	for k, param := range f.Params {
		if k < len(c.Args) && !f.Extern() {
			p.assign(cfront.Place{Var: param, Type: param.Type}, c.Args[k])
		}
	}
	switch {
	case c.To == nil:
	case f.Extern() && allocates[f.Name]:
		for _, at := range p.places(*c.To) {
			p.include(p.at(at), []target{{p.m.ofSite(c), 0}})
		}
	case f.Extern():
		for _, at := range p.places(*c.To) {
			p.include(p.at(at), []target{{p.unknown, 0}})
		}
	default:
		for _, at := range p.places(*c.To) {
			p.include(p.at(at), list(p.result(f)))
		}
	}
}

func (p *pointsTo) assign(to cfront.Place, value cfront.Expr) {
	if !to.Type.Aggregate() {
		if more := p.value(value); len(more) > 0 {
			for _, at := range p.places(to) {
				p.include(p.at(at), more)
			}
		}
		return
	}
	load, ok := value.(*cfront.Load)
	if !ok {
		return
	}
	parts, _ := leaves(to.Type)
	for _, from := range p.places(load.From) {
		for _, at := range p.places(to) {
			for _, leaf := range parts {
				if more := p.held[target{from.obj, from.off + leaf.off}]; len(more) > 0 {
					p.include(p.at(target{at.obj, at.off + leaf.off}), list(more))
				}
			}
		}
	}
}

// value are the targets of an expression.
func (p *pointsTo) value(e cfront.Expr) []target {
	switch e := e.(type) {
	case *cfront.Load:
		set := map[target]bool{}
		for _, at := range p.places(e.From) {
			maps.Copy(set, p.held[at])
			if at.obj.v != nil && at.obj.v.Extern {
				set[target{p.unknown, 0}] = true
			}
		}
		return list(set)
	case *cfront.Addr:
		return p.places(e.Of)
	case *cfront.FuncAddr:
		return []target{{p.m.ofFunc(e.Func), 0}}
	case *cfront.Convert:
		all := p.value(e.X)
		if _, number := e.X.(*cfront.Const); len(all) == 0 && !number && e.T.Kind == cfront.Pointer && e.X.Type().Kind == cfront.Integer {
			return []target{{p.unknown, 0}}
		}
		return all
	case *cfront.Move:
		return p.moved(p.value(e.P), e.By, e.Stride, -1)
	}
	return nil
}

// places are where a place may be.
func (p *pointsTo) places(at cfront.Place) []target {
	var all []target
	if at.Var != nil {
		all = []target{{p.m.ofVar(at.Var), at.Off}}
	} else {
		for _, t := range p.value(at.Ptr) {
			all = append(all, p.shifted(t, at.Off))
		}
	}
	for _, i := range at.Index {
		all = p.moved(all, i.By, i.Stride, i.Len)
	}
	return all
}

// moved are targets moved by an index, which is known, in an array, or anywhere in the
// object.
func (p *pointsTo) moved(from []target, by cfront.Expr, stride, length int64) []target {
	set := map[target]bool{}
	for _, t := range from {
		if c, ok := by.(*cfront.Const); ok {
			set[p.shifted(t, int64(c.Bits)*stride)] = true
			continue
		}
		if t.obj == p.unknown {
			set[t] = true
		}
		if stride <= 0 || t.obj == p.unknown {
			continue
		}
		lo, hi := -(t.off / stride), (t.obj.size-t.off)/stride
		if length >= 0 {
			lo, hi = 0, min(hi, length)
		}
		for k := lo; k <= hi && len(set) < maxTargets; k++ {
			set[target{t.obj, t.off + k*stride}] = true
		}
	}
	return list(set)
}

// shifted is a target some bytes further; the unknown stays what it is.
func (p *pointsTo) shifted(t target, by int64) target {
	if t.obj != p.unknown {
		t.off += by
	}
	return t
}

// leaf is a scalar in a type.
type leaf struct {
	off          int64
	t            *cfront.Type
	bitOff, bits int
}

// maxLeaves bounds the scalars of what is copied at once.
const maxLeaves = 1000

// leaves are the scalars of a type; ok is false for unions and what has too many.
func leaves(t *cfront.Type) (all []leaf, ok bool) {
	switch t.Kind {
	case cfront.Array:
		part, ok := leaves(t.Elem)
		if !ok || t.Len < 0 || int64(len(part))*t.Len > maxLeaves {
			return nil, false
		}
		for k := range t.Len {
			for _, l := range part {
				l.off += k * t.Elem.Size
				all = append(all, l)
			}
		}
		return all, true
	case cfront.Struct:
		if t.Union {
			return nil, false
		}
		for _, f := range t.Fields {
			part, ok := leaves(f.Type)
			if !ok || len(all)+len(part) > maxLeaves {
				return nil, false
			}
			for _, l := range part {
				l.off += f.Off
				if f.Bits > 0 {
					l.bitOff, l.bits = f.BitOff, f.Bits
				}
				all = append(all, l)
			}
		}
		return all, true
	}
	return []leaf{{t: t}}, true
}
