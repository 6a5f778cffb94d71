package product

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// BadPrefix is a finite run after which a formula is violated, whatever follows. A
// run that violates a safety property has one.
//
// Fairness does not matter to it. From any state a run can go on to a dead end, where
// a run that ends is fair, or to a set of states that it cannot leave, where it can
// take all transitions again and again, which meets every requirement of fairness. So
// where runs that end count, every finite run begins one that counts. Under IgnoreRuns
// that is known of runs found by a search only, and under fair choice of those after
// which a random walk need not end.
type BadPrefix struct {
	// Run is the prefix, a finite run.
	Run *run.Run
	Why BadReason
	// Minimal is set if no run that counts has a bad prefix with fewer steps.
	Minimal bool
}

// BadReason says what it is at the end of a bad prefix that violates the formula.
type BadReason int

const (
	// BadState: what is true in the last state, whatever event leaves it.
	BadState BadReason = iota
	// BadEvent: the last event, whatever is true behind it.
	BadEvent
	// BadEnd: that the run ends there.
	BadEnd
)

var badReasons = names.Of[BadReason]("reason", "state", "event", "end")

func (r BadReason) String() string { return badReasons.String(r) }

// mostPrefixTicks bounds the translation of a formula for the sake of a bad prefix:
// to a second or two.
const mostPrefixTicks = 1 << 10

// PrefixQuestion asks for a bad prefix of a formula, given a lasso of the network that
// violates it.
type PrefixQuestion struct {
	Net     *lks.Network
	Formula *ltl.Formula
	Lasso   *run.Run
	Most    int // states that the search for a shortest one may expand
	Meter   *budget.Meter
	// Counts says at which states, packed, the finite runs that count end; nil: at none, so
	// that there is no search.
	Counts func(state []uint64) bool
	// Anywhere asks for one even if the lasso has none.
	Anywhere bool
}

// EveryState is for PrefixQuestion.Counts where all finite runs count.
func EveryState([]uint64) bool { return true }

// FindBadPrefix returns a bad prefix: the shortest, if a search of so many states
// finds it, or else that of the lasso, which violates f; nil if there is none, or to
// tell would take long. The prefix has been replayed on the components, and what
// it leaves of the formula found to be unsatisfiable. The error is an *bug.Error
// or of the meter.
func FindBadPrefix(p *PrefixQuestion) (*BadPrefix, error) {
	if p.Formula.Is(ltl.Eventual) && !p.Formula.Is(ltl.Safety) && !p.Formula.HasPast() {
		return nil, nil // whatever has happened, what follows can satisfy it, if anything can
	}
	opts := prefixOptions(p.Net, p.Formula, p.Meter)
	a, err := buchi.Prefixes(p.Formula, opts)
	if err != nil {
		return nil, errorOfPrefix(err)
	}
	m, err := newMonitor(p.Net, meet.NewAutomaton(a))
	if err != nil {
		return nil, err
	}
	bad := m.prefixOf(p.Lasso)
	if p.Counts != nil && (bad != nil || p.Anywhere) {
		shortest, err := m.shortest(p.Counts, p.Most, p.Meter)
		if err != nil {
			return nil, errorOfPrefix(err)
		}
		if shortest != nil {
			bad = shortest
		}
	}
	if bad == nil {
		return nil, nil
	}
	if confirmed, err := confirmPrefix(p.Net, p.Formula, bad, opts); err != nil || !confirmed {
		return nil, errorOfPrefix(err)
	}
	return bad, nil
}

// prefixOptions bound the translation of a formula for the sake of its prefixes.
func prefixOptions(net *lks.Network, f *ltl.Formula, meter *budget.Meter) buchi.Options {
	ticks := 0
	return buchi.Options{Constraints: meet.Constraints(net, ltl.Atoms(f)), Meter: budget.Watch(func(budget.Progress) error {
		if ticks++; ticks > mostPrefixTicks {
			return &budget.Exhausted{What: "translation steps", Limit: fmt.Sprint(mostPrefixTicks)}
		}
		return meter.Tick(budget.Progress{Phase: "writing the counterexample"})
	})}
}

// errorOfPrefix drops limits: the counterexample is there, if not as short.
func errorOfPrefix(err error) error {
	if budget.Stopped(err) {
		return nil
	}
	return err
}

// monitor follows what is left of a formula along finite runs of a network: the set
// of states that the automaton of its good prefixes can be in, or its automaton without
// states from which nothing is accepted, which also tells how runs may end. It makes these sets
// as it meets them. Set 0 is empty.
type monitor struct {
	net   *lks.Network
	aut   *meet.Automaton
	bind  *meet.Binding
	match *meet.Matcher
	sets  [][]int32
	index numset.Index
	next  map[monitorStep]int32
	ends  map[monitorStep]bool // see badEnd
}

type monitorStep struct{ set, letter, class int32 }

// maxMonitorSets bounds the sets of a monitor.
const maxMonitorSets = 1 << 14

func newMonitor(net *lks.Network, aut *meet.Automaton) (*monitor, error) {
	bind, err := meet.NewBinding(net, aut.Atoms)
	if err != nil {
		return nil, err
	}
	m := &monitor{net: net, aut: aut, bind: bind, match: meet.NewMatcher(aut, bind), next: map[monitorStep]int32{}, ends: map[monitorStep]bool{}}
	m.number(nil)
	return m, nil
}

// start is the set before the first letter.
func (m *monitor) start() int32 { return m.number([]int32{m.aut.Initial}) }

func (m *monitor) number(set []int32) int32 {
	n, fresh := m.index.Number(set)
	if fresh {
		m.sets = append(m.sets, set)
	}
	return n
}

// after returns the set that follows a letter with an event.
func (m *monitor) after(set, letter, class int32) int32 {
	step := monitorStep{set, letter, class}
	if n, ok := m.next[step]; ok {
		return n
	}
	var to []int32
	for _, q := range m.sets[set] {
		for _, e := range m.match.Find(m.match.Row(letter, q), class) {
			to = append(to, e.Target)
		}
	}
	slices.Sort(to)
	n := m.number(slices.Compact(to))
	m.next[step] = n
	return n
}

// badState reports whether no event can follow the letter.
func (m *monitor) badState(set, letter int32) bool {
	for class := range m.bind.Events {
		if m.after(set, letter, int32(class)) != 0 {
			return false
		}
	}
	return true
}

// badEnd reports whether the letter cannot repeat for ever without an event.
func (m *monitor) badEnd(set, letter int32) bool {
	key := monitorStep{set: set, letter: letter}
	bad, known := m.ends[key]
	if !known {
		bad = !m.match.Forever(m.sets[set], letter)
		m.ends[key] = bad
	}
	return bad
}

// letter numbers what is true in a state, events apart.
func (m *monitor) letter(s *run.State) int32 {
	holds := meet.StateLetter(s)
	v := make([]uint64, m.bind.Words)
	for i, a := range m.aut.Atoms {
		if holds(a) {
			v[i/64] |= 1 << (i % 64)
		}
	}
	return m.bind.Number(v)
}

// prefixOf returns the shortest bad prefix of a lasso, or nil if it has none.
func (m *monitor) prefixOf(lasso *run.Run) *BadPrefix {
	steps := lasso.Steps()
	prefix := &run.Run{}
	set := m.start()
	seen := map[monitorStep]bool{} // a step of the loop and the set before it
	for i := 0; ; {
		s := &steps[i]
		prefix.Last = s.State
		letter := m.letter(&s.State)
		switch at := (monitorStep{set: set, letter: int32(i)}); {
		case set == 0:
			return &BadPrefix{Run: prefix, Why: BadEvent}
		case m.badState(set, letter):
			return &BadPrefix{Run: prefix, Why: BadState}
		case s.Rule == run.Stutter && m.badEnd(set, letter):
			return &BadPrefix{Run: prefix, Why: BadEnd}
		case s.Rule == run.Stutter || seen[at] || len(m.sets) > maxMonitorSets:
			return nil
		default:
			seen[at] = true
		}
		prefix.Stem = append(prefix.Stem, *s)
		set = m.after(set, letter, m.bind.Class[s.Rule])
		if i++; i == len(steps) {
			i = len(lasso.Stem)
		}
	}
}

// prefixSearch is a breadth-first search of the network beside the monitor's sets.
type prefixSearch struct {
	*monitor
	counts func(state []uint64) bool
	states *frontier.Frontier // states of the network with a word for the set, by rules
	phase  string             // what the search is for
	gaveUp bool
}

// shortest searches, among no more than so many states, for a bad prefix in a finite
// run that counts. It returns one that is Minimal, or nil if it finds none or gives up.
func (m *monitor) shortest(counts func(state []uint64) bool, most int, meter *budget.Meter) (*BadPrefix, error) {
	s := &prefixSearch{monitor: m, counts: counts, states: frontier.New(m.net.Words() + 1), phase: "writing the counterexample"}
	var initial lks.Successors
	m.net.Explorer().Initial(&initial)
	n, why, err := s.nearest(initial.States, m.start(), most, meter)
	if err != nil || n < 0 {
		return nil, err
	}
	return s.describe(n, why)
}

// nearest searches from states, which lie one after the other, with the same set, for one
// where nothing that follows is good any more, among no more than so many. It returns its
// number, or -1 if there is none or the search gives up.
func (s *prefixSearch) nearest(from []uint64, set int32, most int, meter *budget.Meter) (int32, BadReason, error) {
	words := s.net.Words()
	for at := 0; at < len(from); at += words {
		s.enter(from[at:at+words], set, -1, -1)
	}
	ex := s.net.Explorer()
	var succ lks.Successors
	state := make([]uint64, words)
	for n := range s.states.InOrder {
		if int(n) >= most || len(s.sets) > maxMonitorSets {
			s.gaveUp = true
			break
		}
		packed := s.states.State(n)
		copy(state, packed[:words])
		set := int32(packed[words])
		if set == 0 {
			return n, BadEvent, nil
		}
		ex.Successors(state, &succ)
		letter := s.bind.LetterOf(state, &succ)
		switch {
		case s.badState(set, letter):
			return n, BadState, nil
		case succ.Len() == 0 && s.badEnd(set, letter):
			return n, BadEnd, nil
		}
		for i, rule := range succ.Rules {
			s.enter(succ.States[i*words:(i+1)*words], s.after(set, letter, s.bind.Class[rule]), n, rule)
		}
		if n%1024 == 0 {
			if err := s.states.Tick(meter, budget.Progress{Phase: s.phase}); err != nil {
				return -1, 0, err
			}
		}
	}
	return -1, 0, nil
}

func (s *prefixSearch) enter(state []uint64, set, from, by int32) {
	if s.counts(state) {
		s.states.Reach(from, append(slices.Clip(state), uint64(set)), []int32{by})
	}
}

// describe returns the prefix that leads to a state of the search.
func (s *prefixSearch) describe(n int32, why BadReason) (*BadPrefix, error) {
	states, rules := s.way(n)
	prefix, err := run.Unpack(s.net, states, rules, -1)
	if err != nil {
		return nil, err
	}
	return &BadPrefix{Run: prefix, Why: why, Minimal: true}, nil
}

// mostResidual bounds the formula that a bad prefix may leave, in nodes.
const mostResidual = 1 << 12

// confirmPrefix replays a prefix on the components, and checks by the expansion laws
// of temporal operators, not by the automaton that found the prefix, that what it
// leaves of f is unsatisfiable. False: that would take long.
func confirmPrefix(net *lks.Network, f *ltl.Formula, p *BadPrefix, opts buchi.Options) (bool, error) {
	if err := p.Run.Replay(net); err != nil {
		return false, &bug.Error{Stage: "replay of the bad prefix", Err: err}
	}
	wrong := func(left *ltl.Formula) error {
		return &bug.Error{Stage: "evaluation of the bad prefix", Err: fmt.Errorf("%v is left of %v", left, f)}
	}
	rest := f
	for i := range p.Run.Stem {
		rest = ltl.Residual(rest, meet.Letter(&p.Run.Stem[i]))
		if rest.Size() > mostResidual {
			return false, nil
		}
	}
	if p.Why == BadEnd {
		last := &p.Run.Last
		if len(last.Enabled) > 0 || ltl.Eval(rest, ltl.Word{Loop: []ltl.Letter{meet.StateLetter(last)}}) {
			return false, wrong(rest)
		}
		return true, nil
	}
	left := []*ltl.Formula{rest}
	if p.Why == BadState {
		left = afterAnyEvent(rest, &p.Run.Last)
	}
	for _, g := range left {
		if g.Size() > mostResidual {
			return false, nil
		}
		a, err := buchi.Translate(g, opts)
		if err != nil {
			return false, err
		}
		if !a.Empty() {
			return false, wrong(g)
		}
	}
	return true, nil
}

// afterAnyEvent returns what is left of f after a state, whatever event leaves it.
func afterAnyEvent(f *ltl.Formula, s *run.State) []*ltl.Formula {
	left := []*ltl.Formula{ltl.Residual(f, meet.StateLetter(s))}
	for _, event := range s.Enabled {
		step := run.Step{State: *s, Event: event}
		left = append(left, ltl.Residual(f, meet.Letter(&step)))
	}
	return left
}
