package job

import (
	"fmt"
	"time"
)

// member is a worker as the coordinator sees it.
type member struct {
	beat     workerBeat
	heard    time.Time
	refused  string // why it may not work
	reserved string // job that it was chosen for
	stopping bool   // it was told to end an attempt and has not said that it did
	// goneBecause is set when its process is known to have ended.
	goneBecause string

	rate     float64 // states per second
	measured time.Time
	states   int64
}

// beaten takes in a worker's heartbeat, and reports whether the worker is now idle that was
// not, or not there.
func (c *Coordinator) beaten(b beaten) (free bool) {
	m := c.members[b.ID]
	if b.Leaving {
		if m != nil {
			m.goneBecause = "it left"
		}
		return false
	}
	before := m != nil && c.idle(m)
	if m == nil {
		m = &member{refused: c.Build.Differs(b.Build)}
		c.members[b.ID] = m
		if m.refused != "" {
			c.refused++
			c.Log(fmt.Sprintf("worker %s (%s, process %d) is refused: %s", b.ID, b.Host, b.PID, m.refused))
		}
	}
	m.beat, m.heard = b.workerBeat, b.at
	m.measure(b.at)
	if m.refused != "" { // again and again: one that is lost may not come in again
		c.order(b.ID, command{Do: "refuse", Why: m.refused})
	}
	return !before && c.idle(m)
}

// measure computes how many states a worker finds in a second, about once in two seconds.
func (m *member) measure(now time.Time) {
	states := int64(0)
	if p := m.beat.Progress; p != nil {
		states = p.Worker.States
	}
	if states < m.states || m.measured.IsZero() {
		m.measured, m.states, m.rate = now, states, 0
		return
	}
	if passed := now.Sub(m.measured).Seconds(); passed >= 1.9 {
		m.rate = float64(states-m.states) / passed
		m.measured, m.states = now, states
	}
}

// echoed notes that a heartbeat of this coordinator came back. After an interruption
// workers get time to say that they are still there.
func (c *Coordinator) echoed(at time.Time) {
	if at.Sub(c.echo) > 4*Beat {
		for _, m := range c.members {
			m.heard = at
		}
	}
	c.echo = at
}

// lostReason says why a worker is lost, "" if it is there.
func (c *Coordinator) lostReason(m *member) string {
	if m.goneBecause != "" {
		return m.goneBecause
	}
	// Who hears nothing at all cannot tell.
	if silent := c.echo.Sub(m.heard); silent > c.Lost {
		return fmt.Sprintf("nothing was heard of it for %s", silent.Round(time.Second/10))
	}
	return ""
}

// idle says whether a worker could begin with a job.
func (c *Coordinator) idle(m *member) bool {
	return m.refused == "" && m.reserved == "" && !m.stopping && m.beat.Post == nil && c.lostReason(m) == ""
}

// order sends a worker a command whose answer does not matter.
func (c *Coordinator) order(worker string, o command) {
	_ = c.conn.Publish(commands(worker), mustJSON(o))
}

// describe names a worker for people.
func (c *Coordinator) describe(worker string) string {
	if m := c.members[worker]; m != nil {
		return fmt.Sprintf("%s (%s, process %d)", worker, m.beat.Host, m.beat.PID)
	}
	return worker
}
