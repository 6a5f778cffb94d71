package trials

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// TestMistakes makes mistakes that people make: status 2, and a message that helps.
func TestMistakes(t *testing.T) {
	lamp := specs("first.lks")
	tries := []struct{ args, says string }{
		{"run", "no model"},
		{"run nofile.lks", "no such file"},
		{"run " + lamp + " --wrokers 3", "workers"},
		{"run " + lamp + " --workers 0", "a number from 1"},
		{"run " + lamp + " --workers 100000", "starts at most"},
		{"run " + lamp + " --memory 12Q", "a size is needed"},
		{"run " + lamp + " G(pess)", "1:3"},
		{"run " + lamp + " --reach G(dark)", "more than one state"},
		{"run " + lamp + " --deadlock --count", "several questions"},
		{"run " + lamp + " --property NOPE", "TOGGLES"},
		{"run " + lamp + " --finite=some", "stutter, ignore, error"},
		{"run " + lamp + " --store=bitstate", "exact and compact"},
		{"run " + lamp + " --checkpoint-folder x", "--checkpoint"},
		{"frob", "unknown command"},
		{"status --nats nats://127.0.0.1:1", "no connection"},
		{"work --nats garbage://x", "nats://HOST:4222, tls://HOST:4222"},
		{"work --nats nats://h --tls-ca nofile.pem", "nofile.pem: no such file"},
		{"work --nats nats://h --creds user_test.go", "--creds user_test.go"},
		{"work --access user_test.go", "no file that serve has written"},
	}
	for i, try := range tries {
		if testing.Short() && i%4 != 0 {
			continue
		}
		if e := seltlCluster(t, strings.Fields(try.args)...); e.status != report.ExitInput || !strings.Contains(e.err, try.says) || e.out != "" {
			t.Errorf("%s: %v", try.args, e)
		}
	}
}

// TestStatuses looks at what run prints and at its status.
func TestStatuses(t *testing.T) {
	quiet(t)
	lamp := specs("first.lks")
	e := seltlCluster(t, "run", lamp, "G(press & dark -> X lit)", "--json")
	if _, r := e.read(t); e.status != report.ExitHolds || r.Verdict != report.Holds {
		t.Error(e)
	}
	if testing.Short() {
		return
	}
	e = seltlCluster(t, "run", lamp, "G dark", "--json")
	if _, r := e.read(t); e.status != report.ExitViolated || r.Counterexample == nil {
		t.Error(e)
	}
	if e := seltlCluster(t, "run", lamp, "-n", "12", "-q"); e.status != report.ExitHolds || strings.Count(e.out, "\n") != 1 {
		t.Error(e)
	}
	file := t.TempDir() + "/stop.lks"
	if err := os.WriteFile(file, []byte("P = (a -> STOP).\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if e := seltlCluster(t, "run", file, "F a", "--finite=error"); e.status != report.ExitInput || e.out != "" || !strings.Contains(e.err, "without successors, after 1 step") || !strings.Contains(e.err, "the way there: a") {
		t.Error(e)
	}
}

// TestInterrupted interrupts run at any time.
func TestInterrupted(t *testing.T) {
	onlySoaked(t)
	quiet(t)
	n := soak.Long(uint64(5))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 30))
		args := append([]string{"run", "--json", "-n", fmt.Sprint(1 + r.IntN(3))}, long.args()...)
		p := start(t, args...)
		time.Sleep(time.Duration(50+r.IntN(1500)) * time.Millisecond)
		children := childrenOf(p.Process.Pid)
		s := syscall.SIGINT
		if r.IntN(2) == 0 {
			s = syscall.SIGTERM
		}
		p.signal(t, s)
		begun := time.Now()
		e := p.wait(t)
		if e.status != report.ExitInterrupted && e.status != report.ExitHolds || e.status == report.ExitInterrupted && e.out != "" && !json.Valid([]byte(e.out)) {
			t.Errorf("seed %d: %v", seed, e)
		}
		t.Logf("seed %d: status %d after %v, %d bytes", seed, e.status, time.Since(begun).Round(time.Millisecond), len(e.out))
		for _, pid := range children {
			if alive(pid) {
				t.Errorf("seed %d: worker %d is still there", seed, pid)
			}
		}
	}
}

// resident is the most memory that a process had resident, in bytes.
func resident(pid int) (bytes int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			if _, err := fmt.Sscan(rest, &bytes); err == nil {
				return bytes << 10
			}
		}
	}
	return 0
}

// TestMemory has four workers finish what one with the same limit cannot, and looks at
// what they really use.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	want, err := long.ask(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, try := range []struct {
		workers int
		known   bool
	}{{1, false}, {4, true}} {
		const limit = 24 << 20
		args := append([]string{"run", "--json", "-n", fmt.Sprint(try.workers), "--memory", "24M"}, long.args()...)
		p := start(t, args...)
		most := int64(0)
		for running := true; running; {
			select {
			case <-p.done:
				running = false
			case <-time.After(20 * time.Millisecond):
				for _, pid := range childrenOf(p.Process.Pid) {
					most = max(most, resident(pid))
				}
			}
		}
		e := p.wait(t)
		known, err := long.compareOrUnknown(t, want, e, try.workers)
		if err != nil || known != try.known {
			t.Errorf("%d workers: %v, known: %v", try.workers, err, known)
		}
		if _, r := e.read(t); !known && (!strings.Contains(r.Reason, "memory") || r.Statistics.States == report.NewCount(0)) {
			t.Errorf("%d workers: %v", try.workers, e)
		}
		t.Logf("%d workers: %d MB resident at most, the limit is %d MB", try.workers, most>>20, limit>>20)
		// A process without a state has about 30 MB.
		if most > 2*limit+(80<<20) {
			t.Errorf("%d workers: %d MB resident with a limit of %d MB", try.workers, most>>20, limit>>20)
		}
	}
}
