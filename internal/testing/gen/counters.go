package gen

import (
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// CountersMax bounds the integers of NewCounters: they stay in 0..CountersMax.
const CountersMax = 12

// NewCounters returns a random guarded-command system over two integers, in which loops
// count up and down by constants, and commands between them compare and set.
func NewCounters(r *rand.Rand) *program.System {
	sys := &program.System{Name: "random counters", Vars: []*logic.Term{logic.Var("x", logic.Int), logic.Var("y", logic.Int)}}
	for i := range 1 + r.IntN(3) {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	number := func(n int) *logic.Term { return logic.IntConst(int64(r.IntN(n + 1))) }
	some := func() *logic.Term { return sys.Vars[r.IntN(2)] }
	within := func(e *logic.Term) *logic.Term {
		return logic.And(logic.Ge(e, logic.IntConst(0)), logic.Le(e, logic.IntConst(CountersMax)))
	}
	edge := func(from, to int, c *program.Command) {
		for _, e := range c.Update {
			c.Guard = logic.And(c.Guard, within(e))
		}
		sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprintf("c%d", len(sys.Edges)), From: from, To: to, Command: c})
	}
	sys.Init = []program.Region{{Where: logic.And(logic.Eq(sys.Vars[0], number(3)), logic.Eq(sys.Vars[1], number(CountersMax)))}}
	if r.IntN(3) == 0 {
		sys.Init[0].Where = logic.And(within(sys.Vars[0]), within(sys.Vars[1]), logic.Le(sys.Vars[0], number(3)), logic.Eq(sys.Vars[1], sys.Vars[0]))
	}
	for l := range sys.Locations {
		for range 1 + r.IntN(2) {
			c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
			for _, v := range sys.Vars {
				if by := r.IntN(7) - 3; by != 0 {
					c.Update[v] = logic.Add(v, logic.IntConst(int64(by)))
				}
			}
			switch r.IntN(6) {
			case 0:
				c.Guard = logic.Ne(some(), number(CountersMax))
			case 1:
				c.Guard = logic.Lt(sys.Vars[0], sys.Vars[1])
			case 2:
				c.Update[some()] = number(CountersMax)
			}
			edge(l, l, c)
		}
		c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
		switch r.IntN(4) {
		case 0:
			c.Guard = logic.Ge(some(), number(CountersMax))
		case 1:
			c.Update[some()] = number(CountersMax)
		case 2:
			c.Guard = logic.Le(sys.Vars[0], sys.Vars[1])
		}
		edge(l, r.IntN(len(sys.Locations)), c)
	}
	where := logic.Eq(some(), number(CountersMax))
	if r.IntN(2) > 0 {
		where = logic.And(logic.Eq(sys.Vars[0], number(CountersMax)), logic.Eq(sys.Vars[1], number(CountersMax)))
	}
	sys.Error = []program.Region{{Location: r.IntN(len(sys.Locations)), Where: where}}
	return sys
}
