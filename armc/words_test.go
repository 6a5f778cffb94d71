package armc_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

// TestWords: systems over bit-vectors, with what each refinement needs.
func TestWords(t *testing.T) {
	pool := thePool(t)
	even := `var x: bv8; locations a, b; init a when x == 0bv8;
		a -> a do x := bvadd(x, 2bv8); a -> b when x == 255bv8; error b;`
	average := load(t, "average.gcl")
	for _, c := range []struct {
		name   string
		sys    *program.System
		o      Options
		want   Verdict
		rounds int // at most
	}{
		// Spacer finds that x stays even; weakest preconditions list all odd numbers.
		{"even", parseText(t, even), Options{Method: Forward}, Safe, 2},
		{"even", parseText(t, strings.NewReplacer("255bv8", "15bv4", "bv8", "bv4").Replace(even)), Options{Method: Forward, Refine: predabs.UnsatCore}, Unknown, 0},
		{"odd", parseText(t, strings.Replace(even, "2bv8", "85bv8", 1)), Options{Method: Forward}, Unsafe, 5},
		{"average", average, Options{Method: Forward, Refine: predabs.UnsatCore}, Safe, 3},
		{"average", average, Options{Method: Backward, Abstraction: A2}, Safe, 3},
		{"signed", parseText(t, `var x: bv8; locations a, b; init a when bvslt(x, 0bv8); a -> a do x := bvashr(x, 1bv8); a -> b when bvsle(0bv8, x); error b;`), Options{}, Safe, 9},
	} {
		c.o.MaxQueries = 3000
		if c.want == Unknown {
			c.o.Rounds = 3
		}
		r, err := Check(ctx, c.sys, pool, c.o)
		if err != nil || r.Verdict != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.name, r, err, c.want)
			continue
		}
		if c.want != Unknown && r.Stats.Refinements > c.rounds {
			t.Errorf("%s: R = %d", c.name, r.Stats.Refinements)
		}
		if c.want == Safe {
			// The certificate can be written and read again.
			var b bytes.Buffer
			if err := r.Certificate.Write(&b, c.sys); err != nil {
				t.Fatal(err)
			}
			back, err := ReadCertificate(&b, c.sys)
			if err != nil {
				t.Fatal(err)
			}
			for l, f := range back.Invariant {
				if f != r.Certificate.Invariant[l] {
					t.Errorf("%s: %s is read as %s", c.name, r.Certificate.Invariant[l], f)
				}
			}
		}
	}
}

// TestWordsAgainstExplicitSearch: every verdict on random systems over words is
// that of explicit search.
func TestWordsAgainstExplicitSearch(t *testing.T) {
	needZ3(t)
	pool := smt.Z3Pool(1, smt.Options{RLimit: 5_000_000})
	defer pool.Close()
	ways := []Options{{Method: Forward}, {Method: Forward, Refine: predabs.UnsatCore}, {Method: Forward, Refine: predabs.Greatest, Abstraction: Boolean},
		{Method: Forward, Refine: predabs.Least}, {Method: Backward, Abstraction: A2}, {Method: Backward, Abstraction: A3, AbstractOnly: true}, {Method: Forward, Refine: predabs.UnsatCore, Minimize: true},
		{Method: Values}, {Method: Values, Blocks: Small}}
	count := map[Verdict]int{}
	for seed := range soak.Long(uint64(105)) {
		sys := gen.NewWordSystem(rand.New(rand.NewPCG(seed, 43)))
		want := Safe
		if naive.Unsafe(sys, 0) {
			want = Unsafe
		}
		o := ways[int(seed)%len(ways)]
		o.NoFacts = seed%2 == 0
		o.Rounds, o.MaxQueries = 12, 1500
		r, err := Check(ctx, sys, pool, o)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if count[r.Verdict]++; r.Verdict != Unknown && r.Verdict != want {
			t.Fatalf("seed %d, %+v: %s, want %s", seed, o, r.Verdict, want)
		}
	}
	t.Logf("verdicts: %v", count)
	if count[Safe] < soak.Long(20) || count[Unsafe] < soak.Long(20) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}

// TestStuck: Method I gives up where pre has no more predicates to offer.
func TestStuck(t *testing.T) {
	sys := parseText(t, `var x, m: bv8; input n: bv8; locations a, b, c; init a;
		a -> b do x := bvand(n, m); b -> c when !bvule(x, m); error c;`)
	r, err := Check(ctx, sys, thePool(t), Options{Method: Backward, Abstraction: A2})
	if err != nil || r.Verdict != Unknown || !strings.Contains(fmt.Sprint(r.Reason), "learns nothing new") {
		t.Errorf("%+v, %v", r, err)
	}
}
