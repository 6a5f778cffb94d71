package passes

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// merge removes locations that control only passes through, as large blocks do
// ([Beyer09]) but for good: straight lines become one edge, and edges between the same
// locations that do the same become one where one of their guards always holds then, or
// what they have in common decides.
//
// Nobody sees that a location is left out, if nothing that is watched changes on the way to it:
// whoever waited there waits where the edge begins. What changes behind it is seen as before.
func merge(in subject) *image {
	sys := in.System
	m := &merger{image: newImage(in), flow: newFlow(sys), places: make([]spot, len(sys.Locations)), seen: watching(in)}
	for i, e := range sys.Edges {
		m.add(&link{Edge: e, way: &way{edge: i}, conjuncts: len(logic.Conjuncts(e.Command.Guard))})
	}
	for l := range m.places {
		m.again(l)
	}
	for len(m.work) > 0 {
		l := m.work[0]
		m.work = m.work[1:]
		m.places[l].waiting = false
		m.parallel(l)
		if len(m.all) < mostLinks+8*len(sys.Edges) && m.removable(l) {
			m.remove(l)
		}
	}
	return m.finish()
}

// mostLinks bounds the edges that are made: of thousands of ways into each of thousands of locations, the rest stay.
const mostLinks = 200_000

// link is an edge while merging goes on.
type link struct {
	program.Edge
	way       *way
	conjuncts int
	number    int // in the order in which they were added
	gone      bool
}

// spot is a location with its edges; those that are gone are dropped now and then.
type spot struct {
	in, out  []*link
	compared int // links before this number have been compared with each other
	waiting  bool
}

type merger struct {
	*image
	*flow
	seen    *watch
	values  *available // constants, made when they are first needed
	places  []spot
	all     []*link
	work    []int
	changed bool
}

func (m *merger) add(e *link) {
	e.number, m.all = len(m.all), append(m.all, e)
	m.places[e.From].out, m.places[e.To].in = append(m.places[e.From].out, e), append(m.places[e.To].in, e)
}

func (m *merger) again(l int) {
	if !m.places[l].waiting {
		m.places[l].waiting, m.work = true, append(m.work, l)
	}
}

func present(links []*link) []*link {
	return slices.DeleteFunc(links, func(e *link) bool { return e.gone })
}

// parallel makes one edge of those that lead from a location to the same one and do the
// same, where the guard does not become a disjunction.
func (m *merger) parallel(l int) {
	p := &m.places[l]
	p.out = present(p.out)
	known := p.compared
	p.compared = len(m.all)
	for i := 0; i < len(p.out); i++ {
		a := p.out[i]
		if len(a.Command.Inputs) > 0 {
			continue
		}
		for k := i + 1; k < len(p.out) && !a.gone; k++ {
			b := p.out[k]
			if b.number < known { // so is a: they were told apart before
				continue
			}
			if b.gone || b.To != a.To || len(b.Command.Inputs) > 0 || !maps.Equal(a.Command.Update, b.Command.Update) {
				continue
			}
			guard, ok := either(a.Command.Guard, b.Command.Guard)
			if !ok {
				continue
			}
			a.gone, b.gone, m.changed = true, true, true
			one := &link{Edge: a.Edge, way: &way{or: []*way{a.way, b.way}}, conjuncts: len(logic.Conjuncts(guard))}
			one.Command = &program.Command{Guard: guard, Update: a.Command.Update}
			m.add(one)
			m.again(a.To)
		}
	}
	p.out = present(p.out)
}

// either is the disjunction of two guards, if it is no larger than they are.
func either(a, b *logic.Term) (*logic.Term, bool) {
	in := map[*logic.Term]bool{}
	for _, p := range logic.Conjuncts(b) {
		in[p] = true
	}
	var common, left []*logic.Term
	for _, p := range logic.Conjuncts(a) {
		if in[p] {
			common = append(common, p)
			delete(in, p)
		} else {
			left = append(left, p)
		}
	}
	right := lists.Filter(logic.Conjuncts(b), func(p *logic.Term) bool { return in[p] })
	if len(left) > 1 && len(right) > 1 {
		return nil, false // two conjunctions without a common conjunct; there may be thousands of such pairs
	}
	rest := logic.Or(logic.And(left...), logic.And(right...))
	if rest.Op() == logic.OpOr {
		return nil, false
	}
	return logic.And(append(common, rest)...), true
}

// maxParts bounds the conjuncts and assignments of an edge that is made of several.
const maxParts = 100

// removable: the location is no end of a run, has no loop, and its edges do not become more:
// one leaves, or one comes. Its invariant is a weakest precondition, if those that leave have
// no inputs, or else the strongest postcondition of the one that comes.
func (m *merger) removable(l int) bool {
	if m.init[l] || m.bad[l] {
		return false
	}
	p := &m.places[l]
	p.in, p.out = present(p.in), present(p.out)
	if len(p.in) == 0 || len(p.out) == 0 || len(p.out) > 1 && len(p.in) > 1 {
		return false
	}
	if slices.ContainsFunc(p.out, func(b *link) bool { return len(b.Command.Inputs) > 0 }) && (len(p.in) > 1 || m.after(p.in[0]) == nil) {
		return false
	}
	if slices.ContainsFunc(p.in, func(a *link) bool { return m.seen.change(&a.Edge) }) {
		return false
	}
	for _, b := range p.out {
		if b.To == l {
			return false
		}
		for _, a := range p.in {
			if a.conjuncts+b.conjuncts+len(a.Command.Update)+len(b.Command.Update) > maxParts {
				return false
			}
		}
	}
	return true
}

func (m *merger) remove(l int) {
	p := &m.places[l]
	j := joined{location: l}
	for _, b := range p.out {
		if len(b.Command.Inputs) > 0 {
			j.in = m.after(p.in[0])
			m.values.use(j.in.from, j.in.used)
		}
		j.out = append(j.out, b.Edge)
	}
	m.joined, m.changed = append(m.joined, j), true
	for _, a := range p.in {
		a.gone = true
		for _, b := range p.out {
			b.gone = true
			c := program.Join(a.Command, b.Command)
			c.Guard = less(c.Guard)
			if !c.Guard.IsFalse() {
				e := a.Edge
				e.To, e.Command = b.To, c
				m.add(&link{Edge: e, way: then(a, b), conjuncts: len(logic.Conjuncts(c.Guard))})
			}
			m.again(b.To)
		}
		m.again(a.From)
	}
}

// then is the way of one edge and another one, whose inputs program.Join has given other names.
func then(a, b *link) *way {
	second := b.way
	if len(a.Command.Inputs) > 0 && len(b.Command.Inputs) > 0 {
		taken := map[string]bool{}
		second = &way{then: []*way{b.way}, names: map[string]string{}}
		for _, in := range a.Command.Inputs {
			taken[in.Name()] = true
		}
		for _, in := range b.Command.Inputs {
			fresh := program.FreshInput(in.Name(), taken)
			taken[fresh], second.names[in.Name()] = true, fresh
		}
	}
	return &way{then: []*way{a.way, second}}
}

// after is the strongest postcondition of an edge, where that can be said: the variables that
// it assigns to have known constants before, and each input is the value of one of them.
// Nil where it cannot.
func (m *merger) after(e *link) *post {
	if m.values == nil {
		m.values = analyse(m.from, constant, true)
	}
	if m.values == nil || m.values.env[e.From] == nil || e.From == e.To {
		return nil
	}
	p := &post{from: e.From, before: map[*logic.Term]*logic.Term{}}
	by := map[*logic.Term]*logic.Term{}
	vars := assigned(e.Command)
	for _, v := range vars {
		i := m.index[v]
		c := m.values.env[e.From][i]
		if c == nil {
			return nil
		}
		by[v], p.before[v], p.used = c, c, append(p.used, i)
		if t := e.Command.Update[v]; by[t] == nil && slices.Contains(e.Command.Inputs, t) {
			by[t] = v
		}
	}
	for _, in := range e.Command.Inputs {
		if by[in] == nil {
			return nil
		}
	}
	all := []*logic.Term{logic.Substitute(e.Command.Guard, by)}
	for _, v := range vars {
		all = append(all, logic.Eq(v, logic.Substitute(e.Command.Update[v], by)))
	}
	p.where = logic.And(all...)
	return p
}

// less is a conjunction with the values that some conjuncts give to variables in the others:
// x = 1 leaves nothing of x != 2.
func less(f *logic.Term) *logic.Term {
	by := bindings(f)
	if len(by) == 0 {
		return f
	}
	all := slices.Clone(logic.Conjuncts(f))
	for i, p := range all {
		if len(bindings(p)) == 0 {
			all[i] = logic.Substitute(p, by)
		}
	}
	return logic.And(all...)
}

// finish writes the edges that are left, in the order of the first ones that they are
// made of.
func (m *merger) finish() *image {
	if !m.changed {
		return nil
	}
	if m.values != nil {
		m.values.justify()
		m.holds = m.values.needed()
	}
	for _, e := range present(m.all) {
		m.to.Edges, m.image.ways = append(m.to.Edges, e.Edge), append(m.image.ways, e.way)
	}
	return m.image
}
