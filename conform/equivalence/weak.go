package equivalence

import (
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks"
)

// weakSteps computes Milner's weak steps.
type weakSteps struct {
	sys           *system
	before, after numset.Stamps
}

func newWeakSteps(s *system) *weakSteps { return &weakSteps{sys: s} }

// closure appends what is reached silently from from, which seen marks.
func (w *weakSteps) closure(list []int32, from int32, seen *numset.Stamps) []int32 {
	if !seen.Add(from) {
		return list
	}
	first := len(list)
	list = append(list, from)
	for i := first; i < len(list); i++ {
		for _, e := range w.sys.out[list[i]] {
			if e.Action != lks.TauID {
				break
			}
			if seen.Add(e.Target) {
				list = append(list, e.Target)
			}
		}
	}
	return list
}

// of returns the weak steps of a state, sorted.
func (w *weakSteps) of(state int32) []lks.Edge {
	w.before.Clear(w.sys.len())
	var steps []lks.Edge
	targets := map[int32][]int32{}
	var actions []int32
	for _, u := range w.closure(nil, state, &w.before) {
		steps = append(steps, lks.Edge{Action: lks.TauID, Target: u})
		for _, e := range w.sys.out[u] {
			if e.Action == lks.TauID {
				continue
			}
			if _, ok := targets[e.Action]; !ok {
				actions = append(actions, e.Action)
			}
			targets[e.Action] = append(targets[e.Action], e.Target)
		}
	}
	for _, a := range actions {
		w.after.Clear(w.sys.len())
		var list []int32
		for _, t := range targets[a] {
			list = w.closure(list, t, &w.after)
		}
		for _, t := range list {
			steps = append(steps, lks.Edge{Action: a, Target: t})
		}
	}
	return lks.SortEdges(steps)
}
