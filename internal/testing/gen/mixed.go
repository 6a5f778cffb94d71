package gen

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// NewMixedSystem returns a random system with few states: words of three bits, a Boolean, in one of four an
// array of words, all operators of words, and inputs. In some, a variable begins with any value.
func NewMixedSystem(r *rand.Rand) *program.System {
	f := &mixed{Rand: r, word: logic.BitVec(3), small: logic.BitVec(2)}
	sys := &program.System{Name: "words"}
	f.words = []*logic.Term{logic.Var("x", f.word), logic.Var("y", f.word)}
	f.flag = logic.Var("b", logic.Bool)
	sys.Vars = append(append(sys.Vars, f.words...), f.flag)
	if r.IntN(4) == 0 {
		f.array = logic.Var("a", logic.ArrayOf(logic.BitVec(1), f.small))
		sys.Vars = append(sys.Vars, f.array)
	}
	for i := range 2 + r.IntN(4) {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	open := r.IntN(2 * len(sys.Vars))
	where := logic.True()
	for i, v := range sys.Vars {
		if i != open || v == f.array {
			where = logic.And(where, logic.Eq(v, f.value(v.Sort())))
		}
	}
	sys.Init = []program.Region{{Location: 0, Where: where}}
	for range 1 + r.IntN(2) {
		sys.Error = append(sys.Error, program.Region{Location: r.IntN(len(sys.Locations)), Where: logic.And(f.condition(1), f.condition(2))})
	}
	for i := range 2 + r.IntN(8) {
		sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprintf("c%d", i), From: r.IntN(len(sys.Locations)), To: r.IntN(len(sys.Locations)), Command: f.command(sys.Vars)})
	}
	return sys
}

type mixed struct {
	*rand.Rand
	word, small *logic.Sort
	words       []*logic.Term
	flag, array *logic.Term
	inputs      []*logic.Term // of the command that is made
}

func (f *mixed) command(vars []*logic.Term) *program.Command {
	f.inputs = nil
	if f.IntN(3) == 0 {
		f.inputs = []*logic.Term{logic.Var("n", f.word)}
	}
	c := &program.Command{Inputs: f.inputs, Guard: f.condition(2), Update: map[*logic.Term]*logic.Term{}}
	for _, v := range vars {
		switch {
		case f.IntN(2) == 0:
		case v == f.array:
			c.Update[v] = logic.Store(v, logic.Extract(f.term(1), 0, 0), logic.Extract(f.term(1), 2, 1))
		case v == f.flag:
			c.Update[v] = f.condition(1)
		default:
			c.Update[v] = f.term(2)
		}
	}
	f.inputs = nil
	return c
}

func (f *mixed) value(s *logic.Sort) *logic.Term {
	switch {
	case s == logic.Bool:
		return logic.BoolConst(f.IntN(2) == 0)
	case s == f.word || s == f.small:
		return logic.BVConst(big.NewInt(int64(f.IntN(1<<s.Width()))), s.Width())
	}
	return logic.ConstArray(s, f.value(f.small))
}

// term is one of three bits.
func (f *mixed) term(depth int) *logic.Term {
	if depth == 0 || f.IntN(4) == 0 {
		atoms := append(append([]*logic.Term{f.value(f.word)}, f.words...), f.inputs...)
		return atoms[f.IntN(len(atoms))]
	}
	a, b := f.term(depth-1), f.term(depth-1)
	ops := []logic.Op{logic.OpBVAdd, logic.OpBVMul, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem, logic.OpBVAnd, logic.OpBVOr,
		logic.OpBVXor, logic.OpBVShl, logic.OpBVLShr, logic.OpBVAShr}
	switch f.IntN(8) {
	case 0:
		return logic.Ite(f.condition(depth-1), a, b)
	case 1:
		return logic.BVNot(a)
	case 2:
		return logic.Concat(logic.Extract(a, 0, 0), logic.Extract(b, 2, 1))
	case 3:
		if f.array != nil {
			return logic.SignExtend(logic.Select(f.array, logic.Extract(a, 0, 0)), 1)
		}
	}
	return logic.BVOp(ops[f.IntN(len(ops))], a, b)
}

func (f *mixed) condition(depth int) *logic.Term {
	if depth == 0 {
		return f.flag
	}
	a, b := f.term(depth-1), f.term(depth-1)
	switch f.IntN(7) {
	case 0:
		return f.flag
	case 1:
		return logic.Not(f.condition(depth - 1))
	case 2:
		return logic.Eq(a, b)
	case 3:
		return logic.Ne(a, b)
	case 4:
		return logic.BVULt(a, b)
	case 5:
		return logic.BVSLe(a, b)
	}
	return logic.Or(f.condition(depth-1), f.condition(depth-1))
}
