// Package clp decides queries of constraint logic ([Flanagan04]): whether a relation
// without parameters, the goal, has a derivation by recursive rules over integers, reals,
// Booleans and arrays. Such queries are constrained Horn clauses (package horn) with the
// roles changed: the clauses have a solution if and only if the goal has no derivation.
//
// A rule defines a relation by a formula of constraints and calls of relations, joined by
// "and" and "or" (RuleSet). A Trace is a derivation without values: a tree of clauses, one
// for each call. Flatten makes a constraint of it, which has a model if and only if the
// trace is a derivation (lemma 7); a Derivation is a trace with values, which Replay checks
// by evaluation alone.
//
// Decide refines an abstraction until it has a solution of the clauses or a derivation
// (CAR, fig. 4). Around the refinement with complete explication are parts that the paper
// does not have: clauses are made fewer first (shrink), derivations looked for by unrolling,
// facts found by abstract interpretation (findFacts), predicates widened (widen), and
// solutions reduced to what their proof needs (needed). What it answers is checked by other code: a solution clause by clause
// (horn.Problem.Check), a derivation by Replay.
//
// # Abstractions
//
// The paper abstracts a rule by predicates over its parameters (the interface) and by
// clauses that are true of all values (the explicated constraint): what is left is a rule
// set over Booleans (Abstraction, Boolean; fig. 3), whose least model is computed with
// decision diagrams. Clauses come from the reasons why a trace is none: ETC, section 6.
//
// # Hygienic clauses
//
// The paper takes them from proofs in which every step speaks of one rule and its callees.
// Z3's proofs have no such form, so they are made here from formulas that summarise what
// each call of a trace contributes (Explanation): body and summaries of the callees imply
// the summary, and at the goal they are contradictory. These are the clauses. Summaries
// come from two sources. Tree interpolants, found call by call from Farkas coefficients
// (predabs/interpolate) or by Spacer on the trace, speak of few variables and converge
// best. Localised cores take the literals of an unsatisfiable core that speak of
// parameters, which keeps to terms of the program, needs no theory to have interpolants
// (arrays), and gives the paper's abstraction of its example. Every clause is checked by
// the solver, whatever source it has.
package clp
