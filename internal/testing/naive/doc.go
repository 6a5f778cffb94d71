// Package naive has the slow twins of the engines: definitions written down once more, without care for time
// or memory, for tests that compare. It shares no algorithm with what it is compared with; files are named
// after what they decide.
//
//	translate, lasso, ltleval, linear, regexp   formulas, words and automata
//	omega, dba, muller                          automata over infinite words, and what is asked of them
//	compose, fsp, component, ends               compositions, models and their ends
//	product, fairsets, finite, badprefix        whether runs satisfy formulas
//	deadlock, simulation, traces, bisim         deadlock, conformance, equivalence
//	logic, program, splice                      formulas with data, transition systems
package naive
