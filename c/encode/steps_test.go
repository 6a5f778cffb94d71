package encode_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/testing/soak"
)

var isNumber = regexp.MustCompile(`^-?\d+$`)

// TestStepsOfComponents: a random walk through the system of a component, over machine words, is
// done again by package steps, move by move: with the same values in all variables, the same
// actions, and the same end. The two share the program and its choices, no evaluation.
func TestStepsOfComponents(t *testing.T) {
	moves, compared, ways, whole := 0, 0, 0, 0
	for seed := range soak.Long(150) {
		text, e, trace := encode.RandomWalk(int64(seed))
		if trace == nil {
			continue
		}
		run, err := e.ReplayComponent(e.Words, trace)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		args := run.Args()
		at, err := steps.OfComponent(e).Begin(func(a *steps.Ask) (uint64, error) {
			for i, p := range e.Entry.Params {
				if p.Name == a.Param {
					return args[i], nil
				}
			}
			t.Fatalf("seed %d: %s is asked for", seed, a.What())
			return 0, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		actions := e.Component(e.Words).Actions
		describer := e.Describer()
		describer.State(trace.States[0])
		for i, edge := range trace.Edges {
			var choices []string
			if way, ok := e.Way(edge); ok {
				choices = append(choices, steps.WayText(way))
				ways++
			}
			for _, bits := range run.Chosen(i+1, i+1) {
				choices = append(choices, strconv.FormatUint(bits, 10))
			}
			line, _, err := at.Repeat(1, choices, nil)
			if err != nil {
				t.Fatalf("seed %d, step %d: %v\n%s", seed, i+1, err, text)
			}
			if line.Action != actions[edge] {
				t.Fatalf("seed %d, step %d: performs %q, not %q", seed, i+1, line.Action, actions[edge])
			}
			at = line.To
			moves++
			values := map[string]string{}
			for _, h := range at.Values() {
				name := h.Name
				if h.Of != nil {
					name = h.Of.Name + "." + name
				}
				values[name] = h.Value
			}
			for _, want := range describer.State(trace.States[i+1]) {
				got, alive := values[want.Name]
				if !alive || !isNumber.MatchString(want.Value) || !isNumber.MatchString(got) {
					continue
				}
				if compared++; got != want.Value {
					t.Fatalf("seed %d, step %d: %s is %s, in the system %s\n%s", seed, i+1, want.Name, got, want.Value, text)
				}
			}
		}
		if at.End() != nil {
			whole++
			if name := e.Words.Locations[trace.Location(e.Words, len(trace.Edges))].Name; name != "end" && e.Failures[trace.Location(e.Words, len(trace.Edges))] == "" {
				t.Fatalf("seed %d: the run has ended (%s), the walk is at %s", seed, at.End().What, name)
			}
		}
	}
	t.Log(moves, "moves,", compared, "values,", ways, "ways of abstractions,", whole, "to the end")
	if soakEnough := soak.Long(150) >= 15; soakEnough && (moves < 100 || compared < 500 || ways < 10 || whole == 0) {
		t.Error("too few moves, values, ways or ends")
	}
}
