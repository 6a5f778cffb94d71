package passes

import (
	"context"

	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Bounds of splitting: values of a variable at one location, locations, and how many edges
// there may be after one variable and after all, for those before.
const (
	maxValues = 48
	maxSplit  = 3000
)

func grown(edges int) int      { return edges*3/2 + 20 }
func grownInAll(edges int) int { return edges*4 + 100 }

// split copies locations for the values that one variable has there, where it has been
// assigned a constant or compared with one: what its value decides is then decided by where
// control is. A copy of its own is for states in which the value is not known. Nil if there
// are too many values.
func split(sys *program.System, v *logic.Term) *image {
	s := &splitter{image: newImage(sys), flow: newFlow(sys), v: v, number: map[copied]int{}, copies: make([]int, len(sys.Locations))}
	s.to.Locations, s.to.Init, s.to.Error = nil, nil, nil
	for _, r := range sys.Init {
		r.Location = s.at(r.Location, bindings(r.Where)[v])
		s.to.Init = append(s.to.Init, r)
	}
	for k := 0; k < len(s.to.Locations); k++ {
		for _, e := range s.out[s.origin[k]] {
			s.follow(k, e)
		}
		if s.tooMany {
			return nil
		}
	}
	for k := range s.to.Locations {
		for _, r := range sys.Error {
			if r.Location == s.origin[k] {
				r.Location = k
				s.to.Error = append(s.to.Error, r)
			}
		}
	}
	return s.image
}

// copied is a copy of a location: value is nil where it is not known.
type copied struct {
	location int
	value    *logic.Term
}

type splitter struct {
	*image
	*flow
	v       *logic.Term
	number  map[copied]int
	copies  []int // by location: how many
	tooMany bool
}

// at is the number of a copy.
func (s *splitter) at(l int, value *logic.Term) int {
	c := copied{l, value}
	k, known := s.number[c]
	if !known {
		k = len(s.to.Locations)
		s.number[c] = k
		place := s.sys.Locations[l]
		where := logic.True()
		if value != nil {
			where = logic.Eq(s.v, value)
			place.Name = fmt.Sprintf("%s@%s", place.Name, value)
		}
		s.to.Locations, s.origin, s.where = append(s.to.Locations, place), append(s.origin, l), append(s.where, where)
		s.copies[l]++
		s.tooMany = s.tooMany || s.copies[l] > maxValues || k > maxSplit
	}
	return k
}

// follow makes the copy of an edge that leaves the copy of a location, if it can be taken.
func (s *splitter) follow(from, e int) {
	edge := &s.sys.Edges[e]
	value := s.valueOf(from)
	by := map[*logic.Term]*logic.Term{}
	if value != nil {
		by[s.v] = value
	}
	guard := less(logic.Substitute(edge.Command.Guard, by))
	if guard.IsFalse() {
		return
	}
	learned := bindings(guard)
	if t := edge.Command.Update[s.v]; t != nil {
		for x, c := range learned {
			by[x] = c
		}
		if value = logic.Substitute(t, by); !constant(value) {
			value = nil
		}
	} else if c := learned[s.v]; c != nil {
		value = c
	}
	to := s.at(edge.To, value)
	s.keep(e, edge.Command)
	last := &s.to.Edges[len(s.to.Edges)-1]
	last.From, last.To = from, to
}

// valueOf is the value of the variable at a copy.
func (s *splitter) valueOf(k int) *logic.Term { return bindings(s.where[k])[s.v] }

// decides are the variables that are compared with constants in guards, in the order of
// declaration: candidates for splitting.
func decides(sys *program.System) (all []*logic.Term) {
	tested := map[*logic.Term]bool{}
	for _, e := range sys.Edges {
		for _, p := range logic.Atoms(e.Command.Guard) {
			for v := range bindings(p) {
				tested[v] = true
			}
		}
	}
	for _, v := range sys.Vars {
		if tested[v] && plain(v) {
			all = append(all, v)
		}
	}
	return all
}

// divide splits by one variable after the other, where the passes of the list make of it a
// system without the variable and not much larger, if in the end there are fewer edges times
// variables.
func (p *Passed) divide(ctx context.Context, list []Pass) {
	before := *p
	p.splitAll(ctx, list)
	if p.cells() > before.cells() {
		*p = before
	}
}

func (p *Passed) cells() int { return len(p.System.Edges) * len(p.System.Vars) }

func (p *Passed) splitAll(ctx context.Context, list []Pass) {
	most := grownInAll(p.Sizes[len(p.Sizes)-1].Edges)
	work := 0
	for range maxRounds {
		before := len(p.images)
		for _, v := range decides(p.System) {
			if ctx.Err() != nil {
				return
			}
			size := p.Sizes[len(p.Sizes)-1]
			m := split(p.System, v)
			if m == nil || len(m.to.Edges) > maxSplit {
				continue
			}
			if work += len(m.to.Edges) * size.Variables; work > maxWork {
				return
			}
			q := &Passed{System: m.to, images: []*image{m}, Sizes: []Size{sizeOf(m.to, Split)}}
			q.simplify(ctx, list)
			if after := q.Sizes[len(q.Sizes)-1]; after.Variables < size.Variables && after.Edges <= min(most, grown(size.Edges)) {
				p.images, p.Sizes, p.System = append(p.images, q.images...), append(p.Sizes, q.Sizes...), q.System
			}
		}
		if len(p.images) == before {
			return
		}
	}
}

// maxWork bounds edges times variables of all systems that splitting makes to be tried.
const maxWork = 250_000
