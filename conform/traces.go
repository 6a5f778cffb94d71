package conform

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Reason says why a trace refutes a refinement.
type Reason int

const (
	// NoEvent: the specification has no such event after the trace so far.
	NoEvent Reason = iota
	// NoLabel: it can do the event, but nowhere with the propositions (or the
	// termination, or the error) of the implementation.
	NoLabel
	// Refusal: the implementation has come to rest and refuses what the
	// specification must offer one of.
	Refusal
)

// TraceCounterexample is a run of the implementation whose trace, or whose refusal
// at the end, the specification does not have. No run is shorter.
type TraceCounterexample struct {
	Run    *run.Run // of Result.ImplNetwork, finite
	Reason Reason
	// SpecStates are the states in which the specification can be, sorted: before
	// the last step for NoEvent, after it but with other propositions for NoLabel
	// (before any step if there is none), at the end for Refusal. It can be in
	// none for NoLabel only.
	SpecStates []int32
	// Refused says for Refusal why none of SpecStates, in the same order, could rest
	// like that: the actions that it offers and the implementation refuses, sorted;
	// nil for a state that does not rest, because it can move silently, and empty for
	// one that has terminated or failed otherwise than the implementation.
	Refused [][]int32

	way *witness // the run as a witness without branches
}

// describe fills in the Run.
func (t *TraceCounterexample) describe(impl *space) (err error) {
	states := make([][]uint64, len(t.way.impl))
	rules := make([]int32, len(states)-1)
	for i, s := range t.way.impl {
		if states[i] = impl.states.State(s); i > 0 {
			rules[i-1] = t.way.edges[i-1][0].rule
		}
	}
	t.Run, err = run.Unpack(impl.net, states, rules, -1)
	return err
}

// refinement decides trace containment and failures refinement. It explores
// breadth-first the pairs (i, F) of an implementation state and the set of
// specification states that the trace so far can lead to, those that agree with
// what is seen of i. The sets are made as they are met. Of the pairs of one i only
// those with minimal F are kept (an antichain): what goes wrong from a larger set
// goes wrong, as soon, from a smaller one [DeWulf06].
type refinement struct {
	impl     *space
	spec     *specification
	failures bool
	meter    *budget.Meter
	lane     *portfolio.Lane // is told of pairs; may be nil

	sets   [][]int32 // specification states, sorted
	ids    numset.Index
	after  map[[2]int32]int32 // (set, action) to the closed set of what follows
	agree  map[agreement]int32
	seen   numset.Stamps
	nodes  []pair
	minima [][]int32     // by implementation state: nodes, an antichain
	offers []numset.Bits // by specification state, nil until asked for
	stable []int8        // by specification state: 0 unknown, 1 yes, 2 no
}

type pair struct {
	impl, set, parent int32
	edge              int32 // of impl, that led here
	covered           bool  // a smaller set was found
}

type agreement struct {
	set int32
	class
}

func newRefinement(impl *space, spec *specification, failures bool, meter *budget.Meter) *refinement {
	return &refinement{
		impl: impl, spec: spec, failures: failures, meter: meter,
		after: map[[2]int32]int32{}, agree: map[agreement]int32{},
		offers: make([]numset.Bits, spec.len()), stable: make([]int8, spec.len()),
	}
}

func (c *check) refines(impl *space, spec *specification, r *Result) error {
	s := newRefinement(impl, spec, c.opts.Preorder == Failures, c.meter)
	s.lane = c.lane
	t, err := s.search()
	r.Stats.Positions = int64(len(s.nodes))
	if err != nil {
		return err
	}
	if t == nil {
		r.holds = true
		r.Stats.Certificate, err = s.certify()
		return err
	}
	r.Trace = t
	if err := t.describe(impl); err != nil {
		return err
	}
	return newReplayer(impl, spec, true, true).trace(t, s.failures)
}

func (s *refinement) intern(set []int32) int32 {
	id, fresh := s.ids.Number(set)
	if fresh {
		s.sets = append(s.sets, set)
	}
	return id
}

// follow returns the closed set that a set leads to by an action.
func (s *refinement) follow(set, action int32) int32 {
	key := [2]int32{set, action}
	id, ok := s.after[key]
	if !ok {
		id = s.intern(s.followSet(s.sets[set], action))
		s.after[key] = id
	}
	return id
}

func (s *refinement) followSet(set []int32, action int32) []int32 {
	closed := s.spec.closure(set, &s.seen)
	if action == lks.TauID {
		return closed
	}
	var targets []int32
	for _, t := range closed {
		for _, e := range s.spec.succ(t, action) {
			targets = append(targets, e.target)
		}
	}
	return s.spec.closure(targets, &s.seen)
}

// observes reports whether a specification state shows what is seen of an
// implementation state of class c.
func (c class) observes(spec class) bool {
	return c.label == spec.label && (c.kind == lks.Normal || c.kind == spec.kind)
}

// filter returns the states of a set that show c.
func (s *refinement) filter(set int32, c class) int32 {
	key := agreement{set, c}
	id, ok := s.agree[key]
	if !ok {
		id = s.intern(s.filterSet(s.sets[set], c))
		s.agree[key] = id
	}
	return id
}

func (s *refinement) filterSet(set []int32, c class) []int32 {
	return lists.Filter(set, func(t int32) bool { return c.observes(s.spec.classes[t]) })
}

// search returns a counterexample, or nil if there is none.
func (s *refinement) search() (*TraceCounterexample, error) {
	start := s.intern(s.spec.closure(s.spec.initial, &s.seen))
	for _, i := range s.impl.initial {
		set := s.filter(start, s.impl.classes[i])
		if len(s.sets[set]) == 0 {
			return &TraceCounterexample{way: newWay(i), Reason: NoLabel, SpecStates: s.sets[start]}, nil
		}
		s.visit(pair{impl: i, set: set, parent: -1, edge: -1})
	}
	for n := int32(0); int(n) < len(s.nodes); n++ {
		if n%256 == 0 {
			if err := s.tick(); err != nil {
				return nil, err
			}
		}
		if s.nodes[n].covered {
			continue
		}
		if t, err := s.explore(n); t != nil || err != nil {
			return t, err
		}
	}
	return nil, nil
}

func (s *refinement) tick() error {
	if len(s.nodes) > mostEntries || len(s.sets) > mostEntries {
		return budget.Full("pairs of states", len(s.nodes), budget.Progress{})
	}
	if err := s.lane.Reach(int64(len(s.nodes))); err != nil {
		return err
	}
	if s.meter == nil {
		return nil
	}
	return s.meter.Tick(budget.Progress{Phase: "refining", States: int64(len(s.nodes)), Transitions: int64(len(s.impl.edges))})
}

// explore visits the successors of a pair.
func (s *refinement) explore(n int32) (*TraceCounterexample, error) {
	at := s.nodes[n]
	edges, err := s.impl.expanded(at.impl)
	if err != nil {
		return nil, err
	}
	if s.failures && !s.restsAs(edges, s.impl.classes[at.impl].kind, s.sets[at.set]) {
		t := &TraceCounterexample{way: s.wayTo(n), Reason: Refusal, SpecStates: s.sets[at.set]}
		t.Refused = s.refused(edges, t.SpecStates)
		return t, nil
	}
	from := s.impl.first[at.impl]
	for k, e := range edges {
		next := s.follow(at.set, e.action)
		set := s.filter(next, s.impl.classes[e.target])
		if len(s.sets[set]) > 0 {
			s.visit(pair{impl: e.target, set: set, parent: n, edge: from + int32(k)})
			continue
		}
		t := &TraceCounterexample{way: s.wayTo(n), Reason: NoLabel, SpecStates: s.sets[next]}
		t.way.add(e)
		if len(s.sets[next]) == 0 {
			t.Reason, t.SpecStates = NoEvent, s.spec.closure(s.sets[at.set], &s.seen)
		}
		return t, nil
	}
	return nil, nil
}

// wayTo returns the way to a pair.
func (s *refinement) wayTo(n int32) *witness {
	var edges []edge
	for ; s.nodes[n].parent >= 0; n = s.nodes[n].parent {
		edges = append(edges, s.impl.edges[s.nodes[n].edge])
	}
	w := newWay(s.nodes[n].impl)
	for _, e := range slices.Backward(edges) {
		w.add(e)
	}
	return w
}

// newWay returns a witness of one state.
func newWay(impl int32) *witness { return &witness{impl: []int32{impl}, edges: [][]witnessEdge{nil}} }

// add makes a witness without branches longer.
func (w *witness) add(e edge) {
	last := len(w.impl) - 1
	w.edges[last] = []witnessEdge{{e.action, e.rule, int32(last + 1)}}
	w.impl, w.edges = append(w.impl, e.target), append(w.edges, nil)
}

// visit adds a pair unless one with a subset was met before.
func (s *refinement) visit(p pair) {
	for int(p.impl) >= len(s.minima) {
		s.minima = append(s.minima, nil)
	}
	set := s.sets[p.set]
	for _, n := range s.minima[p.impl] {
		if subset(s.sets[s.nodes[n].set], set) {
			return
		}
	}
	s.minima[p.impl] = slices.DeleteFunc(s.minima[p.impl], func(n int32) bool {
		larger := subset(set, s.sets[s.nodes[n].set])
		s.nodes[n].covered = s.nodes[n].covered || larger
		return larger
	})
	s.minima[p.impl] = append(s.minima[p.impl], int32(len(s.nodes)))
	s.nodes = append(s.nodes, p)
}

// subset reports whether all of a, sorted, is in b, sorted.
func subset(a, b []int32) bool {
	if len(a) > len(b) {
		return false
	}
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			return false
		}
		b = b[1:]
	}
	return true
}

// restsAs reports whether an implementation state with these edges either moves
// silently or offers all that some stable state of the set offers.
func (s *refinement) restsAs(edges []edge, kind lks.Kind, set []int32) bool {
	if len(edges) > 0 && edges[0].action == lks.TauID {
		return true
	}
	offer := numset.NewBits(len(s.spec.m.Alphabet()))
	for _, e := range edges {
		offer.Add(e.action)
	}
	for _, t := range set {
		k := s.spec.classes[t].kind
		if s.isStable(t) && (k == lks.Normal || k == kind) && s.offersOf(t).Within(offer) {
			return true
		}
	}
	return false
}

// refused returns what an implementation state with these edges refuses of what
// the states of a set offer; nil for those that are not stable.
func (s *refinement) refused(edges []edge, set []int32) [][]int32 {
	all := make([][]int32, len(set))
	for i, t := range set {
		if !s.isStable(t) {
			continue
		}
		all[i] = []int32{}
		for _, e := range s.spec.out(t) {
			if len(byAction(edges, e.action)) == 0 && !slices.Contains(all[i], e.action) {
				all[i] = append(all[i], e.action)
			}
		}
		slices.Sort(all[i])
	}
	return all
}

func (s *refinement) isStable(t int32) bool {
	if s.stable[t] == 0 {
		s.stable[t] = 1
		if len(s.spec.succ(t, lks.TauID)) > 0 {
			s.stable[t] = 2
		}
	}
	return s.stable[t] == 1
}

func (s *refinement) offersOf(t int32) numset.Bits {
	if s.offers[t] == nil {
		s.offers[t] = numset.NewBits(len(s.spec.m.Alphabet()))
		for _, e := range s.spec.out(t) {
			s.offers[t].Add(e.action)
		}
	}
	return s.offers[t]
}

// certify checks that the minimal pairs cover the initial states and their own
// successors, with sets computed anew from the transitions, and that none of them
// fails. It returns their number.
func (s *refinement) certify() (int64, error) {
	covered := func(i int32, set []int32) bool {
		return slices.ContainsFunc(s.minima[i], func(n int32) bool {
			return len(s.sets[s.nodes[n].set]) > 0 && subset(s.sets[s.nodes[n].set], set)
		})
	}
	start := s.spec.closure(s.spec.initial, &s.seen)
	for _, i := range s.impl.initial {
		if !covered(i, s.filterSet(start, s.impl.classes[i])) {
			return 0, bug.Errorf("conform", "the certificate does not cover initial state %d", i)
		}
	}
	count := int64(0)
	for _, minima := range s.minima {
		for _, n := range minima {
			count++
			at := s.nodes[n]
			edges, err := s.impl.expanded(at.impl)
			if err != nil {
				return 0, err
			}
			set := s.sets[at.set]
			if s.failures && !s.restsAs(edges, s.impl.classes[at.impl].kind, set) {
				return 0, bug.Errorf("conform", "the certificate contains a refusal")
			}
			for _, e := range edges {
				if !covered(e.target, s.filterSet(s.followSet(set, e.action), s.impl.classes[e.target])) {
					return 0, bug.Errorf("conform", "the certificate is not closed")
				}
			}
		}
	}
	return count, nil
}

// trace checks a counterexample of a refinement on the networks.
func (r *replayer) trace(t *TraceCounterexample, failures bool) error {
	wrong := func(why string) error {
		return bug.Errorf("conform", "the counterexample trace is wrong: %s", why)
	}
	if err := t.Run.Replay(r.impl.net); err != nil {
		return wrong(err.Error())
	}
	m := r.spec.m
	set := r.showing(silently(m, m.Initial()), t.Run.At(0))
	for i, step := range t.Run.Stem {
		if len(set) == 0 {
			return wrong("it goes on after the specification has lost")
		}
		if set = silently(m, set); step.Event != lks.TauName {
			action, _ := slices.BinarySearch(m.Alphabet()[lks.TauID+1:], step.Event)
			var next []int32
			for _, s := range set {
				for _, e := range m.Succ(s, int32(action)+lks.TauID+1) {
					next = append(next, e.Target)
				}
			}
			set = silently(m, next)
		}
		set = r.showing(set, t.Run.At(i+1))
	}
	if t.Reason != Refusal {
		if len(set) > 0 {
			return wrong("the specification has it")
		}
		return nil
	}
	if !failures {
		return wrong("refusals do not count")
	}
	if err := r.refusal(&t.Run.Last, set, wrong); err != nil {
		return err
	}
	return r.refused(t, wrong)
}

// refused checks what is said to be refused: for each state that rests, all that
// it offers and the implementation does not.
func (r *replayer) refused(t *TraceCounterexample, wrong func(string) error) error {
	m := r.spec.m
	if len(t.Refused) != len(t.SpecStates) {
		return wrong("it does not say what is refused")
	}
	for i, s := range t.SpecStates {
		var missing []int32
		rests := true
		for _, e := range m.Edges(s) {
			rests = rests && e.Action != lks.TauID
			if !offers(&t.Run.Last, m.Alphabet()[e.Action]) && !slices.Contains(missing, e.Action) {
				missing = append(missing, e.Action)
			}
		}
		if rests != (t.Refused[i] != nil) || rests && !slices.Equal(missing, t.Refused[i]) {
			return wrong(fmt.Sprintf("of state %d is refused %v, not %v", s, missing, t.Refused[i]))
		}
	}
	return nil
}

// refusal checks that the implementation is stable and that no stable state of the
// set offers as little.
func (r *replayer) refusal(at *run.State, set []int32, wrong func(string) error) error {
	if offers(at, lks.TauName) {
		return wrong("the implementation is not at rest")
	}
	m := r.spec.m
	for _, s := range set {
		less := m.Kind(s) == lks.Normal || m.Kind(s) == at.Kind
		for _, e := range m.Edges(s) {
			less = less && offers(at, m.Alphabet()[e.Action])
		}
		if less {
			return wrong("the specification can refuse as much")
		}
	}
	return nil
}

// offers reports whether an action is possible in a state of the implementation.
func offers(s *run.State, action string) bool {
	_, ok := slices.BinarySearch(s.Enabled, action)
	return ok
}

// showing keeps the specification states that show what is seen of an
// implementation state.
func (r *replayer) showing(set []int32, impl *run.State) []int32 {
	holds := func(prop string) bool {
		_, ok := slices.BinarySearch(impl.Props, prop)
		return ok
	}
	return slices.DeleteFunc(slices.Clone(set), func(s int32) bool {
		return !r.sameProps(holds, s) || impl.Kind != lks.Normal && r.spec.m.Kind(s) != impl.Kind
	})
}
