// Package concrete visits the states of a system by evaluation, and says that there is no error
// among them: it checks proofs that are an enumeration. It shares nothing with package values, which
// finds them, and asks no solver.
//
// # Decisions
//
// A state has a word for each variable, or nothing where the variable may have any value; so a state
// stands for all runs that come to it, and is visited once. What a step reads of words of up to eight
// bits and has no value gets each of them, and so does a wider one of which guards have left little
// (spans.go: 0 <= x in one step, x <= 255 in the next); what else has none leaves the results that depend on it
// open, and a guard that is open is taken for possible. That is sound, and where it is too coarse an
// error is possible and the proof is refused.
//
// States are kept where several edges come together: every cycle has such a location, and what a
// straight line goes through is visited again only if its beginning is. A loop of 100,000 steps has
// so many states, not eight times as many.
package concrete
