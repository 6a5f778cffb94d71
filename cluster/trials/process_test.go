package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// built is a folder for the program, removed in the end.
var built string

func TestMain(m *testing.M) {
	status := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(status)
}

// temporary is where the program is built: tests have temporary folders of their own, in which
// nothing may remain.
var temporary = os.TempDir()

// trialVersion is the version that the program calls itself.
const trialVersion = "of-these-trials"

// build builds the program, once.
var build = sync.OnceValues(func() (string, error) {
	if program := os.Getenv("SELTL_CLUSTER"); program != "" {
		return program, nil
	}
	var err error
	if built, err = os.MkdirTemp(temporary, "trials-*"); err != nil {
		return "", err
	}
	program := filepath.Join(built, "seltl-cluster")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-X github.com/seltl/seltl/internal/cmdline.Version="+trialVersion, "-o", program, "../cmd/seltl-cluster").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return program, err
})

func program(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// patience is how long any process may take that is waited for.
const patience = 4 * time.Minute

// ended is a process that has ended.
type ended struct {
	status   int // -1: by a signal
	out, err string
}

func (e ended) String() string {
	return fmt.Sprintf("status %d\n%s%s", e.status, e.out, e.err)
}

// process is one that runs.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
	done     chan struct{}
}

// start starts the program. It ends with the test at the latest, and everything that it
// has started: processes of run are below it, and go by what their standard input says.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	return startBy(t, program(t), args...)
}

// startBy starts a program that runs it.
func startBy(t testing.TB, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...), done: make(chan struct{})}
	p.Stdout, p.Stderr = &p.out, &p.err
	p.Env = append(os.Environ(), "HOME="+os.TempDir(), "SELTL_CLUSTER_NATS=", "SELTL_CLUSTER_USER=")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait() // its state says how it ended
		close(p.done)
	}()
	t.Cleanup(func() { p.kill() })
	return p
}

// kill kills the process, and waits until it is gone.
func (p *process) kill() {
	_ = p.Process.Kill()
	<-p.done
}

// signal sends it a signal, unless it is gone.
func (p *process) signal(t testing.TB, s syscall.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// wait waits for its end.
func (p *process) wait(t testing.TB) ended {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		_ = p.Process.Signal(syscall.SIGQUIT) // says where it hangs
		time.Sleep(time.Second)
		p.kill()
		t.Fatalf("%v hangs\n%s%s", p.Args[1:], p.out.String(), p.err.String())
	}
	return ended{p.ProcessState.ExitCode(), p.out.String(), p.err.String()}
}

// seltlCluster runs the program to its end.
func seltlCluster(t testing.TB, args ...string) ended {
	t.Helper()
	return start(t, args...).wait(t)
}

// read reads the report of a process that was run with --json.
func (e ended) read(t testing.TB) (*report.Report, *report.Result) {
	t.Helper()
	r := &report.Report{}
	if err := json.Unmarshal([]byte(e.out), r); err != nil || len(r.Results) != 1 {
		t.Fatalf("no report with one result: %v\n%v", err, e)
	}
	if r.Exit != e.status {
		t.Fatalf("the report says %d: %v", r.Exit, e)
	}
	return r, &r.Results[0]
}

// pool is a server and workers that wait for jobs.
type pool struct {
	t       testing.TB
	store   string
	access  string
	server  *process
	workers []*process
}

// newPool starts a server with so many workers. More flags are for the server.
func newPool(t testing.TB, workers int, flags ...string) *pool {
	t.Helper()
	store := t.TempDir()
	p := &pool{t: t, store: store, access: filepath.Join(store, "access.json")}
	p.serve("127.0.0.1:0", flags...)
	for range workers {
		p.work()
	}
	return p
}

// serve starts the server, again with the same store if there was one.
func (p *pool) serve(listen string, flags ...string) {
	p.t.Helper()
	before := p.read()
	p.server = start(p.t, append([]string{"serve", "--listen", listen, "--store", p.store}, flags...)...)
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if a := p.read(); a.URL != "" && (before.URL == "" || listen != "127.0.0.1:0" || a.URL != before.URL) {
			return
		}
		select {
		case <-p.server.done:
			p.t.Fatalf("the server ended: %s", p.server.err.String())
		default:
		}
		if time.Now().After(until) {
			p.t.Fatalf("the server does not start: %s", p.server.err.String())
		}
	}
}

// read reads how to connect.
func (p *pool) read() (a broker.Access) {
	if text, err := os.ReadFile(p.access); err == nil {
		_ = json.Unmarshal(text, &a) // half of it may be there
	}
	return a
}

// stored connects to what a pool's server stores, as whoever may submit jobs.
func stored(t testing.TB, a broker.Access) (js jetstream.JetStream, done func()) {
	t.Helper()
	nc, err := nats.Connect(a.URL, nats.UserInfo(a.User, a.Password))
	if err != nil {
		t.Fatal(err)
	}
	if js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	return js, nc.Close
}

// work starts another worker.
func (p *pool) work(flags ...string) *process {
	p.t.Helper()
	w := start(p.t, append([]string{"work", "--access", p.access}, flags...)...)
	p.workers = append(p.workers, w)
	return w
}

// submit asks a question of the pool, and waits for the answer.
func (p *pool) submit(t testing.TB, args ...string) ended {
	t.Helper()
	return seltlCluster(t, append([]string{"submit", "--json", "--access", p.access}, args...)...)
}

// wait waits for the end of a process that asks the pool. What the pool has said is shown
// if that does not come.
func (p *pool) wait(t testing.TB, asked *process) ended {
	t.Helper()
	select {
	case <-asked.done:
	case <-time.After(patience - 30*time.Second):
		t.Logf("%v\nserver: %s", seltlCluster(t, "status", "--access", p.access), p.server.err.String())
		for _, w := range p.workers {
			t.Logf("worker %d: %s", w.Process.Pid, w.err.String())
		}
	}
	return asked.wait(t)
}

// quiet lets nothing of a test remain: processes, temporary folders.
func quiet(t testing.TB) {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Cleanup(func() {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			t.Errorf("%s remains", e.Name())
		}
	})
}

// childrenOf returns the processes that a process has started.
func childrenOf(pid int) (pids []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range tasks {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended meanwhile
		}
		for word := range strings.FieldsSeq(string(text)) {
			var child int
			if _, err := fmt.Sscan(word, &child); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// await waits until something is so.
func await(t testing.TB, within time.Duration, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	for !so() {
		select {
		case <-ctx.Done():
			t.Fatalf("not within %s: %s", within, what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// alive reports whether a process runs; one that nobody has waited for does not.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, ok := strings.Cut(string(text), ") ")
	return ok && rest[0] != 'Z'
}

// onlySoaked skips a trial that takes minutes, also where nothing else runs, unless
// SELTL_SOAK asks for it. That processes are killed is tested beside the program, too.
func onlySoaked(t *testing.T) {
	t.Helper()
	if !soak.On() {
		t.Skip("a trial of minutes: make soak-cluster")
	}
}
