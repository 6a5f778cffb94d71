// Command explore compares seltl with SPIN and LTSmin, in one run, on the models in
// specs/families: complete explorations (section search), LTL by nested depth-first
// search (ltl), partial-order reduction (por), and how time and memory grow with the
// models (scaling), of which it draws plots. The other tools get the same models as
// Promela and as C plug-ins, made from the same networks; a tool that is not
// installed is left out, which one line says.
//
// It prints Markdown tables of medians of several runs. CPU seconds count, since
// machines are shared; with several workers the elapsed time. It is part of
// `make bench`.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// bench is what the flags say.
type bench struct {
	specs  string
	runs   int
	only   string // -model
	search string // -search
	limit  int64
	quick  bool
	plots  string
	cap    time.Duration // of a point of the scaling section, after which its line ends
	spin   bool
	ltsmin string // where it is installed, empty: not
}

func main() {
	b := &bench{}
	flag.StringVar(&b.specs, "specs", "specs/families", "folder of the models")
	flag.IntVar(&b.runs, "runs", 5, "runs of each row, of which the median counts")
	flag.StringVar(&b.only, "model", "", "PROCESS or PROCESS:N, one model instead of all")
	flag.StringVar(&b.search, "search", "", "only rows whose name contains this")
	flag.Int64Var(&b.limit, "limit", 0, "states after which our explorations stop, 0: none")
	flag.BoolVar(&b.quick, "quick", false, "small sizes and one run, to see that everything works")
	flag.StringVar(&b.plots, "plots", "", "folder for the plots of the scaling section; none if empty")
	flag.DurationVar(&b.cap, "cap", 8*time.Second, "processor time at which a line of the scaling section ends")
	flag.DurationVar(&timeout, "timeout", timeout, "of every run of a program")
	flag.BoolVar(&b.spin, "spin", true, "run SPIN as well")
	flag.StringVar(&b.ltsmin, "ltsmin", "", "where LTSmin is installed, if not on the PATH; none: leave it out")
	chosen := flag.String("sections", "search,ltl,por,scaling", "what to run")
	work := flag.String("job", "", "one of our runs, as this program asks for it")
	flag.Parse()
	run := func() error { return b.run(strings.Split(*chosen, ",")) }
	if *work != "" {
		run = func() error { return serve(*work) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "explore:", err)
		os.Exit(1)
	}
}

var sections = []struct {
	name string
	run  func(*bench) error
}{
	{"search", (*bench).searchSection},
	{"ltl", (*bench).ltlSection},
	{"por", (*bench).porSection},
	{"scaling", (*bench).scalingSection},
}

func (b *bench) run(chosen []string) error {
	for _, name := range chosen {
		if !slices.ContainsFunc(sections, func(s struct {
			name string
			run  func(*bench) error
		}) bool {
			return s.name == name
		}) {
			return fmt.Errorf("-sections: there is no section %q", name)
		}
	}
	if b.quick {
		b.runs, b.cap = 1, min(b.cap, 200*time.Millisecond)
		for i := range questions {
			questions[i].N = quickSize[questions[i].Process]
		}
		for i := range instances {
			instances[i].N = quickSize[instances[i].Process]
		}
	}
	b.findPeers()
	for _, s := range sections {
		if slices.Contains(chosen, s.name) {
			if err := s.run(b); err != nil {
				return fmt.Errorf("section %s: %w", s.name, err)
			}
		}
	}
	return nil
}

// findPeers looks for the other tools and says which are missing.
func (b *bench) findPeers() {
	installed := func(program string) bool {
		_, err := exec.LookPath(program)
		return err == nil
	}
	if b.spin && !(installed("spin") && installed("gcc")) {
		fmt.Println("SPIN's rows are left out: spin or gcc is not installed, see `make setup`.")
		b.spin = false
	}
	if b.ltsmin == "none" {
		b.ltsmin = ""
		return
	}
	if b.ltsmin = findLTSmin(b.ltsmin); b.ltsmin == "" || !installed("gcc") {
		fmt.Println("LTSmin's rows are left out: " + ltsminTool + " with its headers, or gcc, was not found on the PATH or by -ltsmin.")
		b.ltsmin = ""
	}
}
