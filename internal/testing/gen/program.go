package gen

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// SystemMax bounds the integers of NewSystem: they stay in 0..SystemMax.
const SystemMax = 3

// NewSystem returns a random guarded-command system over two or three integers
// that no command leads out of 0..SystemMax. Inputs are in that range too.
func NewSystem(r *rand.Rand) *program.System {
	sys := &program.System{Name: "random"}
	for i := range 2 + r.IntN(2) {
		sys.Vars = append(sys.Vars, logic.Var([]string{"x", "y", "z"}[i], logic.Int))
	}
	for i := range 2 + r.IntN(4) {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	bounded := make([]*logic.Term, 0)
	for _, v := range sys.Vars {
		bounded = append(bounded, inRange(v))
	}
	where := systemGuard(r, sys.Vars)
	sys.Init = []program.Region{{Location: 0, Where: logic.And(append(bounded, where)...)}}
	for range 1 + r.IntN(2) {
		sys.Error = append(sys.Error, program.Region{Location: r.IntN(len(sys.Locations)), Where: logic.And(systemGuard(r, sys.Vars), systemGuard(r, sys.Vars))})
	}
	for i := range 2 + r.IntN(8) {
		sys.Edges = append(sys.Edges, systemEdge(r, sys, i))
	}
	return sys
}

func inRange(t *logic.Term) *logic.Term {
	return logic.And(logic.Ge(t, logic.IntConst(0)), logic.Le(t, logic.IntConst(SystemMax)))
}

func systemEdge(r *rand.Rand, sys *program.System, i int) program.Edge {
	c := &program.Command{Guard: systemGuard(r, sys.Vars), Update: map[*logic.Term]*logic.Term{}}
	for _, v := range sys.Vars {
		if r.IntN(3) > 0 {
			continue
		}
		var e *logic.Term
		other := sys.Vars[r.IntN(len(sys.Vars))]
		switch r.IntN(6) {
		case 0:
			e = logic.IntConst(int64(r.IntN(SystemMax + 1)))
		case 1:
			e = other
		case 2:
			e = logic.Add(v, logic.IntConst(1))
		case 3:
			e = logic.Sub(v, logic.IntConst(1))
		case 4:
			e = logic.Add(v, other)
		default:
			in := logic.Var("n", logic.Int)
			if len(c.Inputs) == 0 {
				c.Inputs = append(c.Inputs, in)
				c.Guard = logic.And(c.Guard, inRange(in))
			}
			e = in
		}
		c.Update[v] = e
		c.Guard = logic.And(c.Guard, inRange(e))
	}
	return program.Edge{Name: fmt.Sprintf("c%d", i), From: r.IntN(len(sys.Locations)), To: r.IntN(len(sys.Locations)), Command: c}
}

func systemGuard(r *rand.Rand, vars []*logic.Term) *logic.Term {
	a := vars[r.IntN(len(vars))]
	b := logic.IntConst(int64(r.IntN(SystemMax + 1)))
	if r.IntN(3) == 0 {
		b = vars[r.IntN(len(vars))]
	}
	switch r.IntN(7) {
	case 0:
		return logic.True()
	case 1:
		return logic.Eq(a, b)
	case 2:
		return logic.Ne(a, b)
	case 3:
		return logic.Le(a, b)
	case 4:
		return logic.Lt(a, b)
	case 5:
		return logic.Or(logic.Lt(a, b), logic.Eq(b, vars[0]))
	}
	return logic.Ge(a, b)
}

// NewFlagSystem returns a random system like NewSystem's with two or three Booleans beside
// the integers: set, copied, negated, compared and tested.
func NewFlagSystem(r *rand.Rand) *program.System {
	sys := NewSystem(r)
	numbers := sys.Vars
	flags := []*logic.Term{}
	for i := range 2 + r.IntN(2) {
		flags = append(flags, logic.Var([]string{"a", "b", "c"}[i], logic.Bool))
	}
	literal := func() *logic.Term {
		if f := flags[r.IntN(len(flags))]; r.IntN(2) == 0 {
			return f
		} else {
			return logic.Not(f)
		}
	}
	test := func() *logic.Term {
		number := logic.Ite(literal(), logic.IntConst(int64(r.IntN(3))), numbers[r.IntN(len(numbers))])
		return []*logic.Term{logic.True(), literal(), logic.Or(literal(), systemGuard(r, numbers)), logic.Eq(literal(), literal()),
			logic.Eq(literal(), systemGuard(r, numbers)), logic.Le(number, logic.IntConst(1)), logic.And(literal(), literal())}[r.IntN(7)]
	}
	sys.Vars = append(slices.Clone(numbers), flags...)
	sys.Init[0].Where = logic.And(sys.Init[0].Where, test())
	for i := range sys.Error {
		sys.Error[i].Where = logic.And(sys.Error[i].Where, test())
	}
	for _, e := range sys.Edges {
		c := e.Command
		c.Guard = logic.And(c.Guard, test())
		for _, f := range flags {
			switch r.IntN(8) {
			case 0:
				c.Update[f] = logic.BoolConst(r.IntN(2) == 0)
			case 1:
				c.Update[f] = literal()
			case 2:
				c.Update[f] = systemGuard(r, numbers)
			case 3:
				in := logic.Var("any."+f.Name(), logic.Bool)
				c.Inputs, c.Update[f] = append(c.Inputs, in), in
			case 4:
				c.Update[f] = test()
			}
		}
	}
	return sys
}

// NewDividingSystem returns a random system like NewSystem's with divisions and remainders,
// by what may be 0, in guards, assignments and regions.
func NewDividingSystem(r *rand.Rand) *program.System {
	sys := NewSystem(r)
	quotient := func() *logic.Term {
		a, b := sys.Vars[r.IntN(len(sys.Vars))], logic.Sub(sys.Vars[r.IntN(len(sys.Vars))], logic.IntConst(int64(r.IntN(2))))
		e := []func(a, b *logic.Term) *logic.Term{logic.IntDiv, logic.IntMod, logic.TruncDiv, logic.TruncMod}[r.IntN(4)](a, b)
		if r.IntN(4) == 0 {
			e = logic.Ite(systemGuard(r, sys.Vars), e, a)
		}
		return e
	}
	with := func(f *logic.Term) *logic.Term {
		g := logic.Le(quotient(), logic.IntConst(int64(r.IntN(3))))
		switch r.IntN(8) {
		case 0:
			return logic.And(f, g)
		case 1:
			return logic.And(f, logic.Or(systemGuard(r, sys.Vars), g))
		case 2:
			return logic.And(f, logic.Or(systemGuard(r, sys.Vars), logic.Not(g)))
		case 3:
			return logic.And(f, logic.Eq(g, systemGuard(r, sys.Vars)))
		}
		return f
	}
	for i := range sys.Edges {
		c := sys.Edges[i].Command
		c.Guard = with(c.Guard)
		if v := sys.Vars[r.IntN(len(sys.Vars))]; r.IntN(3) == 0 {
			e := quotient()
			c.Update[v] = e
			// That the value stays in range may be asked only where there is one.
			c.Guard = logic.And(c.Guard, logic.Or(inRange(e), logic.And(systemGuard(r, sys.Vars), inRange(e))))
		}
	}
	for _, regions := range [][]program.Region{sys.Init, sys.Error} {
		if r.IntN(3) == 0 {
			regions[0].Where = with(regions[0].Where)
		}
	}
	return sys
}

// NewWordSystem returns a random guarded-command system over two or three
// bit-vectors of two bits.
func NewWordSystem(r *rand.Rand) *program.System {
	sort := logic.BitVec(2)
	sys := &program.System{Name: "random words"}
	for i := range 2 + r.IntN(2) {
		sys.Vars = append(sys.Vars, logic.Var([]string{"x", "y", "z"}[i], sort))
	}
	for i := range 2 + r.IntN(2) {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	in := logic.Var("n", sort)
	value := func(some []*logic.Term) *logic.Term {
		if r.IntN(3) == 0 {
			return logic.BVConst(big.NewInt(int64(r.IntN(4))), 2)
		}
		return some[r.IntN(len(some))]
	}
	guard := func() *logic.Term {
		a, b := value(sys.Vars), value(sys.Vars)
		return []*logic.Term{logic.Eq(a, b), logic.Ne(a, b), logic.BVULe(a, b), logic.BVULt(a, b), logic.BVSLe(a, b), logic.True()}[r.IntN(6)]
	}
	sys.Init = []program.Region{{Where: logic.And(guard(), guard(), logic.Eq(sys.Vars[0], value(sys.Vars[1:])))}}
	sys.Error = []program.Region{{Location: r.IntN(len(sys.Locations)), Where: logic.And(guard(), guard())}}
	for i := range 4 + r.IntN(6) {
		c := &program.Command{Guard: guard(), Update: map[*logic.Term]*logic.Term{}}
		for _, v := range sys.Vars {
			if r.IntN(2) > 0 {
				continue
			}
			from := sys.Vars
			if r.IntN(5) == 0 {
				from, c.Inputs = []*logic.Term{in}, []*logic.Term{in}
			}
			ops := []logic.Op{logic.OpBVAdd, logic.OpBVMul, logic.OpBVAnd, logic.OpBVXor, logic.OpBVShl, logic.OpBVOr}
			c.Update[v] = logic.BVOp(ops[r.IntN(len(ops))], value(from), value(sys.Vars))
		}
		used := []*logic.Term{}
		for _, e := range c.Update {
			used = append(used, e)
		}
		if !slices.Contains(logic.Vars(used...), in) {
			c.Inputs = nil
		}
		sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprintf("c%d", i), From: r.IntN(len(sys.Locations)), To: r.IntN(len(sys.Locations)), Command: c})
	}
	return sys
}

// NewLongSystem returns a random system like NewSystem's with many locations, most of
// which are passed on the way from one to the next.
func NewLongSystem(r *rand.Rand) *program.System {
	sys := NewSystem(r)
	n := 8 + r.IntN(16)
	for i := len(sys.Locations); i < n; i++ {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	for i := range n + r.IntN(n) {
		e := systemEdge(r, sys, len(sys.Edges))
		if i < n-1 || r.IntN(2) == 0 {
			e.From = i % (n - 1)
			e.To = e.From + 1
		}
		sys.Edges = append(sys.Edges, e)
	}
	for i := range sys.Error {
		sys.Error[i].Location = r.IntN(n)
	}
	return sys
}

// NewBranchingSystem returns a random system like NewSystem's of branches that meet again,
// most of them on conditions of which one is the opposite of the other, or on inputs.
func NewBranchingSystem(r *rand.Rand) *program.System {
	sys := NewSystem(r)
	n := 6 + r.IntN(8)
	sys.Locations, sys.Edges = nil, nil
	for i := range n {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	add := func(from, to int, guard *logic.Term) *program.Command {
		e := systemEdge(r, sys, len(sys.Edges))
		e.From, e.To = from, to
		if len(e.Command.Inputs) == 0 || r.IntN(8) > 0 { // inputs that matter keep blocks small
			e.Command.Inputs = nil
			e.Command.Guard = logic.True()
			for v, t := range e.Command.Update {
				if slices.Contains(sys.Vars, v) && len(logic.Vars(t)) > 0 && logic.Vars(t)[0].Name() == "n" {
					t = logic.IntConst(int64(r.IntN(SystemMax + 1)))
					e.Command.Update[v] = t
				}
				e.Command.Guard = logic.And(e.Command.Guard, inRange(t))
			}
			e.Command.Guard = logic.And(e.Command.Guard, guard)
		}
		sys.Edges = append(sys.Edges, e)
		return e.Command
	}
	for l := range n - 1 {
		next := func() int { return l + 1 + r.IntN(min(3, n-1-l)) }
		g := systemGuard(r, sys.Vars)
		switch r.IntN(5) {
		case 0:
			add(l, next(), logic.True())
		case 1, 2:
			add(l, next(), g)
			add(l, next(), logic.Not(g))
		case 3: // an input that only decides
			in := logic.Var("n", logic.Int)
			for _, g := range []*logic.Term{logic.Le(in, sys.Vars[0]), logic.Gt(in, sys.Vars[0])} {
				if c := add(l, next(), logic.And(g, inRange(in))); len(c.Inputs) == 0 {
					c.Inputs = []*logic.Term{in}
				}
			}
		default:
			for range 3 {
				add(l, next(), systemGuard(r, sys.Vars))
			}
		}
	}
	if r.IntN(2) == 0 {
		add(n-1-r.IntN(3), r.IntN(3), systemGuard(r, sys.Vars))
	}
	for i := range sys.Error {
		sys.Error[i].Location = r.IntN(n)
	}
	return sys
}

// State returns a random state of a system of numbers up to SystemMax.
func State(r *rand.Rand, sys *program.System) logic.Model {
	state := logic.Model{}
	for _, v := range sys.Vars {
		state[v.Name()] = logic.IntValue(int64(r.IntN(SystemMax + 1)))
	}
	return state
}

// NewWildSystem returns a random system over integers, reals, Booleans and words of four
// bits, with whatever terms there are in guards and assignments: numbers have no bounds,
// and divisors may be 0. Half of the commands are what loops are made of.
func NewWildSystem(r *rand.Rand) *program.System {
	sys := &program.System{Name: "wild"}
	sorts := [][]*logic.Sort{{logic.Int}, {logic.Int, logic.Real}, {logic.Real}, {SmallBV}, {logic.Int, SmallBV}}[r.IntN(5)]
	var inputs []*logic.Term // the last variable of each sort
	for _, s := range append([]*logic.Sort{logic.Bool}, sorts...) {
		vars := RawVars(s)
		sys.Vars = append(sys.Vars, vars[:3]...)
		inputs = append(inputs, vars[3])
	}
	state := func(f *logic.Term) *logic.Term { // without inputs
		by := map[*logic.Term]*logic.Term{}
		for i, in := range inputs {
			by[in] = sys.Vars[3*i]
		}
		return logic.Substitute(f, by)
	}
	for i := range 2 + r.IntN(4) {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	formula := func(depth int) *logic.Term {
		return NewRawTerm(r, logic.Bool, RawOptions{Depth: depth, Sorts: sorts}).Term()
	}
	parts := []*logic.Term{}
	for _, v := range sys.Vars {
		if r.IntN(2) == 0 {
			parts = append(parts, logic.Eq(v, leafOf(r, v.Sort())))
		}
	}
	sys.Init = []program.Region{{Where: state(logic.And(append(parts, formula(1))...))}}
	sys.Error = []program.Region{{Location: r.IntN(len(sys.Locations)), Where: state(formula(2))}}
	for i := range 2 + r.IntN(8) {
		c := &program.Command{Guard: formula(r.IntN(4)), Update: map[*logic.Term]*logic.Term{}}
		for _, v := range sys.Vars {
			switch s := v.Sort(); {
			case r.IntN(3) > 0:
			case r.IntN(2) == 0 && s.Arithmetic():
				c.Update[v] = logic.Add(v, logic.Number(big.NewRat(int64(r.IntN(5)-2), 1), s))
			case r.IntN(2) == 0:
				c.Update[v] = leafOf(r, s)
			default:
				c.Update[v] = NewRawTerm(r, s, RawOptions{Depth: 1 + r.IntN(3), Sorts: sorts}).Term()
			}
		}
		used := []*logic.Term{c.Guard}
		for _, e := range c.Update {
			used = append(used, e)
		}
		for _, v := range logic.Vars(used...) {
			if slices.Contains(inputs, v) {
				c.Inputs = append(c.Inputs, v)
			}
		}
		sys.Edges = append(sys.Edges, program.Edge{Name: fmt.Sprintf("c%d", i), From: r.IntN(len(sys.Locations)), To: r.IntN(len(sys.Locations)), Command: c})
	}
	return sys
}

func leafOf(r *rand.Rand, s *logic.Sort) *logic.Term { return leaf(r, s).Term() }
