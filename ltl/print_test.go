package ltl_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		formula string
		want    map[ltl.Syntax]string
	}{
		{"G(a -> F b)", map[ltl.Syntax]string{
			ltl.Seltl: "G(a -> F b)", ltl.Spot: "G(a -> F b)", ltl.LTSA: "[](a -> <>b)", ltl.SPIN: "[](a -> <>b)",
			ltl.LaTeX: `\mathsf{G}(\mathit{a} \rightarrow \mathsf{F}\,\mathit{b})`,
		}},
		{"GFXX!a", map[ltl.Syntax]string{
			ltl.Seltl: "GFXX !a", ltl.Spot: "GFXX !a", ltl.LTSA: "[]<>XX !a", ltl.SPIN: "[]<>XX !a",
		}},
		{"a & b | c xor d -> e", map[ltl.Syntax]string{
			ltl.Seltl: "a & b | c xor d -> e", ltl.LTSA: "(((a && b) || !(c <-> d)) -> e)", ltl.SPIN: "((a && b) || !(c <-> d)) -> e",
		}},
		{"a U b U c", map[ltl.Syntax]string{ltl.Seltl: "a U (b U c)"}},
		{"(a -> b) -> c", map[ltl.Syntax]string{ltl.Seltl: "(a -> b) -> c"}},
		{"a W b", map[ltl.Syntax]string{ltl.Seltl: "a W b", ltl.LTSA: "(a W b)", ltl.SPIN: "b V (a || b)"}},
		{"a R b", map[ltl.Syntax]string{ltl.LTSA: "(b W (a && b))", ltl.SPIN: "a V b"}},
		{"a M b", map[ltl.Syntax]string{ltl.LTSA: "(b U (a && b))", ltl.SPIN: "b U (a && b)"}},
		{"phil[0].eat & m=2", map[ltl.Syntax]string{
			ltl.Seltl: "m=2 & phil[0].eat", ltl.Spot: `"m=2" & "phil.0.eat"`, ltl.SPIN: "(m==2) && (phil[0].eat)",
		}},
		{`S.a & E.a & E.b`, map[ltl.Syntax]string{ltl.Seltl: "S.a & E.a & b"}},
		{`"G" & "x y" & "q\"\\"`, map[ltl.Syntax]string{ltl.Seltl: `"G" & "q\"\\" & "x y"`}},
		{"tau & deadlock & enabled(a[1])", map[ltl.Syntax]string{ltl.Seltl: "deadlock & enabled(a[1]) & tau"}},
		{"1", map[ltl.Syntax]string{ltl.Seltl: "true", ltl.Spot: "1", ltl.LTSA: "rigid(1)", ltl.SPIN: "true", ltl.LaTeX: `\top`}},
	} {
		f := ltl.MustParse(c.formula)
		for _, s := range []ltl.Syntax{ltl.Seltl, ltl.Spot, ltl.LTSA, ltl.SPIN, ltl.LaTeX} {
			want, ok := c.want[s]
			if !ok {
				continue
			}
			if got, err := ltl.Format(f, s); err != nil || got != want {
				t.Errorf("%s in %s: %s %v, want %s", c.formula, s, got, err, want)
			}
		}
	}
}

func TestEcho(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		{"GFa & b | !c -> X X d", "(!c | (b & (G(F a)))) -> (X(X d))"},
		{"E.a U S.b[1]", "E.a U S.b[1]"},
		{"!(a & b)", "!(a & b)"},
		{"!F a", "!(F a)"},
	} {
		if got, err := ltl.Echo(ltl.MustParse(c.formula)); err != nil || got != c.want {
			t.Errorf("%s: %s %v, want %s", c.formula, got, err, c.want)
		}
	}
}

// atomsOfAllKinds have names that need care in one syntax or another.
var atomsOfAllKinds = []ltl.Atom{
	{Name: "a"}, {Name: "phil.0.eat"}, {Name: "x.-1"}, {Name: "a.01.b"}, {Name: "m=2"}, {Name: "m.1<=-3"},
	{Name: "MUTEX"}, {Name: "next"}, {Name: "next.1"}, {Name: "tau"}, {Name: "i"}, {Name: "any text"}, {Name: `q"\`},
	{Name: "line\nbreak"}, {Name: "é"}, {Name: "a.b."}, {Name: "U"}, {Name: "1"}, {Name: "true"}, {Name: "deadlock"},
	{Name: "aU"}, {Name: "m=02"}, {Name: "enabled(a)"}, {Name: "a..b"}, {Name: "_"},
	{Kind: ltl.Prop, Name: "a"}, {Kind: ltl.Event, Name: "a"}, {Kind: ltl.Event, Name: "tau"}, {Kind: ltl.Prop, Name: "RED.1"},
	{Kind: ltl.Deadlock}, {Kind: ltl.Enabled, Name: "a.0"}, {Kind: ltl.Enabled, Name: "x y"}, {Kind: ltl.Enabled, Name: "next"},
	{Kind: ltl.Prop, Name: "next"}, {Kind: ltl.Event, Name: "x y"}, {Kind: ltl.Prop, Name: "tau"},
}

// What Echo writes parses back to the same formula, whatever the atoms are.
func TestEchoParses(t *testing.T) {
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 3))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(20), Atoms: atomsOfAllKinds})
		text, err := ltl.Echo(f)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := ltl.ParseString(text); err != nil || g != f {
			t.Fatalf("seed %d: %s\nparses as %v %v", seed, text, g, err)
		}
	}
}

// What Format writes parses back: to the same formula in Seltl and Spot syntax,
// in LTSA's and SPIN's to a formula that prints alike and means the same.
func TestFormatParses(t *testing.T) {
	var names []ltl.Atom
	for _, a := range atomsOfAllKinds {
		if a.Kind == ltl.Name {
			names = append(names, a)
		}
	}
	plain := gen.Atoms("a", "b", "c.1", "d")
	for seed := range soak.Long(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 4))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(20), Atoms: names})
		for _, s := range []ltl.Syntax{ltl.Seltl, ltl.Spot} {
			text, err := ltl.Format(f, s)
			if err != nil {
				t.Fatal(err)
			}
			if g, err := ltl.ParseString(text); err != nil || g != f {
				t.Fatalf("seed %d, %s: %s\nparses as %v %v", seed, s, text, g, err)
			}
		}
		f = gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(15), Atoms: plain})
		for _, s := range []ltl.Syntax{ltl.LTSA, ltl.SPIN} {
			text, err := ltl.Format(f, s)
			if err != nil {
				t.Fatal(err)
			}
			g, err := ltl.ParseString(text)
			if err != nil {
				t.Fatalf("seed %d, %s: %s\n%v", seed, s, text, err)
			}
			if again, _ := ltl.Format(g, s); again != text {
				t.Fatalf("seed %d, %s: %s\nprints again as %s", seed, s, text, again)
			}
			for range 4 {
				if w := gen.Word(r, plain, 3, 3); ltl.Eval(f, w) != ltl.Eval(g, w) {
					t.Fatalf("seed %d: %v means something else in %s syntax: %s", seed, f, s, text)
				}
			}
		}
	}
}

func TestFormatErrors(t *testing.T) {
	f := ltl.MustParse("a")
	for range 100 {
		f = ltl.MakeXor(f, ltl.MakeNext(f))
	}
	var large *ltl.TooLarge
	if _, err := ltl.Format(f, ltl.Seltl); !errors.As(err, &large) {
		t.Errorf("printing 2^100 nodes: %v", err)
	}
	if f.String() == "" {
		t.Error("String is empty")
	}
	var name *ltl.Inexpressible
	if _, err := ltl.Format(ltl.MustParse(`"x y"`), ltl.SPIN); !errors.As(err, &name) {
		t.Errorf("printing a quoted name for SPIN: %v", err)
	}
}
