package cegar

import (
	"slices"

	"github.com/seltl/seltl/cegar/certificate"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/predabs/lasso"
)

// Certificate returns the proof of an answer that Holds: its abstract models. It is nil if these
// are of components that passes made smaller (Options.Without), and of an answer that rests on
// Rankings, which it would have to show.
func (a *Answer) Certificate(q certificate.Question) *certificate.Certificate {
	if a.Smaller || slices.ContainsFunc(a.Rankings, func(of []*lasso.Function) bool { return len(of) > 0 }) {
		return nil
	}
	c := &certificate.Certificate{Question: q}
	for _, m := range a.Models {
		c.Components = append(c.Components, certified(m))
	}
	return c
}

// certified is an abstract model as a part of a proof. All locations between which blocks lead
// are in it, with or without states: a location without is one that is not reached.
func certified(m *predabs.AbstractLKS) certificate.Component {
	blocks := m.Abstracter.Blocks
	out := certificate.Component{Name: m.Abstracter.Component.Name}
	var cuts []int
	for _, b := range blocks.All {
		cuts = append(cuts, b.From, b.To)
	}
	used := map[int]bool{}
	for _, s := range m.States {
		cuts, used[s.Location] = append(cuts, s.Location), true
	}
	slices.Sort(cuts)
	for _, l := range slices.Compact(cuts) {
		cut := certificate.Cut{Location: l}
		if used[l] {
			cut.Predicates = slices.Clone(m.Mapping[l])
		}
		out.Cuts = append(out.Cuts, cut)
	}
	for i, s := range m.States {
		x := certificate.State{Location: s.Location, Props: m.Props(int32(i))}
		for k := range m.Mapping[s.Location] {
			x.Holds = append(x.Holds, s.Holds(k))
		}
		for _, step := range m.Out[i] {
			next := certificate.Step{Action: m.Abstracter.Actions[step.Block], To: int(step.Target)}
			if !slices.Contains(x.Steps, next) {
				x.Steps = append(x.Steps, next)
			}
		}
		out.States = append(out.States, x)
	}
	for _, i := range m.Initial {
		if !slices.Contains(out.Initial, int(i)) {
			out.Initial = append(out.Initial, int(i))
		}
	}
	return out
}
