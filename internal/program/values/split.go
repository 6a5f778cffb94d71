package values

import (
	"errors"
	"math"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Of what has no number in a step (an input, a variable that init leaves open), the guard may
// leave a few: with Options.Concrete, the step is done once with each of them, so that states
// stay concrete.

// ErrOpen is the error of Explore where a step depends on a variable that has no number, and
// could have many; or where there are too many ways to do it.
var ErrOpen = errors.New("what happens depends on values that are not known, and could be many")

// Bounds of what is tried: numbers of one slot, and ways to do one step.
const (
	mostOf   = 256
	mostWays = 4096
)

// choice is a number that a slot is given.
type choice struct {
	slot int32
	n    uint64
}

// ways are those in which some formulas hold, with numbers given to slots that have none.
type ways struct {
	*env
	load     func() // the values before
	formulas []*node
	uses     []int32 // slots that may be given numbers
	vars     int32   // slots of variables
	chosen   []choice
	tried    int
	assumed  *bool        // set where inputs without numbers are taken to be such that the formulas hold
	visit    func() error // with the values of each way
}

// do visits the ways that begin with what is chosen.
func (w *ways) do() error {
	if w.tried++; w.tried > mostWays {
		return ErrOpen
	}
	w.load()
	for _, c := range w.chosen {
		if !w.choose(c) {
			return nil
		}
	}
	if !w.assumeAll(w.formulas, true) {
		return nil
	}
	slot, few, open := w.open()
	if !open {
		known, clear := w.certain()
		if !clear {
			return ErrOpen
		}
		if !known {
			*w.assumed = true
		}
		return w.visit()
	}
	for n := few.lo; few.lo <= few.hi; n++ {
		w.chosen = append(w.chosen, choice{slot, w.kinds[slot].cut(uint64(n))})
		if err := w.do(); err != nil {
			return err
		}
		if w.chosen = w.chosen[:len(w.chosen)-1]; n == few.hi { // which may be the last there is
			break
		}
	}
	return nil
}

func (e *env) choose(c choice) bool {
	v := e.slots[c.slot]
	if v.sym == 0 {
		return v.n == c.n
	}
	if d, ok := e.kinds[c.slot].sub(c.n, v.n); ok && v.sym != unknown && !e.bind(e.kinds[c.slot], v.sym, constant(d)) {
		return false
	}
	e.slots[c.slot] = constant(c.n)
	e.stamp++
	return true
}

// open finds the slot without a number that can have the fewest.
func (w *ways) open() (slot int32, few span, found bool) {
	for _, s := range w.uses {
		k := w.kinds[s]
		if w.slots[s].sym == 0 || !number(k) {
			continue
		}
		d := everyOf(k)
		for _, f := range w.formulas {
			d = d.and(w.domain(f, true, s))
		}
		if x := d.least(k); x.few() && (!found || x.hi-x.lo < few.hi-few.lo) {
			slot, few, found = s, x, true
		}
	}
	return slot, few, found
}

// certain reports whether it is known of each formula that it holds, and whether that depends, where
// it is not, on inputs alone, which are chosen: else a state for each choice would be missed.
func (w *ways) certain() (known, clear bool) {
	known = true
	for _, f := range w.formulas {
		if w.eval(f).sym != 0 {
			if known = false; !w.free(f) {
				return false, false
			}
		}
	}
	return known, true
}

// free reports that some input without a number is in a term, and no such variable.
func (w *ways) free(f *node) bool {
	inputs, variables := false, false
	seen := map[*node]bool{} // large ones
	var walk func(n *node)
	walk = func(n *node) {
		switch {
		case variables || seen[n]:
			return
		case n.large:
			seen[n] = true
		}
		if n.op == logic.OpVar {
			switch open := n.kind == opaque || n.kind == arrays || w.slots[n.slot].sym != 0; {
			case n.slot < w.vars:
				variables = variables || open
			default:
				inputs = inputs || open
			}
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(f)
	return inputs && !variables
}

// span is the numbers from lo to hi, none if lo > hi.
type span struct{ lo, hi int64 }

var (
	everySpan = span{math.MinInt64, math.MaxInt64}
	noSpan    = span{1, 0}
)

func (s span) few() bool { return s.lo > s.hi || uint64(s.hi)-uint64(s.lo) < mostOf }

func (s span) and(t span) span { return span{max(s.lo, t.lo), min(s.hi, t.hi)} }

func (s span) or(t span) span {
	switch {
	case s.lo > s.hi:
		return t
	case t.lo > t.hi:
		return s
	}
	return span{min(s.lo, t.lo), max(s.hi, t.hi)}
}

// domain is the numbers that something can have: those in both spans, words being read with a
// sign and without. (Words of 64 bits without a sign are as far as they fit.)
type domain struct{ signed, unsigned span }

var everyDomain = domain{everySpan, everySpan}

func (d domain) and(e domain) domain {
	return domain{d.signed.and(e.signed), d.unsigned.and(e.unsigned)}
}

func (d domain) or(e domain) domain {
	return domain{d.signed.or(e.signed), d.unsigned.or(e.unsigned)}
}

func everyOf(k kind) domain {
	switch {
	case k == boolean:
		return domain{span{0, 1}, span{0, 1}}
	case k < 64:
		return domain{span{-1 << (k - 1), 1<<(k-1) - 1}, span{0, 1<<k - 1}}
	}
	return everyDomain
}

// least is the span with the fewest numbers.
func (d domain) least(k kind) span {
	s, u := d.signed, d.unsigned
	if k == integer || k == boolean {
		return s
	}
	if s.lo >= 0 {
		u = u.and(s)
	}
	if half := everyOf(k).signed.hi; u.lo >= 0 && u.hi <= half {
		s = s.and(u)
	}
	if s.lo > s.hi || s.few() || !u.few() {
		return s
	}
	return u
}

// domain is where the number of a slot is if a formula holds, or not.
func (e *env) domain(f *node, want bool, slot int32) domain {
	if !f.large {
		return e.newDomain(f, want, slot)
	}
	if f.known == nil {
		f.known = new([2]knownDomain)
	}
	k := &f.known[truth(want).n]
	if k.slot != slot+1 || k.stamp != e.stamp {
		*k = knownDomain{e.stamp, slot + 1, e.newDomain(f, want, slot)}
	}
	return k.domain
}

// knownDomain is what the domain was with the values of a stamp: formulas share parts, which would be looked at again and
// again.
type knownDomain struct {
	stamp  uint64
	slot   int32 // and 1; 0: nothing is known
	domain domain
}

func (e *env) newDomain(f *node, want bool, slot int32) domain {
	if v := e.eval(f); v.sym == 0 {
		if (v.n == 1) == want {
			return everyDomain
		}
		return domain{noSpan, noSpan}
	}
	if f.kind == opaque {
		return everyDomain
	}
	switch f.op {
	case logic.OpNot:
		return e.domain(f.args[0], !want, slot)
	case logic.OpVar:
		if f.slot == slot {
			n := int64(truth(want).n)
			return domain{span{n, n}, span{n, n}}
		}
	case logic.OpAnd, logic.OpOr:
		all := (f.op == logic.OpAnd) == want
		d := everyDomain
		for i, a := range f.args {
			switch x := e.domain(a, want, slot); {
			case all:
				d = d.and(x)
			case i == 0:
				d = x
			default:
				d = d.or(x)
			}
		}
		return d
	case logic.OpIte:
		then := e.domain(f.args[0], true, slot).and(e.domain(f.args[1], want, slot))
		return then.or(e.domain(f.args[0], false, slot).and(e.domain(f.args[2], want, slot)))
	case logic.OpEq, logic.OpLe, logic.OpLt:
		if f.args[0].kind == integer {
			return domain{e.integers(f, want, slot), everySpan}
		}
		return e.equals(f, want, slot)
	case logic.OpBVULe, logic.OpBVULt, logic.OpBVSLe, logic.OpBVSLt:
		return e.words(f, want, slot)
	}
	return everyDomain
}

// integers is domain of an equation or inequality of integers: one of f*s + c and 0.
func (e *env) integers(n *node, want bool, slot int32) span {
	d, ok := e.difference(n.args[0], n.args[1])
	v := e.slots[slot]
	if !ok || d.length != 1 || d.terms[0].sym != v.sym {
		return everySpan
	}
	const small = 1 << 40 // so that nothing overflows below
	f, c := int64(d.terms[0].factor), int64(d.n)
	if max(f, -f, c, -c, int64(v.n), -int64(v.n)) > small || c == math.MinInt64 || f == math.MinInt64 || int64(v.n) == math.MinInt64 {
		return everySpan
	}
	if n.op == logic.OpEq {
		if !want {
			return everySpan
		}
		if c%f != 0 {
			return noSpan
		}
		return span{-c/f + int64(v.n), -c/f + int64(v.n)}
	}
	// f*s <= most
	most := -c
	if n.op == logic.OpLt {
		most--
	}
	if !want {
		f, most = -f, -most-1
	}
	if f > 0 {
		return span{math.MinInt64, floor(most, f) + int64(v.n)}
	}
	return span{-floor(most, -f) + int64(v.n), math.MaxInt64}
}

func floor(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// equals is domain of an equation of words or Booleans: with a number.
func (e *env) equals(n *node, want bool, slot int32) domain {
	a, b := n.args[0], n.args[1]
	if e.eval(a).sym == 0 {
		a, b = b, a
	}
	v, w, k := e.eval(a), e.eval(b), e.kinds[slot]
	if !want || w.sym != 0 || a.op != logic.OpVar || a.slot != slot || v.sym == 0 {
		return everyDomain
	}
	if k == boolean {
		return domain{span{int64(w.n), int64(w.n)}, span{int64(w.n), int64(w.n)}}
	}
	d := domain{signed: span{k.signed(w.n), k.signed(w.n)}, unsigned: everySpan}
	if int64(w.n) >= 0 {
		d.unsigned = span{int64(w.n), int64(w.n)}
	}
	return d
}

// words is domain of an inequality of words: of the slot, perhaps extended, and a number.
func (e *env) words(n *node, want bool, slot int32) domain {
	x, c := n.args[0], n.args[1]
	left := true // the slot is less
	if e.eval(x).sym == 0 {
		x, c, left = c, x, false
	}
	number := e.eval(c)
	if number.sym != 0 || e.eval(x).sym == 0 {
		return everyDomain
	}
	signed := n.op == logic.OpBVSLe || n.op == logic.OpBVSLt
	of := signed // how the slot itself is read
	bound, fits := int64(number.n), int64(number.n) >= 0
	if signed {
		bound, fits = x.kind.signed(number.n), true
	}
	for x.op == logic.OpZeroExtend || x.op == logic.OpSignExtend && of {
		of = x.op == logic.OpSignExtend
		x = x.args[0]
	}
	if x.op != logic.OpVar || x.slot != slot || !fits {
		return everyDomain
	}
	strict := n.op == logic.OpBVULt || n.op == logic.OpBVSLt
	if !want {
		left, strict = !left, !strict
	}
	s := everySpan
	switch {
	case strict && (bound == math.MinInt64 || bound == math.MaxInt64):
		return everyDomain
	case left && strict:
		s.hi = bound - 1
	case left:
		s.hi = bound
	case strict:
		s.lo = bound + 1
	default:
		s.lo = bound
	}
	if of {
		return domain{s, everySpan}
	}
	return domain{everySpan, s}
}

// beginAll enters the initial states in all ways.
func (r *Reached) beginAll() (bad bool, err error) {
	a := r.a
	for i := range a.init {
		init := &a.init[i]
		w := r.ways(init.where, init.uses)
		w.load = func() { a.env.load(nil, nil, a.all) }
		w.visit = func() error {
			bad, err = r.enter(init.location, 0, -1, -1)
			return r.ended(bad, err)
		}
		if err := w.do(); err != nil {
			return bad, r.final(err)
		}
	}
	return false, nil
}

// went takes down a step, of which it says where it led.
func (r *Reached) went(from int32, location int, number int32, fresh bool) {
	if fresh {
		r.index[location] = append(r.index[location], int32(len(r.states)))
	}
	if from >= 0 {
		r.steps = append(r.steps, [2]int32{from, r.index[location][number]})
	}
}

// Recurs reports, of Concrete, that steps that are certain lead from a state to itself again.
func (r *Reached) Recurs() bool {
	if r.assumed {
		return false
	}
	next, entering := make([][]int32, len(r.states)), make([]int, len(r.states))
	for _, s := range r.steps {
		next[s[0]] = append(next[s[0]], s[1])
		entering[s[1]]++
	}
	var free []int32
	for n, k := range entering {
		if k == 0 {
			free = append(free, int32(n))
		}
	}
	for i := 0; i < len(free); i++ {
		for _, to := range next[free[i]] {
			if entering[to]--; entering[to] == 0 {
				free = append(free, to)
			}
		}
	}
	return len(free) < len(r.states)
}

// errMet ends the ways of a step that leads to an error.
var errMet = errors.New("an error is reached")

func (r *Reached) ended(bad bool, err error) error {
	if err == nil && bad {
		return errMet
	}
	return err
}

func (r *Reached) final(err error) error {
	if err == errMet {
		return nil
	}
	return err
}

func (r *Reached) ways(formulas []*node, uses []int32) *ways {
	return &ways{env: &r.a.env, formulas: formulas, uses: uses, vars: int32(r.a.vars), assumed: &r.assumed}
}

// stepAll takes a block from a state in all ways.
func (r *Reached) stepAll(i, b int) (bad bool, err error) {
	s, edge := r.states[i], &r.a.edges[b]
	words, vars := slices.Clone(r.tables[s.location].State(s.number)), r.vars[s.location]
	w := r.ways(edge.guard, edge.uses)
	w.load = func() { r.a.env.load(words, vars, r.a.uses[s.location]) }
	w.visit = func() error {
		r.a.env.assign(edge)
		bad, err = r.enter(r.a.blocks.All[b].To, 0, int32(i), int32(b))
		return r.ended(bad, err)
	}
	return bad, r.final(w.do())
}

// meets reports that a state is in a failure.
func (r *Reached) meets(f failure, words []uint64, vars []int32) (bool, error) {
	words = slices.Clone(words)
	w := r.ways([]*node{f.where}, f.uses)
	w.load = func() { r.a.env.load(words, vars, r.a.all) }
	w.visit = func() error { return errMet }
	err := w.do()
	return err == errMet, r.final(err)
}
