// Package buchi holds Büchi automata: their translation from LTL, their
// simplification, and their formats.
//
// An Automaton reads infinite words, one letter per step; a letter says which
// atoms are true. Labels of edges are Boolean functions over the atoms, kept as
// decision diagrams. Acceptance is generalised Büchi on edges; classical Büchi
// automata, with acceptance on states, are a special case.
//
//	a, err := buchi.Translate(formula, buchi.Options{Acceptance: buchi.StateBuchi})
//
// What happens in a translation, each step in a file of its own:
//
//	couvreur       formula to automaton, by decision diagrams
//	trim           useless states, marks and acceptance sets go
//	simulation     quotients by direct and reverse simulation
//	marks          other marks for the same language, so that quotients get smaller
//	wdba           minimal weak deterministic automata for obligations
//	suspension     G F and F G apart; G F of guarantees by automata that start again
//	history        which remember what they have read
//	parity         determinisation
//	degeneralize   many acceptance sets to one, on states
//	satminimise    on request: a smallest deterministic automaton, by SAT solving
//
// What is known of the atoms (of several events at most one occurs) is given as
// Constraints and used in every step: the automaton is right on all words that
// satisfy them and says nothing about others.
//
// Nothing here depends on the order of a map: the same call gives the same
// automaton.
package buchi
