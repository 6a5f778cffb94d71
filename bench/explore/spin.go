package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seltl/seltl/lks"
)

// spinWay is a way to compile and run SPIN's verifier. Searches are exact, and
// unreduced without por.
type spinWay struct {
	flat bool // one process
	bfs  bool
	por  bool
	ltl  observed // of the formula; empty: a search for deadlocks
	all  bool     // do not stop at a deadlock
}

func (w spinWay) name() string {
	form, search := "processes", "dfs"
	if w.flat {
		form = "one process"
	}
	if w.bfs {
		search = "bfs"
	} else if w.ltl.text != "" {
		search = "ndfs"
	}
	if w.por {
		return "SPIN with reduction, " + form
	}
	return "SPIN " + search + ", " + form
}

// verifier is SPIN's verifier of one model, compiled.
type verifier struct {
	way    spinWay
	folder string
}

// buildSPIN compiles the verifier of a network in a folder of its own.
func buildSPIN(net *lks.Network, w spinWay) (*verifier, error) {
	p, err := newPromela(net, w.flat)
	if err != nil {
		return nil, err
	}
	if w.bfs && p.rendezvous() {
		return nil, fmt.Errorf("SPIN counts the halves of a rendezvous as states in breadth-first search")
	}
	folder, err := os.MkdirTemp("", "explore-spin")
	if err != nil {
		return nil, err
	}
	v := &verifier{w, folder}
	if err := v.compile(p.text(w.ltl)); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

func (v *verifier) close() { _ = os.RemoveAll(v.folder) } // a temporary folder: nothing is lost if it stays

func (v *verifier) compile(model string) error {
	if err := os.WriteFile(filepath.Join(v.folder, "model.pml"), []byte(model), 0o600); err != nil {
		return err
	}
	if _, _, err := execute(v.folder, "spin", "-a", "model.pml"); err != nil {
		return err
	}
	args := []string{optimise, "-w", "-DMEMLIM=16000", "-o", "pan"}
	for define, set := range map[string]bool{"-DNOREDUCE": !v.way.por, "-DSAFETY": v.way.ltl.text == "", "-DBFS": v.way.bfs} {
		if set {
			args = append(args, define)
		}
	}
	_, _, err := execute(v.folder, "gcc", append(args, "pan.c")...)
	return err
}

// run explores, expecting so many states, and reads the verifier's report. Bytes
// are those of stored states, without the hash table that the run is given.
func (v *verifier) run(expected float64) (figures, error) {
	args := []string{fmt.Sprint("-m", depthFor(expected)), fmt.Sprint("-w", log2(8*expected))}
	switch {
	case v.way.all:
		args = append(args, "-c0")
	case v.way.ltl.text != "":
		args = append(args, "-a")
	}
	out, f, err := execute(v.folder, "./pan", args...)
	if err != nil {
		return f, err
	}
	if strings.Contains(out, "max search depth too small") {
		return f, errRoom
	}
	if !strings.Contains(out, "Full statespace search") || strings.Contains(out, "out of memory") {
		return f, fmt.Errorf("SPIN did not search everything:\n%s", tail(out))
	}
	return f, v.read(out, &f)
}

// read takes the figures from the report.
func (v *verifier) read(out string, f *figures) error {
	errors := 0.0
	for pattern, to := range map[string]*float64{
		`(?m)^ *([0-9.e+]+) states, stored`: &f.States, `(?m)^ *([0-9.e+]+) transitions`: &f.Transitions, `errors: ([0-9]+)`: &errors,
	} {
		var err error
		if *to, err = number(out, pattern); err != nil {
			return err
		}
	}
	f.Violated = errors > 0
	megabytes, err := number(out, `(?m)^ *([0-9.]+)\s+actual memory usage for states`)
	if err != nil {
		// SPIN leaves the line out where compression gains nothing.
		megabytes, err = number(out, `(?m)^ *([0-9.]+)\s+equivalent memory usage for states`)
	}
	f.Store = megabytes * (1 << 20)
	return err
}

// depthFor returns a bound for the depth of a search of so many states: no stack is
// deeper, and SPIN needs memory and time for what it is allowed.
func depthFor(states float64) int { return int(2*states) + 10_000 }

// log2 returns the size, as a power of two, of a table for so many states.
func log2(states float64) string {
	size := 18
	for float64(int64(1)<<size) < states {
		size++
	}
	return strconv.Itoa(size)
}
