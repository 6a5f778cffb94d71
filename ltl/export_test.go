package ltl

import "github.com/seltl/seltl/internal/bdd"

// StepsLeft is how far the last simplification was from its limit.
func (s *Simplifier) StepsLeft() int { return s.steps }

// MaxSteps is the limit.
const MaxSteps = maxSteps

// MatchesBySteps matches a word by linear forms.
func MatchesBySteps(r *Regexp, word []Letter, atoms []Atom, deterministic bool) bool {
	man := bdd.New()
	forms := NewLinearForms(man, atoms...)
	now := map[*Regexp]bool{r: true}
	for _, letter := range word {
		next := map[*Regexp]bool{}
		for r := range now {
			steps := forms.Steps(r)
			if deterministic {
				steps = forms.Deterministic(r)
			}
			for _, s := range steps {
				if man.Sat(s.Label, func(v int) bool { return letter(atoms[v]) }) {
					next[s.Rest] = true
				}
			}
		}
		if now = next; deterministic && len(now) != 1 {
			panic("not deterministic")
		}
	}
	for r := range now {
		if r.nullable {
			return true
		}
	}
	return false
}
