package armc

import (
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/program/values"
)

// explicit is explicit-value analysis with refinement ([BeyerLoewe13]): abstract states have
// numbers for some variables (program/values), and a spurious path tells which variables
// are tracked, too.
type explicit struct {
	*run
	analysis *values.Analysis
	tracked  []bool // by variable
	reached  *values.Reached
}

// valuePath is a path to an abstract state with an error.
type valuePath struct {
	start int
	edges []int
}

func (r *run) explicitValues() error {
	x := &explicit{run: r, analysis: values.New(r.blocks), tracked: make([]bool, len(r.sys.Vars))}
	var problem refine.Problem[*valuePath, Round] = x
	safe, err := refineWith(r, problem)
	if safe {
		r.safe(x.reached.Invariant())
	}
	return err
}

// Check explores the abstract states.
func (x *explicit) Check(round int, info *Round) (*valuePath, bool, error) {
	var err error
	x.reached, err = x.analysis.Explore(x.tracked, func(states int) error {
		x.spent++
		return x.tick(Values.String(), states)
	})
	if err != nil {
		return nil, false, err
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

// Validate asks the solver, if values do not refute the path.
func (x *explicit) Validate(p *valuePath, info *Round) (bool, error) {
	more, refuted := x.analysis.Refute(p.start, p.edges, x.tracked)
	if refuted {
		for _, v := range more {
			x.tracked[v] = true
			info.Tracked = append(info.Tracked, x.sys.Vars[v])
		}
		info.Path = x.blocks.Select(p.edges)
		return false, nil
	}
	done, err := x.tryPath(p.start, p.edges, info)
	if err == nil && !done {
		err = &unknown{"a path is spurious for other reasons than values of variables"}
	}
	return done, err
}

// Refine has been done where the path was refuted.
func (x *explicit) Refine(_ *valuePath, info *Round) (bool, error) { return len(info.Tracked) > 0, nil }

func trackedVars(set []bool) (n int) {
	for _, in := range set {
		if in {
			n++
		}
	}
	return n
}

