package explore

import "fmt"

// LossyStore is why a search that came to its end and found nothing proves nothing:
// its store can take new states for known ones, and so miss some.
type LossyStore struct {
	Store    Store
	Missed   float64 // estimated number of states taken for others, without what only they lead to
	Coverage float64 // estimated share of states explored, of those met: 0 to 1
}

// LeavesOpen says that nothing is known (outcome.Open).
func (e *LossyStore) LeavesOpen() bool { return true }

func (e *LossyStore) Error() string {
	return fmt.Sprintf("the %v store can miss states: of those that it met it took an estimated %s for others, and explored %s %%",
		e.Store, atLeast(e.Missed, 0.01), percent(e.Coverage))
}

// atLeast formats x, as "less than least" if it is less.
func atLeast(x, least float64) string {
	switch {
	case x < least:
		return fmt.Sprintf("less than %g", least)
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// percent formats a share below 1, never as all.
func percent(share float64) string {
	if share > 0.999999 {
		return "more than 99.9999"
	}
	return fmt.Sprintf("%.4f", 100*share)
}

// Lossy returns a *LossyStore if the exploration came to its end with a store that
// can lose states, nil otherwise.
func (r *Reached) Lossy() *LossyStore {
	if !r.Ended || !r.Store.Lossy() {
		return nil
	}
	return &LossyStore{Store: r.Store, Coverage: r.Coverage(), Missed: r.Missed}
}
