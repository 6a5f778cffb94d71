package product_test

import (
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

func network(t testing.TB, build func(b *lks.Builder)) *lks.Network {
	t.Helper()
	b := lks.NewBuilder("M")
	build(b)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}

func formulaOf(t testing.TB, net *lks.Network, text string) *ltl.Formula {
	t.Helper()
	f, err := ltl.Parse(source.NewFile("<test>", text), ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// searches are all ways to look for an accepting run.
func searches() []product.Emptiness {
	var all []product.Emptiness
	for i := range product.AutoSearch.Names()[1:] {
		all = append(all, product.Emptiness(i+1))
	}
	return all
}
