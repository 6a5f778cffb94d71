package encode

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// given are the objects that the pointers among the parameters of a component's procedure
// point to: one of its own for each, with any values, but for its pointers to structs,
// which are null or point to an object of their own again. That nothing else points there
// is an assumption.
type given struct {
	objects []*ir.Var
	// points says what is pointed to: by a parameter at offset 0, by a member of an object.
	points map[*ir.Var]map[int64]*ir.Var
	work   []reference
}

// reference is a pointer whose object is to be made, and the types of the objects that it
// is in.
type reference struct {
	from   *ir.Var
	at     ir.Place
	around []*ir.Type
}

// maxGiven bounds the objects that one procedure is given, maxGivenDepth how many pointers
// lead there.
const maxGiven, maxGivenDepth = 64, 4

// givenTo makes the objects for a procedure.
func givenTo(f *ir.Func) *given {
	g := &given{points: map[*ir.Var]map[int64]*ir.Var{}}
	for _, p := range f.Params {
		if p.Type.Kind == ir.Pointer {
			g.work = append(g.work, reference{p, ir.Place{Var: p, Type: p.Type}, nil})
		}
	}
	for len(g.work) > 0 { // the nearest first
		next := g.work[0]
		g.work = g.work[1:]
		g.add(next.from, next.at, next.around)
	}
	return g
}

// add makes the object that the pointer at a place of a variable points to, unless its
// type is not known or one of those around it.
func (g *given) add(from *ir.Var, at ir.Place, around []*ir.Type) {
	t := at.Type.Elem
	if t == nil || t.Size <= 0 || len(g.objects) >= maxGiven || len(around) >= maxGivenDepth {
		return
	}
	switch {
	case t.Kind == ir.Struct && !slices.Contains(around, t):
	case len(around) == 0 && (t.Kind == ir.Pointer || t.Kind == ir.Integer && (t.Size > 1 || t.Bool)):
	default:
		return // characters are strings, and what is recursive has no end
	}
	v := &ir.Var{Name: "(*" + at.String() + ")", Type: t, Kind: ir.Global, Extern: true, Span: from.Span}
	g.objects = append(g.objects, v)
	if g.points[from] == nil {
		g.points[from] = map[int64]*ir.Var{}
	}
	g.points[from][at.Off] = v
	if parts, ok := leaves(t); ok && t.Kind == ir.Struct {
		for _, l := range parts {
			if l.t.Kind == ir.Pointer {
				g.work = append(g.work, reference{v, ir.Place{Var: v, Off: l.off, Type: l.t}, append(slices.Clip(around), t)})
			}
		}
	}
}

// has reports one of the objects.
func (g *given) has(v *ir.Var) bool { return g != nil && slices.Contains(g.objects, v) }

// to is what a variable's pointer at an offset points to, or nil.
func (g *given) to(v *ir.Var, off int64) *ir.Var {
	if g == nil {
		return nil
	}
	return g.points[v][off]
}

// seed says what the parameters of a procedure and what they point to hold.
func (p *pointsTo) seed(entry *ir.Func) {
	g := p.m.given
	for _, v := range entry.Params {
		if to := g.to(v, 0); to != nil {
			p.include(p.at(target{p.m.ofVar(v), 0}), []target{{p.m.ofVar(to), 0}})
		} else {
			p.havoc(ir.Place{Var: v, Type: v.Type})
		}
	}
	if g == nil {
		return
	}
	for _, v := range g.objects {
		o := p.m.ofVar(v)
		parts, ok := leaves(v.Type)
		if !ok {
			p.open[o] = true
			continue
		}
		for _, l := range parts {
			at := p.at(target{o, l.off})
			switch to := g.to(v, l.off); {
			case to != nil:
				p.include(at, []target{{p.m.ofVar(to), 0}})
			case l.t.Kind == ir.Pointer:
				p.include(at, []target{{p.garbage, 0}})
			default:
				p.include(at, []target{{p.number, 0}})
			}
		}
	}
}

// pointing is what is known of the first value of a pointer of a parameter, or of what it
// points to: true if nothing is.
func (b *builder) pointing(c *cell, x *logic.Term, a arithmetic) *logic.Term {
	to := b.mem.given.to(c.obj.v, c.key.off)
	if to == nil || c.run != nil || c.t.Kind != ir.Pointer {
		return logic.True()
	}
	there := logic.Eq(x, a.number(c.t, b.mem.ofVar(to).base).t)
	if c.obj.v.Kind == ir.Param {
		return there
	}
	return logic.Or(there, logic.Eq(x, a.number(c.t, 0).t))
}

// Objects are the pointers, among parameters and what they point to, that are followed or looked at, and
// assumed to point to an object of their own; sorted.
func (e *Encoding) Objects() []string {
	var all []string
	if g := e.memory.given; g != nil {
		for v, at := range g.points {
			for off, to := range at {
				if o := e.memory.ofVar(to); len(o.cells) == 0 && !e.memory.looked[o] {
					continue
				}
				all = append(all, ir.Place{Var: v, Off: off, Type: &ir.Type{Kind: ir.Pointer, Size: e.memory.pointer.Size, Elem: to.Type}}.String())
			}
		}
	}
	slices.Sort(all)
	return all
}

// looks notes what an address is of that is compared, or asked whether it is null.
func (c *context) looks(e ir.Expr) {
	if m := c.b.mem; m.given != nil && e.Type().Size >= m.pointer.Size {
		for _, t := range c.b.pts.value(e) {
			m.looked[t.obj] = true
		}
	}
}

// located is an address of the encoding as one of a run: of the object that it points to.
func (r *replay) located(bits uint64) uint64 {
	g := r.e.memory.given
	for _, v := range g.objects {
		if o := r.e.memory.ofVar(v); bits >= o.base && bits <= o.base+uint64(o.size) {
			return r.m.Address(v) + bits - o.base
		}
	}
	return bits
}

// arguments are those of the run.
func (r *replay) arguments() []uint64 {
	for _, p := range r.e.Entry.Params {
		var bits uint64
		switch to := r.e.memory.given.to(p, 0); {
		case to != nil:
			bits = r.m.Address(to)
		case p.Type.Scalar():
			bits = r.e.startAt(r.t, r.e.memory.ofVar(p), 0, p.Type.Size, 0)
		}
		r.params = append(r.params, bits)
	}
	return r.params
}

// withObjects is a program that has objects as globals, too.
func withObjects(p *ir.Program, g *given) *ir.Program {
	q := *p
	q.Globals = slices.Concat(p.Globals, g.objects)
	return &q
}
