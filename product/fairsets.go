package product

import (
	"fmt"
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

// fair reports whether some infinite runs do not count.
func (o *Options) fair() bool { return o.Fairness != NoFairness || len(o.FairSets) > 0 }

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

// fairSets are requirements by number.
type fairSets struct {
	strong []bool
	ofRule [][]int32 // by rule: the sets that its action is in
}

func newFairSets(net *lks.Network, sets []FairSet) *fairSets {
	f := &fairSets{ofRule: make([][]int32, len(net.Rules()))}
	ofAction := make([][]int32, len(net.Alphabet()))
	for i, s := range sets {
		f.strong = append(f.strong, s.Strong)
		for _, name := range s.Actions {
			a := net.Action(name)
			if of := ofAction[a]; len(of) == 0 || of[len(of)-1] != int32(i) { // named once
				ofAction[a] = append(of, int32(i))
			}
		}
	}
	for r, rule := range net.Rules() {
		f.ofRule[r] = ofAction[rule.Action]
	}
	return f
}

func (f *fairSets) len() int32 { return int32(len(f.strong)) }
