// Package fsp is the modelling language: FSP (finite state processes, the
// language of [MageeKramer06] and of its tool LTSA) with state labels.
//
// Package syntax reads a file into a syntax tree, package types finds out what its names
// stand for, and Compile gives it a meaning: primitive processes become labeled Kripke
// structures (lks.LKS) and composites networks of them (lks.Network), which are explored
// on the fly.
package fsp
