package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a program on a pseudo-terminal.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	mu     sync.Mutex
	out    bytes.Buffer
	closed chan struct{}
}

// onTerminal starts seltl on a terminal of that kind and size.
func onTerminal(t *testing.T, kind string, columns, rows uint16, args ...string) *terminal {
	t.Helper()
	seltl, err := exec.LookPath("seltl")
	if err != nil {
		t.Fatal(err)
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("SKIPPED: no pseudo-terminals here: %v", err)
	}
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns})
	}
	var screen *os.File
	if err == nil {
		screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skipf("SKIPPED: no pseudo-terminals here: %v", err)
	}
	x := &terminal{t: t, master: master, closed: make(chan struct{}), cmd: exec.Command(seltl, args...)}
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = screen, screen, screen
	x.cmd.Env = append(os.Environ(), "TERM="+kind, "NO_COLOR=1")
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	go func() {
		defer close(x.closed)
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			x.mu.Lock()
			x.out.Write(buf[:n])
			x.mu.Unlock()
			if err != nil {
				return // the other side is closed
			}
		}
	}()
	t.Cleanup(func() { _ = x.cmd.Process.Kill(); master.Close() })
	return x
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.String()
}

// waitFor waits until a text has come behind what came before.
func (x *terminal) waitFor(from int, text string) (to int) {
	x.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if out := x.text(); len(out) >= from && strings.Contains(out[from:], text) {
			return len(out)
		}
	}
	x.t.Fatalf("no %q in\n%q", text, x.text()[from:])
	return 0
}

func (x *terminal) send(text string) { fmt.Fprint(x.master, text) }

// end waits for the program's end and returns its exit status.
func (x *terminal) end() int {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		x.t.Fatalf("it does not end\n%q", x.text())
	}
	<-x.closed
	return x.cmd.ProcessState.ExitCode()
}

const (
	otherScreen = "\x1b[?1049h"
	firstScreen = "\x1b[?1049l"
)

// TestSimTerminal: seltl sim fills a terminal, draws anew when that changes its size, and
// gives it back however it ends.
func TestSimTerminal(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    func(*terminal)
		status int
	}{
		{"q", func(x *terminal) { x.send("q") }, 0},
		{"ctrl-c", func(x *terminal) { x.send("\x03") }, 0},
		{"SIGTERM", func(x *terminal) { _ = x.cmd.Process.Signal(syscall.SIGTERM) }, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := onTerminal(t, "xterm", 80, 24, "sim", "../../specs/classics/mutex.lks")
			at := x.waitFor(0, "state 0")
			if before, _, _ := strings.Cut(x.text(), "MUTEX"); !strings.Contains(before, otherScreen) || strings.Contains(before, "\x1b]") || strings.Contains(before, "\x1b[6n") {
				t.Errorf("it begins with %q", before)
			}
			x.send("1")
			at = x.waitFor(at, "state 1")
			if err := unix.IoctlSetWinsize(int(x.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 60, Col: 200}); err != nil {
				t.Fatal(err)
			}
			at = x.waitFor(at, "MUTUAL_EXCLUSION")
			x.send("gp[1].crit\r")
			at = x.waitFor(at, "the fewest")
			c.end(x)
			if status := x.end(); status != c.status {
				t.Errorf("exit status %d", status)
			}
			if after := x.text()[at:]; !strings.Contains(after, firstScreen) || !strings.Contains(after, "\x1b[?25h") {
				t.Errorf("the terminal is not given back: %q", after)
			}
		})
	}
}

// TestSimDumb: on a dumb terminal it asks line by line, and ctrl-c ends it.
func TestSimDumb(t *testing.T) {
	x := onTerminal(t, "dumb", 80, 24, "sim", "../../specs/first.lks")
	at := x.waitFor(0, "> ")
	x.send("press\n")
	at = x.waitFor(at, "in ON")
	at = x.waitFor(at-2, "> ")
	x.send("\x03")
	if status := x.end(); status != 130 {
		t.Errorf("exit status %d", status)
	}
	if text := x.text(); strings.Contains(text, "\x1b") || at == 0 {
		t.Errorf("escapes in %q", text)
	}
}

// TestNoQuestionsToTerminal: no command asks the terminal anything when it starts, though
// bubbletea would.
func TestNoQuestionsToTerminal(t *testing.T) {
	x := onTerminal(t, "xterm", 80, 24, "version")
	if status := x.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if text := x.text(); !strings.HasPrefix(text, "seltl ") || strings.Contains(text, "\x1b") {
		t.Errorf("it writes %q", text)
	}
	// And TERM is as it was.
	y := onTerminal(t, "xterm", 80, 24, "sim", "../../specs/first.lks")
	y.waitFor(0, otherScreen)
	y.send("q")
	y.end()
}
