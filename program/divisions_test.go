package program_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/gcl"

	. "github.com/seltl/seltl/program"
)

// TestWithDivisions: an error is reachable if and only if one was, or a division by zero,
// by explicit search; and nothing in the result divides by zero, which the search would
// not survive.
func TestWithDivisions(t *testing.T) {
	errors, divided := 0, 0
	for seed := range soak.Long(uint64(400)) {
		sys := gen.NewDividingSystem(rand.New(rand.NewPCG(seed, 55)))
		checked := sys.WithDivisions()
		if err := checked.Validate(); err != nil || checked.MayDivideByZero() {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, before := naive.UnsafeOrDivides(sys, gen.SystemMax, true), naive.UnsafeOrDivides(sys, gen.SystemMax, false)
		if got := naive.Unsafe(checked, gen.SystemMax); got != want {
			t.Fatalf("seed %d: unsafe is %v, want %v", seed, got, want)
		}
		switch {
		case before:
			errors++
		case want:
			divided++
		}
	}
	t.Logf("%d reach an error, %d others divide by zero", errors, divided)
	if n := soak.Long(400); errors < n/5 || divided < n/10 || errors+divided > n*4/5 {
		t.Errorf("%d reach an error, %d others divide by zero", errors, divided)
	}
}

// TestDivisionAt: a run says where the text divides by zero and by what.
func TestDivisionAt(t *testing.T) {
	sys, err := gcl.ParseText("a.gcl", `var x, y: int; input n: int; locations l, m; init l when x == 1 && 6 / x > 5;
		step: l -> m when y == 0 || x / y > 1 do x := 7 % (y - n);
		error m when x > 1 && (y == 1 ? 1 / x : 4 / y) == 0;`)
	if err != nil {
		t.Fatal(err)
	}
	checked := sys.WithDivisions()
	at := checked.Location("division by zero")
	if len(checked.Locations) != 3 || at != 2 || len(checked.Edges) != 3 || len(checked.Init) != 2 || sys.Checked {
		t.Fatalf("%+v", checked)
	}
	state := func(x, y int64) logic.Model {
		return logic.Model{"x": logic.IntValue(x), "y": logic.IntValue(y)}
	}
	for _, c := range []struct {
		trace    Trace
		text, by string
	}{
		{Trace{Start: 0, Edges: []int{1}, Execution: Execution{States: []logic.Model{state(1, 0), state(1, 0)}, Inputs: []logic.Model{{"n": logic.IntValue(0)}}}}, "step: l -> m", "-n + y"},
		{Trace{Start: 2, Execution: Execution{States: []logic.Model{state(0, 4)}}}, "", ""},
		{Trace{Start: 0, Edges: []int{0, 2}, Execution: Execution{States: []logic.Model{state(1, 0), state(2, 0), state(2, 0)}, Inputs: []logic.Model{{"n": logic.IntValue(5)}, {}}}}, "error m", "y"},
	} {
		err := c.trace.Replay(checked)
		if c.text == "" { // 6/x is asked where x is 0, but x == 1 decides
			if err == nil {
				t.Error("x == 1 does not decide")
			}
			continue
		}
		span, by, ok := c.trace.DivisionAt(checked)
		if err != nil || !ok || !strings.HasPrefix(span.Text(), c.text) || logic.Formats(by, logic.C, ",") != c.by {
			t.Errorf("%v, %q, %v, %v, want %s in %s", err, span.Text(), by, ok, c.by, c.text)
		}
	}
	plain, _ := gcl.ParseText("a.gcl", "var x: int; locations l; init l; error l when x / 2 == 1;")
	if checked := plain.WithDivisions(); len(checked.Locations) != 1 || !checked.Checked {
		t.Errorf("%+v", checked)
	}
}

// TestTotal: a term with total divisions has the value of the term where that has one, and always
// has one.
func TestTotal(t *testing.T) {
	x, y, r := logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("r", logic.Real)
	half := logic.IntDiv(x, y)
	terms := []*logic.Term{
		half, logic.IntMod(half, logic.Sub(y, half)), logic.Div(r, logic.ToReal(y)), logic.IntDiv(logic.IntMod(x, half), half),
		logic.Le(logic.Div(r, logic.Div(r, logic.ToReal(x))), r), logic.And(logic.Lt(half, x), logic.Eq(logic.IntMod(y, x), half)),
	}
	total := Total(terms...)
	valued := 0
	for a := int64(-3); a <= 3; a++ {
		for b := int64(-3); b <= 3; b++ {
			m := logic.Model{}
			for v, n := range map[*logic.Term]*logic.Term{x: logic.IntConst(a), y: logic.IntConst(b), r: logic.RealConst(a+b, 2)} {
				value, err := logic.Eval(n, nil)
				if err != nil {
					t.Fatal(err)
				}
				m[v.Name()] = value
			}
			for i := range terms {
				got, err := logic.Eval(total[i], m)
				if err != nil {
					t.Fatalf("%v, in %v: %v", total[i], m, err)
				}
				undefined, err := logic.Holds(Undefined(terms[i]), m)
				if err != nil {
					t.Fatal(err)
				}
				want, err := logic.Eval(terms[i], m)
				if (err != nil) != undefined {
					t.Errorf("%v, in %v: %v, but undefined is %v", terms[i], m, err, undefined)
				}
				if err != nil {
					continue
				}
				if valued++; got.Compare(want) != 0 {
					t.Errorf("%v is %v in %v, and with total divisions %v", terms[i], want, m, got)
				}
			}
		}
	}
	if valued < 50 {
		t.Errorf("only %d values", valued)
	}
}
