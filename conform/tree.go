package conform

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/lks"
)

// Tree is a counterexample tree ([Chaki05], 5.2): a strategy by which the
// implementation wins the simulation game. Equal subtrees are stored once, so
// Nodes can be much shorter than the tree.
type Tree struct {
	// Nodes[0] is the root, whose challenge is the choice of an initial state and
	// whose children are the initial states of the specification that fit it (CE1
	// for several initial states).
	Nodes []Node
	Size  uint64 // nodes of the tree when unfolded; math.MaxUint64: at least so many
}

// Node is a position of the game and the implementation's challenge there.
// States are numbers of Result; -1 at the root.
type Node struct {
	Impl, Spec int32 // the position
	Action     int32 // of the challenge, index into Result.Alphabet; -1 at the root
	Rule       int32 // of the implementation network that moves; -1 at the root
	Next       int32 // state of the implementation after the challenge
	// Children has a node for every answer of the specification, with Impl equal
	// to Next (CE2): staying first where that is an answer, then by state. Without
	// answers the implementation has won (CE3).
	Children []int32
}

// postorder returns the nodes with every node after its children. It reports
// false if there is a circle, which a tree must not have.
func (t *Tree) postorder() ([]int32, bool) {
	order, tree := []int32{}, true
	scc.DepthFirst(len(t.Nodes), []int{0}, func(v, i int) (int, bool) {
		if children := t.Nodes[v].Children; i < len(children) {
			return int(children[i]), true
		}
		return 0, false
	}, func(v int) { order = append(order, int32(v)) }, func(int, int) { tree = false })
	return order, tree
}

// witness is a counterexample witness ([Chaki05], 5.5) before it is an LKS: an
// acyclic graph of which every state stands for a state of the implementation.
// State 0 is initial.
type witness struct {
	impl  []int32          // by state: the implementation state it stands for
	edges [][]witnessEdge  // by state
	keys  map[string]int32 // by implementation state and nodes
}

// maxWitness bounds the states of a witness. Tests lower it.
var maxWitness = 1_000_000

type witnessEdge struct {
	action, rule, target int32
}

// toWitness is TreeToWitness (Procedure 5.5). Two deviations: children of a node
// with the same challenge share the state that it leads to, and a state is shared
// by all nodes that lead to the same implementation state with the same children,
// so that the witness need not be a tree. It is nil if it would have more than
// maxWitness states.
func (t *Tree) toWitness() *witness {
	w := &witness{keys: map[string]int32{}}
	children := [][]int32{}
	state := func(impl int32, nodes []int32) int32 {
		nodes = slices.Clone(nodes)
		slices.Sort(nodes)
		nodes = slices.Compact(nodes)
		key := fmt.Sprint(impl, nodes)
		id, ok := w.keys[key]
		if !ok {
			id = int32(len(w.impl))
			w.keys[key] = id
			w.impl = append(w.impl, impl)
			children = append(children, nodes)
		}
		return id
	}
	state(t.Nodes[0].Next, t.Nodes[0].Children)
	for s := 0; s < len(w.impl); s++ {
		if len(w.impl) > maxWitness {
			return nil
		}
		var edges []witnessEdge
		moves, order := map[[2]int32][]int32{}, [][2]int32{}
		rules := map[[2]int32]int32{}
		for _, n := range children[s] {
			node := t.Nodes[n]
			move := [2]int32{node.Action, node.Next}
			if _, ok := rules[move]; !ok {
				rules[move] = node.Rule
				order = append(order, move)
			}
			moves[move] = append(moves[move], node.Children...)
		}
		for _, move := range order {
			edges = append(edges, witnessEdge{move[0], rules[move], state(move[1], moves[move])})
		}
		w.edges = append(w.edges, edges)
	}
	return w
}

// lks makes the witness an LKS with the alphabet and propositions of the
// comparison. Its states are named by those of the implementation.
func (w *witness) lks(name string, alphabet []string, l *labels, classes func(impl int32) class, describe func(impl int32) string) (*lks.LKS, error) {
	b := lks.NewBuilder(name)
	for _, a := range alphabet[1:] {
		b.Action(a)
	}
	props := lists.Map(l.props, b.Prop)
	for _, impl := range w.impl {
		c := classes(impl)
		var label []int32
		for i, p := range props {
			if l.sets[c.label][i/64]>>(i%64)&1 == 1 {
				label = append(label, p)
			}
		}
		b.StateID(c.kind, label)
	}
	for s, edges := range w.edges {
		for _, e := range edges {
			b.TransitionID(int32(s), b.Action(alphabet[e.action]), e.target)
		}
	}
	impl := w.impl
	b.Describe(func(s int32) string {
		if s < 0 || int(s) >= len(impl) {
			return ""
		}
		return describe(impl[s])
	})
	return b.Build()
}
