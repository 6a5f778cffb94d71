package lks

import (
	"fmt"
	"slices"
)

// Trace is a finite run of a network: States[0] by Rules[0] to States[1], and so
// on; there is one state more than rules.
type Trace struct {
	States [][]uint64
	Rules  []int32
}

// Actions returns the names of the trace's actions.
func (t *Trace) Actions(n *Network) []string {
	names := make([]string, len(t.Rules))
	for i, r := range t.Rules {
		names[i] = n.alphabet[n.rules[r].Action]
	}
	return names
}

// Replay checks that t is a run of n: it begins in an initial state, and every
// step is one that the components can make, by the definition of a Network and
// without the tables that explorers use. The error names the first step that is
// not possible.
func Replay(n *Network, t *Trace) error {
	if len(t.States) != len(t.Rules)+1 {
		return fmt.Errorf("a trace of %d steps has %d states", len(t.Rules), len(t.States))
	}
	if err := n.CheckInitial(t.States[0]); err != nil {
		return err
	}
	for i, r := range t.Rules {
		if err := n.CheckStep(t.States[i], r, t.States[i+1]); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// CheckInitial returns an error if state is not an initial state.
func (n *Network) CheckInitial(state []uint64) error {
	if n.Kind(state) != Normal {
		// Too many states are merged in it to look at components one by one.
		var succ Successors
		n.Explorer().Initial(&succ)
		for w := n.Words(); len(succ.States) > 0; succ.States = succ.States[w:] {
			if slices.Equal(succ.States[:w], state) {
				return nil
			}
		}
		return fmt.Errorf("%s is not an initial state", n.StateName(state))
	}
	local := make([]int32, len(n.components))
	n.Unpack(state, local)
	for c, m := range n.components {
		if !slices.Contains(m.initial, local[c]) {
			return fmt.Errorf("%s is not an initial state of %s", m.StateName(local[c]), n.names[c])
		}
	}
	return nil
}

// CheckStep returns an error if n cannot go from one (canonical) state to the
// other by the rule. Time O(rules · parts · degree).
func (n *Network) CheckStep(from []uint64, rule int32, to []uint64) error {
	if rule < 0 || int(rule) >= len(n.rules) {
		return fmt.Errorf("there is no rule %d", rule)
	}
	if n.Kind(from) != Normal {
		return fmt.Errorf("%s has no successors", n.StateName(from))
	}
	before := make([]int32, len(n.components))
	n.Unpack(from, before)
	for _, part := range n.rules[rule].Parts {
		m := n.components[part.Component]
		if len(m.Succ(before[part.Component], part.Action)) == 0 {
			return fmt.Errorf("%s cannot do %s in %s", n.names[part.Component], m.alphabet[part.Action], m.StateName(before[part.Component]))
		}
	}
	if other := n.prevents(before, rule); other >= 0 {
		return fmt.Errorf("%s has lower priority than %s, which is possible too", n.ruleName(rule), n.ruleName(other))
	}
	if n.Kind(to) != Normal {
		return n.checkMerged(from, rule, to)
	}
	after := make([]int32, len(n.components))
	n.Unpack(to, after)
	moved := make([]bool, len(n.components))
	for _, part := range n.rules[rule].Parts {
		c := part.Component
		moved[c] = true
		if !slices.Contains(n.components[c].Succ(before[c], part.Action), Edge{part.Action, after[c]}) {
			return fmt.Errorf("%s does not go from %s to %s by %s", n.names[c],
				n.components[c].StateName(before[c]), n.components[c].StateName(after[c]), n.components[c].alphabet[part.Action])
		}
	}
	for c := range before {
		if !moved[c] && before[c] != after[c] {
			return fmt.Errorf("%s has no part in %s, but moves", n.names[c], n.ruleName(rule))
		}
	}
	return nil
}

func (n *Network) ruleName(rule int32) string { return n.alphabet[n.rules[rule].Action] }

// prevents returns a rule that takes precedence over rule in that state, or -1.
func (n *Network) prevents(local []int32, rule int32) int32 {
	enabled := make([]bool, len(n.rules))
	for r := range n.rules {
		enabled[r] = true
		for _, part := range n.rules[r].Parts {
			if len(n.components[part.Component].Succ(local[part.Component], part.Action)) == 0 {
				enabled[r] = false
			}
		}
	}
	for _, low := range n.low {
		high := -1
		for r := range enabled {
			if enabled[r] && !low[r] {
				high = r
				break
			}
		}
		if high < 0 {
			continue
		}
		if low[rule] {
			return int32(high)
		}
		for r := range enabled {
			enabled[r] = enabled[r] && !low[r]
		}
	}
	return -1
}

// checkMerged checks a step into a state in error or a terminated one: some
// combination of the parts' targets must be one that it stands for.
func (n *Network) checkMerged(from []uint64, rule int32, to []uint64) error {
	parts := n.rules[rule].Parts
	pick := make([]int, len(parts))
	next := make([]uint64, len(from))
	for {
		copy(next, from)
		for i, part := range parts {
			local := n.Local(from, part.Component)
			n.packing().setLocal(next, part.Component, n.components[part.Component].Succ(local, part.Action)[pick[i]].Target)
		}
		if n.canonicalise(next); slices.Equal(next, to) {
			return nil
		}
		i := len(parts) - 1
		for ; i >= 0; i-- {
			part := parts[i]
			if pick[i]++; pick[i] < len(n.components[part.Component].Succ(n.Local(from, part.Component), part.Action)) {
				break
			}
			pick[i] = 0
		}
		if i < 0 {
			return fmt.Errorf("%s does not lead to %s", n.ruleName(rule), n.StateName(to))
		}
	}
}

// FindTrace returns a trace with exactly these actions (silent ones are written
// TauName), of which there may be several, or an error that says how far the
// actions can be followed. Time O(len(actions) · states with the same past).
func FindTrace(n *Network, actions []string) (*Trace, error) {
	type node struct {
		state  []uint64
		rule   int32
		parent int
	}
	e := n.Explorer()
	w := n.Words()
	var succ Successors
	e.Initial(&succ)
	levels := make([][]node, 1, len(actions)+1)
	for i, r := range succ.Rules {
		levels[0] = append(levels[0], node{slices.Clone(succ.States[i*w : (i+1)*w]), r, -1})
	}
	for i, action := range actions {
		var next []node
		seen := map[string]bool{}
		for p, from := range levels[i] {
			e.Successors(from.state, &succ)
			for j, r := range succ.Rules {
				if n.ruleName(r) != action {
					continue
				}
				state := succ.States[j*w : (j+1)*w]
				if key := fmt.Sprint(state); !seen[key] {
					seen[key] = true
					next = append(next, node{slices.Clone(state), r, p})
				}
			}
		}
		if len(next) == 0 {
			return nil, fmt.Errorf("after %d of %d actions, %s is not possible", i, len(actions), action)
		}
		levels = append(levels, next)
	}
	t := &Trace{}
	for i, at := len(actions), 0; i >= 0; i-- {
		at0 := levels[i][at]
		t.States = append(t.States, at0.state)
		if i > 0 {
			t.Rules = append(t.Rules, at0.rule)
		}
		at = at0.parent
	}
	slices.Reverse(t.States)
	slices.Reverse(t.Rules)
	return t, nil
}
