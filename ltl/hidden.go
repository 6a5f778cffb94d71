package ltl

import "strconv"

// Foretold returns a formula in negation normal form in which no past operator has a future
// operator in its operands, or, with all, no past operator at all. It is about more atoms, of kind
// Hidden: a word satisfies f iff its letters can be given values of these such that it
// satisfies the result. Time and size are linear in the number of distinct subformulas of the negation
// normal form of f.
//
// Such an atom y is to say what a past operator has to know of the positions before, and is never
// negated; so it is enough that it says so only where that is true, and the nondeterminism of an
// automaton can choose where: for Y f, !y & G(X y -> f). [LichtensteinPnueli85] give a state a
// bit for each such subformula, which here is a letter's.
func Foretold(f *Formula, all bool) (g *Formula, hidden []Atom) {
	h := &foreteller{all: all, image: map[*Formula]*Formula{}}
	f = NNF(f)
	for _, s := range Subformulas(f) {
		h.image[s] = h.replaced(s)
	}
	return MakeAnd(append(h.rules, h.image[f])...), h.hidden
}

type foreteller struct {
	all    bool
	image  map[*Formula]*Formula
	hidden []Atom
	rules  []*Formula // that hold at the first position
}

func (h *foreteller) replaced(s *Formula) *Formula {
	if len(s.args) == 0 {
		return s
	}
	args := images(s, h.image)
	g := s.With(args...)
	if !isPast(g.op) || !h.all && !g.HasFuture() {
		return g
	}
	before := h.atom() // what held at the position before
	switch g.op {
	case Yesterday, WeakYesterday:
		return h.step(g.op, before, before, args[0])
	case Once:
		now := MakeOr(args[0], before)
		return h.step(Yesterday, now, before, now)
	case Historically:
		now := MakeAnd(args[0], before)
		return h.step(WeakYesterday, now, before, now)
	case Since:
		now := MakeOr(args[1], MakeAnd(args[0], before))
		return h.step(Yesterday, now, before, now)
	}
	now := MakeAnd(args[1], MakeOr(args[0], before)) // Triggered
	return h.step(WeakYesterday, now, before, now)
}

// step returns now, and asks that before hold only where held did at the position before, and
// at the first position only if that is what op says there.
func (h *foreteller) step(op Op, now, before, held *Formula) *Formula {
	h.rules = append(h.rules, MakeAlways(MakeOr(MakeNext(MakeNot(before)), held)))
	if op == Yesterday {
		h.rules = append(h.rules, MakeNot(before))
	}
	return now
}

func (h *foreteller) atom() *Formula {
	a := Atom{Hidden, strconv.Itoa(len(h.hidden))}
	h.hidden = append(h.hidden, a)
	return AtomOf(a)
}
