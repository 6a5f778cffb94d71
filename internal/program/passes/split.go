package passes

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
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

// split copies locations for the values that some variables have there, where they have been
// assigned a constant or compared with one: what these decide is then decided by where
// control is. Copies of their own are for states in which a value is not known, or, if there are
// several variables, nothing depends on it. Nil if there are too many values.
func split(in subject, vars ...*logic.Term) *image {
	sys := in.System
	s := &splitter{image: newImage(in), flow: newFlow(sys), vars: vars, number: map[string]int{}, copies: make([]int, len(sys.Locations))}
	if len(vars) > 1 {
		s.live = &liveness{flow: s.flow}
		s.live.solve(in.watched)
	}
	s.to.Locations, s.to.Init, s.to.Error, s.watched = nil, nil, nil, nil
	for _, r := range sys.Init {
		fixed := bindings(r.Where)
		values := lists.Map(vars, func(v *logic.Term) *logic.Term { return fixed[v] })
		r.Location = s.at(r.Location, values)
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
	s.to.Error, s.watched = s.copied(sys.Error), s.copied(in.watched)
	return s.image
}

// copied are regions at all copies of their locations.
func (s *splitter) copied(all []program.Region) (out []program.Region) {
	for k, l := range s.origin {
		for _, r := range all {
			if r.Location == l {
				r.Location = k
				out = append(out, r)
			}
		}
	}
	return out
}

type splitter struct {
	*image
	*flow
	vars    []*logic.Term
	live    *liveness      // nil: do not ask
	number  map[string]int // of copies
	values  [][]*logic.Term
	copies  []int // by location: how many
	tooMany bool
}

// at is the number of a copy: values are nil where they are not known.
func (s *splitter) at(l int, values []*logic.Term) int {
	key := fmt.Sprint(l)
	place := s.sys.Locations[l]
	var where []*logic.Term
	for i, v := range s.vars {
		if s.live != nil && !s.live.live[l][s.index[v]] {
			values[i] = nil
		}
		if value := values[i]; value != nil {
			key += fmt.Sprint(" ", i, value)
			where = append(where, logic.Eq(v, value))
			place.Name = fmt.Sprintf("%s@%s", place.Name, value)
		}
	}
	k, known := s.number[key]
	if !known {
		k = len(s.to.Locations)
		s.number[key] = k
		s.values = append(s.values, values)
		s.to.Locations, s.origin, s.where = append(s.to.Locations, place), append(s.origin, l), append(s.where, logic.And(where...))
		s.copies[l]++
		s.tooMany = s.tooMany || s.copies[l] > maxValues || k > maxSplit
	}
	return k
}

// maxBits bounds the numbers that locations are copied for: x = x * x doubles their length each time.
const maxBits = 256

func large(t *logic.Term) bool {
	return t.Op() == logic.OpNumber && t.Num() != nil && t.Num().Num().BitLen()+t.Num().Denom().BitLen() > maxBits
}

// follow makes the copy of an edge that leaves the copy of a location, if it can be taken.
func (s *splitter) follow(from, e int) {
	edge := &s.sys.Edges[e]
	values := slices.Clone(s.values[from])
	by := map[*logic.Term]*logic.Term{}
	for i, v := range s.vars {
		if values[i] != nil {
			by[v] = values[i]
		}
	}
	guard := less(logic.Substitute(edge.Command.Guard, by))
	if guard.IsFalse() {
		return
	}
	learned := bindings(guard)
	maps.Copy(by, learned)
	for i, v := range s.vars {
		if t := edge.Command.Update[v]; t != nil {
			if values[i] = logic.Substitute(t, by); !constant(values[i]) || large(values[i]) {
				values[i] = nil
			}
		} else if c := learned[v]; c != nil {
			values[i] = c
		}
	}
	to := s.at(edge.To, values)
	s.keep(e, edge.Command)
	last := &s.to.Edges[len(s.to.Edges)-1]
	last.From, last.To = from, to
}

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
	return lists.Filter(sys.Vars, func(v *logic.Term) bool { return tested[v] && plain(v) })
}

// group is a variable with those that it is assigned, and those that they are.
func group(sys *program.System, v *logic.Term) []*logic.Term {
	all := []*logic.Term{v}
	for i := 0; i < len(all); i++ {
		for _, e := range sys.Edges {
			if t := e.Command.Update[all[i]]; t != nil && t.Op() == logic.OpVar && slices.Contains(sys.Vars, t) && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// divide splits by one variable after the other, where the passes of the list make of it a
// system without the variable and not much larger, if in the end there are fewer edges times
// variables. With groups, a variable may be split together with those that it is assigned, and
// the system may become larger.
func (p *Passed) divide(ctx context.Context, list []Pass) {
	before := *p
	s := &splitting{Passed: p, list: list, most: grownInAll(p.Sizes[len(p.Sizes)-1].Edges)}
	for range maxRounds {
		images := len(p.images)
		for _, v := range decides(p.System) {
			if ctx.Err() != nil || s.work > maxWork {
				break
			}
			if all := group(p.System, v); !s.try(ctx, v) && p.groups && len(all) > 1 {
				s.try(ctx, all...)
			}
		}
		if len(p.images) == images {
			break
		}
	}
	if !p.groups && p.cells() > before.cells() {
		*p = before
	}
}

func (p *Passed) cells() int { return len(p.System.Edges) * len(p.System.Vars) }

type splitting struct {
	*Passed
	list []Pass
	most int // edges
	work int
}

// try splits by variables, and reports whether the result was taken.
func (s *splitting) try(ctx context.Context, vars ...*logic.Term) bool {
	size := s.Sizes[len(s.Sizes)-1]
	m := split(s.subject(), vars...)
	if m == nil || len(m.to.Edges) > maxSplit {
		return false
	}
	if s.work += len(m.to.Edges) * size.Variables; s.work > maxWork {
		return false
	}
	q := &Passed{}
	q.take(m, Split)
	q.simplify(ctx, s.list)
	after, most := q.Sizes[len(q.Sizes)-1], s.most
	if len(vars) == 1 {
		most = min(most, grown(size.Edges))
	}
	if after.Variables >= size.Variables || after.Edges > most {
		return false
	}
	s.images, s.Sizes = append(s.images, q.images...), append(s.Sizes, q.Sizes...)
	s.System, s.watched = q.System, q.watched
	return true
}

// maxWork bounds edges times variables of all systems that splitting makes to be tried.
const maxWork = 250_000
