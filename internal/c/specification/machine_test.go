package specification_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/specification"
)

// definition returns the definition of a name.
func definition(t testing.TB, f *specification.File, name string) *specification.LKSDef {
	t.Helper()
	for _, d := range f.Defs {
		if d, ok := d.(*specification.LKSDef); ok && d.Name.Text == name {
			return d
		}
	}
	t.Fatalf("no definition %s", name)
	return nil
}

// TestMachine: definitions and the transitions that they stand for.
func TestMachine(t *testing.T) {
	for _, c := range []struct{ text, want, alphabet string }{
		{"S = STOP.", "STOP\n", ""},
		{"S = END +{error, a[0..1]}.", "STOP\n", "a.0 a.1 error"},
		{"S = (epsilon -> S).", "S -- epsilon -> S\n", ""},
		{"S = T, T = U, U = (a -> S | b -> T).", "U -- a -> U\nU -- b -> U\n", "a b"},
		{"S = (a -> b -> return {} -> STOP | a -> END).",
			"S -- a -> 1\nS -- a -> STOP\n1 -- b -> 2\n2 -- return {} -> STOP\n", "a b"},
		{"S = (a -> (b -> S | c -> T)), T = (d -> (e -> (f -> STOP))).",
			"S -- a -> 2\nT -- d -> 3\n2 -- b -> S\n2 -- c -> T\n3 -- e -> 4\n4 -- f -> STOP\n", "a b c d e f"},
		// [Chaki05], example 8 and figure 3.3: a routine with a parameter, here $1.
		{"LIB = (when ($1) alpha -> {v := 1} -> STOP | when ($1) beta -> {v := 2} -> STOP | when (!$1) {v := 0} -> STOP).",
			"LIB -- when ($1) alpha -> 1\nLIB -- when ($1) beta -> 2\nLIB -- when (!$1) {v := 0} -> STOP\n1 -- {v := 1} -> STOP\n2 -- {v := 2} -> STOP\n", "alpha beta"},
		{"S = (fork[i:0..N-1].get -> fork[(i+1)%N].put -> S).",
			"S -- fork.0.get -> 1\nS -- fork.1.get -> 2\n1 -- fork.1.put -> S\n2 -- fork.0.put -> S\n", "fork.0.get fork.0.put fork.1.get fork.1.put"},
		{"S = (a[i:0..1][j:i..1] -> b[-i+2*j] -> S | when ((x)) a[i:7..7] -> S).",
			"S -- a.0.0 -> 1\nS -- a.0.1 -> 2\nS -- a.1.1 -> 3\nS -- when ((x)) a.7 -> S\n1 -- b.0 -> S\n2 -- b.2 -> S\n3 -- b.1 -> S\n", "a.0.0 a.0.1 a.1.1 a.7 b.0 b.1 b.2"},
		{"S = (a[i:0..1] -> (b[i:2..2] -> c[i] -> S | d[i] -> S)).",
			"S -- a.0 -> 1\nS -- a.1 -> 2\n1 -- b.2 -> 3\n1 -- d.0 -> S\n2 -- b.2 -> 4\n2 -- d.1 -> S\n3 -- c.2 -> S\n4 -- c.2 -> S\n", "a.0 a.1 b.2 c.2 d.0 d.1"},
	} {
		f := parse(t, "x.spec", "const N = 2\n"+c.text)
		constants, err := f.Constants(nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Machine(f.Defs[1].(*specification.LKSDef), constants)
		if err != nil {
			t.Errorf("%s: %s", c.text, render(err))
			continue
		}
		if got := m.String(); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.text, got, c.want)
		}
		if got := strings.Join(m.Alphabet, " "); got != c.alphabet {
			t.Errorf("%s: alphabet %s, want %s", c.text, got, c.alphabet)
		}
		checkMachine(t, m)
	}
}

// TestMachineLimit: what is too large is said, and is no mistake.
func TestMachineLimit(t *testing.T) {
	for _, text := range []string{
		"S = (a[i:0..99998] -> b[i] -> S).",
		"S = (a[i:0..999] -> b[j:0..99] -> S).",
		"S = (a -> S) +{a[0..60000], b[0..60000]}.",
		"S = (a[0..2000000000] -> S).",
		"S = (a[0..9].b[0..9].c[0..9].d[0..9].e[0..9].f[0..9].g[0..9].h[0..9].i[0..9].j[0..9] -> S).",
	} {
		f := parse(t, "x.spec", text)
		_, err := f.Machine(definition(t, f, "S"), nil)
		if err == nil || !err.(specification.Diagnostics).Limited() {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// TestBound: variables of indices are known in the C expressions behind them.
func TestBound(t *testing.T) {
	f := parse(t, "x.spec", "S = (get[i:3..4] -> return {$0 == i + s.i + p->i} -> STOP).")
	m, err := f.Machine(definition(t, f, "S"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range m.Transitions {
		if x.Kind == specification.StepReturn {
			got = append(got, x.Condition.Replace(func(w specification.CWord) (string, bool) {
				switch {
				case w.Text == "i":
					return string(rune('0' + x.Bound["i"])), true
				case w.Text == "" && w.Number == 0:
					return "result", true
				}
				return "", false
			}))
		}
	}
	if want := []string{"result == 3 + s.i + p->i", "result == 4 + s.i + p->i"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCExpr: the texts of C expressions, and the words in them.
func TestCExpr(t *testing.T) {
	for text, want := range map[string]string{
		"1":                                 "",
		"($1 == 0)":                         "$1",
		"$1->state == (0x110|0x2000)":       "$1",
		"f(a, b)[c].d -> e . g == h":        "f a b c h",
		"s[0] == ',' && t == \"};->(\\\"\"": "s t",
		"$12 /* , $3 } */ < x.y":            "$12 x",
		"a ? b : c == 1.5e+3 + 0x1p-3":      "a b c",
		"(struct s){1, 2}.x == sizeof(int)": "struct s sizeof int",
		"'\\'' == L'x'":                     "L",
		"x -y- -z":                          "x y z",
	} {
		f := parse(t, "x.spec", "cproc f { predicate "+text+", other; abstract {a, "+text+", S}; }")
		statements := f.Defs[0].(*specification.ProcDef).Statements
		for _, e := range []*specification.CExpr{statements[0].(*specification.Predicate).Exprs[0], statements[1].(*specification.Abstract).Guards[0]} {
			var words []string
			for _, w := range e.Words {
				words = append(words, f.Place(w.Span).Text())
			}
			if got := strings.Join(words, " "); e.Text != text || got != want || f.Place(e.Span).Text() != text {
				t.Errorf("%s: %s with %s, want %s", text, e.Text, got, want)
			}
			if same := e.Replace(func(specification.CWord) (string, bool) { return "", false }); same != text {
				t.Errorf("%s: nothing replaced gives %s", text, same)
			}
		}
	}
	f := parse(t, "x.spec", "cprog p = f, g { abstract a, {$2 > $1 && $2 > $10, f(1, 2)}, S; }")
	guards := f.Defs[0].(*specification.ProgDef).Statements[0].(*specification.Abstract).Guards
	if got := guards[0].Dollars(); len(guards) != 2 || !slices.Equal(got, []int{1, 2, 10}) {
		t.Errorf("%d guards, arguments %v", len(guards), got)
	}
}

// TestConstants: in any order, and from the command line.
func TestConstants(t *testing.T) {
	f := parse(t, "x.spec", "const A = B*C-1\nconst B = (C+2)/2%3\nconst C = -3*-1\n")
	for _, c := range []struct {
		given   specification.Values
		a, b, c int32
	}{
		{nil, 5, 2, 3},
		{specification.Values{"C": 8, "OTHER": 1}, 15, 2, 8},
		{specification.Values{"B": -1}, -4, -1, 3},
	} {
		got, err := f.Constants(c.given)
		if err != nil || got["A"] != c.a || got["B"] != c.b || got["C"] != c.c {
			t.Errorf("given %v: %v, error %v", c.given, got, err)
		}
	}
}

// TestRenaming: pairs of names, in the copies of a component.
func TestRenaming(t *testing.T) {
	f := parse(t, "x.spec", "const N = 3\ncprog dp = phil[i:0..N-1] { rename {left.get/fork[i].get, right.get/fork[(i+1)%N].get, a[k:0..1]/b[k+1]}; hide phil {x[0..1], y}; }")
	constants, err := f.Constants(specification.Values{"N": 5})
	if err != nil {
		t.Fatal(err)
	}
	d := f.Defs[1].(*specification.ProgDef)
	copies, err := f.Copies(d.Components[0], constants)
	if err != nil || !slices.Equal(copies, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("copies %v, error %v", copies, err)
	}
	pairs, err := f.Renaming(d.Statements[0].(*specification.Rename), constants, specification.Values{"i": 4})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pairs {
		got = append(got, p.Old+"/"+p.New)
	}
	if want := "left.get/fork.4.get right.get/fork.0.get a.0/b.1 a.1/b.2"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
	hide := d.Statements[1].(*specification.Hide)
	if names, err := f.Actions(hide.Set, constants, nil); err != nil || strings.Join(names, " ") != "x.0 x.1 y" || hide.Component.Text != "phil" {
		t.Errorf("%v, error %v", names, err)
	}
}

// TestExpected: what comments expect of abstractions and programs.
func TestExpected(t *testing.T) {
	f := parse(t, "x.spec", `
cprog p = f {
    abstract a, {1}, S; // expect: holds, as one sees
    abstract b, {1}, S; /* expect: fails */ abstract c, {1}, S;
} // expect: no deadlock
cprog q = f {} // expect: deadlock
`)
	if len(f.Diagnostics) > 0 {
		t.Fatal(f.Diagnostics)
	}
	p, q := f.Defs[0].(*specification.ProgDef), f.Defs[1]
	for i, want := range []string{"holds", "fails", ""} {
		if got := f.Expected(p.Statements[i]); got != want {
			t.Errorf("statement %d: %q, want %q", i, got, want)
		}
	}
	if f.Expected(p) != "no deadlock" || f.Expected(q) != "deadlock" {
		t.Errorf("%q, %q", f.Expected(p), f.Expected(q))
	}
}

// TestFormulas: a formula reaches to a semicolon that is none of a regular expression.
func TestFormulas(t *testing.T) {
	f := parse(t, "x.spec", "cprog p = f {\n    ltl A = F {a; !b[*]; {c;d}}!; ltl B = G({a;b} -> X c);\n    ltl C = \"x; y\" | F a;\n}\n")
	var got []string
	for _, s := range f.Defs[0].(*specification.ProgDef).Statements {
		got = append(got, s.(*specification.Property).Formula.Text)
	}
	if want := []string{"F {a; !b[*]; {c;d}}!", "G({a;b} -> X c)", `"x; y" | F a`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, text := range []string{"ltl A = F {a;\n    ltl B = F b;", "ltl A = F {a; b;", "ltl A = F a; }\n; {"} {
		if _, err := specification.ParseText("x.spec", "cprog p = f {\n    "+text+"\n}\n"); err == nil {
			t.Errorf("%s: no mistake", text)
		}
	}
}
