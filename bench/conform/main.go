// Command conform measures package conform and prints Markdown: simulation
// against the number of clauses, bisimulation of a large LTS, and plain against
// two-level conformance of the SSL handshake in the manner of the thesis's table
// 9.3. With -plot FILE it draws the first as SVG.
//
//	go run ./bench/conform -plot bench/conform/linear.svg > bench/conform/RESULTS.md
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/chart"
	"github.com/seltl/seltl/bench/internal/cputime"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

func main() {
	plot := flag.String("plot", "", "draw processor time against clauses into this SVG file")
	model := flag.String("model", "specs/conform/ssl.lks", "the handshake")
	transitions := flag.Int("transitions", 10_000_000, "of the LTS to be minimised")
	flag.Parse()
	fmt.Println("# Package conform, measured")
	fmt.Printf("\n%s, %s/%s, %d processors, shared with other work: processor time is the figure to look at.\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	bisimulation(*transitions)
	points := simulation()
	if *plot != "" {
		check(os.WriteFile(*plot, []byte(draw(points)), 0o644))
	}
	handshake(*model)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measured(f func()) (wall, cpu time.Duration) {
	runtime.GC()
	start, before := time.Now(), cputime.Used()
	f()
	return time.Since(start), cputime.Used() - before
}

// random returns n states and the edges over ten actions.
func random(name string, n int, edges [][3]int32) *lks.LKS {
	b := lks.NewBuilder(name)
	for a := range 10 {
		b.Action(fmt.Sprint("a", a))
	}
	for range n {
		b.State()
	}
	for _, e := range edges {
		b.TransitionID(e[0], 1+e[1], e[2])
	}
	m, err := b.Build()
	check(err)
	return m
}

// cover returns an implementation of n states and 10n transitions, and a
// specification of n/10 states of which it has ten copies of each state. With few
// actions, every state of one can be held against many of the other.
func cover(n, actions int) (impl, spec *lks.LKS) {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	k := n / 10
	var of, copies [][3]int32
	for s := range int32(k) {
		for range 10 {
			e := [3]int32{s, r.Int32N(int32(actions)), r.Int32N(int32(k))}
			of = append(of, e)
			for c := range int32(10) {
				copies = append(copies, [3]int32{10*s + c, e[1], 10*e[2] + r.Int32N(10)})
			}
		}
	}
	return random("I", n, copies), random("S", k, of)
}

type point struct{ clauses, seconds float64 }

func simulation() []point {
	fmt.Println("\n## Simulation")
	fmt.Println("\nRandom implementations of n states and 10 n transitions against specifications of n/10 states that simulate them (each state of the specification has ten copies). With one or two actions nearly every position is in the game; with ten few are.")
	fmt.Println("\n| states | spec | transitions | actions | positions | clauses | literals | processor s | clock s | ns per literal |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	var points []point
	for _, actions := range []int{10, 2, 1} {
		for _, n := range []int{2000, 5000, 7000, 10_000, 20_000, 50_000, 100_000} {
			if actions < 10 && n > 10_000 {
				continue // up to a billion clauses
			}
			impl, spec := cover(n, actions)
			var r *conform.Result
			wall, cpu := measured(func() {
				var err error
				r, err = conform.Check(context.Background(), lks.Single(impl), lks.Single(spec), conform.Options{})
				check(cmp.Or(err, r.Reason))
			})
			if !r.Holds() {
				check(fmt.Errorf("a cover is not simulated"))
			}
			fmt.Printf("| %d | %d | %d | %d | %d | %d | %d | %.2f | %.2f | %.0f |\n", impl.NumStates(), spec.NumStates(), impl.NumTransitions(), actions,
				r.Stats.Positions, r.Stats.Clauses, r.Stats.Literals, cpu.Seconds(), wall.Seconds(), float64(cpu.Nanoseconds())/float64(r.Stats.Literals))
			points = append(points, point{float64(r.Stats.Literals), cpu.Seconds()})
		}
	}
	return points
}

// draw makes a plot of seconds against literals.
func draw(points []point) string {
	cloud := chart.Series{Name: "simulation", Cloud: true}
	for _, p := range points {
		cloud.Points = append(cloud.Points, chart.Point{X: p.clauses, Y: p.seconds})
	}
	figure := chart.Figure{Title: "Simulation: time against the literals of the clauses", Panels: []chart.Panel{{
		X:      chart.Axis{Label: "literals of generated clauses", Log: true},
		Y:      chart.Axis{Label: "processor seconds", Log: true},
		Series: []chart.Series{cloud},
	}}}
	return figure.SVG()
}

func bisimulation(transitions int) {
	fmt.Println("\n## Strong bisimulation")
	fmt.Println("\nAn LTS with ten copies of every state of a random one, ten transitions a state, three actions; partition refinement of package lks.")
	fmt.Println("\n| states | transitions | classes | processor s | clock s | peak memory of the process, MiB |")
	fmt.Println("|---:|---:|---:|---:|---:|---:|")
	for _, m := range []int{transitions / 10, transitions} {
		impl, _ := cover(m/10, 3)
		var classes []int32
		wall, cpu := measured(func() {
			var err error
			classes, err = lks.Classes(impl, lks.Strong, nil)
			check(err)
		})
		fmt.Printf("| %d | %d | %d | %.1f | %.1f | %d |\n", impl.NumStates(), impl.NumTransitions(),
			slices.Max(classes)+1, cpu.Seconds(), wall.Seconds(), int(cputime.OwnPeak())>>20)
	}
}

func handshake(path string) {
	text, err := os.ReadFile(path)
	check(err)
	file, err := syntax.Parse(source.NewFile(path, string(text)))
	check(err)
	model, err := fsp.Compile(file, fsp.Options{})
	check(err)
	fmt.Println("\n## Two-level conformance (the kind of tables 9.2 and 9.3)")
	fmt.Println("\nWeak simulation, restricted to the alphabet of the specification, of `specs/conform/ssl.lks`. St: states of the implementation that were looked at (two-level: of the last abstraction); It: rounds of refinement; T: processor seconds. The thesis's components are C programs under predicate abstraction, about ten times as large; its gains in concurrent rows 3.4 to 16.7 (memory) on 100,000 to 200,000 states.")
	fmt.Println("\n| implementation | specification | answer | plain St | T | two-level St | It | T | gain St |")
	fmt.Println("|---|---|---|---:|---:|---:|---:|---:|---:|")
	for _, line := range strings.Split(string(text), "\n") {
		if w := strings.Fields(line); len(w) == 5 && w[1] == "expect" {
			row(model, w[2], w[3])
		}
	}
	for _, spec := range []string{"FIRST_SSL3", "FIRST_CHANGE_FIRST", "FIRST_BOTH_FINISHED"} {
		row(model, "HANDSHAKES", spec)
	}
}

// row compares the methods.
func row(model *fsp.Model, implName, specName string) {
	impl, err := model.Network(implName)
	check(err)
	spec, err := model.Network(specName)
	check(err)
	opts := conform.Options{Preorder: conform.Weak, Restrict: true, Method: conform.Plain, TreeEffort: -1, Limits: budget.Limits{States: 2_000_000}}
	var plain, levels *conform.Result
	var plainErr error
	_, plainTime := measured(func() { plain, plainErr = conform.Check(context.Background(), impl, spec, opts) })
	opts.Method = conform.TwoLevel
	_, levelsTime := measured(func() {
		levels, err = conform.Check(context.Background(), impl, spec, opts)
		check(cmp.Or(err, levels.Reason))
	})
	answer := map[bool]string{true: "conforms", false: "fails"}[levels.Holds()]
	more := ""
	if cmp.Or(plainErr, plain.Reason) != nil {
		more = "> "
	} else if plain.Holds() != levels.Holds() {
		check(fmt.Errorf("the methods disagree on %s and %s", implName, specName))
	}
	abstract := levels.Levels.AbstractStates
	fmt.Printf("| %s | %s | %s | %s%d | %s%.2f | %d | %d | %.2f | %s%.1f |\n", implName, specName, answer,
		more, plain.Stats.ImplStates, more, plainTime.Seconds(), abstract, len(levels.Levels.Rounds), levelsTime.Seconds(),
		more, float64(plain.Stats.ImplStates)/float64(abstract))
}
