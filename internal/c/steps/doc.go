// Package steps makes runs of C programs, and of components of specifications, step by step:
// on cfront's Machine, by which counterexamples are replayed. A Point is where a run is; it does
// not change, so that runs go back and branch off from any of them.
package steps
