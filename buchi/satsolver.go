package buchi

import (
	"fmt"
	"sync"
	"time"

	"github.com/crillab/gophersat/solver"
)

// oneSolver is held while gophersat runs: its solvers share a buffer.
var oneSolver sync.Mutex

// solveSAT returns a model of a set of clauses (literals v and -v, v from 1 to
// vars), whose position v is the value of variable v; nil if there is none. tick
// is asked several times a second whether to go on; its error is returned.
//
// Solve of gophersat cannot be interrupted. But it can be asked for a proof, which
// it sends clause by clause, and a send on a channel that has been closed panics:
// that is how it is stopped.
func solveSAT(clauses [][]int, vars int, tick func() error) ([]bool, error) {
	oneSolver.Lock()
	defer oneSolver.Unlock()
	s := solver.New(solver.ParseSliceNb(clauses, vars))
	proof := make(chan string)
	s.Certified, s.CertChan = true, proof
	var status solver.Status
	failed := make(chan any, 1) // nil, or what Solve panicked with
	go func() {
		defer func() { failed <- recover() }()
		status = s.Solve()
	}()
	var stopped error
	clock := time.NewTicker(20 * time.Millisecond)
	defer clock.Stop()
	for {
		select {
		case problem := <-failed:
			switch {
			case stopped != nil:
				return nil, stopped
			case problem != nil:
				return nil, fmt.Errorf("buchi: the SAT solver failed: %v", problem)
			}
			if status != solver.Sat {
				return nil, nil
			}
			return append([]bool{false}, s.Model()...), nil
		case <-proof:
		case <-clock.C:
			if stopped != nil {
				continue
			}
			if stopped = tick(); stopped != nil && closeStops {
				close(proof)
				proof = nil // a closed channel would be received from for ever
			}
		}
	}
}
