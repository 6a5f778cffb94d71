// Package values explores the abstract states of a system in which some variables are
// tracked: explicit-value analysis ([BeyerLoewe13]), with symbols.
//
// An abstract state has, for each tracked variable, a number, a symbol plus a number, or
// nothing; of arrays (arrays.go) the numbers at some indices. Symbols stand for numbers that are not known: x = s+1, y = s says that x is y+1.
// Steps are computed by evaluation, without a solver, and exactly for machine words of
// up to 64 bits; integers without bounds are computed as far as they fit into 64 bits, and
// what else there is has no value.
//
// Which variables need to be tracked is found by refinement: a path to an error that cannot
// be run when all of them are tracked is left with as few as possible (Refute).
//
// # Decisions
//
// Explicit values know differences (internal/program/values): a variable that is not known has a symbol, and others
// may be that symbol plus a number; symbols are named by the first variable that has them, whose number is
// 0, so that equal knowledge is one state. Variables with too many numbers give them up for their
// differences, together with those they are assigned to or compared with. What is tracked is found by
// running the spurious path with fewer and fewer variables, which needs no account of why a step is
// impossible. The search takes blocks of paths as steps, and is done again edge by edge for the
// certificate, where variables inside of blocks matter: weakest preconditions of a disjunction of thousands
// of states are what solvers are worst at. Predicates run along as a second domain that only sees numbers
// (values.Beside, armc/valuescartesian.go): internal/program/values asks no solver.
//
// Enumeration is explicit values that do not give in (internal/program/values/split.go, armc/enumerate.go): all
// variables are tracked, and what has no number is given, one after the other, those that the guard leaves
// it (domain, a bound from above for intervals, which the guard itself then decides). Only an input that
// nothing bounds may stay open in a guard, as a choice; anything else ends it, so that it costs nothing
// where it does not fit. Nothing is believed: a path goes to the solver and the replay, states to the
// checker of certificates, which takes them one by one with their numbers put in (armc/cases.go): what is
// left folds to a constant or is about an input.
package values
