package gen

import (
	"fmt"
	"math/rand"
	"strings"
)

// CProcedure writes a small random C procedure, int proc(int p, int q), and returns the
// routines that it calls: f0(), f1(int) and f2(int, int), which return an int and have no
// bodies, or one that nobody should look at. They may be called by a pointer, and from a
// routine of the program. Globals are g0 and g1. Numbers are small; a procedure may loop for
// ever.
func CProcedure(rng *rand.Rand) (text string, routines []string) {
	g := &procedure{rng: rng, vars: []string{"p", "q", "x", "y", "g0", "g1", "s.n"}}
	g.line("int g0, g1 = 1;")
	g.line("struct { int n; int *at; } s;")
	for i, params := range []string{"(void)", "(int a)", "(int a, int b)"} {
		body := ";"
		if rng.Intn(3) == 0 {
			body = " { g0 = 99; return 3; }"
		}
		g.line("int f%d%s%s", i, params, body)
	}
	g.line("static int in(int p) {")
	g.indent++
	g.line("int x = p, y = 0, q = g1;")
	g.body(1, 1+rng.Intn(2))
	g.line("return %s;", g.expr(1))
	g.indent--
	g.line("}")
	g.line("int proc(int p, int q) {")
	g.indent++
	g.line("int y = 0, x = %s, (*h)(int) = f1;", strings.ReplaceAll(g.expr(0), "x", "q")) // x has no value yet
	g.line("s.at = %s;", []string{"&g0", "&g1", "&y"}[rng.Intn(3)])
	g.inner = true
	g.body(2, 2+rng.Intn(4))
	if rng.Intn(3) == 0 {
		g.line("if (%s) reach_error();", g.condition())
	}
	g.line("return %s;", g.expr(2))
	g.indent--
	g.line("}")
	return g.b.String(), []string{"f0", "f1", "f2"}
}

// procedure writes the text of CProcedure.
type procedure struct {
	rng    *rand.Rand
	b      strings.Builder
	indent int
	vars   []string
	inner  bool // in proc, which calls in
	loops  int
}

func (g *procedure) line(format string, args ...any) {
	fmt.Fprintf(&g.b, strings.Repeat("\t", g.indent)+format+"\n", args...)
}

func (g *procedure) pick() string { return g.vars[g.rng.Intn(len(g.vars))] }

// expr is a small expression without side effects.
func (g *procedure) expr(depth int) string {
	if depth == 0 || g.rng.Intn(3) == 0 {
		if g.rng.Intn(2) == 0 {
			return fmt.Sprint(g.rng.Intn(4) - 1)
		}
		return g.pick()
	}
	op := []string{"+", "-", "<", "==", "&&", "||"}[g.rng.Intn(6)]
	return fmt.Sprintf("(%s %s %s)", g.expr(depth-1), op, g.expr(depth-1))
}

func (g *procedure) condition() string {
	return fmt.Sprintf("%s %s %s", g.expr(1), []string{"==", "!=", "<", ">="}[g.rng.Intn(4)], g.expr(0))
}

func (g *procedure) call() string {
	switch k := g.rng.Intn(5); {
	case k == 0:
		return "f0()"
	case k == 1:
		return fmt.Sprintf("f1(%s)", g.expr(1))
	case k == 2:
		return fmt.Sprintf("f2(%s, %s)", g.expr(0), g.expr(1))
	case k == 3 && g.inner:
		return fmt.Sprintf("h(%s)", g.expr(0))
	case g.inner:
		return fmt.Sprintf("in(%s)", g.expr(0))
	}
	return "f0()"
}

func (g *procedure) body(depth, n int) {
	for range n {
		g.statement(depth)
	}
}

func (g *procedure) block(head string, depth int) {
	g.line("%s {", head)
	g.indent++
	g.body(depth-1, 1+g.rng.Intn(2))
	g.indent--
	g.line("}")
}

func (g *procedure) statement(depth int) {
	switch k := g.rng.Intn(9); {
	case k < 2:
		g.line("%s = %s;", g.pick(), g.expr(1))
	case k == 2:
		g.line("%s = %s;", g.pick(), g.call())
	case k == 3:
		g.line("%s;", g.call())
	case k == 4 && g.inner:
		g.line("*s.at = %s;", g.expr(1))
	case k == 5 && g.inner && g.rng.Intn(3) == 0:
		g.line("h = %s ? f1 : in;", g.condition())
	case k == 6 && depth > 0 && g.loops < 1:
		g.loops++
		g.block(fmt.Sprintf("while (%s)", g.condition()), depth)
	case depth > 0:
		g.block(fmt.Sprintf("if (%s)", g.condition()), depth)
		if g.rng.Intn(2) == 0 {
			g.block("else", depth)
		}
	default:
		g.line("%s = %s;", g.pick(), g.call())
	}
}
