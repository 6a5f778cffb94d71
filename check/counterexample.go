package check

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Counterexample turns a run of a network into a Counterexample. One that stutters becomes
// a finite trace, of which End says how it ends.
func Counterexample(net *lks.Network, r *run.Run) *report.Counterexample {
	c := &report.Counterexample{Kind: "trace", Components: componentNames(net), Initial: StateOf(net, r.At(0))}
	c.Stem = make([]report.Step, len(r.Stem))
	for i := range r.Stem {
		c.Stem[i] = StepOf(net, &r.Stem[i], r.At(i+1))
	}
	switch {
	case r.Stutters():
		c.End = EndOf(r.Loop[0].State.Kind)
	case len(r.Loop) > 0:
		c.Kind = "lasso"
		c.Loop = make([]report.Step, len(r.Loop))
		for i := range r.Loop {
			c.Loop[i] = StepOf(net, &r.Loop[i], r.At(len(r.Stem)+i+1))
		}
	}
	return c
}

// badPrefix turns a bad prefix into a Counterexample.
func badPrefix(net *lks.Network, p *product.BadPrefix) *report.Counterexample {
	c := Counterexample(net, p.Run)
	if last := &p.Run.Last; len(last.Enabled) == 0 {
		c.End = EndOf(last.Kind)
	}
	c.Bad = &report.Bad{State: p.Run.Len(), Why: p.Why.String()}
	return c
}

// EndOf says what a state of that kind, without successors, is.
func EndOf(k lks.Kind) string {
	switch k {
	case lks.End:
		return "end"
	case lks.Error:
		return "error"
	}
	return "deadlock"
}

func componentNames(net *lks.Network) []string {
	names := make([]string, len(net.Components()))
	for i := range names {
		names[i] = net.ComponentName(i)
	}
	return names
}

// StateOf describes a global state.
func StateOf(net *lks.Network, of *run.State) report.State {
	s := report.State{Locals: make([]string, len(of.Local)), Props: of.Props}
	if s.Props == nil {
		s.Props = []string{} // for JSON
	}
	for i, m := range net.Components() {
		s.Locals[i] = m.StateName(of.Local[i])
	}
	return s
}

// StepOf describes a step and the state it leads to, of which local states and
// propositions count.
func StepOf(net *lks.Network, from *run.Step, to *run.State) report.Step {
	step := report.Step{Event: from.Event, State: StateOf(net, to)}
	for _, c := range from.Moved {
		changes := from.State.Local[c] != to.Local[c]
		if !changes && net.Observer(int(c)) {
			continue // it only watches
		}
		name := net.ComponentName(int(c))
		step.Movers = append(step.Movers, name)
		if changes {
			m := net.Components()[c]
			step.Changed = append(step.Changed, report.Change{Component: name, From: m.StateName(from.State.Local[c]), To: m.StateName(to.Local[c])})
		}
	}
	if p := net.Processes(); p.Several && from.Rule != run.Stutter {
		for _, i := range p.Moved(net.Rules()[from.Rule].Parts) {
			step.Processes = append(step.Processes, p.Names[i])
		}
	}
	step.Gained = minus(to.Props, from.State.Props)
	step.Lost = minus(from.State.Props, to.Props)
	return step
}

// minus returns the names of a that are not in b; both are sorted.
func minus(a, b []string) []string {
	var out []string
	for _, name := range a {
		if _, ok := slices.BinarySearch(b, name); !ok {
			out = append(out, name)
		}
	}
	return out
}
