// Package facts finds out, before any proof is tried, what holds at the locations of a
// program.System by abstract interpretation ([CousotCousot77]):
//
//   - Karr: linear equations between numbers, over the rationals ([Karr76]);
//   - Congruences: x mod m = r of integers ([Granger89]);
//   - Parities: linear equations modulo 2 of integers ([MuellerOlmSeidl07]);
//   - Intervals: bounds of numbers and machine words ([CousotCousot77]);
//   - Octagons: bounds of ±x±y ([Mine06]).
//
// A Boolean b is the number (b ? 1 : 0) to all but octagons, so that Karr finds what
// correlated flags are kept for, x == (b ? 1 : 0) + (c ? 1 : 0) and b != c, and Parities
// that one is on after an odd number of steps.
//
// The domains run in this order, each to its own fixpoint, and each takes what those
// before it have found for granted; equations are computed once more where bounds give some.
// Locations are visited in a weak topological order
// ([Bourdoncle93]).
//
// The facts of all locations and domains together are inductive: they hold initially,
// and a step of an edge from a state that satisfies those of its source leads to one that
// satisfies those of its target. Those of one location, or of one domain after the first,
// need not be so by themselves. Nothing here asks a solver, and nothing needs
// to be believed: whoever uses facts in a proof puts them into its certificate.
//
// What is not linear is looked at where that is easy (products by intervals and
// congruences; quotients, remainders and roundings by constants and choices by their
// definitions) and can have any value elsewhere, division by zero included. Machine words
// wrap around: of them there are intervals, of the unsigned value, and an operation that
// may leave the range has any result; the other domains do not speak of them.
//
// Most variables do not change over an edge: neighbouring locations share what is known of
// them, and their facts are the same terms. Work is polynomial, and bounded: a domain that would take more says so (Facts.Left) and
// contributes nothing. The bound counts steps, not time: same system, same facts.
//
// # Decisions
//
// Facts are inductive all together (internal/program/facts), so that a proof may use them and a certificate conjoins
// them: equations, congruences, intervals and octagons each reach their own fixpoint, in this order, and
// each takes what those before it found at the source of a step for granted. There is no product of domains
// that would have to be widened as one. What a step does is read once, for all domains, as linear
// constraints over the program's numbers and a few of its own (inputs, and one for each part that is not
// linear, with what is known of it); a disjunction joins. Work is counted, and too much of it costs a
// domain's facts, never their truth. Over most edges most variables stay: spaces of Karr are sparse vectors
// that are never changed but shared, each equation and each formula is made once (pool), and what an
// equation says of congruences is looked up where these are the same as before. Facts of all locations are
// written, not only of those where blocks end: the certificate has them all, and with sharing they cost
// less than the domains.
package facts
