package run

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Find returns a finite run that shows exactly these actions (silent ones are written
// lks.TauName), of which there may be several, or an error that says how far they can
// be followed. Time O(len(actions) · states with the same past).
func Find(net *lks.Network, actions []string) (*Run, error) {
	type node struct {
		state  []uint64
		rule   int32
		parent int
	}
	e := net.Explorer()
	w := net.Words()
	var succ lks.Successors
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
				state := succ.States[j*w : (j+1)*w]
				if key := keyOf(state); eventOf(net, r) == action && !seen[key] {
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
	states := make([][]uint64, len(levels))
	rules := make([]int32, len(actions))
	for i, at := len(actions), 0; i >= 0; i-- {
		n := &levels[i][at]
		states[i] = n.state
		if i > 0 {
			rules[i-1] = n.rule
		}
		at = n.parent
	}
	return Unpack(net, states, rules, -1)
}

func keyOf(state []uint64) string {
	var key []byte
	for _, w := range state {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return string(key)
}
