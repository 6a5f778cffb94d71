package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seltl/seltl/report"
)

// hardSystem asks for x*x*x + y*y*y == z*z*z, which keeps z3 busy for ever.
const hardSystem = `var x, y, z: int;
locations a, b;
init a when x > 1 && y > 1 && z > 1;
a -> b when x*x*x + y*y*y == z*z*z;
error b;`

// TestInterruptReach: ^C cuts a question to the solver off, in all directions.
func TestInterruptReach(t *testing.T) {
	for _, direction := range []string{"auto", "backward", "forward"} {
		interruptSoon(t)
		var stdout, stderr bytes.Buffer
		status := run([]string{"seltl", "reach", "-", "--timeout=60s", "--direction=" + direction}, strings.NewReader(hardSystem), &stdout, &stderr)
		if status != report.ExitInterrupted || !strings.Contains(stdout.String(), "because: interrupted") {
			t.Errorf("%s: status %d\n%s%s", direction, status, stdout.String(), stderr.String())
		}
	}
}

// TestReachWithoutZ3: one line says what to install.
func TestReachWithoutZ3(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var stdout, stderr bytes.Buffer
	status := run([]string{"seltl", "reach", "-"}, strings.NewReader(hardSystem), &stdout, &stderr)
	if text := stderr.String(); status != report.ExitInput || strings.Count(text, "\n") != 1 || !strings.Contains(text, "install it with `apt-get install z3`") {
		t.Errorf("status %d, %s", status, text)
	}
}
