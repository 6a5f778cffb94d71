// Package bug has the error of a program that contradicts itself: a certificate
// that does not hold, a counterexample that does not replay. Such an error is
// neither a verdict nor the user's mistake, and nothing that it contradicts must
// be believed.
package bug

import "fmt"

// Error says what went wrong inside, and where.
type Error struct {
	Stage string // what was being checked: "replay of the counterexample"
	Err   error  // what was found; not nil
}

func (e *Error) Error() string { return fmt.Sprintf("internal error: %s: %v", e.Stage, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an *Error; what is wrong is formatted as by fmt.Errorf.
func Errorf(stage, format string, args ...any) error {
	return &Error{Stage: stage, Err: fmt.Errorf(format, args...)}
}
