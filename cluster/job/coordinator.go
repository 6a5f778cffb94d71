package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/checkpoint"
)

// CoordinatorOptions are those of a process that may coordinate.
type CoordinatorOptions struct {
	Build Build
	// Lost is how long a worker may say nothing; 0 is as long as the lease.
	Lost time.Duration
	// Keep is how long jobs that ended are kept, KeepJobs how many of them; 0: for ever, all.
	Keep     time.Duration
	KeepJobs int
	// Room is that of OpenStore.
	Room int64
	Log  func(text string)
}

// Coordinator gives jobs to workers while it holds the lease. All that it knows belongs to
// the goroutine of its loop; others send it events.
type Coordinator struct {
	CoordinatorOptions
	store  *Store
	conn   *nats.Conn
	events chan any
	// garbage counts messages that are none.
	garbage atomic.Int64

	// Of one tenure.
	ctx     context.Context
	lease   *lease
	members map[string]*member
	jobs    map[string]*jobState
	queue   []*jobState // the same, those that were submitted first before others
	past    *history
	beats   uint64    // heartbeats, so far
	echo    time.Time // when it last heard its own heartbeat: the network works
	lost    int64     // workers, so far
	refused int64     // workers, for all jobs or for one
}

// Events of the loop, beside heartbeats and records.
type (
	reported struct {
		report
		message *nats.Msg
	}
	prepared struct {
		post  Post
		reply reply
	}
	stopped struct{ worker string }
	echoed  struct {
		id string
		at time.Time
	}
	beaten struct {
		workerBeat
		at time.Time
	}
	completed struct {
		post     Post
		parts    []Part
		explored Explored
	}
	asked struct {
		statusQuestion
		tell func(Status)
	}
	due struct { // jobs that are to be forgotten
		at   time.Time
		tell chan<- []string
	}
	gone struct {
		host string
		pid  int
		why  string
	}
)

// errDeposed says that another coordinates.
var errDeposed = errors.New("another process coordinates")

// NewCoordinator makes a coordinator over a connection.
func NewCoordinator(ctx context.Context, nc *nats.Conn, o CoordinatorOptions) (*Coordinator, error) {
	store, err := openPatiently(ctx, nc, o.Room, o.Log)
	if err != nil {
		return nil, err
	}
	if o.Lost <= 0 {
		o.Lost = LeaseTime
	}
	return &Coordinator{CoordinatorOptions: o, store: store, conn: nc, events: make(chan any, 1024)}, nil
}

// Run coordinates whenever it holds the lease, until the context ends, which is no error.
func (c *Coordinator) Run(ctx context.Context) error {
	for {
		l, err := c.store.acquire(ctx, newID())
		if err != nil {
			return nil
		}
		c.Log("coordinates from now on")
		err = c.tenure(ctx, l)
		if ctx.Err() != nil {
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			_ = l.release(within) // otherwise it ends by itself
			return nil
		}
		c.Log(fmt.Sprintf("coordinates no more: %v", err))
	}
}

// tenure coordinates until the lease is lost.
func (c *Coordinator) tenure(ctx context.Context, l *lease) error {
	ctx, resign := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	defer beside.Wait() // what gives the lease back must know its last renewal
	defer resign(nil)
	beside.Go(func() {
		l.hold(ctx)
		resign(errDeposed)
	})
	c.ctx, c.lease = ctx, l
	c.queue = nil
	c.members, c.jobs, c.past = map[string]*member{}, map[string]*jobState{}, newHistory()
	c.echo = time.Now()
	watcher, err := c.store.jobs.WatchAll(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Stop() }()
	leave, err := c.listen()
	defer leave()
	if err != nil {
		return err
	}
	beside.Go(func() { c.retain(ctx) })
	err = c.loop(watcher)
	for _, j := range c.jobs {
		j.forget()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// listen turns what comes over the network into events.
func (c *Coordinator) listen() (leave func(), err error) {
	ctx := c.ctx
	var subs []*nats.Subscription
	leave = func() {
		for _, s := range subs {
			_ = s.Unsubscribe()
		}
	}
	on := func(subject string, event func(m *nats.Msg) any) {
		if err != nil {
			return
		}
		var s *nats.Subscription
		s, err = c.conn.Subscribe(subject, func(m *nats.Msg) {
			if e := event(m); e != nil {
				c.tell(ctx, e)
			} else {
				c.garbage.Add(1)
			}
		})
		if err == nil {
			subs = append(subs, s)
		}
	}
	on(workerBeats, func(m *nats.Msg) any {
		b := beaten{at: time.Now()}
		if json.Unmarshal(m.Data, &b.workerBeat) != nil || b.ID == "" {
			return nil
		}
		return b
	})
	on(coordinatorBeats, func(m *nats.Msg) any {
		var b coordinatorBeat
		if json.Unmarshal(m.Data, &b) != nil || b.ID == "" {
			return nil
		}
		return echoed{b.ID, time.Now()}
	})
	on(reports, func(m *nats.Msg) any {
		r := reported{message: m}
		if json.Unmarshal(m.Data, &r.report) != nil || !r.Post.sound() {
			return nil
		}
		return r
	})
	on(statusRequests, func(m *nats.Msg) any {
		q, err := readStatusQuestion(m.Data)
		if err != nil {
			return nil
		}
		return asked{q, func(s Status) {
			if m.Reply != "" {
				_ = m.Respond(s.fit(int(c.conn.MaxPayload()))) // who asked asks again
			}
		}}
	})
	return leave, err
}

// tell sends the loop an event, if it still runs: the next tenure has nothing to do with it.
func (c *Coordinator) tell(ctx context.Context, event any) {
	if ctx.Err() != nil {
		return
	}
	select {
	case c.events <- event:
	case <-ctx.Done():
	}
}

// Status asks the loop of a coordinator in this process.
func (c *Coordinator) Status(ctx context.Context) (s Status, ok bool) {
	got := make(chan Status, 1)
	c.tell(ctx, asked{tell: func(s Status) { got <- s }})
	select {
	case s = <-got:
		return s, true
	case <-ctx.Done():
		return s, false
	}
}

// Gone says that a worker process of this machine has ended, so that nobody waits for its
// heartbeat.
func (c *Coordinator) Gone(ctx context.Context, host string, pid int, why string) {
	c.tell(ctx, gone{host, pid, why})
}

// loop handles events until the tenure ends.
func (c *Coordinator) loop(watcher jetstream.KeyWatcher) error {
	ticker := time.NewTicker(Beat / 5)
	defer ticker.Stop()
	var beaten time.Time
	for {
		if time.Since(beaten) >= Beat {
			beaten = time.Now()
			c.beat()
		}
		var err error
		select {
		case <-c.ctx.Done():
			return nil
		case e, ok := <-watcher.Updates():
			if !ok {
				return errors.New("the records of jobs are no longer to be watched")
			}
			switch {
			case e == nil: // these were all that there are
			case e.Operation() == jetstream.KeyValuePut:
				err = c.recorded(e)
			default:
				c.past.drop(e.Key())
			}
		case e := <-c.events:
			err = c.handle(e)
		case <-ticker.C:
			err = c.tick(time.Now())
		}
		if err != nil {
			return err
		}
	}
}

// beat says who coordinates and which attempts count.
func (c *Coordinator) beat() {
	c.beats++
	b := coordinatorBeat{ID: c.lease.holder, Term: c.lease.term, Number: c.beats, Attempts: map[string]uint32{}}
	for id, j := range c.jobs {
		if j.attempt != nil {
			b.Attempts[id] = j.attempt.epoch
		}
	}
	_ = c.conn.Publish(coordinatorBeats, mustJSON(b))
}

func (c *Coordinator) handle(e any) error {
	switch e := e.(type) {
	case beaten:
		if c.beaten(e) {
			return c.tick(time.Now())
		}
	case echoed:
		if e.id == c.lease.holder {
			c.echoed(e.at)
		}
	case gone:
		for _, m := range c.members {
			if m.beat.Host == e.host && m.beat.PID == e.pid {
				m.goneBecause = e.why
			}
		}
		return c.tick(time.Now())
	case stopped:
		if m := c.members[e.worker]; m != nil {
			m.stopping = false
		}
	case asked:
		e.tell(c.status(e.statusQuestion))
	case due:
		e.tell <- c.past.due(e.at, c.Keep, c.KeepJobs)
	case prepared:
		return c.prepared(e)
	case reported:
		return c.reported(e)
	case completed:
		return c.completed(e)
	}
	return nil
}

// recorded takes in a record that was written, by a client or by this coordinator.
func (c *Coordinator) recorded(e jetstream.KeyValueEntry) error {
	r, err := decodeRecord(e)
	if err != nil {
		c.Log(err.Error()) // of another version, say; it is not touched
		return nil
	}
	j := c.jobs[r.ID]
	if j != nil {
		return j.merge(r)
	}
	if r.State == Done {
		c.past.add(PastOf(r))
	}
	if c.past.has(r.ID) {
		return nil
	}
	j = &jobState{record: r, unsuited: map[string]string{}, since: time.Now(), seen: time.Now(), writer: r.Coordinator, epoch: r.Epoch}
	c.enqueue(j)
	if r.State == Running {
		j.searched = true
		c.adopt(j)
		return nil
	}
	return c.attend(j, time.Now(), c.free())
}

// save writes a job's record. A client may have asked for the job's end meanwhile; if
// another coordinator wrote it, this one's time is over.
func (c *Coordinator) save(j *jobState) error {
	j.record.Coordinator = c.lease.holder
	for {
		within, cancel := context.WithTimeout(c.ctx, LeaseTime/2)
		err := c.store.put(within, j.record)
		if errors.Is(err, checkpoint.ErrStale) {
			var stored *Record
			if stored, err = c.store.Job(within, j.record.ID); err == nil {
				err = j.merge(stored)
			}
			if err == nil {
				err = checkpoint.ErrStale
			}
		}
		cancel()
		if err == nil {
			j.writer, j.epoch = j.record.Coordinator, j.record.Epoch
		}
		if !errors.Is(err, checkpoint.ErrStale) {
			return err
		}
	}
}
