package armc

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// A certificate without what its proof does not need: the least set of conjuncts that a
// search from the error states comes to ([Ivrii14], the closure by need). A conjunct is
// needed if it excludes error states, or if a step needs it to reach one that is. It
// holds initially as it did before, so that what is left is inductive again.

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
	todo      [][2]int        // locations and conjuncts that are needed, and not yet explained
}

// needed returns the conjuncts of an invariant that a proof needs; nil if that is too
// much work or the solver has no answer.
func (r *run) needed(invariant []*logic.Term) ([]*logic.Term, error) {
	c := &inductiveCore{run: r}
	total := 0
	for _, inv := range invariant {
		cs := logic.Conjuncts(inv)
		total += len(cs)
		c.conjuncts, c.needed = append(c.conjuncts, cs), append(c.needed, make([]bool, len(cs)))
	}
	if total == 0 || total > coreMost {
		return nil, nil
	}
	r.solver.Clear()
	r.solver.Limit(coreQuestion)
	if ok, err := c.close(); !ok || err != nil {
		return nil, err
	}
	out := make([]*logic.Term, len(invariant))
	for l := range out {
		out[l] = logic.And(c.chosen(l, true)...)
	}
	return out, nil
}

// close explains the error regions, and then whatever that needs.
func (c *inductiveCore) close() (ok bool, err error) {
	began := c.solver.Stats().Work
	for _, e := range c.sys.Error {
		if ok, err := c.explain(e.Location, e.Where); !ok || err != nil {
			return false, err
		}
	}
	for len(c.todo) > 0 {
		l, goal := c.todo[0][0], c.conjuncts[c.todo[0][0]][c.todo[0][1]]
		c.todo = c.todo[1:]
		for _, e := range c.sys.Edges {
			if e.To != l {
				continue
			}
			if c.solver.Stats().Work-began > coreWork {
				return false, nil
			}
			after := logic.Substitute(goal, e.Command.Update)
			if i := slices.Index(c.conjuncts[e.From], after); i >= 0 {
				c.need(e.From, i) // what stays as it is, without a question
			} else if ok, err := c.explain(e.From, e.Command.Guard, logic.Not(after)); !ok || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

func (c *inductiveCore) need(l, i int) {
	if !c.needed[l][i] {
		c.needed[l][i] = true
		c.todo = append(c.todo, [2]int{l, i})
	}
}

// chosen returns the conjuncts of a location that are needed, or are not.
func (c *inductiveCore) chosen(l int, needed bool) (out []*logic.Term) {
	for i, f := range c.conjuncts[l] {
		if c.needed[l][i] == needed {
			out = append(out, f)
		}
	}
	return out
}

// explain finds conjuncts of a location that exclude some formulas. Those that are needed
// anyway come first, small ones next. ok is false if there is no answer.
func (c *inductiveCore) explain(l int, fs ...*logic.Term) (ok bool, err error) {
	what := logic.And(fs...)
	if what.IsFalse() {
		return true, nil
	}
	c.solver.Push()
	defer c.solver.Pop()
	c.solver.Assert(logic.And(append(c.chosen(l, true), what)...))
	status, err := c.solver.Check(c.ctx)
	if status == smt.Unsat || err != nil {
		return err == nil, err
	}
	others := c.chosen(l, false)
	if status, err = c.solver.Check(c.ctx, others...); status != smt.Unsat || err != nil {
		return false, err
	}
	core, err := c.solver.Core(c.ctx)
	if core == nil || err != nil {
		return false, err
	}
	some := make([]*logic.Term, len(core))
	for i, k := range core {
		some[i] = others[k]
	}
	if some, err = c.fewer(some); err != nil {
		return false, err
	}
	for _, f := range some {
		c.need(l, slices.Index(c.conjuncts[l], f))
	}
	return true, nil
}

// fewer leaves out one formula after the other, the largest first.
func (c *inductiveCore) fewer(core []*logic.Term) ([]*logic.Term, error) {
	slices.SortStableFunc(core, func(f, g *logic.Term) int { return g.Size() - f.Size() })
	for i := 0; i < len(core) && len(core) > 1; {
		without := slices.Delete(slices.Clone(core), i, i+1)
		status, err := c.solver.Check(c.ctx, without...)
		if err != nil {
			return nil, err
		}
		if status == smt.Unsat {
			core = without
		} else {
			i++
		}
	}
	return core, nil
}
