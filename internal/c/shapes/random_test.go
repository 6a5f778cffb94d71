package shapes_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/c/shapes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// parsed reads a program, with checks.
func parsed(t *testing.T, text string, kinds ...ir.Check) *ir.Program {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("list.c", text)}, cfront.Options{Checks: kinds})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(kinds) > 0 {
		checks.Add(p, kinds)
	}
	return p
}

// lister writes programs with lists.
type lister struct {
	*rand.Rand
	lines []string
}

func (l *lister) one(of ...string) string { return of[l.IntN(len(of))] }

func (l *lister) add(format string, args ...any) {
	for _, line := range strings.Split(fmt.Sprintf(format, args...), "\n") {
		l.lines = append(l.lines, strings.TrimSpace(line))
	}
}

// datum is what a node holds.
func (l *lister) datum() string {
	return l.one("1", "2", "x", "nd()", "i", "(nd() & 1)", "(nd() & 3)", "7")
}

func (l *lister) pointer() string { return l.one("h", "t", "p", "q", "r", "k") }

// build makes the list longer.
func (l *lister) build(double bool) {
	back := ""
	switch l.IntN(3) {
	case 0: // in front
		if double {
			back = "p->b = 0;\nif (h) h->b = p;"
		}
		l.add("while (nd() & 3) {\np = malloc(sizeof *p);\np->d = %s;\np->n = h;\n%s\nh = p;\n}", l.datum(), back)
	case 1: // at the end
		if double {
			back = "p->b = t;"
		}
		l.add("if (!h) {\nh = malloc(sizeof *h);\nh->d = %s;\nh->n = 0;\nh->b = 0;\n}\nt = h;\nwhile (t->n) t = t->n;", l.datum())
		l.add("while (nd() > 0) {\np = malloc(sizeof *p);\np->d = %s;\np->n = 0;\n%s\nt->n = p;\nt = p;\n}", l.datum(), back)
	default: // so many
		l.add("for (i = 0; i < %d; i++) {\np = calloc(1, sizeof *p);\np->n = h;\nif (nd() > 0) p->d = %s;\nh = p;\n}", 1+l.IntN(6), l.datum())
	}
}

// piece does something with the list.
func (l *lister) piece(double bool) {
	switch l.IntN(12) {
	case 0, 1:
		l.add("for (p = h; p; p = p->n) {\n%s\n}", l.one("if (!(p->d >= 1)) reach_error();", "p->d = "+l.datum()+";", "i++;", "if (p->d == 2) x = 1;", "if (p->d > 1) reach_error();", "if (p->d > 3 && p->d != 7) reach_error();", "if (p->n && p->n->b != p) reach_error();", "k = p;", "if (!(p->d == 1 || p->d == 2)) reach_error();", "if (x == 1 && p->d > 6) reach_error();"))
	case 2:
		l.add("p = 0;\nwhile (h) {\nq = h->n;\nh->n = p;\n%s\np = h;\nh = q;\n}\nh = p;", map[bool]string{true: "h->b = q;"}[double])
	case 3:
		l.add("if (h) {\np = h;\nh = h->n;\n%s\nfree(p);\n}", map[bool]string{true: "if (h) h->b = 0;"}[double])
	case 4:
		l.add("q = 0;\np = h;\nwhile (p) {\nr = p->n;\nif (p->d %s) {\nif (q) q->n = r; else h = r;\n%s\nfree(p);\n} else {\nq = p;\n}\np = r;\n}", l.one("== 2", "> 1", "< 1"), map[bool]string{true: "if (r) r->b = q;"}[double])
	case 5:
		l.add("if (h) {\np = malloc(sizeof *p);\np->d = %s;\np->n = h->n;\np->b = h;\n%s\nh->n = p;\n}", l.datum(), map[bool]string{true: "if (p->n) p->n->b = p;"}[double])
	case 6:
		l.add("while (h) {\np = h->n;\nfree(h);\nh = p;\n}")
	case 7:
		l.add("%s = %s;", l.pointer(), l.one(l.pointer(), "0"))
	case 8:
		p := l.pointer()
		l.add("if (%s) {\n%s = %s;\n}", p, l.one(p+"->n", p+"->b", l.pointer(), p+"->d"), "%s")
		l.lines[len(l.lines)-2] = l.one(p+"->n = "+l.pointer()+";", p+"->b = "+l.pointer()+";", p+"->d = "+l.datum()+";", l.pointer()+" = "+p+"->n;", l.pointer()+" = "+p+"->b;", "x = "+p+"->d;")
	case 9:
		l.add("%s", l.one("x = nd();", "x = x + 1;", "i = 0;", "x = 1;", "if (x > 3) x = 3;", "if (x < 0) x = 0;", "y = x;", "if (i > 0 && !h) y = 5;"))
	case 10:
		l.add("t = h;\nwhile (t && t->n) {\nt = t->n;\n}\nwhile (t) {\nif (!(t->d %s)) reach_error();\nt = t->b;\n}", l.one(">= 0", "!= 3", "< 8"))
	case 11:
		l.add("if (h) {\nfor (t = h; t->n; t = t->n);\nt->n = h;\np = h;\ndo {\n%s\np = p->n;\n} while (p != h);\nt->n = 0;\n}", l.one("i++;", "p->d = 1;", "if (p->d == 9) reach_error();"))
	}
}

// program is one with a list, and perhaps a mistake.
func (l *lister) program() string {
	double := l.IntN(2) == 0
	if l.build(double); l.IntN(3) == 0 {
		l.build(double)
	}
	for range 1 + l.IntN(5) {
		l.piece(double)
	}
	l.add("%s", l.one("", "if (h && h->d == 5) reach_error();", "if (!(x <= 3)) reach_error();", "if (y == 5 && x == 2) reach_error();", "if (h && h == t) x = 2;", "if (i < 0) reach_error();"))
	if l.IntN(2) == 0 {
		l.add("while (h) {\np = h->n;\nfree(h);\nh = p;\n}")
	}
	for range l.IntN(3) {
		l.mistake()
	}
	return "typedef unsigned long size_t;\nextern void *malloc(size_t);\nextern void *calloc(size_t, size_t);\nextern void free(void *);\nextern int nd(void);\nextern void reach_error(void);\n" +
		"struct node { int d; struct node *n; struct node *b; };\n" +
		"int main(void) {\nstruct node *h = 0, *t = 0, *p = 0, *q = 0, *r = 0, *k = 0;\nint x = 0, y = 0, i = 0;\n" + strings.Join(l.lines, "\n") + "\nreturn 0;\n}\n"
}

// mistake leaves out a statement, or changes it.
func (l *lister) mistake() {
	i := l.IntN(len(l.lines))
	line := l.lines[i]
	switch {
	case !strings.HasSuffix(line, ";") || strings.HasPrefix(line, "for") || strings.HasPrefix(line, "while") || strings.HasPrefix(line, "}"):
	case l.IntN(2) == 0:
		l.lines[i] = ";"
	case strings.Contains(line, "->n"):
		l.lines[i] = strings.Replace(line, "->n", "->b", 1)
	case strings.Contains(line, "->b"):
		l.lines[i] = strings.Replace(line, "->b", "->n", 1)
	case strings.Contains(line, "h"):
		l.lines[i] = strings.Replace(line, "h", l.one("p", "t", "q"), 1)
	}
}

// broken does runs of a program on random inputs, until one fails, or leaves what is modelled.
func broken(t *testing.T, r *rand.Rand, p *ir.Program, runs int, null bool) *machine.Outcome {
	for range runs {
		most := 1 + r.IntN(7)
		m := &machine.Machine{Program: p, MaxSteps: 5000, Layout: r.IntN(3), Choose: func(c *machine.Choice) (uint64, error) {
			if c.Call == nil && r.IntN(2) == 0 {
				return r.Uint64(), nil
			}
			return ir.Extend(c.Type, uint64(r.IntN(most)-r.IntN(2))), nil
		}}
		out, err := m.Run(p.Entry, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Ending == machine.Failed || out.Ending == machine.Undefined && (null || out.Broken != ir.CheckNull) {
			return &out
		}
	}
	return nil
}

// TestRandomLists: a program of lists that is proved does not fail, nor leaves what is modelled, on random inputs.
func TestRandomLists(t *testing.T) {
	proved, failing := 0, 0
	for seed := range soak.Long(uint64(4000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := &lister{Rand: r}
		text := l.program()
		kinds := [][]ir.Check{nil, nil, {ir.CheckMemory}, {ir.CheckLeaks}, {ir.CheckNull, ir.CheckBounds, ir.CheckMemory, ir.CheckLeaks}}[r.IntN(5)]
		p := parsed(t, text, kinds...)
		ctx, cancel := context.WithCancel(context.Background())
		_, err := shapes.Prove(ctx, p, shapes.Options{Work: 100_000})
		cancel()
		bad := broken(t, r, p, 40, p.Checks(ir.CheckNull))
		switch {
		case err == nil && bad != nil:
			t.Fatalf("seed %d, %v: proved, and a run does: %s\n%s", seed, kinds, bad.What, text)
		case err == nil:
			proved++
		case bad != nil:
			failing++
		}
		if errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	t.Logf("%d proved, %d fail", proved, failing)
	if proved < soak.Least(1200) || failing < soak.Least(1200) {
		t.Error("that is fewer than there should be")
	}
}
