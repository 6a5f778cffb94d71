package formulas

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

// Question is what can be asked of formulas without a model.
type Question uint8

const (
	AskSatisfiable Question = iota // does some word satisfy it?
	AskValid                       // do all?
	AskImplies                     // do all that satisfy it satisfy the other one?
	AskEquivalent                  // do the same words satisfy both?
)

var formulaQuestions = names.Of[Question]("question", "satisfiable", "valid", "implies", "formulas-equivalent")

func (q Question) String() string { return formulaQuestions.String(q) }

// Written is a formula and where and how it was written.
type Written struct {
	Formula *ltl.Formula
	Text    string
	At      source.Span // in its file, nowhere without one
	// Finite says how infinite words stand for finite ones if the formula is about these; nil if not.
	Finite *ltl.Ending
}

// Ask answers a question about a formula and, of AskImplies and AskEquivalent, another one.
// Where the answer rests on a word, the word has been evaluated by the definition of the
// formulas, apart from the automata that it was found by; the result shows it. The error is
// wrong input; limits and contradictions are in the result.
func Ask(ctx context.Context, ask Question, f, other Written, opts check.Options) (report.Result, int, error) {
	meter := budget.New(ctx, opts.Limits, opts.Progress)
	result := report.Result{Kind: ask.String(), Formula: askedText(ask, f.Text, other.Text)}
	if f.At.Valid() {
		at := f.At.Pos()
		result.File, result.Line, result.Column = f.At.File.Name(), at.Line, at.Column
	}
	atoms := ltl.Atoms(f.Formula)
	var word ltl.Word
	var yes bool
	var err error
	options := buchi.Options{Meter: meter}
	words := ltl.T()
	if f.Finite != nil {
		words = f.Finite.Words()
	}
	switch ask {
	case AskSatisfiable:
		word, yes, err = buchi.Satisfiable(ltl.MakeAnd(words, f.Formula), options)
	case AskValid:
		word, yes, err = buchi.Implies(words, f.Formula, options)
	case AskImplies:
		atoms = ltl.Atoms(f.Formula, other.Formula)
		word, yes, err = buchi.Implies(ltl.MakeAnd(words, f.Formula), other.Formula, options)
	case AskEquivalent:
		atoms = ltl.Atoms(f.Formula, other.Formula)
		word, yes, err = buchi.Equivalent(ltl.MakeAnd(words, f.Formula), ltl.MakeAnd(words, other.Formula), options)
	}
	if err != nil {
		return opts.Undecided(result, err)
	}
	status := report.ExitHolds
	if result.Verdict = report.Holds; !yes {
		result.Verdict, status = report.Violated, report.ExitViolated
	}
	if yes == (ask == AskSatisfiable) {
		if opts.ShortestWord {
			if word, err = shortestWord(ask, words, f.Formula, other.Formula, word, meter); err != nil {
				return opts.Undecided(result, err)
			}
		}
		if result.Note, err = evaluated(ask, f, other, word); err != nil {
			return opts.Undecided(result, err)
		}
		result.Word = f.wordText(word, atoms)
	}
	return result, status, nil
}

// shortestWord returns one of the words that answers the question as the given one does, with as few
// letters as any has.
func shortestWord(ask Question, words, f, other *ltl.Formula, known ltl.Word, meter *budget.Meter) (ltl.Word, error) {
	switch ask {
	case AskValid:
		f = ltl.MakeNot(f)
	case AskImplies:
		f = ltl.MakeAnd(f, ltl.MakeNot(other))
	case AskEquivalent:
		f = ltl.MakeXor(f, other)
	}
	f = ltl.MakeAnd(words, f)
	b, err := buchi.Translate(f, buchi.Options{Meter: meter})
	if err != nil {
		return known, err
	}
	a := omega.FromBuchi(b)
	word, err := omega.ShortestOutside(a, omega.Nothing(), omega.WordOf(ltl.Atoms(f), known), meter)
	return word.LTL(), err
}

// wordText writes a word that answers a question about f: a finite one without the atoms that say
// where it ends.
func (f *Written) wordText(w ltl.Word, atoms []ltl.Atom) string {
	if f.Finite == nil {
		return w.Text(atoms)
	}
	ending := ltl.Atoms(f.Finite.Words())
	atoms = slices.DeleteFunc(slices.Clone(atoms), func(a ltl.Atom) bool { return slices.Contains(ending, a) })
	return ltl.FiniteText(f.Finite.Letters(w), atoms)
}

func askedText(ask Question, f, other string) string {
	switch ask {
	case AskImplies:
		return fmt.Sprintf("%s   implies   %s", f, other)
	case AskEquivalent:
		return fmt.Sprintf("%s   is equivalent to   %s", f, other)
	case AskValid:
		return f + "   is valid"
	}
	return f + "   is satisfiable"
}

// evaluated evaluates the word on the formulas as they were read and says what it shows. The
// error is a *bug.Error.
func evaluated(ask Question, f, other Written, word ltl.Word) (note string, err error) {
	if f.Finite != nil && !ltl.Eval(f.Finite.Words(), word) {
		return "", bug.Errorf("evaluation of a word", "%s: the word %s is not finite", f.Text, word.Text(ltl.Atoms(f.Formula)))
	}
	first := ltl.Eval(f.Formula, word)
	second := ask != AskSatisfiable && ask != AskValid && ltl.Eval(other.Formula, word)
	wrong := false
	switch ask {
	case AskSatisfiable:
		wrong, note = !first, "satisfies it"
	case AskValid:
		wrong, note = first, "does not satisfy it"
	case AskImplies, AskEquivalent:
		wrong, note = first == second || ask == AskImplies && second, fmt.Sprintf("satisfies %s and not %s", f.Text, other.Text)
		if second {
			note = fmt.Sprintf("satisfies %s and not %s", other.Text, f.Text)
		}
	}
	if wrong {
		return "", bug.Errorf("evaluation of a word", "%s: the word %s does not answer it", askedText(ask, f.Text, other.Text),
			word.Text(ltl.Atoms(f.Formula)))
	}
	return note, nil
}
