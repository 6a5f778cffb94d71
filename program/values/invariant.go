package values

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// Invariant returns the abstract states as formulas, by location: false where there are
// none. Together they are an inductive invariant, if the exploration was not ended. States
// that begin alike share the beginning, and such as end alike the end, as in a decision
// diagram.
func (r *Reached) Invariant() []*logic.Term {
	out := make([]*logic.Term, len(r.vars))
	for l := range out {
		out[l] = logic.False()
		if t := r.tables[l]; t != nil {
			rows := make([][]uint64, 0, t.Len())
			for s := range t.All {
				rows = append(rows, s)
			}
			out[l] = r.describe(l, rows, 0)
		}
	}
	return out
}

// describe is the disjunction of states, from a position on; those before are the same.
func (r *Reached) describe(location int, rows [][]uint64, i int) *logic.Term {
	vars := r.vars[location]
	if i == len(vars) {
		return logic.True()
	}
	order := func(a, b []uint64) int {
		return cmp.Or(cmp.Compare(sourceOf(a, len(vars), i), sourceOf(b, len(vars), i)), cmp.Compare(a[i], b[i]))
	}
	slices.SortFunc(rows, order)
	// Literals by what follows them.
	var rests []*logic.Term
	literals := map[*logic.Term][]*logic.Term{}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && order(rows[0], rows[n]) == 0 {
			n++
		}
		rest := r.describe(location, rows[:n], i+1)
		if literals[rest] == nil {
			rests = append(rests, rest)
		}
		literals[rest] = append(literals[rest], r.literal(vars, rows[0], i))
		rows = rows[n:]
	}
	var or []*logic.Term
	for _, rest := range rests {
		or = append(or, logic.And(logic.Or(literals[rest]...), rest))
	}
	return logic.Or(or...)
}

// literal says what a state knows of a variable.
func (r *Reached) literal(vars []int32, words []uint64, i int) *logic.Term {
	x := r.a.blocks.System.Vars[vars[i]]
	like := sourceOf(words, len(vars), i)
	if like == isNumber && x.Sort() == logic.Bool {
		if words[i] == 1 {
			return x
		}
		return logic.Not(x)
	}
	if like == isNothing || like == i+isLike {
		return logic.True()
	}
	n := r.a.env.kinds[vars[i]].term(words[i])
	switch like {
	case isNumber:
		return logic.Eq(x, n)
	case isOther:
		return logic.Ne(x, n)
	}
	y := r.a.blocks.System.Vars[vars[like-isLike]]
	switch {
	case x.Sort() == logic.Int:
		return logic.Eq(x, logic.Add(y, n))
	case x.Sort().Kind() == logic.BitVecKind:
		return logic.Eq(x, logic.BVAdd(y, n))
	}
	return logic.Eq(x, y)
}

// term writes a number, of another sort than Bool.
func (k kind) term(n uint64) *logic.Term {
	switch k {
	case boolean:
		return logic.BoolConst(n == 1)
	case integer:
		return logic.IntConst(int64(n))
	}
	return logic.BVConst(new(big.Int).SetUint64(n), int(k))
}
