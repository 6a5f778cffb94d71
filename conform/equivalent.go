package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
)

// Relation is an equivalence of processes.
type Relation int

const (
	// StrongBisimulation treats tau as any other action.
	StrongBisimulation Relation = iota
	// WeakBisimulation is Milner's observational equivalence. It is blind to
	// divergence: a deadlock and a livelock are equivalent.
	WeakBisimulation
	// BranchingBisimulation is that of van Glabbeek and Weijland, blind to divergence
	// too.
	BranchingBisimulation
	// DivergenceBisimulation is branching bisimulation with explicit divergence.
	DivergenceBisimulation
	// SimulationEquivalence: each simulates the other (Def. 3; tau is an action
	// as any other).
	SimulationEquivalence
	// TraceEquivalence: each has the traces of the other.
	TraceEquivalence
	// FailuresEquivalence: each has the stable failures and traces of the other.
	FailuresEquivalence
)

var relations = []string{"strong", "weak", "branching", "divergence", "simulation", "trace", "failures"}

// String returns the name that ParseRelation reads.
func (q Relation) String() string { return relations[q] }

// ParseRelation reads "strong", "weak", "branching", "divergence", "simulation",
// "trace" or "failures".
func ParseRelation(name string) (Relation, error) {
	if i := slices.Index(relations, name); i >= 0 {
		return Relation(i), nil
	}
	return 0, fmt.Errorf("unknown equivalence %q: choose one of %s", name, strings.Join(relations, ", "))
}

// EquivalenceOptions of Equivalent. The zero value asks for strong bisimulation.
type EquivalenceOptions struct {
	Relation Relation
	Limits   budget.Limits
	Progress func(budget.Progress) // may be nil
}

// EquivalenceResult is the answer of Equivalent.
type EquivalenceResult struct {
	Equivalent bool
	Relation   Relation

	// For bisimulations: sizes, and what tells the processes apart. Formula holds
	// in the initial state Initial of the one (FirstHas: of a) and in no initial
	// state of the other. It is nil if it would be too large (say: deeper than
	// some thousand modalities).
	StatesA, StatesB int64
	Classes          int64
	Formula          *Formula
	FirstHas         bool
	Initial          int32
	InitialName      string

	// For the other equivalences: whether a is below b in the preorder, and b
	// below a. Backward is nil if Forward fails already.
	Forward, Backward *Result
}

// Equivalent decides whether a and b, which must have the same alphabet and
// propositions (*Mismatch), are equivalent: for bisimulations, whether every
// initial state of each is related to an initial state of the other. Both are
// built. That they are is checked against the definition of the equivalence, what
// tells them apart is evaluated on both, before the result is returned. For errors
// see Check.
func Equivalent(ctx context.Context, a, b *lks.Network, opts EquivalenceOptions) (*EquivalenceResult, error) {
	r := &EquivalenceResult{Relation: opts.Relation}
	if _, err := comparable(a, b, false); err != nil {
		return r, err
	}
	switch opts.Relation {
	case SimulationEquivalence:
		return r, r.bothWays(ctx, a, b, Simulation, opts)
	case TraceEquivalence:
		return r, r.bothWays(ctx, a, b, Trace, opts)
	case FailuresEquivalence:
		return r, r.bothWays(ctx, a, b, Failures, opts)
	}
	return r, r.bisimilar(a, b, budget.New(ctx, opts.Limits, opts.Progress))
}

func (r *EquivalenceResult) bothWays(ctx context.Context, a, b *lks.Network, p Preorder, opts EquivalenceOptions) (err error) {
	o := Options{Preorder: p, Method: Plain, SilentSpec: Letter, Limits: opts.Limits, Progress: opts.Progress}
	if r.Forward, err = Check(ctx, a, b, o); err != nil || !r.Forward.Holds {
		return err
	}
	if r.Backward, err = Check(ctx, b, a, o); err != nil {
		return err
	}
	r.Equivalent = r.Backward.Holds
	return nil
}

func (r *EquivalenceResult) bisimilar(a, b *lks.Network, meter *budget.Meter) error {
	ma, err := a.Build(meter)
	if err != nil {
		return err
	}
	mb, err := b.Build(meter)
	if err != nil {
		return err
	}
	r.StatesA, r.StatesB = int64(ma.NumStates()), int64(mb.NumStates())
	both, err := union(ma, mb)
	if err != nil {
		return err
	}
	class, err := lks.Classes(both, lks.Equivalence(r.Relation), meter)
	if err != nil {
		return err
	}
	r.Classes = int64(slices.Max(class)) + 1
	offset := int32(ma.NumStates())
	inA, inB := ma.Initial(), shift(mb.Initial(), offset)
	odd, others := unmatched(class, inA, inB), inB
	r.FirstHas = odd >= 0
	if odd < 0 {
		odd, others = unmatched(class, inB, inA), inA
	}
	sys := newSystem(both, r.Relation)
	if odd < 0 {
		r.Equivalent = true
		return sys.certify(class, r.Relation, meter)
	}
	r.Initial, r.InitialName = odd, ma.StateName(odd)
	if !r.FirstHas {
		r.Initial = odd - offset
		r.InitialName = mb.StateName(r.Initial)
	}
	r.Formula, err = distinguish(both, sys, class, r.Relation, odd, others, meter)
	return err
}

func shift(states []int32, by int32) []int32 {
	shifted := make([]int32, len(states))
	for i, s := range states {
		shifted[i] = s + by
	}
	return shifted
}

// unmatched returns the first of states in a class that none of the others is in,
// or -1.
func unmatched(class, states, others []int32) int32 {
	for _, s := range states {
		if !slices.ContainsFunc(others, func(t int32) bool { return class[s] == class[t] }) {
			return s
		}
	}
	return -1
}

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
	origin  []int32  // by state: the state of m whose label and kind it has
	actions []string // [0] is tau
	label   []int32  // by state: what is observed without a step
	out     [][]step // sorted by action and target, without duplicates
}

type step struct{ action, to int32 }

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
	s.out = make([][]step, m.NumStates())
	for state := range int32(m.NumStates()) {
		s.origin = append(s.origin, state)
		label := m.LabelClass(state)
		if q == StrongBisimulation {
			label = label*3 + int32(m.Kind(state))
		}
		s.label = append(s.label, label)
		for _, e := range m.Edges(state) {
			s.out[state] = append(s.out[state], step{e.Action, e.Target})
		}
		if mark, ok := kindMark[m.Kind(state)]; ok && q != StrongBisimulation {
			s.out[state] = append(s.out[state], step{mark, state})
		}
	}
	if q == DivergenceBisimulation {
		for state, on := range s.onSilentCircle() {
			if on {
				s.out[state] = append(s.out[state], step{marks + 2, int32(state)})
			}
		}
	}
	return s
}

// onSilentCircle returns the states that are on a circle of silent steps between
// states of one label.
func (s *system) onSilentCircle() []bool {
	inert := func(from int32, e step) bool { return e.action == lks.TauID && s.label[from] == s.label[e.to] }
	comp := s.silentComponents(inert)
	size := map[int32]int{}
	for _, c := range comp {
		size[c]++
	}
	on := make([]bool, s.len())
	for state, steps := range s.out {
		for _, e := range steps {
			on[state] = on[state] || inert(int32(state), e) && (e.to == int32(state) || size[comp[state]] > 1)
		}
	}
	return on
}

// silentComponents returns the strongly connected components of the steps that
// inert selects (Tarjan's algorithm with an explicit stack). A component has a
// larger number than those that it leads to.
func (s *system) silentComponents(inert func(from int32, e step) bool) []int32 {
	n := s.len()
	index, low, comp := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range comp {
		comp[i] = -1
	}
	type frame struct {
		state int32
		next  int
	}
	var path []frame
	var open []int32
	count, comps := int32(0), int32(0)
	enter := func(v int32) {
		count++
		index[v], low[v] = count, count
		path = append(path, frame{v, 0})
		open = append(open, v)
	}
	for v := range int32(n) {
		if index[v] != 0 {
			continue
		}
		enter(v)
		for len(path) > 0 {
			top := &path[len(path)-1]
			at := top.state
			if top.next < len(s.out[at]) {
				e := s.out[at][top.next]
				top.next++
				switch {
				case !inert(at, e):
				case index[e.to] == 0:
					enter(e.to)
				case comp[e.to] < 0:
					low[at] = min(low[at], index[e.to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				low[path[len(path)-1].state] = min(low[path[len(path)-1].state], low[at])
			}
			if low[at] != index[at] {
				continue
			}
			for {
				w := open[len(open)-1]
				open = open[:len(open)-1]
				comp[w] = comps
				if w == at {
					break
				}
			}
			comps++
		}
	}
	return comp
}

// certify checks that class is an equivalence of that kind.
func (s *system) certify(class []int32, q Relation, meter *budget.Meter) error {
	if err := tick(meter, s.len()); err != nil {
		return err
	}
	representative := map[int32]int32{}
	for state, c := range class {
		first, ok := representative[c]
		if !ok {
			representative[c] = int32(state)
		} else if s.label[first] != s.label[state] {
			return bug.Errorf("conform", "the equivalence relates states that look different")
		}
	}
	switch q {
	case StrongBisimulation:
		return s.certifyStrong(class)
	case WeakBisimulation:
		return s.certifyWeak(class, meter)
	}
	return s.certifyBranching(class)
}

func tick(meter *budget.Meter, states int) error {
	if meter == nil {
		return nil
	}
	return meter.Tick(budget.Progress{Phase: "comparing", States: int64(states)})
}

var errNotStable = bug.Errorf("conform", "a step is not matched by an equivalent state")

// certifyStrong: members of a class have the same steps into classes.
func (s *system) certifyStrong(class []int32) error {
	seen := map[int32][]step{}
	for state := range s.out {
		steps := s.signature(int32(state), class)
		if first, ok := seen[class[state]]; !ok {
			seen[class[state]] = steps
		} else if !slices.Equal(first, steps) {
			return errNotStable
		}
	}
	return nil
}

// signature returns the steps of a state into classes, sorted.
func (s *system) signature(state int32, class []int32) []step {
	steps := make([]step, len(s.out[state]))
	for i, e := range s.out[state] {
		steps[i] = step{e.action, class[e.to]}
	}
	return sortSteps(steps)
}

func sortSteps(steps []step) []step {
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.to, b.to))
	})
	return slices.Compact(steps)
}

// certifyBranching: what one member of a class can do, beyond silent steps inside
// the class, all can do after such steps.
func (s *system) certifyBranching(class []int32) error {
	members := map[int32][]int32{}
	for state, c := range class {
		members[c] = append(members[c], int32(state))
	}
	inertInto := make([][]int32, s.len())
	for state, steps := range s.out {
		for _, e := range steps {
			if e.action == lks.TauID && class[state] == class[e.to] {
				inertInto[e.to] = append(inertInto[e.to], int32(state))
			}
		}
	}
	var seen stamps
	for c, states := range members {
		able := map[step][]int32{}
		for _, state := range states {
			for _, e := range s.signature(state, class) {
				if e.action != lks.TauID || e.to != c {
					able[e] = append(able[e], state)
				}
			}
		}
		for _, todo := range able {
			seen.clear(s.len())
			for _, state := range todo {
				seen.add(state)
			}
			for i := 0; i < len(todo); i++ {
				for _, u := range inertInto[todo[i]] {
					if seen.add(u) {
						todo = append(todo, u)
					}
				}
			}
			if len(todo) != len(states) {
				return errNotStable
			}
		}
	}
	return nil
}

// certifyWeak: members of a class have the same weak steps into classes.
func (s *system) certifyWeak(class []int32, meter *budget.Meter) error {
	seen := map[int32][]step{}
	w := newWeakSteps(s)
	for state := range s.out {
		if state%256 == 0 {
			if err := tick(meter, state); err != nil {
				return err
			}
		}
		steps := w.signature(int32(state), class)
		if first, ok := seen[class[state]]; !ok {
			seen[class[state]] = steps
		} else if !slices.Equal(first, steps) {
			return errNotStable
		}
	}
	return nil
}

// weakSteps computes Milner's weak steps.
type weakSteps struct {
	sys           *system
	before, after stamps
}

func newWeakSteps(s *system) *weakSteps { return &weakSteps{sys: s} }

// closure appends what is reached silently from from, which seen marks.
func (w *weakSteps) closure(list []int32, from int32, seen *stamps) []int32 {
	if !seen.add(from) {
		return list
	}
	first := len(list)
	list = append(list, from)
	for i := first; i < len(list); i++ {
		for _, e := range w.sys.out[list[i]] {
			if e.action != lks.TauID {
				break
			}
			if seen.add(e.to) {
				list = append(list, e.to)
			}
		}
	}
	return list
}

// of returns the weak steps of a state, sorted.
func (w *weakSteps) of(state int32) []step {
	w.before.clear(w.sys.len())
	var steps []step
	targets := map[int32][]int32{}
	var actions []int32
	for _, u := range w.closure(nil, state, &w.before) {
		steps = append(steps, step{lks.TauID, u})
		for _, e := range w.sys.out[u] {
			if e.action == lks.TauID {
				continue
			}
			if _, ok := targets[e.action]; !ok {
				actions = append(actions, e.action)
			}
			targets[e.action] = append(targets[e.action], e.to)
		}
	}
	for _, a := range actions {
		w.after.clear(w.sys.len())
		var list []int32
		for _, t := range targets[a] {
			list = w.closure(list, t, &w.after)
		}
		for _, t := range list {
			steps = append(steps, step{a, t})
		}
	}
	return sortSteps(steps)
}

func (w *weakSteps) signature(state int32, class []int32) []step {
	steps := w.of(state)
	for i := range steps {
		steps[i].to = class[steps[i].to]
	}
	return sortSteps(steps)
}
