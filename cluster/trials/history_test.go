package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/internal/testing/soak"
)

// history has a pool's server keep so many jobs that have ended, as if it had answered them.
func (p *pool) history(t testing.TB, n int) {
	t.Helper()
	js, done := stored(t, p.read())
	defer done()
	ctx := context.Background()
	var err error
	var jobs jetstream.KeyValue
	var objects jetstream.ObjectStore
	await(t, time.Minute, "the buckets are there", func() bool {
		jobs, err = js.KeyValue(ctx, "seltl-jobs")
		if err == nil {
			objects, err = js.ObjectStore(ctx, "seltl-objects")
		}
		return err == nil
	})
	var all sync.WaitGroup
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	for range 8 {
		all.Go(func() {
			for i := range next {
				ended := time.Now().UTC().Add(-time.Duration(n-i) * time.Millisecond)
				r := &job.Record{ID: fmt.Sprintf("old%05d", i), Name: "milner.lks -D N=6 count", Options: job.Options{Workers: 2, Attempts: 5}, Submitted: ended.Add(-time.Second), Started: ended.Add(-time.Second),
					State: job.Done, Epoch: 1, Ranks: []string{"abcdefghijkl", "bcdefghijklm"}, Ended: ended, Round: -1,
					Outcome: &job.Outcome{Ending: job.Answered, Explored: job.Explored{States: int64(i)}, Workers: make([]job.Part, 2)}}
				text, err := json.Marshal(r)
				if err == nil {
					_, err = jobs.Create(ctx, r.ID, text)
				}
				for _, name := range []string{"task/" + r.ID, "result/" + r.ID + "/1"} {
					if err == nil {
						_, err = objects.PutBytes(ctx, name, []byte("{}"))
					}
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// processorTime is what a process has used.
func processorTime(t testing.TB, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// silence waits until no message comes for a while, so that what was done before is not counted, or for some seconds.
func silence(messages *atomic.Int64) {
	for end, last := time.Now().Add(5*time.Second), int64(-1); time.Now().Before(end) && messages.Load() != last; {
		last = messages.Load()
		time.Sleep(100 * time.Millisecond)
	}
}

// TestHistory: what is kept of jobs that have ended costs nothing while others are asked for, run
// and forgotten. It measures that, too: SELTL_SOAK=34 go test ./trials -run History -v has some
// ten thousand of them.
func TestHistory(t *testing.T) {
	n := 300 * soak.Long(1)
	if testing.Short() {
		n = 100
	}
	p := newPool(t, 1)
	await(t, time.Minute, "somebody coordinates", func() bool { return p.status(t).Coordinator != "" })
	a := p.read()
	nc, err := nats.Connect(a.URL, nats.UserInfo(a.User, a.Password))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	var messages atomic.Int64
	listening, err := nc.Subscribe(">", func(*nats.Msg) { messages.Add(1) })
	if err == nil {
		err = listening.SetPendingLimits(-1, -1)
	}
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	before := map[string]int64{}
	measure := func(command string, args ...string) ended {
		t.Helper()
		silence(&messages)
		heard, used, begun := messages.Load(), processorTime(t, p.server.Process.Pid), time.Now()
		e := seltlCluster(t, append(strings.Fields(command), append(args, "--access", p.access)...)...)
		took := time.Since(begun).Round(time.Millisecond)
		used = processorTime(t, p.server.Process.Pid) - used
		if e.status != 0 {
			t.Fatal(e)
		}
		if err := nc.Flush(); err != nil {
			t.Fatal(err)
		}
		heard = messages.Load() - heard
		t.Logf("%s: %v, %v of the server's processor time, %d messages", command, took, used, heard)
		if none, ok := before[command]; !ok {
			before[command] = heard
		} else if heard > none+int64(n)/2 {
			t.Errorf("%s: %d messages with %d jobs that have ended, %d without", command, heard, n, none)
		}
		return e
	}
	all := func() (listed ended) {
		measure("status")
		listed = measure("status --json")
		measure("submit -n 1", small.args()...)
		id := strings.TrimSpace(measure("submit -n 1 --detach --checkpoint 1", small.args()...).out)
		await(t, time.Minute, "the job ends", func() bool {
			return strings.Contains(seltlCluster(t, "status", "--access", p.access).out, id+"  answered")
		})
		measure("forget", id)
		return listed
	}
	all()
	p.history(t, n)
	t.Logf("%d jobs are kept", n)
	if soak.On() {
		used := processorTime(t, p.server.Process.Pid)
		time.Sleep(30 * time.Second)
		t.Logf("idle for 30s: %v of the server's processor time", processorTime(t, p.server.Process.Pid)-used)
	}
	var st struct {
		job.Status
		Records []*job.Record `json:"records"`
	}
	if e := all(); json.Unmarshal([]byte(e.out), &st) != nil || st.Ended != n+1 || len(st.Past) != 20 || len(st.Records) != 20 {
		t.Errorf("%d have ended, %d and %d are listed", st.Ended, len(st.Past), len(st.Records))
	}
	for i, past := range st.Past { // the first job of all ended before these
		if want := fmt.Sprintf("old%05d", n-1-i); past.ID != want {
			t.Errorf("%d: %s, want %s", i, past.ID, want)
		}
	}
	if e := seltlCluster(t, "status", "--access", p.access); !strings.Contains(e.out, "more that ended before: --all") {
		t.Error(e)
	}
	for _, flag := range []string{"--all", "--last=100000"} {
		begun := time.Now()
		e := seltlCluster(t, "status", flag, "--access", p.access)
		if count := strings.Count(e.out, "  answered  "); count != st.Ended+1 || strings.Contains(e.out, "more that") {
			t.Errorf("%s: %d jobs, want %d", flag, count, st.Ended+1)
		}
		t.Logf("status %s: %v", flag, time.Since(begun).Round(time.Millisecond))
	}
	if testing.Short() {
		return
	}
	p.server.signal(t, syscall.SIGTERM)
	p.server.wait(t)
	p.serve("127.0.0.1:0", "--keep-jobs", "50")
	await(t, 4*time.Minute, "who comes next keeps no more than it is to", func() bool {
		st := p.status(t)
		return st.Coordinator != "" && st.Ended == 50 && len(st.Past) == 20
	})
	if _, jobs, _ := p.kept(t); jobs != 50 {
		t.Errorf("the records of %d jobs are kept", jobs)
	}
}
