package ltl

import (
	"errors"

	"github.com/seltl/seltl/internal/source"
)

// Ending is how an infinite word stands for a finite one, whose letters are a beginning of it
// that is not empty: LTLf is read by what it says of that beginning ([DeGiacomoVardi13]). There
// X f is weak: it is true at the last position, where X[!] f is false; f U g and F g must be
// fulfilled within the word. This is how Spot reads them.
type Ending struct {
	form *Formula
	last bool // form holds at the last letter, not at all letters
}

// EndingAlive is for words in which alive, a proposition that LTLf formulas should not mention,
// holds at the letters of the finite word and never behind them.
func EndingAlive(alive *Formula) *Ending {
	mustFormula(alive)
	return &Ending{form: alive}
}

// EndingWhere is for words where last holds first at the last letter of the finite word.
func EndingWhere(last *Formula) *Ending {
	mustFormula(last)
	return &Ending{form: last, last: true}
}

// Words holds of the infinite words that stand for finite ones.
func (e *Ending) Words() *Formula {
	if e.last {
		return MakeEventually(e.form)
	}
	return MakeAnd(e.form, MakeUntil(e.form, MakeAlways(MakeNot(e.form))))
}

// make is Make for an operator of LTLf, whose operands have been translated.
func (e *Ending) make(op Op, strong bool, args ...*Formula) *Formula {
	if !isFuture(op) {
		return Make(op, args...)
	}
	if op != Next && op != WeakUntil && op != StrongRelease && args[len(args)-1].op <= True {
		return args[len(args)-1] // a word has a letter
	}
	here, f, g := e.form, args[0], args[len(args)-1]
	if e.last {
		return e.makeLast(op, strong, f, g)
	}
	gone := MakeNot(here)
	switch op {
	case Next:
		if strong {
			return MakeNext(MakeAnd(here, f))
		}
		return MakeNext(MakeOr(gone, f))
	case Eventually:
		return MakeEventually(MakeAnd(here, f))
	case Always:
		return MakeAlways(MakeOr(gone, f))
	case Until:
		return MakeUntil(f, MakeAnd(here, g))
	case WeakUntil:
		return MakeWeakUntil(MakeOr(gone, f), g)
	case Release:
		return MakeRelease(f, MakeOr(gone, g))
	}
	return MakeStrongRelease(MakeAnd(here, f), g)
}

// makeLast is make where the last letter is known.
func (e *Ending) makeLast(op Op, strong bool, f, g *Formula) *Formula {
	last := e.form
	more := MakeNot(last)
	switch op {
	case Next:
		if strong {
			return MakeAnd(more, MakeNext(f))
		}
		return MakeOr(last, MakeNext(f))
	case Eventually:
		return MakeUntil(more, f)
	case Always:
		return MakeRelease(last, f)
	case Until:
		return MakeUntil(MakeAnd(more, f), g)
	case WeakUntil:
		return MakeWeakUntil(MakeAnd(more, f), MakeOr(g, MakeAnd(last, f)))
	case Release:
		return MakeRelease(MakeOr(last, f), g)
	}
	return MakeUntil(MakeAnd(more, g), MakeAnd(f, g))
}

// suffix is an operator with a regular expression: a match has to end within the word.
func (e *Ending) suffix(op Op, r *Regexp, f *Formula) *Formula {
	here := e.form
	if e.last {
		here = MakeNot(MakeYesterday(MakeOnce(e.form)))
	}
	if op == SuffixAnd {
		return suffix(op, r, MakeAnd(here, f))
	}
	return suffix(op, r, MakeOr(MakeNot(here), f))
}

// ErrWeakClosure is why {r} is not read: that the word ends before it breaks r cannot be said of
// infinite words by the operators that there are.
var ErrWeakClosure = errors.New("the weak closure {r} is not read of finite words: write {r}! where a match has to come")

// Formula reads an LTL formula as one of LTLf. Formulas that are made by constructors cannot say
// X[!], nor X of a constant; what is parsed with ParseOptions.Finite can. The error is that of a weak
// closure {r} in f, which has no meaning here.
func (e *Ending) Formula(f *Formula) (*Formula, error) {
	image := map[*Formula]*Formula{}
	for _, g := range Subformulas(f) {
		image[g] = g
		if _, _, closure := g.Closure(); closure {
			return nil, ErrWeakClosure
		} else if g.re != nil {
			image[g] = e.suffix(g.op, g.re, image[g.Last()])
		} else if len(g.args) > 0 {
			image[g] = e.make(g.op, false, images(g, image)...)
		}
	}
	return image[f], nil
}

// ParseFinite is ParseIn for formulas of LTLf; a nil Ending is for others.
func ParseFinite(src *source.File, s Syntax, e *Ending) (*Formula, error) {
	if s != LBT && s != Wring && s != LaTeX {
		return Parse(src, ParseOptions{Finite: e})
	}
	f, err := ParseIn(src, s)
	if err != nil || e == nil {
		return f, err
	}
	return e.Formula(f)
}

// Letters returns the finite word that an infinite one stands for.
func (e *Ending) Letters(w Word) []Letter {
	// It ends before alive fails first, or where last holds first, in the stem or the first pass.
	values := EvalAll(e.form, w)
	for i, holds := range values {
		if holds == e.last {
			n := i
			if e.last {
				n++
			}
			letters := make([]Letter, n)
			for k := range letters {
				letters[k] = w.At(k)
			}
			return letters
		}
	}
	return nil
}
