package facts_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/facts"
)

// processorTime is that of the process: other work on the machine does not count.
func processorTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// line is a program of n locations in a row over so many variables, half of which are
// not initialised.
func line(t testing.TB, n, vars int) *program.System {
	var b strings.Builder
	var names []string
	for i := range vars {
		names = append(names, fmt.Sprintf("x%d", i))
	}
	fmt.Fprintf(&b, "input in: int; var %s: int; locations l0", strings.Join(names, ", "))
	for i := range n {
		fmt.Fprintf(&b, ", l%d", i+1)
	}
	b.WriteString("; init l0 when true")
	for i := range vars / 2 {
		fmt.Fprintf(&b, " && x%d == %d", i, i)
	}
	fmt.Fprintf(&b, "; error l%d;\n", n)
	for i := range n {
		x, y, z := i%vars, (i*7+3)%vars, (i*5+1)%vars
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "l%d -> l%d do x%d := x%d + %d;\n", i, i+1, x, x, i%10)
		case 1:
			fmt.Fprintf(&b, "l%d -> l%d when in <= x%d do x%d := x%d - x%d;\n", i, i+1, y, x, y, z)
		case 2:
			fmt.Fprintf(&b, "l%d -> l%d when in == x%d + 2 do x%d := in - %d;\n", i, i+1, x, z, i%50)
		default:
			fmt.Fprintf(&b, "l%d -> l%d do x%d := %d, x%d := x%d + %d;\n", i, i+1, x, i%100, (x+1)%vars, y, i%3)
		}
	}
	return parse(t, b.String())
}

// loops is a program of n loops in a row, each over its own counter and up to the last one.
func loops(t testing.TB, n int) *program.System {
	var b strings.Builder
	b.WriteString("var n: int;\n")
	for i := range n {
		fmt.Fprintf(&b, "var x%d: int; locations l%d;\n", i, i)
	}
	fmt.Fprintf(&b, "init l0 when n >= 0 && x0 == 0; error l%d when x0 > n;\n", n-1)
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d when x%d < n do x%d := x%d + 1;\n", i, i, i, i, i)
		if i+1 < n {
			fmt.Fprintf(&b, "l%d -> l%d when x%d >= n do x%d := 0;\n", i, i+1, i, i+1)
		}
	}
	return parse(t, b.String())
}

// TestSpeed: large programs take time linear in their size, whatever they are; the bounds are generous.
func TestSpeed(t *testing.T) {
	n := soak.Size(5000)
	for _, c := range []struct {
		name    string
		sys     *program.System
		without []facts.Domain
	}{
		{"karr", line(t, n, 20), []facts.Domain{facts.Congruences, facts.Intervals, facts.Octagons}},
		{"congruences", line(t, n, 20), []facts.Domain{facts.Karr, facts.Intervals, facts.Octagons}},
		{"intervals", line(t, n, 20), []facts.Domain{facts.Karr, facts.Congruences, facts.Octagons}},
		{"octagons", line(t, n, 20), []facts.Domain{facts.Karr, facts.Congruences, facts.Intervals}},
		{"all", line(t, n, 20), nil},
		{"loops", loops(t, 30), nil},
	} {
		began := processorTime(t)
		f := find(t, c.sys, facts.Options{Without: c.without})
		took := processorTime(t) - began
		t.Logf("%s: %v, %d facts, left %v", c.name, took, f.Count(), f.Left)
		if took > 10*time.Second {
			t.Errorf("%s: %v", c.name, took)
		}
	}
}
