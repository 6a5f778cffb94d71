package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

// broken is an output that panics: it stands for any bug of ours.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("a bug") }

// TestInternalError: a bug ends with status 4, says that it is one and how to
// report it, and keeps the stack off the screen.
func TestInternalError(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var stderr bytes.Buffer
	if status := run([]string{"seltl", "version"}, strings.NewReader(""), broken{}, &stderr); status != report.ExitInternal {
		t.Errorf("status %d, want %d", status, report.ExitInternal)
	}
	text := stderr.String()
	if !strings.Contains(text, "internal error: a bug") || !strings.Contains(text, "report it") || strings.Contains(text, "goroutine") {
		t.Errorf("stderr: %s", text)
	}
	name := strings.TrimSpace(text[strings.LastIndex(strings.TrimSpace(text), "\n"):])
	if details, err := os.ReadFile(name); err != nil || !strings.Contains(string(details), "goroutine") {
		t.Errorf("details in %q: %v", name, err)
	}
}

// TestContradiction: what the library finds wrong with itself is status 4, in
// JSON too, and never called wrong input.
func TestContradiction(t *testing.T) {
	for _, err := range []error{
		bug.Errorf("conform", "the tree has a circle"),
		&bug.Error{Stage: "replay", Err: errors.New("x")},
		fmt.Errorf("around it: %w", &bug.Error{Err: errors.New("x")}),
	} {
		var stderr bytes.Buffer
		if status := cmdline.StatusOf(err, cmdline.Streams{Err: &stderr}); status != report.ExitInternal || !strings.Contains(stderr.String(), "bug in seltl") {
			t.Errorf("%v: status %d, %s", err, status, stderr.String())
		}
	}
	if cmdline.IsBug(errors.New("no such file")) {
		t.Error("wrong input is called a bug")
	}
}

// TestInterrupt: an interrupted run prints what it explored and ends with 130.
func TestInterrupt(t *testing.T) {
	interruptSoon(t)
	var stdout, stderr bytes.Buffer
	status := run([]string{"seltl", "verify", "../../specs/families/philosophers.lks", "-p", "PHILOK", "-D", "N=25", "--por=off", "--reduce=none",
		"--timeout=60s", "G !(p[0].eating & p[1].eating)", "G F p[0].eat"}, strings.NewReader(""), &stdout, &stderr)
	if status != report.ExitInterrupted {
		t.Fatalf("status %d, want %d\n%s", status, report.ExitInterrupted, stdout.String())
	}
	for _, want := range []string{"UNKNOWN G !(p[0]", "because: interrupted", "product states", "UNKNOWN G F p[0].eat", "before it was looked at"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not in\n%s", want, stdout.String())
		}
	}
}

// TestTimeoutOfTheRun: --timeout bounds the whole run, not each property of it; each ends
// at its share, the last one at the limit itself.
func TestTimeoutOfTheRun(t *testing.T) {
	limit := time.Second
	if testing.Short() {
		limit /= 4
	}
	var stdout, stderr bytes.Buffer
	began := time.Now()
	status := run([]string{"seltl", "verify", "../../specs/families/philosophers.lks", "-p", "PHILOK", "-D", "N=25", "--por=off", "--reduce=none", "-j1",
		"--timeout=" + limit.String(), "G !(p[0].eating & p[1].eating)", "G !(p[1].eating & p[2].eating)", "G !(p[2].eating & p[3].eating)", "G !(p[3].eating & p[4].eating)"},
		strings.NewReader(""), &stdout, &stderr)
	if took := time.Since(began); status != report.ExitUnknown || took > limit+2500*time.Millisecond {
		t.Errorf("status %d after %v, want %d after %v", status, took, report.ExitUnknown, limit)
	}
	if n := strings.Count(stdout.String(), "because: time limit reached ("); n != 4 || !strings.Contains(stdout.String(), "because: time limit reached ("+limit.String()+")") {
		t.Errorf("%d properties of 4 are said to have met the limit:\n%s", n, stdout.String())
	}
}

// interruptSoon sends this process what ^C does.
func interruptSoon(t *testing.T) {
	go func() {
		soon := 300 * time.Millisecond
		if testing.Short() {
			soon /= 2
		}
		time.Sleep(soon)
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
	}()
}

// TestInterruptCheckpoint: an interrupted run leaves a checkpoint, says so, and the
// same command goes on from there.
func TestInterruptCheckpoint(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.ckpt")
	args := []string{"seltl", "deadlock", "../../specs/families/philosophers.lks", "-p", "PHILOK", "-D", "N=11", "--method=plain", "--checkpoint", file, "-j1"}
	interruptSoon(t)
	var stdout, stderr bytes.Buffer
	if status := run(append(args, "-D", "N=20"), strings.NewReader(""), &stdout, &stderr); status != report.ExitInterrupted {
		t.Fatalf("status %d, want %d\n%s%s", status, report.ExitInterrupted, stdout.String(), stderr.String())
	}
	if !strings.Contains(stdout.String(), "it goes on from "+file) {
		t.Errorf("no word of the checkpoint in\n%s", stdout.String())
	}
	if info, err := os.Stat(file); err != nil || info.Size() < 1000 {
		t.Errorf("checkpoint: %v, %v", info, err)
	}
	// The states of the checkpoint exceed the limit at once.
	stdout.Reset()
	if status := run(append(args, "-D", "N=20", "--max-states", "1000"), strings.NewReader(""), &stdout, &stderr); status != report.ExitUnknown {
		t.Errorf("status %d, want %d\n%s%s", status, report.ExitUnknown, stdout.String(), stderr.String())
	}
	if status := run(args, strings.NewReader(""), &stdout, &stderr); status != report.ExitInput {
		t.Errorf("with another model: status %d, want %d", status, report.ExitInput)
	}
}

// TestInterruptSession: a search of a session that commands from a pipe ask for is interrupted,
// and says so by its status, also at the end of the input.
func TestInterruptSession(t *testing.T) {
	interruptSoon(t)
	var stdout, stderr bytes.Buffer
	if status := run([]string{"seltl", "sim", "../../specs/families/philosophers.lks", "-p", "PHILOK", "-D", "N=20"}, strings.NewReader("goto deadlock\n"), &stdout, &stderr); status != report.ExitInterrupted {
		t.Errorf("status %d, want %d\n%s%s", status, report.ExitInterrupted, stdout.String(), stderr.String())
	}
}

// TestSessionTimeout: --timeout ends a session, and names itself.
func TestSessionTimeout(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := run([]string{"seltl", "sim", "../../specs/families/philosophers.lks", "-p", "PHILOK", "-D", "N=20", "--timeout=300ms"}, strings.NewReader("goto deadlock\n"), &stdout, &stderr)
	if status != report.ExitUnknown || !strings.Contains(stdout.String(), "time limit reached") || !strings.Contains(stdout.String()+stderr.String(), "a longer --timeout") {
		t.Errorf("status %d\n%s%s", status, stdout.String(), stderr.String())
	}
}

// TestProfileKeeps: --cpuprofile writes over a profile, and over nothing else.
func TestProfileKeeps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept")
	args := []string{"seltl", "stats", "../../specs/classics/mutex.lks", "--cpuprofile", file}
	for i, want := range []int{report.ExitHolds, report.ExitHolds, report.ExitInput} {
		if i == 2 {
			if err := os.WriteFile(file, []byte("P = (a -> P).\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var stdout, stderr bytes.Buffer
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != want {
			t.Errorf("run %d: status %d\n%s%s", i, status, stdout.String(), stderr.String())
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "P = (a -> P).\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestColorful: the flag comes before the environment.
func TestColorful(t *testing.T) {
	for _, c := range []struct {
		flag, no, force string
		want            bool
	}{
		{"always", "1", "", true}, {"never", "", "1", false}, {"auto", "", "", false}, {"auto", "", "1", true}, {"auto", "", "0", false},
		{"auto", "1", "1", false}, {"", "", "1", true},
	} {
		t.Setenv("NO_COLOR", c.no)
		t.Setenv("CLICOLOR_FORCE", c.force)
		var out bytes.Buffer
		args := []string{"seltl", "verify", "../../specs/first.lks", "G(press & dark -> X lit)"}
		if c.flag != "" {
			args = append(args, "--color="+c.flag)
		}
		if status := run(args, strings.NewReader(""), &out, &out); status != 0 {
			t.Fatalf("status %d: %s", status, out.String())
		}
		if got := strings.Contains(out.String(), "\x1b[1;32mHOLDS"); got != c.want {
			t.Errorf("%+v: %q", c, out.String())
		}
	}
}
