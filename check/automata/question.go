package automata

import (
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/omega"
)

// Answer is what a question says of an automaton.
type Answer struct {
	Yes  bool
	Text string // behind the name of the automaton
	Word *omega.Word
	Note string // about the word
}

// Facts are what a report says of the automaton.
func (a *Answer) Facts() (all [][2]string) {
	if a.Text != "" {
		all = append(all, [2]string{"it", a.Text})
	}
	if a.Word != nil {
		all = append(all, [2]string{"the word", a.Word.String() + " " + a.Note})
	}
	return all
}

// Question asks something of an automaton; the meter, which may be nil, bounds that.
type Question func(a *omega.Automaton, m *budget.Meter) (Answer, error)

// Accepts asks whether a word is accepted.
func Accepts(w omega.Word) Question {
	return func(a *omega.Automaton, _ *budget.Meter) (Answer, error) {
		if a.Accepts(w) {
			return Answer{Yes: true, Text: fmt.Sprintf("accepts %v", w)}, nil
		}
		return Answer{Text: fmt.Sprintf("does not accept %v", w)}, nil
	}
}

// IncludedIn asks whether b, which has a name, accepts all words; the word of the answer is a shortest
// one, if that is asked for.
func IncludedIn(b *omega.Automaton, name string, short bool) Question {
	return func(a *omega.Automaton, m *budget.Meter) (Answer, error) {
		ok, w, err := omega.Included(a, b, m)
		if err != nil || ok {
			return Answer{Yes: true, Text: "is included in " + name}, err
		}
		err = shorten(short, &w, a, b, m)
		return Answer{Text: "is not included in " + name, Word: &w, Note: "is accepted, and not by " + name}, err
	}
}

// EquivalentTo asks whether b, which has a name, accepts the same words.
func EquivalentTo(b *omega.Automaton, name string, short bool) Question {
	return func(a *omega.Automaton, m *budget.Meter) (Answer, error) {
		ok, w, first, err := omega.Equivalent(a, b, m)
		switch {
		case err != nil || ok:
			return Answer{Yes: true, Text: "is equivalent to " + name}, err
		case first:
			err = shorten(short, &w, a, b, m)
			return Answer{Text: "is not equivalent to " + name, Word: &w, Note: "is accepted, and not by " + name}, err
		}
		err = shorten(short, &w, b, a, m)
		return Answer{Text: "is not equivalent to " + name, Word: &w, Note: "is not accepted, but by " + name}, err
	}
}

// Empty asks whether no word is accepted.
func Empty(short bool) Question {
	return func(a *omega.Automaton, m *budget.Meter) (Answer, error) {
		w, ok := a.AcceptedWord()
		if !ok {
			return Answer{Yes: true, Text: "is empty"}, nil
		}
		err := shorten(short, &w, a, omega.Nothing(), m)
		return Answer{Text: "is not empty", Word: &w, Note: "is accepted"}, err
	}
}

// Universal asks whether every word is accepted.
func Universal(short bool) Question {
	return func(a *omega.Automaton, m *budget.Meter) (Answer, error) {
		ok, w, err := a.Universal(m)
		if err != nil || ok {
			return Answer{Yes: true, Text: "is universal"}, err
		}
		err = shorten(short, &w, omega.Everything(a.Atoms()...), a, m)
		return Answer{Text: "is not universal", Word: &w, Note: "is not accepted"}, err
	}
}

// StutterInvariant is the question whether repeating letters changes nothing.
func StutterInvariant(a *omega.Automaton, m *budget.Meter) (Answer, error) {
	ok, err := a.StutterInvariant(m)
	if err != nil || ok {
		return Answer{Yes: true, Text: "is stutter-invariant"}, err
	}
	return Answer{Text: "is not stutter-invariant"}, nil
}

// shorten makes a word that a accepts and b does not a shortest one, if that is asked for.
func shorten(short bool, w *omega.Word, a, b *omega.Automaton, m *budget.Meter) (err error) {
	if short {
		*w, err = omega.ShortestOutside(a, b, *w, m)
	}
	return err
}
