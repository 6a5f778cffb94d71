// Package c is the wing for C programs; it has no code of its own. In it, for Go programs, too:
//
//	ir       the form that C programs are read to
//	cfront   sources are read, and made simple
//	checks   mistakes that C leaves undefined become failures
//	machine  a program is run on concrete values
//	encode   a program as a transition system (package program)
//
// and in internal/c what only seltl itself uses:
//
//	assumptions    where a program rests on what C leaves open
//	relations      a program whose routines are relations, as Horn clauses
//	specification  specifications (.spec) are read
//	bind           sources and a specification as components
//	steps          runs made step by step, for sessions
//	witnessed      witnesses of the competition, read and written
//
// Packages safety and internal/cegar decide what is asked about them.
package c
