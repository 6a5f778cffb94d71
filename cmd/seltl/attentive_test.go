//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/report"
)

// readers are command lines that read the file @, each by its own way.
var readers = []string{
	"verify @", "verify MODEL -F @", "verify @ SPEC", "reach @", "formula -F @", "translate -F @", "automaton @", "automaton --formula a --equivalent @",
	"check-certificate @", "sim --trace @ MODEL", "sim --lines @", "batch @ --out OUT", "conform @ SPEC", "equivalent @ MODEL", "fmt @", "clp @",
	"compose @", "progress @", "deadlock @", "stats @", "check @", "cross -F @",
}

func readerArgs(t *testing.T, line, file string) []string {
	words := map[string]string{"@": file, "MODEL": "../../specs/classics/philosophers.lks", "SPEC": "../../specs/c/spinlock.spec", "OUT": filepath.Join(t.TempDir(), "out")}
	args := strings.Fields("seltl " + line)
	for i, a := range args {
		if w, ok := words[a]; ok {
			args[i] = w
		}
	}
	return args
}

// TestPipeWithoutWriter: who waits for a pipe says so, and ends at the first signal.
func TestPipeWithoutWriter(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes can be made here: ", err)
	}
	for i, line := range readers {
		if testing.Short() && i%8 != 0 || strings.Contains(line, "--equivalent") || strings.HasPrefix(line, "check-certificate") || strings.Contains(line, "SPEC") || strings.HasPrefix(line, "cross") {
			continue // take what is no regular file for something else, or refuse it
		}
		interruptSoon(t)
		var stdout, stderr bytes.Buffer
		began := time.Now()
		status := run(readerArgs(t, line, pipe), strings.NewReader(""), &stdout, &stderr)
		if status != report.ExitInterrupted || time.Since(began) > 30*time.Second {
			t.Errorf("%s: status %d after %v\n%s%s", line, status, time.Since(began), stdout.String(), stderr.String())
		}
	}
}

// TestPipe: what is written late into a pipe is read, and that it was waited for is said.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes can be made here: ", err)
	}
	wait := 1200 * time.Millisecond
	go func() {
		time.Sleep(wait)
		if err := os.WriteFile(pipe, []byte("P = (a -> P).\n"), 0o600); err != nil {
			t.Error(err)
		}
	}()
	var stdout, stderr bytes.Buffer
	status := run([]string{"seltl", "verify", pipe, "G F a"}, strings.NewReader(""), &stdout, &stderr)
	if status != report.ExitHolds || !strings.Contains(stderr.String(), "waiting for something to be written into the pipe "+pipe) {
		t.Errorf("status %d\n%s%s", status, stdout.String(), stderr.String())
	}
}

// TestEndlessInput: what has no end, or is far too large, is refused by all who read, and is
// neither kept nor told twice.
func TestEndlessInput(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a lot")
	}
	large := filepath.Join(t.TempDir(), "large.lks")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 10<<30); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	for _, file := range []string{"/dev/zero", large} {
		if _, err := os.Stat(file); err != nil {
			continue
		}
		for _, line := range readers {
			var stdout, stderr bytes.Buffer
			status := run(readerArgs(t, line, file), strings.NewReader(""), &stdout, &stderr)
			if said := stdout.Len() + stderr.Len(); status != report.ExitInput || said == 0 || said > 4000 {
				t.Errorf("%s of %s: status %d, %d characters\n%.600s%.600s", line, file, status, said, stdout.String(), stderr.String())
			}
		}
	}
}
