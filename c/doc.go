// Package c is the wing for C programs; it has no code of its own.
//
//	cfront     sources are read, made simple, and run on concrete values
//	encode     a program as a transition system (package program)
//	relations  a program whose routines are relations, as Horn clauses
//	magic      specifications (.spec) are read
//	bind       sources and a specification as components
//	steps      runs made step by step, for sessions
//
// Packages safety and cegar decide what is asked about them.
package c
