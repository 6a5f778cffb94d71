// Package fabric connects the workers of a distributed search over core NATS, which
// delivers messages at most once. On top of that each pair of workers has a channel with
// sequence numbers: what arrives twice is dropped, what is missing is asked for and sent
// again, order does not matter. A worker may have a bounded number of batches on the way to
// another (credit: the other returns it when its search takes a batch), so that queues are
// bounded everywhere. A phase ends when every worker has told rank 0 how many batches it
// sent to whom, rank 0 has told each how many to expect, and these were taken.
//
// What cannot come from a worker of the same attempt is refused and counted. When a worker
// is lost nobody can go on: who notices calls Abort on all, and the workers begin another
// attempt, which has another epoch.
package fabric

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seltl/seltl/cluster/exchange"
)

// Config says which part a worker has in which attempt.
type Config struct {
	Digest     uint64 // of the job: frames with another one are refused
	Epoch      uint32 // number of the attempt
	Rank, Size int
	// Resend is after how long a frame that was not acknowledged is asked for, then after
	// twice as long and so on; 0 is a quarter of a second.
	Resend time.Duration
	// Silence is how long another worker may leave frames unacknowledged before the attempt
	// ends; 0 is a minute.
	Silence time.Duration
}

// Worker is one end of the fabric, an exchange.Exchange.
type Worker struct {
	Config
	carrier carrier
	window  uint64 // batches under way to one other worker
	largest int    // bytes of a payload

	idle    atomic.Int64 // since when the search waits for others with nothing to take, in Unix nanoseconds; 0: it does not
	waits   atomic.Int64 // since when it waits, whatever it takes
	ready   atomic.Int32 // batches of this phase that came in, or an error: Poll has work
	wake    chan struct{}
	courier chan struct{}
	closed  chan struct{}
	exited  sync.WaitGroup
	lent    map[*byte][]byte // buffers that the search fills, by their first byte

	mu       sync.Mutex
	failed   error
	phase    int64 // number of the phase that was begun last, from 1
	finished bool  // that phase is over
	receive  exchange.Receiver
	taking   bool // a receiver runs
	out      []outgoing
	in       []incoming
	queue    [2][]message // of the phases with an even and an odd number
	outbox   []letter
	free     [][]byte
	barrier  barrier
	closing  bool

	stats counters
}

// message is a batch that was received.
type message struct {
	from    int
	payload []byte
}

// letter is what the courier is to publish: a parcel, or a frame that needs no care.
type letter struct {
	to     int
	parcel *parcel
	frame  []byte
}

// join makes a worker over a carrier.
func join(c carrier, config Config) (*Worker, error) {
	if config.Size < 1 || config.Rank < 0 || config.Rank >= config.Size {
		return nil, fmt.Errorf("worker %d of %d: no such rank", config.Rank, config.Size)
	}
	if config.Resend <= 0 {
		config.Resend = 250 * time.Millisecond
	}
	if config.Silence <= 0 {
		config.Silence = time.Minute
	}
	largest := c.MaxPayload() - trailerBytes
	if largest < exchange.BatchBytes {
		return nil, &SizeError{exchange.BatchBytes + trailerBytes, c.MaxPayload()}
	}
	w := &Worker{
		Config: config, carrier: c, largest: largest,
		window:  uint64(window(config.Size)),
		wake:    make(chan struct{}, 1),
		courier: make(chan struct{}, 1),
		closed:  make(chan struct{}),
		out:     make([]outgoing, config.Size),
		in:      make([]incoming, config.Size),
		lent:    map[*byte][]byte{},
	}
	w.finished = true
	if err := c.Listen(w.arrived); err != nil {
		return nil, err
	}
	w.exited.Add(1)
	go w.deliver()
	return w, nil
}

// Rank is this worker's number.
func (w *Worker) Rank() int { return w.Config.Rank }

// Size is how many workers there are.
func (w *Worker) Size() int { return w.Config.Size }

// Buffer returns an empty slice for a payload.
func (w *Worker) Buffer() []byte {
	w.mu.Lock()
	var b []byte
	if n := len(w.free) - 1; n >= 0 {
		b, w.free = w.free[n], w.free[:n]
	} else {
		b = make([]byte, 0, exchange.BatchBytes+trailerBytes)
	}
	w.mu.Unlock()
	// What is lent hides the room for the trailer; Send finds it again.
	w.lent[&b[:1][0]] = b
	return b[:0:exchange.BatchBytes]
}

// reclaim returns a payload with the room behind it, if it lies in a buffer of ours.
func (w *Worker) reclaim(payload []byte) (_ []byte, ours bool) {
	if cap(payload) == 0 {
		return payload, false
	}
	first := &payload[:1][0]
	b, ours := w.lent[first]
	if !ours {
		return payload[:len(payload):len(payload)], false // what is behind it is not ours
	}
	delete(w.lent, first)
	return b[:len(payload)], true
}

// Abort ends the attempt: whatever the search is waiting for returns err from now on,
// which should wrap exchange.ErrRestart if another attempt can follow.
func (w *Worker) Abort(err error) {
	w.mu.Lock()
	w.fail(err)
	w.mu.Unlock()
}

// fail keeps the first error and wakes the search. The caller holds the lock.
func (w *Worker) fail(err error) error {
	if w.failed == nil {
		w.failed = err
		w.ready.Add(1)
		signal(w.wake)
	}
	return w.failed
}

// Close leaves the fabric. Others that have not yet received everything do not get it any
// more: close when all have finished, or none can.
func (w *Worker) Close() {
	w.mu.Lock()
	again := w.closing
	w.closing = true
	w.fail(errClosed)
	w.mu.Unlock()
	if again {
		return
	}
	w.carrier.Close()
	close(w.closed)
	w.exited.Wait()
}

var errClosed = fmt.Errorf("the worker left: %w", exchange.ErrRestart)

// signal wakes who waits at c, once.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// arrived takes a frame from the network. It runs on the carrier's goroutine.
func (w *Worker) arrived(frame []byte) {
	h, payload, err := open(frame)
	if err == nil {
		err = w.check(h)
	}
	if err == nil {
		w.mu.Lock()
		err = w.dispatch(h, payload)
		w.mu.Unlock()
	}
	if err != nil {
		w.stats.refuse(err)
	}
}

// check refuses frames that are for somebody else.
func (w *Worker) check(h header) error {
	switch {
	case h.digest != w.Digest:
		return errDigest
	case h.epoch != w.Epoch:
		return errEpoch
	case int64(h.from) >= int64(w.Config.Size), int(h.from) == w.Config.Rank, int64(h.to) != int64(w.Config.Rank):
		return errSender
	}
	return nil
}

// dispatch puts an intact frame where it belongs. The caller holds the lock.
func (w *Worker) dispatch(h header, payload []byte) error {
	from := int(h.from)
	switch h.kind {
	case ack:
		return w.acked(from, h.seq, payload)
	case probe:
		if len(payload) != 0 {
			return errContent
		}
		w.acknowledge(from, h.seq)
		return nil
	}
	return w.take(h, payload)
}

// acked takes in what another worker says it received, and sends again what was lost. The
// caller holds the lock.
func (w *Worker) acked(from int, probe uint64, payload []byte) error {
	a, err := readAcknowledgement(payload)
	if err != nil {
		return err
	}
	released, lost, err := w.out[from].acked(a, probe, time.Now())
	if err != nil {
		return err
	}
	for _, p := range released {
		w.recycle(p)
	}
	for _, p := range lost {
		if !p.publishing {
			w.stats.resent.Add(1)
			p.sent = time.Time{}
			w.post(letter{to: from, parcel: p})
		}
	}
	signal(w.wake)
	return nil
}

// take admits a reliable frame. The caller holds the lock.
func (w *Worker) take(h header, payload []byte) error {
	from, phase := int(h.from), int64(h.phase)
	i := &w.in[from]
	if h.seq != 0 && h.seq <= i.received { // before the phase is looked at: it may be an old one
		w.stats.duplicates.Add(1)
		w.acknowledge(from, 0)
		return nil
	}
	// All workers are in one phase, or some in the next one.
	if phase != w.phase+1 && (phase != w.phase || w.finished) {
		return errPhase
	}
	note, err := w.barrier.read(w, h, payload)
	if err != nil {
		return err
	}
	fresh, err := i.admit(h.seq)
	if err != nil {
		return err
	}
	if !fresh {
		w.stats.duplicates.Add(1)
		w.acknowledge(from, 0)
		return nil
	}
	if h.kind != batch {
		if w.barrier.repeats(note) {
			w.fail(fmt.Errorf("worker %d has ended phase %d twice: %w", from, phase, exchange.ErrRestart))
			return errContent
		}
		w.barrier.note(note)
		signal(w.wake)
		return nil
	}
	w.stats.batchesIn.Add(1)
	w.stats.bytesIn.Add(int64(len(payload)))
	w.queue[phase&1] = append(w.queue[phase&1], message{from, payload})
	if phase == w.phase {
		w.ready.Add(1)
		signal(w.wake)
	}
	return nil
}

// acknowledge tells a worker what was received from it, in answer to a probe or, with 0, to
// none. The caller holds the lock.
func (w *Worker) acknowledge(to int, probe uint64) {
	h := w.header(ack, to)
	h.seq = probe
	w.post(letter{to: to, frame: seal(w.in[to].acknowledgement().append(nil), h)})
}

func (w *Worker) header(k kind, to int) header {
	return header{kind: k, digest: w.Digest, epoch: w.Epoch, phase: uint32(w.phase), from: uint32(w.Config.Rank), to: uint32(to)}
}

// post hands a letter to the courier. The caller holds the lock.
func (w *Worker) post(l letter) {
	w.outbox = append(w.outbox, l)
	signal(w.courier)
}

// sendReliably seals a payload and sends it until it was received. The caller holds the
// lock.
func (w *Worker) sendReliably(k kind, to int, payload []byte, lent bool) {
	o := &w.out[to]
	o.last++
	h := w.header(k, to)
	h.seq = o.last
	p := &parcel{to: to, seq: h.seq, phase: w.phase, frame: seal(payload, h), lent: lent}
	if len(o.flight) == 0 {
		o.heard = time.Now() // the other side had nothing to say until now
	}
	o.flight = append(o.flight, p)
	w.post(letter{to: to, parcel: p})
}

// recycle takes a parcel's buffer back, if nobody reads it. The caller holds the lock.
func (w *Worker) recycle(p *parcel) {
	if p.lent && p.received && !p.publishing {
		p.lent = false
		if len(w.free) < maxFree {
			w.free = append(w.free, p.frame[:0])
		}
		p.frame = nil
	}
}

// maxFree is how many buffers are kept for the next payloads.
const maxFree = 128

var errOutside = errors.New("sending is for the time between Begin and Finish, and not for receivers")
