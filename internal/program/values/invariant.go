package values

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/logic"
)

// Invariant returns the abstract states as formulas, by location: false where there are
// none. Together they are an inductive invariant, if the exploration was not ended.
func (r *Reached) Invariant() []*logic.Term {
	out, ranks := make([]*logic.Term, len(r.vars)), r.ranks()
	for l := range out {
		out[l] = logic.False()
		if t := r.tables[l]; t != nil {
			out[l] = r.describe(t, r.vars[l], ranks)
		}
	}
	return out
}

// describe is the disjunction of states, written as a decision diagram: those that begin
// alike share the beginning, and such as end alike the end. ranks order the variables.
func (r *Reached) describe(t *statetable.Table, vars []int32, ranks []int) *logic.Term {
	rows := make([][]uint64, 0, t.Len())
	for s := range t.All {
		rows = append(rows, s)
	}
	d := &diagram{reached: r, vars: vars, order: make([]int, len(vars)), made: map[string]*logic.Term{}}
	for i := range d.order {
		d.order[i] = i
	}
	slices.SortFunc(d.order, func(i, j int) int { return cmp.Compare(ranks[vars[i]], ranks[vars[j]]) })
	slices.SortFunc(rows, func(a, b []uint64) int {
		for _, i := range d.order {
			if c := cmp.Or(cmp.Compare(sourceOf(a, len(vars), i), sourceOf(b, len(vars), i)), cmp.Compare(a[i], b[i])); c != 0 {
				return c
			}
		}
		return cmp.Compare(d.known(a), d.known(b))
	})
	return d.below(rows, 0)
}

// diagram is a decision diagram under construction. Its nodes are found again by their
// literals and what is below these.
type diagram struct {
	reached *Reached
	vars    []int32
	order   []int // of positions of vars
	made    map[string]*logic.Term
	numbers map[*logic.Term]uint64 // of formulas, for keys
}

// arc is what states know of a variable, and what they know of those behind it.
type arc struct {
	row   []uint64 // has the literal
	below *logic.Term
}

// below is the disjunction of sorted states, from a place in the order on; before it they are
// alike.
func (d *diagram) below(rows [][]uint64, place int) *logic.Term {
	n := len(d.vars)
	if place == n {
		return d.last(rows)
	}
	var arcs []arc
	i := d.order[place]
	key := binary.AppendUvarint(nil, uint64(i))
	for len(rows) > 0 {
		same := 1
		for same < len(rows) && rows[same][i] == rows[0][i] && sourceOf(rows[same], n, i) == sourceOf(rows[0], n, i) {
			same++
		}
		below := d.below(rows[:same], place+1)
		arcs = append(arcs, arc{rows[0], below})
		key = binary.AppendUvarint(key, uint64(sourceOf(rows[0], n, i)))
		key = binary.AppendUvarint(key, rows[0][i])
		key = binary.AppendUvarint(key, d.number(below))
		rows = rows[same:]
	}
	f := d.made[string(key)]
	if f == nil {
		f = d.node(arcs, i)
		d.made[string(key)] = f
	}
	return f
}

// known is what the domain beside values knows of a state.
func (d *diagram) known(row []uint64) uint64 {
	if d.reached.options.Beside == nil {
		return 0
	}
	return row[len(row)-1]
}

// last is the disjunction of states that have the same values.
func (d *diagram) last(rows [][]uint64) *logic.Term {
	if d.reached.options.Beside == nil {
		return logic.True()
	}
	or := lists.Append(nil, rows, func(row []uint64) *logic.Term { return d.reached.options.Beside.Formula(d.known(row)) })
	return logic.Or(or...)
}

// number tells formulas apart.
func (d *diagram) number(f *logic.Term) uint64 {
	n, known := d.numbers[f]
	if !known {
		if d.numbers == nil {
			d.numbers = map[*logic.Term]uint64{}
		}
		n = uint64(len(d.numbers))
		d.numbers[f] = n
	}
	return n
}

// node is a disjunction of arcs, of which those with the same formula below are joined.
func (d *diagram) node(arcs []arc, i int) *logic.Term {
	var below []*logic.Term
	literals := map[*logic.Term][]*logic.Term{}
	for _, a := range arcs {
		if literals[a.below] == nil {
			below = append(below, a.below)
		}
		literals[a.below] = append(literals[a.below], d.reached.literal(d.vars, a.row, i))
	}
	or := lists.Append(nil, below, func(f *logic.Term) *logic.Term { return logic.And(logic.Or(literals[f]...), f) })
	return logic.Or(or...)
}

// literal says what a state knows of a variable.
func (r *Reached) literal(vars []int32, words []uint64, i int) *logic.Term {
	x, k := r.a.blocks.System.Vars[vars[i]], r.a.env.kinds[vars[i]]
	if k == arrays {
		return r.a.env.contents.literal(x, words[i])
	}
	like, n := sourceOf(words, len(vars), i), k.term(words[i])
	switch like {
	case isNumber:
		return logic.Eq(x, n)
	case isNothing, i + isLike:
		return logic.True()
	case isOther:
		return logic.Ne(x, n)
	}
	y := r.a.blocks.System.Vars[vars[like-isLike]]
	switch k {
	case boolean:
		return logic.Eq(x, logic.Ne(y, n))
	case integer:
		return logic.Eq(x, logic.Add(y, n))
	}
	return logic.Eq(x, logic.BVAdd(y, n))
}

// term writes a number.
func (k kind) term(n uint64) *logic.Term {
	switch k {
	case boolean:
		return logic.BoolConst(n == 1)
	case integer:
		return logic.IntConst(int64(n))
	}
	return logic.BVConst(new(big.Int).SetUint64(n), int(k))
}
