package fsp

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
)

// From nodes and edges to an LKS: relabelling and hiding, the completion of properties,
// and only then what is reachable, numbered breadth-first. The order is LTSA's.

// build makes the LKS of the nodes and edges.
func (pc *processCompiler) build() *lks.LKS {
	relation := pc.relation(pc.def.Relabel)
	hidden := pc.hiddenActions(pc.def.Hide)
	pc.checkRelabels(pc.def.Relabel, pc.def.Name.Text, pc.names)
	pc.checkHiding(pc.def.Hide, pc.def.Name.Text, newAlphabet(pc.names, relation, nil).names)
	alphabet := newAlphabet(pc.names, relation, hidden)

	first := pc.adjacency()
	initial := pc.resolve(0)
	b := lks.NewBuilder(pc.instance)
	ids := lists.Map(alphabet.names, b.Action)
	props := lists.Map(pc.propList, b.Prop)
	for i, set := range pc.classSet {
		pc.classSet[i] = mapProps(set, props)
	}
	x := &extraction{pc: pc, b: b, first: first, alphabet: alphabet, ids: ids, number: make([]int32, pc.nodes), special: [3]int32{-1, -1, -1}}
	x.run(initial)
	names := &stateNames{pc.locals, pc.between, pc.inserts, pc.names, int32(len(pc.target)), x.nodes}
	b.Describe(names.state)
	m, err := b.Build()
	if err != nil {
		pc.c.stop(err)
	}
	return pc.c.reduce(m, pc.def.Marks)
}

func mapProps(set, number []int32) []int32 {
	return lists.Map(set, func(p int32) int32 { return number[p] })
}

// adjacency sorts the edges by source node, keeping their order, and returns
// where those of each node begin.
func (pc *processCompiler) adjacency() []int32 {
	first := make([]int32, pc.nodes+1)
	for _, e := range pc.edges {
		first[e.from+1]++
	}
	for i := range pc.nodes {
		first[i+1] += first[i]
	}
	sorted := make([]rawEdge, len(pc.edges))
	next := slices.Clone(first[:pc.nodes])
	for _, e := range pc.edges {
		sorted[next[e.from]] = rawEdge{e.from, e.action, pc.resolve(e.to)}
		next[e.from]++
	}
	pc.edges = sorted
	return first
}

// extraction copies the reachable nodes into a builder, numbered breadth-first.
type extraction struct {
	pc       *processCompiler
	b        *lks.Builder
	first    []int32
	alphabet *alphabet
	ids      []int32
	number   []int32 // state+1 by node
	special  [3]int32
	nodes    []int32 // by state
}

func (x *extraction) run(initial int32) {
	property := x.pc.def.Marks.Property
	if initial == nodeError {
		// P = ERROR: a silent step leads to the error.
		start := x.add(0, lks.Normal, nil)
		x.b.TransitionID(start, lks.TauID, x.state(nodeError))
		if property {
			x.notDeterministic(lks.TauName, start)
		}
		return
	}
	x.state(initial)
	told := 0
	for s := 0; s < len(x.nodes); s++ {
		node := x.nodes[s]
		if n := x.b.Transitions(); n-told > 1<<16 {
			x.pc.c.tick("compiling", len(x.nodes), n)
			told = n
		}
		if node == nodeError {
			continue
		}
		var missing []bool
		if property {
			missing = make([]bool, len(x.alphabet.names))
			for i := range missing {
				missing[i] = i != 0
			}
		}
		if node >= 0 {
			x.edges(int32(s), node, missing)
		}
		for a, m := range missing {
			if m {
				x.b.TransitionID(int32(s), x.ids[a], x.state(nodeError))
			}
		}
	}
}

func (x *extraction) edges(s, node int32, missing []bool) {
	edges := x.pc.edges[x.first[node]:x.first[node+1]]
	for _, e := range edges {
		to := x.state(e.to)
		for _, a := range x.alphabet.renamed[e.action] {
			x.b.TransitionID(s, x.ids[a], to)
			if missing == nil {
				continue
			}
			if !missing[a] && !x.again(edges, e, a) {
				x.notDeterministic(x.alphabet.names[a], s)
			}
			missing[a] = false
		}
	}
}

// again reports whether an edge with action a (renamed) was met before, but only
// ever to the same target: then it is the same transition written twice.
func (x *extraction) again(edges []rawEdge, e rawEdge, a int32) bool {
	if a == 0 {
		return false
	}
	for _, f := range edges {
		if f.to != e.to && slices.Contains(x.alphabet.renamed[f.action], a) {
			return false
		}
	}
	return true
}

func (x *extraction) notDeterministic(action string, s int32) {
	why := fmt.Sprintf("%s leads to different states", action)
	if action == lks.TauName {
		why = "it moves silently"
	}
	name := "its first state"
	if len(x.nodes) > 0 && s > 0 {
		name = x.pc.nodeName(x.nodes[s])
	}
	x.pc.Fail(x.pc.def.Name.Span, "property-not-deterministic", "a property must be deterministic and have no silent actions",
		"the property %s is not deterministic: in %s, %s", x.pc.def.Name.Text, name, why)
}

// state returns the number of a node's state, adding it if it is new.
func (x *extraction) state(node int32) int32 {
	if node < 0 {
		if n := x.special[-1-node]; n >= 0 {
			return n
		}
		kind := lks.Normal
		switch {
		case node == nodeError:
			kind = lks.Error
		case node == nodeEnd && !x.pc.def.Marks.Property:
			kind = lks.End // a property may end anywhere: its END is a state like others
		}
		n := x.add(node, kind, nil)
		x.special[-1-node] = n
		return n
	}
	if n := x.number[node]; n > 0 {
		return n - 1
	}
	kind := lks.Normal
	if x.pc.endings[node] == nodeEnd && !x.pc.def.Marks.Property {
		kind = lks.End
	}
	n := x.add(node, kind, x.pc.labelOf(node))
	x.number[node] = n + 1
	return n
}

func (x *extraction) add(node int32, kind lks.Kind, props []int32) int32 {
	n := x.b.StateID(kind, props)
	x.nodes = append(x.nodes, node)
	if n%4096 == 0 {
		x.pc.c.tick("compiling", int(n), 0)
	}
	return n
}
