package lks

import (
	"fmt"

	"github.com/seltl/seltl/internal/statetable"
)

// Store is a way to remember the states that an exploration has seen.
type Store int

const (
	// Numbered: exact; states have numbers, and traces can be kept. 13 to 18 bytes
	// per state of one word, 8 per further word.
	Numbered Store = iota
	// Exact: 10 to 12.5 bytes per state of one word, and its queue.
	Exact
)

func (s Store) String() string {
	switch s {
	case Numbered:
		return "numbered"
	case Exact:
		return "exact"
	}
	return fmt.Sprintf("Store(%d)", int(s))
}

// newStateStore returns the store of one of so many workers.
func newStateStore(n *Network, opts ReachOptions, workers int) (stateStore, error) {
	switch opts.Store {
	case Exact:
		return statetable.NewSet(n.Words()), nil
	}
	return nil, fmt.Errorf("lks: there is no store %v", opts.Store)
}
