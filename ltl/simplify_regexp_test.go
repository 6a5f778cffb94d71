package ltl_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// Every group of rules keeps the meaning of formulas with regular expressions, also where only
// some letters occur, and reaches a fixpoint.
func TestSimplifyRegexps(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	regular, without := 0, 0
	for seed := range soak.Long(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 8))
		f := ltl.MustParse(gen.Suffix(r, 1+r.IntN(10), gen.RegexpOptions{Atoms: atoms, Plain: r.IntN(2) == 0}))
		o := ltl.SimplifyOptions{}
		switch r.IntN(4) {
		case 0:
			o.Skip = ltl.AllRules &^ ltl.RulesRegular
		case 1:
			o.Skip = ltl.RulesRegular
		case 2:
			o.Exclusive = [][]ltl.Atom{atoms}
		}
		g := ltl.Simplify(f, o)
		if err := sameMeaning(r, f, g, atoms, 12, o.Exclusive...); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !g.Is(ltl.NegationNormal) {
			t.Fatalf("seed %d: %v is not in negation normal form", seed, g)
		}
		if again := ltl.Simplify(g, o); again != g {
			t.Fatalf("seed %d: %v\nsimplifies to %v\nand again to %v", seed, f, g, again)
		}
		if f.HasRegexp() && o.Skip&ltl.RulesRegular == 0 {
			if regular++; !g.HasRegexp() {
				without++
			}
		}
	}
	if without < regular/5 {
		t.Errorf("of %d formulas with regular expressions %d have become others", regular, without)
	}
}

// The rules, one by one.
func TestRegularRules(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		{"{b}[]-> f", "!b | f"}, {"{b}<>-> f", "b & f"}, {"{b[*]}<>-> f", "f M b"}, {"{b[*]}[]-> f", "f W !b"}, {"{b[+]}[]-> f", "f W !b"},
		{"{[*]}[]-> f", "G f"}, {"{[*]}<>-> f", "F f"}, {"{b : c[*2..3]; d[*2]}<>-> f", "b & {c[*2..3]; d[*2]}<>-> f"},
		{"{b : {c; d}[+]}<>-> f", "b & ({{c; d}[+]}<>-> f)"}, {"{{c; d}[+] : b}<>-> f", "{{c; d}[+]}<>-> b & f"},
		{"{a; b[*]; c}[]-> X d", "!a | X(!b R (!c | X d))"}, {"{b; {c; d}[*]}<>-> f", "b & (f | X({{c; d}[*]}<>-> f))"},
		{"{{a; b}[+]; [*]}<>-> f", "{{a; b}[+]}<>-> F f"}, {"{{a; b}[+]; c[*]}<>-> f", "{{a; b}[+]}<>-> f | X(f M c)"},
		{"{{a; b}[+]}[]-> GF c", "GF c | {{a; b}[+]}[]-> false"}, {"{a[:*0..2]; b}!", "F b"}, {"{{a; b}[:*]}!", "true"},
		{"{b; c}", "b & X c"}, {"!{b; c}", "!b | X !c"}, {"{b[*]; c; d}", "b W (c & X d)"}, {"{b; c[*]}", "b"}, {"{{b; c; d}[*]}", "b & X(c & X d)"},
		{"{b | {c; d}}", "b | (c & X d)"}, {"{b[*]; c && !c}", "false"}, {"{a[*3..]; b}<>-> c", "a & X(a & X(a & X(a U (b & c))))"},
	} {
		f, want := ltl.MustParse(c.formula), ltl.MustParse(c.want)
		got := ltl.Simplify(f, ltl.SimplifyOptions{})
		if c.formula == "{b : c[*2..3]; d[*2]}<>-> f" || c.formula == "{a[:*0..2]; b}!" || c.formula == "{{a; b}[+]}[]-> GF c" {
			// Not what is written, but the same.
			r := rand.New(rand.NewPCG(0, 9))
			if err := sameMeaning(r, got, f, ltl.Atoms(f), 50); err != nil {
				t.Error(err)
			}
			continue
		}
		if got != want {
			t.Errorf("%s simplifies to %s, not %s", f, got, want)
		}
	}
}

// The classes that the syntax of a formula shows: Boolean combinations of what regular expressions
// of bounded words say are safety and guarantee, others as [ChangMannaPnueli92] would have them.
func TestClassifyRegexps(t *testing.T) {
	for _, c := range []struct {
		formula string
		has     ltl.Class
		lacks   ltl.Class
	}{
		{"{a; b[*2]}[]-> X c", ltl.Safety | ltl.Guarantee | ltl.Obligation, ltl.Boolean | ltl.StutterInvariant},
		{"{a; b[*]; c}[]-> X c", ltl.Safety | ltl.Recurrence, ltl.Guarantee},
		{"{a; b[*]; c}<>-> X c", ltl.Guarantee | ltl.Persistence, ltl.Safety},
		{"{a; b[*]; c}<>-> G c", ltl.Persistence, ltl.Guarantee | ltl.Safety | ltl.Recurrence | ltl.Obligation},
		{"{a; b[*]; c}[]-> F c", ltl.Recurrence, ltl.Guarantee | ltl.Safety | ltl.Persistence | ltl.Obligation},
		{"{a; b}[]-> F c", ltl.Guarantee | ltl.Obligation, ltl.Safety},
		{"{a; b[*]; c}", ltl.Safety, ltl.Guarantee}, {"!{a; b[*]; c}", ltl.Guarantee, ltl.Safety}, {"{a; b[*]; c}!", ltl.Guarantee, ltl.Safety},
		{"{a; b}!", ltl.Safety | ltl.Guarantee, ltl.Boolean}, {"!({a; b[*]; c}!)", ltl.Safety, ltl.Guarantee},
		{"{{a; [*]} && {b; c}}!", ltl.Safety | ltl.Guarantee, 0},
	} {
		class := ltl.Classify(ltl.MustParse(c.formula))
		if !class.Has(c.has) || class&c.lacks != 0 {
			t.Errorf("%s: %s", c.formula, class)
		}
	}
}

// Syntaxes without regular expressions refuse them by the operator's name.
func TestFormatRegexps(t *testing.T) {
	for _, s := range []ltl.Syntax{ltl.LTSA, ltl.SPIN, ltl.LaTeX, ltl.LBT, ltl.Wring, ltl.LTSmin} {
		var none *ltl.NoOperator
		text, err := ltl.Format(ltl.MustParse("G({a; b}<>-> c)"), s)
		if !errors.As(err, &none) || none.Op != ltl.SuffixAnd || err.Error() != s.String()+" syntax has no regular expressions, as <>-> needs one" {
			t.Errorf("%s: %q %v", s, text, err)
		}
	}
	if _, err := ltl.Without(ltl.MustParse("{a; b}[]-> c"), ltl.Ops(ltl.SuffixImplies)); err == nil || err.Error() != "no other operators say what regular expressions ([]->) say" {
		t.Error(err)
	}
	for _, c := range []struct{ formula, seltl, spot string }{
		{"{a;b}|=>c", "{a; b}[]=> c", "{a; b}[]=> c"}, {"G({a;{b|c}[*]}<>->d)&e", "e & G({a; (b | c)[*]}<>-> d)", "e & G({a; (b | c)[*]}<>-> d)"},
		{"{a[->2];b[=1]}!", "{a[->2]; !b[*]; b; !b[*]}!", "{a[->2]; !b[*]; b; !b[*]}!"}, {"X !{x[1];1[*2]}", "X !{x[1]; [*2]}", `X !{"x.1"; [*2]}`},
		{"{true;a}[]->false", "{true; a}[]-> false", "{1; a}[]-> 0"}, {"({a;b}[]->c) U {d;e}!", "({a; b}[]-> c) U {d; e}!", "({a; b}[]-> c) U {d; e}!"},
	} {
		f := ltl.MustParse(c.formula)
		spot, err := ltl.Format(f, ltl.Spot)
		if f.String() != c.seltl || spot != c.spot || err != nil {
			t.Errorf("%s: %s, for Spot %s %v", c.formula, f, spot, err)
		}
	}
}

// Letters are relabelled with their formula, and lengths count letters and operators.
func TestRegexpMeasures(t *testing.T) {
	f := ltl.MustParse("G({req; (a & b)[*]; !c}[]-> X req)")
	if n, m := f.Length(), f.BooleanLength(); n != 13 || m != 10 {
		t.Errorf("length %d, with Boolean formulas as one %d", n, m)
	}
	g, by := ltl.Relabel(f, ltl.Numbered("p"))
	if g.String() != "G({p0; (p1 & p2)[*]; !p3}[]-> X p0)" || ltl.Substitute(g, by) != f {
		t.Errorf("%s, %v", g, by)
	}
	h, by := ltl.RelabelBoolean(f, ltl.Numbered("p"))
	if h.String() != "G({p0; p1[*]; p2}[]-> X p0)" || ltl.Substitute(h, by) != f {
		t.Errorf("%s, %v", h, by)
	}
}

// What is known of a prefix stays true, whatever follows; the explanation of a truth ends in its letters.
func TestRegexpPositions(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	known := 0
	for seed := range soak.Cases(uint64(900)) {
		r := rand.New(rand.NewPCG(seed, 10))
		f := ltl.MustParse(gen.Suffix(r, 1+r.IntN(8), gen.RegexpOptions{Atoms: atoms}))
		w := gen.Word(r, atoms, 6, 3)
		var letters []func(ltl.Atom) ltl.Truth
		for _, l := range w.Stem {
			letters = append(letters, func(a ltl.Atom) ltl.Truth {
				if l(a) {
					return ltl.Holds
				}
				return ltl.Fails
			})
		}
		if len(letters) == 0 {
			continue
		}
		p := ltl.OnPrefix(f, letters)
		truth := p.Truth[len(p.Truth)-1][0]
		if truth != ltl.Open {
			known++
		}
		if truth == ltl.Holds != ltl.Eval(f, w) && truth != ltl.Open {
			t.Fatalf("seed %d: %s is known to be %v, but is not on %s", seed, f, truth, w.Text(atoms))
		}
		why := ltl.OnWord(f, w).Why()
		if literal := f.Is(ltl.Boolean); len(why) == 0 || !literal && why[0].Holds != ltl.Eval(f, w) {
			t.Fatalf("seed %d: %s on %s: %v", seed, f, w.Text(atoms), why)
		}
	}
	if known < 60 {
		t.Errorf("%d known", known)
	}
}
