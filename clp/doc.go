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
// Decide lets methods have turns (auto.go): Spacer on all clauses at once (spacer.go), CAR, Spacer on the sizes
// of lists and trees (sizes.go), and, of linear clauses, package armc (armc.go). CAR refines an abstraction until
// it has a solution of the clauses or a derivation (fig. 4). Around the refinement with complete explication are parts that the paper
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
// (internal/predabs/interpolate) or by Spacer on the trace, speak of few variables and converge
// best. Localised cores take the literals of an unsatisfiable core that speak of
// parameters, which keeps to terms of the program, needs no theory to have interpolants
// (arrays), and gives the paper's abstraction of its example. Every clause is checked by
// the solver, whatever source it has.
//
// # Datatypes
//
// Enumerations, lists and trees are sorts of package logic, which z3 reasons about; sizes are an abstraction of them
// to numbers (sizes.go), whose solutions speak of functions by recursion (horn.Fold).
//
// # Decisions
//
// Constraint logic has two forms (clp): a RuleSet is the paper's, one rule (to which the reader joins
// further ones) with "and" and "or" for each relation, which figure 3 maps to Booleans (a rule set again,
// over Bool, so that CLP(B) needs no types of its own); clauses (horn.Problem) are what methods work on.
// RuleSet.Clauses numbers the alternatives of rules, and traces are trees of these numbers, so that a trace
// of the abstract rules is one of the clauses. The paper's algorithm (--explication=lazy) asks the solver
// about traces only; the default derives facts from models, which needs about one question each and never
// meets a trace that its predicates exclude.
//
// Facts about Horn clauses are found by models (clp/facts.go), not by the domains of internal/program/facts: these
// read commands, and a clause with two calls is none. A question to the solver for each value that is met
// is dear for programs and cheap for the problems at hand.
//
// Horn clauses are made smaller in steps (clp/preprocess.go), each of which takes solutions and derivations
// back to the problem before it, as images of internal/program/passes do. Unfolding keeps no definition of what is
// gone: its solution is found anew between its bodies and its calls, where all others are known, which is a
// small problem with finitely many derivations.
//
// clp imports armc, sideways: linear clauses are programs, and its methods a lane of the race. What they
// say is checked as clauses again, and a run becomes a derivation by its clauses alone, whose values the
// solver finds anew.
package clp
