// Package fairchoice judges networks under fair choice in the sense of LTSA: whatever finite
// sequence of transitions is possible again and again happens again and again. These are the
// runs of a random walk through the network.
//
//	result, err := fairchoice.Verify(ctx, net, formula, product.Options{})
//	report, err := fairchoice.Progress(ctx, net, properties, product.Options{})
//
// Verify answers in the terms of package product, which decides the same question about
// other runs:
//
//	verify    temporal operators eliminated from the random walk, from the inside out
//	pairs     regular expressions and automata: a deterministic automaton reads the walk
//	walk      the walk: transitions of the network as nodes, split again and again
//	terminal  the network's states in memory, and the terminal sets where runs end up
//	certain   evidence: a stem after which a walk violates the formula with probability 1
//	progress  progress properties, by terminal sets
package fairchoice
