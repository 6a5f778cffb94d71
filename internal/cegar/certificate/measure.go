package certificate

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/logic"
)

// Measure is a linear function of the states of a component: a sum of Summands, all words or all
// Ints, and a constant. Numbers are exact: nothing in the sum wraps. A run on which it becomes
// smaller again and again, from where it is not negative, and larger only so many times does not
// exist.
type Measure struct {
	Summands []Summand
	Constant *big.Int
	Over     *Disjunction // in place of a function, if not nil
}

// Summand is a number times what a term over the component's variables is by a reading.
type Summand struct {
	Coefficient *big.Int
	Term        *logic.Term
	Reading     Reading
}

// Reading says which number a word is. An Int is itself, or its absolute value.
type Reading uint8

const (
	Signed    Reading = iota // two's complement
	Unsigned                 // binary
	Magnitude                // the absolute value of Signed
)

var readings = names.Of[Reading]("reading", "signed", "unsigned", "magnitude")

func (r Reading) String() string                   { return readings.String(r) }
func (r Reading) MarshalText() ([]byte, error)     { return readings.Marshal(r) }
func (r *Reading) UnmarshalText(text []byte) error { return readings.Unmarshal(text, r) }

// Names lists the texts of all values.
func (Reading) Names() []string { return readings.List() }

// What a step does to a measure: a character of Step.Effects.
const (
	Decreases = '<' // it is not negative before the step, and smaller behind it
	Stays     = '=' // it is not larger behind the step
	Any       = '?' // nothing is claimed
)

// maxWidth bounds the words that a measure is computed in.
const maxWidth = 1 << 12

// wrong says why a measure is none of a component with these variables; "" if it is one.
func (m *Measure) wrong(vars []*logic.Term, locations int) string {
	if m.Over != nil {
		if m.Constant != nil || len(m.Summands) > 0 {
			return "it is a function, or over several"
		}
		return m.Over.wrong(vars, locations)
	}
	if m.Constant == nil {
		return "it has a constant"
	}
	words := 0
	for _, s := range m.Summands {
		switch {
		case s.Coefficient == nil || s.Term == nil || s.Reading > Magnitude:
			return "its summands have coefficients, terms and readings"
		case slices.ContainsFunc(logic.Vars(s.Term), func(v *logic.Term) bool { return !slices.Contains(vars, v) }):
			return "it is over the component's variables"
		case s.Term.Sort().Width() > 0:
			words++
		case s.Term.Sort() != logic.Int:
			return "its terms are words or integers"
		}
	}
	if words > 0 && words < len(m.Summands) {
		return "its terms are all words, or all integers"
	}
	if m.width() > maxWidth {
		return "its numbers are not so large"
	}
	return ""
}

// width is how many bits hold twice any value that a part of the sum can have, with its sign; 0
// if it is one of integers.
func (m *Measure) width() int {
	most := new(big.Int).Abs(m.Constant)
	for _, s := range m.Summands {
		w := s.Term.Sort().Width()
		if w == 0 {
			return 0
		}
		times := new(big.Int).Abs(s.Coefficient)
		if times.Sign() == 0 {
			times.SetInt64(1) // the term is computed all the same
		}
		most.Add(most, times.Lsh(times, uint(w)))
	}
	return most.BitLen() + 2
}

// term is a summand as an exact number: a signed word of a width, or an integer.
func (s *Summand) term(of *logic.Term, width int) *logic.Term {
	if width == 0 {
		if s.Reading == Magnitude {
			of = logic.Ite(logic.Le(logic.IntConst(0), of), of, logic.Neg(of))
		}
		return logic.Scale(new(big.Rat).SetInt(s.Coefficient), of)
	}
	more := width - of.Sort().Width()
	long := logic.SignExtend(of, more)
	switch s.Reading {
	case Unsigned:
		long = logic.ZeroExtend(of, more)
	case Magnitude:
		long = logic.Ite(logic.BVSLe(logic.BVConst(new(big.Int), width), long), long, logic.BVNeg(long))
	}
	return logic.BVOp(logic.OpBVMul, logic.BVConst(s.Coefficient, width), long)
}

// sum adds exact numbers.
func sum(width int, all ...*logic.Term) *logic.Term {
	if width == 0 {
		return logic.Add(append(all, logic.IntConst(0))...)
	}
	out := logic.BVConst(new(big.Int), width)
	for _, t := range all {
		out = logic.BVAdd(out, t)
	}
	return out
}

// less and atMost compare exact numbers.
func less(a, b *logic.Term) *logic.Term {
	if a.Sort() == logic.Int {
		return logic.Lt(a, b)
	}
	return logic.BVSLt(a, b)
}

func atMost(a, b *logic.Term) *logic.Term {
	if a.Sort() == logic.Int {
		return logic.Le(a, b)
	}
	return logic.BVSLe(a, b)
}

// bounded is the formula that the measure is not negative.
func (m *Measure) bounded() *logic.Term {
	width := m.width()
	all := lists.Append(nil, m.Summands, func(s Summand) *logic.Term { return s.term(s.Term, width) })
	if width == 0 {
		return logic.Le(logic.IntConst(0), sum(0, append(all, logic.Number(new(big.Rat).SetInt(m.Constant), logic.Int))...))
	}
	return logic.BVSLe(logic.BVConst(new(big.Int), width), sum(width, append(all, logic.BVConst(m.Constant, width))...))
}

// changes compares the measure behind a path, where variables have the values, with that before
// it. A single summand that changes is compared as it is: fewer bits for the solver.
func (m *Measure) changes(value map[*logic.Term]*logic.Term, compare func(after, before *logic.Term) *logic.Term) *logic.Term {
	width := m.width()
	var after, before []*logic.Term
	last, changed := 0, 0
	for i, s := range m.Summands {
		if then := logic.Substitute(s.Term, value); then != s.Term {
			after, before = append(after, s.term(then, width)), append(before, s.term(s.Term, width))
			last = i
			changed++
		}
	}
	if s := &m.Summands; changed == 1 && (*s)[last].Coefficient.CmpAbs(big.NewInt(1)) == 0 && (*s)[last].Reading == Signed {
		t := (*s)[last].Term
		a, b := logic.Substitute(t, value), t
		if (*s)[last].Coefficient.Sign() < 0 {
			a, b = b, a
		}
		return compare(a, b)
	}
	return compare(sum(width, after...), sum(width, before...))
}

// effects are the formulas that a path has an effect on a measure, by effect.
func (m *Measure) effects(value map[*logic.Term]*logic.Term) map[byte]*logic.Term {
	return map[byte]*logic.Term{
		Decreases: logic.And(m.bounded(), m.changes(value, less)),
		Stays:     m.changes(value, atMost),
		Any:       logic.True(),
	}
}

// measured checks what refers to measures.
func (l *local) measured() error {
	for i := range l.of.Measures {
		if why := l.of.Measures[i].wrong(l.c.System.Vars, len(l.c.System.Locations)); why != "" {
			return l.refuse(fmt.Sprintf("measure %d", i), "%s", why)
		}
	}
	for i, s := range l.of.States {
		for _, step := range s.Steps {
			if len(step.Effects) != len(l.of.Measures) || strings.Trim(step.Effects, "<=?") != "" {
				return l.refuse(l.name(i)+l.of.placeOf(i), "a step has an effect on each measure, < or = or ?: not %q", step.Effects)
			}
		}
	}
	return nil
}
