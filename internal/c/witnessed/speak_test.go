package witnessed

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// spoken are variables of all kinds.
var spoken = []struct {
	name, c string
	width   int
	signed  bool
}{{"a", "signed char", 8, true}, {"b", "unsigned char", 8, false}, {"c", "short", 16, true}, {"d", "unsigned short", 16, false}, {"e", "int", 32, true}, {"f", "unsigned int", 32, false}, {"g", "long long", 64, true}, {"h", "unsigned long long", 64, false}}

func speaking() *speaker {
	return &speaker{name: func(v string) (string, *ir.Type, bool) {
		for _, x := range spoken {
			if x.name == v {
				return x.name, &ir.Type{Kind: ir.Integer, Size: int64(x.width / 8), Signed: x.signed, Name: x.c}, true
			}
		}
		return "", nil, false
	}}
}

// words makes random terms and formulas over them.
type randomWords struct{ *rand.Rand }

func (r randomWords) number(width int) *big.Int {
	switch r.Intn(4) {
	case 0:
		return big.NewInt(int64(r.Intn(5)))
	case 1:
		return new(big.Int).Sub(power(width), big.NewInt(int64(1+r.Intn(4))))
	case 2:
		return new(big.Int).Add(power(width-1), big.NewInt(int64(r.Intn(3)-1)))
	}
	return new(big.Int).And(new(big.Int).SetUint64(r.Uint64()), new(big.Int).Sub(power(width), big.NewInt(1)))
}

func (r randomWords) term(width, depth int) *logic.Term {
	if depth == 0 || r.Intn(6) == 0 {
		var fit []*logic.Term
		for _, x := range spoken {
			switch v := logic.Var(x.name, logic.BitVec(x.width)); {
			case x.width == width:
				fit = append(fit, v, v)
			case x.width < width:
				fit = append(fit, logic.SignExtend(v, width-x.width), logic.ZeroExtend(v, width-x.width))
			default:
				fit = append(fit, logic.Extract(v, width-1, 0))
			}
		}
		if r.Intn(3) == 0 {
			return logic.BVConst(r.number(width), width)
		}
		return fit[r.Intn(len(fit))]
	}
	sub := func() *logic.Term { return r.term(width, depth-1) }
	ops := []logic.Op{logic.OpBVAdd, logic.OpBVMul, logic.OpBVAnd, logic.OpBVOr, logic.OpBVXor}
	shifts := []logic.Op{logic.OpBVShl, logic.OpBVLShr, logic.OpBVAShr}
	divisions := []logic.Op{logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem}
	switch r.Intn(10) {
	case 0:
		return logic.BVNeg(sub())
	case 1:
		return logic.BVNot(sub())
	case 2:
		return logic.Ite(r.formula(depth-1), sub(), sub())
	case 3:
		return logic.BVOp(shifts[r.Intn(3)], sub(), logic.BVConst(big.NewInt(int64(r.Intn(width+2))), width))
	case 4:
		return logic.BVOp(divisions[r.Intn(4)], sub(), logic.BVConst(big.NewInt(int64(1+r.Intn(9))), width))
	case 5:
		if more := 1 + r.Intn(8); width+more <= 70 {
			return logic.Extract(r.term(width+more, depth-1), width+more-1, more)
		}
		return sub()
	case 6:
		if k := r.Intn(width); k > 0 {
			return logic.Concat(r.term(k, depth-1), r.term(width-k, depth-1))
		}
		return sub()
	case 7:
		if k := r.Intn(width); k > 0 {
			if r.Intn(2) == 0 {
				return logic.SignExtend(r.term(k, depth-1), width-k)
			}
			return logic.ZeroExtend(r.term(k, depth-1), width-k)
		}
		return sub()
	}
	return logic.BVOp(ops[r.Intn(len(ops))], sub(), sub())
}

func (r randomWords) formula(depth int) *logic.Term {
	if depth > 0 && r.Intn(2) == 0 {
		x, y := r.formula(depth-1), r.formula(depth-1)
		return []*logic.Term{logic.And(x, y), logic.Or(x, y), logic.Not(x), logic.Eq(x, y)}[r.Intn(4)]
	}
	widths := []int{8, 16, 32, 33, 64, 32, 8, 40}
	w := widths[r.Intn(len(widths))]
	x, y := r.term(w, depth), r.term(w, depth)
	return []*logic.Term{logic.Eq(x, y), logic.BVULe(x, y), logic.BVULt(x, y), logic.BVSLe(x, y), logic.BVSLt(x, y), logic.Not(logic.Eq(x, y))}[r.Intn(6)]
}

// TestSpoken compares what formulas say with what gcc computes of their expressions: of exact ones the same, of
// weaker ones true where they hold. Sanitizers see that nothing overflows on the way.
func TestSpoken(t *testing.T) {
	n := soak.Cases(1000)
	var funcs, calls strings.Builder
	exact := 0
	for seed := range n {
		r := randomWords{rand.New(rand.NewSource(int64(seed)))}
		f := r.formula(3)
		s := speaking()
		text, err := s.formula(f, false)
		weak := s.weaker(f, false)
		if weak == "" {
			weak = "1"
		}
		if err == nil {
			exact++
		} else if !errors.Is(err, errUnsaid) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		fmt.Fprintf(&funcs, "int w%d(void) { return !!%s; }\n", seed, weak)
		if err == nil {
			fmt.Fprintf(&funcs, "int x%d(void) { return !!%s; }\n", seed, text)
		}
		for range 8 {
			m := logic.Model{}
			for _, x := range spoken {
				k := r.number(x.width)
				m[x.name] = logic.NumValue(new(big.Rat).SetInt(k), logic.BitVec(x.width))
				fmt.Fprintf(&calls, "%s = %sULL; ", x.name, k)
			}
			v, bad := logic.Eval(f, m)
			if bad != nil {
				t.Fatalf("seed %d: %v", seed, bad)
			}
			holds := 0
			if v.Bool() {
				holds = 1
			}
			fmt.Fprintf(&calls, "if (%d && !w%d()) printf(\"weaker %d\\n\");\n", holds, seed, seed)
			if err == nil {
				fmt.Fprintf(&calls, "if (x%d() != %d) printf(\"exact %d\\n\");\n", seed, holds, seed)
			}
		}
	}
	var program strings.Builder
	program.WriteString("int printf(const char *, ...);\n")
	for _, x := range spoken {
		fmt.Fprintf(&program, "%s %s;\n", x.c, x.name)
	}
	fmt.Fprintf(&program, "%sint main(void) {\n%sprintf(\"done\\n\"); return 0; }\n", funcs.String(), calls.String())
	for _, flags := range [][]string{{"-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero", "-fno-sanitize-recover=all"}, nil} {
		exe, err := gcc.Build(t.TempDir(), program.String(), 64, flags...)
		if errors.Is(err, gcc.ErrMissing) && flags != nil {
			continue // without the sanitizer's library
		}
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, out, message, err := gcc.Run(context.Background(), exe)
		if err != nil {
			t.Fatal(err)
		}
		if out != "done\n" {
			t.Fatalf("flags %v: %.500s\n%.500s", flags, out, message)
		}
		break
	}
	t.Logf("%d formulas, %d said exactly", n, exact)
	if exact < n/3 {
		t.Errorf("only %d of %d formulas are said exactly", exact, n)
	}
}

// TestExpression: what is one, and what is not.
func TestExpression(t *testing.T) {
	for _, text := range []string{"x == 3", "(a + b) * 2 <= c[i].d->e", "!(x) && y || z ? 1 : 0x1fUL", "(int)x < 'a'", "sizeof(x) > 4", "x <= 1.5e-3", "x\n  == 3", "(unsigned int)(p) != 0", "(struct s *)(p) == 0 && (a[1]) < 2", "sizeof(int) == 4", "((long long)((x)) >> 3) < 0"} {
		if got, err := Expression(text); err != nil || strings.Contains(got, "\n") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x = 3", "x++", "f(x)", "1)); f((1", "x; y", "x /* */", "x // y", "{", "({ 1; })", "\"a\"", "x == 3)", "(x", "[x)", "#x", "x\\\ny", "a += 1", "\\result == 1", "x @ y", "`", "(f)(x)", "(*f)(1)", "a[0](1)", "((f))(x)", "(u32)(x)", "s.f(1)", "(int)(f)(1)"} {
		if got, err := Expression(text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	for text, want := range map[string]string{`\result == 3`: "r == (3)", `\result>=-5`: "r >= (-5)", ` (\result != 0x10U)`: "r != (0x10U)"} {
		if got, err := Result(strings.TrimSpace(text), "r"); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
