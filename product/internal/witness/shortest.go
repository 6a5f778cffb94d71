package witness

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/product/internal/meet"
)

// shortest finds a lasso of the product that is as short as any: no other has
// fewer edges in stem and loop together. (A run of the network that violates the
// formula can be shorter still, if the automaton accepts it only by a longer way
// round; see [SchuppanBiere05]. Verify removes such repetition
// afterwards.)
//
// A known lasso bounds the depth to which the product is explored, breadth
// first, with all edges kept. Then every edge with all marks is tried, in the
// order of the distance of its source: forwards and backwards from it the
// distances to and from it, and with them the best way to enter a loop through
// it. Time O(k·m) for k such edges and m edges of the explored part.
type shortest struct {
	g *meet.Graph
	// States are named by their position in the order of discovery, i.
	first []int32 // edges of state i: first[i] to first[i+1]
	edges []meet.Hop
	ends  []edgeEnds      // of the edges
	order []int32         // numbers of the states, by distance
	index map[int32]int32 // position in order
	dist  []int32         // from the initial states
	enter []meet.Hop      // hop by which a state was first reached
	back  [][]int32       // edges into a state

	// before is the search against the edges from the source of the edge that is
	// tried, which the edges of one state share; after the one from its target.
	before, after nearest
}

// edgeEnds are the states that an edge connects.
type edgeEnds struct{ from, to int32 }

// nearest is a breadth-first search from one state. It is used again and again, so
// that a search takes time for the states it meets only.
type nearest struct {
	dist []int32 // of the states met; -1: not met
	by   []int32 // the edge by which a state was met
	met  []int32 // in the order of dist
}

// start forgets the last search and begins one among n states.
func (r *nearest) start(from int32, n int) {
	for len(r.dist) < n {
		r.dist, r.by = append(r.dist, -1), append(r.by, -1)
	}
	for _, x := range r.met {
		r.dist[x] = -1
	}
	r.met = append(r.met[:0], from)
	r.dist[from] = 0
}

func (r *nearest) visit(at, edge, to int32) {
	if r.dist[to] < 0 {
		r.dist[to], r.by[to] = r.dist[at]+1, edge
		r.met = append(r.met, to)
	}
}

// Shortest returns a shortest lasso, p itself if it is one. The automaton
// must have at most one acceptance set. If the budget ends first, it returns
// the best lasso it has together with the error.
func Shortest(g *meet.Graph, p *meet.Path) (*meet.Path, error) {
	s := &shortest{g: g, index: map[int32]int32{}}
	best := len(p.Stem) + len(p.Loop)
	if err := s.explore(best - 2); err != nil {
		return p, err
	}
	for i, h := range s.edges {
		d := int(s.dist[s.index[h.From]])
		if d+1 >= best {
			break // edges are sorted by the distance of their sources
		}
		if h.Marks != g.Aut.AllMarks {
			continue
		}
		if better := s.through(int32(i), best); better != nil {
			p, best = better, len(better.Stem)+len(better.Loop)
		}
		if err := g.Tick(g.NumStates(), 0); err != nil {
			return p, err
		}
	}
	return p, nil
}

// explore expands all states up to a distance.
func (s *shortest) explore(depth int) error {
	roots, err := s.g.Initial()
	if err != nil {
		return err
	}
	reach := func(state, dist int32, by meet.Hop) {
		if _, ok := s.index[state]; !ok {
			s.index[state] = int32(len(s.order))
			s.order = append(s.order, state)
			s.dist = append(s.dist, dist)
			s.enter = append(s.enter, by)
		}
	}
	for _, r := range roots {
		reach(r, 0, meet.Hop{To: -1})
	}
	for i := 0; i < len(s.order) && int(s.dist[i]) <= depth; i++ {
		s.g.Successors(s.order[i])
		s.first = append(s.first, int32(len(s.edges)))
		for _, e := range s.g.Out {
			h := meet.NewHop(s.order[i], e)
			s.edges = append(s.edges, h)
			reach(e.Target, s.dist[i]+1, h)
		}
		if i%budget.TickEvery == 0 {
			if err := s.g.Tick(s.g.NumStates(), int(s.dist[i])); err != nil {
				return err
			}
		}
	}
	s.first = append(s.first, int32(len(s.edges)))
	s.back = make([][]int32, len(s.order))
	s.ends = make([]edgeEnds, len(s.edges))
	for e, h := range s.edges {
		s.ends[e] = edgeEnds{s.index[h.From], s.index[h.To]}
		s.back[s.ends[e].to] = append(s.back[s.ends[e].to], int32(e))
	}
	return nil
}

// backwards searches against the edges from a state up to a depth. What the last
// search found is used again if it began there: depths only become smaller.
func (s *shortest) backwards(from int32, depth int) {
	r := &s.before
	if len(r.met) > 0 && r.met[0] == from {
		return
	}
	r.start(from, len(s.order))
	for i := 0; i < len(r.met) && int(r.dist[r.met[i]]) < depth; i++ {
		at := r.met[i]
		for _, e := range s.back[at] {
			r.visit(at, e, s.ends[e].from)
		}
	}
}

// forwards searches from a state up to a depth, for loops of fewer than best edges:
// among the states that the last search backwards met soon enough.
func (s *shortest) forwards(from int32, depth, best int) {
	r := &s.after
	r.start(from, len(s.order))
	for i := 0; i < len(r.met) && int(r.dist[r.met[i]]) < depth; i++ {
		at := r.met[i]
		if int(at)+1 >= len(s.first) {
			continue // too far away to have been expanded
		}
		for e := s.first[at]; e < s.first[at+1]; e++ {
			to := s.ends[e].to
			if back := s.before.dist; back[to] >= 0 && int(r.dist[at]+back[to])+2 < best {
				r.visit(at, e, to)
			}
		}
	}
}

// through returns a shortest lasso with that edge on its loop, if it has fewer
// than best edges.
func (s *shortest) through(edge int32, best int) *meet.Path {
	h := s.edges[edge]
	from, to := s.ends[edge].from, s.ends[edge].to
	// A lasso that enters its loop at x has dist(x) + 1 + d(to,x) + d(x,from)
	// edges, and dist(from) <= dist(x) + d(x,from).
	s.backwards(from, best-2)
	if back := s.before.dist[to]; back < 0 || int(back)+1 >= best {
		return nil // the edge is on no loop that is short enough
	}
	s.forwards(to, best-2-int(s.dist[from]), best)
	entry := int32(-1)
	for _, x := range s.after.met {
		n := int(s.dist[x] + 1 + s.after.dist[x] + s.before.dist[x])
		if n < best || n == best && entry >= 0 && x < entry {
			best, entry = n, x
		}
	}
	if entry < 0 {
		return nil
	}
	p := &meet.Path{}
	for x := entry; s.enter[x].To >= 0; x = s.index[s.enter[x].From] {
		p.Stem = append(p.Stem, s.enter[x])
	}
	slices.Reverse(p.Stem)
	for x := entry; x != from; {
		e := s.edges[s.before.by[x]]
		p.Loop = append(p.Loop, e)
		x = s.index[e.To]
	}
	p.Loop = append(p.Loop, h)
	var rest []meet.Hop
	for x := entry; x != to; {
		e := s.edges[s.after.by[x]]
		rest = append(rest, e)
		x = s.index[e.From]
	}
	slices.Reverse(rest)
	p.Loop = append(p.Loop, rest...)
	return p
}
