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
//
// # Decisions
//
// Two readings of "fair": product.Verify with a Fairness decides fairness of single runs (Streett
// conditions in the search by components); fairchoice.Verify is LTSA's fair choice, a property of the
// random walk through the model. What a model file declares (fsp.Model.Fairness) becomes Options.FairSets.
// With fairness, all runs are tried first, with every reduction: what holds in them needs none.
// Options.Compassion is of steps that are taken, not of what is possible: the premise's edges are removed
// where the conclusion is lacking, not states; its sets name components' own actions, so that an abstract
// model's labels of steps (dec, other) can be hidden from formulas.
package fairchoice
