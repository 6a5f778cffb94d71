// Package lasso decides whether one component can follow its part in a lasso for ever:
// a list of commands once (the stem), then a list of commands again and again (the loop).
// It is what the loop of abstraction refinement for SE-LTL asks where each unrolling of an
// abstract counterexample may be possible.
//
//   - Unroll asks whether the stem and some rounds of the loop can be run: WeakSimLasso
//     ([Chaki05], Procedure 8.1) with a bound. Where not, the path is one to refine by.
//   - Recur looks for a proof that it can: a state at the loop head that repeats exactly in
//     all that the loop depends on, or a closed recurrence set ([Gupta08]), states from each
//     of which the loop leads to one of them again.
//   - Rank looks for a proof that it cannot: a linear ranking function ([PodelskiRybalchenko04]),
//     with the invariants that it rests on. Classify says what a command does to one.
//   - TransitionInvariant is a proof that several loops end, of which no one function ranks all
//     ([PodelskiRybalchenkoLICS04]); who has found its relation asks it what a step does.
//   - Decide asks them all, in the order of their cost.
//
// Everything is proved over the sorts that the commands have. Over machine words, ranking
// functions count in words so wide that nothing in them overflows, while the commands wrap
// as they do. Numbers and templates only say what may be tried.
//
// # Decisions
//
// Endless loops are decided for one component alone (internal/predabs/lasso), below cegar, whose loop only calls it:
// it knows commands and formulas, no LKS, no formula of SE-LTL, no abstract state. Its room is in predabs,
// since it asks a solver about paths as that does, and not in the package itself, since predicate
// abstraction needs none of it and its names (Recurrence, Ranking, Function) are of another subject.
// Guesses and proofs are apart: templates, a linear reading that ignores wrapping, and Farkas's lemma say
// what to try; what counts is proved with the commands as they are, and functions count in words in which
// nothing overflows. Quotients and remainders are variables with a few lemmas first. A function is labelled
// command by command (dec, same, other), since the abstraction excludes loops by labels of its steps;
// Ranking.Paths are what it has to refute to see them.
package lasso
