// Command explore measures complete explorations of the models in specs/families,
// compiled from the modelling language, on one core and on two, and SPIN's on the
// same models in the same run, as Promela in the form that SPIN explores fastest.
// It prints a Markdown table of medians of several runs. CPU seconds count, since
// machines are shared; with several workers the elapsed time. It is part of
// `make bench`. Where spin or gcc are not installed it says so and leaves SPIN
// out.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
)

type instance struct {
	file, process string
	n             int
}

var instances = []instance{
	{"philosophers.lks", "PHILDL", 12},
	{"philosophers.lks", "PHILOK", 12},
	{"readers-writers.lks", "RW", 8},
	{"milner.lks", "MILNER", 16},
	{"ring.lks", "RING", 16},
}

// figures are what one run, or the median of several, measured.
type figures struct {
	states, transitions, bytes float64
	wall, cpu                  float64 // seconds
}

// What -search and -limit say.
var (
	chosen    string
	maxStates int64
)

func main() {
	specs := flag.String("specs", "specs/families", "folder of the models")
	runs := flag.Int("runs", 5, "runs of each model, of which the median counts")
	only := flag.String("model", "", "PROCESS:N, another instance instead of the usual ones")
	peers := flag.Bool("spin", true, "run SPIN as well")
	one := flag.String("search", "", "the one search to run: numbered, exact, ...")
	limit := flag.Int64("limit", 0, "states after which our searches stop, 0: none")
	flag.Parse()
	chosen, maxStates = *one, *limit
	if err := run(*specs, *runs, *only, *peers); err != nil {
		fmt.Fprintln(os.Stderr, "explore:", err)
		os.Exit(1)
	}
}

func run(specs string, runs int, only string, peers bool) error {
	if only != "" {
		if err := choose(only); err != nil {
			return err
		}
	}
	if peers && !haveSPIN() {
		fmt.Println("SPIN's rows are left out: spin or gcc is not installed, see `make setup`.")
		peers = false
	}
	fmt.Println("| model | states | transitions | search | wall s | CPU s | million states/CPU s | bytes/state | CPU time, SPIN bfs = 1 |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, i := range instances {
		net, err := network(filepath.Join(specs, i.file), i.process, i.n)
		if err != nil {
			return err
		}
		if err := compare(fmt.Sprint(i.process, " ", i.n), net, runs, peers); err != nil {
			return err
		}
	}
	if peak := peakMemory(); peak > 0 {
		fmt.Printf("\nThis process needed %d MiB of memory at most.\n", peak>>20)
	}
	return nil
}

// choose replaces the instances by one given as PROCESS:N.
func choose(only string) error {
	process, size, _ := strings.Cut(only, ":")
	n, err := strconv.Atoi(size)
	at := slices.IndexFunc(instances, func(i instance) bool { return i.process == process })
	if err != nil || at < 0 {
		return fmt.Errorf("-model %s: want PROCESS:N with a PROCESS of the table", only)
	}
	instances = []instance{{instances[at].file, process, n}}
	return nil
}

// compare prints the rows of one model.
func compare(name string, net *lks.Network, runs int, peers bool) error {
	searches := []search{
		{"numbered", func() (figures, error) { return explore(net, lks.ReachOptions{}) }},
		{"exact", func() (figures, error) { return explore(net, lks.ReachOptions{Store: lks.Exact}) }},
		{"exact, 2 workers", func() (figures, error) { return explore(net, lks.ReachOptions{Store: lks.Exact, Workers: 2}) }},
		{"compact", func() (figures, error) { return explore(net, lks.ReachOptions{Store: lks.Compact}) }},
	}
	if peers {
		dir, err := os.MkdirTemp("", "explore")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := buildSPIN(net, dir); err != nil {
			return err
		}
		for _, v := range spinVariants {
			searches = append(searches, search{"SPIN " + v.name, func() (figures, error) { return runSPIN(dir, v) }})
		}
	}
	searches = slices.DeleteFunc(searches, func(s search) bool { return chosen != "" && s.name != chosen })
	if len(searches) == 0 {
		return fmt.Errorf("there is no search %q", chosen)
	}
	results := make([][]figures, len(searches))
	// Runs of the searches alternate, so that all see the same load.
	for range runs {
		for i, s := range searches {
			f, err := s.run()
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, s.name, err)
			}
			results[i] = append(results[i], f)
		}
	}
	return printRows(name, searches, results)
}

type search struct {
	name string
	run  func() (figures, error)
}

func printRows(name string, searches []search, results [][]figures) error {
	peer := 0.0
	for i, s := range searches {
		if s.name == "SPIN bfs" {
			peer = median(results[i]).cpu
		}
	}
	for i, s := range searches {
		f := median(results[i])
		if own := results[0][0]; f.states != own.states && maxStates == 0 {
			return fmt.Errorf("%s: %s counts %.0f states, we %.0f", name, s.name, f.states, own.states)
		}
		ratio := "-"
		if peer > 0 {
			ratio = fmt.Sprintf("%.2f", f.cpu/peer)
		}
		fmt.Printf("| %s | %.0f | %.0f | %s | %.2f | %.2f | %.2f | %.1f | %s |\n", name, f.states, f.transitions, s.name,
			f.wall, f.cpu, f.states/f.cpu/1e6, f.bytes/f.states, ratio)
	}
	return nil
}

// median is that of each time; the other figures do not vary.
func median(runs []figures) figures {
	m := runs[0]
	middle := func(of func(figures) float64) float64 {
		var all []float64
		for _, f := range runs {
			all = append(all, of(f))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	m.wall = middle(func(f figures) float64 { return f.wall })
	m.cpu = middle(func(f figures) float64 { return f.cpu })
	return m
}

// explore measures one run of ours; bytes are those of the store and the queue.
func explore(net *lks.Network, opts lks.ReachOptions) (figures, error) {
	runtime.GOMAXPROCS(max(1, opts.Workers))
	runtime.GC()
	start, before := time.Now(), cpuSeconds()
	opts.Meter = budget.New(nil, budget.Limits{States: maxStates}, nil)
	r, err := lks.Reach(net, opts)
	var exhausted *budget.Exhausted
	if err != nil && !errors.As(err, &exhausted) {
		return figures{}, err
	}
	return figures{
		states: float64(r.States), transitions: float64(r.Transitions), bytes: float64(r.Bytes() + r.QueueBytes),
		wall: time.Since(start).Seconds(), cpu: cpuSeconds() - before,
	}, nil
}

func network(path, process string, n int) (*lks.Network, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := fsp.Parse(source.NewFile(path, string(text)))
	if err != nil {
		return nil, err
	}
	m, err := fsp.Compile(file, fsp.Options{Params: map[string]int{"N": n}})
	if err != nil {
		return nil, err
	}
	return m.Network(process)
}
