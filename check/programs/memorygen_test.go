package programs

import (
	"fmt"
	"math/rand"
	"strings"
)

// memoryC makes a random program that allocates, frees, and keeps pointers, to what it should and to what it
// should not: names end with @, which stands for a number where several are in one text. No access is outside
// of an object, and none is by a null pointer, so that what goes wrong is about lives. Seen has only what gcc's
// sanitizer looks at.
func memoryC(rng *rand.Rand, seen bool) string {
	g := &memoryGen{rng: rng, seen: seen}
	fmt.Fprintf(g, "struct n@ { int v; struct n@ *next; int *p; };\nstatic int *g0@, *g1@; static struct n@ *h@; static int *v@[2], **w@;\n")
	fmt.Fprintf(g, "static int *id@(int *p) { return p; }\n")
	if rng.Intn(12) == 0 && !seen {
		g.recursive()
	} else {
		g.line("static int *again@(int n, int *a) { return n ? a : 0; }")
	}
	for k := range rng.Intn(3) {
		g.routine(k)
	}
	g.open("static int main@(void)")
	g.pointers = []string{"g0@", "g1@", "v@[0]"}
	g.line("int x = %d; int *p = 0, *q = 0; struct n@ s = {0, 0, 0};", rng.Intn(3))
	g.pointers, g.numbers = append(g.pointers, "p", "q", "s.p"), append(g.numbers, "x", "s.v")
	g.block(3+rng.Intn(6), 2)
	if rng.Intn(2) == 0 { // some are to be without leaks
		g.line("while (h@) { struct n@ *t = h@; h@ = t->next; free(t); }")
	}
	g.line("return 0;")
	g.close()
	return g.String()
}

type memoryGen struct {
	strings.Builder
	seen     bool
	rng      *rand.Rand
	pointers []string // variables that can be assigned
	numbers  []string // of type int, whose address can be taken
	routines int
	names    int
	depth    int
	size     int
}

func (g *memoryGen) line(format string, args ...any) {
	g.WriteString(strings.Repeat("\t", g.depth))
	fmt.Fprintf(g, format+"\n", args...)
}

func (g *memoryGen) open(format string, args ...any) {
	g.line(format+" {", args...)
	g.depth++
}

func (g *memoryGen) close() {
	g.depth--
	g.line("}")
}

func (g *memoryGen) name(of string) string {
	g.names++
	return fmt.Sprintf("%s%d", of, g.names)
}

func (g *memoryGen) pick(from []string) string { return from[g.rng.Intn(len(from))] }

// routine makes one that is given a pointer and returns one, and may keep others.
func (g *memoryGen) routine(k int) {
	pointers, numbers := g.pointers, g.numbers
	g.open("static int *f%d@(int *a)", k)
	g.line("int y = 1; int *r = a;")
	g.pointers, g.numbers = []string{"g0@", "g1@", "a", "r"}, []string{"y"}
	g.block(1+g.rng.Intn(3), 1)
	switch g.rng.Intn(5) {
	case 0:
		g.line("return g0@;")
	case 1:
		g.line("r = &y; return r;")
	default:
		g.line("return r;")
	}
	g.close()
	g.routines++
	g.pointers, g.numbers = pointers, numbers
}

// block makes statements in a block, which declares what it likes.
func (g *memoryGen) block(n, nesting int) {
	pointers, numbers := len(g.pointers), len(g.numbers)
	for range n {
		if g.size++; g.size < 40 {
			g.statement(nesting)
		}
	}
	g.pointers, g.numbers = g.pointers[:pointers], g.numbers[:numbers]
}

func (g *memoryGen) statement(nesting int) {
	p, q := g.pick(g.pointers), g.pick(g.pointers)
	if g.rng.Intn(4) == 0 {
		g.special(p, q)
		return
	}
	switch g.rng.Intn(26) {
	case 0, 1, 2:
		g.line("%s = malloc(8); %s[0] = %d; %s[1] = %d;", p, p, g.rng.Intn(4), p, g.rng.Intn(4))
	case 3:
		g.line("%s = calloc(2, 4);", p)
	case 4, 5:
		g.line("%s = &%s;", p, g.pick(g.numbers))
	case 6:
		g.line("%s = %s;", p, q)
	case 7:
		g.line("%s = 0;", p)
	case 8, 9:
		g.line("free(%s);", p)
	case 10:
		g.line("free(%s); %s = 0;", p, p)
	case 11, 12:
		g.line("if (%s) *%s = %d;", p, p, g.rng.Intn(5))
	case 13:
		g.line("if (%s) %s = *%s;", p, g.pick(g.numbers), p)
	case 14:
		g.line("%s = realloc(%s, %d);", p, q, 4*(2+g.rng.Intn(2)))
		g.line("%s[1] = %d;", p, g.rng.Intn(3))
	case 15:
		g.line("{ struct n@ *t = malloc(sizeof *t); t->next = h@; t->v = %d; t->p = %s; h@ = t; }", g.rng.Intn(3), p)
	case 16:
		g.line([]string{"if (h@) { struct n@ *t = h@; h@ = t->next; free(t); }", "if (h@) { struct n@ *t = h@; h@ = t->next; free(t); }",
			"if (h@) { free(h@); h@ = h@->next; }", "if (h@ && h@->p) *h@->p = 3;", "if (h@) %s = h@->p;"}[g.rng.Intn(4)])
	case 17:
		g.line("if (h@) %s = h@->p;", p)
	case 18:
		if g.routines > 0 {
			g.line("%s = f%d@(%s);", p, g.rng.Intn(g.routines), q)
			return
		}
		g.line("%s = id@(%s);", p, q)
	default:
		g.nested(nesting)
	}
}

func (g *memoryGen) nested(nesting int) {
	p := g.pick(g.pointers)
	if nesting == 0 {
		g.line("if (%s) *%s = 1;", p, p)
		return
	}
	switch g.rng.Intn(7) {
	case 0, 1:
		g.open("do")
		x, r := g.name("x"), g.name("p")
		g.line("int %s = %d; int *%s = &%s;", x, g.rng.Intn(3), r, x)
		g.declared([]string{r}, []string{x}, 1+g.rng.Intn(3), nesting-1)
		g.line("} while (0);")
		g.depth--
	case 2:
		g.open("if (any() == %d)", g.rng.Intn(4))
		g.block(1+g.rng.Intn(2), nesting-1)
		g.close()
	case 3:
		g.open("if (any() > %d)", g.rng.Intn(3))
		g.block(1, nesting-1)
		g.close()
		g.open("else")
		g.block(1, nesting-1)
		g.close()
	case 4:
		i, x := g.name("i"), g.name("x")
		g.open("for (int %s = 0; %s < %d; %s++)", i, i, 1+g.rng.Intn(2), i)
		g.line("int %s = %s;", x, i)
		if g.rng.Intn(3) == 0 {
			g.line("if (any() == 1) %s;", g.pick([]string{"break", "continue"}))
		}
		g.declared(nil, []string{x}, 1+g.rng.Intn(2), nesting-1)
		g.close()
	case 5:
		l, x := g.name("l"), g.name("x")
		g.open("if (1)")
		g.line("int %s = 0; if (any() == 2) goto %s;", x, l)
		g.declared(nil, []string{x}, 1, nesting-1)
		g.close()
		g.line("%s:;", l)
	case 6:
		if g.rng.Intn(4) == 0 {
			g.line("if (any() == 3) exit(0);")
		} else {
			x := g.name("x")
			g.line("switch (any()) { case 0: { int %s = 3; %s = &%s; break; } case 1: %s = 0; default: ; }", x, p, x, p)
		}
	}
}

// declared makes statements that may use what is declared.
func (g *memoryGen) declared(pointers, numbers []string, n, nesting int) {
	ps, ns := len(g.pointers), len(g.numbers)
	g.pointers, g.numbers = append(g.pointers, pointers...), append(g.numbers, numbers...)
	g.block(n, nesting)
	g.pointers, g.numbers = g.pointers[:ps], g.numbers[:ns]
}

// special makes a rarer statement.
func (g *memoryGen) special(p, q string) {
	k := g.rng.Intn(9)
	if !g.seen {
		k = g.rng.Intn(16)
	}
	x, y := g.name("x"), g.name("y")
	switch k {
	case 0:
		g.line("{ int %s = any() & 1; v@[%s] = %s; %s = v@[1 - %s]; }", x, x, p, q, x)
	case 1:
		g.line("w@ = &%s;", p)
	case 2:
		g.line("if (w@) *w@ = %s;", p)
	case 3:
		g.line("if (w@) %s = *w@;", p)
	case 4:
		g.line("{ int *%s = %s; w@ = &%s; if (any() == 1) w@ = 0; }", x, p, x)
	case 5:
		g.line("%s = ({ int %s = 1; int *%s = %s; any() ? &%s : %s; });", p, x, y, q, x, y)
	case 6:
		g.line("{ unsigned long %s = (unsigned long)%s; %s = (int *)%s; }", x, p, q, x)
	case 7:
		g.line("if (h@) { struct n@ %s = *h@; %s = %s.p; %s.v++; *h@ = %s; }", x, p, x, x, x)
	case 8:
		g.line("{ int %s = 0; again%s: if (%s) { if (any() == 1) *%s = 2; } { int %s = 1; %s = &%s; if (%s++ < 1) goto again%s; } }", x, x, p, p, y, p, y, x, x)
	case 9:
		g.line("%s = &(int){%d};", p, g.rng.Intn(3))
	case 10:
		g.line("{ %s = (int[]){1, 2}; %s[1] = 3; if (any() == 2) %s = 0; }", p, p, p)
	case 11:
		g.line("{ int %s = 1 + (any() & 1); int %s[%s]; %s[0] = 1; %s = %s; *%s = 2; if (any() == 1) %s = 0; }", x, y, x, y, p, y, p, p)
	case 12:
		g.line("%s = alloca(8); %s[0] = 1; %s[1] = 2;", p, p, p)
	case 13:
		g.line("if (%s && %s) memcpy(%s, %s, 4);", p, q, p, q)
	case 14:
		g.line("if (%s) %s = again@(any() & 1, %s);", p, q, p)
	case 15:
		g.line("%s = malloc(8); %s[0] = 0; %s[1] = 0; memcpy(%s, %s + 1, 4);", p, p, p, p, p)
	}
}

// recursive makes a routine that calls itself, of which others may be called.
func (g *memoryGen) recursive() {
	g.open("static int *again@(int n, int *a)")
	g.line("int y = n; int *r = %s; int *o = &y;", g.pick([]string{"a", "&y", "0"}))
	g.line("if (n > 0) r = again@(n - 1, %s);", g.pick([]string{"a", "&y", "o", "g0@"}))
	g.line("%s", g.pick([]string{"g0@ = o;", "if (g0@) *g0@ = 1;", "free(a);", "*o = 2;", "if (r) *r = 1;", "w@ = &o;", "if (n == 0) g1@ = o;"}))
	g.line("return %s;", g.pick([]string{"r", "o", "a", "0"}))
	g.close()
}
