package deadlock

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Deadlock is a deadlock and its reasons.
type Deadlock struct {
	Trace *run.Run
	// Components says for each component what it waits for, in order.
	Components []Waiting
	// Cycle is a cycle in the wait-for relation: each component waits for the
	// next, the last for the first. It is nil if there is none, because everybody
	// waits for components that can do nothing. A wait is necessary if each offer of
	// the component misses the other. Preferred is a cycle of necessary waits; then
	// one that no wait for either of several leads straight back where it came from
	// (a fork waits for its users, but that says nothing of why one of them waits
	// for the fork); then any. Of these it is a shortest one, the first.
	Cycle []int
}

// Waiting is the situation of a component that cannot move.
type Waiting struct {
	Component int
	State     int32 // its local state
	Ended     bool  // it has terminated
	// Offers are the rules that the component could take part in, in order; none
	// if it can do nothing at all.
	Offers []Offer
	// For are the components that some offer misses, sorted.
	For []int
}

// Offer is a rule that some components offer and others refuse.
type Offer struct {
	Rule    int32
	Action  string // the network's name for it, or the component's own if that is hidden
	Refused []int  // components with a part in the rule that refuse it, sorted
}

func newDeadlock(net *lks.Network, t *run.Run) *Deadlock {
	d := &Deadlock{Trace: t, Components: situation(net, t.Last.Local)}
	d.Cycle = waitingCycle(d.Components)
	return d
}

// Explain describes a deadlock that was found by other means: the run ends in it. The
// error says why that is not so.
func Explain(net *lks.Network, trace *run.Run) (*Deadlock, error) {
	if err := replayDeadlock(net, trace); err != nil {
		return nil, err
	}
	return newDeadlock(net, trace), nil
}

// replayDeadlock checks that t is a finite run and that its last state is a deadlock.
func replayDeadlock(net *lks.Network, t *run.Run) error {
	switch err := t.Replay(net); {
	case err != nil:
		return err
	case len(t.Loop) > 0:
		return errors.New("the run does not end")
	case t.Last.Kind != lks.Normal:
		return errors.New("the last state is terminated or in error")
	case len(t.Last.Enabled) > 0:
		return fmt.Errorf("the last state can still move by %s", t.Last.Enabled[0])
	}
	return nil
}

// situation says what each component offers in a global state, and who refuses
// it. Where nothing refuses an offer, Refused is nil: the network can move (or
// could, but for priorities).
func situation(net *lks.Network, locals []int32) []Waiting {
	waiting := make([]Waiting, len(locals))
	for c, s := range locals {
		waiting[c] = Waiting{Component: c, State: s, Ended: net.Components()[c].Kind(s) == lks.End}
	}
	for r, rule := range net.Rules() {
		var offering []lks.Part
		var refusing []int
		for _, p := range rule.Parts {
			if len(net.Components()[p.Component].Succ(locals[p.Component], p.Action)) > 0 {
				offering = append(offering, p)
			} else {
				refusing = append(refusing, int(p.Component))
			}
		}
		for _, p := range offering {
			w := &waiting[p.Component]
			name := net.Alphabet()[rule.Action]
			if rule.Action == lks.TauID {
				name = net.Components()[p.Component].Alphabet()[p.Action]
			}
			w.Offers = append(w.Offers, Offer{Rule: int32(r), Action: name, Refused: refusing})
			w.For = append(w.For, refusing...)
		}
	}
	for c := range waiting {
		slices.Sort(waiting[c].For)
		waiting[c].For = slices.Compact(waiting[c].For)
	}
	return waiting
}
