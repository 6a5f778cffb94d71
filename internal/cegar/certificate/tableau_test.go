package certificate

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

var letters = []ltl.Atom{{Kind: ltl.Prop, Name: "p"}, {Kind: ltl.Prop, Name: "q"}, {Kind: ltl.Event, Name: "a"}}

// randomFormula makes a formula over p, q and a, with all operators.
func randomFormula(r *rand.Rand, depth int) *ltl.Formula {
	if depth == 0 || r.IntN(9) == 0 {
		return ltl.AtomOf(letters[r.IntN(len(letters))])
	}
	sub := func() *ltl.Formula { return randomFormula(r, depth-1) }
	ops := []ltl.Op{ltl.Not, ltl.Next, ltl.Eventually, ltl.Always, ltl.And, ltl.Or, ltl.Xor, ltl.Implies, ltl.Iff, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease,
		ltl.Yesterday, ltl.WeakYesterday, ltl.Once, ltl.Historically, ltl.Since, ltl.Triggered}
	op := ops[r.IntN(len(ops))]
	switch op {
	case ltl.Not, ltl.Next, ltl.Eventually, ltl.Always, ltl.Yesterday, ltl.WeakYesterday, ltl.Once, ltl.Historically:
		return ltl.Make(op, sub())
	}
	return ltl.Make(op, sub(), sub())
}

// accepts reports whether a tableau has an accepting run on the word of some letters (sets of
// atoms as bits), the last of which repeat from a position on.
func accepts(b *tableau, word []int, from int) bool {
	type node struct {
		at int
		q  int32
	}
	number := map[node]int32{}
	var nodes []node
	enter := func(n node) int32 {
		if _, known := number[n]; !known {
			number[n] = int32(len(nodes))
			nodes = append(nodes, n)
		}
		return number[n]
	}
	x := &arena{strong: make([]bool, len(b.promises))}
	enter(node{0, 0})
	for k := 0; k < len(nodes); k++ {
		n := nodes[k]
		bits := word[n.at]
		l := &letter{moves: bits>>2&1 == 1, action: "a", holds: func(a ltl.Atom) bool { return bits>>map[string]int{"p": 0, "q": 1}[a.Name]&1 == 1 }}
		next := n.at + 1
		if next == len(word) {
			next = from
		}
		asks := make([]bool, len(b.promises))
		var out []arenaEdge
		for _, e := range b.out(n.q) {
			if e.reads(l) {
				out = append(out, arenaEdge{enter(node{next, e.next}), meets(&tableau{}, b, nil, &e)[:len(b.promises)]})
			}
		}
		for i := range asks {
			asks[i] = true
		}
		x.out, x.asks = append(x.out, out), append(x.asks, asks)
	}
	return x.fairNode() >= 0
}

// TestTableau compares tableaus with the meaning of formulas on lassos.
func TestTableau(t *testing.T) {
	defer func(most int) { maxTableau = most }(maxTableau)
	maxTableau = 1 << 9 // what is larger takes long to look through
	hold, large := 0, 0
	for seed := range uint64(soak.Long(1500)) {
		r := rand.New(rand.NewPCG(seed, 3))
		f := randomFormula(r, 1+r.IntN(4))
		word := make([]int, 1+r.IntN(5))
		var w ltl.Word
		from := r.IntN(len(word))
		for i := range word {
			word[i] = r.IntN(8)
			var some []ltl.Atom
			for k, a := range letters {
				if word[i]>>k&1 == 1 {
					some = append(some, a)
				}
			}
			if i < from {
				w.Stem = append(w.Stem, ltl.LetterOf(some...))
			} else {
				w.Loop = append(w.Loop, ltl.LetterOf(some...))
			}
		}
		wanted := ltl.Eval(f, w)
		if wanted {
			hold++
		}
		b := newTableau(f)
		if got := accepts(b, word, from); b.tooLarge {
			large++
		} else if got != wanted {
			t.Fatalf("seed %d: %v on %v from %d: %v", seed, f, word, from, got)
		}
	}
	if hold < soak.Least(250) || large > soak.Long(50) {
		t.Errorf("only %d hold, %d were too large", hold, large)
	}
}

// TestFairNode compares with all sets of nodes of small graphs.
func TestFairNode(t *testing.T) {
	fair := 0
	for seed := range uint64(soak.Cases(5000)) {
		r := rand.New(rand.NewPCG(seed, 4))
		n, kinds := 1+r.IntN(5), r.IntN(4)
		x := &arena{out: make([][]arenaEdge, n)}
		some := func(share int) (all []bool) {
			for range kinds {
				all = append(all, r.IntN(share) == 0)
			}
			return all
		}
		x.strong = some(2)
		for i := range n {
			x.asks = append(x.asks, some(2))
			for range r.IntN(3) {
				x.out[i] = append(x.out[i], arenaEdge{int32(r.IntN(n)), some(4)})
			}
		}
		wanted := false
		for set := 1; set < 1<<n; set++ {
			wanted = wanted || fairSet(x, set)
		}
		if wanted {
			fair++
		}
		if got := x.fairNode() >= 0; got != wanted {
			t.Fatalf("seed %d: %v: %+v", seed, got, x)
		}
	}
	if fair < 500 {
		t.Errorf("only %d have a fair run", fair)
	}
}

// fairSet reports whether a run can be about exactly a set of nodes for ever, and is fair.
func fairSet(x *arena, set int) bool {
	n := len(x.out)
	reach := make([][]bool, n)
	met := make([]bool, len(x.strong))
	for i := range n {
		reach[i] = make([]bool, n)
		if set>>i&1 == 0 {
			continue
		}
		for _, e := range x.out[i] {
			if set>>e.to&1 == 1 {
				reach[i][e.to] = true
				for r, m := range e.meet {
					met[r] = met[r] || m
				}
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for i := range n {
		for j := range n {
			if set>>i&1 == 1 && set>>j&1 == 1 && !reach[i][j] {
				return false
			}
		}
	}
	for r, strong := range x.strong {
		asked, not := false, false
		for i := range n {
			if set>>i&1 == 1 {
				asked, not = asked || x.asks[i][r], not || !x.asks[i][r]
			}
		}
		if !met[r] && (strong && asked || !strong && !not) {
			return false
		}
	}
	return true
}

// TestSilence: which formulas notice silent steps, infinitely many of them included.
func TestSilence(t *testing.T) {
	atoms := letters
	var all []seen
	silent := map[int]int{}
	for bits := range 8 {
		all = append(all, seen{atoms: atoms, holds: []bool{bits&1 == 1, bits&2 == 2, bits&4 == 4}})
		silent[bits] = bits & 3
	}
	for i := range all {
		all[i].silent = silent[i]
	}
	atom := func(i int) *ltl.Formula { return ltl.AtomOf(letters[i]) }
	p, q, a := atom(0), atom(1), atom(2)
	for _, c := range []struct {
		f       *ltl.Formula
		notices bool
	}{
		{ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeEventually(p))), false},
		{ltl.MakeUntil(p, q), false},
		{ltl.MakeAlways(ltl.MakeNot(a)), false},
		{ltl.MakeEventually(ltl.MakeAnd(a, p)), false},
		{ltl.MakeWeakUntil(ltl.MakeNot(a), ltl.MakeAnd(a, q)), false},
		{ltl.MakeAlways(ltl.MakeOr(a, ltl.MakeEventually(a))), false},
		{ltl.MakeNext(p), true},
		{a, true},
		{ltl.MakeAlways(a), true},
		{ltl.MakeUntil(a, p), true},
		{ltl.MakeEventually(ltl.MakeAlways(a)), true},
		{ltl.MakeAlways(ltl.MakeEventually(ltl.MakeNot(a))), true},
		{ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeNext(p))), false}, // the state behind a is the same however long it lasts
		{ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeNext(a))), true},
		{ltl.MakeEventually(ltl.MakeAnd(p, ltl.MakeNext(ltl.MakeNot(p)))), false}, // F p and then not p
	} {
		noticed := false
		for _, h := range [][2]*ltl.Formula{{c.f, ltl.Negate(c.f)}, {ltl.Negate(c.f), c.f}} {
			found, err := differ(newTableau(h[0]), newTableau(h[1]), all, budget.New(context.Background(), budget.Limits{}, nil))
			if err != nil {
				t.Fatal(err)
			}
			noticed = noticed || found
		}
		if noticed != c.notices {
			t.Errorf("%v: notices silent steps: %v", c.f, noticed)
		}
	}
}
