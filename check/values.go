package check

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
)

// programTrace turns a run of a program into a Counterexample: the propositions of a
// state are the values of the variables; functions, which have one value, are in the first.
func programTrace(sys *program.System, t *program.Trace) *report.Counterexample {
	w := &valueWriter{sys: sys, trace: t, vars: sys.Vars, known: map[*logic.Term]shownValue{}, locals: make([][]string, len(sys.Locations))}
	c := &report.Counterexample{Kind: "trace", Components: []string{sys.Name}, Stem: make([]report.Step, len(t.Edges)), End: "error"}
	c.Initial = w.state(0)
	w.vars = slices.DeleteFunc(slices.Clone(w.vars), program.Rigid)
	for i, e := range t.Edges {
		c.Stem[i] = report.Step{Event: sys.Edges[e].Name, Inputs: inputs(sys.Edges[e].Command, t.Inputs[i]), State: w.state(i + 1)}
	}
	return c
}

// inputs returns the values that a command is given, but for those that a variable only
// gets ("x := *"): they are in the next state.
func inputs(c *program.Command, m logic.Model) (out []string) {
	for _, in := range c.Inputs {
		plain := false
		for v, e := range c.Update {
			plain = plain || e == in && in.Name() == "any."+v.Name()
		}
		if value, ok := m[in.Name()]; ok && !plain {
			out = append(out, assignment(in, value))
		}
	}
	return out
}

// valueWriter writes the states of a run, of which there may be very many: what does not
// change is written once.
type valueWriter struct {
	sys    *program.System
	trace  *program.Trace
	vars   []*logic.Term // that are shown
	known  map[*logic.Term]shownValue
	locals [][]string // by location
}

// shownValue is the last value of a variable, and how it is shown.
type shownValue struct {
	value logic.Value
	text  string
}

// state writes state i, after those before it.
func (w *valueWriter) state(i int) report.State {
	l := w.trace.Location(w.sys, i)
	if w.locals[l] == nil {
		w.locals[l] = []string{w.sys.Locations[l].Name}
	}
	s := report.State{Locals: w.locals[l], Props: make([]string, 0, len(w.vars))}
	for _, v := range w.vars {
		value, ok := w.trace.States[i][v.Name()]
		if !ok {
			continue
		}
		last := w.known[v]
		if last.text == "" || last.value.Compare(value) != 0 {
			last = shownValue{value, assignment(v, value)}
			w.known[v] = last
		}
		s.Props = append(s.Props, last.text)
	}
	return s
}

func assignment(v *logic.Term, value logic.Value) string { return v.Name() + " = " + value.String() }
