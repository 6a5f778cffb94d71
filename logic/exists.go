package logic

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// What eliminating the quantifiers of one formula may take: formulas visited, and the size of the
// result.
const (
	maxEliminations = 3000
	maxEliminated   = 20_000
)

// Exists returns a formula that says that there are values of the variables which make f true, and
// in which they do not occur; ok is false where that is not found, or too large. Disjunctions are looked
// at apart; a variable is replaced where an equation says what it is; a Boolean one is either true or
// false; of the others, inequalities are combined, where that is exact (see Project), and bounds of integers tried
// elsewhere, after disjunctions that speak of them have been distributed.
func Exists(vars []*Term, f *Term) (g *Term, ok bool) {
	e := eliminator{left: maxEliminations}
	g, ok = e.exists(vars, f)
	return g, ok && g.Size() <= maxEliminated
}

type eliminator struct{ left int }

func (e *eliminator) exists(vars []*Term, f *Term) (*Term, bool) {
	if e.left--; e.left < 0 {
		return nil, false
	}
	if vars = occurring(vars, f); len(vars) == 0 {
		return f, true
	}
	if f.op == OpOr {
		return e.disjunction(vars, f.args)
	}
	parts, outer := separate(vars, Conjuncts(f))
	for _, p := range parts {
		g, ok := e.conjunction(occurring(vars, p...), p)
		if !ok {
			return nil, false
		}
		outer = append(outer, g)
	}
	return And(outer...), true
}

// occurring are the variables that formulas speak of.
func occurring(vars []*Term, fs ...*Term) []*Term {
	all := Vars(fs...)
	if len(vars) <= fewNodes {
		return slices.DeleteFunc(slices.Clone(vars), func(v *Term) bool { return !slices.Contains(all, v) })
	}
	in := map[*Term]bool{}
	for _, v := range all {
		in[v] = true
	}
	return slices.DeleteFunc(slices.Clone(vars), func(v *Term) bool { return !in[v] })
}

// separate divides formulas into parts that share none of the variables, and those that speak of none, in their order.
func separate(vars, fs []*Term) (parts [][]*Term, outer []*Term) {
	eliminated, owner := map[*Term]bool{}, map[*Term]int{}
	for _, v := range vars {
		eliminated[v] = true
	}
	for _, f := range fs {
		own := slices.DeleteFunc(Vars(f), func(v *Term) bool { return !eliminated[v] })
		if len(own) == 0 {
			outer = append(outer, f)
			continue
		}
		to := len(parts)
		parts = append(parts, nil)
		for _, v := range own {
			if k, ok := owner[v]; ok && k != to {
				parts[min(k, to)] = append(parts[min(k, to)], parts[max(k, to)]...)
				parts[max(k, to)] = nil
				for w, j := range owner {
					if j == max(k, to) {
						owner[w] = min(k, to)
					}
				}
				to = min(k, to)
			}
			owner[v] = to
		}
		parts[to] = append(parts[to], f)
	}
	return slices.DeleteFunc(parts, func(p []*Term) bool { return len(p) == 0 }), outer
}

// divided divides formulas into those that speak of variables and the others.
func divided(fs, vars []*Term) (inner, outer []*Term) {
	for _, c := range fs {
		if len(occurring(vars, c)) > 0 {
			inner = append(inner, c)
		} else {
			outer = append(outer, c)
		}
	}
	return inner, outer
}

func (e *eliminator) disjunction(vars, fs []*Term) (*Term, bool) {
	out := make([]*Term, len(fs))
	size := 0
	for i, f := range fs {
		var ok bool
		if out[i], ok = e.exists(vars, f); !ok {
			return nil, false
		}
		if size += out[i].Size(); size > maxEliminated {
			return nil, false
		}
	}
	return Or(out...), true
}

// conjunction eliminates variables from formulas each of which speaks of some.
func (e *eliminator) conjunction(vars, fs []*Term) (*Term, bool) {
	if values := determined(vars, fs); len(values) > 0 {
		return e.exists(vars, Substitute(And(fs...), values))
	}
	if v := leastOf(vars, fs); v != nil {
		with, others := divided(fs, []*Term{v})
		f := And(with...)
		by := func(b *Term) *Term { return Substitute(f, map[*Term]*Term{v: b}) }
		return e.exists(vars, And(append(others, Or(by(trueTerm), by(falseTerm)))...))
	}
	if c := condition(vars, fs); c != nil {
		f := And(fs...)
		by := func(b *Term) *Term { return Substitute(f, map[*Term]*Term{c: b, Not(c): Not(b)}) }
		return e.disjunction(vars, []*Term{And(c, by(trueTerm)), And(Not(c), by(falseTerm))})
	}
	for i, f := range fs { // distribute, and find more equations
		if f.op == OpOr {
			rest := And(slices.Delete(slices.Clone(fs), i, i+1)...)
			out := lists.Map(f.args, func(d *Term) *Term { return And(d, rest) })
			return e.disjunction(vars, out)
		}
	}
	v := vars[0]
	with, others := divided(fs, []*Term{v})
	for i, f := range with {
		if f.op == OpNot && f.args[0].op == OpEq && numeric(f.args[0].args[0].sort) {
			a, b := f.args[0].args[0], f.args[0].args[1]
			rest := And(slices.Delete(slices.Clone(fs), slices.Index(fs, with[i]), slices.Index(fs, with[i])+1)...)
			return e.disjunction(vars, []*Term{And(Lt(a, b), rest), And(Lt(b, a), rest)})
		}
	}
	out, exact := Project(with, []*Term{v})
	if !exact {
		cases := integerCases(v, with)
		if cases == nil {
			return nil, false
		}
		for i := range cases {
			cases[i] = And(append(cases[i:i+1:i+1], others...)...)
		}
		return e.disjunction(vars, cases)
	}
	return e.exists(vars, And(append(out, others...)...))
}

// mostCases bounds the bounds of an integer variable that are tried.
const mostCases = 12

// integerCases eliminates an integer variable from linear literals, one of which holds then; nil where they are others.
// An equation a*v = t says that a divides t, and what a*v is elsewhere. Where there are only inequalities, there is a value
// if the least one above some lower bound is one: the quotient of it, rounded up ([Cooper72] without divisors of v).
func integerCases(v *Term, literals []*Term) (cases []*Term) {
	if v.sort != Int {
		return nil
	}
	var lower, upper, equal []bound
	for _, l := range literals {
		op, sum, number, negated, ok := LinearAtom(l)
		coef, linear := coefficient(sum, v)
		switch {
		case !ok || !linear || negated || !coef.IsInt() || op != OpEq && op != OpLe && op != OpLt:
			return nil
		case op == OpEq:
			equal = append(equal, newBound(sum, number, v, coef, false))
		case coef.Sign() > 0:
			upper = append(upper, newBound(sum, number, v, coef, op == OpLt))
		default:
			lower = append(lower, newBound(sum, number, v, coef, op == OpLt))
		}
	}
	if len(equal) > 0 {
		first := equal[0]
		out := []*Term{Eq(IntMod(first.term, Number(first.coef, Int)), IntConst(0))}
		for _, b := range equal[1:] {
			out = append(out, Eq(Scale(b.coef, first.term), Scale(first.coef, b.term)))
		}
		for _, b := range lower {
			out = append(out, b.below(first))
		}
		for _, b := range upper {
			out = append(out, first.below(b))
		}
		return []*Term{And(out...)}
	}
	if len(lower) > mostCases {
		return nil
	}
	for _, b := range lower {
		t := b.term // coef*v >= t
		if b.strict {
			t = Add(t, IntConst(1))
		}
		least := Neg(IntDiv(Neg(t), Number(b.coef, Int)))
		cases = append(cases, Substitute(And(literals...), map[*Term]*Term{v: least}))
	}
	return cases
}

// leastOf is the Boolean variable of which the smallest formulas speak, nil if none is Boolean.
func leastOf(vars, fs []*Term) (least *Term) {
	most := 0
	for _, v := range vars {
		if v.sort != Bool {
			continue
		}
		size := 0
		for _, f := range fs {
			if mentions(f, v) {
				size += f.Size()
			}
		}
		if least == nil || size < most {
			least, most = v, size
		}
	}
	return least
}

// condition is an atom without the variables that disjunctions with them have as one of several cases, nil if there
// is none: cases that exclude each other are looked at apart, and not multiplied.
func condition(vars, fs []*Term) *Term {
	for _, f := range fs {
		if f.op != OpOr {
			continue
		}
		for _, d := range f.args {
			switch {
			case len(occurring(vars, d)) > 0:
				if c := condition(vars, Conjuncts(d)); c != nil {
					return c
				}
			case d.op == OpNot && IsLiteral(d):
				return d.args[0]
			case IsLiteral(d):
				return d
			}
		}
	}
	return nil
}

func numeric(s *Sort) bool { return s == Int || s == Real }

// determined are values that formulas give some of the variables, in terms without these.
func determined(vars, fs []*Term) map[*Term]*Term {
	values, used := map[*Term]*Term{}, map[*Term]bool{}
	for _, f := range fs {
		if f.op == OpOr || f.op == OpLe || f.op == OpLt {
			continue
		}
		for _, v := range occurring(vars, f) {
			if used[v] || values[v] != nil {
				continue
			}
			value := determinedBy(f, v)
			if value == nil {
				continue
			}
			in := Vars(value)
			if slices.ContainsFunc(in, func(w *Term) bool { return values[w] != nil }) {
				continue
			}
			values[v] = value
			for _, w := range in {
				used[w] = true
			}
			break
		}
	}
	return values
}

// determinedBy is the value that a formula gives a variable, nil if it gives none.
func determinedBy(f, v *Term) *Term {
	switch {
	case f == v:
		return trueTerm
	case f.op == OpNot && f.args[0] == v:
		return falseTerm
	case f.op == OpEq:
		for k, a := range f.args {
			if b := f.args[1-k]; a == v && !mentions(b, v) {
				return b
			} else if v.sort == Bool && a.op == OpNot && a.args[0] == v && !mentions(b, v) {
				return Not(b)
			}
		}
	case f.op == OpNot && v.sort == Bool && f.args[0].op == OpEq: // of Bool
		for k, a := range f.args[0].args {
			if b := f.args[0].args[1-k]; a == v && !mentions(b, v) {
				return Not(b)
			}
		}
	}
	if numeric(v.sort) || v.sort.kind == BitVecKind {
		if value, _ := SolveFor([]*Term{f}, v); value != nil {
			return value
		}
	}
	return nil
}
