package predabs

import (
	"slices"

	"github.com/seltl/seltl/logic"
)

// walk looks for models of a hypothesis that refute goals near a model that is
// known: from there it goes along directions that change one or two variables
// by the same amount, as far as the linear conjuncts allow, towards the states
// where the goal is false. What it finds is evaluated like every other model,
// what it does not find is asked of the solver: a step costs a thousandth of a
// question.
type walk struct {
	hypothesis []*evaluator
	rows       []row // of the hypothesis
	slots      []int // that the rows speak of, and only those move
	at         []int64
}

// row is sum op bound, with the coefficients by position in slots.
type row struct {
	coefficients []int64
	op           logic.Op
	negated      bool
	bound        int64
	sum          int64 // at the current point
}

// direction changes slot i by si, and slot j by sj unless j < 0.
type direction struct {
	i, j   int
	si, sj int64
}

func (r *row) along(d direction) int64 {
	delta := r.coefficients[d.i] * d.si
	if d.j >= 0 {
		delta += r.coefficients[d.j] * d.sj
	}
	return delta
}

const (
	maxWalkSlots = 16
	maxWalkSteps = 12
	maxStride    = 1 << 12
)

// newWalk returns nil where there is nowhere to go.
func newWalk(hypothesis, goals []*evaluator) *walk {
	w := &walk{hypothesis: hypothesis}
	for _, e := range append(slices.Clone(hypothesis), goals...) {
		if e == nil || e.kind != comparison {
			continue
		}
		for _, s := range e.slots {
			if !slices.Contains(w.slots, s) {
				w.slots = append(w.slots, s)
			}
		}
	}
	if len(w.slots) == 0 || len(w.slots) > maxWalkSlots {
		return nil
	}
	for _, e := range hypothesis {
		if e.kind == comparison {
			w.rows = append(w.rows, w.row(e))
		}
	}
	return w
}

func (w *walk) row(e *evaluator) row {
	r := row{coefficients: make([]int64, len(w.slots)), op: e.op, negated: e.negated, bound: e.bound}
	for k, s := range e.slots {
		r.coefficients[slices.Index(w.slots, s)] = e.coefficients[k]
	}
	return r
}

// start goes to a model.
func (w *walk) start(m *witness) bool {
	w.at = make([]int64, len(w.slots))
	for k, s := range w.slots {
		n, ok := m.value(s)
		if !ok || n <= -maxValue/2 || n >= maxValue/2 {
			return false
		}
		w.at[k] = n
	}
	for i := range w.rows {
		w.rows[i].sum = w.rows[i].at(w.at)
	}
	return true
}

func (r *row) at(point []int64) int64 {
	sum := int64(0)
	for k, c := range r.coefficients {
		sum += c * point[k]
	}
	return sum
}

// refute walks until the goal is false, or gives up.
func (w *walk) refute(goal *evaluator) bool {
	g := w.row(goal)
	for range maxWalkSteps {
		g.sum = g.at(w.at)
		best, stride, gain := direction{}, int64(0), int64(0)
		for d := range w.directions {
			need := g.need(d)
			if need <= 0 {
				continue
			}
			far := w.reach(d)
			if far >= need {
				w.move(d, need)
				return true
			}
			if far > 0 && far*abs(g.along(d)) > gain {
				best, stride, gain = d, far, far*abs(g.along(d))
			}
		}
		if stride == 0 {
			return false
		}
		w.move(best, stride)
	}
	return false
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// need returns how far to go in a direction until the goal, which holds here, is
// false; 0 if that does not help.
func (r *row) need(d direction) int64 {
	delta := r.along(d)
	missing := r.bound - r.sum // sum must become more than this, or equal, or different
	switch {
	case r.op == logic.OpEq && !r.negated:
		if delta == 0 {
			return 0
		}
		return 1
	case r.op == logic.OpEq: // sum != bound holds: go to the bound
		if delta == 0 || missing%delta != 0 {
			return 0
		}
		return missing / delta
	case delta <= 0:
		return 0
	case r.op == logic.OpLt:
		return (missing + delta - 1) / delta
	}
	return missing/delta + 1
}

// reach returns how far the rows allow to go, at most maxStride.
func (w *walk) reach(d direction) int64 {
	far := int64(maxStride)
	for i := range w.rows {
		r := &w.rows[i]
		delta := r.along(d)
		switch {
		case delta == 0 || r.op == logic.OpEq && r.negated:
		case r.op == logic.OpEq:
			return 0
		case delta > 0:
			room := r.bound - r.sum
			if r.op == logic.OpLt {
				room--
			}
			if far = min(far, room/delta); far <= 0 {
				return 0
			}
		}
	}
	return far
}

func (w *walk) move(d direction, by int64) {
	w.at[d.i] += by * d.si
	if d.j >= 0 {
		w.at[d.j] += by * d.sj
	}
	for i := range w.rows {
		w.rows[i].sum += by * w.rows[i].along(d)
	}
}

// directions yields the single variables up and down, then pairs.
func (w *walk) directions(yield func(direction) bool) {
	n := len(w.slots)
	for i := range n {
		if !yield(direction{i, -1, 1, 0}) || !yield(direction{i, -1, -1, 0}) {
			return
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			for _, s := range [4][2]int64{{1, -1}, {-1, 1}, {1, 1}, {-1, -1}} {
				if !yield(direction{i, j, s[0], s[1]}) {
					return
				}
			}
		}
	}
}

// witness returns the point as a model that agrees with another elsewhere.
func (w *walk) witness(m *witness) *witness {
	out := &witness{values: slices.Clone(m.values), bad: slices.Clone(m.bad), denominator: 1}
	for k, s := range w.slots {
		out.grow(s)
		out.values[s] = w.at[k]
	}
	return out
}

// walkAbout removes from open the goals that walks from a model of the hypothesis
// refute. Every new model is remembered.
func (p *Prover) walkAbout(m *witness, hypothesis, goals []*evaluator, open []int) []int {
	var w *walk // of numbers
	if m.denominator == 1 {
		w = newWalk(hypothesis, goals)
	}
	var left []int
	for _, i := range open {
		e := goals[i]
		if v, known := e.holds(m); known && !v {
			p.stats.ByModel++
			continue
		}
		left = append(left, i)
		var n *witness
		switch {
		case len(e.wordSlots) > 0:
			n = wordWalk(m, hypothesis, e)
		case e.kind == comparison && w != nil && w.start(m) && w.refute(e):
			n = w.witness(m)
		}
		if n == nil {
			continue
		}
		if v, known := e.holds(n); v || !known || !n.satisfies(hypothesis) {
			continue
		}
		p.witnesses.keep(n)
		p.stats.ByModel++
		left = left[:len(left)-1]
		m = n // the next walk starts here
	}
	return left
}
