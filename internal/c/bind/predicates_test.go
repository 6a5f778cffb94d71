package bind_test

import (
	"strings"
	"testing"
)

// TestPredicates: predicates of a specification are over the component's own variables, and
// one about what it has no variable for is a warning.
func TestPredicates(t *testing.T) {
	const text = `int g; struct s { int n; }; int f(int);
		int p(int x, struct s *q) { int y = f(x), unused = 3; if (y > x) g = 1; else g = 2; if (g == 1) return y; return q->n; }`
	const spec = "F = (f -> return {$0 > 0} -> STOP).\nS = (f -> return {$0 > 0} -> STOP).\ncproc f { abstract {a, 1, F}; }\n" +
		"cproc p { predicate (y > x), g == 1; predicate ($1 < 5); predicate (unused == 3), (q->n > 2); }\ncprog c = p { abstract s, {1, 1}, S; }"
	q, err := bound(t, text, strings.Replace(spec, "{1, 1}", "{1}", 1), "", "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string // a predicate may be about the object that a parameter points to
	for _, f := range q.Components[0].Predicates {
		got = append(got, f.String())
	}
	want := []string{"bvslt(p.x, p.y)", "g == 1bv32", "bvslt(p.x, 5bv32)", "bvslt(2bv32, (*q).n)"}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("predicates %q, want %q", got, want)
	}
	left := 0
	for _, w := range q.Warnings {
		if strings.Contains(w.Message, "is not tracked") {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d predicates left out: %v", left, q.Warnings)
	}
	if _, err := bound(t, text, strings.Replace(strings.Replace(spec, "{1, 1}", "{1}", 1), "y > x", "yy > x", 1), "", ""); err == nil {
		t.Error("a predicate about nothing")
	}
}
