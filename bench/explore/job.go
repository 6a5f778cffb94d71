package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
)

// job is a run of ours. It is done by another process of this program, so that its
// memory is its own.
type job struct {
	Specs    string
	Instance instance
	Store    string // of an exploration of everything
	Formula  string // to be verified
	Deadlock bool   // a deadlock is to be found
	Search   string // of the product: ndfs or scc
	POR      bool   // partial-order reduction
	Reduce   bool   // minimise the components before
	Workers  int
	Limit    int64 // states; 0: none
}

// start does the job in another process.
func (j job) start() (figures, error) {
	self, err := os.Executable()
	if err != nil {
		return figures{}, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return figures{}, err
	}
	out, usage, err := execute("", self, "-job", string(text))
	if err != nil {
		return figures{}, err
	}
	var f figures
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		return f, fmt.Errorf("%s: %w", tail(out), err)
	}
	f.Wall, f.CPU, f.Peak = usage.Wall, usage.CPU, usage.Peak
	return f, nil
}

// serve does the job given as text and prints its figures.
func serve(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	f, err := j.do()
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// do does the job. It counts; time and memory are measured from outside, as those of
// other tools are.
func (j job) do() (figures, error) {
	net, err := j.Instance.network(j.Specs)
	if err != nil {
		return figures{}, err
	}
	runtime.GOMAXPROCS(max(1, j.Workers))
	switch {
	case j.Formula != "":
		return j.verify(net)
	case j.Deadlock:
		return j.deadlock(net)
	default:
		return j.explore(net)
	}
}

var stores = []explore.Store{explore.Numbered, explore.Exact, explore.Compact, explore.HashCompact, explore.BitstateHash}

func (j job) explore(net *lks.Network) (figures, error) {
	at := slices.IndexFunc(stores, func(s explore.Store) bool { return s.String() == j.Store })
	if at < 0 {
		return figures{}, fmt.Errorf("there is no store %q", j.Store)
	}
	r, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: stores[at], Workers: j.Workers}, Meter: budget.New(nil, j.limits(), nil)})
	var exhausted *budget.Exhausted
	if err != nil && !errors.As(err, &exhausted) {
		return figures{}, err
	}
	f := figures{States: float64(r.States), Transitions: float64(r.Transitions), Store: float64(r.Bytes() + r.QueueBytes), Violated: r.Deadlocks > 0}
	if err != nil {
		f.Note = "stopped by -limit"
	}
	return f, nil
}

func (j job) limits() budget.Limits { return budget.Limits{States: j.Limit} }

func (j job) deadlock(net *lks.Network) (figures, error) {
	r, err := deadlock.Check(context.Background(), net, deadlock.Options{Method: deadlock.Plain, NoReduction: !j.POR, Limits: j.limits()})
	if err == nil {
		err = r.Reason
	}
	if err != nil {
		return figures{}, err
	}
	e := r.Exploration
	f := figures{States: float64(e.States), Transitions: float64(e.Transitions), Store: float64(e.Bytes), Violated: !r.Free()}
	if j.POR && !e.Reduced {
		f.Note = "not reduced"
	}
	return f, nil
}

func (j job) verify(net *lks.Network) (figures, error) {
	phi, err := parse(net, j.Formula)
	if err != nil {
		return figures{}, err
	}
	opts := product.Options{Search: product.Search{Emptiness: product.NestedDFS, Workers: j.Workers}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Limits: j.limits()}
	if j.Search == product.Components.String() {
		opts.Emptiness = product.Components
	}
	if j.POR {
		opts.POR = product.EagerPOR
	}
	if j.Reduce {
		opts.Reduce = product.ReduceComponents
	}
	r, err := product.Verify(context.Background(), net, phi, opts)
	if err != nil {
		return figures{}, err
	}
	if r.Verdict == product.Unknown {
		return figures{}, fmt.Errorf("no verdict: %w", r.Reason)
	}
	f := figures{States: float64(r.Stats.States), Transitions: float64(r.Stats.Transitions), Store: float64(r.Stats.StoreBytes), Violated: r.Verdict == product.Violated}
	var notes []string
	if j.POR && !r.POR {
		notes = append(notes, "not reduced: "+r.NoPORBecause)
	}
	if r.Emptiness.String() != opts.Emptiness.String() {
		notes = append(notes, "searched by "+r.Emptiness.String())
	}
	f.Note = strings.Join(notes, "; ")
	return f, nil
}
