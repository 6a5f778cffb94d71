package trials

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/report"
)

// kept counts what a pool's server keeps: messages of objects, jobs, ledgers.
func (p *pool) kept(t testing.TB) (messages uint64, jobs, ledgers int) {
	t.Helper()
	js, done := stored(t, p.read())
	defer done()
	ctx := context.Background()
	stream, err := js.Stream(ctx, "OBJ_seltl-objects")
	if err != nil {
		t.Fatal(err)
	}
	keys := func(bucket string) int {
		kv, err := js.KeyValue(ctx, bucket)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := kv.Keys(ctx) // an error where there is none
		return len(all)
	}
	return stream.CachedInfo().State.Msgs, keys("seltl-jobs"), keys("seltl-ledgers")
}

// TestForgotten: of jobs that have ended nothing remains when their time is over, or when it
// is said that they are to go; those that run stay.
func TestForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds until a time is over")
	}
	p := newPool(t, 1, "--keep", "2s")
	ask := func(args ...string) string {
		args = append([]string{"submit", "--detach", "--access", p.access, "-n", "1", "--checkpoint", "2"}, args...)
		return strings.TrimSpace(seltlCluster(t, args...).out)
	}
	first := ask(small.args()...)
	await(t, time.Minute, "the job ends", func() bool { return p.status(t).Records[0].State == job.Done })
	waits := ask(append(small.args(), "-n", "2")...)
	if e := seltlCluster(t, "forget", waits, "--access", p.access); e.status != report.ExitInput || !strings.Contains(e.err, "has not ended") || !strings.Contains(e.err, "cancel "+waits) {
		t.Errorf("a job that waits is forgotten: %v", e)
	}
	await(t, time.Minute, "the first job goes by itself", func() bool {
		_, jobs, _ := p.kept(t)
		return jobs == 1
	})
	if e := seltlCluster(t, "status", first, "--access", p.access); e.status != report.ExitInput || !strings.Contains(e.err, "no such job") {
		t.Error(e)
	}
	if e := seltlCluster(t, "cancel", waits, "--access", p.access); e.status != 0 {
		t.Error(e)
	}
	await(t, time.Minute, "it ends", func() bool { return p.status(t).Records[0].State == job.Done })
	if e := seltlCluster(t, "forget", waits, "--access", p.access); e.status != 0 && !strings.Contains(e.err, "no such job") { // it may have gone by itself
		t.Error(e)
	}
	if messages, jobs, ledgers := p.kept(t); messages != 0 || jobs != 0 || ledgers != 0 {
		t.Errorf("%d messages of objects, %d jobs and %d ledgers remain", messages, jobs, ledgers)
	}
	if e := seltlCluster(t, "serve", "--keep", "-1s"); e.status != report.ExitInput || !strings.Contains(e.err, "--keep -1s") {
		t.Error(e)
	}
}

// TestFull fills what a server may keep: with a model, with checkpoints, with jobs. Each is
// said, none is wrong, and when jobs are forgotten there is room again.
func TestFull(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	p := newPool(t, 2, "--store-limit", "300K")
	await(t, time.Minute, "somebody coordinates, and has set the limit", func() bool { return p.status(t).Coordinator != "" })
	model := func(name string, bytes int) string {
		noise := make([]byte, bytes)
		_, _ = rand.Read(noise)
		text, err := os.ReadFile(specs("families", "milner.lks"))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		text = append(text, ("\n// " + base64.StdEncoding.EncodeToString(noise) + "\n")...)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	full := func(e ended) {
		t.Helper()
		if e.status != report.ExitUnknown || !strings.Contains(e.err, "store is full") || !strings.Contains(e.err, "forget") {
			t.Errorf("the store is full: %v", e)
		}
	}
	full(p.submit(t, model("large.lks", 300_000), "--count", "-D", "N=4"))
	// Checkpoints: some hundred thousand states take more.
	e := p.submit(t, specs("families", "milner.lks"), "-D", "N=13", "--count", "-n", "2", "--checkpoint", "40", "--attempts", "2")
	if _, r := e.read(t); r.Verdict != report.Unknown || !strings.Contains(r.Reason, "store is full") {
		t.Error(e)
	}
	want, err := small.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := small.compare(t, want, p.submit(t, append(small.args(), "-n", "2")...), 2); err != nil {
		t.Error(err)
	}
	// Jobs: until there is no room for the next.
	middling := model("middling.lks", 50_000)
	said := ended{}
	for n := 0; said.status == 0 && n < 20; n++ {
		said = p.submit(t, middling, "--count", "-D", "N=4")
	}
	full(said)
	for _, r := range p.status(t).Records {
		if e := seltlCluster(t, "forget", r.ID, "--access", p.access); e.status != 0 {
			t.Error(e)
		}
	}
	// What was being saved when an attempt ended goes later.
	if messages, jobs, ledgers := p.kept(t); jobs != 0 || ledgers != 0 {
		t.Errorf("%d messages of objects, %d jobs and %d ledgers remain", messages, jobs, ledgers)
	}
	if e := p.submit(t, middling, "--count", "-D", "N=4"); e.status != 0 {
		t.Error(e)
	}
}

// TestTooFew asks for more workers than there are.
func TestTooFew(t *testing.T) {
	p := newPool(t, 1)
	wait := "3s"
	if testing.Short() {
		wait = "100ms"
	}
	e := p.submit(t, append(small.args(), "-n", "3", "--wait", wait)...)
	_, r := e.read(t)
	if e.status != report.ExitUnknown || r.Verdict != report.Unknown || !strings.Contains(r.Reason, "of 3 workers within "+wait) {
		t.Error(e)
	}
	if testing.Short() {
		return
	}
	if !strings.Contains(e.err, "waiting for workers: ") {
		t.Errorf("it waits and says nothing: %v", e)
	}
	if e := p.submit(t, append(small.args(), "-n", "3", "--wait", "1s", "--quiet")...); e.err != "" {
		t.Errorf("--quiet: %v", e)
	}
	if e := p.submit(t, append(small.args(), "--wait", "-1s")...); e.status != report.ExitInput {
		t.Error(e)
	}
	id := strings.TrimSpace(seltlCluster(t, append([]string{"submit", "--detach", "--access", p.access, "-n", "2"}, small.args()...)...).out)
	await(t, time.Minute, "status says what the job waits for", func() bool {
		return strings.Contains(seltlCluster(t, "status", "--access", p.access).out, fmt.Sprintf("%s  queued, waiting for workers: 1 of 2", id))
	})
}
