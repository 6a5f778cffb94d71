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
//
// Of a program, a part that is gone round again and again, through the same lines, is shown
// the first time and the last time, if that leaves out leastFolded steps or more; then
// mostLines steps are left, of which half are the last ones.
const (
	mostShown     = 1000
	firstShown    = 400
	lastShown     = 100
	mostRepeated  = 20
	firstRepeated = 3
	leastFolded   = 6
	longestFold   = 200
	mostLines     = 200
)

// gap is what is left out before a step.
type gap struct {
	steps  int
	event  string // if all of them repeat the step before them
	rounds int    // if they are repetitions of the steps before them
}

func (g gap) String() string {
	if g.rounds > 0 {
		return fmt.Sprintf("the same lines %d times more, %s", g.rounds, Counted(int64(g.steps), "step"))
	}
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

// sameLine reports that two steps of a program are of one line of one routine.
func sameLine(a, b *Step) bool {
	return a.Event == b.Event && a.Depth == b.Depth && a.Routine == b.Routine
}

// rounds returns how often the n steps from i on are repeated, in a row.
func rounds(steps []Step, i, n int) int {
	k := 1
	for at := i + n; at+n <= len(steps); at += n {
		for j := range n {
			if !sameLine(&steps[i+j], &steps[at+j]) {
				return k
			}
		}
		k++
	}
	return k
}

// fold finds the shortest part from i on whose repetitions are worth leaving out.
func fold(steps []Step, i int) (n, times int) {
	for n := 1; n <= min(longestFold, (len(steps)-i)/3); n++ {
		if k := rounds(steps, i, n); k > 2 && (k-2)*n >= leastFolded {
			return n, k
		}
	}
	return 0, 0
}

// shownLines yields which steps of a program to show, in order, each with what was left out
// just before it.
func shownLines(steps []Step) iter.Seq2[int, gap] {
	type line struct {
		i int
		gap
	}
	var keep []line
	add := func(from, to int, before gap) {
		for i := from; i < to; i++ {
			keep = append(keep, line{i, before})
			before = gap{}
		}
	}
	for i := 0; i < len(steps); {
		n, times := fold(steps, i)
		if n == 0 {
			add(i, i+1, gap{})
			i++
			continue
		}
		add(i, i+n, gap{})
		end := i + n*times
		add(end-n, end, gap{steps: n * (times - 2), rounds: times - 2})
		i = end
	}
	if half := mostLines / 2; len(keep) > mostLines {
		last := keep[len(keep)-half:]
		last[0].gap = gap{steps: last[0].i - keep[half-1].i - 1}
		keep = append(keep[:half:half], last...)
	}
	return func(yield func(int, gap) bool) {
		for _, l := range keep {
			if !yield(l.i, l.gap) {
				return
			}
		}
	}
}

// Row is a step of a run that texts and pictures show.
type Row struct {
	*Step
	Number  int    // of the state that it leads to
	Before  int    // of the state before it
	InLoop  bool   // it is a step of the loop
	LeftOut string // what is left out just before it, "" for nothing
}

// Rows returns the steps to show.
func (c *Counterexample) Rows() (rows []Row) {
	choose := shown
	if c.Kind == "program" {
		choose = shownLines
	}
	for k, steps := range [][]Step{c.Stem, c.Loop} {
		for i, leftOut := range choose(steps) {
			before := k*len(c.Stem) + i
			row := Row{Step: &steps[i], Number: before + 1, Before: before, InLoop: k == 1}
			if leftOut.steps > 0 {
				row.LeftOut = leftOut.String()
			}
			if k == 1 && i == len(steps)-1 {
				row.Number = len(c.Stem) // the loop is back where it began
			}
			rows = append(rows, row)
		}
	}
	return rows
}
