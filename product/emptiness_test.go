package product_test

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
)

// TestSearches: the constants are names of the table of searches, and nothing else is one.
func TestSearches(t *testing.T) {
	names := product.AutoSearch.Names()
	for e, name := range map[product.Emptiness]string{product.AutoSearch: "auto", product.NestedDFS: "ndfs", product.Components: "scc"} {
		if e.String() != name || !slices.Contains(names, name) {
			t.Errorf("%v, not %s; all are %v", e, name, names)
		}
	}
	slices.Sort(names)
	if all := searches(); len(all) < 2 || len(slices.Compact(names)) != len(all)+1 {
		t.Error(names, all)
	}
	if product.AutoSearch.OneWorker() || product.NestedDFS.OneWorker() || !product.Components.OneWorker() {
		t.Error("only the search by components has one worker")
	}
	net := network(t, func(b *lks.Builder) { b.Transition(b.State(), "a", 0) })
	for _, e := range []product.Emptiness{-1, product.Emptiness(len(searches()) + 1)} {
		if r, err := product.Verify(context.Background(), net, formulaOf(t, net, "G F a"), product.Options{Search: product.Search{Emptiness: e}}); err == nil {
			t.Errorf("%v is no search, and says %v", e, r.Verdict)
		}
	}
}
