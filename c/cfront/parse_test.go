package cfront

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestUnnested compares with a regular expression, which is slower.
func TestUnnested(t *testing.T) {
	want := regexp.MustCompile(`(?s:^/\*.*?(?:\*/|$))|^//[^\n]*|^"(?:[^"\\\n]|\\.)*|^'(?:[^'\\\n]|\\.)*`)
	letters := []string{"/", "*", "\"", "'", "\\", "\n", "(", "é", "\xff"}
	for seed := range soak.Cases(uint64(30_000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := letters[[]int{0, 0, 2, 3}[r.IntN(4)]]
		for range r.IntN(12) {
			text += letters[r.IntN(len(letters))]
		}
		if n := len(want.FindString(text)); unnested(text) != n {
			t.Fatalf("seed %d, %q: %d, not %d", seed, text, unnested(text), n)
		}
	}
}

// TestNesting: text that would fill the parser's stack is refused; brackets in comments and
// literals are not nested, and what the parser can take is taken.
func TestNesting(t *testing.T) {
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for _, c := range []struct {
		text string
		at   int
	}{
		{"int x = " + deep("(", "1", ")", maxNesting) + ";", -1},
		{"int x = " + deep("(", "1", ")", maxNesting+1) + ";", 8 + maxNesting},
		{deep("( {", "1", "} )", maxNesting/2+1), 3*maxNesting/2 + 0},
		{"x = " + deep("! ", "1", "", maxNesting+1), 4 + 2*maxNesting},
		{strings.Repeat("f(g[-1]);\n", 2*maxNesting), -1},
		{"/* " + deep("(", "", "", 2*maxNesting) + " */ // " + deep("[", "", "", 2*maxNesting), -1},
		{"\"\\\"" + deep("(", "", "", 2*maxNesting) + "\"; '{' " + deep("'{'", "", "", 2*maxNesting), -1},
		{"/*" + deep("(", "", "", 2*maxNesting), -1},
		{"return " + strings.Repeat("(int)", maxChain-1) + "1;", -1},
		{"return " + strings.Repeat("(int)", maxChain) + "1;", 7 + 5*(maxChain-1)},
		{"return " + strings.Repeat("x+", maxChain) + "1;", 7 + 2*maxChain - 1},
		{"return " + strings.Repeat("x?1:", maxChain) + "1;", 7 + 2*maxChain - 1},
		{strings.Repeat("if(x)", maxChain+1), 5*maxChain + 2},
		{strings.Repeat("if(x);else ", maxChain), 11*(maxChain/2) + 2},
		{strings.Repeat("if(x){}else ", maxChain), 12*(maxChain/3) + 10},
		{strings.Repeat("if(x){}", maxChain), -1},
		{strings.Repeat("if(x)y=z+1;else y=2;", maxChain), -1},
		{"int x[]={" + strings.Repeat("1+1,", maxChain) + "{2}};", -1},
		{strings.Repeat("#define A (1)\n", maxChain), -1},
		{"f" + strings.Repeat("()", maxChain+1), 1 + 2*maxChain},
	} {
		if at := tooDeep(c.text); at != c.at {
			t.Errorf("%.20s...: %d, not %d", c.text, at, c.at)
		}
	}
	for n, want := range map[int]string{100: "", 100_000: "p.c:1:10024: error: nested more than 10000 deep"} {
		text := "int main(void) { return " + deep("(", "0", ")", n) + "; }"
		_, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d parentheses: %v", n, err)
		}
	}
}

// TestWithoutPlace: operands that are no places are refused where they stand, in sources and in
// conditions.
func TestWithoutPlace(t *testing.T) {
	for expr, want := range map[string]string{
		"--1": "p.c:2:3: error: 1 is stepped", "x++ ++": "p.c:2:1: error: x++ is stepped", "1 = 2": "p.c:2:1: error: 1 is assigned to",
		"(x ? 1 : 2) = 3": "p.c:2:1: error: (x ? 1 : 2) is assigned to", "(x, x) += 1": "p.c:2:1: error: (x, x) is assigned to", "&x++": "p.c:2:2: error: x++ has its address taken",
		"++f()": "p.c:2:3: error: f() is stepped", "((x))++": "", "(*&x)--": "", "++s.a[1]": "", "s.a[0] = (&s)->b": "", "&f": "",
	} {
		p := source.NewFile("p.c", "int x, f(void); struct { int a[2], b; } s; int main(void) { return\n"+expr+"; }")
		expect := func(err error, want string) {
			if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
				t.Errorf("%s: %v, want %s", expr, err, want)
			}
		}
		if expr == "&f" {
			p = source.NewFile("p.c", "int f(void); int main(void) { return\n&f != 0; }")
		}
		_, err := Parse([]*source.File{p}, Options{})
		expect(err, want)
	}
	beside := source.NewFile("c", "  --1")
	_, err := Parse([]*source.File{source.NewFile("p.c", "int main(void) { return 0; }")}, Options{Conditions: []Condition{{Routine: "main", Expr: beside.Span(0, 5)}}})
	if err == nil || !strings.HasPrefix(err.Error(), "c:1:5: error: 1 is stepped") {
		t.Errorf("a condition: %v", err)
	}
}

// TestRefused: what is not supported is refused where it stands, with what to do.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int main(void) { int n = 3; int a[n][n]; return 0; }", "p.c:1:33: error: the size of a is not constant"},
		{"int main(void) { __asm__(\"cli\"); return 0; }", "p.c:1:18: error: assembly is not supported"},
		{"int f(int a, ...) { __builtin_va_list v; __builtin_va_start(v, a); return __builtin_va_arg(v, int); }\nint main(void) { return f(1); }", "__builtin_va_arg is not supported"},
		{"int main(void) { void *p = &&l; l: goto *p; }", "p.c:1:28: error: this operator is not supported"},
		{"#include \"none.h\"\nint main(void) { return 0; }", "p.c:1:"},
		{"int mian(void) { return 0; }", "there is no routine main"},
		{"int x;\n#if \"text\"\n#endif\nint main(void) { return 0; }", "p.c:2:5: error: the condition is no integer expression"},
		{"this is no C", "p.c:1:"},
		{"int f(void) { return 0; }\nint f(void) { return 1; }\nint main(void) { return f(); }", "p.c:2:1: error:"},
		{"int main(void) { goto nowhere; }", "nowhere"},
		{"__thread int x;\nint main(void) { return x; }", "p.c:1:14: error: x is a variable of threads"},
		{"", "there is no routine main"},
		{"__attribute__((constructor)) void f(void) {}\nint main(void) { return 0; }", "error: attribute constructor"},
		{"void f(void) __attribute__((destructor));\nint main(void) { return 0; }", "error: attribute destructor"},
		{"void f(int *p);\nint main(void) { int x __attribute__((cleanup(f))) = 1; return x; }", "p.c:2:39: error: attribute cleanup"},
		{"int g; extern int h __attribute__((alias(\"g\")));\nint main(void) { return h; }", "error: h is an alias of g"},
		{"int g; extern int h __asm__(\"g\");\nint main(void) { return h; }", "h is another name of g"},
		{"void f(void) __asm__(\"reach_error\");\nint main(void) { f(); }", "f is another name of reach_error"},
		{"typedef int q __attribute__((mode(QI)));\nint main(void) { q x = 300; return x; }", "p.c:2:20: error: type q"},
		{"int main(void) {\n#line 100\nreturn __LINE__; }", "p.c:2:1: error: lines and files that are renamed"},
		{"int f(int a[10]) { return sizeof a; }\nint main(void) { return f(0); }", "error: the type of this"},
		{"typedef int A[10];\nint f(A a) { int b[sizeof(a)]; return b[0]; }\nint main(void) { return f(0); }", "error: the type of this"},
		{"int f(int a[10]) { __typeof__(a) b; return sizeof b; }\nint main(void) { return f(0); }", "error: the type of this"},
		{"int main(void) { char s[] = \"abc\"; return sizeof(s + 1); }", "error: the type of this"},
		{"int main(void) { char s[4]; return sizeof(0, s); }", "error: the type of this"},
		{"int main(void) { int a[4]; return sizeof(*&a) + sizeof(1 ? a : 0); }", "error: the type of this"},
		{"int main(void) { int x = 0; return _Generic(x ? 1 : 0, int: 0, default: 1); }", "p.c:1:36: error: what this _Generic chooses is not known"},
		{"int main(void) { const char *p = 0; return _Generic(p, char *: 0, const char *: 1); }", "p.c:1:44: error: what this _Generic chooses is not known"},
		{"const char *p; enum { A = _Generic(p, char *: 0, const char *: 1) };\nint main(void) { return A; }", "p.c:1:27: error: what this _Generic chooses is not known"},
		{"short s; int a[_Generic(s ? s : s, short: 1, default: 2)];\nint main(void) { return sizeof a; }", "p.c:1:16: error: what this _Generic chooses is not known"},
		{"struct { unsigned b : 3; } s;\nint main(void) { return _Generic(s.b, int: 0, default: 1); }", "p.c:2:25: error: what this _Generic chooses is not known"},
		{"int main(void) { int x, *p = &x;\n(_Generic(x, int: x, default: *p)) = 5; return x; }", "p.c:2:1: error: this _Generic is assigned to, which is not supported"},
		{"#if -1 < (1 << 3u)\n#endif\nint x;", "p.c:1:1: error: a shift in #if by what may be unsigned, and such an alternative of ?:, is not supported"},
		{"#define K 3u\n#define SHIFT(x) ((x) >> (K))\n#if SHIFT(-8) == 1\n#endif\nint x;", "p.c:3:1: error: a shift in #if by what may be unsigned, and such an alternative of ?:, is not supported"},
		{"#if (1 ? -1 : 2u) > 0\n#endif\nint x;", "p.c:1:1: error: a shift in #if by what may be unsigned, and such an alternative of ?:, is not supported"},
		{"#define S(...) #__VA_ARGS__\nchar s[] = S(x , y);", "p.c:2:14: error: the text of variable arguments with a blank before a comma is not supported"},
		{"#define S(a, ...) #__VA_ARGS__\n#define W(...) S(1, __VA_ARGS__)\nchar s[] = W(x , y);", "p.c:3:14: error: the text of variable arguments with a blank before a comma is not supported"},
		{"#define S(...) #__VA_ARGS__\n#define W(...) S(__VA_ARGS__)\n#define P x , y\nchar s[] = W(P);", "p.c:4:14: error: the text of variable arguments with a blank before a comma is not supported"},
		{"enum { N = 4 }; enum { M = (N - 8) / 2 };", "p.c:1:28: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"enum { N = 5 }; char a[N - 6 < 0 ? 3 : 5];", "p.c:1:24: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"enum { N = 5 }; int f(int x) { switch (x) { case (1 - N) / 2: return 1; } return 0; }", "p.c:1:50: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"enum { N = 5 }; int v[] = { [(1 - N) / 2 + 3] = 7 };", "p.c:1:30: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"enum { N = 5 }; struct s { int b : N - 6 < 0 ? 3 : 5; };", "p.c:1:36: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"enum { N = 5 }; _Static_assert((1 - N) / 2 > 0, \"\");", "p.c:1:32: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"enum { N = 5 }; unsigned long n = sizeof(char[(1 - N) / 2 + 3]);", "p.c:1:47: error: a constant expression of enumeration constants with a part that is negative, or no int, is not supported here"},
		{"int a[3][3] = {[0 ... 2] = {[0 ... 2] = 1}};", "p.c:1:28: error: a range of elements that one expression does not initialise is not supported"},
		{"int a[3][3] = {[0 ... 2] = 1, 2};", "p.c:1:28: error: a range of elements that one expression does not initialise is not supported"},
		{"struct s { int x, y; } b[3] = {[0 ... 2] = {.y = 5}};", "p.c:1:44: error: a range of elements that one expression does not initialise is not supported"},
		{"struct s { int x, y; } b[3] = {[0 ... 2].y = 5};", "p.c:1:46: error: a range of elements that one expression does not initialise is not supported"},
		{"int a[10000000] = {[0 ... 9999999] = 1};", "p.c:1:38: error: a range of more than 262144 elements is not supported"},
		{"enum { N = 5 }; __typeof__(N) x = -1;", "p.c:1:17: error: the type of this expression is not known"},
		{`char *s = "\x07f";`, "p.c:1:12: error: an escape of more than two hexadecimal digits is not supported"},
		{`char *s = "a\\\x0041z";`, "p.c:1:15: error: an escape of more than two hexadecimal digits is not supported"},
		{`int c = '\400';`, "p.c:1:10: error: this number does not fit a char"},
		{`int c = 'é';`, "p.c:1:9: error: a character constant of several bytes is not supported"},
		{`int c = '\u00e9';`, "p.c:1:10: error: a character constant of several bytes is not supported"},
		{`char *s = "\\0" "1";`, "p.c:1:11: error: a literal that ends with an escaped \\ and digits is not supported"},
		{`char *s = "\\x1" /* and */ "1";`, "p.c:1:11: error: a literal that ends with an escaped \\ and digits is not supported"},
		{"#define A \"\\\\12\"\nchar *s = A \"1\";", "p.c:1:11: error: a literal that ends with an escaped \\ and digits is not supported"},
		{"#define A 1 + \\\n\"\\\\12\"\n;", "p.c:2:1: error: a literal that ends with an escaped \\ and digits is not supported"},
		{"#define CAT(a, b) a b\nchar *s = CAT(\"\\\\0\", \"1\");", "p.c:2:15: error: a literal that ends with an escaped \\ and digits is not supported"},
		{"int main(void) {\n// sets x \\ \nreturn 0; }", "p.c:2:11: error: blanks between a backslash and the end of the line are not supported"},
		{"#define A 1 \\\t\n\nint x;", "p.c:1:13: error: blanks between"},
		{"struct { int a : 40; } s;", "p.c:1:14: error: a bit-field of 40 bits is wider than its type, which has 32"},
		{"struct { _Bool a : 2; } s;", "p.c:1:16: error: a bit-field of 2 bits is wider than its type, which has 1"},
		{"int c = '';", "p.c:1:9: error: a character constant without a character"},
		{"int c = 08;", "p.c:1:9: error: \"08\" is no number"},
		{"int c = 99999999999999999999999999;", "p.c:1:9: error: \"99999999999999999999999999\" fits no type"},
		{"int x; // a\rint y;\n", "p.c:1:12: error: a carriage return that alone ends a line is not supported"},
		{"#define N 100\n#line N\nint x = __LINE__;", "p.c:2:1: error: #line with a macro is not supported"},
		{"#define STV(...) #__VA_ARGS__\n#define XSTV(...) STV(__VA_ARGS__)\n#define q(x) x\nchar s[] = XSTV(1, q(2));", "p.c:4:19: error: the text of variable arguments with macros among them is not supported"},
		{"#import \"h.h\"\nint x;", "p.c:1:1: error: this directive is not supported"},
		{"#define ADD(a, ...) ((a) + __VA_OPT__(5))\nint x;", "p.c:1:28: error: __VA_OPT__ is not supported"},
		{"#undef __LINE__\nint x;", "p.c:1:1: error: macros that are predefined"},
		{"enum E { A = 1, B = 0x100000000 }; int n = sizeof(A + 1);", "p.c:1:44: error: the type of this operand"},
		{"enum { V = 4 };\nint main(void) { enum { V = V + 1, W = V }; return W; }", "p.c:2:25: error: a constant of an enumeration whose value names one of its name is not supported"},
		{"typedef unsigned char u8;\nint main(void) { u8 m[4] = { {34} }; return m[0]; }", "p.c:2:30: error: braces around the first element of this array are not supported"},
		{"#define VOL volatile\nint k(void);\nVOL int *get(void);", "p.c:3:9: error: a routine that returns a pointer to what is volatile is not read as this declares it"},
		{"int main(void) { __int128 *p = 0; p++; return p != 0; }", "p.c:1:35: error: what this pointer points to has a type that is not supported"},
		{"enum Foo g = 1;", "error: type enum Foo"},
		{"int main(void) {\n#ifdef X\nint x;", "p.c:2:1: error: this #if has no #endif"},
		{"int main(void) { int a = (enum ", "p.c:1:27: error: unexpected 'enum'"},
		{"enum", "p.c:1:1: error: unexpected 'enum'"},
		{"int f(void) { return 0;", "p.c:1:23: error: unexpected EOF"},
		{"#include\n", "p.c:1:9: error: no file is named"},
		{"int x = 'a;\n", "p.c:1:9: error: this literal does not end in its line"},
		{"#error don't\n", "p.c:1:2: error: don't"},
		{"#define B 0b11\n#if B == 3\n#endif\n", `p.c:2:5: error: "0b11" is not a number that the preprocessor reads`},
	} {
		if err := refusedIn(c.text, ir.LP64); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %s", c.text, err, c.want)
		}
	}
}

// TestRefusedInside: what is refused, is so wherever it stands: at the end of a statement expression, too, whose value is no
// statement of its own.
func TestRefusedInside(t *testing.T) {
	const routine = "void e(void); int id(int x) { return x; } int gl;\nint f(int arr[7]) { int k = 1, t[3] = {0}; (void)t;\n%s\nreturn k; }\nint main(void) { int a[7]; return f(a); }\n"
	for _, s := range []string{
		"if (({ @; }) != 56) e();", "if (({ 1; @; }) != 56) e();", "int y = ({ @; }); if (y == 8) e();", "return ({ @; }) == 8;",
		"for (int i = ({ @; }); i == 8; i++) e();", "while (({ @; }) == 8) e();", "do e(); while (({ @; }) == 99);", "switch (({ @; })) { case 8: e(); }",
		"if (id(({ @; })) == 8) e();", "t[({ @; }) - 8] = 1;", "for (;; gl += ({ @; })) if (gl == 8) e();", "if (({ ({ @; }); }) == 8) e();",
		"if (k && ({ @; }) == 8) e();", "if ((k ? ({ @; }) : 0) == 8) e();", "({ gl = @; }); if (gl == 8) e();", "int w[({ @; })]; if (sizeof w == 32) e();",
		"switch (k) { case 1: if (({ @; }) == 8) e(); }", "if (({ return ({ @; }) == 8; 1; })) ;", "struct { int q; } u = { ({ @; }) }; if (u.q == 8) e();",
		"if (({ while (gl != 8) gl = @; gl; }) == 8) e();", "int *pp = (int[]){ ({ @; }) }; if (*pp == 8) e();", "if (@ == 8) e();", "do gl = @; while (0);",
	} {
		for _, what := range []string{"sizeof(arr)", "sizeof(({ int v(char); v; }))", "sizeof(f)"} {
			if text := fmt.Sprintf(routine, strings.ReplaceAll(s, "@", what)); refusedIn(text, ir.LP64) == nil {
				t.Errorf("%s\nis not refused", text)
			}
		}
	}
	// The type of an element that is an array is not the one that the parser has.
	for _, e := range []string{"a[0]", "(a)[0]", "0[a]", "m.z[0]", "p->z[1]", "(*p).z[0]", "pa[0]", "v[0]", "v[1][2]", "((int[2][3]){{1}})[0]", "((struct M){0}).z[0]", "__extension__ a[0]", "rows[0]"} {
		for _, form := range []string{"sizeof(__typeof__(%s)) == 8", "(long)((typeof(%s) *)0 + 1) == 8", "({ __typeof__(%s) *q = 0; q++; (long)q; }) == 8", "_Alignof(typeof(%s)) == 8"} {
			text := "struct M { int z[2][3]; } m, *p = &m; typedef int R[3]; R rows[2]; int a[2][3], v[2][3][4], (*pa)[3] = a;\nint main(void) { return " + fmt.Sprintf(form, e) + "; }"
			if err := refusedIn(text, ir.LP64); err == nil || !strings.Contains(err.Error(), "the type of this expression is not known") {
				t.Errorf("%s\n%v", text, err)
			}
		}
	}
}

// refusedIn is what is refused in a text, where it stands or where a run comes to it.
func refusedIn(text string, model ir.DataModel) error {
	prog, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{Model: model, NoEntry: text != "" && !strings.Contains(text, "int m")})
	if err == nil && len(prog.Unread) > 0 {
		if err = prog.Verify(); err == nil {
			err = source.List(prog.Unread)
		}
	}
	return err
}

// TestLarge: what the parser has no memory for is refused before it is read.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many MiB")
	}
	blank := strings.Repeat(" ", maxText)
	opts := Options{Open: func(name string) (*source.File, error) { return source.NewFile(name, blank[:maxText/4]), nil }}
	parse := func(texts ...string) error {
		var files []*source.File
		for _, text := range texts {
			files = append(files, source.NewFile("p.c", text))
		}
		_, err := Parse(files, opts)
		return err
	}
	main := "int main(void) { return 0; }\n"
	if err := parse(main + blank[len(main):]); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{main + blank}, "p.c:1:1: error: with this text the sources have more than 4 MiB"},
		{[]string{main, blank}, "p.c:1:1: error: with this text"},
		{[]string{"#include \"a.h\"\n#include \"b.h\"\n#include \"c.h\"\n#include \"d.h\"\n" + main}, "d.h:1:1: error: with this text"},
	} {
		if err := parse(c.texts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestLink: several files make one program; static names are each file's own.
func TestLink(t *testing.T) {
	a := source.NewFile("a.c", "extern int twice(int); static int n = 4; int shared;\nint main(void) { shared = 1; return twice(n) + shared; }")
	b := source.NewFile("b.c", "extern int shared; static int n = 30;\nint twice(int x) { shared += n; return 2 * x; }")
	p, err := Parse([]*source.File{a, b}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	m := &machine.Machine{Program: p}
	if out, err := m.Run(p.Func("main"), nil); err != nil || out.Value != 39 {
		t.Errorf("main() is %d, %v, want 39", out.Value, err)
	}
}

// FuzzParse: no text makes the front end panic, and what it accepts is consistent.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"int main(void) { return 0; }", "struct s { int a : 3; } x = { .a = 1 }; int main(void) { switch (x.a) { case 1 ... 2: break; } return x.a++; }",
		"int f(int, long); int main(int c, char **v) { int (*p)(int, long) = f; return c ? p(1, 2) : v[0][1]; }", "#define A(x) x x\nint main() { A(;) }"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{Model: ir.ILP32})
		if err != nil {
			return
		}
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteC(io.Discard); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteDOT(io.Discard); err != nil {
			t.Fatal(err)
		}
	})
}

// TestEnumerationConstants: expressions of them that are no different for unsigned numbers are read, as are
// those of an enumeration with a negative constant.
func TestEnumerationConstants(t *testing.T) {
	const text = `
enum e { ERR = -1, OK, MORE = 5 };
enum f { LOW, MID = 3, HIGH = MID + 2, N = HIGH * 2 };
enum g { P = 4, Q = (P - 8) / 2 };
int a[N + 1], b[N - MID], c[MORE - OK + ERR];
struct s { unsigned x : MID, y : HIGH - LOW; };
_Static_assert(N > MID, "");
int v[] = { [LOW] = 1, [MID] = 2, [N - 1] = 3 };
#if (1 << 3) > -1 && (defined X ? 1 : 2) > 0
int w;
#endif
int main(void) {
	switch (a[0]) { case ERR: return 1; case LOW: return 2; case MID: break; case HIGH - 1: break; case Q: break; }
	return w;
}`
	if _, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{Entry: "main"}); err != nil {
		t.Error(err)
	}
}

// TestLiterals: what C reads as these values is read so; see the refused ones in TestRefused.
func TestLiterals(t *testing.T) {
	for _, c := range []string{
		`"\\0"[1] == '0'`, `"\\"[0] == 92`, `"\\" "0"[1] == '0'`, `("\0" "1")[1] == '1'`, `("\x1" "f")[0] == 1`,
		`"\x7f"[0] == 127`, `"\377"[0] == -1`, `'\377' == -1`, `'\xff' == -1`, `L'\xff' == 255`, `L'\377' == 255`, `"\18"[1] == '8'`, `'\77' == 63`,
	} {
		text := "int main(void) { return " + c + "; }"
		prog, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{})
		if err != nil {
			t.Errorf("%s: %v", c, err)
			continue
		}
		m := &machine.Machine{Program: prog, MaxSteps: 1000}
		if out, err := m.Run(prog.Func("main"), nil); err != nil || out.Value != 1 {
			t.Errorf("%s: %v, %v", c, out, err)
		}
	}
}

// TestDefinedTwice: one of several sources defines a variable.
func TestDefinedTwice(t *testing.T) {
	for _, c := range []struct{ other, want string }{
		{"int g = 3;", "q.c:1:5: error: g is defined in p.c, too"}, {"int g;", ""}, {"extern int g;", ""}, {"static int g = 3;", ""},
	} {
		_, err := Parse([]*source.File{source.NewFile("p.c", "int g = 2; int main(void) { return g; }"), source.NewFile("q.c", c.other)}, Options{})
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.other, got)
		}
	}
}

// TestLinked: what several sources declare has one type, or is refused: each source would read it in a way of its own.
func TestLinked(t *testing.T) {
	for _, c := range []struct{ one, other, want string }{
		{"unsigned char g = 200;", "extern signed char g;", "q.c:1:20: error: g is signed char here and unsigned char elsewhere"},
		{"unsigned char g[2];", "extern signed char g[2];", "g is signed char[2] here"},
		{"int g = -1;", "extern unsigned g;", "g is unsigned int here and int elsewhere"},
		{"struct S { int a, b; } s;", "extern struct S { int b, a; } s;", "the members of a struct in struct S are not the same"},
		{"struct S { int a; unsigned char b; } s;", "extern struct S { int a; signed char b; } s;", "are not the same"},
		{"struct S { int a : 3, b : 5; } s;", "extern struct S { int a : 5, b : 3; } s;", "are not the same"},
		{"unsigned char f(void) { return 200; }", "signed char f(void);", "f is signed char() here"},
		{"int f(long c) { return c < 0; }", "int f(int c);", "f is int(int) here"},
		{"int f(float c) { return c < 0; }", "int f(double c);", "f is int(double) here"},
		{"enum E { A, B } g;", "extern int g;", "g is int here and unsigned int elsewhere"},
		{"int v, *g = &v;", "extern unsigned *g;", "g is unsigned int* here"},
		{"int f(void) { return -1; }", "_Bool f(void);", "f is _Bool() here"},
		{"int f(void) { return -1; }", "unsigned f();", "f is unsigned int() here"},
		{"int f(int c) { return c; }", "void g(void) { extern unsigned f(int); f(1); }", "f is unsigned int(int) here"},
		{"int (*p)(int);", "extern int (*p)(unsigned);", "p is int(*)(unsigned int) here"},
		{"int f(int c) { return c; }", "int f(); int g(void) { return f(3); }", ""},
		{"struct T; struct S { struct S *next; struct T *t; } s;", "struct T { int k; }; extern struct S { struct S *next; struct T *t; } s;", ""},
		{"int a[] = {1, 2}; char c(char x) { return x; }", "extern int a[]; char c(char);", ""},
		{"long f(long x) { return x; }", "long long f(long long);", ""},
		{"void f(const char *s) {}", "void f(char *const s);", ""},
		{"static int f(void) { return 1; } int g(void) { return f(); }", "unsigned f(void) { return 2; }", ""},
	} {
		_, err := Parse([]*source.File{source.NewFile("p.c", c.one+" int main(void) { return 0; }"), source.NewFile("q.c", c.other)}, Options{})
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.one, c.other, got)
		}
	}
}

// TestLastLine: what ends with a backslash, and nothing behind it, is read.
func TestLastLine(t *testing.T) {
	for _, end := range []string{"\\", "\\\n", " \\ \n", "\\\r\n"} {
		prog, err := Parse([]*source.File{source.NewFile("p.c", "int x;\nint main(void) { return x; }\nint x = 3;"+end)}, Options{})
		if err != nil {
			t.Errorf("%q: %v", end, err)
			continue
		}
		m := &machine.Machine{Program: prog, MaxSteps: 1000}
		if out, err := m.Run(prog.Func("main"), nil); err != nil || out.Value != 3 {
			t.Errorf("%q: %v, %v", end, out, err)
		}
	}
}

// TestParseStops: a context that has ended ends reading, and no more files are opened.
func TestParseStops(t *testing.T) {
	text := "#include \"other.h\"\n#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\nint main(void) { B(;) }"
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer cancel()
	for _, c := range []struct {
		ctx  context.Context
		want error
	}{{cancelled, context.Canceled}, {late, context.DeadlineExceeded}} {
		opened := make(chan string, 10)
		_, err := Parse([]*source.File{source.NewFile("a.c", text)}, Options{Context: c.ctx, Open: func(name string) (*source.File, error) {
			opened <- name
			return source.NewFile(name, "int x;"), nil
		}})
		if !errors.Is(err, c.want) || !budget.Stopped(err) {
			t.Errorf("%v, expected %v", err, c.want)
		}
		if len(opened) > 0 {
			t.Errorf("opened %s", <-opened)
		}
	}
	live, cancel := context.WithCancel(t.Context())
	defer cancel()
	with, err := Parse([]*source.File{source.NewFile("a.c", text[strings.Index(text, "\n"):])}, Options{Context: live})
	if err != nil || with.Func("main") == nil {
		t.Errorf("read within a context: %v", err)
	}
	if _, err := Parse([]*source.File{source.NewFile("a.c", "int x = ;")}, Options{Context: live}); !errors.As(err, new(source.List)) {
		t.Errorf("what is wrong: %v", err)
	}
}
