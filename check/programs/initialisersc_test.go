package programs

import (
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// TestConstantInitialisers: numbers that addresses make are constants of initialisers.
func TestConstantInitialisers(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	const head = "#include <stddef.h>\nvoid reach_error(void); struct s { char c; int a; short b[3]; } v; int a[5];\n"
	for text, want := range map[string]report.Verdict{
		"ptrdiff_t d = &a[3] - &a[1], e = &a[1] - a, f = (char *)&v.b[1] - (char *)&v, g = &a[1] - &a[3]; int main(void) { if (d != 2 || e != 1 || f != 10 || g != -2) reach_error(); return 0; }":          report.Holds,
		"unsigned char k = offsetof(struct s, b) + 250; int x[] = {offsetof(struct s, a), -(int)offsetof(struct s, a)}; int main(void) { if (k != 2 || x[0] != 4 || x[1] != -4) reach_error(); return 0; }": report.Holds,
		"struct { const char *n; size_t o; } tab[] = {{\"a\", offsetof(struct s, a)}, {\"b\", offsetof(struct s, b[1])}}; int main(void) { if (tab[1].o != 10) reach_error(); return 0; }":                  report.Holds,
		"size_t o = offsetof(struct s, b[2]); int main(void) { static size_t p = offsetof(struct s, b); if (o - p == 4) reach_error(); return 0; }":                                                         report.Violated,
	} {
		for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
			if verdict, why := reachTextWith(t, pool, head+text, cfront.Options{Model: model}); verdict != want {
				t.Errorf("%s: %s, not %s (%s)", text, verdict, want, why)
			}
		}
	}
}
