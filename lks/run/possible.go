package run

import (
	"slices"

	"github.com/seltl/seltl/lks"
)

// Possible returns the rules by which the network can leave these local states, in
// order: those all of whose parts are possible, unless others have priority. States in
// error, and terminated ones, cannot be left. It follows the definition of a network and
// uses neither packed states nor an explorer. Time O(parts of all rules + edges of the
// local states).
func Possible(net *lks.Network, local []int32) []int32 {
	_, possible := newDefinition(net).at(local, nil)
	return possible
}

// definition says what a network is and does in local states.
type definition struct {
	net      *lks.Network
	deciders []int32  // who decide on termination, nil: it never terminates
	offers   [][]bool // scratch, by component and its actions; all false between calls
	names    []string // scratch
}

func newDefinition(net *lks.Network) *definition {
	d := &definition{net: net, deciders: net.Termination().Deciders, offers: make([][]bool, len(net.Components()))}
	for c, m := range net.Components() {
		d.offers[c] = make([]bool, len(m.Alphabet()))
	}
	return d
}

// at returns the kind of the state, and the rules by which it can be left, in the place
// of those in space.
func (d *definition) at(local, space []int32) (lks.Kind, []int32) {
	possible := space[:0]
	for c, m := range d.net.Components() {
		if m.Kind(local[c]) == lks.Error {
			return lks.Error, possible
		}
	}
	possible = d.offered(possible, local)
	if len(possible) == 0 && d.settled(local) {
		return lks.End, possible
	}
	for _, low := range d.net.Low() {
		if slices.ContainsFunc(possible, func(r int32) bool { return !low[r] }) {
			possible = slices.DeleteFunc(possible, func(r int32) bool { return low[r] })
		}
	}
	return lks.Normal, possible
}

// settled reports whether all who decide on termination are at their End.
func (d *definition) settled(local []int32) bool {
	running := func(c int32) bool { return d.net.Components()[c].Kind(local[c]) != lks.End }
	return d.deciders != nil && !slices.ContainsFunc(d.deciders, running)
}

// offered appends to rules those all of whose parts are possible. Which local actions
// are offered is looked up once, so that a state costs time linear in its edges and the
// rules.
func (d *definition) offered(rules, local []int32) []int32 {
	mark := func(value bool) {
		for c, m := range d.net.Components() {
			for _, e := range m.Edges(local[c]) {
				d.offers[c][e.Action] = value
			}
		}
	}
	mark(true)
	for i, r := range d.net.Rules() {
		blocked := slices.ContainsFunc(r.Parts, func(p lks.Part) bool { return !d.offers[p.Component][p.Action] })
		if !blocked {
			rules = append(rules, int32(i))
		}
	}
	mark(false)
	return rules
}
