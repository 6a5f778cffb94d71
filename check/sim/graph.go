package sim

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/layered"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
)

// Graph is what is known of the graph of the states that a session can come to, with numbers in the
// order in which they were met: of a small model all of it, of a large one what lies around
// the states where it was asked. Numbers do not change. It is not safe for concurrent use.
type Graph struct {
	name  string
	net   *lks.Network
	ex    *lks.Explorer
	found *frontier.Frontier
	succ  lks.Successors
	begin []int32       // initial states
	out   [][]graphEdge // by state, nil: not expanded
	into  [][]int32     // by state: those that are known to lead there
	whole bool
}

// graphEdge is a step.
type graphEdge struct {
	to    int32
	label string
}

// Graph explores the model breadth-first, as long as there are no more than most states. The error
// is that of a limit or the context.
func (s *Session) Graph(ctx context.Context, most int) (*Graph, error) {
	meter := s.meter(ctx)
	g := &Graph{name: s.model.Process, net: s.net, ex: s.net.Explorer(), found: frontier.New(s.net.Words())}
	g.ex.Initial(&g.succ)
	g.begin = slices.Clone(g.found.Number(g.succ.States))
	transitions := int64(0)
	for n := range g.found.InOrder {
		if g.found.Len() > most {
			return g, nil
		}
		transitions += int64(len(g.expand(n)))
		if g.found.Due(meter, n, transitions) {
			if err := g.found.Tick(meter, budget.Progress{Phase: "drawing", Transitions: transitions}); err != nil {
				return nil, err
			}
		}
	}
	g.whole = g.found.Len() <= most
	return g, nil
}

// expand returns the steps that leave a state.
func (g *Graph) expand(n int32) []graphEdge {
	if int(n) < len(g.out) && g.out[n] != nil {
		return g.out[n]
	}
	g.ex.Successors(g.found.State(n), &g.succ)
	edges := make([]graphEdge, 0, g.succ.Len())
	numbers := g.found.Number(g.succ.States)
	for missing := g.found.Len() - len(g.out); missing > 0; missing-- {
		g.out, g.into = append(g.out, nil), append(g.into, nil)
	}
	for i, to := range numbers {
		edges = append(edges, graphEdge{to, drawnEvent(g.net.Alphabet()[g.net.Rules()[g.succ.Rules[i]].Action])})
		g.into[to] = append(g.into[to], n)
	}
	g.out[n] = edges
	return edges
}

func drawnEvent(event string) string {
	if event == lks.TauName {
		return "τ"
	}
	return event
}

// node is a state as it is drawn.
func (g *Graph) node(number int32) diagram.Node {
	state := g.found.State(number)
	kind := g.net.Kind(state)
	local := make([]int32, len(g.net.Components()))
	g.net.Unpack(state, local)
	n := diagram.Node{Number: int(number), Lines: []string{g.net.StateName(state)}, Tip: g.net.StateTip(state), Props: g.net.AppendProps(nil, local, kind)}
	switch {
	case kind == lks.End:
		n.Marks = diagram.End
	case kind == lks.Error:
		n.Marks = diagram.Error
	case len(g.expand(number)) == 0:
		n.Marks = diagram.Deadlock
	}
	if slices.Contains(g.begin, number) {
		n.Marks |= diagram.Initial
	}
	return n
}

// picture has some states and the steps between them.
func (g *Graph) picture(states []int32) *diagram.Graph {
	p, at := &diagram.Graph{Name: g.name}, map[int32]int{}
	for i, n := range states {
		at[n] = i
		p.Nodes = append(p.Nodes, g.node(n))
	}
	for i, n := range states {
		for _, e := range g.expand(n) {
			if k, ok := at[e.to]; ok {
				p.Edges = append(p.Edges, diagram.Edge{From: i, To: k, Labels: []string{e.label}})
			}
		}
	}
	p.Numbered()
	return p
}

// Picture has all states that are known. Their numbers are the attributes data-state of its
// drawing.
func (g *Graph) Picture() *diagram.Graph {
	all := make([]int32, g.found.Len())
	for n := range all {
		all[n] = int32(n)
	}
	return g.picture(all)
}

// Near has a state, those that it leads to, and as many around them as make most states: round by
// round those that can follow, and those that are known to lead there.
func (g *Graph) Near(number, most int) (*diagram.Graph, error) {
	if number < 0 || number >= g.States() {
		return nil, &NotPossible{Text: fmt.Sprintf("there is no state %d", number)}
	}
	near := []int32{int32(number)}
	has := map[int32]bool{int32(number): true}
	for round, from := 0, 0; from < len(near); round++ {
		edge := near[from:]
		from = len(near)
		follow, lead := g.besides(edge, has)
		for i, more := range [][]int32{follow, lead} {
			if (round > 0 || i > 0) && len(near)+len(more) > most {
				continue
			}
			for _, n := range more {
				if !has[n] {
					has[n] = true
					near = append(near, n)
				}
			}
		}
	}
	slices.Sort(near)
	p := g.picture(near)
	p.Listed = false // who steps sees the names of states beside the picture
	p.Flow = layered.Down
	if !g.whole || len(near) < g.States() {
		of := ""
		if g.whole {
			of = " of " + report.Group(int64(g.States()))
		}
		p.Notes = []string{fmt.Sprintf("%s%s: those around state %d", report.Counted(int64(len(near)), "state"), of, number)}
	}
	return p, nil
}

// besides are those that follow on states, and those that lead to them, without those that are
// there already.
func (g *Graph) besides(states []int32, has map[int32]bool) (follow, lead []int32) {
	for _, n := range states {
		for _, e := range g.expand(n) {
			if !has[e.to] {
				follow = append(follow, e.to)
			}
		}
	}
	for _, n := range states {
		for _, from := range g.into[n] {
			if !has[from] {
				lead = append(lead, from)
			}
		}
	}
	for _, list := range []*[]int32{&follow, &lead} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return follow, lead
}

// States returns the number of states that are known.
func (g *Graph) States() int { return g.found.Len() }

// Whole reports whether these are all states.
func (g *Graph) Whole() bool { return g.whole }

// wayShown is how much of the run before a state Near can show.
const wayShown = 12

// Where returns the number of the present state, and of those that Choices lead to, in their
// order.
func (g *Graph) Where(s *Session, choices []Choice) (now int, next []int) {
	number := func(local []int32) int32 {
		state := make([]uint64, s.net.Words())
		s.net.Pack(local, state)
		s.net.Canonicalise(state)
		return g.found.Number(state)[0]
	}
	if len(choices) == 0 { // a state without a way on is shown with the way to it
		for _, v := range s.visits[max(0, s.at-wayShown):s.at] {
			g.expand(number(v.state.Local))
		}
	}
	here := number(s.now().state.Local)
	g.expand(here)
	next = make([]int, len(choices)) // not nil, for JSON
	for i := range choices {
		next[i] = int(number(choices[i].move.local))
	}
	return int(here), next
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
