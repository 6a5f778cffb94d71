package clp_test

import (
	"fmt"

	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/clp"
)

// tuples are the values that a relation holds of, as texts.
type tuples map[string]bool

// leastModel evaluates a rule set bottom-up until nothing changes, trying all values of all
// variables of each rule: integers from 0 to limit, and Booleans. Rules are to make sure
// that others do not matter.
func leastModel(p *RuleSet, limit int64) []tuples {
	model := make([]tuples, len(p.Relations))
	valuations := make([][]logic.Model, len(p.Relations))
	for i := range p.Relations {
		model[i] = tuples{}
		valuations[i] = naive.Valuations(p.Relations[i].Vars(), limit)
	}
	for changed := true; changed; {
		changed = false
		for i, r := range p.Relations {
			for _, m := range valuations[i] {
				if key := tuple(r.Params, m); !model[i][key] && r.Body != nil && holds(p, r.Body, model, m) {
					model[i][key], changed = true, true
				}
			}
		}
	}
	return model
}

// tuple writes the values of terms.
func tuple(ts []*logic.Term, m logic.Model) string {
	text := ""
	for _, t := range ts {
		v, err := logic.Eval(t, m)
		if err != nil {
			panic(fmt.Sprintf("naive: %v", err))
		}
		text += v.String() + ";"
	}
	return text
}

func holds(p *RuleSet, f *Formula, model []tuples, m logic.Model) bool {
	switch f.Op {
	case OpConstraint:
		ok, err := logic.Holds(f.Constraint, m)
		if err != nil {
			panic(fmt.Sprintf("naive: %v", err))
		}
		return ok
	case OpCall:
		return model[f.Relation][tuple(f.Args, m)]
	case OpAnd:
		for _, g := range f.Parts {
			if !holds(p, g, model, m) {
				return false
			}
		}
		return true
	}
	for _, g := range f.Parts {
		if holds(p, g, model, m) {
			return true
		}
	}
	return false
}
