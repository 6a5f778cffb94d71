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

// defaultStoreBytes is the size of a BitstateHash store if none is given.
const defaultStoreBytes = 256 << 20

// checkStore returns a *StoreError if the store does not go with the rest.
func (v *verification) checkStore() error {
	store := v.opts.Store
	switch {
	case store == explore.Numbered:
		return nil
	case store < explore.Numbered || store > explore.BitstateHash:
		return &StoreError{store, "does not exist"}
	case v.opts.fair():
		return &StoreError{store, "is not for fairness, which needs the search by components, and that numbered states"}
	case v.result.Emptiness == Components:
		return &StoreError{store, "is not for the search by components, which needs numbered states; nested search can use it"}
	case v.opts.Workers > 1 && store != explore.Exact:
		return &StoreError{store, "is for one worker only"}
	case store.Lossy() && v.opts.Finite == RefuseRuns:
		return &StoreError{store, "can miss finite runs, so that they cannot be refused"}
	}
	return nil
}

// searchSets searches with a store that is not Numbered.
func (v *verification) searchSets(g *graph) (*path, sizedSet, error) {
	size := v.opts.StoreBytes
	if size <= 0 {
		size = defaultStoreBytes
	}
	s, err := newSetSearch(g, v.opts.Store, size)
	if err != nil {
		return nil, nil, err
	}
	p, err := s.run()
	v.result.Missed = s.missed()
	if v.result.Missed > 0 {
		states := float64(s.seen.Len())
		v.result.Coverage = states / (states + v.result.Missed)
	}
	v.result.Stats.StackBytes = s.stackBytes()
	return p, s, err
}

// nothingFound returns the verdict, and the reason for it if it is Unknown, of a
// search that came to its end without a violation.
func (v *verification) nothingFound() (Verdict, error) {
	if !v.opts.Store.Lossy() {
		return Holds, nil
	}
	return Unknown, &explore.LossyStore{Store: v.opts.Store, Missed: v.result.Missed, Coverage: v.result.Coverage}
}

// refuseFiniteRuns is the function of that name, which keeps all states of the
// network with numbers, for networks that another store does not know to have no
// finite run. With stages, which may be nil, it pauses.
func (v *verification) refuseFiniteRuns(s *stages) error {
	if v.opts.Store != explore.Numbered {
		r, err := explore.Reach(v.net, explore.Options{Meter: v.meter, Store: v.opts.Store})
		if err != nil || r.Deadlocks+r.Ends+r.Errors == 0 {
			return err
		}
	}
	if s == nil {
		return refuseFiniteRuns(v.net, v.meter, v.opts.Limits, 0, nil)
	}
	if err := refuseFiniteRuns(v.net, v.meter, v.opts.Limits, s.first(), s.refuse); err != errSmaller {
		return err
	}
	return nil
}
