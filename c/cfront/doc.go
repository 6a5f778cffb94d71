// Package cfront reads C programs: parse and type-check (modernc.org/cc/v4, with its own
// preprocessor: no compiler of the machine is asked), and simplification to a small typed
// form in which every conversion is explicit and expressions have no side effects.
//
//   - Parse reads sources to a Program: routines as graphs of Blocks, whose instructions
//     are assignments, calls, and choices of values (Havoc), each with its place in the
//     text. Short circuits, "?:", loops, switch and goto are edges.
//   - Verify checks what every Program satisfies; tests ask it after each pass.
//   - Machine runs a Program on concrete values, with bytes as memory.
//   - WriteC prints a Program as C.
//
// What cannot be said in the form is refused with a message that names the place, the
// construct and what to do; nothing is left out silently.
//
// Machine integers have their C meaning, and signed arithmetic wraps (like gcc's -fwrapv).
package cfront
