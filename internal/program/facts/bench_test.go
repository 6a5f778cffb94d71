package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program"
)

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

// BenchmarkFind computes facts of 5000 locations in line over 20 variables, and of 30
// loops in a row.
func BenchmarkFind(b *testing.B) {
	n := soak.Size(5000)
	only := func(d facts.Domain) (without []facts.Domain) {
		for e := range facts.Domain(len(d.Names())) {
			if e != d {
				without = append(without, e)
			}
		}
		return without
	}
	for _, c := range []struct {
		name    string
		sys     *program.System
		without []facts.Domain
	}{
		{"karr", line(b, n, 20), only(facts.Karr)},
		{"congruences", line(b, n, 20), only(facts.Congruences)},
		{"parities", line(b, n, 20), only(facts.Parities)},
		{"intervals", line(b, n, 20), only(facts.Intervals)},
		{"octagons", line(b, n, 20), only(facts.Octagons)},
		{"all", line(b, n, 20), nil},
		{"loops", loops(b, 30), nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if f := find(b, c.sys, facts.Options{Without: c.without}); f.Count() == 0 || f.Left != nil {
					b.Fatalf("%d facts, left %v", f.Count(), f.Left)
				}
			}
		})
	}
}

// TestLinearWork: the work that locations in line take grows with their number only.
func TestLinearWork(t *testing.T) {
	const enough, few = 800, 20 // operations for each location
	for _, n := range []int{100, 400, 1600} {
		sys := line(t, n, 20)
		if f := find(t, sys, facts.Options{Work: enough * n}); f.Left != nil || f.Count() < 10*n {
			t.Errorf("%d locations: %d facts, left %v", n, f.Count(), f.Left)
		}
		if f := find(t, sys, facts.Options{Work: few * n}); len(f.Left) != len(facts.Karr.Names()) {
			t.Errorf("%d locations: only %v is too much", n, f.Left)
		}
	}
}
