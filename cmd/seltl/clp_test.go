package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seltl/seltl/report"
)

// hardQuery asks for x*x*x + y*y*y == z*z*z, which keeps z3 busy for ever.
const hardQuery = `var x, y, z: int;
query q;
p(x, y, z) :- x > 1 && y > 1 && z > 1;
q() :- p(x, y, z) && x*x*x + y*y*y == z*z*z;`

// TestInterruptCLP: ^C cuts a question to the solver off, by all methods.
func TestInterruptCLP(t *testing.T) {
	for _, method := range []string{"auto", "car", "spacer"} {
		interruptSoon(t)
		var stdout, stderr bytes.Buffer
		status := run([]string{"seltl", "clp", "-", "--timeout=60s", "--method=" + method}, strings.NewReader(hardQuery), &stdout, &stderr)
		if status != report.ExitInterrupted || !strings.Contains(stdout.String(), "because: interrupted") {
			t.Errorf("%s: status %d\n%s%s", method, status, stdout.String(), stderr.String())
		}
	}
}

// TestCLPWithoutZ3: one line says what to install.
func TestCLPWithoutZ3(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var stdout, stderr bytes.Buffer
	status := run([]string{"seltl", "clp", "-"}, strings.NewReader(hardQuery), &stdout, &stderr)
	if text := stderr.String(); status != report.ExitInput || strings.Count(text, "\n") != 1 || !strings.Contains(text, "install it with `apt-get install z3`") {
		t.Errorf("status %d, %s", status, text)
	}
}
