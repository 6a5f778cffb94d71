package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// What pointers from elsewhere point to is memory of any content, which is one memory: a failure
// needs that it can be read so.

// askedOf asks whether a routine fails that is called from elsewhere.
func askedOf(t *testing.T, text, entry string, checks ...ir.Check) (*report.Report, *CResult) {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: ir.LP64, Entry: entry, Checks: checks})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	e, err := encode.Encode(p, entry)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r, res, err := ReachC(context.Background(), e, Common, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 3000}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r, res
}

func TestOwnMemory(t *testing.T) {
	const head = "void reach_error(void); struct node { int v; unsigned char b; struct node *next; }; struct node *get(void);\n"
	for _, c := range []struct {
		text  string
		entry string
		want  report.Verdict
		says  string // of a failure: what was read
	}{
		{"int f(int *p) { if (*p == 3) reach_error(); return 0; }", "f", report.Violated, "*p = 3"},
		{"int f(const unsigned char *p, int n) { if (n >= 3 && p[0] == 'a' && p[1] == 'b' && p[2] == 'c') reach_error(); return 0; }", "f", report.Violated, "*p = 97, p[1] = 98, p[2] = 99"},
		{"int f(struct node *p) { int s = 0; while (p) { s += p->v; p = p->next; } if (s == 7) reach_error(); return 0; }", "f", report.Violated, "p->v = 7, p->next = NULL"},
		{"int main(void) { struct node *n = get(); if (n && n->b == 200 && n->next && n->next->v == -5) reach_error(); return 0; }", "", report.Violated, "->b = 200"},
		{"int f(int **p) { if (**p == 9 && *p != 0) reach_error(); return 0; }", "f", report.Violated, "**p = 9"},
		{"int f(int *p, int *q) { if (*p == 1 && *q == 2) reach_error(); return 0; }", "f", report.Violated, "*q = 2"},
		{"int f(int **pp, int *n) { *pp = *pp; if (*n == 2) reach_error(); return 0; }", "f", report.Violated, "*n = 2"},
		{"int f(short *p) { if (p[0] < 0 && p[0] < -300) reach_error(); return 0; }", "f", report.Violated, ""},
		{"int f(double *p) { if (*p > 1.5) reach_error(); return 0; }", "f", report.Violated, ""},
		{"int f(int *p) { unsigned char *b = (unsigned char *)p; if (*p == 0x01020304 && b[0] == 4 && b[3] == 1) reach_error(); return 0; }", "f", report.Violated, ""},
		// What has no run is at most unknown.
		{"int f(int *p) { if (*p == 3 && *p == 4) reach_error(); return 0; }", "f", report.Unknown, ""},
		{"int f(int *p, int *q) { if (p == q && *p == 1 && *q == 2) reach_error(); return 0; }", "f", report.Unknown, ""},
		{"int f(int *p) { *p = 1; if (*p == 2) reach_error(); return 0; }", "f", report.Unknown, ""},
		{"int f(int *p) { unsigned char *b = (unsigned char *)p; if (*p == 0x01020304 && b[0] == 5) reach_error(); return 0; }", "f", report.Unknown, ""},
		{"int f(unsigned char *p) { if (p[0] + p[1] > 600) reach_error(); return 0; }", "f", report.Holds, ""},
		{"int f(unsigned char *p) { if (!p) return 0; if (*p < 5) if (!p) reach_error(); return 0; }", "f", report.Holds, ""},
	} {
		r, res := askedOf(t, head+c.text, c.entry)
		if got := r.Results[0].Verdict; got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.text, got, r.Results[0].Reason, c.want)
			continue
		}
		if c.want != report.Violated {
			continue
		}
		reachesFailure(t, ir.LP64, r, res)
		var all []string
		for _, step := range r.Results[0].Counterexample.Stem {
			all = append(all, step.Gained...)
		}
		if text := strings.Join(all, ", "); !strings.Contains(text, c.says) {
			t.Errorf("%s: the run tells %s, not %s", c.text, text, c.says)
		}
	}
}

// readingC is a routine f@ that reads from memory which two pointers point to, as numbers from 0 to 3.
func readingC(rng *rand.Rand) string {
	var b strings.Builder
	names := []string{"x", "n", "(p[0] & 3)", "(*p & 3)", "(p[1] & 3)", "(q[0] & 3)", "(p[n & 1] & 3)", "(p == q)"}
	var expr func(d int) string
	expr = func(d int) string {
		switch k := rng.Intn(6); {
		case d == 0 || k == 0:
			if rng.Intn(3) == 0 {
				return fmt.Sprint(rng.Intn(5))
			}
			return names[rng.Intn(len(names))]
		case k < 3:
			return fmt.Sprintf("(%s %s %s)", expr(d-1), []string{"+", "-", "&"}[rng.Intn(3)], expr(d-1))
		default:
			return fmt.Sprintf("(%s %s %s)", expr(d-1), []string{"<", "==", "<=", "&&", "||", "!="}[rng.Intn(6)], expr(d-1))
		}
	}
	b.WriteString("int f@(unsigned char *p, unsigned char *q, int n) {\nint x = 0; n = n & 3;\n")
	for range rng.Intn(4) {
		switch rng.Intn(4) {
		case 0:
			fmt.Fprintf(&b, "%s = %s;\n", []string{"p[0]", "p[1]", "q[0]", "*q"}[rng.Intn(4)], expr(1))
		case 1:
			fmt.Fprintf(&b, "if (%s) return 1;\n", expr(2))
		case 2:
			b.WriteString("for (int i = 0; i < 2; i++) x += p[i] & 3;\n")
		default:
			fmt.Fprintf(&b, "x = %s;\n", expr(2))
		}
	}
	fmt.Fprintf(&b, "if (%s) reach_error();\nreturn 0; }\n", expr(3))
	return b.String()
}

// readingMain runs all of them on all memories, of which both pointers may point to one, under gcc's sanitizer.
const readingMain = `
int main(void) {
	for (int k = 0; k < sizeof all / sizeof *all; k++) {
		int fails = 0;
		for (int i = 0; i < 512; i++) {
			unsigned char p[2] = {i & 3, i >> 2 & 3}, q[1] = {i >> 4 & 3};
			if (!setjmp(back))
				all[k](p, i >> 8 ? p : q, i >> 6 & 3);
			else
				fails = 1;
		}
		puts(fails ? "fails" : "holds");
	}
	return 0;
}
`

func TestOwnMemoryRandom(t *testing.T) {
	cases := int(soak.Long(int64(60)))
	var programs []string
	var text, all strings.Builder
	text.WriteString("#include <stdio.h>\n#include <setjmp.h>\nstatic jmp_buf back;\nstatic void reach_error(void) { longjmp(back, 1); }\n")
	for seed := range cases {
		p := readingC(rand.New(rand.NewSource(int64(seed))))
		programs = append(programs, p)
		text.WriteString("static " + strings.ReplaceAll(p, "@", fmt.Sprintf("_%d", seed)))
		fmt.Fprintf(&all, "f_%d, ", seed)
	}
	fmt.Fprintf(&text, "static int (*all[])(unsigned char *, unsigned char *, int) = { %s };\n%s", all.String(), readingMain)
	lines, err := gcc.Lines(context.Background(), t.TempDir(), text.String(), 64, "-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil || len(lines) != cases {
		t.Fatal(err, len(lines))
	}
	counts := map[report.Verdict]int{}
	for seed, p := range programs {
		r, _ := askedOf(t, "void reach_error(void);\n"+strings.ReplaceAll(p, "@", ""), "f")
		got := r.Results[0].Verdict
		counts[got]++
		if got == report.Violated && lines[seed] != "fails" || got == report.Holds && lines[seed] != "holds" {
			t.Errorf("seed %d: %s, but it %s\n%s", seed, got, lines[seed], p)
		}
	}
	t.Log(counts)
	if least := soak.Least(20); counts[report.Violated] < least || counts[report.Holds] == 0 && cases >= 60 {
		t.Errorf("%v: at least %d fail, and some hold", counts, least)
	}
}

// mixedC is a routine that reads from memory of several types by pointers that may be the same, and writes there.
func mixedC(rng *rand.Rand) string {
	var b strings.Builder
	places := []string{"*p", "p[1]", "*s", "*b", "b[1]", "b[4]", "**pp", "n->v", "n->c", "n->next->v", "n->next->c"}
	pointers := []string{"p", "*pp", "&n->v", "(int *)b"}
	value := func() string {
		if rng.Intn(3) == 0 {
			return fmt.Sprint(rng.Intn(9) - 2)
		}
		return places[rng.Intn(len(places))]
	}
	b.WriteString("struct node { unsigned char c; int v; struct node *next; };\nint f(int *p, short *s, unsigned char *b, int **pp, struct node *n) {\n")
	for range 1 + rng.Intn(5) {
		switch rng.Intn(7) {
		case 0:
			fmt.Fprintf(&b, "%s = %s;\n", places[rng.Intn(len(places))], value())
		case 1:
			fmt.Fprintf(&b, "if (%s) *pp = %s;\n", value(), pointers[rng.Intn(3)])
		case 2:
			fmt.Fprintf(&b, "if (%s == %s) p = %s;\n", pointers[rng.Intn(4)], pointers[rng.Intn(4)], pointers[rng.Intn(3)])
		case 3:
			b.WriteString("if (n->next) n = n->next;\n")
		default:
			fmt.Fprintf(&b, "if (%s %s %s) return 1;\n", value(), []string{"<", "==", "!=", ">"}[rng.Intn(4)], value())
		}
	}
	fmt.Fprintf(&b, "if (%s %s %s) reach_error();\nreturn 0; }\n", value(), []string{"<", "==", "!=", ">"}[rng.Intn(4)], value())
	return b.String()
}

// TestOwnMemoryHarness: what fails by memory from elsewhere, fails when gcc has compiled it.
func TestOwnMemoryHarness(t *testing.T) {
	counts := map[report.Verdict]int{}
	for seed := range int(soak.Long(int64(40))) {
		text := mixedC(rand.New(rand.NewSource(int64(seed))))
		r, res := askedOf(t, "void reach_error(void);\n"+text, "f")
		got := r.Results[0].Verdict
		if counts[got]++; got == report.Violated {
			if reachesFailure(t, ir.LP64, r, res); t.Failed() {
				t.Fatalf("seed %d\n%s", seed, text)
			}
		}
	}
	if t.Log(counts); counts[report.Violated] < soak.Least(8) {
		t.Errorf("%v: more fail", counts)
	}
}
