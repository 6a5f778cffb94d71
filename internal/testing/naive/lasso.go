package naive

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// LassoHeads are the states in which a program is at the head of a loop, after a stem and
// any number of rounds.
type LassoHeads struct {
	States []logic.Model
	Next   [][]int // by state, those after one round
}

// Forever reports that the loop can be followed without end: what is left when states
// without a next one are taken away, again and again.
func (h *LassoHeads) Forever() bool {
	gone := make([]bool, len(h.States))
	for left, changed := len(h.States), true; left > 0; {
		if !changed {
			return true
		}
		changed = false
		for i, next := range h.Next {
			stuck := true
			for _, n := range next {
				stuck = stuck && gone[n]
			}
			if !gone[i] && stuck {
				gone[i], changed = true, true
				left--
			}
		}
	}
	return false
}

// Lasso enumerates the states at the head of a loop. where holds before each command, those
// of the stem first, nil says nothing. Variables and inputs are words or Booleans, and have
// all their values.
func Lasso(vars []*logic.Term, init *logic.Term, stem, loop []*program.Command, where []*logic.Term) *LassoHeads {
	h := &LassoHeads{}
	holds := func(f *logic.Term, m logic.Model) bool {
		ok, err := logic.Holds(f, m)
		return ok && err == nil
	}
	allowed := func(position int, m logic.Model) bool {
		return position >= len(where) || where[position] == nil || holds(where[position], m)
	}
	// through does commands from a position on.
	through := func(states []logic.Model, commands []*program.Command, position int) []logic.Model {
		for i, c := range commands {
			seen, next := map[string]bool{}, []logic.Model{}
			for _, s := range states {
				if !allowed(position+i, s) {
					continue
				}
				for _, inputs := range Valuations(c.Inputs, 0) {
					if t, err := c.Step(s, inputs); err == nil && !seen[fmt.Sprint(t)] {
						seen[fmt.Sprint(t)] = true
						next = append(next, t)
					}
				}
			}
			states = next
		}
		return states
	}
	var first []logic.Model
	for _, m := range Valuations(vars, 0) {
		if holds(init, m) {
			first = append(first, m)
		}
	}
	numbers := map[string]int{}
	number := func(m logic.Model) int {
		n, known := numbers[fmt.Sprint(m)]
		if !known {
			n = len(h.States)
			numbers[fmt.Sprint(m)] = n
			h.States = append(h.States, m)
		}
		return n
	}
	for _, m := range through(first, stem, 0) {
		if allowed(len(stem), m) {
			number(m)
		}
	}
	for i := 0; i < len(h.States); i++ {
		h.Next = append(h.Next, nil)
		for _, m := range through(h.States[i:i+1], loop, len(stem)) {
			if allowed(len(stem), m) {
				h.Next[i] = append(h.Next[i], number(m))
			}
		}
	}
	return h
}
