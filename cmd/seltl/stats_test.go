package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestStatsTooLarge: what is too large to be built is explored, with the same counts.
func TestStatsTooLarge(t *testing.T) {
	figures := func() map[string]string {
		var stdout, stderr bytes.Buffer
		args := []string{"seltl", "stats", "../../specs/families/philosophers.lks", "-p", "PHILDL", "-D", "N=8", "-q"}
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != exitHolds {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		lines := map[string]string{}
		for line := range strings.Lines(stdout.String()) {
			lines[strings.TrimSpace(line[:30])] = strings.TrimSpace(line[30:])
		}
		return lines
	}
	built := figures()
	old := statsStates
	defer func() { statsStates = old }()
	statsStates = 10_000
	explored := figures()
	if built["deterministic"] == "" || explored["deterministic"] != "" || explored["explored"] != "yes" {
		t.Errorf("built: %v, explored: %v", built, explored)
	}
	for _, name := range []string{"process", "states", "transitions", "alphabet", "propositions", "deadlocks", "terminated", "error reachable"} {
		if built[name] == "" || built[name] != explored[name] {
			t.Errorf("%s: built %q, explored %q", name, built[name], explored[name])
		}
	}
}

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
		if status := run(args, strings.NewReader(""), &stdout, &stderr); status != exitUnknown {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		for _, want := range []string{"\nstates  ", "\ntransitions  ", "explored                       no, states limit reached (9000)\n"} {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%v: %q is not in\n%s", extra, want, stdout.String())
			}
		}
	}
}
