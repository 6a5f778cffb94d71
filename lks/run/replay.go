package run

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Replay checks that r is a run of the network, from its description alone: it starts
// in local initial states; every rule's parts, and only they, move by transitions of
// their LKSs ([Chaki05], Def. 5) to the next state; no rule that is enabled has precedence;
// the recorded kinds, propositions, possible actions, events and movers are right;
// stuttering happens only where nothing is possible; and the loop closes. It uses
// neither packed states nor an explorer. It returns nil or says which step is wrong.
// Time as for Possible, at every step.
func (r *Run) Replay(net *lks.Network) error {
	d := newDefinition(net)
	possible, err := d.checkState(r.At(0), nil)
	if err == nil {
		err = checkInitial(net, r.At(0).Local)
	}
	if err != nil {
		return fmt.Errorf("step 1: %w", err)
	}
	var before []int32
	for i := range r.Len() {
		after, err := d.checkState(r.At(i+1), before)
		if err != nil {
			return fmt.Errorf("step %d: %w", i+2, err)
		}
		if err := checkStep(net, r.step(i), possible, r.At(i+1).Local); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		before, possible = possible, after
	}
	return nil
}

// CheckInitial returns an error if a packed (canonical) state is not an initial one.
func CheckInitial(net *lks.Network, state []uint64) error {
	_, err := Start(net, state)
	return err
}

// CheckStep returns an error if the network cannot go from one packed (canonical) state
// to another by the rule. Time as for Possible; if the other is in error or terminated,
// it is multiplied by the ways that the rule leads on.
func CheckStep(net *lks.Network, from []uint64, rule int32, to []uint64) error {
	if net.Kind(from) != lks.Normal {
		return fmt.Errorf("%s has no successors", net.StateName(from))
	}
	if rule < 0 || int(rule) >= len(net.Rules()) {
		return fmt.Errorf("there is no rule %d", rule)
	}
	local := make([]int32, len(net.Components()))
	net.Unpack(from, local)
	next, err := Follow(net, local, rule, to)
	if err != nil {
		return err
	}
	return checkMove(net, rule, Possible(net, local), local, next)
}

// checkState checks what a state is said to be, and returns the rules that are possible
// in it, in the place of those in space.
func (d *definition) checkState(s *State, space []int32) ([]int32, error) {
	net := d.net
	if len(s.Local) != len(net.Components()) {
		return nil, fmt.Errorf("%d local states for %d components", len(s.Local), len(net.Components()))
	}
	for c, m := range net.Components() {
		if s.Local[c] < 0 || int(s.Local[c]) >= m.NumStates() {
			return nil, fmt.Errorf("%s has no state %d", net.ComponentName(c), s.Local[c])
		}
	}
	kind, possible := d.at(s.Local, space)
	if kind != s.Kind {
		return nil, fmt.Errorf("the kind of the state is %v, not %v", kind, s.Kind)
	}
	if d.names = net.AppendProps(d.names[:0], s.Local, kind); !slices.Equal(d.names, s.Props) {
		return nil, fmt.Errorf("propositions are %v, not %v", d.names, s.Props)
	}
	d.names = d.names[:0]
	for _, r := range possible {
		d.names = append(d.names, eventOf(net, r))
	}
	slices.Sort(d.names)
	if d.names = slices.Compact(d.names); !slices.Equal(d.names, s.Enabled) {
		return nil, fmt.Errorf("possible actions are %v, not %v", d.names, s.Enabled)
	}
	return possible, nil
}

func checkInitial(net *lks.Network, local []int32) error {
	for c, m := range net.Components() {
		if !slices.Contains(m.Initial(), local[c]) {
			return fmt.Errorf("%s does not start in %s", net.ComponentName(c), m.StateName(local[c]))
		}
	}
	return nil
}

// checkStep checks what a step is said to be, and that it leads to the next local
// states; possible are the rules that are.
func checkStep(net *lks.Network, s *Step, possible, next []int32) error {
	if s.Rule == Stutter {
		switch {
		case len(possible) > 0:
			return fmt.Errorf("the run stutters where %s is possible", eventOf(net, possible[0]))
		case s.Event != "" || len(s.Moved) > 0:
			return fmt.Errorf("stuttering has event %q and moves %v", s.Event, s.Moved)
		case !slices.Equal(s.State.Local, next):
			return fmt.Errorf("stuttering changes the state from %v to %v", s.State.Local, next)
		}
		return nil
	}
	if err := checkMove(net, s.Rule, possible, s.State.Local, next); err != nil {
		return err
	}
	if event := eventOf(net, s.Rule); event != s.Event {
		return fmt.Errorf("the event is %q, not %q", event, s.Event)
	}
	parts := net.Rules()[s.Rule].Parts
	if len(parts) != len(s.Moved) {
		return fmt.Errorf("%d components move, not %d", len(parts), len(s.Moved))
	}
	for i, p := range parts {
		if s.Moved[i] != p.Component {
			return fmt.Errorf("%s moves, not component %d", net.ComponentName(int(p.Component)), s.Moved[i])
		}
	}
	return nil
}

// checkMove checks that a rule, which must be one of those possible, leads from local
// states to others.
func checkMove(net *lks.Network, rule int32, possible, from, to []int32) error {
	if _, ok := slices.BinarySearch(possible, rule); !ok {
		if rule < 0 || int(rule) >= len(net.Rules()) {
			return fmt.Errorf("there is no rule %d", rule)
		}
		return fmt.Errorf("%s is not possible", eventOf(net, rule))
	}
	parts := net.Rules()[rule].Parts
	for _, p := range parts {
		c := p.Component
		m := net.Components()[c]
		if !slices.Contains(m.Edges(from[c]), lks.Edge{Action: p.Action, Target: to[c]}) {
			return fmt.Errorf("%s has no transition %s -%s-> %s", net.ComponentName(int(c)),
				m.StateName(from[c]), m.Alphabet()[p.Action], m.StateName(to[c]))
		}
	}
	for c := range from {
		moves := func(p lks.Part) bool { return int(p.Component) == c }
		if from[c] != to[c] && !slices.ContainsFunc(parts, moves) {
			m := net.Components()[c]
			return fmt.Errorf("%s moves from %s to %s without a part in %s", net.ComponentName(c),
				m.StateName(from[c]), m.StateName(to[c]), eventOf(net, rule))
		}
	}
	return nil
}
