package armc

import (
	"errors"
	"slices"

	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// known is what package facts has found to hold at each location: it is assumed where an
// abstract state is left or a path is refined, and conjoined to the invariant, whose
// check proves it.
type known struct {
	at     []*logic.Term          // by location: the conjunction of its facts
	linear []*logic.Term          // without congruences, which interpolation does not get on with
	set    []map[*logic.Term]bool // the facts
}

// findKnown computes facts, or takes none.
func (r *run) findKnown() error {
	n := len(r.sys.Locations)
	r.known = known{at: make([]*logic.Term, n), linear: make([]*logic.Term, n), set: make([]map[*logic.Term]bool, n)}
	found := &facts.Facts{At: make([][]facts.Fact, n)}
	switch {
	case r.options.NoFacts:
	case r.options.Facts != nil:
		if found = r.options.Facts; len(found.At) != n {
			return errors.New("armc: the facts are of another system")
		}
	default:
		var err error
		if found, err = facts.Find(r.meter, r.sys, facts.Options{}); err != nil {
			return err
		}
	}
	for l, fs := range found.At {
		r.known.set[l] = map[*logic.Term]bool{}
		var linear []*logic.Term
		for _, f := range fs {
			r.known.set[l][f.Formula] = true
			if f.By != facts.Congruences && f.By != facts.Parities {
				linear = append(linear, f.Formula)
			}
		}
		r.known.at[l], r.known.linear[l] = found.Formula(l), logic.And(linear...)
	}
	r.found = found
	return nil
}

// with returns a cube and the facts of a location.
func (k *known) with(location int, cube []*logic.Term) *logic.Term {
	return logic.And(append(slices.Clone(cube), k.at[location])...)
}

// path is that of the blocks with facts in the guards of its steps, so that refinement
// need not find them out again.
func (r *run) path(start int, blocks []int) *program.Path {
	p := r.blocks.Path(start, blocks)
	for i, b := range blocks {
		if f := r.known.linear[r.blocks.All[b].From]; !f.IsTrue() {
			c := *p.Steps[i]
			c.Guard = logic.And(f, c.Guard)
			p.Steps[i] = &c
		}
	}
	return p
}
