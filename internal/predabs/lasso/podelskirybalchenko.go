package lasso

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

const (
	maxLinearCubes = 12 // of the guard
	maxColumns     = 40
)

// synthesised returns a linear ranking function of relations read linearly, nil if there is none
// ([PodelskiRybalchenko04], by Farkas's lemma): coefficients r and r0 such that on each disjunct
// C z + e >= 0 of a guard both r x + r0 >= 0 and r x - r x' - 1 >= 0 are nonnegative combinations of
// the rows. z are variables, inputs, and what is not linear. known is, by relation, what holds besides.
func (q *asker) synthesised(relations []*program.Command, relevant []*logic.Term, known [][]*logic.Term) (*Function, error) {
	p := &farkas{}
	for i, relation := range relations {
		cubes, ok := logic.DNF(logic.And(append([]*logic.Term{relation.Guard}, known[i]...)...), maxLinearCubes)
		if !ok || len(p.cubes)+len(cubes) > maxLinearCubes {
			return nil, nil
		}
		for _, cube := range cubes {
			var rows []Function
			for _, literal := range cube {
				for _, t := range testsOf(literal) {
					if !t.different {
						rows = append(rows, t.sum)
					}
				}
			}
			p.cubes, p.of = append(p.cubes, rows), append(p.of, relation)
			for _, row := range rows {
				p.subjectsOf(row, relevant)
			}
		}
		for _, v := range relevant {
			if counts(v.Sort()) && relation.Update[v] != nil {
				p.subjectsOf(reading(v, Signed), relevant)
			}
		}
	}
	if len(p.subjects) == 0 || len(p.subjects) > maxColumns || slices.ContainsFunc(p.cubes, func(rows []Function) bool { return len(rows) > maxColumns }) {
		return nil, nil
	}
	conditions, coefficients := p.conditions()
	status, m, err := q.model(coefficients, conditions...)
	if err != nil || status != smt.Sat {
		return nil, err
	}
	f, ok := p.function(m, coefficients).whole(big.NewInt(1)) // it decreases by 1
	if !ok {
		return nil, nil
	}
	return &f, nil
}

// farkas is the linear programme.
type farkas struct {
	cubes    [][]Function       // rows that are >= 0
	of       []*program.Command // by cube: the relation
	subjects []Summand          // variables by a reading, that the function may depend on
}

func (p *farkas) subjectsOf(f Function, relevant []*logic.Term) {
	for _, s := range f.Summands {
		known := slices.ContainsFunc(p.subjects, func(t Summand) bool { return s.Term == t.Term && s.Reading == t.Reading })
		alike := len(p.subjects) == 0 || s.Term.Sort() == p.subjects[0].Term.Sort() || !s.Term.Sort().Arithmetic() && !p.subjects[0].Term.Sort().Arithmetic()
		if !known && alike && slices.Contains(relevant, s.Term) && s.Reading != Magnitude {
			p.subjects = append(p.subjects, s)
		}
	}
}

// column is a coordinate of z.
type column struct {
	term    *logic.Term
	reading Reading
}

// conditions are those on the coefficients, the last of which is the constant.
func (p *farkas) conditions() (all, coefficients []*logic.Term) {
	for i := range p.subjects {
		coefficients = append(coefficients, logic.Var(fmt.Sprintf("r%d", i+1), logic.Real))
	}
	coefficients = append(coefficients, logic.Var("r0", logic.Real))
	for d, rows := range p.cubes {
		bounded, decreasing := newCombination(), newCombination()
		last := len(p.subjects)
		bounded.constant = coefficients[last]
		decreasing.constant = logic.RealConst(-1, 1)
		for i, s := range p.subjects {
			before := reading(s.Term, s.Reading)
			bounded.add(coefficients[i], before)
			if after := p.of[d].After(s.Term); after.Sort() == logic.Real {
				f, scale := linearReal(after)
				decreasing.add(coefficients[i], before)
				decreasing.add(logic.Scale(new(big.Rat).SetFrac(big.NewInt(-1), scale), coefficients[i]), f)
			} else {
				decreasing.add(coefficients[i], before.plus(-1, linear(after, s.Reading)))
			}
		}
		for _, c := range []struct {
			name string
			of   *combination
		}{{"bounded", bounded}, {"decreasing", decreasing}} {
			for k, row := range append(slices.Clone(rows), c.of.unsigned()...) {
				multiplier := logic.Var(fmt.Sprintf("%s.%d.%d", c.name, d, k), logic.Real)
				all = append(all, logic.Ge(multiplier, logic.RealConst(0, 1)))
				c.of.add(logic.Neg(multiplier), row)
			}
			all = append(all, c.of.never()...)
		}
	}
	return all, coefficients
}

// combination is a sum of functions with unknown coefficients, as one over columns.
type combination struct {
	order    []column
	sums     map[column]*logic.Term
	constant *logic.Term
}

func newCombination() *combination { return &combination{sums: map[column]*logic.Term{}} }

func (c *combination) add(factor *logic.Term, f Function) {
	for _, s := range f.Summands {
		at := column{s.Term, s.Reading}
		if c.sums[at] == nil {
			c.order = append(c.order, at)
			c.sums[at] = logic.RealConst(0, 1)
		}
		c.sums[at] = logic.Add(c.sums[at], logic.Scale(new(big.Rat).SetInt(s.Coefficient), factor))
	}
	c.constant = logic.Add(c.constant, logic.Scale(new(big.Rat).SetInt(f.Constant), factor))
}

// unsigned are the columns that cannot be negative.
func (c *combination) unsigned() (rows []Function) {
	for _, at := range c.order {
		if at.reading == Unsigned {
			rows = append(rows, reading(at.term, Unsigned))
		}
	}
	return rows
}

// never says that nothing but a constant that is not negative is left.
func (c *combination) never() (all []*logic.Term) {
	for _, at := range c.order {
		all = append(all, logic.Eq(c.sums[at], logic.RealConst(0, 1)))
	}
	return append(all, logic.Ge(c.constant, logic.RealConst(0, 1)))
}

// function reads the coefficients off a model, and makes them integers.
func (p *farkas) function(m logic.Model, coefficients []*logic.Term) Function {
	lcm := big.NewInt(1)
	for _, c := range coefficients {
		d := m[c.Name()].Num().Denom()
		lcm.Mul(lcm, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, lcm, d)))
	}
	scaled := func(i int) *big.Int {
		return new(big.Rat).Mul(m[coefficients[i].Name()].Num(), new(big.Rat).SetInt(lcm)).Num()
	}
	f := constant(scaled(len(p.subjects)))
	for i, s := range p.subjects {
		f = f.plus(1, constant(new(big.Int)).plus(1, Function{[]Summand{{scaled(i), s.Term, s.Reading}}, new(big.Int)}))
	}
	return f
}
