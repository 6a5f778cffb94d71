package lks

// LeanAfter makes Explore go over to lean stores after so many states, until the
// function that it returns is called.
func LeanAfter(states int64) (restore func()) {
	old := leanAfter
	leanAfter = states
	return func() { leanAfter = old }
}
