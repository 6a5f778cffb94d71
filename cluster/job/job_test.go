package job

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/checkpoint"
	"github.com/seltl/seltl/cluster/search"
)

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := broker.Start(broker.ServerOptions{Listen: "127.0.0.1:0", User: "u", Password: "p", Store: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	nc, err := broker.Connect(broker.Access{URL: s.URL(), User: "u", Password: "p"}, "test", time.Second)
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
	b := Build{Version: "1", Revision: "r", Go: "go", Schema: 1, Binary: "b"}
	if why := b.Differs(b); why != "" {
		t.Error(why)
	}
	for want, change := range map[string]func(b *Build){
		"schema is 2": func(b *Build) { b.Schema = 2 }, "version is 2": func(b *Build) { b.Version = "2" }, "revision is not known": func(b *Build) { b.Revision = "" },
		"Go version is x": func(b *Build) { b.Go = "x" }, "program is c": func(b *Build) { b.Binary = "c" },
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
