package armc

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// A certificate without what its proof does not need: the least set of conjuncts that a
// search from the error states comes to ([Ivrii14], the closure by need). A conjunct is
// needed if it excludes error states, or if a step needs it to reach one that is. It
// holds initially as it did before, so that what is left is inductive again.
//
// There is no core for each conjunct and step, which would be two questions for most: a
// state from which something goes wrong is asked for of all steps from a location at once,
// and each that there is asks for one conjunct more.

const (
	coreMost     = 400     // conjuncts that are looked at; a larger invariant stays as it is
	coreQuestion = 100_000 // work of the solver for one question
	coreWork     = 600_000 // and for all
)

// inductiveCore is one reduction of an invariant.
type inductiveCore struct {
	*run
	conjuncts [][]*logic.Term // by location
	needed    [][]bool        // likewise
	in        [][]int         // edges by where they end
	bad       [][]*logic.Term // by location: what its states must not be, or do, and was not yet excluded
	todo      []int           // locations with such
}

// needed returns the conjuncts of an invariant that a proof needs; nil if that is too
// much work or the solver has no answer.
func (r *run) needed(invariant []*logic.Term) ([]*logic.Term, error) {
	n := len(invariant)
	c := &inductiveCore{run: r, in: make([][]int, n), bad: make([][]*logic.Term, n)}
	total := 0
	for _, inv := range invariant {
		cs := logic.Conjuncts(inv)
		total += len(cs)
		c.conjuncts, c.needed = append(c.conjuncts, cs), append(c.needed, make([]bool, len(cs)))
	}
	if total == 0 || total > coreMost {
		return nil, nil
	}
	for i, e := range r.sys.Edges {
		c.in[e.To] = append(c.in[e.To], i)
	}
	r.solver.Clear()
	r.solver.Limit(coreQuestion)
	if ok, err := c.close(); !ok || err != nil {
		return nil, err
	}
	out := make([]*logic.Term, n)
	for l := range out {
		out[l] = logic.And(c.chosen(l)...)
	}
	return out, nil
}

// close excludes the error regions, and then whatever that needs.
func (c *inductiveCore) close() (ok bool, err error) {
	began := c.solver.Stats().Work
	for _, e := range c.sys.Error {
		c.exclude(e.Location, e.Where)
	}
	for len(c.todo) > 0 {
		l := c.todo[0]
		c.todo = c.todo[1:]
		bad := logic.Or(c.bad[l]...)
		c.bad[l] = nil
		some, ok, err := c.explain(l, bad, began+coreWork)
		if !ok || err != nil {
			return false, err
		}
		for _, i := range some {
			c.need(l, i)
		}
	}
	return true, nil
}

// explain finds conjuncts of a location that, with those that are needed anyway, exclude
// its bad states; ok is false if there is no answer within a limit of work.
func (c *inductiveCore) explain(l int, bad *logic.Term, limit uint64) (some []int, ok bool, err error) {
	c.solver.Push()
	defer c.solver.Pop()
	c.solver.Assert(logic.And(append(c.chosen(l), bad)...))
	var assumed []*logic.Term
	for c.solver.Stats().Work <= limit {
		status, err := c.solver.Check(c.ctx, assumed...)
		if status == smt.Unsat && err == nil {
			return c.core(some)
		}
		if status != smt.Sat || err != nil {
			return nil, false, err
		}
		m, err := c.solver.Model(c.ctx)
		if m == nil || err != nil {
			return nil, false, err
		}
		i := c.refuted(l, m, logic.Vars(bad))
		if i < 0 {
			return nil, false, nil
		}
		some, assumed = append(some, i), append(assumed, c.conjuncts[l][i])
	}
	return nil, false, nil
}

// core leaves out what was assumed and not needed after all.
func (c *inductiveCore) core(some []int) ([]int, bool, error) {
	if len(some) < 2 {
		return some, true, nil
	}
	core, err := c.solver.Core(c.ctx)
	if core == nil || err != nil {
		return nil, false, err
	}
	out := lists.Map(core, func(i int) int { return some[i] })
	return out, true, nil
}

// exclude takes down what states of a location must not be.
func (c *inductiveCore) exclude(l int, f *logic.Term) {
	if f.IsFalse() {
		return
	}
	if len(c.bad[l]) == 0 {
		c.todo = append(c.todo, l)
	}
	c.bad[l] = append(c.bad[l], f)
}

// need takes a conjunct, and takes down what it needs of the steps that lead to it.
func (c *inductiveCore) need(l, i int) {
	if c.needed[l][i] {
		return
	}
	c.needed[l][i] = true
	for _, n := range c.in[l] {
		e := &c.sys.Edges[n]
		after := logic.Substitute(c.conjuncts[l][i], e.Command.Update)
		if k := slices.Index(c.conjuncts[e.From], after); k >= 0 {
			c.need(e.From, k) // what stays as it is, without a question
		} else {
			c.exclude(e.From, logic.And(e.Command.Guard, logic.Not(after)))
		}
	}
}

// chosen returns the conjuncts of a location that are needed.
func (c *inductiveCore) chosen(l int) (out []*logic.Term) {
	for i, f := range c.conjuncts[l] {
		if c.needed[l][i] {
			out = append(out, f)
		}
	}
	return out
}

// refuted returns a conjunct of a location that is false in a model: of those that speak of
// the fewest variables that the question does not, the smallest; -1 if there is none.
func (c *inductiveCore) refuted(l int, m logic.Model, asked []*logic.Term) int {
	for _, v := range c.sys.Vars {
		if _, ok := m[v.Name()]; !ok {
			m[v.Name()] = logic.Zero(v.Sort())
		}
	}
	best, least := -1, [2]int{}
	for i, f := range c.conjuncts[l] {
		if holds, err := logic.Holds(f, m); err != nil || holds {
			continue
		}
		price := [2]int{0, f.Size()}
		for _, v := range logic.Vars(f) {
			if !slices.Contains(asked, v) {
				price[0]++
			}
		}
		if best < 0 || slices.Compare(price[:], least[:]) < 0 {
			best, least = i, price
		}
	}
	return best
}
