package sim_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
)

func graphSession(t *testing.T, file, process string) *sim.Session {
	t.Helper()
	m, err := check.Load(t.Context(), file, check.LoadOptions{Process: process})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(t.Context(), m, nil, sim.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A graph has the states and transitions of the composition, and on a random walk through it
// every step goes along one of its edges.
func TestGraphWalk(t *testing.T) {
	for _, c := range []struct {
		file, process string
	}{{"../../specs/classics/mutex.lks", ""}, {"../../specs/classics/elevator.lks", ""}, {"../../specs/first.lks", ""}} {
		s := graphSession(t, c.file, c.process)
		g, err := s.Graph(t.Context(), 5000)
		if err != nil {
			t.Fatal(c.file, err)
		}
		built, _, err := check.Compose(t.Context(), s.Model(), check.Unminimised, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if g.States() != built.NumStates() {
			t.Errorf("%s: %d states drawn, the composition has %d", c.file, g.States(), built.NumStates())
		}
		var svg bytes.Buffer
		if g.States() < 300 {
			if err := g.WriteSVG(&svg); err != nil {
				t.Fatal(err)
			}
			for n := range g.States() {
				if !strings.Contains(svg.String(), fmt.Sprintf(`data-state="%d"`, n)) {
					t.Errorf("%s: state %d is not drawn", c.file, n)
				}
			}
		}
		names := map[int]string{}
		for range 200 {
			choices := s.Choices()
			now, next := g.Where(s, choices)
			name := fmt.Sprint(s.Now().State.Locals)
			if names[now] == "" {
				names[now] = name
			}
			if names[now] != name {
				t.Fatalf("%s: state %d is %s and %s", c.file, now, names[now], name)
			}
			if len(choices) == 0 {
				break
			}
			if err := s.Choose(1 + len(names)%len(choices)); err != nil {
				t.Fatal(err)
			}
			if after, _ := g.Where(s, nil); after != next[len(names)%len(choices)] {
				t.Fatalf("%s: the step leads to %d, not to %d", c.file, after, next[len(names)%len(choices)])
			}
		}
	}
}

func TestGraphGoto(t *testing.T) {
	s := graphSession(t, "../../specs/classics/philosophers.lks", "TABLE")
	if _, err := s.Graph(t.Context(), 10); !errors.As(err, new(*budget.Exhausted)) {
		t.Errorf("a graph of more than 10 states: %v", err)
	}
	g, err := s.Graph(t.Context(), 5000)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{g.States() - 1, 7, 7, 0} {
		if _, err := s.GotoState(context.Background(), g, n); err != nil && !errors.Is(err, sim.ErrNowhere) {
			t.Fatal(err)
		} else if now, _ := g.Where(s, nil); err == nil && now != n {
			t.Errorf("gone to %d, not %d", now, n)
		}
	}
	if _, err := s.GotoState(context.Background(), g, g.States()); !errors.As(err, new(*sim.NotPossible)) {
		t.Errorf("a state that does not exist: %v", err)
	}
	if now, _ := g.Where(s, s.Choices()); now >= g.States() {
		t.Error(now)
	}
}
