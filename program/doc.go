// Package program is the one form of programs with data, whatever language they were
// written in: guarded commands over terms of package logic.
//
//   - Command is a guarded command: symbolic pre and post, sequences (Join), and steps
//     by evaluation (Step).
//   - System is a transition system: locations, edges with their commands and the places
//     in a text they come from, initial and error regions.
//   - Accelerate makes one step of many steps of a loop.
//   - Path is a sequence of commands between two formulas, Execution a run along one.
//     Trace is a run of a system. Replay is the judge of both: it evaluates.
//   - Blocks is a system with the commands of straight paths joined (large-block
//     encoding). What is found out about blocks is told of the system (Unfold, Expand).
//
// Nothing here asks a solver. Readers of languages are below: gcl, prolog, clauses
// (Horn clauses, which it writes, too), and reader, which tells them apart. What only
// seltl itself uses of systems stands in internal/program: facts, passes, values.
//
// # Decisions
//
// program holds one component. A program.System is a control-flow graph whose edges have commands and
// source spans; components, threads and calls are to be built of several. Blocks is the view that methods
// take: what they find is told of the system again (Unfold, Expand). Splicing paths (SplicedBlocks) keeps
// to the order of the locations' numbers and to a bound on growth, and gives the same blocks in the same
// order as joining that makes everything anew (internal/testing/naive).
//
// Large blocks are commands (program.LargeBlocks): a disjunction of two commands is a command again, with
// conditional values, or an input that chooses, and a guard that is a disjunction. So all that works with
// commands works with blocks: abstraction, interpolation, bounded search, Horn clauses. Each location
// inside has, for every cut point that it leads to, the command of all that can happen until then, made
// from those behind it; that is linear in the edges, since a block is a graph of shared terms, and it is
// also what invariants of locations inside are made of, and what tells which edges a run has taken: an edge
// is right if what is behind it, evaluated, leads to where the block leads. Inputs inside that only decide
// are projected away for invariants; inputs that are assigned would need quantifiers, and end blocks. Where
// choices are free, an invariant speaks of every outcome, so their number is bounded.
//
// Loops are accelerated in one place (program.Accelerate), which knows commands only and says whether the
// closed form is exact. armc/accelerated.go uses it twice: bounded search has a leap beside, or instead of,
// a block; forward refinement puts leaps into spurious paths and asks internal/predabs about these. Its
// predicates are candidates like all others, and a path with leaps that gives nothing new is refined as it
// is.
//
// program asks no solver: whether a path can be run is asked in internal/predabs, replay is evaluation.
//
// An unknown function is a variable of a function sort that no command may assign (program.Rigid):
// unrolling, renaming, models, certificates and runs treat it as they do other variables, and it is one in
// all steps. Models read its values where the formulas apply it (smt), and evaluation checks them. Horn
// clauses have no such parameters: Spacer is not asked.
//
// Divisions by zero are errors by a change of the system (program.System.WithDivisions), not of its
// meaning: no method, facts or checker knows of them, and nothing rests on what a solver takes x/0 to be.
package program
