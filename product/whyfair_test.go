package product_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/meet"
)

// checkFair tests that a counterexample is fair, by other means than product's own:
// fairness of actions is a formula, that of components and transitions is read off
// the successors of the network's states. And the reasons must be true.
func checkFair(t testing.TB, net *lks.Network, r *product.Result, opts product.Options, seed uint64) {
	t.Helper()
	sets := slices.Clone(opts.FairSets)
	if opts.Fairness == product.ActionFairness || opts.Fairness == product.StrongActionFairness {
		for _, a := range net.Alphabet() {
			sets = append(sets, product.FairSet{Actions: []string{a}, Strong: opts.Fairness == product.StrongActionFairness})
		}
	}
	for _, s := range sets {
		if !ltl.Eval(fairFormula(s), meet.Word(r.Lasso)) {
			t.Fatalf("seed %d: %v is not fair: %v", seed, r.Lasso, s)
		}
	}
	if opts.Fairness == product.ProcessFairness || opts.Fairness == product.ChoiceFairness {
		checkSteps(t, net, r.Lasso, opts.Fairness, seed)
	}
	if (len(r.Fair) > 0) != ((len(opts.FairSets) > 0 || opts.Fairness != product.NoFairness) && !r.Lasso.Stutters()) {
		t.Fatalf("seed %d: %d reasons for %v", seed, len(r.Fair), r.Lasso)
	}
	if len(r.Fair) < len(opts.FairSets) && !r.Lasso.Stutters() {
		t.Fatalf("seed %d: only %d reasons", seed, len(r.Fair))
	}
	for _, reason := range r.Fair {
		checkReason(t, net, r.Lasso, &reason, seed)
	}
}

// fairFormula says that a run is fair to a set.
func fairFormula(s product.FairSet) *ltl.Formula {
	possible, happens := ltl.Constant(false), ltl.Constant(false)
	for _, a := range s.Actions {
		possible = ltl.MakeOr(possible, ltl.AtomOf(ltl.Atom{Kind: ltl.Enabled, Name: a}))
		happens = ltl.MakeOr(happens, ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: a}))
	}
	asked := ltl.MakeEventually(ltl.MakeAlways(possible))
	if s.Strong {
		asked = ltl.MakeAlways(ltl.MakeEventually(possible))
	}
	return ltl.MakeImplies(asked, ltl.MakeAlways(ltl.MakeEventually(happens)))
}

// checkSteps looks at all successors of the states of the loop. Observers watch only:
// they are not asked to move, and states that they alone tell apart are one.
func checkSteps(t testing.TB, net *lks.Network, l *run.Run, kind product.Fairness, seed uint64) {
	t.Helper()
	ex, packed := net.Explorer(), make([]uint64, net.Words())
	always := make([]bool, len(net.Components())) // can move everywhere, and does not
	for c := range always {
		always[c] = !net.Observer(c)
	}
	unwatched := func(packed []uint64) string {
		local := make([]int32, len(net.Components()))
		net.Unpack(packed, local)
		for c := range local {
			if net.Observer(c) {
				local[c] = 0
			}
		}
		return fmt.Sprint(local)
	}
	taken, possible := map[string]bool{}, map[string]bool{}
	for i, step := range l.Loop {
		var succ lks.Successors
		net.Pack(step.State.Local, packed)
		from := unwatched(packed)
		ex.Successors(packed, &succ)
		for k, r := range succ.Rules {
			possible[fmt.Sprint(from, r, unwatched(succ.States[k*net.Words():(k+1)*net.Words()]))] = true
		}
		can := movable(net, &step)
		for c := range always {
			always[c] = always[c] && can[c] && !slices.Contains(step.Moved, int32(c))
		}
		net.Pack(l.Loop[(i+1)%len(l.Loop)].State.Local, packed)
		taken[fmt.Sprint(from, step.Rule, unwatched(packed))] = true
	}
	if kind == product.ProcessFairness && slices.Contains(always, true) {
		t.Fatalf("seed %d: %v is not fair to components: %v", seed, l, always)
	}
	if kind == product.ChoiceFairness && !l.Stutters() && len(possible) != len(taken) {
		t.Fatalf("seed %d: %v takes %d of %d transitions", seed, l, len(taken), len(possible))
	}
}

// movable tells which components can move, by the network's successors.
func movable(net *lks.Network, s *run.Step) []bool {
	packed := make([]uint64, net.Words())
	net.Pack(s.State.Local, packed)
	var succ lks.Successors
	net.Explorer().Successors(packed, &succ)
	can := make([]bool, len(net.Components()))
	for _, r := range succ.Rules {
		for _, p := range net.Rules()[r].Parts {
			can[p.Component] = true
		}
	}
	return can
}

// checkReason tests what a reason says about one step.
func checkReason(t testing.TB, net *lks.Network, l *run.Run, r *product.FairReason, seed uint64) {
	t.Helper()
	steps := l.Steps()
	if r.Kind == product.ChoiceFairness {
		if r.Transitions < 1 || r.Transitions > len(l.Loop) {
			t.Fatalf("seed %d: %v takes %d transitions", seed, l, r.Transitions)
		}
		return
	}
	possible := func(s *run.Step) bool {
		return slices.ContainsFunc(r.Actions, func(a string) bool { return slices.Contains(s.State.Enabled, a) })
	}
	if r.Kind == product.ProcessFairness {
		possible = func(s *run.Step) bool { return movable(net, s)[r.Process] }
	}
	ok := true
	switch r.Why {
	case product.Taken:
		s := &steps[r.Step]
		ok = r.Step >= len(l.Stem) && (slices.Contains(r.Actions, s.Event) || slices.Contains(s.Moved, r.Process))
	case product.Impossible:
		ok = r.Step >= len(l.Stem) && !r.Strong && !possible(&steps[r.Step])
	case product.NeverPossible:
		ok = r.Step == -1
		for i := range l.Loop {
			ok = ok && !possible(&l.Loop[i])
		}
	}
	if !ok {
		t.Fatalf("seed %d: on %v it is not true that %+v", seed, l, r)
	}
}

// indexed has actions that can be written with indices.
var indexed = gen.Shape{States: 4, Actions: []string{"a.0", "a.1", "b", "c"}, Degree: 2.6, Tau: 0.1, Props: 0.4, Special: 0.04}

// fairProblem is a random model file with fair declarations, compiled, and what its
// declarations mean; nil if the seed gives none.
func fairProblem(t *testing.T, seed uint64) (net *lks.Network, declared []fsp.Fairness, means []gen.FairSet, text string) {
	t.Helper()
	r := gen.Rand(seed)
	var b strings.Builder
	names, actions := []string{}, map[string]bool{}
	for i := range 1 + r.IntN(2) {
		m := gen.LKS(r, []string{"x", "y"}[i], indexed)
		if err := fsp.Write(&b, m); err != nil {
			return nil, nil, nil, "" // it starts in ERROR
		}
		names = append(names, []string{"X", "Y"}[i])
		for _, a := range m.Alphabet()[1:] {
			actions[a] = true
		}
	}
	var known []string
	for _, a := range indexed.Actions {
		if actions[a] {
			known = append(known, a)
		}
	}
	fair, means := gen.Fair(r, 3, known)
	fmt.Fprintf(&b, "||SYS = (%s).\n%s", strings.Join(names, " || "), fair)
	text = b.String()
	for _, layout := range []bool{false, true} {
		file, err := syntax.Parse(source.NewFile("random.lks", text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		m, err := fsp.Compile(file, fsp.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if net, err = m.Network(""); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if declared, err = m.Fairness("", net); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if !layout { // what the formatter writes must mean the same
			text = syntax.Format(file)
		}
	}
	return net, declared, means, text
}

// TestDeclaredFairness compares verdicts under the fair declarations of random model
// files, together with each of the other requirements and both readings of finite
// runs, with the naive twin, which is told what the declarations mean.
func TestDeclaredFairness(t *testing.T) {
	count, changed := 0, map[product.Fairness]int{}
	kinds := append(slices.Clone(fairnesses), fairnesses[0])
	kinds[len(kinds)-1].fast, kinds[len(kinds)-1].slow = product.NoFairness, naive.NoFairness
	for seed := *firstSeed + 70_000_000; count < problems(); seed++ {
		net, declared, means, text := fairProblem(t, seed)
		if net == nil {
			continue
		}
		r := gen.Rand(seed ^ 0xfa1)
		f := recurrent(r, gen.ModelAtoms(net.Components()...))
		if r.IntN(3) > 0 { // what fairness is for
			f = ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock})
			for _, a := range means[0].Actions {
				f = ltl.MakeOr(f, ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: a}))
			}
			f = ltl.MakeAlways(ltl.MakeEventually(f))
		}
		s := naive.ComposeStructure(net.Components())
		if naive.Temporal(f) > 5 || s.NumSteps()<<naive.Temporal(f) > 500 || len(means) > 6 {
			continue
		}
		count++
		var sets []product.FairSet
		for _, d := range declared {
			sets = append(sets, product.FairSet{Actions: d.Actions, Strong: d.Strong})
		}
		var slow []naive.FairSet
		for _, m := range means {
			slow = append(slow, naive.FairSet{Actions: m.Actions, Strong: m.Strong})
		}
		kind := kinds[seed%uint64(len(kinds))]
		finite := product.FiniteRuns(r.IntN(2))
		opts := product.Options{Finite: finite, Fairness: kind.fast, FairSets: sets}
		want := !s.SatisfiableFair(ltl.MakeNot(f), finite == product.StutterRuns, kind.slow, slow)
		got := verify(t, net, f, opts, seed)
		if (got.Verdict == product.Holds) != want {
			t.Fatalf("seed %d, finite runs %v, %v and %v: %v, naive: holds %t for %v\n%s", seed, finite, kind.fast, sets, got.Verdict, want, f, text)
		}
		refuseFair(t, net, f, opts, s, got.Verdict, seed)
		opts.FairSets = nil
		if verify(t, net, f, opts, seed).Verdict != got.Verdict {
			changed[kind.fast]++
		}
	}
	t.Log("verdicts changed by declarations, beside other fairness:", changed)
	for _, kind := range kinds {
		// Fairness of all transitions implies what is declared.
		if n := changed[kind.fast]; n < share(500) && kind.fast < product.StrongActionFairness || n > 0 && kind.fast == product.ChoiceFairness {
			t.Errorf("declarations changed %d verdicts under %v", n, kind.fast)
		}
	}
}

// refuseFair checks the third reading of finite runs, under fairness.
func refuseFair(t *testing.T, net *lks.Network, f *ltl.Formula, opts product.Options, s *naive.Structure, verdict product.Verdict, seed uint64) {
	t.Helper()
	opts.Finite = product.RefuseRuns
	r, err := product.Verify(context.Background(), net, f, opts)
	var finite *product.FiniteRunError
	switch {
	case s.HasDeadlock() != errors.As(err, &finite):
		t.Fatalf("seed %d: finite runs %t, but %v", seed, s.HasDeadlock(), err)
	case err == nil && r.Verdict != verdict:
		t.Fatalf("seed %d: %v if finite runs are refused, else %v", seed, r.Verdict, verdict)
	}
}
