package product

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// State is a global state of a network, unpacked.
type State struct {
	Local   []int32  // local state of every component
	Props   []string // the propositions that hold, sorted
	Enabled []string // the visible actions that are possible, "tau" included, sorted
	Kind    lks.Kind
}

// Stutter is the Rule of a step in which a finished run repeats its last state.
const Stutter int32 = -1

// Step is a state and the event that leaves it.
type Step struct {
	State State
	Rule  int32   // index into Network.Rules, or Stutter
	Event string  // what the rule shows, lks.TauName if silent, "" for Stutter
	Moved []int32 // the components that take part, sorted
}

// Lasso is a run of a network: the steps of the stem, then those of the loop for
// ever. The last step of either leads to the first state of the loop. The loop
// is never empty. (Thesis 8.3.5.)
type Lasso struct {
	Stem, Loop []Step
}

// Steps returns stem and loop in one slice.
func (l *Lasso) Steps() []Step { return slices.Concat(l.Stem, l.Loop) }

// Len returns the number of steps, stem and loop together.
func (l *Lasso) Len() int { return len(l.Stem) + len(l.Loop) }

// Stutters reports whether the run is a finished one whose last state repeats.
func (l *Lasso) Stutters() bool { return l.Loop[0].Rule == Stutter }

// Holds reports whether the atom is true at the step: of its state, or of its
// event. Names of unresolved atoms are an error of the caller's and false.
func (s *Step) Holds(a ltl.Atom) bool {
	switch a.Kind {
	case ltl.Prop:
		_, ok := slices.BinarySearch(s.State.Props, a.Name)
		return ok
	case ltl.Event:
		return s.Rule != Stutter && s.Event == a.Name
	case ltl.Deadlock:
		return len(s.State.Enabled) == 0
	case ltl.Enabled:
		_, ok := slices.BinarySearch(s.State.Enabled, a.Name)
		return ok
	}
	return false
}

// Word returns the lasso as a word for ltl.Eval. It refers to the lasso.
func (l *Lasso) Word() ltl.Word {
	letters := func(steps []Step) []ltl.Letter {
		word := make([]ltl.Letter, len(steps))
		for i := range steps {
			word[i] = steps[i].Holds
		}
		return word
	}
	return ltl.Word{Stem: letters(l.Stem), Loop: letters(l.Loop)}
}

// String lists the events: "a b (c d)*", with "-" for stuttering.
func (l *Lasso) String() string {
	var b strings.Builder
	write := func(steps []Step) {
		for i, s := range steps {
			if i > 0 {
				b.WriteByte(' ')
			}
			if s.Rule == Stutter {
				b.WriteByte('-')
			} else {
				b.WriteString(s.Event)
			}
		}
	}
	write(l.Stem)
	if len(l.Stem) > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('(')
	write(l.Loop)
	b.WriteString(")*")
	return b.String()
}

// describer turns packed states into States.
type describer struct {
	net    *lks.Network
	ex     *lks.Explorer
	packed []uint64
	succ   lks.Successors
}

func newDescriber(net *lks.Network) *describer {
	return &describer{net: net, ex: net.Explorer(), packed: make([]uint64, net.Words())}
}

// state describes the state with these local states, which it keeps.
func (d *describer) state(local []int32) State {
	d.net.Pack(local, d.packed)
	s := State{Local: local, Kind: d.net.Kind(d.packed)}
	s.Props = d.net.TrueProps(local, s.Kind)
	d.ex.Successors(d.packed, &d.succ)
	last := int32(-1)
	for _, r := range d.succ.Rules { // rules of one action are neighbours
		if a := d.net.Rules()[r].Action; a != last {
			s.Enabled = append(s.Enabled, d.net.Alphabet()[a])
			last = a
		}
	}
	slices.Sort(s.Enabled)
	s.Enabled = slices.Compact(s.Enabled)
	return s
}

// step describes the move from s by a rule to the packed state target, and
// returns the local states after it. These can differ from those that target
// unpacks to: a network keeps one state for all that are in error or terminated,
// the run shows the one it is in.
func (d *describer) step(s State, rule int32, target []uint64) (Step, []int32, error) {
	if rule == Stutter {
		return Step{State: s, Rule: Stutter}, s.Local, nil
	}
	r := d.net.Rules()[rule]
	step := Step{State: s, Rule: rule, Event: d.net.Alphabet()[r.Action]}
	for _, p := range r.Parts {
		step.Moved = append(step.Moved, p.Component)
	}
	after := make([]int32, len(s.Local))
	d.net.Unpack(target, after)
	kind := d.net.Kind(target)
	if kind == lks.Normal {
		return step, after, nil
	}
	after, ok := d.special(s.Local, r, kind, after)
	if !ok {
		return step, nil, fmt.Errorf("%s does not lead to the %v state that the search stored", step.Event, kind)
	}
	return step, after, nil
}

// run describes a finite run: packed states, and the rules between them.
func (d *describer) run(states [][]uint64, rules []int32) (steps []Step, last State, err error) {
	local, err := initialLocals(d.net, states[0])
	if err != nil {
		return nil, last, err
	}
	for i, rule := range rules {
		step, after, err := d.step(d.state(local), rule, states[i+1])
		if err != nil {
			return nil, last, err
		}
		steps, local = append(steps, step), after
	}
	return steps, d.state(local), nil
}

// special finds local states that rule r leads to and that are of the given
// kind, with the same propositions as the canonical ones.
func (d *describer) special(local []int32, r lks.Rule, kind lks.Kind, canonical []int32) ([]int32, bool) {
	targets := make([][]int32, len(r.Parts))
	for i, p := range r.Parts {
		for _, e := range d.net.Components()[p.Component].Succ(local[p.Component], p.Action) {
			targets[i] = append(targets[i], e.Target)
		}
		if len(targets[i]) == 0 {
			return nil, false
		}
	}
	props := d.net.TrueProps(canonical, kind)
	choice := make([]int32, len(targets))
	for t := newTuples(targets); t.next(choice); {
		after := slices.Clone(local)
		for i, p := range r.Parts {
			after[p.Component] = choice[i]
		}
		d.net.Pack(after, d.packed)
		if d.net.Kind(d.packed) == kind && slices.Equal(d.net.TrueProps(after, kind), props) {
			return after, true
		}
	}
	return nil, false
}
