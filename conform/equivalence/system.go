package equivalence

import (
	"slices"

	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
)

// union puts two LKSs with the same alphabet and propositions side by side.
func union(a, b *lks.LKS) (*lks.LKS, error) {
	u := lks.NewBuilder("union")
	for _, name := range a.Alphabet()[1:] {
		u.Action(name)
	}
	for _, name := range a.Props() {
		u.Prop(name)
	}
	offset := int32(0)
	for _, m := range []*lks.LKS{a, b} {
		for s := range int32(m.NumStates()) {
			u.StateID(m.Kind(s), m.Label(s))
			for _, e := range m.Edges(s) {
				u.TransitionID(s+offset, e.Action, e.Target+offset)
			}
		}
		u.Initial(shift(m.Initial(), offset)...)
		offset += int32(m.NumStates())
	}
	return u.Build()
}

// system is an LKS with the marks that an equivalence observes, as loops by
// pseudo-actions.
type system struct {
	m       *lks.LKS
	origin  []int32      // by state: the state of m whose label and kind it has
	actions []string     // [0] is tau
	label   []int32      // by state: what is observed without a step
	out     [][]lks.Edge // sorted by action and target, without duplicates
}

func (s *system) len() int { return len(s.out) }

func (s *system) hasProp(state int32, name string) bool {
	p := s.m.Prop(name)
	return p >= 0 && s.m.HasProp(s.origin[state], p)
}

func (s *system) kindName(state int32) string {
	return map[lks.Kind]string{lks.End: ActionEnd, lks.Error: ActionError}[s.m.Kind(s.origin[state])]
}

func newSystem(m *lks.LKS, q Relation) *system {
	s := &system{m: m, actions: append(slices.Clone(m.Alphabet()), ActionEnd, ActionError, ActionDiverge)}
	marks := int32(len(m.Alphabet()))
	kindMark := map[lks.Kind]int32{lks.End: marks, lks.Error: marks + 1}
	s.out = make([][]lks.Edge, m.NumStates())
	for state := range int32(m.NumStates()) {
		s.origin = append(s.origin, state)
		label := m.LabelClass(state)
		if q == Strong {
			label = label*3 + int32(m.Kind(state))
		}
		s.label = append(s.label, label)
		s.out[state] = slices.Clip(m.Edges(state))
		if mark, ok := kindMark[m.Kind(state)]; ok && q != Strong {
			s.out[state] = append(s.out[state], lks.Edge{Action: mark, Target: state})
		}
	}
	if q == Divergence {
		for state, on := range s.onSilentCircle() {
			if on {
				s.out[state] = append(s.out[state], lks.Edge{Action: marks + 2, Target: int32(state)})
			}
		}
	}
	return s
}

// onSilentCircle returns the states that are on a circle of silent steps between
// states of one label.
func (s *system) onSilentCircle() []bool {
	component := s.silentComponents()
	on := make([]bool, s.len())
	for state, steps := range s.out {
		on[state] = slices.ContainsFunc(steps, func(e lks.Edge) bool {
			return e.Action == lks.TauID && component[e.Target] == component[state]
		})
	}
	return on
}

// silentComponents returns the strongly connected components of the silent steps
// between states of one label. A component has a larger number than those that it
// leads to.
func (s *system) silentComponents() []int32 {
	g := &partition.Graph{States: s.len(), Labels: 1}
	for state, steps := range s.out {
		for _, e := range steps {
			if e.Action == lks.TauID {
				g.Add(int32(state), lks.TauID, e.Target)
			}
		}
	}
	component, _ := partition.SilentComponents(g, s.label)
	return component
}

// edges returns the steps of a state.
func (s *system) edges(state int32) []lks.Edge { return s.out[state] }

// signature returns the steps of a state into classes, sorted.
func signature(state int32, class []int32, of func(state int32) []lks.Edge) []lks.Edge {
	return lks.ClassEdges(nil, []int32{state}, class, true, of)
}

// quotient merges the states of every class, which look alike; silent steps inside a
// class are dropped unless strong is set. Origins are the first members.
func (s *system) quotient(class []int32, strong bool) *system {
	q := &system{m: s.m, actions: s.actions}
	for _, members := range partition.Of(class).Members {
		q.origin = append(q.origin, s.origin[members[0]])
		q.label = append(q.label, s.label[members[0]])
		q.out = append(q.out, lks.ClassEdges(nil, members, class, strong, s.edges))
	}
	return q
}
