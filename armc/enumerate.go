package armc

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/internal/program/values"
	"github.com/seltl/seltl/outcome"
)

// Enumeration visits the states themselves, as long as they are concrete: every variable that
// matters has a number, or an element of an array one, and inputs are tried with the few that
// the guard leaves them. Then nothing is refined: the states at each location are an inductive
// invariant, or there is a path to an error. Where a step depends on what is not known, the
// method has no answer, and says so at once. It is what package values does, and so are its
// numbers.

// Auto begins with it, for so many cells (states times variables) that nobody notices. A proof
// has to be short then, since people read it, and confirmed by easy questions. Where there are
// more states, enumeration begins again as one of the lanes.
const (
	cellsFirst   = 1 << 13
	provedFirst  = 256 // states
	workState    = 4
	confirmFirst = 1_000_000
)

var errFirst error = &outcome.Stuck{What: "more states than are enumerated at first"}

// enumerate visits all states, or gives up beyond so many cells (0: without limit).
func (r *run) enumerate(cells int) error {
	n := len(r.sys.Vars)
	precision, fixed := make([]values.Precision, n), make([]bool, n)
	for v := range precision {
		precision[v], fixed[v] = values.Exact, true
	}
	analysis := values.New(r.blocks)
	reached, err := analysis.Explore(values.Options{Precision: precision, Fixed: fixed, Concrete: true, Tick: func(states int) error {
		r.spent += workState
		if cells > 0 && states*max(n, 1) > cells {
			return errFirst
		}
		return r.tick(Enumerate.String(), states)
	}})
	var many *values.TooMany
	switch {
	case errors.Is(err, values.ErrOpen), errors.Is(err, values.ErrMany), errors.As(err, &many):
		return &outcome.Stuck{What: err.Error()}
	case err != nil:
		return err
	}
	if q := r.options.MaxQueries; q > 0 {
		r.confirming = min(r.confirming, workOfQuery*uint64(q))
	}
	info := Round{Method: Enumerate, States: reached.States(), Variables: n, Predicates: []int{0}}
	r.result.Stats.States, r.result.Stats.Used, r.result.Stats.Generated = info.States, n, n
	if reached.Error < 0 {
		if err := r.enumerated(reached, cells); errors.Is(err, errExpansion) { // edges have no inside to write down
			r.blocks = r.encoded.of(Small, r.sys)
			return r.enumerate(cells)
		} else if err != nil {
			return err
		}
	} else {
		p := reached.Path(reached.Error)
		r.result.Stats.Iterations = len(p.Blocks)
		met, err := r.tryPath(p.Start, p.Blocks, &info)
		if err == nil && !met {
			err = &outcome.Stuck{What: "a path by values is none of the system"}
		}
		if err != nil {
			return err
		}
	}
	if r.options.Explain != nil {
		r.options.Explain(info)
	}
	return nil
}

// enumerated makes a certificate: of many states an enumeration, if that is wanted and their number can
// be checked so, or else an invariant.
func (r *run) enumerated(reached *values.Reached, cells int) error {
	many := reached.States() > provedFirst
	r.result.Recurs = reached.Recurs()
	if many && r.options.Enumeration {
		err := visited(r.ctx, r.sys)
		if err == nil || r.ctx.Err() != nil {
			r.result.Verdict, r.result.Certificate = Safe, &Certificate{Enumeration: true}
			return err
		}
	}
	if many && cells > 0 {
		return errFirst
	}
	if reached.States() > mostListed {
		return &outcome.Stuck{What: fmt.Sprintf("no error is among the %d states, but these are too many for an invariant", reached.States())}
	}
	invariant := reached.Invariant() // which needs no facts
	if err := r.expand(invariant); err != nil {
		return err
	}
	r.result.Verdict, r.result.Certificate = Safe, &Certificate{Invariant: invariant}
	return nil
}

// mostListed is how many states an invariant lists.
const mostListed = 100_000

// enumerateFirst is how Auto begins: decided is false if that was not enough, and more says
// that there is more to enumerate.
func (r *run) enumerateFirst() (decided, more bool, err error) {
	most := r.solver.most
	r.cells, r.confirming, r.each = cellsFirst, confirmFirst, confirmFirst
	r.solver.Limit(r.each)
	err = r.attempt(way{method: Enumerate})
	r.work = r.used()
	if r.options.Turned != nil && (err == nil || ended(err)) {
		turn := outcome.Turn{Lane: Enumerate.String(), Number: 1, May: cellsFirst, Did: r.level(), Verdict: r.result.Verdict}
		if err != errFirst {
			turn.Reason = err
		}
		r.options.Turned(turn)
	}
	if !ended(err) {
		if err == nil {
			r.result.Tried = []outcome.Attempt{{Name: Enumerate.String(), Verdict: r.result.Verdict}}
		}
		return err == nil, false, err
	}
	// What comes next begins as if nothing had been before.
	r.solver.Reset()
	r.solver.most, r.before = most, r.solver.Stats()
	r.cells, r.confirming, r.spent, r.result = 0, questionCheck, 0, &Result{}
	if more = err == errFirst; !more {
		r.result.Tried = []outcome.Attempt{{Name: Enumerate.String(), Reason: err}}
	}
	return false, more, nil
}
