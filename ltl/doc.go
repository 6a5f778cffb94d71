// Package ltl holds SE-LTL formulas: linear temporal logic over state
// propositions and events ([Chaki05], chapter 8).
//
// A formula is read by Parse, against the Vocabulary of a model or without one,
// or built by the Make functions. Formulas are immutable and hash-consed: equal
// formulas are the same pointer, and shared subformulas are stored once, so that
// algorithms work on the graph (Subformulas), not on the tree.
//
// The meaning of formulas is defined by Eval on words with a Stem and a Loop. A
// proposition is true at a position iff it labels the state there, an event iff
// it is the action of the step that leaves the position. Past operators look at the
// positions before; a formula is asked at the first position. Runs are infinite;
// formulas about finite words (ParseOptions.Finite) become formulas about infinite
// ones that stand for them.
//
// NNF and Simplify give equivalent formulas, Classify places a formula in the
// hierarchy of temporal properties by its syntax, and Format writes it in the
// syntax of several tools.
package ltl
