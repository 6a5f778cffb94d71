package fabric

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/seltl/seltl/cluster/exchange"
)

// Begin begins a phase.
func (w *Worker) Begin(receive exchange.Receiver) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.finished {
		w.fail(fmt.Errorf("phase %d begins before phase %d was finished", w.phase+1, w.phase))
	}
	w.phase++
	w.finished = false
	w.receive = receive
	for i := range w.in {
		w.in[i].inPhase, w.out[i].inPhase, w.out[i].before = 0, 0, w.out[i].batches
	}
	w.ready.Add(int32(len(w.queue[w.phase&1])))
}

// Send hands a payload to another worker.
func (w *Worker) Send(ctx context.Context, to int, payload []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.failed != nil:
		return w.failed
	case w.finished || w.taking:
		return w.fail(errOutside)
	case to < 0 || to >= w.Config.Size || to == w.Config.Rank:
		return w.fail(fmt.Errorf("worker %d of %d sends to worker %d", w.Config.Rank, w.Config.Size, to))
	case len(payload) > w.largest:
		return w.fail(&SizeError{len(payload) + trailerBytes, w.largest + trailerBytes})
	}
	o := &w.out[to]
	if err := w.await(ctx, &w.stats.stalled, func() bool { return o.credit(w.window) }); err != nil {
		return err
	}
	o.batches++
	o.inPhase++
	w.stats.batchesOut.Add(1)
	w.stats.bytesOut.Add(int64(len(payload)))
	payload, lent := w.reclaim(payload)
	w.sendReliably(batch, to, payload, lent)
	return nil
}

// Poll takes what has come in.
func (w *Worker) Poll(ctx context.Context) error {
	if w.ready.Load() == 0 {
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return w.fail(err)
	}
	_, err := w.takeQueued()
	return err
}

// takeQueued hands what came in to the receiver, and says whether that was anything. The
// caller holds the lock, which is not held while the receiver runs.
func (w *Worker) takeQueued() (some bool, err error) {
	if w.failed != nil {
		return false, w.failed
	}
	if w.finished || len(w.queue[w.phase&1]) == 0 {
		return false, nil
	}
	queued := w.queue[w.phase&1]
	w.queue[w.phase&1] = nil
	w.ready.Add(-int32(len(queued)))
	w.taking = true
	for n := range queued {
		m := &queued[n]
		w.mu.Unlock()
		err := w.receive(m.from, m.payload)
		w.mu.Lock()
		m.payload = nil
		if err != nil {
			w.taking = false
			return true, w.fail(err)
		}
		i := &w.in[m.from]
		i.taken++
		i.inPhase++
		if i.taken-i.announced >= max(1, w.window/4) {
			w.acknowledge(m.from, 0)
		}
	}
	w.taking = false
	if cap(queued) <= 4*totalQueued && len(w.queue[w.phase&1]) == 0 {
		w.queue[w.phase&1] = queued[:0]
	}
	return true, nil
}

// await takes what comes in until ready says so, and adds up how long there was nothing to
// do. The caller holds the lock. Others may be waiting for this worker to take theirs.
func (w *Worker) await(ctx context.Context, idle *atomic.Int64, ready func() bool) error {
	defer w.idle.Store(0)
	defer w.waits.Store(0)
	for {
		if w.failed != nil {
			return w.failed
		}
		if ready() {
			return nil
		}
		some, err := w.takeQueued()
		if err != nil {
			return err
		}
		if some {
			w.idle.Store(0)
			continue
		}
		from := time.Now()
		w.idle.CompareAndSwap(0, from.UnixNano())
		w.waits.CompareAndSwap(0, from.UnixNano())
		w.mu.Unlock()
		select {
		case <-w.wake:
		case <-ctx.Done():
		}
		w.mu.Lock()
		idle.Add(int64(time.Since(from)))
		if err := ctx.Err(); err != nil {
			return w.fail(err)
		}
	}
}

// Finish ends the phase.
func (w *Worker) Finish(ctx context.Context, tally []byte) ([][]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil {
		return nil, w.failed
	}
	if w.finished || w.taking {
		return nil, w.fail(errOutside)
	}
	if err := w.arrive(tally); err != nil {
		return nil, w.fail(err)
	}
	if w.Config.Rank == 0 {
		if err := w.await(ctx, &w.stats.waited, func() bool { return w.barrier.complete(w.phase, w.Config.Size) }); err != nil {
			return nil, err
		}
		if err := w.release(); err != nil {
			return nil, w.fail(err)
		}
	}
	var t *turnNote
	err := w.await(ctx, &w.stats.waited, func() bool {
		if t == nil {
			t = w.barrier.turn(w.phase)
		}
		return t != nil && w.tookAll(t.expect)
	})
	if err != nil {
		return nil, err
	}
	if from := w.tookMore(t.expect); from >= 0 {
		return nil, w.fail(fmt.Errorf("worker %d has sent fewer batches in phase %d than came in its name: %w", from, w.phase, exchange.ErrRestart))
	}
	w.finished = true
	w.receive = nil
	w.barrier.forget(w.phase)
	for to := range w.out {
		for _, p := range w.out[to].settle(w.phase) {
			w.recycle(p)
		}
	}
	w.stats.phases.Add(1)
	return t.tallies, nil
}

// tookAll says whether as many batches were taken of each as it sent.
func (w *Worker) tookAll(expect []uint64) bool {
	for from, n := range expect {
		if w.in[from].inPhase < n {
			return false
		}
	}
	return true
}

// tookMore returns a worker of which more came than it sent, which somebody else has sent in
// its name, or -1. All that was sent was taken: what is still in the queue is more.
func (w *Worker) tookMore(expect []uint64) int {
	for _, m := range w.queue[w.phase&1] {
		return m.from
	}
	for from, n := range expect {
		if w.in[from].inPhase > n {
			return from
		}
	}
	return -1
}
