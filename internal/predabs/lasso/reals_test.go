package lasso

import (
	"context"
	"math/big"
	"testing"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestReals: what decreases by steps of one size ends, what comes nearer to a bound without end
// does not, and is never ranked.
func TestReals(t *testing.T) {
	s := z3(t)
	x, y, in := logic.Var("x", logic.Real), logic.Var("y", logic.Real), logic.Var("in", logic.Real)
	n := logic.Var("n", logic.Int)
	q := func(a, b int64) *logic.Term { return logic.RealConst(a, b) }
	positive := logic.Lt(q(0, 1), x)
	with := func(c *program.Command) *program.Command {
		c.Inputs = []*logic.Term{in}
		return c
	}
	for _, c := range []struct {
		name, want string
		loop       []*program.Command
	}{
		{"by a third", ranked, []*program.Command{do(positive, x, logic.Sub(x, q(1, 3)))}},
		{"by a half or a third", ranked, []*program.Command{do(positive, x, logic.Sub(x, q(1, 3))), do(positive, x, logic.Sub(x, q(1, 2)))}},
		{"up to another", ranked, []*program.Command{do(logic.Le(x, y), x, logic.Add(x, q(1, 4)))}},
		{"both move", ranked, []*program.Command{do(logic.Lt(x, y), x, logic.Add(x, q(1, 5)), y, logic.Sub(y, q(1, 7)))}},
		{"twice the one", ranked, []*program.Command{do(logic.Lt(logic.Scale(big.NewRat(2, 1), x), logic.Scale(big.NewRat(3, 1), y)), x, logic.Add(x, q(1, 2)))}},
		{"by a choice", ranked, []*program.Command{with(do(logic.And(positive, logic.Le(q(1, 10), in)), x, logic.Sub(x, in)))}},
		{"beside an integer", ranked, []*program.Command{do(logic.And(positive, logic.Le(logic.IntConst(0), n)), x, logic.Sub(x, q(1, 2)), n, logic.Add(n, logic.IntConst(1)))}},
		{"halved", forever, []*program.Command{do(positive, x, logic.Scale(big.NewRat(1, 2), x))}},
		{"stays", forever, []*program.Command{do(positive)}},
		{"up", forever, []*program.Command{do(positive, x, logic.Add(x, q(1, 3)))}},
		{"by any choice", open, []*program.Command{with(do(logic.And(positive, logic.Lt(q(0, 1), in)), x, logic.Sub(x, in)))}},
	} {
		l := &Lasso{Vars: []*logic.Term{x, y, n}, Init: logic.True(), Loop: c.loop}
		if err := l.Validate(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		v, err := Decide(context.Background(), s, l, Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := v.kind(); got != c.want {
			t.Errorf("%s: %s, not %s: %s", c.name, got, c.want, v.Reason)
		}
		if v.Ranking != nil {
			checkEveryStep(t, c.name, l, &v.Ranking.Function)
		}
	}
}

// checkEveryStep evaluates a function along steps of a loop from many states: where a round is
// possible it is not negative, and smaller behind it.
func checkEveryStep(t *testing.T, name string, l *Lasso, f *Function) {
	t.Helper()
	for a := int64(-20); a <= 20; a++ {
		for b := int64(-20); b <= 20; b += 3 {
			state := logic.Model{"x": real(a, 7), "y": real(b, 5), "n": value(logic.IntConst(b))}
			relation := l.Relation()
			inputs := logic.Model{}
			for _, in := range relation.Inputs {
				inputs[in.Name()] = real(1, 10)
			}
			next, err := relation.Step(state, inputs)
			if err != nil {
				continue
			}
			before, err1 := f.Value(state)
			after, err2 := f.Value(next)
			if err1 != nil || err2 != nil {
				t.Fatalf("%s: %v %v", name, err1, err2)
			}
			if before.Sign() < 0 || after.Cmp(before) >= 0 {
				t.Errorf("%s: %s is %s before %s and %s behind it", name, f, before, state, after)
			}
		}
	}
}

func real(a, b int64) logic.Value { return value(logic.RealConst(a, b)) }

func value(t *logic.Term) logic.Value {
	v, err := logic.Eval(t, nil)
	if err != nil {
		panic(err)
	}
	return v
}
