package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Bounds of symbolic execution, in units of the solver: a question while loops are unwound, to which no answer costs
// little, and what a block costs at each visit, and a definition in each question.
const (
	loopMost = 100_000
	ofWords  = 20    // times as much is done in a second where there are words
	stepWork = 1_000 // of a solver that makes clauses, which counts some million units in a second
	nameWork = 200
)

// execution is symbolic execution in which states that meet are merged ([Kuznetsov12]), as bounded model checkers of C
// do it ([Clarke04]): loops are unwound, inner ones first, until no run goes on, and one question to the solver
// decides about all runs together. It decides programs whose runs are short though there are many, and gives no
// invariants: the certificate says how it was done, and is checked by doing it again (internal/program/unwound).
type execution struct {
	*run
	*sweep
	checker smt.Checker
	looked  int    // errors that cannot be met
	soon    uint64 // bounds questions while loops are unwound
}

func (r *run) executed() error {
	checker, end := r.solver.Beside()
	defer end()
	x := &execution{run: r, sweep: newSweep(r.blocks), checker: checker, soon: loopMost}
	if overWords(r.sys) {
		x.soon *= ofWords
	}
	order := x.order()
	err := x.through(order)
	if err == nil && !x.ended(locations(nil, order)) {
		err = &outcome.Stuck{What: "the order of visits leaves runs that have not ended"}
	}
	if err == nil {
		err = x.look()
	}
	if err == errMet {
		return nil
	} else if err != nil {
		return err
	}
	r.result.Stats.States = len(x.visits)
	r.result.Verdict, r.result.Certificate = Safe, &Certificate{Execution: true}
	return nil
}

// order is one in which loops are unwound before what is behind them is come to.
func (x *execution) order() []scc.Element {
	out := make([][]int, len(x.sys.Locations))
	for _, b := range x.steps.All {
		out[b.From] = append(out[b.From], b.To)
	}
	var roots []int
	for l, here := range x.waiting {
		if len(here) > 0 {
			roots = append(roots, l)
		}
	}
	return scc.WeakOrder(out, roots)
}

// errMet ends an execution behind a run to an error, which is the result.
var errMet error = &outcome.Stuck{What: "an error is met"}

// through visits locations in their order, those of a loop until nothing comes back to its head.
func (x *execution) through(order []scc.Element) error {
	for _, e := range order {
		if !e.Component {
			if err := x.visitOnce(e.Node); err != nil {
				return err
			}
			continue
		}
		if e.Flat {
			return &outcome.Stuck{What: "loops are nested too deeply"}
		}
		if err := x.unwind(e); err != nil {
			return err
		}
	}
	return nil
}

func (x *execution) visitOnce(l int) error {
	if len(x.waiting[l]) == 0 {
		return nil
	}
	x.spent += int64(stepWork * (1 + len(x.steps.Out[l]) + len(x.waiting[l])))
	if err := x.tick(x.result.Method.String(), len(x.visits)); err != nil {
		return err
	}
	x.visit(l)
	x.result.Stats.Iterations = len(x.visits)
	return nil
}

// unwind goes round a loop, which may be entered elsewhere than at its head. Where guards do not say that it has
// ended, the solver is asked now and then.
func (x *execution) unwind(loop scc.Element) error {
	nodes := locations(nil, []scc.Element{loop})
	begin := x.condition(nodes)
	for round, due := 1, 1; !x.ended(nodes); round++ {
		if err := x.visitOnce(loop.Node); err != nil {
			return err
		}
		if err := x.through(loop.Body); err != nil {
			return err
		}
		if round < due {
			continue
		}
		due += max(1, round/2)
		if err := x.lookSoon(); err != nil {
			return err
		}
		again := x.condition(nodes)
		if again.IsFalse() || again == begin {
			continue
		}
		status, _, err := x.ask(again, x.soon)
		switch {
		case err != nil:
			return err
		case status == smt.Sat && x.options.Rounds > 0 && round >= x.options.Rounds:
			return &outcome.Stuck{What: fmt.Sprintf("a loop goes on after %d rounds", round)}
		case status == smt.Unsat:
			for _, l := range nodes {
				x.waiting[l] = nil
			}
		}
	}
	return nil
}

// locations adds those of some elements, nested ones too.
func locations(all []int, elements []scc.Element) []int {
	for _, e := range elements {
		all = locations(append(all, e.Node), e.Body)
	}
	return all
}

// ended reports that nothing waits at some locations.
func (x *execution) ended(locations []int) bool {
	return !slices.ContainsFunc(locations, func(l int) bool { return len(x.waiting[l]) > 0 })
}

// ask asks whether a condition is possible.
func (x *execution) ask(f *logic.Term, limit uint64) (smt.Status, logic.Model, error) {
	if f.IsFalse() {
		return smt.Unsat, nil, nil
	}
	x.asked++
	if err := x.tick(x.result.Method.String(), len(x.visits)); err != nil {
		return 0, nil, err
	}
	// Without scopes and assumptions Z3 simplifies the question as a whole, which decides many.
	x.checker.Reset()
	x.checker.Limit(limit)
	all := x.meanings(f)
	for _, d := range all {
		x.checker.Assert(d)
	}
	x.spent += int64(nameWork * len(all))
	x.checker.Assert(x.given)
	x.checker.Assert(f)
	status, err := x.checker.Check(x.ctx)
	if err != nil || status != smt.Sat {
		return status, nil, err
	}
	m, err := x.checker.Model(x.ctx)
	if err == nil && m == nil {
		err = &outcome.Stuck{What: "the solver gives no values of a run: " + x.checker.Reason()}
	}
	return status, m, err
}

// lookSoon is look with little work, while a loop goes on.
func (x *execution) lookSoon() error {
	status, m, err := x.ask(x.error(), x.soon)
	if err != nil {
		return err
	}
	return x.looks(status, m)
}

// look asks whether an error is met that has not been asked for.
func (x *execution) look() error {
	limit := uint64(firstLimit)
	if overWords(x.sys) {
		limit = firstLimitWords
	}
	for ; ; limit *= 2 {
		status, m, err := x.ask(x.error(), limit)
		switch {
		case err != nil:
			return err
		case status != smt.Unknown:
			return x.looks(status, m)
		case limit >= x.each:
			return &outcome.Stuck{What: "the solver cannot decide whether an error is met by any of the runs: " + x.checker.Reason()}
		}
	}
}

// error says that an error is met that has not been asked for.
func (x *execution) error() *logic.Term {
	return logic.Or(lists.Map(x.errors[x.looked:], func(e met) *logic.Term { return e.where })...)
}

// looks takes the answer to a question about errors.
func (x *execution) looks(status smt.Status, m logic.Model) error {
	switch status {
	case smt.Unsat:
		x.looked = len(x.errors)
		return nil
	case smt.Unknown:
		return nil
	}
	for _, e := range x.errors[x.looked:] {
		if !x.holds(m, e.where) {
			continue
		}
		start, path := x.back(e.visit, m)
		if start < 0 {
			break
		}
		info := Round{Method: x.result.Method, Predicates: []int{0}}
		if met, err := x.tryPath(start, path, &info); err != nil {
			return err
		} else if met {
			return errMet
		}
	}
	return &outcome.Stuck{What: "the solver's values are of no run"}
}
