// Package armc decides the safety of programs with variables over integers, rationals
// and machine words: can a state of the error region be reached from an initial state?
//
// Two methods abstract by predicates and refine: Method I of [Rybalchenko02]
// (backward, fig. 3.3; file methodone.go) and AbstRefineLoop of [Podelski11]
// (forward, with an abstract reachability graph; file abstrefineloop.go). Beside them are
// k-induction (induction.go), bounded search (bounded.go), explicit values (explicit.go) and Spacer (whole.go); simple
// loops are taken any number of times in one step (accelerated.go). Safe
// comes with an inductive invariant per location that CheckCertificate, which
// shares no code with the methods, has confirmed; Unsafe with a run that was
// replayed by evaluation. Everything else is Unknown, with what was tried.
package armc
