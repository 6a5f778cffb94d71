package product

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// FairReason says why the loop of a lasso meets one requirement of fairness.
type FairReason struct {
	// Kind is the Fairness that asks for it; NoFairness if a FairSet does.
	Kind Fairness
	// Process is whom the requirement is about, an index into lks.Processes.Names; -1 unless Kind
	// is ProcessFairness.
	Process int32
	// Actions are those that the requirement is about: one for the fairness of
	// actions, those of the FairSet in its order otherwise.
	Actions []string
	Strong  bool
	// Why says how it is met, and Step where: an index into Lasso.Steps, of the
	// first such step of the loop; -1 for NeverPossible and for ChoiceFairness.
	Why  FairWhy
	Step int
	// Transitions is, for ChoiceFairness, the number of transitions that leave
	// states of the loop, all of which it takes.
	Transitions int
}

// FairWhy is how a requirement of fairness is met.
type FairWhy int

const (
	// Taken: the loop does what is required.
	Taken FairWhy = iota
	// Impossible: it is impossible in one state of the loop, which is enough for
	// weak fairness.
	Impossible
	// NeverPossible: it is impossible in all states of the loop.
	NeverPossible
)

var fairWhys = names.Of[FairWhy]("reason", "taken", "impossible", "never possible")

func (w FairWhy) String() string { return fairWhys.String(w) }

// whyFair says for every requirement why a lasso meets it, by the description of
// the lasso and the components alone: nothing of the search is used. A lasso that
// stutters is fair without reasons. The error, an *bug.Error, says which
// requirement is not met. The fairness of tau is left out where tau is never possible
// on the loop. The time is linear in the loop, with all that is possible along it.
func whyFair(net *lks.Network, l *run.Run, kind Fairness, sets []FairSet) ([]FairReason, error) {
	if l.Stutters() {
		return nil, nil
	}
	w := &fairLoop{
		net: net, l: l, kind: kind,
		ofAction: map[string][]int{}, processes: net.Processes(), leaving: map[string]int{},
	}
	w.require(sets)
	for i := range l.Loop {
		w.look(i)
	}
	reasons, err := w.explain()
	if kind == ChoiceFairness && err == nil {
		var choices FairReason
		choices, err = w.choices()
		reasons = append(reasons, choices)
	}
	if err != nil {
		return nil, &bug.Error{Stage: "fairness of the counterexample", Err: err}
	}
	return reasons, nil
}

// checkCompassion returns an *bug.Error if a lasso takes a premise in its loop and not the
// conclusion, by the rules of its steps alone.
func checkCompassion(net *lks.Network, l *run.Run, all []Compassion) error {
	taken := func(actions []LocalAction) bool {
		wanted := localActions(net, actions)
		for _, s := range l.Loop {
			if s.Rule != run.Stutter && slices.ContainsFunc(net.Rules()[s.Rule].Parts, func(p lks.Part) bool { return wanted[p] }) {
				return true
			}
		}
		return false
	}
	for i, c := range all {
		if taken(c.Premise) && !taken(c.Conclusion) {
			return bug.Errorf("fairness of the counterexample", "it takes the premise %v of requirement %d again and again, and the conclusion %v never", c.Premise, i, c.Conclusion)
		}
	}
	return nil
}

// fairLoop looks at the loop of a lasso, once for all requirements.
type fairLoop struct {
	net       *lks.Network
	l         *run.Run
	kind      Fairness
	required  []fairRequirement
	ofAction  map[string][]int // requirements of the action
	processes *lks.Processes
	first     int            // requirement of the first process, if Kind is ProcessFairness
	leaving   map[string]int // for ChoiceFairness: transitions that leave a state
}

// fairRequirement is a requirement and what the loop does about it.
type fairRequirement struct {
	reason FairReason
	taken  int // first step of the loop that does what is required, or -1
	able   int // last step where that is possible, or -1
	always int // it is possible in so many steps from the first on
}

func (w *fairLoop) require(sets []FairSet) {
	kind := w.kind
	add := func(r FairReason) int {
		w.required = append(w.required, fairRequirement{reason: r, taken: -1, able: -1})
		return len(w.required) - 1
	}
	addActions := func(r FairReason) {
		n := add(r)
		for _, a := range r.Actions {
			w.ofAction[a] = append(w.ofAction[a], n)
		}
	}
	for _, set := range sets {
		addActions(FairReason{Process: -1, Actions: set.Actions, Strong: set.Strong})
	}
	if kind == ActionFairness || kind == StrongActionFairness {
		for _, a := range w.net.Alphabet() {
			addActions(FairReason{Kind: kind, Process: -1, Actions: []string{a}, Strong: kind == StrongActionFairness})
		}
	}
	if w.first = len(w.required); kind == ProcessFairness {
		for p := range w.processes.Names {
			add(FairReason{Kind: kind, Process: int32(p)})
		}
	}
}

// look notes what step i of the loop does, and what is possible there.
func (w *fairLoop) look(i int) {
	s := &w.l.Loop[i]
	for _, a := range s.State.Enabled {
		for _, n := range w.ofAction[a] {
			w.required[n].can(i)
		}
	}
	for _, n := range w.ofAction[s.Event] {
		w.required[n].does(i)
	}
	if w.kind == ProcessFairness || w.kind == ChoiceFairness {
		w.lookAtRules(i)
	}
}

// lookAtRules is look for requirements that are not about actions.
func (w *fairLoop) lookAtRules(i int) {
	s := &w.l.Loop[i]
	leaving := 0
	for _, r := range run.Possible(w.net, s.State.Local) {
		leaving += ways(w.net, &s.State, r)
		for _, p := range w.movers(r) {
			w.required[w.first+int(p)].can(i)
		}
	}
	w.leaving[systemState(w.net, &s.State)] = leaving
	for _, p := range w.movers(s.Rule) {
		w.required[w.first+int(p)].does(i)
	}
}

// movers are the processes that a requirement is about and that move by a rule.
func (w *fairLoop) movers(rule int32) []int32 {
	if w.kind != ProcessFairness {
		return nil
	}
	return w.processes.Moved(w.net.Rules()[rule].Parts)
}

func (r *fairRequirement) does(i int) {
	if r.taken < 0 {
		r.taken = i
	}
}

func (r *fairRequirement) can(i int) {
	r.able = i
	if r.always == i {
		r.always++
	}
}

// explain says why every requirement is met; the error is about one that is not.
func (w *fairLoop) explain() ([]FairReason, error) {
	var reasons []FairReason
	for i := range w.required {
		n := &w.required[i]
		r := n.reason
		switch {
		case n.taken >= 0:
			r.Why, r.Step = Taken, len(w.l.Stem)+n.taken
		case n.able < 0:
			if r.Kind != NoFairness && len(r.Actions) == 1 && r.Actions[0] == lks.TauName {
				continue
			}
			r.Why, r.Step = NeverPossible, -1
		case !r.Strong && n.always < len(w.l.Loop):
			r.Why, r.Step = Impossible, len(w.l.Stem)+n.always
		default:
			return nil, fmt.Errorf("what process %d or actions %v ask for (%v) is possible at step %d and never happens", r.Process, r.Actions, r.Kind, len(w.l.Stem)+n.able+1)
		}
		reasons = append(reasons, r)
	}
	return reasons, nil
}

// choices compares the transitions that leave states of the loop with those that
// it takes.
func (w *fairLoop) choices() (FairReason, error) {
	type transition struct {
		from, to string // see systemState
		rule     int32
	}
	taken := map[transition]bool{}
	for i := range w.l.Loop {
		s, next := &w.l.Loop[i], &w.l.Loop[(i+1)%len(w.l.Loop)]
		taken[transition{systemState(w.net, &s.State), systemState(w.net, &next.State), s.Rule}] = true
	}
	leaving := 0
	for _, n := range w.leaving {
		leaving += n
	}
	var err error
	if len(taken) != leaving {
		err = fmt.Errorf("%d transitions leave states of the loop, which takes %d", leaving, len(taken))
	}
	return FairReason{Kind: ChoiceFairness, Process: -1, Strong: true, Step: -1, Transitions: leaving}, err
}

// systemState names a state by the local states of all components but observers.
func systemState(net *lks.Network, s *run.State) string {
	var local []int32
	for c, q := range s.Local {
		if !net.Observer(c) {
			local = append(local, q)
		}
	}
	return fmt.Sprint(local)
}

// ways counts the transitions by which a rule leaves a state, whatever observers do.
func ways(net *lks.Network, s *run.State, rule int32) int {
	n := 1
	for _, p := range net.Rules()[rule].Parts {
		if net.Observer(int(p.Component)) {
			continue
		}
		n *= len(net.Components()[p.Component].Succ(s.Local[p.Component], p.Action))
	}
	return n
}
