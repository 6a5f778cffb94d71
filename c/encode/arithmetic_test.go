package encode

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// integerType is a type of C with its width in LP64.
type integerType struct {
	name   string
	width  uint
	signed bool
}

var integerTypes = []integerType{
	{"_Bool", 1, false}, {"signed char", 8, true}, {"unsigned char", 8, false}, {"short", 16, true}, {"unsigned short", 16, false}, {"int", 32, true},
	{"unsigned", 32, false}, {"long", 64, true}, {"unsigned long", 64, false},
}

// literal is a value of the type, often one near its ends.
func (t integerType) literal(rng *rand.Rand) string {
	bits := rng.Uint64() >> rng.Intn(64)
	if rng.Intn(3) > 0 {
		bits = []uint64{0, 1, 2, 3, 1<<t.width - 1, 1<<t.width - 2, 1 << (t.width - 1), 1<<(t.width-1) - 1}[rng.Intn(8)]
	}
	return fmt.Sprintf("(%s)%duL", t.name, bits)
}

// arithmeticCase is an expression over a and b of types, and where it has a value that C, with signed
// numbers that wrap around, knows.
func arithmeticCase(rng *rand.Rand, op string, x, y integerType) (set, expr, defined string) {
	set = fmt.Sprintf("%s a = %s; %s b = %s;", x.name, x.literal(rng), y.name, y.literal(rng))
	expr, defined = "a "+op+" b", "1"
	wide := x.width
	switch op {
	case "/", "%":
		defined = "b != 0 && (b != -1 || a > 0)"
	case "<<", ">>":
		set = fmt.Sprintf("%s a = %s; %s b = %d;", x.name, x.literal(rng), y.name, rng.Intn(int(max(min(wide, 64), 32))))
		if op == "<<" {
			defined = fmt.Sprintf("a >= 0 && a <= %dL", rng.Intn(100))
		}
	case "/=", "%=", "<<=", ">>=":
		defined = "b > 0 && b < 31 && a >= 0 && a < 1000"
	case "-1", "~1", "!1":
		expr = op[:1] + "a"
	case "+0":
		expr = []string{"a + 0", "0 + a"}[rng.Intn(2)]
	case "cast":
		expr = "(" + y.name + ")a"
	case "?":
		expr = "a ? a : b"
	case "++":
		expr = []string{"a++", "++a", "a--", "--a"}[rng.Intn(4)]
	}
	return set, expr, defined
}

// arithmeticCases are random cases with what gcc's program makes of them: the value as a long and
// whether the type is signed, or "- -".
func arithmeticCases(t *testing.T, rng *rand.Rand) (sets, exprs, results []string) {
	t.Helper()
	operators := strings.Fields("+ +0 - * / % & | ^ << >> < <= > >= == != && || -1 ~1 !1 cast ? ++ = += -= *= /= %= &= |= ^= <<= >>=")
	var asked []string
	for range soak.Long(1) {
		for _, op := range operators {
			for i, x := range integerTypes {
				for j, y := range integerTypes {
					if soak.Thin(i + j) {
						continue
					}
					set, expr, defined := arithmeticCase(rng, op, x, y)
					sets, exprs = append(sets, set), append(exprs, expr)
					asked = append(asked, fmt.Sprintf(`{ %s if (%s) { long r = (long)(%s); __builtin_printf("%%ld %%d\n", r, %s); } else __builtin_puts("- -"); }`, set, defined, expr, signedType(expr)))
				}
			}
		}
	}
	results, err := gcc.Lines(t.Context(), t.TempDir(), "int main(void) {\n"+strings.Join(asked, "\n")+"\nreturn 0; }\n", 64, "-w", "-fwrapv")
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(sets) {
		t.Fatalf("%d results of %d cases", len(results), len(sets))
	}
	return sets, exprs, results
}

// signedType is 1 where an expression has a signed type.
func signedType(expr string) string {
	return "((" + strings.NewReplacer("++", "", "--", "").Replace(expr) + ") * 0 - 1 < 0)"
}

// TestArithmetic: Words compute what gcc's program does, of all operators and integer types. Values
// come from variables, and each edge is evaluated by itself, so that nothing is a constant.
func TestArithmetic(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	sets, exprs, results := arithmeticCases(t, rng)
	checked := 0
	const together = 80 // in one program, line by line
	for from := 0; from < len(sets); from += together {
		lines := []string{"void reach_error(void);", "int main(void) {"}
		for i := from; i < min(from+together, len(sets)); i++ {
			if value, signed, _ := strings.Cut(results[i], " "); value != "-" {
				checked++
				lines = append(lines, fmt.Sprintf("{ %s if ((long)(%s) != (long)%suL || %s != %s) reach_error(); }", sets[i], exprs[i], value, signedType(exprs[i]), signed))
			}
		}
		e, err := encoded(t, strings.Join(append(lines, "return 0; }"), "\n"), ir.LP64)
		if err != nil {
			t.Fatal(err)
		}
		w := newWalker(e, rng)
		at, state := e.Words.Init[0].Location, w.first()
		for edge := 0; edge >= 0; {
			var next logic.Model
			if edge, next = w.step(at, state); edge >= 0 {
				at, state = e.Words.Edges[edge].To, next
			}
		}
		if where := e.Words.Locations[at]; where.Name != "end" {
			t.Errorf("%s: %q at %s", where.Name, e.Failures[at]+e.Lost[at], lines[where.Span.Pos().Line-1])
		}
	}
	t.Log(checked, "of", len(sets), "cases have a value")
	if checked < len(sets)/2 {
		t.Error("too few")
	}
}
