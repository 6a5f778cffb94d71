// Command explore measures complete explorations of the models in specs/families
// on one core, compiled from the modelling language, and prints a Markdown table:
// the median of several runs. It is part of `make bench`.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
)

type instance struct {
	file, process string
	n             int
}

var instances = []instance{
	{"philosophers.lks", "PHILDL", 10},
	{"philosophers.lks", "PHILOK", 10},
	{"philosophers.lks", "PHILOK", 12},
	{"readers-writers.lks", "RW", 8},
	{"milner.lks", "MILNER", 16},
	{"ring.lks", "RING", 16},
}

func main() {
	specs := flag.String("specs", "specs/families", "folder of the models")
	runs := flag.Int("runs", 5, "runs of each model, of which the median counts")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	fmt.Println("| model | n | states | transitions | seconds | million states/s | million transitions/s | bytes/state |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, i := range instances {
		if err := measure(*specs, i, *runs); err != nil {
			fmt.Fprintln(os.Stderr, "explore:", err)
			os.Exit(1)
		}
	}
}

func measure(specs string, i instance, runs int) error {
	net, err := network(filepath.Join(specs, i.file), i.process, i.n)
	if err != nil {
		return err
	}
	var reached *lks.Reached
	seconds := make([]float64, runs)
	for k := range seconds {
		runtime.GC()
		start := time.Now()
		if reached, err = lks.Reach(net, lks.ReachOptions{}); err != nil {
			return err
		}
		seconds[k] = time.Since(start).Seconds()
	}
	slices.Sort(seconds)
	median := seconds[runs/2]
	fmt.Printf("| %s | %d | %d | %d | %.3f | %.2f | %.1f | %.1f |\n", i.process, i.n, reached.States, reached.Transitions, median,
		float64(reached.States)/median/1e6, float64(reached.Transitions)/median/1e6, float64(reached.Bytes())/float64(reached.States))
	return nil
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
