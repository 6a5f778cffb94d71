package programs

import (
	"bytes"
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// needDisjunctions are systems of specs/live/ranking that no ranking function alone decides, and whose
// neighbours, of the same variables and locations, do not end.
var needDisjunctions = []string{"smaller", "handed_on", "three_beats", "doubled", "retries", "remembered", "relay", "parity", "smaller_words"}

// disjunctionMutants spoil a transition invariant; false if it has nothing of the kind.
var disjunctionMutants = map[string]func(k *certificate.Component, d *certificate.Disjunction) bool{
	"no function": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		d.Measures = nil
		return true
	},
	"a function less": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		n := len(d.Measures)
		d.Measures = d.Measures[1:]
		return n > 1
	},
	"functions negated": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		for i := range d.Measures {
			m := &d.Measures[i]
			for j := range m.Summands {
				m.Summands[j].Coefficient = new(big.Int).Neg(m.Summands[j].Coefficient)
			}
		}
		return true
	},
	"functions that may be negative": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		for i := range d.Measures {
			d.Measures[i].Constant = new(big.Int).Sub(d.Measures[i].Constant, big.NewInt(1000))
		}
		return true
	},
	"anything is related": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		for l := range d.Relation {
			d.Relation[l] = logic.True()
		}
		return true
	},
	"nothing is related": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		d.Relation = map[int]*logic.Term{}
		return true
	},
	"the relation is stronger": func(_ *certificate.Component, d *certificate.Disjunction) bool {
		for l, f := range d.Relation {
			for v, c := range d.Copies {
				f = logic.And(f, logic.Eq(v, c))
			}
			d.Relation[l] = f
		}
		return true
	},
	"all steps decrease": func(k *certificate.Component, _ *certificate.Disjunction) bool {
		changed := false
		for i := range k.States {
			for j := range k.States[i].Steps {
				s := &k.States[i].Steps[j]
				better := strings.NewReplacer("=", "<", "?", "<").Replace(s.Effects)
				changed, s.Effects = changed || better != s.Effects, better
			}
		}
		return changed
	},
}

// disjunctive is a copy of a certificate and of its transition invariants.
func disjunctive(c *certificate.Certificate) (*certificate.Certificate, []*certificate.Disjunction) {
	k := c.Components[0]
	k.Measures, k.States = slices.Clone(k.Measures), slices.Clone(k.States)
	for i := range k.States {
		k.States[i].Steps = slices.Clone(k.States[i].Steps)
	}
	var all []*certificate.Disjunction
	for i := range k.Measures {
		if k.Measures[i].Over == nil {
			continue
		}
		d := *k.Measures[i].Over
		d.Measures, d.Relation = slices.Clone(d.Measures), maps.Clone(d.Relation)
		for j := range d.Measures {
			d.Measures[j].Summands = slices.Clone(d.Measures[j].Summands)
		}
		k.Measures[i].Over = &d
		all = append(all, &d)
	}
	return &certificate.Certificate{Question: c.Question, Components: []certificate.Component{k}}, all
}

// certifies writes a certificate and has it read and checked for a system.
func certifies(t *testing.T, pool *smt.Pool, sys *program.System, f SystemFormula, visible bool, c *certificate.Certificate, of []*program.Component) report.Verdict {
	t.Helper()
	var text bytes.Buffer
	if err := c.Write(&text, of); err != nil {
		t.Fatal(err)
	}
	r, err := CertificateSystem(context.Background(), &CertifiedSystem{System: sys, Formula: f.At, Visible: visible}, &text, pool, check.Options{})
	if err != nil {
		t.Fatalf("%s: %v", sys.Name, err)
	}
	return r.Results[0].Verdict
}

// TestTransitionInvariants: what is proved by one has a certificate that is accepted, of which
// mutants are refused, and which proves nothing of a neighbour that does not end.
func TestTransitionInvariants(t *testing.T) {
	pool := Common
	refused, passed := map[string]int{}, map[string]int{}
	names := needDisjunctions
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		sys, f := rankingSystem(t, name)
		never, other := rankingSystem(t, name+"_never")
		never.Name = sys.Name // which the certificate says
		_, results, err := VerifySystem(context.Background(), sys, []SystemFormula{f}, pool, check.Verification{}, cegar.Options{Rounds: 40, Without: passes.Default()})
		if err != nil || results[0].Result.Verdict != outcome.Holds {
			t.Fatalf("%s: %v, %v", name, results, err)
		}
		v := results[0]
		proof := v.Result.Certificate(certificate.Satisfaction)
		if _, all := disjunctive(proof); len(all) == 0 {
			t.Errorf("%s is proved without a transition invariant", name)
			continue
		}
		if got := certifies(t, pool, sys, f, v.Visible, proof, v.components); got != report.Holds {
			t.Errorf("%s: its certificate is %s", name, got)
		}
		if got := certifies(t, pool, never, other, v.Visible, proof, v.components); got == report.Holds {
			t.Errorf("%s: its certificate proves the same of its neighbour", name)
		}
		for kind, spoil := range disjunctionMutants {
			mutant, all := disjunctive(proof)
			changed := false
			for _, d := range all {
				changed = spoil(&mutant.Components[0], d) || changed
			}
			if !changed {
				continue
			}
			if got := certifies(t, pool, sys, f, v.Visible, mutant, v.components); got == report.Holds {
				passed[kind]++
			} else {
				refused[kind]++
			}
			if got := certifies(t, pool, never, other, v.Visible, mutant, v.components); got == report.Holds {
				t.Errorf("%s: after %q its certificate proves the same of its neighbour", name, kind)
			}
		}
	}
	t.Logf("mutants refused: %v, accepted, since they prove it as well: %v", refused, passed)
	for kind := range disjunctionMutants {
		if refused[kind] == 0 && !testing.Short() {
			t.Errorf("%s: none is refused", kind)
		}
	}
	for _, kind := range []string{"no function", "functions negated", "nothing is related", "functions that may be negative"} {
		if passed[kind] > 0 {
			t.Errorf("%s: %d are accepted", kind, passed[kind])
		}
	}
}

func rankingSystem(t *testing.T, name string) (*program.System, SystemFormula) {
	t.Helper()
	sys, err := LoadSystem("../../specs/live/ranking/"+name+".gcl", nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := SystemFormulas(sys)
	if err != nil {
		t.Fatal(err)
	}
	return sys, all[0]
}
