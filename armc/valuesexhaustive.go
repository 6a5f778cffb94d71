package armc

import (
	"errors"

	"github.com/seltl/seltl/internal/program/values"
	"github.com/seltl/seltl/program"
)

// everything is the exploration with all variables tracked, without refinement. A system whose
// variables are all finite in effect (a scheduler, a protocol) often has fewer such states than
// refinement visits on its way to the variables that matter. It is tried where refinement takes
// long, with a bound that grows with what refinement has done.
type everything struct {
	analysis *values.Analysis // nil before the first try
	blocks   *program.Blocks  // edges, as the certificate needs them
	most     int              // cells of the next try: states times variables; 0: there is none
	path     bool             // what is validated now is a path of it
	other    struct {         // of the refinement, while path
		blocks    *program.Blocks
		precision []values.Precision
	}
}

// Cells of the first try, of the last, and how many times as many each has as the one before;
// and what part of them refinement visits before.
const (
	firstCells = 1 << 18
	mostCells  = 1 << 24
	moreCells  = 8
	sooner     = 4
)

var (
	errCells = errors.New("too many states")               // ends an exploration of everything
	errDue   = errors.New("everything is to be tried now") // ends one of refinement
)

// due reports that refinement has visited so many states that it is time for a try.
func (x *explicit) due() bool {
	return x.all.most > 0 && (x.unaided.everything || x.visited*len(x.sys.Vars) > x.all.most/sooner)
}

// everything explores. decided is false if that does not tell: otherwise p is a path to an
// error, nil for a proof.
func (x *explicit) everything() (p *values.Path, decided bool, err error) {
	all := &x.all
	if all.analysis == nil {
		all.blocks = program.SmallBlocks(x.sys)
		all.analysis = values.New(all.blocks)
	}
	n := len(x.sys.Vars)
	precision := make([]values.Precision, n)
	for v := range precision {
		precision[v] = values.Exact
	}
	reached, err := all.analysis.Explore(values.Options{Precision: precision, Fixed: make([]bool, n), Tick: func(states int) error {
		x.spent++
		if states*n > all.most {
			return errCells
		}
		return x.tick(Values.String(), states)
	}})
	var many *values.TooMany
	switch {
	case err == errCells:
		if all.most *= moreCells; all.most > mostCells {
			all.most = 0
		}
		return nil, false, nil
	case errors.As(err, &many):
		all.most = 0
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	all.most, all.other.blocks, all.other.precision = 0, x.blocks, x.precision
	x.reached, x.precision, x.blocks = reached, precision, all.blocks
	if reached.Error < 0 {
		return nil, true, nil
	}
	path := reached.Path(reached.Error)
	all.path = true
	return &path, true, nil
}

// resume has refinement go on where it was: the path of everything is spurious.
func (x *explicit) resume() {
	x.all.path, x.precision, x.blocks = false, x.all.other.precision, x.all.other.blocks
}
