package main

import "github.com/seltl/seltl/lks"

// move is a step of one component.
type move struct{ component, from, to int32 }

// command is one way in which the parts of a rule can move together.
type command struct {
	rule, action int32
	moves        []move // sorted by component
}

// commands returns all commands of a network in the order of its rules.
func commands(n *lks.Network) []command {
	var all []command
	for r, rule := range n.Rules() {
		partial := []command{{rule: int32(r), action: rule.Action}}
		for _, p := range rule.Parts {
			var longer []command
			for _, c := range partial {
				for _, m := range moves(n.Components()[p.Component], p) {
					c.moves = append(c.moves[:len(c.moves):len(c.moves)], m)
					longer = append(longer, c)
					c.moves = c.moves[:len(c.moves)-1]
				}
			}
			partial = longer
		}
		all = append(all, partial...)
	}
	return all
}

// moves returns the steps that a component can take as a part of a rule.
func moves(m *lks.LKS, p lks.Part) []move {
	var all []move
	for s := range int32(m.NumStates()) {
		for _, e := range m.Succ(s, p.Action) {
			all = append(all, move{p.Component, s, e.Target})
		}
	}
	return all
}
