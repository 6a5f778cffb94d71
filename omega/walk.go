package omega

import (
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/parity"
)

// Walk determinises an automaton on the fly: of the deterministic automaton, by Safra trees, it
// makes the states and edges that words come to which are asked for. What a model's runs need
// of it can be few where all of it is far too large.
type Walk struct {
	d     *safra
	trees parity.Trees
	out   parity.Graph
	dead  bool
}

// Dead is the state of a Walk from which nothing is accepted.
const Dead int32 = -1

// NewWalk begins in state 0. The atoms are those of the automaton. Errors are those of the meter,
// which may be nil, and limits.
func (a *Automaton) NewWalk(meter *budget.Meter) (*Walk, error) {
	b, err := guarded(func() (*Automaton, error) { return a.toBuchi(buchi.Buchi, meter) })
	if err != nil {
		return nil, err
	}
	d, err := newSafra(b, false)
	if err != nil {
		return nil, err
	}
	w := &Walk{d: d, trees: parity.Trees{Covers: d.covers}}
	w.trees.Number(&parity.Tree{States: []int32{b.initial}, Stacks: [][]int32{{0}}})
	w.out = make(parity.Graph, 1)
	return w, nil
}

// NumStates returns how many states there are by now.
func (w *Walk) NumStates() int { return len(w.out) }

// Next returns the state after the letter in which exactly the atoms i with value(i) are true,
// or Dead. A letter that was asked for before costs little.
func (w *Walk) Next(state int32, value func(atom int) bool) int32 {
	to, _ := w.Step(state, value)
	return to
}

// Step is Next, and the priority of the step: a word that does not come to Dead is accepted if and only
// if the least priority that its steps have again and again is even.
func (w *Walk) Step(state int32, value func(atom int) bool) (to int32, priority int) {
	a := w.d.a
	for _, e := range w.out[state] {
		if a.man.Sat(e.Letters, value) {
			return e.To, e.Priority
		}
	}
	t := w.trees.List[state]
	letters, read := AnyLetter, []move(nil)
	for from, s := range t.States {
		for _, e := range a.out[s] {
			if a.man.Sat(e.Label, value) {
				letters = a.man.And(letters, e.Label)
				read = append(read, move{from, e.To, e.Marks})
			} else {
				letters = a.man.And(letters, a.man.Not(e.Label))
			}
		}
	}
	if len(read) == 0 {
		w.dead = true
		w.out[state] = append(w.out[state], parity.Edge{Letters: letters, To: Dead, Priority: parity.Silent})
		return Dead, parity.Silent
	}
	to, priority = w.trees.Successor(t, w.d.moves(t, read), false)
	if int(to) == len(w.out) {
		w.out = append(w.out, nil)
	}
	w.out[state] = append(w.out[state], parity.Edge{Letters: letters, To: to, Priority: priority})
	return to, priority
}

// Refused returns an automaton that, of the words that were asked for, accepts those that the
// automaton refuses. The error is a limit.
func (w *Walk) Refused() (*Automaton, error) {
	return guarded(func() (*Automaton, error) {
		out := make(parity.Graph, len(w.out), len(w.out)+1)
		for s, es := range w.out {
			out[s] = append(out[s], es...)
			for i, e := range es {
				if e.To == Dead {
					out[s][i] = parity.Edge{Letters: e.Letters, To: int32(len(w.out))}
				}
			}
		}
		if w.dead {
			out = append(out, []parity.Edge{{Letters: AnyLetter, To: int32(len(w.out)), Priority: parity.Silent}})
		}
		d, err := w.d.a.parityAutomaton(out)
		if err != nil {
			return nil, err
		}
		return d.withCondition(d.condition.Dual()).Trim().Quotient(), nil
	})
}
