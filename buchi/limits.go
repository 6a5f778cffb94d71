package buchi

import (
	"context"

	"github.com/seltl/seltl/internal/budget"
)

// What bounds a translation, for those who use this package from
// outside: a search that reaches a limit ends with a *LimitError that says which one
// and how far it came, one whose context ends with ErrInterrupted.
type (
	// Limits are bounds of states, memory and time; a field that is 0 is none.
	Limits = budget.Limits
	// Progress is how far a computation is.
	Progress = budget.Progress
	// LimitError says which limit was reached.
	LimitError = budget.Exhausted
	// Meter watches one computation; NewMeter makes one.
	Meter = budget.Meter
)

// ErrInterrupted is the error of what was ended by its context.
var ErrInterrupted = budget.ErrInterrupted

// NewMeter makes a Meter that ends a computation when ctx does, or at a limit, and
// calls report, which may be nil, about once a second.
func NewMeter(ctx context.Context, limits Limits, report func(Progress)) *Meter {
	return budget.New(ctx, limits, report)
}
