// Package emptiness looks for accepting runs of the product of a network and an automaton:
// whether there are none is the question of every verification.
//
//	ndfs     nested depth-first search: states accept
//	cndfs    the same by several workers at once
//	sets     the same with stores that can only be added to
//	nested   which of these three
//	scc      search by components, on the fly: sets of edges accept
//	streett  fair runs only: Streett conditions on components
//
// To add a search: write it in a file of its own, as a function that starts a Search, and
// give it a line at the end of Methods. Its name is then an option, and the tests that
// compare all methods compare it too. A constant of product.Emptiness, in the order of the
// lines, names it for programs.
package emptiness

import (
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product/internal/meet"
)

// Methods are the searches to choose from. The first that can do what is asked is taken if
// nothing is chosen.
var Methods = []Method{
	{Name: "ndfs", About: "nested depth-first", OnStates: true, Stores: true, start: nestedSearch},
	{Name: "scc", About: "components", Fair: true, start: components},
}

// Method is one way to search.
type Method struct {
	Name     string
	About    string // in a few words, behind "search by"
	OnStates bool   // its automata accept by states
	Fair     bool   // it can find fair runs
	Stores   bool   // it has stores without numbers, and several workers
	start    func(*Problem) (Search, error)
}

// Problem is what a search is given.
type Problem struct {
	Graph *meet.Graph
	Fair  *Fairness // only for methods that are Fair; nil: all runs count

	// The rest is for methods with Stores. Store is where states are kept; StoreBytes is the
	// size of one that does not grow, Seed which states one that can lose them loses.
	Store      explore.Store
	StoreBytes int64
	Seed       uint64
	// Workers search at once, if one alone has searched AloneMost states without an end, or
	// has not begun if that is 0. Worker makes the graph of a worker, which must
	// expand as Graph does.
	Workers   int
	AloneMost int64
	Worker    func() (*meet.Graph, error)
}

// Search is a search of one product. What it has expanded and followed is counted by
// the graph.
type Search interface {
	// Run returns an accepting lasso, one that is fair if that was asked for; nil if there is
	// none that the search meets. The error is that of the budget or a *bug.Error. It is
	// called once.
	Run() (*meet.Path, error)
	// Len is how many states are stored, Bytes what that takes, StackBytes what the stacks
	// take that the search keeps beside; at any time.
	Len() int
	Bytes() int64
	StackBytes() int64
}

// Stored is a search that has the states, packed.
type Stored interface {
	All(yield func(state []uint64) bool)
}

// Lossy is a search that may take new states for others that it has seen.
type Lossy interface {
	// Missed estimates how many.
	Missed() float64
}

// WorkersOf returns how many workers a search has.
func WorkersOf(s Search) int {
	if parallel, ok := s.(interface{ Workers() int }); ok {
		return parallel.Workers()
	}
	return 1
}

// Start prepares a search. The error is that of the store, or of a worker's graph.
func (m *Method) Start(p *Problem) (Search, error) { return m.start(p) }

// Names returns the names of all methods.
func Names() []string {
	var names []string
	for _, m := range Methods {
		names = append(names, m.Name)
	}
	return names
}
