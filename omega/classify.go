package omega

import (
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
)

// Classify decides the class of the language in the hierarchy of Manna and Pnueli
// [MannaPnueli90], and whether it is stutter-invariant, on a deterministic parity automaton.
// Errors are those of the meter, which may be nil, and limits.
func (a *Automaton) Classify(meter *budget.Meter) (buchi.Class, error) {
	var c buchi.Class
	d, err := a.Determinise(meter)
	if err != nil {
		return c, err
	}
	p, err := d.Completed().Parity(meter)
	if err != nil {
		return c, err
	}
	n := p.withCondition(p.condition.Dual())
	if c.Safety, err = disjoint(p.Closure(), n); err != nil {
		return c, err
	}
	if c.Guarantee, err = disjoint(n.Closure(), p); err != nil {
		return c, err
	}
	out := p.priorities()
	c.Recurrence, c.Persistence = !out.Mixed(1), !out.Mixed(0)
	c.Obligation = c.Recurrence && c.Persistence
	c.StutterInvariant, err = stutterInvariant(a, n, meter)
	c.StutterKnown = err == nil
	return c, err
}

func disjoint(a, b *Automaton) (bool, error) {
	p, err := Product(a, b)
	if err != nil {
		return false, err
	}
	return p.Empty(), nil
}

// StutterInvariant decides whether repeating letters, or dropping repetitions, changes nothing.
// Errors are those of the meter, which may be nil, and limits.
func (a *Automaton) StutterInvariant(meter *budget.Meter) (bool, error) {
	n, err := a.Complement(meter)
	if err != nil {
		return false, err
	}
	return stutterInvariant(a, n, meter)
}

// stutterInvariant is StutterInvariant of an automaton with its complement: there is no word
// that comes by repeating letters from one in the language and from one outside
// [MichaudDuretLutz15].
func stutterInvariant(a, n *Automaton, meter *budget.Meter) (bool, error) {
	var sides [2]*Automaton
	for i, side := range []*Automaton{a, n} {
		b, err := side.toBuchi(buchi.Buchi, meter)
		if err != nil {
			return false, err
		}
		sides[i] = b
	}
	x, y := shared(sides[0], sides[1])
	classes, err := letterClasses(x, y)
	if err != nil {
		return false, err
	}
	for i, l := range classes {
		classes[i] = x.oneLetter(l)
	}
	return disjoint(x.stretch(classes), y.stretch(classes))
}

// stretch accepts the words that come from accepted words over the letters by repeating
// letters finitely often; the condition is Inf(0). As in buchi, on purpose, like all that
// copies the edges of an automaton: their marks mean something only under its condition
// (there repeating has to be told from reading where there are no sets). State s*(k+1) is s with nothing to repeat,
// s*(k+1)+i+1 is s after letter i.
func (a *Automaton) stretch(letters []Label) *Automaton {
	k := int32(len(letters)) + 1
	b := a.like(len(a.out)*int(k), 1, a.condition)
	b.initial = a.initial * k
	for s, es := range a.out {
		var moves []Edge
		for _, e := range es {
			for i, l := range letters {
				if a.man.Implies(l, e.Label) {
					moves = append(moves, Edge{l, e.To*k + int32(i) + 1, e.Marks})
				}
			}
		}
		for i := range k {
			from := int32(s)*k + i
			own := append([]Edge{}, moves...)
			if i > 0 {
				own = append(own, Edge{letters[i-1], from, 0})
			}
			b.out[from] = b.merge(own)
		}
	}
	return b
}
