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
package values
