package fsp

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// The rewritten assertion on a run that ends is the assertion on the run with
// its last action repeated for ever, by the definition of the operators; on
// infinite runs nothing changes.
func TestKeepLastAction(t *testing.T) {
	a, b := ltl.Atom{Kind: ltl.Event, Name: "a"}, ltl.Atom{Kind: ltl.Event, Name: "b"}
	fluent := ltl.Atom{Kind: ltl.Prop, Name: "F"}
	stopped := ltl.Atom{Kind: ltl.Deadlock}
	after := map[ltl.Atom]*ltl.Formula{fluent: ltl.MakeNext(ltl.AtomOf(fluent))}
	differ := 0
	for seed := range soak.Cases(uint64(6000)) {
		r := rand.New(rand.NewPCG(seed, 20))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(8), Atoms: []ltl.Atom{a, b, fluent}})
		f = ltl.Substitute(f, after)
		n := r.IntN(5)
		g := keepLastAction(f, n == 0 || r.IntN(2) == 0)
		var stem []ltl.Letter
		event := ltl.Atom{}
		letter := func(more ...ltl.Atom) ltl.Letter {
			if r.IntN(2) == 0 {
				more = append(more, fluent)
			}
			return ltl.LetterOf(more...)
		}
		for range n {
			event = []ltl.Atom{a, b, {Kind: ltl.Event, Name: "tau"}}[r.IntN(3)]
			stem = append(stem, letter(event))
		}
		var atEnd []ltl.Atom
		if r.IntN(2) == 0 {
			atEnd = append(atEnd, fluent)
		}
		ends := ltl.Word{Stem: stem, Loop: []ltl.Letter{ltl.LetterOf(append([]ltl.Atom{stopped}, atEnd...)...)}}
		stays := ltl.Word{Stem: stem, Loop: []ltl.Letter{ltl.LetterOf(append([]ltl.Atom{event}, atEnd...)...)}}
		want := naive.LTLHolds(f, stays)
		if got := ltl.Eval(g, ends); got != want {
			t.Fatalf("seed %d: %v becomes %v, which is %v after %d actions and not %v", seed, f, g, got, n, want)
		}
		if ltl.Eval(f, ends) != want {
			differ++
		}
		forever := ltl.Word{Stem: stem, Loop: []ltl.Letter{letter(a), letter(b), letter()}}
		if ltl.Eval(g, forever) != naive.LTLHolds(f, forever) {
			t.Fatalf("seed %d: %v and %v differ on an infinite run", seed, f, g)
		}
	}
	if differ < soak.Cases(100) {
		t.Errorf("only %d formulas depend on what the last action is at the end", differ)
	}
}

func TestKeepLastActionLeavesAlone(t *testing.T) {
	a, b := ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "a"}), ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "b"})
	for _, f := range []*ltl.Formula{
		ltl.MakeAlways(ltl.MakeNot(a)),
		ltl.MakeEventually(a),
		ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeEventually(b))),
		ltl.MakeWeakUntil(ltl.MakeNot(b), a),
		ltl.MakeUntil(ltl.MakeNot(b), a),
	} {
		if g := keepLastAction(f, true); g != f {
			t.Errorf("%v becomes %v", f, g)
		}
	}
}
