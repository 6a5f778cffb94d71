package clauses_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/program/clauses"
)

func mustParse(t testing.TB, text string) *program.System {
	t.Helper()
	sys, err := ParseText("a.smt2", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := sys.Validate(); err != nil {
		t.Fatal(err)
	}
	return sys
}

// show writes a system in short.
func show(sys *program.System) string {
	var b strings.Builder
	for _, v := range sys.Vars {
		fmt.Fprintf(&b, "%s:%s ", v, v.Sort())
	}
	for _, r := range sys.Init {
		fmt.Fprintf(&b, "| init %s %s ", sys.Locations[r.Location].Name, r.Where)
	}
	for _, e := range sys.Edges {
		fmt.Fprintf(&b, "| %s %s->%s when %s", e.Name, sys.Locations[e.From].Name, sys.Locations[e.To].Name, e.Command.Guard)
		for _, v := range sys.Vars {
			if by := e.Command.Update[v]; by != nil {
				fmt.Fprintf(&b, " %s:=%s", v, by)
			}
		}
		if len(e.Command.Inputs) > 0 {
			fmt.Fprintf(&b, " with %s", logic.Formats(e.Command.Inputs, logic.C, ","))
		}
		b.WriteByte(' ')
	}
	for _, r := range sys.Error {
		fmt.Fprintf(&b, "| error %s %s ", sys.Locations[r.Location].Name, r.Where)
	}
	return strings.TrimSpace(b.String())
}

// TestRead: what each form of a clause becomes.
func TestRead(t *testing.T) {
	const P = "(declare-fun P (Int) Bool)"
	const PQ = "(declare-fun P (Int Bool Int) Bool)(declare-fun Q (Bool Int) Bool)"
	for _, c := range []struct{ text, want string }{
		{"", "| init start true"},
		{"(assert false)", "| init start true | clause1 start->error when true | error error true"},
		{P, "v:Int"},
		{"(declare-fun P ((Array Int Int) Int) Bool)(assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int)) (=> (and (P a i) (= b (store a i 7))) (P b (select b 1)))))",
			"a:(Array Int Int) i:Int | clause1 P->P when true a:=store(a, i, 7) i:=store(a, i, 7)[1]"},
		{P + "(assert (P 3))", "v:Int | init P v == 3"},
		{P + "(assert (forall ((x Int)) (=> (> x 3) (P x))))", "x:Int | init P x >= 4"},
		{P + "(assert (forall ((x Int) (y Int)) (=> (= x (+ y 1)) (P (+ x y)))))",
			"v:Int | init start true | clause1 start->P when true v:=2*in.y + 1 with in.y"},
		{P + "(assert (forall ((x Int)) (P x)))", "x:Int | init P true"},
		{P + "(assert (forall ((x Int)(y Int)) (=> (and (P x) (= y (+ x 1))) (P y))))", "x:Int | clause1 P->P when true x:=x + 1"},
		{P + "(assert (forall ((x Int)(y Int)) (=> (and (P x) (= x (+ y 1)) (< y 7)) (P y))))", "x:Int | clause1 P->P when x <= 7 x:=x - 1"},
		{P + "(assert (forall ((x Int)(y Int)) (=> (and (P x) (= (* 2 y) x)) (P y))))", "x:Int | clause1 P->P when 2*in.y == x x:=in.y with in.y"},
		{P + "(assert (forall ((x Int)(y Int)) (=> (and (P x) (> y x)) (P y))))", "x:Int | clause1 P->P when in.y >= x + 1 x:=in.y with in.y"},
		{P + "(assert (! (forall ((x Int)) (=> (P (+ x 1)) (P x))) :named back))", "x:Int | back P->P when true x:=x - 1"},
		{P + "(assert (forall ((x Int)) (=> (and (P x) (> x 5)) false)))", "x:Int | error P x >= 6"},
		{P + "(assert (forall ((x Int)) (not (P 5))))", "v:Int | error P v == 5"},
		{P + "(assert (forall ((x Int)(y Int)) (=> (and (P x) (= x (* 2 y))) false)))",
			"x:Int | clause1 P->error when 2*in.y == x with in.y | error error true"},
		{PQ + "(assert (forall ((x Int)(b Bool)(y Int)(c Bool)) (=> (and (P x b y) (= c (not b))) (Q c (+ x y)))))",
			"x:Int b:Bool y:Int | clause1 P->Q when true x:=x + y b:=!b"},
		{PQ + "(assert (forall ((x Int)(b Bool)) (=> (and (Q b x) (not b)) (P x b x))))", "x:Int b:Bool x_2:Int | clause1 Q->P when !b x_2:=x"},
		{PQ + "(assert (forall ((x Int)(b Bool)) (=> (P x b x) false)))", "x:Int b:Bool x_2:Int | error P x == x_2"},
		{"(declare-fun |a b| (Int) Bool)(declare-fun start () Bool)(assert (forall ((|x!1| Int)) (=> (|a b| |x!1|) start)))(assert (=> (and) false))",
			"x_1:Int | init start_2 true | clause1 a b->start when true | clause2 start_2->error when true | error error true"},
	} {
		p, err := horn.ParseText("a.smt2", c.text)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := System(p)
		if err != nil || sys.Validate() != nil {
			t.Fatal(err, sys)
		}
		if got := show(sys); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestBadInput: each clause that is no transition has a message at its place.
func TestBadInput(t *testing.T) {
	const head = "(declare-fun P (Int) Bool)\n"
	for text, want := range map[string][]string{
		head + "(assert (forall ((x Int)) (=> (and (P x) (P 1) (P 2)) (P 3))))\n(assert (=> (and (P 1) (P 2)) false))": {
			"a:2:1: error: the clause has 3 predicates in its premise: it is not linear", "a:3:1: error: the clause has 2 predicates in its premise: it is not linear"},
		head + "(assert (P x))":           {`a:2:12: error: unknown variable "x"`},
		"(set-logic HORN)\n(check-sat)\n": {"a:1:1: error: there are no clauses"},
	} {
		_, err := ParseText("a", text)
		l, ok := err.(program.Diagnostics)
		if !ok || len(l) != len(want) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for i, d := range l {
			if d.Error() != want[i] {
				t.Errorf("%s:\n got %s\nwant %s", text, d.Error(), want[i])
			}
		}
	}
}

// TestSpans: what is read knows where it stands.
func TestSpans(t *testing.T) {
	sys := mustParse(t, "(declare-fun P (Int) Bool) (assert (P 1)) (assert (! (=> (P 1) (P 2)) :named step))\n(assert (not (P 3)))")
	for want, got := range map[string]string{"P": sys.Locations[0].Span.Text(), "(assert (P 1))": sys.Init[0].Span.Text(),
		"(assert (! (=> (P 1) (P 2)) :named step))": sys.Edges[0].Span.Text(), "(assert (not (P 3)))": sys.Error[0].Span.Text(), "step": sys.Edges[0].Name} {
		if got != want {
			t.Errorf("%q is said to be at %q", want, got)
		}
	}
	if sys := mustParse(t, "(declare-fun P (Int) Bool)(assert (P 1))"); len(sys.Warnings) != 1 || sys.Warnings[0].Code != "no-error" {
		t.Errorf("%v", sys.Warnings)
	}
}

// TestRandom: a random system that is written as clauses, in whatever way, and read again
// reaches an error if and only if it did; Z3 has the same answer.
func TestRandom(t *testing.T) {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	unsafe, asked := 0, 0
	for seed := range soak.Long(uint64(80)) {
		r := rand.New(rand.NewPCG(seed, 50))
		sys := gen.NewSystem(r)
		want := naive.Unsafe(sys, gen.SystemMax)
		if want {
			unsafe++
		}
		p := Problem(sys)
		for i, q := range []*horn.Problem{p, gen.Rewrite(r, p)} {
			if err := q.Validate(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			again := mustParse(t, q.String())
			if got := naive.Unsafe(again, gen.RewriteMax); got != want {
				t.Fatalf("seed %d: unsafe is %v, of the clauses\n%s\n%s\nit is %v", seed, want, q, show(again), got)
			}
			if i == 0 && (len(again.Edges) != len(sys.Edges) || len(again.Init) != len(sys.Init) || len(again.Error) != len(sys.Error) || len(again.Locations) != len(sys.Locations)) {
				t.Fatalf("seed %d: another shape:\n%s\n%s", seed, show(sys), show(again))
			}
		}
		if seed%5 != 0 {
			continue
		}
		answer, err := z.Horn(context.Background(), gen.Rewrite(r, p), 0)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Status != smt.Unknown {
			asked++
			if (answer.Status == smt.Unsat) != want {
				t.Fatalf("seed %d: unsafe is %v, Z3 says %v", seed, want, answer.Status)
			}
		}
	}
	if n := soak.Long(80); unsafe < n/4 || unsafe > n*3/4 || asked < n/10 {
		t.Errorf("of %d systems %d are unsafe, and Z3 decided %d", n, unsafe, asked)
	}
}

// TestWords: so it is with machine words.
func TestWords(t *testing.T) {
	for seed := range soak.Long(uint64(100)) {
		sys := gen.NewWordSystem(rand.New(rand.NewPCG(seed, 51)))
		again := mustParse(t, Problem(sys).String())
		if got, want := naive.Unsafe(again, 3), naive.Unsafe(sys, 3); got != want {
			t.Fatalf("seed %d: unsafe is %v, of the clauses it is %v", seed, want, got)
		}
	}
}

// TestTables: and with arrays; functions are no Horn clauses.
func TestTables(t *testing.T) {
	arrays, functions := 0, 0
	for seed := range soak.Long(uint64(40)) {
		sys := gen.NewTableSystem(rand.New(rand.NewPCG(seed, 52)))
		p := Problem(sys)
		if slices.ContainsFunc(sys.Vars, program.Rigid) {
			functions++
			if p.Validate() == nil {
				t.Fatalf("seed %d: a function is a parameter", seed)
			}
			continue
		}
		arrays++
		again := mustParse(t, p.String())
		if got, want := naive.Unsafe(again, gen.SystemMax), naive.Unsafe(sys, gen.SystemMax); got != want {
			t.Fatalf("seed %d: unsafe is %v, of the clauses it is %v", seed, want, got)
		}
	}
	if n := soak.Long(40); n >= 40 && (arrays < n/4 || functions < n/4) {
		t.Errorf("%d systems with arrays, %d with functions", arrays, functions)
	}
}

func FuzzParse(f *testing.F) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 52))
		f.Add(gen.Rewrite(r, Problem(gen.NewSystem(r))).String())
		f.Add(Problem(gen.NewWordSystem(r)).String())
	}
	f.Add("(declare-fun P (Int Bool Real) Bool)(assert (forall ((a Int)(b Bool)(c Real)) (=> (and (P a (not b) (* 2.0 c)) (= b (> a 1)) (= c (to_real a))) (P (div a 2) (and b b) c))))(assert (not (P 1 true 0.5)))")
	f.Fuzz(func(t *testing.T, text string) {
		sys, err := ParseText("a", text)
		if err != nil {
			if l, ok := err.(program.Diagnostics); !ok || len(l) == 0 {
				t.Errorf("not a list of diagnostics: %v", err)
			}
			return
		}
		if err := sys.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		p := Problem(sys)
		if err := p.Validate(); err != nil {
			t.Fatalf("%s\nis written as\n%s\nbut %v", text, p, err)
		}
		again, err := ParseText("b", p.String())
		if err != nil || len(again.Edges) != len(sys.Edges) {
			t.Fatalf("%s\nis written as\n%s\n%v", text, p, err)
		}
	})
}
