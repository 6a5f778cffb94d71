package programs

import (
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/report"
)

// PlainAgain steps through the runs that a report about a program has: package check/sim, which
// imports this one.
var PlainAgain func(t *testing.T, p *cfront.Program, r *report.Report)
