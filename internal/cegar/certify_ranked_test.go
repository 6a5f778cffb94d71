package cegar

import (
	"context"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// common is a pool that most tests share: to start z3 takes longer than many questions do.
var common = smt.Z3Pool(1, smt.Options{})

// randomLoops makes a component whose loops may end: counters go down or up to a bound, side by
// side, one after the other, or one in the other, and some do work.
func randomLoops(r *rand.Rand) *program.Component {
	x, y := logic.Var("x", logic.BitVec(4)), logic.Var("y", logic.BitVec(4))
	n := func(k int) *logic.Term { return logic.BVConst(big.NewInt(int64(k)), 4) }
	lt := []func(a, b *logic.Term) *logic.Term{logic.BVSLt, logic.BVULt}[r.IntN(2)]
	count := func(v *logic.Term) (guard *logic.Term, update []*logic.Term) {
		by := n(1 + r.IntN(2))
		switch r.IntN(4) {
		case 0:
			return lt(v, n(6)), []*logic.Term{v, logic.BVAdd(v, by)}
		case 1:
			return logic.Ne(v, n(0)), []*logic.Term{v, logic.BVSub(v, by)}
		case 2:
			return lt(n(r.IntN(3)), v), []*logic.Term{v, logic.BVSub(v, by)}
		}
		return lt(v, []*logic.Term{x, y}[r.IntN(2)]), []*logic.Term{v, logic.BVAdd(v, n(1))}
	}
	vars, work := []*logic.Term{x, y}, []string{"", "work"}[r.IntN(2)]
	one, first := count(x)
	two, second := count(y)
	switch r.IntN(3) {
	case 0: // one loop, with a choice
		return loops(1, logic.True(), vars, nil, way{0, 0, work, logic.And(one, two), first}, way{0, 0, "", logic.And(one, two), second}, way{0, 1, "", logic.Not(logic.And(one, two)), nil})
	case 1: // one after the other
		return loops(2, logic.True(), vars, nil, way{0, 0, "", one, first}, way{0, 1, "", logic.Not(one), nil}, way{1, 1, work, two, second}, way{1, 2, "", logic.Not(two), nil})
	}
	return loops(2, logic.True(), vars, nil, way{0, 1, "", one, []*logic.Term{y, n(r.IntN(4))}}, way{1, 1, work, two, second}, way{1, 0, "", logic.Not(two), first}, way{0, 2, "", logic.Not(one), nil})
}

// changed is a measure with a number more in one coefficient.
func changed(r *rand.Rand, m *certificate.Measure, by int64) {
	m.Summands = slices.Clone(m.Summands)
	s := &m.Summands[r.IntN(len(m.Summands))]
	s.Coefficient = new(big.Int).Add(s.Coefficient, big.NewInt(by))
}

// claims replaces the effect of a step on a measure by a better one.
func claims(r *rand.Rand, k *certificate.Component, from, to byte) bool {
	type place struct{ state, step, measure int }
	var all []place
	for i, s := range k.States {
		for j, step := range s.Steps {
			for m := range step.Effects {
				if step.Effects[m] == from {
					all = append(all, place{i, j, m})
				}
			}
		}
	}
	if len(all) == 0 {
		return false
	}
	p := all[r.IntN(len(all))]
	step := &k.States[p.state].Steps[p.step]
	effects := []byte(step.Effects)
	effects[p.measure] = to
	step.Effects = string(effects)
	return true
}

// measureMutants are ways to spoil what ranking functions prove; false if there is nothing of the
// kind.
var measureMutants = map[string]func(r *rand.Rand, k *certificate.Component) bool{
	"double a coefficient, less one": func(r *rand.Rand, k *certificate.Component) bool {
		m := &k.Measures[r.IntN(len(k.Measures))]
		changed(r, m, -3)
		return true
	},
	"negate a measure": func(r *rand.Rand, k *certificate.Component) bool {
		m := &k.Measures[r.IntN(len(k.Measures))]
		m.Summands = slices.Clone(m.Summands)
		for i := range m.Summands {
			m.Summands[i].Coefficient = new(big.Int).Neg(m.Summands[i].Coefficient)
		}
		return true
	},
	"lower the constant": func(r *rand.Rand, k *certificate.Component) bool {
		m := &k.Measures[r.IntN(len(k.Measures))]
		m.Constant = new(big.Int).Sub(m.Constant, big.NewInt(2))
		return true
	},
	"read another number": func(r *rand.Rand, k *certificate.Component) bool {
		m := &k.Measures[r.IntN(len(k.Measures))]
		m.Summands = slices.Clone(m.Summands)
		s := &m.Summands[r.IntN(len(m.Summands))]
		s.Reading = (s.Reading + 1) % 3
		return true
	},
	"drop a measure": func(r *rand.Rand, k *certificate.Component) bool {
		n := r.IntN(len(k.Measures))
		k.Measures = slices.Delete(k.Measures, n, n+1)
		for i := range k.States {
			for j := range k.States[i].Steps {
				step := &k.States[i].Steps[j]
				step.Effects = step.Effects[:n] + step.Effects[n+1:]
			}
		}
		return true
	},
	"claim that what stays decreases": func(r *rand.Rand, k *certificate.Component) bool {
		return claims(r, k, certificate.Stays, certificate.Decreases)
	},
	"claim that anything stays": func(r *rand.Rand, k *certificate.Component) bool {
		return claims(r, k, certificate.Any, certificate.Stays)
	},
	"claim less": func(r *rand.Rand, k *certificate.Component) bool {
		return claims(r, k, certificate.Decreases, certificate.Any)
	},
	"drop a step": func(r *rand.Rand, k *certificate.Component) bool {
		s := &k.States[r.IntN(len(k.States))]
		if len(s.Steps) == 0 {
			return false
		}
		n := r.IntN(len(s.Steps))
		s.Steps = slices.Delete(s.Steps, n, n+1)
		return true
	},
	"weaken an invariant": func(r *rand.Rand, k *certificate.Component) bool {
		cut := &k.Cuts[r.IntN(len(k.Cuts))]
		if len(cut.Predicates) == 0 {
			return false
		}
		n := r.IntN(len(cut.Predicates))
		cut.Predicates = slices.Delete(cut.Predicates, n, n+1)
		for i := range k.States {
			if s := &k.States[i]; s.Location == cut.Location {
				s.Holds = slices.Delete(s.Holds, n, n+1)
			}
		}
		return true
	},
}

// TestCertificatesOfRankings: what is proved by ranking functions has a certificate that is
// accepted, and of each kind of mutants some are not. What fails has none: its models have no
// measures that would prove it, and no better effects are believed.
func TestCertificatesOfRankings(t *testing.T) {
	pool := common
	kinds := slices.Sorted(maps.Keys(measureMutants))
	accepted, refuted, rejected, passed := 0, 0, map[string]int{}, map[string]int{}
	for seed := range uint64(max(2, soak.Long(20))) {
		r := rand.New(rand.NewPCG(seed, 83))
		c := randomLoops(r)
		ended := Proposition{Prop: predabs.Prop{Name: "ended", At: c.Ends}}
		a := &asked{property: &Property{Formula: ltl.MakeEventually(ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: "ended"})), Propositions: [][]Proposition{{ended}}}}
		a.opts.Rounds, a.opts.Without = 4, passes.Default() // a certificate is about the component as it is written
		a.task = certificate.Task{Components: []*program.Component{c}, Question: certificate.Satisfaction, Formula: a.property.Formula}
		a.task.Observe(0, certificate.Prop{Name: "ended", At: c.Ends}, nil)
		got, err := Satisfies(context.Background(), a.task.Components, a.property, pool, a.opts)
		if err != nil {
			t.Fatal(seed, err)
		}
		if got.Verdict == outcome.Unknown {
			continue
		}
		proof := got.Certificate(certificate.Satisfaction)
		switch err := a.proves(t, pool, proof); {
		case got.Verdict == outcome.Holds && err != nil:
			t.Errorf("seed %d: %v", seed, err)
		case got.Verdict == outcome.Violated && err == nil:
			t.Errorf("seed %d: it fails, and has a certificate", seed)
		case got.Verdict == outcome.Violated:
			refuted++
		case got.Ranked():
			accepted++
		}
		if !got.Ranked() {
			continue
		}
		for i := range 6 {
			m, kind := copied(proof), kinds[(int(seed)+i)%len(kinds)]
			m.Components[0].Measures = slices.Clone(proof.Components[0].Measures)
			if !measureMutants[kind](r, &m.Components[0]) {
				continue
			}
			switch err := a.proves(t, pool, m); {
			case err == nil && got.Verdict == outcome.Violated:
				t.Errorf("seed %d: it fails, and after %s has a certificate", seed, kind)
			case err == nil:
				passed[kind]++
			default:
				rejected[kind]++
			}
		}
	}
	t.Logf("%d accepted, %d fail; mutants rejected %v, and accepted, since they prove it as well, %v", accepted, refuted, rejected, passed)
	if accepted == 0 || !testing.Short() && refuted == 0 {
		t.Error("a kind of answer is missing")
	}
	for kind := range measureMutants {
		if seldom := kind == "claim that anything stays" || kind == "weaken an invariant"; rejected[kind] == 0 && !testing.Short() && (!seldom || soak.On()) {
			t.Errorf("%s: none is rejected", kind)
		}
	}
}
