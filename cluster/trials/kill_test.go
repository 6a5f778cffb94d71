package trials

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// long is a question whose answer takes some seconds, with many rounds.
var long = question{file: specs("families", "milner.lks"), kind: "count", params: map[string]int{"N": 17}}

// compareOrUnknown is compare, but an unknown with a reason will do.
func (q *question) compareOrUnknown(t testing.TB, a *answer, e ended, workers int) (known bool, err error) {
	t.Helper()
	if e.status == report.ExitUnknown {
		_, r := e.read(t)
		if r.Verdict != report.Unknown || r.Reason == "" {
			return false, fmt.Errorf("unknown without a reason: %v", e)
		}
		t.Logf("unknown: %s", r.Reason)
		return false, nil
	}
	return true, q.compare(t, a, e, workers)
}

// TestKilledWorkers kills random workers of run, at random moments.
func TestKilledWorkers(t *testing.T) {
	onlySoaked(t)
	quiet(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	known, killed := 0, 0
	n := soak.Long(4)
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 22))
		workers := 1 + r.IntN(4)
		args := append([]string{"run", "--json", "-n", fmt.Sprint(workers)}, long.args()...)
		switch r.IntN(3) {
		case 0:
			args = append(args, "--checkpoint", "3")
		case 1:
			args = append(args, "--checkpoint", "2", "--checkpoint-folder", t.TempDir())
		}
		p := start(t, args...)
		children := map[int]bool{}
		for range 1 + r.IntN(4) {
			time.Sleep(time.Duration(r.IntN(2500)) * time.Millisecond)
			pids := childrenOf(p.Process.Pid)
			for i, pid := range pids {
				children[pid] = true
				if i == 0 || r.IntN(4) == 0 {
					_ = syscall.Kill(pid, syscall.SIGKILL)
					killed++
				}
			}
		}
		e := p.wait(t)
		ok, err := long.compareOrUnknown(t, want, e, workers)
		if err != nil {
			t.Errorf("seed %d, %v: %v", seed, args, err)
		}
		if ok {
			known++
		}
		for pid := range children {
			if alive(pid) {
				t.Errorf("seed %d: worker %d is still there", seed, pid)
			}
		}
	}
	t.Logf("%d runs, %d workers killed, %d answers known", n, killed, known)
}

// TestKilledRun kills run itself: nothing of it remains but its folder.
func TestKilledRun(t *testing.T) {
	onlySoaked(t)
	for seed := range soak.Long(uint64(3)) {
		r := rand.New(rand.NewPCG(seed, 23))
		p := start(t, append([]string{"run", "--json", "-n", "3", "--work-folder", t.TempDir()}, long.args()...)...)
		time.Sleep(time.Duration(r.IntN(2000)) * time.Millisecond)
		pids := childrenOf(p.Process.Pid)
		p.kill()
		await(t, 20*time.Second, fmt.Sprintf("seed %d: workers %v end without run", seed, pids), func() bool {
			for _, pid := range pids {
				if alive(pid) {
					return false
				}
			}
			return true
		})
	}
}

// TestKilledServer kills a server that coordinates, workers, and those who wait, and starts
// them again.
func TestKilledServer(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range soak.Long(uint64(3)) {
		r := rand.New(rand.NewPCG(seed, 24))
		p := newPool(t, 3)
		url := strings.TrimPrefix(p.read().URL, "nats://")
		args := append([]string{"submit", "--json", "--access", p.access, "-n", "3", "--checkpoint", "3"}, long.args()...)
		asked := start(t, args...)
		var did []string
		for i := range 1 + r.IntN(3) {
			time.Sleep(time.Duration(r.IntN(2500)) * time.Millisecond)
			if i%2 == 1 {
				did = append(did, "worker")
				p.workers[r.IntN(len(p.workers))].kill()
				p.work()
				continue
			}
			p.server.kill()
			wait := time.Duration(r.IntN(12)) * time.Second
			did = append(did, "server for "+wait.String())
			time.Sleep(wait)
			p.serve(url)
		}
		e := p.wait(t, asked)
		ok, err := long.compareOrUnknown(t, want, e, 3)
		if err != nil {
			t.Errorf("seed %d, %v: %v", seed, did, err)
		}
		t.Logf("seed %d: %v, known: %v", seed, did, ok)
		p.end()
	}
}

// end ends all processes as a user does; they must not take long, and say 130.
func (p *pool) end() {
	for _, w := range append(p.workers, p.server) {
		select {
		case <-w.done:
			continue
		default:
		}
		w.signal(p.t, syscall.SIGTERM)
		if e := w.wait(p.t); e.status != 130 {
			p.t.Errorf("%v: %v", w.Args[1:], e)
		}
	}
	if host := strings.TrimPrefix(p.read().URL, "nats://"); host != "" {
		if l, err := net.Listen("tcp", host); err != nil {
			p.t.Errorf("somebody still listens: %v", err)
		} else {
			_ = l.Close()
		}
	}
}

// TestStoppedWorker stops a worker for longer than it may be silent, and has it come back
// when another has its place.
func TestStoppedWorker(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range soak.Long(uint64(2)) {
		r := rand.New(rand.NewPCG(seed, 25))
		p := newPool(t, 4)
		args := append([]string{"submit", "--json", "--access", p.access, "-n", "3", "--checkpoint", "4"}, long.args()...)
		asked := start(t, args...)
		time.Sleep(time.Duration(300+r.IntN(2000)) * time.Millisecond)
		w, v := p.workers[r.IntN(4)], p.workers[r.IntN(4)]
		w.signal(t, syscall.SIGSTOP)
		time.Sleep(time.Duration(r.IntN(3)) * time.Second)
		v.signal(t, syscall.SIGSTOP)
		time.Sleep(10 * time.Second)
		w.signal(t, syscall.SIGCONT)
		v.signal(t, syscall.SIGCONT)
		e := p.wait(t, asked)
		if _, err := long.compareOrUnknown(t, want, e, 3); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		// The one that came back is of use again.
		small := question{file: specs("families", "milner.lks"), kind: "count", params: map[string]int{"N": 6}}
		if want, err := small.ask(context.Background()); err != nil {
			t.Error(err)
		} else if err := small.compare(t, want, p.submit(t, append(small.args(), "-n", "4")...), 4); err != nil {
			t.Errorf("seed %d, afterwards: %v", seed, err)
		}
		p.end()
	}
}

// TestNoCheckpoints searches where checkpoints cannot be kept, or not read.
func TestNoCheckpoints(t *testing.T) {
	onlySoaked(t)
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("this is no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, 2)
	ask := func(folder string) *process {
		return start(t, append([]string{"submit", "--json", "--access", p.access, "-n", "2", "--checkpoint", "2", "--checkpoint-folder", folder, "--attempts", "2"}, long.args()...)...)
	}
	t.Run("unwritable", func(t *testing.T) {
		if known, err := long.compareOrUnknown(t, want, ask(filepath.Join(file, "x")).wait(t), 2); err != nil || known {
			t.Error(known, err)
		}
	})
	t.Run("full", func(t *testing.T) {
		folder := t.TempDir()
		if err := syscall.Mount("none", folder, "tmpfs", 0, "size=256k"); err != nil {
			t.Skipf("no file system to fill: %v", err)
		}
		defer func() { _ = syscall.Unmount(folder, 0) }()
		if known, err := long.compareOrUnknown(t, want, ask(folder).wait(t), 2); err != nil || known {
			t.Error(known, err)
		}
	})
	t.Run("damaged", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 26))
		for i := range 4 {
			folder := t.TempDir()
			asked := ask(folder)
			parts := func() []string {
				list, _ := filepath.Glob(filepath.Join(folder, "*", "*-*", "[0-9]*"))
				return list
			}
			await(t, time.Minute, "a checkpoint", func() bool { return len(parts()) >= 2 })
			for _, w := range p.workers { // none is to save another one
				w.signal(t, syscall.SIGSTOP)
			}
			damaged := 0
			for _, name := range parts() {
				if info, err := os.Stat(name); err == nil {
					damaged++
					damage(t, r, name, info.Size(), i)
				}
			}
			p.workers[0].kill()
			p.workers[1].signal(t, syscall.SIGCONT)
			p.workers = p.workers[1:]
			p.work()
			e := p.wait(t, asked)
			known, err := long.compareOrUnknown(t, want, e, 2)
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
			t.Logf("%d: %d parts damaged, known: %v", i, damaged, known)
		}
	})
	p.end()
}

// damage flips a bit, cuts a file off, makes it empty, or longer.
func damage(t testing.TB, r *rand.Rand, name string, size int64, how int) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		return // the next checkpoint has come
	}
	switch {
	case how == 0 && len(text) > 0:
		text[r.IntN(len(text))] ^= 1 << r.IntN(8)
	case how == 1:
		text = text[:size/2]
	case how == 2:
		text = nil
	default:
		text = append(text, "and more"...)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
