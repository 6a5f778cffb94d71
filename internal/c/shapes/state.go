package shapes

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// state is a graph: the memory of all runs that come to a place, with the calls they are in.
type state struct {
	objects []*object // by id, nil where there is none any more
	symbols map[symbol]numbers
	next    symbol
	frames  []*frame // never changed; the last one is what runs
	// lost: memory that was allocated is led to by nothing any more.
	lost bool
}

// id is the number of an object of a state.
type id int

// symbol is an unknown value.
type symbol int

// object is a piece of memory, or a segment of a list of such pieces.
type object struct {
	owner  *state // the only one that may change it
	v      *ir.Var
	size   int64 // -1: not known
	heap   bool  // it lives until it is freed
	zeroed bool  // what has no field is zero; else any bytes
	fields []field
	segment
}

// segment is what an object is that stands for nodes one after the other; without kinds, it stands for none.
type segment struct {
	// kinds are what nodes hold, beside what leads to the others: each is as one of these. Symbols in them are of each
	// node its own, and stand nowhere else.
	kinds [][]field
	least int // how many nodes there are, 0 or 1
	next  link
	back  *link // where each leads to the one before it, too
}

// link is how the nodes of a segment lead to each other: from an offset of each to one of the other.
type link struct {
	from, to int64
	t        *ir.Type
	end      value // where the last one leads, or, of back, the first one
}

// folded reports a segment.
func (o *object) folded() bool { return len(o.kinds) > 0 }

// field is a scalar of an object.
type field struct {
	off int64
	t   *ir.Type
	v   value
}

func (f field) until() int64 { return f.off + f.t.Size }

// frame is an activation of a routine.
type frame struct {
	f    *ir.Func
	vars []id // of parameters, and locals
	// also are arrays of variable length, and what alloca made, which end with it.
	also []id
	b    *ir.Block // where it goes on: in this block,
	at   int       // behind so many instructions
	to   *target   // where the result goes
}

// target is a place whose address is known.
type target struct {
	at   value // an address
	t    *ir.Type
	bits bool // it is a bit-field
}

// clone is a copy that can be changed.
func (s *state) clone() *state {
	s.disown()
	return &state{objects: slices.Clone(s.objects), symbols: maps.Clone(s.symbols), next: s.next, frames: slices.Clone(s.frames), lost: s.lost}
}

// own is an object that may be changed.
func (s *state) own(o id) *object {
	x := s.objects[o]
	if x.owner != s {
		y := *x
		y.owner, y.fields, y.kinds = s, slices.Clone(x.fields), nil
		for _, kind := range x.kinds {
			y.kinds = append(y.kinds, slices.Clone(kind))
		}
		s.objects[o], x = &y, &y
	}
	return x
}

// add makes an object.
func (s *state) add(o object) id {
	o.owner = s
	if free := slices.Index(s.objects, nil); free >= 0 {
		s.objects[free] = &o
		return id(free)
	}
	s.objects = append(s.objects, &o)
	return id(len(s.objects) - 1)
}

// fresh is a symbol of some numbers, or the number that is the only one.
func (s *state) fresh(n numbers) value {
	if n.known && n.low == n.high {
		return numeral(uint64(n.low))
	}
	s.next++
	s.symbols[s.next] = n
	return value{kind: unknown, sym: s.next}
}

// top is the frame that runs.
func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

// setTop changes a copy of the frame that runs.
func (s *state) setTop(change func(f *frame)) {
	f := *s.top()
	change(&f)
	s.frames[len(s.frames)-1] = &f
}

// values visits all values, and those that do returns true of are replaced by what it returns.
func (s *state) values(do func(v value) (value, bool)) {
	for i, o := range s.objects {
		if o == nil {
			continue
		}
		for k := range o.fields {
			if v, changed := do(o.fields[k].v); changed {
				o = s.own(id(i))
				o.fields[k].v = v
			}
		}
		for n, kind := range o.kinds {
			for k := range kind {
				if v, changed := do(kind[k].v); changed {
					o = s.own(id(i))
					o.kinds[n][k].v = v
				}
			}
		}
		if o.folded() {
			if v, changed := do(o.next.end); changed {
				s.own(id(i)).next.end = v
			}
			if o = s.objects[i]; o.back != nil {
				if v, changed := do(o.back.end); changed {
					o = s.own(id(i))
					back := *o.back
					back.end, o.back = v, &back
				}
			}
		}
	}
	for i, f := range s.frames {
		if f.to == nil {
			continue
		}
		if v, changed := do(f.to.at); changed {
			g, to := *f, *f.to
			to.at, g.to = v, &to
			s.frames[i] = &g
		}
	}
}

// narrow notes which numbers a symbol can be.
func (s *state) narrow(x symbol, n numbers) {
	if s.symbols[x] = n; n.known && n.low == n.high {
		s.replace(x, numeral(uint64(n.low)))
	}
}

// replace puts one value for a symbol.
func (s *state) replace(x symbol, by value) {
	s.values(func(v value) (value, bool) { return by, v.kind == unknown && v.sym == x })
	delete(s.symbols, x)
}

// kill ends the life of an object: what led to it leads nowhere that is known.
func (s *state) kill(o id) {
	s.objects[o] = nil
	s.values(func(v value) (value, bool) {
		if v.kind == address && v.at == o {
			return s.fresh(anything), true
		}
		return v, false
	})
}

// collect leaves out what nothing leads to any more: objects, and symbols. What only a segment leads to that may be empty
// may be lost.
func (s *state) collect(globals int) {
	s.lost = s.lost || s.mayLose(globals)
	seen := make([]bool, len(s.objects))
	var work []id
	visit := func(o id) {
		if o >= 0 && !seen[o] && s.objects[o] != nil {
			seen[o] = true
			work = append(work, o)
		}
	}
	for o := range globals {
		visit(id(o))
	}
	for _, f := range s.frames {
		for _, o := range f.vars {
			visit(o)
		}
		if f.to != nil && f.to.at.kind == address {
			visit(f.to.at.at)
		}
	}
	used := map[symbol]numbers{}
	use := func(v value) {
		switch v.kind {
		case address:
			visit(v.at)
		case unknown:
			used[v.sym] = s.symbols[v.sym]
		}
	}
	for len(work) > 0 {
		o := s.objects[work[len(work)-1]]
		work = work[:len(work)-1]
		for _, f := range o.fields {
			use(f.v)
		}
		for _, kind := range o.kinds {
			for _, f := range kind {
				use(f.v)
			}
		}
		if o.folded() {
			use(o.next.end)
			if o.back != nil {
				use(o.back.end)
			}
		}
	}
	for _, f := range s.frames {
		if f.to != nil {
			use(f.to.at)
		}
	}
	s.symbols = used
	for i, o := range s.objects {
		if o != nil && !seen[i] {
			s.objects[i] = nil
		}
	}
	for i, f := range s.frames {
		if slices.ContainsFunc(f.also, func(o id) bool { return s.objects[o] == nil }) {
			g := *f
			g.also = slices.DeleteFunc(slices.Clone(f.also), func(o id) bool { return s.objects[o] == nil })
			s.frames[i] = &g
		}
	}
}

// mayLose reports memory that nothing leads to, if segments are empty that can be.
func (s *state) mayLose(globals int) bool {
	type end struct {
		o    id
		last bool
	}
	seen, sure := map[end]bool{}, make([]bool, len(s.objects))
	var work []end
	visit := func(o id, last bool) {
		if o >= 0 && s.objects[o] != nil && !seen[end{o, last}] {
			seen[end{o, last}], sure[o] = true, true
			work = append(work, end{o, last})
		}
	}
	use := func(v value) {
		if v.kind == address {
			visit(v.at, v.last)
		}
	}
	for o := range globals {
		visit(id(o), false)
	}
	for _, f := range s.frames {
		for _, o := range f.vars {
			visit(o, false)
		}
		if f.to != nil {
			use(f.to.at)
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		o := s.objects[at.o]
		if o.folded() && o.least == 0 {
			use(o.beyond(at.last))
			continue
		}
		for _, f := range o.fields {
			use(f.v)
		}
		for _, kind := range o.kinds[:min(1, len(o.kinds))] { // what they lead to is the same, or not sure
			for _, f := range kind {
				if !slices.ContainsFunc(o.kinds, func(k []field) bool { return !slices.Contains(k, f) }) {
					use(f.v)
				}
			}
		}
		if o.folded() {
			use(o.next.end)
			if o.back != nil {
				use(o.back.end)
			}
		}
	}
	for i, o := range s.objects {
		if o != nil && o.heap && !sure[i] {
			return true
		}
	}
	return false
}

// find finds what is stored at an offset: the index of that field, whether it is just that, and whether others, or
// another, overlap with it.
func (o *object) find(off, size int64) (at int, exact, overlaps bool) {
	at = -1
	for i, f := range o.fields {
		switch {
		case f.off == off && f.t.Size == size:
			at, exact = i, true
		case f.off < off+size && off < f.until():
			overlaps = true
		}
	}
	return at, exact, overlaps
}

// forget makes some bytes any bytes.
func (o *object) forget(off, size int64) {
	o.fields = slices.DeleteFunc(o.fields, func(f field) bool { return f.off < off+size && off < f.until() })
	o.zeroed = false
}

// set stores a scalar.
func (o *object) set(off int64, t *ir.Type, v value) {
	if at, exact, overlaps := o.find(off, t.Size); exact && !overlaps {
		o.fields[at] = field{off, t, v}
		return
	} else if overlaps || exact {
		o.forget(off, t.Size)
	}
	i, _ := slices.BinarySearchFunc(o.fields, off, func(f field, off int64) int { return int(f.off - off) })
	o.fields = slices.Insert(o.fields, i, field{off, t, v})
}
