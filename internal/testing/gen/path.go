package gen

import (
	"math/rand/v2"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// PathOptions shape random paths: how many steps, and what may occur beside linear
// (in)equalities with small coefficients.
type PathOptions struct {
	Steps                                       int
	Real, Bool, Or, Ite, Mod, Product, Negative bool // Negative: disequations
}

// NewPath returns a random path over three numbers and, if wanted, two Booleans. Most
// steps change one variable, by adding, scaling, copying, or an input.
func NewPath(r *rand.Rand, o PathOptions) *program.Path {
	g := &pathGen{r: r, o: o, sort: logic.Int}
	if o.Real {
		g.sort = logic.Real
	}
	for _, name := range []string{"x", "y", "z"} {
		g.vars = append(g.vars, logic.Var(name, g.sort))
	}
	p := &program.Path{Vars: g.vars}
	if o.Bool {
		g.flags = []*logic.Term{logic.Var("b", logic.Bool), logic.Var("c", logic.Bool)}
		p.Vars = append(append([]*logic.Term{}, g.vars...), g.flags...)
	}
	p.Init = logic.And(g.formula(2), g.formula(2))
	for range o.Steps {
		p.Steps = append(p.Steps, g.step())
	}
	p.Error = logic.And(g.formula(2), g.formula(1))
	return p
}

type pathGen struct {
	r           *rand.Rand
	o           PathOptions
	sort        *logic.Sort
	vars, flags []*logic.Term
}

func (g *pathGen) number() *logic.Term { return logic.Number(smallNumber(g.r, g.sort), g.sort) }

func (g *pathGen) pick() *logic.Term { return g.vars[g.r.IntN(len(g.vars))] }

func (g *pathGen) term(depth int) *logic.Term {
	switch k := g.r.IntN(12); {
	case k < 4:
		return g.pick()
	case k < 6:
		return logic.Add(g.pick(), g.number())
	case k < 8:
		return logic.Sub(g.pick(), g.pick())
	case k == 8:
		return logic.Scale(smallNumber(g.r, g.sort), g.pick())
	case k == 9 && g.o.Ite && depth > 0:
		return logic.Ite(g.formula(0), g.term(depth-1), g.term(depth-1))
	case k == 10 && g.o.Mod:
		by := logic.IntConst(int64(2 + g.r.IntN(3)))
		if g.sort == logic.Real {
			return logic.ToReal(logic.Floor(g.pick()))
		}
		if g.r.IntN(2) == 0 {
			return logic.IntDiv(g.pick(), by)
		}
		return logic.IntMod(g.pick(), by)
	case k == 11 && g.o.Product:
		return logic.Mul(g.pick(), g.pick())
	}
	return g.number()
}

func (g *pathGen) formula(depth int) *logic.Term {
	k := g.r.IntN(12)
	if depth > 0 && g.o.Or && k < 4 {
		f := logic.Or(g.formula(depth-1), g.formula(depth-1))
		if k == 0 {
			return logic.And(f, g.formula(depth-1))
		}
		return f
	}
	if g.o.Bool && k < 7 {
		b := g.flags[g.r.IntN(2)]
		switch g.r.IntN(4) {
		case 0:
			return logic.Not(b)
		case 1:
			return logic.Eq(b, logic.Le(g.term(0), g.term(0)))
		}
		return b
	}
	a, b := g.term(depth), g.term(0)
	switch {
	case k == 7:
		return logic.Eq(a, b)
	case k == 8 && g.o.Negative:
		return logic.Ne(a, b)
	case k == 9:
		return logic.Lt(a, b)
	}
	return logic.Le(a, b)
}

func (g *pathGen) step() *program.Command {
	c := &program.Command{Guard: g.formula(1), Update: map[*logic.Term]*logic.Term{}}
	switch g.r.IntN(4) {
	case 0:
		in := logic.Var("n", g.sort)
		c.Inputs = []*logic.Term{in}
		c.Guard = logic.And(c.Guard, logic.Le(in, g.term(0)))
		c.Update[g.pick()] = []*logic.Term{in, logic.Add(in, g.pick()), logic.Scale(smallNumber(g.r, g.sort), in)}[g.r.IntN(3)]
	case 1:
		c.Update[g.pick()] = g.term(1)
		c.Update[g.pick()] = g.term(1)
	default:
		c.Update[g.pick()] = g.term(1)
	}
	if g.o.Bool && g.r.IntN(2) == 0 {
		c.Update[g.flags[g.r.IntN(2)]] = g.formula(1)
	}
	return c
}
