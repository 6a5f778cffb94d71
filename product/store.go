package product

import (
	"fmt"

	"github.com/seltl/seltl/lks/explore"
)

// StoreError says why Options.Store cannot be used with the other options, or for
// this network.
type StoreError struct {
	Store explore.Store
	Why   string
}

func (e *StoreError) Error() string { return fmt.Sprintf("the %v store %s", e.Store, e.Why) }

// checkStore returns a *StoreError if the store does not go with the rest.
func (t *task) checkStore() error {
	store := t.opts.Store
	switch {
	case store == explore.Numbered:
		return nil
	case store < explore.Numbered || store > explore.BitstateHash:
		return &StoreError{store, "does not exist"}
	case t.opts.fair():
		return &StoreError{store, "is not for fairness, which needs the search by components, and that numbered states"}
	case t.opts.Emptiness.OneWorker():
		return &StoreError{store, "is not for the search by " + t.opts.Emptiness.About() + ", which needs numbered states; nested search can use it"}
	case t.opts.Workers > 1 && store != explore.Exact:
		return &StoreError{store, "is for one worker only"}
	case store.Lossy() && t.opts.Finite == RefuseRuns:
		return &StoreError{store, "can miss finite runs, so that they cannot be refused"}
	}
	return nil
}

// nothingFound returns the verdict, and the reason for it if it is Unknown, of a
// search that came to its end without a violation.
func (s *search) nothingFound() (Verdict, error) {
	if !s.opts.Store.Lossy() {
		return Holds, nil
	}
	return Unknown, &explore.LossyStore{Store: s.opts.Store, Missed: s.result.Missed, Coverage: s.result.Coverage}
}
