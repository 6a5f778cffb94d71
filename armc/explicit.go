package armc

import (
	"errors"

	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/values"
	"github.com/seltl/seltl/smt"
)

// explicit is explicit-value analysis with refinement ([BeyerLoewe13]): abstract states have
// numbers for some variables (program/values), and a spurious path tells which variables
// are tracked, too.
type explicit struct {
	*run
	analysis  *values.Analysis
	precision []values.Precision // by variable
	exact     []bool             // by variable: refinement wants it so
	reached   *values.Reached
	small     bool // blocks are edges
}

func (r *run) explicitValues() error {
	x := &explicit{run: r, analysis: values.New(r.blocks), precision: make([]values.Precision, len(r.sys.Vars)), exact: make([]bool, len(r.sys.Vars))}
	safe, err := refineWith[*values.Path](r, x)
	if safe {
		r.safe(x.reached.Invariant())
	}
	return err
}

// Check explores the abstract states. When there is no error, they are explored again, one
// edge at a time, as the certificate needs them.
func (x *explicit) Check(round int, info *Round) (*values.Path, bool, error) {
	for {
		var err error
		x.reached, err = x.analysis.Explore(x.precision, x.exact, func(states int) error {
			x.spent++
			return x.tick(Values.String(), states)
		})
		var many *values.TooMany
		if errors.As(err, &many) {
			err = &unknown{many.Error()}
		}
		if err != nil {
			return nil, false, err
		}
		if x.reached.Error >= 0 || x.small {
			break
		}
		x.divide()
	}
	*info = Round{Method: Values, Number: round, States: x.reached.States(), Variables: tracked(x.precision)}
	x.result.Stats.Refinements, x.result.Stats.States = round, x.reached.States()
	x.result.Stats.Used = tracked(x.precision)
	x.result.Stats.Generated = x.result.Stats.Used
	if x.reached.Error < 0 {
		return nil, false, nil
	}
	p := x.reached.Path(x.reached.Error)
	x.result.Stats.Iterations = len(p.Blocks)
	return &p, true, nil
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
}

// Validate asks the solver, if values do not refute the path.
func (x *explicit) Validate(p *values.Path, info *Round) (bool, error) {
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
	done, err := x.tryPath(p.Start, p.Blocks, info)
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
func (x *explicit) Refine(_ *values.Path, info *Round) (bool, error) {
	return len(info.Tracked) > 0, nil
}

func tracked(precision []values.Precision) (n int) {
	for _, p := range precision {
		if p != values.Untracked {
			n++
		}
	}
	return n
}
