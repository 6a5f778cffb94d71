package programs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// reachesFailure compiles the harness of a verdict, and wants it to fail where the report
// says so.
func reachesFailure(t *testing.T, model ir.DataModel, r *report.Report, res *CResult) {
	t.Helper()
	if r.Results[0].Verdict != report.Violated || res.Run == nil {
		t.Fatalf("%s (%s), want a failure", r.Results[0].Verdict, r.Results[0].Reason)
	}
	var b strings.Builder
	if err := res.Run.WriteHarness(&b); err != nil {
		t.Fatal(err)
	}
	exe, err := gcc.Build(t.TempDir(), b.String(), int(model.PointerSize())*8, append(gen.FloatFlags(int(model.PointerSize())*8), "-DSELTL_FAILED=77")...)
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	status, _, said, err := gcc.Run(context.Background(), exe)
	if err != nil || status != 77 || !strings.HasPrefix(r.Results[0].Note, strings.TrimSpace(said)) {
		t.Errorf("the harness ends with status %d, %v, and says %q; the report says %q\n%s", status, err, said, r.Results[0].Note, b.String())
	}
}

// TestHarness: what fails, fails as well when gcc has compiled it.
func TestHarness(t *testing.T) {
	pool := Common
	for i, body := range []string{
		"int z = 1; while (any()) z = 2 * z; if (z < 1) reach_error();",
		"int i = any(); if (i > 0 && i + 2 < 0) reach_error();",
		"unsigned u = any(); if (u + 1 < u) reach_error();",
		"int *p = get(); *p = 1; reach_error();",
		"int *p; *p = 1; reach_error();",
		"void (*f)(void); f(); reach_error();",
		"int a[2]; if (any() == 3) reach_error(); a[any()] = 1;",
		"int g = 0, *p = &g; *p = 1; if (g == 1) reach_error();",
		"int x = any(); if (x > 9) __VERIFIER_assume(0); if (x < 3) reach_error();",
		"int x; if (x == 7) reach_error();",
		"int s = 0; for (int i = 0; i < 3; i++) { int y; s += y; if (any() == 5) s++; } if (s == 12345) reach_error();",
		"struct { int a, b; } x, y; y = x; if (y.b == 9 && y.a == x.b + 1) reach_error();",
		"int *p = malloc(8); if (p[1] == 3 && p[0] < 0) reach_error();",
		"unsigned char c = byte(); if ((signed char)c == -5) reach_error();",
	} {
		if soak.Thin(i) {
			continue
		}
		t.Run(body, func(t *testing.T) {
			e := encodeC(t, "void *malloc(unsigned);\nint main(void) { "+body+" return 0; }")
			r, res, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 3000}})
			if err != nil {
				t.Fatal(err)
			}
			reachesFailure(t, ir.ILP32, r, res)
		})
	}
}

// TestHarnessSpecs: those of the programs in specs/c that say how they fail. A first line
// of a comment is not needed: what FIXED mends fails without it.
func TestHarnessSpecs(t *testing.T) {
	pool := Common
	files, err := filepath.Glob("../../specs/c/*.c")
	if err != nil {
		t.Fatal(err)
	}
	floats, err := filepath.Glob("../../specs/c/floats/*.c")
	if err != nil || len(floats) < 10 {
		t.Fatal(floats, err)
	}
	files = append(files, floats...)
	failing := 0
	for i, file := range files {
		if soak.Thin(i) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(strings.TrimSuffix(file, ".c") + ".spec"); err == nil {
			continue // a component, without main
		}
		mended := strings.Contains(string(text), "ifdef FIXED")
		for _, defines := range [][]string{nil, {"FIXED"}} {
			if !mended && defines != nil {
				continue
			}
			t.Run(fmt.Sprint(file, defines), func(t *testing.T) {
				p, err := LoadC([]string{file}, cfront.Options{Defines: defines}, nil)
				if err != nil {
					t.Fatal(err)
				}
				e, err := encode.Encode(p, "")
				if err != nil {
					t.Fatal(err)
				}
				r, res, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{})
				if err != nil {
					t.Fatal(err)
				}
				PlainAgain(t, p, r)
				if mended && defines == nil {
					failing++
					reachesFailure(t, ir.LP64, r, res)
				} else if r.Results[0].Verdict != report.Holds {
					t.Errorf("%s: %s", r.Results[0].Verdict, r.Results[0].Reason)
				}
			})
		}
	}
	if failing == 0 && !testing.Short() {
		t.Error("no program fails")
	}
}
