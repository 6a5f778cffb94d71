// Package components is the meaning of C components a second time: what the procedures of a cprog
// block do side by side, written from docs/components.md, with docs/spec.md and docs/formulas.md.
// It shares no code with the front end of C, its encodings, the binder, the passes, or the engine:
// it has its own reader of C, walks over the tree, keeps memory as bytes, and enumerates every
// value. Of the module it uses the parsers of specifications (internal/c/specification) and formulas (ltl), for
// their trees, and the tableau of internal/testing/semantics. It prefers the plainest way to compute
// everything, and comments quote the sentence of the manual that a piece of code is the meaning of.
//
// It is for tests only. A System is loaded of a C source and a specification and asked as the
// commands are: Deadlock, Satisfies, Conforms. What it cannot enumerate, such as a read of an int
// without a value, is an *Unsupported error: never an answer.
//
//	ctype, clex, cexpr, cstmt   a reader of C
//	memory, eval                values, expressions
//	graph, lower                what one procedure does, as a graph of steps
//	spec, machine               structures, claims, renaming
//	explore, compose            the states of a component, and of all
//	questions, simulation       the answers
//	random*                     random cases
package components
