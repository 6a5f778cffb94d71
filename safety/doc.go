// Package safety decides whether an error of a program can be reached: it has the plan of the attempts, by
// which engine and with how much work, and confirms what they find.
//
//	program    a C program: attempts one after the other; failures replayed (Program)
//	plan       which attempts, in which order, bounded by which work
//	confirm    proofs over unbounded integers, read over machine words
//	routines   programs whose routines are relations: recursive ones, very large ones (Routines)
//	norun      proofs of programs that have no run at all
//	integers   whether it is about unbounded integers or machine words
//
// Systems without C are package armc's, Horn clauses package clp's, which have portfolios of their own.
package safety
