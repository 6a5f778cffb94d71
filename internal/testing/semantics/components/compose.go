package components

import (
	"fmt"
	"slices"
)

// global is a state of all components.
type global struct {
	parts   []int
	edges   []move
	special special
	ended   bool // all have ended
}

// move is a step of the program.
type move struct {
	action string // "" is silent
	to     int
}

// composed is the program: "A shared action happens in all components that have it in their
// alphabet, at once, or not at all. Every other step is made by one component alone."
type composed struct {
	locals  []*locals
	states  []global
	initial []int
	sampled bool
}

func compose(all []*locals, limit int) *composed {
	c := &composed{locals: all}
	number := map[string]int{}
	enter := func(parts []int) int {
		key := fmt.Sprint(parts)
		n, known := number[key]
		if known {
			return n
		}
		g := global{parts: slices.Clone(parts), ended: true}
		for i, p := range parts {
			s := &all[i].states[p]
			g.ended = g.ended && s.ended
			g.special = max(g.special, s.special)
			if s.special == refused {
				g.special = refused
				break
			}
		}
		number[key] = len(c.states)
		c.states = append(c.states, g)
		if len(c.states) > limit {
			panic(&TooLarge{})
		}
		return len(c.states) - 1
	}
	first := [][]int{nil}
	for _, l := range all {
		var next [][]int
		for _, parts := range first {
			for _, n := range l.initial {
				next = append(next, append(slices.Clone(parts), n))
			}
		}
		first = next
		c.sampled = c.sampled || l.sampled
	}
	for _, parts := range first {
		c.initial = append(c.initial, enter(parts))
	}
	for i := 0; i < len(c.states); i++ {
		if c.states[i].special != ordinary {
			continue
		}
		for _, m := range c.moves(c.states[i].parts, enter) {
			if !slices.Contains(c.states[i].edges, m) {
				c.states[i].edges = append(c.states[i].edges, m)
			}
		}
	}
	return c
}

func (c *composed) moves(parts []int, enter func([]int) int) (all []move) {
	done := map[string]bool{}
	for i, p := range parts {
		for _, e := range c.locals[i].states[p].edges {
			if e.action == "" || !c.locals[i].alphabet[e.action] { // what is not in an alphabet is its own: returns in a formula
				next := slices.Clone(parts)
				next[i] = e.to
				all = append(all, move{e.action, enter(next)})
			} else if !done[e.action] {
				done[e.action] = true
				for _, next := range c.together(e.action, parts) {
					all = append(all, move{e.action, enter(next)})
				}
			}
		}
	}
	return all
}

// together are the ways in which all that share an action perform it.
func (c *composed) together(action string, parts []int) [][]int {
	all := [][]int{nil}
	for i, p := range parts {
		var ways []int
		if !c.locals[i].alphabet[action] {
			ways = []int{p}
		} else {
			for _, e := range c.locals[i].states[p].edges {
				if e.action == action {
					ways = append(ways, e.to)
				}
			}
		}
		var next [][]int
		for _, so := range all {
			for _, w := range ways {
				next = append(next, append(slices.Clone(so), w))
			}
		}
		all = next
	}
	return all
}

// alive are the states that a run goes through: from which it can go on for ever, or to an end,
// without a step that makes it not exist.
func (c *composed) alive() []bool {
	is := make([]bool, len(c.states))
	for i := range is {
		is[i] = c.states[i].special != refused
	}
	for changed := true; changed; {
		changed = false
		for i, s := range c.states {
			if !is[i] || s.special == mistake || len(s.edges) == 0 {
				continue // it ends, or nobody knows how it goes on
			}
			if !slices.ContainsFunc(s.edges, func(m move) bool { return is[m.to] }) {
				is[i], changed = false, true
			}
		}
	}
	return is
}
