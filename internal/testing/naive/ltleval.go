package naive

import "github.com/seltl/seltl/ltl"

// LTLHolds evaluates f on a lasso word straight from the definition of each
// operator, by looking along the word. It is exponential in the nesting of
// temporal operators.
func LTLHolds(f *ltl.Formula, w ltl.Word) bool { return ltlAt(f, w, 0) }

// LTLHoldsAt is LTLHolds at any position of the infinite word, of whose past there is i positions.
func LTLHoldsAt(f *ltl.Formula, w ltl.Word, i int) bool { return ltlAt(f, w, i) }

// ltlAt evaluates f at position i of the infinite word. Every position that can
// be seen from i is one of i, i+1, ..., i+stem+loop-1, or, where the past matters, like one of
// those up to a loop behind all that past operators may tell apart: a pass of the loop for each.
func ltlAt(f *ltl.Formula, w ltl.Word, i int) bool {
	horizon := i + len(w.Stem) + len(w.Loop)
	if f.HasPast() {
		horizon = max(i, len(w.Stem)+f.Size()*len(w.Loop)) + len(w.Loop)
	} else if i >= len(w.Stem)+len(w.Loop) {
		i = len(w.Stem) + (i-len(w.Stem))%len(w.Loop)
		horizon = i + len(w.Stem) + len(w.Loop)
	}
	at := func(k, j int) bool { return ltlAt(f.Args()[k], w, j) }
	// until: operand k holds from i on before some position where l holds.
	until := func(k, l int) bool {
		for j := i; j < horizon; j++ {
			if at(l, j) {
				return true
			}
			if !at(k, j) {
				return false
			}
		}
		return false
	}
	always := func(k int) bool {
		for j := i; j < horizon; j++ {
			if !at(k, j) {
				return false
			}
		}
		return true
	}
	// upTo: operand l holds up to and including some position where k holds.
	upTo := func(k, l int) bool {
		for j := i; j < horizon && at(l, j); j++ {
			if at(k, j) {
				return true
			}
		}
		return false
	}
	if f.IsPast() {
		return pastAt(f, i, at)
	}
	switch f.Op() {
	case ltl.Atomic:
		if i < len(w.Stem) {
			return w.Stem[i](f.Atom())
		}
		return w.Loop[i-len(w.Stem)](f.Atom())
	case ltl.Next:
		return at(0, i+1)
	case ltl.Eventually:
		for j := i; j < horizon; j++ {
			if at(0, j) {
				return true
			}
		}
		return false
	case ltl.Always:
		return always(0)
	case ltl.Until:
		return until(0, 1)
	case ltl.WeakUntil:
		return until(0, 1) || always(0)
	case ltl.Release:
		return upTo(0, 1) || always(1)
	case ltl.StrongRelease:
		return upTo(0, 1)
	}
	return connective(f, func(k int) bool { return at(k, i) })
}

// pastAt evaluates a past operator, where at says which operands hold where.
func pastAt(f *ltl.Formula, i int, at func(k, j int) bool) bool {
	switch f.Op() {
	case ltl.Yesterday:
		return i > 0 && at(0, i-1)
	case ltl.WeakYesterday:
		return i == 0 || at(0, i-1)
	case ltl.Once, ltl.Historically:
		once := f.Op() == ltl.Once
		for j := 0; j <= i; j++ {
			if at(0, j) == once {
				return once
			}
		}
		return !once
	case ltl.Since:
		for j := i; j >= 0; j-- {
			if at(1, j) {
				return true
			}
			if !at(0, j) {
				return false
			}
		}
		return false
	case ltl.Triggered:
		for j := i; j >= 0; j-- {
			if !at(1, j) {
				return false
			}
			if at(0, j) {
				return true
			}
		}
		return true
	}
	panic("naive: unknown past operator")
}

// connective evaluates an operator that looks at one position only, where arg says
// which operands hold.
func connective(f *ltl.Formula, arg func(k int) bool) bool {
	switch f.Op() {
	case ltl.True:
		return true
	case ltl.False:
		return false
	case ltl.Not:
		return !arg(0)
	case ltl.And:
		for k := range f.Args() {
			if !arg(k) {
				return false
			}
		}
		return true
	case ltl.Or:
		for k := range f.Args() {
			if arg(k) {
				return true
			}
		}
		return false
	case ltl.Xor:
		return arg(0) != arg(1)
	case ltl.Implies:
		return !arg(0) || arg(1)
	case ltl.Iff:
		return arg(0) == arg(1)
	}
	panic("naive: unknown operator")
}
