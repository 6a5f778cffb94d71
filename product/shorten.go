package product

import (
	"slices"

	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Depth-first searches find long detours. What follows makes a lasso shorter at
// little cost; none of it is needed for the verdict, and whatever comes out is
// replayed and evaluated like any other lasso.

// shortenPath shortens a lasso of the product. The stem becomes a shortest way to
// the loop; the loop loses detours that it can do without; and other lassos that
// a breadth-first search meets first are taken instead. No search expands more
// than most states. With keepLoop only the stem changes.
func shortenPath(g *meet.Graph, p *meet.Path, most int, keepLoop bool) (*meet.Path, error) {
	q, err := shortStem(g, p, most)
	if err != nil || keepLoop {
		return q, err
	}
	start := q.Loop[0].From
	inside := map[int32]bool{}
	for _, h := range q.Loop {
		inside[h.From] = true
	}
	chords, err := g.Tour([]int32{start}, inside, g.MarkGoals())
	if err != nil {
		return q, err
	}
	q = shorterPath(q, &meet.Path{Stem: q.Stem, Loop: chords.Loop})
	loop, err := shortLoop(g, start, len(q.Loop))
	if err != nil {
		return q, err
	}
	q = shorterPath(q, &meet.Path{Stem: q.Stem, Loop: loop})
	for _, stem := range [][]meet.Hop{q.Stem, nil} {
		roots := []int32{start}
		if stem == nil {
			if roots, err = g.Initial(); err != nil {
				return q, err
			}
		}
		way, ok, err := meet.NewBFS(g, roots...).Cycle(min(most, len(g.Aut.Out)*meet.Nearby), nil)
		if err != nil {
			return q, err
		}
		if ok {
			q = shorterPath(q, meet.CloseLasso(stem, way))
		}
	}
	return q, nil
}

func shorterPath(p, q *meet.Path) *meet.Path {
	if len(q.Loop) > 0 && q.Len() < p.Len() {
		return q
	}
	return p
}

// shortStem returns p with a shortest way from an initial state to its loop, which
// is rotated; or p itself if the search finds none. A stem of one step is as it
// should be.
func shortStem(g *meet.Graph, p *meet.Path, most int) (*meet.Path, error) {
	if len(p.Stem) <= 1 {
		return p, nil
	}
	onLoop := map[int32]bool{}
	for _, h := range p.Loop {
		onLoop[h.From] = true
	}
	roots, err := g.Initial()
	if err != nil {
		return p, err
	}
	for _, r := range roots {
		if onLoop[r] {
			return &meet.Path{Loop: rotate(p.Loop, r)}, nil
		}
	}
	way, ok, err := meet.NewBFS(g, roots...).Search(most, nil, func(_ int32, e meet.Edge) bool { return onLoop[e.Target] })
	if err != nil || !ok || len(way) >= len(p.Stem) {
		return p, err
	}
	return &meet.Path{Stem: way, Loop: rotate(p.Loop, way[len(way)-1].To)}, nil
}

// rotate makes the loop start at a state that it visits.
func rotate(loop []meet.Hop, start int32) []meet.Hop {
	i := slices.IndexFunc(loop, func(h meet.Hop) bool { return h.From == start })
	return slices.Concat(loop[i:], loop[:i])
}

// shortLoop looks nearby for a loop from start of fewer edges than length: by way
// of the nearest edge with all marks. It returns nil if it finds none.
func shortLoop(g *meet.Graph, start int32, length int) ([]meet.Hop, error) {
	full := func(_ int32, e meet.Edge) bool { return e.Marks == g.Aut.AllMarks }
	to, ok, err := meet.NewBFS(g, start).Search(meet.Nearby, nil, full)
	if err != nil || !ok || len(to) >= length {
		return nil, err
	}
	at := to[len(to)-1].To
	if at == start {
		return to, nil
	}
	back, ok, err := meet.NewBFS(g, at).Search(meet.Nearby, nil, func(_ int32, e meet.Edge) bool { return e.Target == start })
	if err != nil || !ok || len(to)+len(back) >= length {
		return nil, err
	}
	return append(to, back...), nil
}

// tidy removes repetition from a lasso without changing the run: a loop that is
// a repetition of a shorter one, and steps of the stem that the loop repeats.
func tidy(l *run.Run) {
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

// cut leaves out detours of a run that come back to the same state of the
// network, as long as the run still violates f: the automaton may have
// distinguished what the formula does not.
func cut(l *run.Run, f *ltl.Formula) {
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
		tidy(l)
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
