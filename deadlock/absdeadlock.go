package deadlock

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// abstractPath is a path of a composite: by rules[i] from classes[i] to
// classes[i+1], each with one class per component.
type abstractPath struct {
	rules   []int32
	classes [][]int32
}

// project returns what component c does on the path: its local actions, and its
// classes before, between and after them (thesis Def. 36).
func (p *abstractPath) project(net *lks.Network, c int32) (actions, classes []int32) {
	classes = append(classes, p.classes[0][c])
	for i, r := range p.rules {
		for _, part := range net.Rules()[r].Parts {
			if part.Component == c {
				actions = append(actions, part.Action)
				classes = append(classes, p.classes[i+1][c])
			}
		}
	}
	return actions, classes
}

// absSearch is AbsDeadlock: a breadth-first search of a composite for abstract
// deadlocks, states that abstractly refuse all rules (Def. 38). It can be repeated
// when quotients have been refined (see again).
type absSearch struct {
	a      *composite
	pace   *pace
	table  *statetable.Table
	parent []int32 // by state
	rule   []int32 // by state: what led here from its parent
	kept   *kept   // nil if there will be no other round

	transitions, ends, errors int64 // counts
	expanded, repeated        int64 // states whose successors were computed, or known
}

// newAbsSearch returns a search that has yet to start. With keep it can be
// repeated.
func newAbsSearch(a *composite, pace *pace, keep bool) *absSearch {
	s := &absSearch{a: a, pace: pace, table: statetable.New(a.states)}
	if keep {
		s.kept = &kept{}
	}
	return s
}

// run returns up to most abstract deadlocks, nearest first, none if there are
// none. Once it has the first it does not search much further.
func (s *absSearch) run(most int) ([]abstractPath, error) {
	out := successors{states: s.a.initial()}
	out.rules = slices.Repeat([]int32{-1}, len(out.states)/s.a.states)
	s.discover(&out, -1)
	var found []int32
	for at, end := 0, -1; at < s.reached() && at != end && len(found) < most; at++ {
		state := s.nth(at)
		if s.kept != nil && s.kept.repeat(s, state) {
			s.repeated++
			if err := s.spend(2); err != nil {
				return nil, err
			}
			continue
		}
		dead, err := s.expand(state, &out)
		if err != nil {
			return nil, err
		}
		if dead {
			found = append(found, state)
			if end < 0 {
				end = at + at/2 + 64
			}
		}
	}
	paths := make([]abstractPath, len(found))
	for i, f := range found {
		paths[i] = s.path(f)
	}
	return paths, nil
}

// expand computes the successors of a state and reports whether it is an abstract
// deadlock.
func (s *absSearch) expand(state int32, out *successors) (dead bool, err error) {
	a := s.a
	packed := s.table.State(state)
	a.unpack(packed)
	if k := a.kind(); k != lks.Normal {
		s.note(k)
		return false, nil
	}
	a.look()
	dead = a.abstractDeadlock()
	a.fire(packed, a.chosen(), out)
	numbers := s.discover(out, state)
	if s.kept != nil && !dead {
		s.kept.record(state, out.rules, numbers)
	}
	s.expanded++
	s.transitions += int64(out.len())
	work := int64(2+2*out.len()) + a.effort/8
	a.effort = 0
	return dead, s.spend(work)
}

func (s *absSearch) note(k lks.Kind) {
	if k == lks.End {
		s.ends++
	} else {
		s.errors++
	}
}

func (s *absSearch) spend(work int64) error {
	if s.table.Full() {
		return budget.Full("states", s.table.Len(), budget.Progress{})
	}
	return s.pace.spend(work, s.table.Len())
}

// discover stores the successors of parent and returns their numbers if they are
// to be kept.
func (s *absSearch) discover(out *successors, parent int32) []int32 {
	w := s.a.states
	var numbers []int32
	if s.kept != nil {
		numbers = s.kept.numbers[:0]
	}
	for i, r := range out.rules {
		number, fresh := s.table.Insert(out.states[i*w : (i+1)*w])
		if fresh {
			s.parent = append(s.parent, parent)
			s.rule = append(s.rule, r)
		}
		if s.kept != nil {
			s.kept.reach(s, number, parent, r)
			numbers = append(numbers, number)
		}
	}
	if s.kept != nil {
		s.kept.numbers = numbers
	}
	return numbers
}

// reached returns how many states this round has reached so far, and nth the
// n-th of them.
func (s *absSearch) reached() int {
	if s.kept != nil {
		return len(s.kept.order)
	}
	return s.table.Len()
}

func (s *absSearch) nth(n int) int32 {
	if s.kept != nil {
		return s.kept.order[n]
	}
	return int32(n)
}

// bytes returns the memory held.
func (s *absSearch) bytes() int64 {
	total := s.table.Bytes() + int64(cap(s.parent)+cap(s.rule))*4
	if k := s.kept; k != nil {
		total += int64(cap(k.round)+cap(k.order)+cap(k.first)+cap(k.count)+2*cap(k.edges)) * 4
	}
	return total
}

// path follows the parents back.
func (s *absSearch) path(to int32) abstractPath {
	var p abstractPath
	for at := to; at >= 0; at = s.parent[at] {
		s.a.unpack(s.table.State(at))
		p.classes = append(p.classes, slices.Clone(s.a.local))
		p.rules = append(p.rules, s.rule[at])
	}
	slices.Reverse(p.classes)
	slices.Reverse(p.rules)
	p.rules = p.rules[1:] // what led to the initial state
	return p
}
