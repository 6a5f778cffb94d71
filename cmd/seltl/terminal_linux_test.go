package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// onScreen runs seltl with a terminal of some columns for its output, and returns what
// it wrote there.
func onScreen(t *testing.T, columns int, args ...string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("SKIPPED: no pseudo-terminals here: %v", err)
	}
	defer master.Close()
	fd := int(master.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)})
	}
	if err != nil {
		t.Skipf("SKIPPED: no pseudo-terminals here: %v", err)
	}
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("SKIPPED: no pseudo-terminals here: %v", err)
	}
	var b bytes.Buffer
	read := make(chan struct{})
	go func() {
		_, _ = io.Copy(&b, master) // ends with an error when the other side is closed
		close(read)
	}()
	run(append([]string{"seltl"}, args...), strings.NewReader(""), screen, screen)
	screen.Close()
	<-read
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

const screenModel = `const N = 25
range I = 0..N-1
P = (getl -> getr -> eat -> put -> P).
F = (get -> put -> F).
||S = (p[I]:P || f[I]:F)/{forall [i:I] {p[i].getl/f[i].get}}.
fair weak {p[0].eat}
assert LONG = [](p[0].getl -> <>{p[0].eat, p[1].eat, p[2].eat, p[3].eat, p[4].eat, p[5].eat})
progress NONE = {p[0].eatt, p[1].eatt}
`

// TestScreen: on a terminal nothing but tables and code is wider than it, and the
// progress of a search takes one line.
func TestScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("asks three times for a second and a half")
	}
	file := t.TempDir() + "/m.lks"
	if err := os.WriteFile(file, []byte(screenModel), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "xterm")
	const columns = 60
	args := []string{"verify", file, "--property=LONG", "--timeout", "1500ms", "-j1"}
	out := onScreen(t, columns, args...)
	if !strings.Contains(out, "\r") || !strings.Contains(out, ",") {
		t.Errorf("no progress in\n%q", out)
	}
	for _, line := range strings.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == '\r' }) {
		code := regexp.MustCompile(`^(UNKNOWN|HOLDS|FAILS) |^ +\d+ \| |^ +\| `).MatchString(line)
		if n := utf8.RuneCountInString(line); n > columns && !code && strings.Contains(strings.TrimSpace(line), " ") && !strings.HasPrefix(line, "/") {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	if !regexp.MustCompile(`(?m)^        assuming fair choice: whatever is possible again and\n          again happens`).MatchString(out) {
		t.Errorf("what is assumed is not wrapped in\n%s", out)
	}
	t.Setenv("TERM", "dumb")
	if dumb := onScreen(t, columns, args...); strings.ContainsAny(dumb, "\r\x1b\b") || !strings.HasPrefix(dumb, "seltl: exploring: ") {
		t.Errorf("for TERM=dumb\n%q", dumb)
	}
	// In a pipe lines are as long as they are.
	var piped bytes.Buffer
	run(append([]string{"seltl"}, args...), strings.NewReader(""), &piped, &piped)
	if !strings.Contains(piped.String(), "whatever is possible again and again happens again and again (--fair=choice)\n") {
		t.Errorf("in a pipe\n%s", piped.String())
	}
}
