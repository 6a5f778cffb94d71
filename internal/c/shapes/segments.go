package shapes

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// split are the cases of a segment that is looked at, from its beginning or from its end: it is empty, if it can be, or
// there is a node, of one of its kinds, and what is left.
func (s *state) split(o id, last bool) (cases []*state) {
	x := s.objects[o]
	if x.least == 0 {
		empty := s.clone()
		empty.objects[o] = nil
		empty.values(func(v value) (value, bool) {
			if v.kind != address || v.at != o {
				return v, false
			}
			if end := x.beyond(v.last); end.kind != address || end.at != o {
				return end, true
			}
			return empty.fresh(anything), true // where it leads back to itself
		})
		cases = append(cases, empty)
	}
	for _, kind := range x.kinds {
		cases = append(cases, s.unfold(o, kind, last))
	}
	return cases
}

// beyond is where an empty segment leads: what its beginning is, or its end.
func (o *object) beyond(last bool) value {
	if last {
		return o.back.end
	}
	return o.next.end
}

// unfold takes a node of a kind off a segment.
func (s *state) unfold(o id, kind []field, last bool) *state {
	s = s.clone()
	x := s.own(o)
	node := s.add(object{size: x.size, heap: true, zeroed: x.zeroed, fields: s.instance(kind)})
	s.values(func(v value) (value, bool) {
		if v.kind != address || v.at != o || v.last != last {
			return v, false
		}
		v.at, v.last = node, false
		return v, true
	})
	x, y := s.own(o), s.own(node)
	if x.least = 0; last {
		y.set(x.next.from, x.next.t, x.next.end)
		y.set(x.back.from, x.back.t, value{kind: address, at: o, off: x.back.to, last: true})
		x.next.end = value{kind: address, at: node, off: x.next.to}
		return s
	}
	y.set(x.next.from, x.next.t, value{kind: address, at: o, off: x.next.to})
	if x.back != nil {
		y.set(x.back.from, x.back.t, x.back.end)
		back := *x.back
		back.end, x.back = value{kind: address, at: node, off: back.to}, &back
	}
	return s
}

// instance are the fields of one node.
func (s *state) instance(fields []field) []field {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if f.v.kind == unknown {
			fields[i].v = s.fresh(s.symbols[f.v.sym])
		}
	}
	return fields
}

// loss is what may be lost where nodes become one segment.
type loss uint8

const (
	order    loss = iota // which of nodes of the same kinds comes when
	kindred              // the same of others
	contents             // what they hold
)

// fold makes segments of nodes one after the other, where only its neighbours lead to a node.
func (s *state) fold(most loss) {
	for again := true; again; {
		again = false
		for i, o := range s.objects {
			if o != nil && o.heap && s.foldAt(id(i), most) {
				again = true
			}
		}
	}
}

// foldAt makes a segment of a node, or a segment, and what comes next.
func (s *state) foldAt(a id, most loss) bool {
	x := s.objects[a]
	if x.folded() {
		return s.join(a, x.next, x.back, most)
	}
	for _, f := range x.fields {
		if f.v.kind != address || f.v.at == a || f.v.last || !s.objects[f.v.at].heap {
			continue
		}
		next := link{from: f.off, to: f.v.off, t: f.t, end: f.v}
		if s.join(a, next, s.backOf(a, f), most) || s.join(a, next, nil, most) {
			return true
		}
	}
	return false
}

// backOf is how what a field leads to leads back to the node; nil if it does not.
func (s *state) backOf(a id, next field) *link {
	x, y := s.objects[a], s.objects[next.v.at]
	if y.folded() {
		if y.back == nil || y.back.end.kind != address || y.back.end.at != a {
			return nil
		}
		if i, exact, overlaps := x.find(y.back.from, y.back.t.Size); exact && !overlaps {
			return &link{y.back.from, y.back.to, y.back.t, x.fields[i].v}
		}
		return nil
	}
	for _, g := range y.fields {
		if g.v.kind == address && g.v.at == a && g.off != next.off {
			if i, exact, overlaps := x.find(g.off, g.t.Size); exact && !overlaps {
				return &link{g.off, g.v.off, g.t, x.fields[i].v}
			}
		}
	}
	return nil
}

// join makes one segment of a node, or a segment, and what its link leads to.
func (s *state) join(a id, next link, back *link, most loss) bool {
	if next.end.kind != address || next.end.at == a || next.end.last {
		return false
	}
	b := next.end.at
	x, y := s.objects[a], s.objects[b]
	switch {
	case !y.heap || y.size != x.size || y.size < 0 || y.zeroed != x.zeroed || next.end.off != next.to:
		return false
	case y.folded() && (y.next.from != next.from || y.next.to != next.to || (y.back == nil) != (back == nil)):
		return false
	case y.folded() && back != nil && (y.back.from != back.from || y.back.to != back.to):
		return false
	case !s.between(a, b, next, back):
		return false
	}
	whole := next
	if y.folded() {
		whole.end = y.next.end
	} else if i, exact, overlaps := y.find(next.from, next.t.Size); exact && !overlaps && y.fields[i].t.Kind == next.t.Kind {
		whole.end = y.fields[i].v
	} else {
		return false
	}
	if whole.end.kind == address && whole.end.at == b {
		return false
	}
	of, other := kindsOf(x, next, back), kindsOf(y, next, back)
	kinds := s.united(of, other, a, b, most)
	if kinds == nil || most == order && len(kinds) > min(len(of), len(other)) {
		return false
	}
	least := 1
	if x.folded() && y.folded() {
		least = max(x.least, y.least)
	}
	z := s.own(a)
	z.fields, z.segment = nil, segment{kinds, least, whole, back}
	s.objects[b] = nil
	s.values(func(v value) (value, bool) { // which leads back from behind
		if v.kind == address && v.at == b {
			return value{kind: address, at: a, off: v.off, last: true}, true
		}
		return v, false
	})
	return true
}

// between reports that nothing leads to where two nodes meet, but they themselves, and that what leads to the first one
// leads to its beginning, and back to the second one where it does so from behind.
func (s *state) between(a, b id, next link, back *link) bool {
	x, y := s.objects[a], s.objects[b]
	toB, fromB, behind, well := 0, 0, 0, true
	s.values(func(v value) (value, bool) {
		switch {
		case v.kind != address:
		case v.at == a && x.folded() && v.last:
			fromB++
			well = well && back != nil && v.off == back.to
		case v.at == a && v.off != next.to && (back == nil || v.off != back.to):
			well = false
		case v.at == b && y.folded() && v.last:
		case v.at == b:
			toB++
		}
		return v, false
	})
	// What leads back from behind: the node that comes next, or a struct with both ends of a list, but no pointer that
	// goes along it, so that the node which that leads to stays apart.
	for _, o := range s.objects {
		if o == nil || back == nil || !o.heap && (o.v == nil || !o.v.Type.Aggregate()) {
			continue
		}
		for _, f := range o.fields {
			if f.v.kind == address && f.v.at == b && !f.v.last && (f.off == back.from || !o.heap) && o != x {
				behind++
				well = well && f.v.off == back.to
			}
		}
		if o.folded() && o.back != nil && o != y && o.back.end.kind == address && o.back.end.at == b && !o.back.end.last {
			behind++
			well = well && o.back.from == back.from && o.back.end.off == back.to
		}
	}
	if !well || y.folded() && (toB != 1 || behind > 0) || !y.folded() && toB != 1+behind {
		return false
	}
	if back == nil {
		return fromB == 0
	}
	// b has to lead back to a, or its last node, and nothing else to that
	at := value{kind: address, at: a, off: back.to, last: x.folded()}
	if y.folded() {
		if y.back.end != at {
			return false
		}
	} else if i, exact, overlaps := y.find(back.from, back.t.Size); !exact || overlaps || y.fields[i].v != at {
		return false
	}
	if x.folded() {
		return fromB == 1
	}
	return s.fromAhead(a, b, next, back)
}

// fromAhead reports that what leads to a node leads to its beginning, but for what leads back from the next one.
func (s *state) fromAhead(a, b id, next link, back *link) bool {
	if next.to == back.to {
		return true
	}
	n := 0
	s.values(func(v value) (value, bool) {
		if v.kind == address && v.at == a && v.off != next.to {
			n++
		}
		return v, false
	})
	return n == 1
}

// kindsOf are what nodes hold beside their links.
func kindsOf(o *object, next link, back *link) [][]field {
	if o.folded() {
		return o.kinds
	}
	return [][]field{slices.DeleteFunc(slices.Clone(o.fields), func(f field) bool {
		return f.off == next.from || back != nil && f.off == back.from
	})}
}

// mostKinds is how many kinds of nodes a segment can have.
const mostKinds = 4

// united are the kinds of both; nil if they are too many.
func (s *state) united(kinds, others [][]field, a, b id, most loss) (all [][]field) {
	for _, kind := range slices.Concat(kinds, others) {
		done := false
		for i, old := range all {
			if both, ok := s.common(old, kind, a, b, most, s.objects[a].zeroed); ok {
				all[i], done = both, true
				break
			}
		}
		if !done {
			for _, f := range kind {
				if f.v.kind == address && (f.v.at == a || f.v.at == b) || most < contents && len(all) > 0 && !leads(all[0], f) {
					return nil
				}
			}
			if all = append(all, s.instance(kind)); len(all) > mostKinds {
				return nil
			}
		}
	}
	return all
}

// leads reports that a pointer of a node leads where that of another kind does: what nodes are in which order is in them.
func leads(kind []field, f field) bool {
	return f.t.Kind != ir.Pointer && f.v.kind != address || slices.ContainsFunc(kind, func(g field) bool { return g.off == f.off && g.v == f.v })
}

// common is one kind of nodes that has two; what they hold is to be the same but for symbols, where that must not be lost.
func (s *state) common(x, y []field, a, b id, most loss, zeroed bool) (all []field, ok bool) {
	for _, f := range x {
		i := slices.IndexFunc(y, func(g field) bool { return g.off == f.off && g.t.Size == f.t.Size && alike(f, g) })
		if i < 0 {
			if most < contents || zeroed {
				return nil, false
			}
			continue
		}
		v, same := s.both(f, y[i].v, a, b, most)
		if !same {
			return nil, false
		}
		all = append(all, field{f.off, f.t, v})
	}
	return all, len(all) == len(y) || most == contents && !zeroed
}

// alike reports fields of one type.
func alike(f, g field) bool {
	return f.t.Kind == g.t.Kind && f.t.Signed == g.t.Signed && f.t.Bool == g.t.Bool
}

// both is a value that a scalar of two nodes has: the same, or a symbol, of each its own.
func (s *state) both(f field, w value, a, b id, most loss) (value, bool) {
	v := f.v
	inside := v.kind == address && (v.at == a || v.at == b)
	switch {
	case v == w && v.kind != unknown && !inside:
		return v, true
	case v.kind == unknown && w.kind == unknown, most == contents:
		return s.fresh(s.of(v, f.t).join(s.of(w, f.t))), true
	}
	return v, false
}
