package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// WorkerOptions are those of a worker process.
type WorkerOptions struct {
	Build Build
	// Orphan is how long a worker goes on with an attempt while nobody coordinates; 0 is
	// three times the lease.
	Orphan time.Duration
	// Patience is how long a worker stays while nobody coordinates; 0 is for ever.
	Patience time.Duration
	// Folder replaces that of jobs that keep checkpoints in one.
	Folder string
	// Memory bounds that of jobs, in bytes; 0: what the job says.
	Memory int64
	Log    func(text string)
}

// ErrAlone says that a worker left because nobody coordinates.
var ErrAlone = errors.New("nobody coordinates")

// A RefusedError says why a worker may not take part.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return "refused by the coordinator: " + e.Reason }

// Worker takes part in attempts, one at a time.
type Worker struct {
	WorkerOptions
	store *Store
	conn  *nats.Conn
	id    string
	host  string
	ended chan error
	// garbage counts messages that are none.
	garbage atomic.Int64

	mu      sync.Mutex
	current *attempt
	term    uint64
	leader  time.Time // when the coordinator was last heard
	absent  int       // heartbeats of it without the current attempt
}

// Work makes this process a worker until the context ends, which is no error, or it has to
// leave.
func Work(ctx context.Context, nc *nats.Conn, o WorkerOptions) error {
	store, err := openPatiently(ctx, nc, 0, o.Log)
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if o.Orphan <= 0 {
		o.Orphan = 3 * LeaseTime
	}
	w := &Worker{WorkerOptions: o, store: store, conn: nc, id: newID(), host: host, leader: time.Now(), ended: make(chan error, 1)}
	orders, err := nc.Subscribe(commands(w.id), func(m *nats.Msg) { w.command(ctx, m) })
	if err != nil {
		return err
	}
	defer func() { _ = orders.Unsubscribe() }()
	beats, err := nc.Subscribe(coordinatorBeats, w.heard)
	if err != nil {
		return err
	}
	defer func() { _ = beats.Unsubscribe() }()
	w.Log(fmt.Sprintf("worker %s is there", w.id))
	err = w.live(ctx)
	w.end(err)
	w.beat(true)
	_ = nc.FlushTimeout(time.Second) // a courtesy: silence says the same later
	return err
}

// live sends heartbeats until there is a reason to end.
func (w *Worker) live(ctx context.Context) error {
	ticker := time.NewTicker(Beat)
	defer ticker.Stop()
	alone := false // it was said that nobody coordinates
	for {
		w.beat(false)
		select {
		case <-ctx.Done():
			return nil
		case err := <-w.ended:
			return err
		case <-ticker.C:
		}
		w.mu.Lock()
		silent := time.Since(w.leader)
		orphan := w.current != nil && silent > w.Orphan
		w.mu.Unlock()
		if missed := silent > 2*LeaseTime; missed != alone {
			text := "somebody coordinates again"
			if alone = missed; alone {
				text = ErrNobody.Error()
			}
			w.Log(text)
		}
		if orphan {
			w.end(fmt.Errorf("for %s: %w", silent.Round(time.Second), ErrAlone))
		}
		if w.Patience > 0 && silent > w.Patience {
			return fmt.Errorf("for %s: %w", silent.Round(time.Second), ErrAlone)
		}
	}
}

// beat sends a heartbeat. One that is lost is followed by others.
func (w *Worker) beat(leaving bool) {
	b := workerBeat{ID: w.id, Host: w.host, PID: os.Getpid(), Build: w.Build, Leaving: leaving, Garbage: w.garbage.Load()}
	w.mu.Lock()
	if a := w.current; a != nil {
		b.Post = &a.post
		b.Started, b.Progress = a.started.Load(), a.progress.Load()
		if f := a.joined.Load(); f != nil {
			s := f.Stats()
			b.Fabric = &s
		}
	}
	w.mu.Unlock()
	_ = w.conn.Publish(workerBeats, mustJSON(b))
}

// heard takes a heartbeat of who coordinates: an attempt that does not count any more ends.
// Heartbeats that were sent before it began say nothing of it, however late they come.
func (w *Worker) heard(m *nats.Msg) {
	var b coordinatorBeat
	if json.Unmarshal(m.Data, &b) != nil || b.ID == "" || b.Term == 0 {
		w.garbage.Add(1)
		return
	}
	w.mu.Lock()
	if b.Term < w.term {
		w.mu.Unlock()
		return
	}
	w.term, w.leader = b.Term, time.Now()
	a := w.current
	if epoch, ok := b.Attempts[postOf(a).Job]; a == nil || ok && epoch == a.post.Epoch {
		w.absent = 0
	} else if b.Term > a.term || b.Number > a.beat {
		w.absent++
	}
	gone := w.absent > 1
	w.mu.Unlock()
	if gone {
		w.end(errors.New("the coordinator gave the attempt up"))
	}
}

func postOf(a *attempt) Post {
	if a == nil {
		return Post{}
	}
	return a.post
}

// command does what the coordinator says. It runs on the subscription's goroutine and does
// nothing that takes long there.
func (w *Worker) command(ctx context.Context, m *nats.Msg) {
	var c command
	if err := json.Unmarshal(m.Data, &c); err != nil || c.Do != "refuse" && !c.Post.sound() {
		w.garbage.Add(1)
		answer(m, reply{Reason: "not a command"})
		return
	}
	w.mu.Lock()
	a := w.current
	if a != nil && a.post != c.Post {
		if c.Do == "prepare" {
			w.mu.Unlock()
			answer(m, reply{Reason: fmt.Sprintf("busy with job %s", a.post.Job)})
			return
		}
		a = nil // what is said of another attempt says nothing of this one
	}
	if c.Do == "prepare" && a == nil {
		a = newAttempt(ctx, w, c)
		w.current, w.absent = a, 0
	}
	w.mu.Unlock()
	switch {
	case c.Do == "refuse":
		answer(m, reply{OK: true})
		select {
		case w.ended <- &RefusedError{c.Why}:
		default:
		}
	case c.Do == "stop":
		go func() { answer(m, w.stop(a, errors.New(c.Why))) }()
	case a == nil:
		answer(m, reply{Reason: "no part in that attempt"})
	case c.Do == "prepare": // perhaps once more, if the answer was lost
		go func() {
			<-a.prepared
			answer(m, a.readiness)
		}()
	case c.Do == "start":
		answer(m, reply{OK: a.start()})
	case c.Do == "interrupt":
		a.interrupted.Do(func() { close(a.interrupt) })
		answer(m, reply{OK: true})
	default:
		answer(m, reply{Reason: "no such command: " + c.Do})
	}
}

// end gives up what the worker does.
func (w *Worker) end(why error) {
	w.mu.Lock()
	a := w.current
	w.mu.Unlock()
	if a != nil {
		if why == nil {
			why = errors.New("the worker leaves")
		}
		w.Log(fmt.Sprintf("%v ends: %v", a, why))
		w.stop(a, why)
	}
}

// stop ends an attempt, if there is one, and says what its part in it was. The worker is
// idle then.
func (w *Worker) stop(a *attempt, why error) reply {
	if a == nil {
		return reply{OK: true}
	}
	a.stop(why)
	part := &Part{Worker: w.id, Host: w.host, PID: os.Getpid()}
	if f := a.joined.Load(); f != nil {
		part.Fabric = f.Stats()
	}
	w.mu.Lock()
	if w.current == a {
		w.current = nil
	}
	w.mu.Unlock()
	w.beat(false)
	return reply{OK: true, Part: part}
}
