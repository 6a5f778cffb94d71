package armc

import (
	"errors"

	"github.com/seltl/seltl/internal/program/values"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// explicit is explicit-value analysis with refinement ([BeyerLoewe13]): abstract states have
// numbers for some variables (internal/program/values), and a spurious path tells which variables
// are tracked, too.
type explicit struct {
	*run
	analysis  *values.Analysis
	precision []values.Precision // by variable
	exact     []bool             // by variable: refinement wants it so
	reached   *values.Reached
	beside    *beside
	small     bool // blocks are edges
	visited   int  // states, in all rounds
	all       everything
}

func (r *run) explicitValues() error {
	x := &explicit{run: r, analysis: values.New(r.blocks), precision: make([]values.Precision, len(r.sys.Vars)), exact: make([]bool, len(r.sys.Vars)), beside: r.newBeside(), all: everything{most: firstCells}}
	safe, err := refineWith[*values.Path](r, x)
	if safe {
		return r.safe(x.reached.Invariant())
	}
	return err
}

// Check explores the abstract states.
func (x *explicit) Check(round int, info *Round) (p *values.Path, found bool, err error) {
	for {
		if p, err = x.explore(); err != errDue {
			break
		}
		decided := false
		if p, decided, err = x.everything(); decided || err != nil {
			break
		}
	}
	if err != nil {
		return nil, false, err
	}
	*info = Round{Method: Values, Number: round, States: x.reached.States(), Variables: tracked(x.precision), Predicates: []int{len(x.beside.predicates)}}
	x.result.Stats.Refinements, x.result.Stats.States = round, x.reached.States()
	x.result.Stats.Used = tracked(x.precision)
	x.result.Stats.Generated = x.result.Stats.Used
	if p == nil {
		return nil, false, nil
	}
	x.result.Stats.Iterations = len(p.Blocks)
	return p, true, nil
}

// explore returns a path to an error, nil without. When there is none, the states are
// explored again, one edge at a time, as the certificate needs them.
func (x *explicit) explore() (*values.Path, error) {
	for {
		var err error
		x.reached, err = x.analysis.Explore(values.Options{Precision: x.precision, Fixed: x.exact, Beside: x.beside, Tick: func(states int) error {
			x.spent++
			if x.visited++; x.due() {
				return errDue
			}
			return x.tick(Values.String(), states)
		}})
		if many, ok := errors.AsType[*values.TooMany](err); ok {
			err = &outcome.Stuck{What: many.Error()}
		}
		if err != nil {
			return nil, err
		}
		if x.reached.Error >= 0 {
			p := x.reached.Path(x.reached.Error)
			return &p, nil
		}
		if x.small {
			return nil, nil
		}
		x.divide()
	}
}

// divide goes on with small blocks. Variables that matter inside of the larger ones only
// are needed there.
func (x *explicit) divide() {
	for v := range x.precision {
		if x.precision[v] == values.Untracked && x.analysis.Inner(v) {
			x.precision[v] = values.Exact
		}
	}
	x.small, x.blocks = true, program.SmallBlocks(x.sys)
	x.analysis = values.New(x.blocks)
	clear(x.beside.steps)
}

// Validate asks the solver, if values do not refute the path.
func (x *explicit) Validate(p *values.Path, info *Round) (bool, error) {
	if x.all.path {
		return x.tryPath(p.Start, p.Blocks, info)
	}
	finer, err := x.analysis.Refute(*p, x.precision, x.reasons(), func() error {
		x.spent += int64(len(p.Blocks))
		return x.tick(Values.String(), x.reached.States())
	})
	if err != nil {
		return false, err
	}
	if finer != nil {
		for v, now := range finer {
			if now != x.precision[v] {
				// One that was Relative has to stay Exact now.
				x.exact[v] = x.precision[v] == values.Relative
				info.Tracked = append(info.Tracked, x.sys.Vars[v])
			}
		}
		x.precision = finer
		info.Path, info.Feasible = x.blocks.Select(p.Blocks), smt.Unsat
		return false, nil
	}
	return x.tryPath(p.Start, p.Blocks, info)
}

// reasons is how many reasons why a path is spurious are taken: several, where exploring
// again takes long.
func (x *explicit) reasons() int {
	switch n := x.reached.States(); {
	case n < 2_000:
		return 1
	case n < 20_000:
		return 2
	}
	return 8
}

// Refine has been done where values refute the path; else there are more predicates.
func (x *explicit) Refine(p *values.Path, info *Round) (bool, error) {
	if x.all.path {
		x.resume()
		return true, nil
	}
	if len(info.Tracked) > 0 {
		return true, nil
	}
	at := []int{p.Start}
	for _, b := range p.Blocks {
		at = append(at, x.blocks.All[b].To)
	}
	return true, x.beside.learn(x.blocks.Path(p.Start, p.Blocks), at, info)
}

func tracked(precision []values.Precision) (n int) {
	for _, p := range precision {
		if p != values.Untracked {
			n++
		}
	}
	return n
}
