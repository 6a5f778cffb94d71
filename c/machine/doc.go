// Package machine runs C programs (package ir) on concrete values, with bytes as memory. Every failure that is
// reported was run here: Machine knows nothing of the encoding (package encode), nor of how the failure was found.
//
//   - Run goes to the end; Start, Next and Fork pause at each node.
//   - What a program asks for (inputs, what routines without a body return) is a Choice.
//   - What the model does not know, and where objects lie, labels the values that depend on it: a run whose way
//     depends on one is refused.
//   - Recording keeps what a run was given; it is done again by that, told by lines (Watch), and written as C that
//     gcc compiles (WriteHarness).
package machine
