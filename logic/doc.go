// Package logic is quantifier-free first-order logic over program data: sorts,
// terms, substitution, weakest preconditions, evaluation, and three syntaxes.
// It knows no solver.
//
// A *Term is immutable and hash-consed: two terms are structurally equal iff
// their pointers are equal. The constructors normalise as they build, so that
// terms that mean the same often are the same:
//
//   - arithmetic is a sum of monomials with rational coefficients, in a fixed
//     order, and a linear (in)equality is "sum op number" with coprime integer
//     coefficients; over Int, bounds are rounded and x < y is x <= y-1;
//   - conditional numbers keep what both values have in common outside;
//   - negation is pushed into inequalities; what remains negated is an equality,
//     a Boolean variable, or a comparison of bit-vectors;
//   - conjunctions and disjunctions are flat, sorted, without duplicates, and
//     constant if they contain a complementary pair.
//
// A formula is a term of sort Bool. Sorts are checked: a constructor panics when
// its operands do not fit, which is a mistake of the calling code; the parsers
// report such mistakes of a text as diagnostics. Where an Int meets a Real it is
// converted.
//
// Unknown functions are variables of function sorts (FunctionOf), which can only be
// applied. A model gives them values, as it does to other variables.
//
// Division of Int is that of SMT-LIB (Euclidean: the remainder is never
// negative). Division by zero of Int and Real has no value here: it is never
// folded, and Eval reports an error. Division of bit-vectors by zero has the
// value that SMT-LIB gives it.
//
// # Decisions
//
// Conditional numbers have one form (logic.Ite): what both values have in common is outside, and values
// that differ by a number are multiples of "if c then 1 else 0". Effects of branches on one condition so
// add up and cancel out by arithmetic alone; internal/predabs/interpolate takes such terms for numbers between 0 and
// 1 that exist at every position, and decides their conditions only where simplex needs it; smt sends each
// of them as a number with bounds, which for sums of 300 is up to ten times faster.
package logic
