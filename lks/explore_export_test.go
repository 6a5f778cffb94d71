package lks

// MostNodes makes explorations end at so many nodes of compressed states, until the
// function that it returns is called.
func MostNodes(nodes int) (restore func()) {
	old := mostNodes
	mostNodes = nodes
	return func() { mostNodes = old }
}

// Lower makes structures hold so few transitions, saturated ones too, until the function
// that it returns is called.
func Lower(edges int) (restore func()) {
	old, oldSaturated := mostEdges, maxSaturated
	mostEdges, maxSaturated = edges, edges
	return func() { mostEdges, maxSaturated = old, oldSaturated }
}

// LeanAfter makes Explore go over to lean stores after so many states, until the
// function that it returns is called.
func LeanAfter(states int64) (restore func()) {
	old := leanAfter
	leanAfter = states
	return func() { leanAfter = old }
}
