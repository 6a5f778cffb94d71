// Package simplex decides conjunctions of linear equations and inequalities over the
// rationals exactly, and proves those infeasible that are, by Farkas coefficients.
package simplex

import (
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/rational"
)

// Op compares a sum with a bound.
type Op uint8

const (
	Le Op = iota // sum <= bound
	Lt           // sum < bound
	Eq           // sum = bound
)

// Term is a variable, which is any number from 0 on, with a coefficient.
type Term struct {
	Var  int
	Coef rational.Rat
}

// Constraint is "Sum Op Bound". Each variable is in the sum once at most.
type Constraint struct {
	Sum   []Term
	Op    Op
	Bound rational.Rat
}

// Multiplier is the Farkas coefficient of a constraint, given by the number that Assert
// returned. It is positive, but any number for an equation.
type Multiplier struct {
	Constraint int
	Coef       rational.Rat
}

// Solver is the general simplex algorithm of [Dutertre06] with Bland's rule. Constraints
// are asserted and retracted in scopes; Check continues where the last one ended.
type Solver struct {
	internal    map[int]int    // variable -> column
	slack       map[string]int // sum, as key writes it -> column
	columns     []column
	rows        []row // of the basic columns
	constraints int   // asserted
	conflict    []Multiplier
	trail       []change
	scopes      []scope
	Pivots      int // done so far
	// Stop is asked before every pivot, if it is there; once it says so, Check returns nil.
	Stop func() bool
}

// column is a variable, or a sum of variables that constraints bound.
type column struct {
	value        number
	lower, upper bound
	row          int // of a basic column, otherwise -1
}

// bound of a column, which is Sum/factor of a constraint.
type bound struct {
	set        bool
	at         number
	constraint int
	factor     rational.Rat
	equation   bool
}

// row says that a basic column is a sum of columns that are not, sorted.
type row struct {
	basic int
	sum   []Term
}

// number is value + eps times a positive number that is as small as need be.
type number struct{ value, eps rational.Rat }

func (a number) cmp(b number) int {
	if c := a.value.Cmp(b.value); c != 0 {
		return c
	}
	return a.eps.Cmp(b.eps)
}

func (a number) add(factor rational.Rat, b number) number {
	return number{a.value.Add(factor.Mul(b.value)), a.eps.Add(factor.Mul(b.eps))}
}

type change struct {
	column int
	upper  bool
	before bound
}

type scope struct {
	trail, constraints int
	conflict           []Multiplier
}

var minusOne = rational.Int(-1)

// New returns a solver without constraints.
func New() *Solver { return &Solver{internal: map[int]int{}, slack: map[string]int{}} }

// Push opens a scope, Pop drops the constraints asserted in it.
func (s *Solver) Push() { s.scopes = append(s.scopes, scope{len(s.trail), s.constraints, s.conflict}) }

// Pop closes the innermost scope.
func (s *Solver) Pop() {
	last := s.scopes[len(s.scopes)-1]
	s.scopes = s.scopes[:len(s.scopes)-1]
	for i := len(s.trail) - 1; i >= last.trail; i-- {
		c := &s.columns[s.trail[i].column]
		if s.trail[i].upper {
			c.upper = s.trail[i].before
		} else {
			c.lower = s.trail[i].before
		}
	}
	s.trail, s.constraints, s.conflict = s.trail[:last.trail], last.constraints, last.conflict
}

// Assert adds a constraint and returns its number: they count from 0, and numbers of
// constraints that were dropped are given again.
func (s *Solver) Assert(c Constraint) int {
	n := s.constraints
	s.constraints++
	if len(c.Sum) == 0 {
		s.constant(n, c)
		return n
	}
	factor := c.Sum[0].Coef
	j := s.columnOf(c.Sum, factor)
	at := c.Bound.Quo(factor)
	positive := factor.Sign() > 0
	b := bound{set: true, at: number{value: at}, constraint: n, factor: factor, equation: c.Op == Eq}
	if c.Op == Lt {
		b.at.eps = minusOne
		if !positive {
			b.at.eps = rational.Int(1)
		}
	}
	if c.Op == Eq || positive {
		s.bound(j, true, b)
	}
	if c.Op == Eq || !positive {
		s.bound(j, false, b)
	}
	return n
}

// constant asserts "0 op bound".
func (s *Solver) constant(n int, c Constraint) {
	sign := c.Bound.Sign()
	ok := sign == 0 && c.Op != Lt || sign > 0 && c.Op != Eq
	if ok || s.conflict != nil {
		return
	}
	coef := rational.Int(1)
	if c.Op == Eq && sign > 0 {
		coef = minusOne
	}
	s.conflict = []Multiplier{{n, coef}}
}

// columnOf returns the column of Sum/factor.
func (s *Solver) columnOf(sum []Term, factor rational.Rat) int {
	own := lists.Map(sum, func(t Term) Term { return Term{s.variable(t.Var), t.Coef.Quo(factor)} })
	slices.SortFunc(own, func(a, b Term) int { return a.Var - b.Var })
	if len(own) == 1 {
		return own[0].Var
	}
	key := key(own)
	if j, ok := s.slack[key]; ok {
		return j
	}
	j := len(s.columns)
	s.slack[key] = j
	in := slices.DeleteFunc(slices.Clone(own), func(t Term) bool { return s.columns[t.Var].row >= 0 })
	for _, t := range own {
		if r := s.columns[t.Var].row; r >= 0 {
			in = Combine(in, t.Coef, s.rows[r].sum)
		}
	}
	s.columns = append(s.columns, column{row: len(s.rows)})
	s.rows = append(s.rows, row{j, in})
	for _, t := range in {
		s.columns[j].value = s.columns[j].value.add(t.Coef, s.columns[t.Var].value)
	}
	return j
}

func key(sum []Term) string {
	var b []byte
	for _, t := range sum {
		b = t.Coef.AppendKey(binary.AppendUvarint(b, uint64(t.Var)))
	}
	return string(b)
}

func (s *Solver) variable(v int) int {
	j, ok := s.internal[v]
	if !ok {
		j = len(s.columns)
		s.internal[v] = j
		s.columns = append(s.columns, column{row: -1})
	}
	return j
}

// Combine returns a + factor*b, of sums that are sorted by variables.
func Combine(a []Term, factor rational.Rat, b []Term) []Term {
	out := make([]Term, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Var < b[0].Var:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0].Var < a[0].Var:
			out, b = append(out, Term{b[0].Var, factor.Mul(b[0].Coef)}), b[1:]
		default:
			if c := a[0].Coef.Add(factor.Mul(b[0].Coef)); c.Sign() != 0 {
				out = append(out, Term{a[0].Var, c})
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// bound tightens a bound of a column.
func (s *Solver) bound(j int, upper bool, b bound) {
	c := &s.columns[j]
	own, other := &c.lower, &c.upper
	sign := 1
	if upper {
		own, other, sign = other, own, -1
	}
	if own.set && b.at.cmp(own.at)*sign <= 0 {
		return
	}
	if other.set && b.at.cmp(other.at)*sign > 0 {
		if s.conflict == nil {
			s.conflict = certificate{}.add(b, upper, rational.Int(1)).add(*other, !upper, rational.Int(1)).list()
		}
		return
	}
	s.trail = append(s.trail, change{j, upper, *own})
	*own = b
	if c.row < 0 && c.value.cmp(b.at)*sign < 0 {
		s.move(j, b.at)
	}
}

// move gives a column that is not basic another value.
func (s *Solver) move(j int, to number) {
	by := to.add(minusOne, s.columns[j].value)
	s.columns[j].value = to
	for _, r := range s.rows {
		if a, ok := coefficient(r.sum, j); ok {
			s.columns[r.basic].value = s.columns[r.basic].value.add(a, by)
		}
	}
}

func coefficient(sum []Term, v int) (rational.Rat, bool) {
	i, ok := slices.BinarySearchFunc(sum, v, func(t Term, v int) int { return t.Var - v })
	if !ok {
		return rational.Rat{}, false
	}
	return sum[i].Coef, true
}

// Check returns nil if the constraints can be satisfied (or Stop says so), and otherwise a certificate:
// multipliers with which the constraints add up to "0 <= negative number" or "0 < 0".
// Constraints with multipliers are no longer infeasible without any one of them.
func (s *Solver) Check() []Multiplier {
	for s.conflict == nil {
		j, upper := s.violated()
		if j < 0 || s.Stop != nil && s.Stop() {
			return nil
		}
		s.repair(j, upper)
	}
	return s.conflict
}

// violated returns the first basic column beyond a bound, or -1.
func (s *Solver) violated() (j int, upper bool) {
	for j := range s.columns {
		c := &s.columns[j]
		if c.row < 0 {
			continue
		}
		if c.lower.set && c.value.cmp(c.lower.at) < 0 {
			return j, false
		}
		if c.upper.set && c.value.cmp(c.upper.at) > 0 {
			return j, true
		}
	}
	return -1, false
}

// repair moves a basic column to its bound, or finds that nothing can.
func (s *Solver) repair(j int, upper bool) {
	c := &s.columns[j]
	for _, t := range s.rows[c.row].sum {
		other := &s.columns[t.Var]
		up := (t.Coef.Sign() > 0) != upper // other has to grow
		if up && (!other.upper.set || other.value.cmp(other.upper.at) < 0) || !up && (!other.lower.set || other.value.cmp(other.lower.at) > 0) {
			s.pivot(j, t.Var)
			at := c.lower.at
			if upper {
				at = c.upper.at
			}
			s.move(j, at)
			return
		}
	}
	violated := c.lower
	if upper {
		violated = c.upper
	}
	proof := certificate{}.add(violated, upper, rational.Int(1))
	for _, t := range s.rows[c.row].sum {
		if up := (t.Coef.Sign() > 0) != upper; up {
			proof.add(s.columns[t.Var].upper, true, t.Coef.Abs())
		} else {
			proof.add(s.columns[t.Var].lower, false, t.Coef.Abs())
		}
	}
	s.conflict = proof.list()
}

// pivot makes column j, which is basic, change places with column k of its row.
func (s *Solver) pivot(j, k int) {
	s.Pivots++
	r := s.columns[j].row
	a, _ := coefficient(s.rows[r].sum, k)
	// j = a*k + rest, so k = j/a - rest/a.
	rest := slices.DeleteFunc(slices.Clone(s.rows[r].sum), func(t Term) bool { return t.Var == k })
	now := Combine([]Term{{j, a.Inv()}}, a.Inv().Neg(), rest)
	s.rows[r] = row{k, now}
	s.columns[j].row, s.columns[k].row = -1, r
	for i := range s.rows {
		if i == r {
			continue
		}
		if b, ok := coefficient(s.rows[i].sum, k); ok {
			without := slices.DeleteFunc(s.rows[i].sum, func(t Term) bool { return t.Var == k })
			s.rows[i].sum = Combine(without, b, now)
		}
	}
}

// Value returns the value of a variable after Check returned nil: value plus eps times a
// positive number that is small enough.
func (s *Solver) Value(v int) (value, eps rational.Rat) {
	j, ok := s.internal[v]
	if !ok {
		return rational.Rat{}, rational.Rat{}
	}
	return s.columns[j].value.value, s.columns[j].value.eps
}

// certificate sums multipliers up by constraint.
type certificate map[int]rational.Rat

// add puts a bound of a column, times coef, into the sum.
func (c certificate) add(b bound, upper bool, coef rational.Rat) certificate {
	coef = coef.Quo(b.factor)
	if !upper {
		coef = coef.Neg()
	}
	if !b.equation {
		coef = coef.Abs()
	}
	c[b.constraint] = c[b.constraint].Add(coef)
	return c
}

func (c certificate) list() []Multiplier {
	out := []Multiplier{}
	for n, coef := range c {
		if coef.Sign() != 0 {
			out = append(out, Multiplier{n, coef})
		}
	}
	slices.SortFunc(out, func(a, b Multiplier) int { return a.Constraint - b.Constraint })
	return out
}
