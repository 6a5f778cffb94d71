package product

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

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

// has reports whether a step is by an action of the set.
func (s FairSet) has(action string) bool { return slices.Contains(s.Actions, action) }

// fair reports whether some infinite runs do not count.
func (o *Options) fair() bool { return o.Fairness != NoFairness || len(o.FairSets) > 0 }

// checkSetNames returns an *AtomError for an action that the network does not have.
func checkSetNames(net *lks.Network, sets []FairSet) error {
	for _, s := range sets {
		for _, a := range s.Actions {
			if net.Action(a) < 0 {
				return &AtomError{ltl.Atom{Kind: ltl.Event, Name: a}, "is no event of " + net.Name() + ", but a fairness requirement names it"}
			}
		}
	}
	return nil
}

// fairSets are requirements by number.
type fairSets struct {
	strong []bool
	ofRule [][]int32 // by rule: the sets that its action is in
}

func newFairSets(net *lks.Network, sets []FairSet) *fairSets {
	f := &fairSets{ofRule: make([][]int32, len(net.Rules()))}
	for i, s := range sets {
		f.strong = append(f.strong, s.Strong)
		for r, rule := range net.Rules() {
			if s.has(net.Alphabet()[rule.Action]) {
				f.ofRule[r] = append(f.ofRule[r], int32(i))
			}
		}
	}
	return f
}

func (f *fairSets) len() int32 { return int32(len(f.strong)) }

// checkFairSets checks a lasso by its description alone. The error is an
// *InternalError.
func checkFairSets(l *Lasso, sets []FairSet) error {
	for _, set := range sets {
		occurs := func(s Step) bool { return s.Rule != Stutter && set.has(s.Event) }
		able := func(s Step) bool { return slices.ContainsFunc(s.State.Enabled, set.has) }
		unable := func(s Step) bool { return !able(s) }
		asked := slices.ContainsFunc(l.Loop, able) && (set.Strong || !slices.ContainsFunc(l.Loop, unable))
		if asked && !slices.ContainsFunc(l.Loop, occurs) {
			return &InternalError{Stage: "fairness of the counterexample", Err: fmt.Errorf("it is not fair: %v", set)}
		}
	}
	return nil
}
