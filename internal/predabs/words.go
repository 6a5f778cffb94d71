package predabs

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/logic"
)

// Machine words are evaluated in machine words: what takes the solver milliseconds on
// bits takes less than a microsecond here.

// wordTerm is a term of at most 64 bits over slots.
type wordTerm struct {
	op        logic.Op
	width     int
	slot      int    // of OpVar
	value     uint64 // of OpNumber
	low       int    // of OpExtract, and the operation of OpFloat
	condition *evaluator
	args      []*wordTerm
}

// maxWordSize bounds terms that are evaluated here, as trees.
const maxWordSize = 300

func isWord(s *logic.Sort) bool { return s.Kind() == logic.BitVecKind && s.Width() <= 64 }

// compileWords prepares a comparison of words, which may be negated if it is of equality.
func (p *Prover) compileWords(t *logic.Term) *evaluator {
	atom, negated := t, false
	if t.Op() == logic.OpNot {
		atom, negated = t.Args()[0], true
	}
	switch atom.Op() {
	case logic.OpEq, logic.OpBVULe, logic.OpBVULt, logic.OpBVSLe, logic.OpBVSLt:
	default:
		return &evaluator{}
	}
	if !isWord(atom.Args()[0].Sort()) || atom.Size() > maxWordSize {
		return &evaluator{}
	}
	e := &evaluator{kind: wordComparison, op: atom.Op(), negated: negated}
	for _, a := range atom.Args() {
		w := p.compileWord(a)
		if w == nil {
			return &evaluator{}
		}
		e.words = append(e.words, w)
		w.collect(e)
	}
	return e
}

// compileWord returns nil for what cannot be evaluated here.
func (p *Prover) compileWord(t *logic.Term) *wordTerm {
	w := &wordTerm{op: t.Op(), width: t.Sort().Width()}
	if !isWord(t.Sort()) {
		return nil
	}
	args := t.Args()
	switch t.Op() {
	case logic.OpVar:
		w.slot = p.witnesses.slot(t.Name(), t.Sort())
		return w
	case logic.OpNumber:
		w.value = t.Num().Num().Uint64()
		return w
	case logic.OpIte:
		if w.condition = p.evaluatorOf(args[0]); w.condition.kind == opaque {
			return nil
		}
		args = args[1:]
	case logic.OpSelect, logic.OpApply:
		return nil
	case logic.OpExtract, logic.OpFloat:
		_, w.low = t.Params()
	}
	for _, a := range args {
		sub := p.compileWord(a)
		if sub == nil {
			return nil
		}
		w.args = append(w.args, sub)
	}
	return w
}

// collect adds the slots of a term to those of an evaluator.
func (t *wordTerm) collect(e *evaluator) {
	if t.op == logic.OpVar {
		e.addWord(wordSlot{t.slot, t.width})
	}
	if t.condition != nil {
		for _, s := range t.condition.wordSlots {
			e.addWord(s)
		}
	}
	for _, a := range t.args {
		a.collect(e)
	}
}

// wordSlot is a variable that is a word.
type wordSlot struct{ slot, width int }

func (e *evaluator) addWord(s wordSlot) {
	if !slices.Contains(e.wordSlots, s) {
		e.wordSlots = append(e.wordSlots, s)
	}
}

func mask(width int) uint64 { return ^uint64(0) >> (64 - width) }

func signed(x uint64, width int) int64 { return int64(x<<(64-width)) >> (64 - width) }

// eval returns the value in a model; known is false where it cannot.
func (t *wordTerm) eval(m *witness) (value uint64, known bool) {
	switch t.op {
	case logic.OpNumber:
		return t.value, true
	case logic.OpVar:
		n, ok := m.value(t.slot)
		return uint64(n), ok
	case logic.OpIte:
		c, ok := t.condition.holds(m)
		if !ok {
			return 0, false
		}
		if c {
			return t.args[0].eval(m)
		}
		return t.args[1].eval(m)
	}
	x, ok := t.args[0].eval(m)
	if !ok {
		return 0, false
	}
	w := t.args[0].width
	if t.op == logic.OpFloat && len(t.args) == 1 {
		return ieee.Apply(ieee.Op(t.low), w, t.width, x, 0), true
	}
	switch t.op {
	case logic.OpBVNeg:
		return -x & mask(w), true
	case logic.OpBVNot:
		return ^x & mask(w), true
	case logic.OpExtract:
		return x >> t.low & mask(t.width), true
	case logic.OpZeroExtend:
		return x, true
	case logic.OpSignExtend:
		return uint64(signed(x, w)) & mask(t.width), true
	}
	y, ok := t.args[1].eval(m)
	if !ok {
		return 0, false
	}
	switch t.op {
	case logic.OpConcat:
		return x<<t.args[1].width | y, true
	case logic.OpFloat:
		return ieee.Apply(ieee.Op(t.low), w, t.width, x, y), true
	}
	value, known = wordOp(t.op, w, x, y)
	return value & mask(w), known
}

// wordOp is an operation of two words of one width; bits beyond it mean nothing.
func wordOp(op logic.Op, w int, x, y uint64) (uint64, bool) {
	sx, sy := signed(x, w), signed(y, w)
	switch op {
	case logic.OpBVAdd:
		return x + y, true
	case logic.OpBVMul:
		return x * y, true
	case logic.OpBVAnd:
		return x & y, true
	case logic.OpBVOr:
		return x | y, true
	case logic.OpBVXor:
		return x ^ y, true
	case logic.OpBVShl:
		return x << y, true // 0 from 64 on, as masked from w on
	case logic.OpBVLShr:
		return x >> y, true
	case logic.OpBVAShr:
		return uint64(sx >> min(y, 63)), true
	case logic.OpBVUDiv:
		if y == 0 {
			return ^uint64(0), true
		}
		return x / y, true
	case logic.OpBVURem:
		if y == 0 {
			return x, true
		}
		return x % y, true
	case logic.OpBVSDiv:
		switch {
		case y == 0 && sx < 0:
			return 1, true
		case y == 0:
			return ^uint64(0), true
		case sy == -1:
			return -x, true
		}
		return uint64(sx / sy), true
	case logic.OpBVSRem:
		switch sy {
		case 0:
			return x, true
		case -1:
			return 0, true
		}
		return uint64(sx % sy), true
	}
	return 0, false
}

func (e *evaluator) compareWords(m *witness) (value, known bool) {
	x, ok := e.words[0].eval(m)
	y, ok2 := e.words[1].eval(m)
	if !ok || !ok2 {
		return false, false
	}
	w := e.words[0].width
	switch e.op {
	case logic.OpBVULe:
		return x <= y, true
	case logic.OpBVULt:
		return x < y, true
	case logic.OpBVSLe:
		return signed(x, w) <= signed(y, w), true
	case logic.OpBVSLt:
		return signed(x, w) < signed(y, w), true
	}
	return (x == y) != e.negated, true
}

const (
	maxWordSlots = 8
	maxWordTries = 600
)

// wordWalk looks near a model of the hypothesis for one that refutes a goal: one word, or
// two that the hypothesis may keep equal, get values at which comparisons change.
func wordWalk(m *witness, hypothesis []*evaluator, goal *evaluator) *witness {
	slots := slices.Clone(goal.wordSlots)
	for _, h := range hypothesis {
		for _, s := range h.wordSlots {
			if !slices.Contains(slots, s) {
				slots = append(slots, s)
			}
		}
	}
	if len(slots) == 0 || len(slots) > maxWordSlots {
		return nil
	}
	n := &witness{values: slices.Clone(m.values), bad: slices.Clone(m.bad), denominator: m.denominator}
	for _, s := range slots {
		n.grow(s.slot)
	}
	values := turning(m, hypothesis, goal, slots)
	tries := 0
	try := func() bool {
		tries++
		v, known := goal.holds(n)
		return known && !v && n.satisfies(hypothesis)
	}
	for i, s := range slots {
		before := n.values[s.slot]
		for _, v := range values {
			if n.values[s.slot] = int64(v & mask(s.width)); try() {
				return n
			}
		}
		n.values[s.slot] = before
		for _, o := range slots[:i] {
			if o.width != s.width || tries > maxWordTries {
				continue
			}
			other := n.values[o.slot]
			for _, v := range values {
				n.values[s.slot] = int64(v & mask(s.width))
				n.values[o.slot] = n.values[s.slot]
				if try() {
					return n
				}
			}
			for _, by := range [2]int64{1, -1} {
				n.values[s.slot] = int64(uint64(before+by) & mask(s.width))
				n.values[o.slot] = int64(uint64(other+by) & mask(s.width))
				if try() {
					return n
				}
			}
			n.values[s.slot], n.values[o.slot] = before, other
		}
	}
	return nil
}

// turning are values at which something may change: the sides of comparisons and what is
// beside them, the ends of the ranges, and other values of single bits.
func turning(m *witness, hypothesis []*evaluator, goal *evaluator, slots []wordSlot) []uint64 {
	var out []uint64
	add := func(v uint64) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	var sides func(e *evaluator)
	sides = func(e *evaluator) {
		for _, w := range e.words {
			if v, ok := w.eval(m); ok && len(out) < maxWordTries/maxWordSlots {
				add(v)
				add((v + 1) & mask(w.width))
				add((v - 1) & mask(w.width))
			}
		}
		for _, p := range e.parts {
			sides(p)
		}
	}
	sides(goal)
	width := 0
	for _, s := range slots {
		width = max(width, s.width)
	}
	add(0)
	add(1)
	add(mask(width))
	add(mask(width) >> 1)
	add(mask(width)>>1 + 1)
	for _, h := range hypothesis {
		sides(h)
	}
	for v := uint64(2); bits.Len64(v) < width && len(out) < maxWordTries/maxWordSlots; v <<= 1 {
		add(v)
	}
	return out
}
