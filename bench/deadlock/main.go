// Deadlock measures package deadlock on the families of table 10.1 of
// [Chaki05], beside the numbers of the table, and then on larger members of
// each family, as far as a time limit allows. It prints Markdown.
//
//	go run ./bench/deadlock > bench/deadlock/RESULTS.md
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/seltl/seltl/bench/internal/cputime"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// row is a row of table 10.1. Times are seconds, -1 where the thesis has "*".
type row struct {
	family string
	n      int
	free   bool
	states string // reachable, of Plain in the thesis
	plain  float64
	iter   float64
}

// table is table 10.1. The programs are not public; abb.lks says what it takes from
// the text.
var table = []row{
	{"abb", 5, true, "*", -1, 1446},
	{"ssl", 0, true, "25731", 44, 31.9},
	{"ucosd", 2, false, "5851", 24, 14.5},
	{"ucosd", 3, false, "*", -1, 221.8},
	{"ucosn", 4, true, "39262", 18.1, 8.1},
	{"ucosn", 5, true, "4.2e5", 253, 80},
	{"ucosn", 6, true, "*", -1, 813},
	{"rw", 4, true, "8369", 6.48, 4.40},
	{"rw", 5, true, "54369", 35.1, 7.33},
	{"rw", 6, true, "3.5e5", 257, 12.6},
	{"rw", 7, true, "*", -1, 25.3},
	{"rw", 8, true, "*", -1, 60.5},
	{"rw", 9, true, "*", -1, 132},
	{"dpn", 3, true, "1401", 0.779, 0.849},
	{"dpn", 4, true, "16277", 11.8, 7.86},
	{"dpn", 5, true, "1.9e5", 197, 84.6},
	{"dpn", 6, true, "*", -1, 831},
	{"dpd", 9, false, "11278", 22.5, 191},
	{"dpd", 10, false, "38268", 87.6, 755},
}

// families are those whose n can grow; mixed are philosophers with forks that do not
// know who has them.
var families = []string{"abb", "ucosd", "ucosn", "rw", "dpn", "dpd", "mixed"}

var methods = []struct {
	name string
	opts deadlock.Options
}{
	{"plain", deadlock.Options{Method: deadlock.Plain}},
	{"iter", deadlock.Options{Method: deadlock.Iter}},
	{"auto", deadlock.Options{}},
	{"conditions", deadlock.Options{Method: deadlock.Conditions}},
	{"plain, all transitions", deadlock.Options{Method: deadlock.Plain, NoReduction: true}},
}

var (
	dir   = flag.String("specs", "specs/deadlock", "directory of the models")
	limit = flag.Duration("limit", 10*time.Second, "for each run")
	runs  = flag.Int("runs", 5, "runs of each row; the median counts")
)

func main() {
	flag.Parse()
	fmt.Printf("# Deadlock: table 10.1\n\nMade by `go run ./bench/deadlock` with %s on %d processors; medians of %d runs, each limited to %v. Times are processor time (user and system).\n", runtime.Version(), runtime.NumCPU(), *runs, *limit)
	fmt.Println("The thesis measured C programs with predicate abstraction around the search, on an Athlon XP 1600+: its numbers show the growth, not a race. Its programs are not public: the models of specs/deadlock follow its text (`abb` only roughly: little is said of that program). `*`: it did not finish. Ratios of rows below a millisecond are mostly noise.")
	printTable()
	printReach()
}

func printTable() {
	fmt.Print("\nConcrete: product of the components' sizes. Reachable: all states, counted without reduction (`-`: not within 3 s). States: stored by the search; rounds of refinement. Memory: of the search's table.\n\n")
	fmt.Println("| row | deadlock | concrete | reachable | thesis: reachable | plain: states | time | memory | thesis | iter: rounds | abstract states | time | memory | thesis | auto: time | ratio | decided by |")
	fmt.Println("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	for _, r := range table {
		net, err := load(r.family, r.n)
		if err != nil {
			fail(err)
		}
		p, i, a := median(net, methods[0].opts), median(net, methods[1].opts), median(net, methods[2].opts)
		for _, m := range []measurement{p, i, a} {
			if m.err == nil && m.result.Free() != r.free {
				fail(fmt.Errorf("%s-%d: wrong verdict by %v", r.family, r.n, m.result.Method))
			}
		}
		reachable := "-"
		if reached, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Meter: budget.New(nil, budget.Limits{Time: 3 * time.Second}, nil)}); err == nil {
			reachable = fmt.Sprint(reached.States)
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %d | %s | %s | %s | %d | %d | %s | %s | %s | %s | %.2f | %s |\n",
			label(r.family, r.n), map[bool]string{true: "no", false: "yes"}[r.free], concrete(net), reachable, r.states,
			p.result.Exploration.States, p.time(), budget.FormatBytes(p.result.Exploration.Bytes), seconds(r.plain),
			i.result.Abstraction.Rounds, i.result.Abstraction.MaxStates, i.time(), budget.FormatBytes(i.result.Abstraction.Bytes), seconds(r.iter),
			a.time(), a.elapsed.Seconds()/min(p.elapsed, i.elapsed).Seconds(), a.result.Method)
	}
}

// printReach prints how large n may be for each family and method.
func printReach() {
	fmt.Printf("\n## How far within %v\n\nThe largest n that was decided, with its time, and what came of the next n tried: n grows by a third each time, up to 1000.\n\n", *limit)
	fmt.Print("| family |")
	for _, m := range methods {
		fmt.Printf(" %s |", m.name)
	}
	fmt.Print("\n|---|" + string(slices.Repeat([]byte("---|"), len(methods))) + "\n")
	for _, family := range families {
		fmt.Printf("| %s |", family)
		for _, m := range methods {
			fmt.Printf(" %s |", furthest(family, m.opts))
		}
		fmt.Println()
	}
}

func furthest(family string, opts deadlock.Options) string {
	best := "none"
	for n := 4; n <= 1000; n += (n + 2) / 3 {
		net, err := load(family, n)
		if err != nil {
			return fmt.Sprintf("%s; %d does not compile: %v", best, n, err)
		}
		m := measure(net, opts)
		if m.err != nil {
			return fmt.Sprintf("%s; %d: %v", best, n, m.err)
		}
		best = fmt.Sprintf("**%d** in %s", n, m.time())
	}
	return best
}

type measurement struct {
	result  *deadlock.Result
	err     error
	elapsed time.Duration
}

func (m measurement) time() string {
	if m.err != nil {
		return m.err.Error()
	}
	return fmt.Sprint(m.elapsed.Round(max(time.Microsecond, m.elapsed/1000)))
}

// check is deadlock.Check, whose limits are errors here.
func check(net *lks.Network, opts deadlock.Options) (*deadlock.Result, error) {
	r, err := deadlock.Check(context.Background(), net, opts)
	if err == nil {
		err = r.Reason
	}
	return r, err
}

// measure runs one check, several times if it is short. Compilation is not counted:
// components are ready.
func measure(net *lks.Network, opts deadlock.Options) measurement {
	opts.Limits = budget.Limits{Time: *limit, Memory: 4 << 30}
	runtime.GC()
	start := cputime.Used()
	r, err := check(net, opts)
	elapsed := cputime.Used() - start
	times := 1
	for ; err == nil && elapsed < 10*time.Millisecond && times < 100; times++ {
		start := cputime.Used()
		r, err = check(net, opts)
		elapsed += cputime.Used() - start
	}
	return measurement{r, err, elapsed / time.Duration(times)}
}

func median(net *lks.Network, opts deadlock.Options) measurement {
	var all []measurement
	for range *runs {
		all = append(all, measure(net, opts))
	}
	slices.SortFunc(all, func(a, b measurement) int { return int(a.elapsed - b.elapsed) })
	return all[len(all)/2]
}

func load(family string, n int) (*lks.Network, error) {
	path, process := filepath.Join(*dir, family+".lks"), ""
	if family == "mixed" {
		path, process = filepath.Join(*dir, "..", "classics", "philosophers.lks"), "MIXED"
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := syntax.Parse(source.NewFile(path, string(text)))
	if err != nil {
		return nil, err
	}
	var opts fsp.Options
	if n > 0 {
		opts.Params = map[string]int{"N": n}
	}
	model, err := fsp.Compile(file, opts)
	if err != nil {
		return nil, err
	}
	return model.Network(process)
}

func label(family string, n int) string {
	if n == 0 {
		return family
	}
	return fmt.Sprintf("%s-%d", family, n)
}

// concrete returns the product of the components' sizes.
func concrete(net *lks.Network) string {
	log := 0.0
	for _, m := range net.Components() {
		log += math.Log10(float64(m.NumStates()))
	}
	return fmt.Sprintf("%.1fe%d", math.Pow(10, log-math.Floor(log)), int(log))
}

func seconds(s float64) string {
	if s < 0 {
		return "*"
	}
	return fmt.Sprintf("%g s", s)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "deadlock:", err)
	os.Exit(1)
}
