package sim_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
)

func fuzzed(f *testing.F) *check.Model {
	f.Helper()
	m, err := check.Load(context.Background(), "model.lks", check.LoadOptions{Open: opener(sluice)})
	if err != nil {
		f.Fatal(err)
	}
	return m
}

// FuzzCommands: whatever is typed, the run so far is one of the model.
func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		"1\nundo\nredo 3\nreset", "enter\nopen\ngoto deadlock\ngoto violation of NEVER", "goto wide & !shut\nrandom 7\nrun", "menu BOATS\nmenu off\nopen\njump 1\nstart 1\nstart",
		"goto violation\nundo 2\ntake enter", "goto violation of G !jam\ngoto F G", "p[0].eat\n'\n\"", "random -1\nundo 99999999999999999999", "goto violation of LEAVES\nnext\nnext\nnext 9",
	} {
		f.Add(seed)
	}
	m := fuzzed(f)
	net, _, err := m.Watched()
	if err != nil {
		f.Fatal(err)
	}
	qs, err := m.Declared()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sim.New(context.Background(), m, qs, sim.Options{Limits: budget.Limits{States: 2000}})
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(text, "\n") {
			c := sim.ParseCommand(line)
			if c.Number > 50 || i > 30 || len(line) > 60 {
				continue // long, not strange
			}
			answer, err := s.Do(context.Background(), c)
			if answer == nil {
				t.Fatal("no answer")
			}
			if err != nil && err.Error() == "" {
				t.Fatal("an error without a text")
			}
			if p := s.Now(); p.Step < 0 || p.Ahead < 0 || (len(p.Choices) == 0) != (p.End != "") {
				t.Fatalf("%+v", p)
			}
		}
		if err := s.Run().Replay(net); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzTrace: whatever a report says, what is loaded is a run of the model, and what is not
// leaves the session as it was.
func FuzzTrace(f *testing.F) {
	m := fuzzed(f)
	net, _, err := m.Watched()
	if err != nil {
		f.Fatal(err)
	}
	for _, goal := range []string{"error", "wide & enter", "violation of F jam"} {
		s, err := sim.New(context.Background(), m, nil, sim.Options{})
		if err != nil {
			f.Fatal(err)
		}
		if _, err := s.Goto(context.Background(), goal); err != nil {
			f.Fatal(err)
		}
		for s.Redo() == nil && s.At() < 6 {
			continue
		}
		var b bytes.Buffer
		if err := s.Report().JSON(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"schema":"seltl.report/2","results":[{"counterexample":{"kind":"lasso","components":["GATE"],"loop":[{}]}}]}`))
	f.Add([]byte(`{"schema":"seltl.report/2","results":[]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		trace, err := sim.ReadTrace(bytes.NewReader(text), "")
		if err != nil {
			return
		}
		s, err := sim.New(context.Background(), m, nil, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Load(trace.Result.Counterexample) != nil && s.Now().Ahead+s.At() != 0 {
			t.Fatal("a run that was refused has changed the session")
		}
		for s.Redo() == nil && s.At() < 100 {
			continue
		}
		if err := s.Run().Replay(net); err != nil {
			t.Fatal(err)
		}
	})
}
