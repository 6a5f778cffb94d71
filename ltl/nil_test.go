package ltl_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/seltl/seltl/ltl"
)

// A nil formula is an error, or a panic that says what is wrong.
func TestNil(t *testing.T) {
	f, word := ltl.T(), ltl.Word{Loop: []ltl.Letter{ltl.LetterOf()}}
	none := (*ltl.Formula)(nil)
	for name, call := range map[string]func(){
		"Simplify":    func() { ltl.Simplify(none, ltl.SimplifyOptions{}) },
		"NNF":         func() { ltl.NNF(none) },
		"Negate":      func() { ltl.Negate(none) },
		"Classify":    func() { ltl.Classify(none) },
		"Eval":        func() { ltl.Eval(none, word) },
		"Atoms":       func() { ltl.Atoms(f, none) },
		"Subformulas": func() { ltl.Subformulas(f, none) },
		"Substitute":  func() { ltl.Substitute(none, nil) },
		"Residual":    func() { ltl.Residual(none, ltl.LetterOf()) },
		"MakeNot":     func() { ltl.MakeNot(none) },
		"MakeNext":    func() { ltl.MakeNext(none) },
		"MakeAlways":  func() { ltl.MakeAlways(none) },
		"MakeAnd":     func() { ltl.MakeAnd(ltl.Ff(), none) },
		"MakeOr":      func() { ltl.MakeOr(none) },
		"MakeUntil":   func() { ltl.MakeUntil(none, ltl.T()) },
		"MakeRelease": func() { ltl.MakeRelease(ltl.T(), none) },
		"MakeXor":     func() { ltl.MakeXor(f, none) },
		"Make":        func() { ltl.Make(ltl.Implies, none, f) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != ltl.ErrNil {
					t.Errorf("panics with %v", got)
				}
			}()
			call()
		})
	}
	if _, err := ltl.Format(none, ltl.Spot); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("Format: %v", err)
	}
	if got := none.String() + " " + fmt.Sprint(none); got != "<nil> <nil>" {
		t.Errorf("String: %s", got)
	}
}
