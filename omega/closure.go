package omega

import "github.com/seltl/seltl/budget"

// Closure returns an automaton for the smallest safety property that contains the language: the
// words all of whose prefixes begin a word of it ([AlpernSchneider87]). All its runs accept.
func (a *Automaton) Closure() *Automaton {
	b := a.Trim().mapEdges(0, always, func(int32, Edge) uint64 { return 0 })
	b.name = ""
	return b
}

// Liveness returns an automaton for a liveness property (every finite word begins a word of it)
// whose intersection with Closure is the language: that together with what is outside of the
// closure. Errors are those of the meter, which may be nil, and limits.
func (a *Automaton) Liveness(meter *budget.Meter) (*Automaton, error) {
	outside, err := a.Closure().Complement(meter)
	if err != nil {
		return nil, err
	}
	u, err := Union(a, outside)
	if err != nil {
		return nil, err
	}
	return u.Trim(), nil
}
