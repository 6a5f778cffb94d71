package armc

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// The spuriousness test of Method I with its option cfp_chk ([Rybalchenko02], fig.
// 3.3 and table 5.6): the concrete pre is iterated as many steps as the abstract
// fixpoint took. Meeting initial states gives a run to try; if it reaches its
// own fixpoint, that decides the system without any abstraction.
//
// States that one known state contains, by ≤3, are dropped. Over Int projection
// may be inexact: then more states than necessary are kept, which is sound, and
// a path that cannot be run is passed over.
type concreteFixpoint struct {
	*run
	states   []concreteState
	at       [][]int // states by location that no later one contains
	frontier []int
	steps    int
	gaveUp   bool
	neverHit bool // no state overlapped with initial ones
}

type concreteState struct {
	location    int
	cube        []*logic.Term
	block, next int
}

// maxConcrete bounds the states of the concrete iteration; beyond it the test
// falls back to the paths of the abstract fixpoint.
const maxConcrete = 1500

func newConcreteFixpoint(r *run, unsafe []backState) (*concreteFixpoint, error) {
	c := &concreteFixpoint{run: r, neverHit: true, at: make([][]int, len(r.sys.Locations))}
	for _, u := range unsafe {
		if err := c.add(concreteState{u.location, u.cube, -1, -1}); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// iterate goes on to the given number of steps in all. It returns the states
// found that overlap with initial ones.
func (c *concreteFixpoint) iterate(steps int) (hits []int, err error) {
	for ; c.steps < steps && len(c.frontier) > 0 && !c.gaveUp; c.steps++ {
		layer := c.frontier
		c.frontier = nil
		for _, i := range layer {
			if err := c.tick("concrete pre", len(c.states)); err != nil {
				return nil, err
			}
			for _, b := range c.blocks.In[c.states[i].location] {
				block := &c.blocks.All[b]
				cubes, _, ok := block.Command.PreCube(c.states[i].cube)
				if !ok || len(c.states) > maxConcrete {
					c.gaveUp = true
					return hits, nil
				}
				for _, cube := range cubes {
					if err := c.add(concreteState{block.From, cube, b, i}); err != nil {
						return nil, err
					}
				}
			}
		}
		for _, i := range c.frontier {
			s := c.states[i]
			may, err := c.prover.MaySat(c.ctx, logic.And(c.blocks.Init[s.location], logic.And(s.cube...)))
			if err != nil {
				return nil, err
			}
			if may {
				hits = append(hits, i)
				c.neverHit = false
			}
		}
	}
	return hits, nil
}

// add keeps a state unless it is empty or contained in a known one. A model of
// it tells at once which known states cannot contain it.
func (c *concreteFixpoint) add(s concreteState) error {
	f := logic.And(s.cube...)
	if f.IsFalse() {
		return nil
	}
	status, m, err := smt.ModelOf(c.ctx, c.solver, f, c.known.at[s.location])
	if err != nil || status == smt.Unsat {
		return err
	}
	s.cube = slices.Clone(logic.Conjuncts(f))
	for _, i := range c.at[s.location] {
		if m != nil && refutedBy(c.states[i].cube, m) {
			continue
		}
		contained, err := c.prover.LessEq(c.ctx, predabs.Full, s.cube, c.states[i].cube)
		if err != nil || contained {
			return err
		}
	}
	c.frontier = append(c.frontier, len(c.states))
	c.at[s.location] = append(c.at[s.location], len(c.states))
	c.states = append(c.states, s)
	return nil
}

// refutedBy reports that some literal is false in the model.
func refutedBy(cube []*logic.Term, m logic.Model) bool {
	return slices.ContainsFunc(cube, func(l *logic.Term) bool {
		holds, err := logic.Holds(l, m)
		return err == nil && !holds
	})
}

// path returns the blocks from a state to the error.
func (c *concreteFixpoint) path(i int) (blocks []int) {
	for ; c.states[i].block >= 0; i = c.states[i].next {
		blocks = append(blocks, c.states[i].block)
	}
	return blocks
}

// conclude makes the invariant once the fixpoint is reached.
func (c *concreteFixpoint) conclude() error {
	invariant := make([]*logic.Term, len(c.sys.Locations))
	for l := range invariant {
		parts := lists.Append(nil, c.at[l], func(i int) *logic.Term { return logic.Not(logic.And(c.states[i].cube...)) })
		invariant[l] = logic.And(parts...)
	}
	return c.safe(invariant)
}
