package encode

import (
	"cmp"
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// target is what a pointer may point to.
type target struct {
	obj *object
	off int64
}

// pointsTo says what pointers may point to, and which integers may be addresses:
// inclusion-based, flow-insensitive, by offsets ([Andersen94], chapter 4). Four objects
// stand for values; unknown and garbage are also the memory that such pointers point to,
// where it is one place. Closed checks the result.
type pointsTo struct {
	m       *memory
	held    map[*object]map[int64]map[target]bool // what is stored at a place
	results map[*ir.Func]*object                  // what routines return
	changed bool
	wild    bool             // a pointer is stored where a routine without a body may know of it
	hidden  bool             // an address is stored as an integer in an object
	unknown *object          // what routines without a body hand out
	number  *object          // numbers that are no address
	garbage *object          // a pointer that has no value yet
	walked  *object          // an address that arithmetic made, which may be outside of its object
	open    map[*object]bool // objects that may hold any numbers from the beginning
	escaped map[*object]bool
	memo    map[ir.Expr][]target       // once nothing changes any more
	cast    map[scalarType]bool        // what pointers from elsewhere are made to point to, by casts
	shifts  bool                       // they are moved
	numbers map[*object]map[int64]bool // where integers were stored that are no address
	united  bool                       // some are read as a pointer
}

// maxTargets bounds the targets that a set names, maxOffsets those that arithmetic makes
// in one object. All others are at anyOffset.
const maxTargets, maxOffsets, anyOffset = 256, 24, int64(-1) << 62

func analyse(m *memory, entry *ir.Func, funcs []*ir.Func) *pointsTo {
	value := func(name string, base uint64) *object { return &object{name: name, base: base, value: true} }
	p := &pointsTo{m: m, held: map[*object]map[int64]map[target]bool{}, results: map[*ir.Func]*object{}, open: map[*object]bool{}, numbers: map[*object]map[int64]bool{},
		unknown: value("unknown", 1), number: value("number", 2), garbage: value("garbage", 3), walked: value("walked", 4)}
	p.at(target{p.unknown, 0})[target{p.unknown, 0}] = true
	p.seed(entry)
	for p.changed = true; p.changed; {
		p.changed = false
		p.round(funcs)
		known := len(p.escaped)
		if p.escape(funcs); len(p.escaped) > known {
			p.changed = true
		}
		if !p.changed {
			p.strangers(funcs)
		}
	}
	p.memo = map[ir.Expr][]target{}
	p.recast(funcs)
	return p
}

// round goes through all assignments once.
func (p *pointsTo) round(funcs []*ir.Func) {
	for _, f := range funcs {
		for _, b := range f.Blocks {
			if p.m.tick != nil {
				p.m.tick()
			}
			for _, i := range b.Instrs {
				p.instr(i)
			}
			if r, ok := b.End.(*ir.Return); ok && r.Value != nil {
				p.assignAt([]target{{p.result(f), 0}}, f.Type.Result, r.Value)
			}
		}
	}
}

// strangers are calls by pointers to no routine of the program: any result.
func (p *pointsTo) strangers(funcs []*ir.Func) {
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ir.Call); ok && c.Callee == nil && c.To != nil && !p.proposes(c.Ptr) {
					p.anyResult(*c.To)
				}
			}
		}
	}
}

// escape finds the objects whose addresses routines without a body may know, and hand
// out: arguments, what extern globals hold, and what can be reached from there.
func (p *pointsTo) escape(funcs []*ir.Func) {
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
				c, ok := i.(*ir.Call)
				if !ok || c.Callee != nil && (!p.m.outside(c.Callee) || p.m.allocating(c.Callee) || c.Callee.Asks() != ir.NoQuestion) {
					continue
				}
				for _, a := range c.Args {
					if load, ok := a.(*ir.Load); ok && load.From.Type.Kind == ir.Struct {
						known(p.places(load.From)) // its members, then
					} else {
						known(p.value(a))
					}
				}
			}
		}
	}
	for _, v := range p.m.prog.Globals {
		if v.Extern && !p.m.given.has(v) {
			known([]target{{p.m.ofVar(v), 0}})
		}
	}
	known([]target{{p.unknown, 0}, {p.garbage, 0}}) // memory that a parameter points to is known outside
	if p.m.given != nil {
		for _, v := range p.m.given.objects {
			known([]target{{p.m.ofVar(v), 0}})
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		for _, held := range p.held[o] {
			known(list(held))
		}
	}
}

// strange reports that all that a pointer may point to is what routines without a body
// hand out.
func (p *pointsTo) strange(all []target) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(t target) bool { return t.obj != p.unknown })
}

// foreign is strange for pointers that others may have set besides: what routines without a body hand out, or
// what a variable that is defined elsewhere holds, may point to memory of its own, where others are.
func (p *pointsTo) foreign(all []target) bool {
	return slices.ContainsFunc(all, func(t target) bool { return t.obj == p.unknown }) &&
		!slices.ContainsFunc(all, func(t target) bool { return t.obj != p.unknown && t.obj != p.garbage })
}

// address reports that a value may be an address; number that it may be an ordinary
// number, which is neither null nor one that no object has as its address.
func (p *pointsTo) address(all []target) bool {
	return slices.ContainsFunc(all, func(t target) bool { return t.obj != p.number })
}

func (p *pointsTo) mayBeNumber(all []target) bool {
	return slices.ContainsFunc(all, func(t target) bool { return t.obj == p.number })
}

// oneObject is the object that all of some values point into, nil if there is none or
// they may be anything else.
func oneObject(all []target) *object {
	if len(all) == 0 || all[0].obj.value || slices.ContainsFunc(all, func(t target) bool { return t.obj != all[0].obj }) {
		return nil
	}
	return all[0].obj
}

// handedOut are the cells of a type that such a pointer may point to.
func (p *pointsTo) handedOut(t *ir.Type) (all []target) {
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

// mayBeWider reports a pointer that others may have set, where they know objects that are more than bytes: by a type
// of characters any object can be accessed (C11 6.5, 7).
func (p *pointsTo) mayBeWider(ptr ir.Expr) bool {
	return ptr != nil && p.foreign(p.value(ptr)) && slices.ContainsFunc(p.m.all, func(o *object) bool {
		return p.escaped[o] && o.fn == nil && (o.v == nil || !o.v.Stream()) && slices.ContainsFunc(o.sorted(), func(c *cell) bool { return c.key.size > 1 || c.key.bits > 0 })
	})
}

// elsewhere reports a pointer that may lead to memory from elsewhere.
func (p *pointsTo) elsewhere(all []target) bool {
	return slices.ContainsFunc(all, func(t target) bool { return t.obj == p.unknown || t.obj == p.garbage })
}

// result stands for what a routine returns.
func (p *pointsTo) result(f *ir.Func) *object {
	if p.results[f] == nil {
		p.results[f] = &object{name: f.Name, value: true}
	}
	return p.results[f]
}

func (p *pointsTo) at(t target) map[target]bool {
	if p.held[t.obj] == nil {
		p.held[t.obj] = map[int64]map[target]bool{}
	}
	if p.held[t.obj][t.off] == nil {
		p.held[t.obj][t.off] = map[target]bool{}
	}
	return p.held[t.obj][t.off]
}

func (p *pointsTo) include(in map[target]bool, more []target) {
	for _, t := range more {
		if !t.obj.value && len(in) >= maxTargets && !in[t] {
			p.insert(in, target{p.walked, 0})
			t.off = anyOffset
		}
		p.insert(in, t)
	}
}

func (p *pointsTo) insert(in map[target]bool, t target) {
	if !in[t] {
		in[t], p.changed = true, true
	}
}

// list is a set in a fixed order.
func list(set map[target]bool) []target {
	return slices.SortedFunc(maps.Keys(set), func(a, b target) int {
		return cmp.Or(cmp.Compare(a.obj.base, b.obj.base), cmp.Compare(a.off, b.off))
	})
}

func (p *pointsTo) instr(i ir.Instr) {
	switch i := i.(type) {
	case *ir.Assign:
		p.assign(i.To, i.Value)
	case *ir.Havoc:
		p.havoc(i.To)
	case *ir.Call:
		var routines []*ir.Func
		if i.Callee != nil {
			routines = []*ir.Func{i.Callee}
		} else {
			routines = p.routines(i.Ptr)
		}
		for _, f := range routines {
			p.call(i, f)
		}
	}
}

// havoc is any value.
func (p *pointsTo) havoc(to ir.Place) {
	for _, at := range p.places(to) {
		switch to.Type.Kind {
		case ir.Integer, ir.IEEE:
			p.include(p.at(at), []target{{p.number, 0}})
		case ir.Pointer:
			p.include(p.at(at), []target{{p.garbage, 0}})
		default:
			p.changed = p.changed || !p.open[at.obj]
			p.open[at.obj] = true
		}
	}
}

// routines are those that a pointer may point to.
func (p *pointsTo) routines(e ir.Expr) (all []*ir.Func) {
	for _, t := range p.value(e) {
		if t.obj.fn != nil && t.off == 0 {
			all = append(all, t.obj.fn)
		}
	}
	return all
}

func (p *pointsTo) call(c *ir.Call, f *ir.Func) {
	if s := p.m.stubs[f]; s != nil {
		p.pass(c, f, s.args)
		if s.inlined {
			p.pass(c, f, f.Params)
			p.back(c, f)
		}
	} else {
		p.pass(c, f, f.Params)
	}
	switch {
	case c.To == nil:
	case p.m.allocating(f):
		for _, at := range p.places(*c.To) {
			p.include(p.at(at), []target{{p.m.ofSite(c, f), 0}})
		}
	case p.m.outside(f):
		p.anyResult(*c.To)
		if s := p.m.stubs[f]; s != nil && c.To.Type.Scalar() {
			for _, e := range s.spoken() {
				for _, at := range p.places(*c.To) {
					p.include(p.at(at), p.value(e))
				}
			}
		}
	default:
		p.back(c, f)
	}
}

// pass assigns the arguments of a call.
func (p *pointsTo) pass(c *ir.Call, f *ir.Func, params []*ir.Var) {
	for k, param := range params {
		if k < len(c.Args) && (!p.m.outside(f) || param.Type.Scalar() && c.Args[k].Type().Scalar()) {
			p.assign(ir.Place{Var: param, Type: param.Type}, c.Args[k])
		}
	}
}

// back assigns what a routine with a body returns.
func (p *pointsTo) back(c *ir.Call, f *ir.Func) {
	if c.To == nil {
		return
	}
	if c.To.Type.Scalar() && !returnsAlways(f) {
		p.havoc(*c.To)
	}
	for _, at := range p.places(*c.To) {
		p.store(p.bytes([]target{{p.result(f), 0}}, max(c.To.Type.Size, 1)), at)
	}
}

// anyResult is what a routine without a body returns.
func (p *pointsTo) anyResult(to ir.Place) {
	unknown := []target{{p.unknown, 0}}
	if to.Type.Kind == ir.Pointer {
		for _, at := range p.places(to) {
			p.include(p.at(at), unknown)
		}
		return
	}
	p.havoc(to)
	if !to.Type.Aggregate() {
		return
	}
	parts, all := leaves(to.Type)
	for _, at := range p.places(to) {
		if !all {
			p.include(p.at(p.someplace(at)), unknown)
		}
		for _, l := range parts {
			if l.t.Kind == ir.Pointer {
				p.include(p.at(p.shifted(at, l.off)), unknown)
			}
		}
	}
}

// returnsAlways reports that no way ends a routine without a result.
func returnsAlways(f *ir.Func) bool {
	return !slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool {
		r, ok := b.End.(*ir.Return)
		return ok && r.Value == nil
	})
}

func (p *pointsTo) assign(to ir.Place, value ir.Expr) {
	p.assignAt(p.places(to), to.Type, value)
}

func (p *pointsTo) assignAt(to []target, t *ir.Type, value ir.Expr) {
	if t.Aggregate() {
		if load, ok := value.(*ir.Load); ok {
			if from := p.places(load.From); len(from) > 0 {
				what := p.bytes(from, t.Size)
				for _, at := range to {
					p.store(what, at)
				}
			}
		}
		return
	}
	more, size := p.value(value), p.m.pointer.Size
	if t.Size < size { // a part of what may be an address elsewhere
		more = append(slices.Clone(more), target{p.number, 0})
	}
	if len(more) == 0 {
		return
	}
	for _, at := range to {
		if t.Kind == ir.Integer && p.mayBeNumber(more) {
			p.keepNumber(at)
		}
		p.include(p.at(at), more)
		for off := size; off < t.Size; off += size {
			p.include(p.at(p.shifted(at, off)), more)
		}
		if t.Kind == ir.Integer && p.address(more) && (at.obj.v == nil || at.obj.v.Type.Aggregate()) {
			p.changed, p.hidden = p.changed || !p.hidden, true
		}
		if at.obj == p.unknown {
			p.changed, p.wild = p.changed || !p.wild, true
		}
	}
}

// region reports memory of which offsets are not told apart.
func (p *pointsTo) region(o *object) bool { return o == p.unknown || o == p.garbage }

// someplace is a target with all others in its object.
func (p *pointsTo) someplace(t target) target {
	if !p.region(t.obj) {
		t.off = anyOffset
	}
	return t
}

// value are the targets of an expression.
func (p *pointsTo) value(e ir.Expr) []target {
	if p.memo == nil {
		return p.withKin(e.Type(), p.compute(e))
	}
	if _, known := p.memo[e]; !known {
		p.memo[e] = p.withKin(e.Type(), p.compute(e))
	}
	return p.memo[e]
}

func (p *pointsTo) compute(e ir.Expr) []target {
	number := []target{{p.number, 0}}
	switch e := e.(type) {
	case *ir.Const:
		if nobody(e) {
			return nil
		}
		return number
	case *ir.Load:
		set := map[target]bool{}
		base := p.base(e.From) // once: chains of accesses would take exponential time
		if e.From.Ptr != nil && anywhere(base) {
			set[p.anything(e.Type())] = true
		}
		for _, at := range p.known(p.based(e.From, base)) {
			maps.Copy(set, p.loaded(at, e.Type()))
		}
		return list(set)
	case *ir.Addr:
		return p.targets(e.Of)
	case *ir.FuncAddr:
		return []target{{p.m.ofFunc(e.Func), 0}}
	case *ir.Convert:
		return p.converted(e)
	case *ir.Move:
		return p.moved(p.value(e.P), e.By, e.Stride, -1)
	case *ir.Distance: // from null it is an address
		if x, y := p.value(e.P), p.value(e.Q); p.address(x) != p.address(y) {
			return []target{{p.number, 0}, {p.walked, 0}}
		}
		return number
	case *ir.Binary:
		if e.Op >= ir.Eq {
			return nil // 0 or 1
		}
		x, y := p.value(e.X), p.value(e.Y)
		switch {
		case (e.Op == ir.Add || e.Op == ir.Sub) && p.address(x) && !p.address(y):
			by := e.Y
			if e.Op == ir.Sub {
				by = &ir.Unary{Op: ir.Neg, X: by}
				if n, ok := e.Y.(*ir.Const); ok {
					by = &ir.Const{T: n.T, Bits: -n.Bits}
				}
			}
			return p.moved(x, by, 1, -1)
		case e.Op == ir.Add && p.address(y) && !p.address(x):
			return p.moved(y, e.X, 1, -1)
		}
		return number
	}
	return number
}

// loaded is what may be read at a place.
func (p *pointsTo) loaded(at target, t *ir.Type) map[target]bool {
	set := p.beside(at, t)
	if !p.region(at.obj) || t.Kind == ir.Pointer || p.hidden {
		p.read(at, t, set)
	}
	if p.open[at.obj] || at.obj.site != nil && !at.obj.zeroed || p.region(at.obj) {
		set[p.anything(t)] = true
	}
	return set
}

// beside is what may be read at a place though the program did not store it there: others
// may store in memory that they know.
func (p *pointsTo) beside(at target, t *ir.Type) map[target]bool {
	set := map[target]bool{}
	foreign := at.obj.v != nil && at.obj.v.Extern && !p.m.given.has(at.obj.v)
	known := p.wild && (p.escaped[at.obj] || at.obj == p.garbage)
	if t.Kind == ir.Pointer && known {
		for t := range p.held[p.unknown][0] {
			if at.obj != p.garbage || !t.obj.value {
				set[t] = true
			}
		}
	}
	if foreign && t.Kind == ir.Pointer {
		set[target{p.unknown, 0}] = true
	}
	if foreign || known {
		set[p.anything(t)] = true
	}
	return set
}

// read adds what is held where a value is read; where that is other bytes than were
// stored, a part of an address, or one that was made of parts.
func (p *pointsTo) read(at target, t *ir.Type, set map[target]bool) {
	size := p.m.pointer.Size
	for off, held := range p.held[at.obj] {
		switch {
		case p.region(at.obj), off == at.off && t.Size == size, off == anyOffset, at.off == anyOffset:
			maps.Copy(set, held)
		case off < at.off+t.Size && at.off < off+size && len(held) > 0:
			set[target{p.number, 0}] = true
			for t := range held {
				if t.obj != p.number {
					set[target{p.walked, 0}] = true
				}
			}
		}
	}
}

// anything is what memory holds that the program did not write to.
func (p *pointsTo) anything(t *ir.Type) target {
	if t.Kind == ir.Pointer {
		return target{p.garbage, 0}
	}
	return target{p.number, 0}
}

// anywhere reports targets of a pointer that may point to memory of its own.
func anywhere(all []target) bool {
	return len(all) == 0 || slices.ContainsFunc(all, func(t target) bool { return t.obj.value })
}

// converted: an address stays one in an integer that is as wide. A pointer that is made
// of a number is like one that comes from elsewhere.
func (p *pointsTo) converted(e *ir.Convert) []target {
	all, from := p.value(e.X), e.X.Type()
	if keepsAddress(from, e.T) {
		if _, constant := e.X.(*ir.Const); e.T.Kind == ir.Pointer && from.Kind == ir.Integer && !constant && p.mayBeNumber(all) {
			return append(slices.Clone(all), target{p.unknown, 0})
		}
		return all
	}
	switch {
	case len(all) == 0:
		return nil
	case e.T.Kind == ir.Pointer:
		return []target{{p.unknown, 0}, {p.number, 0}}
	}
	return []target{{p.number, 0}}
}

// keepsAddress reports a conversion that changes no address.
func keepsAddress(from, to *ir.Type) bool {
	return from.Size == to.Size && !to.Bool || from.Kind == ir.Pointer && to.Kind == ir.Pointer
}

// places are where a place may be, as far as that is known: what is moved out of its object
// is lost, and what is no address points to memory of its own.
func (p *pointsTo) places(at ir.Place) (all []target) { return p.known(p.targets(at)) }

func (p *pointsTo) known(targets []target) (all []target) {
	for _, t := range targets {
		if t.obj == p.number {
			t.obj = p.garbage
		}
		if t.obj != p.walked {
			all = append(all, t)
		}
	}
	return all
}

// targets are where a place may be.
func (p *pointsTo) targets(at ir.Place) (all []target) { return p.based(at, p.base(at)) }

// base are the targets of the variable or the pointer that a place is counted from.
func (p *pointsTo) base(at ir.Place) []target {
	if at.Var != nil {
		return []target{{p.m.ofVar(at.Var), 0}}
	}
	return p.value(at.Ptr)
}

// based are the targets of a place, by those of its base.
func (p *pointsTo) based(at ir.Place, base []target) (all []target) {
	for _, t := range base {
		all = append(all, p.shifted(t, at.Off))
	}
	for _, i := range at.Index {
		all = p.moved(all, i.By, i.Stride, i.Len)
	}
	return all
}

// moved are targets moved by an index, which is known, in an array, or anywhere in the
// object. A number that is moved by an address, as null is, may be any address then.
func (p *pointsTo) moved(from []target, by ir.Expr, stride, length int64) []target {
	set := map[target]bool{}
	if p.address(p.value(by)) {
		set[target{p.walked, 0}] = true
	}
	for _, t := range from {
		if c, ok := by.(*ir.Const); ok {
			by := int64(c.Bits) * stride
			to := p.shifted(t, by)
			switch {
			case t.obj.value || t.off == anyOffset || by == 0:
			case to.off < 0 || to.off > to.obj.size:
				to = target{p.walked, 0}
			case to.off/by > maxOffsets || to.off/by < -maxOffsets: // a loop makes them one by one
				to.off = anyOffset
			}
			set[to] = true
			if to.off == anyOffset {
				set[target{p.walked, 0}] = true
			}
			continue
		}
		if t.obj.value {
			set[t] = true
			continue
		}
		set[target{p.walked, 0}] = true
		if stride <= 0 {
			continue
		}
		if t.off == anyOffset {
			set[t] = true
			continue
		}
		lo, hi := -(t.off / stride), (t.obj.size-t.off)/stride
		if length >= 0 {
			lo, hi = 0, min(hi, length)
		}
		if hi-lo > maxOffsets {
			set[target{t.obj, anyOffset}] = true
			lo, hi = max(lo, -8), min(hi, maxOffsets)
		}
		for k := lo; k <= hi; k++ {
			set[target{t.obj, t.off + k*stride}] = true
		}
	}
	return list(set)
}

// shifted is a target some bytes further; what is no memory stays what it is.
func (p *pointsTo) shifted(t target, by int64) target {
	if !t.obj.value && t.off != anyOffset {
		t.off += by
	}
	return t
}
