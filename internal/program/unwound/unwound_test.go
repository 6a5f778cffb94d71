package unwound

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/smt"
)

var errEnough = errors.New("enough")

// within lets a proof make so many visits.
func within(most int) func(int) error {
	return func(visits int) error {
		if visits > most {
			return errEnough
		}
		return nil
	}
}

func newZ3(t testing.TB) *smt.Z3 {
	t.Helper()
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return z
}

func parse(t testing.TB, text string) *program.System {
	t.Helper()
	sys, err := gcl.Parse(source.NewFile("a.gcl", text))
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// TestAgainstEnumeration: what is said of small systems is right, by enumeration of their states with
// logic.Eval, and something is said of all but few systems whose runs end.
func TestAgainstEnumeration(t *testing.T) {
	z := newZ3(t)
	proved, refuted, cut, long, ending := 0, 0, 0, 0, 0
	n := soak.Cases(700)
	for seed := range uint64(n) {
		sys := newSystem(rand.New(rand.NewPCG(seed, 91)))
		unsafe, ends := enumerate(sys)
		most := 15
		if ends {
			most = 50
			ending++
		}
		err := Prove(context.Background(), sys, z, 0, within(most))
		var possible *Possible
		switch {
		case err == nil && unsafe:
			t.Fatalf("seed %d: an error is overlooked:\n%v", seed, sys)
		case err == nil:
			proved++
		case errors.As(err, &possible):
			if refuted++; !unsafe {
				t.Fatalf("seed %d: %v in %v of\n%v", seed, err, possible.Model, sys)
			}
			if sys.Location(possible.Location) < 0 || !begins(sys, possible.Model) {
				t.Fatalf("seed %d: no run of %v begins in %v", seed, sys, possible.Model)
			}
		case err == errEnough && !ends:
			cut++
		case err == errEnough:
			long++
		default:
			t.Fatalf("seed %d: %v of\n%v", seed, err, sys)
		}
	}
	t.Logf("%d systems: %d proved, %d refuted, %d cut; of %d all runs end, %d of them late", n, proved, refuted, cut, ending, long)
	if proved < n/3 || refuted < n/8 || long > ending/10 || ending < n/3 {
		t.Errorf("%d systems: %d proved, %d refuted, %d cut; of %d all runs end, %d of them late", n, proved, refuted, cut, ending, long)
	}
}

// begins reports whether the values of the variables in a model are those of an initial state.
func begins(sys *program.System, m logic.Model) bool {
	m = maps.Clone(m)
	for _, v := range sys.Vars {
		if _, ok := m[v.Name()]; !ok {
			m[v.Name()] = logic.Zero(v.Sort())
		}
	}
	return slices.ContainsFunc(sys.Init, func(r program.Region) bool { return holds(r.Where, m) })
}

// generator makes random systems.
type generator struct {
	*rand.Rand
	word  *logic.Sort
	words []*logic.Term
	flags []*logic.Term
}

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// newSystem returns a system over some words and Booleans. In most, edges lead forwards, or back with a counter.
func newSystem(r *rand.Rand) *program.System {
	g := &generator{Rand: r, word: logic.BitVec(2 + r.IntN(2))}
	sys := &program.System{}
	for i := range 1 + r.IntN(3-g.word.Width()/3) {
		g.words = append(g.words, logic.Var(fmt.Sprintf("w%d", i), g.word))
	}
	for i := range r.IntN(3) {
		g.flags = append(g.flags, logic.Var(fmt.Sprintf("f%d", i), logic.Bool))
	}
	sys.Vars = append(slices.Clone(g.words), g.flags...)
	n := 2 + r.IntN(4)
	for i := range n {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("l%d", i)})
	}
	for range 1 + r.IntN(3) {
		where := g.formula(1)
		for _, v := range sys.Vars {
			if g.chance(60) {
				where = logic.And(where, logic.Eq(v, g.value(v.Sort())))
			}
		}
		sys.Init = append(sys.Init, program.Region{Location: r.IntN(1 + n/2), Where: where})
	}
	for range 1 + r.IntN(2) {
		where := logic.And(g.formula(1), g.formula(1))
		for _, v := range sys.Vars {
			if g.chance(20) {
				where = logic.And(where, logic.Eq(v, g.value(v.Sort())))
			}
		}
		sys.Error = append(sys.Error, program.Region{Location: r.IntN(n), Where: where})
	}
	shape := r.IntN(4)
	for i := range 2 + r.IntN(8) {
		e := program.Edge{Name: fmt.Sprintf("c%d", i), From: r.IntN(n), To: r.IntN(n), Command: g.command()}
		switch {
		case shape == 0 || e.From < e.To:
		case shape == 1: // no loops
			e.From, e.To = min(e.From, e.To), min(max(e.From, e.To), n-1)
			if e.From == e.To {
				continue
			}
		case e.From >= e.To: // a counter, which others leave alone
			below := logic.BVULt(g.words[0], logic.BVConst(big.NewInt(1<<g.word.Width()-1), g.word.Width()))
			e.Command.Guard = logic.And(e.Command.Guard, below)
			e.Command.Update[g.words[0]] = logic.BVAdd(g.words[0], logic.BVConst(big.NewInt(1), g.word.Width()))
		}
		if shape > 1 && e.From < e.To {
			delete(e.Command.Update, g.words[0])
		}
		sys.Edges = append(sys.Edges, e)
	}
	return sys
}

func (g *generator) command() *program.Command {
	words, flags := g.words, g.flags
	defer func() { g.words, g.flags = words, flags }()
	c := &program.Command{Update: map[*logic.Term]*logic.Term{}}
	if g.chance(40) {
		in := logic.Var("n", g.word)
		c.Inputs, g.words = append(c.Inputs, in), append(slices.Clip(words), in)
	}
	if g.chance(20) {
		in := logic.Var("b", logic.Bool)
		c.Inputs, g.flags = append(c.Inputs, in), append(slices.Clip(flags), in)
	}
	switch g.IntN(4) {
	case 0:
		c.Guard = logic.True()
	case 1: // which exclude each other
		c.Guard = logic.Eq(g.words[g.IntN(len(g.words))], g.value(g.word))
	default:
		c.Guard = g.formula(2)
	}
	for _, v := range words {
		if g.chance(40) {
			c.Update[v] = g.term(1)
		}
	}
	for _, v := range flags {
		if g.chance(40) {
			c.Update[v] = g.formula(1)
		}
	}
	return c
}

func (g *generator) value(s *logic.Sort) *logic.Term {
	if s == logic.Bool {
		return logic.BoolConst(g.chance(50))
	}
	return logic.BVConst(big.NewInt(int64(g.IntN(1<<s.Width()))), s.Width())
}

func (g *generator) term(depth int) *logic.Term {
	if depth == 0 || g.chance(30) {
		if g.chance(40) {
			return g.value(g.word)
		}
		return g.words[g.IntN(len(g.words))]
	}
	a, b := g.term(depth-1), g.term(depth-1)
	switch g.IntN(5) {
	case 0:
		return logic.Ite(g.formula(depth-1), a, b)
	case 1:
		return logic.BVSub(a, b)
	case 2:
		return logic.BVOp(logic.OpBVMul, a, b)
	case 3:
		return logic.BVOp(logic.OpBVXor, a, b)
	}
	return logic.BVAdd(a, b)
}

func (g *generator) formula(depth int) *logic.Term {
	if depth == 0 || g.chance(30) {
		if len(g.flags) > 0 && g.chance(40) {
			f := g.flags[g.IntN(len(g.flags))]
			if g.chance(50) {
				return logic.Not(f)
			}
			return f
		}
		a, b := g.term(1), g.term(1)
		switch g.IntN(4) {
		case 0:
			return logic.Eq(a, b)
		case 1:
			return logic.Ne(a, b)
		case 2:
			return logic.BVSLt(a, b)
		}
		return logic.BVULe(a, b)
	}
	a, b := g.formula(depth-1), g.formula(depth-1)
	switch g.IntN(4) {
	case 0:
		return logic.And(a, b)
	case 1:
		return logic.Eq(a, b)
	case 2:
		return logic.Not(a)
	}
	return logic.Or(a, b)
}

// enumerate visits all states: whether one is an error, and whether all runs end.
func enumerate(sys *program.System) (unsafe, ends bool) {
	e := &enumeration{sys: sys, seen: map[string]int{}}
	ends = true
	each(sys.Vars, logic.Model{}, func(m logic.Model) {
		for _, r := range sys.Init {
			if holds(r.Where, m) {
				ends = e.visit(r.Location, maps.Clone(m)) && ends
			}
		}
	})
	return e.unsafe, ends
}

type enumeration struct {
	sys    *program.System
	seen   map[string]int // 1: on the run, 2: runs end, 3: some do not
	unsafe bool
}

func (e *enumeration) visit(l int, m logic.Model) (ends bool) {
	key := fmt.Sprint(l, m)
	if k := e.seen[key]; k > 0 {
		return k == 2
	}
	e.seen[key], ends = 1, true
	for _, r := range e.sys.Error {
		e.unsafe = e.unsafe || r.Location == l && holds(r.Where, m)
	}
	for _, edge := range e.sys.Edges {
		if edge.From != l {
			continue
		}
		each(edge.Command.Inputs, maps.Clone(m), func(all logic.Model) {
			if !holds(edge.Command.Guard, all) {
				return
			}
			next := maps.Clone(m)
			for v, t := range edge.Command.Update {
				next[v.Name()] = eval(t, all)
			}
			ends = e.visit(edge.To, next) && ends
		})
	}
	e.seen[key] = 3
	if ends {
		e.seen[key] = 2
	}
	return ends
}

// each calls f with all values of some variables in a model.
func each(vars []*logic.Term, m logic.Model, f func(logic.Model)) {
	if len(vars) == 0 {
		f(m)
		return
	}
	v := vars[0]
	if v.Sort() == logic.Bool {
		for _, b := range []bool{false, true} {
			m[v.Name()] = logic.BoolValue(b)
			each(vars[1:], m, f)
		}
		return
	}
	for i := range int64(1) << v.Sort().Width() {
		m[v.Name()] = logic.NumValue(big.NewRat(i, 1), v.Sort())
		each(vars[1:], m, f)
	}
}

func eval(t *logic.Term, m logic.Model) logic.Value {
	v, err := logic.Eval(t, m)
	if err != nil {
		panic(err)
	}
	return v
}

func holds(f *logic.Term, m logic.Model) bool { return eval(f, m).Bool() }

// TestWritten: systems each of which a mistake would get wrong. The location is that of the error, "" if there is none.
func TestWritten(t *testing.T) {
	z := newZ3(t)
	for name, c := range map[string]struct{ location, text string }{
		"choice between guards that overlap": {"b", `var x, y: bv8; locations a, b; init a when y == 0bv8;
			a -> b when bvule(x, 10bv8) do y := 1bv8; a -> b when bvule(5bv8, x) do y := 2bv8; error b when x == 7bv8 && y == 2bv8;`},
		"the first of them": {"b", `var x, y: bv8; locations a, b; init a when y == 0bv8;
			a -> b when bvule(x, 10bv8) do y := 1bv8; a -> b when bvule(5bv8, x) do y := 2bv8; error b when x == 7bv8 && y == 1bv8;`},
		"neither of them": {"", `var x, y: bv8; locations a, b; init a when y == 0bv8;
			a -> b when bvule(x, 10bv8) do y := 1bv8; a -> b when bvule(5bv8, x) do y := 2bv8; error b when x == 11bv8 && y == 1bv8;`},
		"three ways without guards": {"b", `var y: bv8; locations a, b; init a; a -> b do y := 1bv8; a -> b do y := 2bv8; a -> b do y := 3bv8; error b when y == 3bv8;`},
		"choice of a location":      {"c", `var y: bv8; locations a, b, c; init a when y == 0bv8; a -> b do y := 1bv8; a -> c; b -> c; error c when y == 0bv8;`},
		"guards with one number":    {"b", `var x, y: bv8; locations a, b; init a when y == 0bv8; a -> b when x == 1bv8 do y := 1bv8; a -> b when x == 1bv8 do y := 2bv8; error b when y == 2bv8;`},
		"the number first":          {"b", `var x, y: bv8; locations a, b; init a when y == 0bv8; a -> b when x == 1bv8 do y := 1bv8; a -> b when x == 1bv8 do y := 2bv8; error b when y == 1bv8;`},
		"guards with two numbers":   {"", `var x, y: bv8; locations a, b; init a when y == 0bv8; a -> b when x == 1bv8 do y := 1bv8; a -> b when x == 2bv8 do y := 2bv8; error b when x == 1bv8 && y == 2bv8;`},
		"an edge to nowhere":        {"c", `var y: bv8; locations a, b, c; init a when y == 0bv8; a -> b do y := 1bv8; a -> c; error c when y == 0bv8;`},
		"two regions at one location": {"b", `var x, y: bv8; locations a, b; init a when bvule(x, 3bv8) && y == 1bv8; init a when bvule(2bv8, x) && y == 2bv8;
			a -> b; error b when x == 3bv8 && y == 2bv8;`},
		"what neither region allows": {"", `var x, y: bv8; locations a, b; init a when bvule(x, 3bv8) && y == 1bv8; init a when bvule(2bv8, x) && y == 2bv8;
			a -> b; error b when x == 1bv8 && y == 2bv8;`},
		"two regions at two locations": {"c", `var x, y: bv8; locations a, b, c; init a when bvule(x, 3bv8); init b when bvule(2bv8, x);
			a -> c do y := 1bv8; b -> c do y := 2bv8; error c when x == 3bv8 && y == 2bv8;`},
		"the other location": {"c", `var x, y: bv8; locations a, b, c; init a when bvule(x, 3bv8); init b when bvule(2bv8, x);
			a -> c do y := 1bv8; b -> c do y := 2bv8; error c when x == 3bv8 && y == 1bv8;`},
		"inputs of two visits": {"d", `var x, y, i: bv8; input n: bv8; locations a, d; init a when i == 0bv8;
			a -> a when bvult(i, 2bv8) do y := x, x := n, i := bvadd(i, 1bv8); a -> d when i == 2bv8; error d when x != y;`},
		"one input of two edges": {"b", `var y, z: bv8; input n: bv8; locations a, b; init a when y == 0bv8 && z == 0bv8;
			a -> b when n == 1bv8 do y := n; a -> b when n == 2bv8 do z := n; error b when y == 0bv8 && z == 2bv8;`},
		"both edges": {"", `var y, z: bv8; input n: bv8; locations a, b; init a when y == 0bv8 && z == 0bv8;
			a -> b when n == 1bv8 do y := n; a -> b when n == 2bv8 do z := n; error b when y == 1bv8 && z == 2bv8;`},
		"an error at once":          {"a", `var x: bv8; locations a; init a when bvule(3bv8, x); error a when x == 3bv8;`},
		"no error at once":          {"", `var x: bv8; locations a; init a when bvule(4bv8, x); error a when x == 3bv8; a -> a when x == 2bv8;`},
		"an error in passing":       {"a", `var x: bv8; locations a, b; init a when x == 0bv8; a -> a when bvult(x, 9bv8) do x := bvadd(x, 1bv8); error a when x == 5bv8; a -> b when x == 9bv8; error b when x != 9bv8;`},
		"variables that are kept":   {"", `var x, y: bv8; locations a, b, c; init a when x == y; a -> b do x := 1bv8, y := 1bv8; a -> b; b -> c; error c when x != y;`},
		"all at once":               {"b", `var x, y: bv8; locations a, b; init a when x == 1bv8 && y == 2bv8; a -> b do x := y, y := x; error b when x == 2bv8 && y == 1bv8;`},
		"a loop of constants":       {"", `var i, s: bv32; locations a, b; init a when i == 0bv32 && s == 0bv32; a -> a when bvult(i, 1000bv32) do i := bvadd(i, 1bv32), s := bvadd(s, i); a -> b when !bvult(i, 1000bv32); error b when s != 499500bv32;`},
		"its error":                 {"b", `var i, s: bv32; locations a, b; init a when i == 0bv32 && s == 0bv32; a -> a when bvult(i, 1000bv32) do i := bvadd(i, 1bv32), s := bvadd(s, i); a -> b when !bvult(i, 1000bv32); error b when s == 499500bv32;`},
		"a loop to what is chosen":  {"", `var i, n: bv32; locations a, b; init a when i == 0bv32 && bvule(n, 20bv32); a -> a when bvult(i, n) do i := bvadd(i, 1bv32); a -> b when !bvult(i, n); error b when i != n;`},
		"as often as that":          {"b", `var i, n: bv32; locations a, b; init a when i == 0bv32 && bvule(n, 20bv32); a -> a when bvult(i, n) do i := bvadd(i, 1bv32); a -> b when !bvult(i, n); error b when i == 20bv32;`},
		"a loop in a loop":          {"", `var i, j, s: bv8; locations a, b, c; init a when i == 0bv8 && s == 0bv8; a -> b when bvult(i, 5bv8) do j := 0bv8; b -> b when bvult(j, i) do j := bvadd(j, 1bv8), s := bvadd(s, 1bv8); b -> a when !bvult(j, i) do i := bvadd(i, 1bv8); a -> c when !bvult(i, 5bv8); error c when s != 10bv8;`},
		"unknown functions":         {"b", `var x: int; fun f(int): int; locations a, b; init a; a -> b do x := f(x); a -> b do x := 7; error b when x == f(3) && x != 7;`},
		"what a function says once": {"", `var x, y: int; fun f(int): int; locations a, b; init a when x == y; a -> b do x := f(x), y := f(y); a -> b do x := 7, y := 7; error b when x != y;`},
	} {
		err := Prove(context.Background(), parse(t, c.text), z, 0, within(3000))
		var possible *Possible
		switch {
		case c.location == "" && err != nil, c.location != "" && (!errors.As(err, &possible) || possible.Location != c.location):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMerged: branches that meet again leave no trace in conditions, and values that have not changed none either.
func TestMerged(t *testing.T) {
	x, y, z := logic.Var("x", logic.Bool), logic.Var("y", logic.Bool), logic.Var("z", logic.Bool)
	u := newSymbols([]*logic.Term{x, y, z})
	at := func(condition, value *logic.Term) state {
		return state{logic.Conjuncts(condition), []*logic.Term{z, value}}
	}
	s := u.merge([]state{at(logic.And(z, x, y), x), at(logic.And(z, logic.Not(x)), x), at(logic.And(z, x, logic.Not(y)), x)})
	if len(s.condition) != 1 || s.condition[0] != z || s.values[1] != x {
		t.Errorf("%v, %v", s.condition, s.values)
	}
	both := logic.And(x, y)
	s = u.merge([]state{at(both, x), at(logic.Not(both), logic.Not(x))})
	if len(s.condition) != 0 || s.values[0] != z || u.means[s.values[1]] == nil {
		t.Errorf("%v, %v", s.condition, s.values)
	}
}

// TestMergedByEvaluation: what is merged is true where one of some exclusive states is, and has its values then.
func TestMergedByEvaluation(t *testing.T) {
	g := &generator{word: logic.BitVec(2), flags: []*logic.Term{logic.Var("p", logic.Bool), logic.Var("q", logic.Bool), logic.Var("r", logic.Bool)}}
	g.words = []*logic.Term{logic.Var("x", g.word)}
	vars := append(slices.Clone(g.flags), g.words...)
	for seed := range soak.Cases(uint64(300)) {
		g.Rand = rand.New(rand.NewPCG(seed, 92))
		u := newSymbols(vars)
		var states []state
		var open []*logic.Term // not in the states so far
		for range 1 + g.IntN(6) {
			f := g.formula(1)
			if condition, possible := assume(nil, append(slices.Clone(open), f)...); possible {
				states = append(states, state{condition, []*logic.Term{g.value(g.word), g.value(logic.Bool), g.term(1), g.formula(1)}})
			}
			open = append(open, logic.Not(f))
		}
		if len(states) == 0 {
			continue
		}
		merged := u.merge(slices.Clone(states))
		each(vars, logic.Model{}, func(m logic.Model) {
			is := slices.IndexFunc(states, func(s state) bool { return holds(logic.And(s.condition...), m) })
			if u.eval(logic.And(merged.condition...), m).Bool() != (is >= 0) {
				t.Fatalf("seed %d: state %d in %v: %v", seed, is, m, merged.condition)
			}
			for i, v := range merged.values {
				if is >= 0 && u.eval(v, m).Compare(eval(states[is].values[i], m)) != 0 {
					t.Fatalf("seed %d: value %d of state %d in %v: %v", seed, i, is, m, v)
				}
			}
		})
	}
}

// eval evaluates a term with names.
func (u *symbols) eval(t *logic.Term, m logic.Model) logic.Value {
	for len(u.mentioned([]*logic.Term{t})) > 0 {
		t = logic.Substitute(t, u.means)
	}
	return eval(t, m)
}

// TestFresh: symbols have no name of a variable.
func TestFresh(t *testing.T) {
	u := newSymbols([]*logic.Term{logic.Var("n@1", logic.Bool), logic.Var("n@3", logic.Bool)})
	if a, b := u.fresh("n", logic.Int), u.fresh("n", logic.Bool); a.Name() != "n@2" || b.Name() != "n@4" {
		t.Error(a, b)
	}
}

// checker is a Checker that does not know.
type checker struct{ smt.Checker }

func (checker) Reset()               {}
func (checker) Limit(uint64)         {}
func (checker) Assert(f *logic.Term) {}
func (checker) Reason() string       { return "a stone" }
func (checker) Check(context.Context, ...*logic.Term) (smt.Status, error) {
	return smt.Unknown, nil
}

// TestEnds: limits end a proof, and what the solver does not know is not proved.
func TestEnds(t *testing.T) {
	loop := parse(t, `var x: bv32; locations a; init a when x == 0bv32; error a when x == 4294967295bv32; a -> a do x := bvadd(x, 2bv32);`)
	if err := Prove(context.Background(), loop, checker{}, 0, within(100)); err != errEnough {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Prove(ctx, loop, checker{}, 0, within(100)); err != context.Canceled {
		t.Error(err)
	}
	sys := parse(t, `var x: bv32; locations a; init a; error a when x == 1bv32;`)
	var stuck *outcome.Stuck
	if err := Prove(context.Background(), sys, checker{}, 0, within(100)); !errors.As(err, &stuck) || !strings.Contains(stuck.What, "a stone") {
		t.Error(err)
	}
	sys.Error[0].Location = 1
	if Prove(context.Background(), sys, checker{}, 0, within(100)) == nil {
		t.Error("a system that is none")
	}
}
