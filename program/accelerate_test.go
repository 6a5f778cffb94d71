package program_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/program"
)

// TestAccelerate: what is accelerated, and into what.
func TestAccelerate(t *testing.T) {
	for _, test := range []struct{ command, guard, update string }{
		{"when x < 9 do x := x + 1", "@times + x <= 9 && @times >= 1", "x=@times + x"},
		{"do x := x - 2, y := y + 3", "@times >= 1", "x=-2*@times + x y=3*@times + y"},
		{"when x > 0 do x := x - 1", "@times <= x && @times >= 1", "x=-@times + x"},
		{"when x != 9 do x := x + 1", "(@times + x <= 9 || x >= 10) && @times >= 1", "x=@times + x"},
		{"when mod(x, 2) == 0 do x := x + 4", "mod(x, 2) == 0 && @times >= 1", "x=4*@times + x"},
		{"when x == 3 do x := x + 1", "", ""},                                                                             // once at most
		{"do x := 2*x", "", ""},                                                                                           // no sum
		{"do x := x + y", "", ""},                                                                                         // a product
		{"do x := y, y := x", "", ""},                                                                                     // no number moves
		{"do x := x + 1, y := x", "@times >= 1", "x=@times + x y=@times + x - 1"},                                         // one behind
		{"when y < 5 do x := x + 1, y := x", "y <= 4 && @times + x <= 6 && @times >= 2", "x=@times + x y=@times + x - 1"}, // which decides
		{"when b do x := x + 1, b := false", "", ""},                                                                      // once only
		{"do r := r + 1/2", "@times >= 1", "r=r + (1.0 / 2)*to_real(@times)"},
	} {
		sys := mustParse(t, "var x, y: int; var b: bool; var r: real; locations l; init l; l -> l "+test.command+";")
		as, _ := Accelerate(sys.Edges[0].Command)
		if test.update == "" && len(as) > 0 {
			t.Errorf("%s: %v", test.command, as[0].Command)
		}
		if test.update == "" {
			continue
		}
		if len(as) != 1 {
			t.Errorf("%s: %d accelerations", test.command, len(as))
			continue
		}
		update := ""
		for _, v := range sys.Vars {
			if e := as[0].Command.Update[v]; e != nil {
				update += fmt.Sprintf(" %s=%s", v, e)
			}
		}
		if got := as[0].Command.Guard.String(); got != test.guard || update != " "+test.update {
			t.Errorf("%s: when %s do%s, want %s, %s", test.command, got, update, test.guard, test.update)
		}
	}
}

// TestAccelerateRandom: a step of an acceleration is as many steps of the command, and so
// many steps are a step of some acceleration, where that is promised.
func TestAccelerateRandom(t *testing.T) {
	steps, exact, joined := 0, 0, 0
	n := soak.Long(uint64(4000))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 47))
		c, plain := randomLoop(r)
		accelerations, all := Accelerate(c)
		for range 6 {
			state := logic.Model{"b": logic.BoolValue(r.IntN(2) == 0), "in": logic.IntValue(int64(r.IntN(4)))}
			for _, v := range []string{"x", "y", "z"} {
				state[v] = logic.IntValue(int64(r.IntN(16) - 6))
			}
			state["q"] = logic.NumValue(big.NewRat(int64(r.IntN(12)-5), 2), logic.Real)
			inputs := logic.Model{"in": state["in"]}
			delete(state, "in")
			slow := state
			for times := int64(1); times < 8; times++ {
				var err error
				if err == nil && slow != nil {
					if slow, err = c.Step(slow, inputs); err != nil {
						slow = nil
					}
				}
				fast := 0
				for _, a := range accelerations {
					with := logic.Model{"in": inputs["in"], a.Count.Name(): logic.IntValue(times)}
					after, err := a.Command.Step(state, with)
					if err != nil {
						continue
					}
					fast++
					if slow == nil || after.String() != slow.String() {
						t.Fatalf("seed %d: %s do %v: %d times from %s: %v, not %v", seed, c.Guard, c.Update, times, state, after, slow)
					}
				}
				for _, a := range accelerations {
					more := 1 + r.Int64N(3)
					first, err := a.Command.Step(state, logic.Model{a.Count.Name(): logic.IntValue(times)})
					if !a.Exact || err != nil {
						continue
					}
					second, err := a.Command.Step(first, logic.Model{a.Count.Name(): logic.IntValue(more)})
					if err != nil {
						continue
					}
					joined++
					if once, err := a.Command.Step(state, logic.Model{a.Count.Name(): logic.IntValue(times + more)}); err != nil || once.String() != second.String() {
						t.Fatalf("seed %d: %s do %v: %d and %d times from %s: %v, not %v (%v)", seed, c.Guard, c.Update, times, more, state, once, second, err)
					}
				}
				if times == 1 && all && slow != nil && fast == 0 {
					t.Fatalf("seed %d: %s do %v: not from %s", seed, c.Guard, c.Update, state)
				}
				if steps += fast; plain && len(accelerations) > 0 && slow != nil {
					if exact++; fast == 0 {
						t.Fatalf("seed %d: %s do %v: not %d times from %s", seed, c.Guard, c.Update, times, state)
					}
				}
			}
		}
	}
	t.Logf("%d steps, %d of them had to be there, %d were joined", steps, exact, joined)
	if n >= 4000 && (steps < 50_000 || exact < 20_000 || joined < 10_000) {
		t.Errorf("%d steps, %d and %d are not much of a test", steps, exact, joined)
	}
}

// randomLoop returns a command over x, y, z, b, q and the input in. plain says that its
// accelerations are complete: the guard is a conjunction over integers, and nothing
// depends on what is assigned.
func randomLoop(r *rand.Rand) (c *Command, plain bool) {
	ints := []*logic.Term{logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("z", logic.Int)}
	b, q, in := logic.Var("b", logic.Bool), logic.Var("q", logic.Real), logic.Var("in", logic.Int)
	number := func() *logic.Term { return logic.IntConst(int64(r.IntN(13) - 4)) }
	some := func() *logic.Term { return append(ints, in)[r.IntN(4)] }
	atom := func() *logic.Term {
		sum := some()
		if r.IntN(3) == 0 {
			sum = logic.Add(sum, logic.Scale(big.NewRat(int64(r.IntN(5)-2), 1), some()))
		}
		switch r.IntN(6) {
		case 0:
			return logic.Ne(sum, number())
		case 1:
			return logic.Gt(sum, number())
		case 2:
			return logic.Eq(logic.IntMod(sum, logic.IntConst(int64(2+r.IntN(2)))), logic.IntConst(int64(r.IntN(2))))
		case 3:
			if r.IntN(3) == 0 {
				return logic.Eq(sum, number())
			}
		}
		return logic.Lt(sum, number())
	}
	c = &Command{Inputs: []*logic.Term{in}, Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
	plain = true
	for range r.IntN(3) {
		c.Guard = logic.And(c.Guard, atom())
	}
	for _, x := range ints {
		c.Update[x] = logic.Add(x, logic.IntConst(int64(r.IntN(7)-3)))
	}
	switch r.IntN(10) {
	case 0:
		c.Guard, plain = logic.And(c.Guard, logic.Or(atom(), atom())), false
	case 1:
		c.Update[ints[0]], plain = logic.Ite(atom(), number(), logic.Add(ints[0], logic.IntConst(1))), false
	case 2:
		c.Update[b], c.Guard, plain = logic.Lt(some(), number()), logic.And(c.Guard, b), false
	case 3:
		c.Update[q], c.Guard, plain = logic.Add(q, logic.RealConst(int64(r.IntN(5)-2), 2)), logic.And(c.Guard, logic.Ne(q, logic.RealConst(1, 2))), false
	case 4:
		c.Update[ints[1]], plain = logic.Add(some(), number()), false
	case 5:
		c.Update[q] = logic.Add(q, logic.RealConst(1, 2))
		c.Guard = logic.And(c.Guard, logic.Lt(q, logic.RealConst(5, 2)))
	}
	if r.IntN(2) == 0 {
		zero := map[*logic.Term]*logic.Term{in: logic.IntConst(0)}
		c.Inputs, c.Guard = nil, logic.Substitute(c.Guard, zero)
		for v, e := range c.Update {
			c.Update[v] = logic.Substitute(e, zero)
		}
	}
	return c, plain
}
