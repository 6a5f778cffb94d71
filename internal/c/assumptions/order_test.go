package assumptions

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

const orderHead = `void reach_error(void); int any(void); void exit(int); int errno; int puts(const char *); void *memset(void *, int, unsigned long);
int g, h, *p; int f(void) { return g++; } int k(void) { return h++; } int pure(int x) { return x + 1; } int readg(void) { return g; }
int fails(int x) { if (x == 7) reach_error(); return x; } int ends(int x) { if (x == 8) exit(0); return x; } int loops(int x) { while (x > 10) x--; return x; }
unsigned long strlen(const char *); int mine(const char *s) { int n = 0; while (s[n]) n++; return n; }
int down(int n) { return n ? down(n - 1) : 0; } void two(int a, int b) { g = a + b; } void put(int *q) { *q = 3; } int get(int *q) { return *q; } int (*fp)(void) = f;
`

// TestOpenOrder: where C leaves the order of evaluation open, that is told exactly where it makes a
// difference.
func TestOpenOrder(t *testing.T) {
	for _, c := range []struct {
		text string
		open bool
	}{
		{"f() + k()", false}, {"f() - f()", true}, {"f() + g", true}, {"g + f()", true}, {"pure(f())", false}, {"pure(f()) + readg()", true},
		{"readg() + pure(2)", false}, {"any() - any()", false}, {"fails(any()) + ends(any())", true}, {"fails(any()) + fails(any())", false},
		{"fails(3) + loops(any())", true}, {"down(3) + fails(2)", true}, {"loops(2) + loops(3)", false}, {"x = x++", true}, {"x = f()", false}, {"g = f()", false},
		{"g += f()", true}, {"h += f()", false}, {"a[x] = x++", true}, {"a[x++] = y++", false}, {"a[f()] = f()", true}, {"two(f(), k())", false}, {"two(f(), f())", true},
		{"two(x++, x)", true}, {"(f(), f())", false}, {"f() && f()", false}, {"f() ? f() : f()", false}, {"x = y = f()", false}, {"*p + f()", true}, {"*p + pure(1)", false},
		{"a[x] + (a[y] = 3)", true}, {"(x = 1) + (y = 2)", false}, {"x + (x = 2)", true}, {"-f() * 2 + 3", false}, {"({ int q = f(); q; }) + g", true}, {"a[g] + f()", true},
		{"a[x] + f()", false}, {"get(&x) + (x = 2)", true}, {"get(&x) + (y = 2)", false}, {"(put(&x), 1) + get(&x)", true}, {"fp() + g", true}, {"fp() + fp()", true}, {"pure(1) + x++", false},
		{"errno + puts(\"a\")", true}, {"x + puts(\"a\")", false}, {"x = *p++ + 2", false}, {"*p++ = *q++", false}, {"*p = (*q = 3)", true}, {"++x + y", false}, {"p[f()] + 1", false},
		{"int b[2] = {f(), k()}", false}, {"int b[2] = {f(), f()}", true}, {"int b[3] = {f(), 0, g}", true}, {"int b[2] = {f(), b[0]}", true}, {"int b[2][2] = {{f()}, {k(), x}}", false}, {"struct { int u, v; } s = {x++, y++}", false}, {"two((exit(1), 1), fails(2))", true}, {"two((reach_error(), 1), loops(any()))", true}, {"two((exit(1), 1), 2)", false}, {"two(*q, fails(1))", true}, {"two(7 / y, fails(1))", true}, {"two((memset(&x, 1, 4), 1), x)", true}, {"two((memset(&x, 1, 4), 1), y)", false}, {"two((exit(1), 1), 7 / y)", true}, {"two((exit(1), 1), 7 / 2)", false}, {"two(ends(1), a[y])", true}, {"two(ends(1), a[3])", false}, {"two(a[y], ends(1))", false}, {"two(loops(1), a[f()])", true}, {"two(f(), a[y])", false}, {"two((exit(1), 1), *q)", true}, {"two(strlen(\"ab\"), a[y])", false}, {"two(mine(\"ab\"), a[y])", true},
		{"(g && 1) + f()", true}, {"f() + (g || 0)", true}, {"two(g ? 5 : 0, f())", true}, {"(x && 1) + f()", false}, {"(*p ? 1 : 0) + f()", true}, {"({ int q = 1; if (g) q = 2; q; }) + f()", true}, {"(g, 1) + f()", false},
		{"struct { int u, v; } s; s = (__typeof__(s)){f(), f()}", true}, {"struct t { int u, v; } s = (struct t){f(), k()}", false}, {"struct t { int u, v; } s = (struct t){f(), f()}", true}, {"q = (int[]){f(), g}", true}, {"q = (int[]){x, x}", false},
		{"(x && ({ while (1); 0; })) + fails(y)", true}, {"(x && ({ while (1); 0; })) + pure(y)", false}, {"({ for (int i = 0; i < 3; i++) x += i; x; }) + fails(y)", true},
		{"act() + other()", true}, {"act() + pure(2)", false},
	} {
		text := orderHead + "int act(void); int other(void); int main(void) { int x = 0, y = 0, a[10] = {0}, *q = &h; p = &g; " + c.text + "; return 0; }"
		p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Abstract: []string{"act", "other"}})
		if err != nil {
			t.Fatal(c.text, err)
		}
		if got := OpenOrder(p, p.Func("main"), false); (len(got) > 0) != c.open {
			t.Errorf("%s: open at %v", c.text, got)
		}
		if OpenOrder(p, p.Func("pure"), false) != nil {
			t.Error("in a routine that main does not matter for")
		}
	}
}

// orderCase is a routine that returns a number, of operands with effects.
func orderCase(r *rand.Rand, k int) string {
	var operand func(depth int) string
	operand = func(depth int) string {
		leaf := []string{"g", "h", "x", "y", "a[x & 3]", "*p", "3", "f()", "k()", "readg()", "x++", "--y", "(g = 2)", "(x += 3)", "(*p = y)", "get(&x)", "get(p)", "fp()", "a[y & 3]++"}
		if depth == 0 || r.IntN(4) == 0 {
			return leaf[r.IntN(len(leaf))]
		}
		one := func() string { return operand(depth - 1) }
		switch r.IntN(7) {
		case 0:
			return "pure(" + one() + ")"
		case 1:
			return "sum(" + one() + ", " + one() + ", " + one() + ")"
		case 2:
			return "(" + one() + " ? " + one() + " : " + one() + ")"
		case 3:
			return "a[(" + one() + ") & 3]"
		case 4:
			return "(" + []string{"x", "y", "g", "*p", "a[x & 3]"}[r.IntN(5)] + []string{" = ", " += "}[r.IntN(2)] + one() + ")"
		}
		return "(" + one() + []string{" + ", " - ", " * ", " && ", " ^ "}[r.IntN(5)] + one() + ")"
	}
	return fmt.Sprintf("int c%d(void) { int x = %d, y = 2, a[4] = {4, 3, 2, 1}; g = 1; h = 5; p = %s; int z = %s; return (z * 7 + g * 5 + h * 3 + x * 11 + y * 13 + a[0] + a[1] * 2 + a[2] * 3 + a[3] * 4) & 255; }\n",
		k, r.IntN(4), []string{"&g", "&h", "&x", "&a[1]"}[r.IntN(4)], operand(3))
}

// TestOrderGCC: where the order makes no difference, gcc, which takes arguments from right to left,
// comes to the same numbers.
func TestOrderGCC(t *testing.T) {
	open, same := 0, 0
	for seed := range uint64(soak.Long(8)) {
		r := rand.New(rand.NewPCG(seed, 41))
		head := orderHead + "int sum(int a, int b, int c) { return a + 3 * b - c; }\nvoid reach_error(void) {} int any(void) { return 0; }\n"
		text, body, values := strings.Replace(head, "int errno; ", "", 1), "", []uint64{}
		for k := range 40 {
			one := orderCase(r, k)
			p, err := cfront.Parse([]*source.File{source.NewFile("t.c", head+one+fmt.Sprintf("int main(void) { return c%d(); }\n", k))}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if OpenOrder(p, p.Func("main"), false) != nil {
				open++
				continue
			}
			out, err := (&machine.Machine{Program: p}).Run(p.Func("main"), nil)
			if err != nil || out.Ending != machine.Returned {
				t.Fatalf("seed %d: %v, %+v", seed, err, out)
			}
			text, body, values = text+one, body+fmt.Sprintf("if (c%d() != %d) return %d;\n", k, out.Value, len(values)+1), append(values, out.Value)
			same++
		}
		exe, err := gcc.Build(t.TempDir(), text+"int main(void) {\n"+body+"return 0; }\n", 64, "-w", "-O0")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if status, _, _, err := gcc.Run(context.Background(), exe); err != nil || status != 0 {
			t.Errorf("seed %d: case %d of gcc's program differs, %v\n%s%s", seed, status, err, text, body)
		}
	}
	if open < same/4 || same < open/20 {
		t.Errorf("%d are open, %d are not", open, same)
	}
}

// TestOpenOrderOutside: the order matters of what changes what no variable of the program holds: indicators of streams,
// what rules are about, and whether a run ends, where one asks for that.
func TestOpenOrderOutside(t *testing.T) {
	for _, c := range []struct {
		body  string
		rules []ir.Rule
		ends  bool
		open  bool
	}{
		{"two(!!feof(stdin), getchar() < 0)", nil, false, true},
		{"two(feof(stdin), fseek(stdin, 0, 0))", nil, false, true},
		{"two(feof(stdin), ferror(stdout))", nil, false, true},
		{"two(feof(stdin), rand())", nil, false, false},
		{"two(getchar(), fgetc(stdin))", nil, false, false},
		{"two(fgetc(stdin), fclose(stdin))", []ir.Rule{ir.RuleStdio}, false, true},
		{"two(fgetc(stdin), fclose(stdin))", nil, false, false},
		{"two(pthread_mutex_lock(&m), pthread_mutex_unlock(&m))", []ir.Rule{ir.RuleLocks}, false, true},
		{"two(stop(), loop())", nil, true, true},
		{"two(loop(), stop())", nil, true, true},
		{"two(loop(), loop())", nil, true, false},
	} {
		text := "#include <stdio.h>\n#include <stdlib.h>\n#include <pthread.h>\npthread_mutex_t m; int two(int a, int b) { return a + 2 * b; } int stop(void) { exit(1); } int loop(void) { for (;;) ; } int main(void) { return " + c.body + "; }"
		p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Rules: c.rules})
		if err != nil {
			t.Fatal(c.body, err)
		}
		if got := OpenOrder(p, p.Func("main"), c.ends); (len(got) > 0) != c.open {
			t.Errorf("%s: open at %v", c.body, got)
		}
	}
}
