package programs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// inlinedR has r inlined in p, and wait for ever elsewhere.
const inlinedR = `cproc p { inline r; }
R = (w -> RW),
RW = (return {$0 == 1 && $0 == 2} -> STOP).
cproc r { abstract {r_0, 1, R}; }`

// smallC are procedures p, and q beside it, of which the right answer is known by how they are
// made: whether they satisfy a formula or, without one, whether they are free of deadlock.
var smallC = []struct {
	text, formula string
	options       string // finite= or fair=
	components    string
	more          string // specification
	want          report.Verdict
}{
	// Of structs and volatile variables formulas read what the program has written.
	{`struct s { char k; int v; }; void p(struct s s) { if (s.v == 3) a(); else b(); }`, `G (a -> "s.v == 3")`, "", `p`, "", report.Holds},
	{`struct s { char k; int v; }; void p(struct s s) { if (s.v == 3) a(); else b(); }`, `F a`, "", `p`, "", report.Violated},
	{`struct s { char k; int v; }; void p(struct s s, struct s *t) { struct s l = s; *t = l; b(); }`, `G (b -> "t->v == s.v && l.k == t->k")`, "", `p`, "", report.Holds},
	{`struct s { char k; int v; }; void p(void) { struct s l = {1, 2}; a(); l = (struct s){3, 4}; b(); }`, `"l.v == 2" & G (b -> "l.v == 4 && l.k == 3")`, "", `p`, "", report.Holds},
	{`volatile int v; void p(void) { v = 1; a(); v = 2; a(); }`, `G (a -> "v == 1 || v == 2")`, "", `p`, "", report.Holds},
	{`volatile int v; void p(void) { v = 1; a(); v = 2; a(); }`, `G (a -> "v == 1")`, "", `p`, "", report.Violated},
	{`volatile int v; void p(void) { v = 1; if (v != 1) a(); }`, `G !a`, "", `p`, "", report.Violated},
	// What is inlined is so where a pointer calls it, too, and where a formula speaks of its calls.
	{`int r(void) { return 0; } int p(void) { int (*f)(void) = r; return f(); }`, `F "r.return"`, "", `p`, inlinedR, report.Holds},
	{`int r(void) { return 0; } int p(void) { int (*f)(void) = r; return f(); }`, `F r & G (r -> F "r.return")`, "", `p`, inlinedR, report.Holds},
	{`int r(void) { return 0; } int p(void) { int (*f)(void) = r; return f(); }`, `F return`, "", `p`, inlinedR, report.Holds},
	{`int r(void) { return 0; } int q(int (*f)(void)) { return f(); } int p(void) { return q(r); }`, `F r & F "r.return"`, "", `p`, inlinedR, report.Violated}, // by q
	{`int r(void) { return 0; } int q(int (*f)(void)) { return f(); } int p(void) { return q(r); }`, `F "r.return"`, "", `p`, "cproc q { inline r; }\n" + inlinedR, report.Holds},
	// A declaration without an initialiser is a step, whether anything reads the variable or not.
	{`void reach_error(void); void p(void) { int x; reach_error(); }`, `enabled(error)`, "", `p`, "", report.Violated},
	{`void reach_error(void); void p(void) { int x; reach_error(); }`, `enabled(error) | "x == 5"`, "", `p`, "", report.Violated},
	{`void reach_error(void); void p(void) { reach_error(); }`, `enabled(error)`, "", `p`, "", report.Holds},
	{`void p(void) { a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { a(); }`, `F b`, "", `p`, `cproc p { alphabet {a, b, c}; }`, report.Violated},
	{`void p(void) { a(); }`, `F b`, `finite=ignore`, `p`, `cproc p { alphabet {a, b, c}; }`, report.Holds},
	{`void p(void) { a(); }`, `F return`, "", `p`, "", report.Holds},
	{`void p(void) { a(); b(); }`, `G(a -> F b)`, "", `p`, "", report.Holds},
	{`void p(void) { a(); b(); }`, `G(b -> F a)`, "", `p`, "", report.Violated},
	{`void p(void) { a(); b(); }`, `!b U a`, "", `p`, "", report.Holds},
	{`void p(void) { a(); b(); }`, `!a U b`, "", `p`, "", report.Violated},
	{`void p(void) { a(); }`, "", "", `p`, "", report.Holds},
	{`void p(void) { while (1) a(); }`, "", "", `p`, "", report.Holds},
	{`void p(void) { a(); while (1); }`, "", "", `p`, "", report.Holds},
	{`void p(void) { while (1) a(); }`, `G F a`, "", `p`, "", report.Holds},
	{`void p(void) { while (1) a(); }`, `F return`, "", `p`, "", report.Violated},
	{`void p(void) { while (1) a(); }`, `G F a`, `finite=error`, `p`, "", report.Holds},
	{`void p(void) { int x = any(); __VERIFIER_assume(x > 0); if (x <= 0) a(); }`, `G !a`, "", `p`, "", report.Holds},
	{`void p(void) { int x = any(); __VERIFIER_assume(x > 0); if (x <= 1) a(); }`, `G !a`, "", `p`, "", report.Violated},
	{`void p(void) { __VERIFIER_assume(0); a(); }`, `G !a`, "", `p`, "", report.Holds},
	{`void p(void) { __VERIFIER_assume(0); a(); }`, `F b`, "", `p`, `cproc p { alphabet {a, b, c}; }`, report.Holds},
	{`void p(void) { __VERIFIER_assume(0); a(); }`, "", "", `p`, "", report.Holds},
	{`void p(void) { if (choose()) { a(); __VERIFIER_assume(0); } b(); }`, `G !a`, "", `p`, "", report.Holds},
	{`void p(void) { if (choose()) { a(); __VERIFIER_assume(0); } b(); }`, `F b`, "", `p`, "", report.Holds},
	{`void p(void) { a(); if (choose()) __VERIFIER_assume(0); b(); }`, `F b`, "", `p`, "", report.Holds},
	{`void p(void) { a(); if (choose()) __VERIFIER_assume(0); b(); }`, `G !b`, "", `p`, "", report.Violated},
	{`void p(void) { while (1) { int x = choose(); __VERIFIER_assume(x); a(); } }`, `G F a`, "", `p`, "", report.Holds},
	{`void p(void) { while (1) { int x = choose(); __VERIFIER_assume(x); if (x) a(); else b(); } }`, `G !b`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { __VERIFIER_assume(n < 3); a(); n++; } }`, `G !a`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (choose()) { __VERIFIER_assume(n < 3); a(); n++; } b(); }`, `F b`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (choose()) { __VERIFIER_assume(n < 3); n++; } b(); }`, `F b`, "", `p`, "", report.Holds},
	{`void p(void) { while (choose()) ; b(); }`, `F b`, "", `p`, "", report.Violated},
	{`void p(void) { while (choose()) ; b(); }`, `F b`, `fair=process`, `p`, "", report.Violated},
	{`void p(void) { a(); __VERIFIER_assume(0); }
void q(void) { a(); b(); }`, `G !a`, "", `p, q`, "", report.Holds},
	{`void p(void) { a(); __VERIFIER_assume(0); }
void q(void) { a(); while (1) b(); }`, `G !a`, "", `p, q`, "", report.Violated},
	{`void p(void) { a(); __VERIFIER_assume(0); }
void q(void) { a(); while (1) b(); }`, `G !a`, `fair=process`, `p, q`, "", report.Holds},
	{`void p(void) { a(); __VERIFIER_assume(0); }
void q(void) { a(); while (1) ; }`, `G !a`, "", `p, q`, "", report.Violated},
	{`void p(void) { a(); __VERIFIER_assume(0); }
void q(void) { a(); while (1) ; }`, `G !a`, `fair=process`, `p, q`, "", report.Holds},
	{`void p(void) { a(); __VERIFIER_assume(0); b(); }
void q(void) { a(); b(); }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { a(); if (choose()) __VERIFIER_assume(0); b(); }
void q(void) { a(); c(); }`, "", "", `p, q`, `cproc q { alphabet {b}; }`, report.Violated},
	{`void p(void) { a(); while (1) ; b(); }`, `F return`, "", `p`, "", report.Violated},
	{`void p(void) { a(); while (1) ; b(); }`, `G F a`, "", `p`, "", report.Violated},
	{`void p(void) { a(); while (1) ; b(); }`, `F G !a`, "", `p`, "", report.Holds},
	{`void p(void) { a(); while (1) ; b(); }`, "", "", `p`, "", report.Holds},
	{`void p(void) { a(); while (1) ; b(); }`, `F deadlock`, "", `p`, "", report.Violated},
	{`void p(void) { a(); }`, `F deadlock`, "", `p`, "", report.Holds},
	{`void p(void) { while (1) ; }
void q(void) { a(); }`, `F a`, "", `p, q`, "", report.Violated},
	{`void p(void) { while (1) ; }
void q(void) { a(); }`, `F a`, `fair=process`, `p, q`, "", report.Holds},
	{`void p(void) { while (1) b(); }
void q(void) { a(); }`, `F a`, "", `p, q`, "", report.Violated},
	{`void p(void) { while (1) b(); }
void q(void) { a(); }`, `F a`, `fair=process`, `p, q`, "", report.Holds},
	{`void p(void) { while (1) b(); }
void q(void) { while (choose()) ; a(); }`, `F a`, `fair=process`, `p, q`, "", report.Violated},
	{`void p(void) { int x = choose(); while (x) ; a(); }`, `F a`, "", `p`, "", report.Violated},
	{`void p(void) { int x = choose(); while (x) x = 0; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { a(); b(); }
void q(void) { b(); a(); }`, "", "", `p, q`, "", report.Violated},
	{`void p(void) { a(); b(); }
void q(void) { b(); a(); }`, `F a`, "", `p, q`, "", report.Violated},
	{`void p(void) { a(); b(); }
void q(void) { b(); a(); }`, `F a`, `finite=ignore`, `p, q`, "", report.Holds},
	{`void p(void) { a(); b(); }
void q(void) { a(); b(); }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { a(); b(); }
void q(void) { a(); b(); }`, `F b`, "", `p, q`, "", report.Holds},
	{`void p(void) { a(); a(); }
void q(void) { a(); }`, "", "", `p, q`, "", report.Violated},
	{`void p(void) { a(); }
void q(void) { a(); c(); }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { a(); }
void q(void) { a(); while (1) c(); }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { a(); a(); }
void q(void) { a(); while (1) c(); }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { a(); a(); }
void q(void) { a(); while (1) ; }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { if (choose()) a(); else b(); }
void q(void) { if (choose()) a(); else b(); }`, "", "", `p, q`, "", report.Violated},
	{`void p(void) { int x = sel(); if (x) c(); }
void q(void) { a(); }`, "", "", `p, q`, "", report.Violated},
	{`void p(void) { int x = sel(); if (x) c(); }
void q(void) { a(); }`, "", "", `p, q`, `cproc q { alphabet {b}; }`, report.Holds},
	{`void p(void) { int x = sel(); if (x) c(); }
void q(void) { a(); }`, `G !c`, "", `p, q`, `cproc q { alphabet {b}; }`, report.Holds},
	{`void p(void) { int x = sel(); if (x) c(); }
void q(void) { if (choose()) a(); else b(); }`, "", "", `p, q`, "", report.Holds},
	{`void p(void) { int x = any(); which(x); }
void q(void) { a(); }`, "", "", `p, q`, `cproc q { alphabet {b}; }`, report.Violated},
	{`void p(void) { int x = any(); __VERIFIER_assume(x == 0); which(x); }
void q(void) { a(); }`, "", "", `p, q`, `cproc q { alphabet {b}; }`, report.Holds},
	{`void p(void) { int x = any(); if (x < 7) __VERIFIER_assume(x > 7); which(x); }
void q(void) { b(); }`, "", "", `p, q`, `cproc q { alphabet {a}; }`, report.Holds},
	{`void p(void) { exit(0); a(); }
void q(void) { c(); }`, "", "", `p, q`, `cproc q { alphabet {a}; }`, report.Holds},
	{`void p(void) { if (choose()) exit(0); a(); }
void q(void) { a(); }`, "", "", `p, q`, "", report.Violated},
	{`void p(void) { if (choose()) exit(1); a(); }`, `F a`, "", `p`, "", report.Violated},
	{`void p(void) { if (choose()) abort(); a(); }`, `F a`, "", `p`, "", report.Violated},
	{`void p(void) { int x = try(); if (x) b(); }`, "", "", `p`, "", report.Holds},
	{`void p(void) { int x = try(); if (x == 0) b(); }
void q(void) { a(); b(); }`, "", "", `p, q`, "", report.Violated},
	{`void p(void) { int x = try(); if (x == 1) b(); }
void q(void) { c(); }`, "", "", `p, q`, `cproc q { alphabet {a}; }`, report.Holds},
	{`void p(void) { int x = try(); if (x == 1) b(); }
void q(void) { c(); }`, `G !b`, "", `p, q`, `cproc q { alphabet {a}; }`, report.Holds},
	{`void p(void) { int n = 3; while (n >= -1) { pos(n); n--; } b(); }`, `G(a -> "n > 0")`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 3; while (n >= -1) { pos(n); n--; } b(); }`, `G(a -> "n > 1")`, "", `p`, "", report.Violated},
	{`void p(void) { int n = 3; while (n >= -1) { pos(n); n--; } b(); }`, `F(a & X F(a & X F a))`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 3; while (n >= -1) { pos(n); n--; } b(); }`, `F(a & X F(a & X F(a & X F a)))`, "", `p`, "", report.Violated},
	{`void p(void) { int n = 3; while (n >= -1) { pos(n); n--; } b(); }`, `F b`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `G(a -> X(!a U b))`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `G(b -> X(!b U a))`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `!b U a`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `G F (a & "n == 0")`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `G(enabled(a) -> "n == 0")`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `G(enabled(b) -> "n == 0")`, "", `p`, "", report.Violated},
	{`void p(void) { int n = 0; while (1) { which(n); n = 1 - n; } }`, `G !(enabled(a) & enabled(b))`, "", `p`, "", report.Holds},
	{`void p(void) { unsigned char n = 0; while (1) { which(n); n++; } }`, `G F a`, "", `p`, "", report.Holds},
	{`void p(void) { unsigned char n = 0; while (1) { which(n); n++; } }`, `F G b`, "", `p`, "", report.Unknown},
	{`void p(void) { unsigned char n = 0; while (1) { which(n); n++; } }`, `G(a -> "n == 0")`, "", `p`, "", report.Holds},
	{`void p(void) { unsigned char n = 0; while (1) { which(n); n += 2; } }`, `G F a`, "", `p`, "", report.Holds},
	{`void p(void) { int x = choose(); if (x) a(); else b(); }`, `F enabled(a)`, "", `p`, "", report.Violated},
	{`void p(void) { int x = choose(); if (x) a(); else b(); }`, `G(enabled(a) -> "x == 1")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = choose(); if (x) a(); else b(); }`, `F (enabled(a) | enabled(b))`, "", `p`, "", report.Holds},
	{`void p(void) { a(); }
void q(void) { c(); }`, `G !enabled(a)`, "", `p, q`, `cproc q { alphabet {a}; }`, report.Holds},
	{`void p(void) { a(); }
void q(void) { c(); }`, "", "", `p, q`, `cproc q { alphabet {a}; }`, report.Violated},
	{`void p(void) { while (1) sel(); }`, `G F a`, `fair=action`, `p`, "", report.Violated},
	{`void p(void) { while (1) sel(); }`, `G F a`, `fair=strong-action`, `p`, "", report.Holds},
	{`void p(void) { while (1) sel(); }`, `G F a`, `fair=process`, `p`, "", report.Violated},
	{`void p(void) { sel(); }`, `F(enabled(a) & enabled(b))`, "", `p`, "", report.Holds},
	{`void p(void) { while (1) if (choose()) a(); else b(); }`, `G F a`, `fair=strong-action`, `p`, "", report.Violated},
	{`void p(void) { while (1) if (choose()) a(); else b(); }`, `G F (a | b)`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G(a -> "x == 1")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G(b -> "x == 2")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G(a -> X "x == 1")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G(a -> X "x == 2")`, "", `p`, "", report.Violated},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G("x == 2" -> F b)`, "", `p`, "", report.Violated},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `F G "x == 3"`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G("x == 1" -> F a)`, "", `p`, "", report.Violated},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `G("x == 3" -> G !b)`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 1; a(); x = 2; b(); x = 3; }`, `"x == 2" R !b`, "", `p`, "", report.Unknown},
	{`void p(void) { int x = 0; x = get5(); b(); }`, `G(a -> X "x == 0")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 0; x = get5(); b(); }`, `G(b -> "x == 5")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 0; x = get5(); b(); }`, `G(a -> F "x == 5")`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 0; x = get5(); b(); }`, `G(a -> "x == 5")`, "", `p`, "", report.Violated},
	{`void p(void) { int x = 0; a(); x = 1; a(); }
void q(void) { a(); b(); a(); }`, `G(b -> "p::x == 0")`, "", `p, q`, "", report.Violated},
	{`void p(void) { int x = 0; a(); x = 1; a(); }
void q(void) { a(); b(); a(); }`, `F b`, "", `p, q`, "", report.Holds},
	{`void p(void) { int x = 0; a(); x = 1; a(); }
void q(void) { a(); b(); a(); }`, `G(a -> X G(a -> "p::x == 1"))`, "", `p, q`, "", report.Holds},
	{`void p(void) { int x = 0; while (1) { x = 1; x = 0; a(); } }`, `G "x == 0"`, "", `p`, "", report.Violated},
	{`void p(void) { int x = 0; while (1) { x = 1; x = 0; a(); } }`, `G F "x == 1"`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 0; while (1) { x = 1; x = 0; a(); } }`, `G(a -> "x == 0")`, "", `p`, "", report.Holds},
	{`void p(void) { L: a(); M: b(); }`, `G(b -> "at(L)")`, "", `p`, "", report.Violated},
	{`void p(void) { L: a(); M: b(); }`, `G("at(M)" -> F b)`, "", `p`, "", report.Holds},
	{`void p(void) { a(); b(); }`, `X b`, "", `p`, "", report.Unknown},
	{`void p(void) { while (1) { a(); b(); } }`, `G(a -> X(!a W b))`, "", `p`, "", report.Holds},
	{`void p(void) { while (1) { a(); a(); b(); } }`, `G(a -> X(!a W b))`, "", `p`, "", report.Violated},
	{`void p(void) { twice(); }`, `G(a -> X(!a U b))`, "", `p`, "", report.Holds},
	{`void p(void) { twice(); }`, `G(a -> F b)`, "", `p`, "", report.Holds},
	{`void p(void) { a(); }`, `X X a`, "", `p`, "", report.Unknown},
	{`void p(void) { int n = any(); for (int i = 0; i < n; i++) a(); }`, `F return`, "", `p`, "", report.Holds},
	{`void p(void) { int n = any(); for (int i = 0; i <= n; i++) a(); }`, `F return`, "", `p`, "", report.Violated},
	{`void p(void) { unsigned n = any(); for (unsigned i = n; i >= 0; i--) ; a(); }`, `F a`, "", `p`, "", report.Violated},
	{`void p(void) { unsigned char k = 0; while (++k) ; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { int i = 1; while (i > 0) i++; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { int i = any(); while (i != 10) i++; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { int i = any(); while (i != 10) i += 2; a(); }`, `F a`, "", `p`, "", report.Violated},
	{`void p(void) { int i = any(); while (i > 0) i -= 3; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { int i = any(); while (i != 0) i /= 2; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { int i = any(), j = any(); while (i > 0 && j > 0) if (choose()) i--; else { j--; }  a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { short s = any(); while (s < 32767) s++; a(); }`, `F a`, "", `p`, "", report.Holds},
	{`void p(void) { short s = any(); while (s <= 32767) s++; a(); }`, `F a`, "", `p`, "", report.Violated},
	{`void p(void) { signed char s = 0; while (s < 127) { s++; a(); } b(); }`, `F b`, "", `p`, "", report.Holds},
	{`int p(void) { if (choose()) { a(); return 1; } return -1; }`, `F return`, "", `p`, "", report.Holds},
	{`int p(void) { if (choose()) { a(); return 1; } return -1; }`, `F "return {$0 == 1}"`, "", `p`, "", report.Violated},
	{`int p(void) { if (choose()) { a(); return 1; } return -1; }`, `G(a -> F "return {$0 == 1}")`, "", `p`, "", report.Holds},
	{`int p(void) { if (choose()) { a(); return 1; } return -1; }`, `G("return {$0 == -1}" -> false)`, "", `p`, "", report.Violated},
	{`int p(void) { if (choose()) { a(); return 1; } return -1; }`, `(F a) | F "return {$0 == -1}"`, "", `p`, "", report.Holds},
	{`int p(void) { if (choose()) { a(); return 1; } return -1; }`, `G !"return {$0 == 2}"`, "", `p`, "", report.Holds},
	{`void p(void) { int *q = 0; *q = 1; a(); }`, `G !a`, "", `p`, "", report.Holds},
	{`void p(void) { int x = 0; int *q = choose() ? &x : 0; *q = 1; a(); }`, `G(a -> "x == 1")`, "", `p`, "", report.Holds},
	{`void p(void) { int v[3]; int i; for (i = 0; i < 3; i++) v[i] = i; a(); }`, `G(a -> "v[2] == 2")`, "", `p`, "", report.Holds},
	{`struct s { int w[3]; };
void p(void) { struct s x; int i; for (i = 0; i < 3; i++) x.w[i] = i; a(); }`, `G(a -> "x.w[2] == 1")`, "", `p`, "", report.Violated},
	{`void p(void) { void *q[2]; q[0] = &q[1]; q[1] = 0; a(); }`, `G(a -> "*q == 0")`, "", `p`, "", report.Violated},
	{`void p(void) { void *q[2]; q[0] = &q[1]; q[1] = 0; a(); }`, `G(a -> "q[0] == &q[1] && q[1] == 0")`, "", `p`, "", report.Holds},
	{`static int g = 3;
void p(void) { if (g == 3) a(); else b(); }`, `F a`, "", `p`, "", report.Holds},
	{`int g;
void p(void) { g = 0; while (g < 5) g++; a(); }`, `F(a & "g == 5")`, "", `p`, "", report.Holds},
	{`void p(void) { switch (choose()) { case 0: a(); break; case 1: b(); break; default: c(); } }`, `G !c`, "", `p`, "", report.Holds},
	{`void p(void) { int x = any(); switch (x) { case 0: a(); case 1: b(); break; default: c(); } }`, `G(a -> F b)`, "", `p`, "", report.Holds},
	{`void p(void) { int x = any(); switch (x) { case 0: a(); case 1: b(); break; default: c(); } }`, `(F b) | F c`, "", `p`, "", report.Holds},
	{`void p(void) { goto M; L: a(); return; M: b(); goto L; }`, `(!a U b) & F a`, "", `p`, "", report.Holds},
	{`void p(void) { do { a(); } while (choose()); b(); }`, `F b`, "", `p`, "", report.Violated},
	{`void p(void) { do { a(); } while (choose()); b(); }`, `!b U a`, "", `p`, "", report.Holds},
	{`void p(void) { int n = 0; do { a(); n++; } while (choose() && n < 3); b(); }`, `F b`, "", `p`, "", report.Holds},
}

const smallCRoutines = `void a(void); void b(void); void c(void); int choose(void); int any(void); int get5(void); int sel(void); void twice(void); int try(void);
void pos(int n); void which(int n); void __VERIFIER_assume(int); void exit(int); void abort(void);
`

const smallCSpec = `ACT_A = (a -> return {} -> STOP).
ACT_B = (b -> return {} -> STOP).
ACT_C = (c -> return {} -> STOP).
CHOOSE = (return {$0 == 0} -> STOP | return {$0 == 1} -> STOP).
ANYINT = (return {-2147483647-1 <= $0 && $0 <= 2147483647} -> STOP).
GET5 = (a -> return {$0 == 5} -> STOP).
SEL = (a -> return {$0 == 0} -> STOP | b -> return {$0 == 1} -> STOP).
NOTHING = (return {} -> STOP).
SPIN = (epsilon -> SPIN).
TWICE = (a -> b -> return {} -> STOP).
TRY = (a -> return {$0 == 1} -> STOP | return {$0 == 0} -> STOP).
cproc a { abstract {a_abs, 1, ACT_A}; }
cproc b { abstract {b_abs, 1, ACT_B}; }
cproc c { abstract {c_abs, 1, ACT_C}; }
cproc choose { abstract {choose_abs, 1, CHOOSE}; }
cproc any { abstract {any_abs, 1, ANYINT}; }
cproc get5 { abstract {get5_abs, 1, GET5}; }
cproc sel { abstract {sel_abs, 1, SEL}; }
cproc twice { abstract {twice_abs, 1, TWICE}; }
cproc try { abstract {try_abs, 1, TRY}; }
cproc pos { abstract {pos_abs, ($1 > 0), ACT_A}; abstract {neg_abs, ($1 <= 0), NOTHING}; }
cproc which { abstract {wa_abs, ($1 == 0), ACT_A}; abstract {wb_abs, ($1 != 0), ACT_B}; }
`

// TestSmallC decides small programs from sources to verdict: assumptions that fail, silent
// divergence, ends and deadlock, fairness, choices offered to others, guards of routines that
// count, propositions while others communicate, X, loops over machine words.
func TestSmallC(t *testing.T) {
	pool := programs.Common
	for i, c := range smallC {
		if soak.Skip(i) {
			continue
		}
		spec, err := specification.Parse(source.NewFile("t.spec", smallCSpec+c.more+"\ncprog prog = "+c.components+" { }\n"))
		if err != nil {
			t.Fatal(err)
		}
		q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{source.NewFile("t.c", smallCRoutines+c.text)}, Spec: spec, Program: "prog", C: cfront.Options{Model: ir.LP64}}}
		var r *report.Report
		var asked []programs.FormulaC
		if c.formula == "" {
			r, _, err = programs.DeadlockC(context.Background(), q, pool, check.Options{}, cegar.Options{})
		} else {
			opts := check.Verification{Finite: product.StutterRuns}
			switch name, value, _ := strings.Cut(c.options, "="); name {
			case "finite":
				err = opts.Finite.UnmarshalText([]byte(value))
			case "fair":
				err = opts.Fair.UnmarshalText([]byte(value))
			}
			if err != nil {
				t.Fatal(err)
			}
			text := source.NewFile("formula", c.formula)
			asked = []programs.FormulaC{{At: text.Span(0, len(c.formula))}}
			r, _, err = programs.VerifyC(context.Background(), q, asked, pool, opts, cegar.Options{})
		}
		if err != nil {
			t.Errorf("%s: %s: %v", c.text, c.formula, err)
			continue
		}
		specifiedAgain(t, c.text+" "+c.formula, pool, q.Task, asked, &r.Results[0])
		if c.options == "" {
			neverViolated(t, c.text+" "+c.formula, pool, q.Task, asked, &r.Results[0])
		}
		if result := r.Results[0]; result.Verdict != c.want {
			t.Errorf("%s: %s %s: %s (%s), wanted %s", c.text, c.formula, c.options, result.Verdict, result.Reason, c.want)
		}
	}
}
