package horn_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/horn"
)

// Texts with parameters, a second time: sorts and terms that are written with and without.

// gSort is a sort: with arguments a datatype with parameters, or Array.
type gSort struct {
	name string
	args []gSort
}

type gField struct {
	name string
	sort gSort
}

type gConstructor struct {
	name   string
	fields []gField
	shows  bool // fields show the sort
}

var gTypes = map[string]struct {
	params       string
	constructors []gConstructor
}{
	"Pair":   {"AB", []gConstructor{{"mk", []gField{{"first", gSort{"A", nil}}, {"second", gSort{"B", nil}}}, true}}},
	"Opt":    {"T", []gConstructor{{"none", nil, false}, {"some", []gField{{"val", gSort{"T", nil}}}, true}}},
	"Lst":    {"T", []gConstructor{{"nil", nil, false}, {"cons", []gField{{"head", gSort{"T", nil}}, {"tail", gSort{"Lst", []gSort{{"T", nil}}}}}, true}}},
	"Either": {"AB", []gConstructor{{"lft", []gField{{"l", gSort{"A", nil}}}, false}, {"rgt", []gField{{"r", gSort{"B", nil}}}, false}}},
	"Rose":   {"T", []gConstructor{{"rose", []gField{{"at", gSort{"T", nil}}, {"kids", gSort{"Lst", []gSort{{"Rose", []gSort{{"T", nil}}}}}}}, true}, {"bud", nil, false}}},
	"Col":    {"", []gConstructor{{"red", nil, true}, {"green", nil, true}}},
	"Wrap":   {"", []gConstructor{{"end", nil, true}, {"wrap", []gField{{"in", gSort{"Lst", []gSort{{"Wrap", nil}}}}}, true}}},
}

func (s gSort) text(mono bool) string {
	if len(s.args) == 0 {
		return s.name
	}
	if !mono || s.name == "Array" {
		out := "(" + s.name
		for _, a := range s.args {
			out += " " + a.text(mono)
		}
		return out + ")"
	}
	return "|" + s.name + s.suffix() + "|"
}

func (s gSort) suffix() string {
	if len(s.args) == 0 {
		return ""
	}
	var all []string
	for _, a := range s.args {
		all = append(all, a.name+a.suffix())
	}
	return "<" + strings.Join(all, "-") + ">"
}

// in puts in arguments for parameters.
func (s gSort) in(of gSort) gSort {
	for i, p := range gTypes[of.name].params {
		if s.name == string(p) {
			return of.args[i]
		}
	}
	out := gSort{name: s.name}
	for _, a := range s.args {
		out.args = append(out.args, a.in(of))
	}
	return out
}

// gTerm is a term by two texts; bare is one for places that want its sort.
type gTerm struct{ full, bare, mono string }

type gGen struct {
	*rand.Rand
	vars map[string][]string // by sort, as mono text
	seen map[string]gSort
	all  []gSort // in the order of need
	n    int
}

func (g *gGen) need(s gSort) gSort {
	if _, ok := g.seen[s.text(true)]; ok {
		return s
	}
	g.seen[s.text(true)] = s
	for _, a := range s.args {
		g.need(a)
	}
	for _, c := range gTypes[s.name].constructors {
		for _, f := range c.fields {
			g.need(f.sort.in(s))
		}
	}
	g.all = append(g.all, s)
	return s
}

func (g *gGen) sort(depth int) gSort {
	if depth == 0 || g.IntN(3) == 0 {
		return gSort{name: []string{"Int", "Bool", "Col", "Wrap"}[g.IntN(4)]}
	}
	if g.IntN(8) == 0 {
		return gSort{"Array", []gSort{{name: "Int"}, g.sort(depth - 1)}}
	}
	s := gSort{name: []string{"Pair", "Opt", "Lst", "Either", "Rose"}[g.IntN(5)]}
	for range gTypes[s.name].params {
		s.args = append(s.args, g.sort(depth-1))
	}
	return g.need(s)
}

func same(s string) gTerm { return gTerm{s, s, s} }

// join makes a term of parts that it says the sorts of, or does not.
func join(format string, known bool, parts ...gTerm) gTerm {
	var full, bare, mono []any
	for _, p := range parts {
		full, bare, mono = append(full, p.full), append(bare, p.bare), append(mono, p.mono)
	}
	if known {
		full = bare
	}
	return gTerm{fmt.Sprintf(format, full...), fmt.Sprintf(format, bare...), fmt.Sprintf(format, mono...)}
}

func (g *gGen) variable(s gSort) gTerm {
	key := g.need(s).text(true)
	if len(g.vars[key]) == 0 || g.IntN(8) == 0 {
		g.n++
		g.vars[key] = append(g.vars[key], fmt.Sprintf("v%d", g.n))
	}
	return same(g.vars[key][g.IntN(len(g.vars[key]))])
}

func (g *gGen) construct(s gSort, c gConstructor, depth int) gTerm {
	as := "(as " + c.name + " " + s.text(false) + ")"
	t := gTerm{as, c.name, "|" + c.name + s.suffix() + "|"}
	if len(s.args) == 0 {
		t.full = c.name
	}
	if len(c.fields) == 0 {
		return t
	}
	out := gTerm{"(" + c.name, "(" + c.name, "(" + t.mono}
	qualified := !c.shows && len(s.args) > 0 || g.IntN(6) == 0
	if qualified && len(s.args) > 0 {
		out.full = "(" + as
	}
	for _, f := range c.fields {
		a := g.term(f.sort.in(s), depth-1)
		out.bare += " " + a.bare
		out.mono += " " + a.mono
		if qualified {
			out.full += " " + a.bare
		} else {
			out.full += " " + a.full
		}
	}
	return gTerm{out.full + ")", out.bare + ")", out.mono + ")"}
}

func (g *gGen) term(s gSort, depth int) gTerm {
	g.need(s)
	cs := gTypes[s.name].constructors
	if depth <= 0 {
		switch {
		case s.name == "Int" && g.IntN(2) == 0:
			return same(fmt.Sprint(g.IntN(3)))
		case len(cs) > 0 && len(cs[0].fields) == 0 && g.IntN(2) == 0:
			return g.construct(s, cs[0], 0)
		}
		return g.variable(s)
	}
	switch g.IntN(9) {
	case 0:
		return join("(ite %s %s %s)", false, g.formula(depth-1), g.term(s, depth-1), g.term(s, depth-1))
	case 1: // a field of the sort
		of := gSort{"Pair", []gSort{s, g.sort(1)}}
		field := "first"
		switch g.IntN(4) {
		case 0:
			of, field = gSort{"Lst", []gSort{s}}, "head"
		case 1:
			of, field = gSort{"Opt", []gSort{s}}, "val"
		case 2:
			of, field = gSort{"Rose", []gSort{s}}, "at"
		}
		a := g.term(of, depth-1)
		return gTerm{"(" + field + " " + a.full + ")", "(" + field + " " + a.full + ")", "(|" + field + of.suffix() + "| " + a.mono + ")"}
	case 2: // match
		return g.match(s, depth)
	case 3:
		t := g.sort(1)
		a := g.term(t, depth-1)
		g.n++
		name := fmt.Sprintf("w%d", g.n)
		if g.IntN(3) == 0 { // it hides another one
			name = g.variable(t).mono
		}
		before := g.vars[t.text(true)]
		g.vars[t.text(true)] = append(without(before, name), name)
		b := g.term(s, depth-1)
		if name[0] == 'w' && len(without(before, name)) == len(before) {
			g.vars[t.text(true)] = without(g.vars[t.text(true)], name)
		}
		return gTerm{"(let ((" + name + " " + a.full + ")) " + b.full + ")", "(let ((" + name + " " + a.full + ")) " + b.bare + ")", "(let ((" + name + " " + a.mono + ")) " + b.mono + ")"}
	case 4:
		array := gSort{"Array", []gSort{{name: "Int"}, s}}
		return join("(select %s %s)", false, g.variable(array), g.term(gSort{name: "Int"}, depth-1))
	}
	switch {
	case len(cs) > 0:
		return g.construct(s, cs[g.IntN(len(cs))], depth)
	case s.name == "Bool":
		return g.formula(depth)
	case s.name == "Array":
		if g.IntN(2) == 0 {
			a := g.term(s.args[1], depth-1)
			return gTerm{"((as const " + s.text(false) + ") " + a.bare + ")", "((as const " + s.text(false) + ") " + a.bare + ")", "((as const " + s.text(true) + ") " + a.mono + ")"}
		}
		return join("(store %s %s %s)", true, g.variable(s), g.term(gSort{name: "Int"}, depth-1), g.term(s.args[1], depth-1))
	}
	return join("(+ %s 1)", false, g.term(s, depth-1))
}

func without(names []string, name string) (out []string) {
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}

// match is one with a pattern for each constructor, and how it is written without.
func (g *gGen) match(s gSort, depth int) gTerm {
	of := g.sort(2)
	cs := gTypes[of.name].constructors
	if len(cs) == 0 {
		return g.variable(s)
	}
	whole := g.term(of, depth-1)
	g.n++
	name := fmt.Sprintf("m%d", g.n)
	var cases [2]string
	mono, end := "(let (("+name+" "+whole.mono+")) ", ")"
	for i, c := range cs {
		pattern, lets := c.name, ""
		hidden := map[string][]string{}
		for _, f := range c.fields {
			g.n++
			v, key := fmt.Sprintf("p%d", g.n), g.need(f.sort.in(of)).text(true)
			if _, ok := hidden[key]; !ok {
				hidden[key] = g.vars[key]
			}
			g.vars[key] = append(g.vars[key][:len(g.vars[key]):len(g.vars[key])], v)
			pattern += " " + v
			lets += " (" + v + " (|" + f.name + of.suffix() + "| " + name + "))"
		}
		t := g.term(s, depth-1)
		for key, names := range hidden {
			kept := names
			for _, v := range g.vars[key] {
				if strings.HasPrefix(v, "v") && len(without(kept, v)) == len(kept) {
					kept = append(kept[:len(kept):len(kept)], v)
				}
			}
			g.vars[key] = kept
		}
		if len(c.fields) > 0 {
			pattern, t.mono = "("+pattern+")", "(let ("+lets+") "+t.mono+")"
		}
		cases[0] += " (" + pattern + " " + t.full + ")"
		cases[1] += " (" + pattern + " " + t.bare + ")"
		if i < len(cs)-1 {
			mono += "(ite ((_ is |" + c.name + of.suffix() + "|) " + name + ") " + t.mono + " "
			end += ")"
		} else {
			mono += t.mono
		}
	}
	return gTerm{"(match " + whole.full + " (" + cases[0] + "))", "(match " + whole.full + " (" + cases[1] + "))", mono + end}
}

func (g *gGen) formula(depth int) gTerm {
	if depth <= 0 {
		return g.variable(gSort{name: "Bool"})
	}
	switch g.IntN(6) {
	case 0:
		return join("(and %s (not %s))", false, g.formula(depth-1), g.formula(depth-1))
	case 1:
		return join("(< %s %s)", false, g.term(gSort{name: "Int"}, depth-1), g.term(gSort{name: "Int"}, depth-1))
	case 2:
		of := g.sort(2)
		cs := gTypes[of.name].constructors
		if len(cs) == 0 {
			return g.variable(gSort{name: "Bool"})
		}
		a, c := g.term(of, depth-1), cs[g.IntN(len(cs))].name
		test := "((_ is " + c + ") " + a.full + ")"
		if g.IntN(2) == 0 {
			test = "(is-" + c + " " + a.full + ")"
		}
		return gTerm{test, test, "((_ is |" + c + of.suffix() + "|) " + a.mono + ")"}
	case 3:
		s := g.sort(2)
		return join("(distinct %s %s)", true, g.variable(s), g.term(s, depth-1))
	}
	s := g.sort(2)
	return join("(= %s %s)", true, g.term(s, depth-1), g.variable(s))
}

// gDeclarations are those of datatypes: with parameters, in two styles, or of those that are needed without.
func (g *gGen) declarations(mono bool) string {
	var names, bodies string
	body := func(cs []gConstructor, of gSort, sort func(gSort) string, suffix string) (out string) {
		for _, c := range cs {
			out += " (|" + c.name + suffix + "|"
			for _, f := range c.fields {
				out += " (|" + f.name + suffix + "| " + sort(f.sort) + ")"
			}
			out += ")"
		}
		return "(" + out + ")"
	}
	if mono {
		for _, s := range g.all {
			if gTypes[s.name].constructors != nil {
				names += " (" + s.text(true) + " 0)"
				bodies += " " + body(gTypes[s.name].constructors, s, func(f gSort) string { return f.in(s).text(true) }, s.suffix())
			}
		}
		return "(declare-datatypes (" + names + ") (" + bodies + "))\n"
	}
	plain := func(f gSort) string { return f.text(false) }
	out := ""
	for _, name := range []string{"Lst", "Pair", "Opt", "Either", "Rose", "Col", "Wrap"} {
		d := gTypes[name]
		params := strings.Join(strings.Split(d.params, ""), " ")
		constructors := body(d.constructors, gSort{}, plain, "")
		switch style := g.IntN(4); {
		case style == 0:
			out += "(declare-datatypes (" + params + ") ((" + name + " " + constructors[1:] + "))\n"
		case len(d.params) == 0 && style < 3:
			out += "(declare-datatypes ((" + name + " 0)) (" + constructors + "))\n"
		case style == 1:
			out += "(declare-datatype " + name + " (par (" + params + ") " + constructors + "))\n"
		default:
			out += fmt.Sprintf("(declare-datatypes ((%s %d)) ((par (%s) %s)))\n", name, len(d.params), params, constructors)
		}
	}
	return out
}

// TestGenericsNaive: clauses with parameters are those that are written without.
func TestGenericsNaive(t *testing.T) {
	for seed := range soak.Long(uint64(600)) {
		g := &gGen{Rand: gen.Rand(seed), vars: map[string][]string{}, seen: map[string]gSort{}}
		for _, a := range []string{"Int", "Bool"} { // so that all have several instances
			for _, d := range []string{"Lst", "Opt", "Rose"} {
				g.need(gSort{d, []gSort{{name: a}}})
			}
			for _, d := range []string{"Pair", "Either"} {
				g.need(gSort{d, []gSort{{name: a}, {name: "Int"}}})
			}
		}
		params := []gSort{g.sort(3), g.sort(2)}
		var clauses []gTerm
		for range 3 {
			args := []gTerm{g.term(params[0], 3), g.term(params[1], 2)}
			clauses = append(clauses, join("(=> (and (P %s %s) %s) (P %s %s))", true, g.variable(params[0]), g.variable(params[1]), g.formula(4), args[0], args[1]))
		}
		text := func(mono bool) string {
			var b strings.Builder
			b.WriteString(g.declarations(mono))
			b.WriteString("(declare-fun Q (")
			for _, s := range g.all {
				b.WriteString(" " + s.text(mono))
			}
			fmt.Fprintf(&b, ") Bool)\n(declare-fun P (%s %s) Bool)\n", params[0].text(mono), params[1].text(mono))
			for _, c := range clauses {
				b.WriteString("(assert (forall (")
				for key, names := range g.vars {
					for _, v := range names {
						fmt.Fprintf(&b, "(%s %s)", v, g.seen[key].text(mono))
					}
				}
				if mono {
					b.WriteString(") " + c.mono + "))\n")
				} else {
					b.WriteString(") " + c.full + "))\n")
				}
			}
			return b.String()
		}
		read := func(mono bool) string {
			p, err := ParseText("p", text(mono))
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text(mono))
			}
			_, clauses, _ := strings.Cut(p.String(), "(declare-fun")
			return clauses
		}
		if a, b := read(false), read(true); a != b {
			t.Fatalf("seed %d:\n%s\nis read as\n%s, not as\n%s", seed, text(false), a, b)
		}
	}
}

// TestGenericsRead: where constructors need no sort, and how their names are written.
func TestGenericsRead(t *testing.T) {
	const types = "(declare-datatypes ((List 1)) ((par (T) ((nil) (insert (head T) (tail (List T)))))))"
	const clause = "(declare-fun P ((List Int)) Bool)(assert (forall ((l (List Int))) (=> (and (P l) (= (head l) 1)) (P (insert 2 nil)))))"
	one := mustParse(t, types+clause).String()
	if want := "(declare-datatypes ((List<Int> 0)) (((nil) (insert (head Int) (tail List<Int>)))))\n(declare-fun P (List<Int>) Bool)\n" +
		"(assert (forall ((l List<Int>)) (=> (and true (P l) (= (head l) 1)) (P (insert 2 nil)) )))\n"; one != want {
		t.Errorf("got\n%swant\n%s", one, want)
	}
	for _, text := range []string{
		clause, // z3 declares it itself
		"(declare-datatypes (T) ((List nil (insert (head T) (tail List)))))" + clause,
		"(declare-datatype List (par (X) (nil (insert (head X) (tail (List X))))))" + clause,
		types + "(define-sort L (A) (List A))(define-sort Ints () (L Int))(declare-fun P (Ints) Bool)" +
			"(assert (forall ((l Ints)) (=> (and (P l) (match l (((insert h t) (= h 1)) (nil (= (head l) 1))))) (P (insert 2 (as nil (L Int)))))))",
		types + "(declare-fun P ((List Int)) Bool)(assert (forall ((l (List Int))) (let ((k (insert 2 nil))) (or (not (P l)) (distinct 1 (head l)) (P k)))))",
		types + "(define-fun one ((l (List Int))) Bool (match l ((nil (= (head l) 1)) ((insert h _) (= h 1)))))(declare-fun P ((List Int)) Bool)" +
			"(assert (forall ((l (List Int))) (=> (and (P l) (one l)) (P (insert 2 nil)))))",
	} {
		got := strings.ReplaceAll(mustParse(t, text).String(), "(ite ((_ is nil) l) (= (head l) 1) (= (head l) 1))", "(= (head l) 1)")
		if got != one {
			t.Errorf("%s is read as\n%s, not as\n%s", text, got, one)
		}
	}
	sorts := mustParse(t, "(declare-sort X 0)"+types+"(declare-fun P ((List X)) Bool)(define-const n (List X) nil)(assert (forall ((l (List X))) (=> (and (P l) (distinct l n)) (P (insert (head l) n)))))").String()
	if want := "(assert (forall ((l List<X>)) (=> (and true (P l) (not (= l nil))) (P (insert (head l) nil)) )))"; !strings.Contains(sorts, want) {
		t.Errorf("%s\nlacks %s", sorts, want)
	}
	for _, clause := range []string{
		"(=> (P l) (= l m))", "(=> (and (P l) (distinct l m)) (P m))", "(=> (and (P l) (= (= l m) b)) (P m))", "(=> (and (P l) (= i (ite (= l m) 1 0))) (P m))", "(=> (and (P l) (= (select a x) i)) (P m))",
	} {
		if p, err := ParseText("p", "(declare-sort X 0)"+types+"(declare-fun P ((List X)) Bool)(assert (forall ((l (List X)) (m (List X)) (b Bool) (i Int) (x X) (a (Array X Int))) "+clause+"))"); err == nil {
			t.Errorf("%s is read as %v", clause, p)
		}
	}
	p := mustParse(t, types+"(declare-fun P ((List Int) (List (List Int))) Bool)(declare-const unused (List Bool))(assert (P nil (insert (insert 1 nil) nil)))")
	if got, want := p.Clauses[0].Head.Args[1].String(), "insert<List<Int>>(insert<Int>(1, nil<Int>), nil<List<Int>>)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	const solution = "(define-fun P ((x0 (List Int)) (x1 (List (List Int)))) Bool (and (= x0 (as nil (List Int))) (not (= x1 (insert x0 (as nil (List (List Int))))))))"
	s, err := p.ParseSolutionText("s", solution)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.WriteSolution(&b, s); err != nil {
		t.Fatal(err)
	}
	again, err := p.ParseSolutionText("s", b.String())
	if err != nil || again[0] != s[0] || !strings.Contains(b.String(), "(as nil (List (List Int)))") {
		t.Errorf("%v, %v\n%s", again, err, b.String())
	}
	if _, err := p.ParseSolutionText("s", strings.ReplaceAll(solution, "(List (List Int))", "(List Bool)")); err == nil {
		t.Error("a solution over other sorts is read")
	}
}

// TestQuantifiers: quantifiers of constraints are those of clauses.
func TestQuantifiers(t *testing.T) {
	const head = "(declare-fun P (Int) Bool)(declare-fun Q ((Array Int Int)) Bool)\n(assert "
	for text, plain := range map[string]string{
		"(forall ((x Int)) (=> (and (P x) (exists ((y Int)) (= x (* 2 y)))) (P (+ x 1))))":                                           "(forall ((x Int) (y Int)) (=> (and (P x) (= x (* 2 y))) (P (+ x 1))))",
		"(forall ((x Int)) (=> (P x) (forall ((y Int)) (> y x))))":                                                                   "(forall ((x Int) (y Int)) (=> (and (P x) (not (> y x))) false))",
		"(forall ((x Int)) (=> (and (P x) (not (forall ((y Int)) (> y x)))) false))":                                                 "(forall ((x Int) (y Int)) (=> (and (P x) (not (> y x))) false))",
		"(forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (Q a) (forall ((i Int)) (= (select a i) (select b i)))) (Q b)))": "(forall ((a (Array Int Int)) (b (Array Int Int))) (=> (and (Q a) (= a b)) (Q b)))",
	} {
		if got, want := mustParse(t, head+text+")").String(), mustParse(t, head+plain+")").String(); got != want {
			t.Errorf("%s is read as\n%s, not\n%s", text, got, want)
		}
	}
	for _, text := range []string{
		"(forall ((x Int)) (=> (P x) (exists ((y Int)) (P y))))", "(forall ((x Int)) (=> (forall ((y Int)) (P y)) (P x)))", "(forall ((x Int)) (=> (P x) (exists ((y Int)) (= (* y y) x))))",
		"(forall ((a (Array Int (Array Int Int))) (x Int)) (=> (forall ((i Int)) (= (select (select a i) i) (select (select a 0) i))) (P x)))",
	} {
		if p, err := ParseText("p", head+text+")"); err == nil {
			t.Errorf("%s is read as %v", text, p)
		}
	}
	or := mustParse(t, head+"(forall ((x Int)) (=> (and (P x) (or (exists ((y Int)) (> x y)) (< x 0))) (P 1))))")
	if len(or.Clauses) != 2 || or.Clauses[0].Constraint.String() != "x >= y + 1" && or.Clauses[0].Constraint.String() != "y <= x - 1" || or.Clauses[1].Constraint.String() != "x <= -1" {
		t.Errorf("%s", or)
	}
	rel := mustParse(t, "(declare-rel P (Int Bool))(declare-var x Int)(rule (P x true))(query P)").String()
	if want := mustParse(t, "(declare-rel P (Int Bool))(declare-var x Int)(declare-var P!0 Int)(declare-var P!1 Bool)(rule (P x true))(query (P P!0 P!1))").String(); rel != want {
		t.Errorf("got\n%swant\n%s", rel, want)
	}
}
