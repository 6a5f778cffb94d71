package armc

import (
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/values"
)

// explicit is explicit-value analysis with refinement ([BeyerLoewe13]): abstract states have
// numbers for some variables (program/values), and a spurious path tells which variables
// are tracked, too.
type explicit struct {
	*run
	analysis *values.Analysis
	tracked  []values.Precision // by variable
	exact    []bool             // by variable: refinement wants it so
	reached  *values.Reached
	small    bool // blocks are edges
}

// valuePath is a path to an abstract state with an error.
type valuePath struct {
	start int
	edges []int
}

func (r *run) explicitValues() error {
	x := &explicit{run: r, analysis: values.New(r.blocks), tracked: make([]values.Precision, len(r.sys.Vars)), exact: make([]bool, len(r.sys.Vars))}
	var problem refine.Problem[*valuePath, Round] = x
	safe, err := refineWith(r, problem)
	if safe {
		r.safe(x.reached.Invariant())
	}
	return err
}

// Check explores the abstract states. When there is no error, they are explored again, one
// edge at a time, as the certificate needs them.
func (x *explicit) Check(round int, info *Round) (*valuePath, bool, error) {
	for {
		var err error
		x.reached, err = x.analysis.Explore(x.tracked, x.exact, func(states int) error {
			x.spent++
			return x.tick(Values.String(), states)
		})
		if err != nil {
			return nil, false, err
		}
		if x.reached.Error >= 0 || x.small {
			break
		}
		x.divide()
	}
	*info = Round{Method: Values, Number: round, States: x.reached.States()}
	x.result.Stats.Refinements, x.result.Stats.States = round, x.reached.States()
	x.result.Stats.Used = trackedVars(x.tracked)
	x.result.Stats.Generated = x.result.Stats.Used
	if x.reached.Error < 0 {
		return nil, false, nil
	}
	p := &valuePath{}
	p.start, p.edges = x.reached.Path(x.reached.Error)
	x.result.Stats.Iterations = len(p.edges)
	return p, true, nil
}

// divide goes on with small blocks. Variables that matter inside of the larger ones only
// are needed there.
func (x *explicit) divide() {
	for v := range x.tracked {
		if x.tracked[v] == values.Untracked && x.analysis.Inner(v) {
			x.tracked[v] = values.Exact
		}
	}
	x.small, x.blocks = true, program.SmallBlocks(x.sys)
	x.analysis = values.New(x.blocks)
}

// Validate asks the solver, if values do not refute the path.
func (x *explicit) Validate(p *valuePath, info *Round) (bool, error) {
	if finer := x.analysis.Refute(p.start, p.edges, x.tracked, x.reasons()); finer != nil {
		for v, now := range finer {
			if now != x.tracked[v] {
				// One that was Relative has to stay Exact now.
				x.exact[v] = x.tracked[v] == values.Relative
				info.Tracked = append(info.Tracked, x.sys.Vars[v])
			}
		}
		x.tracked = finer
		info.Path = x.blocks.Select(p.edges)
		return false, nil
	}
	done, err := x.tryPath(p.start, p.edges, info)
	if err == nil && !done {
		err = &unknown{"a path is spurious for other reasons than values of variables"}
	}
	return done, err
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

// Refine has been done where the path was refuted.
func (x *explicit) Refine(_ *valuePath, info *Round) (bool, error) { return len(info.Tracked) > 0, nil }

func trackedVars(set []values.Precision) (n int) {
	for _, in := range set {
		if in != values.Untracked {
			n++
		}
	}
	return n
}
