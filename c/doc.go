// Package c is the wing for C programs; it has no code of its own. In it, for Go programs, too:
//
//	cfront  sources are read, made simple, and run on concrete values
//	encode  a program as a transition system (package program)
//
// and in internal/c what only seltl itself uses:
//
//	relations      a program whose routines are relations, as Horn clauses
//	specification  specifications (.spec) are read
//	bind           sources and a specification as components
//	steps          runs made step by step, for sessions
//
// Packages safety and internal/cegar decide what is asked about them.
package c
