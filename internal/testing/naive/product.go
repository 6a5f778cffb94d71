package naive

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Structure is a state/event graph in its most explicit form: what a network
// means, without packing, rules or tables.
type Structure struct {
	Initial []int
	States  []StructureState
}

// StructureState is one state: what is true in it and what leaves it.
type StructureState struct {
	Props map[string]bool
	Edges []StructureEdge
}

// StructureEdge is a step. Event is "" for the stuttering of a finished run.
type StructureEdge struct {
	Event  string
	Target int
	Moved  []int // components that take part, sorted
}

// ComposeStructure builds the parallel composition of LKSs straight from Def. 5
// of the thesis: by names of actions, without networks or rules. A state with a
// component in an Error state has no successors, and of the others no proposition holds in it.
// Termination makes no difference to what is true of a state.
func ComposeStructure(components []*lks.LKS) *Structure {
	b := structureBuilder{number: map[string]int{}, components: components}
	for _, locals := range tuplesOfInitial(components) {
		b.s.Initial = append(b.s.Initial, b.state(locals))
	}
	for i := 0; i < len(b.locals); i++ {
		if !b.isError(b.locals[i]) {
			b.steps(i)
		}
	}
	return &b.s
}

type structureBuilder struct {
	s          Structure
	components []*lks.LKS
	number     map[string]int
	locals     [][]int32
}

func tuplesOfInitial(components []*lks.LKS) [][]int32 {
	tuples := [][]int32{nil}
	for _, m := range components {
		var longer [][]int32
		for _, t := range tuples {
			for _, s := range m.Initial() {
				longer = append(longer, append(slices.Clone(t), s))
			}
		}
		tuples = longer
	}
	return tuples
}

func (b *structureBuilder) isError(locals []int32) bool {
	for c, s := range locals {
		if b.components[c].Kind(s) == lks.Error {
			return true
		}
	}
	return false
}

// state numbers a tuple of local states.
func (b *structureBuilder) state(locals []int32) int {
	key := keyOf(locals)
	id, ok := b.number[key]
	if !ok {
		id = len(b.locals)
		b.number[key] = id
		b.locals = append(b.locals, slices.Clone(locals))
		props := map[string]bool{}
		for c, s := range locals {
			for _, p := range b.components[c].Label(s) {
				props[b.components[c].Props()[p]] = !b.isError(locals) || b.components[c].Kind(s) == lks.Error
			}
		}
		b.s.States = append(b.s.States, StructureState{Props: props})
	}
	return id
}

// steps adds everything that Def. 5 allows in state i.
func (b *structureBuilder) steps(i int) {
	names := map[string]bool{}
	for c, m := range b.components {
		for _, e := range m.Edges(b.locals[i][c]) {
			names[m.Alphabet()[e.Action]] = true
		}
	}
	sorted := []string{}
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		if name == lks.TauName {
			for c := range b.components {
				b.join(i, name, []int{c})
			}
			continue
		}
		var all []int
		for c, m := range b.components {
			if slices.Contains(m.Alphabet()[1:], name) {
				all = append(all, c)
			}
		}
		b.join(i, name, all)
	}
}

// join adds the steps in which the participants do the action together.
func (b *structureBuilder) join(i int, name string, participants []int) {
	targets := [][]int32{slices.Clone(b.locals[i])}
	for _, c := range participants {
		m := b.components[c]
		var next [][]int32
		for _, t := range targets {
			for _, e := range m.Edges(t[c]) {
				if m.Alphabet()[e.Action] == name {
					u := slices.Clone(t)
					u[c] = e.Target
					next = append(next, u)
				}
			}
		}
		targets = next
	}
	for _, t := range targets {
		target := b.state(t)
		b.s.States[i].Edges = append(b.s.States[i].Edges, StructureEdge{Event: name, Target: target, Moved: participants})
	}
}

// HasDeadlock reports whether some state (all are reachable) has no successor.
func (s *Structure) HasDeadlock() bool {
	return slices.ContainsFunc(s.States, func(q StructureState) bool { return len(q.Edges) == 0 })
}

// Fairness restricts the runs that count.
type Fairness int

const (
	NoFairness  Fairness = iota
	ProcessFair          // a component that can always move from some point on moves again and again
	ActionFair           // an action that is always possible from some point on occurs again and again
	StrongFair           // an action that is possible again and again occurs again and again
	ChoiceFair           // a step whose source is visited again and again is taken again and again
)

// Satisfiable reports whether some run of s satisfies f: from an initial state,
// infinite, or finished and stuttering if stutter is set, and fair.
//
// It knows no automata. Its nodes are pairs of a step and a guess, for every
// temporal subformula, whether it will hold after the step (for X: whether its
// operand will), or, with a past operator, whether it held before; the truth of all subformulas before the step follows. Edges
// demand that the guesses come true, and one set of nodes per subformula, to be
// visited again and again, rules out guesses that put things off forever
// [LichtensteinPnueli85].
func (s *Structure) Satisfiable(f *ltl.Formula, stutter bool, fairness Fairness) bool {
	return s.SatisfiableFair(f, stutter, fairness, nil)
}

type tableau struct {
	s        *Structure
	temporal []*ltl.Formula
	source   []int           // per step: its source state
	step     []StructureEdge // per step
	nodes    []tableauNode
	next     [][]int
	back     [][]int
	root     *ltl.Formula
}

type tableauNode struct {
	step  int
	guess map[*ltl.Formula]bool
	value map[*ltl.Formula]bool
}

func newTableau(s *Structure, f *ltl.Formula, stutter bool) *tableau {
	t := &tableau{s: s, root: f}
	t.collect(f, map[*ltl.Formula]bool{})
	for q, state := range s.States {
		edges := state.Edges
		if len(edges) == 0 && stutter {
			edges = []StructureEdge{{Event: "", Target: q}}
		}
		for _, e := range edges {
			t.source = append(t.source, q)
			t.step = append(t.step, e)
		}
	}
	nodesAt := make([][]int, len(s.States))
	for step := range t.step {
		for bits := range 1 << len(t.temporal) {
			node := tableauNode{step: step, guess: map[*ltl.Formula]bool{}, value: map[*ltl.Formula]bool{}}
			for i, g := range t.temporal {
				node.guess[g] = bits>>i&1 == 1
			}
			t.evaluate(f, &node)
			nodesAt[t.source[step]] = append(nodesAt[t.source[step]], len(t.nodes))
			t.nodes = append(t.nodes, node)
		}
	}
	t.next = make([][]int, len(t.nodes))
	t.back = make([][]int, len(t.nodes))
	for n, node := range t.nodes {
		for _, m := range nodesAt[t.step[node.step].Target] {
			if t.comesTrue(node, t.nodes[m]) {
				t.next[n] = append(t.next[n], m)
				t.back[m] = append(t.back[m], n)
			}
		}
	}
	return t
}

func (t *tableau) collect(f *ltl.Formula, seen map[*ltl.Formula]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	for _, g := range f.Args() {
		t.collect(g, seen)
	}
	if isTemporal(f) {
		t.temporal = append(t.temporal, f)
	}
}

func isTemporal(f *ltl.Formula) bool {
	switch f.Op() {
	case ltl.Next, ltl.Eventually, ltl.Always, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease:
		return true
	}
	return f.IsPast()
}

// comesTrue reports whether what a guesses holds in b.
func (t *tableau) comesTrue(a, b tableauNode) bool {
	for _, g := range t.temporal {
		if g.IsPast() {
			before := a.value[g]
			if g.Op() == ltl.Yesterday || g.Op() == ltl.WeakYesterday {
				before = a.value[g.Left()]
			}
			if b.guess[g] != before {
				return false
			}
			continue
		}
		after := b.value[g]
		if g.Op() == ltl.Next {
			after = b.value[g.Left()]
		}
		if a.guess[g] != after {
			return false
		}
	}
	return true
}

func (t *tableau) evaluate(f *ltl.Formula, n *tableauNode) bool {
	if v, ok := n.value[f]; ok {
		return v
	}
	args := make([]bool, len(f.Args()))
	for i, g := range f.Args() {
		args[i] = t.evaluate(g, n)
	}
	v := t.compute(f, args, n)
	n.value[f] = v
	return v
}

func (t *tableau) compute(f *ltl.Formula, x []bool, n *tableauNode) bool {
	later := n.guess[f] // or before
	switch f.Op() {
	case ltl.False:
		return false
	case ltl.True:
		return true
	case ltl.Atomic:
		return t.atom(f.Atom(), n.step)
	case ltl.Not:
		return !x[0]
	case ltl.And:
		return !slices.Contains(x, false)
	case ltl.Or:
		return slices.Contains(x, true)
	case ltl.Xor:
		return x[0] != x[1]
	case ltl.Implies:
		return !x[0] || x[1]
	case ltl.Iff:
		return x[0] == x[1]
	case ltl.Next, ltl.Yesterday, ltl.WeakYesterday:
		return later
	case ltl.Eventually, ltl.Once:
		return x[0] || later
	case ltl.Always, ltl.Historically:
		return x[0] && later
	case ltl.Until, ltl.WeakUntil, ltl.Since:
		return x[1] || x[0] && later
	case ltl.Release, ltl.StrongRelease, ltl.Triggered:
		return x[1] && (x[0] || later)
	}
	panic(fmt.Sprintf("naive: operator %d", f.Op()))
}

func (t *tableau) atom(a ltl.Atom, step int) bool {
	state := t.s.States[t.source[step]]
	switch a.Kind {
	case ltl.Prop:
		return state.Props[a.Name]
	case ltl.Event:
		return t.step[step].Event == a.Name
	case ltl.Deadlock:
		return len(state.Edges) == 0
	case ltl.Enabled:
		return slices.ContainsFunc(state.Edges, func(e StructureEdge) bool { return e.Event == a.Name })
	}
	panic(fmt.Sprintf("naive: atom %v", a))
}

// settled reports whether node n does not put subformula g off: a least
// fixpoint that holds is fulfilled here, a greatest that fails is broken here.
func settled(g *ltl.Formula, n tableauNode) bool {
	arg := func(i int) bool { return n.value[g.Args()[i]] }
	v := n.value[g]
	switch g.Op() {
	case ltl.Eventually:
		return !v || arg(0)
	case ltl.Always:
		return v || !arg(0)
	case ltl.Until:
		return !v || arg(1)
	case ltl.WeakUntil:
		return v || !arg(0) && !arg(1)
	case ltl.Release:
		return v || !arg(1)
	case ltl.StrongRelease:
		return !v || arg(0) && arg(1)
	}
	return true
}

// promises returns, for each temporal subformula, the nodes that do not put it
// off, and last all nodes: the sets that a run must visit again and again.
func (t *tableau) promises() [][]bool {
	var recurring [][]bool
	for _, g := range t.temporal {
		recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return settled(g, n) }))
	}
	return append(recurring, t.nodesWhere(func(tableauNode) bool { return true }))
}

// fairRegions returns subsets of within such that every node of a set starts an
// infinite path that stays in the set, visits each of recurring again and again and
// is fair, and such that every such path inside within ends up in one of them.
func (t *tableau) fairRegions(fairness Fairness, within []bool, recurring [][]bool) [][]bool {
	recurring = slices.Clip(recurring)
	switch fairness {
	case ProcessFair:
		for _, c := range t.components() {
			recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool {
				can := slices.ContainsFunc(t.s.States[t.source[n.step]].Edges, func(e StructureEdge) bool { return slices.Contains(e.Moved, c) })
				return !can || slices.Contains(t.step[n.step].Moved, c)
			}))
		}
	case ActionFair:
		for _, a := range t.events() {
			recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool {
				return !t.atom(ltl.Atom{Kind: ltl.Enabled, Name: a}, n.step) || t.step[n.step].Event == a
			}))
		}
	case StrongFair:
		return t.strongRegions(within, recurring)
	case ChoiceFair:
		return t.choiceRegions(within, recurring)
	}
	return [][]bool{t.recur(within, recurring)}
}

// strongRegions tries every set of actions as the set of those that are
// possible again and again: all of these must occur again and again, and the
// others are never possible.
func (t *tableau) strongRegions(all []bool, recurring [][]bool) [][]bool {
	events := t.events()
	var regions [][]bool
	for bits := range 1 << len(events) {
		within := slices.Clone(all)
		sets := slices.Clone(recurring)
		for i, a := range events {
			if bits>>i&1 == 1 {
				sets = append(sets, t.nodesWhere(func(n tableauNode) bool { return t.step[n.step].Event == a }))
				continue
			}
			for j, n := range t.nodes {
				if t.atom(ltl.Atom{Kind: ltl.Enabled, Name: a}, n.step) {
					within[j] = false
				}
			}
		}
		regions = append(regions, t.recur(within, sets))
	}
	return regions
}

// choiceRegions uses that a run with fair choice takes every step of a bottom
// strongly connected component of the structure again and again, and nothing
// else from some point on.
func (t *tableau) choiceRegions(within []bool, recurring [][]bool) [][]bool {
	reach := make([][]bool, len(t.s.States))
	for q := range t.s.States {
		reach[q] = t.s.reachable(q)
	}
	var regions [][]bool
	for q := range t.s.States {
		bottom := true
		for r := range t.s.States {
			bottom = bottom && (!reach[q][r] || reach[r][q])
		}
		if !bottom {
			continue
		}
		within := slices.Clone(within)
		for i, n := range t.nodes {
			within[i] = within[i] && reach[q][t.source[n.step]]
		}
		sets := slices.Clone(recurring)
		for step, from := range t.source {
			if reach[q][from] {
				sets = append(sets, t.nodesWhere(func(n tableauNode) bool { return n.step == step }))
			}
		}
		regions = append(regions, t.recur(within, sets))
	}
	return regions
}

// reachable includes q itself.
func (s *Structure) reachable(q int) []bool {
	seen := make([]bool, len(s.States))
	seen[q] = true
	for todo := []int{q}; len(todo) > 0; {
		r := todo[0]
		todo = todo[1:]
		for _, e := range s.States[r].Edges {
			if !seen[e.Target] {
				seen[e.Target] = true
				todo = append(todo, e.Target)
			}
		}
	}
	return seen
}

func (t *tableau) events() []string {
	var events []string
	for _, e := range t.step {
		if e.Event != "" {
			events = append(events, e.Event)
		}
	}
	slices.Sort(events)
	return slices.Compact(events)
}

func (t *tableau) components() []int {
	var moved []int
	for _, e := range t.step {
		moved = append(moved, e.Moved...)
	}
	slices.Sort(moved)
	return slices.Compact(moved)
}

func (t *tableau) nodesWhere(p func(tableauNode) bool) []bool {
	set := make([]bool, len(t.nodes))
	for i, n := range t.nodes {
		set[i] = p(n)
	}
	return set
}

// recur is the nested fixpoint of [EmersonLei86]: the largest subset z
// of within from whose nodes every set of recurring can be reached, inside z, by
// one step or more. At least one set must be given.
func (t *tableau) recur(within []bool, recurring [][]bool) []bool {
	z := slices.Clone(within)
	for changed := true; changed; {
		changed = false
		for _, set := range recurring {
			ok := t.canReach(z, set)
			for n := range z {
				if z[n] && !ok[n] {
					z[n] = false
					changed = true
				}
			}
		}
	}
	return z
}

// canReach returns the nodes of z that reach a node of z and set in one step or
// more without leaving z.
func (t *tableau) canReach(z, set []bool) []bool {
	reach := make([]bool, len(t.nodes))
	var todo []int
	push := func(n int) {
		for _, p := range t.back[n] {
			if z[p] && !reach[p] {
				reach[p] = true
				todo = append(todo, p)
			}
		}
	}
	for n := range t.nodes {
		if z[n] && set[n] {
			push(n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		push(n)
	}
	return reach
}

// initialReaches reports whether a path from an initial node in which the
// formula holds meets the region. (Nodes of unfair guesses on the way do no harm:
// the guesses of the region are right, and edges carry that backwards.)
func (t *tableau) initialReaches(region []bool) bool {
	seen := make([]bool, len(t.nodes))
	var todo []int
	for n, node := range t.nodes {
		if slices.Contains(t.s.Initial, t.source[node.step]) && node.value[t.root] && t.atFirst(node) {
			seen[n] = true
			todo = append(todo, n)
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if region[n] {
			return true
		}
		for _, m := range t.next[n] {
			if !seen[m] {
				seen[m] = true
				todo = append(todo, m)
			}
		}
	}
	return false
}

// atFirst reports whether a node guesses right that nothing was before.
func (t *tableau) atFirst(n tableauNode) bool {
	for _, g := range t.temporal {
		vacuous := g.Op() == ltl.WeakYesterday || g.Op() == ltl.Historically || g.Op() == ltl.Triggered
		if g.IsPast() && n.guess[g] != vacuous {
			return false
		}
	}
	return true
}

// Temporal returns the number of temporal subformulas, in which the time of
// Satisfiable is exponential.
func Temporal(f *ltl.Formula) int {
	t := &tableau{}
	t.collect(f, map[*ltl.Formula]bool{})
	return len(t.temporal)
}

// NumSteps returns the number of edges.
func (s *Structure) NumSteps() int {
	n := 0
	for _, q := range s.States {
		n += len(q.Edges)
	}
	return n
}
