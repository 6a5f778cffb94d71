package fairchoice_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
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

// endsOnce reports whether a run that ends repeats its last state once only, as
// its loop: what comes before is shown, and nothing happens in it.
func endsOnce(l *run.Run) bool {
	stutters := func(s run.Step) bool { return s.Rule == run.Stutter }
	return !slices.ContainsFunc(l.Stem, stutters) && (len(l.Loop) == 1 || !slices.ContainsFunc(l.Loop, stutters))
}

func prefixText(p *product.BadPrefix) string {
	if p == nil {
		return ""
	}
	var events []string
	for _, s := range p.Run.Stem {
		events = append(events, s.Event)
	}
	return strings.Join(events, " ") + " " + p.Why.String()
}
