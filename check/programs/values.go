package programs

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
)

// programTrace turns a run of a program into a Counterexample: the propositions of a
// state are the values of the variables; functions, which have one value, are in the first.
func programTrace(sys *program.System, t *program.Trace) *report.Counterexample {
	w := &valueWriter{sys: sys, trace: t, locals: make([][]string, len(sys.Locations))}
	w.show(sys.Vars)
	c := &report.Counterexample{Kind: "trace", Components: []string{sys.Name}, Stem: make([]report.Step, len(t.Edges)), End: "error"}
	c.Initial = w.state(0)
	w.show(slices.DeleteFunc(slices.Clone(sys.Vars), program.Rigid))
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
// change is written once, and what they are made of is taken from larger pieces.
type valueWriter struct {
	sys    *program.System
	trace  *program.Trace
	vars   []*logic.Term // that are shown
	known  []shownValue  // of vars
	props  []string      // of the state before
	room   []string      // for those of states
	locals [][]string    // by location
}

// shownValue is the last value of a variable, and how it is shown.
type shownValue struct {
	value logic.Value
	text  string
}

// show says which variables are shown from now on.
func (w *valueWriter) show(vars []*logic.Term) {
	w.vars, w.known, w.props = vars, make([]shownValue, len(vars)), nil
}

// statesTogether is for how many states room is made at a time.
const statesTogether = 256

// state writes state i, after those before it.
func (w *valueWriter) state(i int) report.State {
	l := w.trace.Location(w.sys, i)
	if w.locals[l] == nil {
		w.locals[l] = []string{w.sys.Locations[l].Name}
	}
	changed := w.props == nil
	values, n := w.trace.States[i], len(w.vars)
	for k, v := range w.vars {
		value := values[v.Name()]
		last := &w.known[k]
		switch {
		case value.Sort() == nil: // it has none
			changed = changed || last.text != ""
			*last = shownValue{}
			n--
		case last.text == "" || last.value.Compare(value) != 0:
			*last, changed = shownValue{value, assignment(v, value)}, true
		}
	}
	if changed {
		if len(w.room) < n {
			w.room = make([]string, statesTogether*max(n, 1))
		}
		w.props, w.room = w.room[:0:n], w.room[n:]
		for k := range w.known {
			if text := w.known[k].text; text != "" {
				w.props = append(w.props, text)
			}
		}
	}
	return report.State{Locals: w.locals[l], Props: w.props}
}

func assignment(v *logic.Term, value logic.Value) string { return v.Name() + " = " + value.String() }
