package omega

import (
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
)

// maxRanked is the most states of a Büchi automaton whose complement is also tried by ranks.
const maxRanked = 6

// Complement returns an automaton for the words that a does not accept: of a deterministic
// automaton, completed, by the dual condition; of others that of an equivalent deterministic
// one, or, of small ones, a Büchi automaton of ranks if that is smaller. Letters are those over
// the atoms of a. Errors are those of the meter, which may be nil, and limits.
func (a *Automaton) Complement(meter *budget.Meter) (*Automaton, error) {
	d, err := a.Determinise(meter)
	if err != nil {
		return nil, err
	}
	d = d.Completed()
	n := d.withCondition(d.condition.Dual()).Trim().Quotient()
	n.name = ""
	if a.Deterministic() || len(n.out) < 3 {
		return n, nil
	}
	return guarded(func() (*Automaton, error) {
		b, err := a.toBuchi(buchi.StateBuchi, meter)
		if err != nil || len(b.out) > maxRanked {
			return n, err
		}
		// What has many more states becomes no smaller one.
		r, err := b.rankComplement(16*len(n.out), meter)
		if err != nil || r == nil {
			return n, err
		}
		if r, err = r.toBuchi(buchi.Buchi, meter); err != nil || len(r.out) >= len(n.out) {
			return n, err
		}
		return r, nil
	})
}

// withCondition returns the automaton with another condition of the same sets.
func (a *Automaton) withCondition(c *Condition) *Automaton {
	return a.mapEdges(a.sets, c, func(_ int32, e Edge) uint64 { return e.Marks })
}
