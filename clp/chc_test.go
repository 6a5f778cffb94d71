package clp_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/clp"
)

// TestSpecSystems: systems of specs/armc have one verdict, by CAR, by ARMC's methods and by
// Spacer.
func TestSpecSystems(t *testing.T) {
	want := map[string]Verdict{"lecture.gcl": Underivable, "lecture_bug.gcl": Derivable, "coffee.pl": Derivable, "ticket.gcl": Underivable,
		"fill.gcl": Underivable, "illinois.gcl": Underivable, "bpr.pl": Underivable, "bbuffer.gcl": Underivable}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if testing.Short() && name != "lecture.gcl" && name != "lecture_bug.gcl" {
			continue // coffee.pl alone takes a quarter of a minute
		}
		verdict := want[name]
		file := filepath.Join("..", "specs", "armc", name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := reader.Parse(source.NewFile(file, string(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []Method{CAR, ARMC, Spacer} {
			res, err := Decide(context.Background(), OfProblem(clauses.Problem(sys)), pool, Options{Method: m})
			if err != nil {
				t.Fatal(name, m, err)
			}
			if res.Verdict != verdict {
				t.Errorf("%s, %v: %v (%s), want %v", name, m, res.Verdict, res.Reason, verdict)
			}
		}
	}
}

// TestSharedDerivation: a derivation with more calls than may be told apart is a graph, and
// is replayed as one; so are abstract ones explained that no values make one.
func TestSharedDerivation(t *testing.T) {
	const hanoi = `var n, c, a, b: int; query Bad;
H(n, c) :- n == 0 && c == 0;
H(n, c) :- H(n - 1, a) && H(n - 1, b) && c == a + b + 1;
Bad() :- H(n, c) && n == 14 && c > 16000;`
	res := decideText(t, hanoi, Options{Method: CAR, Explication: Lazy, Source: Cores})
	if res.Verdict != Derivable || len(res.Derivation.Nodes) > 100 {
		t.Errorf("%v %s", res.Verdict, res.Reason)
	}
}
