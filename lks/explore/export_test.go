package explore

// MostNodes makes explorations end at so many nodes of compressed states, until the
// function that it returns is called.
func MostNodes(nodes int) (restore func()) {
	old := mostNodes
	mostNodes = nodes
	return func() { mostNodes = old }
}

// LeanAfter makes Reach go over to lean stores after so many states, until the
// function that it returns is called.
func LeanAfter(states int64) (restore func()) {
	old := leanAfter
	leanAfter = states
	return func() { leanAfter = old }
}
