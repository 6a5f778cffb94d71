package trials

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/report"
)

// status asks a pool how it is.
func (p *pool) status(t testing.TB) (s struct {
	job.Status
	Records []*job.Record `json:"records"`
}) {
	t.Helper()
	e := seltlCluster(t, "status", "--json", "--access", p.access)
	if err := json.Unmarshal([]byte(e.out), &s); err != nil || e.status != 0 {
		t.Fatalf("%v: %v", err, e)
	}
	return s
}

// altered is the program with other bytes, which differ in what must differ only.
func altered(t testing.TB, change func(program []byte) []byte) string {
	t.Helper()
	text, err := os.ReadFile(program(t))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "seltl-cluster")
	if err := os.WriteFile(name, change(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

// otherSchema is the program built with another version of what processes exchange.
func otherSchema(t testing.TB) string {
	t.Helper()
	place, err := filepath.Abs("../search/task.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte("const Schema = "), []byte("const Schema = 100 + "), 1)
	if bytes.Equal(text, changed) {
		t.Fatal("search.Schema is no longer where it was")
	}
	folder := t.TempDir()
	file, overlay, program := filepath.Join(folder, "task.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "seltl-cluster")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{place: file}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-ldflags", "-X github.com/seltl/seltl/internal/cmdline.Version="+trialVersion, "-o", program, "../cmd/seltl-cluster").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// small is a question whose answer takes no time.
var small = question{file: specs("families", "milner.lks"), kind: "count", params: map[string]int{"N": 6}}

// TestOtherBuilds has workers of other builds come to a job that waits for one: they are
// refused, and the job goes on when there is one of its own.
func TestOtherBuilds(t *testing.T) {
	if os.Getenv("SELTL_CLUSTER") != "" {
		t.Skip("the program is another one")
	}
	others := []struct{ says, program string }{
		{"its version is on-these-trials, here it is of-these-trials", altered(t, func(p []byte) []byte {
			return bytes.ReplaceAll(p, []byte(trialVersion), []byte("on-these-trials"))
		})},
	}
	if !testing.Short() {
		others = append(others, []struct{ says, program string }{
			{"its program is ", altered(t, func(p []byte) []byte { return append(p, "another"...) })},
			{"its schema is 101, here it is 1", otherSchema(t)},
		}...)
	}
	want, err := small.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(t, 1)
	asked := start(t, append([]string{"submit", "--json", "--access", p.access, "-n", "2"}, small.args()...)...)
	await(t, time.Minute, "the job has one worker", func() bool {
		s := p.status(t)
		return len(s.Jobs) == 1 && s.Jobs[0].Waiting && s.Jobs[0].There == 1
	})
	for _, other := range others {
		e := startBy(t, other.program, "work", "--access", p.access).wait(t)
		if e.status != report.ExitInput || !strings.Contains(e.err, "refused by the coordinator: "+other.says) || !strings.Contains(e.err, "use one build") {
			t.Errorf("want %q: %v", other.says, e)
		}
	}
	s := p.status(t)
	if s.Refused != int64(len(others)) || s.Lost != 0 {
		t.Errorf("%d workers are counted as refused, %d as lost, want %d and none", s.Refused, s.Lost, len(others))
	}
	if len(s.Jobs) != 1 || !s.Jobs[0].Waiting || s.Jobs[0].There != 1 || s.Jobs[0].Faults != 0 {
		t.Errorf("the job does not wait for one more: %+v", s.Jobs)
	}
	p.work()
	e := p.wait(t, asked)
	if err := small.compare(t, want, e, 2); err != nil {
		t.Error(err)
	}
	if strings.Contains(e.err, "another build") {
		t.Error(e)
	}
	for _, other := range others { // who asks with another build is told so
		e := startBy(t, other.program, append([]string{"submit", "--json", "--access", p.access, "-n", "2"}, small.args()...)...).wait(t)
		if !strings.Contains(e.err, "who coordinates is another build") {
			t.Errorf("%s: %v", other.says, e)
		}
		if strings.Contains(other.says, "schema") {
			if e.status != report.ExitInput || !strings.Contains(e.err, "use its build") {
				t.Error(e)
			}
		} else if r, _ := e.read(t); e.status != 0 || !strings.Contains(e.err, "warning: ") || len(r.Messages) != 1 || r.Messages[0].Code != "other-build" {
			t.Errorf("%s: %v", other.says, e)
		}
	}
}

// TestOtherModel has a worker read another model than the others: what the server sends it is
// changed on the way, with its checksum.
func TestOtherModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.lks")
	if err := os.WriteFile(file, []byte("P = (a -> b -> P).\nQ = (b -> c -> Q).\n||S = (P || Q).\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := question{file: file, kind: "count"}
	want, err := q.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(t, 0)
	id := strings.TrimSpace(seltlCluster(t, append([]string{"submit", "--detach", "--access", p.access, "-n", "2"}, q.args()...)...).out)
	a := p.read()
	middle := newProxy(t, strings.TrimPrefix(a.URL, "nats://"))
	middle.swaps = otherTask(t, a, id)
	a.URL = "nats://" + middle.listener.Addr().String()
	access := filepath.Join(t.TempDir(), "access.json")
	text, err := json.Marshal(a)
	if err == nil {
		err = os.WriteFile(access, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	deceived := start(t, "work", "--access", access)
	p.work()
	await(t, time.Minute, "the worker is refused", func() bool { return p.status(t).Refused == 1 })
	s := p.status(t)
	if len(s.Jobs) != 1 || !s.Jobs[0].Waiting || s.Jobs[0].State != job.Queued || len(s.Jobs[0].Unsuited) != 1 || !strings.Contains(s.Jobs[0].Unsuited[0], "the task that it reads has the digest") {
		t.Errorf("the job does not wait for another one: %+v", s.Jobs)
	}
	p.work()
	await(t, time.Minute, "the job ends", func() bool { return p.status(t).Records[0].State == job.Done })
	e := seltlCluster(t, "status", "--json", "--access", p.access, id)
	if err := q.compare(t, want, e, 2); err != nil {
		t.Error(err)
	}
	for _, k := range p.status(t).Records[0].Outcome.Workers {
		if k.PID == deceived.Process.Pid {
			t.Error("the deceived worker took part")
		}
	}
}

// otherTask says what of a job's task to put in place of what, so that it is about another
// model and still looks sound.
func otherTask(t testing.TB, a broker.Access, id string) [][2][]byte {
	t.Helper()
	js, done := stored(t, a)
	defer done()
	ctx := context.Background()
	store, err := js.ObjectStore(ctx, "seltl-objects")
	if err != nil {
		t.Fatal(err)
	}
	text, err := store.GetBytes(ctx, "task/"+id)
	if err != nil {
		t.Fatal(err)
	}
	task := &search.Task{}
	if err := json.Unmarshal(text, task); err != nil {
		t.Fatal(err)
	}
	for name, model := range task.Files {
		task.Files[name] = bytes.ReplaceAll(model, []byte("b -> c"), []byte("c -> c"))
	}
	other, err := json.Marshal(task)
	if err != nil || len(other) != len(text) || bytes.Equal(other, text) {
		t.Fatalf("%v: %s", err, other)
	}
	digest := func(b []byte) []byte {
		sum := sha256.Sum256(b)
		return []byte(base64.URLEncoding.EncodeToString(sum[:]))
	}
	return [][2][]byte{{text, other}, {digest(text), digest(other)}}
}
