package predabs

import (
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// The sets of states that an abstraction asks about are alike, and so are their
// models: a model that the solver gave for one of them often satisfies the next,
// which is then known to be satisfiable, and refutes most predicates that it
// does not entail. What the models leave open is asked of the solver.
//
// Everything here is exact: a formula that cannot be evaluated in machine
// integers counts as neither true nor false.

// witnesses are models, those that were useful last first.
type witnesses struct {
	slots  map[variable]int
	models []*witness
}

// variable is what a slot is of: commands may have inputs of one name and different sorts.
type variable struct {
	name string
	sort *logic.Sort
}

// maxWitnesses bounds the models that are looked through for every question.
const maxWitnesses = 512

// witness gives values[slot]/denominator to every variable, and the bits of values[slot] to
// words; those that the model does not speak of are 0.
type witness struct {
	values      []int64
	denominator int64
	bad         []bool // slots whose values do not fit
}

const (
	maxValue       = 1 << 31
	maxDenominator = 1 << 20
	maxCoefficient = 1 << 20
	maxTerms       = 64
	maxBoundBits   = 40
)

// evaluator is a formula over slots.
type evaluator struct {
	kind         evaluatorKind
	parts        []*evaluator // of junctions and equivalences; conditions of conditional
	weights      []int64      // of the conditions: what is added where they hold
	coefficients []int64
	slots        []int
	bound        int64
	op           logic.Op
	negated      bool
	words        []*wordTerm // of wordComparison
	wordSlots    []wordSlot  // of words that occur
}

type evaluatorKind uint8

const (
	opaque evaluatorKind = iota // cannot be evaluated here
	constant
	comparison
	boolean1
	conjunction
	disjunction
	equivalence
	conditional // a comparison in which conditions count as 0 and 1
	wordComparison
)

func (w *witnesses) slot(name string, sort *logic.Sort) int {
	i, ok := w.slots[variable{name, sort}]
	if !ok {
		i = len(w.slots)
		w.slots[variable{name, sort}] = i
	}
	return i
}

// grow makes room for a slot.
func (w *witness) grow(slot int) {
	for len(w.values) <= slot {
		w.values, w.bad = append(w.values, 0), append(w.bad, false)
	}
}

// add remembers a model; the one that was not useful for longest goes.
func (w *witnesses) add(m logic.Model) *witness {
	n := &witness{denominator: 1}
	for _, v := range m {
		if v.Num() != nil && !v.Num().IsInt() { // of a Real
			n.denominator = commonDenominator(n.denominator, v.Num())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := m[name]
		i := w.slot(name, v.Sort())
		n.grow(i)
		n.values[i], n.bad[i] = scaled(v, n.denominator)
	}
	w.keep(n)
	return n
}

func (w *witnesses) keep(n *witness) {
	if len(w.models) < maxWitnesses {
		w.models = append(w.models, nil)
	}
	copy(w.models[1:], w.models)
	w.models[0] = n
}

// commonDenominator multiplies d by what r needs; it stays where that gets large.
func commonDenominator(d int64, r *big.Rat) int64 {
	lcm := new(big.Int).Mul(big.NewInt(d), r.Denom())
	lcm.Quo(lcm, new(big.Int).GCD(nil, nil, big.NewInt(d), r.Denom()))
	if !lcm.IsInt64() || lcm.Int64() > maxDenominator {
		return d
	}
	return lcm.Int64()
}

// scaled returns v*denominator; bad says that this is not a small integer.
func scaled(v logic.Value, denominator int64) (n int64, bad bool) {
	switch {
	case v.Sort() == logic.Bool:
		if v.Bool() {
			return 1, false
		}
		return 0, false
	case isWord(v.Sort()):
		return int64(v.Num().Num().Uint64()), false
	case v.Sort() != logic.Int && v.Sort() != logic.Real:
		return 0, true
	}
	r := new(big.Rat).Mul(v.Num(), new(big.Rat).SetInt64(denominator))
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, true
	}
	n = r.Num().Int64()
	return n, n <= -maxValue || n >= maxValue
}

// used moves model i to the front.
func (w *witnesses) used(i int) {
	m := w.models[i]
	copy(w.models[1:i+1], w.models[:i])
	w.models[0] = m
}

// evaluatorOf prepares a formula; it is kept with its literal.
func (p *Prover) evaluatorOf(t *logic.Term) *evaluator {
	l := p.literals.of(t)
	if l.program == nil {
		l.program = p.compile(l)
	}
	return l.program
}

func (p *Prover) compile(l *literal) *evaluator {
	t := l.term
	switch {
	case t.IsTrue() || t.IsFalse():
		return &evaluator{kind: constant, negated: t.IsFalse()}
	case t.Op() == logic.OpVar:
		return &evaluator{kind: boolean1, slots: []int{p.witnesses.slot(t.Name(), logic.Bool)}}
	case t.Op() == logic.OpNot && t.Args()[0].Op() == logic.OpVar:
		return &evaluator{kind: boolean1, slots: []int{p.witnesses.slot(t.Args()[0].Name(), logic.Bool)}, negated: true}
	case t.Op() == logic.OpAnd || t.Op() == logic.OpOr:
		e := &evaluator{kind: conjunction}
		if t.Op() == logic.OpOr {
			e.kind = disjunction
		}
		for _, a := range t.Args() {
			e.add(p.evaluatorOf(a))
		}
		return e
	case equates(t):
		e := &evaluator{kind: equivalence}
		if e.negated = t.Op() == logic.OpNot; e.negated {
			t = t.Args()[0]
		}
		e.add(p.evaluatorOf(t.Args()[0]))
		e.add(p.evaluatorOf(t.Args()[1]))
		return e
	case l.sum != nil:
		return p.compileComparison(l)
	}
	return p.compileWords(t)
}

// equates recognises equations between formulas, and their negations.
func equates(t *logic.Term) bool {
	if t.Op() == logic.OpNot {
		t = t.Args()[0]
	}
	return t.Op() == logic.OpEq && t.Args()[0].Sort() == logic.Bool
}

func (e *evaluator) add(part *evaluator) {
	e.parts = append(e.parts, part)
	for _, s := range part.wordSlots {
		e.addWord(s)
	}
}

// condition returns c of the number "c ? 1 : 0", which is what conditional numbers become.
func condition(t *logic.Term) *logic.Term {
	if t.Op() != logic.OpIte {
		return nil
	}
	one, zero := t.Args()[1].Num(), t.Args()[2].Num()
	if one == nil || zero == nil || zero.Sign() != 0 || !one.IsInt() || !one.Num().IsInt64() || one.Num().Int64() != 1 {
		return nil
	}
	return t.Args()[0]
}

func (p *Prover) compileComparison(l *literal) *evaluator {
	_, sum, bound, _, _ := logic.LinearAtom(l.term)
	n, factor := bound.Num(), bound.Denom() // of Reals: all is multiplied
	if len(sum.Terms) > maxTerms || n.BitLen() > maxBoundBits || factor.BitLen() > maxBoundBits {
		return &evaluator{}
	}
	e := &evaluator{kind: comparison, op: l.op, negated: l.negated, bound: n.Int64()}
	for _, m := range sum.Terms {
		c := new(big.Int).Mul(m.Coef.Num(), factor)
		if !m.Coef.IsInt() || !c.IsInt64() || c.Int64() <= -maxCoefficient || c.Int64() >= maxCoefficient {
			return &evaluator{}
		}
		if when := condition(m.Term); when != nil {
			e.kind, e.weights = conditional, append(e.weights, c.Int64())
			e.add(p.evaluatorOf(when))
			continue
		}
		if m.Term.Op() != logic.OpVar {
			return &evaluator{}
		}
		e.coefficients = append(e.coefficients, c.Int64())
		e.slots = append(e.slots, p.witnesses.slot(m.Term.Name(), m.Term.Sort()))
	}
	return e
}

// holds evaluates in a model; known is false where it cannot.
func (e *evaluator) holds(w *witness) (value, known bool) {
	switch e.kind {
	case constant:
		return !e.negated, true
	case boolean1:
		n, ok := w.value(e.slots[0])
		return (n != 0) != e.negated, ok
	case comparison, conditional:
		return e.compare(w)
	case equivalence:
		a, oka := e.parts[0].holds(w)
		b, okb := e.parts[1].holds(w)
		return (a == b) != e.negated, oka && okb
	case wordComparison:
		return e.compareWords(w)
	case conjunction, disjunction:
		// true decides a disjunction, false a conjunction
		decides := e.kind == disjunction
		known = true
		for _, part := range e.parts {
			v, ok := part.holds(w)
			if ok && v == decides {
				return decides, true
			}
			known = known && ok
		}
		return !decides, known
	}
	return false, false
}

func (w *witness) value(slot int) (n int64, ok bool) {
	if slot >= len(w.values) {
		return 0, true
	}
	return w.values[slot], !w.bad[slot]
}

func (e *evaluator) compare(w *witness) (value, known bool) {
	sum := int64(0)
	for i, c := range e.coefficients {
		n, ok := w.value(e.slots[i])
		if !ok {
			return false, false
		}
		sum += c * n
	}
	for i, weight := range e.weights {
		holds, ok := e.parts[i].holds(w)
		if !ok {
			return false, false
		}
		if holds {
			sum += weight * w.denominator
		}
	}
	bound := e.bound * w.denominator
	switch e.op {
	case logic.OpLe:
		return sum <= bound, true
	case logic.OpLt:
		return sum < bound, true
	}
	return (sum == bound) != e.negated, true
}

// satisfies reports that every evaluator is true in the model.
func (w *witness) satisfies(es []*evaluator) bool {
	for _, e := range es {
		if v, known := e.holds(w); !v || !known {
			return false
		}
	}
	return true
}

func (p *Prover) evaluatorsOf(ts []*logic.Term) []*evaluator {
	return lists.Map(ts, p.evaluatorOf)
}

// remembered reports that some model satisfies the formula.
func (p *Prover) remembered(f *logic.Term) bool {
	es := p.evaluatorsOf(logic.Conjuncts(f))
	for i, w := range p.witnesses.models {
		if w.satisfies(es) {
			p.witnesses.used(i)
			return true
		}
	}
	return false
}

// refuted removes from open the goals that some model of the hypothesis makes
// false.
func (p *Prover) refuted(hypothesis *logic.Term, goals []*logic.Term, open []int) []int {
	es, gs := p.evaluatorsOf(logic.Conjuncts(hypothesis)), p.goals(goals, open)
	var model *witness
	for k := 0; k < len(p.witnesses.models) && len(open) > 0; k++ {
		w := p.witnesses.models[k]
		if !w.satisfies(es) {
			continue
		}
		if model == nil {
			model = w
		}
		left := open[:0:0]
		for _, i := range open {
			if v, known := gs[i].holds(w); known && !v {
				p.stats.ByModel++
			} else {
				left = append(left, i)
			}
		}
		if len(left) < len(open) {
			p.witnesses.used(k)
			open = left
		}
	}
	if model != nil && len(open) > 0 {
		open = p.walkAbout(model, es, gs, open)
	}
	return open
}

// goals returns the evaluators of the open goals, nil for the others.
func (p *Prover) goals(goals []*logic.Term, open []int) []*evaluator {
	out := make([]*evaluator, len(goals))
	for _, i := range open {
		out[i] = p.evaluatorOf(goals[i])
	}
	return out
}
