package omega

import "github.com/seltl/seltl/budget"

// Complement returns an automaton for the words that a does not accept: of a deterministic
// automaton, completed, by the dual condition; of others that of an equivalent deterministic
// one. Letters are those over the atoms of a. Errors are those
// of the meter, which may be nil, and limits.
func (a *Automaton) Complement(meter *budget.Meter) (*Automaton, error) {
	d, err := a.Determinise(meter)
	if err != nil {
		return nil, err
	}
	d = d.Completed()
	n := d.withCondition(d.condition.Dual()).Trim().Quotient()
	n.name = ""
	return n, nil
}

// withCondition returns the automaton with another condition of the same sets.
func (a *Automaton) withCondition(c *Condition) *Automaton {
	return a.mapEdges(a.sets, c, func(_ int32, e Edge) uint64 { return e.Marks })
}
