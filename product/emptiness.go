package product

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product/internal/emptiness"
	"github.com/seltl/seltl/product/internal/meet"
)

// Emptiness is a way to search the product for an accepting run.
type Emptiness int

const (
	// AutoSearch: the first that can do what is asked.
	AutoSearch Emptiness = iota
	// NestedDFS on a Büchi automaton with accepting states.
	NestedDFS
	// Components on the fly, on a generalised Büchi automaton.
	Components
)

var emptinesses = names.Of[Emptiness]("search", append([]string{"auto"}, emptiness.Names()...)...)

func (e Emptiness) String() string                   { return emptinesses.String(e) }
func (e Emptiness) MarshalText() ([]byte, error)     { return emptinesses.Marshal(e) }
func (e *Emptiness) UnmarshalText(text []byte) error { return emptinesses.Unmarshal(text, e) }

// Names lists the texts of all values.
func (Emptiness) Names() []string { return emptinesses.List() }

// About says in a few words what is searched by: "components".
func (e Emptiness) About() string {
	if e == AutoSearch {
		return e.String()
	}
	return e.method().About
}

// OneWorker reports whether the search has one worker only, and no stores but Numbered.
func (e Emptiness) OneWorker() bool { return e != AutoSearch && !e.method().Stores }

// check returns an error if there is no such search.
func (e Emptiness) check() error {
	if e < AutoSearch || int(e) > len(emptiness.Methods) {
		return fmt.Errorf("product: there is no %v", e)
	}
	return nil
}

func (e Emptiness) method() *emptiness.Method { return &emptiness.Methods[e-1] }

// or returns the search itself, or in place of AutoSearch the first that will do.
func (e Emptiness) or(does func(m emptiness.Method) bool) Emptiness {
	if e == AutoSearch {
		return Emptiness(1 + slices.IndexFunc(emptiness.Methods, does))
	}
	return e
}

func anyRuns(emptiness.Method) bool    { return true }
func fairRuns(m emptiness.Method) bool { return m.Fair }

// manyStates is how many states one worker searches before as many as there are cores
// begin again: so many take it some tenth of a second, in which small models are done, and
// give the same counterexample every time.
const manyStates = 1 << 17

// find looks for an accepting run of the product by the search that was chosen, and notes
// in the result what that took.
func (s *search) find() (*meet.Path, error) {
	search, err := s.emptiness.method().Start(s.problem())
	if err != nil {
		return nil, err
	}
	p, err := search.Run()
	r, states := &s.result, search.Len()
	r.Workers = emptiness.WorkersOf(search)
	r.Stats.States, r.Stats.StoreBytes, r.Stats.StackBytes = int64(states), search.Bytes(), search.StackBytes()
	if stored, ok := search.(emptiness.Stored); ok && s.opts.CountModel {
		r.Stats.ModelStates = s.g.CountModel(stored.All)
	}
	if lossy, ok := search.(emptiness.Lossy); ok {
		if r.Missed = lossy.Missed(); r.Missed > 0 {
			r.Coverage = float64(states) / (float64(states) + r.Missed)
		}
	}
	return p, err
}

// problem is what find asks. The run of a network that a lasso of a smaller one stands for
// is there, and few states are: lossy stores and several workers are not for it. With a
// lane, one worker begins.
func (s *search) problem() *emptiness.Problem {
	p := &emptiness.Problem{Graph: s.g, Worker: s.workerGraph}
	if s.fair {
		p.Fair = requirements(s.on, s.opts.Fairness, s.opts.FairSets, s.opts.Compassion)
	}
	if s.g.Inside != nil {
		p.Store, p.Workers = explore.Exact, 1
		return p
	}
	p.Store, p.StoreBytes, p.Seed, p.Workers = s.opts.Store, s.opts.StoreBytes, s.opts.Seed, s.workers
	if p.Workers <= 1 || s.g.Lane != nil {
		p.AloneMost = s.lengths.workers
	}
	if p.Workers == 0 {
		p.Workers = runtime.GOMAXPROCS(0)
	}
	return p
}

// workerGraph returns a graph that expands as that of s does, for a worker of a parallel
// search.
func (s *search) workerGraph() (*meet.Graph, error) {
	own, err := s.graph(s.g.Aut)
	if err == nil && s.g.Order != nil {
		own.Order = s.stubbornSets()
	}
	if err == nil && s.sym != nil {
		own.Symmetry = s.sym.Clone()
	}
	return own, err
}
