package values_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/program/values"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
)

// BenchmarkExplore measures processes in a ring, each of which goes on when the next one is
// not where it is, one after the other as a scheduler has them.
func BenchmarkExplore(b *testing.B) {
	const processes, places = 6, 4
	var text strings.Builder
	text.WriteString("var turn")
	for p := range processes {
		fmt.Fprintf(&text, ", p%d, t%d", p, p)
	}
	text.WriteString(": bv32; locations next, done; init next when turn == 0bv32")
	for p := range processes {
		fmt.Fprintf(&text, " && p%d == 0bv32 && t%d == 0bv32", p, p)
	}
	text.WriteString(";\n")
	for p := range processes {
		q := (p + 1) % processes
		fmt.Fprintf(&text, "next -> next when turn == %dbv32 && !(p%d == p%d && bvult(0bv32, p%d)) do p%d := bvand(bvadd(p%d, 1bv32), %dbv32), t%d := bvadd(p%d, 1bv32), turn := %dbv32;\n", p, p, q, p, p, p, places-1, p, p, q)
		fmt.Fprintf(&text, "next -> next when turn == %dbv32 && !(t%d == 77bv32) do turn := %dbv32;\n", p, p, q)
	}
	fmt.Fprintf(&text, "next -> done when p0 == %dbv32; error done;", places)
	sys, err := reader.ParseText("ring.gcl", text.String())
	if err != nil {
		b.Fatal(err)
	}
	a := values.New(program.SmallBlocks(sys))
	states := 0
	for b.Loop() {
		precision := make([]values.Precision, len(sys.Vars))
		for v := range precision {
			precision[v] = values.Exact
		}
		reached, err := a.Explore(values.Options{Precision: precision, Fixed: make([]bool, len(sys.Vars)), Tick: func(int) error { return nil }})
		if err != nil || reached.Error >= 0 {
			b.Fatal(err)
		}
		states += reached.States()
	}
	b.ReportMetric(float64(states)/float64(b.N), "states/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(states), "ns/state")
}
