// Package safety decides whether an error of a program can be reached: it has the plan of the attempts, by
// which engine and with how much work, and confirms what they find.
//
//	program    a C program: an encoding searched after passes; failures replayed (Program)
//	plan       which attempts, in which order, bounded by what
//	race       their turns, and what they share
//	confirm    proofs over unbounded integers, read over machine words
//	routines   programs whose routines are relations: recursive ones, very large ones (Routines)
//	norun      proofs of programs that have no run at all
//	integers   whether it is about unbounded integers or machine words
//
// Systems without C are package armc's, Horn clauses package clp's, which have portfolios of their own.
//
// # Decisions
//
// Verdicts about C rest on machine words (c/encode, safety): there are two systems with the same locations
// and edges. That of unbounded integers is where proofs and runs are looked for; its invariant, where it
// has products with the sizes that it implies (armc/sized.go), is read over exact values in wider words and
// checked by armc.CheckCertificate on the system of words, its runs are done again there and by
// machine.Machine, which knows nothing of the encoding. Addresses are numbers, so that aliasing is
// comparison: the points-to analysis only proposes targets, and every access that it has not foreseen, like
// all that C leaves undefined, leads to a location that a proof must exclude. Random programs are walked
// through by evaluation and by the machine, with the same choices.
package safety
