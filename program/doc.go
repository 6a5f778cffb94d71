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
// (Horn clauses, which it writes, too), and reader, which tells them apart.
package program
