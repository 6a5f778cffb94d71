package encode

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// closed checks that points-to sets are a post-fixpoint, from what a program does, before
// they are used: whatever an assignment stores, if what it reads is as the sets say, is as
// the sets say. It shares no code with the analysis that made them, and knows nothing of
// how they were found or made coarser.
//
// A set names a target if it contains it. It says enough about one, too, if it contains
// walked, with which an access always may be lost, and another target in the same object.
type closed struct {
	p     *pointsTo
	known map[ir.Expr][]target
	why   error
	at    ir.Span
}

// closed returns an error that says where the sets are not closed.
func (p *pointsTo) closed(entry *ir.Func, funcs []*ir.Func) error {
	c := &closed{p: p, known: map[ir.Expr][]target{}}
	c.need(p.held[p.unknown][0][target{p.unknown, 0}], "memory that others know holds no pointers of theirs")
	c.begins(entry)
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c.p.m.tick != nil {
					c.p.m.tick()
				}
				c.at = i.At()
				c.instr(i)
			}
			if r, ok := b.End.(*ir.Return); ok && r.Value != nil {
				c.at = r.Span
				c.stored(f.Type.Result, p.results[f], 0, r.Value)
			}
		}
	}
	c.at = entry.Span
	c.givenAway(funcs)
	return c.why
}

// begins requires what parameters hold, and the objects that those of a component point to.
func (c *closed) begins(entry *ir.Func) {
	g := c.p.m.given
	for _, v := range entry.Params {
		if to := g.to(v, 0); to != nil {
			c.holds(c.p.m.vars[v], 0, []target{{c.p.m.vars[to], 0}})
		} else {
			c.unwritten(ir.Place{Var: v, Type: v.Type})
		}
	}
	if g == nil {
		return
	}
	for _, v := range g.objects {
		o := c.p.m.vars[v]
		c.need(o != nil, "%s is no object", v.Name)
		if o == nil || c.p.open[o] {
			continue
		}
		scalars(v.Type, 0, func(t *ir.Type, off int64) {
			if to := g.to(v, off); to != nil {
				c.holds(o, off, []target{{c.p.m.vars[to], 0}})
			} else {
				c.holds(o, off, []target{c.whatever(t)})
			}
		})
	}
}

// scalars goes through those of a type.
func scalars(t *ir.Type, at int64, do func(*ir.Type, int64)) {
	switch t.Kind {
	case ir.Array:
		for k := int64(0); k < t.Len; k++ {
			scalars(t.Elem, at+k*t.Elem.Size, do)
		}
	case ir.Struct:
		for _, f := range t.Fields {
			scalars(f.Type, at+f.Off, do)
		}
	default:
		do(t, at)
	}
}

// foreign reports a variable of elsewhere.
func (c *closed) foreign(v *ir.Var) bool { return v != nil && v.Extern && !c.p.m.given.has(v) }

func (c *closed) need(ok bool, format string, args ...any) {
	if !ok && c.why == nil {
		where := "the program"
		if c.at.Valid() {
			where = fmt.Sprintf("line %d", c.at.Pos().Line)
		}
		c.why = fmt.Errorf("points-to sets are not closed under %s: %w", where, fmt.Errorf(format, args...))
	}
}

// A said is what sets say together: whose targets they are, if an access may be lost always.
type said struct {
	sets    []map[target]bool
	objects map[*object]bool
}

func (c *closed) together(sets ...map[target]bool) said {
	s := said{sets: sets}
	if s.has(target{c.p.walked, 0}) {
		s.objects = map[*object]bool{}
		for _, set := range sets {
			for t := range set {
				s.objects[t.obj] = true
			}
		}
	}
	return s
}

func (s said) has(t target) bool {
	return slices.ContainsFunc(s.sets, func(set map[target]bool) bool { return set[t] })
}

// names reports that enough is said about a target.
func (s said) names(t target) bool { return s.has(t) || !t.obj.value && s.objects[t.obj] }

// holds requires that a place holds values.
func (c *closed) holds(o *object, off int64, values []target) {
	if o == nil {
		c.need(len(values) == 0, "nothing is known of what is returned")
		return
	}
	if c.p.m.tick != nil {
		c.p.m.tick() // there are many where memory is copied to itself
	}
	held := c.together(c.p.held[o][off], c.p.held[o][anyOffset]) // what is held anywhere is held here
	for _, t := range values {
		c.need(held.names(t), "%s, from %d on, is not said to hold %s+%d", o.name, off, t.obj.name, t.off)
	}
}

// spots are the objects and offsets where a place can be; those of memory of its own are in
// garbage. What is lost is none.
func (c *closed) spots(place ir.Place) (all []target) {
	for _, t := range c.reached(place) {
		switch t.obj {
		case c.p.walked:
		case c.p.number:
			all = append(all, target{c.p.garbage, 0})
		default:
			all = append(all, t)
		}
	}
	return all
}

// reached are the values that the address of a place can have.
func (c *closed) reached(place ir.Place) []target {
	var all []target
	if place.Var != nil {
		all = []target{{c.p.m.vars[place.Var], 0}}
		if all[0].obj == nil {
			c.need(false, "%s is no object", place.Var.Name)
			return nil
		}
	} else {
		all = slices.Clone(c.values(place.Ptr))
	}
	for k, t := range all {
		if !t.obj.value && t.off != anyOffset {
			all[k].off += place.Off
		}
	}
	for _, i := range place.Index {
		all = c.steps(all, i.By, i.Stride, i.Len)
	}
	return distinct(all)
}

// steps are addresses moved by a number of strides; an index that is not below the length
// of an array, if that is known, is lost. Many are said as one.
func (c *closed) steps(from []target, by ir.Expr, stride, length int64) (all []target) {
	walked := target{c.p.walked, 0}
	n, constant := by.(*ir.Const)
	for _, t := range from {
		switch {
		case t.obj.value, constant && n.Bits == 0:
			all = append(all, t)
			continue
		case constant && t.off != anyOffset:
			if off := t.off + int64(n.Bits)*stride; off >= 0 && off <= t.obj.size {
				all = append(all, target{t.obj, off})
			} else {
				all = append(all, walked)
			}
			continue
		}
		all = append(all, walked)
		first, last := int64(0), length // steps
		if length < 0 && stride > 0 && t.off != anyOffset {
			first, last = -(t.off / stride), t.obj.size/stride
		}
		switch {
		case constant && t.off == anyOffset:
			all = append(all, t)
		case stride <= 0:
		case t.off == anyOffset || last-first > maxOffsets && (t.obj.size-t.off)/stride-first > maxOffsets:
			all = append(all, target{t.obj, anyOffset})
		default:
			for k := first; k <= last && t.off+k*stride <= t.obj.size; k++ {
				all = append(all, target{t.obj, t.off + k*stride})
			}
		}
	}
	return all
}

func has(all []target, o *object) bool {
	return slices.ContainsFunc(all, func(t target) bool { return t.obj == o })
}

// isAddress reports values that are not all ordinary numbers.
func (c *closed) isAddress(all []target) bool {
	return slices.ContainsFunc(all, func(t target) bool { return t.obj != c.p.number })
}

// values are what a scalar can be; none stands for null and for comparisons.
func (c *closed) values(e ir.Expr) []target {
	all, known := c.known[e]
	if !known {
		all = distinct(c.p.withKin(e.Type(), c.valuesOf(e)))
		c.known[e] = all
	}
	return all
}

// distinct leaves out what a list has before: objects that know each other have the same at many places.
func distinct(all []target) []target {
	if len(all) < 2 {
		return all
	}
	seen := make(map[target]bool, len(all))
	return slices.DeleteFunc(slices.Clone(all), func(t target) bool {
		if seen[t] {
			return true
		}
		seen[t] = true
		return false
	})
}

func (c *closed) valuesOf(e ir.Expr) []target {
	number := []target{{c.p.number, 0}}
	switch e := e.(type) {
	case *ir.Const:
		near := int64(e.Bits) // to zero
		if e.T.Size == 4 {
			near = int64(int32(e.Bits))
		}
		if -nobodys <= near && near < nobodys {
			return nil // an address of nobody
		}
		return number
	case *ir.FuncAddr:
		return []target{{c.p.m.funcs[e.Func], 0}}
	case *ir.Addr:
		return c.reached(e.Of)
	case *ir.Move:
		return c.steps(c.values(e.P), e.By, e.Stride, -1)
	case *ir.Load:
		return c.read(e.From)
	case *ir.Convert:
		return c.converted(e)
	case *ir.Binary:
		if e.Op == ir.Eq || e.Op == ir.Ne || e.Op == ir.Lt || e.Op == ir.Le {
			return nil
		}
		x, y := c.values(e.X), c.values(e.Y)
		switch {
		case e.Op == ir.Add && c.isAddress(x) && !c.isAddress(y):
			return c.steps(x, e.Y, 1, -1)
		case e.Op == ir.Sub && c.isAddress(x) && !c.isAddress(y):
			return c.steps(x, e.Y, -1, -1)
		case e.Op == ir.Add && c.isAddress(y) && !c.isAddress(x):
			return c.steps(y, e.X, 1, -1)
		}
	}
	return number
}

// converted: an integer as wide as a pointer holds addresses, all others hold none; and a
// pointer that is made of a computed number is anybody's.
func (c *closed) converted(e *ir.Convert) []target {
	all, from := c.values(e.X), e.X.Type()
	_, constant := e.X.(*ir.Const)
	switch {
	case len(all) == 0:
		return nil
	case from.Kind == ir.Pointer && e.T.Kind == ir.Pointer:
		return all
	case from.Size != e.T.Size || e.T.Bool:
		if e.T.Kind == ir.Pointer {
			return []target{{c.p.unknown, 0}, {c.p.number, 0}}
		}
		return []target{{c.p.number, 0}}
	case e.T.Kind == ir.Pointer && !constant && has(all, c.p.number):
		return append(slices.Clone(all), target{c.p.unknown, 0})
	}
	return all
}

// whatever is a value of a type that nothing is known of.
func (c *closed) whatever(t *ir.Type) target {
	if t.Kind == ir.Pointer {
		return target{c.p.garbage, 0}
	}
	return target{c.p.number, 0}
}

// read are the values that a place can hold.
func (c *closed) read(place ir.Place) (all []target) {
	if place.Ptr != nil {
		pointer := c.values(place.Ptr)
		if len(pointer) == 0 || slices.ContainsFunc(pointer, func(t target) bool { return t.obj.value }) {
			all = append(all, c.whatever(place.Type))
		}
	}
	for _, at := range c.spots(place) {
		all = append(all, c.found(at, place.Type)...)
	}
	return all
}

// found is what one place can hold: what was stored in the bytes there, and what others
// stored in memory that they know, or was there before.
func (c *closed) found(at target, t *ir.Type) (all []target) {
	p, o, word := c.p, at.obj, c.p.m.pointer.Size
	pooled := o == p.unknown || o == p.garbage // one place
	for off, set := range p.held[o] {
		meets := pooled || off == anyOffset || at.off == anyOffset
		if !meets && (off >= at.off+t.Size || at.off >= off+word || len(set) == 0) {
			continue
		}
		if pooled && t.Kind != ir.Pointer && !p.hidden {
			continue // no integer is an address in such memory
		}
		whole := meets || off == at.off && t.Size == word
		if !whole {
			all = append(all, target{p.number, 0})
		}
		for held := range set {
			switch {
			case whole:
				all = append(all, held)
			case held.obj != p.number: // a part of it, or made of parts
				all = append(all, target{p.walked, 0})
			}
		}
	}
	foreign := c.foreign(o.v)
	shared := p.wild && (p.escaped[o] || o == p.garbage)
	if t.Kind == ir.Pointer && shared {
		for held := range p.held[p.unknown][0] {
			if o != p.garbage || !held.obj.value {
				all = append(all, held)
			}
		}
	}
	if t.Kind == ir.Pointer && foreign {
		all = append(all, target{p.unknown, 0})
	}
	if pooled || foreign || shared || p.open[o] || o.site != nil && !o.zeroed {
		all = append(all, c.whatever(t))
	}
	return all
}

func (c *closed) instr(i ir.Instr) {
	switch i := i.(type) {
	case *ir.Assign:
		for _, at := range c.spots(i.To) {
			c.stored(i.To.Type, at.obj, at.off, i.Value)
		}
	case *ir.Havoc:
		c.unwritten(i.To)
	case *ir.Call:
		c.call(i)
	}
}

// unwritten requires that a place may hold anything.
func (c *closed) unwritten(place ir.Place) {
	for _, at := range c.spots(place) {
		switch {
		case place.Type.Scalar():
			c.holds(at.obj, at.off, []target{c.whatever(place.Type)})
		default:
			c.need(c.p.open[at.obj], "%s may hold anything", at.obj.name)
		}
	}
}

// stored requires that a place holds what is stored there.
func (c *closed) stored(t *ir.Type, o *object, off int64, value ir.Expr) {
	if t.Aggregate() {
		if load, ok := value.(*ir.Load); ok {
			for _, from := range c.spots(load.From) {
				c.copied(from, target{o, off}, t.Size)
			}
		}
		return
	}
	all, word := c.values(value), c.p.m.pointer.Size
	if t.Size < word {
		all = append(slices.Clone(all), target{c.p.number, 0})
	}
	if len(all) == 0 {
		return
	}
	c.holds(o, off, all)
	if o == nil {
		return
	}
	for next := word; next < t.Size && !o.value && off != anyOffset; next += word { // each word of a wide number
		c.holds(o, off+next, all)
	}
	variable := o.v != nil && !o.v.Type.Aggregate()
	c.need(t.Kind != ir.Integer || !c.isAddress(all) || variable || c.p.hidden, "an integer in %s is an address", o.name)
	c.need(o != c.p.unknown || c.p.wild, "others get to know a pointer")
}

// copied requires that bytes hold what other bytes do.
func (c *closed) copied(from, to target, size int64) {
	p, pooled := c.p, func(o *object) bool { return o == c.p.unknown || o == c.p.garbage }
	if to.obj == nil {
		c.need(len(p.held[from.obj]) == 0, "nothing is known of what is returned")
		return
	}
	c.need(!p.open[from.obj] || p.open[to.obj], "%s may hold anything", to.obj.name)
	c.need(to.obj != p.unknown || p.wild, "others get to know what is copied")
	where := func(off int64) int64 {
		switch {
		case pooled(to.obj):
			return 0
		case off == anyOffset || from.off == anyOffset || to.off == anyOffset || pooled(from.obj):
			return anyOffset
		}
		return to.off + off - from.off
	}
	for off, set := range p.held[from.obj] {
		inside := off == anyOffset || from.off == anyOffset || pooled(from.obj) || off >= from.off && off < from.off+size
		if !inside {
			continue
		}
		for held := range set {
			c.holds(to.obj, where(off), []target{held})
		}
	}
	var others []target // that others may have stored there
	if p.wild && (p.escaped[from.obj] || from.obj == p.garbage) {
		for held := range p.held[p.unknown][0] {
			if from.obj != p.garbage || !held.obj.value {
				others = append(others, held)
			}
		}
	}
	if c.foreign(from.obj.v) {
		others = append(others, target{p.unknown, 0})
	}
	if len(others) > 0 {
		c.holds(to.obj, where(anyOffset), others)
	}
}

// call requires that parameters hold the arguments, and that the result is stored, of each
// routine that may be called.
func (c *closed) call(i *ir.Call) {
	if i.Callee != nil {
		c.calls(i, i.Callee)
		return
	}
	ours := false
	for _, t := range c.values(i.Ptr) {
		ours = ours || t.obj != c.p.number && t.obj != c.p.garbage
		if t.obj.fn != nil && t.off == 0 {
			c.calls(i, t.obj.fn)
		}
	}
	if !ours && i.To != nil {
		c.fromOthers(*i.To)
	}
}

func (c *closed) calls(i *ir.Call, f *ir.Func) {
	stub := c.p.m.stubs[f]
	if stub != nil { // abstracted, inlined in some places
		for k, v := range stub.args {
			if k < len(i.Args) && v.Type.Scalar() && i.Args[k].Type().Scalar() {
				c.stored(v.Type, c.p.m.vars[v], 0, i.Args[k])
			}
		}
	}
	if stub != nil && stub.inlined || stub == nil && !f.Extern() {
		c.inlined(i, f)
	}
	switch {
	case i.To == nil:
	case c.p.m.allocating(f):
		for _, at := range c.spots(*i.To) {
			c.holds(at.obj, at.off, []target{{c.p.m.sites[i], 0}})
		}
	case c.p.m.outside(f):
		c.fromOthers(*i.To)
		c.said(*i.To, stub)
	}
}

// said requires that a result holds what conditions on it speak of.
func (c *closed) said(to ir.Place, s *stub) {
	if s == nil || !to.Type.Scalar() {
		return
	}
	for _, a := range s.abstractions {
		for _, t := range a.Machine.Transitions {
			for _, condition := range t.Result {
				condition.Expressions(func(e ir.Expr) {
					if e.Type().Kind != ir.Pointer && e.Type().Kind != ir.Integer || e.Type().Bool {
						return
					}
					for _, at := range c.spots(to) {
						c.holds(at.obj, at.off, c.values(e))
					}
				})
			}
		}
	}
}

// inlined requires that parameters hold arguments and that the result is stored.
func (c *closed) inlined(i *ir.Call, f *ir.Func) {
	for k, v := range f.Params {
		if k < len(i.Args) && (c.p.m.stubs[f] == nil || v.Type.Scalar() && i.Args[k].Type().Scalar()) {
			c.stored(v.Type, c.p.m.vars[v], 0, i.Args[k])
		}
	}
	if i.To != nil {
		for _, b := range f.Blocks { // a routine may end without a value
			if r, ok := b.End.(*ir.Return); ok && r.Value == nil && i.To.Type.Scalar() {
				c.unwritten(*i.To)
			}
		}
		if o := c.p.results[f]; o != nil {
			for _, at := range c.spots(*i.To) {
				c.copied(target{o, 0}, at, max(i.To.Type.Size, 1))
			}
		}
	}
}

// fromOthers requires that a place holds what a routine without a body returns.
func (c *closed) fromOthers(to ir.Place) {
	unknown := target{c.p.unknown, 0}
	if to.Type.Kind == ir.Pointer {
		for _, at := range c.spots(to) {
			c.holds(at.obj, at.off, []target{unknown})
		}
		return
	}
	c.unwritten(to)
	for _, at := range c.spots(to) {
		for _, off := range pointersIn(to.Type) {
			if at.obj.value || at.off == anyOffset {
				off = -at.off
				if at.off == anyOffset {
					off = 0
				}
			}
			c.holds(at.obj, at.off+off, []target{unknown})
		}
	}
}

// pointersIn are the offsets of the pointers in a type, of unions those of all members.
func pointersIn(t *ir.Type) (all []int64) {
	in := func(part *ir.Type, at int64) {
		for _, off := range pointersIn(part) {
			all = append(all, at+off)
		}
	}
	switch t.Kind {
	case ir.Pointer:
		return []int64{0}
	case ir.Array:
		for k := int64(0); k < t.Len && t.Elem.Kind != ir.Integer && !float(t.Elem); k++ {
			in(t.Elem, k*t.Elem.Size)
		}
	case ir.Struct:
		for _, f := range t.Fields {
			in(f.Type, f.Off)
		}
	}
	return all
}

// givenAway requires that the memory that others may know is what can be reached from what
// they are given.
func (c *closed) givenAway(funcs []*ir.Func) {
	p := c.p
	know := func(o *object, how string) { c.need(p.escaped[o], "others know %s by %s", o.name, how) }
	know(p.unknown, "themselves")
	know(p.garbage, "parameters")
	if p.m.given != nil {
		for _, v := range p.m.given.objects {
			know(p.m.ofVar(v), "parameters")
		}
	}
	for _, v := range p.m.prog.Globals {
		if c.foreign(v) {
			know(p.m.vars[v], "its name")
		}
	}
	for o := range p.escaped {
		for _, set := range p.held[o] {
			for t := range set {
				know(t.obj, o.name)
			}
		}
	}
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(*ir.Call); ok && (call.Callee == nil || p.m.outside(call.Callee) && !p.m.allocating(call.Callee) && call.Callee.Asks() == ir.NoQuestion) {
					c.at = call.Span
					c.given(call.Args, know)
				}
			}
		}
	}
}

func (c *closed) given(args []ir.Expr, know func(*object, string)) {
	for _, a := range args {
		load, whole := a.(*ir.Load)
		var all []target
		if whole && load.From.Type.Kind == ir.Struct {
			all = c.spots(load.From)
		} else {
			all = c.values(a)
		}
		for _, t := range all {
			know(t.obj, "an argument")
		}
	}
}
