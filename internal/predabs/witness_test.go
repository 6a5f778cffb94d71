package predabs

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// randomAtoms are over three integers, two rationals and a Boolean.
func randomAtom(r *rand.Rand, real bool) *logic.Term {
	if r.IntN(12) == 0 {
		return logic.Var("b", logic.Bool)
	}
	names, sort := []string{"x", "y", "z"}, logic.Int
	if real {
		names, sort = []string{"u", "v"}, logic.Real
	}
	sum := logic.Number(new(big.Rat).SetInt64(int64(r.IntN(9)-4)), sort)
	for _, n := range names {
		sum = logic.Add(sum, logic.Scale(big.NewRat(int64(r.IntN(5)-2), 1), logic.Var(n, sort)))
	}
	zero := logic.Number(new(big.Rat), sort)
	return []*logic.Term{logic.Le(sum, zero), logic.Lt(sum, zero), logic.Eq(sum, zero), logic.Ne(sum, zero), logic.Ge(sum, zero)}[r.IntN(5)]
}

// conditionalAtom compares a conditional number.
func conditionalAtom(r *rand.Rand) *logic.Term {
	some := func() *logic.Term { return logic.IntConst(r.Int64N(7) - 3) }
	sum := logic.Ite(randomAtom(r, r.IntN(2) == 0), some(), some())
	sum = logic.Add(sum, logic.Scale(big.NewRat(int64(r.IntN(5)-2), 1), logic.Ite(randomAtom(r, false), some(), some())))
	sum = logic.Add(sum, logic.Var("x", logic.Int))
	return []*logic.Term{logic.Le(sum, some()), logic.Eq(sum, some())}[r.IntN(2)]
}

func randomFormula(r *rand.Rand, depth int) *logic.Term {
	if depth == 0 || r.IntN(3) == 0 {
		if r.IntN(4) == 0 {
			return conditionalAtom(r)
		}
		return randomAtom(r, r.IntN(3) == 0)
	}
	a, b := randomFormula(r, depth-1), randomFormula(r, depth-1)
	return []*logic.Term{logic.And(a, b), logic.Or(a, b), logic.Not(a), logic.Eq(a, b)}[r.IntN(4)]
}

func randomModel(r *rand.Rand) logic.Model {
	m := logic.Model{"b": logic.BoolValue(r.IntN(2) == 0)}
	for _, n := range []string{"x", "y", "z"} {
		m[n] = logic.IntValue(int64(r.IntN(13) - 6))
	}
	for _, n := range []string{"u", "v"} {
		m[n] = logic.NumValue(big.NewRat(int64(r.IntN(13)-6), int64(1+r.IntN(3))), logic.Real)
	}
	return m
}

// TestEvaluators: what is evaluated in machine integers is so by logic.Eval.
func TestEvaluators(t *testing.T) {
	p := NewProver(nil)
	known := 0
	for seed := range soak.Long(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 50))
		f, m := randomFormula(r, 3), randomModel(r)
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
	if known < soak.Long(2800) {
		t.Errorf("only %d of 3000 formulas are evaluated", known)
	}
	// Numbers that do not fit are not evaluated, and never wrongly.
	x := logic.Var("x", logic.Int)
	large := logic.Number(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 90)), logic.Int)
	w := p.witnesses.add(logic.Model{"x": logic.NumValue(large.Num(), logic.Int)})
	for _, f := range []*logic.Term{logic.Le(x, logic.IntConst(3)), logic.Le(x, large), logic.Ge(logic.Mul(x, x), large), logic.Le(logic.Scale(large.Num(), x), logic.IntConst(1))} {
		if _, ok := p.evaluatorOf(f).holds(w); ok {
			t.Errorf("%s is evaluated in x = 2^90", f)
		}
	}
}

// TestWalk: for every goal that a walk refutes there is a model that does, and
// walks refute most of what can be refuted near where they start.
func TestWalk(t *testing.T) {
	found, early, missed, entailed := 0, 0, 0, 0
	for seed := range soak.Long(uint64(4000)) {
		if seed == 100 {
			early = found
		}
		r := rand.New(rand.NewPCG(seed, 51))
		p := NewProver(nil)
		m := logic.Model{}
		for _, n := range []string{"x", "y", "z"} {
			m[n] = logic.IntValue(int64(r.IntN(13) - 6))
		}
		m["b"] = logic.BoolValue(true)
		var hypothesis, goals []*logic.Term
		for range 12 {
			f := randomAtom(r, false)
			if ok, err := logic.Holds(f, m); err != nil || !ok {
				f = logic.Not(f)
			}
			if f.IsTrue() {
				continue
			}
			if len(hypothesis) < 4 {
				hypothesis = append(hypothesis, f)
			} else {
				goals = append(goals, f)
			}
		}
		var open []int
		for i := range goals {
			open = append(open, i)
		}
		left := p.walkAbout(p.witnesses.add(m), p.evaluatorsOf(hypothesis), p.evaluatorsOf(goals), open)
		for i, g := range goals {
			switch {
			case !slices.Contains(left, i):
				if !p.confirmed(t, hypothesis, g) {
					t.Fatalf("seed %d: no model of %v refutes %s", seed, hypothesis, g)
				}
				found++
			case seed < 100 && refutable(hypothesis, g):
				missed++
			case seed < 100:
				entailed++
			}
		}
	}
	t.Logf("%d goals refuted; of the first %d, %d were missed, and %d have no counterexample", found, early+missed+entailed, missed, entailed)
	if missed*5 > early || entailed == 0 {
		t.Errorf("%d goals refuted, but %d missed", early, missed)
	}
}

// confirmed evaluates all models that were kept by logic.Eval.
func (p *Prover) confirmed(t *testing.T, hypothesis []*logic.Term, goal *logic.Term) bool {
	f := logic.And(append(slices.Clone(hypothesis), logic.Not(goal))...)
	for _, w := range p.witnesses.models {
		m := logic.Model{}
		for _, v := range logic.Vars(f) {
			n, _ := w.value(p.witnesses.slot(v.Name(), v.Sort()))
			if m[v.Name()] = logic.IntValue(n); v.Sort() == logic.Bool {
				m[v.Name()] = logic.BoolValue(n != 0)
			}
		}
		if ok, err := logic.Holds(f, m); err == nil && ok {
			return true
		}
	}
	return false
}

// refutable tries all values in a cube that has, for such small numbers, a
// counterexample if there is one at all.
func refutable(hypothesis []*logic.Term, goal *logic.Term) bool {
	f := logic.And(append(slices.Clone(hypothesis), logic.Not(goal))...)
	p := NewProver(nil)
	e := p.evaluatorOf(f)
	slots := []int{p.witnesses.slot("x", logic.Int), p.witnesses.slot("y", logic.Int), p.witnesses.slot("z", logic.Int), p.witnesses.slot("b", logic.Bool)}
	w := &witness{values: make([]int64, 4), bad: make([]bool, 4), denominator: 1}
	const far = 14
	for x := int64(-far); x <= far; x++ {
		for y := int64(-far); y <= far; y++ {
			for z := int64(-far); z <= far; z++ {
				for b := range int64(2) {
					w.values[slots[0]], w.values[slots[1]], w.values[slots[2]], w.values[slots[3]] = x, y, z, b
					if v, known := e.holds(w); v && known {
						return true
					}
				}
			}
		}
	}
	return false
}

// TestOldWitnessesGo: the number of models is bounded and the useful ones stay.
func TestOldWitnessesGo(t *testing.T) {
	p := NewProver(nil)
	x := logic.Var("x", logic.Int)
	is := func(n int64) *logic.Term { return logic.Eq(x, logic.IntConst(n)) }
	for n := range int64(3 * maxWitnesses) {
		p.witnesses.add(logic.Model{"x": logic.IntValue(n)})
		if n > 0 && !p.remembered(is(0)) {
			t.Fatal("a model that was just used is gone", fmt.Sprint(n))
		}
	}
	if len(p.witnesses.models) != maxWitnesses || p.remembered(is(1)) {
		t.Errorf("%d models", len(p.witnesses.models))
	}
}
