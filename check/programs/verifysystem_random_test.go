package programs

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// TestVerifySystemNaive compares verdicts about random systems, whose states are few, with a tableau
// of the formula on the graph of all states: that graph is made by evaluation, from what
// docs/verify.md says of runs, and nothing of the engine is used.
func TestVerifySystemNaive(t *testing.T) {
	pool := Common
	counts := map[string]int{}
	asked, decided := 0, 0
	for seed := range uint64(soak.Long(150)) {
		g := &systemMaker{Rand: rand.New(rand.NewPCG(seed, 7))}
		text := g.system()
		sys, err := gcl.ParseText("random.gcl", text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		for range 6 {
			formula := g.formula(3)
			for naive.Temporal(parsedFormula(t, sys, formula).formula) > mostTemporal {
				formula = g.formula(3)
			}
			opts := check.Verification{Finite: []product.FiniteRuns{product.StutterRuns, product.StutterRuns, product.IgnoreRuns}[g.IntN(3)]}
			fairness := naive.NoFairness
			if g.IntN(6) == 0 {
				opts.Fair, fairness = check.StrongFairActions, naive.StrongFair
			}
			graph, lost := graphOf(t, sys, formula)
			want := report.Holds
			if graph.Satisfiable(ltl.MakeNot(parsedFormula(t, sys, formula).formula), opts.Finite == product.StutterRuns, fairness) {
				want = report.Violated
			}
			got := verifySystem(t, pool, sys, formula, opts)
			asked++
			counts[fmt.Sprint(want, " ", got.Verdict, " lost ", lost)]++
			switch {
			case got.Verdict == report.Unknown:
				if testing.Verbose() {
					t.Logf("seed %d: %s: %s", seed, formula, got.Reason)
				}
			case lost && got.Verdict == report.Holds:
				t.Errorf("seed %d: %s holds, but a run divides by zero\n%s", seed, formula, text)
			case !lost && got.Verdict != want:
				t.Errorf("seed %d: %s (%v, %v) is %s, but should be %s\n%s", seed, formula, opts.Finite, opts.Fair, got.Verdict, want, text)
			case !lost:
				decided++
			}
			if got.Verdict == report.Holds && g.IntN(8) == 0 {
				verdict := certifySystem(t, pool, sys, formula, opts)
				if counts["certificates "+verdict]++; verdict == "violated" {
					t.Errorf("seed %d: the certificate of %s (%v, %v) is refused\n%s", seed, formula, opts.Finite, opts.Fair, text)
				}
			}
		}
	}
	t.Logf("%d of %d decided: %v", decided, asked, counts)
	if decided*10 < asked*8 {
		t.Errorf("only %d of %d are decided: %v", decided, asked, counts)
	}
}

// mostTemporal bounds the temporal operators of a formula, in which the tableau is exponential.
const mostTemporal = 7

func verifySystem(t *testing.T, pool *smt.Pool, sys *program.System, formula string, opts check.Verification) *report.Result {
	t.Helper()
	src := source.NewFile("<formula>", formula)
	r, _, err := VerifySystem(context.Background(), sys, []SystemFormula{{At: src.Span(0, len(formula))}}, pool, opts, cegar.Options{Rounds: 60})
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	return &r.Results[0]
}

// certifySystem writes the certificate of a formula that holds, and checks it.
func certifySystem(t *testing.T, pool *smt.Pool, sys *program.System, formula string, opts check.Verification) string {
	t.Helper()
	src := source.NewFile("<formula>", formula)
	at := src.Span(0, len(formula))
	r, results, err := VerifySystem(context.Background(), sys, []SystemFormula{{At: at}}, pool, opts, cegar.Options{Rounds: 60, Without: passes.Default()})
	if err != nil || r.Results[0].Verdict == report.Violated {
		t.Errorf("%s without passes: %v, %v", formula, r, err)
		return "error"
	}
	if r.Results[0].Verdict != report.Holds {
		return "without a proof"
	}
	var b bytes.Buffer
	if err := WriteCertificate(&b, &results[0].Result.Answer, certificate.Satisfaction, nil); err != nil {
		t.Errorf("%s: %v", formula, err)
		return "error"
	}
	q := &CertifiedSystem{System: sys, Formula: at, Finite: opts.Finite, Fair: opts.Fair, Visible: results[0].Visible}
	r, err = CertificateSystem(context.Background(), q, &b, pool, check.Options{})
	if err != nil {
		t.Errorf("%s: %v", formula, err)
		return "error"
	}
	return string(r.Results[0].Verdict)
}

func parsedFormula(t *testing.T, sys *program.System, text string) *systemFormula {
	t.Helper()
	src := source.NewFile("<formula>", text)
	f, err := systemFormulaOf(src.Span(0, len(text)), sys)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

// graphOf makes the graph of all states of a system by evaluation: lost reports that a state is
// reached from which a command divides by zero.
func graphOf(t *testing.T, sys *program.System, formula string) (g *naive.Structure, lost bool) {
	g = &naive.Structure{}
	numbers := map[string]int{}
	type state struct {
		at     int
		values logic.Model
	}
	var all []state
	number := func(at int, values logic.Model) int {
		key := fmt.Sprint(at, values)
		n, known := numbers[key]
		if !known {
			n = len(all)
			numbers[key] = n
			all = append(all, state{at, values})
			g.States = append(g.States, naive.StructureState{Props: map[string]bool{}})
		}
		return n
	}
	for _, r := range sys.Init {
		for _, m := range halves(sys.Vars) {
			if ok, err := logic.Holds(r.Where, m); ok && err == nil {
				g.Initial = append(g.Initial, number(r.Location, m))
			}
		}
	}
	props := parsedFormula(t, sys, formula).props
	for i := 0; i < len(all); i++ {
		if i > 5000 {
			t.Fatal("too many states")
		}
		s := all[i]
		for _, p := range props {
			ok, err := logic.Holds(p.Where(s.at), s.values)
			if err != nil {
				lost = true
			}
			g.States[i].Props[p.Name] = ok
		}
		for _, e := range sys.Edges {
			if e.From != s.at {
				continue
			}
			for _, in := range halves(e.Command.Inputs) {
				next, err := e.Command.Step(s.values, in)
				if err != nil {
					lost = lost || strings.Contains(err.Error(), logic.ErrDivisionByZero.Error())
					continue
				}
				g.States[i].Edges = append(g.States[i].Edges, naive.StructureEdge{Event: e.Name, Target: number(e.To, next), Moved: []int{0}})
			}
		}
	}
	return g, lost
}

// halves are valuations: of numbers those from -1 to 3, of reals the halves between them, too.
func halves(vars []*logic.Term) []logic.Model {
	all := []logic.Model{{}}
	for _, v := range vars {
		var values []*logic.Term
		switch s := v.Sort(); {
		case s == logic.Bool:
			values = []*logic.Term{logic.False(), logic.True()}
		case s == logic.Real:
			for n := int64(-2); n <= 6; n++ {
				values = append(values, logic.RealConst(n, 2))
			}
		case s == logic.Int:
			for n := int64(-1); n <= 3; n++ {
				values = append(values, logic.IntConst(n))
			}
		default:
			for n := range int64(1) << s.Width() {
				values = append(values, logic.BVConst(big.NewInt(n), s.Width()))
			}
		}
		var longer []logic.Model
		for _, m := range all {
			for _, t := range values {
				value, err := logic.Eval(t, nil)
				if err != nil {
					panic(err)
				}
				next := logic.Model{v.Name(): value}
				for name, x := range m {
					next[name] = x
				}
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

// systemMaker makes random systems whose numbers stay between 0 and 3, and formulas about them.
type systemMaker struct {
	*rand.Rand
	places int
	events []string
	vars   []string
	sorts  []string
}

func (g *systemMaker) system() string {
	g.places, g.events, g.vars, g.sorts = 1+g.IntN(4), nil, nil, nil
	var b strings.Builder
	for _, name := range []string{"x", "y"}[:1+g.IntN(2)] {
		sort := []string{"int", "int", "int", "real", "bv2", "bool"}[g.IntN(6)]
		g.vars, g.sorts = append(g.vars, name), append(g.sorts, sort)
		fmt.Fprintf(&b, "var %s: %s;\n", name, sort)
	}
	b.WriteString("input n: int;\nlocations l0")
	for i := 1; i < g.places; i++ {
		fmt.Fprintf(&b, ", l%d", i)
	}
	b.WriteString(";\n")
	var begin []string
	for i, v := range g.vars {
		if g.sorts[i] == "real" {
			begin = append(begin, fmt.Sprintf("(%[1]s == 0 || %[1]s == 1 || %[1]s == 5.0/2)", v))
			continue
		}
		begin = append(begin, g.within(v, g.sorts[i]))
	}
	if g.IntN(2) == 0 {
		begin = append(begin, g.test(false))
	}
	// One state is initial in any case.
	fmt.Fprintf(&b, "init l0 when %s;\n", strings.Join(begin, " && "))
	var least []string
	for i, v := range g.vars {
		least = append(least, map[string]string{"int": v + " == 0", "real": v + " == 0", "bv2": v + " == 0bv2", "bool": "!" + v}[g.sorts[i]])
	}
	fmt.Fprintf(&b, "init l0 when %s;\n", strings.Join(least, " && "))
	if g.IntN(3) == 0 {
		fmt.Fprintf(&b, "error l%d when %s;\n", g.IntN(g.places), g.test(false))
	}
	for i := range 1 + g.IntN(2*g.places) {
		g.events = append(g.events, []string{"a", "b", "c", fmt.Sprint("e", i)}[g.IntN(4)])
		fmt.Fprintf(&b, "%s: l%d -> l%d%s;\n", g.events[i], min(i, g.IntN(g.places)), g.IntN(g.places), g.command())
	}
	return b.String()
}

// within keeps a term small.
func (g *systemMaker) within(term, sort string) string {
	if sort == "int" || sort == "real" {
		return fmt.Sprintf("0 <= %[1]s && %[1]s <= 3", term)
	}
	return "true"
}

func (g *systemMaker) command() string {
	var guards, updates []string
	input := false
	if g.IntN(3) > 0 {
		guards = append(guards, g.test(true))
	}
	for i, v := range g.vars {
		if g.IntN(3) == 0 {
			continue
		}
		term, uses := g.term(i)
		input = input || uses
		updates = append(updates, v+" := "+term)
		guards = append(guards, g.within("("+term+")", g.sorts[i]))
	}
	if input {
		guards = append(guards, []string{"0 <= n && n <= 1", "(n == 0 || n == 2)", "0 <= n && n < 3"}[g.IntN(3)])
	}
	text := ""
	if guards = slices.DeleteFunc(guards, func(s string) bool { return s == "true" }); len(guards) > 0 {
		text = " when " + strings.Join(guards, " && ")
	}
	if len(updates) > 0 {
		text += " do " + strings.Join(updates, ", ")
	}
	return text
}

func (g *systemMaker) term(i int) (text string, input bool) {
	v := g.vars[i]
	other := v
	if k := g.IntN(len(g.vars)); g.sorts[k] == g.sorts[i] {
		other = g.vars[k]
	}
	pick := func(all ...string) string { return all[g.IntN(len(all))] }
	switch g.sorts[i] {
	case "bool":
		return pick("true", "false", "!"+v, other), false
	case "bv2":
		return pick("bvadd("+v+", 1bv2)", "bvsub("+v+", 1bv2)", "0bv2", "bvadd("+v+", 2bv2)", other), false
	case "real":
		return pick(v+" - 1", v+" - 1.0/2", v+" + 1", "0", "3", other, v+" + "+other), false
	}
	text = pick(v+" - 1", v+" - 1", v+" + 1", v+" + 1", v+" - 2", "0", "3", other, v+" + "+other, "3 - "+v, v+" - "+other, "n", v+" - n", v+"/"+pick("2", "2", other), v+" % 2")
	return text, strings.Contains(text, "n")
}

func (g *systemMaker) test(command bool) string {
	i := g.IntN(len(g.vars))
	v := g.vars[i]
	other := v
	if k := g.IntN(len(g.vars)); g.sorts[k] == g.sorts[i] && k != i {
		other = g.vars[k]
	}
	number := fmt.Sprint(g.IntN(4))
	if other != v && g.IntN(2) == 0 {
		number = other
	}
	switch g.sorts[i] {
	case "bool":
		return []string{v, "!" + v}[g.IntN(2)]
	case "bv2":
		if number != other {
			number += "bv2"
		}
		return []string{v + " == " + number, v + " != " + number, "bvult(" + v + ", " + number + ")", "bvsle(" + v + ", " + number + ")"}[g.IntN(4)]
	}
	return v + " " + []string{"==", "!=", "<", "<=", ">", ">="}[g.IntN(6)] + " " + number
}

func (g *systemMaker) formula(depth int) string {
	atom := func() string {
		switch g.IntN(8) {
		case 0:
			return "deadlock"
		case 1:
			return fmt.Sprintf(`"at(l%d)"`, g.IntN(g.places))
		case 2:
			return "error"
		case 3:
			return g.events[g.IntN(len(g.events))]
		default:
			return `"` + g.test(false) + `"`
		}
	}
	if depth == 0 || g.IntN(8) == 0 {
		return atom()
	}
	sub := func() string { return g.formula(depth - 1) }
	switch g.IntN(14) {
	case 0, 1:
		return "F (" + sub() + ")"
	case 2, 3:
		return "G (" + sub() + ")"
	case 4:
		return "G F (" + sub() + ")"
	case 5:
		return "F G (" + sub() + ")"
	case 6, 7:
		return "G ((" + sub() + ") -> F (" + sub() + "))"
	case 8:
		return "!(" + sub() + ")"
	case 9:
		return "(" + sub() + ") U (" + sub() + ")"
	case 10:
		return "(" + sub() + ") & (" + sub() + ")"
	case 11:
		return "(" + sub() + ") | (" + sub() + ")"
	case 12:
		return "X (" + sub() + ")"
	default:
		return "F deadlock"
	}
}
