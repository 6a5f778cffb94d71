package lasso_test

import (
	"context"
	"fmt"
	"math/big"

	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

var i, n = logic.Var("i", logic.BitVec(32)), logic.Var("n", logic.BitVec(32))

func word(value int64) *logic.Term { return logic.BVConst(big.NewInt(value), 32) }

// upTo is the loop for (i = 0; guard; i++).
func upTo(guard *logic.Term) *lasso.Lasso {
	return &lasso.Lasso{
		Vars: []*logic.Term{i, n},
		Init: logic.True(),
		Stem: []*program.Command{{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{i: word(0)}}},
		Loop: []*program.Command{{Guard: guard, Update: map[*logic.Term]*logic.Term{i: logic.BVAdd(i, word(1))}}},
	}
}

func ExampleDecide() {
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	for _, guard := range []*logic.Term{logic.BVSLt(i, n), logic.BVSLe(i, n)} {
		v, err := lasso.Decide(context.Background(), z3, upTo(guard), lasso.Options{})
		switch {
		case err != nil:
			fmt.Println(err)
		case v.Ranking != nil:
			fmt.Println(guard, "ends:", &v.Ranking.Function, v.Ranking.Labels)
		case v.Recurrence != nil:
			fmt.Println(guard, "may go on for ever:", v.Recurrence.Set)
		}
	}
	// Output:
	// bvslt(i, n) ends: n - i [dec]
	// bvsle(i, n) may go on for ever: n == 2147483647bv32
}

func ExampleRank() {
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	step := logic.Var("step", logic.BitVec(32))
	l := upTo(logic.And(logic.BVSLt(i, n), logic.BVSLt(n, word(1000)), logic.BVSLt(step, word(8))))
	l.Vars = append(l.Vars, step)
	l.Loop[0].Update[i] = logic.BVAdd(i, step)
	r, some, err := lasso.Rank(context.Background(), z3, l, lasso.Options{})
	fmt.Println(r, &some.Function, some.Supports, err)
	l.Init = logic.Eq(step, word(3))
	r, some, err = lasso.Rank(context.Background(), z3, l, lasso.Options{})
	fmt.Println(&r.Function, r.Supports, some, err)
	// Output:
	// <nil> n - i [bvslt(0bv32, step)] <nil>
	// n - i [bvsle(3bv32, step)] <nil> <nil>
}

func ExampleRecur() {
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	r, err := lasso.Recur(context.Background(), z3, upTo(logic.BVULe(word(0), i)), lasso.Options{})
	fmt.Println(r.Set, err)
	run, err := r.Follow(upTo(logic.True()), 1000)
	fmt.Println(run.States[len(run.States)-1], err)
	// Output:
	// true <nil>
	// i=1000 n=0 <nil>
}

func ExampleClassify() {
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	f := lasso.Function{Summands: []lasso.Summand{{Coefficient: big.NewInt(1), Term: i, Reading: lasso.Signed}}, Constant: new(big.Int)}
	step := &program.Command{Guard: logic.Ne(i, word(0)), Update: map[*logic.Term]*logic.Term{i: logic.BVSub(i, word(1))}}
	for _, invariant := range []*logic.Term{logic.True(), logic.BVSLe(word(0), i)} {
		label, err := lasso.Classify(context.Background(), z3, &f, step, invariant)
		fmt.Println(label, err)
	}
	// Output:
	// other <nil>
	// dec <nil>
}

func ExampleUnroll() {
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	l := upTo(logic.BVSLt(i, n))
	l.Where = []*logic.Term{logic.BVSLe(n, word(2))} // before the first command of the stem
	u, err := lasso.Unroll(context.Background(), z3, l, lasso.Options{})
	fmt.Println(u.Rounds, "rounds:", u.Status, err)
	// Output: 3 rounds: unsat <nil>
}
