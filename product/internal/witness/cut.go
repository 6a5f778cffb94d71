package witness

import (
	"slices"

	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Tidy removes repetition from a lasso without changing the run: a loop that is
// a repetition of a shorter one, and steps of the stem that the loop repeats.
func Tidy(l *run.Run) {
	n := len(l.Loop)
	for period := 1; period < n; period++ {
		if n%period != 0 {
			continue
		}
		repeats := true
		for i := period; i < n && repeats; i++ {
			repeats = sameStep(&l.Loop[i], &l.Loop[i-period])
		}
		if repeats {
			l.Loop = l.Loop[:period:period]
			break
		}
	}
	for len(l.Stem) > 0 && sameStep(&l.Stem[len(l.Stem)-1], &l.Loop[len(l.Loop)-1]) {
		last := l.Loop[len(l.Loop)-1]
		l.Loop = slices.Concat([]run.Step{last}, l.Loop[:len(l.Loop)-1])
		l.Stem = l.Stem[:len(l.Stem)-1]
	}
}

func sameStep(a, b *run.Step) bool { return a.Rule == b.Rule && sameState(a, b) }

func sameState(a, b *run.Step) bool { return slices.Equal(a.State.Local, b.State.Local) }

// cutLimit bounds the evaluations that cut tries, cutLength the lassos it looks at.
const (
	cutLimit  = 200
	cutLength = 400
)

// Cut leaves out detours of a run that come back to the same state of the
// network, as long as the run still violates f: the automaton may have
// distinguished what the formula does not.
func Cut(l *run.Run, f *ltl.Formula) {
	tries := 0
	for l.Len() <= cutLength {
		shorter := cutOnce(l, func(c *run.Run) bool {
			tries++
			return tries <= cutLimit && !ltl.Eval(f, meet.Word(c))
		})
		if shorter == nil {
			return
		}
		*l = *shorter
		Tidy(l)
	}
}

// cutOnce returns a shorter lasso that keeps violating, or nil. Longer cuts are
// tried first.
func cutOnce(l *run.Run, violates func(*run.Run) bool) *run.Run {
	steps := l.Steps()
	n, s := len(steps), len(l.Stem)
	for length := n - 1; length > 0; length-- {
		for i := 0; i+length < n; i++ {
			j := i + length
			if !sameState(&steps[i], &steps[j]) {
				continue
			}
			for _, c := range cuts(steps, s, i, j) {
				if violates(c) {
					return c
				}
			}
		}
	}
	return nil
}

// cuts returns what becomes of a lasso whose steps i < j start in the same
// state; the loop starts at step s.
func cuts(steps []run.Step, s, i, j int) []*run.Run {
	switch {
	case j < s: // leave out i to j
		return []*run.Run{{Stem: slices.Concat(steps[:i], steps[j:s]), Loop: steps[s:]}}
	case i < s: // enter the loop at j straight from i
		return []*run.Run{{Stem: steps[:i:i], Loop: slices.Concat(steps[j:], steps[s:j])}}
	default: // inside the loop: go round i to j only, or leave that out
		return []*run.Run{
			{Stem: slices.Concat(steps[:i]), Loop: steps[i:j:j]},
			{Stem: steps[:s:s], Loop: slices.Concat(steps[s:i], steps[j:])},
		}
	}
}
