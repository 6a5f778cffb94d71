// Package armc decides the safety of programs with variables over integers, rationals
// and machine words: can a state of the error region be reached from an initial state?
//
// Two methods abstract by predicates and refine: Method I of [Rybalchenko02]
// (backward, fig. 3.3; file methodone.go) and AbstRefineLoop of [Podelski11]
// (forward, with an abstract reachability graph; file abstrefineloop.go). Beside them are
// k-induction (induction.go), bounded search (bounded.go), explicit values (values.go), enumeration of concrete states (enumerate.go) and Spacer (spacer.go); simple
// loops are taken any number of times in one step (accelerated.go). Safe
// comes with an inductive invariant per location that CheckCertificate, which
// shares no code with the methods, has confirmed; Unsafe with a run that was
// replayed by evaluation. Everything else is Unknown, with what was tried.
//
// # Decisions
//
// Who gets which blocks (armc.Encoding): what needs cubes of literals (Method I, α1 and α2, iterated post
// and pre, cores, which are iterated pre of less, k-induction, which eliminates inputs from preconditions)
// gets edges or spliced paths, since its disjunctive normal form of a large block is the paths again. At
// heads of loops the first edges stay apart: there alternatives are mostly unrelated commands (of several
// processes), and merged, four of the systems in specs/reach were lost. At most 16 branches after one
// another are merged: with 30 instead of 10, the proof of compared in bench/reach without facts takes twice
// the processor time, most of it for the certificate, and branches of which each depends on the one before
// (largest) make questions that take exponential time: there a lane of auto takes edges one by one. Blocks
// are made once for all lanes (encoded).
//
// k-induction has no certificate of its own: what it proves becomes an inductive invariant by weakest
// preconditions, since the checker must stay one piece of code with three questions. The price is that k is
// small (maxInduction).
//
// Verdicts come from two places (armc): safe is a certificate that CheckCertificate has accepted, unsafe a
// replayed trace, also of lanes whose own answer is only a claim: a solution by Spacer that is refused, and
// its "there is none", end that lane, not the search. Bounded search asks a stack of assertions beside the
// solver's (smt.Solver.Beside), since its formulas stay; it belongs to the solver, so that a check needs
// one solver of the pool and cannot wait for a second. Constants are put into it (unrolledconstants.go), so
// that it ends where loops do, which is a proof (unwound.go): an invariant, too, by weakest preconditions for
// each value of the counters.
//
// A list of many states is no invariant that a solver checks or a person reads: with Options.Enumeration the
// certificate says that the states are few, and its check visits them (internal/program/concrete).
//
// Every question has a limit of work (armc/ration.go), in the solver's units; of a lane, of a method alone,
// of a certificate's obligations. MaxQueries also rations the work of all questions, by a wrapper of the
// run's solver, so that it bounds the time where single questions are what takes long; one that is killed
// since the solver does not count what it does is charged what it could have counted.
//
// Certificates are reduced by models (armc/inductivecore.go): a state from which something goes wrong, of
// all steps from a location at once, asks for one conjunct that it does not satisfy; a core at the end
// leaves out what was taken too early. A core for each conjunct and step took ten times as many questions.
package armc
