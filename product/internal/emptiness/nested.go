package emptiness

import (
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product/internal/meet"
)

// nestedSearch starts a nested depth-first search: by which algorithm depends on the store
// and on the number of workers.
func nestedSearch(p *Problem) (Search, error) {
	switch {
	case p.Store == explore.Compact || p.Store.Lossy():
		return newSetSearch(p)
	case p.Workers <= 1:
		return newNDFS(p.Graph), nil
	case p.AloneMost == 0:
		return newCNDFS(p.Graph, p.Workers, p.Worker)
	}
	return &growingTeam{Search: newNDFS(p.Graph), p: p}, nil
}

// growingTeam is one worker first, and several who begin again if that one is not soon
// done: the first finds the same counterexample every time, and what is small takes no
// longer than by one.
type growingTeam struct {
	Search // of the one, and then of the team
	p      *Problem
}

// Run has one worker search, and then several.
func (t *growingTeam) Run() (*meet.Path, error) {
	one := t.Search.(*ndfs)
	path, enough, err := portfolio.Try(t.p.AloneMost, func(l *portfolio.Lane) (*meet.Path, error) {
		one.few = l
		return one.Run()
	})
	if enough {
		return path, err
	}
	// Several workers do not wait for anybody.
	g := t.p.Graph
	if err := g.Lane.Last(one.searched()); err != nil {
		return nil, err
	}
	g.Counts, g.Lane = meet.Counts{}, nil
	team, err := newCNDFS(g, t.p.Workers, t.p.Worker)
	if err != nil {
		return nil, err
	}
	t.Search = team
	return team.Run()
}

// All calls yield for every state.
func (t *growingTeam) All(yield func(state []uint64) bool) { t.Search.(Stored).All(yield) }

// Workers returns how many have searched.
func (t *growingTeam) Workers() int { return WorkersOf(t.Search) }
