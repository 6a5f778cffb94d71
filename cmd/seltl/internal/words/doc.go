// Package words has the commands about formulas and automata without a model: translate, formula,
// automaton, cross.
package words
