//go:build race

package buchi

// closeStops is false under the race detector, which reports a close at the same
// time as a send, though here the send is meant to panic: a solver runs to its
// end, and its answer is dropped if that was too late.
const closeStops = false
