package layered

import (
	"math/rand/v2"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
)

// successors of nodes, as a graph.
type successors [][]int

func (s successors) Nodes() int                             { return len(s) }
func (s successors) Degree(v int32) int                     { return len(s[v]) }
func (s successors) Successor(v int32, i int) (int32, bool) { return int32(s[v][i]), true }

// backward finds edges without which there is no circle: those that lead back on the path
// of a depth-first search from the first node, and then from those not yet met. Edges from a
// node to itself are among them. Few edges lead back, but there can be many layers.
func backward(nodes int, edges []Edge) []bool {
	out := make([][]int, nodes)
	for i, e := range edges {
		out[e.From] = append(out[e.From], i)
	}
	back := make([]bool, len(edges))
	all := make([]int, nodes)
	for n := range all {
		all[n] = n
	}
	scc.DepthFirst(nodes, all, scc.Along(out, func(i int) int { return edges[i].To }), func(int) {}, func(n, i int) { back[out[n][i]] = true })
	return back
}

// shuffled is backward with edges in another order, which depends on a seed only: the search goes
// other ways then, and other edges lead back.
func shuffled(seed uint64, nodes int, edges []Edge) []bool {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(edges))
	mixed := make([]Edge, len(edges))
	for i, k := range order {
		mixed[i] = edges[k]
	}
	back := make([]bool, len(edges))
	for i, is := range backward(nodes, mixed) {
		back[order[i]] = is
	}
	return back
}

// inward finds edges without which there is no circle: those that lead to a node that a
// breadth-first search from the first node, and then from those not yet met, meets before
// where they begin, or there, of those within a strongly connected component. Layers are few,
// as nodes near the first stay near.
func inward(nodes int, edges []Edge) []bool {
	out := make([][]int, nodes)
	for _, e := range edges {
		out[e.From] = append(out[e.From], e.To)
	}
	met := make([]int, nodes)
	count := 0
	for n := range out {
		if met[n] != 0 {
			continue
		}
		count++
		met[n] = count
		for queue := []int{n}; len(queue) > 0; queue = queue[1:] {
			for _, to := range out[queue[0]] {
				if met[to] == 0 {
					count++
					met[to] = count
					queue = append(queue, to)
				}
			}
		}
	}
	component, _ := scc.All(successors(out), nil) // no error without a tick
	return lists.Map(edges, func(e Edge) bool { return met[e.To] <= met[e.From] && component.Of[e.From] == component.Of[e.To] })
}
