package ltl

import "slices"

// This file makes the formulas that have a regular expression.

// MakeSuffixImplies returns {r}[]-> f: at the last letter of every match of r that begins
// here, f holds. The empty word is no match. Constants are evaluated.
func MakeSuffixImplies(r *Regexp, f *Formula) *Formula { return suffix(SuffixImplies, r, f) }

// MakeSuffixAnd returns {r}<>-> f: at the last letter of some match of r that begins here, f
// holds. It is dual to MakeSuffixImplies.
func MakeSuffixAnd(r *Regexp, f *Formula) *Formula { return suffix(SuffixAnd, r, f) }

// MakeClosure returns {r}, the weak closure: a match of r that is not empty begins here, or
// whatever comes could still go on to one. For one letter it is the letter.
func MakeClosure(r *Regexp) *Formula {
	switch r.op {
	case NoWord, EmptyWord:
		return falseFormula
	case OneLetter:
		return r.letter
	}
	return suffix(SuffixImplies, makeViolation(r), falseFormula)
}

// Closure returns r and true if f is {r} or !{r}; positive says which.
func (f *Formula) Closure() (r *Regexp, positive, ok bool) {
	if f.re == nil || f.re.op != violation {
		return nil, false, false
	}
	return f.re.args[0], f.op == SuffixImplies, true
}

func suffix(op Op, r *Regexp, f *Formula) *Formula {
	mustFormula(f)
	idle := trueFormula // what f must be for the formula to say nothing
	if op == SuffixAnd {
		idle = falseFormula
	}
	switch {
	case f == idle, r == noWord, r == emptyWord:
		return idle
	case r == anyLetter:
		return f
	case r.op == violation && r.args[0].op == OneLetter:
		// {b} is b. In negation normal form the result is, too.
		return newNegator().nnf(r.args[0].letter, op == SuffixAnd)
	}
	return internSuffix(op, Atom{}, r, append(slices.Clone(r.letters), f))
}

// suffixClass is the place of {r}<>-> f in the hierarchy and what else is known of it: l is the
// class of f. For {r}[]-> f it is dual.
func suffixClass(r *Regexp, l Class) Class {
	c := l & (Guarantee | Persistence)
	if r.bounded {
		c |= l & (Safety | Obligation | Recurrence)
	}
	return c | keep(c, Guarantee, Obligation|Recurrence|Persistence)
}
