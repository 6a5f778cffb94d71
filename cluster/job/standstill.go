package job

import (
	"fmt"
	"time"
)

// Acknowledged messages are not sent again: one that somebody else has put in the place of
// another is missed for ever, and one that nobody sent may keep a worker busy for ever. Both end
// here, by what workers say of themselves. A worker that waits sends nothing, so where all wait
// nothing comes that was not sent before.
const (
	// standstill is how long all may wait when nothing is under way and nothing comes. What is
	// lost is sent again within seconds; a minute where it is not said to have come.
	standstill = 15 * time.Second
	// silence is how long all may wait when nothing comes, though something is under way.
	silence = time.Minute
	// drain is how long all may wait, whatever comes: that was sent before, and is bounded.
	drain = 5 * time.Minute
	// apart is how long a worker may wait in a phase while another is two phases ahead, which
	// needs that one's word.
	apart = 15 * time.Second
)

// stands says what is wrong with an attempt that stands still, "" for nothing. All of its workers
// must have said so again: of what they said first, one may have been true no more when another was
// said.
func (c *Coordinator) stands(j *jobState, now time.Time) string {
	a := j.attempt
	why := c.standing(j)
	switch {
	case why == "":
		a.stood = time.Time{}
		return ""
	case a.stood.IsZero():
		a.stood = now
		return ""
	}
	for _, w := range a.ranks {
		if m := c.members[w]; m == nil || !m.heard.After(a.stood) {
			return ""
		}
	}
	return why
}

// standing says what is wrong with an attempt whose workers all wait for each other, or of which
// one goes on without another that it needs, "" for nothing.
func (c *Coordinator) standing(j *jobState) string {
	waits, idle, underWay := time.Duration(1<<62), time.Duration(1<<62), 0
	var behind, ahead *member // of those that wait for long, the one in the first phase; the one in the last
	for rank, w := range j.attempt.ranks {
		m := c.members[w]
		if m == nil || m.beat.Post == nil || *m.beat.Post != c.post(j, rank, w) || m.beat.Fabric == nil {
			return ""
		}
		f := m.beat.Fabric
		waits, idle, underWay = min(waits, f.Waits), min(idle, f.Idle), underWay+f.UnderWay
		if f.Waits >= apart && (behind == nil || f.Phases < behind.beat.Fabric.Phases) {
			behind = m
		}
		if ahead == nil || f.Phases > ahead.beat.Fabric.Phases {
			ahead = m
		}
	}
	switch {
	case idle >= silence, idle >= standstill && underWay == 0, waits >= drain:
		return fmt.Sprintf("all workers have waited for each other for %s", waits.Round(time.Second))
	case behind != nil && ahead.beat.Fabric.Phases > behind.beat.Fabric.Phases+1:
		return fmt.Sprintf("worker %d has ended %d phases, which needs the word of worker %d, which has ended %d", ahead.beat.Post.Rank, ahead.beat.Fabric.Phases, behind.beat.Post.Rank, behind.beat.Fabric.Phases)
	}
	return ""
}
