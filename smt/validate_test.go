package smt_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// liar says that everything holds, always with the same values.
type liar struct {
	Checker
	model    logic.Model
	solution horn.Solution
}

func (liar) Push()                {}
func (liar) Pop()                 {}
func (liar) Reset()               {}
func (liar) Assert(f *logic.Term) {}
func (liar) Reason() string       { return "its own" }

func (liar) Check(context.Context, ...*logic.Term) (Status, error) { return Sat, nil }
func (l liar) Model(context.Context) (logic.Model, error)          { return l.model, nil }
func (l liar) Horn(context.Context, *horn.Problem, uint64) (HornResult, error) {
	return HornResult{Status: Sat, Solution: l.solution}, nil
}
func (l liar) Maximize(context.Context, []*logic.Term, []*logic.Term, []int) (Status, logic.Model, bool, error) {
	return Sat, l.model, true, nil
}

// TestValidated: what a backend claims is believed as far as it can be evaluated, scope
// by scope.
func TestValidated(t *testing.T) {
	s := Validated(liar{model: logic.Model{"x": logic.IntValue(1), "y": logic.IntValue(2)}})
	model := func(want bool) {
		t.Helper()
		if m, err := s.Model(ctx); err != nil || (m != nil) != want {
			t.Errorf("model %v, %v (%s)", m, err, s.Reason())
		}
	}
	s.Assert(parse(t, "x < y"))
	mustCheck(t, s, Sat)
	model(true)
	s.Push()
	s.Assert(parse(t, "x > y"))
	mustCheck(t, s, Sat)
	model(false)
	if !strings.Contains(s.Reason(), "does not satisfy") {
		t.Errorf("reason %q", s.Reason())
	}
	s.Pop()
	mustCheck(t, s, Sat, parse(t, "x == 1"))
	if s.Reason() != "its own" {
		t.Errorf("reason %q", s.Reason())
	}
	model(true)
	mustCheck(t, s, Sat, parse(t, "x == 2"))
	model(false)
	s.Assert(parse(t, "y < x"))
	s.Reset()
	mustCheck(t, s, Sat)
	model(true)
}

// TestValidatedAnswers: wrong solutions and optima are unknown, right ones pass.
func TestValidatedAnswers(t *testing.T) {
	z := newZ3(t, Options{})
	h := lectureHorn(t, 0)
	for text, want := range map[string]Status{"y >= z; x >= z": Sat, "y >= z; x >= y": Unknown, "y >= z": Unknown, "x >= z; x >= z": Unknown} {
		var s horn.Solution
		for _, part := range strings.Split(text, ";") {
			s = append(s, parse(t, part))
		}
		for _, refuter := range []Refuter{z, OneByOne{z}} {
			r, err := ValidatedHorn(liar{solution: s}, refuter).Horn(ctx, h, 0)
			if err != nil || r.Status != want || (r.Reason == "") != (want == Sat) {
				t.Errorf("%s: %+v, %v, want %s", text, r, err, want)
			}
		}
	}
	o := ValidatedOptimizer(liar{model: logic.Model{"x": logic.IntValue(1)}})
	for text, want := range map[string]Status{"x == 1": Sat, "x == 2": Unknown} {
		if status, m, best, err := o.Maximize(ctx, []*logic.Term{parse(t, text)}, nil, nil); err != nil || status != want || best != (want == Sat) || (m != nil) != best {
			t.Errorf("%s: %s, %v, %v, %v", text, status, m, best, err)
		}
	}
}
