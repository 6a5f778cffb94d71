package ltl

import (
	"fmt"
	"math"

	"github.com/seltl/seltl/internal/lists"
)

// This file resolves regular expressions.

// MaxUnfolded bounds the letters of a regular expression whose repetitions are written out.
const MaxUnfolded = 20_000

func (r *resolver) suffix(n *node, vars *env) *Formula {
	re := r.regexp(n.args[0], vars)
	if unfolded(re) > MaxUnfolded && !r.stopped {
		part := n.args[0]
		r.errorf(part.start, part.end, "too-large", "use smaller bounds",
			"the regular expression has more than %d letters when its repetitions are written out", MaxUnfolded)
		r.errs[len(r.errs)-1].Limit = true
		r.stopped = true
	}
	if r.stopped {
		return falseFormula
	}
	make := suffix
	if r.opts.Finite != nil {
		make = r.opts.Finite.suffix
	}
	switch n.text {
	case "{}":
		f := MakeClosure(re)
		if r.opts.Finite != nil && f.re != nil {
			r.errorf(n.start, n.end, "weak-closure", "write {...}! where a match has to come", "the weak closure {...} is not read of finite words")
		}
		return f
	case "!":
		return make(SuffixAnd, re, trueFormula)
	}
	if n.rop == Concat {
		re = MakeConcat(re, anyLetter)
	}
	return make(n.op, re, r.formula(n.args[1], vars))
}

// unfolded is the number of letters where repetitions are written out; it saturates.
func unfolded(r *Regexp) int {
	known := map[*Regexp]int{}
	var of func(r *Regexp) int
	of = func(r *Regexp) int {
		n, ok := known[r]
		if ok {
			return n
		}
		if r.op == OneLetter {
			n = 1
		}
		for _, a := range r.args {
			n = min(n+of(a), math.MaxInt32)
		}
		if r.op == Star || r.op == FusionStar {
			copies := r.hi
			if copies == Unbounded {
				copies = max(r.lo, 1)
			}
			n = min(n*min(copies, math.MaxInt32), math.MaxInt32)
		}
		known[r] = n
		return n
	}
	return of(r)
}

func (r *resolver) regexp(n *node, vars *env) *Regexp {
	if !r.count(1, n.start, n.end) {
		return noWord
	}
	switch n.kind {
	case nRegexp:
		args := lists.Map(n.args, func(a *node) *Regexp { return r.regexp(a, vars) })
		return (&Regexp{op: n.rop}).with(args)
	case nRepeat:
		return r.repeat(n, vars)
	}
	f := r.formula(n, vars)
	if !f.class.Has(Boolean) {
		r.errorf(n.start, n.end, "not-boolean", "temporal operators stand behind the expression: {a; b}[]-> F c",
			"a letter of a regular expression is a Boolean formula")
		return noWord
	}
	return MakeLetter(f)
}

// repeat resolves r[*i..j], r[+], b[->i..j], b[=i..j], r[:*i..j] and r[:+].
func (r *resolver) repeat(n *node, vars *env) *Regexp {
	what := r.regexp(n.args[0], vars)
	lo, hi := 0, Unbounded
	switch {
	case n.text == "->" && (n.expr == nil || n.omitted):
		lo = 1
	case n.text == "+" || n.text == ":+":
		lo = 1
	}
	if n.text == "->" && n.expr == nil {
		hi = 1
	}
	ok := true
	if n.expr != nil {
		if !n.omitted {
			lo, ok = r.bound(n.expr, vars)
			hi = lo
		}
		if n.open || n.omitted {
			hi = Unbounded
		}
		if n.hi != nil && ok {
			hi, ok = r.bound(n.hi, vars)
		}
	}
	switch {
	case !ok:
		return noWord
	case hi < lo:
		end := n.expr.end
		if n.hi != nil {
			end = n.hi.end
		}
		r.errorf(n.expr.start, end, "empty-range", fmt.Sprintf("write [%s%d..%d]", n.text, hi, lo), "the range %d..%d is empty", lo, hi)
		return noWord
	}
	switch n.text {
	case ":*", ":+":
		return MakeFusionStar(what, lo, hi)
	case "->", "=":
		return r.occurrences(n, what, lo, hi)
	}
	return MakeStar(what, lo, hi)
}

// occurrences is b[->lo..hi] or b[=lo..hi]: so many letters with b, the last one at the end of the
// word, or anywhere.
func (r *resolver) occurrences(n *node, what *Regexp, lo, hi int) *Regexp {
	var b *Formula
	switch what.op {
	case OneLetter:
		b = what.letter
	case NoWord:
		b = falseFormula
	default:
		r.errorf(n.args[0].start, n.args[0].end, "not-boolean", "repeat a regular expression by [*i..j]",
			"[%s] counts a letter, a Boolean formula", n.text)
		return noWord
	}
	others := MakeStar(MakeLetter(MakeNot(b)), 0, Unbounded)
	s := MakeStar(MakeConcat(others, MakeLetter(b)), lo, hi)
	switch {
	case n.text == "->":
		return s
	case lo == 0 && hi == Unbounded:
		return anyWord
	}
	return MakeConcat(s, others)
}
