// Command ltsa measures how long seltl takes to compile and compose the models of
// LTSA's textbook, and to check their progress properties, and prints Markdown
// tables that compare the times with LTSA's own, as the reference file
// ../shared/oracle/ltsa/reference.csv has them. It is part of `make bench`.
// Where that file is absent it says so in one line and does nothing.
//
// LTSA's times are single measurements on another, busy machine: orders of
// magnitude. Its time for a process is compile_ms + analyse_ms, without what it
// needs to read the file and to minimise; ours is everything from the text of
// the file to the last state. Its time for a progress property is ms, which
// leaves out the composition; ours has it, and answers all properties of the
// process at once. Elapsed time and the processor time of all threads, the
// collector's included, are both shown, since machines are shared.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/cputime"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

// slowLTSA is from where on LTSA's times are listed row by row: below, they are
// mostly the time it takes to warm up.
const slowLTSA = 100 * time.Millisecond

// wanted is by how much seltl is to be faster than LTSA at compiling and
// composing where LTSA is slow.
const wanted = 20

func main() {
	oracle := flag.String("oracle", "../shared/oracle/ltsa", "folder of LTSA's answers")
	runs := flag.Int("runs", 5, "runs of each process, of which the median counts")
	only := flag.String("only", "", "only rows whose file or process contains this")
	flag.Parse()
	if err := run(*oracle, *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "ltsa:", err)
		os.Exit(1)
	}
}

func run(oracle string, runs int, only string) error {
	rows, err := readRows(filepath.Join(oracle, "reference.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Printf("Nothing to compare with: %s is not here.\n", filepath.Join(oracle, "reference.csv"))
		return nil
	}
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(r row) bool {
		return !strings.Contains(r.file, only) && !strings.Contains(r.process, only)
	})
	for _, part := range []struct {
		kind, title string
		measure     func(dir string, r row) (states int64, err error)
	}{
		{"process", "Compile and compose", compose},
		{"progress", "Check progress", progress},
	} {
		fmt.Printf("## %s\n\n", part.title)
		if err := compare(filepath.Join(oracle, "examples"), part.kind, rows, runs, part.measure); err != nil {
			return err
		}
	}
	return nil
}

// row is a row of the reference file, with what was measured for it.
type row struct {
	kind, file, process, property string
	states                        string // as LTSA counts; empty for progress
	ltsa                          time.Duration
	failed                        bool // LTSA refuses the process

	found     int64 // states
	wall, cpu time.Duration
}

// byWall and byCPU are how many times faster ours is.
func (r *row) byWall() float64 { return float64(r.ltsa) / float64(r.wall) }
func (r *row) byCPU() float64  { return float64(r.ltsa) / float64(r.cpu) }

// readRows reads the rows for processes and progress properties.
func readRows(path string) ([]row, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	var rows []row
	for _, record := range records[1:] {
		get := func(name string) string { return record[column[name]] }
		ms := func(name string) time.Duration {
			n, _ := strconv.Atoi(get(name)) // empty where LTSA failed
			return time.Duration(n) * time.Millisecond
		}
		r := row{
			kind: get("row"), file: get("file"), process: get("process"), property: get("progress_name"),
			states: get("states"), failed: strings.Contains(get("notes"), "FAILED compile"),
		}
		switch r.kind {
		case "process":
			r.ltsa = ms("compile_ms") + ms("analyse_ms")
		case "progress":
			r.ltsa = ms("ms")
		default:
			continue
		}
		if !r.failed {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// compare measures the rows of one kind and prints their table.
func compare(dir, kind string, rows []row, runs int, measure func(dir string, r row) (int64, error)) error {
	var slow, quick []row
	for _, r := range rows {
		if r.kind != kind {
			continue
		}
		if err := r.measure(dir, runs, measure); err != nil {
			return fmt.Errorf("%s %s: %w", r.file, r.process, err)
		}
		if r.ltsa > slowLTSA {
			slow = append(slow, r)
		} else {
			quick = append(quick, r)
		}
	}
	slices.SortStableFunc(slow, func(a, b row) int { return int(b.ltsa - a.ltsa) })
	printRows(slow, kind == "progress")
	printSummary(slow, quick)
	return nil
}

// measure stores the medians of several runs; fewer if they take long.
func (r *row) measure(dir string, runs int, measure func(dir string, r row) (int64, error)) error {
	var walls, cpus []time.Duration
	for total := time.Duration(0); len(walls) < runs && (len(walls) < 3 || total < 20*time.Second); {
		start, cpu := time.Now(), cputime.Used()
		states, err := measure(dir, *r)
		if err != nil {
			return err
		}
		wall := time.Since(start)
		walls, cpus = append(walls, wall), append(cpus, cputime.Used()-cpu)
		total += wall
		r.found = states
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	r.wall, r.cpu = walls[len(walls)/2], cpus[len(cpus)/2]
	if r.states != "" && r.states != strconv.FormatInt(r.found, 10) {
		return fmt.Errorf("%d states, LTSA has %s", r.found, r.states)
	}
	return nil
}

func printRows(rows []row, properties bool) {
	name, line := "", ""
	if properties {
		name, line = " property |", "---|"
	}
	fmt.Printf("| file | process |%s states | LTSA ms | ours ms | ours CPU ms | LTSA / ours | LTSA / ours CPU |\n|---|---|%s--:|--:|--:|--:|--:|--:|\n", name, line)
	for _, r := range rows {
		if properties {
			name = " " + r.property + " |"
		}
		fmt.Printf("| %s | %s |%s %d | %d | %s | %s | %.1f | %.1f |\n", r.file, r.process, name, r.found,
			r.ltsa.Milliseconds(), millis(r.wall), millis(r.cpu), r.byWall(), r.byCPU())
	}
}

func millis(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

func printSummary(slow, quick []row) {
	for _, by := range []struct {
		what  string
		ratio func(r *row) float64
	}{{"elapsed", (*row).byWall}, {"processor", (*row).byCPU}} {
		if len(slow) == 0 {
			break
		}
		least, below := by.ratio(&slow[0]), 0
		for i := range slow {
			least = min(least, by.ratio(&slow[i]))
			if by.ratio(&slow[i]) < wanted {
				below++
			}
		}
		fmt.Printf("\nBy %s time the least ratio is %.1f; %d of %d are below %d.\n", by.what, least, below, len(slow), wanted)
	}
	var ltsa, ours, longest time.Duration
	for _, r := range quick {
		ltsa += r.ltsa
		ours += r.wall
		longest = max(longest, r.wall)
	}
	fmt.Printf("\n%d more took LTSA at most %d ms each, %d ms together; ours take %s ms together, %s ms at most.\n\n",
		len(quick), slowLTSA.Milliseconds(), ltsa.Milliseconds(), millis(ours), millis(longest))
}

// network compiles a file and returns the process as LTSA composes it.
func network(dir string, r row) (*fsp.Model, *lks.Network, error) {
	text, err := os.ReadFile(filepath.Join(dir, r.file))
	if err != nil {
		return nil, nil, err
	}
	f, err := syntax.Parse(source.NewFile(r.file, string(text)))
	if err != nil {
		return nil, nil, err
	}
	m, err := fsp.Compile(f, fsp.Options{})
	if err != nil {
		return nil, nil, err
	}
	net, err := m.Composition(r.process)
	return m, net, err
}

func compose(dir string, r row) (int64, error) {
	_, net, err := network(dir, r)
	if err != nil {
		return 0, err
	}
	reached, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
	if err != nil {
		return 0, err
	}
	return reached.States, nil
}

func progress(dir string, r row) (int64, error) {
	m, net, err := network(dir, r)
	if err != nil {
		return 0, err
	}
	all, err := m.Progress()
	if err != nil {
		return 0, err
	}
	var props []fairchoice.ProgressProperty
	for _, p := range all {
		props = append(props, fairchoice.ProgressProperty{Name: p.Name, Condition: p.Condition, Actions: p.Actions})
	}
	report, err := fairchoice.Progress(context.Background(), net, props, product.Options{})
	if err != nil {
		return 0, err
	}
	return report.States, nil
}
