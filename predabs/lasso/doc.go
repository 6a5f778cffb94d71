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
//   - Decide asks them all, in the order of their cost.
//
// Everything is proved over the sorts that the commands have. Over machine words, ranking
// functions count in words so wide that nothing in them overflows, while the commands wrap
// as they do. Numbers and templates only say what may be tried.
package lasso
