package buchi

import (
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// This file unfolds {r}<>-> f and {r}[]-> f. What is left of them at later positions are
// states of a matcher of r, from which some word, or every word, is to lead to f.
//
// A match of {r}<>-> f must end. A state that waits in a component of the matcher with one
// state is put off like an until: its promise is not made where it goes on, and all who wait
// there can go on together. In a larger component, where one may come back while others have
// come, the states that wait are marked, as in the breakpoint construction of
// [MiyanoHayashi84]: what comes later is unmarked until no marked state is left in the
// component; there no promise is made, and all that wait are marked. Where an accepting run
// is rid of all for good, one promise serves all of them (see repeatedPromises).

// matching is a formula {r}<>-> f or {r}[]-> f and the automaton of r.
type matching struct {
	*matcher
	formula  *ltl.Formula
	again    bool        // it may be demanded again and again
	next     []variables // of each state
	promises []bdd.Node  // of each component
	unfolded [2][]bdd.Node
}

// variables of a state: it is matched from next on, and is marked.
type variables struct{ next, marked bdd.Node }

// compile makes the matchers of f.
func (t *couvreur) compile(f *ltl.Formula) error {
	type kind struct {
		r       *ltl.Regexp
		subsets bool
	}
	made := map[kind]*matcher{}
	for _, g := range ltl.Subformulas(f) {
		if g.Regexp() == nil {
			continue
		}
		k := kind{g.Regexp(), g.Op() == ltl.SuffixImplies}
		switch {
		case t.cover&positions != 0:
			k.subsets = false
		case t.cover&subsets != 0:
			k.subsets = true
		}
		m, known := made[k]
		if !known {
			var err error
			if m, err = t.matcher(k.r, k.subsets); err != nil {
				return err
			}
			made[k] = m
		}
		n := len(m.out)
		t.matchings[g] = &matching{
			matcher: m, formula: g, again: t.repeats[g], next: make([]variables, n), promises: make([]bdd.Node, len(m.loops)),
			unfolded: [2][]bdd.Node{make([]bdd.Node, n), make([]bdd.Node, n)},
		}
	}
	return nil
}

// matcher makes an automaton of an expression, a nondeterministic one where a deterministic
// one would be large.
func (t *couvreur) matcher(r *ltl.Regexp, subsets bool) (*matcher, error) {
	m, err := newMatcher(r, t.man, t.atoms, false, 0, t.meter)
	if err != nil || !subsets {
		return m, err
	}
	d, err := newMatcher(r, t.man, t.atoms, true, 8*len(m.out)+64, t.meter)
	if d != nil || err != nil {
		return d, err
	}
	return m, nil
}

// unfold returns what a state demands of a letter and of the next position.
func (g *matching) unfold(t *couvreur, q int32, marked bool) bdd.Node {
	known := g.unfolded[0]
	if marked {
		known = g.unfolded[1]
	}
	if known[q] != bdd.False {
		return known[q]
	}
	m := t.man
	some := g.formula.Op() == ltl.SuffixAnd
	f := t.unfold(g.formula.Last())
	idle := bdd.True
	if some {
		idle = bdd.False
	}
	n := idle
	for _, e := range g.out[q] {
		step := idle
		if e.ends {
			step = f
		}
		switch {
		case some:
			if e.to >= 0 {
				step = m.Or(step, g.wait(t, q, e, marked))
			}
			n = m.Or(n, m.And(e.label, step))
		default:
			if e.to >= 0 {
				step = m.And(step, g.later(t, e.to))
			}
			n = m.And(n, m.Or(m.Not(e.label), step))
		}
	}
	known[q] = n
	return n
}

// later is the obligation that state q be matched from the next position on.
func (g *matching) later(t *couvreur, q int32) bdd.Node {
	if g.next[q].next == bdd.False {
		g.next[q].next = t.variable(variable{match: g, state: q})
	}
	return g.next[q].next
}

// wait is the obligation to go on by an edge of {r}<>-> f.
func (g *matching) wait(t *couvreur, q int32, e match, marked bool) bdd.Node {
	next := g.later(t, e.to)
	if !g.inside(q, e) {
		return next
	}
	c := g.component[q]
	if g.again && !g.loops[c] {
		if marked {
			return t.man.And(next, g.mark(t, e.to))
		}
		return next
	}
	if g.promises[c] == bdd.False {
		g.promises[c] = t.newPromise(!g.again)
	}
	return t.man.And(next, g.promises[c])
}

// mark is the remark that state q is waited for since the last breakpoint.
func (g *matching) mark(t *couvreur, q int32) bdd.Node {
	if g.next[q].marked == bdd.False {
		g.next[q].marked = t.variable(variable{match: g, state: q, marked: true})
	}
	return g.next[q].marked
}

// breakpoint returns the function of the states of matchers that are to be matched next, and
// the promises of the components in which some have been marked before.
func (t *couvreur) breakpoint(waits []variable) (later bdd.Node, promises uint64, err error) {
	type component struct {
		g  *matching
		of int32
	}
	type state struct {
		g *matching
		q int32
	}
	open := map[component]bool{} // a marked state is left
	marked := map[state]bool{}
	for _, v := range waits {
		if v.marked {
			marked[state{v.match, v.state}] = true
			open[component{v.match, v.match.component[v.state]}] = true
		}
	}
	later = bdd.True
	for _, v := range waits {
		if v.marked {
			continue
		}
		g, c := v.match, v.match.component[v.state]
		mark := false
		if g.breaks(c) {
			mark = marked[state{g, v.state}] || !open[component{g, c}]
		}
		later = t.man.And(later, g.unfold(t, v.state, mark))
	}
	for _, w := range waits {
		c := component{w.match, w.match.component[w.state]}
		if !open[c] {
			continue
		}
		if c.g.promises[c.of] == bdd.False {
			c.g.promises[c.of] = t.newPromise(false)
		}
		v := t.variables[t.man.Level(c.g.promises[c.of])-t.letters]
		if v.promise >= MaxSets {
			return later, 0, errTooManySets
		}
		promises |= 1 << v.promise
	}
	return later, promises, nil
}

// breaks reports whether states of a component are marked.
func (g *matching) breaks(component int32) bool {
	return component >= 0 && g.formula.Op() == ltl.SuffixAnd && g.again && !g.loops[component]
}
