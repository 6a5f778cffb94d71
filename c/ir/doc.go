// Package ir is the form that C programs are read to (by package cfront), and what is known of the routines that
// they call without having them.
//
//   - A Program has routines as graphs of Blocks, whose instructions are assignments, calls, and choices of values
//     (Havoc), each with its place in the text. Short circuits, "?:", loops, switch and goto are edges.
//     Expressions have no side effects, and every conversion is explicit.
//   - Verify checks what every Program satisfies; tests ask it after each pass.
//   - Known says what a routine of the C library is here, by a list (routines.txt): modelled, unknown, refused.
//   - WriteC prints a Program as C; WriteDOT and WriteSVG draw it.
//
// It is run by package machine, made a transition system by package encode, and given checks by package checks.
package ir
