package passes

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Obligations are those of Passed.Obligations, and that what is watched holds where it did and,
// where it matters which actions are possible, that no step became possible.
func (p *PassedComponent) Obligations() [][]*logic.Term {
	all := p.Passed.Obligations()
	for i, m := range p.Passed.images {
		broken := m.misseen()
		if p.sight.Offers {
			broken = append(broken, m.offers()...)
		}
		all[i] = append(all[i], slices.DeleteFunc(broken, (*logic.Term).IsFalse)...)
	}
	return all
}

// Obligations are formulas, by what a pass has made, of which none can be satisfied if what passes took for
// known holds: that facts hold at first and after each edge, and that for each step of the
// system before there is one of the system after, with the same values. Who does not want to
// believe Constants, Copies, Split and the values that Merge uses asks a solver. What Dead
// and Slice leave out, and what Merge makes one edge of, is not spoken of: no fact decides
// that.
func (p *Passed) Obligations() (all [][]*logic.Term) {
	for _, m := range p.images {
		broken := append(m.facts(), m.steps()...)
		all = append(all, slices.DeleteFunc(broken, (*logic.Term).IsFalse))
	}
	return all
}

// known is what holds at a location of from.
func (m *image) known(l int) *logic.Term {
	if m.holds == nil || m.holds[l] == nil {
		return logic.True()
	}
	return m.holds[l]
}

// facts are the ways in which what holds may not hold.
func (m *image) facts() (broken []*logic.Term) {
	if m.holds == nil {
		return nil
	}
	for _, r := range m.from.Init {
		broken = append(broken, logic.And(r.Where, logic.Not(m.known(r.Location))))
	}
	for _, e := range m.from.Edges {
		if behind := m.known(e.To); !behind.IsTrue() {
			broken = append(broken, logic.And(m.known(e.From), e.Command.Guard, logic.Not(e.Command.After(behind))))
		}
	}
	return broken
}

// steps are the steps of from that to may not have. Of images that leave out variables or
// locations there are none.
func (m *image) steps() (broken []*logic.Term) {
	if m.zero != nil || m.joined != nil {
		return nil
	}
	made := map[[2]int][]int{} // edges of to by where they begin and what they are made of
	for i, w := range m.ways {
		if w.then != nil || w.or != nil {
			return nil
		}
		k := [2]int{m.to.Edges[i].From, w.edge}
		made[k] = append(made[k], i)
	}
	where := func(k int) *logic.Term {
		if m.where == nil {
			return logic.True()
		}
		return m.where[k]
	}
	out := make([][]int, len(m.from.Locations))
	for i, e := range m.from.Edges {
		out[e.From] = append(out[e.From], i)
	}
	for k := range m.to.Locations {
		l := m.before(k)
		for _, i := range out[l] {
			e := &m.from.Edges[i]
			if m.free != nil && m.free[e.To] {
				continue
			}
			known := map[*logic.Term]bool{} // asked of each step in any case
			for _, c := range logic.Conjuncts(e.Command.Guard) {
				known[c] = true
			}
			var same []*logic.Term
			for _, n := range made[[2]int{k, i}] {
				then := &m.to.Edges[n]
				guard := slices.DeleteFunc(slices.Clone(logic.Conjuncts(then.Command.Guard)), func(c *logic.Term) bool { return known[c] })
				same = append(same, logic.And(logic.And(guard...), equal(e.Command, then.Command), e.Command.After(where(then.To))))
			}
			broken = append(broken, logic.And(m.known(l), where(k), e.Command.Guard, logic.Not(logic.Or(same...))))
		}
	}
	for _, r := range m.from.Init {
		var begins []*logic.Term
		for _, s := range m.to.Init {
			if m.before(s.Location) == r.Location {
				begins = append(begins, logic.And(s.Where, where(s.Location)))
			}
		}
		broken = append(broken, logic.And(r.Where, logic.Not(logic.Or(begins...))))
	}
	return broken
}

// at is what holds in from where to is at a location.
func (m *image) at(k int) *logic.Term {
	f := m.known(m.before(k))
	if m.where != nil {
		f = logic.And(f, m.where[k])
	}
	return f
}

// misseen are the ways in which something that is watched may hold before and not after, or the
// other way round.
func (m *image) misseen() (broken []*logic.Term) {
	before, after := watching(subject{m.from, m.watchedBefore}), watching(subject{m.to, m.watched})
	for _, name := range before.names {
		if after.at[name] == nil {
			after.at[name] = make([]*logic.Term, len(m.to.Locations))
		}
		for k := range m.to.Locations {
			f, g := before.where(name, m.before(k)), after.where(name, k)
			if f != g {
				broken = append(broken, logic.And(m.at(k), logic.Not(logic.Eq(f, g))))
			}
		}
	}
	return broken
}

// offers are the steps of to that from may not have, where an edge stands for one of before.
func (m *image) offers() (broken []*logic.Term) {
	for i, w := range m.ways {
		e := &m.to.Edges[i]
		if w.then != nil || w.or != nil || e.Command.Guard.IsFalse() {
			continue
		}
		old := m.from.Edges[w.edge].Command
		known := map[*logic.Term]bool{}
		for _, c := range logic.Conjuncts(e.Command.Guard) {
			known[c] = true
		}
		for _, c := range logic.Conjuncts(old.Guard) {
			if !known[c] && len(old.Inputs) == len(e.Command.Inputs) {
				broken = append(broken, logic.And(m.at(e.From), e.Command.Guard, logic.Not(c)))
			}
		}
	}
	return broken
}

// equal says that two commands lead to the same values.
func equal(a, b *program.Command) *logic.Term {
	var all []*logic.Term
	for _, c := range []*program.Command{a, b} {
		for _, v := range assigned(c) {
			if x, y := a.After(v), b.After(v); x != y {
				all = append(all, logic.Eq(x, y))
			}
		}
	}
	return logic.And(all...)
}
