package clp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/cells"
	"github.com/seltl/seltl/internal/houdini"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"

	. "github.com/seltl/seltl/clp"
)

// cellsProgram is a random program over arrays a and b with elements 0 to n-1, as loops and a claim about each
// element. It is text of SMT-LIB, and a function on concrete values for the test to run it.
type cellsProgram struct {
	loops []cellsLoop
	claim cellsClaim
}

// cellsState is what a program works on.
type cellsState struct {
	n, m int
	a, b []int
}

// cellsLoop is for (i = from; i < n - less; i++) body.
type cellsLoop struct {
	from, less int
	body       cellsBody
}

// cellsBody is a statement: what it makes of m, a and b as terms, and what it does. It is done only where guard holds.
type cellsBody struct {
	guard, m, a, b string
	do             func(s *cellsState, i int)
}

// cellsClaim is what is to hold of all k from 0 to n-1.
type cellsClaim struct {
	text  string
	holds func(s *cellsState, k int) bool
}

// cellsAt is an element; there is none outside of the arrays, where no program reads or writes.
func cellsAt(x []int, i int) *int {
	if i < 0 || i >= len(x) {
		return new(int)
	}
	return &x[i]
}

func cellsBodies(r *rand.Rand) cellsBody {
	c := r.IntN(2)
	switch r.IntN(8) {
	case 0, 1: // fill
		return cellsBody{"true", "m", fmt.Sprintf("(store a i %d)", c), "b", func(s *cellsState, i int) { *cellsAt(s.a, i) = c }}
	case 2: // copy
		return cellsBody{"true", "m", "a", "(store b i (select a i))", func(s *cellsState, i int) { *cellsAt(s.b, i) = *cellsAt(s.a, i) }}
	case 3: // copy with a number added
		return cellsBody{"true", "m", "a", fmt.Sprintf("(store b i (+ (select a i) %d))", c), func(s *cellsState, i int) { *cellsAt(s.b, i) = *cellsAt(s.a, i) + c }}
	case 4: // the largest one
		return cellsBody{"(> (select a i) m)", "(select a i)", "a", "b", func(s *cellsState, i int) { s.m = max(s.m, *cellsAt(s.a, i)) }}
	case 5: // partition: what is small is made 0
		return cellsBody{fmt.Sprintf("(< (select a i) %d)", c), "m", "(store a i 0)", "b", func(s *cellsState, i int) {
			if *cellsAt(s.a, i) < c {
				*cellsAt(s.a, i) = 0
			}
		}}
	case 6: // swap
		return cellsBody{"true", "m", "(store a i (select b i))", "(store b i (select a i))", func(s *cellsState, i int) {
			x, y := cellsAt(s.a, i), cellsAt(s.b, i)
			*x, *y = *y, *x
		}}
	}
	// reverse
	return cellsBody{"true", "m", "a", "(store b (- (- n 1) i) (select a i))", func(s *cellsState, i int) { *cellsAt(s.b, s.n-1-i) = *cellsAt(s.a, i) }}
}

func randomCells(r *rand.Rand) *cellsProgram {
	p := &cellsProgram{}
	for range 1 + r.IntN(2) {
		l := cellsLoop{body: cellsBodies(r)}
		if r.IntN(6) == 0 {
			l.from = 1
		}
		if r.IntN(6) == 0 {
			l.less = 1
		}
		p.loops = append(p.loops, l)
	}
	c := r.IntN(2)
	claims := []cellsClaim{
		{fmt.Sprintf("(= (select a k) %d)", c), func(s *cellsState, k int) bool { return s.a[k] == c }},
		{"(= (select a k) (select b k))", func(s *cellsState, k int) bool { return s.a[k] == s.b[k] }},
		{"(<= (select a k) (select b k))", func(s *cellsState, k int) bool { return s.a[k] <= s.b[k] }},
		{"(<= (select a k) m)", func(s *cellsState, k int) bool { return s.a[k] <= s.m }},
		{fmt.Sprintf("(>= (select a k) %d)", c), func(s *cellsState, k int) bool { return s.a[k] >= c }},
		{"(= (select b (- (- n 1) k)) (select a k))", func(s *cellsState, k int) bool { return s.b[s.n-1-k] == s.a[k] }},
	}
	p.claim = claims[r.IntN(len(claims))]
	return p
}

// text is the program as clauses.
func (p *cellsProgram) text() string {
	var b strings.Builder
	const vars = "((i Int) (n Int) (m Int) (k Int) (a (Array Int Int)) (b (Array Int Int)))"
	b.WriteString("(set-logic HORN)\n")
	for l := range p.loops {
		fmt.Fprintf(&b, "(declare-fun L%d (Int Int Int (Array Int Int) (Array Int Int)) Bool)\n", l)
	}
	clause := func(premise, conclusion string) {
		fmt.Fprintf(&b, "(assert (forall %s (=> %s %s)))\n", vars, premise, conclusion)
	}
	clause("(= m 0)", fmt.Sprintf("(L0 %d n m a b)", p.loops[0].from))
	for l, loop := range p.loops {
		here := fmt.Sprintf("(L%d i n m a b)", l)
		going := fmt.Sprintf("(< i (- n %d))", loop.less)
		clause(fmt.Sprintf("(and %s %s %s)", here, going, loop.body.guard), fmt.Sprintf("(L%d (+ i 1) n %s %s %s)", l, loop.body.m, loop.body.a, loop.body.b))
		if loop.body.guard != "true" {
			clause(fmt.Sprintf("(and %s %s (not %s))", here, going, loop.body.guard), fmt.Sprintf("(L%d (+ i 1) n m a b)", l))
		}
		if l+1 < len(p.loops) {
			clause(fmt.Sprintf("(and %s (not %s))", here, going), fmt.Sprintf("(L%d %d n m a b)", l+1, p.loops[l+1].from))
		} else {
			clause(fmt.Sprintf("(and %s (not %s) (<= 0 k) (< k n) (not %s))", here, going, p.claim.text), "false")
		}
	}
	b.WriteString("(check-sat)\n")
	return b.String()
}

// fails runs the program on all arrays with up to three elements from 0 to 2.
func (p *cellsProgram) fails() bool {
	for n := range 4 {
		count := 1
		for range 2 * n {
			count *= 3
		}
		for code := range count {
			s := &cellsState{n: n, a: make([]int, n), b: make([]int, n)}
			for i := range n {
				s.a[i], code = code%3, code/3
				s.b[i], code = code%3, code/3
			}
			for _, l := range p.loops {
				for i := l.from; i < n-l.less; i++ {
					l.body.do(s, i)
				}
			}
			for k := range n {
				if !p.claim.holds(s, k) {
					return true
				}
			}
		}
	}
	return false
}

// byQuantifiers asks z3 whether a solution, as WriteSolution writes it, satisfies the clauses of a text, with the quantifiers
// of both: "sat" is a clause that it does not satisfy.
func byQuantifiers(t *testing.T, text, solution string) (answers []string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(solution)
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "(assert ") {
			fmt.Fprintf(&b, "(push)\n(assert (not %s)\n(check-sat)\n(pop)\n", strings.TrimPrefix(line, "(assert "))
		}
	}
	cmd := exec.Command("z3", "-in", "-t:1000")
	cmd.Stdin = strings.NewReader(b.String())
	out, _ := cmd.Output()
	return strings.Fields(string(out))
}

// TestCells: no claim that a run with a few elements breaks has a solution over cells; solutions satisfy the clauses by
// z3's own quantifiers, too; changed ones are refused, or satisfy them by these.
func TestCells(t *testing.T) {
	cases := soak.Long(60)
	checker, err := common.Another()
	if err != nil {
		t.Fatal(err)
	}
	defer common.Release(checker)
	var solved, open, wrong, confirmed, mutants, refused int
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 4516))
		p := randomCells(r)
		for seed%2 == 0 && p.fails() {
			p = randomCells(r)
		}
		text := p.text()
		problem, err := horn.ParseText("cells", text)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Decide(context.Background(), OfProblem(problem), common, Options{Without: []Method{CAR, Spacer, ARMC, Sizes}, Turns: 1})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		fails := p.fails()
		switch {
		case fails:
			wrong++
			if res.Verdict != Unknown {
				t.Fatalf("seed %d: %s, but a run fails\n%s", seed, res.Verdict, text)
			}
		case res.Verdict == outcome.Holds:
			solved++
		default:
			open++
		}
		if res.Verdict != Underivable {
			continue
		}
		own := cellsWritten(t, problem, res.Solution)
		if again, err := problem.ParseSolutionText("again", own); err != nil || CheckSolution(context.Background(), problem, again, checker) != nil {
			t.Fatalf("seed %d: what is written is read as %v, %v\n%s", seed, again, err, own)
		}
		answers := byQuantifiers(t, text, own)
		if slices.Contains(answers, "sat") {
			t.Fatalf("seed %d: z3 finds a clause that the solution does not satisfy: %v\n%s%s", seed, answers, text, own)
		}
		if !slices.Contains(answers, "unknown") {
			confirmed++
		}
		for range 3 {
			mutant := cellsMutant(r, res.Solution)
			mutants++
			if err := CheckSolution(context.Background(), problem, mutant, checker); err != nil {
				refused++
			} else if own := cellsWritten(t, problem, mutant); slices.Contains(byQuantifiers(t, text, own), "sat") {
				t.Fatalf("seed %d: a changed solution is accepted that is none\n%s%s", seed, text, own)
			}
		}
	}
	t.Logf("%d cases: %d with failing runs, none solved; of the others %d solved, %d open; z3 confirms %d; of %d mutants %d refused", cases, wrong, solved, open, confirmed, mutants, refused)
	if solved == 0 || mutants > 20 && refused == 0 {
		t.Error("nothing was compared")
	}
}

func cellsWritten(t *testing.T, p *horn.Problem, s horn.Solution) string {
	t.Helper()
	var b strings.Builder
	if err := p.WriteSolution(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// cellsMutant changes a number of one formula, or leaves out a conjunct.
func cellsMutant(r *rand.Rand, s horn.Solution) horn.Solution {
	out := slices.Clone(s)
	i := r.IntN(len(out))
	all := slices.Clone(logic.Conjuncts(out[i]))
	if len(all) == 0 {
		out[i] = logic.False()
		return out
	}
	k := r.IntN(len(all))
	if atoms := logic.Atoms(all[k]); len(atoms) > 0 && r.IntN(3) > 0 {
		a := atoms[r.IntN(len(atoms))]
		by := logic.Not(a)
		if len(a.Args()) == 2 && a.Args()[0].Sort() == logic.Int {
			by = logic.Rebuild(a, []*logic.Term{logic.Add(a.Args()[0], logic.IntConst(int64(r.IntN(2)*2-1))), a.Args()[1]})
		}
		all[k] = logic.Substitute(all[k], map[*logic.Term]*logic.Term{a: by})
	} else {
		all = slices.Delete(all, k, k+1)
	}
	out[i] = logic.And(all...)
	return out
}

// TestMentioned: what is made of what the clauses mention is a solution, and there is none where a run fails.
func TestMentioned(t *testing.T) {
	s, err := common.Another()
	if err != nil {
		t.Fatal(err)
	}
	defer common.Release(s)
	var solved, open, wrong int
	for seed := range soak.Seeds(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 4517))
		p := randomCells(r)
		for seed%3 > 0 && p.fails() {
			p = randomCells(r)
		}
		problem, err := horn.ParseText("cells", p.text())
		if err != nil {
			t.Fatal(err)
		}
		z := cells.New(problem, cells.Shapes[0])
		indices, elements := z.Cells()
		s.Reset()
		guess, err := houdini.Solve(context.Background(), z.Abstract(), indices, elements, s, 500_000)
		if err != nil {
			t.Fatal(err)
		}
		fails := p.fails()
		switch {
		case guess.Solution == nil && fails:
			wrong++
		case guess.Solution == nil:
			open++
		case fails:
			t.Fatalf("seed %d: a solution, but a run fails\n%s", seed, p.text())
		default:
			solved++
			s.Reset()
			if err := CheckSolution(context.Background(), problem, z.Solution(guess.Solution), s); err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, p.text())
			}
		}
	}
	t.Logf("%d with failing runs, none solved; %d solved, %d open", wrong, solved, open)
	if solved < 5 || wrong < 5 {
		t.Error("too little was compared")
	}
}
