package product

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/silent"
)

// IgnoresSilentSteps decides whether a formula does not tell runs apart that differ by silent
// steps which change nothing that it can see: no proposition, and no enabled(a). Then it may
// be decided on a model in which such steps are joined. why is empty if so, and otherwise says
// why it may tell them apart. The error is the meter's, or of a translation.
func IgnoresSilentSteps(net *lks.Network, f *ltl.Formula, meter *budget.Meter) (why string, err error) {
	return silent.Invariant(net, f, true, meter)
}
