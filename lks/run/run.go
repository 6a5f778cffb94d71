// Package run has the runs of networks of labeled Kripke structures: what a
// counterexample is, whoever found it.
//
// A search finds packed states and the rules between them; Unpack makes a Run of
// these, New of local states. A Run describes every state and step by itself, so that
// people and formulas read it without the network, and Replay checks that description
// on the components alone, by the definition of a network: it shares nothing with the
// explorers that found the run.
//
//	run        runs, and what one component does in them (Project)
//	unpack     packed states to local ones, merged states taken apart; descriptions
//	possible   which rules are possible by definition, priorities respected
//	replay     descriptions, steps and initial states checked
//	find       a run with given actions
package run

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// State is a global state of a network, unpacked. States and steps of one run may share
// their slices: who changes one gives it a new slice.
type State struct {
	Local   []int32  // local state of every component
	Props   []string // the propositions that hold, sorted
	Enabled []string // the actions that are possible, lks.TauName included, sorted
	Kind    lks.Kind
}

// Stutter is the Rule of a step in which a finished run repeats its last state.
const Stutter int32 = -1

// Step is a state and what leaves it.
type Step struct {
	State State
	Rule  int32   // index into Network.Rules, or Stutter
	Event string  // what the rule shows, lks.TauName if silent, "" for Stutter
	Moved []int32 // the components that take part, sorted
}

// Run is a run of a network: the steps of the stem, then those of the loop for ever
// ([Chaki05], 8.3.5), or, if there is no loop, a finite run that ends in Last. With a loop,
// the last step of either leads to the first state of the loop, and Last means nothing.
type Run struct {
	Stem, Loop []Step
	Last       State
}

// Steps returns stem and loop in one slice.
func (r *Run) Steps() []Step { return slices.Concat(r.Stem, r.Loop) }

// Len returns the number of steps, stem and loop together.
func (r *Run) Len() int { return len(r.Stem) + len(r.Loop) }

// At returns the state before step i of Steps, for Len() the one that the last step leads
// to: the first of the loop, or Last.
func (r *Run) At(i int) *State {
	switch {
	case i < r.Len():
		return &r.step(i).State
	case len(r.Loop) > 0:
		return &r.Loop[0].State
	}
	return &r.Last
}

// step returns step i of Steps.
func (r *Run) step(i int) *Step {
	if n := len(r.Stem); i >= n {
		return &r.Loop[i-n]
	}
	return &r.Stem[i]
}

// Stutters reports whether the run is a finished one whose last state repeats.
func (r *Run) Stutters() bool { return len(r.Loop) > 0 && r.Loop[0].Rule == Stutter }

// Events returns what the steps show, stem and loop together: lks.TauName for silent
// ones, "" for stuttering.
func (r *Run) Events() []string {
	events := make([]string, 0, r.Len())
	for i := range r.Len() {
		events = append(events, r.step(i).Event)
	}
	return events
}

// String lists the events: "a b (c d)*", with "-" for stuttering.
func (r *Run) String() string {
	events := r.Events()
	for i, event := range events {
		if event == "" {
			events[i] = "-"
		}
	}
	n := len(r.Stem)
	if len(r.Loop) == 0 {
		return strings.Join(events, " ")
	}
	loop := "(" + strings.Join(events[n:], " ") + ")*"
	return strings.Join(append(events[:n:n], loop), " ")
}

// LocalStep is a step of one component in a run.
type LocalStep struct {
	Index  int    // of the step in Steps
	Action string // the component's own name for it
	From   int32
	To     int32
}

// Project returns the steps that component c takes part in ([Chaki05], Def. 36).
func (r *Run) Project(net *lks.Network, c int) []LocalStep {
	var steps []LocalStep
	for i := range r.Len() {
		s := r.step(i)
		if s.Rule == Stutter {
			continue
		}
		for _, part := range net.Rules()[s.Rule].Parts {
			if int(part.Component) == c {
				name := net.Components()[c].Alphabet()[part.Action]
				steps = append(steps, LocalStep{Index: i, Action: name, From: s.State.Local[c], To: r.At(i + 1).Local[c]})
			}
		}
	}
	return steps
}
