package gen

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// WordLasso is a random loop with what leads to it.
type WordLasso struct {
	Vars       []*logic.Term
	Init       *logic.Term
	Stem, Loop []*program.Command
	Where      []*logic.Term // by command, some nil
}

// NewWordLasso returns a random loop over two words of three to five bits, or three of two or
// three, of the kinds that programs have: counters, steps, quotients, shifts, inputs.
func NewWordLasso(r *rand.Rand) *WordLasso {
	l := &WordLasso{Init: logic.True()}
	width, count := 3+r.IntN(2), 2
	switch r.IntN(6) {
	case 0:
		width, count = 2+r.IntN(2), 3
	case 1:
		width = 5
	}
	for i := range count {
		l.Vars = append(l.Vars, logic.Var([]string{"x", "y", "z"}[i], logic.BitVec(width)))
	}
	w := &wordLasso{r, l.Vars, width}
	for range r.IntN(3) * r.IntN(2) {
		l.Init = logic.And(l.Init, w.test())
	}
	for range r.IntN(3) * r.IntN(2) {
		l.Stem = append(l.Stem, w.command(3))
	}
	l.Loop = append(l.Loop, w.command(8))
	if r.IntN(2) == 0 {
		l.Loop = []*program.Command{w.counter()}
	}
	for range r.IntN(3) * r.IntN(2) {
		l.Loop = append(l.Loop, w.command(3))
	}
	for range r.IntN(4) / 3 * (len(l.Stem) + len(l.Loop)) {
		var f *logic.Term
		if r.IntN(3) == 0 {
			f = w.test()
		}
		l.Where = append(l.Where, f)
	}
	return l
}

type wordLasso struct {
	*rand.Rand
	vars  []*logic.Term
	width int
}

func (w *wordLasso) variable() *logic.Term { return w.vars[w.IntN(len(w.vars))] }

func (w *wordLasso) number() *logic.Term {
	n := []int64{0, 0, 1, 1, 2, 3, -1, int64(w.IntN(1 << w.width))}[w.IntN(8)]
	return logic.BVConst(big.NewInt(n), w.width)
}

func (w *wordLasso) operand() *logic.Term {
	if w.IntN(3) == 0 {
		return w.variable()
	}
	return w.number()
}

func (w *wordLasso) test() *logic.Term {
	a, b := w.variable(), w.operand()
	if w.IntN(2) == 0 {
		a, b = b, a
	}
	switch w.IntN(7) {
	case 0:
		return logic.Eq(a, b)
	case 1, 2:
		return logic.Ne(a, b)
	case 3:
		return logic.BVSLt(a, b)
	case 4:
		return logic.BVSLe(a, b)
	case 5:
		return logic.BVULt(a, b)
	}
	return logic.BVULe(a, b)
}

func (w *wordLasso) value(c *program.Command) *logic.Term {
	v := w.variable()
	ops := []logic.Op{logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem, logic.OpBVAnd, logic.OpBVOr, logic.OpBVXor, logic.OpBVLShr, logic.OpBVAShr, logic.OpBVShl, logic.OpBVMul}
	switch w.IntN(10) {
	case 0, 1, 2:
		return logic.BVAdd(v, w.operand())
	case 3, 4:
		return logic.BVSub(v, w.operand())
	case 5:
		return w.operand()
	case 6:
		return logic.BVSub(w.operand(), v)
	case 7:
		if w.IntN(2) == 0 {
			in := logic.Var(fmt.Sprintf("n%d", len(c.Inputs)), logic.BitVec(w.width))
			if len(c.Inputs) == 0 {
				c.Inputs = append(c.Inputs, in)
				if w.IntN(2) == 0 {
					c.Guard = logic.And(c.Guard, logic.BVULt(in, w.operand()))
				}
			}
			return c.Inputs[0]
		}
	}
	return logic.BVOp(ops[w.IntN(len(ops))], v, w.operand())
}

// command has a test with a chance of tests to 10.
func (w *wordLasso) command(tests int) *program.Command {
	c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
	if w.IntN(10) < tests {
		c.Guard = w.test()
		if w.IntN(4) == 0 {
			c.Guard = logic.Or(c.Guard, w.test())
		}
	}
	for range 1 + w.IntN(2) {
		v := w.variable()
		c.Update[v] = w.value(c)
	}
	return c
}

// counter is a step of one variable while a test holds.
func (w *wordLasso) counter() *program.Command {
	v := w.variable()
	step := w.operand()
	if w.IntN(2) == 0 {
		step = logic.BVConst(big.NewInt(int64(1-2*w.IntN(2))), w.width)
	}
	guard := w.test()
	for !slices.Contains(logic.Vars(guard), v) {
		guard = w.test()
	}
	return &program.Command{Guard: guard, Update: map[*logic.Term]*logic.Term{v: logic.BVAdd(v, step)}}
}
