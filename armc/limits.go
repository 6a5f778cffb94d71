package armc

import "github.com/seltl/seltl/internal/budget"

// What bounds a check, for those who use this package from
// outside: a search that reaches a limit ends with a *LimitError that says which one
// and how far it came, one whose context ends with ErrInterrupted.
type (
	// Limits are bounds of states, memory and time; a field that is 0 is none.
	Limits = budget.Limits
	// Progress is how far a computation is.
	Progress = budget.Progress
	// LimitError says which limit was reached.
	LimitError = budget.Exhausted
)

// ErrInterrupted is the error of what was ended by its context.
var ErrInterrupted = budget.ErrInterrupted
