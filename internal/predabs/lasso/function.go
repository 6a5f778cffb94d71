package lasso

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Reading says which number a word is. An Int is itself by Signed and Unsigned.
type Reading uint8

const (
	Signed    Reading = iota // two's complement
	Unsigned                 // binary
	Magnitude                // the absolute value of Signed
)

// Summand is a number times what a term is by a reading.
type Summand struct {
	Coefficient *big.Int // not 0
	Term        *logic.Term
	Reading     Reading
}

// Function is an exact linear function of states: the sum of Summands, which are sorted
// and different, and Constant. All terms are words, of any widths, or all are Ints. Reals are
// counted by what is below them, as they may decrease without end: see counted.
type Function struct {
	Summands []Summand
	Constant *big.Int
}

// constant is the function that has one value.
func constant(n *big.Int) Function { return Function{Constant: n} }

// reading is the function that reads one term.
func reading(t *logic.Term, r Reading) Function {
	return Function{[]Summand{{big.NewInt(1), t, r}}, new(big.Int)}
}

// plus returns f + c*g.
func (f Function) plus(c int64, g Function) Function {
	factor := big.NewInt(c)
	sum := Function{Constant: new(big.Int).Add(f.Constant, new(big.Int).Mul(factor, g.Constant))}
	all := slices.Clone(f.Summands)
	for _, s := range g.Summands {
		all = append(all, Summand{new(big.Int).Mul(factor, s.Coefficient), s.Term, s.Reading})
	}
	slices.SortStableFunc(all, func(a, b Summand) int {
		if c := a.Term.Compare(b.Term); c != 0 {
			return c
		}
		return int(a.Reading) - int(b.Reading)
	})
	for _, s := range all {
		if n := len(sum.Summands); n > 0 && sum.Summands[n-1].Term == s.Term && sum.Summands[n-1].Reading == s.Reading {
			last := &sum.Summands[n-1]
			last.Coefficient = new(big.Int).Add(last.Coefficient, s.Coefficient)
			if last.Coefficient.Sign() == 0 {
				sum.Summands = sum.Summands[:n-1]
			}
		} else if s.Coefficient.Sign() != 0 {
			sum.Summands = append(sum.Summands, s)
		}
	}
	return sum
}

// Vars returns the variables that the function depends on.
func (f *Function) Vars() []*logic.Term {
	ts := lists.Append(nil, f.Summands, func(s Summand) *logic.Term { return s.Term })
	return logic.Vars(ts...)
}

// width returns how many bits hold all values of the function, with its sign, and those of
// all parts of its sum; 0 if it is one of Ints.
func (f *Function) width() int {
	most := new(big.Int).Abs(f.Constant)
	for _, s := range f.Summands {
		if s.Term.Sort() == logic.Int {
			return 0
		}
		most.Add(most, new(big.Int).Lsh(new(big.Int).Abs(s.Coefficient), uint(s.Term.Sort().Width())))
	}
	return most.BitLen() + 1
}

// Term returns the function as a term: an Int, or a signed word that is so wide that
// nothing in it overflows.
func (f *Function) Term() *logic.Term { return sum(f.Summands, f.Constant, f.width()) }

// sum writes a sum in words of a width, or in Ints.
func sum(summands []Summand, c *big.Int, width int) *logic.Term {
	if width == 0 {
		all := []*logic.Term{logic.Number(new(big.Rat).SetInt(c), logic.Int)}
		for _, s := range summands {
			t := s.Term
			if s.Reading == Magnitude {
				t = logic.Ite(logic.Le(logic.IntConst(0), t), t, logic.Neg(t))
			}
			all = append(all, logic.Scale(new(big.Rat).SetInt(s.Coefficient), t))
		}
		return logic.Add(all...)
	}
	var all *logic.Term
	add := func(t *logic.Term) {
		if all == nil {
			all = t
		} else {
			all = logic.BVAdd(all, t)
		}
	}
	for _, s := range summands {
		add(times(s.Coefficient, wide(s, width), width))
	}
	if all == nil || c.Sign() != 0 {
		add(logic.BVConst(c, width))
	}
	return all
}

func wide(s Summand, width int) *logic.Term {
	more := width - s.Term.Sort().Width()
	if s.Reading == Unsigned {
		return logic.ZeroExtend(s.Term, more)
	}
	t := logic.SignExtend(s.Term, more)
	if s.Reading == Magnitude {
		return logic.Ite(logic.BVSLe(logic.BVConst(new(big.Int), width), t), t, logic.BVNeg(t))
	}
	return t
}

func times(c *big.Int, t *logic.Term, width int) *logic.Term {
	switch {
	case c.IsInt64() && c.Int64() == 1:
		return t
	case c.IsInt64() && c.Int64() == -1:
		return logic.BVNeg(t)
	}
	return logic.BVOp(logic.OpBVMul, logic.BVConst(c, width), t)
}

// Bounded is the formula f >= 0.
func (f *Function) Bounded() *logic.Term {
	if t := f.counted(); t != nil {
		return logic.Le(logic.Number(new(big.Rat).SetInt(new(big.Int).Neg(f.Constant)), logic.Real), t)
	}
	var left, right []Summand // left <= right
	for _, s := range f.Summands {
		if s.Coefficient.Sign() > 0 {
			right = append(right, s)
		} else {
			left = append(left, s.negated())
		}
	}
	return f.compare(atMost, left, right, f.Constant)
}

// Decreases is a formula that implies f' < f, where f' is the function after the update of a
// command, and says as much of Ints and words: a formula over program variables and inputs.
func (f *Function) Decreases(c *program.Command) *logic.Term {
	if t := f.counted(); t != nil {
		return logic.Le(c.After(t), logic.Sub(t, logic.RealConst(1, 1)))
	}
	return f.after(c, below)
}

// Stays is, likewise, a formula that implies f' <= f.
func (f *Function) Stays(c *program.Command) *logic.Term {
	if t := f.counted(); t != nil {
		return logic.Le(c.After(t), t)
	}
	return f.after(c, atMost)
}

// after compares f' with f. What does not change is left out, and negative summands are on
// the other side: fewer and narrower words for the solver.
func (f *Function) after(c *program.Command, compare func(a, b *logic.Term, r Reading) *logic.Term) *logic.Term {
	var left, right []Summand
	for _, s := range f.Summands {
		t := s
		if t.Term = c.After(s.Term); t.Term == s.Term {
			continue
		}
		if s.Coefficient.Sign() > 0 {
			left, right = append(left, t), append(right, s)
		} else {
			left, right = append(left, s.negated()), append(right, t.negated())
		}
	}
	return f.compare(compare, left, right, new(big.Int))
}

func (s Summand) negated() Summand {
	return Summand{new(big.Int).Neg(s.Coefficient), s.Term, s.Reading}
}

// compare compares two sums, the second of which has a constant besides. Two words with one
// reading are compared as they are.
func (f *Function) compare(by func(a, b *logic.Term, r Reading) *logic.Term, left, right []Summand, c *big.Int) *logic.Term {
	if len(left) == 1 && len(right) == 1 && c.Sign() == 0 {
		a, b := left[0], right[0]
		if a.Reading == b.Reading && a.Reading != Magnitude && a.Coefficient.Cmp(b.Coefficient) == 0 && a.Term.Sort() == b.Term.Sort() {
			return by(a.Term, b.Term, a.Reading)
		}
	}
	width := 0
	if f.width() > 0 { // twice as much on each side at most
		width = f.width() + 1
	}
	return by(sum(left, new(big.Int), width), sum(right, c, width), Signed)
}

// Value evaluates the function in a state, in numbers without bounds.
func (f *Function) Value(m logic.Model) (*big.Int, error) {
	sum := new(big.Int).Set(f.Constant)
	for _, s := range f.Summands {
		v, err := logic.Eval(s.Term, m)
		if err != nil {
			return nil, err
		}
		n := new(big.Int).Set(v.Num().Num())
		if w := s.Term.Sort().Width(); w > 0 && s.Reading != Unsigned && n.Bit(w-1) == 1 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(w)))
		}
		if s.Reading == Magnitude {
			n.Abs(n)
		}
		sum.Add(sum, n.Mul(n, s.Coefficient))
	}
	return sum, nil
}

// lowered returns the function with the constant with which it is never negative and
// sometimes 0, as far as the sorts tell; ok is false for one of Ints.
func (f *Function) lowered() (g Function, ok bool) {
	g = Function{f.Summands, new(big.Int)}
	for _, s := range f.Summands {
		w := s.Term.Sort().Width()
		if w == 0 {
			return g, false
		}
		least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(w))
		half := new(big.Int).Rsh(most, 1)
		switch s.Reading {
		case Signed:
			least.Neg(half)
			most.Sub(half, big.NewInt(1))
		case Unsigned:
			most.Sub(most, big.NewInt(1))
		case Magnitude:
			most.Set(half)
		}
		if s.Coefficient.Sign() < 0 {
			least = most
		}
		g.Constant.Sub(g.Constant, new(big.Int).Mul(s.Coefficient, least))
	}
	return g, true
}

// String prints the function for people: n - i, 2*unsigned(x) + 3, |y|.
func (f *Function) String() string {
	var b strings.Builder
	part := func(c *big.Int, text string) {
		switch {
		case c.Sign() < 0 && b.Len() == 0:
			b.WriteString("-")
		case c.Sign() < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		a := new(big.Int).Abs(c)
		switch {
		case text == "":
			fmt.Fprint(&b, a)
		case a.IsInt64() && a.Int64() == 1:
			b.WriteString(text)
		default:
			fmt.Fprintf(&b, "%v*%s", a, text)
		}
	}
	for _, sign := range []int{1, -1} { // n - i, not -i + n
		for _, s := range f.Summands {
			text := s.Term.String()
			switch {
			case s.Reading == Magnitude:
				text = "|" + text + "|"
			case s.Reading == Unsigned && s.Term.Sort() != logic.Int:
				text = "unsigned(" + text + ")"
			case s.Term.Op() != logic.OpVar:
				text = "(" + text + ")"
			}
			if s.Coefficient.Sign() == sign {
				part(s.Coefficient, text)
			}
		}
	}
	if f.Constant.Sign() != 0 || b.Len() == 0 {
		part(f.Constant, "")
	}
	return b.String()
}
