package sim

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
)

// Graph is the graph of all states that a session can come to, with numbers in the order of
// a search breadth-first from the initial states. It does not change with the session.
type Graph struct {
	found *frontier.Frontier
	graph *diagram.Graph
}

// Graph explores the model, if it has that many states at most. The error is a
// *budget.Exhausted for one that has more, or that of a limit or the context.
func (s *Session) Graph(ctx context.Context, most int) (*Graph, error) {
	meter := s.meter(ctx)
	words := s.net.Words()
	g := &Graph{found: frontier.New(words), graph: &diagram.Graph{Name: s.model.Process}}
	var succ lks.Successors
	ex := s.net.Explorer()
	ex.Initial(&succ)
	initial := slices.Clone(g.found.Reach(-1, succ.States, nil))
	transitions := int64(0)
	for n := range g.found.InOrder {
		ex.Successors(g.found.State(n), &succ)
		g.graph.Nodes = append(g.graph.Nodes, s.node(int(n), g.found.State(n), succ.Len() == 0))
		for i, to := range g.found.Reach(n, succ.States, nil) {
			g.graph.Edges = append(g.graph.Edges, diagram.Edge{From: int(n), To: int(to), Labels: []string{drawnEvent(s.eventOf(succ.Rules[i]))}})
		}
		if g.found.Len() > most {
			return nil, &budget.Exhausted{What: "states of a picture", Limit: report.Group(int64(most)), At: budget.Progress{States: int64(g.found.Len())}}
		}
		if transitions += int64(succ.Len()); g.found.Due(meter, n, transitions) {
			if err := g.found.Tick(meter, budget.Progress{Phase: "drawing", Transitions: transitions}); err != nil {
				return nil, err
			}
		}
	}
	for _, n := range initial {
		g.graph.Nodes[n].Marks |= diagram.Initial
	}
	g.graph.Numbered()
	return g, nil
}

func drawnEvent(event string) string {
	if event == lks.TauName {
		return "τ"
	}
	return event
}

// node is a state as it is drawn.
func (s *Session) node(number int, state []uint64, last bool) diagram.Node {
	kind := s.net.Kind(state)
	local := make([]int32, len(s.net.Components()))
	s.net.Unpack(state, local)
	n := diagram.Node{Number: number, Lines: []string{s.net.StateName(state)}, Props: s.net.AppendProps(nil, local, kind)}
	switch {
	case kind == lks.End:
		n.Marks = diagram.End
	case kind == lks.Error:
		n.Marks = diagram.Error
	case last:
		n.Marks = diagram.Deadlock
	}
	return n
}

// WriteSVG draws the graph: the states' numbers are the attributes data-state. The error is
// the writer's.
func (g *Graph) WriteSVG(w io.Writer) error { return diagram.WriteSVG(w, g.graph) }

// States returns the number of states.
func (g *Graph) States() int { return g.found.Len() }

// Where returns the number of the present state, and of those that Choices lead to, in their
// order.
func (g *Graph) Where(s *Session, choices []Choice) (now int, next []int) {
	number := func(local []int32) int {
		state := make([]uint64, s.net.Words())
		s.net.Pack(local, state)
		s.net.Canonicalise(state)
		return int(g.found.Find(state))
	}
	next = make([]int, len(choices)) // not nil, for JSON
	for i := range choices {
		next[i] = number(choices[i].move.local)
	}
	return number(s.now().state.Local), next
}

// GotoState goes on to a state of the graph by a shortest way. The error is ErrNowhere, a
// *NotPossible, or that of a limit or the context.
func (s *Session) GotoState(ctx context.Context, g *Graph, number int) (*Found, error) {
	if number < 0 || number >= g.States() {
		return nil, &NotPossible{Text: fmt.Sprintf("there is no state %d: the states are 0 to %d", number, g.States()-1)}
	}
	wanted := slices.Clone(g.found.State(int32(number)))
	return s.search(ctx, &target{state: func(v *met) bool { return slices.Equal(v.state, wanted) }})
}
