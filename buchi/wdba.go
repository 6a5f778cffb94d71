package buchi

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// Minimal weak deterministic automata for obligations, after
// [DaxEisingerKlaedtke07]: the powerset construction, each of its components
// accepting iff one word that loops in it is accepted, then Löding's normal
// form [Loeding01] and minimisation as of a finite automaton.
//
// The result accepts the language of the input iff that is an obligation.

// subsetAutomaton is a complete deterministic automaton.
type subsetAutomaton struct {
	*Automaton
	members   [][]int32 // of each state: the set of states it stands for
	accepting []bool    // of each state
}

// powerset determinises a without looking at acceptance; nil if there would be
// more than limit states, or if what there is of it at some time is not wanted (nil: all
// is).
func powerset(a *Automaton, limit int, unwanted func(*subsetAutomaton) bool) *subsetAutomaton {
	d := &subsetAutomaton{Automaton: a.like(0)}
	number := map[string]int32{}
	add := func(set []int32) int32 {
		key := setKey(set)
		n, ok := number[key]
		if !ok {
			n = int32(len(d.members))
			number[key] = n
			d.members = append(d.members, set)
		}
		return n
	}
	add([]int32{a.initial})
	l := a.splitter()
	next := firstLook
	for i := 0; i < len(d.members); i++ {
		if len(d.members) > limit {
			return nil
		}
		if unwanted != nil && i == next {
			next *= 4
			if unwanted(d.explored()) {
				return nil
			}
		}
		es := lists.Append(nil, splitLetters(a, l, d.members[i]), func(p bdd.Part[int32]) Edge { return Edge{p.Letters, add(p.Read), 0} })
		d.out = append(d.out, d.mergeEdges(es))
	}
	if unwanted != nil && unwanted(d) {
		return nil
	}
	return d
}

// firstLook is the number of states of a deterministic automaton after which is asked for
// the first time whether more are worth their while.
const firstLook = 32

// explored is what has been made so far: states without edges are yet to be explored.
func (d *subsetAutomaton) explored() *subsetAutomaton {
	e := &subsetAutomaton{Automaton: d.Automaton.like(len(d.members)), members: d.members}
	copy(e.out, d.out)
	return e
}

func setKey(set []int32) string {
	key := make([]byte, 0, 4*len(set))
	for _, s := range set {
		key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(key)
}

// splitLetters partitions the letters by the set of states that they lead to
// from any of the given states.
func splitLetters(a *Automaton, l *bdd.Splitter, from []int32) []bdd.Part[int32] {
	var es []Edge
	for _, s := range from {
		for _, e := range a.out[s] {
			es = append(es, Edge{e.Label, e.To, 0})
		}
	}
	return bdd.Split(l, func(yield func(Label, int32) bool) {
		for _, e := range a.mergeEdges(es) {
			if !yield(e.Label, e.To) {
				return
			}
		}
	})
}

// minimalWeak returns the minimal weak deterministic automaton, complete and with
// acceptance by states; nil if the powerset construction exceeds the limit.
func minimalWeak(a *Automaton, limit int) *subsetAutomaton {
	d := powerset(a, limit, nil)
	if d == nil {
		return nil
	}
	d.colour(a)
	return d.minimise()
}

// minimalWeakOf is minimalWeak, but refuted, and nil, as soon as it sees that a's language is
// no obligation. That it is one, it does not say.
func minimalWeakOf(a *Automaton, limit int) (d *subsetAutomaton, refuted bool) {
	d = powerset(a, limit, func(d *subsetAutomaton) bool {
		refuted = d.refutesObligation(a)
		return refuted
	})
	if d == nil {
		return nil, refuted
	}
	d.colour(a)
	return d.minimise(), false
}

// triedLoops is the number of loops of each component by which refutesObligation looks.
const triedLoops = 6

// refutesObligation reports whether a accepts one of two loops of one component and
// rejects the other. All states of such a component have languages that belong to one
// component of the minimal automaton, so that both loops would be accepted, or none.
func (d *subsetAutomaton) refutesObligation(a *Automaton) bool {
	c := findComponents(d.Automaton)
	tried, accepted := make([]int, len(c.marks)), make([]int, len(c.marks))
	for s, es := range d.out {
		id := c.of[s]
		if id < 0 || !c.cyclic[id] {
			continue
		}
		inside := func(t int32) bool { return c.of[t] == id }
		for _, e := range es {
			if tried[id] == triedLoops || !inside(e.To) {
				continue
			}
			back, _ := d.shortestPath(e.To, inside, func(t int32) bool { return t == int32(s) }, nil)
			tried[id]++
			if a.acceptsFrom(d.members[s], ltl.Word{Loop: d.letters(append([]Edge{e}, back...))}) {
				accepted[id]++
			}
			if accepted[id] != 0 && accepted[id] != tried[id] {
				return true
			}
		}
	}
	return false
}

// colour computes which states accept, in Löding's normal form: every component
// gets the smallest number that is at least that of its successors, and even iff
// it accepts; states with even numbers accept. Components without cycles take the
// number of their successors.
func (d *subsetAutomaton) colour(a *Automaton) {
	c := findComponents(d.Automaton)
	states := make([][]int32, len(c.marks))
	for s, id := range c.of {
		states[id] = append(states[id], int32(s))
	}
	colours := make([]int, len(c.marks))
	for id, ss := range states { // sinks first
		for _, s := range ss {
			for _, e := range d.out[s] {
				colours[id] = max(colours[id], colours[c.of[e.To]])
			}
		}
		if c.cyclic[id] {
			if accepts := d.loopAccepts(a, c, ss[0]); accepts != (colours[id]%2 == 0) {
				colours[id]++
			}
		}
	}
	d.accepting = make([]bool, len(d.out))
	for s := range d.out {
		d.accepting[s] = colours[c.of[s]]%2 == 0
	}
}

// loopAccepts reports whether a accepts some loop of d at state s, repeated for
// ever, from the states that s stands for.
func (d *subsetAutomaton) loopAccepts(a *Automaton, c *components, s int32) bool {
	loop, _ := d.shortestPath(s, func(t int32) bool { return c.of[t] == c.of[s] }, nil,
		func(e Edge) bool { return e.To == s })
	return a.acceptsFrom(d.members[s], ltl.Word{Loop: d.letters(loop)})
}

// minimise joins states that accept the same language, by refinement of the
// partition into accepting and other states (Moore).
func (d *subsetAutomaton) minimise() *subsetAutomaton {
	class := make([]int32, len(d.out))
	for s, acc := range d.accepting {
		if acc != d.accepting[0] {
			class[s] = 1
		}
	}
	if refined := moore(d.Automaton, d.splitter(), class); refined != nil {
		class = refined
	} else {
		class = d.refine(class)
	}
	count := int(slices.Max(class)) + 1
	q := &subsetAutomaton{Automaton: d.like(count), accepting: make([]bool, count)}
	q.initial = class[d.initial]
	for s, c := range class {
		if q.out[c] != nil {
			continue
		}
		es := slices.Clone(d.out[s])
		for i := range es {
			es[i].To = class[es[i].To]
		}
		q.out[c] = q.mergeEdges(es)
		q.accepting[c] = d.accepting[s]
	}
	return q
}

// refine is moore with signatures, for any number of letters.
func (d *subsetAutomaton) refine(class []int32) []int32 {
	m := d.man
	for count := 0; ; {
		number := map[[2]int32]int32{}
		next := make([]int32, len(class))
		for s, es := range d.out {
			sig := bdd.False
			for _, e := range es {
				sig = m.Or(sig, m.And(e.Label, m.Var(len(d.atoms)+int(class[e.To]))))
			}
			key := [2]int32{class[s], int32(sig)}
			c, ok := number[key]
			if !ok {
				c = int32(len(number))
				number[key] = c
			}
			next[s] = c
		}
		class = next
		if len(number) == count {
			return class
		}
		count = len(number)
	}
}

// buchi returns the automaton with marks instead of accepting states, complete.
func (d *subsetAutomaton) buchi(complement bool) *Automaton {
	b := d.Automaton.clone()
	b.sets, b.stateBased = 1, true
	for s, es := range b.out {
		for i := range es {
			es[i].Marks = 0
			if d.accepting[s] != complement {
				es[i].Marks = 1
			}
		}
	}
	return b
}
