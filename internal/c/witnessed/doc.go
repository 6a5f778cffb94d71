// Package witnessed puts witnesses of the competition on software verification [Ayaziova24] into C programs, and makes them of
// proofs and runs.
//
// A witness is validated as a question about another program: the one that it is about, with the witness in
// its text. An invariant becomes an assertion where it stands. Waypoints become assignments to a variable that
// counts how many were passed, and a failure is one only when that is all of them and it is at the target. So
// the answer is proved and replayed as all others are, and what an expression of a witness means is what C says
// of it there. Lines stay what they are; columns do not.
//
// A run passes a waypoint when it comes to its place and the constraint holds. It is one that a witness describes if it passes
// each waypoint to be followed where it first comes to it after it has passed those before. The places are those of the format:
// an assumption is looked at before a statement (before `while`, each time that its condition is evaluated), a
// loop invariant each time that the condition of the loop is about to be evaluated, before the body of `do` at
// its end. One visit of a place passes one waypoint at most.
package witnessed
