package buchi

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// satCases are random formulas with their automata.
func satCases(t *testing.T, count, size uint64, atoms []ltl.Atom, check func(seed uint64, f *ltl.Formula, a *Automaton, o Options)) {
	t.Helper()
	forms := []Options{{}, {Acceptance: StateBuchi}, {Acceptance: Buchi}, {Acceptance: StateBuchi, Complete: true},
		{Level: Low}, {Acceptance: StateBuchi, Level: Low}, {Prefer: Deterministic}}
	for seed := range soak.Long(count) {
		r := rand.New(rand.NewPCG(seed, 91))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(int(size)), Atoms: atoms})
		o := forms[seed%uint64(len(forms))]
		if seed%5 == 0 && len(atoms) > 1 {
			o.Constraints = []Constraint{{AtMostOne, atoms}}
		}
		check(seed, f, mustTranslate(t, f, o), o)
	}
}

// TestMinimiseSAT: the result is deterministic, not larger, in the form of the
// input, and accepts what the formula says.
func TestMinimiseSAT(t *testing.T) {
	smaller, proved, refused := 0, 0, 0
	satCases(t, 1000, 14, gen.Atoms("a", "b"), func(seed uint64, f *ltl.Formula, a *Automaton, o Options) {
		if len(a.out) > 12 {
			return
		}
		b, err := MinimiseSAT(a, SATOptions{MaxClauses: 20_000})
		if err != nil {
			if b != a {
				t.Fatalf("seed %d, %v, %+v: an error and another automaton", seed, f, o)
			}
			checkRefusal(t, seed, f, a, err)
			refused++
			return
		}
		proved++
		if len(b.out) < len(a.out) {
			smaller++
		}
		if err := b.check(); err != nil || !b.Deterministic() || len(b.out) > len(a.out) ||
			b.stateBased != a.stateBased && b.sets > 0 || a.complete() && !b.complete() {
			t.Fatalf("seed %d, %v, %+v: %v, %+v of %+v", seed, f, o, err, b.Stats(), a.Stats())
		}
		if b.sets > 1 {
			if b != a {
				t.Fatalf("seed %d, %v, %+v: %d sets", seed, f, o, b.sets)
			}
			return
		}
		checkResiduals(t, seed, f, a, b)
		not := mustTranslate(t, ltl.MakeNot(f), Options{Constraints: o.Constraints})
		if empty, err := disjoint(b, not); err != nil || !empty {
			t.Fatalf("seed %d, %v, %+v: accepts too much (%v)", seed, f, o, err)
		}
		if empty, err := disjoint(a, complementDeterministic(b)); err != nil || !empty {
			t.Fatalf("seed %d, %v, %+v: accepts too little (%v)", seed, f, o, err)
		}
	})
	t.Logf("%d smaller, %d proved smallest, %d refused", smaller, proved-smaller, refused)
	if smaller < soak.Long(25) || proved < soak.Long(500) || refused < soak.Long(50) {
		t.Error("the cases do not test much")
	}
}

// checkResiduals: their number depends on the language only.
func checkResiduals(t *testing.T, seed uint64, f *ltl.Formula, a, b *Automaton) {
	t.Helper()
	b = trim(b)
	n, err := residuals(b)
	if err != nil || n > len(b.out) {
		t.Fatalf("seed %d, %v: %d residual languages (%v) of %d states", seed, f, n, err, len(b.out))
	}
	if !a.Deterministic() || a.sets > 1 {
		return
	}
	if m, err := residuals(trim(a)); err != nil || m != n {
		t.Fatalf("seed %d, %v: %d and %d residual languages (%v)", seed, f, n, m, err)
	}
}

// checkRefusal compares the reason with the class of the formula.
func checkRefusal(t *testing.T, seed uint64, f *ltl.Formula, a *Automaton, err error) {
	t.Helper()
	var exhausted *budget.Exhausted
	switch {
	case errors.As(err, &exhausted):
	case errors.Is(err, ErrNoSmaller) && !a.Deterministic():
	case errors.Is(err, ErrNotRecurrence):
		if c, err := Classify(f, Options{}); err == nil && c.Recurrence && a.care == AnyLetter {
			t.Fatalf("seed %d, %v: is a recurrence", seed, f)
		}
	default:
		t.Fatalf("seed %d, %v: %v", seed, f, err)
	}
}

// TestComplementDeterministic: exactly one of the two accepts each word.
func TestComplementDeterministic(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	satCases(t, 400, 9, atoms, func(seed uint64, f *ltl.Formula, a *Automaton, o Options) {
		if !a.Deterministic() || a.sets > 1 || o.Constraints != nil {
			return
		}
		c := complementDeterministic(a)
		r := rand.New(rand.NewPCG(seed, 92))
		for range 20 {
			w := gen.Word(r, atoms, 3, 3)
			if want := naive.LTLHolds(f, w); a.Accepts(w) != want || c.Accepts(w) == want {
				t.Fatalf("seed %d, %v: formula %v, automaton %v, complement %v", seed, f, want, a.Accepts(w), c.Accepts(w))
			}
		}
	})
}

// TestMinimiseSATAgainstEnumeration: no smaller deterministic automaton agrees
// with the formula on all short words. Those that do on many are compared exactly.
func TestMinimiseSATAgainstEnumeration(t *testing.T) {
	atom := gen.Atoms("a")
	found := map[int]int{}
	satCases(t, 1000, 9, atom, func(seed uint64, f *ltl.Formula, a *Automaton, o Options) {
		if o.Complete {
			return // has a state more, perhaps
		}
		b, err := MinimiseSAT(a, SATOptions{MaxClauses: 60_000})
		most := min(len(b.out)-1, 2)
		switch {
		case errors.Is(err, ErrNoSmaller):
			most = min(len(b.out), 2)
		case errors.Is(err, ErrNotRecurrence):
			most = 2
		case err != nil:
			return
		}
		accepts := func(stem, loop []int) bool { return naive.LTLHolds(f, oneAtomWord(atom[0], stem, loop)) }
		for n := 1; n <= most; n++ {
			for _, d := range naive.DeterministicBuchi(n, o.Acceptance == StateBuchi, accepts) {
				if c := fromNaive(t, a, d); sameAs(t, f, c) {
					t.Fatalf("seed %d, %v, %+v: %d states do, not %d (%v)", seed, f, o, n, len(b.out), err)
				}
			}
		}
		if err == nil {
			found[len(b.out)]++
		}
	})
	t.Logf("sizes of results: %v", found)
	if found[2] < soak.Long(100) || found[3] < soak.Long(10) {
		t.Error("the cases do not test much")
	}
}

func oneAtomWord(a ltl.Atom, stem, loop []int) ltl.Word {
	letters := []ltl.Letter{ltl.LetterOf(), ltl.LetterOf(a)}
	var w ltl.Word
	for _, l := range stem {
		w.Stem = append(w.Stem, letters[l])
	}
	for _, l := range loop {
		w.Loop = append(w.Loop, letters[l])
	}
	return w
}

// fromNaive reads an automaton over one atom with the diagrams of another.
func fromNaive(t *testing.T, like *Automaton, d naive.DBA) *Automaton {
	t.Helper()
	a := &Automaton{man: like.man, care: AnyLetter, atoms: gen.Atoms("a"), sets: 1, out: make([][]Edge, len(d.Next))}
	labels := []Label{a.man.NotVar(0), a.man.Var(0)}
	for s, next := range d.Next {
		for l, to := range next {
			if to >= 0 {
				marks := uint64(0)
				if d.Accept[s][l] {
					marks = 1
				}
				a.out[s] = append(a.out[s], Edge{labels[l], int32(to), marks})
			}
		}
		a.out[s] = a.mergeEdges(a.out[s])
	}
	return a
}

// sameAs reports whether a accepts exactly what the formula says.
func sameAs(t *testing.T, f *ltl.Formula, a *Automaton) bool {
	t.Helper()
	yes, no := mustTranslate(t, f, Options{}), mustTranslate(t, ltl.MakeNot(f), Options{})
	for _, pair := range [][2]*Automaton{{a, no}, {yes, complementDeterministic(a)}} {
		empty, err := disjoint(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		if !empty {
			return false
		}
	}
	return true
}

// TestMinimiseSATLimits: every limit is an error that says so, and gives the
// automaton back.
func TestMinimiseSATLimits(t *testing.T) {
	f := ltl.MustParse("(G F a -> G F b) & G(c -> X X d) & (F(a & X b) | G F(c & X X d))")
	g := ltl.MustParse("G(a -> X X b) & G F(b & X c)")
	for _, c := range []struct {
		f    *ltl.Formula
		opts SATOptions
		what string
	}{
		{f, SATOptions{MaxStates: 3}, "states"},
		{g, SATOptions{MaxClauses: 100}, "clauses"},
		{g, SATOptions{Meter: budget.New(nil, budget.Limits{Time: 1}, nil)}, "time"},
	} {
		a := mustTranslate(t, c.f, Options{})
		b, err := MinimiseSAT(a, c.opts)
		var exhausted *budget.Exhausted
		if b != a || !errors.As(err, &exhausted) || exhausted.What != c.what {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestSolveSATStops: a problem that takes for ever (pigeons) ends with the error of
// the tick, and the solver can be used again.
func TestSolveSATStops(t *testing.T) {
	if !closeStops {
		t.Skip("the race detector does not allow solvers to be stopped")
	}
	const holes = 14
	var clauses [][]int
	in := func(pigeon, hole int) int { return 1 + pigeon*holes + hole }
	for p := range holes + 1 {
		var some []int
		for h := range holes {
			some = append(some, in(p, h))
			for q := range p {
				clauses = append(clauses, []int{-in(p, h), -in(q, h)})
			}
		}
		clauses = append(clauses, some)
	}
	enough := errors.New("enough")
	start := time.Now()
	_, err := solveSAT(clauses, in(holes, holes-1), func() error {
		if time.Since(start) > 100*time.Millisecond {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatalf("got %v", err)
	}
	model, err := solveSAT([][]int{{1, 2}, {-1, 2}, {1, -2}}, 2, func() error { return nil })
	if err != nil || len(model) != 3 || !model[1] || !model[2] {
		t.Errorf("after that: %v, %v", model, err)
	}
	if model, err := solveSAT([][]int{{1}, {-1}}, 1, func() error { return nil }); err != nil || model != nil {
		t.Errorf("a contradiction: %v, %v", model, err)
	}
}

// TestSolveSAT compares with all assignments.
func TestSolveSAT(t *testing.T) {
	for seed := range soak.Cases(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 93))
		vars := 1 + r.IntN(8)
		var clauses [][]int
		for range r.IntN(5 * vars) {
			var c []int
			for range 1 + r.IntN(3) {
				v := 1 + r.IntN(vars)
				if r.IntN(2) == 0 {
					v = -v
				}
				c = append(c, v)
			}
			clauses = append(clauses, c)
		}
		satisfied := func(value func(int) bool) bool {
			for _, c := range clauses {
				some := false
				for _, l := range c {
					some = some || l > 0 && value(l) || l < 0 && !value(-l)
				}
				if !some {
					return false
				}
			}
			return true
		}
		want := false
		for bits := range 1 << vars {
			want = want || satisfied(func(v int) bool { return bits>>(v-1)&1 != 0 })
		}
		model, err := solveSAT(clauses, vars, func() error { return nil })
		if err != nil || (model != nil) != want {
			t.Fatalf("seed %d, %v: %v, %v, want %v", seed, clauses, model, err, want)
		}
		if model != nil && !satisfied(func(v int) bool { return model[v] }) {
			t.Fatalf("seed %d, %v: %v is no model", seed, clauses, model)
		}
	}
}
