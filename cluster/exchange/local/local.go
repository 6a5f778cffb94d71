// Package local connects workers that are goroutines of one process: for tests, and for
// machines where nothing else is needed. Payloads are handed over, not copied.
package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/seltl/seltl/cluster/exchange"
)

// Options of a hub. The zero value is good; all but Credit is for tests.
type Options struct {
	// Credit is how many payloads may be under way from one worker to another; 0: 8.
	Credit int
	// Disorder has payloads taken in a random order, with Seed, and Poll leave some where
	// they are.
	Disorder bool
	Seed     uint64
	// FailAfter ends the attempt once workers have called Begin, Send, Poll and Finish so
	// often, all together; 0: never.
	FailAfter int64
}

const defaultCredit = 8

// Hub is what the workers of one attempt have in common.
type Hub struct {
	opts    Options
	workers []*worker
	spare   sync.Pool

	lock     sync.Mutex // guards all the rest, and that of the workers
	calls    int64
	phase    int      // phases that ended
	finished int      // workers that wait for the end of a phase
	sent     int64    // payloads of this phase
	taken    int64    // and those of them that were
	tallies  [][]byte // of this phase
	last     [][]byte // of the phase that ended last
	err      error    // why the attempt ended
}

// message is a payload under way.
type message struct {
	from    int
	payload []byte
}

// worker is the exchange of one worker.
type worker struct {
	*Hub
	rank    int
	receive exchange.Receiver
	random  *rand.Rand
	change  *sync.Cond // of what it may wait for
	inbox   []message
	under   []int // by receiver: payloads under way from here
}

// NewHub returns a hub for so many workers.
func NewHub(size int, opts Options) *Hub {
	if opts.Credit <= 0 {
		opts.Credit = defaultCredit
	}
	h := &Hub{opts: opts, tallies: make([][]byte, size)}
	for rank := range size {
		h.workers = append(h.workers, &worker{
			Hub: h, rank: rank, under: make([]int, size), change: sync.NewCond(&h.lock),
			random: rand.New(rand.NewPCG(opts.Seed, uint64(rank))),
		})
	}
	return h
}

// Worker returns the exchange of a worker.
func (h *Hub) Worker(rank int) exchange.Exchange { return h.workers[rank] }

// Fail ends the attempt: what workers call from now on returns an error that wraps
// exchange.ErrRestart.
func (h *Hub) Fail(why error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	h.fail(why)
}

func (h *Hub) fail(why error) {
	if h.err != nil {
		return
	}
	h.err = fmt.Errorf("%w: %w", exchange.ErrRestart, why)
	h.wakeAll()
}

func (h *Hub) wakeAll() {
	for _, w := range h.workers {
		w.change.Broadcast()
	}
}

func (w *worker) Rank() int { return w.rank }
func (w *worker) Size() int { return len(w.workers) }

func (w *worker) Buffer() []byte {
	if b, ok := w.spare.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, exchange.BatchBytes)
}

func (w *worker) Begin(receive exchange.Receiver) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.count()
	w.receive = receive
}

// count counts a call.
func (w *worker) count() {
	if w.calls++; w.opts.FailAfter > 0 && w.calls > w.opts.FailAfter {
		w.fail(errors.New("a test ends it"))
	}
}

// check returns why the attempt ended, or the context's error, which ends it.
func (w *worker) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		w.fail(fmt.Errorf("worker %d: %w", w.rank, err))
		return err
	}
	return w.err
}

func (w *worker) Send(ctx context.Context, to int, payload []byte) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.count()
	for {
		if err := w.check(ctx); err != nil {
			return err
		}
		if w.under[to] < w.opts.Credit {
			break
		}
		if err := w.takeOrWait(ctx); err != nil {
			return err
		}
	}
	w.under[to]++
	w.sent++
	receiver := w.workers[to]
	receiver.inbox = append(receiver.inbox, message{w.rank, payload})
	receiver.change.Signal()
	return nil
}

// takeOrWait takes a payload, or else waits until something has changed.
func (w *worker) takeOrWait(ctx context.Context) error {
	if len(w.inbox) > 0 {
		return w.take()
	}
	stop := context.AfterFunc(ctx, func() {
		w.lock.Lock()
		defer w.lock.Unlock()
		w.wakeAll()
	})
	defer stop()
	w.change.Wait()
	return nil
}

// take has the receiver take one payload, without the lock.
func (w *worker) take() error {
	at := 0
	if w.opts.Disorder {
		at = w.random.IntN(len(w.inbox))
	}
	m := w.inbox[at]
	w.inbox = append(w.inbox[:at], w.inbox[at+1:]...)
	w.lock.Unlock()
	err := w.receive(m.from, m.payload)
	if cap(m.payload) >= exchange.BatchBytes {
		w.spare.Put(&m.payload)
	}
	w.lock.Lock()
	w.taken++
	w.workers[m.from].under[w.rank]--
	w.workers[m.from].change.Signal()
	if err != nil {
		w.fail(fmt.Errorf("worker %d: %w", w.rank, err))
	}
	return err
}

func (w *worker) Poll(ctx context.Context) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.count()
	for {
		if err := w.check(ctx); err != nil {
			return err
		}
		if len(w.inbox) == 0 || w.opts.Disorder && w.random.IntN(2) == 0 {
			return nil
		}
		if err := w.take(); err != nil {
			return err
		}
	}
}

func (w *worker) Finish(ctx context.Context, tally []byte) ([][]byte, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.count()
	w.tallies[w.rank] = tally
	w.finished++
	for phase := w.phase; ; {
		if err := w.check(ctx); err != nil {
			return nil, err
		}
		if w.finished == len(w.workers) && w.sent == w.taken {
			w.last, w.tallies = w.tallies, make([][]byte, len(w.workers))
			w.finished, w.sent, w.taken = 0, 0, 0
			w.phase++
			w.wakeAll()
		}
		if w.phase > phase {
			w.receive = nil
			return w.last, nil
		}
		if err := w.takeOrWait(ctx); err != nil {
			return nil, err
		}
	}
}

// Run calls work for so many workers, each in a goroutine of its own, and returns their
// errors. An error of one ends the attempt for all.
func Run(ctx context.Context, size int, opts Options, work func(ctx context.Context, ex exchange.Exchange) error) []error {
	h := NewHub(size, opts)
	errs := make([]error, size)
	var wait sync.WaitGroup
	for rank := range size {
		wait.Go(func() {
			errs[rank] = work(ctx, h.Worker(rank))
			if errs[rank] != nil {
				h.Fail(fmt.Errorf("worker %d: %w", rank, errs[rank]))
			}
		})
	}
	wait.Wait()
	return errs
}
