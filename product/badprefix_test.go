package product_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/product/internal/meet"
)

func TestBadPrefix(t *testing.T) {
	// Two that enter and leave; nobody keeps them apart.
	free := func(b *lks.Builder) {
		none, p, q, both := b.State(), b.State("p"), b.State("q"), b.State("p", "q")
		b.Transition(none, "a", p)
		b.Transition(none, "b", q)
		b.Transition(p, "b", both)
		b.Transition(q, "a", both)
		b.Transition(p, "c", none)
		b.Transition(both, "c", none)
	}
	stops := func(b *lks.Builder) {
		s, end := b.State("here"), b.State()
		b.Transition(s, "a", s)
		b.Transition(s, "b", end)
	}
	for _, c := range []struct {
		build func(b *lks.Builder)
		f     string
		want  string // events, why
	}{
		{free, "G !(p & q)", "a b state"},
		{free, "p", " state"},
		{free, "X !(a | b | c)", "a b event"},
		{free, "!p W (b & q)", "a state"},
		{free, "G(a -> X !b)", "a b event"},
		{free, "G(b -> X X !p)", "b a state"},
		{free, "(G !(p & q)) & G F c", "a b state"},
		{free, "G F (p & q)", ""},
		{stops, "G here", "b state"},
		{stops, "G !b", "b event"},
		{stops, "G !deadlock", "b state"},
		{stops, "G(b -> X X a)", "b end"},
		{stops, "F (a & F b)", ""},
	} {
		net := network(t, c.build)
		f := formulaOf(t, net, c.f)
		for _, fair := range []product.Fairness{product.NoFairness, product.ProcessFairness, product.StrongActionFairness, product.ChoiceFairness} {
			r, err := product.Verify(context.Background(), net, f, product.Options{Fairness: fair})
			if err != nil {
				t.Fatal(err)
			}
			if got := prefixText(r.Prefix); r.Verdict == product.Violated && got != c.want {
				t.Errorf("%s, %v: %q, want %q", c.f, fair, got, c.want)
			}
		}
		r, err := fairchoice.Verify(context.Background(), net, f, product.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := prefixText(r.Prefix); r.Verdict == product.Violated && got != c.want {
			t.Errorf("%s under fair choice: %q, want %q", c.f, got, c.want)
		}
	}
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

// TestBadPrefixAgainstNaive compares with a search of all short runs in which what is
// left of the formula is asked of the naive twin: whether any word at all satisfies
// it. And from the end of a bad prefix, no run of the network satisfies what is left.
func TestBadPrefixAgainstNaive(t *testing.T) {
	why := map[product.BadReason]int{}
	lengths := map[int]int{}
	for seed, count := *firstSeed+60_000_000, 0; count < problems(); seed++ {
		r := gen.Rand(seed)
		p := gen.NewProblem(r, 2, 1, shapeOf(seed))
		var atoms []ltl.Atom
		for _, a := range gen.ModelAtoms(p.Components...) {
			if a.Kind == ltl.Prop || a.Kind == ltl.Event {
				atoms = append(atoms, a)
			}
		}
		r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
		f := gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(8), Atoms: atoms[:min(len(atoms), 4)]})
		net := networkOf(t, p.Components)
		if !f.Is(ltl.Safety) || f.Is(ltl.Boolean) || naive.Temporal(f) > 4 || len(product.Constraints(net, ltl.Atoms(f))) > 1 {
			continue
		}
		fair := []product.Fairness{product.NoFairness, product.ProcessFairness, product.StrongActionFairness, product.ChoiceFairness}[seed%4]
		finite := product.FiniteRuns(seed / 4 % 2)
		result := verify(t, net, f, product.Options{Fairness: fair, Finite: finite}, seed)
		if result.Verdict != product.Violated {
			continue
		}
		count++
		b := result.Prefix
		if b == nil {
			t.Fatalf("seed %d: no bad prefix of %v", seed, f)
		}
		why[b.Why]++
		lengths[b.Run.Len()]++
		if b.Minimal != (finite == product.StutterRuns) {
			t.Fatalf("seed %d: minimal: %t", seed, b.Minimal)
		}
		rest := f
		for _, s := range b.Run.Stem {
			rest = ltl.Residual(rest, meet.Letter(&s))
		}
		if s := naive.ComposeStructure(startingIn(t, p.Components, b.Run.Last.Local)); s.Satisfiable(rest, finite == product.StutterRuns, naive.NoFairness) {
			t.Fatalf("seed %d: %q of %v is not bad\n%s", seed, prefixText(b), f, describe(p))
		}
		if want := naive.ShortestBadPrefix(net, f, true, b.Run.Len()); b.Minimal && want != b.Run.Len() {
			t.Fatalf("seed %d: %q of %v, there is one of %d steps\n%s", seed, prefixText(b), f, want, describe(p))
		}
	}
	t.Log(why, lengths)
	if why[product.BadState] < share(25) || why[product.BadEvent] < share(25) || why[product.BadEnd] < share(170) {
		t.Errorf("too few: %v", why)
	}
}

// startingIn returns the components with other initial states.
func startingIn(t *testing.T, components []*lks.LKS, local []int32) []*lks.LKS {
	t.Helper()
	var out []*lks.LKS
	for i, m := range components {
		b := lks.NewBuilder(m.Name())
		for _, a := range m.Alphabet()[1:] {
			b.Action(a)
		}
		for _, p := range m.Props() {
			b.Prop(p)
		}
		for s := range int32(m.NumStates()) {
			b.StateID(m.Kind(s), m.Label(s))
			for _, e := range m.Edges(s) {
				b.Transition(s, m.Alphabet()[e.Action], e.Target)
			}
		}
		b.Initial(local[i])
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, n)
	}
	return out
}
