package predabs

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// wordTerms makes random terms of words of some width.
type wordTerms struct {
	*rand.Rand
	width int
}

func (r wordTerms) constant() *logic.Term {
	v := new(big.Int).SetUint64(r.Uint64())
	switch r.IntN(4) {
	case 0:
		v.SetInt64(int64(r.IntN(3)) - 1)
	case 1:
		v.Lsh(big.NewInt(1), uint(r.IntN(r.width)))
	}
	return logic.BVConst(v, r.width)
}

func (r wordTerms) word(depth int) *logic.Term {
	sort := logic.BitVec(r.width)
	switch k := r.IntN(12); {
	case k < 3 || depth == 0:
		return logic.Var([]string{"v", "w", "x"}[r.IntN(3)], sort)
	case k == 3:
		return r.constant()
	case k == 4:
		return logic.Ite(r.formula(depth-1), r.word(depth-1), r.word(depth-1))
	case k == 5:
		return logic.BVNot(r.word(depth - 1))
	case k == 6:
		return logic.BVNeg(r.word(depth - 1))
	case k == 7 && r.width > 1: // cut and put together again
		at := 1 + r.IntN(r.width-1)
		return logic.Concat(logic.Extract(r.word(depth-1), r.width-1, at), logic.Extract(r.word(depth-1), at-1, 0))
	case k == 8 && r.width > 1:
		at := r.IntN(r.width - 1)
		part := logic.Extract(r.word(depth-1), at, 0)
		if r.IntN(2) == 0 {
			return logic.ZeroExtend(part, r.width-at-1)
		}
		return logic.SignExtend(part, r.width-at-1)
	}
	ops := []logic.Op{logic.OpBVAdd, logic.OpBVMul, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem, logic.OpBVAnd,
		logic.OpBVOr, logic.OpBVXor, logic.OpBVShl, logic.OpBVLShr, logic.OpBVAShr}
	return logic.BVOp(ops[r.IntN(len(ops))], r.word(depth-1), r.word(depth-1))
}

func (r wordTerms) formula(depth int) *logic.Term {
	a, b := r.word(depth), r.word(max(0, depth-1))
	switch r.IntN(8) {
	case 0:
		return logic.Eq(a, b)
	case 1:
		return logic.Ne(a, b)
	case 2:
		return logic.BVULe(a, b)
	case 3:
		return logic.BVULt(a, b)
	case 4:
		return logic.BVSLe(a, b)
	case 5:
		return logic.BVSLt(a, b)
	}
	if depth == 0 {
		return logic.Eq(a, b)
	}
	return []func(...*logic.Term) *logic.Term{logic.And, logic.Or}[r.IntN(2)](r.formula(depth-1), r.formula(depth-1))
}

func (r wordTerms) model() logic.Model {
	m := logic.Model{}
	for _, n := range []string{"v", "w", "x"} {
		v, err := logic.Eval(r.constant(), nil)
		if err != nil {
			panic(err)
		}
		m[n] = v
	}
	return m
}

var wordWidths = []int{1, 2, 7, 8, 32, 33, 63, 64}

// TestWordEvaluators: what is evaluated in machine words is so by logic.Eval.
func TestWordEvaluators(t *testing.T) {
	known := 0
	for seed := range soak.Cases(uint64(8000)) {
		r := wordTerms{rand.New(rand.NewPCG(seed, 53)), wordWidths[seed%8]}
		p := NewProver(nil)
		f, m := r.formula(3), r.model()
		want, err := logic.Holds(f, m)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := p.evaluatorOf(f).holds(p.witnesses.add(m))
		if ok && got != want {
			t.Fatalf("seed %d: %s in %s: %v, want %v", seed, f, m, got, want)
		}
		if ok {
			known++
		}
	}
	if known < soak.Cases(7600) {
		t.Errorf("only %d formulas are evaluated", known)
	}
	// A name that has another sort elsewhere is another variable.
	p := NewProver(nil)
	w := p.witnesses.add(logic.Model{"x": logic.IntValue(300)})
	x := logic.Var("x", logic.BitVec(8))
	if got, ok := p.evaluatorOf(logic.Eq(x, logic.BVConst(big.NewInt(0), 8))).holds(w); !got || !ok {
		t.Error("an integer is taken for a word")
	}
	if _, ok := p.evaluatorOf(logic.Eq(logic.Var("x", logic.BitVec(65)), logic.BVConst(big.NewInt(0), 65))).holds(w); ok {
		t.Error("65 bits are evaluated")
	}
}

// TestWordWalk: what a walk refutes is refuted by a model of the hypothesis, and walks
// refute most simple goals that can be.
func TestWordWalk(t *testing.T) {
	found, missed := 0, 0
	for seed := range soak.Long(uint64(750)) {
		r := wordTerms{rand.New(rand.NewPCG(seed, 54)), 3}
		p := NewProver(nil)
		m := r.model()
		var hypothesis, goals []*logic.Term
		for len(goals) < 6 {
			f := r.formula(1)
			if ok, err := logic.Holds(f, m); err != nil || !ok {
				f = logic.Not(f)
			}
			if len(hypothesis) < 2 {
				hypothesis = append(hypothesis, f)
			} else {
				goals = append(goals, f)
			}
		}
		left := p.walkAbout(p.witnesses.add(m), p.evaluatorsOf(hypothesis), p.evaluatorsOf(goals), []int{0, 1, 2, 3, 4, 5})
		for i, g := range goals {
			can := wordsRefutable(r, logic.And(hypothesis...), g)
			switch refuted := !slices.Contains(left, i); {
			case refuted && !can:
				t.Fatalf("seed %d: %s is said not to follow from %s", seed, g, logic.And(hypothesis...))
			case refuted:
				found++
			case can:
				missed++
			}
		}
	}
	t.Logf("%d refuted, %d missed", found, missed)
	if found < 4*missed || found < soak.Long(1000) {
		t.Errorf("%d goals were refuted, %d could have been", found, missed)
	}
}

// wordsRefutable tries all values.
func wordsRefutable(r wordTerms, hypothesis, goal *logic.Term) bool {
	sort := logic.BitVec(r.width)
	f := logic.And(hypothesis, logic.Not(goal))
	for k := range int64(1) << (3 * r.width) {
		m := logic.Model{}
		for i, n := range []string{"v", "w", "x"} {
			m[n] = logic.NumValue(new(big.Rat).SetInt64(k>>(i*r.width)), sort)
		}
		if ok, err := logic.Holds(f, m); ok && err == nil {
			return true
		}
	}
	return false
}
