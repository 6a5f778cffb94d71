// Package fsp is the modelling language: FSP (finite state processes, the
// language of [MageeKramer06] and of its tool LTSA) with state labels.
//
// Package syntax reads a file into a syntax tree, package types finds out what its names
// stand for, and Compile gives it a meaning: primitive processes become labeled Kripke
// structures (lks.LKS) and composites networks of them (lks.Network), which are explored
// on the fly.
//
// # Decisions
//
// The modelling language in three rooms, as editors need them: text, names, processes. A mistake stops the
// parser; it then sees the end of the text and everything unwinds with bad nodes. What it says about a
// wrong text comes from one reading, the tree from a second that believes the layout, so that messages did
// not have to change for the sake of trees. lks/fsp/internal/eval evaluates constants, sets, expressions
// and labels for both types and the compiler; it unwinds by panics, which is why it is not public. One walk
// in types resolves names and reports those that are not defined. Actions are no names there: they have no
// definition, and prefixes and relabelling make of one what is several elsewhere.
package fsp
