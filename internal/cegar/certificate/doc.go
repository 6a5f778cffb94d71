// Package certificate checks proofs about programs of several components: that they conform
// to a specification, cannot come to a deadlock, or satisfy a formula. A proof is a
// predicate abstraction of each component ([Chaki05], 4.4), and is checked against the
// components themselves, question by question to a solver, and then by exploring all that the
// abstractions can do together.
//
// It is other code than what finds the proofs: of the engines it imports none, only what says
// what components, specifications and formulas mean (program, lks, ltl, logic, smt). It is
// written for being read, by the definitions; what takes too much for that is TooLarge.
//
// # Files
//
// certificate.go: what a proof is, what it is of, and Check. format.go: its text. walk.go: the
// paths of a component between locations where its abstraction has states. local.go: what is
// proved of each component. measure.go, disjunction.go: functions that exclude runs, one or several.
// compose.go: the components together, and deadlock. simulates.go: conformance. satisfies.go,
// tableau.go, fair.go, silence.go: formulas.
package certificate
