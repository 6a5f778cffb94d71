package smt

import (
	"slices"

	"github.com/seltl/seltl/logic"
)

// What stands beside a solver is asked few questions, each about all that was asserted, as an
// unrolling is. Where only machine words and Booleans are in it, z3 is told so (QF_BV), and makes
// clauses of it for its SAT solver, which answers such questions dozens of times faster than the
// search over theories (popcount of 32 bits against a loop under an assumption: 0.2 s for 6.5).
// For many small questions, as those of predicates are, it takes up to twice as long.
//
// A question without scopes and assumptions needs no core. Z3 then simplifies all that was asserted
// together, which it does not where cores are to be had: what symbolic execution asks of C programs it decides
// in half a second, and not in minutes.

// strategy is how a child answers.
type strategy uint8

const (
	undecided strategy = iota // until something is sent
	anyTheory
	onlyWords
)

// wordsStrategy takes the place of plainStrategy.
const wordsStrategy = "(set-option :tactic.default_tactic \"\")\n(set-logic QF_BV)\n"

// anyWords is the strategy for a whole question in which there are words among others.
const anyWords = "(set-option :tactic.default_tactic \"\")\n"

// decide chooses how a child answers, when something is sent to it for the first time, and returns what
// it is to be sent before that.
func (z *stack) decide() string {
	if z.how != undecided {
		return ""
	}
	all := slices.Clone(z.asked)
	for _, f := range z.frames {
		all = append(all, f.asserted...)
	}
	options := stackOptions
	if z.whole = z.words && z.isWhole(); z.whole {
		options = wholeOptions
	}
	z.how = anyTheory
	switch {
	case !z.words || z.datatypes:
	case !slices.ContainsFunc(all, func(f *logic.Term) bool { return !z.inWords(f) }):
		z.how = onlyWords
		return z.opening + options + wordsStrategy
	case z.whole && hasWords(all):
		return z.opening + options + anyWords
	}
	return z.opening + plainStrategy + options
}

// isWhole reports that the question is all that was asserted.
func (z *stack) isWhole() bool { return len(z.frames) == 1 && len(z.asked) == 0 }

func hasWords(fs []*logic.Term) bool {
	for t := range logic.Subterms(fs...) {
		if t.Sort().Kind() == logic.BitVecKind {
			return true
		}
	}
	return false
}

// inWords reports a formula of words and Booleans alone.
func (z *stack) inWords(f *logic.Term) bool {
	if z.seen == nil {
		z.seen = map[*logic.Term]bool{}
	}
	known, asked := z.seen[f]
	if asked {
		return known
	}
	known = f.Sort().Kind() == logic.BoolKind || f.Sort().Kind() == logic.BitVecKind
	for _, a := range f.Args() {
		known = known && z.inWords(a)
	}
	z.seen[f] = known
	return known
}

// interrupted begins anew behind a question without an answer: z3 may have stopped while it made
// clauses, and goes on without those that it has not made (of which its models are wrong). This is so
// without QF_BV, too (4.8.12).
func (z *stack) interrupted() {
	if z.proc != nil {
		z.renew()
	}
}
