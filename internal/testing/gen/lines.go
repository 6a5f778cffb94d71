package gen

import (
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// NewLinesSystem returns a random system like what C programs are encoded as: straight lines
// and branches over four integers or words of two bits, which are constants, copied, compared
// with the result stored as 0 or 1, chosen, and often not read again. All values stay in
// 0..SystemMax.
func NewLinesSystem(r *rand.Rand) *program.System {
	g := lines{r, logic.Int}
	if r.IntN(3) == 0 {
		g.sort = logic.BitVec(2)
	}
	sys := &program.System{Name: "lines"}
	var init []*logic.Term
	for _, name := range []string{"x", "y", "s", "t"} {
		v := logic.Var(name, g.sort)
		sys.Vars = append(sys.Vars, v)
		if r.IntN(2) == 0 {
			init = append(init, logic.Eq(v, g.number()))
		} else {
			init = append(init, g.inRange(v))
		}
	}
	if r.IntN(8) == 0 {
		init = append(init, logic.Eq(sys.Vars[0], sys.Vars[1]))
	}
	n := 5 + r.IntN(9)
	for i := range n {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	sys.Init = []program.Region{{Location: 0, Where: logic.And(init...)}}
	for i := range 1 + r.IntN(2) {
		where := logic.True()
		if i > 0 || r.IntN(3) == 0 {
			where = g.guard(sys.Vars)
		}
		sys.Error = append(sys.Error, program.Region{Location: n - 1 - r.IntN(3), Where: where})
	}
	add := func(from, to int, guard *logic.Term) {
		e := program.Edge{Name: fmt.Sprintf("e%d", len(sys.Edges)), From: from, To: to, Command: g.command(sys.Vars)}
		e.Command.Guard = logic.And(e.Command.Guard, guard)
		sys.Edges = append(sys.Edges, e)
	}
	for l := range n - 1 {
		to := func() int {
			if r.IntN(8) == 0 {
				return r.IntN(n)
			}
			return l + 1 + r.IntN(min(2, n-1-l))
		}
		switch guard := g.guard(sys.Vars); r.IntN(5) {
		case 0, 1:
			add(l, l+1, logic.True())
		case 2:
			add(l, to(), guard)
		default:
			add(l, to(), guard)
			add(l, to(), logic.Not(guard))
		}
	}
	return sys
}

type lines struct {
	*rand.Rand
	sort *logic.Sort
}

func (g *lines) number() *logic.Term {
	return logic.NumValue(logic.IntValue(int64(g.IntN(SystemMax+1))).Num(), g.sort).Term()
}

func (g *lines) inRange(t *logic.Term) *logic.Term {
	if g.sort == logic.Int {
		return inRange(t)
	}
	return logic.True()
}

func (g *lines) guard(vars []*logic.Term) *logic.Term {
	a, b := vars[g.IntN(len(vars))], g.number()
	if g.IntN(4) == 0 {
		b = vars[g.IntN(len(vars))]
	}
	switch f := logic.Eq(a, b); {
	case g.IntN(3) > 0 && g.IntN(2) == 0:
		return f
	case g.IntN(2) == 0:
		return logic.Not(f)
	case g.sort == logic.Int:
		return logic.Le(a, b)
	}
	return logic.BVULe(a, b)
}

func (g *lines) command(vars []*logic.Term) *program.Command {
	c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
	in := logic.Var("n", g.sort)
	for range g.IntN(3) {
		v, w := vars[g.IntN(len(vars))], vars[g.IntN(len(vars))]
		switch g.IntN(7) {
		case 0, 1:
			c.Update[v] = g.number()
		case 2, 3:
			c.Update[v] = w
		case 4:
			c.Update[v] = logic.Ite(g.guard(vars), logic.NumValue(logic.IntValue(1).Num(), g.sort).Term(), logic.Zero(g.sort).Term())
		case 5:
			if g.sort == logic.Int {
				c.Update[v] = logic.IntMod(logic.Add(w, logic.IntConst(1)), logic.IntConst(SystemMax+1))
			} else {
				c.Update[v] = logic.BVAdd(w, g.number())
			}
		default:
			c.Inputs, c.Guard = []*logic.Term{in}, g.inRange(in)
			c.Update[v] = in
			if g.IntN(3) == 0 {
				c.Update[w] = in
			}
			if g.IntN(4) == 0 {
				c.Guard = logic.And(c.Guard, logic.Ne(in, g.number()))
			}
		}
	}
	return c
}
