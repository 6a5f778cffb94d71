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
	"github.com/seltl/seltl/program/reader"

	. "github.com/seltl/seltl/armc"
)

// TestEncodings: on systems of branches that meet again, every encoding gives the verdict
// of explicit search; runs are replayed on the edges, invariants of locations inside
// blocks pass the checker.
func TestEncodings(t *testing.T) {
	pool := thePool(t)
	ways := []Options{{}, {Method: Forward}, {Method: Forward, Refine: predabs.UnsatCore}, {Method: Bounded}, {Method: Spacer},
		{Method: Forward, Abstraction: Boolean, Refine: predabs.Farkas}, {Method: Backward, Abstraction: A2}, {Method: Forward, Refine: predabs.Greatest}, {Method: Values}}
	count := map[Encoding]map[Verdict]int{}
	n := soak.Long(uint64(20))
	for seed := range n {
		sys := gen.NewBranchingSystem(rand.New(rand.NewPCG(seed, 44)))
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		for i := range AutoBlocks.Names() {
			for j, o := range ways {
				if j > 0 && (int(seed)+i+j)%4 != 0 && !soak.On() {
					continue
				}
				o.Blocks, o.NoFacts, o.Rounds, o.MaxQueries = Encoding(i), (int(seed)+i)%3 > 0, 15, 3000
				r, err := Check(ctx, sys, pool, o)
				if err != nil || r.Verdict != Unknown && r.Verdict != want {
					t.Fatalf("seed %d, %+v: %+v, %v, want %s", seed, o, r, err, want)
				}
				if r.Verdict == Unsafe {
					if err := r.Trace.Replay(sys); err != nil {
						t.Fatalf("seed %d, %+v: %v", seed, o, err)
					}
				}
				if r.Verdict == Unknown && j == 0 {
					t.Errorf("seed %d, %s: auto: unknown: %s", seed, o.Blocks, r.Reason)
				}
				if count[o.Blocks] == nil {
					count[o.Blocks] = map[Verdict]int{}
				}
				count[o.Blocks][r.Verdict]++
			}
		}
	}
	t.Logf("verdicts: %v", count)
	if c := count[Large]; n >= 20 && (c[Safe] < 10 || c[Unsafe] < 10) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}

// TestManyBranches: branches after one another are proved in few rounds without facts, and
// their certificate, which speaks of every location, is short and is read back.
func TestManyBranches(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 24
	}
	texts := map[string]*strings.Builder{"compared": {}, "chosen": {}}
	for name, b := range texts {
		b.WriteString("var x, y: int; input c: int; locations l0")
		for i := range n {
			fmt.Fprintf(b, ", l%d", i+1)
		}
		b.WriteString("; init l0 when x == 0;\n")
		condition := map[string]string{"compared": "y", "chosen": "c"}[name]
		for i := range n {
			fmt.Fprintf(b, "l%d -> l%d when %s > %d do x := x + 1; l%d -> l%d when %s <= %d;\n", i, i+1, condition, i, i, i+1, condition, i)
		}
		fmt.Fprintf(b, "assert l%d: 0 <= x && x <= %d;", n, n)
	}
	pool := thePool(t)
	for name, b := range texts {
		sys, err := reader.ParseText("a.gcl", b.String())
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(ctx, sys, pool, Options{Method: Forward, NoFacts: true})
		if err != nil || r.Verdict != Safe || r.Stats.Refinements > 5 {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		var out bytes.Buffer
		if err := r.Certificate.Write(&out, sys); err != nil || out.Len() > 1000*n {
			t.Errorf("%s: %d bytes, %v", name, out.Len(), err)
		}
		again, err := ReadCertificate(&out, sys)
		if err != nil {
			t.Fatal(err)
		}
		s, err := pool.Acquire(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckCertificate(ctx, sys, again, s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		pool.Release(s)
	}
}

// TestNeverMet: large blocks leave out locations that no path from an initial one comes to.
// The invariant holds there nevertheless, also of a method that begins at the errors.
func TestNeverMet(t *testing.T) {
	pool := thePool(t)
	sys := parseText(t, `var z: int; locations a, b, c, e; init a when z == 7; error e; a -> a when z > 8; b -> b when z == 5 do z := z + 1; c -> b; b -> e when z >= 0;`)
	for i := range AutoBlocks.Names() {
		for _, o := range []Options{{Method: Backward}, {Method: Backward, AbstractOnly: true}, {Method: Forward}, {Method: Induction}, {Method: Spacer}, {Method: Values}} {
			o.Blocks, o.NoFacts, o.Rounds = Encoding(i), true, 10
			r, err := Check(ctx, sys, pool, o)
			if err != nil || r.Verdict != Safe {
				t.Errorf("%s, %s: %+v, %v", o.Method, o.Blocks, r, err)
			}
		}
	}
}
