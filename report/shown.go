package report

import (
	"fmt"
	"iter"
	"slices"
)

// Of a stem or a loop of many steps, texts and pictures show some only: nobody reads a
// million lines. JSON has all of them. Of a step that is repeated more often than
// mostRepeated, the first ones and the last one are shown; if more than mostShown steps are
// left then, the first and the last of these.
const (
	mostShown     = 1000
	firstShown    = 400
	lastShown     = 100
	mostRepeated  = 20
	firstRepeated = 3
)

// gap is what is left out before a step.
type gap struct {
	steps int
	event string // if all of them repeat the step before them
}

func (g gap) String() string {
	if g.event != "" {
		return fmt.Sprintf("%s of %s in between", Counted(int64(g.steps), "step"), g.event)
	}
	return Counted(int64(g.steps), "step") + " in between"
}

// repeats reports that a step is that of a program's loop which is the step before it.
func repeats(steps []Step, i int) bool {
	a, b := &steps[i-1], &steps[i]
	return a.Event == b.Event && b.Event != "" && len(b.Movers)+len(b.Changed) == 0 && slices.Equal(a.State.Locals, b.State.Locals)
}

// shown yields which steps to show, in order, each with what was left out just before it.
func shown(steps []Step) iter.Seq2[int, gap] {
	var keep []int
	for i := 0; i < len(steps); {
		end := i + 1
		for end < len(steps) && repeats(steps, end) {
			end++
		}
		for k := i; k < end; k++ {
			if end-i > mostRepeated && k == i+firstRepeated {
				k = end - 1
			}
			keep = append(keep, k)
		}
		i = end
	}
	if len(keep) > mostShown {
		keep = slices.Concat(keep[:firstShown], keep[len(keep)-lastShown:])
	}
	return func(yield func(int, gap) bool) {
		next := 0
		for _, i := range keep {
			left := gap{steps: i - next}
			same := next
			for same > 0 && same <= i && repeats(steps, same) {
				same++
			}
			if same > i && left.steps > 0 {
				left.event = steps[i].Event
			}
			if !yield(i, left) {
				return
			}
			next = i + 1
		}
	}
}

// shownSteps yields the steps that shown chooses.
func shownSteps(steps []Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for i := range shown(steps) {
			if !yield(&steps[i]) {
				return
			}
		}
	}
}
