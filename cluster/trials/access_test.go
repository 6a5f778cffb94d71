package trials

import (
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/report"
)

// TestWrongPassword: who may not connect is told so at once, and how to mend it.
func TestWrongPassword(t *testing.T) {
	p := newPool(t, 0)
	a := p.read()
	t.Setenv("SELTL_CLUSTER_PASSWORD", "guess")
	for i, command := range [][]string{{"work"}, append([]string{"submit"}, small.args()...), {"status"}, {"serve"}} {
		if testing.Short() && i > 0 {
			continue
		}
		for _, who := range []struct {
			flags []string
			says  string
		}{{[]string{"--user", a.User}, "refuses the user " + a.User + ", or the password"}, {nil, "refuses a client that names no user"}} {
			e := seltlCluster(t, append(append(command, "--nats", a.URL), who.flags...)...)
			if e.status != report.ExitInput || !strings.Contains(e.err, who.says) || !strings.Contains(e.err, "help: --user NAME") || strings.Contains(e.err, "guess") {
				t.Errorf("%v %v: %v", command, who.flags, e)
			}
		}
	}
	t.Setenv("SELTL_CLUSTER_PASSWORD", "")
	if e := seltlCluster(t, "work", "--nats", a.URL, "--user", a.User); e.status != report.ExitInput || !strings.Contains(e.err, "--user needs a password") {
		t.Error(e)
	}
	if e := seltlCluster(t, "status", "--nats", strings.Replace(a.URL, "nats://", "tls://", 1)); e.status != report.ExitInput || !strings.Contains(e.err, "no TLS with the NATS server") {
		t.Error(e)
	}
	if e := seltlCluster(t, "status", "--nats", strings.Replace(a.URL, "nats://", "nats://me:secret@", 1)); e.status != report.ExitInput || strings.Contains(e.err, "secret") || !strings.Contains(e.err, "refuses") {
		t.Error(e)
	}
}

// TestServerComesLater: a worker whose server is not there says so, goes on trying, and works when
// it is; --wait ends that. So it is with one whose server comes back with another password.
func TestServerComesLater(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SELTL_CLUSTER_PASSWORD", "right")
	work := []string{"work", "--nats", "nats://" + listen, "--user", "trial"}
	if e := seltlCluster(t, append(work, "--wait", "100ms")...); e.status != report.ExitInput || !strings.Contains(e.err, "no connection to the NATS server") || !strings.Contains(e.err, "tries again for 100ms") {
		t.Error(e)
	}
	if testing.Short() {
		return
	}
	w := start(t, work...)
	p := &pool{t: t, store: t.TempDir()}
	p.access = p.store + "/access.json"
	time.Sleep(time.Second)
	serve := func(password string) {
		t.Setenv("SELTL_CLUSTER_PASSWORD", password)
		if err := os.Remove(p.access); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		p.serve(listen, "--user", "trial")
	}
	there := func() bool {
		st := p.status(t)
		return len(st.Workers) == 1 && st.Workers[0].PID == w.Process.Pid && st.Workers[0].Silent < 2
	}
	serve("right")
	await(t, time.Minute, "the worker is there", there)
	p.server.kill()
	serve("wrong")
	time.Sleep(2 * time.Second)
	p.server.kill()
	serve("right")
	await(t, time.Minute, "the worker is there again", there)
	w.signal(t, 2)
	e := w.wait(t)
	at := 0
	for _, says := range []string{"tries again", "connected to nats://" + listen, "is there", "is lost", "refuses the user trial, or the password", "connected to nats://" + listen + " again"} {
		n := strings.Index(e.err[at:], says)
		if n < 0 {
			t.Fatalf("no %q in %v", says, e)
		}
		at += n
	}
	if lines := strings.Count(e.err, "\n"); lines > 12 || e.status != report.ExitInterrupted {
		t.Error(fmt.Sprintf("%d lines: ", lines), e)
	}
}
