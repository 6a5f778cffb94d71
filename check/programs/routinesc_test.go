package programs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

func parsedC(t *testing.T, name, text string, defines ...string) *ir.Program {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile(name, text)}, cfront.Options{Defines: defines})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

func byRelations(t *testing.T, p *ir.Program, how safety.Integers) (*report.Report, *safety.RoutinesAnswer) {
	t.Helper()
	enc, err := encode.EncodeApart(context.Background(), p, "", false)
	if err != nil {
		t.Fatal(err)
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	r, res, err := programs.ReachRoutines(context.Background(), enc, pool, check.Options{}, clp.Options{Method: clp.CAR, Rounds: 12}, how)
	if err != nil {
		t.Fatal(err)
	}
	plainAgain(t, p, r)
	return r, res
}

// randomRecursion is a program with a recursive routine, a second one that it may call and
// that may call it, and a global, which depends on one input from 0 to 2.
func randomRecursion(rng *rand.Rand) string {
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	expr := func(vars ...string) string {
		switch rng.IntN(4) {
		case 0:
			return fmt.Sprint(rng.IntN(4))
		case 1:
			return pick(vars...)
		case 2:
			return pick(vars...) + pick(" + ", " - ") + fmt.Sprint(rng.IntN(3))
		}
		return pick(vars...) + pick(" + ", " - ") + pick(vars...)
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("int input(void);\nint g;\nint f(int n, int a);")
	byPointer := rng.IntN(3) == 0
	if byPointer {
		line("void h(int n, int *p) {\n  if (n > 0) *p = %s;\n  else *p = *p + 1;\n}", pick("f(n - 1, 1)", "n", "f(n - 1, n)"))
	} else {
		line("int h(int n, int a) {\n  if (n <= 0) return %s;\n  return f(n - 1, %s);\n}", expr("a", "g"), expr("a", "n", "g"))
	}
	line("int f(int n, int a) {\n  int x = 1;\n  if (n <= 0) return %s;", expr("a", "g"))
	if rng.IntN(2) == 0 {
		line("  g = %s;", expr("g", "a", "n"))
	}
	line("  x = f(n - 1, %s);", expr("a", "n"))
	switch {
	case byPointer:
		line("  h(n - 1, &x);")
	case rng.IntN(2) == 0:
		line("  if (x %s %d) x = h(n - 1, x);", pick("<", "==", ">"), rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		line("  while (x > 2) x = x - %d;", 1+rng.IntN(2))
	}
	if rng.IntN(4) == 0 {
		line("  if (x == %d && n == %d) { ERROR: return 0; }", rng.IntN(5), 1+rng.IntN(2))
	}
	line("  return %s;\n}", expr("x", "a", "g", "n"))
	line("int main(void) {\n  int n = input();\n  if (n < 0 || n > 2) return 0;\n  int r = f(n, %d);\n  if (%s == %d) %s;\n  return 0;\n}", rng.IntN(3), pick("r", "g"), rng.IntN(6)-1,
		map[bool]string{true: "return 1", false: "{ ERROR: return 1; }"}[strings.Contains(b.String(), "ERROR")])
	return b.String()
}

// failsFor runs a program on each input.
func failsFor(t *testing.T, p *ir.Program) bool {
	t.Helper()
	for n := range uint64(3) {
		m := &machine.Machine{Program: p, MaxSteps: 100_000, MaxDepth: 1000, Choose: func(c *machine.Choice) (uint64, error) {
			if c.Call == nil {
				return 0, nil
			}
			return n, nil
		}}
		out, err := m.Run(p.Func("main"), nil)
		if err != nil || out.Ending == machine.Exceeded || out.Ending == machine.Undefined {
			t.Fatalf("%v %+v", err, out)
		}
		if out.Ending == machine.Failed {
			return true
		}
	}
	return false
}

// TestRandomRecursion: relations decide random programs with recursion, locals that pointers
// know, a global and a loop as running them on all inputs does.
func TestRandomRecursion(t *testing.T) {
	cases, decided := soak.Long(10), 0
	for seed := range uint64(cases) {
		text := randomRecursion(rand.New(rand.NewPCG(seed, 19)))
		p := parsedC(t, "random.c", text)
		fails := failsFor(t, p)
		how := safety.MathIntegers // numbers are small
		if !testing.Short() && seed%8 == 0 {
			how = safety.AutoIntegers
		}
		r, _ := byRelations(t, p, how)
		switch r.Exit {
		case report.ExitHolds, report.ExitViolated:
			decided++
			if fails != (r.Exit == report.ExitViolated) {
				t.Fatalf("seed %d, %s: %s, but running it says that it fails: %v\n%s", seed, how, r.Results[0].Verdict, fails, text)
			}
		case report.ExitUnknown:
			t.Logf("seed %d, %s: %s", seed, how, r.Results[0].Reason)
		default:
			t.Fatalf("seed %d: %d %s\n%s", seed, r.Exit, r.Results[0].Reason, text)
		}
	}
	t.Logf("%d of %d decided", decided, cases)
	if decided*2 < cases {
		t.Errorf("%d of %d decided", decided, cases)
	}
}

// TestRecursivePrograms decides the programs of specs/c/recursive, whose comments argue what
// holds, and what fails with BAD.
func TestRecursivePrograms(t *testing.T) {
	for _, name := range []string{"mc91", "fib", "gcd", "ackermann", "hanoi", "evenodd"} {
		for _, bad := range []bool{false, true} {
			if testing.Short() && name != "mc91" || name == "evenodd" && !bad && !soak.On() {
				continue // some seconds
			}
			file := filepath.Join("..", "..", "specs", "c", "recursive", name+".c")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var defines []string
			want := report.ExitHolds
			if bad {
				defines, want = []string{"BAD"}, report.ExitViolated
			}
			p := parsedC(t, file, string(text), defines...)
			r, res := byRelations(t, p, safety.MathIntegers)
			if r.Exit != want {
				t.Errorf("%s, BAD: %v: %s %s", name, bad, r.Results[0].Verdict, r.Results[0].Reason)
				continue
			}
			if bad && (res.Run == nil || len(r.Results[0].Counterexample.Stem) == 0) {
				t.Errorf("%s: no run is shown", name)
			}
		}
	}
}

// TestRecursiveOracle decides the public recursive programs that may lie beside the
// repository: over unbounded integers all but gcd02, which needs that numbers divide each
// other, and over machine words those that do not overflow.
func TestRecursiveOracle(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "oracle", "c", "recursive", "*.c"))
	if len(files) == 0 {
		t.Skip("SKIPPED: the recursive programs are not beside the repository")
	}
	decided := map[safety.Integers]int{}
	long := soak.Long(10) > 10
	quick := []string{"EvenOdd03_false.c", "Fibonacci02_true.c", "McCarthy91_true.c", "gcd01_true.c", "recHanoi02_true.c"} // over words
	for _, file := range files {
		name := filepath.Base(file)
		if testing.Short() && name != "gcd01_true.c" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := report.ExitHolds
		if strings.Contains(name, "_false") {
			want = report.ExitViolated
		}
		for _, how := range []safety.Integers{safety.MathIntegers, safety.AutoIntegers} {
			if !long && name == "gcd02_true.c" {
				continue // no number of rounds is enough
			}
			if !long && how == safety.AutoIntegers && !slices.Contains(quick, name) {
				continue
			}
			switch r, _ := byRelations(t, parsedC(t, file, string(text)), how); r.Exit {
			case want:
				decided[how]++
			case report.ExitUnknown:
				t.Logf("%s, %s: %s", name, how, r.Results[0].Reason)
			default:
				t.Errorf("%s, %s: exit status %d, not %d", name, how, r.Exit, want)
			}
		}
	}
	math, words := decided[safety.MathIntegers], decided[safety.AutoIntegers]
	t.Logf("%d programs: %d decided over unbounded integers, %d over machine words", len(files), math, words)
	if math < 11 && !testing.Short() || words < len(quick) && !testing.Short() || long && words < 8 || math < 1 || words < 1 {
		t.Errorf("%d decided over unbounded integers, %d over machine words", math, words)
	}
}

// TestTooLargeToInline: a program without recursion whose calls would be 2^15 copies is
// decided by relations for its routines, proof and failure. The run that fails is one of 30 calls,
// in soak runs one of 2^16, too.
func TestTooLargeToInline(t *testing.T) {
	const depth = 15
	for _, c := range []struct {
		again, op string // when a routine calls the one below a second time, and what fails
		bad, long bool
	}{{again: "1", op: "!= n"}, {again: "x > 0", op: "== n && n < 0", bad: true}, {again: "1", op: "== n", bad: true, long: true}} {
		if c.bad && testing.Short() || c.long && !soak.On() {
			continue
		}
		var b strings.Builder
		b.WriteString("int input(void);\nint f0(int x) { return x; }\n")
		for k := range depth {
			fmt.Fprintf(&b, "int f%d(int x) { int y = f%d(x); if (%s) y = f%d(y); return y; }\n", k+1, k, c.again, k)
		}
		want := report.ExitHolds
		if c.bad {
			want = report.ExitViolated
		}
		p := parsedC(t, "large.c", b.String()+fmt.Sprintf("int main(void) { int n = input(); if (f%d(n) %s) { ERROR: ; } return 0; }\n", depth, c.op))
		if _, err := encode.EncodeContext(context.Background(), p, ""); !encode.IsTooLarge(err) {
			t.Fatalf("inlined: %v", err)
		}
		r, res := byRelations(t, p, safety.MathIntegers)
		if r.Exit != want || len(res.Relations.Encoding.Routines) != depth { // all but the outermost
			t.Errorf("%+v: exit status %d, not %d: %s; %d routines", c, r.Exit, want, r.Results[0].Reason, len(res.Relations.Encoding.Routines))
		}
	}
}

// TestSummariesRefused: summaries are checked clause by clause, over machine words; what says
// too much or too little is refused.
func TestSummariesRefused(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "specs", "c", "recursive", "mc91.c"))
	if err != nil {
		t.Fatal(err)
	}
	r, res := byRelations(t, parsedC(t, "mc91.c", string(text)), safety.AutoIntegers)
	if r.Exit != report.ExitHolds || res.Summaries == nil {
		t.Fatal(r.Results[0].Verdict, r.Results[0].Reason)
	}
	solver, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	status := func(s horn.Solution) int {
		return programs.Summaries(context.Background(), res.Relations, s, solver, check.Options{}).Exit
	}
	if got := status(res.Summaries); got != report.ExitHolds {
		t.Errorf("its own summaries: %d", got)
	}
	for _, wrong := range []*logic.Term{logic.True(), logic.False()} {
		if got := status(horn.Solution{wrong}); got != report.ExitViolated {
			t.Errorf("the summary %s: %d", wrong, got)
		}
	}
}
