package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/internal/testing/soak"
)

// ward is a process that comes back when it is killed.
type ward struct {
	what string
	args []string
	says io.Writer

	mu   sync.Mutex
	cmd  *exec.Cmd
	over bool
	done chan struct{}
}

func guard(t *testing.T, what string, says io.Writer, args ...string) *ward {
	w := &ward{what: what, args: args, says: says, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for {
			cmd := exec.Command(os.Args[0], args...)
			cmd.Stderr = says
			w.mu.Lock()
			if w.over {
				w.mu.Unlock()
				return
			}
			err := cmd.Start()
			w.cmd = cmd
			w.mu.Unlock()
			if err == nil {
				_ = cmd.Wait()
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	t.Cleanup(func() {
		w.mu.Lock()
		w.over = true
		w.mu.Unlock()
		w.kill()
		<-w.done
	})
	return w
}

func (w *ward) kill() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cmd != nil && w.cmd.Process != nil {
		_ = w.cmd.Process.Kill()
	}
}

// notes keeps what processes say, for a test that fails.
type notes struct {
	mu   sync.Mutex
	text []byte
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, p...)
	return len(p), nil
}

// deployment is a server that coordinates, a second process that would, and workers.
type deployment struct {
	wards  []*ward
	access broker.Access
	store  *job.Store
	says   *notes
}

func deploy(t *testing.T, workers int) *deployment {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	folder := t.TempDir()
	file := filepath.Join(folder, accessFile)
	d := &deployment{says: &notes{}}
	d.wards = append(d.wards, guard(t, "server", d.says, "serve", "--listen", address, "--store", folder))
	for text, err := os.ReadFile(file); ; text, err = os.ReadFile(file) {
		if err == nil && json.Unmarshal(text, &d.access) == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	d.wards = append(d.wards, guard(t, "standby", d.says, "serve", "--access", file))
	for i := range workers {
		d.wards = append(d.wards, guard(t, fmt.Sprintf("worker %d", i), d.says, "work", "--access", file))
	}
	nc, err := broker.Connect(context.Background(), d.access, "test", 10*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if d.store, err = job.OpenStore(context.Background(), nc, 0); err != nil {
		t.Fatal(err)
	}
	return d
}

// patiently does what needs a server that may just be away.
func patiently[T any](t *testing.T, what string, do func(ctx context.Context) (T, error)) T {
	t.Helper()
	for until := time.Now().Add(time.Minute); ; {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		v, err := do(ctx)
		cancel()
		if err == nil {
			return v
		}
		if time.Now().After(until) {
			t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Whatever process is killed, at whatever moment, the counts are the same, or there is no
// answer. In a soak run SELTL_SOAK=50 kills 100 times.
func TestKilledAnything(t *testing.T) {
	if testing.Short() {
		t.Skip("processes are started and a lease runs out: some seconds")
	}
	d := deploy(t, 4)
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": longer(9, 11)}, search.Question{})
	want := countedByOne(t, task)
	kills, answered, gaveUp, attempts := map[string]int{}, 0, 0, 0
	total := 0
	for round := 0; total < soak.Seeds(2); round++ {
		random := rand.New(rand.NewPCG(uint64(round), 9))
		r := patiently(t, "submit", func(ctx context.Context) (*job.Record, error) {
			return d.store.Submit(ctx, "test", task, job.Options{Workers: 3, Attempts: 10, Replace: 30 * time.Second, CheckpointEvery: 1 + random.IntN(4)})
		})
		for range 1 + random.IntN(3) {
			time.Sleep(time.Duration(random.IntN(700)) * time.Millisecond)
			w := d.wards[random.IntN(len(d.wards))]
			if random.IntN(3) == 0 {
				w = d.wards[random.IntN(2)]
			}
			w.kill()
			kills[w.what]++
			total++
		}
		var ended *job.Record
		for until := time.Now().Add(3 * time.Minute); ended == nil; time.Sleep(20 * time.Millisecond) {
			got := patiently(t, "status", func(ctx context.Context) (*job.Record, error) { return d.store.Job(ctx, r.ID) })
			if got.State == job.Done {
				ended = got
			} else if time.Now().After(until) {
				t.Fatalf("round %d: the job does not end: %+v\n%s", round, got, d.says.text)
			}
		}
		attempts += int(ended.Epoch)
		switch ended.Outcome.Ending {
		case job.GaveUp:
			gaveUp++
			t.Logf("round %d: %s", round, ended.Outcome.Reason)
		case job.Answered:
			answered++
			res := patiently(t, "result", func(ctx context.Context) (*search.Result, error) { return d.store.Result(ctx, ended) })
			if countsOf(res) != want {
				t.Fatalf("round %d: %+v, want %+v\n%+v\n%s", round, res, want, ended.Faults, d.says.text)
			}
		default:
			t.Fatalf("round %d: %+v\n%s", round, ended.Outcome, d.says.text)
		}
	}
	t.Logf("%d kills %v: %d jobs answered in %d attempts, %d gave up", total, kills, answered, attempts, gaveUp)
}

// When run is killed, its workers end by themselves.
func TestNoOrphans(t *testing.T) {
	b := newBench(t, 0, nil)
	cmd := exec.Command(os.Args[0], "work", "--child")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(stdin).Encode(b.access); err != nil {
		t.Fatal(err)
	}
	for {
		if s, ok := b.coordinator.Status(b.ctx); ok && len(s.Workers) == 1 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	stdin.Close() // as the end of its parent does
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("the worker stays when its parent is gone")
	}
}
