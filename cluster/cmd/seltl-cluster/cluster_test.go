package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

// Worker processes of these tests are this binary, as those of run are the program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "work" || os.Args[1] == "serve") {
		os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

const families = "../../../specs/families/"

// command runs seltl-cluster in this process.
func command(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = run(append([]string{"seltl-cluster"}, args...), strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// bench is a machine whose workers answer several jobs.
type bench struct {
	*machine
	t   testing.TB
	ctx context.Context
}

// newBench starts workers; through, if not nil, says where they connect instead of to the
// server itself.
func newBench(t testing.TB, workers int, through func(url string) string) *bench {
	t.Helper()
	ctx, failed := context.WithCancelCause(context.Background())
	m := &machine{failed: failed, coordinates: make(chan struct{})}
	t.Cleanup(func() {
		m.stop()
		failed(nil)
	})
	if err := m.serve(ctx, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if err := m.coordinate(ctx); err != nil {
		t.Fatal(err)
	}
	access := m.access
	if through != nil {
		access.URL = through(access.URL)
	}
	if err := m.startWorkers(ctx, job.Options{Workers: workers, Replace: time.Minute}, access, ""); err != nil {
		t.Fatal(err)
	}
	return &bench{m, t, ctx}
}

func readTask(t testing.TB, file, process string, params map[string]int, q search.Question) *search.Task {
	t.Helper()
	task, err := search.Read(context.Background(), file, check.LoadOptions{Process: process, Params: params}, q)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// ask submits a job and waits for its end.
func (b *bench) ask(task *search.Task, o job.Options) (*job.Record, *search.Result) {
	b.t.Helper()
	r, err := b.store.Submit(b.ctx, "test", task, o)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.await(r.ID)
}

func (b *bench) await(id string) (*job.Record, *search.Result) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 3*time.Minute)
	defer cancel()
	r, err := b.store.Await(ctx, id)
	if err != nil {
		s, _ := b.coordinator.Status(b.ctx)
		b.t.Fatalf("job %s does not end: %v (%+v)\n%+v", id, err, context.Cause(b.ctx), s)
	}
	if r.Outcome.Ending != job.Answered {
		return r, nil
	}
	res, err := b.store.Result(b.ctx, r)
	if err != nil {
		b.t.Fatal(err)
	}
	return r, res
}

// counts is what one process says.
type counts struct{ states, transitions, depth int64 }

func countedByOne(t testing.TB, task *search.Task) counts {
	t.Helper()
	c, err := task.Compile(context.Background(), noLimits)
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Reach(c.Net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
	if err != nil {
		t.Fatal(err)
	}
	return counts{int64(r.Len()), r.Transitions, r.Depth}
}

func countsOf(r *search.Result) counts { return counts{r.States, r.Transitions, r.Depth} }

// Counts, verdicts and lengths of traces are those of one process, for any number of worker
// processes.
func TestEqualsOneProcess(t *testing.T) {
	b := newBench(t, 8, nil)
	models := []struct {
		file, process string
		n             int
	}{{"philosophers.lks", "PHILDL", 4}, {"philosophers.lks", "PHILOK", 5}, {"ring.lks", "", 5}, {"readers-writers.lks", "", 4}, {"milner.lks", "", 5}}
	if testing.Short() {
		models = models[:2]
	}
	for _, m := range models {
		file, params := families+m.file, map[string]int{"N": m.n}
		model, err := check.Load(context.Background(), file, check.LoadOptions{Process: m.process, Params: params})
		if err != nil {
			t.Fatal(err)
		}
		counting := readTask(t, file, m.process, params, search.Question{})
		want := countedByOne(t, counting)
		stuck, _, err := check.Deadlock(context.Background(), model, check.Options{}, deadlock.Options{Method: deadlock.Plain})
		if err != nil {
			t.Fatal(err)
		}
		declared, err := model.Declared()
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 3, 8} {
			o := job.Options{Workers: workers, Attempts: 1}
			if _, res := b.ask(counting, o); res == nil || countsOf(res) != want || !res.Complete {
				t.Errorf("%s, %d workers: %+v, want %+v", m.file, workers, res, want)
			}
			task := readTask(t, file, m.process, params, search.Question{Kind: search.Deadlock})
			r, res := b.ask(task, o)
			compare(t, fmt.Sprintf("%s, %d workers, deadlock", m.file, workers), task, r, res, &stuck.Results[0])
			for _, q := range declared {
				if q.Kind != "ltl" || testing.Short() && workers != 3 {
					continue
				}
				one, err := check.Verify(context.Background(), model, []check.Question{q}, check.Verification{})
				if err != nil {
					t.Fatal(err)
				}
				task := readTask(t, file, m.process, params, search.Question{Kind: search.LTL, Property: q.Name})
				r, res := b.ask(task, o)
				compare(t, fmt.Sprintf("%s, %d workers, %s", m.file, workers, q.Name), task, r, res, &one.Results[0])
			}
		}
	}
}

// compare compares what is shown with what one process shows. Lassos may be others.
func compare(t *testing.T, what string, task *search.Task, r *job.Record, res *search.Result, one *report.Result) {
	t.Helper()
	out := shown(t, task, r, res)
	got := &out.Results[0]
	if got.Verdict != one.Verdict {
		t.Errorf("%s: %s (%s), one process says %s", what, got.Verdict, got.Reason, one.Verdict)
		return
	}
	if (got.Counterexample == nil) != (one.Counterexample == nil) {
		t.Errorf("%s: counterexample %v", what, got.Counterexample)
		return
	}
	if c := got.Counterexample; c != nil && task.Question.Kind == search.Deadlock && (len(c.Stem) != len(one.Counterexample.Stem) || c.End != one.Counterexample.End) {
		t.Errorf("%s: a trace of %d steps to %s, one process has %d to %s", what, len(c.Stem), c.End, len(one.Counterexample.Stem), one.Counterexample.End)
	}
}

// Command lines, their exit statuses and what they print.
func TestRun(t *testing.T) {
	model := families + "philosophers.lks"
	for _, c := range []struct {
		args   []string
		status int
		says   []string
	}{
		{[]string{model, "-p", "PHILDL", "-DN=3", "--deadlock"}, 1, []string{"DEADLOCK", "cycle of waiting", "distributed, 2 workers"}},
		{[]string{model, "-p", "PHILDL", "-DN=3", "--workers", "3", "--stats", "G !(p[0].eating & p[1].eating)"}, 0, []string{"HOLDS", "imbalance", "time of all workers"}},
		{[]string{model, "-DN=3", "--json", "--count", "--checkpoint", "1"}, 0, []string{`"schema": "seltl.report/2"`, `"kind": "count"`, `"exit": 0`}},
		{[]string{model, "-DN=3", "-p", "PHILOK", "--workers", "1", "--reach", "p[0].eating & p[1].eating"}, 0, []string{"HOLDS", "no state with p[0].eating & p[1].eating is reachable"}},
		{[]string{model, "-DN=0x", "--count"}, 2, []string{"NAME=NUMBER"}},
		{[]string{model, "G p["}, 2, []string{"error"}},
		{[]string{"nothing.lks", "--count"}, 2, []string{"nothing.lks"}},
		{[]string{model, "--count", "--deadlock"}, 2, []string{"several questions"}},
		{[]string{model, "--workers", "0"}, 2, []string{"--workers 0"}},
		{[]string{model, "--metrics", "0.0.0.0:0"}, 2, []string{"needs a password"}},
		{[]string{model, "-n", "2", "--workers", "3"}, 2, []string{"-n and --workers are two forms of one flag"}},
		{[]string{model, "-p", "PHILOK", "--process", "PHILDL"}, 2, []string{"--process is given twice"}},
		{[]string{model, "--workers", "x"}, 2, []string{"--workers x: a number is needed"}},
		{[]string{model, "--replace", "5"}, 2, []string{"--replace 5: a time is needed"}},
		{[]string{model, "-p", "PHILDL", "-DN=3", "-n1", "--count"}, 0, []string{"distributed, 1 worker;"}},
		{[]string{model, "-p", "PHILDL", "-DN=3", "--finite=error", "true"}, 2, []string{"--finite=error refuses such models"}}, // before it is seen that it holds
		{[]string{model, "-q", "--quiet"}, 2, []string{"-q and --quiet are two forms of one flag"}},
		{[]string{model, "-p=PHILOK", "--process=PHILDL"}, 2, []string{"--process is given twice"}},
		{[]string{model, "-n=2", "--workers=3"}, 2, []string{"-n and --workers are two forms of one flag"}},
		{[]string{model, "--store", "compact", "G !(p[0].eating & p[1].eating)"}, 2, []string{"formulas have numbered"}},
	} {
		if testing.Short() && c.status < 2 && len(c.args) < 6 {
			continue
		}
		status, out, errOut := command(append([]string{"run"}, c.args...)...)
		if status != c.status {
			t.Errorf("%v: status %d, want %d\n%s%s", c.args, status, c.status, out, errOut)
		}
		for _, want := range c.says {
			if !strings.Contains(out+errOut, want) {
				t.Errorf("%v: no %q in\n%s%s", c.args, want, out, errOut)
			}
		}
	}
}

// With --json there is one object also where nothing could be asked.
func TestErrorsInJSON(t *testing.T) {
	for _, c := range []struct {
		args []string
		code string
	}{
		{[]string{"run", "nothing.lks", "--count", "--json"}, "no-such-file"},
		{[]string{"run", "--json", families + "milner.lks", "--workers", "x"}, "usage"},
		{[]string{"submit", families + "milner.lks", "G (", "--json", "--nats", "nats://127.0.0.1:1"}, ""},
		{[]string{"status", "--json=true", "a", "b"}, "usage"},
		{[]string{"nonsense", "--json"}, "usage"},
		{[]string{"run", "--json", families + "milner.lks", ""}, "usage"},
		{[]string{"serve", "--json", "--lost", "1ms"}, "usage"},
		{[]string{"run", "--json", families + "milner.lks", "--checkpoint", "1000000000000"}, "usage"},
	} {
		status, out, errOut := command(c.args...)
		var r report.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || status != report.ExitInput || r.Exit != status || r.Command != "cluster" || len(r.Messages) == 0 {
			t.Errorf("%v: status %d, %v\n%s%s", c.args, status, err, out, errOut)
			continue
		}
		if m := r.Messages[0]; c.code != "" && m.Code != c.code || m.Text == "" || !strings.Contains(errOut, m.Text) {
			t.Errorf("%v: %+v\n%s", c.args, m, errOut)
		}
	}
}

// What is listed without who coordinates, from the records: all that has not ended, and the last
// ones of what has.
func TestList(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	var records []*job.Record
	for n := range 6 {
		r := &job.Record{ID: fmt.Sprint(n), Submitted: at(n), State: job.Queued}
		if n%2 == 0 { // the first one ended last
			r.State, r.Ended, r.Outcome = job.Done, at(100-n), &job.Outcome{Ending: job.Answered}
		}
		records = append(records, r)
	}
	job.SortLatest(records)
	for _, try := range []struct {
		all        bool
		last       int
		jobs, past string
	}{{false, 2, "135", "02"}, {false, 0, "135", ""}, {true, 0, "135", "024"}, {false, 9, "135", "024"}} {
		st := job.Status{Jobs: []job.JobStatus{{ID: "3", Waiting: true}, {ID: "4"}}, Left: 7}
		kept := list(&st, records, try.all, try.last)
		jobs, past := "", ""
		for _, j := range st.Jobs {
			jobs += j.ID
			if j.Waiting != (j.ID == "3") {
				t.Errorf("what is known of a job is lost: %+v", j)
			}
		}
		for _, p := range st.Past {
			past += p.ID
		}
		if jobs != try.jobs || past != try.past || len(kept) != len(jobs)+len(past) || st.Ended != 3 || st.Left != 0 {
			t.Errorf("%+v: jobs %s, past %s, %d records, %+v", try, jobs, past, len(kept), st)
		}
	}
	if text, err := json.Marshal(listed(records[:0])); err != nil || string(text) != "[]" {
		t.Errorf("nothing is listed as %s, %v", text, err)
	}
}

// Beyond this machine the server has users, and who does not know one is not let in.
func TestCredentials(t *testing.T) {
	status, _, errOut := command("serve", "--listen", "0.0.0.0:0", "--store", t.TempDir())
	if status != 2 || !strings.Contains(errOut, "credentials") || !strings.Contains(errOut, "--user") {
		t.Errorf("a server for everybody: status %d, %s", status, errOut)
	}
	b := newBench(t, 0, nil)
	for name, opts := range map[string][]nats.Option{"nobody": nil, "a guess": {nats.UserInfo(b.access.User, "guess")}} {
		if nc, err := nats.Connect(b.access.URL, opts...); err == nil {
			nc.Close()
			t.Errorf("%s is let in", name)
		} else if !errors.Is(err, nats.ErrAuthorization) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Where nobody coordinates, who asks is told so, and does not wait longer than it wants to.
func TestNobodyCoordinates(t *testing.T) {
	defer func(d time.Duration) { overdue = d }(overdue)
	overdue = time.Second / 2
	ctx, failed := context.WithCancelCause(context.Background())
	m := &machine{failed: failed, coordinates: make(chan struct{})}
	defer m.stop()
	if err := m.serve(ctx, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SELTL_CLUSTER_PASSWORD", m.access.Password)
	status, out, errOut := command("submit", families+"milner.lks", "-DN=3", "--count", "--nats", m.access.URL, "--user", m.access.User, "--wait", "1s")
	if status != report.ExitUnknown || !strings.Contains(out, "nobody coordinates") || !strings.Contains(errOut, "waiting: nobody coordinates") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	all, err := m.store.Jobs(ctx)
	if err != nil || len(all) != 1 || !all[0].Cancel {
		t.Errorf("the job is not cancelled: %+v, %v", all, err)
	}
}

// The version is all that must be equal.
func TestVersion(t *testing.T) {
	b := job.ThisBuild(cmdline.VersionText())
	status, out, _ := command("version")
	for _, want := range []string{"seltl-cluster " + b.Version + "\n", fmt.Sprintf("schema %d, ", search.Schema), b.Go, runtime.GOARCH, b.Revision, b.Binary} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, no %q in %s", status, want, out)
		}
	}
	var read job.Build
	if status, out, _ := command("version", "--json"); status != 0 || json.Unmarshal([]byte(out), &read) != nil || read != b {
		t.Errorf("status %d: %s", status, out)
	}
	if _, short, _ := command("--version"); short != out {
		t.Errorf("--version: %s", short)
	}
	if status, _, errOut := command("version", "x"); status != 2 || !strings.Contains(errOut, "unexpected argument") {
		t.Errorf("status %d: %s", status, errOut)
	}
}

// Profiles are written of all processes.
func TestProfiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "profile")
	if status, out, errOut := command("run", families+"milner.lks", "-DN=3", "--count", "--cpuprofile", name); status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	for _, file := range []string{name, name + ".1", name + ".2"} {
		if text, err := os.ReadFile(file); err != nil || !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
			t.Errorf("%s: %d bytes, %v", file, len(text), err)
		}
	}
}

// Four workers finish what one cannot under the same limit of memory.
func TestMemory(t *testing.T) {
	b := newBench(t, 4, nil)
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": 10}, search.Question{})
	want := countedByOne(t, task)
	o := job.Options{Workers: 4, Attempts: 1, Memory: lowMemory}
	r, res := b.ask(task, o)
	if res == nil || countsOf(res) != want || !res.Complete {
		t.Fatalf("four workers: %+v, want %+v\n%+v %v", res, want, r.Outcome, r.Faults)
	}
	o.Workers = 1
	if _, res := b.ask(task, o); res == nil || res.Complete || res.Verdict != report.Unknown {
		t.Fatalf("one worker: %+v, the limit is no limit", res)
	}
}

const lowMemory = 2 << 20

// A worker of another build is refused and says why.
func TestOtherBuild(t *testing.T) {
	b := newBench(t, 0, nil)
	nc, err := broker.Connect(context.Background(), b.access, "test", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	other := job.ThisBuild("0.0.1")
	err = job.Work(b.ctx, nc, job.WorkerOptions{Build: other, Log: func(string) {}})
	var refused *job.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "version is 0.0.1") {
		t.Error(err)
	}
}

// A flood of garbage on every subject changes nothing.
func TestGarbage(t *testing.T) {
	b := newBench(t, 3, nil)
	nc, err := broker.Connect(context.Background(), b.access, "test", time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": 8}, search.Question{})
	want := countedByOne(t, task)
	r, err := b.store.Submit(b.ctx, "test", task, job.Options{Workers: 3, Attempts: 3})
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		random := rand.New(rand.NewPCG(1, 1))
		texts := []string{"", "{", "null", "[]", `{"id":7}`, `{"do":"prepare"}`, `{"do":"stop","post":{"job":"x"}}`, `{"post":{"rank":-1},"how":"result"}`, `{"term":1e400}`, strings.Repeat("x", 1<<16)}
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			subjects := []string{"seltl.beat.worker", "seltl.beat.coordinator", "seltl.report", "seltl.status"}
			for rank := range 3 {
				subjects = append(subjects, fmt.Sprintf("seltl.frames.%s.1.%d", r.ID, rank))
			}
			if s, ok := b.coordinator.Status(b.ctx); ok {
				for _, w := range s.Workers {
					subjects = append(subjects, "seltl.worker."+w.ID)
				}
			}
			for _, s := range subjects {
				_ = nc.Publish(s, []byte(texts[random.IntN(len(texts))]))
			}
		}
	})
	_, res := b.await(r.ID)
	close(stop)
	all.Wait()
	if s, ok := b.coordinator.Status(b.ctx); !ok || s.Garbage == 0 {
		t.Errorf("nothing was counted: %+v", s)
	}
	if res == nil || countsOf(res) != want {
		t.Errorf("%+v, want %+v", res, want)
	}
}

// proxy is a bad line between workers and the server: it delays, stands still, or cuts.
type proxy struct {
	listener net.Listener
	to       string
	delay    atomic.Int64 // nanoseconds
	stalled  atomic.Bool
	mu       sync.Mutex
	lines    []net.Conn
}

func newProxy(t testing.TB, url string) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: strings.TrimPrefix(url, "nats://")}
	t.Cleanup(func() { l.Close(); p.cut(false) })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", p.to)
			if err != nil {
				from.Close()
				continue
			}
			p.mu.Lock()
			p.lines = append(p.lines, from, to)
			p.mu.Unlock()
			go p.copy(to, from)
			go p.copy(from, to)
		}
	}()
	return p
}

func (p *proxy) copy(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 1<<15)
	for {
		n, err := from.Read(buffer)
		time.Sleep(time.Duration(p.delay.Load()))
		for p.stalled.Load() {
			time.Sleep(5 * time.Millisecond)
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// cut ends all lines, or only one end of each.
func (p *proxy) cut(half bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, c := range p.lines {
		if half {
			if i%2 == 0 {
				_ = c.(*net.TCPConn).CloseWrite()
			}
			continue
		}
		c.Close()
	}
	p.lines = nil
}

func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

// A bad line delays the answer and does not change it.
func TestBadLine(t *testing.T) {
	var p *proxy
	b := newBench(t, 3, func(url string) string {
		p = newProxy(t, url)
		return p.url()
	})
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": 8}, search.Question{})
	want := countedByOne(t, task)
	partition := 200 * time.Millisecond
	if soak.On() {
		partition = 10 * time.Second
	}
	for round := range soak.Long(4) {
		r, err := b.store.Submit(b.ctx, "test", task, job.Options{Workers: 3, Attempts: 20, Replace: time.Minute, CheckpointEvery: 2})
		if err != nil {
			t.Fatal(err)
		}
		p.delay.Store(int64(time.Millisecond))
		random := rand.New(rand.NewPCG(uint64(round), 7))
		time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
		p.cut(random.IntN(2) == 0)
		time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
		p.stalled.Store(true)
		time.Sleep(partition)
		p.stalled.Store(false)
		p.delay.Store(0)
		got, res := b.await(r.ID)
		if res == nil && got.Outcome.Ending == job.GaveUp {
			t.Logf("round %d: %+v", round, got.Outcome)
			continue
		}
		if res == nil || countsOf(res) != want {
			t.Fatalf("round %d: %+v, want %+v\n%+v", round, res, want, got.Outcome)
		}
	}
}

// Workers that are killed at any moment are replaced, and the counts are the same.
func TestKilledWorkers(t *testing.T) {
	b := newBench(t, 3, nil)
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": longer(9, 11)}, search.Question{})
	want := countedByOne(t, task)
	kills, restarts := 0, 0
	for round := 0; kills < soak.Long(10); round++ {
		if round%8 == 7 {
			time.Sleep(1100 * time.Millisecond) // of so many that ended young in a row it would be said that none can live
		}
		random := rand.New(rand.NewPCG(uint64(round), 8))
		o := job.Options{Workers: 3, Attempts: 20, Replace: time.Minute, CheckpointEvery: random.IntN(3)}
		if random.IntN(2) == 0 {
			o.Folder = t.TempDir()
		}
		r, err := b.store.Submit(b.ctx, "test", task, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + random.IntN(2) {
			time.Sleep(time.Duration(random.IntN(250)) * time.Millisecond)
			b.children.mu.Lock()
			for _, k := range b.children.running {
				_ = k.cmd.Process.Kill()
				kills++
				break
			}
			b.children.mu.Unlock()
		}
		got, res := b.await(r.ID)
		restarts += int(got.Epoch) - 1
		if res == nil || countsOf(res) != want {
			t.Fatalf("round %d: %+v, want %+v\n%+v %v", round, res, want, got.Outcome, got.Faults)
		}
	}
	t.Logf("%d kills, %d attempts were repeated", kills, restarts)
}

// Without replacements a job whose worker is lost has no answer, but says what it found.
func TestNoReplacement(t *testing.T) {
	b := newBench(t, 2, nil)
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": 13}, search.Question{})
	r, err := b.store.Submit(b.ctx, "test", task, job.Options{Workers: 2, Attempts: 3})
	if err != nil {
		t.Fatal(err)
	}
	for { // until something was explored
		s, ok := b.coordinator.Status(b.ctx)
		if ok && len(s.Jobs) == 1 && s.Jobs[0].States > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	b.children.mu.Lock()
	b.children.gone = func(pid int, _ time.Duration, why string) { b.coordinator.Gone(b.ctx, host, pid, why) } // nobody takes the place
	for _, k := range b.children.running {
		_ = k.cmd.Process.Kill()
	}
	b.children.mu.Unlock()
	got, res := b.await(r.ID)
	if res != nil || got.Outcome.Ending != job.GaveUp || got.Outcome.Explored.States == 0 || !strings.Contains(got.Outcome.Reason, "lost") {
		t.Fatalf("%+v", got.Outcome)
	}
	out := shown(t, task, got, nil)
	if out.Exit != report.ExitUnknown || out.Results[0].Verdict != report.Unknown || out.Results[0].Reason == "" {
		t.Errorf("%+v", out.Results[0])
	}
}

// A job that is cancelled says what it found.
func TestCancel(t *testing.T) {
	b := newBench(t, 2, nil)
	task := readTask(t, families+"philosophers.lks", "PHILOK", map[string]int{"N": 15}, search.Question{})
	r, err := b.store.Submit(b.ctx, "test", task, job.Options{Workers: 2, Attempts: 3})
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, ok := b.coordinator.Status(b.ctx)
		if ok && len(s.Jobs) == 1 && s.Jobs[0].States > 0 {
			checkMetrics(t, &s)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := b.store.Cancel(b.ctx, r.ID); err != nil {
		t.Fatal(err)
	}
	got, _ := b.await(r.ID)
	if got.Outcome.Ending != job.Cancelled || got.Outcome.Explored.States == 0 {
		t.Errorf("%+v", got.Outcome)
	}
	res, err := b.store.Result(b.ctx, got)
	if err != nil {
		t.Fatal(err)
	}
	if out := shown(t, task, got, res); out.Exit != report.ExitUnknown || out.Results[0].Reason != "the job was cancelled" {
		t.Errorf("status %d: %+v", out.Exit, out.Results[0])
	}
	if err := b.store.Cancel(b.ctx, "nothing"); !errors.Is(err, job.ErrNoJob) {
		t.Error(err)
	}
}

// checkMetrics reads what Prometheus would.
func checkMetrics(t *testing.T, s *job.Status) {
	var text bytes.Buffer
	if err := s.Metrics(&text); err != nil {
		t.Fatal(err)
	}
	samples := 0
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		var value float64
		name, number, _ := strings.Cut(line, " ")
		if i := strings.LastIndexByte(line, ' '); i >= 0 {
			number = line[i+1:]
		}
		if _, err := fmt.Sscan(number, &value); err != nil || !strings.HasPrefix(name, "seltl_cluster_") {
			t.Errorf("%q is no sample", line)
		}
		samples++
	}
	if samples < 20 || !strings.Contains(text.String(), `seltl_cluster_jobs{state="running"} 1`) {
		t.Errorf("%d samples:\n%s", samples, &text)
	}
}
