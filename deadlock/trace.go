package deadlock

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Trace is a finite run of a network.
type Trace struct {
	// Rules are the indices into Network.Rules of the steps.
	Rules []int32
	// States has the local states of all components before, between and after
	// the steps: one more than there are rules.
	States [][]int32
}

// Len returns the number of steps.
func (t *Trace) Len() int { return len(t.Rules) }

// Final returns the local states at the end.
func (t *Trace) Final() []int32 { return t.States[len(t.States)-1] }

// Actions returns the names of the actions that the network shows, lks.TauName
// for silent steps.
func (t *Trace) Actions(net *lks.Network) []string {
	names := make([]string, len(t.Rules))
	for i, r := range t.Rules {
		names[i] = net.Alphabet()[net.Rules()[r].Action]
	}
	return names
}

// LocalStep is a step of one component in a trace.
type LocalStep struct {
	Index  int    // of the step in the trace
	Action string // the component's own name for it
	From   int32
	To     int32
}

// Project returns the steps that component c takes part in (thesis Def. 36).
func (t *Trace) Project(net *lks.Network, c int) []LocalStep {
	var steps []LocalStep
	for i, r := range t.Rules {
		for _, part := range net.Rules()[r].Parts {
			if int(part.Component) == c {
				name := net.Components()[c].Alphabet()[part.Action]
				steps = append(steps, LocalStep{Index: i, Action: name, From: t.States[i][c], To: t.States[i+1][c]})
			}
		}
	}
	return steps
}

// Replay checks that t is a run of the network, from the components alone,
// without explorers or packed successors: it starts in local initial states, in
// every step the rule's parts, and only they, move by transitions of their LKSs,
// no enabled rule has precedence, and no state before the last is terminated or
// in error. It returns nil or what is wrong.
func (t *Trace) Replay(net *lks.Network) error {
	if len(t.States) != len(t.Rules)+1 {
		return fmt.Errorf("%d states for %d steps", len(t.States), len(t.Rules))
	}
	for c, m := range net.Components() {
		if !slices.Contains(m.Initial(), t.States[0][c]) {
			return fmt.Errorf("component %s does not start in state %d", net.ComponentName(c), t.States[0][c])
		}
	}
	for i := range t.Rules {
		if err := t.replayStep(net, i); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func (t *Trace) replayStep(net *lks.Network, i int) error {
	from, to := t.States[i], t.States[i+1]
	if k := kindOf(net, from); k != lks.Normal {
		return fmt.Errorf("leaves a state that is terminated or in error")
	}
	moves := make([]bool, len(from))
	for _, part := range net.Rules()[t.Rules[i]].Parts {
		c := part.Component
		moves[c] = true
		leads := func(e lks.Edge) bool { return e.Target == to[c] }
		if !slices.ContainsFunc(net.Components()[c].Succ(from[c], part.Action), leads) {
			return fmt.Errorf("%s has no transition by %s from %d to %d", net.ComponentName(int(c)), net.Components()[c].Alphabet()[part.Action], from[c], to[c])
		}
	}
	for c := range from {
		if !moves[c] && from[c] != to[c] {
			return fmt.Errorf("%s moves without taking part", net.ComponentName(c))
		}
	}
	if !slices.Contains(possibleRules(net, from), t.Rules[i]) {
		return fmt.Errorf("the step yields to another")
	}
	return nil
}

// possibleRules returns the rules by which the network can leave the state,
// priorities respected, special states not.
func possibleRules(net *lks.Network, locals []int32) []int32 {
	var possible []int32
	for r, rule := range net.Rules() {
		blocks := func(p lks.Part) bool {
			return len(net.Components()[p.Component].Succ(locals[p.Component], p.Action)) == 0
		}
		if !slices.ContainsFunc(rule.Parts, blocks) {
			possible = append(possible, int32(r))
		}
	}
	for _, low := range net.Low() {
		if slices.ContainsFunc(possible, func(r int32) bool { return !low[r] }) {
			possible = slices.DeleteFunc(possible, func(r int32) bool { return low[r] })
		}
	}
	return possible
}

func kindOf(net *lks.Network, locals []int32) lks.Kind {
	state := make([]uint64, net.Words())
	net.Pack(locals, state)
	return net.Kind(state)
}

// replayDeadlock checks that t is a run and that its last state is a deadlock.
func (t *Trace) replayDeadlock(net *lks.Network) error {
	if err := t.Replay(net); err != nil {
		return err
	}
	if kindOf(net, t.Final()) != lks.Normal {
		return fmt.Errorf("the last state is terminated or in error")
	}
	if possible := possibleRules(net, t.Final()); len(possible) > 0 {
		return fmt.Errorf("the last state can still move by %s", net.Alphabet()[net.Rules()[possible[0]].Action])
	}
	return nil
}
