// Package cfront reads C programs: parse and type-check (modernc.org/cc/v4, with its own
// preprocessor: no compiler of the machine is asked), and simplification to a small typed
// form (package ir) in which every conversion is explicit and expressions have no side effects.
//
// What cannot be said in the form is refused with a message that names the place, the
// construct and what to do; nothing is left out silently. In a body, or an initialiser, it is
// refused where a run comes to it: a call there leaves what is modelled (ir.Program.Unread).
//
// Machine integers have their C meaning, and signed arithmetic wraps (like gcc's -fwrapv).
//
// # Decisions
//
// C is parsed by modernc.org/cc/v4 (c/cfront), which also types declarations and computes constants;
// conversions, promotions and the order of effects are made explicit here. No compiler is asked: the macros
// of the data model and some standard headers are built in. Line markers of other preprocessors are
// blanked, so that messages speak of the text that the user has. Names of variables are resolved by the
// lowering's own scopes, since the parser lets parameter names of casts to function pointers into the
// block. What comes out is run by package machine, and compared with gcc on random programs for both data
// models.
package cfront
