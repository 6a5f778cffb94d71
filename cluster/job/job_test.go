package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/checkpoint"
	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/cluster/fabric"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/internal/testing/soak"
)

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := broker.Start(broker.ServerOptions{Listen: "127.0.0.1:0", User: "u", Password: "p", Store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	nc, err := broker.Connect(context.Background(), broker.Access{URL: s.URL(), User: "u", Password: "p"}, "test", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	store, err := OpenStore(context.Background(), nc, 0)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Who asks while the server is started anew bears with that, and asks once.
func TestServerAway(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	ctx := context.Background()
	o := broker.ServerOptions{Listen: "127.0.0.1:0", User: "u", Password: "p", Store: t.TempDir()}
	server, err := broker.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := broker.Connect(ctx, broker.Access{URL: server.URL(), User: "u", Password: "p"}, "test", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	s, err := OpenStore(ctx, nc, 0)
	if err != nil {
		t.Fatal(err)
	}
	o.Listen = strings.TrimPrefix(server.URL(), "nats://")
	server.Stop()
	asked := make(chan error, 1)
	go func() {
		_, err := s.Submit(ctx, "test", &search.Task{Schema: search.Schema}, Options{Workers: 1})
		asked <- err
	}()
	time.Sleep(Beat)
	if server, err = broker.Start(o); err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	if err := <-asked; err != nil {
		t.Fatal(err)
	}
	if all, err := s.Jobs(ctx); err != nil || len(all) != 1 {
		t.Errorf("%d jobs: %v", len(all), err)
	}
}

// One process at a time holds the lease, and later ones have later terms.
func TestLease(t *testing.T) {
	s := newStore(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	first, err := s.acquire(ctx, "first")
	if err != nil {
		t.Fatal(err)
	}
	short, end := context.WithTimeout(ctx, 50*time.Millisecond)
	defer end()
	if l, err := s.acquire(short, "second"); err == nil {
		t.Fatalf("two hold the lease: %+v", l)
	}
	if err := first.release(ctx); err != nil {
		t.Fatal(err)
	}
	second, err := s.acquire(ctx, "second")
	if err != nil {
		t.Fatal(err)
	}
	if second.term <= first.term {
		t.Errorf("terms %d and %d", first.term, second.term)
	}
	held := make(chan struct{})
	go func() {
		first.hold(ctx)
		close(held)
	}()
	select {
	case <-held: // it sees that another has it
	case <-time.After(2 * LeaseTime):
		t.Error("a lease that was lost is held")
	}
}

// Who ends in the middle of a renewal gives the lease back, though it does not know its revision;
// who has lost the lease takes it from nobody.
func TestLeaseRelease(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	first, err := s.acquire(ctx, "first")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.lease.Update(ctx, leaseKey, []byte("first"), first.revision); err != nil {
		t.Fatal(err)
	}
	if err := first.release(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.lease.Get(ctx, leaseKey); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Fatalf("the lease is not free: %v", err)
	}
	if _, err := s.acquire(ctx, "second"); err != nil {
		t.Fatal(err)
	}
	if err := first.release(ctx); err == nil {
		t.Error("a lease that was lost is given back")
	}
	if e, err := s.lease.Get(ctx, leaseKey); err != nil || string(e.Value()) != "second" {
		t.Errorf("%v, %v", e, err)
	}
}

// A coordinator gives the lease back at whatever moment of a renewal it ends.
func TestLeaseReturned(t *testing.T) {
	for i := range soak.Cases(12) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			c, err := NewCoordinator(t.Context(), s.conn, CoordinatorOptions{Log: func(string) {}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, end := context.WithTimeout(t.Context(), LeaseTime/5+time.Duration(i%12)*2*time.Millisecond)
			defer end()
			if err := c.Run(ctx); err != nil {
				t.Fatal(err)
			}
			if e, err := s.lease.Get(t.Context(), leaseKey); !errors.Is(err, jetstream.ErrKeyNotFound) {
				t.Errorf("the lease is not free: %v, %v", e, err)
			}
		})
	}
}

// A record is written by who has read its last version, and clients may cancel meanwhile.
func TestRecord(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	task := &search.Task{Schema: search.Schema, Main: "m.lks", Files: map[string][]byte{"m.lks": []byte("P = (a -> P).")}}
	r, err := s.Submit(ctx, "test", task, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if read, err := s.Task(ctx, r.ID); err != nil || read.Digest() != task.Digest() || r.Digest != task.Digest() {
		t.Errorf("%+v %v", read, err)
	}
	old, err := s.Job(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Cancel(ctx, r.ID); err != nil {
		t.Fatal(err)
	}
	old.State = Running
	if err := s.put(ctx, old); !errors.Is(err, checkpoint.ErrStale) {
		t.Errorf("an old version is written: %v", err)
	}
	j := &jobState{record: old}
	stored, err := s.Job(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.merge(stored); err != nil || !old.Cancel {
		t.Errorf("a client's wish is lost: %v", err)
	}
	if err := s.put(ctx, old); err != nil {
		t.Error(err)
	}
	stored.revision, stored.Coordinator = old.revision+1, "another"
	if err := j.merge(stored); !errors.Is(err, errDeposed) {
		t.Errorf("another coordinator wrote: %v", err)
	}
	if all, err := s.Jobs(ctx); err != nil || len(all) != 1 || all[0].State != Running {
		t.Errorf("%+v %v", all, err)
	}
	for _, id := range []string{"nothing", "", "a b", "*"} {
		if _, err := s.Job(ctx, id); !errors.Is(err, ErrNoJob) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestDiffers(t *testing.T) {
	b := Build{Version: "1", Revision: "r", Go: "go", Architecture: "a", Schema: 1, Binary: "b"}
	if why := b.Differs(b); why != "" {
		t.Error(why)
	}
	for want, change := range map[string]func(b *Build){
		"schema is 2": func(b *Build) { b.Schema = 2 }, "version is 2": func(b *Build) { b.Version = "2" }, "revision is not known": func(b *Build) { b.Revision = "" },
		"Go version is x": func(b *Build) { b.Go = "x" }, "program is c": func(b *Build) { b.Binary = "c" }, "architecture is z": func(b *Build) { b.Architecture = "z" },
	} {
		other := b
		change(&other)
		if why := b.Differs(other); !strings.Contains(why, want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

// Of many faults the first and the last are kept.
func TestFaults(t *testing.T) {
	r := &Record{}
	for n := range 3 * maxFaults {
		r.Epoch = uint32(n)
		r.fault("x")
	}
	if len(r.Faults) != maxFaults || r.Faults[0].Epoch != 0 || r.Faults[maxFaults-1].Epoch != 3*maxFaults-1 {
		t.Errorf("%d faults from %d to %d", len(r.Faults), r.Faults[0].Epoch, r.Faults[len(r.Faults)-1].Epoch)
	}
}

// Heartbeats of the coordinator end an attempt that they do not name, but not one that
// began after they were sent.
func TestLateHeartbeats(t *testing.T) {
	w := &Worker{WorkerOptions: WorkerOptions{Log: func(string) {}}}
	here := Post{Job: "here", Epoch: 2, Size: 1}
	begin := func() *attempt {
		a := &attempt{worker: w, post: here, term: 3, beat: 9}
		a.ctx, a.cancel = context.WithCancelCause(context.Background())
		w.current, w.absent = a, 0
		return a
	}
	hear := func(term, number uint64, attempts map[string]uint32) {
		w.heard(&nats.Msg{Data: mustJSON(coordinatorBeat{ID: "c", Term: term, Number: number, Attempts: attempts})})
	}
	a := begin()
	for number := range uint64(10) {
		hear(3, number, nil)
	}
	if a.ctx.Err() != nil {
		t.Fatal("heartbeats from before the attempt ended it")
	}
	hear(3, 10, map[string]uint32{"here": 2})
	hear(3, 11, map[string]uint32{"here": 3})
	if a.ctx.Err() != nil {
		t.Fatal("one heartbeat ended it")
	}
	hear(3, 12, map[string]uint32{"here": 3})
	if a.ctx.Err() == nil || w.current != nil {
		t.Fatal("the attempt does not count any more, and goes on")
	}
	a = begin()
	hear(4, 1, nil)
	hear(4, 2, nil)
	if a.ctx.Err() == nil {
		t.Fatal("another coordinator does not know it, and it goes on")
	}
}

// A job that has ended does not begin again when older records of it come in late.
func TestOverIsOver(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	r, err := s.Submit(ctx, "test", &search.Task{Schema: search.Schema}, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.State, r.Epoch, r.Ranks = Running, 1, []string{"w"}
	if err := s.put(ctx, r); err != nil {
		t.Fatal(err)
	}
	late, err := s.jobs.Get(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	c := &Coordinator{CoordinatorOptions: CoordinatorOptions{Log: func(string) {}}, store: s, conn: s.conn, events: make(chan any, 9),
		ctx: ctx, lease: &lease{}, members: map[string]*member{}, jobs: map[string]*jobState{}, past: newHistory()}
	if err := c.recorded(late); err != nil || c.jobs[r.ID] == nil || c.jobs[r.ID].attempt == nil {
		t.Fatalf("%v: %+v", err, c.jobs)
	}
	c.jobs[r.ID].attempt.end()
	c.jobs[r.ID].attempt = nil
	if err := c.finish(c.jobs[r.ID], Outcome{Ending: GaveUp}); err != nil {
		t.Fatal(err)
	}
	if err := c.tick(time.Now()); err != nil || len(c.jobs) != 0 {
		t.Fatalf("%v: %+v", err, c.jobs)
	}
	if err := c.recorded(late); err != nil || len(c.jobs) != 0 {
		t.Errorf("it runs again: %v, %+v", err, c.jobs)
	}
}

// What belongs to one tenure does not come into the next.
func TestLateEvents(t *testing.T) {
	c := &Coordinator{events: make(chan any, 1)}
	ctx, end := context.WithCancel(context.Background())
	end()
	for range 100 { // select would choose at random
		c.tell(ctx, stopped{"w"})
	}
	if len(c.events) != 0 {
		t.Error("an event comes into the next tenure")
	}
}

// A worker that has another task is not a fault of the job, which waits if none came as far as
// searching, and goes on otherwise.
func TestUnfit(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	for _, searched := range []bool{false, true} {
		r, err := s.Submit(ctx, "test", &search.Task{Schema: search.Schema}, Options{Workers: 1, Attempts: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.State, r.Epoch, r.Ranks = Running, 1, []string{"w"}
		c := &Coordinator{CoordinatorOptions: CoordinatorOptions{Log: func(string) {}}, store: s, conn: s.conn, events: make(chan any, 9), ctx: ctx, lease: &lease{}, members: map[string]*member{"w": {}}, past: newHistory()}
		j := &jobState{record: r, unsuited: map[string]string{}, searched: searched}
		c.jobs = map[string]*jobState{r.ID: j}
		j.attempt = c.newLive(r)
		if err := c.prepared(prepared{Post{r.ID, 1, 0, 1}, reply{Unfit: true, Reason: "another digest"}}); err != nil {
			t.Fatal(err)
		}
		want := Queued
		if searched {
			want = Running
		}
		if r.State != want || r.Fruitless != 0 || c.refused != 1 || j.unsuited["w"] != "another digest" || j.attempt != nil || len(r.Faults) != 1 {
			t.Errorf("searched before: %v: %+v", searched, r)
		}
	}
}

// What no record knows goes once it is old, ledgers too; what a record knows stays.
func TestSweep(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	r, err := s.Submit(ctx, "test", &search.Task{Schema: search.Schema}, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{r.ID, "nobody"} {
		if _, err := checkpoint.Fence(ctx, s.ledger(id), 1, false); err != nil {
			t.Fatal(err)
		}
		if _, err := s.objects.PutBytes(ctx, resultName(id, 1), []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.sweep(ctx, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if e, _, err := s.ledger("nobody").Read(ctx); err != nil || e.Epoch != 1 {
		t.Errorf("a new ledger is gone: %+v, %v", e, err)
	}
	if err := s.sweep(ctx, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if e, _, err := s.ledger("nobody").Read(ctx); err != nil || e.Epoch != 0 {
		t.Errorf("an old ledger that nobody knows remains: %+v, %v", e, err)
	}
	if e, _, err := s.ledger(r.ID).Read(ctx); err != nil || e.Epoch != 1 {
		t.Errorf("the ledger of a job is gone: %+v, %v", e, err)
	}
	if list, err := s.objects.List(ctx); err != nil || len(list) != 2 {
		t.Errorf("%d objects are there, want the task and the result of the job: %v", len(list), err)
	}
	if err := s.Forget(ctx, r.ID); !errors.Is(err, ErrNotEnded) {
		t.Errorf("a job that waits is forgotten: %v", err)
	}
}

// Workers that all wait for each other, for long, are no attempt, nor is one whose workers cannot
// be where they are; one that computes is, and one whose workers take what was sent.
func TestStandstill(t *testing.T) {
	now := time.Now()
	c := &Coordinator{CoordinatorOptions: CoordinatorOptions{Lost: LeaseTime}, ctx: context.Background(), members: map[string]*member{}, echo: now}
	j := &jobState{record: &Record{ID: "j", Epoch: 1, Ranks: []string{"a", "b"}}}
	j.attempt = c.newLive(j.record)
	j.attempt.ready = 2
	with := func(a, b fabric.Stats) (fault string) {
		j.attempt.stood = time.Time{}
		for rank, s := range []fabric.Stats{a, b} {
			c.members[j.record.Ranks[rank]] = &member{heard: now, beat: workerBeat{Started: true, Post: &Post{"j", 1, rank, 2}, Fabric: &s}}
		}
		for _, again := range []string{"", "a", "b"} { // nobody says it again, one, both
			if fault != "" {
				t.Errorf("%+v, %+v: a fault before all have said it twice: %s", a, b, fault)
			}
			if now = now.Add(time.Second); again != "" {
				c.members[again].heard = now
			}
			fault = c.inspect(j, now)
		}
		return fault
	}
	idle := func(d time.Duration) fabric.Stats { return fabric.Stats{Idle: d, Waits: d} }
	for n, try := range []struct {
		a, b fabric.Stats
		says string
	}{
		{idle(0), idle(0), ""}, {idle(silence), idle(0), ""}, {idle(0), idle(time.Hour), ""},
		{idle(standstill), idle(standstill - 1), ""}, {idle(standstill), idle(time.Hour), "waited for each other"},
		// Something is under way: a slow network has longer.
		{fabric.Stats{Idle: standstill, Waits: standstill, UnderWay: 1}, idle(time.Hour), ""},
		{fabric.Stats{Idle: silence, Waits: silence, UnderWay: 1}, idle(time.Hour), "waited for each other"},
		// One takes what comes, for long, but not for ever.
		{fabric.Stats{Idle: 1, Waits: silence}, idle(time.Hour), ""}, {fabric.Stats{Idle: 0, Waits: drain}, idle(time.Hour), "waited for each other"},
		// One that computes is waited for, also for hours.
		{fabric.Stats{Phases: 7}, fabric.Stats{Idle: time.Hour, Waits: time.Hour, Phases: 8}, ""},
		{fabric.Stats{Phases: 8}, fabric.Stats{Idle: time.Hour, Waits: time.Hour, Phases: 7}, ""},
		// Nobody can be two phases ahead of one that waits; of one that does not, it may be so by
		// what was said last.
		{fabric.Stats{Idle: apart, Waits: apart, Phases: 7}, fabric.Stats{Phases: 9}, "needs the word of worker 0"},
		{fabric.Stats{Idle: apart - 1, Waits: apart - 1, Phases: 7}, fabric.Stats{Phases: 9}, ""},
		{fabric.Stats{Phases: 7}, fabric.Stats{Phases: 900}, ""},
	} {
		if fault := with(try.a, try.b); (fault != "") != (try.says != "") || !strings.Contains(fault, try.says) {
			t.Errorf("%d: %q, want %q", n, fault, try.says)
		}
	}
	with(idle(time.Hour), idle(time.Hour))
	c.members["b"].beat.Post.Epoch = 2
	if fault := c.inspect(j, now); fault != "" {
		t.Errorf("another attempt: %q", fault)
	}
}

// An attempt that is stopped while it is started does not run when the stop is over.
func TestStartAndStop(t *testing.T) {
	var runs atomic.Int64
	w := &Worker{WorkerOptions: WorkerOptions{Log: func(string) { runs.Add(1) }}}
	for range soak.Cases(300) {
		a := &attempt{worker: w, post: Post{"j", 1, 0, 1}, prepared: make(chan struct{}), readiness: reply{OK: true}}
		a.ctx, a.cancel = context.WithCancelCause(context.Background())
		close(a.prepared)
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { a.start() })
		}
		a.stop(errors.New("a test"))
		before := runs.Load()
		all.Wait()
		if a.start() || runs.Load() != before {
			t.Fatal("it runs after it was stopped")
		}
	}
}

// A worker that did not say in a short attempt that it was there has not left a later one.
func TestAstrayIsOfOneAttempt(t *testing.T) {
	start := time.Now()
	c := &Coordinator{CoordinatorOptions: CoordinatorOptions{Lost: 5 * time.Second}, ctx: t.Context(), members: map[string]*member{"w": {heard: start}}}
	begun := func(epoch uint32) *jobState {
		j := &jobState{record: &Record{ID: "j", Epoch: epoch, Ranks: []string{"w"}}}
		j.attempt = c.newLive(j.record)
		j.attempt.ready = 1
		return j
	}
	if why := c.inspect(begun(1), start); why != "" {
		t.Errorf("an attempt that begins: %s", why)
	}
	later := begun(2)
	if why := c.inspect(later, start.Add(time.Minute)); why != "" {
		t.Errorf("the next attempt: %s", why)
	}
	if why := c.inspect(later, start.Add(time.Minute+6*time.Second)); !strings.Contains(why, "has left the attempt") {
		t.Errorf("a worker that is not there: %q", why)
	}
}

// Why an attempt ended is told without the words that it did.
func TestFaultText(t *testing.T) {
	inner := fmt.Errorf("no room: %w", exchange.ErrRestart)
	for _, err := range []error{inner, fmt.Errorf("%w: %w", exchange.ErrRestart, inner), fmt.Errorf("%w: %w", inner, exchange.ErrRestart)} {
		if got := faultText(err); got != "no room" {
			t.Errorf("%v: %q", err, got)
		}
	}
}
