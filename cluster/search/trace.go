package search

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Ways are found backwards: of the level before that of a state all owners expand their
// states, and the least of those that lead to it is the one before it. So all levels
// are expanded once more, at most, and nothing is kept for that but where levels begin. Stores
// without numbers do not even know levels: for them the space is explored again with
// numbers, as far as that state.

// way returns the states, one after the other, of a shortest way to a state of some level
// of an exploration with numbers.
func (l *levels) way(state []uint64, level int) ([]uint64, error) {
	v := l.vis.(*numbered)
	l.doing = "tracing"
	states := [][]uint64{state}
	for level--; level >= 0; level-- {
		best := l.predecessor(v, level, states[len(states)-1])
		if err := l.ctx.Err(); err != nil {
			return nil, err
		}
		t := &tally{}
		if best != nil {
			t.Found = [][]uint64{best}
		}
		all, err := l.agree(t)
		if err != nil {
			return nil, err
		}
		if best = leastFound(all); best == nil {
			return nil, inconsistent("no state of level %d leads to one of the next", level)
		}
		states = append(states, best)
	}
	slices.Reverse(states)
	return slices.Concat(states...), nil
}

// predecessor returns the least of the worker's states of a level that leads to a state, or
// nil.
func (l *levels) predecessor(v *numbered, level int, to []uint64) (best []uint64) {
	if level >= len(v.starts) {
		return nil
	}
	words := l.space.words()
	from, end := v.level(level)
	for from < end && l.ctx.Err() == nil {
		states := v.table.Stretch(from, min(end, from+batchStates))
		from += int32(len(states) / words)
		if successors, rest := l.space.expand(states); len(rest) == 0 && !hasState(successors, to) {
			continue
		}
		for ; len(states) > 0; states = states[words:] {
			successors, _ := l.space.expand(states[:words])
			if hasState(successors, to) && (best == nil || slices.Compare(states[:words], best) < 0) {
				best = slices.Clone(states[:words])
			}
		}
	}
	return best
}

// leastFound returns the least of the first findings of all workers, or nil.
func leastFound(all []tally) (best []uint64) {
	for _, t := range all {
		if len(t.Found) > 0 && t.Found[0] != nil && (best == nil || slices.Compare(t.Found[0], best) < 0) {
			best = t.Found[0]
		}
	}
	return best
}

// levelOf returns the level of a state that some worker has.
func (l *levels) levelOf(state []uint64) (int, error) {
	t := &tally{}
	if l.owners.of(state) == l.rank {
		v := l.vis.(*numbered)
		t.Work = int64(v.levelOf(v.table.Find(state))) + 1
	}
	all, err := l.agree(t)
	if err != nil {
		return 0, err
	}
	level := int64(0)
	for _, t := range all {
		level += t.Work
	}
	if level == 0 {
		return 0, inconsistent("nobody has a state that was found")
	}
	return int(level) - 1, nil
}

// runOf describes a way through the network as a run, which it replays.
func runOf(n *lks.Network, way []uint64) (*run.Run, error) {
	words := n.Words()
	var states [][]uint64
	var rules []int32
	explorer := n.Explorer()
	var succ lks.Successors
	for state := range slices.Chunk(way, words) {
		states = append(states, state)
	}
	for i := 1; i < len(states); i++ {
		explorer.Successors(states[i-1], &succ)
		at := slices.IndexFunc(slices.Collect(slices.Chunk(succ.States, words)), func(s []uint64) bool { return slices.Equal(s, states[i]) })
		if at < 0 {
			return nil, inconsistent("%s is no successor of %s", n.StateName(states[i]), n.StateName(states[i-1]))
		}
		rules = append(rules, succ.Rules[at])
	}
	r, err := run.Unpack(n, states, rules, -1)
	if err == nil {
		err = r.Replay(n)
	}
	if err != nil {
		return nil, &bug.Error{Stage: "replay of the trace", Err: fmt.Errorf("of %d steps: %w", len(rules), err)}
	}
	return r, nil
}
