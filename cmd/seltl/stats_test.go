package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seltl/seltl/report"
)

// TestStatsText: numbers are grouped, and rows are no wider than 80 columns.
func TestStatsText(t *testing.T) {
	for _, extra := range [][]string{{"-D", "N=8"}, {"-D", "N=8", "--profile"}, {"-D", "N=9", "--store=bitstate"}, {"-D", "N=8", "--json"}} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"seltl", "stats", "../../specs/families/philosophers.lks", "-p", "PHILDL", "-q"}, extra...)
		run(args, strings.NewReader(""), &stdout, &stderr)
		out, inJSON := stdout.String(), extra[len(extra)-1] == "--json"
		if !inJSON && extra[1] == "N=8" && !strings.Contains(out, "\nstates                         14,158\ntransitions                    72,336\n") {
			t.Errorf("%v: not grouped:\n%s", extra, out)
		}
		if inJSON && !strings.Contains(out, `"states": 14158`) {
			t.Errorf("%v: no number:\n%s", extra, out)
		}
		if !inJSON && len(extra) == 2 && !strings.Contains(out, "2, the largest of 14,157 states, 1 terminal\n") {
			t.Errorf("%v: not grouped:\n%s", extra, out)
		}
		for line := range strings.Lines(out) {
			if len(line) > 81 {
				t.Errorf("%v: %d columns: %s", extra, len(line)-1, line)
			}
		}
	}
}

// TestStatsPartial: at a limit, what was counted is printed.
func TestStatsPartial(t *testing.T) {
	for _, extra := range [][]string{nil, {"--profile"}} {
		var stdout, stderr bytes.Buffer
		args := append([]string{"seltl", "stats", "../../specs/families/philosophers.lks", "-p", "PHILDL", "-D", "N=9", "-q", "--max-states", "9000"}, extra...)
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != report.ExitUnknown {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		for _, want := range []string{"\nstates  ", "\ntransitions  ", "explored                       no, states limit reached (9000)\n"} {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%v: %q is not in\n%s", extra, want, stdout.String())
			}
		}
	}
}
