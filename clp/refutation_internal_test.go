package clp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// chains draws clauses with a loop, and relations without recursion before and behind it, which z3 replaces by
// their clauses. Whether there is a derivation is counted: reached says so.
func chains(r *rand.Rand) (text string, reached bool) {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n(declare-fun loop (Int Int) Bool)\n")
	before, behind := 1+r.IntN(4), 1+r.IntN(4)
	for i := range before {
		fmt.Fprintf(&b, "(declare-fun a%d (Int) Bool)\n", i)
	}
	for i := range behind {
		fmt.Fprintf(&b, "(declare-fun b%d (Int Int) Bool)\n", i)
	}
	first := r.IntN(3)
	fmt.Fprintf(&b, "(assert (forall ((x Int)) (=> (= x %d) (a0 x))))\n", first)
	sums := map[int]bool{first: true}
	for i := 1; i < before; i++ {
		next := map[int]bool{}
		for range 1 + r.IntN(2) {
			d := r.IntN(4)
			fmt.Fprintf(&b, "(assert (forall ((x Int) (y Int)) (=> (and (a%d x) (= y (+ x %d))) (a%d y))))\n", i-1, d, i)
			for s := range sums {
				next[s+d] = true
			}
		}
		sums = next
	}
	step, most := 1+r.IntN(3), 3+r.IntN(6)
	fmt.Fprintf(&b, "(assert (forall ((x Int)) (=> (a%d x) (loop x 0))))\n", before-1)
	fmt.Fprintf(&b, "(assert (forall ((x Int) (n Int)) (=> (and (loop x n) (< n %d)) (loop (+ x %d) (+ n 1)))))\n", most, step)
	fmt.Fprintf(&b, "(assert (forall ((x Int) (n Int)) (=> (loop x n) (b0 x n))))\n")
	for i := 1; i < behind; i++ {
		fmt.Fprintf(&b, "(assert (forall ((x Int) (n Int) (k Int)) (=> (and (b%d x n) (a%d k)) (b%d (+ x k) n))))\n", i-1, 0, i)
	}
	want := r.IntN(30)
	fmt.Fprintf(&b, "(assert (forall ((x Int) (n Int)) (=> (and (b%d x n) (= x %d)) false)))\n", behind-1, want)
	for s := range sums {
		for n := 0; n <= most; n++ {
			reached = reached || s+n*step+(behind-1)*first == want
		}
	}
	return b.String(), reached
}

// TestDerivationOf: what z3 refutes after it has replaced relations by their clauses is a derivation by all clauses.
func TestDerivationOf(t *testing.T) {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	ctx := context.Background()
	derived, gaps, solved := 0, 0, 0
	for seed := range soak.Cases(uint64(120)) {
		text, reached := chains(rand.New(rand.NewPCG(seed, 44)))
		p, err := horn.ParseText("chains", text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := z.Transformed(ctx, p, 5_000_000)
		switch {
		case err != nil:
			t.Fatal(err)
		case a.Status == smt.Sat && !reached:
			solved++
			continue
		case a.Status != smt.Unsat || !reached:
			t.Fatalf("seed %d: %s (%s), reached %v\n%s", seed, a.Status, a.Reason, reached, text)
		}
		d, err := derivationOf(ctx, p, a.Refutation, z)
		if err != nil || d == nil {
			t.Fatalf("seed %d: no derivation, %v\n%s", seed, err, text)
		}
		if err := d.Replay(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		derived++
		if len(d.Nodes) > len(a.Refutation) {
			gaps++
		}
		for i := range a.Refutation { // a fact that does not follow
			if wrong := append(horn.Refutation{}, a.Refutation...); len(wrong[i].Args) > 0 && len(wrong[i].From) == 0 {
				wrong[i].Args = append(wrong[i].Args[:0:0], wrong[i].Args...)
				wrong[i].Args[0] = logic.IntValue(-1000)
				if d, err := derivationOf(ctx, p, wrong, z); err != nil || d != nil && d.Replay(p) != nil {
					t.Fatalf("seed %d: a fact that does not follow: %v, %v", seed, d, err)
				}
			}
		}
	}
	if n := soak.Cases(10); derived < n || gaps < derived/2 || solved < n {
		t.Errorf("%d derivations, %d with relations that were replaced, %d solutions", derived, gaps, solved)
	}
}

// counted draws the clauses of a program with a counter, all of one predicate, and whether its error is reached.
func counted(r *rand.Rand) (text string, reached bool) {
	type edge struct{ from, to, add, most int }
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n(declare-fun t (Int Int Bool) Bool)\n(assert (forall ((p Int) (x Int) (b Bool)) (=> (and (= p 0) (= x 0) (not b)) (t p x b))))\n")
	last := 3 + r.IntN(12)
	var edges []edge
	for p := range last {
		edges = append(edges, edge{p, p + 1, r.IntN(4), 100})
		if r.IntN(3) == 0 {
			edges = append(edges, edge{p, 1 + r.IntN(last), 1 + r.IntN(3), 5 + r.IntN(10)})
		}
	}
	for _, e := range edges {
		fmt.Fprintf(&b, "(assert (forall ((p Int) (q Int) (x Int) (b Bool)) (=> (and (t p x b) (= p %d) (<= x %d) (= q %d)) (t q (+ x %d) b))))\n", e.from, e.most, e.to, e.add)
	}
	const most = 60
	seen, todo := map[[2]int]bool{{0, 0}: true}, [][2]int{{0, 0}}
	var sums []int
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		if s[0] == last {
			sums = append(sums, s[1])
		}
		for _, e := range edges {
			if next := [2]int{e.to, s[1] + e.add}; e.from == s[0] && s[1] <= e.most && next[1] <= most && !seen[next] {
				seen[next], todo = true, append(todo, next)
			}
		}
	}
	want := r.IntN(most)
	if r.IntN(4) > 0 && len(sums) > 0 {
		want = sums[r.IntN(len(sums))]
	}
	fmt.Fprintf(&b, "(assert (forall ((p Int) (x Int) (b Bool)) (=> (and (t p x b) (= p %d) (= x %d)) false)))\n", last, want)
	return b.String(), slices.Contains(sums, want)
}

// TestDerivationCounted: what z3 refutes after it has replaced the calls of a predicate whose constants tell clauses apart is a
// derivation, mostly.
func TestDerivationCounted(t *testing.T) {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	ctx, derived, gaps, missed := context.Background(), 0, 0, 0
	for seed := range soak.Cases(uint64(40)) {
		text, reached := counted(rand.New(rand.NewPCG(seed, 4443)))
		p, err := horn.ParseText("counted", text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := z.Transformed(ctx, p, 5_000_000)
		if err != nil || a.Status == smt.Unsat && !reached || a.Status == smt.Sat && reached {
			t.Fatalf("seed %d: %s, %v; reached %v\n%s", seed, a.Status, err, reached, text)
		}
		if a.Status != smt.Unsat {
			continue
		}
		d, err := derivationOf(ctx, p, a.Refutation, z)
		switch {
		case err != nil:
			t.Fatal(err)
		case d == nil:
			missed++
			continue
		}
		if err := d.Replay(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if derived++; len(d.Nodes) > len(a.Refutation) {
			gaps++
		}
	}
	t.Logf("%d derivations, %d of them with calls that were replaced, %d not found", derived, gaps, missed)
	if derived < 4*missed || gaps < derived/2 {
		t.Error("too few were found")
	}
}
