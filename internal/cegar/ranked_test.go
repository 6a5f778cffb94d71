package cegar

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
)

// way is an edge of a program of loops: guard, then variables and values.
type way struct {
	from, to int
	action   string
	guard    *logic.Term
	update   []*logic.Term
}

// loops makes a component of words of 32 bits that begins at location 0 and ends at last.
func loops(last int, init *logic.Term, vars []*logic.Term, inputs []*logic.Term, ways ...way) *program.Component {
	sys := &program.System{Name: "p", Vars: vars, Init: []program.Region{{Location: 0, Where: init}}}
	for l := range last + 1 {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprint("l", l)})
	}
	c := &program.Component{Name: "p", System: sys, Ends: []int{last}, Alphabet: []string{"work"}}
	for i, w := range ways {
		command := &program.Command{Inputs: inputs, Guard: w.guard, Update: map[*logic.Term]*logic.Term{}}
		for k := 0; k < len(w.update); k += 2 {
			command.Update[w.update[k]] = w.update[k+1]
		}
		sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprint("e", i), From: w.from, To: w.to, Command: command})
		c.Actions = append(c.Actions, w.action)
	}
	return c
}

// TestTermination decides whether loops over machine words end, silent ones and ones that
// communicate.
func TestTermination(t *testing.T) {
	pool := common
	long := func(name string) *logic.Term { return logic.Var(name, logic.BitVec(32)) }
	n := func(k int64) *logic.Term { return logic.BVConst(big.NewInt(k), 32) }
	x, y, z, in := long("x"), long("y"), long("z"), long("in")
	zero, true1 := n(0), logic.True()
	lt, le, add, sub := logic.BVSLt, logic.BVSLe, logic.BVAdd, logic.BVSub
	up, down := func(v *logic.Term) *logic.Term { return add(v, n(1)) }, func(v *logic.Term) *logic.Term { return sub(v, n(1)) }
	both, vars, none := []*logic.Term{in}, []*logic.Term{x, y}, []*logic.Term(nil)
	while := func(guard *logic.Term, update ...*logic.Term) []way {
		return []way{{0, 0, "", guard, update}, {0, 1, "", logic.Not(guard), nil}}
	}
	for _, c := range []struct {
		name      string
		component *program.Component
		want      outcome.Verdict
	}{
		{"while (x > 0) x--", loops(1, true1, vars, none, while(lt(zero, x), x, down(x))...), outcome.Holds},
		{"while (x != 0) x--", loops(1, true1, vars, none, while(logic.Ne(x, zero), x, down(x))...), outcome.Holds},
		{"while (x != 0) x -= 2", loops(1, true1, vars, none, while(logic.Ne(x, zero), x, sub(x, n(2)))...), outcome.Violated},
		{"for (x = 0; x < y; x++)", loops(1, logic.Eq(x, zero), vars, none, while(lt(x, y), x, up(x))...), outcome.Holds},
		{"for (x = 0; x <= y; x++)", loops(1, logic.Eq(x, zero), vars, none, while(le(x, y), x, up(x))...), outcome.Violated},
		{"for (x = 0; x <= y; x++), y bounded", loops(1, logic.And(logic.Eq(x, zero), lt(y, n(1000))), vars, none, while(le(x, y), x, up(x))...), outcome.Holds},
		{"while (x > 0) work, x--", loops(3, true1, vars, none, way{0, 1, "", lt(zero, x), nil},
			way{1, 2, "work", true1, nil}, way{2, 0, "", true1, []*logic.Term{x, down(x)}}, way{0, 3, "", le(x, zero), nil}), outcome.Holds},
		{"while (x > 0) work", loops(3, true1, vars, none, way{0, 1, "", lt(zero, x), nil},
			way{1, 2, "work", true1, nil}, way{2, 0, "", true1, nil}, way{0, 3, "", le(x, zero), nil}), outcome.Violated},
		{"nested", loops(2, logic.Eq(x, zero), []*logic.Term{x, y, z}, none,
			way{0, 1, "", lt(x, n(1000)), []*logic.Term{y, zero}}, way{1, 1, "", lt(y, z), []*logic.Term{y, up(y)}},
			way{1, 0, "", le(z, y), []*logic.Term{x, up(x)}}, way{0, 2, "", le(n(1000), x), nil}), outcome.Holds},
		{"lexicographic", loops(1, true1, vars, both,
			way{0, 0, "", logic.And(lt(zero, x), lt(zero, y)), []*logic.Term{x, down(x), y, in}},
			way{0, 0, "", logic.And(lt(zero, x), lt(zero, y)), []*logic.Term{y, down(y)}},
			way{0, 1, "", logic.Or(le(x, zero), le(y, zero)), nil}), outcome.Holds},
		{"neither", loops(1, true1, vars, both,
			way{0, 0, "", logic.And(lt(zero, x), lt(zero, y)), []*logic.Term{x, down(x), y, in}},
			way{0, 0, "", logic.And(lt(zero, x), lt(zero, y)), []*logic.Term{x, in, y, down(y)}},
			way{0, 1, "", logic.Or(le(x, zero), le(y, zero)), nil}), outcome.Violated},
	} {
		p := &Property{Formula: ltl.MakeEventually(ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: "ended"})), Propositions: [][]Proposition{{{Prop: predabs.Prop{Name: "ended", At: c.component.Ends}}}}, Finite: product.StutterRuns}
		r, err := Satisfies(context.Background(), []*program.Component{c.component}, p, pool, Options{Rounds: 30})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %v (%s) after %d rounds, not %v", c.name, r.Verdict, r.Reason, len(r.Rounds), c.want)
		}
		for _, f := range r.Rankings[0] {
			t.Logf("%s: %v in %d rounds", c.name, f, len(r.Rounds))
		}
	}
}
