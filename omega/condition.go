package omega

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/lists"
)

// Op is an operator of conditions.
type Op uint8

// The operators of conditions.
const (
	OpTrue Op = iota
	OpFalse
	OpInf
	OpFin
	OpAnd
	OpOr
)

// Condition is a positive Boolean formula over Inf(i) and Fin(i). It does not change once
// it is made. Conjunctions and disjunctions have at least two operands, none of which is
// a constant or has the same operator, and no two of which are the same.
type Condition struct {
	op   Op
	set  int
	args []*Condition
}

var (
	always = &Condition{op: OpTrue}
	never  = &Condition{op: OpFalse}
)

// True is the condition that every run satisfies.
func True() *Condition { return always }

// False is the condition that no run satisfies.
func False() *Condition { return never }

// Inf is the condition that the set is met infinitely often.
func Inf(set int) *Condition { return &Condition{op: OpInf, set: set} }

// Fin is the condition that the set is met finitely often.
func Fin(set int) *Condition { return &Condition{op: OpFin, set: set} }

// And is the conjunction.
func And(args ...*Condition) *Condition { return junction(OpAnd, always, never, args) }

// Or is the disjunction.
func Or(args ...*Condition) *Condition { return junction(OpOr, never, always, args) }

// junction joins operands; unit is left out, zero is the result where it occurs.
func junction(op Op, unit, zero *Condition, args []*Condition) *Condition {
	var flat []*Condition
	seen := map[string]bool{}
	var add func(c *Condition)
	add = func(c *Condition) {
		if c.op == op {
			for _, arg := range c.args {
				add(arg)
			}
		} else if c.op != unit.op {
			if key := c.String(); !seen[key] {
				seen[key] = true
				flat = append(flat, c)
			}
		}
	}
	for _, c := range args {
		add(c)
	}
	switch {
	case slices.ContainsFunc(flat, func(c *Condition) bool { return c.op == zero.op }):
		return zero
	case len(flat) == 0:
		return unit
	case len(flat) == 1:
		return flat[0]
	}
	return &Condition{op: op, args: flat}
}

// Op returns the outermost operator.
func (c *Condition) Op() Op { return c.op }

// Set returns the set of Inf and Fin.
func (c *Condition) Set() int { return c.set }

// Args returns the operands of And and Or; the slice must not be changed.
func (c *Condition) Args() []*Condition { return c.args }

// String writes the condition as the Hanoi format has it.
func (c *Condition) String() string { return c.hoa().String() }

func (c *Condition) hoa() *hoa.Acceptance {
	h := &hoa.Acceptance{Op: [...]hoa.Op{hoa.True, hoa.False, hoa.Inf, hoa.Fin, hoa.And, hoa.Or}[c.op], Set: c.set}
	for _, arg := range c.args {
		h.Args = append(h.Args, arg.hoa())
	}
	return h
}

func conditionOf(h *hoa.Acceptance) *Condition {
	args := lists.Append(nil, h.Args, conditionOf)
	switch h.Op {
	case hoa.False:
		return never
	case hoa.Inf:
		return Inf(h.Set)
	case hoa.Fin:
		return Fin(h.Set)
	case hoa.And:
		return And(args...)
	case hoa.Or:
		return Or(args...)
	}
	return always
}

// Holds reports whether a run satisfies the condition that meets exactly the sets of marks
// infinitely often.
func (c *Condition) Holds(marks uint64) bool {
	switch c.op {
	case OpTrue:
		return true
	case OpInf:
		return marks>>c.set&1 != 0
	case OpFin:
		return marks>>c.set&1 == 0
	case OpAnd:
		return !slices.ContainsFunc(c.args, func(arg *Condition) bool { return !arg.Holds(marks) })
	case OpOr:
		return slices.ContainsFunc(c.args, func(arg *Condition) bool { return arg.Holds(marks) })
	}
	return false
}

// Sets returns the sets that the condition speaks of.
func (c *Condition) Sets() uint64 { return c.infs() | c.fins() }

func (c *Condition) infs() uint64 { return c.leaves(OpInf) }
func (c *Condition) fins() uint64 { return c.leaves(OpFin) }

func (c *Condition) leaves(op Op) uint64 {
	if c.op == op {
		return 1 << c.set
	}
	var sets uint64
	for _, arg := range c.args {
		sets |= arg.leaves(op)
	}
	return sets
}

// replace puts other conditions for the terms Inf(i) and Fin(i).
func (c *Condition) replace(term func(*Condition) *Condition) *Condition {
	switch c.op {
	case OpInf, OpFin:
		return term(c)
	case OpAnd, OpOr:
		args := lists.Map(c.args, func(arg *Condition) *Condition { return arg.replace(term) })
		if c.op == OpAnd {
			return And(args...)
		}
		return Or(args...)
	}
	return c
}

// Dual returns the condition that exactly the runs satisfy which do not satisfy c.
func (c *Condition) Dual() *Condition {
	switch c.op {
	case OpTrue:
		return never
	case OpFalse:
		return always
	case OpInf:
		return Fin(c.set)
	case OpFin:
		return Inf(c.set)
	}
	args := lists.Map(c.args, (*Condition).Dual)
	if c.op == OpAnd {
		return Or(args...)
	}
	return And(args...)
}

// within returns what c says of runs that meet no other sets than those of marks
// infinitely often.
func (c *Condition) within(marks uint64) *Condition {
	return c.replace(func(t *Condition) *Condition {
		switch {
		case marks>>t.set&1 != 0:
			return t
		case t.op == OpFin:
			return always
		}
		return never
	})
}

// given returns what c says of runs that meet the sets of marks infinitely often.
func (c *Condition) given(marks uint64) *Condition {
	return c.replace(func(t *Condition) *Condition {
		switch {
		case marks>>t.set&1 == 0:
			return t
		case t.op == OpInf:
			return always
		}
		return never
	})
}

// shift adds to the numbers of all sets.
func (c *Condition) shift(by int) *Condition {
	return c.replace(func(t *Condition) *Condition { return &Condition{op: t.op, set: t.set + by} })
}

// Clause is a conjunction of Fin over some sets and Inf over others, or, in Clauses of a
// conjunctive form, a disjunction.
type Clause struct{ Fin, Inf uint64 }

// maxClauses bounds normal forms.
const maxClauses = 1 << 12

// Disjuncts returns the condition as a disjunction of conjunctions, none of which implies
// another, in order; false if there are more than some thousand.
func (c *Condition) Disjuncts() ([]Clause, bool) {
	switch c.op {
	case OpTrue:
		return []Clause{{}}, true
	case OpFalse:
		return nil, true
	case OpInf:
		return []Clause{{Inf: 1 << c.set}}, true
	case OpFin:
		return []Clause{{Fin: 1 << c.set}}, true
	}
	var all []Clause
	for i, arg := range c.args {
		own, ok := arg.Disjuncts()
		if !ok {
			return nil, false
		}
		switch {
		case c.op == OpOr || i == 0:
			all = append(all, own...)
		case len(all)*len(own) > 16*maxClauses:
			return nil, false
		default:
			var both []Clause
			for _, x := range all {
				for _, y := range own {
					both = append(both, Clause{x.Fin | y.Fin, x.Inf | y.Inf})
				}
			}
			all = both
		}
		if all = weakest(all); len(all) > maxClauses {
			return nil, false
		}
	}
	return all, true
}

// Conjuncts returns the condition as a conjunction of disjunctions; see Disjuncts.
func (c *Condition) Conjuncts() ([]Clause, bool) {
	clauses, ok := c.Dual().Disjuncts()
	for i, cl := range clauses {
		clauses[i] = Clause{Fin: cl.Inf, Inf: cl.Fin}
	}
	return clauses, ok
}

// weakest leaves out conjunctions that contradict themselves or imply another.
func weakest(clauses []Clause) []Clause {
	var kept []Clause
	for i, x := range clauses {
		implies := func(j int, y Clause) bool {
			return j != i && x.Fin&y.Fin == y.Fin && x.Inf&y.Inf == y.Inf && (x != y || j < i)
		}
		redundant := x.Fin&x.Inf != 0
		for j := 0; j < len(clauses) && !redundant; j++ {
			redundant = implies(j, clauses[j])
		}
		if !redundant {
			kept = append(kept, x)
		}
	}
	return kept
}

// terms returns Fin and Inf terms of a clause.
func (cl Clause) terms() []*Condition {
	list := lists.Append(nil, bitList(cl.Fin), Fin)
	for _, set := range bitList(cl.Inf) {
		list = append(list, Inf(set))
	}
	return list
}

func bitList(marks uint64) []int {
	list := make([]int, 0, bits.OnesCount64(marks))
	for ; marks != 0; marks &= marks - 1 {
		list = append(list, bits.TrailingZeros64(marks))
	}
	return list
}

// canonical returns the condition with operands sorted, as a text.
func (c *Condition) canonical() string {
	if len(c.args) == 0 {
		return c.String()
	}
	parts := lists.Map(c.args, (*Condition).canonical)
	slices.Sort(parts)
	return fmt.Sprintf("%d(%s)", c.op, strings.Join(parts, ","))
}
