package semantics

import "slices"

// FairSet is a requirement on the runs that count: those in which actions of the
// set are possible at all times from some point on (Strong: again and again) have
// actions of the set again and again.
type FairSet struct {
	Strong  bool
	Actions []string
	Leaves  uint64 // if not 0, the requirement is on steps of these processes instead
}

// FairLeaves are the requirements of --fair=process: "every process that can take part in a step at
// all times from some point on takes part in one again and again".
func (g *Graph) FairLeaves() (all []FairSet) {
	for i := range g.Leaves {
		all = append(all, FairSet{Leaves: 1 << i})
	}
	return all
}

// Satisfies reports whether every run that meets all requirements satisfies the
// formula. It looks for one that does not: in the product of positions with
// guesses which of the formula's temporal subformulas are true there.
func (ps *Positions) Satisfies(f *Formula, fair []FairSet) bool {
	t := &tableau{ps: ps, number: map[guess]int{}, edges: map[[2]int][]int{}}
	f = core(f)
	t.collect(f)
	for _, p := range ps.Init {
		for v := range 1 << len(t.temporal) {
			if !t.value(p, v, f) {
				t.enter(guess{p, v})
			}
		}
	}
	for i := 0; i < len(t.guesses); i++ {
		t.next = append(t.next, t.successors(t.guesses[i]))
	}
	for _, scc := range components(t.next, nil) {
		if t.accepting(scc, fair) {
			return false
		}
	}
	return true
}

// guess is a position with a truth value for every temporal subformula, as bits.
type guess struct{ position, values int }

type tableau struct {
	ps       *Positions
	temporal []*Formula // X and U
	guesses  []guess
	number   map[guess]int
	next     [][]int
	edges    map[[2]int][]int // what before has found
}

func (t *tableau) collect(f *Formula) {
	for _, g := range f.Args {
		t.collect(g)
	}
	if f.Op == "X" || f.Op == "U" {
		t.temporal = append(t.temporal, f)
	}
}

func (t *tableau) enter(g guess) int {
	n, ok := t.number[g]
	if !ok {
		n = len(t.guesses)
		t.number[g] = n
		t.guesses = append(t.guesses, g)
	}
	return n
}

// value is a formula's at a position for guessed values of temporal subformulas.
func (t *tableau) value(position, values int, f *Formula) bool {
	switch f.Op {
	case "!":
		return !t.value(position, values, f.Args[0])
	case "&":
		return t.value(position, values, f.Args[0]) && t.value(position, values, f.Args[1])
	case "|":
		return t.value(position, values, f.Args[0]) || t.value(position, values, f.Args[1])
	case "X", "U":
		return values>>slices.Index(t.temporal, f)&1 == 1
	}
	return t.ps.At[position].holds(f)
}

// successors are the guesses for the next position that agree with one.
func (t *tableau) successors(g guess) []int {
	var all []int
	for _, p := range t.ps.Next[g.position] {
		for w, v := range t.before(g.position, p) {
			if v == g.values {
				all = append(all, t.enter(guess{p, w}))
			}
		}
	}
	return all
}

// before lists for all values at the position there what they make of those at the
// position here: X f is true if f is true there; f U g if g is true here, or f is
// and f U g is true there.
func (t *tableau) before(here, there int) []int {
	edge := [2]int{here, there}
	if vs, ok := t.edges[edge]; ok {
		return vs
	}
	vs := make([]int, 1<<len(t.temporal))
	for w := range vs {
		v := 0
		for i, f := range t.temporal { // subformulas first
			var is bool
			if f.Op == "X" {
				is = t.value(there, w, f.Args[0])
			} else {
				is = t.value(here, v, f.Args[1]) || w>>i&1 == 1 && t.value(here, v, f.Args[0])
			}
			if is {
				v |= 1 << i
			}
		}
		vs[w] = v
	}
	t.edges[edge] = vs
	return vs
}

// accepting reports whether a run can stay in a set of guesses for ever that is
// fair and in which every f U g that is true has a g.
func (t *tableau) accepting(scc []int, fair []FairSet) bool {
	for i, f := range t.temporal {
		if f.Op == "U" && !slices.ContainsFunc(scc, func(n int) bool {
			g := t.guesses[n]
			return g.values>>i&1 == 0 || t.value(g.position, g.values, f.Args[1])
		}) {
			return false
		}
	}
	var bad []FairSet
	for _, set := range fair {
		taken := func(n int) bool {
			if set.Leaves != 0 {
				return t.at(n).By&set.Leaves != 0
			}
			return slices.Contains(set.Actions, t.at(n).Event)
		}
		impossible := func(n int) bool { return !t.possible(n, set) }
		if slices.ContainsFunc(scc, taken) || !set.Strong && slices.ContainsFunc(scc, impossible) {
			continue
		}
		if !set.Strong { // possible everywhere and never taken
			return false
		}
		if slices.ContainsFunc(scc, func(n int) bool { return t.possible(n, set) }) {
			bad = append(bad, set)
		}
	}
	if len(bad) == 0 {
		return true
	}
	// Where the set is possible the run can be only finitely often.
	within := map[int]bool{}
	for _, n := range scc {
		within[n] = !slices.ContainsFunc(bad, func(set FairSet) bool { return t.possible(n, set) })
	}
	for _, smaller := range components(t.next, within) {
		if t.accepting(smaller, fair) {
			return true
		}
	}
	return false
}

func (t *tableau) at(n int) *Position { return &t.ps.At[t.guesses[n].position] }

func (t *tableau) possible(n int, set FairSet) bool {
	if set.Leaves != 0 {
		return t.at(n).Able&set.Leaves != 0
	}
	return slices.ContainsFunc(set.Actions, func(a string) bool { return t.at(n).Possible[a] })
}

// components are the strongly connected sets that have a way from every node to
// every node, itself too, largest ones, among the nodes within (nil: all). Tarjan.
func components(next [][]int, within map[int]bool) [][]int {
	allowed := func(n int) bool { return within == nil || within[n] }
	index, low := make([]int, len(next)), make([]int, len(next))
	on := make([]bool, len(next))
	var stack []int
	var sets [][]int
	count := 0
	var visit func(int)
	visit = func(n int) {
		count++
		index[n], low[n] = count, count
		stack, on[n] = append(stack, n), true
		loop := false
		for _, m := range next[n] {
			if !allowed(m) {
				continue
			}
			loop = loop || m == n
			if index[m] == 0 {
				visit(m)
				low[n] = min(low[n], low[m])
			} else if on[m] {
				low[n] = min(low[n], index[m])
			}
		}
		if low[n] != index[n] {
			return
		}
		i := slices.Index(stack, n)
		set := slices.Clone(stack[i:])
		stack = stack[:i]
		for _, m := range set {
			on[m] = false
		}
		if len(set) > 1 || loop {
			sets = append(sets, set)
		}
	}
	for n := range next {
		if allowed(n) && index[n] == 0 {
			visit(n)
		}
	}
	return sets
}
