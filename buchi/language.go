package buchi

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// Satisfiable decides whether some word satisfies f, and returns one. Of the options, here and
// in Valid, Implies and Equivalent, Constraints and Meter count: words are those whose letters
// satisfy the constraints. Every word that these functions return has been evaluated by
// ltl.Eval; if that contradicts the automata, the error is a *bug.Error. Other errors are
// those of Translate. Time and memory are exponential in the size of the formulas in the
// worst case.
func Satisfiable(f *ltl.Formula, opts Options) (word ltl.Word, yes bool, err error) {
	return commonWord(opts, f)
}

// Valid decides whether all words satisfy f; if not, it returns one that does not.
func Valid(f *ltl.Formula, opts Options) (against ltl.Word, yes bool, err error) {
	if f == nil {
		return against, false, ltl.ErrNil
	}
	against, found, err := commonWord(opts, ltl.MakeNot(f))
	return against, err == nil && !found, err
}

// Implies decides whether all words that satisfy f satisfy g; if not, it returns one that
// satisfies f and not g.
func Implies(f, g *ltl.Formula, opts Options) (separating ltl.Word, yes bool, err error) {
	if f == nil || g == nil {
		return separating, false, ltl.ErrNil
	}
	separating, found, err := commonWord(opts, f, ltl.MakeNot(g))
	return separating, err == nil && !found, err
}

// Equivalent decides whether the same words satisfy f and g; if not, it returns one that
// satisfies one of them only.
func Equivalent(f, g *ltl.Formula, opts Options) (separating ltl.Word, yes bool, err error) {
	if separating, yes, err = Implies(f, g, opts); err != nil || !yes {
		return separating, false, err
	}
	return Implies(g, f, opts)
}

// commonWord looks for a word that satisfies all the formulas, in the product of their
// automata.
func commonWord(opts Options, fs ...*ltl.Formula) (word ltl.Word, found bool, err error) {
	opts = Options{Constraints: opts.Constraints, Meter: opts.Meter}
	err = bdd.Guard(func() error {
		p, err := intersection(opts, fs)
		if errors.Is(err, errTooManySets) {
			opts.Acceptance = Buchi
			p, err = intersection(opts, fs)
		}
		if err != nil {
			return err
		}
		word, found = p.AcceptedWord()
		return nil
	})
	if err != nil {
		return ltl.Word{}, false, nodeLimit(err)
	}
	for _, f := range fs {
		if found && !ltl.Eval(f, word) {
			return ltl.Word{}, false, bug.Errorf("evaluation of a word", "%s is not true of the word %s", f, word.Text(ltl.Atoms(fs...)))
		}
	}
	return word, found, nil
}

// intersection returns the product of the automata of the formulas.
func intersection(opts Options, fs []*ltl.Formula) (*Automaton, error) {
	var p *Automaton
	for _, f := range fs {
		a, err := Translate(f, opts)
		if err != nil {
			return nil, err
		}
		if p != nil {
			setLimit(p, opts.Meter)
			if a, err = Intersect(p, a); err != nil {
				return nil, err
			}
		}
		p = a
	}
	return p, nil
}

// Belongs decides whether the property of f is in one class of the hierarchy, or
// stutter-invariant: class is one of ltl.Safety, Guarantee, Obligation, Recurrence,
// Persistence, StutterInvariant, and unlike the bits of ltl.Classify the answer is about the
// language. It does less than Classify. Options and errors are those of Classify; where
// stutter-invariance would take too long to decide, the error is a *budget.Exhausted.
func Belongs(f *ltl.Formula, class ltl.Class, opts Options) (bool, error) {
	if f == nil {
		return false, ltl.ErrNil
	}
	if f.Is(class) && len(opts.Constraints) == 0 {
		return true, nil
	}
	yes := false
	err := bdd.Guard(func() (err error) {
		yes, err = belongs(f, class, Options{Constraints: opts.Constraints, Meter: opts.Meter})
		return err
	})
	return yes, nodeLimit(err)
}

// errManyLetters is why stutter-invariance is not decided.
var errManyLetters = &budget.Exhausted{What: "letters", Limit: fmt.Sprintf("%d that the automata tell apart", maxLetterClasses)}

func belongs(f *ltl.Formula, class ltl.Class, opts Options) (bool, error) {
	a, err := Translate(f, opts)
	if err != nil {
		return false, err
	}
	n, err := Translate(ltl.MakeNot(f), opts)
	if err != nil {
		return false, err
	}
	setLimit(a, opts.Meter)
	switch class {
	case ltl.Safety:
		return disjoint(closure(a), n)
	case ltl.Guarantee:
		return disjoint(a, closure(n))
	case ltl.Obligation:
		return isObligation(a, n, false)
	case ltl.StutterInvariant:
		yes, known, err := stutterInvariant(f, a, n)
		if err == nil && !known {
			err = errManyLetters
		}
		return yes, err
	case ltl.Recurrence, ltl.Persistence:
		d := determinize(oneSet(a), maxDeterministic)
		if d == nil {
			return false, errLargeDeterministic
		}
		if class == ltl.Recurrence {
			return !d.out.Mixed(1), nil
		}
		return !d.out.Mixed(0), nil
	}
	return false, fmt.Errorf("buchi.Belongs: %q is no single class", class)
}
