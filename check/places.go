package check

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/report"
)

// mostPlaced is up to how many steps a run says where its steps stand in the model.
const mostPlaced = 20_000

// Shown is Counterexample, with the places of the steps in the model.
func (m *Model) Shown(net *lks.Network, r *run.Run) *report.Counterexample {
	c := Counterexample(net, r)
	m.locate(c, net, r)
	return c
}

// locate says of each step where in the model its movers do it.
func (m *Model) locate(c *report.Counterexample, net *lks.Network, r *run.Run) {
	if m.FSP == nil || r.Len() > mostPlaced {
		return
	}
	type local struct {
		component, state, action, after int32
	}
	known := map[local][]report.Place{}
	for i, s := range r.Steps() {
		if s.Rule == run.Stutter {
			return
		}
		var at []report.Place
		for _, part := range net.Rules()[s.Rule].Parts {
			if net.Observer(int(part.Component)) {
				continue
			}
			key := local{part.Component, s.State.Local[part.Component], part.Action, r.At(i + 1).Local[part.Component]}
			places, ok := known[key]
			if !ok {
				of := net.Components()[part.Component]
				for _, span := range m.FSP.Places(net.ComponentName(int(part.Component)), of.StateName(key.state), of.Alphabet()[part.Action], of.StateName(key.after)) {
					places = append(places, report.Place{File: span.File.Name(), Line: span.Pos().Line})
				}
				known[key] = places
			}
			for _, p := range places {
				if !slices.Contains(at, p) {
					at = append(at, p)
				}
			}
		}
		if i < len(c.Stem) {
			c.Stem[i].At = at
		} else {
			c.Loop[i-len(c.Stem)].At = at
		}
	}
}
