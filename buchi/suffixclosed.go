package buchi

import "github.com/seltl/seltl/ltl"

// The words that satisfy a suffix-closed property g from some position on, as F G s for a
// safety property s: dual to restarting. In an automaton of g what can be read from any state
// is a suffix of a word that satisfies g, and satisfies g then. So a state that waits may go
// on in whatever state of that automaton, as if it had read some of the last letters already:
// states that are left for good are not needed.

// universal returns g if the formula is F g for a temporal g that holds of all suffixes of the
// words that satisfy it, else nil.
func universal(f *ltl.Formula) *ltl.Formula {
	if f.Op() != ltl.Eventually || f.HasPast() {
		return nil
	}
	if g := f.Left(); g.Is(ltl.Universal) && !g.Is(ltl.Eventual) {
		return g
	}
	return nil
}

// settling returns automata of F g: from a small one of g, and, if g is a safety property,
// from the minimal deterministic one.
func (t *translation) settling(g *ltl.Formula) ([]*Automaton, error) {
	a, err := t.small(g)
	if err != nil {
		return nil, err
	}
	list := []*Automaton{settle(a)}
	if g.Is(ltl.Safety) && !a.Deterministic() {
		if d := minimalWeak(a, 8*len(a.out)+64); d != nil {
			list = append(list, settle(trim(d.buchi(false))))
		}
	}
	return list, nil
}

// settle returns an automaton of the words that have a suffix that a, which is trimmed and
// whose language is closed under suffixes, accepts. From a new state edges lead where edges of
// a lead, to states of accepting components; these are not left any more.
func settle(a *Automaton) *Automaton {
	c := findComponents(a)
	all := a.AllMarks()
	b := a.like(len(a.out) + 1)
	wait := int32(len(a.out))
	b.initial = wait
	if b.sets == 0 {
		b.sets, b.stateBased, all = 1, true, 1
	}
	b.out[wait] = []Edge{{a.care, wait, 0}}
	for s, es := range a.out {
		for _, e := range es {
			if !c.accepting(c.of[e.To], a.AllMarks()) {
				continue
			}
			b.out[wait] = append(b.out[wait], Edge{e.Label, e.To, 0})
			if c.of[e.To] == c.of[s] {
				if a.sets == 0 {
					e.Marks = all
				}
				b.out[s] = append(b.out[s], e)
			}
		}
	}
	b.out[wait] = b.mergeEdges(b.out[wait])
	return trim(b)
}
