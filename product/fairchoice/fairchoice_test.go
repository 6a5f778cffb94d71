package fairchoice_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

func TestFairChoice(t *testing.T) {
	// One state with a and b: every pattern of a and b comes again and again.
	coin := network(t, func(b *lks.Builder) {
		s := b.State()
		b.Transition(s, "a", s)
		b.Transition(s, "b", s)
	})
	// a once leads to a trap with b only.
	trap := network(t, func(b *lks.Builder) {
		s, dead := b.State("free"), b.State("caught")
		b.Transition(s, "b", s)
		b.Transition(s, "a", dead)
		b.Transition(dead, "b", dead)
	})
	stops := network(t, func(b *lks.Builder) {
		s, end := b.State("here"), b.State()
		b.Transition(s, "a", s)
		b.Transition(s, "b", end)
	})
	for _, c := range []struct {
		net  *lks.Network
		f    string
		want product.Verdict
	}{
		{coin, "G F a", product.Holds},
		{coin, "G F (a & X a & XX b)", product.Holds},
		{coin, "F G (a -> X b)", product.Violated},
		{coin, "a", product.Violated},
		{coin, "G F (a & X a & X X a & XXX a)", product.Holds},
		{coin, "(G F a) & (G F b)", product.Holds},
		// Every X splits the walk; eight splits are one level of it.
		{coin, "G F (a & X(b & X(b & X(a & X(b & X(a & X(a & X(a & X(b & X(a & X b))))))))))", product.Holds},
		{coin, "F G !(a & X(b & X(b & X(a & X(b & X(a & X(a & X(a & X(b & X(a & X b))))))))))", product.Violated},
		{coin, "b U a", product.Holds},
		{coin, "b W a", product.Holds},
		{coin, "a R b", product.Violated},
		{trap, "F caught", product.Holds},
		{trap, "G F a", product.Violated},
		{trap, "free U (a & free & X G caught)", product.Holds},
		{trap, "X X a", product.Violated},
		{stops, "F b", product.Holds},
		{stops, "F deadlock", product.Holds},
		{stops, "G F (a | b)", product.Violated},
		{stops, "here U b", product.Holds},
		{stops, "F G !here", product.Holds},
		{stops, "b -> X X X X b", product.Violated},
		{stops, "!(X X X deadlock)", product.Violated},
	} {
		r, err := fairchoice.Verify(context.Background(), c.net, formulaOf(t, c.net, c.f), product.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %v, want %v", c.f, r.Verdict, c.want)
		}
		if r.Lasso != nil && !endsOnce(r.Lasso) {
			t.Errorf("%s: %v does not end where the run does", c.f, r.Lasso)
		}
	}
}

// TestFairChoiceRandomWalks compares with long random walks on small networks:
// a walk of many steps inside a terminal set goes through all short patterns, so
// it decides the formula as a fair run does. The prefixes that matter are tried
// by walking often.
func TestFairChoiceRandomWalks(t *testing.T) {
	for i := range soak.Long(100) {
		seed := uint64(i)
		r := rand.New(rand.NewPCG(seed, 77))
		net, f := randomProblem(t, r)
		if seed%3 == 0 {
			f = pastFormula(r)
		}
		result, err := fairchoice.Verify(context.Background(), net, f, product.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, f, err)
		}
		violated := false
		for range 60 {
			if word := randomWalk(net, r, 400); !ltl.Eval(f, word) {
				violated = true
				break
			}
		}
		if got := result.Verdict == product.Violated; got != violated {
			t.Errorf("seed %d: %v: fair choice says %v, random walks say violated=%v", seed, f, result.Verdict, violated)
		}
		plain, err := product.Verify(context.Background(), net, f, product.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if plain.Verdict == product.Holds && result.Verdict != product.Holds {
			t.Errorf("seed %d: %v holds in all runs, but not in fair ones", seed, f)
		}
	}
}

// randomWalk walks until it is in a terminal set and then n steps; those make
// the loop of the word.
func randomWalk(net *lks.Network, r *rand.Rand, n int) ltl.Word {
	word, _ := walkOf(net, r, n, true)
	return word
}

// infiniteWalk is randomWalk; ok is false if it has ended.
func infiniteWalk(net *lks.Network, r *rand.Rand, n int) (word ltl.Word, ok bool) {
	return walkOf(net, r, n, false)
}

func walkOf(net *lks.Network, r *rand.Rand, n int, mayEnd bool) (ltl.Word, bool) {
	ex := net.Explorer()
	var succ lks.Successors
	ex.Initial(&succ)
	words := net.Words()
	k := r.IntN(succ.Len())
	return walkFrom(net, succ.States[k*words:(k+1)*words], r, n, mayEnd)
}

func walkFrom(net *lks.Network, from []uint64, r *rand.Rand, n int, mayEnd bool) (ltl.Word, bool) {
	ex := net.Explorer()
	var succ lks.Successors
	words := net.Words()
	state := append([]uint64(nil), from...)
	var letters []ltl.Letter
	visit := func() {
		ex.Successors(state, &succ)
		props := map[string]bool{}
		local := make([]int32, len(net.Components()))
		net.Unpack(state, local)
		for _, p := range net.Props() {
			c, id, _ := net.Prop(p)
			props[p] = net.Kind(state) != lks.Error && net.Components()[c].HasProp(local[c], id)
		}
		event, dead := "", succ.Len() == 0
		if !dead {
			k := r.IntN(succ.Len())
			event = net.Alphabet()[net.Rules()[succ.Rules[k]].Action]
			state = append([]uint64(nil), succ.States[k*words:(k+1)*words]...)
		}
		letters = append(letters, func(a ltl.Atom) bool {
			switch a.Kind {
			case ltl.Prop:
				return props[a.Name]
			case ltl.Event:
				return event == a.Name
			}
			return dead
		})
	}
	// Long enough to end up in a terminal set of so small a network; a walk that
	// ought to end may linger.
	prefix := 60
	if !mayEnd {
		prefix = 1000
	}
	for range prefix {
		if visit(); succ.Len() == 0 && !mayEnd {
			return ltl.Word{}, false
		}
	}
	start := fmt.Sprint(state)
	stem := len(letters)
	for len(letters) < stem+n || fmt.Sprint(state) != start && len(letters) < stem+20*n {
		visit()
	}
	return ltl.Word{Stem: letters[:stem], Loop: letters[stem:]}, true
}

// randomEscapes is randomProblem with walks that end, or reach a trap, or either.
func randomEscapes(t *testing.T, r *rand.Rand) (*lks.Network, *ltl.Formula) {
	_, f := randomProblem(t, r)
	net := network(t, func(b *lks.Builder) {
		end := b.State()
		for range 4 {
			b.State([][]string{{"p"}, {"q"}, {"p", "q"}, nil}[r.IntN(4)]...)
		}
		b.Prop("p")
		b.Prop("q")
		b.Action("a")
		b.Action("b")
		for s := int32(1); s < 5; s++ {
			b.Transition(s, []string{"a", "b"}[r.IntN(2)], r.Int32N(5))
			if s < 3 { // the others go on without choice, perhaps for ever
				b.Transition(s, []string{"a", "b"}[r.IntN(2)], r.Int32N(5))
				b.Transition(s, []string{"a", "b"}[r.IntN(2)], []int32{end, 3}[r.IntN(2)])
			}
		}
		b.Initial(1)
	})
	return net, f
}

// randomProblem makes a small network with one component and a small formula.
func randomProblem(t *testing.T, r *rand.Rand) (*lks.Network, *ltl.Formula) {
	net := network(t, func(b *lks.Builder) {
		n := 1 + r.IntN(4)
		for range n {
			var props []string
			for _, p := range []string{"p", "q"} {
				if r.IntN(2) == 0 {
					props = append(props, p)
				}
			}
			b.State(props...)
		}
		for _, p := range []string{"p", "q"} {
			b.Prop(p)
		}
		for _, a := range []string{"a", "b"} {
			b.Action(a)
		}
		for s := range int32(n) {
			for range r.IntN(3) + r.IntN(2) {
				b.Transition(s, []string{"a", "b"}[r.IntN(2)], int32(r.IntN(n)))
			}
		}
	})
	return net, gen.Formula(r, gen.FormulaOptions{Atoms: problemAtoms, Size: 1 + r.IntN(9)})
}

var problemAtoms = []ltl.Atom{{Kind: ltl.Prop, Name: "p"}, {Kind: ltl.Prop, Name: "q"}, {Kind: ltl.Event, Name: "a"}, {Kind: ltl.Event, Name: "b"}}

// pastFormula is a formula about a random problem that may look back.
func pastFormula(r *rand.Rand) *ltl.Formula {
	return gen.Formula(r, gen.FormulaOptions{Atoms: problemAtoms, Size: 2 + r.IntN(7), Ops: gen.PastOps})
}

// TestFairChoiceIgnoringFiniteRuns judges walks on condition that they do not end.
func TestFairChoiceIgnoringFiniteRuns(t *testing.T) {
	// Every walk takes c and stops at last.
	doomed := network(t, func(b *lks.Builder) {
		s, mid, end := b.State(), b.State(), b.State()
		b.Transition(s, "a", mid)
		b.Transition(mid, "b", s)
		b.Transition(s, "c", end)
	})
	// One that survives takes d, and then e for ever.
	escape := network(t, func(b *lks.Builder) {
		s, free, end := b.State(), b.State(), b.State()
		b.Transition(s, "a", s)
		b.Transition(s, "c", end)
		b.Transition(s, "d", free)
		b.Transition(free, "e", free)
	})
	for _, c := range []struct {
		net    *lks.Network
		f      string
		want   product.Verdict
		noRuns bool
	}{
		{doomed, "G F a", product.Holds, true},
		{doomed, "false", product.Holds, true},
		{escape, "F G e", product.Holds, false},
		{escape, "G !c", product.Holds, false},
		{escape, "F d", product.Holds, false},
		{escape, "a | d", product.Holds, false},
		{escape, "d", product.Violated, false},
		{escape, "G F a", product.Violated, false},
	} {
		r, err := fairchoice.Verify(context.Background(), c.net, formulaOf(t, c.net, c.f), product.Options{Finite: product.IgnoreRuns})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want || r.NoRuns != c.noRuns || r.Finite != product.IgnoreRuns || !r.FiniteMet {
			t.Errorf("%s: %v, want %v; %+v", c.f, r.Verdict, c.want, r)
		}
		_, err = fairchoice.Verify(context.Background(), c.net, formulaOf(t, c.net, c.f), product.Options{Finite: product.RefuseRuns})
		if _, ok := errors.AsType[*product.FiniteRunError](err); !ok {
			t.Errorf("%s: finite runs are refused, but the error is %v", c.f, err)
		}
	}
}

// TestFairChoiceRandomWalksThatGoOn compares with long random walks, of which those
// that end are thrown away.
func TestFairChoiceRandomWalksThatGoOn(t *testing.T) {
	some, none, refuted := 0, 0, 0
	for seed := range soak.Long(uint64(100)) {
		r := rand.New(rand.NewPCG(seed, 78))
		net, f := randomEscapes(t, r)
		result, err := fairchoice.Verify(context.Background(), net, f, product.Options{Finite: product.IgnoreRuns})
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, f, err)
		}
		if !result.FiniteMet {
			continue
		}
		walks, violated := 0, false
		for tries := 0; tries < 400 && walks < 30 && !violated; tries++ {
			if word, ok := infiniteWalk(net, r, 400); ok {
				walks++
				violated = !ltl.Eval(f, word)
			}
		}
		if walks == 0 {
			none++
		} else {
			some++
		}
		if violated {
			refuted++
		}
		if got := result.Verdict == product.Violated; got != violated || result.NoRuns != (walks == 0) {
			t.Errorf("seed %d: %v: fair choice says %v (no runs: %t), %d random walks say violated=%v",
				seed, f, result.Verdict, result.NoRuns, walks, violated)
		}
	}
	if some < soak.Long(15) || none < soak.Long(15) || refuted < soak.Long(5) {
		t.Errorf("%d problems with walks that go on, %d without, %d refuted: too few", some, none, refuted)
	}
}
