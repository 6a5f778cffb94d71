package report

import (
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
)

// Lasso turns a lasso of a network into a Counterexample.
func Lasso(net *lks.Network, l *product.Lasso) *Counterexample {
	steps := l.Steps()
	c := &Counterexample{Kind: "lasso", Components: componentNames(net), Stem: []Step{}}
	c.Initial = state(net, steps[0].State.Local, steps[0].State.Props)
	for i := range steps {
		next := &l.Loop[0]
		if i+1 < len(steps) {
			next = &steps[i+1]
		}
		step := move(net, &steps[i], &next.State)
		if i < len(l.Stem) {
			c.Stem = append(c.Stem, step)
		} else {
			c.Loop = append(c.Loop, step)
		}
	}
	if l.Stutters() {
		// The loop of a finished run is its last state; nothing happens in it.
		c.Kind, c.Loop = "trace", nil
		c.End = endOf(l.Loop[0].State.Kind)
	}
	return c
}

// Trace turns a finite trace, the last step of which stutters in the state it
// reached, into a Counterexample.
func Trace(net *lks.Network, steps []product.Step) *Counterexample {
	l := &product.Lasso{Stem: steps[:len(steps)-1], Loop: steps[len(steps)-1:]}
	return Lasso(net, l)
}

// Prefix turns a bad prefix into a Counterexample.
func Prefix(net *lks.Network, p *product.BadPrefix) *Counterexample {
	c := Trace(net, append(slices.Clip(p.Steps), product.Step{State: p.Last, Rule: product.Stutter}))
	if len(p.Last.Enabled) > 0 {
		c.End = ""
	}
	c.Bad = &Bad{State: len(p.Steps), Why: p.Why.String()}
	return c
}

func endOf(k lks.Kind) string {
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

// state describes a global state; props are its propositions, sorted.
func state(net *lks.Network, local []int32, props []string) State {
	s := State{Locals: make([]string, len(local)), Props: slices.Clone(props)}
	if s.Props == nil {
		s.Props = []string{}
	}
	for i, m := range net.Components() {
		s.Locals[i] = m.StateName(local[i])
	}
	return s
}

// move describes a step and the state it leads to.
func move(net *lks.Network, from *product.Step, to *product.State) Step {
	step := Step{State: state(net, to.Local, to.Props)}
	if from.Rule != product.Stutter {
		step.Event = from.Event
	}
	for _, c := range from.Moved {
		changes := from.State.Local[c] != to.Local[c]
		if !changes && net.Observer(int(c)) {
			continue // it only watches
		}
		name := net.ComponentName(int(c))
		step.Movers = append(step.Movers, name)
		if changes {
			m := net.Components()[c]
			step.Changed = append(step.Changed, Change{name, m.StateName(from.State.Local[c]), m.StateName(to.Local[c])})
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

// Run turns a finite trace of a network into a Counterexample.
func Run(net *lks.Network, t *lks.Trace) *Counterexample {
	c := &Counterexample{Kind: "trace", Components: componentNames(net), Stem: []Step{}}
	states := make([]product.State, len(t.States))
	for i, packed := range t.States {
		local := make([]int32, len(net.Components()))
		net.Unpack(packed, local)
		kind := net.Kind(packed)
		if kind == lks.Error && i > 0 {
			local = intoError(net, states[i-1].Local, t.Rules[i-1])
		}
		states[i] = product.State{Local: local, Props: net.TrueProps(local, kind), Kind: kind}
	}
	c.Initial = state(net, states[0].Local, states[0].Props)
	for i, r := range t.Rules {
		rule := net.Rules()[r]
		from := product.Step{State: states[i], Rule: r, Event: net.Alphabet()[rule.Action]}
		for _, p := range rule.Parts {
			from.Moved = append(from.Moved, p.Component)
		}
		c.Stem = append(c.Stem, move(net, &from, &states[i+1]))
	}
	return c
}

// intoError returns local states that a rule leads to from a state when it leads
// into error: a network keeps one state for all in error, people want to see who
// failed.
func intoError(net *lks.Network, from []int32, rule int32) []int32 {
	to := slices.Clone(from)
	for _, p := range net.Rules()[rule].Parts {
		m := net.Components()[p.Component]
		for i, e := range m.Succ(from[p.Component], p.Action) {
			if i == 0 || m.Kind(e.Target) == lks.Error {
				to[p.Component] = e.Target
			}
		}
	}
	return to
}
