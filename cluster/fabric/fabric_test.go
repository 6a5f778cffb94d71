package fabric

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/internal/testing/soak"
)

// badNetwork is a network in memory that loses, doubles, damages and reorders frames.
type badNetwork struct {
	mu     sync.Mutex
	random *rand.Rand
	takers []chan []byte
	held   []heldFrame // to be delivered later
	lose   int         // of 100 frames
	double int
	harm   int
	hold   int
}

type heldFrame struct {
	to    int
	frame []byte
}

type badCarrier struct {
	net  *badNetwork
	rank int
	stop chan struct{}
}

func newBadNetwork(seed uint64, size, lose, double, harm, hold int) *badNetwork {
	n := &badNetwork{random: rand.New(rand.NewPCG(seed, 1)), lose: lose, double: double, harm: harm, hold: hold}
	for range size {
		n.takers = append(n.takers, make(chan []byte, 1<<12))
	}
	return n
}

func (c *badCarrier) Publish(to int, frame []byte) error {
	n := c.net
	n.mu.Lock()
	defer n.mu.Unlock()
	chance := func(percent int) bool { return n.random.IntN(100) < percent }
	if chance(n.lose) {
		return nil
	}
	times := 1
	if chance(n.double) {
		times = 2
	}
	for range times {
		f := slices.Clone(frame)
		if chance(n.harm) {
			if n.random.IntN(2) == 0 {
				f = f[:n.random.IntN(len(f))]
			} else {
				f[n.random.IntN(len(f))] ^= 1 << n.random.IntN(8)
			}
		}
		if chance(n.hold) {
			n.held = append(n.held, heldFrame{to, f})
			continue
		}
		n.put(to, f)
	}
	if len(n.held) > 5 || chance(10) {
		n.random.Shuffle(len(n.held), func(i, j int) { n.held[i], n.held[j] = n.held[j], n.held[i] })
		for _, h := range n.held {
			n.put(h.to, h.frame)
		}
		n.held = nil
	}
	return nil
}

func (n *badNetwork) put(to int, f []byte) {
	select {
	case n.takers[to] <- f:
	default: // full: lost
	}
}

func (c *badCarrier) Listen(take func([]byte)) error {
	go func() {
		for {
			select {
			case f := <-c.net.takers[c.rank]:
				take(f)
			case <-c.stop:
				return
			}
		}
	}()
	return nil
}

func (c *badCarrier) MaxPayload() int { return 1 << 20 }
func (c *badCarrier) Close()          { close(c.stop) }

// runToy runs the toy on workers and compares.
func runToy(t *testing.T, g toyGraph, workers []*Worker, bytes int, within time.Duration) {
	t.Helper()
	want := g.levels()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	var all sync.WaitGroup
	errs := make([]error, len(workers))
	for i, w := range workers {
		all.Go(func() {
			got, err := g.search(ctx, w, bytes, nil)
			if err == nil && !slices.Equal(got, want) {
				err = fmt.Errorf("levels %v, want %v", got, want)
			}
			if err != nil {
				cancel() // the others would wait
			}
			errs[i] = err
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("worker %d: %v\n%+v", i, err, workers[i].Stats())
		}
	}
}

// Loss, duplicates, damage and reordering change nothing.
func TestBadNetwork(t *testing.T) {
	for seed := range uint64(soak.Cases(9)) {
		size := 1 + int(seed%5)
		net := newBadNetwork(seed, size, int(seed%4)*5, 15, int(seed%3)*4, 30)
		var workers []*Worker
		for rank := range size {
			w, err := join(&badCarrier{net, rank, make(chan struct{})}, Config{Digest: 7, Epoch: 3, Rank: rank, Size: size, Resend: 2 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			workers = append(workers, w)
		}
		runToy(t, toyGraph{600, 3, seed}, workers, 48, time.Minute)
		if t.Failed() {
			t.Fatalf("seed %d, %d workers", seed, size)
		}
	}
}

// natsServer starts a server within the test.
func natsServer(t testing.TB, change func(*server.Options)) *server.Server {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, Username: "u", Password: "p"}
	if change != nil {
		change(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(s.Shutdown)
	return s
}

func connect(t testing.TB, s *server.Server) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.ClientURL(), nats.UserInfo("u", "p"), nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond), nats.ReconnectBufSize(-1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

func joinAll(t testing.TB, s *server.Server, size int) (workers []*Worker) {
	t.Helper()
	for rank := range size {
		w, err := Join(connect(t, s), "test.job", Config{Digest: 7, Epoch: 1, Rank: rank, Size: size, Resend: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Close)
		workers = append(workers, w)
	}
	return workers
}

func TestNATS(t *testing.T) {
	s := natsServer(t, nil)
	for _, size := range []int{1, 2, 3, 8} {
		workers := joinAll(t, s, size)
		runToy(t, toyGraph{20000, 3, uint64(size)}, workers, 512, time.Minute)
		for _, w := range workers {
			if len(w.Stats().Refused) > 0 {
				t.Errorf("%d workers: refused %v", size, w.Stats().Refused)
			}
			w.Close()
		}
	}
}

// Garbage on every subject, and frames that almost fit, are counted and change nothing.
func TestGarbage(t *testing.T) {
	s := natsServer(t, nil)
	workers := joinAll(t, s, 3)
	nc := connect(t, s)
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		r := rand.New(rand.NewPCG(1, 2))
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			h := header{kind: kind(1 + r.IntN(5)), digest: 7, epoch: 1, phase: uint32(r.IntN(4)), from: uint32(r.IntN(3)), to: uint32(r.IntN(3)), seq: 1 << 40}
			payload := make([]byte, r.IntN(200))
			for i := range payload {
				payload[i] = byte(r.Uint32())
			}
			switch n % 6 {
			case 0:
				h.digest++
			case 1:
				h.epoch++
			case 2:
				h.from += 3
			case 3:
				h.from = h.to
			case 4:
				h.kind = ack // of what was never sent
			}
			f := seal(payload, h)
			if n%6 == 5 {
				f = f[:r.IntN(len(f))]
			}
			_ = nc.Publish(Subject("test.job", 1, r.IntN(3)), f)
			if n%100 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	})
	runToy(t, toyGraph{20000, 3, 5}, workers, 256, time.Minute)
	close(stop)
	all.Wait()
	refused := map[string]int64{}
	for _, w := range workers {
		for name, n := range w.Stats().Refused {
			refused[name] += n
		}
	}
	for _, name := range []string{"digest", "epoch", "sender", "content"} {
		if refused[name] == 0 {
			t.Errorf("nothing was refused for its %s: %v", name, refused)
		}
	}
}

// Abort ends a wait; so do a context, a receiver's error, and a worker that says nothing.
func TestEnds(t *testing.T) {
	pair := func(t *testing.T, silence time.Duration) (a, b *Worker) {
		net := newBadNetwork(1, 2, 0, 0, 0, 0)
		var ws [2]*Worker
		for rank := range ws {
			w, err := join(&badCarrier{net, rank, make(chan struct{})}, Config{Rank: rank, Size: 2, Resend: time.Millisecond, Silence: silence})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(w.Close)
			ws[rank] = w
		}
		return ws[0], ws[1]
	}
	nothing := func(int, []byte) error { return nil }
	ctx := context.Background()
	t.Run("abort", func(t *testing.T) {
		a, _ := pair(t, 0)
		a.Begin(nothing)
		time.AfterFunc(5*time.Millisecond, func() { a.Abort(fmt.Errorf("gone: %w", exchange.ErrRestart)) })
		if _, err := a.Finish(ctx, nil); !errors.Is(err, exchange.ErrRestart) {
			t.Error(err)
		}
		if err := a.Send(ctx, 1, a.Buffer()); !errors.Is(err, exchange.ErrRestart) {
			t.Error(err)
		}
		if err := a.Poll(ctx); !errors.Is(err, exchange.ErrRestart) {
			t.Error(err)
		}
	})
	t.Run("context", func(t *testing.T) {
		a, _ := pair(t, 0)
		a.Begin(nothing)
		ctx, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
		defer cancel()
		if _, err := a.Finish(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
	t.Run("receiver", func(t *testing.T) {
		a, b := pair(t, 0)
		wrong := errors.New("not a state")
		b.Begin(nothing)
		if err := b.Send(ctx, 0, append(b.Buffer(), 1)); err != nil {
			t.Fatal(err)
		}
		a.Begin(func(from int, payload []byte) error { return wrong })
		if _, err := a.Finish(ctx, nil); !errors.Is(err, wrong) {
			t.Error(err)
		}
	})
	t.Run("silence", func(t *testing.T) {
		a, b := pair(t, 30*time.Millisecond)
		b.Close()
		a.Begin(nothing)
		if err := a.Send(ctx, 1, append(a.Buffer(), 1)); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Finish(ctx, nil); !errors.Is(err, exchange.ErrRestart) || !strings.Contains(err.Error(), "worker 1") {
			t.Error(err)
		}
	})
	t.Run("misuse", func(t *testing.T) {
		for name, send := range map[string]func(w *Worker) error{
			"to itself":    func(w *Worker) error { return w.Send(ctx, 0, w.Buffer()) },
			"to nobody":    func(w *Worker) error { return w.Send(ctx, 2, w.Buffer()) },
			"too large":    func(w *Worker) error { return w.Send(ctx, 1, make([]byte, 1<<20)) },
			"twice begun":  func(w *Worker) error { w.Begin(nothing); return w.Poll(ctx) },
			"large tally":  func(w *Worker) error { _, err := w.Finish(ctx, make([]byte, 1<<21)); return err },
			"after Finish": func(w *Worker) error { w.finished = true; return w.Send(ctx, 1, w.Buffer()) },
		} {
			a, b := pair(t, 0)
			a.Begin(nothing)
			if name == "large tally" {
				a = b
				a.Begin(nothing)
			}
			if err := send(a); err == nil {
				t.Error(name, "is accepted")
			}
		}
	})
}

// A worker that takes nothing is sent a bounded number of batches.
func TestCredit(t *testing.T) {
	net := newBadNetwork(1, 2, 0, 0, 0, 0)
	var ws [2]*Worker
	for rank := range ws {
		w, err := join(&badCarrier{net, rank, make(chan struct{})}, Config{Rank: rank, Size: 2, Resend: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		ws[rank] = w
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	ws[0].Begin(func(int, []byte) error { return nil })
	sent := 0
	for ; sent < 1000; sent++ {
		if err := ws[0].Send(ctx, 1, append(ws[0].Buffer(), 1)); err != nil {
			break
		}
	}
	if sent != int(ws[0].window) {
		t.Errorf("%d batches were sent to a worker that takes none, the window is %d", sent, ws[0].window)
	}
	for _, size := range []int{1, 2, 8, 1000, 1 << 20} {
		if n := window(size); n < minBatches || n > maxBatches || n > minBatches && n*(size-1) > totalQueued {
			t.Errorf("%d workers have windows of %d", size, n)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	s := natsServer(t, func(o *server.Options) { o.MaxPayload = 1000 })
	var size *SizeError
	if _, err := Join(connect(t, s), "x", Config{Size: 1}); !errors.As(err, &size) {
		t.Error(err)
	}
	if _, err := Join(connect(t, s), "x", Config{Size: 1, Rank: 1}); err == nil {
		t.Error("rank 1 of 1")
	}
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(seal([]byte("x"), header{kind: batch, seq: 1}))
	f.Add(seal(acknowledgement{1, 2, 3}.append(nil), header{kind: ack, from: 1}))
	f.Add(seal(appendTallies(appendCounts(nil, []uint64{1, 300}), [][]byte{{1}, nil}), header{kind: turn, from: 0, to: 1, seq: 1, phase: 1}))
	f.Add(seal(append(appendCounts(nil, []uint64{1, 300}), 5), header{kind: done, from: 1, to: 0, seq: 1, phase: 1}))
	f.Fuzz(func(t *testing.T, frame []byte) {
		h, payload, err := open(frame)
		if err == nil {
			if again := seal(slices.Clone(payload), h); !slices.Equal(again, frame) {
				t.Errorf("%x is read as %+v and written as %x", frame, h, again)
			}
		}
		// What is inside is looked at by workers whatever the checksum says.
		for rank := range 2 {
			c := &badCarrier{newBadNetwork(1, 2, 0, 0, 0, 0), rank, make(chan struct{})}
			w, err := join(c, Config{Digest: h.digest, Epoch: h.epoch, Rank: rank, Size: 2})
			if err != nil {
				t.Fatal(err)
			}
			w.Begin(func(int, []byte) error { return nil })
			for k := batch; k <= probe; k++ {
				h := h
				h.kind, h.to, h.from = k, uint32(rank), uint32(1-rank)
				w.arrived(seal(slices.Clone(frame), h))
				h.phase, h.seq = 1, 1
				w.arrived(seal(slices.Clone(frame), h))
			}
			_ = w.Poll(context.Background())
			w.Close()
		}
	})
}

// Decoding is the inverse of encoding, and nothing else decodes.
func TestCodec(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		h := header{kind(1 + r.IntN(5)), r.Uint64(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint64()}
		payload := make([]byte, r.IntN(300))
		for i := range payload {
			payload[i] = byte(r.Uint32())
		}
		f := seal(slices.Clone(payload), h)
		got, p, err := open(f)
		if err != nil || got != h || !slices.Equal(p, payload) {
			t.Fatalf("%+v: %+v %v", h, got, err)
		}
		f[r.IntN(len(f))] ^= 1 << r.IntN(8)
		if _, _, err := open(f); err == nil {
			t.Fatalf("%x: a wrong bit is not seen", f)
		}
	}
}

// What the fabric carries on loopback: go test -bench Throughput -run -.
func BenchmarkThroughput(b *testing.B) {
	for _, size := range []int{2, 4} {
		for _, bytes := range []int{16 << 10, 64 << 10} {
			b.Run(fmt.Sprintf("workers=%d/batch=%dK", size, bytes>>10), func(b *testing.B) {
				s := natsServer(b, nil)
				workers := joinAll(b, s, size)
				ctx := context.Background()
				b.SetBytes(int64(bytes * size))
				b.ReportAllocs()
				b.ResetTimer()
				var all sync.WaitGroup
				for rank, w := range workers {
					all.Go(func() {
						w.Begin(func(int, []byte) error { return nil })
						for n := range b.N {
							p := w.Buffer()[:bytes]
							if err := w.Send(ctx, (rank+1+n%(size-1))%size, p); err != nil {
								b.Error(err)
								return
							}
							if err := w.Poll(ctx); err != nil {
								b.Error(err)
								return
							}
						}
						if _, err := w.Finish(ctx, nil); err != nil {
							b.Error(err)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// What the end of a phase costs.
func BenchmarkPhase(b *testing.B) {
	for _, size := range []int{2, 8, 32} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := natsServer(b, nil)
			workers := joinAll(b, s, size)
			ctx := context.Background()
			b.ResetTimer()
			var all sync.WaitGroup
			for _, w := range workers {
				all.Go(func() {
					for range b.N {
						w.Begin(nil)
						if _, err := w.Finish(ctx, nil); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// A worker says for how long it waits for others, and that it does not when it does not.
func TestIdle(t *testing.T) {
	n := newBadNetwork(1, 2, 0, 0, 0, 0)
	var workers [2]*Worker
	for rank := range workers {
		c := &badCarrier{net: n, rank: rank, stop: make(chan struct{})}
		w, err := join(c, Config{Epoch: 1, Rank: rank, Size: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		w.Begin(func(int, []byte) error { return nil })
		workers[rank] = w
	}
	ended := make(chan error, 1)
	go func() {
		_, err := workers[1].Finish(context.Background(), nil)
		ended <- err
	}()
	for workers[1].Stats().Idle < time.Millisecond {
		time.Sleep(time.Millisecond)
	}
	if idle := workers[0].Stats().Idle; idle != 0 {
		t.Errorf("the one that others wait for waits for %v", idle)
	}
	if _, err := workers[0].Finish(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for rank, w := range workers {
		if idle := w.Stats().Idle; idle != 0 {
			t.Errorf("worker %d waits for %v after the end of the phase", rank, idle)
		}
	}
}

// Batches that nobody sent end the attempt at the end of the phase, if not before.
func TestMoreThanSent(t *testing.T) {
	for _, taken := range []bool{true, false} {
		t.Run(fmt.Sprintf("taken=%v", taken), func(t *testing.T) { moreThanSent(t, taken) })
	}
}

// moreThanSent forges a batch that is taken before the end of the phase comes, or, mostly, is
// still in the queue then.
func moreThanSent(t *testing.T, taken bool) {
	net := newBadNetwork(1, 2, 0, 0, 0, 0)
	var ws [2]*Worker
	for rank := range ws {
		w, err := join(&badCarrier{net, rank, make(chan struct{})}, Config{Digest: 7, Epoch: 1, Rank: rank, Size: 2, Resend: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(w.Close)
		w.Begin(func(int, []byte) error { return nil })
		ws[rank] = w
	}
	ended := make(chan error, 1)
	go func() {
		_, err := ws[0].Finish(t.Context(), nil)
		ended <- err
	}()
	// The second frame of worker 1, which sends none but its first: while that is missing the
	// other waits, whatever it takes.
	for ws[0].Stats().Waits == 0 {
		time.Sleep(time.Millisecond)
	}
	before, began := ws[0].Stats(), time.Now()
	ws[0].arrived(seal(nil, header{kind: batch, digest: 7, epoch: 1, phase: 1, from: 1, to: 0, seq: 2}))
	for taken { // until it idles since later
		since := time.Since(began)
		if idle := ws[0].Stats().Idle; idle != 0 && idle < since {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if s := ws[0].Stats(); taken && s.Waits <= before.Waits {
		t.Errorf("%+v, before %+v", s, before)
	}
	go func() { _, _ = ws[1].Finish(t.Context(), nil) }()
	if err := <-ended; !errors.Is(err, exchange.ErrRestart) || !strings.Contains(err.Error(), "fewer batches") {
		t.Error(err)
	}
	if s := ws[0].Stats(); s.Waits != 0 {
		t.Errorf("it waits after the end: %+v", s)
	}
}

// Two ends of a phase by one worker are not those of two: the attempt ends.
func TestEndedTwice(t *testing.T) {
	net := newBadNetwork(1, 3, 0, 0, 0, 0)
	w, err := join(&badCarrier{net, 0, make(chan struct{})}, Config{Digest: 7, Epoch: 1, Size: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	w.Begin(func(int, []byte) error { return nil })
	for seq := range uint64(2) {
		h := header{kind: done, digest: 7, epoch: 1, phase: 1, from: 1, to: 0, seq: seq + 1}
		w.arrived(seal(appendCounts(nil, make([]uint64, 3)), h))
	}
	if _, err := w.Finish(t.Context(), nil); !errors.Is(err, exchange.ErrRestart) || !strings.Contains(err.Error(), "worker 1 has ended phase 1 twice") {
		t.Error(err)
	}
}
