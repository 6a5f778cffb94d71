package cegar

import (
	"slices"

	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/program"
)

// Certificate returns the proof of an answer that Holds: its abstract models, and the ranking
// functions with what transitions do to them. It is nil if these are of components that passes
// made smaller (Options.Without).
func (a *Answer) Certificate(q certificate.Question) *certificate.Certificate {
	if a.Smaller {
		return nil
	}
	c, _ := a.Searched(q)
	return c
}

// Searched is Certificate about the components that were searched: those of Options.Without, if passes made them smaller.
func (a *Answer) Searched(q certificate.Question) (*certificate.Certificate, []*program.Component) {
	var about []*program.Component
	c := &certificate.Certificate{Question: q}
	for i, m := range a.Models {
		c.Components, about = append(c.Components, certified(m, a.Rankings[i], a.labels[i])), append(about, m.Abstracter.Component)
	}
	return c, about
}

// measure is a ranking function as a part of a proof.
func measure(f *lasso.Function) certificate.Measure {
	m := certificate.Measure{Constant: f.Constant}
	for _, s := range f.Summands {
		m.Summands = append(m.Summands, certificate.Summand{Coefficient: s.Coefficient, Term: s.Term, Reading: readings[s.Reading]})
	}
	return m
}

var readings = map[lasso.Reading]certificate.Reading{lasso.Signed: certificate.Signed, lasso.Unsigned: certificate.Unsigned, lasso.Magnitude: certificate.Magnitude}

// effects is what a transition does to ranking functions, as it was labelled with them.
func effects(m *predabs.AbstractLKS, rankings []Ranking, labels map[labelKey]lasso.Label, from int32, step predabs.AbstractStep) string {
	of := map[lasso.Label]byte{lasso.Decrease: certificate.Decreases, lasso.Same: certificate.Stays, lasso.Other: certificate.Any}
	var all []byte
	for i, r := range rankings {
		all = append(all, of[labels[r.key(i, m, from, step)]])
	}
	return string(all)
}

// certified is an abstract model as a part of a proof. All locations between which blocks lead
// are in it, with or without states: a location without is one that is not reached.
func certified(m *predabs.AbstractLKS, rankings []Ranking, labels map[labelKey]lasso.Label) certificate.Component {
	blocks := m.Abstracter.Blocks
	out := certificate.Component{Name: m.Abstracter.Component.Name}
	for _, r := range rankings {
		if r.Function != nil {
			out.Measures = append(out.Measures, measure(r.Function))
			continue
		}
		t := r.Invariant
		over := &certificate.Disjunction{Copies: t.Copies, Relation: t.Relation}
		for _, f := range t.Functions {
			over.Measures = append(over.Measures, measure(f))
		}
		out.Measures = append(out.Measures, certificate.Measure{Over: over})
	}
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
			next := certificate.Step{Action: m.Abstracter.Actions[step.Block], To: int(step.Target), Effects: effects(m, rankings, labels, int32(i), step)}
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
