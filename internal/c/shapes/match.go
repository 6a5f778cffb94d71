package shapes

import (
	"maps"
	"math"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// matching goes through two graphs at once, from their variables.
type matching struct {
	s, t    *state
	globals int
	as      []id             // by objects of t, that of s which it stands for, or none
	used    []bool           // those of s
	empty   []bool           // segments of t that stand for nothing
	symbols map[symbol]value // of t: what they are in s
	work    [][2]id
	// Where both are joined: the symbols of the graph that is made, by what is in both; wide has numbers grow in steps.
	joined *state
	pairs  map[pair]value
	wide   []int64
	// short: a segment of t is taken to be empty first.
	short bool
}

// none is no object.
const none id = -1

type pair struct {
	v, w   value
	kind   ir.Kind
	size   int64
	signed bool
}

// covers reports that each memory of s is one of t: t has all that is known of s, or less.
func covers(t, s *state, globals int) bool {
	for _, short := range []bool{false, true} {
		if m := (&matching{s: s, t: t, globals: globals, short: short}); m.run() && (t.lost || !s.lost && !m.left()) {
			return true
		}
	}
	return false
}

// joins makes of two graphs of one shape a third that covers both; nil if the shapes differ. Numbers that differ grow to one
// of some, sorted.
func joins(t, s *state, globals int, wide []int64) *state {
	m := &matching{s: s, t: t, globals: globals, joined: t.clone(), pairs: map[pair]value{}, wide: wide}
	if !m.run() {
		return nil
	}
	m.joined.lost = t.lost || s.lost || m.left()
	return m.joined
}

// left reports memory of s that nothing in t stands for.
func (m *matching) left() bool {
	for p, o := range m.s.objects {
		if o != nil && o.heap && !m.used[p] {
			return true
		}
	}
	return false
}

func (m *matching) run() bool {
	m.as, m.used, m.empty, m.symbols = slices.Repeat([]id{none}, len(m.t.objects)), make([]bool, len(m.s.objects)), make([]bool, len(m.t.objects)), map[symbol]value{}
	for o := range m.globals {
		if !m.object(id(o), id(o)) {
			return false
		}
	}
	for i, f := range m.t.frames {
		g := m.s.frames[i]
		for k := range f.vars {
			if !m.object(f.vars[k], g.vars[k]) {
				return false
			}
		}
		if f.to != nil {
			if v, ok := m.value(f.to.at, g.to.at, f.to.t); !ok || m.joined != nil && v != f.to.at {
				return false
			}
		}
	}
	for len(m.work) > 0 {
		p := m.work[len(m.work)-1]
		if m.work = m.work[:len(m.work)-1]; !m.contents(p[0], p[1]) {
			return false
		}
	}
	return m.ends()
}

// ends reports that the same objects end with activations.
func (m *matching) ends() bool {
	for i, f := range m.t.frames {
		n := 0
		for _, o := range f.also {
			if p := m.as[o]; p != none {
				if n++; !slices.Contains(m.s.frames[i].also, p) {
					return false
				}
			}
		}
		for _, p := range m.s.frames[i].also {
			if m.used[p] {
				n--
			}
		}
		if n != 0 {
			return false
		}
	}
	return true
}

// object matches an object of t with one of s.
func (m *matching) object(o, p id) bool {
	if q := m.as[o]; q != none {
		return q == p
	}
	if m.used[p] || m.empty[o] {
		return false
	}
	x, y := m.t.objects[o], m.s.objects[p]
	if x == nil || y == nil || x.size != y.size || x.heap != y.heap || x.v != y.v || x.zeroed && !y.zeroed {
		return false
	}
	switch {
	case x.folded() && y.folded():
		if !x.linked(y) || x.zeroed != y.zeroed || m.joined == nil && x.least > y.least {
			return false
		}
	case y.folded(), x.folded() && m.joined != nil, m.joined != nil && x.zeroed != y.zeroed:
		return false
	}
	m.as[o], m.used[p] = p, true
	m.work = append(m.work, [2]id{o, p})
	return true
}

// linked reports segments whose nodes are linked in the same way.
func (o *object) linked(p *object) bool {
	return o.next.from == p.next.from && o.next.to == p.next.to && (o.back == nil) == (p.back == nil) &&
		(o.back == nil || o.back.from == p.back.from && o.back.to == p.back.to)
}

// contents matches what two objects hold.
func (m *matching) contents(o, p id) bool {
	x, y := m.t.objects[o], m.s.objects[p]
	if !x.folded() {
		kept, ok := m.fields(x.fields, x.zeroed, y.fields, y.zeroed, m.value)
		if ok && m.joined != nil {
			m.joined.own(o).fields = kept
		}
		return ok
	}
	if !m.ways(o, p) {
		return false
	}
	kinds := y.kinds
	if !y.folded() {
		kinds = kindsOf(y, x.next, x.back)
	}
	if m.joined != nil {
		return m.joinKinds(o, kinds, y)
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(x.kinds, func(of []field) bool {
			before := *m
			before.as, before.used, before.empty, before.symbols, before.work = slices.Clone(m.as), slices.Clone(m.used), slices.Clone(m.empty), maps.Clone(m.symbols), slices.Clone(m.work)
			_, ok := m.fields(of, x.zeroed, kind, y.zeroed, m.each)
			if !ok {
				*m = before
			}
			return ok
		}) {
			return false
		}
	}
	return true
}

// joinKinds makes the kinds of two segments those of one.
func (m *matching) joinKinds(o id, kinds [][]field, y *object) bool {
	x := m.t.objects[o]
	if len(x.kinds) != len(kinds) {
		return false
	}
	for i, kind := range kinds {
		kept, ok := m.fields(x.kinds[i], x.zeroed, kind, y.zeroed, m.each)
		if !ok {
			return false
		}
		m.joined.own(o).kinds[i] = kept
	}
	z := m.joined.own(o)
	z.least = min(x.least, y.least)
	return true
}

// fields matches scalars, each by one.
func (m *matching) fields(x []field, zeroed bool, y []field, zeros bool, one func(v, w value, t *ir.Type) (value, bool)) (kept []field, ok bool) {
	in := &object{fields: y}
	for _, f := range x {
		i, exact, overlaps := in.find(f.off, f.t.Size)
		var w value
		switch {
		case exact && !overlaps && alike(f, y[i]):
			w = y[i].v
		case !exact && !overlaps && zeros:
			w = numeral(0)
		case m.joined != nil && !zeroed: // any bytes
			continue
		default:
			return nil, false
		}
		v, ok := one(f.v, w, f.t)
		if !ok {
			return nil, false
		}
		kept = append(kept, field{f.off, f.t, v})
	}
	if zeroed { // what else is in y has to be zero
		of := &object{fields: x}
		for _, g := range y {
			if _, exact, _ := of.find(g.off, g.t.Size); !exact && !(g.v.kind == number && g.v.bits == 0) {
				return nil, false
			}
		}
	}
	return kept, true
}

// ways matches where a segment leads with where one leads, or a node.
func (m *matching) ways(o, p id) bool {
	x, y := m.t.objects[o], m.s.objects[p]
	next, ok := m.way(x.next, y, func(of *object) link { return of.next })
	if !ok {
		return false
	}
	back, ok := next, true
	if x.back != nil {
		back, ok = m.way(*x.back, y, func(of *object) link { return *of.back })
	}
	if ok && m.joined != nil {
		z := m.joined.own(o)
		z.next.end = next
		if z.back != nil {
			way := *z.back
			way.end, z.back = back, &way
		}
	}
	return ok
}

// way matches one of the ends of a segment.
func (m *matching) way(x link, y *object, of func(*object) link) (value, bool) {
	if y.folded() {
		return m.value(x.end, of(y).end, x.t)
	}
	i, exact, overlaps := y.find(x.from, x.t.Size)
	if !exact || overlaps || !y.heap {
		return x.end, false
	}
	return m.value(x.end, y.fields[i].v, x.t)
}

// each matches a scalar of all nodes of a segment of t, whose symbols stand nowhere else.
func (m *matching) each(v, w value, t *ir.Type) (value, bool) {
	n, k := m.t.of(v, t), m.s.of(w, t)
	switch {
	case m.joined == nil && v.kind == unknown:
		return v, n.covers(k)
	case m.joined == nil, v == w && v.kind == number, v.kind == address, v.kind == routine:
		return m.value(v, w, t)
	}
	return m.joined.fresh(m.widened(n, k, t)), w.kind == unknown || w.kind == number
}

// value matches what a scalar of t holds with what one of s holds; where both are joined, it is what stands for both.
func (m *matching) value(v, w value, t *ir.Type) (value, bool) {
	if m.joined != nil {
		return m.join(v, w, t)
	}
	switch v.kind {
	case address:
		x := m.t.objects[v.at]
		if x.folded() && x.least == 0 && m.as[v.at] == none && (m.empty[v.at] || m.short || !(w.kind == address && m.stands(v, w))) {
			m.empty[v.at] = true
			_, ok := m.value(x.beyond(v.last), w, t)
			return v, ok
		}
		return v, w.kind == address && v.off == w.off && m.object(v.at, w.at) && (!m.s.objects[w.at].folded() || v.last == w.last)
	case unknown:
		if at, done := m.symbols[v.sym]; done && v.sym != 0 {
			return v, at == w
		}
		m.symbols[v.sym] = w
		n := m.t.symbols[v.sym]
		if w.kind == address || w.kind == routine {
			return v, !n.known // an address is not zero
		}
		return v, n.covers(m.s.of(w, t))
	}
	return v, v == w
}

// stands reports that a segment may stand for what an address leads to, by its form.
func (m *matching) stands(v, w value) bool {
	x, y := m.t.objects[v.at], m.s.objects[w.at]
	if !y.heap || x.size != y.size || w.off != v.off || m.used[w.at] || x.zeroed != y.zeroed {
		return false
	}
	if y.folded() {
		return x.linked(y) && v.last == w.last
	}
	_, exact, overlaps := y.find(x.next.from, x.next.t.Size)
	return exact && !overlaps
}

// join is what stands for two values, in the graph that is made, whose objects are those of t.
func (m *matching) join(v, w value, t *ir.Type) (value, bool) {
	switch {
	case v.kind == address && w.kind == address:
		if v.off != w.off || v.last != w.last {
			return v, false
		}
		return v, m.object(v.at, w.at)
	case v.kind == address || w.kind == address:
		return v, false
	case v == w && v.kind != unknown:
		return v, true
	case v.kind == routine || w.kind == routine:
		return v, false
	}
	if t.Kind == ir.Pointer && (v.kind == number) != (w.kind == number) {
		return v, false // null, and what is not known
	}
	p := pair{v, w, t.Kind, t.Size, t.Signed}
	if z, done := m.pairs[p]; done {
		return z, true
	}
	z := m.joined.fresh(m.widened(m.t.of(v, t), m.s.of(w, t), t))
	m.pairs[p] = z
	return z, true
}

// widened are the numbers of both; where the latter have others than the former, they grow to the next of some.
func (m *matching) widened(n, k numbers, t *ir.Type) numbers {
	z := n.join(k)
	if !z.known || n.covers(k) {
		return z
	}
	all := ofType(t)
	if !all.known {
		all = numbers{known: true, high: math.MaxInt64}
	}
	if k.low < n.low {
		i, found := slices.BinarySearch(m.wide, k.low)
		switch {
		case found:
		case i == 0:
			z.low = min(all.low, z.low)
		default:
			z.low = max(m.wide[i-1], all.low)
		}
	}
	if k.high > n.high {
		i, _ := slices.BinarySearch(m.wide, k.high)
		if z.high = all.high; i < len(m.wide) {
			z.high = min(m.wide[i], all.high)
		}
	}
	z.low, z.high = min(z.low, n.low, k.low), max(z.high, n.high, k.high)
	return z
}
