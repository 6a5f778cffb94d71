package machine

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// harnessed runs a program by the machine with random choices, then what the harness of
// that run does when gcc has compiled it; ok is false where gcc has no libraries for the
// data model.
func harnessed(t *testing.T, text string, model ir.DataModel, choose func(c *Choice) (uint64, error)) (ran, compiled string, ok bool) {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{Model: model})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	r := &Recording{}
	m := &Machine{Program: p, MaxSteps: 1_000_000, MaxDepth: 100, Regions: true, Choose: choose, Record: r}
	out, err := m.Run(p.Func("main"), nil)
	if err != nil {
		t.Fatal(err)
	}
	switch out.Ending {
	case Failed:
		ran = fmt.Sprintf("1 %s: %s", Where(out.Span), out.What)
	case Returned:
		ran = fmt.Sprintf("0 the result is %d; the run ends without the failure", int64(out.Value))
	case Stopped:
		ran = fmt.Sprintf("0 %s: %s", Where(out.Span), out.What)
	case Refused:
		ran = "0 " + out.What
	default:
		return "", "", true
	}
	var b strings.Builder
	if err := r.WriteHarness(&b); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	exe, err := gcc.Build(t.TempDir(), b.String(), map[ir.DataModel]int{ir.LP64: 64, ir.ILP32: 32}[model], "-O1")
	if errors.Is(err, gcc.ErrMissing) {
		return "", "", false
	}
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, b.String())
	}
	status, _, said, err := gcc.Run(context.Background(), exe)
	if err != nil {
		t.Fatal(err)
	}
	compiled = fmt.Sprintf("%d %s", status, strings.ReplaceAll(strings.TrimSpace(said), "\n", "; "))
	if ran != compiled {
		t.Logf("%s\n%s", text, b.String())
	}
	return ran, compiled, true
}

// anything are random choices, small as often as not.
func anything(rng *rand.Rand) func(*Choice) (uint64, error) {
	return func(c *Choice) (uint64, error) {
		if c.Type.Kind == ir.Pointer {
			return uint64(rng.Intn(3)) * 0x1020, nil
		}
		return rng.Uint64() >> rng.Intn(64), nil
	}
}

// hashing gives gen's programs a result that all they hand out matters for.
const hashing = "unsigned long long hash;\nvoid out(unsigned long long x) { hash = hash * 31 + x; }\n"

// TestHarnessRandom: the harness of a run, compiled by gcc, ends as the run did, at the
// same line and with the same result.
func TestHarnessRandom(t *testing.T) {
	endings := map[byte]int{}
	for seed := range soak.Long(20) {
		model := ir.DataModel(seed % 2)
		rng := rand.New(rand.NewSource(int64(seed)))
		text := ""
		if seed%3 == 0 {
			text = hashing + gen.CProgram(rng, "p_") + "int main(void) { p_main(); return (int)(hash ^ hash >> 32); }\n"
		} else {
			text = strings.Replace(gen.CModel(rng), "extern void out(unsigned long long);", hashing, 1)
		}
		ran, compiled, ok := harnessed(t, text, model, anything(rng))
		if !ok {
			t.Skip("SKIPPED: ", gcc.ErrMissing)
		}
		if ran != compiled {
			t.Fatalf("seed %d: the run ends with %s, the harness with %s", seed, ran, compiled)
		}
		if ran != "" {
			endings[ran[0]]++
		}
	}
	t.Log(endings)
	if !testing.Short() && (endings['0'] == 0 || endings['1'] == 0) {
		t.Error("runs that fail and runs that do not are to occur")
	}
}

// TestHarness: what a run is given reaches the compiled program: one construct each.
func TestHarness(t *testing.T) {
	for i, body := range []string{
		"int x; out(x); if ((x & 1) == (any() & 1)) reach_error();",
		"int a[3]; a[1] = 5; if (a[2] != 0 && a[0] != a[2] && a[1] == 5) reach_error();",
		"for (int i = 0; i < 3; i++) { int y; out(y); struct s z; out(z.b); out(z.c); } reach_error();",
		"struct s x, y; y = x; x.a = 1; out(y.b); out(y.c); out(x.a); if (y.b != 12345) reach_error();",
		"struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->a = 1; out(p->b); out(q->a); out(q->b); free(p); reach_error();",
		"int *p = calloc(3, sizeof(int)); if (p[2] == 0) reach_error();",
		"out(ext); out(ext); exts.a = 7; out(exts.b); out(exts.a); reach_error();",
		"struct s *p = node(); if (p && p->b == p->b) { p->b = 3; struct s *q = p->next; if (q && q != p) { out(q->b); out(q->a); q->b = p->b + q->a; } out(p->b); reach_error(); }",
		"struct s *p; if (p) { p->a = 4; out(p->b); if (p->a == 4) reach_error(); }",
		"struct s x = sany(); out(x.a); out(x.b); if (x.a != x.b) reach_error();",
		"int r = nothing(any()); out(r); out(nothing(1)); reach_error();",
		"int (*f)(int) = any() & 1 ? inc : dec; out(f(5)); int (*g)(int); if (g) out(g(3)); reach_error();",
		"memset(&big, 3, sizeof big); struct s b2; memcpy(&b2, &big, sizeof b2); out(b2.a); out(b2.c); if (b2.b == 0x03030303) reach_error();",
		"out(rec(5)); struct bits b; out(b.x); b.y = 3; out(b.y); b.z = 1; out(b.z); out(b.x); reach_error();",
		"int x; ((char *)&x)[1] = 3; out(x); int y = x; out(((unsigned char *)&y)[2]); reach_error();",
		"_Bool b; out(b); unsigned char c = any(); out(c << 3); long long l = any(); out(l * l - (l >> 3) / 7 % 11); reach_error();",
		"__VERIFIER_assume(any() == 77); reach_error();",
		"if (any() & 1) exit(3); int when = 2, calloc_ = 3, seltl_event = 4; out(when + calloc_ + seltl_event); reach_error();",
		"double d = 1.5; fl(d); d = fr(); struct fs { double d; int i; } s = {1.0, 3}, s2 = s; out(s2.i); reach_error();",
	} {
		if soak.Skip(i) {
			continue // each is compiled
		}
		text := `struct s { int a, b; unsigned char c; struct s *next; }; struct bits { int x : 5; unsigned y : 9; int z : 3; };
extern int any(void); extern void reach_error(void); extern void *malloc(__SIZE_TYPE__), *calloc(__SIZE_TYPE__, __SIZE_TYPE__); extern void free(void *), exit(int);
extern void *memset(void *, int, __SIZE_TYPE__), *memcpy(void *, const void *, __SIZE_TYPE__); extern struct s *node(void), sany(void); extern double fr(void); extern void __VERIFIER_assume(int);
extern int ext; extern struct s exts; struct s big; int dprintf, main_;
` + hashing + `int inc(int x) { return x + 1; } int dec(int x) { return x - 1; } int nothing(int x) { if (x) { int y; return y; } } void fl(double d) { out(9); }
int rec(int n) { int a[2]; a[0] = n; if (n > 0) a[0] += rec(n - 1); return a[0] + a[1]; }
int main(void) { ` + body + " return (int)(hash ^ hash >> 32); }"
		reached := false
		for seed := range int64(8) {
			rng := rand.New(rand.NewSource(seed))
			choose := anything(rng)
			ran, compiled, ok := harnessed(t, text, ir.DataModel(seed%2), func(c *Choice) (uint64, error) {
				if c.Call != nil && seed%4 == 3 {
					return 77, nil
				}
				return choose(c)
			})
			if !ok {
				t.Skip("SKIPPED: ", gcc.ErrMissing)
			}
			if ran != compiled {
				t.Fatalf("%s\nseed %d: the run ends with %s, the harness with %s", body, seed, ran, compiled)
			}
			if reached = reached || strings.HasPrefix(ran, "1"); reached && (testing.Short() || seed >= 1) {
				break
			}
		}
		if !reached {
			t.Errorf("%s\nthe failure is never reached", body)
		}
	}
}
