package gen

import (
	"fmt"
	"math/rand"
	"strings"
)

// CProgram writes a random C program without undefined behaviour: a routine
// <prefix>main() that computes and hands its results to out(unsigned long long). All
// names begin with the prefix, so that several programs make one file. It ends after
// some ten thousand steps at most.
func CProgram(rng *rand.Rand, prefix string) string {
	g := &cgen{rng: rng, p: prefix}
	return g.program()
}

// CModel writes a random C program that can fail: main() reads values that are open from
// any() and calls reach_error(). It uses each byte as one type, as models need it.
func CModel(rng *rand.Rand) string {
	g := &cgen{rng: rng, plain: true}
	g.line("extern int any(void); extern unsigned char any_byte(void); extern _Bool any_bool(void); extern void reach_error(void); extern void out(unsigned long long);")
	return g.program()
}

func (g *cgen) program() string {
	union := "union { unsigned x; unsigned char b[4]; } un; "
	if g.plain {
		union = ""
	}
	g.line("struct %ss { signed char c; int a[3]; unsigned u : 5; int v : 7; unsigned w : 3; long l; struct { short h; unsigned char k; } in; %s};", g.p, union)
	g.line("enum %se { %sE0, %sE1 = 7, %sE2, %sE3 = -3 };", g.p, g.p, g.p, g.p, g.p)
	g.line("typedef int (*%sfp)(int, long);", g.p)
	g.globals()
	for i := range map[bool]int{true: 1, false: 4}[g.plain] {
		g.function(i)
	}
	g.main()
	return g.b.String()
}

// cgen has the names that expressions may use where it stands: all of integer types.
type cgen struct {
	rng    *rand.Rand
	p      string
	plain  bool // no unions and casts of pointers; open values and failures
	b      strings.Builder
	indent int
	names  []string // integer lvalues
	funcs  []string // routines int f(int, long)
	loops  int      // around
	fresh  int
}

// depth is how deep statements are nested.
func (g *cgen) depth() int {
	if g.plain {
		return 2
	}
	return 3
}

var cTypes = []string{"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "_Bool"}

func (g *cgen) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("\t", g.indent))
	fmt.Fprintf(&g.b, format+"\n", args...)
}

func (g *cgen) pick(list []string) string { return list[g.rng.Intn(len(list))] }

func (g *cgen) number() string {
	n := []string{"0", "1", "2", "-1", "3", "7", "100", "127", "128", "255", "256", "-128", "32767", "65535", "65536", "2147483647", "(-2147483647-1)",
		"4294967295u", "2147483648u", "'a'", "0x7fL", "-5L", "9223372036854775807LL", "0xffffffffffffffffULL", "12345678901LL", "3u", "1UL",
		g.p + "E1", g.p + "E2", g.p + "E3", "(int)sizeof(long)", "(int)sizeof(struct " + g.p + "s)"}
	return g.pick(n)
}

func (g *cgen) globals() {
	for i, t := range cTypes {
		if g.rng.Intn(3) > 0 {
			g.line("%s%s %sg%d = %s;", g.pick([]string{"", "static "}), t, g.p, i, g.number())
			g.names = append(g.names, fmt.Sprintf("%sg%d", g.p, i))
		}
	}
	g.line("int %sarr[5] = { 1, [3] = -4 };", g.p)
	g.line("unsigned char %sm[2][3] = { {1, 2}, {250} };", g.p)
	g.line("struct %ss %sst = { 1, {2, 3}, 4, -5, .l = 6, .in = {7, 8} };", g.p, g.p)
	g.line("char %sstr[] = \"hey\"; int *%sgp = &%sarr[1];", g.p, g.p, g.p)
	for _, n := range []string{"arr[2]", "arr[3]", "m[1][0]", "st.a[1]", "st.c", "st.u", "st.v", "st.w", "st.l", "st.in.h", "str[1]", "gp[1]"} {
		g.names = append(g.names, g.p+n)
	}
	if !g.plain {
		g.names = append(g.names, g.p+"st.un.x", g.p+"st.un.b[2]")
	}
	g.names = append(g.names, "*"+g.p+"gp")
	g.memoryGlobals()
}

// expr is an expression without effects, of an integer type.
func (g *cgen) expr(depth int) string {
	if depth <= 0 || g.rng.Intn(6) == 0 {
		if g.rng.Intn(3) == 0 {
			return g.number()
		}
		return g.pick(g.names)
	}
	a := func() string { return g.expr(depth - 1) }
	switch g.rng.Intn(20) {
	case 18, 19:
		return g.memoryExpr(depth)
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", a(), g.pick([]string{"+", "-", "*"}), a())
	case 3:
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", a(), g.pick([]string{"/", "%"}), a())
	case 4:
		return fmt.Sprintf("(%s %s (%s & %s))", a(), g.pick([]string{"<<", ">>"}), a(), g.pick([]string{"7", "31", "15"}))
	case 5, 6:
		return fmt.Sprintf("(%s %s %s)", a(), g.pick([]string{"&", "|", "^"}), a())
	case 7, 8:
		return fmt.Sprintf("(%s %s %s)", a(), g.pick([]string{"<", "<=", ">", ">=", "==", "!="}), a())
	case 9:
		return fmt.Sprintf("(%s %s %s)", a(), g.pick([]string{"&&", "||"}), a())
	case 10:
		return fmt.Sprintf("(%s ? %s : %s)", a(), a(), a())
	case 11, 12:
		return fmt.Sprintf("%s(%s)", g.pick([]string{"-", "~", "!", "+"}), a())
	case 13, 14:
		return fmt.Sprintf("((%s)%s)", g.pick(cTypes), a())
	case 15:
		return fmt.Sprintf("%sarr[(unsigned)%s %% 5]", g.p, a())
	case 16:
		return fmt.Sprintf("%sm[(unsigned)%s %% 2][(unsigned char)%s %% 3]", g.p, a(), a())
	default:
		return fmt.Sprintf("(int)(&%sarr[(unsigned)%s %% 5] - %sarr)", g.p, a(), g.p)
	}
}

// place is an lvalue.
func (g *cgen) place() string {
	if g.rng.Intn(4) == 0 {
		return fmt.Sprintf("%sarr[(unsigned)%s %% 5]", g.p, g.expr(1))
	}
	return g.pick(g.names)
}

// effect is an expression statement with effects, in an order that C fixes.
func (g *cgen) effect() string {
	switch g.rng.Intn(9) {
	case 0, 1, 2:
		return fmt.Sprintf("%s = %s", g.place(), g.expr(3))
	case 3, 4:
		op := g.pick([]string{"+=", "-=", "*=", "&=", "|=", "^="})
		return fmt.Sprintf("%s %s %s", g.place(), op, g.expr(2))
	case 5:
		return fmt.Sprintf("%s %s (%s & 7)", g.place(), g.pick([]string{"<<=", ">>="}), g.expr(1))
	case 6:
		return strings.Replace(g.pick([]string{"@++", "@--", "++@", "--@"}), "@", "("+g.place()+")", 1)
	case 7:
		return fmt.Sprintf("(%s) %s (%s)", g.expr(2), g.pick([]string{"&&", "||"}), g.effect())
	default:
		return fmt.Sprintf("%s ? (%s) : (%s)", g.expr(2), "("+g.effect()+"), 1", "("+g.effect()+"), 2")
	}
}

func (g *cgen) statement(depth int) {
	kind := g.rng.Intn(21)
	if depth <= 0 || g.loops >= 2 && kind >= 8 && kind <= 12 {
		kind = 0
	}
	body := func() {
		g.indent++
		for range 1 + g.rng.Intn(3) {
			g.statement(depth - 1)
		}
		g.indent--
	}
	switch kind {
	case 4, 5:
		g.line("if (%s) {", g.expr(2))
		body()
		g.line("} else {")
		body()
		g.line("}")
	case 6, 7:
		g.switching(depth)
	case 8, 9, 10, 11, 12:
		g.loop(kind, body)
	case 13:
		g.call()
	case 14:
		g.pointers()
	case 16, 17, 18, 19, 20:
		g.memoryStatement()
	case 15:
		g.line("out((unsigned long long)(%s));", g.expr(3))
	case 1, 2, 3:
		if g.plain {
			g.open(kind)
			return
		}
		fallthrough
	default:
		g.line("%s;", g.effect())
	}
}

// open reads an open value, or fails.
func (g *cgen) open(kind int) {
	switch kind {
	case 1:
		g.line("%s = %s();", g.place(), g.pick([]string{"any", "any_byte", "any_bool"}))
	case 2:
		g.line("if ((%s & 15) == 5) reach_error();", g.expr(2))
	default: // undefined for some values
		g.line("%s = %s;", g.place(), g.pick([]string{
			fmt.Sprintf("%sarr[(unsigned)%s %% 6]", g.p, g.expr(1)), fmt.Sprintf("%s / (%s & 7)", g.expr(1), g.expr(1)),
			fmt.Sprintf("%s << (%s & 63)", g.expr(1), g.expr(1)), fmt.Sprintf("%sgp[(unsigned)%s %% 4]", g.p, g.expr(1))}))
	}
}

func (g *cgen) switching(depth int) {
	g.line("switch (%s) {", g.expr(2))
	for i := range 3 {
		g.line("case %d:", i*3-1)
		if g.rng.Intn(3) == 0 {
			g.line("case %d ... %d:", 20*i+10, 20*i+14)
		}
		g.indent++
		g.statement(depth - 1)
		if g.rng.Intn(2) == 0 {
			g.line("break;")
		}
		g.indent--
	}
	g.line("%s: ;", g.pick([]string{"default", "case 99"}))
	g.indent++
	g.statement(depth - 1)
	g.indent--
	g.line("}")
}

func (g *cgen) loop(kind int, body func()) {
	g.fresh++
	i := fmt.Sprintf("i%d", g.fresh)
	n := 1 + g.rng.Intn(5)
	g.loops++
	defer func() { g.loops-- }()
	switch kind {
	case 8, 9:
		g.line("for (int %s = 0; %s < %d; %s++) {", i, i, n, i)
		body()
		if g.rng.Intn(2) == 0 {
			g.line("\tif (%s) %s;", g.expr(1), g.pick([]string{"continue", "break"}))
			body()
		}
		g.line("}")
	case 10:
		g.line("{ unsigned char %s = %d; while (%s-- > 0) {", i, n, i)
		body()
		g.line("} }")
	case 11:
		g.line("{ int %s = %d; do {", i, n)
		body()
		g.line("} while (--%s > 0); }", i)
	default:
		g.line("{ int %s = %d;", i, n)
		g.line("again%d: ;", g.fresh)
		again := g.fresh
		body()
		g.line("if (--%s > 0) goto again%d; }", i, again)
	}
}

// call calls a routine, by its name or by a pointer.
func (g *cgen) call() {
	if len(g.funcs) == 0 || g.loops > 0 {
		g.line("%s;", g.effect())
		return
	}
	g.fresh++
	t := fmt.Sprintf("t%d", g.fresh)
	f := g.pick(g.funcs)
	switch g.rng.Intn(4) {
	case 0:
		g.line("{ %sfp %s = %s ? %s : &%s; %s = %s(%s, %s); }", g.p, t, g.expr(1), f, g.pick(g.funcs), g.pick(g.names), t, g.expr(2), g.expr(2))
	case 1:
		g.line("{ struct %ss %s = %sst; %s.in.h = %s; %sst = %sid(%s); }", g.p, t, g.p, t, g.expr(2), g.p, g.p, t)
	default:
		g.line("{ int %s = %s(%s, %s); out(%s); }", t, f, g.expr(2), g.expr(2), t)
	}
}

func (g *cgen) pointers() {
	g.fresh++
	t := fmt.Sprintf("p%d", g.fresh)
	kind := g.rng.Intn(5)
	if g.plain && kind == 2 {
		kind = 0
	}
	switch kind {
	case 0:
		g.line("{ int *%s = %sarr + (unsigned)%s %% 3; *%s++ = %s; %s[1] -= 3; out(%s - %sarr); }", t, g.p, g.expr(1), t, g.expr(2), t, t, g.p)
	case 1:
		g.line("{ struct %ss *%s = &%sst; %s->a[(unsigned)%s %% 3] = %s; %s->v = %s; out(%s->v); }", g.p, t, g.p, t, g.expr(1), g.expr(2), t, g.expr(2), t)
	case 2:
		g.line("{ unsigned char *%s = (unsigned char *)&%sarr[2]; %s[1] = %s; out(%sarr[2]); }", t, g.p, t, g.expr(2), g.p)
	case 3:
		g.line("{ %sgp = %s ? &%sarr[0] : &%sst.a[1]; int **%s = &%sgp; **%s += 1; }", g.p, g.expr(1), g.p, g.p, t, g.p, t)
	default:
		g.line("{ const char *%s = \"abc\" \"def\"; int n = 0; while (*%s) n += *%s++; out(n + sizeof \"xyz\"); }", t, t, t)
	}
}

func (g *cgen) function(i int) {
	name := fmt.Sprintf("%sf%d", g.p, i)
	if i == 0 {
		g.line("struct %ss %sid(struct %ss x) { x.l += x.in.h; x.w = 9; return x; }", g.p, g.p, g.p)
		if g.plain {
			g.line("int %srec(int n, long x) { if (n < 0) return x; return n ^ (int)x; }", g.p)
		} else {
			g.line("int %srec(int n, long x) { static int %sdepth = 3; if (n <= 0 || n > 12) return (int)x + %sdepth++; return %srec(n - 1, x * 3) ^ n; }", g.p, g.p, g.p, g.p)
		}
		g.funcs = append(g.funcs, g.p+"rec")
	}
	g.line("int %s(int a, long b)", name)
	g.line("{")
	g.indent++
	known := len(g.names)
	g.names = append(g.names, "a", "b")
	for k := range 3 {
		g.line("%s l%d = %s;", g.pick(cTypes), k, g.expr(1))
		g.names = append(g.names, fmt.Sprintf("l%d", k))
	}
	if g.rng.Intn(2) == 0 {
		g.line("struct %ss ls = { .c = %s, .a = { 1, 2 } };", g.p, g.expr(1))
		g.names = append(g.names, "ls.c", "ls.a[1]", "ls.u", "ls.in.k")
	}
	for range 2 + g.rng.Intn(g.depth()+2) {
		g.statement(g.depth())
	}
	g.line("return %s;", g.expr(3))
	g.names = g.names[:known]
	g.indent--
	g.line("}")
	g.funcs = append(g.funcs, name)
}

func (g *cgen) main() {
	g.line("%s %smain(void)", map[bool]string{true: "int", false: "void"}[g.plain], g.p)
	g.line("{")
	g.indent++
	if g.plain {
		g.open(1)
		g.open(1)
	}
	for range 5 + g.rng.Intn(6) {
		g.statement(g.depth())
	}
	for _, n := range g.names {
		g.line("out((unsigned long long)%s);", n)
	}
	g.line("for (int i = 0; i < 5; i++) out(%sarr[i]);", g.p)
	g.line("for (int i = 0; i < 6; i++) out(%sm[i / 3][i %% 3]);", g.p)
	if g.plain {
		g.line("if ((%s & 3) == 1) reach_error();", g.expr(2))
		g.line("return 0;")
	}
	g.indent--
	g.line("}")
}
