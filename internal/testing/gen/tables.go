package gen

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// tableSystem makes a random system with arrays and an unknown function.
type tableSystem struct {
	*rand.Rand
	sys      *program.System
	words    bool
	number   *logic.Sort // of values
	index    *logic.Sort // of arrays
	scalars  []*logic.Term
	arrays   []*logic.Term
	function *logic.Term // or nil
}

// NewTableSystem returns a random guarded-command system over two numbers, arrays and an
// unknown function. The numbers are words of one or two bits, or integers; where they are
// integers, nothing but 0..SystemMax is ever an index, an argument or a value, and arrays
// differ at no other index.
func NewTableSystem(r *rand.Rand) *program.System {
	t := &tableSystem{Rand: r, sys: &program.System{Name: "tables"}, words: r.IntN(2) == 0, number: logic.Int, index: logic.Int}
	if t.words {
		t.number, t.index = logic.BitVec(2), logic.BitVec(1)
	}
	shape := r.IntN(4)
	t.scalars = []*logic.Term{logic.Var("x", t.number), logic.Var("y", t.number)}
	if shape != 0 {
		t.arrays = append(t.arrays, logic.Var("a", logic.ArrayOf(t.index, t.number)))
	}
	switch {
	case shape == 1 && t.words:
		t.arrays = append(t.arrays, logic.Var("b", t.arrays[0].Sort()))
	case shape == 0 && t.words:
		t.function = logic.Var("f", logic.FunctionOf([]*logic.Sort{t.index, logic.Bool}, t.number))
	case shape == 0 || t.words:
		t.function = logic.Var("f", logic.FunctionOf([]*logic.Sort{t.number}, t.number))
	}
	t.sys.Vars = append(slices.Clone(t.scalars), t.arrays...)
	if t.function != nil {
		t.sys.Vars = append(t.sys.Vars, t.function)
	}
	for i := range 2 + r.IntN(2) {
		t.sys.Locations = append(t.sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	n := len(t.sys.Locations)
	t.sys.Init = []program.Region{{Where: logic.And(t.initial(), t.within(t.formula()))}}
	t.sys.Error = []program.Region{{Location: r.IntN(n), Where: t.within(logic.And(t.formula(), t.formula()))}}
	for i := range 3 + r.IntN(5) {
		t.sys.Edges = append(t.sys.Edges, program.Edge{Name: fmt.Sprintf("c%d", i), From: r.IntN(n), To: r.IntN(n), Command: t.command()})
	}
	return t.sys
}

func (t *tableSystem) constant(limit int) *logic.Term {
	k := int64(t.IntN(limit + 1))
	if t.words {
		return logic.BVConst(big.NewInt(k), t.number.Width())
	}
	return logic.IntConst(k)
}

// at is a number as an index.
func (t *tableSystem) at(e *logic.Term) *logic.Term {
	if t.words {
		return logic.Extract(e, 0, 0)
	}
	return e
}

func (t *tableSystem) value(depth int) *logic.Term {
	switch k := t.IntN(8); {
	case k == 0 || depth == 0 && k > 4:
		return t.constant(SystemMax)
	case k < 4 || depth == 0:
		return t.scalars[t.IntN(len(t.scalars))]
	case k == 4:
		if t.words {
			return logic.BVAdd(t.value(depth-1), t.constant(1))
		}
		return logic.Add(t.value(depth-1), t.constant(1))
	case k < 7 && len(t.arrays) > 0 || t.function == nil:
		return logic.Select(t.arrays[t.IntN(len(t.arrays))], t.at(t.value(depth-1)))
	}
	e := t.value(depth - 1)
	if arguments, _ := t.function.Sort().Signature(); len(arguments) == 2 {
		return logic.Apply(t.function, t.at(e), t.formula())
	}
	return logic.Apply(t.function, e)
}

func (t *tableSystem) formula() *logic.Term {
	a, b := t.value(2), t.value(1)
	switch t.IntN(6) {
	case 0:
		return logic.True()
	case 1:
		return logic.Ne(a, b)
	case 2:
		if t.words {
			return logic.BVULe(a, b)
		}
		return logic.Le(a, b)
	case 3:
		if n := len(t.arrays); n > 1 && t.IntN(2) == 0 {
			return logic.Ne(t.arrays[0], t.arrays[1])
		} else if n > 1 {
			return logic.Eq(t.arrays[0], logic.Store(t.arrays[1], t.at(a), b))
		}
	}
	return logic.Eq(a, b)
}

// within says that integers are in their range.
func (t *tableSystem) within(fs ...*logic.Term) *logic.Term {
	out := slices.DeleteFunc(slices.Clone(fs), func(f *logic.Term) bool { return f.Sort() != logic.Bool })
	if t.words {
		return logic.And(out...)
	}
	seen := map[*logic.Term]bool{}
	var visit func(e *logic.Term)
	visit = func(e *logic.Term) {
		if seen[e] {
			return
		}
		seen[e] = true
		switch op := e.Op(); {
		case op == logic.OpSelect || op == logic.OpApply:
			out = append(out, inRange(e), inRange(e.Args()[1]))
		case op == logic.OpStore:
			out = append(out, inRange(e.Args()[1]), inRange(e.Args()[2]))
		}
		for _, a := range e.Args() {
			visit(a)
		}
	}
	for _, f := range fs {
		visit(f)
		if f.Sort() == logic.Int {
			out = append(out, inRange(f))
		}
	}
	return logic.And(out...)
}

// initial bounds what integers begin with.
func (t *tableSystem) initial() *logic.Term {
	if t.words {
		return logic.True()
	}
	out := []*logic.Term{inRange(t.scalars[0]), inRange(t.scalars[1])}
	for _, a := range t.arrays {
		for k := range int64(SystemMax + 1) {
			out = append(out, inRange(logic.Select(a, logic.IntConst(k))))
		}
	}
	return logic.And(out...)
}

func (t *tableSystem) command() *program.Command {
	c := &program.Command{Update: map[*logic.Term]*logic.Term{}}
	used := []*logic.Term{t.formula()}
	for _, v := range t.scalars {
		if t.IntN(2) == 0 {
			c.Update[v] = t.value(2)
			used = append(used, c.Update[v])
		}
	}
	for _, a := range t.arrays {
		e := a
		for range t.IntN(3) {
			e = logic.Store(e, t.at(t.value(1)), t.value(1))
		}
		if t.IntN(6) == 0 {
			e = t.arrays[0]
		}
		if e != a {
			c.Update[a] = e
			used = append(used, e)
		}
	}
	if t.IntN(4) == 0 {
		in := logic.Var("n", t.number)
		c.Inputs = []*logic.Term{in}
		c.Update[t.scalars[0]] = in
		used = append(used, in)
	}
	c.Guard = t.within(used...)
	return c
}
