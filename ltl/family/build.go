package family

import (
	"fmt"

	"github.com/seltl/seltl/ltl"
)

// Short names of the constructors, so that definitions read as in the papers.
var (
	not     = ltl.MakeNot
	and     = ltl.MakeAnd
	or      = ltl.MakeOr
	implies = ltl.MakeImplies
	iff     = ltl.MakeIff
	next    = ltl.MakeNext
	finally = ltl.MakeEventually
	always  = ltl.MakeAlways
	until   = ltl.MakeUntil
	release = ltl.MakeRelease
)

type formula = *ltl.Formula

// ap is an atom, with a number behind its name if one is given.
func ap(name string, number ...int) formula {
	if len(number) > 0 {
		name = fmt.Sprint(name, number[0])
	}
	return ltl.AtomOf(ltl.Atom{Kind: ltl.Name, Name: name})
}

func infinitely(f formula) formula { return always(finally(f)) }

// atLast is F G f.
func atLast(f formula) formula { return finally(always(f)) }

// each returns of(from), ..., of(to).
func each(from, to int, of func(i int) formula) []formula {
	var fs []formula
	for i := from; i <= to; i++ {
		fs = append(fs, of(i))
	}
	return fs
}

// all is the conjunction of of(from), ..., of(to).
func all(from, to int, of func(i int) formula) formula { return and(each(from, to, of)...) }

// some is the disjunction of of(from), ..., of(to).
func some(from, to int, of func(i int) formula) formula { return or(each(from, to, of)...) }

// steps is X X ... X f, n times.
func steps(n int, f formula) formula {
	for range n {
		f = next(f)
	}
	return f
}

// chain is join(of(from), join(of(from+1), ... of(to))).
func chain(from, to int, of func(i int) formula, join func(f, rest formula) formula) formula {
	f := of(to)
	for i := to - 1; i >= from; i-- {
		f = join(of(i), f)
	}
	return f
}

// exclusive says that at most one of the formulas is true.
func exclusive(fs ...formula) formula {
	var pairs []formula
	for i, f := range fs {
		for _, g := range fs[:i] {
			pairs = append(pairs, not(and(f, g)))
		}
	}
	return and(pairs...)
}
