package lks

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/partition"
)

// View says what of a network a question can see, by name. An action is seen if
// the question distinguishes its occurrence from other actions, or asks where it is
// possible. TauName may be seen.
type View struct {
	Prop, Action func(name string) bool
}

// Simplified is a network whose components have been minimised for a View.
type Simplified struct {
	// Network has the alphabet, rules and propositions of the original. A
	// proposition that is not seen holds nowhere in it.
	Network *Network
	// Class has, by component and its state, the state of the minimised component
	// that stands for it; -1 for states that the component alone cannot reach.
	Class [][]int32
	// Parts has, by component of Network, the components that it stands for,
	// sorted: one, or those that SimplifyTree has composed.
	Parts [][]int32
	// Silenced counts the component's actions that became tau.
	Silenced int
	// Equivalence of the minimisation: Strong if the network has priorities or
	// tau is seen, whatever was asked for.
	Equivalence Equivalence
	// Tried counts the compositions of SimplifyTree, GivenUp those of them that
	// exceeded its bound. Largest is the number of states of the largest. Stopped is
	// set if more would have been tried, but for the time it takes.
	Tried, GivenUp, Largest int
	Stopped                 bool

	nodes []*treeNode // by component of Network
}

// Locals stores in to, which must be as long as Network.Components, the local
// states of Network that stand for those of the original, local; -1 for what its
// components cannot reach. Error states of components have no states of
// compositions in their place.
func (s *Simplified) Locals(local, to []int32) {
	for c, d := range s.nodes {
		to[c] = d.stateOf(local)
	}
}

// Simplify minimises the components of n for a question that sees only what view
// says. Propositions that are not seen are dropped from labels. An action that is
// not seen, and that the component takes alone whatever the rule, becomes its tau.
// Then each component is replaced by its quotient under the equivalence, which must
// be Strong or DivergenceBranching.
//
// The composition of the quotients is equivalent to n under the same equivalence,
// with unseen actions taken as silent: relate states whose local states are in the
// same classes. The kinds of local states are kept apart, as Minimise does not: a
// component that goes silently to Error or End has not stopped the others yet. No
// rule gives a silent step of a component a partner or another name, so nothing
// can prevent it. Rules stay even if nothing takes them any more: they say, as
// before, whether the network can terminate.
//
// The error is the meter's, which may be nil. Time O(m log n) per component for
// strong bisimulation, see internal/partition for branching.
func (n *Network) Simplify(view View, q Equivalence, meter *budget.Meter) (*Simplified, error) {
	if n.low != nil || view.Action(TauName) {
		q = Strong
	}
	r := &Simplified{Equivalence: q, Class: make([][]int32, len(n.components))}
	ownTau := n.ownTaus()
	silent := n.silentActions(view, ownTau)
	seen := n.seenProps(view)
	components := make([]*LKS, len(n.components))
	type version struct {
		m            *LKS
		silent, seen string
		ownTau       bool
	}
	type done struct {
		m     *LKS
		class []int32
	}
	known := map[version]done{}
	for c, m := range n.components {
		for _, is := range silent[c] {
			if is {
				r.Silenced++
			}
		}
		// Equal components are minimised once.
		key := version{m, boolKey(silent[c]), boolKey(seen[c]), ownTau[c]}
		d, ok := known[key]
		if !ok {
			var err error
			own := q
			if !ownTau[c] {
				own = Strong // its tau, if it has any, is not its own
			}
			if d.m, d.class, err = m.masked(silent[c], seen[c]).minimiseKeepingKinds(own, meter); err != nil {
				return nil, err
			}
			known[key] = d
		}
		components[c], r.Class[c] = d.m, d.class
		r.Parts = append(r.Parts, []int32{int32(c)})
		r.nodes = append(r.nodes, &treeNode{component: int32(c), class: d.class, number: c})
	}
	var err error
	r.Network, err = n.Replace(components)
	return r, err
}

func boolKey(bs []bool) string {
	key := make([]byte, len(bs))
	for i, b := range bs {
		if b {
			key[i] = 1
		}
	}
	return string(key)
}

// ownTaus returns by component whether its tau, and nothing else with it, is a tau of
// the network.
func (n *Network) ownTaus() []bool {
	own, other := make([]bool, len(n.components)), make([]bool, len(n.components))
	for _, r := range n.rules {
		for _, p := range r.Parts {
			if p.Action == TauID {
				isOwn := len(r.Parts) == 1 && r.Action == TauID
				own[p.Component] = own[p.Component] || isOwn
				other[p.Component] = other[p.Component] || !isOwn
			}
		}
	}
	for c := range own {
		own[c] = own[c] && !other[c]
	}
	return own
}

// silentActions returns, by component and action, which actions may become tau.
func (n *Network) silentActions(view View, ownTau []bool) [][]bool {
	silent := make([][]bool, len(n.components))
	for c, m := range n.components {
		silent[c] = make([]bool, len(m.alphabet))
		for a := range silent[c] {
			silent[c][a] = int32(a) != TauID && ownTau[c] && n.low == nil && !view.Action(TauName)
		}
	}
	for _, r := range n.rules {
		stays := len(r.Parts) > 1 || view.Action(n.alphabet[r.Action])
		for _, p := range r.Parts {
			silent[p.Component][p.Action] = silent[p.Component][p.Action] && !stays
		}
	}
	n.clearUnused(silent)
	return silent
}

// clearUnused takes back actions that no rule has: they never occur, as tau they
// would.
func (n *Network) clearUnused(silent [][]bool) {
	used := make([][]bool, len(silent))
	for c := range silent {
		used[c] = make([]bool, len(silent[c]))
	}
	for _, r := range n.rules {
		for _, p := range r.Parts {
			used[p.Component][p.Action] = true
		}
	}
	for c := range silent {
		for a := range silent[c] {
			silent[c][a] = silent[c][a] && used[c][a]
		}
	}
}

// seenProps returns, by component and proposition, whether it is seen.
func (n *Network) seenProps(view View) [][]bool {
	seen := make([][]bool, len(n.components))
	for c, m := range n.components {
		seen[c] = make([]bool, len(m.props))
	}
	for _, p := range n.props {
		seen[p.component][p.prop] = view.Prop(p.name)
	}
	return seen
}

// masked returns m with silent actions replaced by tau in its transitions, and
// propositions that are not seen removed from its labels. Alphabet and propositions
// stay.
func (m *LKS) masked(silent, seen []bool) *LKS {
	c := *m
	if slices.Contains(silent, true) {
		c.edges = slices.Clone(m.edges)
		c.first = make([]int32, 1, len(m.first))
		to := c.edges[:0]
		for s := range int32(m.NumStates()) {
			from := len(to)
			for _, e := range m.Edges(s) {
				if silent[e.Action] {
					e.Action = TauID
				}
				to = append(to, e)
			}
			to = to[:from+len(SortEdges(to[from:]))]
			c.first = append(c.first, int32(len(to)))
		}
		c.edges = to
	}
	if m.labelOf != nil && slices.Contains(seen, false) {
		c.labels, c.labelOf = nil, make([]int32, len(m.labelOf))
		number := map[string]int32{}
		class := make([]int32, len(m.labels))
		for i, label := range m.labels {
			label = slices.DeleteFunc(slices.Clone(label), func(p int32) bool { return !seen[p] })
			mask := make([]bool, len(seen))
			for _, p := range label {
				mask[p] = true
			}
			id, ok := number[boolKey(mask)]
			if !ok {
				id = int32(len(c.labels))
				number[boolKey(mask)] = id
				c.labels = append(c.labels, label)
			}
			class[i] = id
		}
		for s, l := range m.labelOf {
			c.labelOf[s] = class[l]
		}
	}
	return &c
}

// minimiseKeepingKinds returns the quotient of the reachable part of m under the
// coarsest equivalence that does not merge states of different kinds, and the
// class of every state of m, -1 for those that are not reachable.
func (m *LKS) minimiseKeepingKinds(q Equivalence, meter *budget.Meter) (*LKS, []int32, error) {
	tick := m.minimising(meter)
	if err := tick(); err != nil {
		return nil, nil, err
	}
	reachable, _ := m.discover()
	number := make([]int32, m.NumStates())
	for s := range number {
		number[s] = -1
	}
	for i, s := range reachable {
		number[s] = int32(i)
	}
	if isEnd := func(s int32) bool { return m.Kind(s) == End }; m.hasKind(End) && !slices.ContainsFunc(reachable, isEnd) {
		// That it has an End state, reachable or not, says how a network terminates.
		for s := range number {
			if number[s] < 0 {
				number[s] = int32(len(reachable))
				reachable = append(reachable, int32(s))
			}
		}
	}
	r := m.restrict(reachable, number)
	g, labels := r.graph(), r.labelsAndKinds()
	var class []int32
	var err error
	if q == Strong {
		class, _, err = partition.Refine(g, labels, tick)
	} else {
		labels = dense(labels)
		r.addMarks(g, labels, q)
		class, _, err = partition.Branching(g, labels, tick)
	}
	if err != nil {
		return nil, nil, err
	}
	whole := make([]int32, m.NumStates())
	for s, i := range number {
		whole[s] = -1
		if i >= 0 {
			whole[s] = class[i]
		}
	}
	return r.quotient(class, q), whole, nil
}

func (m *LKS) hasKind(k Kind) bool { return slices.Contains(m.kinds, k) }

// dense renumbers without gaps, by first occurrence.
func dense(labels []int32) []int32 {
	number := map[int32]int32{}
	out := make([]int32, len(labels))
	for i, l := range labels {
		id, ok := number[l]
		if !ok {
			id = int32(len(number))
			number[l] = id
		}
		out[i] = id
	}
	return out
}
