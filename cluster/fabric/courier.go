package fabric

import (
	"fmt"
	"time"

	"github.com/seltl/seltl/cluster/exchange"
)

// deliver publishes what is posted, asks after frames that nobody acknowledged, and sends
// again those that are missing. It is a goroutine of its own, so that a connection that
// does not move stops neither the search nor what comes in.
func (w *Worker) deliver() {
	defer w.exited.Done()
	ticker := time.NewTicker(max(time.Millisecond, w.Resend/2))
	defer ticker.Stop()
	var letters []letter
	for {
		select {
		case <-w.closed:
			return
		case <-w.courier:
		case <-ticker.C:
			w.mu.Lock()
			w.remind(time.Now())
			w.mu.Unlock()
		}
		for {
			w.mu.Lock()
			letters, w.outbox = w.outbox, letters[:0]
			for _, l := range letters {
				if l.parcel != nil {
					l.parcel.publishing = true
				}
			}
			w.mu.Unlock()
			if len(letters) == 0 {
				break
			}
			for i, l := range letters {
				w.publish(l)
				letters[i] = letter{}
			}
		}
	}
}

// publish hands one letter to the network. If it is lost, here or there, it is asked for
// again.
func (w *Worker) publish(l letter) {
	p := l.parcel
	if p == nil {
		if w.carrier.Publish(l.to, l.frame) != nil {
			w.stats.unsent.Add(1)
		}
		return
	}
	w.mu.Lock()
	needed := !p.received
	w.mu.Unlock()
	if needed && w.carrier.Publish(l.to, p.frame) != nil {
		w.stats.unsent.Add(1)
	}
	w.mu.Lock()
	p.publishing = false
	p.sent = time.Now()
	w.recycle(p)
	w.mu.Unlock()
}

// remind asks workers for an acknowledgement that is overdue: of frames that may be lost,
// or of batches taken, if this worker waits for credit. What is missing in the answer is
// sent again; who is only slow to take gets nothing twice. The caller holds the lock.
func (w *Worker) remind(now time.Time) {
	for to := range w.out {
		o := &w.out[to]
		if len(o.flight) == 0 && o.credit(w.window) {
			continue
		}
		wait := max(w.Resend, o.backoff)
		if now.Sub(o.probed) < wait || len(o.flight) > 0 && (o.flight[0].sent.IsZero() || now.Sub(o.flight[0].sent) < wait) {
			continue
		}
		if silent := now.Sub(o.heard); silent > w.Silence {
			w.fail(fmt.Errorf("worker %d has acknowledged nothing for %s: %w", to, silent.Round(time.Second), exchange.ErrRestart))
			return
		}
		o.probes++
		o.probed = now
		o.backoff = min(2*wait, 16*w.Resend)
		w.stats.probes.Add(1)
		h := w.header(probe, to)
		h.seq = o.probes
		w.post(letter{to: to, frame: seal(nil, h)})
	}
}
