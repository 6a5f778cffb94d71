package fabric

import (
	"errors"
	"sync/atomic"
	"time"
)

// Stats are the figures of one worker's end, since it joined.
type Stats struct {
	Batches  int64 `json:"batches_sent"`
	Bytes    int64 `json:"bytes_sent"` // of payloads
	BatchesI int64 `json:"batches_received"`
	BytesI   int64 `json:"bytes_received"`
	Phases   int64 `json:"phases"`
	// Duplicates were received once more than needed, Resent sent again, Probes asked for
	// acknowledgements, Unsent met a connection that was down.
	Duplicates int64 `json:"duplicates"`
	Resent     int64 `json:"resent"`
	Probes     int64 `json:"probes"`
	Unsent     int64 `json:"unsent"`
	// Stalled is how long the search waited for credit, Waited how long at the ends of
	// phases: who waits least there is the one that others wait for.
	Stalled time.Duration `json:"stalled_ns"`
	Waited  time.Duration `json:"waited_ns"`
	// Idle is for how long the search has been waiting until now, with nothing to take. Not
	// all workers do so for long, unless something was lost that nobody sends again.
	Idle time.Duration `json:"idle_ns,omitempty"`
	// Waits is the same, whatever it takes meanwhile: who waits sends nothing. UnderWay is how
	// many frames were sent that nobody is known to have received.
	Waits    time.Duration `json:"waits_ns,omitempty"`
	UnderWay int           `json:"under_way,omitempty"`
	// Refused counts frames that were refused, by reason.
	Refused map[string]int64 `json:"refused,omitempty"`
}

type counters struct {
	batchesOut, bytesOut, batchesIn, bytesIn, phases atomic.Int64
	duplicates, resent, probes, unsent               atomic.Int64
	stalled, waited                                  atomic.Int64
	refused                                          [16]atomic.Int64
}

func (c *counters) refuse(reason error) {
	for i, r := range refusals {
		if errors.Is(reason, r.err) {
			c.refused[i].Add(1)
		}
	}
}

// Stats may be called by any goroutine at any time.
func (w *Worker) Stats() Stats {
	c := &w.stats
	s := Stats{
		Batches: c.batchesOut.Load(), Bytes: c.bytesOut.Load(), BatchesI: c.batchesIn.Load(), BytesI: c.bytesIn.Load(),
		Phases: c.phases.Load(), Duplicates: c.duplicates.Load(), Resent: c.resent.Load(), Probes: c.probes.Load(), Unsent: c.unsent.Load(),
		Stalled: time.Duration(c.stalled.Load()), Waited: time.Duration(c.waited.Load()),
	}
	s.Idle, s.Waits = sinceNano(&w.idle), sinceNano(&w.waits)
	w.mu.Lock()
	for to := range w.out {
		s.UnderWay += len(w.out[to].flight)
	}
	w.mu.Unlock()
	for i, r := range refusals {
		if n := c.refused[i].Load(); n > 0 {
			if s.Refused == nil {
				s.Refused = map[string]int64{}
			}
			s.Refused[r.name] = n
		}
	}
	return s
}

// sinceNano is how long ago it was, or 0.
func sinceNano(at *atomic.Int64) time.Duration {
	since := at.Load()
	if since == 0 {
		return 0
	}
	return max(1, time.Duration(time.Now().UnixNano()-since))
}
