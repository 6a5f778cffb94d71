package witness

import (
	"slices"

	"github.com/seltl/seltl/product/internal/meet"
)

// Shorten shortens a lasso of the product. The stem becomes a shortest way to
// the loop; the loop loses detours that it can do without; and other lassos that
// a breadth-first search meets first are taken instead. No search expands more
// than most states. With keepLoop only the stem changes.
func Shorten(g *meet.Graph, p *meet.Path, most int, keepLoop bool) (*meet.Path, error) {
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
