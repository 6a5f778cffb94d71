package conform

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks"
)

// specification is the specification, built, with its states classified by the
// same labels as the implementation's. It may be saturated.
type specification struct {
	m       *lks.LKS
	initial []int32
	classes []class
	first   []int32
	edges   []edge // per state sorted by action and target; rule is -1
}

// newSpecification builds the reachable part of net. silent says what to do with
// silent steps; Letter leaves everything as it is.
func newSpecification(net *lks.Network, l *labels, silent Silent, meter *budget.Meter) (*specification, error) {
	m, err := net.Build(meter)
	if err != nil {
		return nil, err
	}
	s := &specification{m: m, initial: m.Initial(), first: []int32{0}}
	s.classify(l)
	for state := range int32(m.NumStates()) {
		for _, e := range m.Edges(state) {
			if e.Action == lks.TauID && silent == Refuse {
				return nil, &SilentSpec{Spec: net.Name(), State: m.StateName(state)}
			}
			s.edges = append(s.edges, edge{e.Action, e.Target, -1})
		}
		s.first = append(s.first, int32(len(s.edges)))
	}
	if silent == Saturate {
		s.saturate()
	}
	return s, nil
}

func (s *specification) classify(l *labels) {
	m := s.m
	index := lists.Map(m.Props(), func(p string) int { return slices.Index(l.props, p) })
	set := make([]uint64, l.words())
	for state := range int32(m.NumStates()) {
		clear(set)
		for _, p := range m.Label(state) {
			if i := index[p]; i >= 0 {
				set[i/64] |= 1 << (i % 64)
			}
		}
		s.classes = append(s.classes, class{l.id(set), m.Kind(state)})
	}
}

func (s *specification) len() int { return len(s.first) - 1 }

func (s *specification) out(state int32) []edge { return s.edges[s.first[state]:s.first[state+1]] }

func (s *specification) succ(state, action int32) []edge { return byAction(s.out(state), action) }

// closure returns the states that are reached silently from those given, they
// included, sorted.
func (s *specification) closure(from []int32, seen *numset.Stamps) []int32 {
	seen.Clear(s.len())
	all := lists.Filter(from, seen.Add)
	for i := 0; i < len(all); i++ {
		for _, e := range s.succ(all[i], lks.TauID) {
			if seen.Add(e.target) {
				all = append(all, e.target)
			}
		}
	}
	slices.Sort(all)
	return all
}

// saturate replaces the transitions by Milner's weak ones: any number of silent
// steps for tau, a visible one with silent ones around it for the others. It can
// square the number of transitions.
func (s *specification) saturate() {
	var seen numset.Stamps
	closures := make([][]int32, s.len())
	for t := range closures {
		closures[t] = s.closure([]int32{int32(t)}, &seen)
	}
	first, edges := []int32{0}, []edge(nil)
	for _, closure := range closures {
		from := len(edges)
		for _, u := range closure {
			edges = append(edges, edge{lks.TauID, u, -1})
			for _, e := range s.out(u) {
				if e.action == lks.TauID {
					continue
				}
				for _, v := range closures[e.target] {
					edges = append(edges, edge{e.action, v, -1})
				}
			}
		}
		own := edges[from:]
		sortEdges(own)
		edges = edges[:from+len(slices.Compact(own))]
		first = append(first, int32(len(edges)))
	}
	s.first, s.edges = first, edges
}
