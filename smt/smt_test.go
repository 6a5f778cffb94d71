package smt_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

var ctx = context.Background()

// newZ3 fails the test, in one line that says what to do, where there is no z3.
func newZ3(t testing.TB, o Options) *Z3 {
	t.Helper()
	z, err := NewZ3(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return z
}

var (
	x, y, w = logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("z", logic.Int)
	scope   = logic.NewScope(x, y, w, logic.Var("r", logic.Real), logic.Var("p", logic.Bool), logic.Var("q", logic.Bool),
		logic.Var("a", gen.SmallArray), logic.Var("v", logic.BitVec(8)))
)

func parse(t testing.TB, text string) *logic.Term {
	t.Helper()
	f, err := logic.Parse(source.NewFile("<formula>", text), logic.C, scope)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustCheck(t *testing.T, s Checker, want Status, assumptions ...*logic.Term) {
	t.Helper()
	got, err := s.Check(ctx, assumptions...)
	if err != nil || got != want {
		t.Fatalf("got %s (%s), %v, want %s", got, s.Reason(), err, want)
	}
}

func TestStack(t *testing.T) {
	z := newZ3(t, Options{})
	z.Push()
	z.Assert(parse(t, "x < y"))
	mustCheck(t, z, Sat)
	m, err := z.Model(ctx)
	if err != nil || m == nil || m["x"].Num().Cmp(m["y"].Num()) >= 0 {
		t.Fatalf("model %v, %v", m, err)
	}
	z.Push()
	z.Assert(parse(t, "y < z && z < x"))
	mustCheck(t, z, Unsat)
	z.Pop()
	mustCheck(t, z, Sat)
	mustCheck(t, z, Unsat, parse(t, "y == 3"), parse(t, "z == 1"), parse(t, "x == 3"))
	core, err := z.Core(ctx)
	if err != nil || fmt.Sprint(core) != "[0 2]" {
		t.Errorf("core %v, %v", core, err)
	}
	mustCheck(t, z, Sat, parse(t, "y == 3"), parse(t, "z == 1"))
	if m, _ := z.Model(ctx); m.String() == "" || m["y"].String() != "3" || m["z"].String() != "1" {
		t.Errorf("model under assumptions: %s", m)
	}
	z.Reset()
	mustCheck(t, z, Sat)
}

func TestTheories(t *testing.T) {
	z := newZ3(t, Options{})
	for text, want := range map[string]Status{
		"r * 2.0 == 3.0":                                       Sat,
		"2 * x == 2 * y + 1":                                   Unsat,
		"a[x] == 1 && store(a, y, 2)[x] == 3":                  Unsat,
		"store(a, y, 2)[x] == 2 && x != y && a[x] > 0":         Sat,
		"bvult(v, 3bv8) && bvslt(10bv8, v)":                    Unsat,
		"bvult(200bv8, v) && bvslt(v, 255bv8)":                 Sat,
		"bvudiv(v, 0bv8) == 255bv8":                            Sat,
		"bvudiv(v, 0bv8) != 255bv8":                            Unsat,
		"x / 3 == -2 && x % 3 == -1":                           Sat,
		"x % 3 == 1 && x < 0":                                  Unsat,
		"p && !q && (p -> q || x == 1) && x != 1":              Unsat,
		"x * x == 49 && x < 0":                                 Sat,
		"extract(3, 0, v) == 15bv4 && bvule(v, 14bv8)":         Unsat,
		"sign_extend(8, v) == 65535bv16 && v == 255bv8":        Sat,
		"div(x, 3) == 5 && mod(x, 3) == 2":                     Sat,
		"to_int(r) == 2 && r > 2.5":                            Sat,
		"const_array(\"(Array Int Int)\", 7)[x] == 8":          Unsat,
		"a == const_array(\"(Array Int Int)\", 7) && a[x] > 6": Sat,
	} {
		status, m, err := ModelOf(ctx, z, parse(t, text))
		if err != nil || status != want {
			t.Errorf("%s: %s (%s), %v, want %s", text, status, z.Reason(), err, want)
		}
		if status == Sat {
			if ok, err := logic.Holds(parse(t, text), m); !ok || err != nil {
				t.Errorf("%s: model %s: %v, %v", text, m, ok, err)
			}
		}
	}
}

// question is a random formula over three bounded Ints with its true answer.
func question(r *rand.Rand) (f *logic.Term, want Status) {
	vars := gen.RawVars(logic.Int)[:2]
	var parts []*logic.Term
	for _, v := range append(vars, gen.RawVars(logic.Int)[2:]...) {
		parts = append(parts, logic.Ge(v, logic.IntConst(-2)), logic.Le(v, logic.IntConst(2)))
	}
	for range 1 + r.IntN(4) {
		parts = append(parts, gen.NewRawTerm(r, logic.Bool, gen.RawOptions{Depth: 3, Sorts: []*logic.Sort{logic.Int}}).Term())
	}
	f = logic.And(parts...)
	for _, v := range logic.Vars(f) {
		if v.Sort() != logic.Int && v.Sort() != logic.Bool {
			return f, Unknown
		}
	}
	return f, enumerate(f)
}

// enumerate tries all values; Unknown where one has none.
func enumerate(f *logic.Term) Status {
	vars := logic.Vars(f)
	m := logic.Model{}
	var try func(i int) Status
	try = func(i int) Status {
		if i == len(vars) {
			ok, err := logic.Holds(f, m)
			switch {
			case err != nil:
				return Unknown
			case ok:
				return Sat
			}
			return Unsat
		}
		worst := Unsat
		lo, hi := int64(-2), int64(2)
		if vars[i].Sort() == logic.Bool {
			lo, hi = 0, 1
		}
		for k := lo; k <= hi; k++ {
			if m[vars[i].Name()] = logic.IntValue(k); vars[i].Sort() == logic.Bool {
				m[vars[i].Name()] = logic.BoolValue(k == 1)
			}
			switch try(i + 1) {
			case Sat:
				return Sat
			case Unknown:
				worst = Unknown
			}
		}
		return worst
	}
	return try(0)
}

// TestAgainstEnumeration compares with trying all values.
func TestAgainstEnumeration(t *testing.T) {
	z := newZ3(t, Options{Timeout: 10 * time.Second})
	seen := map[Status]int{}
	for seed := range soak.Long(uint64(1000)) {
		f, want := question(rand.New(rand.NewPCG(seed, 20)))
		if want == Unknown || len(logic.Vars(f)) > 6 {
			continue
		}
		got, m, err := ModelOf(ctx, z, f)
		if err != nil || got != want && got != Unknown {
			t.Fatalf("seed %d: %s (%s), %v, want %s: %s", seed, got, z.Reason(), err, want, f)
		}
		if got == Sat {
			if ok, err := logic.Holds(f, m); !ok || err != nil {
				t.Fatalf("seed %d: wrong model %s", seed, m)
			}
		}
		if got == Unknown && strings.Contains(z.Reason(), "division by zero") {
			continue // the model rests on a value that SMT-LIB leaves open
		}
		seen[got]++
	}
	if seen[Sat] < soak.Long(100) || seen[Unsat] < soak.Long(100) || seen[Unknown] > soak.Long(20) {
		t.Errorf("the random formulas do not say much: %v", seen)
	}
}

// TestCores: a core is unsatisfiable by itself.
func TestCores(t *testing.T) {
	z := newZ3(t, Options{})
	found := 0
	for seed := range soak.Long(uint64(300)) {
		if seed%10 == 0 {
			z.Reset() // the assumptions of all earlier questions stay with the child
		}
		r := rand.New(rand.NewPCG(seed, 21))
		var fs []*logic.Term
		for range 6 {
			fs = append(fs, gen.NewRawTerm(r, logic.Bool, gen.RawOptions{Depth: 2, Sorts: []*logic.Sort{logic.Real}}).Term())
		}
		status, err := z.Check(ctx, fs...)
		if err != nil {
			t.Fatal(err)
		}
		if status != Unsat {
			continue
		}
		core, err := z.Core(ctx)
		if err != nil || core == nil {
			t.Fatalf("seed %d: %v, %s", seed, err, z.Reason())
		}
		var some []*logic.Term
		for _, i := range core {
			some = append(some, fs[i])
		}
		if status, err := CheckAll(ctx, z, some...); status != Unsat || err != nil {
			t.Fatalf("seed %d: core %v is %s, %v", seed, some, status, err)
		}
		found++
	}
	if found < soak.Long(50) {
		t.Errorf("only %d cores", found)
	}
}

// lectureHorn is the path rho1, rho2 n times, rho3, rho5 of the lectures'
// example program as a Horn problem (eq. 10).
func lectureHorn(t *testing.T, n int) *horn.Problem {
	params := []*logic.Term{x, y, w}
	next := []*logic.Term{logic.Add(x, logic.IntConst(1)), y, w}
	h := &horn.Problem{Preds: []horn.Pred{{Params: params}}}
	h.Clauses = append(h.Clauses, horn.Clause{Constraint: parse(t, "y >= z"), Head: &horn.App{Pred: 0, Args: params}})
	step := func(guard string, args []*logic.Term) {
		i := len(h.Preds)
		h.Preds = append(h.Preds, horn.Pred{Params: params})
		h.Clauses = append(h.Clauses, horn.Clause{Body: []horn.App{{Pred: i - 1, Args: params}}, Constraint: parse(t, guard), Head: &horn.App{Pred: i, Args: args}})
	}
	for range n {
		step("x + 1 <= y", next)
	}
	step("x >= y", params)
	last := len(h.Preds) - 1
	h.Clauses = append(h.Clauses, horn.Clause{Body: []horn.App{{Pred: last, Args: params}}, Constraint: parse(t, "x + 1 <= z")})
	return h
}

func TestHorn(t *testing.T) {
	z := newZ3(t, Options{Timeout: 20 * time.Second})
	for n := range 4 {
		h := lectureHorn(t, n)
		res, err := z.Horn(ctx, h, 0)
		if err != nil || res.Status != Sat {
			t.Fatalf("%d rounds: %s (%s), %v", n, res.Status, res.Reason, err)
		}
		if first, last := res.Solution[0].String(), res.Solution[len(h.Preds)-1].String(); first != "y >= z" || last != "x >= z" {
			t.Errorf("%d rounds: %s ... %s", n, first, last)
		}
	}
	h := lectureHorn(t, 2)
	h.Clauses[len(h.Clauses)-1].Constraint = parse(t, "x >= z")
	if res, err := z.Horn(ctx, h, 0); err != nil || res.Status != Unsat {
		t.Errorf("a real path: %s, %v", res.Status, err)
	}
	// The same children do other work in between.
	mustCheck(t, z, Sat, parse(t, "x == 3"))
}

func TestMaximize(t *testing.T) {
	for _, timeout := range []time.Duration{0, time.Millisecond} {
		z := newZ3(t, Options{Timeout: timeout})
		soft := []*logic.Term{parse(t, "x > 3"), parse(t, "y > 3"), parse(t, "z > 3")}
		status, m, best, err := z.Maximize(ctx, []*logic.Term{parse(t, "x + y + z <= 9 && x >= 0 && y >= 0 && z >= 0")}, soft, []int{1, 5, 1})
		if timeout > 0 {
			continue // any answer that evaluates will do
		}
		if err != nil || status != Sat || !best {
			t.Fatalf("%s, %v, %v", status, best, err)
		}
		if ok, _ := logic.Holds(soft[1], m); !ok {
			t.Errorf("the heaviest is left out: %s", m)
		}
		kept := 0
		for _, f := range soft {
			if ok, _ := logic.Holds(f, m); ok {
				kept++
			}
		}
		if kept != 2 {
			t.Errorf("%d kept: %s", kept, m)
		}
		if status, _, _, _ := z.Maximize(ctx, []*logic.Term{parse(t, "x < y && y < x")}, soft, []int{1, 1, 1}); status != Unsat {
			t.Errorf("contradiction: %s", status)
		}
	}
}

// TestMaximizeByWork: work ends an optimisation, not time, so that the answer is the same
// again.
func TestMaximizeByWork(t *testing.T) {
	defer func(old uint64) { *OptimizeRLimit = old }(*OptimizeRLimit)
	r := rand.New(rand.NewPCG(1, 2))
	var hard, soft []*logic.Term
	weights := make([]int, 60)
	for i := range weights {
		soft = append(soft, logic.Not(logic.Var(fmt.Sprintf("use%d", i), logic.Bool)))
		weights[i] = 1
	}
	for range 100 { // one of four sets of three
		var or []*logic.Term
		for range 4 {
			or = append(or, logic.And(logic.Not(soft[r.IntN(60)]), logic.Not(soft[r.IntN(60)]), logic.Not(soft[r.IntN(60)])))
		}
		hard = append(hard, logic.Or(or...))
	}
	for _, options := range []Options{{}, {RLimit: 300_000}} {
		*OptimizeRLimit = 20_000
		if options.RLimit > 0 {
			*OptimizeRLimit = 1 << 40 // the options count
		}
		for range 2 {
			status, m, best, err := newZ3(t, options).Maximize(ctx, hard, soft, weights)
			if err != nil || status != Unknown || best || m != nil {
				t.Fatalf("%+v: %s, best %v, %v", options, status, best, err)
			}
		}
	}
}

const hard = "x*x*x + y*y*y == 17*z*z*z + 5 && x > 1000 && y > 1000 && z > 1000 && x % 7 == 3"

func TestBudgets(t *testing.T) {
	z := newZ3(t, Options{RLimit: 20_000})
	z.Assert(parse(t, hard))
	mustCheck(t, z, Unknown)
	if !strings.Contains(z.Reason(), "resource") && !strings.Contains(z.Reason(), "cancel") {
		t.Errorf("reason %q", z.Reason())
	}
	z.Reset()
	mustCheck(t, z, Sat, parse(t, "x == 1")) // the budget is for each question

	z = newZ3(t, Options{Timeout: 50 * time.Millisecond})
	z.Assert(parse(t, hard))
	mustCheck(t, z, Unknown)
	z.Reset()
	mustCheck(t, z, Sat, parse(t, "x == 1"))
}

func TestCancel(t *testing.T) {
	z := newZ3(t, Options{})
	z.Push()
	z.Assert(parse(t, hard))
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if status, err := z.Check(short); !errors.Is(err, context.DeadlineExceeded) || status != Unknown {
		t.Fatalf("%s, %v", status, err)
	}
	z.Pop()
	mustCheck(t, z, Unsat, parse(t, "x < y"), parse(t, "y < x")) // a new child
}

func TestMissing(t *testing.T) {
	_, err := NewZ3(Options{Path: "no-such-solver"})
	var missing *Missing
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "apt-get install z3") {
		t.Errorf("%v", err)
	}
	for version, want := range map[string]string{"4.7.9": "too old", "9.1": "", "": "does not say"} {
		path := filepath.Join(t.TempDir(), "z3")
		script := fmt.Sprintf("#!/bin/sh\nwhile read line; do case $line in *version*) echo '(:version \"%s\")';; *echo*) echo ${line#*echo } | tr -d ')';; esac; done\n", version)
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		z, err := NewZ3(Options{Path: path})
		switch {
		case want == "" && err != nil:
			t.Errorf("version %s: %v", version, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("version %q: %v, want %q", version, err, want)
		}
		if z != nil {
			z.Close()
		}
	}
}

// TestNames: variables may have the names of Z3's functions and words.
func TestNames(t *testing.T) {
	z := newZ3(t, Options{})
	for _, name := range []string{"abs", "pi", "if", "match", "Int", "é", "x@step1", "declare-fun", "lambda", "a b", "check-sat", "BINARY", "euler", "sat"} {
		v := logic.Var(name, logic.Int)
		status, m, err := ModelOf(ctx, z, logic.Eq(v, logic.IntConst(3)))
		if err != nil || status != Sat || m[name].String() != "3" {
			t.Errorf("%s: %s, %s, %v (%s)", name, status, m, err, z.Reason())
		}
		if status, err := z.Check(ctx, logic.Lt(v, v), logic.Ge(v, logic.IntConst(2))); status != Unsat || err != nil {
			t.Errorf("%s: %s, %v", name, status, err)
		} else if core, err := z.Core(ctx); err != nil || len(core) != 1 {
			t.Errorf("%s: core %v, %v", name, core, err)
		}
	}
}

// TestMemory: a child that runs out of memory costs an unknown.
func TestMemory(t *testing.T) {
	z := newZ3(t, Options{Memory: 30, Timeout: 10 * time.Second})
	p, q := logic.Var("p64", logic.BitVec(64)), logic.Var("q64", logic.BitVec(64))
	product := logic.Eq(logic.BVOp(logic.OpBVMul, p, q), logic.BVConst(big.NewInt(1000000016000000063), 64))
	z.Push()
	z.Assert(logic.And(product, logic.BVULt(logic.BVConst(big.NewInt(1), 64), p), logic.BVULt(p, q)))
	if status, err := z.Check(ctx); status == Unsat || err != nil {
		t.Errorf("%s, %v", status, err)
	}
	z.Pop()
	mustCheck(t, z, Unsat, parse(t, "x < y"), parse(t, "y < x"))
}

func TestSortsOfOneName(t *testing.T) {
	z := newZ3(t, Options{})
	mustCheck(t, z, Unsat, parse(t, "2 * x == 1"), parse(t, "p"))
	xr := logic.Var("x", logic.Real)
	half := logic.Eq(xr, logic.RealConst(1, 2))
	mustCheck(t, z, Sat, half)
	z.Push()
	z.Assert(parse(t, "x == 1"))
	mustCheck(t, z, Sat)
	z.Pop()
	mustCheck(t, z, Sat, half)
}

// TestBesideAgain: a checker beside a solver gets the child of one that has ended, and that
// child knows nothing of it: no assertions, scopes, sorts or limits.
func TestBesideAgain(t *testing.T) {
	z := newZ3(t, Options{})
	z.Assert(parse(t, "x == 1"))
	mustCheck(t, z, Sat)
	first, end := z.Beside()
	first.Assert(parse(t, "x == 2"))
	first.Push()
	first.Assert(parse(t, "p"))
	mustCheck(t, first, Sat)
	first.Limit(1)
	end()
	if !Spare(z) {
		t.Error("the child is not kept")
	}
	if _, err := first.Check(ctx); err == nil {
		t.Error("what has ended answers")
	}
	second, end := z.Beside()
	half := logic.Eq(logic.Var("x", logic.Real), logic.RealConst(1, 2))
	second.Assert(half)
	mustCheck(t, second, Sat, parse(t, "!p"))
	if Spare(z) {
		t.Error("a child of its own is started")
	}
	second.Push()
	second.Assert(parse(t, "y + z == 6 && 3*y - 2*z > 7"))
	if status, err := second.Check(ctx); err != nil || status == Unknown {
		t.Errorf("%s, %v: %s", status, err, second.Reason())
	}
	second.Pop()
	mustCheck(t, second, Sat, half)
	mustCheck(t, z, Unsat, parse(t, "x == 2"))
	end()
}

// TestResetLimit: a limit does not outlive Reset, whether it was taken back before or not.
func TestResetLimit(t *testing.T) {
	hard := "x * x * x + y * y * y == 91 && x > y && y > 0"
	for _, back := range []bool{false, true} {
		z := newZ3(t, Options{})
		z.Limit(1)
		z.Assert(parse(t, hard))
		mustCheck(t, z, Unknown)
		if back {
			z.Limit(0)
		}
		z.Reset()
		z.Assert(parse(t, "x == 1 && y == 2"))
		mustCheck(t, z, Sat)
	}
}

// TestClear: nothing that was asserted is left, whether in a scope or not, nor a limit.
func TestClear(t *testing.T) {
	for _, base := range []string{"true", "x == 3"} {
		z := newZ3(t, Options{})
		if base != "true" {
			z.Assert(parse(t, base))
		}
		mustCheck(t, z, Unsat, parse(t, "x == 4"), parse(t, "x == 5"))
		z.Limit(1)
		z.Push()
		z.Assert(parse(t, "x == 3"))
		z.Push()
		z.Assert(parse(t, "x == 4"))
		z.Clear()
		mustCheck(t, z, Sat, parse(t, "x == 5"))
		z.Push()
		z.Assert(parse(t, "x + y == 6 && 3*x - 2*y > 7"))
		if status, err := z.Check(ctx); err != nil || status == Unknown {
			t.Errorf("%s, %v: %s", status, err, z.Reason())
		}
		z.Pop()
		mustCheck(t, z, Unsat, parse(t, "x == 7"), parse(t, "x == 8"))
	}
}

// TestAnother: who has a solver gets more without waiting, and gives them back.
func TestAnother(t *testing.T) {
	p := Z3Pool(1, Options{})
	first, err := p.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var more []Solver
		for range 2 {
			s, err := p.Another()
			if err != nil || s == first {
				t.Fatal(s, err)
			}
			mustCheck(t, s, Sat)
			more = append(more, s)
		}
		for _, s := range more {
			p.Release(s)
		}
	}
	// There is still one that may be acquired, and no other before it is given back.
	soon, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := p.Acquire(soon); err == nil {
		t.Error("a pool of one has lent two")
	}
	p.Release(first)
	if s, err := p.Acquire(ctx); err != nil {
		t.Error(err)
	} else {
		p.Release(s)
	}
	p.Close()
	if _, err := p.Another(); err == nil {
		t.Error("a closed pool lends")
	}
}

func TestPool(t *testing.T) {
	p := Z3Pool(2, Options{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s, err := p.Acquire(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Release(s)
			s.Push() // left open: Release cleans up
			s.Assert(logic.Eq(x, logic.IntConst(int64(i))))
			if status, err := s.Check(ctx); status != Sat || err != nil {
				t.Errorf("%s, %v", status, err)
			}
		}()
	}
	wg.Wait()
	if s := p.Stats(); s.Queries != 8 || s.Sat != 8 {
		t.Errorf("stats %+v", s)
	}
	p.Close()
	if _, err := p.Acquire(ctx); err == nil {
		t.Error("a closed pool lends")
	}
}

func BenchmarkQuery(b *testing.B) {
	z := newZ3(b, Options{})
	f := []*logic.Term{parse(b, "x + 2*y <= z && z <= 3*x + 7"), parse(b, "y >= 5 && x <= 9")}
	for b.Loop() {
		if s, err := CheckAll(ctx, z, f...); s != Sat || err != nil {
			b.Fatal(s, err)
		}
	}
}

func BenchmarkAssumptions(b *testing.B) {
	z := newZ3(b, Options{})
	z.Assert(parse(b, "x + 2*y <= z && z <= 3*x + 7"))
	var fs []*logic.Term
	for k := range int64(24) {
		fs = append(fs, logic.Ge(y, logic.IntConst(k)))
	}
	for b.Loop() {
		if s, err := z.Check(ctx, fs...); s != Sat || err != nil {
			b.Fatal(s, err)
		}
	}
}

func BenchmarkHorn(b *testing.B) {
	z := newZ3(b, Options{})
	h := lectureHorn(&testing.T{}, 2)
	for b.Loop() {
		if res, err := z.Horn(ctx, h, 0); err != nil || res.Status != Sat {
			b.Fatal(res, err)
		}
	}
}
