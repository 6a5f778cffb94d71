package deadlock

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// LocalResult is the answer of Local.
type LocalResult struct {
	// Trace is a shortest one to a state from which some component can never move
	// again. Nil if there is no such state.
	Trace *run.Run
	// Dead are these components in the last state, sorted.
	Dead []int
	// Components says what each component waits for in the last state. Offers
	// that nobody refuses there are refused for ever by priorities, or belong to
	// components that are not dead.
	Components  []Waiting
	Exploration Exploration
}

// Local decides whether some component can get stuck while others may go on: a
// reachable state, neither terminated nor in error, and a component that takes
// part in no step of any run from there. Components that have terminated, and
// observers, do not count. A deadlock of the whole is a local deadlock of all. Of
// opts it uses Limits and Progress. Errors are those of Check.
//
// It explores all states, then their strongly connected components: time
// O(states + transitions) · components/64, about 40 bytes per state and 64
// components.
func Local(ctx context.Context, net *lks.Network, opts Options) (*LocalResult, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	l := &localSearch{plain: newPlain(net, newPace(budget.New(ctx, opts.Limits, opts.Progress), nil))}
	result := &LocalResult{}
	err := budget.Within(l.run)
	l.stats.States = int64(l.states.Len())
	l.stats.Complete = err == nil
	result.Exploration = l.stats
	if err != nil {
		return result, err
	}
	for s := range int32(l.states.Len()) {
		if dead := l.dead(s); len(dead) > 0 {
			t, err := l.trace(s)
			if err != nil {
				return result, err
			}
			if err = t.Replay(net); err == nil {
				err = l.replayDead(s, dead)
			}
			if err != nil {
				return result, &bug.Error{Stage: "deadlock", Err: err}
			}
			result.Trace, result.Dead, result.Components = t, dead, situation(net, t.Last.Local)
			break
		}
	}
	return result, nil
}

// localSearch computes for every state the components that can still move. States
// of one strongly connected component agree on that; the algorithm of [Tarjan72] finds
// these with their successors first, so that one pass suffices.
type localSearch struct {
	*plain
	words   int
	alive   []uint64 // words per state: components that can still move
	index   []int32  // by state: order of the visit, from 1; 0: not visited
	low     []int32
	onStack []bool
	stack   []int32 // Tarjan's
	path    []localFrame
	pending []int32 // targets, of all frames one after the other
	visited int32
}

type localFrame struct {
	state int32
	first int // of its pending targets
}

func (l *localSearch) run() error {
	if err := l.inOrder(func(bool) bool { return true }); err != nil {
		return err
	}
	n := l.states.Len()
	l.words = (len(l.net.Components()) + 63) / 64
	l.alive = make([]uint64, n*l.words)
	l.index, l.low, l.onStack = make([]int32, n), make([]int32, n), make([]bool, n)
	l.pace.phase("looking for components that are stuck")
	for s := range int32(n) {
		if l.index[s] == 0 {
			if err := l.search(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *localSearch) row(s int32) []uint64 {
	return l.alive[int(s)*l.words : int(s+1)*l.words]
}

func (l *localSearch) inherit(s, from int32) {
	row := l.row(s)
	for w, set := range l.row(from) {
		row[w] |= set
	}
}

// search visits everything that can be reached from root.
func (l *localSearch) search(root int32) error {
	if err := l.enter(root); err != nil {
		return err
	}
	for len(l.path) > 0 {
		f := l.path[len(l.path)-1]
		if len(l.pending) > f.first {
			t := l.pending[len(l.pending)-1]
			l.pending = l.pending[:len(l.pending)-1]
			switch {
			case l.index[t] == 0:
				if err := l.enter(t); err != nil {
					return err
				}
			case l.onStack[t]:
				l.low[f.state] = min(l.low[f.state], l.index[t])
			default:
				l.inherit(f.state, t)
			}
			continue
		}
		l.path = l.path[:len(l.path)-1]
		if l.low[f.state] == l.index[f.state] {
			l.leaveComponent(f.state)
		}
		if len(l.path) > 0 {
			parent := l.path[len(l.path)-1].state
			l.low[parent] = min(l.low[parent], l.low[f.state])
			l.inherit(parent, f.state)
		}
	}
	return nil
}

// enter visits a state: it moves the components of its own steps.
func (l *localSearch) enter(s int32) error {
	l.visited++
	l.index[s], l.low[s], l.onStack[s] = l.visited, l.visited, true
	l.stack = append(l.stack, s)
	l.path = append(l.path, localFrame{s, len(l.pending)})
	l.explorer.Successors(l.states.State(s), &l.succ)
	row := l.row(s)
	words := l.net.Words()
	for i, r := range l.succ.Rules {
		for _, part := range l.net.Rules()[r].Parts {
			setBit(row, int(part.Component))
		}
		l.pending = append(l.pending, l.states.Find(l.succ.States[i*words:(i+1)*words]))
	}
	return l.pace.spend(int64(1+2*l.succ.Len()), l.states.Len())
}

// leaveComponent gives all states of the component with that root, which is
// complete, what its states have together.
func (l *localSearch) leaveComponent(root int32) {
	from := len(l.stack) - 1
	for ; l.stack[from] != root; from-- {
		l.inherit(root, l.stack[from])
	}
	for _, s := range l.stack[from:] {
		l.onStack[s] = false
		copy(l.row(s), l.row(root))
	}
	l.stack = l.stack[:from]
}

// dead returns the components that are stuck in state s for ever.
func (l *localSearch) dead(s int32) []int {
	state := l.states.State(s)
	var dead []int
	for c, m := range l.net.Components() {
		if bit(l.row(s), c) || l.net.Observer(c) || m.Kind(l.net.Local(state, int32(c))) == lks.End {
			continue
		}
		dead = append(dead, c)
	}
	if dead != nil && (l.net.Kind(state) == lks.Error || l.net.Settled(state)) {
		return nil
	}
	return dead
}

// replayDead checks, by a search of its own from s, that the components are dead.
func (l *localSearch) replayDead(s int32, dead []int) error {
	seen := map[int32]bool{s: true}
	todo := []int32{s}
	words := l.net.Words()
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		l.explorer.Successors(l.states.State(at), &l.succ)
		for i, r := range l.succ.Rules {
			for _, part := range l.net.Rules()[r].Parts {
				if slices.Contains(dead, int(part.Component)) {
					return fmt.Errorf("%s can still move", l.net.ComponentName(int(part.Component)))
				}
			}
			if t := l.states.Find(l.succ.States[i*words : (i+1)*words]); !seen[t] {
				seen[t] = true
				todo = append(todo, t)
			}
		}
	}
	return nil
}
