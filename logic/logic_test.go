package logic_test

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/logic"
)

// Of functions there are no terms: they come last.
var allSorts = []*Sort{Int, Real, gen.SmallBV, gen.SmallArray, gen.SmallFunction}

func scopeOfAll() Scope {
	var vars []*Term
	for _, s := range append([]*Sort{Bool}, allSorts...) {
		vars = append(vars, gen.RawVars(s)...)
	}
	return NewScope(vars...)
}

// cases runs f on random terms of every sort with their seed.
func cases(t *testing.T, n int, f func(r *rand.Rand, e *gen.RawTerm) string) {
	t.Helper()
	for seed := range soak.Long(uint64(n)) {
		r := rand.New(rand.NewPCG(seed, 8))
		sort := append([]*Sort{Bool, Bool, Bool}, allSorts...)[r.IntN(2+len(allSorts))]
		e := gen.NewRawTerm(r, sort, gen.RawOptions{Depth: 1 + r.IntN(5), Sorts: allSorts})
		if problem := f(r, e); problem != "" {
			t.Fatalf("seed %d: %s\nterm: %s", seed, problem, e.Term().Format(SMTLIB))
		}
	}
}

// TestEvalAgainstNaive: building (and so normalising) keeps the value.
func TestEvalAgainstNaive(t *testing.T) {
	known := 0
	cases(t, 12000, func(r *rand.Rand, e *gen.RawTerm) string {
		m := gen.NewModel(r, allSorts)
		want, err := naive.EvalRaw(e, m)
		if err != nil {
			return "" // the normal form may have a value all the same
		}
		known++
		got, err := Eval(e.Term(), m)
		if err != nil {
			return err.Error()
		}
		if !naive.SameValue(want, got) {
			return fmt.Sprintf("value %s, want %v at %s", got, want, m)
		}
		return ""
	})
	if known < soak.Long(9000) {
		t.Errorf("only %d terms had a value", known)
	}
}

func TestPrintParse(t *testing.T) {
	scope := scopeOfAll()
	cases(t, 10000, func(r *rand.Rand, e *gen.RawTerm) string {
		want := e.Term()
		for _, s := range []Syntax{C, SMTLIB} {
			text := want.Format(s)
			got, err := Parse(source.NewFile("t", text), s, scope)
			if err != nil {
				return fmt.Sprintf("%s: %v", text, err)
			}
			if got != want {
				return fmt.Sprintf("%s is read as %s", text, got.Format(s))
			}
		}
		return ""
	})
}

func TestPrintParseProlog(t *testing.T) {
	scope := scopeOfAll()
	for seed := range soak.Cases(uint64(5000)) {
		r := rand.New(rand.NewPCG(seed, 9))
		e := gen.NewRawTerm(r, Bool, gen.RawOptions{Depth: 1 + r.IntN(4), Sorts: []*Sort{Real}})
		want := e.Term()
		text := want.Format(Prolog)
		if strings.Contains(text, "ite(") || strings.Contains(text, "true") {
			continue
		}
		got, err := Parse(source.NewFile("t", text), Prolog, scope)
		if err != nil || got != want {
			t.Fatalf("seed %d: %s is read as %v, %v", seed, text, got, err)
		}
	}
}

// TestSubstitution: the substitution lemma, on values.
func TestSubstitution(t *testing.T) {
	cases(t, 10000, func(r *rand.Rand, e *gen.RawTerm) string {
		by := map[*Term]*Term{}
		m := gen.NewModel(r, allSorts)
		m2 := Model{}
		maps.Copy(m2, m)
		for _, s := range allSorts[:2] {
			for _, v := range gen.RawVars(s)[:2] {
				by[v] = gen.NewRawTerm(r, s, gen.RawOptions{Depth: 2, Sorts: allSorts}).Term()
				value, err := Eval(by[v], m)
				if err != nil {
					return ""
				}
				m2[v.Name()] = value
			}
		}
		want, err := Eval(e.Term(), m2)
		if err != nil {
			return ""
		}
		got, err := Eval(Substitute(e.Term(), by), m)
		if err != nil || got.Compare(want) != 0 {
			return fmt.Sprintf("substituted: %s, %v, want %s", got, err, want)
		}
		return ""
	})
}

// TestFormulas: negation, disjunctive normal form and atoms.
func TestFormulas(t *testing.T) {
	for seed := range soak.Long(uint64(2500)) {
		r := rand.New(rand.NewPCG(seed, 10))
		f := gen.NewRawTerm(r, Bool, gen.RawOptions{Depth: 1 + r.IntN(4), Sorts: allSorts[:3]}).Term()
		if Not(Not(f)) != f {
			t.Fatalf("seed %d: !!(%s) is %s", seed, f, Not(Not(f)))
		}
		cubes, ok := DNF(f, 200)
		if !ok {
			continue
		}
		var disjuncts []*Term
		for _, c := range cubes {
			for _, l := range c {
				if !IsLiteral(l) {
					t.Fatalf("seed %d: %s in the normal form of %s", seed, l, f)
				}
			}
			disjuncts = append(disjuncts, And(c...))
		}
		for range 5 {
			m := gen.NewModel(r, allSorts)
			want, err := Holds(f, m)
			if err != nil {
				continue
			}
			got, err := Holds(Or(disjuncts...), m)
			if err == nil && got != want {
				t.Fatalf("seed %d: %s is %v, its normal form %s is %v", seed, f, want, Or(disjuncts...), got)
			}
			if no, err := Holds(Not(f), m); err == nil && no == want {
				t.Fatalf("seed %d: %s and its negation are both %v", seed, f, no)
			}
		}
		for _, a := range Atoms(f) {
			if !IsLiteral(a) || a.Op() == OpNot {
				t.Fatalf("seed %d: atom %s of %s", seed, a, f)
			}
		}
	}
}

func parse(t *testing.T, text string) *Term {
	t.Helper()
	f, err := Parse(source.NewFile("t", text), C, scopeOfAll())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestNormalForms(t *testing.T) {
	for text, want := range map[string]string{
		"i0 + 1 <= i1":           "i0 + 1 <= i1",
		"i0 < i1":                "i0 + 1 <= i1",
		"!(i0 < i1)":             "i0 >= i1",
		"i1 >= i0":               "i0 <= i1",
		"2*i0 + 4*i1 <= 7":       "i0 + 2*i1 <= 3",
		"2*i0 + 4*i1 == 7":       "false",
		"-i0 == 3":               "i0 == -3",
		"i0 + 1 == 1":            "i0 == 0",
		"X0 < 1.5":               "X0 < 3.0 / 2",
		"2*X0 >= 3":              "X0 >= 3.0 / 2",
		"i0 <= 3 && i0 >= 4":     "false",
		"i0 <= 3 && i0 > 3":      "false",
		"b0 && !b0 || b1":        "b1",
		"b0 -> b1":               "b1 || !b0",
		"!b0 == i0 <= i1":        "!b0 == (i0 <= i1)",
		"i0 < 2 != i1 >= 3":      "(i0 <= 1) != (i1 >= 3)",
		"a0[i0] > 3":             "a0[i0] >= 4",
		"i0*i1 + i1*i0 <= 4":     "i0*i1 <= 2",
		"i0 / 2 == 1":            "",
		"v0 == 5bv4":             "v0 == 5bv4",
		"!bvult(v0, v1)":         "bvule(v1, v0)",
		"store(a0, 1, 2)[1] < 0": "false",
		"i0 - i0 == 0":           "true",
		"3 > i0":                 "i0 <= 2",
		"X0 == i0":               "X0 == to_real(i0)",
	} {
		got := parse(t, text)
		if want != "" && got.String() != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestExactQuotients: beside a Real quotients of Ints are exact, and nowhere else.
func TestExactQuotients(t *testing.T) {
	for text, want := range map[string]string{
		"X0 == 1/2":                          "X0 == 0.5",
		"1/2 == X0":                          "X0 == 0.5",
		"X0 < -(1/2)":                        "X0 < -0.5",
		"X0 == 1 + 1/2":                      "X0 == 1.5",
		"X0 + 1/2 <= i0/3":                   "X0 + 0.5 <= to_real(i0)/3.0",
		"X0 == i0/2":                         "X0 == 0.5*to_real(i0)",
		"X0 == (b0 ? 1/2 : 3)":               "X0 == (b0 ? 0.5 : 3.0)",
		"X0 == (i0/2 == 1 ? 1/2 : 3)":        "X0 == (i0/2 == 1 ? 0.5 : 3.0)",
		"X0 == 7 % 4 + 1/2":                  "X0 == 3.5",
		"X0 == (7/2) % 2":                    "X0 == 1.0",
		"X0 == div(7, 2)":                    "X0 == 3.0",
		"X0 == to_real(7/2)":                 "X0 == 3.0",
		"X0 == 1/3*3":                        "X0 == 1.0",
		"i0 == 1/2":                          "i0 == 0",
		"i0 == 7/2*2":                        "i0 == 6",
		"i0 / 2 + 1/2 == i1 && X0 == i1/2":   "i0 / 2 == i1 && X0 == 0.5*to_real(i1)",
		"X0 == 1/2 -> i0 == 1/2":             "X0 == 0.5 -> i0 == 0",
		"(i0 == 1/2 ? X0 : 1/2) <= i1/2 + 0": "(i0 == 0 ? X0 : 0.5) <= 0.5*to_real(i1)",
	} {
		if got := parse(t, text); got != parse(t, want) {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
	// The same at random: beside a Real every text means what it does with Reals alone.
	compared := 0
	for seed := range soak.Long(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 31))
		ints, reals := quotients(r, 4)
		want := parse(t, "X0 <= "+reals)
		wanted, _, errs := ParsePrefixReal(source.NewFile("t", ints), 0, C, scopeOfAll())
		if errs != nil {
			t.Fatal(errs)
		}
		for range 10 {
			m := Model{"i0": IntValue(r.Int64N(20) - 10), "i1": IntValue(r.Int64N(20) - 10), "X0": NumValue(big.NewRat(r.Int64N(40)-20, 1+r.Int64N(6)), Real)}
			b, err := Holds(want, m)
			if err != nil {
				continue // a division by 0
			}
			compared++
			for _, got := range []*Term{parse(t, "X0 <= "+ints), Le(Var("X0", Real), wanted)} {
				if a, err := Holds(got, m); err != nil || a != b {
					t.Fatalf("seed %d: X0 <= %s is %t, want %t (%v)\nwhere %v", seed, ints, a, b, err, m)
				}
			}
		}
	}
	if compared < soak.Long(8_000) {
		t.Errorf("%d values were compared", compared)
	}
}

// quotients returns a random text of Ints, and the same with Reals in their places.
func quotients(r *rand.Rand, depth int) (ints, reals string) {
	if depth == 0 || r.IntN(5) == 0 {
		if r.IntN(2) == 0 {
			v := fmt.Sprint("i", r.IntN(2))
			return v, "to_real(" + v + ")"
		}
		n := fmt.Sprint(1 + r.IntN(9))
		return n, n + ".0"
	}
	a, x := quotients(r, depth-1)
	switch op := r.IntN(6); op {
	case 4:
		return "-(" + a + ")", "-(" + x + ")"
	case 5:
		b, y := quotients(r, depth-1)
		return "(i0/2 < 3 ? " + a + " : " + b + ")", "(i0/2 < 3 ? " + x + " : " + y + ")"
	default:
		b, y := quotients(r, depth-1)
		sign := []string{" + ", " - ", " * ", " / "}[op]
		return "(" + a + sign + b + ")", "(" + x + sign + y + ")"
	}
}

func TestDivisionByZero(t *testing.T) {
	if _, err := Holds(parse(t, "div(i0, i1) == 0"), Model{"i0": IntValue(1), "i1": IntValue(0)}); !errors.Is(err, ErrDivisionByZero) {
		t.Errorf("div(1, 0): %v", err)
	}
	if v, err := Holds(parse(t, "i1 != 0 && div(i0, i1) == 0"), Model{"i0": IntValue(1), "i1": IntValue(0)}); err != nil || v {
		t.Errorf("guarded division: %v, %v", v, err)
	}
	for _, c := range []struct{ a, b, q, r int64 }{{7, 2, 3, 1}, {-7, 2, -3, -1}, {7, -2, -3, 1}, {-7, -2, 3, -1}} {
		m := Model{"i0": IntValue(c.a), "i1": IntValue(c.b), "i2": IntValue(c.q), "i3": IntValue(c.r)}
		if ok, err := Holds(parse(t, "i0 / i1 == i2 && i0 % i1 == i3"), m); !ok || err != nil {
			t.Errorf("%d / %d: not %d rest %d (%v)", c.a, c.b, c.q, c.r, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		syntax     Syntax
		text, want string
	}{
		{C, "i0 <= ", "t:1:7: error: expected a variable, a number or a formula, found end of text"},
		{C, "i0 <= i9", `t:1:7: error: unknown variable "i9"`},
		{C, "i0 + b0 < 1", `t:1:4: error: + takes numbers, not the operands "i0" (Int) and "b0" (Bool)`},
		{C, "i0 < i1 < i2", `t:1:9: error: < takes values of one sort, not the operands "i0 < i1" (Bool) and "i2" (Int)`},
		{C, "(i0 < 1", `t:1:8: error: expected ")", found end of text`},
		{C, "i0 < 1)", `t:1:7: error: unexpected ")" after the end of the formula`},
		{C, "a0[b0] < 1", "t:1:3: error: [ ] takes an index of sort Int, not a term of sort Bool"},
		{C, "frob(i0) < 1", `t:1:1: error: unknown function "frob"`},
		{C, "0bv0 == v0", "t:1:1: error: bit-vector constants are VALUEbvWIDTH"},
		{C, "v0 == 256bv8", "t:1:7: error: 256 does not fit 8 bits"},
		{C, "X0 % 2 == 0", `t:1:4: error: % takes numbers, not the operands "X0" (Real) and "2" (Int)`},
		{C, "/* i0", "t:1:1: error: comment is never closed"},
		{Prolog, "X0 =< , X1", `t:1:7: error: expected a variable, a number or a formula, found ","`},
		{SMTLIB, "(<= i0 (+ i1 b0))", "t:1:8: error: + does not take operands of sort Int, Bool"},
		{SMTLIB, "(<= i0", "t:1:1: error: parenthesis is never closed"},
		{SMTLIB, "((_ divisible 0) i0)", "t:1:1: error: a number is divisible by positive numbers only"},
		{SMTLIB, "(exists ((x Int)) (= (* x x) i0))", "t:1:1: error: quantifiers are not supported where they cannot be eliminated"},
		{SMTLIB, "(let ((x 1)) y)", `t:1:14: error: unknown variable "y"`},
	} {
		_, err := Parse(source.NewFile("t", c.text), c.syntax, scopeOfAll())
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	for _, s := range []Syntax{C, SMTLIB} {
		if _, err := Parse(source.NewFile("t", strings.Repeat("(", 100000)), s, nil); err == nil {
			t.Error("deep nesting is accepted")
		}
	}
	if _, err := Parse(source.NewFile("t", strings.Repeat("!", 100000)+"b0"), C, scopeOfAll()); err == nil {
		t.Error("deep negation is accepted")
	}
}

// TestLongJunctions: operands of a long conjunction or disjunction are put together at
// once. One after the other, that takes the square of the time.
func TestLongJunctions(t *testing.T) {
	n := soak.Size(20_000)
	for op, make := range map[string]func(...*Term) *Term{" && ": And, " || ": Or} {
		var texts []string
		var operands []*Term
		for i := range n {
			texts = append(texts, fmt.Sprintf("i0 != %d", i))
			operands = append(operands, Ne(Var("i0", Int), IntConst(int64(i))))
		}
		if got := parse(t, strings.Join(texts, op)); got != make(operands...) {
			t.Errorf("%s: not the formula", op)
		}
	}
	for text, same := range map[string]string{
		"b0 && b1 && i0 < i1 || b0 || !b1 && b0 || b1": "((b0 && b1 && (i0 < i1)) || b0) || ((!b1) && b0) || b1",
		"b0 && b1 ? b0 || b1 : b1 && b0 && i0 == i1":   "(b0 && b1) ? (b0 || b1) : (b1 && b0 && (i0 == i1))",
		"b0 && b1 -> b0 || b1 <-> b1 && b0":            "((b0 && b1) -> (b0 || b1)) <-> (b1 && b0)",
	} {
		if parse(t, text) != parse(t, same) {
			t.Errorf("%s is not %s", text, same)
		}
	}
}

func TestParsePrefix(t *testing.T) {
	f := source.NewFile("t", "{X0>= 0,X1=X0+1}, 2)")
	scope := scopeOfAll()
	c, end, errs := ParsePrefix(f, 1, Prolog, scope)
	if errs != nil || c.Format(Prolog) != "X0 >= 0" || f.Text()[end] != ',' {
		t.Fatalf("%v, %d, %v", c, end, errs)
	}
	c, end, errs = ParsePrefix(f, end+1, Prolog, scope)
	if errs != nil || c.Format(Prolog) != "X0 + 1 =:= X1" || f.Text()[end] != '}' {
		t.Fatalf("%v, %d, %v", c, end, errs)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"i0 + 1 <= i1 && !b0", "X0 =\\= 1.0, X1 = X0 - 2", "(let ((x (+ i0 1))) (< x 3))", "a0[i0 ? 1 : 2]",
		"extract(3, 0, v0) == #x1", "((as const (Array Int Int)) 3)", "(_ bv5 8)", "0x1f bv", "f0(i0, b0) + f1(1/2, true)", "(f0 (+ i0 1) b0)", "f0 == f1"} {
		f.Add(s, byte(0))
		f.Add(s, byte(1))
		f.Add(s, byte(2))
	}
	scope := scopeOfAll()
	f.Fuzz(func(t *testing.T, text string, s byte) {
		syntax := Syntax(s % 3)
		got, err := Parse(source.NewFile("t", text), syntax, scope)
		if err != nil || syntax == Prolog {
			return
		}
		printed := got.Format(syntax)
		again, err := Parse(source.NewFile("t", printed), syntax, scope)
		if err != nil || again != got {
			t.Errorf("%q prints as %q, which is read as %v, %v", text, printed, again, err)
		}
	})
}

func BenchmarkSubstitute(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	f := gen.NewRawTerm(r, Bool, gen.RawOptions{Depth: 8, Sorts: []*Sort{Int}}).Term()
	x := gen.RawVars(Int)[0]
	b.ReportMetric(float64(f.Size()), "nodes")
	for b.Loop() {
		Substitute(f, map[*Term]*Term{x: Add(x, IntConst(1))})
	}
}

// TestEvalOfLargeNumbers: sums and products beside the numbers that machine words hold.
func TestEvalOfLargeNumbers(t *testing.T) {
	x, y := Var("x", Int), Var("y", Int)
	for _, shift := range []uint{30, 31, 32, 61, 62, 63, 64, 65} {
		for _, off := range []int64{-1, 0, 1} {
			for _, sign := range []int64{-1, 1} {
				n := new(big.Int).Lsh(big.NewInt(sign), shift)
				n.Add(n, big.NewInt(off))
				num := new(big.Rat).SetInt(n)
				for _, m := range []int64{-3, 0, 1 << 31} {
					model := Model{"x": NumValue(num, Int), "y": IntValue(m)}
					for term, want := range map[*Term]*big.Int{
						Add(x, y): new(big.Int).Add(n, big.NewInt(m)),
						Mul(x, y): new(big.Int).Mul(n, big.NewInt(m)),
						Mul(x, x): new(big.Int).Mul(n, n),
					} {
						if v, err := Eval(term, model); err != nil || !v.Num().IsInt() || v.Num().Num().Cmp(want) != 0 {
							t.Errorf("%s with %s is %s, want %s (%v)", term, model, v, want, err)
						}
					}
				}
			}
		}
	}
}

// TestRemainders: what remainders by numbers become has the same value.
func TestRemainders(t *testing.T) {
	vars := []*Term{Var("x", Int), Var("y", Int)}
	numbers := []int64{1, 2, -2, 3, 4, 6, 8, 12, -12, 16, 24}
	for seed := range soak.Cases(uint64(5000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		model := Model{"x": IntValue(r.Int64N(200) - 100), "y": IntValue(r.Int64N(200) - 100)}
		var build func(depth int) (*Term, int64)
		build = func(depth int) (*Term, int64) {
			if depth == 0 {
				v := vars[r.IntN(2)]
				return v, model[v.Name()].Num().Num().Int64()
			}
			sum, value := IntConst(0), int64(0)
			for range 1 + r.IntN(3) {
				u, n := build(depth - 1)
				c := numbers[r.IntN(len(numbers))]
				sum, value = Add(sum, Mul(IntConst(c), u)), value+c*n
			}
			c, m := r.Int64N(80)-40, numbers[r.IntN(len(numbers))]
			_, want := new(big.Int).DivMod(big.NewInt(value+c), big.NewInt(m), new(big.Int))
			return IntMod(Add(sum, IntConst(c)), IntConst(m)), want.Int64()
		}
		term, want := build(1 + r.IntN(4))
		if v, err := Eval(term, model); err != nil || v.Num().Cmp(big.NewRat(want, 1)) != 0 {
			t.Fatalf("seed %d: %s with %s is %s, want %d (%v)", seed, term, model, v, want, err)
		}
	}
	for text, want := range map[string]string{
		"mod(mod(mod(i0, 4294967296) + 32768, 65536) - 32768, 2) == 1": "mod(i0, 2) == 1",
		"mod(mod(i0, 4), 8) == 1":                                      "mod(i0, 4) == 1",
		"mod(9*i0 + 6*mod(i1, 2) - 5, 4) == 1":                         "mod(i0 + 2*i1 - 1, 4) == 1",
		"mod(4*i0 + 3, 4) == i1":                                       "i1 == 3",
		"mod(4*mod(i0, 3), 8) == 4":                                    "mod(4*mod(i0, 3), 8) == 4",
		"mod(i0 - 1, 4) == 3":                                          "mod(i0 - 1, 4) == 3",
	} {
		if got := parse(t, text); got.String() != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
