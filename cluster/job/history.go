package job

import (
	"cmp"
	"slices"
	"time"
)

// Past is what is shown of a job that has ended, in lists.
type Past struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Ending    Ending    `json:"ending"`
	Epoch     uint32    `json:"epoch"`
	States    int64     `json:"states"`
	Submitted time.Time `json:"submitted"`
	Ended     time.Time `json:"ended"`
}

// PastOf returns that of a record of a job which has ended.
func PastOf(r *Record) *Past {
	return &Past{r.ID, r.Name, r.Outcome.Ending, r.Epoch, r.Outcome.Explored.States, r.Submitted, r.Ended}
}

// history knows the jobs that have ended, as who coordinates has seen them end or has found
// them, so that nobody reads their records to list them or to find those whose time is over.
type history struct {
	byID  map[string]*Past
	order []*Past // by their end
}

func newHistory() *history { return &history{byID: map[string]*Past{}} }

func (p *Past) compare(q *Past) int {
	return cmp.Or(p.Ended.Compare(q.Ended), cmp.Compare(p.ID, q.ID))
}

// has reports whether a job has ended: older records of it may still come in.
func (h *history) has(id string) bool { return h.byID[id] != nil }

// add takes in a job that has ended. They mostly come in the order in which they did.
func (h *history) add(p *Past) {
	h.drop(p.ID)
	h.byID[p.ID] = p
	at, _ := slices.BinarySearchFunc(h.order, p, (*Past).compare)
	h.order = slices.Insert(h.order, at, p)
}

// drop forgets a job.
func (h *history) drop(id string) {
	p := h.byID[id]
	if p == nil {
		return
	}
	delete(h.byID, id)
	if at, ok := slices.BinarySearchFunc(h.order, p, (*Past).compare); ok {
		h.order = slices.Delete(h.order, at, at+1)
	}
}

// latest returns the jobs that ended last, at most n, the last one first.
func (h *history) latest(n int) []*Past {
	list := slices.Clone(h.order[max(0, len(h.order)-n):])
	slices.Reverse(list)
	return list
}

// due returns the jobs that ended a time ago, and the first ones of those that are more than a
// number; 0 is no bound.
func (h *history) due(now time.Time, keep time.Duration, most int) (ids []string) {
	for i, p := range h.order {
		old, surplus := keep > 0 && now.Sub(p.Ended) >= keep, most > 0 && i < len(h.order)-most
		if !old && !surplus {
			break
		}
		ids = append(ids, p.ID)
	}
	return ids
}
