package programs

import (
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// PlainAgain steps through the runs that a report about a program has: package check/sim, which
// imports this one.
var PlainAgain func(t *testing.T, p *ir.Program, r *report.Report)

// Common is a pool that most tests share: to start z3 takes longer than many questions do.
var Common = smt.Z3Pool(1, smt.Options{})
