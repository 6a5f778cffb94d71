package job

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cluster/checkpoint"
	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/cluster/fabric"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/product"
)

// attempt is a worker's part in an attempt at a job: it is prepared, started, reports how
// it ended, and stays in the fabric, where others may need what it has sent, until it is
// stopped.
type attempt struct {
	worker      *Worker
	post        Post
	digest      string
	options     Options
	term, beat  uint64 // later heartbeats of the coordinator know of the attempt
	ctx         context.Context
	cancel      context.CancelCauseFunc
	interrupt   chan struct{}
	interrupted sync.Once

	prepared  chan struct{} // closed when readiness says how preparing ended
	readiness reply
	task      *search.Compiled

	progress atomic.Pointer[search.Progress]
	joined   atomic.Pointer[fabric.Worker]
	started  atomic.Bool
	running  sync.WaitGroup

	gate   sync.Mutex // nothing begins to run once it is over
	isOver bool
}

func (a *attempt) String() string {
	return fmt.Sprintf("job %s, attempt %d, worker %d of %d", a.post.Job, a.post.Epoch, a.post.Rank, a.post.Size)
}

func newAttempt(ctx context.Context, w *Worker, c command) *attempt {
	a := &attempt{worker: w, post: c.Post, digest: c.Digest, options: c.Options, term: c.Term, beat: c.Beat, interrupt: make(chan struct{}), prepared: make(chan struct{})}
	a.ctx, a.cancel = context.WithCancelCause(ctx)
	a.running.Go(func() {
		defer close(a.prepared)
		a.readiness = a.prepare()
	})
	return a
}

// prepare reads the task, checks that it is the one that is meant, and joins the fabric.
func (a *attempt) prepare() reply {
	task, err := a.worker.store.Task(a.ctx, a.post.Job)
	if err != nil {
		return reply{Reason: err.Error()}
	}
	if got := task.Digest(); got != a.digest {
		return reply{Unfit: true, Reason: fmt.Sprintf("the task that it reads has the digest %.12s, the job's is %.12s", got, a.digest)}
	}
	compiled, err := task.Compile(a.ctx, budget.Limits{})
	if err != nil {
		return reply{Reason: err.Error(), Refused: a.ctx.Err() == nil}
	}
	raw, err := hex.DecodeString(a.digest)
	if err != nil || len(raw) < 8 {
		return reply{Reason: "the digest of the job is none"}
	}
	f, err := fabric.Join(a.worker.conn, frames(a.post.Job), fabric.Config{Digest: binary.LittleEndian.Uint64(raw), Epoch: a.post.Epoch, Rank: a.post.Rank, Size: a.post.Size})
	if err != nil {
		return reply{Reason: err.Error()}
	}
	a.task = compiled
	a.joined.Store(f)
	return reply{OK: true}
}

// start begins the search, once, and says whether it could.
func (a *attempt) start() bool {
	select {
	case <-a.prepared:
	default:
		return false
	}
	a.gate.Lock()
	defer a.gate.Unlock()
	if !a.readiness.OK || a.isOver || a.ctx.Err() != nil {
		return false
	}
	if !a.started.Swap(true) {
		a.running.Go(func() { a.report(a.run()) })
	}
	return true
}

// run searches and says how that ended.
func (a *attempt) run() (r report) {
	r = report{Worker: a.worker.id, Post: a.post}
	defer func() {
		if p := recover(); p == nil {
			return
		} else if err := budget.Aborted(p); err != nil { // the same for all workers, in every attempt
			r.How, r.Text = "refused", err.Error()
		} else {
			r.How, r.Text = "failed", fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	store := a.worker.store
	if a.worker.Folder != "" && a.options.Folder != "" {
		a.options.Folder = a.worker.Folder
	}
	memory := a.options.Memory
	if own := a.worker.Memory; own > 0 && (memory == 0 || own < memory) {
		memory = own
	}
	ck := checkpoint.New(store.parts(a.post.Job, &a.options), store.ledger(a.post.Job), a.post.Epoch, a.post.Size)
	res, err := search.RunCompiled(a.ctx, a.joined.Load(), ck, a.task, search.Options{
		Memory: memory, Store: a.options.Store, CheckpointEvery: a.options.CheckpointEvery, Interrupt: a.interrupt,
		Progress: func(p search.Progress) { a.progress.Store(&p) },
	})
	if err == nil && a.post.Rank == 0 {
		err = a.keep(res)
	}
	var finite *product.FiniteRunError
	switch {
	case err == nil:
		r.How = "result"
	case errors.Is(err, exchange.ErrUnreadable):
		r.How, r.Text = "unreadable", faultText(err)
	case errors.As(err, &finite): // the same for all workers, in every attempt
		r.How, r.Text = "refused", check.RefuseEnding(a.task.Net, finite).Error()
	case errors.Is(err, errUnkept):
		r.How, r.Text = "unkept", err.Error()
	case errors.Is(err, exchange.ErrRestart), a.ctx.Err() != nil:
		r.How, r.Text = "restart", faultText(err)
	default:
		r.How, r.Text = "failed", err.Error()
	}
	return r
}

// faultText is why an attempt ended, without that it did: the coordinator says that.
func faultText(err error) string {
	ended := exchange.ErrRestart.Error()
	return strings.ReplaceAll(strings.ReplaceAll(err.Error(), ": "+ended, ""), ended+": ", "")
}

var errUnkept = errors.New("there is an answer, but it cannot be stored")

// keep stores the answer, which may take several attempts at a server that is away.
func (a *attempt) keep(res *search.Result) error {
	for {
		err := a.worker.store.putResult(a.ctx, a.post.Job, a.post.Epoch, res)
		switch {
		case err == nil, a.ctx.Err() != nil:
			return err
		case errors.Is(err, checkpoint.ErrFull):
			return fmt.Errorf("%w: %w", errUnkept, err)
		}
		a.pause()
	}
}

// report tells the coordinator, whoever that is, until it knows.
func (a *attempt) report(r report) {
	a.worker.Log(fmt.Sprintf("%v: %s %s", a, r.How, r.Text))
	for a.ctx.Err() == nil {
		m, err := a.worker.conn.Request(reports, mustJSON(r), 2*time.Second)
		if err == nil {
			var got receipt
			if json.Unmarshal(m.Data, &got) == nil && (got.OK || got.Stale) {
				return
			}
		}
		a.pause()
	}
}

func (a *attempt) pause() {
	select {
	case <-time.After(Beat / 2):
	case <-a.ctx.Done():
	}
}

// stop ends the attempt and waits until it has.
func (a *attempt) stop(why error) {
	err := fmt.Errorf("%w: %w", why, exchange.ErrRestart)
	a.gate.Lock()
	a.isOver = true
	a.gate.Unlock()
	a.cancel(err)
	if f := a.joined.Load(); f != nil {
		f.Abort(err)
	}
	a.running.Wait()
	if f := a.joined.Load(); f != nil {
		f.Close()
	}
}
