package omega

import (
	"errors"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/parity"
)

// Form is a form of acceptance conditions.
type Form uint8

// The forms. Those of parity say whether the least (min) or largest (max) number counts, and
// whether it is to be even or odd.
const (
	Generic Form = iota
	BuchiForm
	GeneralisedBuchiForm
	CoBuchiForm
	ParityForm
	ParityMinEven
	ParityMinOdd
	ParityMaxEven
	ParityMaxOdd
	RabinForm
	GeneralisedRabinForm
	StreettForm
)

var forms = names.Of[Form]("acceptance", "generic", "buchi", "generalised-buchi", "cobuchi", "parity", "parity-min-even",
	"parity-min-odd", "parity-max-even", "parity-max-odd", "rabin", "generalised-rabin", "streett")

func (f Form) String() string                   { return forms.String(f) }
func (f Form) MarshalText() ([]byte, error)     { return forms.Marshal(f) }
func (f *Form) UnmarshalText(text []byte) error { return forms.Unmarshal(text, f) }

// Names lists the texts of all values.
func (Form) Names() []string { return forms.List() }

// ErrNotPersistence says that no automaton with a co-Büchi condition has this language.
var ErrNotPersistence = errors.New("no co-Büchi automaton has this language: it is no persistence property")

// Convert returns an equivalent automaton with a condition of the form. Determinism is kept by
// all forms but Büchi, where conditions have Fin terms. CoBuchiForm determinises, and its
// error is ErrNotPersistence if there is none. Other errors are those of the meter, which may
// be nil, and limits (*budget.Exhausted).
func (a *Automaton) Convert(f Form, meter *budget.Meter) (*Automaton, error) {
	a = a.Trim()
	switch f {
	case BuchiForm:
		return a.toBuchi(buchi.Buchi, meter)
	case GeneralisedBuchiForm:
		g, err := a.generalisedBuchi(meter)
		if err != nil {
			return nil, err
		}
		return g.fixed(), nil
	case CoBuchiForm:
		return a.coBuchi(meter)
	case ParityForm, ParityMinEven, ParityMinOdd, ParityMaxEven, ParityMaxOdd:
		p, err := a.Parity(meter)
		if err != nil {
			return nil, err
		}
		return p.parityStyle(f)
	case RabinForm:
		return a.pairForm(meter, (*Automaton).rabin)
	case StreettForm:
		return a.pairForm(meter, (*Automaton).streett)
	case GeneralisedRabinForm:
		return a.generalisedRabin()
	}
	return a, nil
}

// fixed gives a generalised Büchi automaton the condition with its sets in order.
func (a *Automaton) fixed() *Automaton {
	if a.condition.op == OpFalse {
		return a.mapEdges(1, Inf(0), func(int32, Edge) uint64 { return 0 })
	}
	sets := bitList(a.condition.Sets())
	return a.mapEdges(len(sets), GeneralisedBuchi(len(sets)), func(_ int32, e Edge) uint64 {
		marks := uint64(0)
		for i, set := range sets {
			marks |= e.Marks >> set & 1 << i
		}
		return marks
	})
}

// toBuchi returns a Büchi automaton, made smaller by package buchi.
func (a *Automaton) toBuchi(acceptance buchi.Acceptance, meter *budget.Meter) (*Automaton, error) {
	g, err := a.generalisedBuchi(meter)
	if err != nil {
		return nil, err
	}
	b, err := g.Buchi()
	if err != nil {
		return nil, err
	}
	if b, err = buchi.Reduce(b, acceptance, meter); err != nil {
		return nil, err
	}
	r := FromBuchi(b)
	r.man.InheritLimit(a.man)
	r.meter = a.meter
	if r.sets == 0 { // all runs accept
		r = r.mapEdges(1, Inf(0), func(int32, Edge) uint64 { return 1 })
	}
	return r, nil
}

// parityStyle renames the priorities of an automaton with the condition min even.
func (a *Automaton) parityStyle(f Form) (*Automaton, error) {
	out := a.priorities()
	n := a.sets + 1 // priorities, of which the last may have no mark
	maximum, odd := f == ParityMaxEven || f == ParityMaxOdd, f == ParityMinOdd || f == ParityMaxOdd
	if f == ParityForm {
		odd = !used(out, 0) && n > 1
	}
	rename := func(p int) int {
		switch {
		case !maximum && odd:
			if f == ParityForm {
				return p - 1 // there is no 0
			}
			return p + 1
		case maximum:
			top := n + n%2 // even, above all
			if odd {
				top++
			}
			return top - p
		}
		return p
	}
	least, largest := MaxSets, 0
	for s, es := range out {
		for i := range es {
			p := rename(es[i].Priority)
			if p < 0 {
				p = 0 // on no cycle
			}
			out[s][i].Priority = p
			least, largest = min(least, p), max(largest, p)
		}
	}
	// What counts least needs no marks where the condition says so of runs without.
	count := largest + 1
	if !maximum && least < largest {
		count = largest
	}
	b, err := a.marked(out, maximum, odd, count)
	if err == nil {
		b.initial = a.initial
	}
	return b, err
}

// used reports whether some edge has the priority.
func used(out parity.Graph, p int) bool {
	for _, es := range out {
		for _, e := range es {
			if e.Priority == p {
				return true
			}
		}
	}
	return false
}

// pairForm makes pairs of the condition, or else of that of a parity automaton, of which there
// always are some.
func (a *Automaton) pairForm(meter *budget.Meter, pairs func(*Automaton) (*Automaton, error)) (*Automaton, error) {
	b, err := pairs(a)
	if !errors.Is(err, errNoPairs) {
		return b, err
	}
	p, err := a.Parity(meter)
	if err != nil {
		return nil, err
	}
	return pairs(p)
}

// errNoPairs says that a normal form of the condition has terms that cannot be joined.
var errNoPairs = errors.New("omega: the condition has no pairs")

// rabin takes the disjunctive form of the condition for pairs: several Fin terms are one about
// a union, of Inf terms there may be one.
func (a *Automaton) rabin() (*Automaton, error) {
	clauses, ok := a.condition.Disjuncts()
	if !ok {
		return nil, errNoPairs
	}
	for _, cl := range clauses {
		if cl.Inf&(cl.Inf-1) != 0 {
			return nil, errNoPairs
		}
	}
	if len(clauses) == 0 {
		clauses = []Clause{{Inf: 1, Fin: 1}} // a pair that nothing satisfies
	}
	return a.withPairs(clauses, Rabin, func(cl Clause, marks uint64) (fin, inf bool) {
		return marks&cl.Fin != 0, cl.Inf == 0 || marks&cl.Inf != 0
	})
}

// streett takes the conjunctive form: several Inf terms are one about a union, of Fin terms
// there may be one.
func (a *Automaton) streett() (*Automaton, error) {
	clauses, ok := a.condition.Conjuncts()
	if !ok {
		return nil, errNoPairs
	}
	for _, cl := range clauses {
		if cl.Fin&(cl.Fin-1) != 0 {
			return nil, errNoPairs
		}
	}
	return a.withPairs(clauses, Streett, func(cl Clause, marks uint64) (fin, inf bool) {
		return cl.Fin == 0 || marks&cl.Fin != 0, marks&cl.Inf != 0
	})
}

// withPairs gives each edge the marks of the pairs.
func (a *Automaton) withPairs(clauses []Clause, condition func(int) *Condition, marked func(cl Clause, marks uint64) (fin, inf bool)) (*Automaton, error) {
	if 2*len(clauses) > MaxSets {
		return nil, errTooManySets
	}
	return a.mapEdges(2*len(clauses), condition(len(clauses)), func(_ int32, e Edge) uint64 {
		marks := uint64(0)
		for i, cl := range clauses {
			fin, inf := marked(cl, e.Marks)
			if fin {
				marks |= 1 << (2 * i)
			}
			if inf {
				marks |= 2 << (2 * i)
			}
		}
		return marks
	}), nil
}

// generalisedRabin takes the disjunctive form as it is.
func (a *Automaton) generalisedRabin() (*Automaton, error) {
	clauses, ok := a.condition.Disjuncts()
	if !ok {
		return nil, errTooManySets
	}
	sets := 0
	var condition []*Condition
	var members []uint64 // of each new set: the old ones
	for _, cl := range clauses {
		terms := []*Condition{Fin(sets)}
		members = append(members, cl.Fin)
		for i, inf := range bitList(cl.Inf) {
			terms = append(terms, Inf(sets+1+i))
			members = append(members, 1<<inf)
		}
		condition = append(condition, And(terms...))
		if sets = len(members); sets > MaxSets {
			return nil, errTooManySets
		}
	}
	return a.mapEdges(sets, Or(condition...), func(_ int32, e Edge) uint64 {
		marks := uint64(0)
		for i, old := range members {
			if e.Marks&old != 0 {
				marks |= 1 << i
			}
		}
		return marks
	}), nil
}

// coBuchi determinises, and marks the edges that are on no accepting cycle
// ([KrishnanPuriBrayton94], dually).
func (a *Automaton) coBuchi(meter *budget.Meter) (*Automaton, error) {
	if a.condition.op == OpFin {
		return a, nil
	}
	d, err := a.Determinise(meter)
	if err != nil {
		return nil, err
	}
	p, err := d.Parity(meter)
	if err != nil {
		return nil, err
	}
	out := p.priorities()
	if out.Mixed(0) {
		return nil, ErrNotPersistence
	}
	good := out.OnCycles(0)
	b := p.like(len(p.out), 1, Fin(0))
	b.initial = p.initial
	for s, es := range p.out {
		for i, e := range es {
			marks := uint64(1)
			if good[s][i] {
				marks = 0
			}
			b.out[s] = append(b.out[s], Edge{e.Label, e.To, marks})
		}
		b.out[s] = b.merge(b.out[s])
	}
	return b, nil
}
