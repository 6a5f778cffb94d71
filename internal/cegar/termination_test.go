package cegar

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
)

// structured makes random programs of loops, branches and assignments over few narrow words.
type structured struct {
	*rand.Rand
	width     int
	vars      []*logic.Term
	component *program.Component
	text      string // what is made, in the manner of C
	depth     int
}

// newStructured returns one that ends where its text does, and there only.
func newStructured(r *rand.Rand) *structured {
	p := &structured{Rand: r, width: 2 + r.IntN(2)}
	for _, name := range []string{"x", "y", "z"}[:2+r.IntN(4)/3] {
		p.vars = append(p.vars, logic.Var(name, logic.BitVec(p.width)))
	}
	sys := &program.System{Name: "p", Vars: p.vars, Init: []program.Region{{Where: logic.True()}}}
	p.component = &program.Component{Name: "p", System: sys}
	given := p.test()
	possible := slices.ContainsFunc(naive.Valuations(p.vars, 0), func(m logic.Model) bool {
		ok, err := logic.Holds(given, m)
		return ok && err == nil
	})
	if possible && r.IntN(2) == 0 {
		sys.Init[0].Where = given
		p.text = fmt.Sprintf("given %v: ", given)
	}
	end := p.loop(p.some(p.location()))
	p.component.Ends = []int{end}
	return p
}

func (p *structured) location() int {
	sys := p.component.System
	sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprint("l", len(sys.Locations))})
	return len(sys.Locations) - 1
}

func (p *structured) edge(from, to int, c *program.Command) {
	sys := p.component.System
	sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprint("e", len(sys.Edges)), From: from, To: to, Command: c})
	p.component.Actions = append(p.component.Actions, "")
}

func (p *structured) variable() *logic.Term { return p.vars[p.IntN(len(p.vars))] }

func (p *structured) number() *logic.Term {
	return logic.BVConst(big.NewInt([]int64{0, 0, 1, 1, 2, 3, -1, -2}[p.IntN(8)]), p.width)
}

func (p *structured) test() *logic.Term {
	a, b := p.variable(), p.number()
	if p.IntN(3) == 0 {
		b = p.variable()
	}
	if p.IntN(2) == 0 {
		a, b = b, a
	}
	switch p.IntN(7) {
	case 0:
		return logic.Eq(a, b)
	case 1, 2:
		return logic.Ne(a, b)
	case 3, 4:
		return logic.BVSLt(a, b)
	case 5:
		return logic.BVULt(a, b)
	}
	return logic.BVSLe(a, b)
}

// some makes statements from a location on, and returns where they end.
func (p *structured) some(at int) int {
	for range p.IntN(3) {
		at = p.statement(at)
	}
	return at
}

func (p *structured) statement(at int) int {
	p.depth++
	defer func() { p.depth-- }()
	switch n := p.IntN(8); {
	case n == 0 && p.depth < 4:
		return p.loop(at)
	case n <= 2 && p.depth < 5:
		return p.branch(at)
	}
	v, to := p.variable(), p.location()
	c := &program.Command{Guard: logic.True()}
	value := logic.BVAdd(v, p.number())
	switch p.IntN(8) {
	case 0:
		value = p.number()
	case 1:
		value = p.variable()
	case 2:
		in := logic.Var("in", logic.BitVec(p.width))
		c.Inputs, value = []*logic.Term{in}, in
	case 3:
		value = logic.BVSub(v, p.variable())
	}
	c.Update = map[*logic.Term]*logic.Term{v: value}
	p.text += fmt.Sprintf("%v = %v; ", v, value)
	p.edge(at, to, c)
	return to
}

// loop makes any loop, or one that counts, if nothing in it does otherwise.
func (p *structured) loop(at int) int {
	test, body, out := p.test(), p.location(), p.location()
	v, by := p.variable(), int64(0)
	switch p.IntN(6) {
	case 0, 1:
		test, by = logic.BVSLt(p.number(), v), -1-int64(p.IntN(4)/3)
	case 2, 3:
		test, by = logic.BVSLt(v, p.variable()), 1
	}
	if test.IsFalse() {
		test = logic.Ne(v, p.number())
	}
	p.text += fmt.Sprintf("while (%v) { ", test)
	p.edge(at, body, &program.Command{Guard: test})
	p.edge(at, out, &program.Command{Guard: logic.Not(test)})
	last := &program.Command{Guard: logic.True()}
	body = p.some(body)
	if by == 0 {
		body = p.statement(body)
	} else {
		last.Update = map[*logic.Term]*logic.Term{v: logic.BVAdd(v, logic.BVConst(big.NewInt(by), p.width))}
		p.text += fmt.Sprintf("%v += %d; ", v, by)
	}
	p.edge(body, at, last)
	p.text += "} "
	return out
}

// branch tests the variables, or an input.
func (p *structured) branch(at int) int {
	c, other := &program.Command{Guard: p.test()}, &program.Command{}
	if p.IntN(3) == 0 {
		in := logic.Var("in", logic.BitVec(1))
		c.Guard, c.Inputs, other.Inputs = logic.Eq(in, logic.BVConst(big.NewInt(1), 1)), []*logic.Term{in}, []*logic.Term{in}
	}
	other.Guard = logic.Not(c.Guard)
	first, second, to := p.location(), p.location(), p.location()
	p.text += fmt.Sprintf("if (%v) { ", c.Guard)
	p.edge(at, first, c)
	p.edge(p.statement(first), to, &program.Command{Guard: logic.True()})
	p.text += "} else { "
	p.edge(at, second, other)
	p.edge(p.some(second), to, &program.Command{Guard: logic.True()})
	p.text += "} "
	return to
}

// TestTerminationNaive compares whether random programs end with the enumeration of their
// states, with one level and two.
func TestTerminationNaive(t *testing.T) {
	pool := common
	cases := soak.Long(40)
	counts, ranked := map[string]int{}, 0
	names := map[outcome.Verdict]string{outcome.Unknown: "open", outcome.Holds: "ends", outcome.Violated: "does not"}
	for seed := range uint64(cases) {
		p := newStructured(rand.New(rand.NewPCG(seed, 18)))
		ends := predabs.Prop{Name: "ended", At: p.component.Ends}
		property := &Property{Formula: ltl.MakeEventually(ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: "ended"})), Propositions: [][]Proposition{{{Prop: ends}}}, Finite: product.StutterRuns}
		r, err := Satisfies(context.Background(), []*program.Component{p.component}, property, pool, Options{Rounds: 20, Levels: OneLevel + Levels(seed%2)})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.text)
		}
		want := outcome.Violated
		if naive.Ends(p.component) {
			want = outcome.Holds
		}
		counts[names[r.Verdict]+" of "+names[want]]++
		if r.Ranked() {
			ranked++
		}
		if r.Verdict == outcome.Unknown {
			t.Logf("seed %d, open: %s\n%s", seed, r.Reason, p.text)
		} else if r.Verdict != want {
			t.Errorf("seed %d: %s, not %s\n%s", seed, names[r.Verdict], names[want], p.text)
		}
	}
	t.Logf("%d cases, %d with ranking functions: %v", cases, ranked, counts)
	if open := counts["open of ends"] + counts["open of does not"]; open*10 > cases {
		t.Errorf("%d of %d cases are open", open, cases)
	}
}
