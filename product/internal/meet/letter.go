package meet

import (
	"slices"

	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
)

// Letter returns what is true at a step: of its state, or of its event. Names of
// unresolved atoms are an error of the caller's and false. It refers to the step.
func Letter(s *run.Step) ltl.Letter {
	return func(a ltl.Atom) bool {
		if a.Kind == ltl.Event {
			return s.Rule != run.Stutter && s.Event == a.Name
		}
		return holds(&s.State, a)
	}
}

// StateLetter returns what is true in a state in which no event occurs.
func StateLetter(s *run.State) ltl.Letter {
	return func(a ltl.Atom) bool { return holds(s, a) }
}

// holds reports whether an atom that is no event is true in a state.
func holds(s *run.State, a ltl.Atom) bool {
	switch a.Kind {
	case ltl.Prop:
		_, ok := slices.BinarySearch(s.Props, a.Name)
		return ok
	case ltl.Deadlock:
		return len(s.Enabled) == 0
	case ltl.Enabled:
		_, ok := slices.BinarySearch(s.Enabled, a.Name)
		return ok
	}
	return false
}

// Word returns a run with a loop as a word for ltl.Eval. It refers to the run.
func Word(l *run.Run) ltl.Word {
	letters := func(steps []run.Step) []ltl.Letter {
		word := make([]ltl.Letter, len(steps))
		for i := range steps {
			word[i] = Letter(&steps[i])
		}
		return word
	}
	return ltl.Word{Stem: letters(l.Stem), Loop: letters(l.Loop)}
}
