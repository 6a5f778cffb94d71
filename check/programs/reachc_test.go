package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// encodeC encodes a text; the names of routines without a body are declared.
func encodeC(t *testing.T, text string) *encode.Encoding {
	t.Helper()
	text = "extern int any(void); extern unsigned char byte(void); extern void reach_error(void); extern int *get(void); extern void give(int *); extern void __VERIFIER_assume(int);\n" + text
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: ir.ILP32})
	if err != nil {
		t.Fatal(err)
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return e
}

func reachOf(ctx context.Context, t *testing.T, e *encode.Encoding, pool *smt.Pool, how safety.Integers, without ...passes.Pass) (report.Verdict, *armc.Result, string) {
	t.Helper()
	r, res, err := ReachC(ctx, e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 3000}, Integers: how, Without: without})
	if err != nil {
		t.Fatal(err)
	}
	PlainAgain(t, e.Program, r)
	if r.Results[0].Verdict == report.Violated {
		NotProved(t, e.Program, r.Results[0].Formula)
	}
	if res == nil {
		return r.Results[0].Verdict, nil, r.Results[0].Reason
	}
	return r.Results[0].Verdict, res.Result, r.Results[0].Reason
}

// TestReachC: verdicts of programs with one trap each. A run that were cut off silently
// would make one of them hold.
func TestReachC(t *testing.T) {
	pool := Common
	// What takes the solver seconds: only a soak run asks.
	long := map[string][]safety.Integers{"the distance of an element": {safety.MachineIntegers}, "one of many elements": {safety.AutoIntegers}}
	for i, c := range []struct {
		name, body    string
		machine, math report.Verdict // "" for what is not asked
	}{
		{"doubling overflows", "int z = 1; while (any()) z = 2 * z; if (z < 1) reach_error();", report.Violated, report.Holds},
		{"a bound at INT_MAX", "int i = 2147483640, n = any(); while (i <= n) { i++; if (i < 0) reach_error(); }", report.Violated, report.Holds},
		{"two past INT_MAX", "int i = any(); if (i > 0 && i + 2 < 0) reach_error();", report.Violated, report.Holds},
		{"unsigned wrap", "unsigned u = any(); if (u + 1 < u) reach_error();", report.Violated, report.Violated},
		{"no unsigned wrap", "unsigned u = any(); if (u < 100 && u + 1 < u) reach_error();", report.Holds, report.Holds},
		{"signed char", "unsigned char c = byte(); int x = (signed char)c; if (x < 0 && c < 128) reach_error();", report.Holds, report.Holds},
		{"sign in a comparison", "int x = any(); unsigned y = 1; if (x < 0 && x < y) reach_error();", report.Holds, report.Holds},
		{"a shift", "int x = any() & 31; if ((1u << x) == 0) reach_error();", report.Holds, ""},
		{"a shift too far", "int x = any() & 63; if ((1u << x) == 0) reach_error();", report.Unknown, ""},
		{"a count", "int i, n = 0; for (i = 0; i < 10; i++) n += 2; if (n != 20) reach_error();", report.Holds, report.Holds},
		{"a pointer from nowhere", "int *p = get(); *p = 1; reach_error();", report.Violated, report.Violated},
		{"a pointer that was given away", "int g = 0, *p; give(&g); p = get(); *p = 1; if (g == 1) reach_error();", report.Violated, report.Violated},
		{"a pointer that was kept", "int g = 0, h, *q = &g, *p; give(&h); p = get(); *p = 1; if (*q == 1) reach_error();", report.Holds, report.Holds},
		{"a pointer without a value", "int *p; *p = 1; reach_error();", report.Violated, report.Violated},
		{"null", "int *p = 0; *p = 1; reach_error();", report.Holds, report.Holds},
		{"a routine without a value", "void (*f)(void); f(); reach_error();", report.Violated, report.Violated},
		{"memory of its own is written", "int *p, *q = p; *p = 1; if (*q != 1) reach_error();", report.Unknown, report.Unknown},
		{"a routine from nowhere", "void (*f)(void) = (void (*)(void))get(); f(); reach_error();", report.Unknown, report.Unknown},
		{"failure before the unknown", "int a[2]; if (any() == 3) reach_error(); a[any()] = 1;", report.Violated, report.Violated},
		{"an alias", "int g = 0, *p = &g; *p = 1; if (g == 1) reach_error();", report.Violated, report.Violated},
		{"one of two targets", "int g = 0, h = 0, *p = any() ? &g : &h; *p = 1; if (g + h != 1) reach_error();", report.Holds, report.Holds},
		{"an assumption", "int x = any(); __VERIFIER_assume(x > 5); if (x < 3) reach_error();", report.Holds, report.Holds},
		{"an assumption elsewhere", "int x = any(); if (x > 9) __VERIFIER_assume(0); if (x < 3) reach_error();", report.Violated, report.Violated},
		{"a local without a value", "int x; if (x == 7) reach_error();", report.Violated, report.Violated},
		{"an element", "int a[3], i = any(); if (i >= 0 && i < 3) { a[i] = 1; if (a[i] != 1) reach_error(); }", report.Holds, report.Holds},
		{"an index outside", "int a[3], i = any(); a[i] = 1;", report.Unknown, report.Unknown},
		{"division by zero", "int a = any(); if (10 / a == 11) reach_error();", report.Unknown, report.Unknown},
		{"null where there are targets", "int g = 0, *p = any() ? &g : 0; *p = 1; if (g != 1) reach_error();", report.Holds, report.Holds},
		{"an address in an integer", "int g, h; unsigned a = (unsigned)&g, b = (unsigned)&h, c = any() ? a : 0; if (a == b || c == b || a == 0 || a == -1) reach_error();", report.Holds, report.Holds},
		{"an address in an integer and back", "int g = 1; unsigned a = (unsigned)&g; int *p = (int *)a; *p = 2; if (g == 1) reach_error();", report.Holds, report.Holds},
		{"a member by arithmetic", "struct { int a, b; } s; unsigned a = (unsigned)&s; s.b = 1; *(int *)(a + 4) = 2; if (s.b == 1) reach_error();", report.Holds, report.Holds},
		{"a digit of an address", "int g; if (((unsigned)&g & 0x10) == 0) reach_error();", report.Unknown, report.Unknown},
		{"the number of an address", "int g; unsigned a = (unsigned)&g; if (a == 0x10000) reach_error();", report.Unknown, report.Unknown},
		{"an address beside a number", "int g; unsigned a = (unsigned)&g, b = any(); if (a == b) reach_error();", report.Unknown, report.Unknown},
		{"the order of objects", "int g, h; if (&g < &h) reach_error();", report.Unknown, report.Unknown},
		{"the distance of objects", "int g, h; if (&h - &g < 100) reach_error();", report.Unknown, report.Unknown},
		{"the distance of an element", "int a[4], x = any() & 3, *p = a + x; if (p - a != x) reach_error();", "", report.Holds},
		{"the order of an element", "int a[4], x = any() & 3, *p = a + x; if (p > a + 3) reach_error();", report.Holds, report.Holds},
		{"the distance of some element", "int a[4], x = any() & 3, *p = a + x; if (p - a == 3) reach_error();", report.Violated, report.Violated},
		{"the distance of two objects", "int a[2], b[2], *p = a; if (p - b == 2 || p < b) reach_error();", report.Unknown, ""},
		{"a bit-field before a call", "struct { unsigned u : 3; } s = {1}; if (s.u > any() % 2 - 2) {} else reach_error();", report.Holds, report.Holds},
		{"the order of elements", "int a[4], *p = a, *q = a + 2; if (p > q || q - p != 2) reach_error();", report.Holds, report.Holds},
		{"a walk out of an array", "int a[2] = {1, 1}, *p = a; while (*p == 1) p++; reach_error();", report.Unknown, report.Unknown},
		{"a pointer stored at an index", "int g = 0, *t[40], *p; int i = any(); t[3] = 0; if (i >= 0 && i < 40) { t[i] = &g; p = t[3]; *p = 1; if (g == 1) reach_error(); }", report.Violated, report.Violated},
		{"a pointer copied by bytes", "union { int *p; unsigned char b[4]; } x, y; int g = 0, i; x.p = &g; y.p = 0; for (i = 0; i < 4; i++) y.b[i] = x.b[i]; *y.p = 1; if (g == 1) reach_error();", "", ""},
		{"bytes of an integer", "union { unsigned w; unsigned char b[4]; } x; x.w = 0x01020304; if (x.b[0] != 4 || x.b[3] != 1) reach_error();", report.Holds, report.Holds},
		{"a signed byte of an unsigned one", "unsigned char c = 200; signed char *p = (signed char *)&c; if (*p >= 0) reach_error();", report.Holds, report.Holds},
		{"one of many elements", "static char a[100]; int i = any(), k = any(); if (i >= 0 && i < 100 && k >= 0 && k < 100) { a[i] = 1; if (a[k] == 1 && i != k) reach_error(); }", report.Holds, report.Holds},
		{"an index outside of many elements", "static char a[100]; int i = any(); a[i] = 1;", report.Unknown, report.Unknown},
		{"an array of variable length", "int n = any(); if (n > 2 && n < 9) { int a[n]; a[2] = 5; a[1] = 6; if (a[2] != 5) reach_error(); }", report.Holds, report.Holds},
		{"an array that is too short", "int n = any(); if (n > 1 && n < 9) { int a[n]; a[2] = 5; }", report.Unknown, report.Unknown},
		{"a size that wraps", "unsigned n = any(); int *p = malloc(n * 4); if (n > 0x40000000) p[0] = 1;", report.Unknown, report.Unknown},
		{"two objects of one call", "int *p[2], i; for (i = 0; i < 2; i++) p[i] = malloc(4); *p[0] = 1; *p[1] = 2; if (*p[0] != 1) reach_error();", report.Holds, report.Holds},
		{"an address in memory of its own", "struct { int *p; } *q; int g = 0; q->p = &g; *q->p = 1; if (g == 1) reach_error();", report.Violated, report.Violated},
		{"an address that others may find", "struct { int *p; } *q; int g = 0, *p; q->p = &g; p = get(); *p = 1; if (g == 1) reach_error();", report.Unknown, report.Unknown},
		{"an address at a number", "int g = 0; *(int **)0x4008 = &g; **(int **)0x4008 = 1; if (g == 1) reach_error();", report.Violated, report.Violated},
		{"an address near null", "int g = 0; *(int **)8 = &g; **(int **)8 = 1; if (g == 0) reach_error();", report.Holds, report.Holds},
		{"a union from elsewhere", "int g = 0; union u { int *p; int n; }; union u fetch(void); give(&g); union u v = fetch(); *v.p = 1; if (g == 1) reach_error();", report.Unknown, report.Unknown},
		{"the result of a routine from nowhere", "int g = 0, *(*f)(void), *p; give(&g); p = f(); *p = 1; if (g == 1) reach_error();", report.Violated, report.Violated},
		{"a walk into another object", "int a[4], b[4] = {0}, i = any(), *p = a; if (any()) p = b; if (p == a && i == 12) { p = p + i; *p = 1; if (b[0] != 1) reach_error(); }", report.Unknown, report.Unknown},
		{"an index into another object", "int a[4], b[4] = {0}, i = any(), *p = a; if (any()) p = b; if (p == a && i == 12) { p[i] = 1; if (b[0] != 1) reach_error(); }", report.Unknown, report.Unknown},
		{"a way into another object and back", "int a[4], b[4] = {0}, i = any(), *p = a; if (any()) p = b; if (p == a && i == 12) { p = p + i; if (p == b) reach_error(); }", report.Unknown, report.Unknown},
		{"a step before an array", "int a[4], i, n = 0, *p = a; if (p - 1 == a) reach_error();", report.Unknown, report.Unknown},
		{"the end of an array", "int a[4], b[4], *p = a + 4, *q = b; if (p == q) reach_error();", report.Unknown, report.Unknown},
		{"the end of an array is no other object's second element", "int a[4], b[4], *p = a + 4, *q = b + 1; if (p == q) reach_error();", report.Holds, report.Holds},
		{"a walk to the end", "int a[4], n = 0, *p = a; while (p != a + 4) { *p = 1; p++; n++; } if (n != 4) reach_error();", report.Holds, report.Holds},
		{"the beginning of another object of a call", "int *p[2], i; for (i = 0; i < 2; i++) p[i] = malloc(4); if (p[0] == p[1]) reach_error();", report.Holds, report.Holds},
		{"the end of one object of a call", "int *p[2], i; for (i = 0; i < 2; i++) p[i] = malloc(4); if (p[0] + 1 == p[1]) reach_error();", report.Unknown, report.Unknown},
		{"memory of its own", "int *p = malloc(8); p[0] = 1; p[1] = 2; if (p[0] != 1) reach_error();", report.Holds, report.Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := encodeC(t, "void *malloc(unsigned);\nint main(void) { "+c.body+" return 0; }")
			for how, want := range map[safety.Integers]report.Verdict{safety.AutoIntegers: c.machine, safety.MachineIntegers: c.machine, safety.MathIntegers: c.math} {
				switch {
				case how == safety.MathIntegers && c.math == report.Violated:
					continue // a run is one of machine words, too, or is none
				case testing.Short() && (i%3 > 0 || how != safety.Integers(i/3%3)):
					continue // -short asks a third of the programs, each in one way
				case !soak.On() && slices.Contains(long[c.name], how):
					continue
				}
				if got, _, why := reachOf(context.Background(), t, e, pool, how); want != "" && got != want {
					t.Errorf("--integers=%v: %s, want %s (%s)", how, got, want, why)
				}
			}
		})
	}
}

// TestReachCCertificate: the invariant of a proof is accepted for machine words, and its
// mutants are refused.
func TestReachCCertificate(t *testing.T) {
	pool := Common
	e := encodeC(t, "int main(void) { int i, n = 0; for (i = 0; i < 10; i++) n += 2; if (n != 20) reach_error(); return 0; }")
	verdict, res, why := reachOf(context.Background(), t, e, pool, safety.AutoIntegers)
	if verdict != report.Holds {
		t.Fatal(verdict, why)
	}
	solver, err := pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(solver)
	if err := armc.CheckCertificate(context.Background(), e.Words, res.Certificate, solver); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i, inv := range res.Certificate.Invariant {
		for _, other := range []*logic.Term{logic.True(), logic.False()} {
			if inv == other {
				continue
			}
			mutant := &armc.Certificate{Invariant: append([]*logic.Term{}, res.Certificate.Invariant...)}
			mutant.Invariant[i] = other
			if armc.CheckCertificate(context.Background(), e.Words, mutant, solver) != nil {
				refused++
			}
		}
	}
	if refused < 3 {
		t.Errorf("only %d mutants are refused", refused)
	}
}

// smallC writes a program with three open values of 0 to 3, and an assertion.
func smallC(rng *rand.Rand) string {
	var b strings.Builder
	types := []string{"int", "unsigned", "signed char", "unsigned char", "short"}
	b.WriteString("int arr[3] = {1, 2, 3}; int *p = &arr[1];\n")
	fmt.Fprintf(&b, "%s add(%s a, int b) { return a %s b; }\n", types[rng.Intn(5)], types[rng.Intn(5)], []string{"+", "-", "^"}[rng.Intn(3)])
	b.WriteString("int main(void) {\n")
	names := []string{"x", "y", "z"}
	for _, n := range names {
		fmt.Fprintf(&b, "%s %s = byte() & 3;\n", types[rng.Intn(5)], n)
	}
	names = append(names, "arr[1]", "*p", "arr[x & 1]")
	var expr func(d int) string
	expr = func(d int) string {
		switch k := rng.Intn(9); {
		case d == 0 || k == 0:
			if rng.Intn(3) == 0 {
				return fmt.Sprint(rng.Intn(300) - 20)
			}
			return names[rng.Intn(len(names))]
		case k < 4:
			return fmt.Sprintf("(%s %s %s)", expr(d-1), []string{"+", "-", "&", "|"}[rng.Intn(4)], expr(d-1))
		case k < 6:
			return fmt.Sprintf("(%s %s %s)", expr(d-1), []string{"<", "==", "<=", "&&", "||", "!="}[rng.Intn(6)], expr(d-1))
		case k == 6:
			return fmt.Sprintf("(%s)%s", types[rng.Intn(5)], expr(d-1))
		case k == 7:
			return fmt.Sprintf("(%s ? %s : %s)", expr(d-1), expr(d-1), expr(d-1))
		default:
			return fmt.Sprintf("add(%s, %d)", names[rng.Intn(3)], rng.Intn(5))
		}
	}
	for range 2 + rng.Intn(4) {
		switch rng.Intn(4) {
		case 0:
			fmt.Fprintf(&b, "if (%s) %s = %s; else p = &arr[%d];\n", expr(2), names[rng.Intn(5)], expr(2), rng.Intn(3))
		case 1:
			fmt.Fprintf(&b, "for (int i = 0; i < %d; i++) %s = %s;\n", 1+rng.Intn(3), names[rng.Intn(5)], expr(2))
		default:
			fmt.Fprintf(&b, "%s = %s;\n", names[rng.Intn(5)], expr(2))
		}
	}
	fmt.Fprintf(&b, "if (!(%s)) reach_error();\nreturn 0; }\n", expr(2))
	return b.String()
}

// sanitizedAll is the programs of smallC one after the other, each on all inputs in a process of
// its own under gcc's sanitizer: a line for each program, with a letter for each input.
func sanitizedAll(programs []string) string {
	var b, all strings.Builder
	b.WriteString(`
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
static int given;
static unsigned char byte(void) { unsigned char v = given & 3; given >>= 2; return v; }
static void reach_error(void) { _exit(77); }
`)
	for k, text := range programs {
		for _, name := range []string{"arr", "p", "add", "main"} {
			fmt.Fprintf(&b, "#undef %s\n#define %s %s_%d\n", name, name, name, k)
		}
		b.WriteString(text)
		fmt.Fprintf(&all, "main_%d, ", k)
	}
	fmt.Fprintf(&b, `
#undef main
static int (*all[])(void) = { %s };
int main(void) {
	for (int k = 0; k < sizeof all / sizeof *all; k++) {
		for (int i = 0; i < 64; i++) {
			int status;
			fflush(stdout);
			if (!fork()) {
				given = i;
				all[k]();
				_exit(0);
			}
			wait(&status);
			putchar(!WIFEXITED(status) ? '!' : WEXITSTATUS(status) == 77 ? 'F' : WEXITSTATUS(status) ? '?' : '.');
		}
		putchar('\n');
	}
	return 0;
}
`, all.String())
	return b.String()
}

// TestReachCExhaustive: what is decided of random small programs is what running them on
// all inputs says, by gcc with its sanitizers and by the front end's machine.
func TestReachCExhaustive(t *testing.T) {
	counts := map[report.Verdict]int{}
	cases, batch := max(soak.Long(10), 5), 100
	for first := 0; first < cases; first += batch {
		var programs []string
		for seed := first; seed < min(cases, first+batch); seed++ {
			programs = append(programs, smallC(rand.New(rand.NewSource(int64(seed)))))
		}
		lines, err := gcc.Lines(context.Background(), t.TempDir(), sanitizedAll(programs), 64, "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
		if errors.Is(err, gcc.ErrMissing) {
			t.Log("SKIPPED, beside the machine: ", err)
		} else if err != nil {
			t.Fatal(err)
		}
		for i, text := range programs {
			e := encodeC(t, text)
			fails := failsSomewhere(t, e)
			if err == nil {
				if strings.Trim(lines[i], "F.") != "" || fails != strings.Contains(lines[i], "F") {
					t.Fatalf("seed %d: the machine says fails=%v, gcc %s\n%s", first+i, fails, lines[i], text)
				}
			}
			counts[decidedAs(t, e, int64(first+i), fails, text)]++
		}
	}
	t.Log(counts)
	if cases >= 10 && counts[report.Holds] == 0 || counts[report.Violated] == 0 {
		t.Errorf("verdicts %v: both are to occur", counts)
	}
}

// decidedAs asks whether a program fails, with some passes only, and stops where the answer is
// not what its runs say. What takes longer than a few seconds counts as unknown.
func decidedAs(t *testing.T, e *encode.Encoding, seed int64, fails bool, text string) report.Verdict {
	t.Helper()
	how := safety.Integers(seed % 3)
	var without []passes.Pass
	for _, p := range passes.Default() {
		if rand.New(rand.NewSource(seed*16+int64(p))).Intn(3) == 0 {
			without = append(without, p)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	got, _, _ := reachOf(ctx, t, e, Common, how, without...)
	if got == report.Violated && !fails || got == report.Holds && fails && how != safety.MathIntegers {
		t.Fatalf("seed %d, --integers=%v, without %v: %s, but running it says fails=%v\n%s", seed, how, without, got, fails, text)
	}
	return got
}
