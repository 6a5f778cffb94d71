package omega

import (
	"fmt"
	"iter"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/radix"
	"github.com/seltl/seltl/ltl"
)

// Universal branching: an edge leads to several states at once, all of which must accept the
// rest of the word. It is removed where automata are read, in one of two ways. With a Büchi
// condition, to which that of a weak automaton comes down, a state of the result is a set of
// states with those that still have to meet the set ([MiyanoHayashi84]). With others, a word is
// accepted iff some choice of an edge for each state at each position has no path on which the
// condition fails: the automaton of these paths is complemented, and the choices, which are
// atoms in it, projected away. Choices that depend on state and position only are enough for
// Rabin conditions ([Klarlund94]); others become parity conditions first.

// alternating is an automaton with universal branching.
type alternating struct {
	paths     *Automaton // every single path: each target is one of some edge
	out       [][]branch
	condition *Condition
}

// branch is an edge to all states of to at once.
type branch struct {
	label Label
	to    []int32
	marks uint64
}

// newAlternating takes an automaton that was read.
func newAlternating(h *hoa.Automaton, atoms []ltl.Atom) *alternating {
	x := &alternating{condition: conditionOf(h.Acceptance)}
	x.paths = &Automaton{name: h.Name, atoms: atoms, man: h.Man, initial: h.Initial, sets: h.Sets}
	for _, es := range h.Out {
		own := lists.Append(nil, es, func(e hoa.Edge) branch { return branch{e.Label, h.Targets(e), e.Marks} })
		x.out = append(x.out, own)
	}
	x.settle()
	return x
}

// settle makes the paths fit the branches.
func (x *alternating) settle() {
	x.paths.condition = x.condition
	x.paths.out = make([][]Edge, len(x.out))
	for s, bs := range x.out {
		var es []Edge
		for _, b := range bs {
			for _, to := range b.to {
				es = append(es, Edge{b.label, to, b.marks})
			}
		}
		x.paths.out[s] = x.paths.merge(es)
	}
}

// removed returns an automaton without universal branching that accepts the same words. Its
// states can be as many as 3^n of n states with a Büchi condition, and more with others. Errors
// are those of the meter, which may be nil, and limits.
func (x *alternating) removed(meter *budget.Meter) (*Automaton, error) {
	name := x.paths.name
	a, err := guarded(func() (*Automaton, error) {
		x.paths.Bound(meter)
		x.weaken()
		if x.condition.String() == Inf(0).String() {
			return x.breakpoints(meter)
		}
		if !x.memoryless() {
			if err := x.toParity(meter); err != nil {
				return nil, err
			}
		}
		return x.choices(meter)
	})
	if err != nil {
		return nil, err
	}
	a.name = name
	a.man.SetLimit(0, nil)
	return a, nil
}

// weaken gives the automaton the condition Inf(0) if it is weak: if in each component either
// all cycles accept or none.
func (x *alternating) weaken() {
	c := x.paths.components()
	accepting := make([]bool, len(c.states))
	dual := *x.paths
	dual.condition = x.condition.Dual()
	for id := range c.states {
		accepting[id] = x.paths.accepts(c, id)
		if accepting[id] && dual.accepts(c, id) {
			return
		}
	}
	x.condition, x.paths.sets = Inf(0), 1
	for s, bs := range x.out {
		for i := range bs {
			bs[i].marks = 0
			if id := c.of[s]; id >= 0 && accepting[id] {
				bs[i].marks = 1
			}
		}
	}
	x.settle()
}

// owing is a state of the automaton that breakpoints makes: those where the paths are, and
// those of them whose paths have met no mark since the last breakpoint.
type owing struct{ all, owe []int32 }

// breakpoints removes the branching of an automaton with the condition Inf(0).
func (x *alternating) breakpoints(meter *budget.Meter) (*Automaton, error) {
	b := x.paths.like(0, 1, Inf(0))
	var states numbering[string]
	var list []owing
	splitter := x.paths.man.Splitter(AnyLetter, x.labels())
	add := func(o owing) int32 {
		n := states.add(fmt.Sprint(o.all, o.owe))
		if int(n) == len(list) {
			list = append(list, o)
		}
		return n
	}
	start := []int32{x.paths.initial}
	add(owing{start, start})
	for i := 0; i < len(list); i++ {
		var es []Edge
		err := x.each(splitter, list[i].all, meter, len(list), func(letters Label, chosen []branch) {
			next, mark := list[i].after(chosen)
			es = append(es, Edge{letters, add(next), mark})
		})
		if err != nil {
			return nil, err
		}
		b.out = append(b.out, b.merge(es))
	}
	return b.toBuchi(buchi.Buchi, meter)
}

// after is the state behind chosen edges, one for each state, and the mark on the way.
func (o owing) after(chosen []branch) (owing, uint64) {
	var next owing
	for i, s := range o.all {
		next.all = append(next.all, chosen[i].to...)
		if _, owes := slices.BinarySearch(o.owe, s); owes && chosen[i].marks&1 == 0 {
			next.owe = append(next.owe, chosen[i].to...)
		}
	}
	slices.Sort(next.all)
	slices.Sort(next.owe)
	next.all, next.owe = slices.Compact(next.all), slices.Compact(next.owe)
	if len(next.owe) == 0 {
		next.owe = next.all
		return next, 1
	}
	return next, 0
}

func (x *alternating) labels() iter.Seq[Label] {
	return func(yield func(Label) bool) {
		for _, bs := range x.out {
			for _, b := range bs {
				if !yield(b.label) {
					return
				}
			}
		}
	}
}

// each calls do for each choice of an edge for each of the states, with the letters that all
// of them read and no two choices of states and edges tell apart.
func (x *alternating) each(splitter *bdd.Splitter, states []int32, meter *budget.Meter, known int, do func(letters Label, chosen []branch)) error {
	parts := bdd.Split(splitter, func(yield func(Label, [2]int) bool) {
		for i, s := range states {
			for k, b := range x.out[s] {
				if !yield(b.label, [2]int{i, k}) {
					return
				}
			}
		}
	})
	chosen, digits := make([]branch, len(states)), make([]int, len(states))
	for _, part := range parts {
		choices := make([][]branch, len(states))
		for _, at := range part.Read {
			choices[at[0]] = append(choices[at[0]], x.out[states[at[0]]][at[1]])
		}
		if slices.ContainsFunc(choices, func(list []branch) bool { return len(list) == 0 }) {
			continue
		}
		for more := true; more; more = radix.Next(digits, func(i int) int { return len(choices[i]) }) {
			if err := tick(meter, "removing universal branching", known); err != nil {
				return err
			}
			for i, k := range digits {
				chosen[i] = choices[i][k]
			}
			do(part.Letters, chosen)
		}
	}
	return nil
}

// memoryless reports whether the condition is one of Rabin.
func (x *alternating) memoryless() bool {
	clauses, ok := x.condition.Disjuncts()
	return ok && !slices.ContainsFunc(clauses, func(cl Clause) bool { return cl.Inf&(cl.Inf-1) != 0 })
}

// toParity multiplies states with the leaves of the Zielonka tree of the condition.
func (x *alternating) toParity(meter *budget.Meter) error {
	tree, err := newZielonka(x.condition, x.condition.Sets(), meter)
	if err != nil {
		return err
	}
	shift := 0
	if !x.condition.Holds(tree.marks[0]) {
		shift = 1
	}
	deepest := shift + slices.Max(tree.depth)
	if deepest >= MaxSets {
		return errTooManySets
	}
	type copyOf struct {
		s    int32
		leaf int
	}
	var copies numbering[copyOf]
	copies.add(copyOf{x.paths.initial, tree.leaf(0)})
	var out [][]branch
	for i := 0; i < len(copies.list); i++ {
		if err := tick(meter, "making a parity condition", len(copies.list)); err != nil {
			return err
		}
		var own []branch
		for _, b := range x.out[copies.list[i].s] {
			leaf, depth := tree.step(copies.list[i].leaf, b.marks)
			to := lists.Map(b.to, func(t int32) int32 { return copies.add(copyOf{t, leaf}) })
			slices.Sort(to)
			own = append(own, branch{b.label, to, 1 << (depth + shift)})
		}
		out = append(out, own)
	}
	x.out, x.paths.initial, x.paths.sets = out, 0, deepest+1
	x.condition = Parity(false, false, deepest+1)
	x.settle()
	return nil
}

// choices removes the branching by a complement, of the paths that fail, and a projection.
func (x *alternating) choices(meter *budget.Meter) (*Automaton, error) {
	fail, _ := x.condition.Dual().model() // a condition that always holds is that of a weak automaton
	bad := x.paths.like(len(x.out)+1, x.paths.sets, x.condition.Dual())
	bad.initial, bad.atoms = x.paths.initial, slices.Clone(x.paths.atoms)
	failed := int32(len(x.out))
	bad.out[failed] = []Edge{{AnyLetter, failed, fail}}
	var made []ltl.Atom
	for s, bs := range x.out {
		// The number of the edge that is taken, in binary.
		first := len(bad.atoms)
		for n := 0; 1<<n < len(bs); n++ {
			made = append(made, ltl.Atom{Kind: ltl.Name, Name: fmt.Sprintf("choice %d of state %d\x00", n, s)})
			bad.atoms = append(bad.atoms, made[len(made)-1])
		}
		rest := AnyLetter
		var es []Edge
		for k, b := range bs {
			label := b.label
			for v := first; v < len(bad.atoms); v++ {
				literal := bad.man.Var(v)
				if k>>(v-first)&1 == 0 {
					literal = bad.man.Not(literal)
				}
				label = bad.man.And(label, literal)
			}
			rest = bad.man.And(rest, bad.man.Not(label))
			for _, to := range b.to {
				es = append(es, Edge{label, to, b.marks})
			}
		}
		bad.out[s] = bad.merge(append(es, Edge{rest, failed, fail}))
	}
	good, err := bad.Complement(meter)
	if err != nil {
		return nil, err
	}
	return good.Project(made...).Trim(), nil
}
