// Command armc prints tables 6.1 and 6.2 of [Rybalchenko02] beside our figures:
// for each of its 17 benchmarks, refinement steps and steps of the last fixpoint
// iteration (R/I), predicates in the invariant and generated (P/G), and seconds (ours: of
// processor time, Z3's with it), for Method I with α1, α2 and α3 (without the concrete iteration of its
// spuriousness test, which decides some of them before any refinement), for the
// forward method and for auto.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/bench/internal/cputime"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"
)

// row is a line of tables 6.1 and 6.2; an empty cell is the thesis's "diverges".
type row struct {
	file, size string
	ri, pg     [3]string // α1, α2, α3
	seconds    [3]string
}

var table = []row{
	{"bpr.pl", "9/3", [3]string{"3/6", "3/6", "3/6"}, [3]string{"4/6", "6/6", "6/6"}, [3]string{"0.03", "0.03", "0.03"}},
	{"inssort.pl", "9/3", [3]string{"", "1/5", "1/5"}, [3]string{"", "9/11", "9/11"}, [3]string{"", "0.14", "0.12"}},
	{"selsort.gcl", "7/4", [3]string{"", "2/5", "2/5"}, [3]string{"", "10/14", "10/14"}, [3]string{"", "0.16", "0.16"}},
	{"coffee.pl", "10/6", [3]string{"3/7", "3/7", "3/7"}, [3]string{"15/15", "15/15", "15/15"}, [3]string{"0.49", "0.25", "0.24"}},
	{"bakery.gcl", "25/2", [3]string{"", "4/14", "4/14"}, [3]string{"", "21/25", "21/25"}, [3]string{"", "0.58", "0.56"}},
	{"ticket.gcl", "19/4", [3]string{"", "4/9", "4/9"}, [3]string{"", "7/7", "7/7"}, [3]string{"", "0.43", "0.41"}},
	{"fischer.pl", "41/3", [3]string{"1/1", "1/1", "1/1"}, [3]string{"4/4", "4/4", "4/4"}, [3]string{"0.03", "0.02", "0.02"}},
	{"bbuffer.gcl", "5/6", [3]string{"", "0/0", "0/0"}, [3]string{"", "1/1", "3/3"}, [3]string{"", "0.02", "0.01"}},
	{"ubuffer.gcl", "9/4", [3]string{"", "0/0", "0/0"}, [3]string{"", "1/1", "1/1"}, [3]string{"", "0.03", "0.02"}},
	{"berkeley.gcl", "10/4", [3]string{"", "0/0", "0/0"}, [3]string{"", "3/3", "3/3"}, [3]string{"", "0.06", "0.06"}},
	{"dragon.gcl", "15/5", [3]string{"", "1/4", "1/1"}, [3]string{"", "31/44", "21/44"}, [3]string{"", "5.66", "1.65"}},
	{"dragon_sums.gcl", "15/5", [3]string{"", "1/4", "1/1"}, [3]string{"", "31/44", "21/44"}, [3]string{"", "5.66", "1.65"}},
	{"firefly.gcl", "15/4", [3]string{"", "1/2", "1/1"}, [3]string{"", "17/24", "15/24"}, [3]string{"", "1.64", "0.93"}},
	{"futurebus.gcl", "12/9", [3]string{"", "4/8", "4/8"}, [3]string{"", "210/707", "552/707"}, [3]string{"", "3600", "3600"}},
	{"illinois.gcl", "15/4", [3]string{"", "2/2", "2/2"}, [3]string{"", "31/66", "50/66"}, [3]string{"", "4.98", "4.50"}},
	{"mesi.gcl", "9/4", [3]string{"", "2/2", "2/2"}, [3]string{"", "12/66", "33/79"}, [3]string{"", "2.13", "1.80"}},
	{"moesi.gcl", "10/5", [3]string{"", "1/1", "1/1"}, [3]string{"", "13/23", "15/23"}, [3]string{"", "1.39", "1.11"}},
	{"synapse.gcl", "6/3", [3]string{"", "0/0", "0/0"}, [3]string{"", "5/5", "5/5"}, [3]string{"", "0.04", "0.04"}},
}

func main() {
	dir := flag.String("dir", filepath.Join("specs", "armc"), "where the systems are")
	limit := flag.Duration("limit", 30*time.Second, "for one cell; what takes longer is printed as diverging")
	only := flag.String("only", "", "one file")
	rounds := flag.Int("rounds", 12, "refinement steps of one cell")
	flag.Parse()
	fmt.Printf("%-15s %-6s %-6s | %-4s %-28s %-28s %s\n", "program", "size", "thesis", "", "ours R/I P/G s", "thesis R/I P/G s", "note")
	for _, r := range table {
		if *only != "" && r.file != *only {
			continue
		}
		if err := r.print(*dir, *limit, *rounds); err != nil {
			fmt.Fprintln(os.Stderr, r.file, err)
			os.Exit(1)
		}
	}
}

func (r row) print(dir string, limit time.Duration, rounds int) error {
	text, err := os.ReadFile(filepath.Join(dir, r.file))
	if err != nil {
		return err
	}
	sys, err := reader.Parse(source.NewFile(r.file, string(text)))
	if err != nil {
		return err
	}
	size := fmt.Sprintf("%d/%d", len(sys.Edges), len(sys.Vars))
	for i, a := range []armc.Abstraction{armc.A1, armc.A2, armc.A3} {
		o := armc.Options{NoFacts: true, Method: armc.Backward, Abstraction: a, Global: true, AbstractOnly: true, Rounds: rounds, Limits: budget.Limits{Time: limit}}
		thesis := "diverges"
		if r.ri[i] != "" {
			thesis = fmt.Sprintf("%s %s %s", r.ri[i], r.pg[i], r.seconds[i])
		}
		if err := cell(r, size, a.String(), thesis, sys, o); err != nil {
			return err
		}
	}
	if err := cell(r, size, "fwd", "", sys, armc.Options{Method: armc.Forward, Refine: predabs.Interpolation, Rounds: 40, Limits: budget.Limits{Time: limit}}); err != nil {
		return err
	}
	return cell(r, size, "auto", "", sys, armc.Options{Limits: budget.Limits{Time: limit}})
}

func cell(r row, size, name, thesis string, sys *program.System, o armc.Options) error {
	pool := smt.Z3Pool(1, smt.Options{Timeout: 10 * time.Second}) // its own, so that the time of its processes is known
	defer pool.Close()
	began, used := time.Now(), cputime.Used()+cputime.Children()
	res, err := armc.Check(context.Background(), sys, pool, o)
	if err != nil {
		return err
	}
	s, took := res.Stats, time.Since(began)
	pool.Close()
	used = cputime.Used() + cputime.Children() - used
	ours := fmt.Sprintf("%d/%d %d/%d %.2f", s.Refinements, s.Iterations, s.Used, s.Generated, used.Seconds())
	note := fmt.Sprintf("%d queries, %.0f%% in the solver", s.Solver.Queries, 100*s.Solver.Time.Seconds()/took.Seconds())
	if res.Verdict == armc.Unknown {
		ours, note = "diverges "+ours, res.Reason.Error()
	}
	fmt.Printf("%-15s %-6s %-6s | %-4s %-28s %-28s %s, %s\n", r.file, size, r.size, name, ours, thesis, res.Verdict, note)
	return nil
}
