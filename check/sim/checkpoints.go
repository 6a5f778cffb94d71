package sim

import (
	"slices"
	"sort"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/report"
)

// Bounds of what is kept of a run: points, and their memory in bytes. The first and the one that was
// asked for last stay, whatever they take.
const mostKept, mostKeptBytes = 64, 16 << 20

// checkpoints are points of a run that are kept, so that others can be made again from the nearest
// one before: a machine takes as much memory as the program has, and runs are long. They are
// spread over the run by what it takes to make it again, so that no gap is much longer than
// others.
type checkpoints struct {
	most, bytes int // bounds
	all         []checkpoint
	size        int
}

type checkpoint struct {
	step   int
	points []*steps.Point // by component
	size   int
	cost   int // of the run up to there, in moves
}

// find is the index of the last one that is not behind a step.
func (c *checkpoints) find(step int) int {
	return sort.Search(len(c.all), func(i int) bool { return c.all[i].step > step }) - 1
}

// put keeps the points of a step, and gives others up where there are too many: of which the next
// one is nearest to the one before.
func (c *checkpoints) put(step int, points []*steps.Point, cost int) {
	at := c.find(step) + 1
	if at > 0 && c.all[at-1].step == step {
		return
	}
	size := 0
	for _, p := range points {
		size += p.Size()
	}
	c.all, c.size = slices.Insert(c.all, at, checkpoint{step, points, size, cost}), c.size+size
	for len(c.all) > 2 && (len(c.all) > c.most || c.size > c.bytes) {
		least := -1
		for i := 1; i < len(c.all); i++ {
			if c.all[i].step != step && (least < 0 || c.gap(i) < c.gap(least)) {
				least = i
			}
		}
		c.size -= c.all[least].size
		c.all = slices.Delete(c.all, least, least+1)
	}
}

// gap is what would have to be made again without one of them: at the end of the run, what led
// there.
func (c *checkpoints) gap(i int) int {
	return c.all[min(i+1, len(c.all)-1)].cost - c.all[i-1].cost
}

// cut forgets those behind a step.
func (c *checkpoints) cut(step int) {
	for n := len(c.all) - 1; n >= 0 && c.all[n].step > step; n-- {
		c.size -= c.all[n].size
		c.all = c.all[:n]
	}
}

// visit is a state of the run, made again if it was not kept.
func (s *Program) visit(step int) *programVisit {
	near := s.kept.all[s.kept.find(step)]
	points := near.points
	if near.step < step {
		points = s.again(points, near.step+1, step)
		s.kept.put(step, points, s.visits[step].cost)
	}
	return &programVisit{programStep: s.visits[step], points: points}
}

// now is where the session is.
func (s *Program) now() *programVisit { return s.visit(s.at) }

// again does the steps of the run from one to another one once more, from the points before.
func (s *Program) again(points []*steps.Point, from, to int) []*steps.Point {
	done := make([][]steps.Done, len(points))
	for n := from; n <= to; n++ {
		for k := range s.visits[n].by {
			by := &s.visits[n].by[k]
			i := s.partOf(by)
			done[i] = append(done[i], steps.Done{Moves: by.Moves, Choices: by.Choices})
		}
	}
	points = slices.Clone(points)
	for i := range points {
		if len(done[i]) == 0 {
			continue
		}
		p, err := points[i].Again(done[i])
		if err != nil {
			panic(bug.Errorf("sim", "steps %d to %d cannot be done again: %v", from, to, err))
		}
		points[i] = p
	}
	return points
}

// sharing has states that follow each other share their texts, most of which do not change.
type sharing struct {
	texts map[string]string
	last  report.State
}

func (t *sharing) of(state report.State) report.State {
	if slices.Equal(state.Props, t.last.Props) {
		state.Props = t.last.Props
	}
	for i, text := range state.Props {
		same, ok := t.texts[text]
		if !ok {
			same, t.texts[text] = text, text
		}
		state.Props[i] = same
	}
	t.last = state
	return state
}

// each visits states of the run, from one to another, in this order.
func (s *Program) each(from, to int, do func(step int, v *programVisit)) {
	points := s.visit(from).points
	for n := from; n <= to; n++ {
		if near := s.kept.all[s.kept.find(n)]; near.step == n {
			points = near.points
		} else {
			points = s.again(points, n, n)
		}
		do(n, &programVisit{programStep: s.visits[n], points: points})
	}
}
