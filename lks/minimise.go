package lks

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/partition"
)

// Equivalence says which states a minimisation may merge. All of them respect
// propositions: only states with equal labels are merged.
//
// Under all but Strong, termination (End) and error are observed as any visible
// action is: a state that goes silently, and only so, to an End state is merged with
// it. Strong, Weak and Branching are preserved by parallel composition as far as no
// state is of kind End or Error (one that goes silently to Error is merged with it,
// which stops the other components too early; Network.Simplify keeps the kinds
// apart), and so is DivergenceBranching. WeakDeadlock is not: where a component
// could diverge while its partners stop everything else, a deadlock may appear in
// its place.
type Equivalence uint8

const (
	// Strong bisimulation treats tau as any other action. It preserves every
	// property of states and events.
	Strong Equivalence = iota
	// Weak is Milner's observational equivalence: an action may be surrounded by
	// silent steps. It is blind to divergence: an infinite silent path may disappear,
	// and a deadlock is equivalent to a livelock.
	Weak
	// Branching bisimulation (van Glabbeek and Weijland): silent steps that do not
	// change what is possible are ignored. Blind to divergence as Weak is.
	Branching
	// DivergenceBranching is branching bisimulation with explicit divergence: it
	// preserves the existence of infinite silent paths in every class, and so tells
	// deadlocks from livelocks. It preserves stutter-invariant properties.
	DivergenceBranching
	// WeakDeadlock is Weak, but tells states that lead, after silent steps only, to a
	// deadlock from those that do not.
	WeakDeadlock
)

func (q Equivalence) String() string {
	return [...]string{"strong bisimulation", "weak bisimulation", "branching bisimulation", "divergence-preserving branching bisimulation", "weak bisimulation that observes deadlocks"}[q]
}

// Minimise returns the quotient of the reachable part of m under the coarsest
// equivalence of that kind. Its states are numbered by their first members in
// breadth-first order, and named by them. Under all kinds but Strong silent steps
// inside a class are dropped, save one loop where all members can only go on
// silently, for ever (no deadlock is made of a livelock), and, under
// DivergenceBranching, where they can go on so. The error is the meter's (which may
// be nil), or says that weak bisimulation needs too much memory.
//
// Time O(m log n) for strong bisimulation, see internal/partition for branching;
// weak bisimulation saturates the branching quotient with silent steps, which is
// quadratic in its size at worst.
func Minimise(m *LKS, q Equivalence, meter *budget.Meter) (*LKS, error) {
	m = m.Reachable()
	class, err := Classes(m, q, meter)
	if err != nil {
		return nil, err
	}
	return m.quotient(class, q), nil
}

// Classes returns the class of every state of m, reachable or not, under the
// coarsest equivalence of that kind; classes are numbered by first members. For
// the error see Minimise.
func Classes(m *LKS, q Equivalence, meter *budget.Meter) ([]int32, error) {
	tick := m.minimising(meter)
	if err := tick(); err != nil {
		return nil, err
	}
	if q == Strong {
		class, _, err := partition.Refine(m.graph(), m.labelsAndKinds(), tick)
		return class, err
	}
	labels := make([]int32, m.NumStates())
	for s := range labels {
		labels[s] = m.LabelClass(int32(s))
	}
	g := m.graph()
	m.addMarks(g, labels, q)
	class, classes, err := partition.Branching(g, labels, tick)
	if q != Weak && q != WeakDeadlock || err != nil {
		return class, err
	}
	return weakClasses(g, labels, class, classes, tick)
}

// minimising returns what asks a meter, which may be nil, while m is minimised. It is told of the
// memory at first: some 50 bytes a transition, for copies and for the graph that is partitioned.
func (m *LKS) minimising(meter *budget.Meter) func() error {
	now := budget.Progress{Phase: "minimising", States: int64(m.NumStates()), Transitions: int64(m.NumTransitions())}
	now.Need = 50 * (now.States + now.Transitions)
	return func() error {
		if meter == nil {
			return nil
		}
		defer func() { now.Need = 0 }()
		return meter.Tick(now)
	}
}

// graph returns the transitions as a graph whose labels are the actions.
func (m *LKS) graph() *partition.Graph {
	g := &partition.Graph{States: m.NumStates(), Labels: len(m.alphabet)}
	g.Grow(m.NumTransitions())
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			g.Add(s, e.Action, e.Target)
		}
	}
	return g
}

// labelsAndKinds numbers the pairs of label and kind.
func (m *LKS) labelsAndKinds() []int32 {
	class := make([]int32, m.NumStates())
	for s := range class {
		class[s] = m.LabelClass(int32(s))*3 + int32(m.Kind(int32(s)))
	}
	return class
}

// addMarks gives End and Error states a loop by a label of their kind; under
// WeakDeadlock also deadlocks; and under DivergenceBranching the states on silent
// cycles within one label: divergence inside a class always ends on such a cycle.
func (m *LKS) addMarks(g *partition.Graph, labels []int32, q Equivalence) {
	const diverges = 3 // Normal marks deadlocks
	mark := int32(g.Labels)
	g.Labels += 4
	for s := range int32(m.NumStates()) {
		if len(m.Edges(s)) == 0 && (m.Kind(s) != Normal || q == WeakDeadlock) {
			g.Add(s, mark+int32(m.Kind(s)), s)
		}
	}
	if q != DivergenceBranching {
		return
	}
	component, components := partition.SilentComponents(g, labels)
	cyclic := make([]bool, components)
	for e, s := range g.From {
		if t := g.To[e]; g.Label[e] == TauID && component[s] == component[t] {
			cyclic[component[s]] = true
		}
	}
	for s := range int32(m.NumStates()) {
		if cyclic[component[s]] {
			g.Add(s, mark+diverges, s)
		}
	}
}

// maxSaturated bounds the edges of a saturated graph: 12 bytes each, and as much
// again for the partition refinement.
var maxSaturated = 1 << 27

// weakClasses refines strong bisimulation on the saturated quotient of g under a
// finer equivalence, given by class, and returns the classes of g's states.
func weakClasses(g *partition.Graph, labels, class []int32, classes int, tick func() error) ([]int32, error) {
	label := make([]int32, classes)
	for s, c := range class {
		label[c] = labels[s]
	}
	out := make([][]Edge, classes)
	for e, s := range g.From {
		c, d := class[s], class[g.To[e]]
		if g.Label[e] != TauID || c != d {
			out[c] = append(out[c], Edge{g.Label[e], d})
		}
	}
	for c := range out {
		out[c] = SortEdges(out[c])
	}
	saturated, err := saturate(out, g.Labels, tick)
	if err != nil {
		return nil, err
	}
	weak, _, err := partition.Refine(saturated, label, tick)
	if err != nil {
		return nil, err
	}
	result := make([]int32, len(class))
	for s, c := range class {
		result[s] = weak[c]
	}
	return result, nil
}

// saturation makes the graph with an edge s -a-> t for every silent path, a, silent path
// from s to t, and s -tau-> t for every silent path, also the empty one.
type saturation struct {
	out      [][]Edge
	silently [][]int32 // by state: what it reaches silently, itself first
	g        *partition.Graph
	seen     [][]int32 // by label: the source for which a target was added last
	tick     func() error
	left     int // work until the next tick
}

func saturate(out [][]Edge, labels int, tick func() error) (*partition.Graph, error) {
	s := &saturation{
		out: out, g: &partition.Graph{States: len(out), Labels: labels},
		seen: make([][]int32, labels), tick: tick,
	}
	if err := s.close(); err != nil {
		return nil, err
	}
	for state := range int32(len(out)) {
		if err := s.add(state); err != nil {
			return nil, err
		}
	}
	return s.g, nil
}

// spend accounts for work done.
func (s *saturation) spend(work int) error {
	if len(s.g.From) > maxSaturated {
		return &budget.Exhausted{What: "transitions", Limit: fmt.Sprintf("%d, silent steps folded, of weak bisimulation", maxSaturated),
			Advice: "branching bisimulation, or minimised parts"}
	}
	if s.left -= work; s.left > 0 {
		return nil
	}
	s.left = 4 * budget.TickEvery
	return s.tick()
}

// close computes the silent closure.
func (s *saturation) close() error {
	s.silently = make([][]int32, len(s.out))
	seen := make([]int32, len(s.out))
	for state := range s.out {
		reached := []int32{int32(state)}
		seen[state] = int32(state) + 1
		for i := 0; i < len(reached); i++ {
			out := s.out[reached[i]]
			for _, e := range out {
				if e.Action == TauID && seen[e.Target] != int32(state)+1 {
					seen[e.Target] = int32(state) + 1
					reached = append(reached, e.Target)
				}
			}
			if err := s.spend(1 + len(out)); err != nil {
				return err
			}
		}
		s.silently[state] = reached
	}
	return nil
}

// add adds the edges of a state.
func (s *saturation) add(state int32) error {
	for _, u := range s.silently[state] {
		s.g.Add(state, TauID, u)
		if err := s.spend(1 + len(s.out[u])); err != nil {
			return err
		}
		for _, e := range s.out[u] {
			if e.Action == TauID {
				continue
			}
			seen := s.seen[e.Action]
			if seen == nil {
				seen = make([]int32, len(s.out))
				for i := range seen {
					seen[i] = -1
				}
				s.seen[e.Action] = seen
			}
			if err := s.spend(len(s.silently[e.Target])); err != nil {
				return err
			}
			for _, v := range s.silently[e.Target] {
				if seen[v] != state {
					seen[v] = state
					s.g.Add(state, e.Action, v)
				}
			}
		}
	}
	return nil
}

// Quotient returns the quotient LKS of m ([Chaki05], Def. 28) under the equivalence
// in which states with equal class numbers are equivalent; class has a number
// from 0 without gaps for every state. Transitions are defined existentially: m
// is simulated by its quotient. The error says that class is not such a
// numbering, that it merges states with different labels, or that it merges End
// or Error states with others.
func Quotient(m *LKS, class []int32) (*LKS, error) {
	if len(class) != m.NumStates() {
		return nil, fmt.Errorf("lks: %d class numbers for %d states", len(class), m.NumStates())
	}
	if s := slices.IndexFunc(class, func(c int32) bool { return c < 0 }); s >= 0 {
		return nil, fmt.Errorf("lks: state %d has the class number %d", s, class[s])
	}
	for c, members := range partition.Of(class).Members {
		if len(members) == 0 {
			return nil, fmt.Errorf("lks: class %d has no states", c)
		}
		f := members[0]
		for _, s := range members[1:] {
			if m.LabelClass(f) != m.LabelClass(s) {
				return nil, fmt.Errorf("lks: states %d and %d have different labels, but are in class %d", f, s, c)
			}
			if m.Kind(f) != m.Kind(s) {
				return nil, fmt.Errorf("lks: states %d and %d are of different kinds, but are in class %d", f, s, c)
			}
		}
	}
	return m.quotient(class, Strong), nil
}

// quotient merges states with equal class numbers, which have no gaps.
func (m *LKS) quotient(class []int32, q Equivalence) *LKS {
	members := partition.Of(class).Members
	n := len(members)
	r := &LKS{name: m.name, alphabet: m.alphabet, props: m.props, labels: m.labels, first: make([]int32, 1, n+1)}
	if m.labelOf != nil {
		r.labelOf = make([]int32, n)
	}
	kinds, out := make([]Kind, n), m.Edges
	for c, states := range members {
		from := len(r.edges)
		r.edges = ClassEdges(r.edges, states, class, q == Strong, out)
		if stuck := len(r.edges) == from; (q == DivergenceBranching || q != Strong && stuck) && m.diverges(class, states) {
			r.edges = append(r.edges, Edge{TauID, int32(c)})
			SortEdges(r.edges[from:])
		}
		r.first = append(r.first, int32(len(r.edges)))
		for _, s := range states {
			if k := m.Kind(s); k != Normal && len(r.edges) == from {
				kinds[c] = k
			}
		}
		if r.labelOf != nil {
			r.labelOf[c] = m.labelOf[states[0]]
		}
	}
	if slices.ContainsFunc(kinds, func(k Kind) bool { return k != Normal }) {
		r.kinds = kinds
	}
	for _, s := range m.initial {
		r.initial = append(r.initial, class[s])
	}
	slices.Sort(r.initial)
	r.initial = slices.Compact(r.initial)
	r.describe = func(c int32) string {
		if c < 0 || int(c) >= n {
			return ""
		}
		return m.StateName(members[c][0])
	}
	if m.tip != nil {
		r.tip = func(c int32) string { return m.tip(members[c][0]) }
	}
	return r
}

// ClassEdges appends the transitions that a class of states has in a quotient ([Chaki05],
// Def. 28): those of its members, which out returns, into the classes of their
// targets, sorted and without duplicates. Unless inert is set, silent ones inside the
// class are left out. Time O(m log m) for m transitions; beside what it appends it
// needs room for as much again and for the transitions of one member.
func ClassEdges(edges []Edge, members, class []int32, inert bool, out func(s int32) []Edge) []Edge {
	from, most := len(edges), 64
	for _, s := range members {
		for _, e := range out(s) {
			to := class[e.Target]
			if inert || e.Action != TauID || to != class[s] {
				edges = append(edges, Edge{e.Action, to})
			}
		}
		if len(edges)-from > most {
			edges = edges[:from+len(SortEdges(edges[from:]))]
			most = 2*(len(edges)-from) + 64
		}
	}
	return edges[:from+len(SortEdges(edges[from:]))]
}

// diverges reports whether the members of a class can go on silently inside it for
// ever. Where one has no transition at all, the others have inert ones only, and
// loops among them do not count: they could end there.
func (m *LKS) diverges(class, states []int32) bool {
	return !slices.ContainsFunc(states, func(s int32) bool { return len(m.Edges(s)) == 0 }) && m.hasInertCycle(class, states)
}

// hasInertCycle reports whether the silent transitions between the states of a
// class form a cycle: whether removing states without such a transition to a
// remaining state, again and again, leaves any.
func (m *LKS) hasInertCycle(class, states []int32) bool {
	c := class[states[0]]
	remaining := map[int32]int{} // inert transitions to remaining states
	into := map[int32][]int32{}
	var done []int32
	for _, s := range states {
		for _, e := range m.Edges(s) {
			if e.Action == TauID && class[e.Target] == c {
				remaining[s]++
				into[e.Target] = append(into[e.Target], s)
			}
		}
		if remaining[s] == 0 {
			done = append(done, s)
		}
	}
	removed := 0
	for len(done) > 0 {
		t := done[len(done)-1]
		done = done[:len(done)-1]
		removed++
		for _, s := range into[t] {
			if remaining[s]--; remaining[s] == 0 {
				done = append(done, s)
			}
		}
	}
	return removed < len(states)
}

// Reachable returns the reachable part of m, numbered breadth-first, the initial
// states first in their order. Alphabet and propositions stay.
func (m *LKS) Reachable() *LKS { return m.restrict(m.discover()) }

// discover returns the reachable states breadth-first, and by state its place in that
// order, -1 if it cannot be reached.
func (m *LKS) discover() (order, number []int32) {
	number = make([]int32, m.NumStates())
	for s := range number {
		number[s] = -1
	}
	meet := func(s int32) {
		if number[s] < 0 {
			number[s] = int32(len(order))
			order = append(order, s)
		}
	}
	for _, s := range m.initial {
		meet(s)
	}
	for i := 0; i < len(order); i++ {
		for _, e := range m.Edges(order[i]) {
			meet(e.Target)
		}
	}
	return order, number
}

// restrict returns m with the states in that order only, which are closed under
// transitions and contain the initial states; number is the inverse of order.
func (m *LKS) restrict(order, number []int32) *LKS {
	r := &LKS{name: m.name, alphabet: m.alphabet, props: m.props, labels: m.labels, first: make([]int32, 1, len(order)+1)}
	for _, s := range m.initial {
		r.initial = append(r.initial, number[s])
	}
	slices.Sort(r.initial)
	special := false
	edges := 0
	for _, s := range order {
		edges += len(m.Edges(s))
	}
	r.edges = make([]Edge, 0, edges)
	for _, s := range order {
		from := len(r.edges)
		for _, e := range m.Edges(s) {
			r.edges = append(r.edges, Edge{e.Action, number[e.Target]})
		}
		SortEdges(r.edges[from:])
		r.first = append(r.first, int32(len(r.edges)))
		if m.labelOf != nil {
			r.labelOf = append(r.labelOf, m.labelOf[s])
		}
		special = special || m.Kind(s) != Normal
	}
	if special {
		for _, s := range order {
			r.kinds = append(r.kinds, m.Kind(s))
		}
	}
	r.describe = func(s int32) string {
		if s < 0 || int(s) >= len(order) {
			return ""
		}
		return m.StateName(order[s])
	}
	if m.tip != nil {
		r.tip = func(s int32) string { return m.tip(order[s]) }
	}
	return r
}
