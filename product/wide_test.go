package product_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
)

// manyActions is P = (a.1 -> P | ... | a.n -> P).
func manyActions(t testing.TB, n int) *lks.Network {
	return network(t, func(b *lks.Builder) {
		s := b.State()
		for i := range n {
			b.Transition(s, fmt.Sprintf("a.%d", i+1), s)
		}
	})
}

// manyCycles is P = (a.i -> b.i -> P) for all i up to n, beside an independent
// component that does the like for 1.
func manyCycles(t testing.TB, n int) *lks.Network {
	part := func(n int, a, b string) *lks.Network {
		return network(t, func(m *lks.Builder) {
			s := m.State()
			for i := range n {
				mid := m.State()
				m.Transition(s, fmt.Sprint(a, ".", i+1), mid)
				m.Transition(mid, fmt.Sprint(b, ".", i+1), s)
			}
		})
	}
	net, err := lks.Compose("M", part(n, "a", "b"), part(1, "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// TestManyActions has alphabets so large that anything quadratic in them does not
// come to an end.
func TestManyActions(t *testing.T) {
	flat, cycles := manyActions(t, soak.Size(200_000)), manyCycles(t, soak.Size(2000))
	for _, c := range []struct {
		net  *lks.Network
		f    string
		want product.Verdict
	}{
		{flat, "G tau", product.Violated},
		{flat, "G F a.1", product.Violated},
		{flat, "G !tau", product.Holds},
		{flat, "G(a.3 -> !a.2)", product.Holds},
		{cycles, "G(a.3 -> F b.3)", product.Violated},
		{cycles, "a.7 -> G !b.1", product.Violated},
		{cycles, "G(b.1 -> !d.1)", product.Holds},
	} {
		r, err := product.Verify(context.Background(), c.net, formulaOf(t, c.net, c.f), product.Options{Search: product.Search{Workers: 1}, Reductions: product.Reductions{Reduce: product.NoReduce}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %v, want %v", c.f, r.Verdict, c.want)
		}
	}
}

// BenchmarkManyActions shows how the time grows with the alphabet.
func BenchmarkManyActions(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		net := manyActions(b, n)
		for _, f := range []string{"G tau", "G F a.1"} {
			b.Run(fmt.Sprint(f, "/", n), func(b *testing.B) {
				for b.Loop() {
					if _, err := product.Verify(context.Background(), net, formulaOf(b, net, f), product.Options{Search: product.Search{Workers: 1}, Reductions: product.Reductions{Reduce: product.NoReduce}}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
