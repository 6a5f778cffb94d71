package omega

import (
	"math/rand/v2"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// RandomOptions say what random automata look like.
type RandomOptions struct {
	States    int // at least 1
	Atoms     []ltl.Atom
	Sets      int
	Condition *Condition
	// Density is the probability that a state has an edge to another one, beside one edge that
	// every state has.
	Density float64
	// Marks is the probability that an edge, or a state, is in a set.
	Marks         float64
	Coloured      bool // each is in one set
	OnStates      bool // marks are those of states
	Deterministic bool // and complete; labels are not single letters
}

// MaxRandomAtoms bounds the atoms of deterministic random automata, for each letter of which a
// target is drawn.
const MaxRandomAtoms = 12

// Random draws an automaton all states of which can be reached from the initial one, 0, unless
// there are more states than letters lead to in a deterministic one. An edge reads one letter.
func Random(r *rand.Rand, o RandomOptions) *Automaton {
	a := &Automaton{atoms: o.Atoms, man: bdd.New(), sets: o.Sets, condition: o.Condition, out: make([][]Edge, o.States)}
	// A tree that leads to all states, then more edges.
	targets := make([][]int32, o.States)
	room := o.States
	if o.Deterministic {
		room = min(room, 1<<len(o.Atoms))
	}
	open := []int32{0}
	for s := int32(1); int(s) < o.States; s++ {
		i := r.IntN(len(open))
		from := open[i]
		targets[from] = append(targets[from], s)
		if open = append(open, s); len(targets[from]) == room {
			open[i] = open[len(open)-1]
			open = open[:len(open)-1]
		}
	}
	for s := range targets {
		degree := 1
		for range o.States - 1 {
			if r.Float64() < o.Density {
				degree++
			}
		}
		known := map[int32]bool{}
		for _, to := range targets[s] {
			known[to] = true
		}
		for len(targets[s]) < min(degree, room) {
			if to := int32(r.IntN(o.States)); !known[to] {
				known[to] = true
				targets[s] = append(targets[s], to)
			}
		}
		marks := o.marks(r)
		var es []Edge
		for i, l := range o.labels(r, a, len(targets[s])) {
			if !o.OnStates {
				marks = o.marks(r)
			}
			es = append(es, Edge{l, targets[s][i], marks})
		}
		a.out[s] = a.merge(es)
	}
	return a
}

// marks draws those of an edge or a state.
func (o *RandomOptions) marks(r *rand.Rand) (marks uint64) {
	if o.Coloured && o.Sets > 0 {
		return 1 << r.IntN(o.Sets)
	}
	for set := range o.Sets {
		if r.Float64() < o.Marks {
			marks |= 1 << set
		}
	}
	return marks
}

// labels draws those of the edges of a state: a letter each, or all letters dealt out, at least one
// to each.
func (o *RandomOptions) labels(r *rand.Rand, a *Automaton, edges int) []Label {
	letter := func(value func(atom int) bool) Label {
		cube := make(bdd.Cube, len(o.Atoms))
		for i := range cube {
			cube[i] = bdd.Lit(i, !value(i))
		}
		return a.man.CubeNode(cube)
	}
	labels := make([]Label, edges)
	if !o.Deterministic {
		for i := range labels {
			labels[i] = letter(func(int) bool { return r.IntN(2) == 0 })
		}
		return labels
	}
	for i, n := range r.Perm(1 << len(o.Atoms)) {
		to := i
		if i >= edges {
			to = r.IntN(edges)
		}
		labels[to] = a.man.Or(labels[to], letter(func(atom int) bool { return n>>atom&1 != 0 }))
	}
	return labels
}
