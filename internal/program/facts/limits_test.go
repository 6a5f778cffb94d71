package facts_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program/reader"
)

// TestWork: however early domains are cut off, what is left is inductive; the same work
// gives the same facts.
func TestWork(t *testing.T) {
	s := newSolver(t)
	cut := map[facts.Domain]int{}
	for _, name := range []string{"bakery.gcl", "ticket.gcl", "bpr.pl", "average.gcl"} {
		sys := specs(t)[name]
		for work := 1; work < 1<<20; work *= 3 {
			f := find(t, sys, facts.Options{Work: work})
			for _, l := range f.Left {
				cut[l.Domain]++
			}
			if refuted, unknown := inductive(t, s, sys, f); refuted != "" || unknown > 0 {
				t.Errorf("%s with %d: %s, %d unknown", name, work, refuted, unknown)
			}
			again := find(t, sys, facts.Options{Work: work})
			for l := range sys.Locations {
				if show(f.At[l]) != show(again.At[l]) {
					t.Errorf("%s with %d: %s, then %s", name, work, show(f.At[l]), show(again.At[l]))
				}
			}
		}
	}
	for d, n := range facts.Domain(0).Names() {
		if cut[facts.Domain(d)] < 3 {
			t.Errorf("%s is cut off %d times", n, cut[facts.Domain(d)])
		}
	}
}

// TestInterrupted: a context that ends is an error, without facts.
func TestInterrupted(t *testing.T) {
	ended, end := context.WithCancel(ctx)
	end()
	sys := line(t, 50, 5)
	if f, err := facts.Find(budget.New(ended, budget.Limits{}, nil), sys, facts.Options{}); !errors.Is(err, context.Canceled) || f != nil {
		t.Errorf("%v, %v", f, err)
	}
	left := 3
	stop := errors.New("enough")
	meter := budget.Watch(func(budget.Progress) error {
		if left--; left < 0 {
			return stop
		}
		return nil
	})
	if f, err := facts.Find(meter, line(t, 2000, 20), facts.Options{}); err != stop || f != nil {
		t.Errorf("%v", err)
	}
	sys.Vars = nil
	if _, err := facts.Find(nil, sys, facts.Options{}); err == nil {
		t.Error("a system that is not valid is accepted")
	}
}

// FuzzFind: no system that the readers read makes it panic, and explicit steps are not
// needed to see it: facts are formulas over the variables.
func FuzzFind(f *testing.F) {
	for _, pattern := range []string{"*/*.gcl", "*/*.pl", "*/*/*.gcl"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "specs", pattern))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Add("var x: real; var y: int; locations a; init a when x == y / 0; error a; a -> a do x := x / y, y := mod(y, 0);")
	f.Add("locations a; init a; error a;")
	f.Fuzz(func(t *testing.T, text string) {
		sys, err := reader.Parse(source.NewFile("fuzz", text))
		if err != nil || sys.Validate() != nil {
			return
		}
		if _, err := facts.Find(nil, sys, facts.Options{Work: 200_000}); err != nil {
			t.Fatal(err)
		}
	})
}
