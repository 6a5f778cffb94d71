package buchi

import (
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// A conjunction of many G F b, as fairness makes them, has an automaton with one
// state and one acceptance set per conjunct, but 2^n edges, one for each set of
// the b that a letter satisfies. A counter of the b that were seen in turn needs
// one set, n states and n^2 edges instead. It is the counter of degeneralize, made
// from the b themselves rather than from the edges of all their combinations.

// manyRecurrences is the number of conjuncts G F b from which on they are counted.
// With fewer the general construction is fast, and finds what they share with
// other conjuncts. Where generalised acceptance is wanted, fewer states are worth
// more edges for longer.
func manyRecurrences(acceptance Acceptance) int {
	if acceptance == Generalised {
		return 11
	}
	return 8
}

// counted translates a conjunction with many conjuncts G F b, for Boolean b; nil
// for other formulas.
func (t *translation) counted() (*Automaton, error) {
	if t.formula.Op() != ltl.And && t.formula.Op() != ltl.Always {
		return nil, nil
	}
	conjuncts := []*ltl.Formula{t.formula}
	if t.formula.Op() == ltl.And {
		conjuncts = t.formula.Args()
	}
	var rest, recurrent []*ltl.Formula
	for _, g := range conjuncts {
		if !isRecurrence(g) {
			rest = append(rest, g)
			continue
		}
		recurrent = append(recurrent, eventualities(g)...)
	}
	if len(recurrent) < t.recurrences {
		return nil, nil
	}
	sub := *t
	sub.formula = ltl.MakeAnd(rest...)
	sub.original, sub.attempts, sub.drawn, sub.determinised = sub.formula, nil, 0, false
	sub.opts.Acceptance = Generalised
	a, err := sub.best()
	if err != nil {
		return nil, err
	}
	if a.sets == MaxSets {
		return nil, errTooManySets
	}
	letters := make([]bdd.Node, len(recurrent))
	c := t.unfolder()
	for i, b := range recurrent {
		letters[i] = c.unfold(b)
	}
	return t.acceptance(reduceSimulation(countRecurrences(a, letters))), nil
}

// isRecurrence reports whether g is G (F b & F c & ...) with Boolean b, c, ...
func isRecurrence(g *ltl.Formula) bool {
	operands := eventualities(g)
	for _, b := range operands {
		if !b.Is(ltl.Boolean) {
			return false
		}
	}
	return len(operands) > 0
}

// countRecurrences restricts a to the words in which letters of each of the given
// sets occur again and again. A copy (s, l) waits for the set numbered l; the edge
// on which the last one is seen has the new mark. Outside accepting components
// nothing is counted. The result has the states of those times len(sets) at most,
// and is deterministic if a is.
func countRecurrences(a *Automaton, sets []bdd.Node) *Automaton {
	c := findComponents(a)
	all, seen := a.AllMarks(), uint64(1)<<a.sets
	p := a.like(0)
	p.stateBased, p.sets = false, a.sets+1
	number := map[copyOf]int32{}
	var copies []copyOf
	add := func(s int32, level int) int32 {
		cp := copyOf{s, level}
		n, ok := number[cp]
		if !ok {
			n = int32(len(copies))
			number[cp] = n
			copies = append(copies, cp)
		}
		return n
	}
	p.initial = add(a.initial, 0)
	for i := 0; i < len(copies); i++ {
		var es []Edge
		from := copies[i]
		for _, e := range a.out[from.state] {
			if c.of[e.To] != c.of[from.state] || !c.accepting(c.of[e.To], all) {
				es = append(es, Edge{e.Label, add(e.To, 0), 0})
				continue
			}
			label := e.Label
			for l := from.level; l < len(sets) && label != bdd.False; l++ {
				if waits := p.man.Diff(label, sets[l]); waits != bdd.False {
					es = append(es, Edge{waits, add(e.To, l), e.Marks})
				}
				label = p.man.And(label, sets[l])
			}
			if label != bdd.False {
				es = append(es, Edge{label, add(e.To, 0), e.Marks | seen})
			}
		}
		p.out = append(p.out, p.mergeEdges(es))
	}
	return trim(p)
}
