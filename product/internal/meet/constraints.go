package meet

import (
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Constraints says what is true of the atoms at every position of every run of
// the network: at most one event occurs, and none in a state without successors,
// where nothing is possible either; of propositions of one component that no
// state of it has together, such as the values of a variable, at most one holds,
// or exactly one if every state has one of them. Groups have at least two atoms.
func Constraints(net *lks.Network, atoms []ltl.Atom) []buchi.Constraint {
	var groups []buchi.Constraint
	var events, enabled []ltl.Atom
	deadlock := false
	props := make([][]ltl.Atom, len(net.Components()))
	for _, a := range atoms {
		switch a.Kind {
		case ltl.Event:
			events = append(events, a)
		case ltl.Enabled:
			enabled = append(enabled, a)
		case ltl.Deadlock:
			deadlock = true
		case ltl.Prop:
			if c, _, ok := net.Prop(a.Name); ok {
				props[c] = append(props[c], a)
			}
		}
	}
	if deadlock {
		events = append(events, ltl.Atom{Kind: ltl.Deadlock})
		for _, a := range enabled {
			groups = append(groups, buchi.Constraint{Kind: buchi.AtMostOne, Atoms: []ltl.Atom{{Kind: ltl.Deadlock}, a}})
		}
	}
	if len(events) > 1 {
		groups = append(groups, buchi.Constraint{Kind: buchi.AtMostOne, Atoms: events})
	}
	canFail := HasError(net)
	for c, m := range net.Components() {
		groups = append(groups, exclusiveProps(net, m, props[c], canFail)...)
	}
	return groups
}

// HasError reports whether the network may be in error, where no proposition
// holds.
func HasError(net *lks.Network) bool {
	for _, m := range net.Components() {
		for s := range int32(m.NumStates()) {
			if m.Kind(s) == lks.Error {
				return true
			}
		}
	}
	return false
}

// exclusiveProps puts propositions of one component into groups, each into the
// first all of whose members it never meets.
func exclusiveProps(net *lks.Network, m *lks.LKS, atoms []ltl.Atom, canFail bool) []buchi.Constraint {
	if len(atoms) < 2 {
		return nil
	}
	labels := LabelsOf(net, m, atoms)
	if canFail {
		labels = append(labels, nil)
	}
	meets := make([][]bool, len(atoms))
	for i := range meets {
		meets[i] = make([]bool, len(atoms))
	}
	for _, label := range labels {
		for _, i := range label {
			for _, j := range label {
				meets[i][j] = true
			}
		}
	}
	var groups [][]int
	for i := range atoms {
		g := 0
		for g < len(groups) && meetsAny(meets[i], groups[g]) {
			g++
		}
		if g == len(groups) {
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	var result []buchi.Constraint
	for _, members := range groups {
		if len(members) < 2 {
			continue
		}
		c := buchi.Constraint{Kind: buchi.ExactlyOne}
		for _, i := range members {
			c.Atoms = append(c.Atoms, atoms[i])
		}
		for _, label := range labels {
			if !meetsAny(memberSet(len(atoms), label), members) {
				c.Kind = buchi.AtMostOne
			}
		}
		result = append(result, c)
	}
	return result
}

func meetsAny(meets []bool, members []int) bool {
	for _, j := range members {
		if meets[j] {
			return true
		}
	}
	return false
}

func memberSet(n int, members []int) []bool {
	set := make([]bool, n)
	for _, i := range members {
		set[i] = true
	}
	return set
}

// LabelsOf returns the different labels of a component, as indices of atoms.
func LabelsOf(net *lks.Network, m *lks.LKS, atoms []ltl.Atom) [][]int {
	position := make([]int, len(m.Props())) // in atoms, plus 1
	for i, a := range atoms {
		_, p, _ := net.Prop(a.Name)
		position[p] = i + 1
	}
	seen := make([]bool, m.NumLabelClasses())
	var labels [][]int
	for s := range int32(m.NumStates()) {
		class := m.LabelClass(s)
		if seen[class] {
			continue
		}
		seen[class] = true
		var label []int
		for _, p := range m.Label(s) {
			if position[p] > 0 {
				label = append(label, position[p]-1)
			}
		}
		labels = append(labels, label)
	}
	return labels
}
