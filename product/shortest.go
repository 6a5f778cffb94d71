package product

import (
	"slices"

	"github.com/seltl/seltl/internal/budget"
)

// shortest finds a lasso of the product that is as short as any: no other has
// fewer edges in stem and loop together. (A run of the network that violates the
// formula can be shorter still, if the automaton accepts it only by a longer way
// round; see Schuppan and Biere, "Shortest Counterexamples for Symbolic Model
// Checking of LTL with Past", TACAS 2005. Verify removes such repetition
// afterwards.)
//
// A known lasso bounds the depth to which the product is explored, breadth
// first, with all edges kept. Then every edge with all marks is tried, in the
// order of the distance of its source: forwards and backwards from it the
// distances to and from it, and with them the best way to enter a loop through
// it. Time O(k·m) for k such edges and m edges of the explored part.
type shortest struct {
	g     *graph
	first []int32 // edges of state i (in the order of discovery): first[i] to first[i+1]
	edges []hop
	order []int32         // states by distance
	index map[int32]int32 // position in order
	dist  []int32         // from the initial states
	enter []hop           // hop by which a state was first reached
	back  [][]int32       // edges into a state
}

// shortestPath returns a shortest lasso, p itself if it is one. The automaton
// must have at most one acceptance set. If the budget ends first, it returns
// the best lasso it has together with the error.
func (g *graph) shortestPath(p *path) (*path, error) {
	s := &shortest{g: g, index: map[int32]int32{}}
	best := len(p.stem) + len(p.loop)
	if err := s.explore(best - 2); err != nil {
		return p, err
	}
	for i, h := range s.edges {
		d := int(s.dist[s.index[h.from]])
		if d+1 >= best {
			break // edges are sorted by the distance of their sources
		}
		if h.marks != g.aut.allMarks {
			continue
		}
		if better := s.through(int32(i), best); better != nil {
			p, best = better, len(better.stem)+len(better.loop)
		}
		if err := g.tick(0); err != nil {
			return p, err
		}
	}
	return p, nil
}

// explore expands all states up to a distance.
func (s *shortest) explore(depth int) error {
	roots, err := s.g.initial()
	if err != nil {
		return err
	}
	reach := func(state, dist int32, by hop) {
		if _, ok := s.index[state]; !ok {
			s.index[state] = int32(len(s.order))
			s.order = append(s.order, state)
			s.dist = append(s.dist, dist)
			s.enter = append(s.enter, by)
		}
	}
	for _, r := range roots {
		reach(r, 0, hop{to: -1})
	}
	for i := 0; i < len(s.order) && int(s.dist[i]) <= depth; i++ {
		s.g.successors(s.order[i])
		s.first = append(s.first, int32(len(s.edges)))
		for _, e := range s.g.out {
			h := newHop(s.order[i], e)
			s.edges = append(s.edges, h)
			reach(e.target, s.dist[i]+1, h)
		}
		if i%budget.TickEvery == 0 {
			if err := s.g.tick(int(s.dist[i])); err != nil {
				return err
			}
		}
	}
	s.first = append(s.first, int32(len(s.edges)))
	s.back = make([][]int32, len(s.order))
	for e, h := range s.edges {
		to := s.index[h.to]
		s.back[to] = append(s.back[to], int32(e))
	}
	return nil
}

// distances searches breadth first from a state, along edges or against them,
// up to a depth. It returns the distances (-1: not reached) and the edge by which
// each state was reached.
func (s *shortest) distances(from int32, depth int, against bool) (dist, by []int32) {
	dist, by = make([]int32, len(s.order)), make([]int32, len(s.order))
	for i := range dist {
		dist[i], by[i] = -1, -1
	}
	dist[from] = 0
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if int(dist[at]) == depth {
			break
		}
		visit := func(e, to int32) {
			if dist[to] < 0 {
				dist[to], by[to] = dist[at]+1, e
				queue = append(queue, to)
			}
		}
		if against {
			for _, e := range s.back[at] {
				visit(e, s.index[s.edges[e].from])
			}
			continue
		}
		if int(at)+1 < len(s.first) {
			for e := s.first[at]; e < s.first[at+1]; e++ {
				visit(e, s.index[s.edges[e].to])
			}
		}
	}
	return dist, by
}

// through returns a shortest lasso with that edge on its loop, if it has fewer
// than best edges.
func (s *shortest) through(edge int32, best int) *path {
	h := s.edges[edge]
	from, to := s.index[h.from], s.index[h.to]
	// A lasso that enters its loop at x has dist(x) + 1 + d(to,x) + d(x,from)
	// edges, and dist(from) <= dist(x) + d(x,from).
	after, afterBy := s.distances(to, best-2-int(s.dist[from]), false)
	before, beforeBy := s.distances(from, best-2, true)
	entry := int32(-1)
	for x := range s.order {
		if after[x] < 0 || before[x] < 0 {
			continue
		}
		if n := int(s.dist[x] + 1 + after[x] + before[x]); n < best {
			best, entry = n, int32(x)
		}
	}
	if entry < 0 {
		return nil
	}
	p := &path{}
	for x := entry; s.enter[x].to >= 0; x = s.index[s.enter[x].from] {
		p.stem = append(p.stem, s.enter[x])
	}
	slices.Reverse(p.stem)
	for x := entry; x != from; {
		e := s.edges[beforeBy[x]]
		p.loop = append(p.loop, e)
		x = s.index[e.to]
	}
	p.loop = append(p.loop, h)
	var rest []hop
	for x := entry; x != to; {
		e := s.edges[afterBy[x]]
		rest = append(rest, e)
		x = s.index[e.from]
	}
	slices.Reverse(rest)
	p.loop = append(p.loop, rest...)
	return p
}
