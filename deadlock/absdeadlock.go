package deadlock

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/budget"
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
// deadlocks, states that abstractly refuse all rules (Def. 38).
type absSearch struct {
	a      *composite
	pace   *pace
	table  *statetable.Table
	parent []int32 // by state
	rule   []int32 // by state: what led here from its parent

	transitions, ends, errors int64 // counts
}

// newAbsSearch returns a search that has yet to start.
func newAbsSearch(a *composite, pace *pace) *absSearch {
	return &absSearch{a: a, pace: pace, table: statetable.New(a.states)}
}

// run returns up to most abstract deadlocks, nearest first, none if there are
// none. Once it has the first it does not search much further.
func (s *absSearch) run(most int) ([]abstractPath, error) {
	a := s.a
	out := successors{states: a.initial()}
	out.rules = slices.Repeat([]int32{-1}, len(out.states)/a.states)
	s.discover(&out, -1)
	var found []int32
	end := -1
	for at := int32(0); int(at) < s.table.Len() && int(at) != end; at++ {
		state := s.table.State(at)
		a.unpack(state)
		if k := a.kind(); k != lks.Normal {
			s.note(k)
			continue
		}
		a.look()
		if a.abstractDeadlock() {
			found = append(found, at)
			if len(found) == most {
				break
			}
			if end < 0 {
				end = int(at) + int(at)/2 + 64
			}
		}
		a.fire(state, a.chosen(), &out)
		s.discover(&out, at)
		s.transitions += int64(out.len())
		work := int64(2+2*out.len()) + a.effort/8
		a.effort = 0
		if err := s.spend(work); err != nil {
			return nil, err
		}
	}
	paths := make([]abstractPath, len(found))
	for i, f := range found {
		paths[i] = s.path(f)
	}
	return paths, nil
}

func (s *absSearch) note(k lks.Kind) {
	if k == lks.End {
		s.ends++
	} else {
		s.errors++
	}
}

func (s *absSearch) spend(work int64) error {
	if s.table.Len() > statetable.MaxStates-1<<24 {
		return &budget.Exhausted{What: "states", Limit: fmt.Sprint(s.table.Len()) + ", all that the state table can hold"}
	}
	return s.pace.spend(work, s.table.Len())
}

func (s *absSearch) discover(out *successors, parent int32) {
	w := s.a.states
	for i, r := range out.rules {
		if _, fresh := s.table.Insert(out.states[i*w : (i+1)*w]); fresh {
			s.parent = append(s.parent, parent)
			s.rule = append(s.rule, r)
		}
	}
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
