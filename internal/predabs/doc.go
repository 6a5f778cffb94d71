// Package predabs is predicate abstraction: the layer that every method for
// systems with unbounded data shares.
//
// A predicate is a formula over program variables. A cube is a conjunction of
// literals or predicates, kept as a list. Sets of concrete states are cubes (or
// lists of cubes, meaning their disjunction); sets of abstract states are cubes
// of predicates.
//
//   - Prover answers entailment and satisfiability with cheap syntactic answers
//     and a cache before it asks a solver, and is conservative: "entailed" and
//     "unsatisfiable" are proved, their opposites may mean "don't know".
//   - Alpha and LessEq are the abstraction functions α1, α2, α3 and the orders
//     ≤1, ≤2, ≤3 of [Rybalchenko02] (Defs. 1-6, eq. 4.3); Cartesian and Boolean
//     are the abstract post of [TUMLectures] (eq. 9) and its exact counterpart.
//   - Feasible decides whether a path of a program can be run, Refine finds
//     predicates that exclude it.
//
// # Decisions
//
// Deadlock needs abstract states that offer what their concrete ones offer (predabs.Observation.Offers):
// with existential abstraction alone a state offers what one concrete state offers, and deadlocks are lost.
// What decides about offers is tracked from the start where a component communicates, and nowhere else.
// Runs that leave what is modelled are excluded component by component first, which needs no composition.
package predabs
