package product

import (
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Word returns a run with a loop as a word of which formulas are true or not. It refers to the
// run.
func Word(r *run.Run) ltl.Word { return meet.Word(r) }

// LetterOf returns what is true of a step: of its state, or of its event. It refers to the step.
func LetterOf(s *run.Step) ltl.Letter { return meet.Letter(s) }

// StateLetter returns what is true in a state in which no event occurs. It refers to the state.
func StateLetter(s *run.State) ltl.Letter { return meet.StateLetter(s) }
