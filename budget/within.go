package budget

// abort is a limit that is met where no error can be returned: deep in what computes one
// transition after the other.
type abort struct{ err *Exhausted }

func (a abort) Error() string { return a.err.Error() }

// Abort panics with a limit. Within makes an error of it again.
func Abort(err *Exhausted) { panic(abort{err}) }

// Within calls f and returns its error, or the *Exhausted that it was aborted by. It does not
// see what panics in other goroutines.
func Within(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if err = Aborted(p); err == nil {
				panic(p)
			}
		}
	}()
	return f()
}

// Aborted returns the *Exhausted of Abort, from what was recovered; nil if that is something
// else.
func Aborted(recovered any) error {
	if a, ok := recovered.(abort); ok {
		return a.err
	}
	return nil
}
