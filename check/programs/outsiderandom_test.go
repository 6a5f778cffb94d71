package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// pointersC makes random programs whose pointers lead to each other, and to and from routines without a body and a
// volatile variable, as docs/c.md has these.
type pointersC struct {
	*rand.Rand
	asked int // how often the surroundings choose
}

func (g *pointersC) one(of ...string) string { return of[g.Intn(len(of))] }

// number is an int.
func (g *pointersC) number(depth int) string {
	n := 14
	if depth > 2 {
		n = 4
	}
	switch g.Intn(n) {
	case 0:
		return strconv.Itoa(g.Intn(4))
	case 1:
		return g.one("x", "y", "z")
	case 2:
		return g.one("a[0]", "a[1]", "a[2]")
	case 3:
		return g.one("s.v", "t.v", "g.in.v")
	case 4:
		return "*" + g.pointer(depth+1)
	case 5:
		return g.node(depth+1) + "->v"
	case 6:
		return "**" + g.place(depth+1)
	case 7:
		return "(" + g.number(depth+1) + " + " + g.number(depth+1) + ")"
	case 8:
		return "(" + g.pointer(depth+1) + g.one(" == ", " != ") + g.pointer(depth+1) + ")"
	case 9:
		return "a[" + g.index(depth+1) + "]"
	case 10:
		return g.one("w.i", "w.s[0]", "w.s[1]", "b.k", "b.m", "b.c")
	case 11:
		return g.one("*(short *)", "*(unsigned char *)") + g.pointer(depth+1)
	}
	return "(" + g.number(depth+1) + g.one(" < ", " == ", " != ") + g.number(depth+1) + ")"
}

func (g *pointersC) index(depth int) string { return "(unsigned)(" + g.number(depth) + ") % 3" }

// outside is something that the surroundings choose, or another expression where they have chosen often.
func (g *pointersC) outside(chosen, other string) string {
	if g.asked >= 3 {
		return other
	}
	g.asked++
	return chosen
}

// pointer is an int *.
func (g *pointersC) pointer(depth int) string {
	n := 20
	if depth > 2 {
		n = 5
	}
	switch g.Intn(n) {
	case 0:
		return g.one("(&x)", "(&y)", "(&z)")
	case 1:
		return g.one("p", "q")
	case 2:
		return g.one("(&a[0])", "(&a[1])", "(&a[2])")
	case 3:
		return g.one("s.m", "t.m", "g.in.m", "ps[0]", "ps[1]")
	case 4:
		return "u.p"
	case 5:
		return "(*" + g.place(depth+1) + ")"
	case 6:
		return g.node(depth+1) + "->m"
	case 7:
		return "(&" + g.node(depth+1) + "->v)"
	case 8:
		return "pick(" + g.pointer(depth+1) + ", " + g.pointer(depth+1) + ")"
	case 9:
		return "((int *)(unsigned long)" + g.pointer(depth+1) + ")"
	case 10:
		return "(" + g.number(depth+1) + " ? " + g.pointer(depth+1) + " : " + g.pointer(depth+1) + ")"
	case 11:
		return "fp(" + g.pointer(depth+1) + ")"
	case 12:
		return "((int *)u.l)"
	case 13:
		return "ps[(" + g.number(depth+1) + ") & 1]"
	case 14:
		return "make(" + g.pointer(depth+1) + ").m"
	case 15:
		return g.outside("get()", "h")
	case 16:
		return g.outside("READ", "there")
	case 17:
		return g.one("(&w.i)", "(&b.c)", "(int *)&b")
	}
	return g.one("h", "there")
}

// place is an int **.
func (g *pointersC) place(depth int) string {
	if depth <= 2 && g.Intn(3) == 0 {
		return "(&" + g.node(depth+1) + "->m)"
	}
	return g.one("pp", "(&p)", "(&q)", "(&s.m)", "(&g.in.m)", "(&ps[0])", "(&ps[1])", "(&u.p)")
}

// node is a struct S *.
func (g *pointersC) node(depth int) string {
	if depth <= 2 {
		switch g.Intn(5) {
		case 0:
			return g.node(depth+1) + "->n"
		case 1:
			return g.outside("node()", "hs")
		}
	}
	return g.one("(&s)", "(&t)", "(&g.in)", "sp", "s.n", "t.n", "hs")
}

func (g *pointersC) statement(depth int) string {
	k := g.Intn(30)
	if depth > 1 && k < 2 {
		k = 4
	}
	switch k {
	case 0:
		return "if (" + g.number(0) + ") { " + g.statement(depth+1) + " } else { " + g.statement(depth+1) + " }"
	case 1:
		return fmt.Sprintf("for (int i%d = 0; i%d < 2; i%d++) { %s }", depth, depth, depth, g.statement(depth+1))
	case 2, 3, 4:
		return "*" + g.pointer(0) + " = " + g.number(0) + ";"
	case 5:
		return g.one("p", "q", "ps[0]", "ps[1]", "h", "there", "s.m", "t.m", "g.in.m", "u.p") + " = " + g.pointer(0) + ";"
	case 6:
		return "*" + g.place(0) + " = " + g.pointer(0) + ";"
	case 7:
		return g.one("sp", "s.n", "t.n", "hs") + " = " + g.node(0) + ";"
	case 8:
		return g.node(0) + "->" + g.one("v = "+g.number(0), "m = "+g.pointer(0), "n = "+g.node(0)) + ";"
	case 9:
		return "pp = " + g.place(0) + ";"
	case 10:
		return g.one("s", "t", "g.in", "*sp") + " = " + g.one("s", "t", "g.in", "make(&x)", "*sp") + ";"
	case 11:
		return "memmove(" + g.place(0) + ", " + g.place(0) + ", sizeof(int *));"
	case 12:
		return "memmove(" + g.node(0) + ", " + g.node(0) + ", sizeof(struct S));"
	case 13:
		return "u.l = (unsigned long)" + g.pointer(0) + ";"
	case 14:
		return "swap(" + g.place(0) + ", " + g.place(0) + ");"
	case 15:
		return "fp = " + g.one("same", "next") + ";"
	case 16:
		return g.one("h = malloc(sizeof *h); *h = "+g.number(0), "hs = malloc(sizeof *hs); *hs = "+g.one("s", "t")) + ";"
	case 17, 18:
		return "give(" + g.pointer(0) + ");"
	case 19:
		return "hand(" + g.node(0) + ");"
	case 20, 21:
		return "STORE(" + g.pointer(0) + ");"
	case 22:
		return "*" + g.outside("get()", "h") + " = " + g.number(0) + ";"
	case 23, 24:
		p := g.pointer(0)
		return g.one("*(short *)"+p, "*(unsigned char *)"+p, "((union W *)"+p+")->s[0]", "((union W *)"+p+")->s[1]") + " = " + g.number(0) + ";"
	case 25:
		return g.one("*(short *)", "*(unsigned char *)", "((short *)&x)[1] = 1; *(short *)") + g.outside(g.one("get()", "READ"), "h") + " = " + g.number(0) + ";"
	case 26:
		return g.one("w.i", "w.s[1]", "b.k", "b.m", "b.c") + " = " + g.number(0) + ";"
	case 27:
		return g.one("u.l = (u.l ^ 5) ^ 5;", "memmove(&u, &p, sizeof p);", "vu = u; vu.l = vu.l ^ 1 ^ 1; u = vu;")
	case 28:
		return "give(" + g.one("&w.i", "&b.c", "(int *)&b") + ");"
	}
	return "*" + g.outside("READ", "h") + " = " + g.number(0) + ";"
}

// program is the text; what is found out is an int, which it gives to found().
func (g *pointersC) program() string {
	var b strings.Builder
	for range 4 + g.Intn(7) {
		b.WriteString("\t" + g.statement(0) + "\n")
	}
	return `
struct S { int v; int *m; struct S *n; };
extern int *there;
int *get(void); void give(int *); struct S *node(void); void hand(struct S *); void found(int);
void *malloc(unsigned long); void *memmove(void *, const void *, unsigned long);
int x = 1, y = 2, z = 3, a[3] = {4, 5, 6};
struct S t, s = {7, &x, &t}, t = {8, &y, &s};
struct { int k; struct S in; } g = {9, {10, &z, &s}};
int *p = &x, *q = &y, **pp = &p, *ps[2] = {&z, a}, *h = &y, *vp;
struct S *sp = &s, *hs = &t;
union U { int *p; unsigned long l; } u = {&z}, vu;
union W { int i; short s[2]; } w = {3};
struct B { int k : 4, m : 12; int c; } b = {1, 2, 3};
int *same(int *p) { return p; }
int *next(int *p) { return p == &x ? &y : p; }
int *(*fp)(int *) = same;
int *pick(int *a, int *b) { return x & 1 ? a : b; }
struct S make(int *m) { struct S r = {11, m, &s}; return r; }
void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
int run(void) {
` + b.String() + "\tfound(" + g.number(0) + " * 16 + " + g.number(0) + ");\n\treturn 0;\n}\n"
}

// outsideC is what the surroundings may do, all of it that a few choices make: they return memory of their own,
// what they were given, and what these lead to.
const outsideC = `
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int own; static struct S ownNode = {0, &own, &ownNode}; int *there = &own;
static int *given[64]; static struct S *nodes[64]; static int many, manyNodes, choices;
static int choose(void) { int k = choices & 3; choices >>= 2; return k; }
void hand(struct S *p) {
	for (int i = 0; i < manyNodes; i++) if (nodes[i] == p) return;
	if (!p || manyNodes > 60) return;
	nodes[manyNodes++] = p; give(&p->v); give(p->m); hand(p->n);
}
void give(int *p) {
	for (int i = 0; i < many; i++) if (given[i] == p) return;
	if (!p || many > 60) return;
	given[many++] = p;
	if ((void *)p == &s || (void *)p == &t || (void *)p == &g.in) hand((void *)p);
}
static void look(void) { for (int i = 0; i < manyNodes; i++) { give(nodes[i]->m); hand(nodes[i]->n); } give(there); }
int *get(void) { look(); int k = choose(); return k == 0 ? &own : k <= many ? given[many - k] : 0; }
struct S *node(void) { look(); int k = choose(); return k == 0 ? &ownNode : k <= manyNodes ? nodes[manyNodes - k] : 0; }
int *readVolatile(void) { int k = choose(); return k == 0 ? vp : k < 3 && k <= many ? given[many - k] : &own; }
int *storeVolatile(int *p) { give(p); return vp = p; }
void found(int v) { printf("%d ", v); fflush(stdout); _exit(0); }
int main(void) {
	for (int k = 0; k < 64; k++) {
		int status, pid = fork();
		if (!pid) { choices = k; run(); _exit(0); }
		waitpid(pid, &status, 0);
	}
	return 0;
}
`

// TestOutsideRandom: what random programs can find out with the surroundings that docs/c.md describes is no proof's
// opposite.
func TestOutsideRandom(t *testing.T) {
	counts := map[string]int{}
	cases := int(soak.Long(40))
	for seed := range cases {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := (&pointersC{Rand: rng}).program()
		lines, err := gcc.Lines(context.Background(), t.TempDir(), "int *readVolatile(void), *storeVolatile(int *);\n#define READ readVolatile()\n#define STORE(e) storeVolatile(e)\n"+text+outsideC, 64, "-O0", "-w", "-fno-strict-aliasing")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		seen := []int{}
		for word := range strings.FieldsSeq(lines[0]) {
			v, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, v)
		}
		want := rng.Intn(70) - 3
		if len(seen) > 0 && rng.Intn(2) == 0 {
			want = seen[rng.Intn(len(seen))]
		}
		whole := "void reach_error(void);\n#define READ vp\n#define STORE(e) (vp = (e))\n" + strings.Replace(text, "*h = &y, *vp;", "*h = &y; int *volatile vp;", 1) +
			fmt.Sprintf("void found(int v) { if (v == %d) reach_error(); }\nint main(void) { return run(); }\n", want)
		got, _ := reachTextWith(t, Common, whole, cfront.Options{})
		fails := slices.Contains(seen, want)
		counts[fmt.Sprintf("%t: %s", fails, got)]++
		if got == report.Holds && fails {
			t.Errorf("seed %d: holds, but gcc's program finds %d\n%s", seed, want, whole)
		}
	}
	t.Log(counts)
	if counts["true: violated"] < soak.Least(5) || counts["false: holds"] < soak.Least(5) {
		t.Errorf("%v: more fail, and hold", counts)
	}
}
