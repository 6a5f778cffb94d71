package report

import "iter"

// Of a stem or a loop of more than mostShown steps, texts and pictures show the first
// and the last ones only: nobody reads a million lines. JSON has all of them.
const (
	mostShown  = 1000
	firstShown = 400
	lastShown  = 100
)

// shown yields which of n steps to show, in order, each with how many were left out
// just before it.
func shown(n int) iter.Seq2[int, int] {
	return func(yield func(step, leftOut int) bool) {
		for i, leftOut := 0, 0; i < n; i++ {
			if i == firstShown && n > mostShown {
				i = n - lastShown
				leftOut = i - firstShown
			}
			if !yield(i, leftOut) {
				return
			}
			leftOut = 0
		}
	}
}

// shownSteps yields the steps that shown chooses.
func shownSteps(steps []Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) {
		for i := range shown(len(steps)) {
			if !yield(&steps[i]) {
				return
			}
		}
	}
}
