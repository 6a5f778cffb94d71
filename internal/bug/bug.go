// Package bug has the error of a program that contradicts itself: a certificate
// that does not hold, a counterexample that does not replay. Such an error is
// neither a verdict nor the user's mistake.
package bug

import "fmt"

// Error says what went wrong inside.
type Error struct{ Text string }

func (e *Error) Error() string { return "internal error: " + e.Text }

// Errorf makes an *Error.
func Errorf(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }
