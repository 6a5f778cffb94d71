package lasso

import (
	"context"
	"testing"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

func z3(t testing.TB) smt.Solver {
	s, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Limit(EnoughWork)
	return s
}

// w makes words of 32 bits.
var (
	vx, vy, vz = word("x"), word("y"), word("z")
	vi, vn     = word("i"), word("n")
	all        = []*logic.Term{vx, vy, vz, vi, vn}
)

func word(name string) *logic.Term { return logic.Var(name, logic.BitVec(32)) }
func num(n int64) *logic.Term      { return number(n, logic.BitVec(32)) }

func op(o logic.Op, a, b *logic.Term) *logic.Term { return logic.BVOp(o, a, b) }

// do is a command: a guard, then variables and values.
func do(guard *logic.Term, update ...*logic.Term) *program.Command {
	c := &program.Command{Guard: guard, Update: map[*logic.Term]*logic.Term{}}
	for i := 0; i < len(update); i += 2 {
		c.Update[update[i]] = update[i+1]
	}
	return c
}

const (
	ranked  = "ranked"
	forever = "forever"
	ends    = "infeasible"
	open    = "open"
)

func (v *Verdict) kind() string {
	switch {
	case v.Infeasible != nil:
		return ends
	case v.Recurrence != nil:
		return forever
	case v.Ranking != nil:
		return ranked
	}
	return open
}

// suite are the loops of small programs.
func suite() []struct {
	name, want string
	init       *logic.Term
	loop       []*program.Command
} {
	add, sub := logic.BVAdd, logic.BVSub
	inc := func(v *logic.Term) *logic.Term { return add(v, num(1)) }
	dec := func(v *logic.Term) *logic.Term { return sub(v, num(1)) }
	zero := num(0)
	slt, sle, ult, ule := logic.BVSLt, logic.BVSLe, logic.BVULt, logic.BVULe
	in := word("in")
	type row = struct {
		name, want string
		init       *logic.Term
		loop       []*program.Command
	}
	one := func(c *program.Command) []*program.Command { return []*program.Command{c} }
	return []row{
		{"while (x > 0) x--", ranked, logic.True(), one(do(slt(zero, vx), vx, dec(vx)))},
		{"for (i = 0; i < n; i++)", ranked, logic.Eq(vi, zero), one(do(slt(vi, vn), vi, inc(vi)))},
		{"for (i = 0; i <= n; i++)", forever, logic.Eq(vi, zero), one(do(sle(vi, vn), vi, inc(vi)))},
		{"for (i = 0; i <= n; i++), n < 100", ranked, logic.And(logic.Eq(vi, zero), slt(vn, num(100))), one(do(sle(vi, vn), vi, inc(vi)))},
		{"while (x >= 0) x++", ranked, logic.Eq(vx, zero), one(do(sle(zero, vx), vx, inc(vx)))},
		{"while (x != 7) x += 2, even", forever, logic.Eq(vx, zero), one(do(logic.Ne(vx, num(7)), vx, add(vx, num(2))))},
		{"while (x != 0) x -= 2, odd", forever, logic.Eq(vx, num(9)), one(do(logic.Ne(vx, zero), vx, sub(vx, num(2))))},
		{"while (x != 0) x -= 2, even", ranked, logic.Eq(vx, num(100)), one(do(logic.Ne(vx, zero), vx, sub(vx, num(2))))},
		{"while (x != 0) x -= 2, any", forever, logic.True(), one(do(logic.Ne(vx, zero), vx, sub(vx, num(2))))},
		{"while (x != 0) x--", ranked, logic.True(), one(do(logic.Ne(vx, zero), vx, dec(vx)))},
		{"while (x != y) x++", ranked, logic.True(), one(do(logic.Ne(vx, vy), vx, inc(vx)))},
		{"while (x != y) x++, x <= y", ranked, sle(vx, vy), one(do(logic.Ne(vx, vy), vx, inc(vx)))},
		{"gcd: while (y) t = x % y, x = y, y = t", ranked, logic.True(), []*program.Command{
			do(logic.Ne(vy, zero), vz, op(logic.OpBVURem, vx, vy)), do(logic.True(), vx, vy), do(logic.True(), vy, vz)}},
		{"gcd of int", ranked, logic.True(), []*program.Command{
			do(logic.Ne(vy, zero), vz, op(logic.OpBVSRem, vx, vy)), do(logic.True(), vx, vy), do(logic.True(), vy, vz)}},
		{"gcd by differences", ranked, logic.And(slt(zero, vx), slt(zero, vy)), one(do(slt(vx, vy), vy, sub(vy, vx)))},
		{"while (x) x /= 2", ranked, logic.True(), one(do(logic.Ne(vx, zero), vx, op(logic.OpBVSDiv, vx, num(2))))},
		{"while (x) x >>= 1", ranked, logic.True(), one(do(logic.Ne(vx, zero), vx, op(logic.OpBVLShr, vx, num(1))))},
		{"while (x) x >>= 1 of int", forever, logic.True(), one(do(logic.Ne(vx, zero), vx, op(logic.OpBVAShr, vx, num(1))))},
		{"while (x) x &= x - 1", ranked, logic.True(), one(do(logic.Ne(vx, zero), vx, op(logic.OpBVAnd, vx, dec(vx))))},
		{"drain: while (x > 0) x -= in, 0 < in <= x", ranked, logic.True(), one(&program.Command{
			Inputs: []*logic.Term{in}, Guard: logic.And(slt(zero, vx), slt(zero, in), sle(in, vx)), Update: map[*logic.Term]*logic.Term{vx: sub(vx, in)}})},
		{"while (x > 0) x += in", forever, logic.True(), one(&program.Command{
			Inputs: []*logic.Term{in}, Guard: slt(zero, vx), Update: map[*logic.Term]*logic.Term{vx: add(vx, in)}})},
		{"while (in) x++", forever, logic.True(), one(&program.Command{
			Inputs: []*logic.Term{in}, Guard: logic.Ne(in, zero), Update: map[*logic.Term]*logic.Term{vx: inc(vx)}})},
		{"inner of nested", ranked, logic.And(slt(vx, vn), logic.Eq(vy, zero)), one(do(slt(vy, vn), vy, inc(vy)))},
		{"outer of nested", ranked, logic.Eq(vx, zero), []*program.Command{
			do(slt(vx, vn), vy, zero), do(slt(vy, vn), vy, inc(vy)), {Inputs: []*logic.Term{in}, Guard: logic.True(), Update: map[*logic.Term]*logic.Term{vy: in}}, do(sle(vn, vy), vx, inc(vx))}},
		{"two bounds: while (x < n && y < n) x++, y--", ranked, logic.True(), one(do(logic.And(slt(vx, vn), slt(vy, vn)), vx, inc(vx)))},
		{"while (x + y > 0) sum", ranked, logic.And(sle(zero, vx), slt(vx, num(1000)), sle(zero, vy), slt(vy, num(1000))), one(do(slt(zero, add(vx, vy)), vx, sub(vx, num(2)), vy, inc(vy)))},
		{"while (i < n) i += x, 0 < x <= 8, n <= 1000", ranked, logic.And(logic.Eq(vi, zero), slt(zero, vx), sle(vx, num(8)), sle(vn, num(1000))), one(do(slt(vi, vn), vi, add(vi, vx)))},
		{"while (i < n) i += x, any x", forever, logic.Eq(vi, zero), one(do(slt(vi, vn), vi, add(vi, vx)))},
		{"for (unsigned i = n; i >= 0; i--)", forever, logic.True(), one(do(ule(zero, vi), vi, dec(vi)))},
		{"for (unsigned i = n; i > 0; i--)", ranked, logic.True(), one(do(ult(zero, vi), vi, dec(vi)))},
		{"while (1) x++", forever, logic.True(), one(do(logic.True(), vx, inc(vx)))},
		{"binary search", ranked, logic.And(logic.Eq(vx, zero), sle(zero, vy), sle(vy, num(1000))), one(do(slt(vx, vy), vx, inc(op(logic.OpBVAShr, add(vx, vy), num(1)))))},
		{"x = -x", forever, logic.True(), one(do(logic.Ne(vx, zero), vx, logic.BVNeg(vx)))},
		{"x = 1 ends at once", ends, logic.Eq(vx, num(1)), one(do(slt(zero, vx), vx, dec(vx)))},
		{"x = 2 ends soon", ranked, logic.Eq(vx, num(2)), one(do(slt(zero, vx), vx, dec(vx)))},
	}
}

// TestIntegers: over mathematical integers nothing wraps.
func TestIntegers(t *testing.T) {
	s := z3(t)
	x, y, in := logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("in", logic.Int)
	n := logic.IntConst
	positive := func(t *logic.Term) *logic.Term { return logic.Gt(t, n(0)) }
	for _, c := range []struct {
		name, want, function string
		init                 *logic.Term
		loop                 *program.Command
	}{
		{"x--", ranked, "x", logic.True(), do(positive(x), x, logic.Sub(x, n(1)))},
		{"x++", forever, "", logic.Eq(x, n(0)), do(logic.Ge(x, n(0)), x, logic.Add(x, n(1)))},
		{"x != 0, x--", ranked, "x", logic.Ge(x, n(5)), do(logic.Ne(x, n(0)), x, logic.Sub(x, n(1)))},
		{"x != 0, x -= 2", forever, "", logic.Eq(x, n(5)), do(logic.Ne(x, n(0)), x, logic.Sub(x, n(2)))},
		{"x -= y", ranked, "x", logic.Ge(y, n(1)), do(positive(x), x, logic.Sub(x, y))},
		{"one of two by Farkas", ranked, "", logic.True(), &program.Command{
			Inputs: []*logic.Term{in}, Guard: logic.And(positive(x), positive(y), logic.Ge(in, n(0)), logic.Le(in, n(1))),
			Update: map[*logic.Term]*logic.Term{x: logic.Sub(x, in), y: logic.Add(y, in, in, n(-1))}}},
		{"one of two, otherwise", ranked, "", logic.True(), do(logic.And(positive(x), positive(y)),
			x, logic.Ite(logic.Lt(x, y), logic.Sub(x, n(1)), x), y, logic.Ite(logic.Lt(x, y), logic.Add(y, n(3)), logic.Sub(y, n(1))))},
	} {
		l := &Lasso{Vars: []*logic.Term{x, y}, Init: c.init, Loop: []*program.Command{c.loop}}
		v, err := Decide(context.Background(), s, l, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if v.kind() != c.want || v.Ranking != nil && c.function != "" && v.Ranking.Function.String() != c.function {
			t.Errorf("%s: %s, not %s (%s)", c.name, v.kind(), c.want, v.Reason)
		}
		if v.Ranking != nil {
			t.Logf("%s: %v with %v", c.name, &v.Ranking.Function, v.Ranking.Supports)
		}
	}
}

func TestSuite(t *testing.T) {
	s := z3(t)
	for i, c := range suite() {
		if testing.Short() && i%12 > 0 {
			continue
		}
		l := &Lasso{Vars: all, Init: c.init, Loop: c.loop}
		if err := l.Validate(); err != nil {
			t.Fatal(err)
		}
		v, err := Decide(context.Background(), s, l, Options{})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if v.Ranking != nil && !v.Ranking.Labelled() {
			t.Errorf("%s: labels %v", c.name, v.Ranking.Labels)
		}
		if c.want == ends && v.Ranking == nil {
			t.Errorf("%s: no ranking function", c.name)
		}
		if v.kind() != c.want {
			t.Errorf("%s: %s, not %s (%s)", c.name, v.kind(), c.want, v.Reason)
		}
		switch {
		case v.Ranking != nil:
			t.Logf("%-44s %s with %v, %v", c.name, &v.Ranking.Function, v.Ranking.Supports, v.Ranking.Labels)
		case v.Recurrence != nil:
			t.Logf("%-44s %d..%d set %v", c.name, v.Recurrence.From, v.Recurrence.To, v.Recurrence.Set)
		default:
			t.Logf("%-44s %s %v", c.name, v.Reason, v.Some)
		}
	}
}
