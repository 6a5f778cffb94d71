package product

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/emptiness"
)

// Fairness restricts the runs that count: an unfair run violates nothing. A
// run that stutters for ever is fair, since nothing is possible in it. Observers
// (lks.Network.With) are no processes here and their states do not tell
// transitions apart.
type Fairness int

const (
	NoFairness Fairness = iota
	// ProcessFairness, weak: a process (lks.Processes) that can take part in a step at all
	// times from some point on takes part in one again and again.
	ProcessFairness
	// ActionFairness, weak: an action that is possible at all times from some
	// point on occurs again and again. Like the others it takes tau as one action.
	ActionFairness
	// StrongActionFairness: an action that is possible again and again occurs
	// again and again.
	StrongActionFairness
	// ChoiceFairness: a transition of the composition whose source is visited
	// again and again is taken again and again. (What LTSA calls fair choice; it
	// says nothing of sequences of transitions, see fairchoice.Verify.)
	ChoiceFairness
)

var fairnesses = names.Of[Fairness]("fairness", "none", "process", "action", "strong-action", "choice")

func (f Fairness) String() string                   { return fairnesses.String(f) }
func (f Fairness) MarshalText() ([]byte, error)     { return fairnesses.Marshal(f) }
func (f *Fairness) UnmarshalText(text []byte) error { return fairnesses.Unmarshal(text, f) }

// Names lists the texts of all values.
func (Fairness) Names() []string { return fairnesses.List() }

// FairSet is a fairness requirement on a set of actions: a run on which actions of
// the set are possible at all times from some point on (or, if Strong, again and
// again) has actions of the set again and again. It need not be the same one. A run
// that stutters for ever is fair.
type FairSet struct {
	Actions []string // of the network; lks.TauName may be among them
	Strong  bool
}

// String returns "strong {a, b}" or "weak {a, b}".
func (s FairSet) String() string {
	kind := "weak"
	if s.Strong {
		kind = "strong"
	}
	return fmt.Sprintf("%s {%s}", kind, strings.Join(s.Actions, ", "))
}

// Compassion is a requirement on steps that are taken: a run with steps of Premise again and
// again has steps of Conclusion again and again. That is how an abstract model says what a
// ranking function knows of its program: it cannot decrease for ever without being
// increased again and again. The actions are those of components, which the network may call
// otherwise, or hide, so that formulas do not see them.
type Compassion struct {
	Premise, Conclusion []LocalAction
}

// LocalAction is an action of a component, by the component's own alphabet.
type LocalAction struct {
	Component int // index into Network.Components
	Action    string
}

// fair reports whether some infinite runs do not count.
func (o *Options) fair() bool {
	return o.Fairness != NoFairness || len(o.FairSets) > 0 || len(o.Compassion) > 0
}

// checkLocalActions returns an error for an action that a component does not have.
func checkLocalActions(net *lks.Network, all []Compassion) error {
	for _, c := range all {
		for _, a := range slices.Concat(c.Premise, c.Conclusion) {
			if a.Component < 0 || a.Component >= len(net.Components()) {
				return fmt.Errorf("compassion of component %d of %d", a.Component, len(net.Components()))
			}
			if m := net.Components()[a.Component]; m.Action(a.Action) < 0 {
				return fmt.Errorf("compassion of %s, which is no action of component %s", a.Action, m.Name())
			}
		}
	}
	return nil
}

// checkSetNames returns an *ltl.AtomError for an action that the network does not have.
func checkSetNames(net *lks.Network, sets []FairSet) error {
	for _, s := range sets {
		for _, a := range s.Actions {
			if net.Action(a) < 0 {
				return &ltl.AtomError{Atom: ltl.Atom{Kind: ltl.Event, Name: a}, Why: "is no event of " + net.Name() + ", but a fairness requirement names it"}
			}
		}
	}
	return nil
}

// requirements numbers what the runs of a network that count have to do: first what the sets
// ask for, then, by process or action, what the fairness asks for.
func requirements(net *lks.Network, kind Fairness, sets []FairSet, pairs []Compassion) *emptiness.Fairness {
	f := &emptiness.Fairness{OfRule: make([][]int32, len(net.Rules())), Choice: kind == ChoiceFairness, Pairs: len(pairs)}
	if len(pairs) > 0 {
		f.Premise, f.Conclusion = make([][]int32, len(net.Rules())), make([][]int32, len(net.Rules()))
		for i, c := range pairs {
			note(net, f.Premise, int32(i), c.Premise)
			note(net, f.Conclusion, int32(i), c.Conclusion)
		}
	}
	ofAction := make([][]int32, len(net.Alphabet()))
	for i, s := range sets {
		f.Strong = append(f.Strong, s.Strong)
		for _, name := range s.Actions {
			a := net.Action(name)
			if of := ofAction[a]; len(of) == 0 || of[len(of)-1] != int32(i) { // named once
				ofAction[a] = append(of, int32(i))
			}
		}
	}
	first := int32(len(sets))
	processes := net.Processes()
	switch kind {
	case ProcessFairness:
		f.Strong = append(f.Strong, make([]bool, len(processes.Names))...)
	case ActionFairness, StrongActionFairness:
		for a := range ofAction {
			f.Strong = append(f.Strong, kind == StrongActionFairness)
			ofAction[a] = append(ofAction[a], first+int32(a))
		}
	}
	for r, rule := range net.Rules() {
		f.OfRule[r] = ofAction[rule.Action]
		if kind != ProcessFairness {
			continue
		}
		f.OfRule[r] = slices.Clone(f.OfRule[r])
		for _, p := range processes.Moved(rule.Parts) {
			f.OfRule[r] = append(f.OfRule[r], first+p)
		}
	}
	return f
}

// note adds a pair to the rules in which a component takes part by one of the actions.
func note(net *lks.Network, ofRule [][]int32, pair int32, actions []LocalAction) {
	wanted := localActions(net, actions)
	for r, rule := range net.Rules() {
		if slices.ContainsFunc(rule.Parts, func(p lks.Part) bool { return wanted[p] }) {
			ofRule[r] = append(ofRule[r], pair)
		}
	}
}

func localActions(net *lks.Network, actions []LocalAction) map[lks.Part]bool {
	parts := map[lks.Part]bool{}
	for _, a := range actions {
		parts[lks.Part{Component: int32(a.Component), Action: net.Components()[a.Component].Action(a.Action)}] = true
	}
	return parts
}
