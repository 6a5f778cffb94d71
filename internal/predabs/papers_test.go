package predabs_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/internal/predabs"
)

var ctx = context.Background()

// prover comes with its solver.
type prover struct {
	*Prover
	z3 *smt.Z3
}

func newProver(t testing.TB) *prover {
	t.Helper()
	z, err := smt.NewZ3(smt.Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return &prover{NewProver(z), z}
}

var (
	x, y, z = logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("z", logic.Int)
	vars    = []*logic.Term{x, y, z}
	// X and Y are those of [Rybalchenko02]: rational.
	X, Y  = logic.Var("X", logic.Real), logic.Var("Y", logic.Real)
	scope = logic.NewScope(x, y, z, X, Y)
)

func f(t testing.TB, text string) *logic.Term {
	t.Helper()
	out, err := logic.Parse(source.NewFile("<test>", text), logic.C, scope)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func fs(t testing.TB, text string) []*logic.Term {
	t.Helper()
	var out []*logic.Term
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, f(t, part))
		}
	}
	return out
}

func same(a, b []*logic.Term) bool { return logic.And(a...) == logic.And(b...) }

// [Rybalchenko02], examples 1 to 3 of 4.2.1: the orders ≤1, ≤2, ≤3. An example of
// one order is an example of those that follow (lemma 1).
func TestThesisOrders(t *testing.T) {
	p := newProver(t)
	for _, c := range []struct {
		a, b string
		from Order // the least k with a ≤k b, 0 if there is none
	}{
		{"X <= 1", "X <= 1", Syntactic},
		{"X <= 1, Y >= 10", "X <= 1", Syntactic},
		{"X <= 1", "X <= 2", Conjunctwise},
		{"X <= 1", "X <= 1, Y >= 10", 0},
		{"X <= 1", "X <= 10", Conjunctwise},
		{"X <= 1, Y >= 10", "X <= 10", Conjunctwise},
		{"X <= 1, X >= 1", "X == 1", Full},
	} {
		for k := Syntactic; k <= Full; k++ {
			got, err := p.LessEq(ctx, k, fs(t, c.a), fs(t, c.b))
			want := c.from != 0 && k >= c.from
			if err != nil || got != want {
				t.Errorf("%s <=%d %s: %v (%v), want %v", c.a, k, c.b, got, err, want)
			}
		}
	}
}

// [Rybalchenko02], table 4.1: the abstraction functions. Its first row for α2 and α3
// has X = 5.
func TestThesisTable41(t *testing.T) {
	p := newProver(t)
	for _, c := range []struct{ predicates, cube, a1, a2, a3 string }{
		{"X <= 10, X <= 5, X == 0", "X == 5", "", "X <= 10, X <= 5", "X <= 10, X <= 5"},
		{"X <= 10, X <= 5, X == 0", "X == 0", "X == 0", "X <= 10, X <= 5, X == 0", "X <= 10, X <= 5, X == 0"},
		{"X == 0", "X <= 0, X >= 0", "", "", "X == 0"},
	} {
		for k, want := range []string{c.a1, c.a2, c.a3} {
			got, err := p.Alpha(ctx, Order(k+1), fs(t, c.cube), fs(t, c.predicates))
			if err != nil || !slices.Equal(got, fs(t, want)) {
				t.Errorf("alpha_%d of %s by {%s}: %v (%v), want %s", k+1, c.cube, c.predicates, got, err, want)
			}
		}
	}
}

// randomCube returns a conjunction of simple linear atoms.
func randomCube(r *rand.Rand, n int) []*logic.Term {
	var out []*logic.Term
	for range n {
		a := logic.Scale(logic.RealConst(int64(r.IntN(3)-1), 1).Num(), X)
		a = logic.Add(a, logic.Scale(logic.RealConst(int64(r.IntN(3)-1), 1).Num(), Y))
		k := logic.RealConst(int64(r.IntN(5)-2), 1)
		l := []*logic.Term{logic.Le(a, k), logic.Lt(a, k), logic.Eq(a, k), logic.Ne(a, k), logic.Ge(a, k)}[r.IntN(5)]
		if !l.IsTrue() && !l.IsFalse() {
			out = append(out, l)
		}
	}
	return out
}

// Lemma 1 (≤1 implies ≤2 implies ≤3), lemma 2 (the "constructive" abstraction is
// the least conjunction of predicates above), and theorem 1 (Galois connection),
// on random cubes.
func TestThesisLemmas(t *testing.T) {
	p := newProver(t)
	holds := map[Order]int{}
	for seed := range soak.Cases(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 50))
		a, b := randomCube(r, 3), randomCube(r, 2)
		if r.IntN(2) == 0 && len(a) > 0 {
			b = append(b[:0:0], a[0])
		}
		predicates := append(randomCube(r, 3), b...)
		smaller := false
		for k := Syntactic; k <= Full; k++ {
			le, err := p.LessEq(ctx, k, a, b)
			if err != nil {
				t.Fatal(err)
			}
			if smaller && !le {
				t.Fatalf("seed %d: %v <=%d %v but not <=%d", seed, a, k-1, b, k)
			}
			smaller = le
			if le {
				holds[k]++
			}
			alpha, err := p.Alpha(ctx, k, a, predicates)
			if err != nil {
				t.Fatal(err)
			}
			if above, _ := p.LessEq(ctx, k, a, alpha); !above {
				t.Fatalf("seed %d: %v is not <=%d its abstraction %v", seed, a, k, alpha)
			}
			// alpha(a) [= c iff a <=k c for every conjunction c of predicates.
			c := predicates[:r.IntN(len(predicates)+1)]
			finer, _ := p.LessEq(ctx, Syntactic, alpha, c)
			below, _ := p.LessEq(ctx, k, a, c)
			if finer != below {
				t.Fatalf("seed %d: alpha_%d(%v) = %v, c = %v: %v, %v", seed, k, a, alpha, c, finer, below)
			}
		}
	}
	if holds[Syntactic] < soak.Cases(10) || holds[Full] <= holds[Syntactic] {
		t.Errorf("the random cubes do not say much: %v", holds)
	}
}

// [Rybalchenko02], example 2 of 3.2: the syntactic pre of X = 1 by X < 3, X' = X+1.
func TestThesisSyntacticPre(t *testing.T) {
	c2 := &program.Command{Guard: f(t, "X < 3.0"), Update: map[*logic.Term]*logic.Term{X: f(t, "X + 1")}}
	if got := c2.Pre(f(t, "X == 1")); got != f(t, "X < 3.0 && X == 0") {
		t.Errorf("pre is %s", got)
	}
}

// The example program of [TUMLectures].
func rho(t testing.TB) map[int]*program.Command {
	return map[int]*program.Command{
		1: {Guard: f(t, "y >= z")},
		2: {Guard: f(t, "x + 1 <= y"), Update: map[*logic.Term]*logic.Term{x: f(t, "x + 1")}},
		3: {Guard: f(t, "x >= y")},
		4: {Guard: f(t, "x >= z")},
		5: {Guard: f(t, "x + 1 <= z")},
	}
}

func post(t testing.TB, cube []*logic.Term, c *program.Command) []*logic.Term {
	t.Helper()
	cubes, exact, ok := c.PostCube(cube, vars)
	if !exact || !ok || len(cubes) != 1 {
		t.Fatalf("post of %v: %v, %v, %v", cube, cubes, exact, ok)
	}
	return cubes[0]
}

// Lectures, example 1: post and its 2-fold application, up to equivalence.
func TestLectureExample1(t *testing.T) {
	p := newProver(t)
	once := post(t, fs(t, "y >= z"), rho(t)[2])
	equivalent(t, p, logic.And(once...), f(t, "y >= z && x <= y"))
	twice := post(t, once, rho(t)[2])
	equivalent(t, p, logic.And(twice...), f(t, "y >= z && x <= y"))
}

func equivalent(t *testing.T, p *prover, a, b *logic.Term) {
	t.Helper()
	for range 2 {
		if yes, err := p.Entails(ctx, a, b); !yes || err != nil {
			t.Errorf("%s does not entail %s (%v)", a, b, err)
		}
		a, b = b, a
	}
}

// Lectures, example 2: the concrete reachable states, by iterating post until
// nothing new appears.
func TestLectureExample2(t *testing.T) {
	p := newProver(t)
	r := rho(t)
	l2 := post(t, nil, r[1])
	equivalent(t, p, logic.And(l2...), f(t, "y >= z"))
	loop := post(t, l2, r[2])
	if yes, _ := p.Entails(ctx, logic.And(loop...), logic.And(l2...)); !yes {
		t.Error("the loop leads to new states at l2")
	}
	l3 := post(t, l2, r[3])
	equivalent(t, p, logic.And(l3...), f(t, "y >= z && x >= y"))
	equivalent(t, p, logic.And(post(t, l3, r[4])...), f(t, "y >= z && x >= y"))
	if may, err := p.MaySat(ctx, logic.And(post(t, l3, r[5])...)); may || err != nil {
		t.Error("l5 is reachable")
	}
}

// Lectures, example 4: from x <= z every application of rho2 finds new states.
func TestLectureExample4(t *testing.T) {
	p := newProver(t)
	cube := fs(t, "x <= z")
	known := logic.And(cube...)
	for n := 1; n <= 5; n++ {
		cube = post(t, cube, rho(t)[2])
		now := logic.And(cube...)
		equivalent(t, p, now, logic.And(logic.Le(logic.Sub(x, logic.IntConst(int64(n))), z), f(t, "x <= y")))
		if yes, _ := p.Entails(ctx, now, known); yes {
			t.Errorf("application %d finds nothing new", n)
		}
		known = logic.Or(known, now)
	}
}

// Lectures, example 5: abstraction by entailed predicates (eq. 9). The program
// counter is not a predicate here but a location.
func TestLectureExample5(t *testing.T) {
	p := newProver(t)
	for predicates, want := range map[string]string{"y >= z, x >= y": "y >= z", "": ""} {
		got, none, err := p.CartesianOf(ctx, f(t, "y >= z && x + 1 <= y"), fs(t, predicates))
		if err != nil || none || !same(got, fs(t, want)) {
			t.Errorf("{%s}: %v (%v, %v), want %s", predicates, got, none, err, want)
		}
	}
}

// Lectures, example 6: abstract post for the predicates y >= z and x >= y.
func TestLectureExample6(t *testing.T) {
	p := newProver(t)
	predicates := fs(t, "y >= z, x >= y")
	abstractPost := func(from string, rule int) (string, bool) {
		cube, none, err := p.Cartesian(ctx, f(t, from), rho(t)[rule], predicates)
		if err != nil {
			t.Fatal(err)
		}
		return logic.Formats(cube, logic.C, " && "), none
	}
	for _, c := range []struct {
		from string
		rule int
		want string
	}{
		{"true", 1, "y >= z"},
		{"y >= z", 2, "y >= z"},
		{"y >= z", 3, "y >= z && x >= y"},
		{"y >= z && x >= y", 4, "y >= z && x >= y"},
	} {
		if got, none := abstractPost(c.from, c.rule); got != c.want || none {
			t.Errorf("post# of %s by rho%d: %s (%v), want %s", c.from, c.rule, got, none, c.want)
		}
	}
	if got, none := abstractPost("y >= z && x >= y", 5); !none {
		t.Errorf("rho5: %s, want false", got)
	}
}

func counterexample(t testing.TB) *program.Path {
	r := rho(t)
	return &program.Path{Init: logic.True(), Steps: []*program.Command{r[1], r[3], r[5]}, Error: logic.True(), Vars: vars}
}

// Lectures, examples 8 and 9: the path rho1 rho3 rho5 cannot be run; its least
// solution is as stated, and every refinement solves the constraints (10).
func TestLectureRefinement(t *testing.T) {
	p := newProver(t)
	path := counterexample(t)
	status, _, _, err := Feasible(ctx, p.z3, path)
	if err != nil || status != smt.Unsat {
		t.Fatalf("feasible: %s, %v", status, err)
	}
	for _, how := range []Refinement{Interpolation, Least, Greatest, Farkas, Spacer} {
		r, err := Refine(ctx, p.z3, path, how, nil)
		if err != nil || r.Method != how && (how != Interpolation || r.Method != Farkas) {
			t.Fatalf("%s: %v, %v", how, r, err)
		}
		if err := Verify(ctx, p.Prover, path, r.Solution()); err != nil {
			t.Errorf("%s: %v: %v", how, r.Solution(), err)
		}
		switch s := r.Solution(); how {
		case Least:
			for i, want := range []string{"true", "y >= z", "y >= z && x >= y", "false"} {
				equivalent(t, p, s[i], f(t, want))
			}
		case Interpolation, Farkas, Spacer:
			for i, want := range []string{"true", "y >= z", "x >= z", "false"} {
				equivalent(t, p, s[i], f(t, want))
			}
		}
	}
	r, err := Refine(ctx, p.z3, path, UnsatCore, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(ctx, p.Prover, path, r.Solution()); err != nil {
		t.Errorf("core: %v: %v", r.Solution(), err)
	}
	// A sequence that is no solution is told apart.
	if err := Verify(ctx, p.Prover, path, []*logic.Term{logic.True(), logic.True(), f(t, "x >= z"), logic.False()}); err == nil {
		t.Error("a wrong solution is accepted")
	}
}

// Without the assumption the path can be run: the replayed values satisfy it.
func TestFeasible(t *testing.T) {
	p := newProver(t)
	path := counterexample(t)
	path.Steps[0] = &program.Command{Guard: logic.True()}
	path.Steps = slices.Insert(path.Steps, 1, rho(t)[2], rho(t)[2])
	status, run, reason, err := Feasible(ctx, p.z3, path)
	if err != nil || status != smt.Sat || len(run.States) != 6 {
		t.Fatalf("%s %s %v", status, reason, err)
	}
	last := run.States[5]
	if ok, _ := logic.Holds(f(t, "x < z && x >= y"), last); !ok {
		t.Errorf("last state %s", last)
	}
	bad := logic.Model{}
	maps.Copy(bad, run.States[0])
	bad["x"] = logic.IntValue(100)
	if _, err := path.Replay(bad, run.Inputs); err == nil {
		t.Error("a run that is none is replayed")
	}
}

// randomPath is a path of commands over x, y, z.
func randomPath(r *rand.Rand) *program.Path {
	atom := func() *logic.Term {
		a, b := vars[r.IntN(3)], vars[r.IntN(3)]
		k := logic.IntConst(int64(r.IntN(5) - 2))
		return []*logic.Term{logic.Le(a, logic.Add(b, k)), logic.Eq(a, k), logic.Ge(a, k), logic.Lt(a, b), logic.Ne(a, b)}[r.IntN(5)]
	}
	p := &program.Path{Init: logic.And(atom(), atom()), Error: logic.And(atom(), atom()), Vars: vars}
	for range 1 + r.IntN(4) {
		c := &program.Command{Guard: logic.And(atom()), Update: map[*logic.Term]*logic.Term{}}
		v := vars[r.IntN(3)]
		switch r.IntN(5) {
		case 0:
			c.Update[v] = logic.Add(v, logic.IntConst(1))
		case 1:
			c.Update[v] = vars[r.IntN(3)]
		case 2:
			c.Update[v] = logic.IntConst(int64(r.IntN(3)))
		case 3:
			in := logic.Var("n", logic.Int)
			c.Inputs, c.Update[v] = []*logic.Term{in}, in
			c.Guard = logic.And(c.Guard, logic.Le(in, vars[r.IntN(3)]))
		}
		p.Steps = append(p.Steps, c)
	}
	return p
}

// TestRefinements: on random infeasible paths every refinement that says it is
// exact solves the constraints (10); feasible ones come with a run.
func TestRefinements(t *testing.T) {
	p := newProver(t)
	feasible, solved, inexact := 0, map[Refinement]int{}, 0
	for seed := range soak.Long(uint64(120)) {
		path := randomPath(rand.New(rand.NewPCG(seed, 51)))
		status, _, reason, err := Feasible(ctx, p.z3, path)
		if err != nil || status == smt.Unknown {
			t.Fatalf("seed %d: %s, %v", seed, reason, err)
		}
		if status == smt.Sat {
			feasible++
			continue
		}
		for _, how := range []Refinement{Interpolation, Least, Greatest, UnsatCore, Farkas, Spacer} {
			if how == Spacer && seed%4 > 0 {
				continue // it is slow
			}
			r, err := Refine(ctx, p.z3, path, how, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Exact {
				inexact++
				continue
			}
			if err := Verify(ctx, p.Prover, path, r.Solution()); err != nil {
				t.Fatalf("seed %d, %s: %v: %v", seed, how, r.Solution(), err)
			}
			solved[how]++
		}
	}
	if least := soak.Least(15); !testing.Short() && (feasible < least || solved[Least] < least || solved[Greatest] < least || solved[UnsatCore] < least || solved[Farkas] < 2*least || solved[Interpolation] != solved[Farkas] || solved[Spacer] < 5) {
		t.Errorf("feasible %d, solved %v, inexact %d", feasible, solved, inexact)
	}
}

// TestAbstractPosts: Cartesian and Boolean against asking about every predicate
// and every valuation by itself.
func TestAbstractPosts(t *testing.T) {
	p := newProver(t)
	for seed := range soak.Cases(uint64(80)) {
		r := rand.New(rand.NewPCG(seed, 53))
		path := randomPath(r)
		c := path.Steps[0]
		predicates := logic.Atoms(path.Error, path.Init)
		from := logic.And(path.Init, c.Guard)
		var cubes [][]*logic.Term
		for bits := range 1 << len(predicates) {
			var cube, after []*logic.Term
			for i, q := range predicates {
				if bits>>i&1 == 0 {
					q = logic.Not(q)
				}
				cube, after = append(cube, q), append(after, c.After(q))
			}
			if may, _ := p.MaySat(ctx, logic.And(from, logic.And(after...))); may {
				cubes = append(cubes, cube)
			}
		}
		got, err := p.Boolean(ctx, path.Init, c, predicates)
		if err != nil || canonical(got) != canonical(cubes) {
			t.Fatalf("seed %d: boolean post %s, want %s (%v)", seed, canonical(got), canonical(cubes), err)
		}
		var want []*logic.Term
		for _, q := range predicates {
			if !slices.ContainsFunc(cubes, func(cube []*logic.Term) bool { return !slices.Contains(cube, q) }) {
				want = append(want, q)
			}
		}
		cube, none, err := p.Cartesian(ctx, path.Init, c, predicates)
		if err != nil || none != (len(cubes) == 0) || !none && !slices.Equal(cube, want) {
			t.Fatalf("seed %d: cartesian post %v (%v, %v), want %v", seed, cube, none, err, want)
		}
	}
}

func canonical(cubes [][]*logic.Term) string {
	var out []string
	for _, c := range cubes {
		out = append(out, logic.Formats(c, logic.C, " && "))
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

// TestSyntacticEntailment: what the formulas show is so, and for two linear
// literals over the rationals nothing is missed.
func TestSyntacticEntailment(t *testing.T) {
	slow := newProver(t)
	slow.NoSyntactic, slow.NoCache = true, true
	fast := newProver(t)
	yes := 0
	for seed := range soak.Long(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 54))
		cube := randomCube(r, 2)
		if len(cube) < 2 {
			continue
		}
		want, err := slow.Entails(ctx, cube[0], cube[1])
		if err != nil {
			t.Fatal(err)
		}
		before := fast.Stats().Queries
		got, err := fast.LessEq(ctx, Conjunctwise, cube[:1], cube[1:])
		if err != nil || got != want || fast.Stats().Queries != before {
			t.Fatalf("seed %d: %s entails %s: %v, want %v", seed, cube[0], cube[1], got, want)
		}
		if want {
			yes++
		}
	}
	if yes < soak.Least(50) {
		t.Errorf("only %d entailments", yes)
	}
}
