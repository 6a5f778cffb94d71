package encode

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// Guard is what a condition says of the values that it reads, as a formula over machine
// words: variables have the names of what is read, $1, a global, or $1->state. What is
// read by a pointer or an index is taken for a variable of its own, whatever else has the
// same address.
type Guard struct {
	Formula *logic.Term
	// Domain says which values the variables of the formula have.
	Domain *logic.Term
	types  map[string]*ir.Type
}

// GuardOf returns what a condition of a program says; it does not hold where C leaves its
// value undefined.
func GuardOf(p *ir.Program, condition *ir.Func) (g *Guard, err error) {
	b := newBuilder(p, condition)
	b.opaque = map[string]*ir.Type{}
	funcs := []*ir.Func{p.Init, condition}
	b.pts = analyse(b.mem, condition, funcs)
	if err := b.pts.closed(condition, funcs); err != nil {
		return nil, err
	}
	g = &Guard{types: b.opaque}
	err = guarded(func() {
		var ways []*logic.Term
		for _, a := range b.alternatives(&step{span: condition.Span, do: func(c *context) { c.holds(condition, true) }}) {
			if a.lost == "" {
				ways = append(ways, logic.And(a.words.guards...))
			}
		}
		g.Formula = logic.Or(ways...)
	})
	if err != nil {
		return nil, err
	}
	for _, o := range b.mem.all {
		for _, c := range o.cells {
			g.types[c.name] = c.t
		}
	}
	var domain []*logic.Term
	for _, v := range logic.Vars(g.Formula) {
		if t := g.types[v.Name()]; t != nil {
			domain = append(domain, words{}.domain(t, v, 0))
		}
	}
	g.Domain = logic.And(domain...)
	return g, nil
}

// named is the value at a place, as a variable of its name.
func (c *context) named(p ir.Place) value {
	name := ir.Text(&ir.Load{From: p})
	c.b.opaque[name] = p.Type
	return c.a.variable(p.Type, logic.Var(name, c.a.sort(p.Type)), p.Bits)
}

// Describe writes the values that a model has for what the guards read: "$1 = -3".
func Describe(m logic.Model, guards ...*Guard) string {
	types := map[string]*ir.Type{}
	for _, g := range guards {
		maps.Copy(types, g.types)
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(types)) {
		v, ok := m[name]
		if !ok || v.Num() == nil {
			continue
		}
		n := new(big.Int).Set(v.Num().Num())
		if t := types[name]; signed(t) && n.Bit(t.Width()-1) == 1 && n.Sign() > 0 {
			n.Sub(n, power(t.Width()))
		}
		all = append(all, fmt.Sprintf("%s = %s", name, n))
	}
	return strings.Join(all, ", ")
}
