package product

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
)

// FairReason says why the loop of a lasso meets one requirement of fairness.
type FairReason struct {
	// Kind is the Fairness that asks for it; NoFairness if a FairSet does.
	Kind Fairness
	// Component is whom the requirement is about, -1 unless Kind is ProcessFairness.
	Component int32
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

func (w FairWhy) String() string {
	switch w {
	case Taken:
		return "taken"
	case Impossible:
		return "impossible"
	case NeverPossible:
		return "never possible"
	}
	return fmt.Sprintf("FairWhy(%d)", int(w))
}

// whyFair says for every requirement why a lasso meets it, by the description of
// the lasso and the components alone: nothing of the search is used. A lasso that
// stutters is fair without reasons. The error, an *InternalError, says which
// requirement is not met. Left out are tau where it is never possible on the loop,
// and components without a part in any rule.
func whyFair(net *lks.Network, l *Lasso, kind Fairness, sets []FairSet) ([]FairReason, error) {
	if l.Stutters() {
		return nil, nil
	}
	w := &fairLoop{net: net, l: l}
	for _, set := range sets {
		w.explain(FairReason{Component: -1, Actions: set.Actions, Strong: set.Strong}, w.of(set.Actions))
	}
	switch kind {
	case ProcessFairness:
		w.components()
	case ActionFairness, StrongActionFairness:
		for a, name := range net.Alphabet() {
			actions := []string{name}
			w.explain(FairReason{Kind: kind, Component: -1, Actions: actions, Strong: kind == StrongActionFairness}, w.of(actions))
			if last := len(w.reasons) - 1; int32(a) == lks.TauID && w.reasons[last].Why == NeverPossible {
				w.reasons = w.reasons[:last]
			}
		}
	case ChoiceFairness:
		w.choices()
	}
	if w.wrong != nil {
		return nil, &InternalError{Stage: "fairness of the counterexample", Err: w.wrong}
	}
	return w.reasons, nil
}

// fairLoop looks at the loop of a lasso.
type fairLoop struct {
	net      *lks.Network
	l        *Lasso
	possible [][]int32 // by step of the loop, the possible rules; made when needed
	reasons  []FairReason
	wrong    error // the first requirement that is not met
}

// judgement looks at a step of the loop: whether it does what a requirement asks
// for, and whether that is possible.
type judgement func(i int) (does, can bool)

// explain finds out why a requirement is met.
func (w *fairLoop) explain(r FairReason, judge judgement) {
	does, cannot, can := -1, -1, -1 // the first such step
	note := func(at *int, i int) {
		if *at < 0 {
			*at = len(w.l.Stem) + i
		}
	}
	for i := range w.l.Loop {
		d, c := judge(i)
		if d {
			note(&does, i)
		}
		if c {
			note(&can, i)
		} else {
			note(&cannot, i)
		}
	}
	switch {
	case does >= 0:
		r.Why, r.Step = Taken, does
	case can < 0:
		r.Why, r.Step = NeverPossible, -1
	case !r.Strong && cannot >= 0:
		r.Why, r.Step = Impossible, cannot
	case w.wrong == nil:
		w.wrong = fmt.Errorf("it is not fair (%v): what component %d and actions %v ask for is possible at step %d and never happens", r.Kind, r.Component, r.Actions, can+1)
	}
	w.reasons = append(w.reasons, r)
}

// of judges by a set of actions.
func (w *fairLoop) of(actions []string) judgement {
	in := make(map[string]bool, len(actions))
	for _, a := range actions {
		in[a] = true
	}
	return func(i int) (does, can bool) {
		s := &w.l.Loop[i]
		return in[s.Event], slices.ContainsFunc(s.State.Enabled, func(a string) bool { return in[a] })
	}
}

// components explains the weak fairness of components.
func (w *fairLoop) components() {
	part := func(r int32, c int32) bool {
		return slices.ContainsFunc(w.net.Rules()[r].Parts, func(p lks.Part) bool { return p.Component == c })
	}
	movable := make([][]bool, len(w.l.Loop)) // by step and component
	for i := range w.l.Loop {
		movable[i] = make([]bool, len(w.net.Components()))
		for _, r := range w.possibleAt(i) {
			for _, p := range w.net.Rules()[r].Parts {
				movable[i][p.Component] = true
			}
		}
	}
	moves := make([]bool, len(w.net.Components()))
	for _, r := range w.net.Rules() {
		for _, p := range r.Parts {
			moves[p.Component] = true
		}
	}
	for c := range int32(len(moves)) {
		if moves[c] {
			w.explain(FairReason{Kind: ProcessFairness, Component: c}, func(i int) (does, can bool) {
				return part(w.l.Loop[i].Rule, c), movable[i][c]
			})
		}
	}
}

func (w *fairLoop) possibleAt(i int) []int32 {
	if w.possible == nil {
		w.possible = make([][]int32, len(w.l.Loop))
		for j := range w.l.Loop {
			w.possible[j] = possibleRules(w.net, &w.l.Loop[j].State)
		}
	}
	return w.possible[i]
}

// choices compares the transitions that leave states of the loop with those that
// it takes.
func (w *fairLoop) choices() {
	type transition struct {
		from, to string // tuples of local states
		rule     int32
	}
	taken := map[transition]bool{}
	key := func(s *State) string { return fmt.Sprint(s.Local) }
	for i := range w.l.Loop {
		s, next := &w.l.Loop[i], &w.l.Loop[(i+1)%len(w.l.Loop)]
		taken[transition{key(&s.State), key(&next.State), s.Rule}] = true
	}
	leaving, seen := 0, map[string]bool{}
	for i := range w.l.Loop {
		s := &w.l.Loop[i].State
		if from := key(s); !seen[from] {
			seen[from] = true
			for _, r := range w.possibleAt(i) {
				leaving += ways(w.net, s, r)
			}
		}
	}
	if len(taken) != leaving && w.wrong == nil {
		w.wrong = fmt.Errorf("it is not fair (%v): %d transitions leave states of the loop, which takes %d", ChoiceFairness, leaving, len(taken))
	}
	w.reasons = append(w.reasons, FairReason{Kind: ChoiceFairness, Component: -1, Strong: true, Step: -1, Transitions: leaving})
}

// ways counts the transitions by which a rule leaves a state.
func ways(net *lks.Network, s *State, rule int32) int {
	n := 1
	for _, p := range net.Rules()[rule].Parts {
		n *= len(net.Components()[p.Component].Succ(s.Local[p.Component], p.Action))
	}
	return n
}
