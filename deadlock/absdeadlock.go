package deadlock

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
)

// abstractPath is a path of a composite: by rules[i] from classes[i] to
// classes[i+1], each with one class per component.
type abstractPath struct {
	rules   []int32
	classes [][]int32
}

// project returns what component c does on the path: its local actions, and its
// classes before, between and after them ([Chaki05], Def. 36).
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
	states *frontier.Frontier // by rules

	transitions, ends, errors int64 // counts
}

// newAbsSearch returns a search that has yet to start.
func newAbsSearch(a *composite, pace *pace) *absSearch {
	return &absSearch{a: a, pace: pace, states: frontier.New(a.states)}
}

// run returns up to most abstract deadlocks, nearest first, none if there are
// none. Once it has the first it does not search much further.
func (s *absSearch) run(most int) ([]abstractPath, error) {
	out := successors{states: s.a.initial()}
	out.rules = slices.Repeat([]int32{-1}, len(out.states)/s.a.states)
	s.states.Reach(-1, out.states, out.rules)
	var found []int32
	for at, end := 0, -1; at < s.states.Len() && at != end && len(found) < most; at++ {
		state := int32(at)
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
	paths := lists.Map(found, s.path)
	return paths, nil
}

// expand computes the successors of a state and reports whether it is an abstract
// deadlock.
func (s *absSearch) expand(state int32, out *successors) (dead bool, err error) {
	a := s.a
	packed := s.states.State(state)
	a.unpack(packed)
	if k := a.kind(); k != lks.Normal {
		s.note(k)
		return false, nil
	}
	a.look()
	dead = a.abstractDeadlock()
	a.fire(packed, a.chosen(), out)
	s.states.Reach(state, out.states, out.rules)
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
	if s.states.Full() {
		return budget.Full("states", s.states.Len(), budget.Progress{})
	}
	return s.pace.spend(work, s.states.Len())
}

// path returns the way on which a state was met.
func (s *absSearch) path(to int32) abstractPath {
	way, rules := s.states.Way(to)
	p := abstractPath{rules: rules}
	for _, at := range way {
		s.a.unpack(s.states.State(at))
		p.classes = append(p.classes, slices.Clone(s.a.local))
	}
	return p
}
