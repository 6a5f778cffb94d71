package buchi

import (
	"slices"

	"github.com/seltl/seltl/ltl"
)

// Suspension, after [Babiak13], section 2: a conjunct that holds of
// a word iff it holds of its suffixes (G F f, F G f, ...) can be looked at late.
// The automaton of the other conjuncts goes first; only its accepting components
// are multiplied with the automaton of the suspended ones.

// suspendable is the class of formulas whose truth does not depend on a prefix.
const suspendable = ltl.Eventual | ltl.Universal

// suspended translates a conjunction with suspendable conjuncts in parts and
// returns the reduced automaton; nil if that makes no difference.
func (t *translation) suspended(f *ltl.Formula) (*Automaton, error) {
	conjuncts := []*ltl.Formula{f}
	if f.Op() == ltl.And {
		conjuncts = f.Args()
	}
	var first, late []*ltl.Formula
	for _, g := range conjuncts {
		if g.Is(suspendable) && !g.HasPast() { // what is looked at late must not look back
			late = append(late, g)
		} else {
			first = append(first, g)
		}
	}
	if len(late) == 0 || len(first) == 0 && !hasDirect(late) || deepRecurrence(f) != nil || universal(f) != nil {
		return nil, nil // the last are what restarted, settled and plain do
	}
	a, err := t.small(ltl.MakeAnd(first...))
	if err != nil {
		return nil, err
	}
	b, err := t.recurring(late)
	if err != nil || a.sets+b.sets > MaxSets {
		return nil, err
	}
	return suspendedProduct(a, b), nil
}

// small is a small automaton of f without regard to acceptance.
func (t *translation) small(f *ltl.Formula) (*Automaton, error) {
	return t.smallBelow(f, bounds{})
}

// smallBelow is small, but nil if that exceeds the bounds.
func (t *translation) smallBelow(f *ltl.Formula, b bounds) (*Automaton, error) {
	a, err := t.unreduced(f, byLetter, b)
	if a == nil || err != nil {
		return nil, err
	}
	a = reduceSimulation(a)
	if f.Is(ltl.Obligation) {
		if d := minimalWeak(a, 8*len(a.out)+64); d != nil {
			if w := trim(d.buchi(false)); !smaller(a, w) {
				w.stateBased = false
				return w, nil
			}
		}
	}
	return a, nil
}

// eventualities lists the operands f of G(F f & F g & ...); nil for other formulas.
func eventualities(g *ltl.Formula) []*ltl.Formula {
	if g.Op() != ltl.Always {
		return nil
	}
	list := []*ltl.Formula{g.Left()}
	if g.Left().Op() == ltl.And {
		list = g.Left().Args()
	}
	var operands []*ltl.Formula
	for _, h := range list {
		if h.Op() != ltl.Eventually {
			return nil
		}
		operands = append(operands, h.Left())
	}
	return operands
}

// hasDeepRecurrence reports whether some G F f has a temporal f that a finite
// prefix can satisfy.
func hasDeepRecurrence(fs []*ltl.Formula) bool {
	for _, g := range fs {
		for _, f := range eventualities(g) {
			if f.Is(ltl.Guarantee) && !f.Is(ltl.Boolean) {
				return true
			}
		}
	}
	return false
}

// hasDirect reports whether some of the formulas has a construction of its own.
func hasDirect(fs []*ltl.Formula) bool {
	return hasDeepRecurrence(fs) || slices.ContainsFunc(fs, func(g *ltl.Formula) bool { return universal(g) != nil })
}

// recurring translates suspendable formulas: G F f for a guarantee f by restarting
// an automaton of F f, F G f by settling, everything else as usual.
func (t *translation) recurring(fs []*ltl.Formula) (*Automaton, error) {
	if !hasDirect(fs) {
		return t.small(ltl.MakeAnd(fs...))
	}
	product, err := t.directProduct(fs)
	if err != nil {
		return nil, err
	}
	usual, err := t.smallBelow(ltl.MakeAnd(fs...), t.hopeless(product))
	switch {
	case err != nil || product == nil:
		return usual, err
	case usual == nil:
		return product, nil
	}
	return t.smallest([]*Automaton{usual, product}), nil
}

// directProduct is the product of restarting automata for G F f with guarantees f, of settling
// ones, and one of all others; nil if some f has none.
func (t *translation) directProduct(fs []*ltl.Formula) (*Automaton, error) {
	var rest []*ltl.Formula
	var product *Automaton
	multiply := func(list []*Automaton, err error) (ok bool, _ error) {
		if err != nil || len(list) == 0 {
			return false, err
		}
		product = sharedProduct(product, t.smallest(list))
		return product.sets <= MaxSets, nil
	}
	for _, g := range fs {
		if u := universal(g); u != nil {
			if ok, err := multiply(t.settling(u)); !ok {
				return nil, err
			}
			continue
		}
		for _, f := range eventualities(g) {
			if !f.Is(ltl.Guarantee) || f.Is(ltl.Boolean) {
				rest = append(rest, ltl.MakeAlways(ltl.MakeEventually(f)))
				continue
			}
			if ok, err := multiply(t.restarting(f)); !ok {
				return nil, err
			}
		}
		if eventualities(g) == nil {
			rest = append(rest, g)
		}
	}
	if len(rest) > 0 {
		if ok, err := multiply(one(t.small(ltl.MakeAnd(rest...)))); !ok {
			return nil, err
		}
	}
	if product == nil {
		return nil, nil
	}
	return reduceSimulation(trim(unmarkEntries(product))), nil
}

// smallest returns the first of those automata that are smallest with the acceptance asked for.
func (t *translation) smallest(list []*Automaton) *Automaton {
	var best, shaped *Automaton
	for _, a := range list {
		if b := t.acceptance(a); best == nil || t.better(b, shaped) {
			best, shaped = a, b
		}
	}
	return best
}

// deepRecurrence returns f if the formula is G F f for a temporal guarantee f, else nil.
func deepRecurrence(g *ltl.Formula) *ltl.Formula {
	if fs := eventualities(g); len(fs) == 1 && hasDeepRecurrence([]*ltl.Formula{g}) {
		return fs[0]
	}
	return nil
}

// restarts returns the restarting automata of G F f, which differ in what they cost as
// state-based ones.
func (t *translation) restarts(g *ltl.Formula) ([]*Automaton, error) {
	return t.restarting(deepRecurrence(g))
}

// restarting returns automata of the words that satisfy a guarantee f again and again. An
// automaton of F f accepts where it reaches a state that accepts everything; its edges to
// that go back to the initial state instead, with a mark. This needs an automaton
// that accepts in no other way; the minimal deterministic one is tried as well.
func (t *translation) restarting(f *ltl.Formula) ([]*Automaton, error) {
	a, err := t.small(ltl.MakeEventually(f))
	if err != nil {
		return nil, err
	}
	var list []*Automaton
	add := func(r *Automaton) {
		if r != nil {
			list = append(list, r)
		}
	}
	limit := 8*len(a.out) + 64
	if t.opts.Prefer == Deterministic {
		limit = 64*len(a.out) + 256
	}
	if d := minimalWeak(a, limit); d != nil {
		w := trim(d.buchi(false))
		add(restart(w, newHistory(w, longestSuffix)))
		add(restart(w, newHistory(w, lastLetter)))
		add(restart(w, nil))
	}
	add(restart(a, nil))
	return list, nil
}

// maxWeak bounds weak automata where deterministic ones are preferred.
const maxWeak = 1 << 16

// restart is restarting for one automaton: its edges to what accepts everything go to the
// initial state instead; with a history, to a state that has read something of what
// went before, see [history]. It returns nil if the automaton accepts in another way.
func restart(a *Automaton, h *history) *Automaton {
	c := findComponents(a)
	all := a.AllMarks()
	for s := range a.out {
		if c.accepting(c.of[s], all) && !a.acceptsAll(int32(s)) {
			return nil
		}
	}
	if a.acceptsAll(a.initial) {
		return nil
	}
	b := a.like(len(a.out))
	b.initial, b.sets, b.stateBased = a.initial, 1, false
	for s, es := range a.out {
		for _, e := range es {
			switch {
			case !a.acceptsAll(e.To):
				b.out[s] = append(b.out[s], Edge{e.Label, e.To, 0})
			case h == nil:
				b.out[s] = append(b.out[s], Edge{e.Label, a.initial, 1})
			default:
				for _, p := range h.continuations(int32(s), e.Label) {
					b.out[s] = append(b.out[s], Edge{p.letters, p.to, 1})
				}
			}
		}
		b.out[s] = b.mergeEdges(b.out[s])
	}
	if h != nil && b.complete() {
		// Deterministic, complete, and of a language that does not depend on
		// prefixes: every state accepts it. Start where no state is left behind.
		for s, terminal := range smallestTerminal(b.out) {
			if terminal {
				b.initial = int32(s)
				break
			}
		}
	}
	return trim(b)
}

// acceptsAll reports whether a state has only an accepting loop for all letters.
func (a *Automaton) acceptsAll(s int32) bool {
	es := a.out[s]
	return len(es) == 1 && es[0].To == s && es[0].Label == a.care && es[0].Marks == a.AllMarks()
}

// sharedProduct is the intersection of automata of one translation; nil is
// everything.
func sharedProduct(a, b *Automaton) *Automaton {
	if a == nil {
		return b
	}
	p := a.like(0)
	p.stateBased, p.sets = false, a.sets+b.sets
	if p.sets > MaxSets {
		return p
	}
	same := func(l Label) Label { return l }
	p.multiply(a, b, same, same)
	return p
}

// suspendedProduct is the intersection of a and b, where b's language does not
// depend on prefixes: b starts when an accepting component of a is entered, and is
// forgotten outside.
func suspendedProduct(a, b *Automaton) *Automaton {
	c := findComponents(a)
	all := a.AllMarks()
	type pair struct{ s, t int32 } // t < 0: not started
	start := func(s int32) pair {
		if c.accepting(c.of[s], all) {
			return pair{s, b.initial}
		}
		return pair{s, -1}
	}
	p := a.like(0)
	p.stateBased, p.sets = false, a.sets+b.sets
	number := map[pair]int32{start(a.initial): 0}
	states := []pair{start(a.initial)}
	add := func(x pair) int32 {
		n, ok := number[x]
		if !ok {
			n = int32(len(states))
			number[x] = n
			states = append(states, x)
		}
		return n
	}
	for i := 0; i < len(states); i++ {
		var es []Edge
		x := states[i]
		for _, e := range a.out[x.s] {
			if x.t < 0 || c.of[e.To] != c.of[x.s] {
				es = append(es, Edge{e.Label, add(start(e.To)), 0})
				continue
			}
			for _, f := range b.out[x.t] {
				if l := p.man.And(e.Label, f.Label); l != NoLetter {
					es = append(es, Edge{l, add(pair{e.To, f.To}), e.Marks | f.Marks<<a.sets})
				}
			}
		}
		p.out = append(p.out, p.mergeEdges(es))
	}
	return trim(p)
}
