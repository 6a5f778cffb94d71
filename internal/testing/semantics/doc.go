// Package semantics is the meaning of the modelling language a second time, written
// from its definitions alone: docs/concepts.md first, then docs/language.md,
// docs/formulas.md, docs/verify.md, docs/progress.md and docs/equivalent.md. It
// shares no code with the engine, imports nothing of the module, and prefers the
// plainest way to compute everything: explicit graphs, maps, slices. Comments quote
// the sentence of the manual that a piece of code is the meaning of.
//
// It is for tests only: random models (Random) are printed as text (Model.Text),
// which the engine reads; the answers of the engine are compared with those of the
// functions here.
//
//	syntax, formula      models and formulas as values, and their text
//	process, composite   what graph a process or a composition is
//	questions            sizes, deadlock, ERROR, progress
//	runs, tableau        linear temporal logic on all runs, and on fair ones
//	choice               the same on the runs of a random walk
//	bisimulation, traces equivalences of graphs
//	random               random models
package semantics
