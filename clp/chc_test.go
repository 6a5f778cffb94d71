package clp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/program/reader"

	. "github.com/seltl/seltl/clp"
)

// TestSpecSystems: the systems of specs/armc have one verdict, by CAR, by ARMC's methods and
// by Spacer. Those that take a second or more are left to soak runs, all but two to full
// ones. Two systems are apart: pipelines.gcl has unknown functions, which no relation holds
// of (programs.LoadQuery refuses it), and Spacer gives no answer about average.gcl.
func TestSpecSystems(t *testing.T) {
	files, err := filepath.Glob("../specs/armc/*.*")
	if err != nil || len(files) != 23 {
		t.Fatal(files, err)
	}
	fails := []string{"lecture_bug.gcl", "coffee.pl"}
	quick := []string{"lecture.gcl", "bpr.pl"}
	slow := []string{"coffee.pl", "dragon.gcl", "dragon_sums.gcl", "fill.gcl", "futurebus.gcl"}
	pool := common
	for _, file := range files {
		name := filepath.Base(file)
		if testing.Short() && !slices.Contains(quick, name) || slices.Contains(slow, name) && !soak.On() {
			continue
		}
		want := Underivable
		if slices.Contains(fails, name) {
			want = Derivable
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := reader.Parse(source.NewFile(file, string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(sys.Vars, program.Rigid) {
			if name != "pipelines.gcl" {
				t.Errorf("%s has unknown functions", name)
			}
			continue
		}
		for _, m := range []Method{CAR, ARMC, Spacer} {
			if name == "average.gcl" && m == Spacer {
				continue
			}
			res, err := Decide(context.Background(), OfProblem(clauses.Problem(sys)), pool, Options{Method: m})
			if err != nil {
				t.Fatal(name, m, err)
			}
			if res.Verdict != want {
				t.Errorf("%s, %v: %v (%s), want %v", name, m, res.Verdict, res.Reason, want)
			}
		}
	}
}

// TestSharedDerivation: a derivation with more calls than may be told apart is a graph, and
// is replayed as one; so are abstract ones explained that no values make one.
func TestSharedDerivation(t *testing.T) {
	n := 14
	if testing.Short() {
		n = 10
	}
	hanoi := fmt.Sprintf(`var n, c, a, b: int; query Bad;
H(n, c) :- n == 0 && c == 0;
H(n, c) :- H(n - 1, a) && H(n - 1, b) && c == a + b + 1;
Bad() :- H(n, c) && n == %d && c > %d;`, n, 1<<n-100)
	res := decideText(t, hanoi, Options{Method: CAR, Explication: Lazy, Source: Cores})
	if res.Verdict != Derivable || len(res.Derivation.Nodes) > 100 {
		t.Errorf("%v %s", res.Verdict, res.Reason)
	}
}
