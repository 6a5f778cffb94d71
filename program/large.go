package program

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
)

// LargeBlocks makes one block of all paths between two cut points (large-block encoding,
// [Beyer09]): locations that are initial or errors, heads of loops, those whose edges
// choose inputs that matter, and some more so that blocks stay small enough to be asked
// about (adjustable-block encoding, [Beyer10]). Locations that no path from an initial one
// comes to are left out.
//
// Parallel paths become one command again, but at the heads of loops only those with the
// same first edge: there a choice of steps is worth more to a search than fewer of them.
// Where guards exclude each other, values are conditional ones, otherwise an input
// chooses. Every part is written once, so that blocks are as large as the edges they are
// made of and not as the paths; beyond that the work is quadratic in the size of blocks,
// which is bounded.
func LargeBlocks(sys *System) *Blocks { return largeBlocks(sys, maxBranches) }

const (
	// maxBranches bounds how many times a run through a block has the choice between
	// paths: a question about a block may take exponential time in that.
	maxBranches = 16
	// maxWays bounds how many ways from a location are put together, which takes
	// quadratic time; where there are more, every edge begins a block of its own.
	maxWays = 256
	// maxParts bounds the conjuncts and assignments of a block.
	maxParts = 1000
	// maxImages bounds how many different values a block can give to the variables for
	// the same state, by way of inputs: invariants within the block speak of all of them.
	maxImages = 32
)

func largeBlocks(sys *System, branches int) *Blocks {
	init, bad := sys.union(sys.Init), sys.union(sys.Error)
	b := newBlocks(sys, init, bad)
	n := len(sys.Locations)
	in := &inner{sys: sys, out: make([][]int, n), kept: make([]bool, n), heads: make([]bool, n), exits: make([][]*exit, n), plain: make([]*logic.Term, len(sys.Edges)),
		images: make([]int, n), branches: branches}
	for i, e := range sys.Edges {
		in.out[e.From] = append(in.out[e.From], i)
	}
	for l := range n {
		in.kept[l] = !init[l].IsFalse() || !bad[l].IsFalse()
	}
	in.names()
	in.met = make([]bool, n)
	for _, l := range in.order(init) {
		in.met[l] = true
		in.leave(l)
	}
	for l := range n {
		for _, x := range in.exits[l] {
			if in.kept[l] {
				first := in.out[l]
				if in.heads[l] {
					first = []int{x.first}
				}
				edges, merged := in.edgesOf(first, x.to)
				b.add(Block{l, x.to, edges, merged, &x.Command})
			}
		}
	}
	b.inner = in
	return b
}

// inner is the inside of large blocks.
type inner struct {
	sys      *System
	out      [][]int // edges by where they begin
	kept     []bool  // locations that are cut points
	heads    []bool  // of loops, and of more than maxWays ways
	met      []bool  // locations that a path from an initial one comes to
	removed  []int   // those that are no cut points, none before one that it leads to
	exits    [][]*exit
	plain    []*logic.Term // by edge: the guard without inputs, if it chooses some that do not matter
	images   []int         // by location: see maxImages
	branches int
	taken    map[string]bool // names of variables
}

// exit is all that can happen from a location to the next cut point.
type exit struct {
	Command
	first    int // edge, of those that are not merged
	to       int
	when     *logic.Term // the guards of the first edges
	branches int         // see maxBranches
}

// order makes cut points of the heads of loops, and returns the locations that paths from
// initial ones come to, each one behind those that it leads to unless that closes a loop.
func (in *inner) order(init []*logic.Term) (order []int) {
	var roots []int
	for l := range init {
		if !init[l].IsFalse() {
			roots = append(roots, l)
		}
	}
	to := func(e int) int { return in.sys.Edges[e].To }
	scc.DepthFirst(len(in.out), roots, scc.Along(in.out, to), func(l int) { order = append(order, l) }, func(l, i int) {
		head := to(in.out[l][i])
		in.kept[head], in.heads[head] = true, true
	})
	return order
}

// leave finds the exits of a location from those that its edges lead to, and makes it a
// cut point if it has to be one.
func (in *inner) leave(l int) {
	images := 0
	for _, e := range in.out[l] {
		in.kept[l] = !in.withoutInputs(e) || in.kept[l]
		if to := in.sys.Edges[e].To; in.kept[to] {
			images++
		} else {
			images += in.images[to]
		}
	}
	var ways []*exit
	for _, e := range in.out[l] {
		first := in.first(l, e)
		if in.kept[first.to] {
			ways = append(ways, first)
			continue
		}
		for _, x := range in.exits[first.to] {
			if y := first.then(x); y != nil {
				ways = append(ways, y)
			}
		}
	}
	if len(ways) > maxWays {
		in.kept[l], in.heads[l] = true, true
	}
	if in.heads[l] {
		in.exits[l] = ways
		return
	}
	exits := in.merge(l, ways)
	parts, branches, free := 0, 0, true
	for _, x := range exits {
		parts += len(logic.Conjuncts(x.Guard)) + len(x.Update)
		branches = max(branches, x.branches)
		free = free && len(x.Inputs) == 0
	}
	if free {
		images = 1
	}
	in.exits[l], in.images[l] = exits, images
	in.kept[l] = in.kept[l] || parts > maxParts || branches > in.branches || images > maxImages
	if !in.kept[l] {
		in.removed = append(in.removed, l)
	}
}

// withoutInputs reports whether the inputs of an edge only say whether it can be taken;
// plain is the guard without them then.
func (in *inner) withoutInputs(e int) bool {
	c := in.sys.Edges[e].Command
	if len(c.Inputs) == 0 {
		return true
	}
	var values []*logic.Term
	for _, t := range c.Update {
		values = append(values, t)
	}
	if slices.ContainsFunc(logic.Vars(values...), func(v *logic.Term) bool { return slices.Contains(c.Inputs, v) }) {
		return false
	}
	cubes, exact, ok := c.PreCube(nil)
	or := lists.Append(nil, cubes, func(cube []*logic.Term) *logic.Term { return logic.And(cube...) })
	in.plain[e] = logic.Or(or...)
	return exact && ok
}

// names finds out which names inputs must not have.
func (in *inner) names() {
	in.taken = map[string]bool{}
	for _, v := range in.sys.Vars {
		in.taken[v.Name()] = true
	}
}

// input is what an input of the edges at a location is called in blocks. A run takes one
// edge there at most.
func (in *inner) input(l int, v *logic.Term) *logic.Term {
	name := fmt.Sprintf("%s@%d", v.Name(), l)
	for in.taken[name] {
		name += "'"
	}
	return logic.Var(name, v.Sort())
}

// first is the way of an edge alone.
func (in *inner) first(l, e int) *exit {
	edge := &in.sys.Edges[e]
	c := *edge.Command
	if len(c.Inputs) > 0 {
		by := map[*logic.Term]*logic.Term{}
		inputs := make([]*logic.Term, len(c.Inputs))
		for i, v := range c.Inputs {
			inputs[i] = in.input(l, v)
			by[v] = inputs[i]
		}
		update := map[*logic.Term]*logic.Term{}
		for v, t := range c.Update {
			update[v] = logic.Substitute(t, by)
		}
		c = Command{inputs, logic.Substitute(c.Guard, by), update}
	}
	return &exit{Command: c, first: e, to: edge.To, when: c.Guard}
}

// then returns the way of an edge and what comes behind it, nil if there is none.
func (x *exit) then(y *exit) *exit {
	vars := slices.Collect(maps.Keys(y.Update))
	terms := []*logic.Term{y.Guard}
	for _, v := range vars {
		terms = append(terms, y.Update[v])
	}
	terms = logic.SubstituteAll(terms, x.Update)
	guard := logic.And(x.Guard, terms[0])
	if guard.IsFalse() {
		return nil
	}
	update := map[*logic.Term]*logic.Term{}
	maps.Copy(update, x.Update)
	for i, v := range vars {
		update[v] = terms[1+i]
	}
	return &exit{Command{slices.Concat(x.Inputs, y.Inputs), guard, update}, x.first, y.to, x.when, y.branches}
}

// merge makes one exit of all ways to the same cut point.
func (in *inner) merge(l int, ways []*exit) (out []*exit) {
	number := map[int]int{}
	for k, w := range ways {
		i, ok := number[w.to]
		if !ok {
			number[w.to] = len(out)
			out = append(out, w)
			continue
		}
		way := in.input(l, logic.Var(fmt.Sprintf("seltl!way%d", k), logic.Bool))
		out[i] = or(out[i], w, way)
	}
	return out
}

// or is one way or another. If both are possible in a state and lead to others, the input
// says which one it is.
func or(a, b *exit, way *logic.Term) *exit {
	out := &exit{to: a.to, when: logic.Or(a.when, b.when), branches: max(a.branches, b.branches) + 1}
	out.Inputs, out.Update = slices.Clone(a.Inputs), a.Update
	for _, v := range b.Inputs {
		if !slices.Contains(out.Inputs, v) {
			out.Inputs = append(out.Inputs, v)
		}
	}
	common, left, right := split(logic.Conjuncts(a.Guard), logic.Conjuncts(b.Guard))
	if maps.Equal(a.Update, b.Update) {
		out.Guard = logic.And(append(common, logic.Or(logic.And(left...), logic.And(right...)))...)
		return out
	}
	chosen := b.when // where it is true, b is taken
	if exclusive(a.when, b.when) {
		right = without(right, logic.Conjuncts(chosen))
		left = without(left, logic.Conjuncts(logic.Not(chosen)))
	} else {
		chosen = way
		out.Inputs = append(out.Inputs, way)
	}
	out.Guard = logic.And(append(common, logic.Or(logic.Not(chosen), logic.And(right...)), logic.Or(chosen, logic.And(left...)))...)
	out.Update = map[*logic.Term]*logic.Term{}
	for _, some := range []*exit{a, b} {
		for v := range some.Update {
			out.Update[v] = logic.Ite(chosen, b.value(v), a.value(v))
		}
	}
	return out
}

// value is what a variable gets.
func (x *exit) value(v *logic.Term) *logic.Term {
	if t := x.Update[v]; t != nil {
		return t
	}
	return v
}

// split takes the common conjuncts of two guards apart.
func split(a, b []*logic.Term) (common, left, right []*logic.Term) {
	in := map[*logic.Term]bool{}
	for _, f := range b {
		in[f] = true
	}
	for _, f := range a {
		if in[f] {
			common = append(common, f)
			delete(in, f)
		} else {
			left = append(left, f)
		}
	}
	for _, f := range b {
		if in[f] {
			right = append(right, f)
		}
	}
	return common, left, right
}

func without(fs, others []*logic.Term) []*logic.Term {
	return slices.DeleteFunc(fs, func(f *logic.Term) bool { return slices.Contains(others, f) })
}

// exclusive reports whether two formulas are not true together, as far as their literals
// show.
func exclusive(a, b *logic.Term) bool {
	if logic.Not(a) == b {
		return true
	}
	for _, f := range logic.Disjuncts(a) {
		for _, g := range logic.Disjuncts(b) {
			if !slices.ContainsFunc(logic.Conjuncts(f), func(p *logic.Term) bool {
				return slices.ContainsFunc(logic.Conjuncts(g), func(q *logic.Term) bool { return logic.Not(p) == q || apart(p, q) })
			}) {
				return false
			}
		}
	}
	return true
}

// apart reports whether two bounds of one sum leave no value for it.
func apart(p, q *logic.Term) bool {
	op, _, bound, negated, ok := logic.LinearAtom(p)
	otherOp, _, otherBound, otherNegated, otherOk := logic.LinearAtom(q)
	if !ok || !otherOk || negated || otherNegated {
		return false
	}
	sum, other := p.Args()[0], q.Args()[0]
	same, opposite := sum == other, sum == logic.Neg(other)
	switch {
	case op == logic.OpEq && otherOp == logic.OpEq:
		return same && bound.Cmp(otherBound) != 0
	case op == logic.OpEq:
		return apart(q, p)
	}
	// sum <= bound, and sum >= least or sum = least
	least := otherBound
	switch {
	case opposite:
		least = new(big.Rat).Neg(otherBound)
	case !same || otherOp != logic.OpEq:
		return false
	}
	c := least.Cmp(bound)
	return c > 0 || c == 0 && (op == logic.OpLt || otherOp == logic.OpLt)
}

// edgesOf returns the edges of paths to a cut point that begin with some edges of one
// location, each one behind those that lead to it, and whether there are several paths.
func (in *inner) edgesOf(first []int, to int) (edges []int, merged bool) {
	next := func(some []int, k int) (e, l int, ok bool) {
		e = some[k]
		if l = in.sys.Edges[e].To; in.kept[l] {
			return e, l, l == to
		}
		return e, l, slices.ContainsFunc(in.exits[l], func(x *exit) bool { return x.to == to })
	}
	type visit struct {
		out  []int
		next int
	}
	var order [][]int // edges of locations, the last ones first
	seen := map[int]bool{}
	for stack := []visit{{first, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(top.out) {
			order = append(order, top.out)
			stack = stack[:len(stack)-1]
			continue
		}
		_, l, ok := next(top.out, top.next)
		top.next++
		if ok && !in.kept[l] && !seen[l] {
			seen[l] = true
			stack = append(stack, visit{in.out[l], 0})
		}
	}
	slices.Reverse(order)
	for _, out := range order {
		ways := 0
		for k := range out {
			if e, _, ok := next(out, k); ok {
				edges = append(edges, e)
				ways++
			}
		}
		merged = merged || ways > 1
	}
	return edges, merged
}

// expand gives invariants to the locations inside: weakest preconditions of those at cut
// points; see Blocks.Expand. No block speaks of locations that runs never come to, so that
// nothing but false is an invariant whatever their edges are.
func (in *inner) expand(x *expansion) error {
	for l, met := range in.met {
		if !met {
			x.invariant[l] = logic.False()
		}
	}
	for _, l := range in.removed {
		inv := []*logic.Term{}
		add := func(c *Command, to int) error {
			before, err := x.before(c, to)
			inv = append(inv, before)
			return err
		}
		if in.images[l] == 1 && !slices.ContainsFunc(in.exits[l], func(e *exit) bool { return len(e.Inputs) > 0 }) {
			for _, e := range in.exits[l] {
				if err := add(&e.Command, e.to); err != nil {
					return err
				}
			}
		} else {
			for _, e := range in.out[l] {
				edge := &in.sys.Edges[e]
				c := *edge.Command
				if len(c.Inputs) > 0 {
					c.Guard = in.plain[e]
				}
				if err := add(&c, edge.To); err != nil {
					return err
				}
			}
		}
		x.invariant[l] = logic.And(inv...)
	}
	return nil
}

// follow adds the edges to a trace that a step of a block takes.
func (in *inner) follow(t *Trace, b *Block, inputs logic.Model) error {
	end, err := b.Command.Step(t.States[len(t.States)-1], inputs)
	if err != nil {
		return err
	}
	if e := b.Edges[0]; len(b.Edges) == 1 && in.kept[in.sys.Edges[e].To] {
		t.Edges, t.Inputs, t.States = append(t.Edges, e), append(t.Inputs, in.inputsOf(e, inputs)), append(t.States, end)
		return nil
	}
	edges := in.out[b.From]
	if in.heads[b.From] {
		edges = b.Edges[:1]
	}
	for {
		edge, chosen, next := in.step(edges, b.To, t.States[len(t.States)-1], inputs, end)
		if edge < 0 {
			return errors.New("no edge leads on at " + in.sys.Locations[in.sys.Edges[edges[0]].From].Name)
		}
		t.Edges, t.Inputs, t.States = append(t.Edges, edge), append(t.Inputs, chosen), append(t.States, next)
		at := in.sys.Edges[edge].To
		if in.kept[at] {
			return nil
		}
		edges = in.out[at]
	}
}

// inputsOf takes the inputs of an edge from those of a block.
func (in *inner) inputsOf(e int, inputs logic.Model) logic.Model {
	edge := &in.sys.Edges[e]
	if len(edge.Command.Inputs) == 0 {
		return nil
	}
	chosen := make(logic.Model, len(edge.Command.Inputs))
	for _, v := range edge.Command.Inputs {
		chosen[v.Name()] = inputs[in.input(edge.From, v).Name()]
	}
	return chosen
}

// step finds the edge by which a run goes on to the end of its block.
func (in *inner) step(edges []int, to int, state, inputs, end logic.Model) (edge int, chosen, next logic.Model) {
	for _, e := range edges {
		c := in.sys.Edges[e].Command
		chosen := in.inputsOf(e, inputs)
		next, err := c.Step(state, chosen)
		if err != nil {
			continue
		}
		behind := in.sys.Edges[e].To
		if in.kept[behind] {
			if behind == to && sameState(next, end) {
				return e, chosen, next
			}
			continue
		}
		for _, x := range in.exits[behind] {
			if x.to != to {
				continue
			}
			if last, err := x.Step(next, inputs); err == nil && sameState(last, end) {
				return e, chosen, next
			}
		}
	}
	return -1, nil, nil
}
