package product_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// regexpTwins are formulas with regular expressions that say what others say.
var regexpTwins = [][2]string{
	{"{p; q}[]-> r", "p -> X(q -> r)"},
	{"G({p; q}[]=> r)", "G(p -> X(q -> X r))"},
	{"G({p; !q[*]; r}[]-> X q)", "G(p -> X(q R (r -> X q)))"},
	{"G(p -> {p; !q[*]; r}!)", "G(p -> X(!q U r))"},
	{"{[*]; p; q}<>-> G r", "F(p & X(q & G r))"},
	{"{p[*]; q}", "p W q"},
	{"!{p; q[*]; r}", "!p | X(!r U (!q & !r))"},
	{"{p[->2]}[]-> q", "!p W (p & X(!p W (p & q)))"},
	{"G(p -> {q : r[+] : p}!)", "G(p -> q & (r U (r & p)))"},
	{"{{[*]; p} && {q[*]}}<>-> r", "q U (q & p & r)"},
	{"G({(p & !q); (q & !p)}[]=> !r)", "G(p & !q -> X(q & !p -> X !r))"},
	{"{first_match([*]; p)}[]-> q", "!p W (p & q)"},
}

// A formula with regular expressions has the verdict of one without that says the same, whatever
// the search, the reductions and the fairness.
func TestRegexps(t *testing.T) {
	count := map[product.Verdict]int{}
	for seed := range soak.Long(uint64(400)) {
		r := rand.New(rand.NewPCG(seed, 70))
		var components []*lks.LKS
		for i := range 1 + r.IntN(3) {
			components = append(components, gen.LKS(gen.Rand(seed+uint64(i)), []string{"x", "y", "z"}[i], lively))
		}
		net := networkOf(t, components)
		atoms := gen.ModelAtoms(components...)
		twin := regexpTwins[r.IntN(len(regexpTwins))]
		by := map[ltl.Atom]*ltl.Formula{}
		for _, name := range []string{"p", "q", "r"} {
			by[ltl.Atom{Kind: ltl.Name, Name: name}] = ltl.AtomOf(atoms[r.IntN(len(atoms))])
		}
		f, g := ltl.Substitute(ltl.MustParse(twin[0]), by), ltl.Substitute(ltl.MustParse(twin[1]), by)
		if r.IntN(2) == 0 {
			f, g = ltl.MakeNot(f), ltl.MakeNot(g)
		}
		opts := product.Options{
			Finite:     product.FiniteRuns(r.IntN(2)),
			Search:     product.Search{Emptiness: []product.Emptiness{product.NestedDFS, product.Components}[r.IntN(2)]},
			Reductions: product.Reductions{Reduce: product.Reduce(r.IntN(4)), Symmetry: r.IntN(4) == 0},
			Shortest:   r.IntN(4) == 0,
		}
		if r.IntN(3) == 0 {
			opts.Fairness = product.Fairness(r.IntN(4))
		}
		got := verify(t, net, f, opts, seed)
		want := verify(t, net, g, product.Options{Finite: opts.Finite, Fairness: opts.Fairness, Reductions: product.Reductions{Reduce: product.NoReduce}}, seed)
		if got.Verdict != want.Verdict {
			t.Fatalf("seed %d: %s is %v with %+v, but %s is %v", seed, f, got.Verdict, opts, g, want.Verdict)
		}
		count[got.Verdict]++
	}
	if n := int(soak.Long(uint64(400))); count[product.Holds] < n/10 || count[product.Violated] < n/10 {
		t.Errorf("%v", count)
	}
}
