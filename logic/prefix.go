package logic

import "github.com/seltl/seltl/internal/source"

// ParsePrefix reads the longest term that starts at a byte offset, in the C or
// Prolog syntax, and returns the offset behind it, for use inside the parsers
// of larger languages. In the Prolog syntax it reads one constraint and stops at
// a comma. The list has at least one error if t is nil, and none otherwise.
func ParsePrefix(f *source.File, offset int, s Syntax, scope Scope) (t *Term, end int, errs source.List) {
	r, end, errs := parsePrefix(f, offset, s, scope, s == C)
	return r.t, end, errs
}

// ParseLiteral is ParsePrefix of one comparison, or of what binds as tightly: it stops at
// the connectives && || -> <-> ?: of the C syntax, which it reads in parentheses only.
func ParseLiteral(f *source.File, offset int, s Syntax, scope Scope) (t *Term, end int, errs source.List) {
	r, end, errs := parsePrefix(f, offset, s, scope, false)
	return r.t, end, errs
}

// ParsePrefixReal is ParsePrefix where a Real is wanted: an Int becomes one, with exact
// quotients. Terms of other sorts stay as they are.
func ParsePrefixReal(f *source.File, offset int, s Syntax, scope Scope) (t *Term, end int, errs source.List) {
	r, end, errs := parsePrefix(f, offset, s, scope, s == C)
	if t = r.t; errs == nil && t.sort == Int {
		t = ToReal(r.real())
	}
	return t, end, errs
}
