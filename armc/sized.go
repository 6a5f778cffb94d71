package armc

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// A proof over unbounded integers may hold over machine words only since numbers stay small, which it
// need not say: r*r <= n and n <= 1000000 are about an r of ten bits, but a solver of words that is
// not told so has to find it again for each product.

// mostSizeWork bounds the work of a question about sizes, mostSizeQuestions their number, and mostSizeOpen that of
// those without an answer: where there are products of variables, few have one.
const (
	mostSizeWork      = 400_000
	mostSizeQuestions = 600
	mostSizeOpen      = 10
)

// WithFacts strengthens a certificate of a system by facts about it: the result is one if cert is. The
// error is that of ctx.
func WithFacts(ctx context.Context, sys *program.System, cert *Certificate) (*Certificate, error) {
	known, err := facts.Find(budget.New(ctx, budget.Limits{}, nil), sys, facts.Options{})
	if err != nil {
		return nil, err
	}
	with := &Certificate{Options: cert.Options}
	for l, inv := range cert.Invariant {
		with.Invariant = append(with.Invariant, logic.And(inv, known.Formula(l)))
	}
	return with, nil
}

// Sized strengthens a certificate over integers by what it implies of the sizes of its numbers, by
// powers of two below 2^63: at each location, of the variables that its invariant speaks of. The
// result implies cert and is implied by it, so that it is one if cert is; where the solver gives no
// answer within some work (0 is the most there is), a bound is left out. The error is that of ctx.
func Sized(ctx context.Context, sys *program.System, cert *Certificate, s smt.Checker, work uint64) (*Certificate, error) {
	z := &sizes{ctx: ctx, s: s, last: map[*logic.Term]size{}}
	if work == 0 || work > mostSizeWork {
		work = mostSizeWork
	}
	s.Limit(work)
	defer s.Limit(0)
	sized := &Certificate{Options: cert.Options}
	for _, inv := range cert.Invariant {
		bounds, err := z.of(inv)
		if err != nil {
			return nil, err
		}
		sized.Invariant = append(sized.Invariant, logic.And(append(bounds, inv)...))
	}
	return sized, z.handOn(sys, sized)
}

// size says that a number is at least 0, or at least -2^below, and less than 2^above; 63 is not known.
type size struct{ below, above int }

const (
	noSize   = 63
	positive = -1
)

type sizes struct {
	ctx   context.Context
	s     smt.Checker
	last  map[*logic.Term]size // by variable: where it was found last
	asked int
	open  int // of them, without an answer
}

func power(n int) *logic.Term {
	return logic.Number(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(n))), logic.Int)
}

func (z size) formula(v *logic.Term) *logic.Term {
	var all []*logic.Term
	switch {
	case z.below == positive:
		all = append(all, logic.Le(logic.Number(new(big.Rat), logic.Int), v))
	case z.below < noSize:
		all = append(all, logic.Le(logic.Neg(power(z.below)), v))
	}
	if z.above < noSize {
		all = append(all, logic.Lt(v, power(z.above)))
	}
	return logic.And(all...)
}

// of returns bounds that an invariant implies.
func (z *sizes) of(inv *logic.Term) (bounds []*logic.Term, err error) {
	if inv.IsTrue() || inv.IsFalse() {
		return nil, nil
	}
	for _, v := range logic.Vars(inv) {
		if v.Sort() != logic.Int {
			continue
		}
		found, err := z.find(inv, v)
		if err != nil {
			return nil, err
		}
		if f := found.formula(v); !f.IsTrue() {
			bounds = append(bounds, f)
		}
	}
	return bounds, nil
}

// find returns the size of a variable: that of the last location, if it is so here, else another one.
func (z *sizes) find(inv, v *logic.Term) (size, error) {
	if last, known := z.last[v]; known {
		if yes, err := z.implies(inv, last.formula(v)); yes || err != nil {
			return last, err
		}
	}
	above, err := z.least(0, func(k int) *logic.Term { return size{noSize, k}.formula(v) }, inv)
	if err != nil {
		return size{}, err
	}
	below, err := z.least(positive, func(k int) *logic.Term { return size{k, noSize}.formula(v) }, inv)
	if err != nil {
		return size{}, err
	}
	found := size{below, above}
	if above < noSize && below < noSize {
		z.last[v] = found
	}
	return found, nil
}

// least returns the smallest of the numbers from first on for which an invariant implies a bound, or noSize.
func (z *sizes) least(first int, bound func(int) *logic.Term, inv *logic.Term) (int, error) {
	low, high := first, noSize // the bound of high is known, of noSize there is none
	if yes, err := z.implies(inv, bound(noSize-1)); !yes || err != nil {
		return noSize, err
	}
	high--
	for low < high {
		middle := (low + high) / 2
		if low+high < 0 { // between -1 and 0
			middle = low
		}
		yes, err := z.implies(inv, bound(middle))
		if err != nil {
			return 0, err
		}
		if yes {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return high, nil
}

func (z *sizes) implies(inv, f *logic.Term) (bool, error) {
	if z.asked++; z.asked > mostSizeQuestions || z.open >= mostSizeOpen || f.IsTrue() {
		return false, nil
	}
	z.s.Push()
	defer z.s.Pop()
	z.s.Assert(logic.And(inv, logic.Not(f)))
	status, err := z.s.Check(z.ctx)
	if status == smt.Unknown {
		z.open++
	}
	return status == smt.Unsat, err
}

// handOn adds sizes that all steps to a location establish, where it has none of the variable.
func (z *sizes) handOn(sys *program.System, cert *Certificate) error {
	into := make([][]program.Edge, len(sys.Locations))
	first := make([]bool, len(sys.Locations))
	for _, e := range sys.Edges {
		into[e.To] = append(into[e.To], e)
	}
	for _, r := range sys.Init {
		first[r.Location] = true
	}
	vars := slices.SortedFunc(maps.Keys(z.last), (*logic.Term).Compare)
	for range mostHandings {
		changed := false
		for l, inv := range cert.Invariant {
			if first[l] || inv.IsFalse() || len(into[l]) == 0 {
				continue
			}
			for _, v := range vars {
				last := z.last[v]
				for _, more := range []int{0, 1} {
					f := size{last.below, min(last.above+more, noSize)}.formula(v)
					if contains(cert.Invariant[l], f) {
						break
					}
					yes, err := z.handed(cert, into[l], f)
					if err != nil {
						return err
					}
					if yes {
						cert.Invariant[l], changed = logic.And(cert.Invariant[l], f), true
						break
					}
				}
			}
		}
		if !changed {
			break
		}
	}
	return nil
}

// mostHandings bounds how often all locations are looked at.
const mostHandings = 4

// handed reports that all of some steps establish a formula.
func (z *sizes) handed(cert *Certificate, steps []program.Edge, f *logic.Term) (bool, error) {
	for _, e := range steps {
		after := logic.Substitute(f, e.Command.Update)
		if yes, err := z.implies(logic.And(cert.Invariant[e.From], e.Command.Guard), after); !yes || err != nil {
			return false, err
		}
	}
	return true, nil
}
