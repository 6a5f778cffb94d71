package sim_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/diagram"
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
			if err := diagram.WriteSVG(&svg, g.Picture()); err != nil {
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

// Of a large model the graph grows around the states where the session is. On a random walk what
// is drawn has the state, those that can follow, and just the steps between what is drawn that
// the whole graph has.
func TestGraphNear(t *testing.T) {
	s := graphSession(t, "../../specs/classics/elevator.lks", "")
	all, err := s.Graph(t.Context(), 100_000)
	if err != nil || !all.Whole() {
		t.Fatal(err)
	}
	g, err := s.Graph(t.Context(), 10)
	if err != nil || g.Whole() || g.States() <= 10 {
		t.Fatalf("%d states are known, %v", g.States(), err)
	}
	name := func(n diagram.Node) string { return n.Tip + strings.Join(n.Lines, " ") + fmt.Sprint(n.Props, n.Marks) }
	whole := all.Picture()
	edges := map[string]bool{}
	for _, e := range whole.Edges {
		edges[name(whole.Nodes[e.From])+"|"+e.Labels[0]+"|"+name(whole.Nodes[e.To])] = true
	}
	const most = 25
	for i := range 60 {
		choices := s.Choices()
		now, next := g.Where(s, choices)
		p, err := g.Near(now, most)
		if err != nil {
			t.Fatal(err)
		}
		drawn, inside := map[int]string{}, map[string]bool{}
		for _, n := range p.Nodes {
			drawn[n.Number], inside[name(n)] = name(n), true
		}
		for _, n := range append(next, now) {
			if drawn[n] == "" {
				t.Fatalf("step %d: state %d is not drawn", i, n)
			}
		}
		if len(p.Nodes) > max(most, len(next)+1) {
			t.Errorf("step %d: %d states are drawn", i, len(p.Nodes))
		}
		shown := map[string]bool{}
		for _, e := range p.Edges {
			shown[name(p.Nodes[e.From])+"|"+e.Labels[0]+"|"+name(p.Nodes[e.To])] = true
		}
		for e := range edges {
			part := strings.Split(e, "|")
			if inside[part[0]] && inside[part[2]] != shown[e] && inside[part[2]] {
				t.Errorf("step %d: %s is not drawn", i, e)
			}
		}
		for e := range shown {
			if !edges[e] {
				t.Errorf("step %d: there is no %s", i, e)
			}
		}
		if len(choices) == 0 {
			break
		}
		if err := s.Choose(1 + i%len(choices)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Near(g.States(), most); !errors.As(err, new(*sim.NotPossible)) {
		t.Errorf("a state that is not known: %v", err)
	}
}

// TestGraphLonely: a state without a way on is drawn with the way to it, and says of which
// component each of its local states is.
func TestGraphLonely(t *testing.T) {
	s := graphSession(t, "../../specs/classics/philosophers.lks", "TABLE")
	g, err := s.Graph(t.Context(), 3)
	if err != nil || g.Whole() {
		t.Fatal(err)
	}
	if _, err := s.Goto(t.Context(), "deadlock"); err != nil {
		t.Fatal(err)
	}
	now, next := g.Where(s, s.Choices())
	p, err := g.Near(now, 12)
	if err != nil || len(next) > 0 || len(p.Nodes) < 2 || len(p.Edges) == 0 {
		t.Fatalf("%d states and %d steps are drawn, %v", len(p.Nodes), len(p.Edges), err)
	}
	for _, n := range p.Nodes {
		if n.Number == now && !strings.Contains(n.Tip, "phil.0:LEFTY: THINKING->left.get\n") {
			t.Errorf("the deadlock is %q", n.Tip)
		}
	}
}
