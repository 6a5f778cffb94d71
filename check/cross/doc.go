// Package cross compares translators of linear temporal logic, seltl's and others, with each
// other and with the semantics of formulas, as the ltlcross tool does ([DuretLutz13]): for a
// formula f and each translator, the automata of f and of !f.
//
//   - No word is accepted by an automaton of f and one of !f, of the same or different
//     translators.
//   - Where an automaton is deterministic, its complement is like an automaton of the other
//     formula: this finds words that both leave out.
//   - Words drawn at random are accepted iff ltl.Eval says so.
//
// Whatever a check finds is a word, on which the formula is evaluated: that decides which
// automaton is wrong. A formula with a failure is made small while the failure stays.
package cross
