package fairchoice

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product/internal/witness"
)

// A single run of a random walk proves nothing: it can have probability 0, as a for
// ever has where b is possible, too. What proves a violation is a finite run after
// which a walk violates the formula with probability 1. There is one for every formula
// that a walk can violate, for sooner or later a walk knows what becomes of it.
//
// Every node of the refined walk that follows the last has a positive probability.
// So the formula is lost after a finite run iff no nodes over its transitions follow
// each other from an initial node where the formula is true on: the set of the nodes
// over the last transition that are reached like that, the hopeful ones, is empty.

// hopes numbers sets of nodes over one transition, each sorted. Set 0 is empty.
type hopes struct {
	*walk
	sets  [][]int32
	index numset.Index
}

func (w *walk) newHopes() *hopes {
	h := &hopes{walk: w}
	h.number(nil)
	return h
}

func (h *hopes) number(set []int32) int32 {
	n, fresh := h.index.Number(set)
	if fresh {
		h.sets = append(h.sets, set)
	}
	return n
}

// over returns the nodes of a transition that follow some of a set.
func (w *walk) over(edge int64, set []int32) []int32 {
	var nodes []int32
	for m := w.start[edge]; m < w.start[edge+1]; m++ {
		if slices.ContainsFunc(set, func(n int32) bool { return w.follows(n, m) }) {
			nodes = append(nodes, m)
		}
	}
	return nodes
}

// leaving returns the transitions that leave a state: from the first to before the end.
func (w *walk) leaving(s int32) (from, end int64) { return w.g.first[s], w.g.first[s+1] }

// lostMost is for tests, in place of what most says.
var lostMost int

// most bounds searches for the shortest of something in the walk, which has so many nodes.
func (w *walk) most(nodes int) int {
	if w.opts.Shortest {
		return math.MaxInt
	}
	return max(1<<12, min(nodes, 1<<18))
}

// mostLostSteps bounds a random walk that looks for where the formula is lost.
const mostLostSteps = 1 << 16

// lost returns transitions from an initial state after which a walk violates the
// formula with probability 1, and the nodes that may follow them: the fewest
// transitions, if the search for them does not give up. false: all gave up.
func (w *walk) lost(value []bool) (stem []int64, next []int32, ok bool, err error) {
	for _, s := range w.g.initial {
		from, end := w.leaving(s)
		var nodes []int32
		for e := from; e < end; e++ {
			nodes = append(nodes, w.begins(e)...)
		}
		if len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n int32) bool { return value[n] }) {
			return nil, nodes, true, nil
		}
	}
	stem, ok, err = w.shortestLost(value, cmp.Or(lostMost, w.most(w.Nodes())))
	if err == nil && !ok {
		stem, ok, err = w.walkUntilLost(value)
	}
	if err != nil || !ok {
		return nil, nil, false, err
	}
	next = w.begins(stem[0])
	for _, e := range stem[1:] {
		next = w.over(e, next)
	}
	from, end := w.leaving(w.g.target[stem[len(stem)-1]])
	last := next
	next = nil
	for e := from; e < end; e++ {
		next = append(next, w.over(e, last)...)
	}
	return stem, next, true, nil
}

// begins returns the nodes of a transition at which a walk may begin.
func (w *walk) begins(edge int64) []int32 {
	var nodes []int32
	for n := w.start[edge]; n < w.start[edge+1]; n++ {
		if w.firsts == nil || w.firsts[n] {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// shortestLost searches breadth first for where the hopeful nodes come to an end.
func (w *walk) shortestLost(value []bool, most int) ([]int64, bool, error) {
	h := w.newHopes()
	places := frontier.New(2) // a transition, and the set of the hopeful nodes
	enter := func(edge int64, hopeful, possible []int32, from int32) (lost bool) {
		if len(hopeful) == len(possible) {
			return false // none of them violates the formula
		}
		set := h.number(hopeful)
		places.Reach(from, []uint64{uint64(edge), uint64(set)}, nil)
		return set == 0
	}
	trace := func() []int64 {
		way, _ := places.Way(int32(places.Len() - 1))
		return lists.Map(way, func(n int32) int64 { return int64(places.State(n)[0]) })
	}
	// What is possible is not part of a place: places with the same hopeful nodes
	// either all violate the formula with some probability, or none does.
	var all [][]int32
	for _, s := range w.g.initial {
		from, end := w.leaving(s)
		for e := from; e < end; e++ {
			possible := w.begins(e)
			hopeful := slices.DeleteFunc(slices.Clone(possible), func(n int32) bool { return !value[n] })
			if enter(e, hopeful, possible, -1) {
				return trace(), true, nil
			}
			if len(all) < places.Len() {
				all = append(all, possible)
			}
		}
	}
	for i := range places.InOrder {
		if int(i) >= most {
			break
		}
		edge, set := int64(places.State(i)[0]), places.State(i)[1]
		from, end := w.leaving(w.g.target[edge])
		for e := from; e < end; e++ {
			possible := w.over(e, all[i])
			if enter(e, w.over(e, h.sets[set]), possible, i) {
				return trace(), true, nil
			}
			if len(all) < places.Len() {
				all = append(all, possible)
			}
		}
		if i%1024 == 1023 {
			if err := w.meter.Tick(budget.Progress{Phase: "writing the counterexample", States: int64(w.g.Nodes())}); err != nil {
				return nil, false, err
			}
		}
	}
	return nil, false, nil
}

// walkUntilLost walks at random through the nodes that violate the formula: with
// probability 1 that comes to where the formula is lost.
func (w *walk) walkUntilLost(value []bool) ([]int64, bool, error) {
	r := rand.New(rand.NewPCG(1, 2))
	bad := lists.Filter(w.initial(), func(n int32) bool { return !value[n] })
	at := bad[r.IntN(len(bad))]
	edge := int64(w.edge[at])
	hopeful := slices.DeleteFunc(w.begins(edge), func(n int32) bool { return !value[n] })
	stem := []int64{edge}
	for len(hopeful) > 0 {
		if len(stem) == mostLostSteps {
			return nil, false, nil
		}
		var after []int32
		for m, end := w.candidates(at); m < end; m++ {
			if w.follows(at, m) {
				after = append(after, m)
			}
		}
		at = after[r.IntN(len(after))]
		edge = int64(w.edge[at])
		hopeful = w.over(edge, hopeful)
		stem = append(stem, edge)
		if err := w.tick(len(stem)); err != nil {
			return nil, false, err
		}
	}
	return stem, true, nil
}

// explain makes a run that violates the formula: to where it is lost (see lost), on
// to a terminal set of the refined walk, and there a loop that keeps the promises of
// all untils.
func (w *walk) explain(value []bool) (*run.Run, error) {
	scc, err := components(w, func() error { return w.g.tick("looking for terminal sets") })
	if err != nil {
		return nil, err
	}
	before, next, ok, err := w.lost(value)
	if err != nil {
		return nil, err
	}
	if w.result.Certain = ok; !ok {
		for _, n := range w.initial() {
			if !value[n] {
				next = append(next, n)
			}
		}
	}
	everywhere := func(int32) bool { return true }
	stem := wayTo(w, next, false, everywhere, func(n int32) bool { return scc.terminal[scc.of[n]] })
	home := stem[len(stem)-1]
	inside := func(n int32) bool { return scc.of[n] == scc.of[home] }
	loop := []int32{home}
	for _, done := range w.fulfilled {
		if slices.ContainsFunc(loop, func(n int32) bool { return done[n] }) {
			continue
		}
		way := wayTo(w, loop[len(loop)-1:], false, inside, func(n int32) bool { return done[n] })
		if way == nil {
			return nil, &bug.Error{Stage: "fair choice", Err: errors.New("a terminal set of the walk breaks a promise")}
		}
		loop = append(loop, way[1:]...)
	}
	back := wayTo(w, loop[len(loop)-1:], true, inside, func(n int32) bool { return n == home })
	loop = append(loop, back[1:len(back)-1]...)
	lasso, err := w.g.lasso(slices.Concat(before, w.edges(stem[:len(stem)-1])), w.edges(loop))
	if err != nil {
		return nil, err
	}
	return lasso, witness.Confirm(w.net, w.f, lasso)
}
