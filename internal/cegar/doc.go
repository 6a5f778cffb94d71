// Package cegar decides questions about programs of several components, each abstracted
// by predicates of its own, by refinement that is guided by counterexamples: [Chaki05],
// chapters 4 to 10.
//
// Components are program.Component: C, or any other language, is not known here. Their
// abstract models (predabs.AbstractLKS) run in parallel; what is asked of these is asked
// of packages conform, product and deadlock. A counterexample is validated component by
// component, on its part of it alone (theorem 12), and the component that cannot follow gets
// predicates.
//
// # Files
//
// loop.go: what the questions share. simulation.go: SimulCEGAR and SimulCEGARMin (Procedures 6.5, 7.2).
// seltl.go: SELTL-CEGAR (8.4). lasso.go: WeakSimLasso (8.1), and runs of components put together.
// confirm.go: properties evaluated on what was put together. part.go: the part of a
// component in a counterexample, and whether it can be run (6.1). refine.go: new
// predicates from interpolants. branches.go: new predicates from branch conditions: AbsRefine,
// AbsCanSimul (6.3, 6.4), AbsRefMin, GreedyMin (7.1, 7.3). core.go: those of unsatisfiable cores. ranked.go: loops that a ranking
// function excludes. transitioninvariant.go: such as only several together exclude; houdini.go: over words. norun.go: programs without a run. deadlock.go: deadlocks (ch. 10, over predicates as in 10.8).
// quotients.go: the upper of two levels for lassos (ch. 9); conform and deadlock have their own.
// certify.go: an answer as a proof that package certificate checks. smaller.go:
// components after passes, and counterexamples before them; package passes says what must stay
// for which question.
//
// # Decisions
//
// Two levels of abstraction are one loop inside another (cegar, thesis ch. 9): a question's Check of
// abstract models is, with two levels, a loop over quotients of them, which ends with a proof or with what
// the abstract models themselves can do; only that is asked of the program. The inner loops are conform's,
// deadlock's IterDeadlock, and internal/cegar/quotients.go for lassos, since product knows no quotients. For lassos,
// members of a class offer the same actions, so that ends of runs, enabled(a) and fairness mean the same
// above; for deadlocks a class refuses what one of its members refuses (Def. 37).
package cegar
