// Package prolog reads systems as ARMC's Prolog terms ([Rybalchenko02], 5.2.1):
//
//	r(p(From, X, ...), p(To, X1, ...), {Constraint, ...}, ID).   transition
//	s(Level, p(At, X, ...), {Constraint, ...}, ID, (Rule, Fact)). unsafe states
//	b(p(At, X, ...), {Constraint, ...}, ID).                      states that are not initial
//
// Variables are rational numbers. The initial states are those of no b-term; if
// there is none at all, those at the location init.
package prolog

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/internal/token"
)

// ParseText is Parse of a text; name is what messages call it.
func ParseText(name, text string) (*program.System, error) {
	return Parse(source.NewFile(name, text))
}

// Parse reads a system. The error is a source.List (program.Diagnostics).
func Parse(src *source.File) (*program.System, error) {
	if len(src.Text()) > source.MaxText {
		return nil, source.TooLarge(src.Name(), source.MaxText)
	}
	p := &prolog{Lexer: token.Lexer{File: src, Comment: "%"}, system: &program.System{Name: src.Name()}, arity: -1, locations: map[string]int{}}
	p.Next()
	for p.Tok != "" && len(p.Errs) < 50 {
		if !p.clause() {
			p.skipClause()
		}
	}
	p.finish()
	if p.Errs.HasErrors() {
		return nil, p.Errs.Err()
	}
	return p.system, nil
}

type prolog struct {
	token.Lexer
	system    *program.System
	arity     int // number of variables, -1 while unknown
	locations map[string]int
	notInit   []program.Region // b-terms
	blocked   bool             // a b-term was read
	lenient   bool             // in a b-term, whose variables are often all anonymous and miscounted ([Rybalchenko02], A.3)
}

// term is p(Location, Args...) as it is written.
type stateTerm struct {
	location int
	args     []argument
	span     source.Span
}

// argument is a variable or a number.
type argument struct {
	name   string // of a variable; "_" is made unique
	number *big.Rat
}

// skipClause goes on behind the next full stop that ends a line.
func (p *prolog) skipClause() {
	for p.Tok != "" {
		if p.Tok == "." {
			p.Next()
			return
		}
		p.Next()
	}
}

func (p *prolog) clause() bool {
	if p.Tok == ":-" {
		p.skipClause()
		return true
	}
	name, span, ok := p.Name("a term r(...), s(...) or b(...)")
	if !ok {
		p.Next()
		return false
	}
	if !slices.Contains([]string{"r", "s", "b"}, name) {
		p.Errs.Errorf(span, "unknown-term", "unknown term %q", name).Help = "the terms of a model are r(...), s(...) and b(...)"
		return false
	}
	if !p.Expect("(") {
		return false
	}
	switch name {
	case "r":
		ok = p.rule(span)
	case "s":
		ok = p.unsafe(span)
	default:
		ok = p.nonInit(span)
	}
	return ok && p.Expect(")") && p.Expect(".")
}

// rule reads the rest of r(Old, New, {Action}, ID).
func (p *prolog) rule(span source.Span) bool {
	old, ok := p.state()
	if !ok || !p.Expect(",") {
		return false
	}
	now, ok := p.state()
	if !ok || !p.Expect(",") {
		return false
	}
	c := p.newClause(old)
	for _, a := range now.args {
		c.value(a)
	}
	action, ok := p.constraints(c)
	if !ok || !p.Expect(",") {
		return false
	}
	id, ok := p.id()
	if !ok {
		return false
	}
	update := map[*logic.Term]*logic.Term{}
	for i, a := range now.args {
		if v := p.system.Vars[i]; c.value(a) != v {
			update[v] = c.value(a)
		}
	}
	inputs, guard, update := solveInputs(c.fresh, append(c.equalities, action...), update)
	command := &program.Command{Inputs: inputs, Guard: logic.And(guard...), Update: update}
	p.system.Edges = append(p.system.Edges, program.Edge{Name: id, From: old.location, To: now.location, Command: command, Span: p.File.Span(span.Start, p.Start)})
	return true
}

// solveInputs turns a relation into guard and updates: equalities that determine
// an input (a primed variable) are solved for it; inputs that do not matter are
// dropped.
func solveInputs(inputs, guard []*logic.Term, update map[*logic.Term]*logic.Term) (left, guards []*logic.Term, _ map[*logic.Term]*logic.Term) {
	for _, in := range inputs {
		value, rest := logic.SolveFor(guard, in)
		if value == nil {
			left = append(left, in)
			continue
		}
		by := map[*logic.Term]*logic.Term{in: value}
		guard = logic.SubstituteAll(rest, by)
		for v, e := range update {
			update[v] = logic.Substitute(e, by)
		}
	}
	used := append([]*logic.Term{}, guard...)
	for _, e := range update {
		used = append(used, e)
	}
	vars := logic.Vars(used...)
	left = slices.DeleteFunc(left, func(in *logic.Term) bool { return !slices.Contains(vars, in) })
	return left, guard, update
}

// unsafe reads the rest of s(Level, State, {Constraint}, ID, (Rule, Fact)).
func (p *prolog) unsafe(span source.Span) bool {
	if _, ok := p.id(); !ok || !p.Expect(",") {
		return false
	}
	region, ok := p.region(span)
	if !ok || !p.Expect(",") || !p.Expect("(") {
		return false
	}
	if _, ok = p.id(); !ok || !p.Expect(",") {
		return false
	}
	if _, ok = p.id(); !ok || !p.Expect(")") {
		return false
	}
	p.system.Error = append(p.system.Error, region)
	return true
}

// nonInit reads the rest of b(State, {Constraint}, ID).
func (p *prolog) nonInit(span source.Span) bool {
	p.lenient = p.arity >= 0
	region, ok := p.region(span)
	p.lenient = false
	if !ok {
		return false
	}
	p.blocked = true
	p.notInit = append(p.notInit, region)
	return true
}

// region reads State, {Constraint}, ID.
func (p *prolog) region(span source.Span) (program.Region, bool) {
	state, ok := p.state()
	if !ok || !p.Expect(",") {
		return program.Region{}, false
	}
	c := p.newClause(state)
	constraints, ok := p.constraints(c)
	if !ok || !p.Expect(",") {
		return program.Region{}, false
	}
	id, ok := p.id()
	if !ok {
		return program.Region{}, false
	}
	cube, exact := logic.Project(append(c.equalities, constraints...), c.fresh)
	if !exact {
		p.Errs.Errorf(span, "free-variable", "the constraint speaks of variables that are not in the state")
		return program.Region{}, false
	}
	return program.Region{Location: state.location, Where: logic.And(cube...), Name: id, Span: span}, true
}

func (p *prolog) id() (string, bool) {
	span := p.Span()
	if p.Tok == "" || !token.IsWord(p.Tok[0]) {
		p.Errs.Errorf(span, "syntax", "expected a number, found %s", p.Found())
		return "", false
	}
	id := p.Tok
	p.Next()
	return id, true
}

// state reads p(Location, Args...).
func (p *prolog) state() (stateTerm, bool) {
	start := p.Start
	if p.Tok != "p" {
		p.Errs.Errorf(p.Span(), "syntax", "expected a state p(Location, ...), found %s", p.Found())
		return stateTerm{}, false
	}
	p.Next()
	if !p.Expect("(") {
		return stateTerm{}, false
	}
	if p.Tok == "" || !token.IsWord(p.Tok[0]) && p.Tok[0] != '\'' || p.Tok[0] >= 'A' && p.Tok[0] <= 'Z' || p.Tok[0] == '_' {
		p.Errs.Errorf(p.Span(), "syntax", "expected a location, found %s", p.Found()).Help = "locations start with a lower-case letter or a digit"
		return stateTerm{}, false
	}
	t := stateTerm{location: p.location(strings.Trim(p.Tok, "'"))}
	p.Next()
	for p.Take(",") {
		a, ok := p.argument()
		if !ok {
			return t, false
		}
		t.args = append(t.args, a)
	}
	t.span = p.File.Span(start, p.At)
	if !p.Expect(")") {
		return t, false
	}
	return t, p.checkArity(t)
}

func (p *prolog) location(name string) int {
	i, ok := p.locations[name]
	if !ok {
		i = len(p.system.Locations)
		p.locations[name] = i
		p.system.Locations = append(p.system.Locations, program.Location{Name: name, Span: p.Span()})
	}
	return i
}

func (p *prolog) argument() (argument, bool) {
	sign := int64(1)
	span := p.Span()
	if p.Take("-") {
		sign = -1
	}
	switch c := p.Tok; {
	case c == "":
	case c[0] >= '0' && c[0] <= '9':
		text := c
		p.Next()
		if p.Tok == "." && p.At < len(p.File.Text()) && token.IsWord(p.File.Text()[p.At]) {
			p.Next()
			text += "." + p.Tok
			p.Next()
		}
		if n, ok := new(big.Rat).SetString(text); ok {
			return argument{number: n.Mul(n, big.NewRat(sign, 1))}, true
		}
	case sign == 1 && (c[0] == '_' || c[0] >= 'A' && c[0] <= 'Z'):
		p.Next()
		return argument{name: c}, true
	}
	p.Errs.Errorf(span, "syntax", "expected a variable or a number, found %s", p.Found()).Help = "variables start with an upper-case letter or an underscore"
	return argument{}, false
}

// checkArity makes the first state term declare the variables.
func (p *prolog) checkArity(t stateTerm) bool {
	if p.arity < 0 {
		p.arity = len(t.args)
		taken := map[string]bool{}
		for i, a := range t.args {
			name := a.name
			if name == "" || name == "_" || taken[name] {
				name = fmt.Sprintf("V%d", i+1)
			}
			taken[name] = true
			p.system.Vars = append(p.system.Vars, logic.Var(name, logic.Real))
		}
		return true
	}
	if p.arity != len(t.args) && p.lenient && !slices.ContainsFunc(t.args, func(a argument) bool { return a.name != "_" }) {
		p.system.Warnings.Warnf(t.span, "arity", "this state has %d variables, the first one %d; it is read as every state at the location", len(t.args), p.arity)
		return true
	}
	if p.arity != len(t.args) {
		p.Errs.Errorf(t.span, "arity", "this state has %d variables, the first one %d", len(t.args), p.arity)
		return false
	}
	return true
}

// prologClause is the scope of one term: its variables, by their names there, in
// terms of the system's.
type prologClause struct {
	scope      logic.Scope
	fresh      []*logic.Term // variables that are not in the (old) state
	equalities []*logic.Term // of old states like p(l, X, X, 3)
	anonymous  int
}

func (p *prolog) newClause(old stateTerm) *prologClause {
	c := &prologClause{scope: logic.Scope{}}
	for i, a := range old.args {
		if i == len(p.system.Vars) {
			break // a miscounted b-term, all anonymous
		}
		v := p.system.Vars[i]
		switch {
		case a.number != nil:
			c.equalities = append(c.equalities, logic.Eq(v, logic.Number(a.number, logic.Real)))
		case a.name == "_":
		case c.scope[a.name] != nil:
			c.equalities = append(c.equalities, logic.Eq(v, c.scope[a.name]))
		default:
			c.scope[a.name] = v
		}
	}
	return c
}

// value returns the term of an argument; a new name is a fresh variable.
func (c *prologClause) value(a argument) *logic.Term {
	if a.number != nil {
		return logic.Number(a.number, logic.Real)
	}
	name := a.name
	if name == "_" {
		c.anonymous++
		name = fmt.Sprintf("_%d", c.anonymous)
	}
	if t := c.scope[name]; t != nil {
		return t
	}
	// Names that cannot clash with the system's variables.
	v := logic.Var("in."+name, logic.Real)
	c.scope[name] = v
	c.fresh = append(c.fresh, v)
	return v
}

// constraints reads {C, C, ...}. Variables that occur only there are fresh too.
func (p *prolog) constraints(c *prologClause) ([]*logic.Term, bool) {
	if p.Tok != "{" {
		p.Errs.Errorf(p.Span(), "syntax", "expected constraints {...}, found %s", p.Found())
		return nil, false
	}
	p.declareLocal(c)
	var out []*logic.Term
	p.Next()
	if p.Take("}") {
		return out, true
	}
	for {
		t, end, errs := logic.ParsePrefix(p.File, p.Start, logic.Prolog, c.scope)
		if errs != nil {
			p.Errs = append(p.Errs, errs...)
			return nil, false
		}
		span := p.File.Span(p.Start, end)
		p.At = end
		p.Next()
		switch {
		case t.Sort() != logic.Bool:
			p.Errs.Errorf(span, "sort", "expected a constraint, found a number")
			return nil, false
		case !linearFormula(t):
			p.Errs.Errorf(span, "non-linear", "the constraint is not linear").Help = "ARMC's constraints are linear; products of variables are possible in .gcl"
			return nil, false
		}
		out = append(out, t)
		if p.Take("}") {
			return out, true
		}
		if !p.Expect(",") {
			return nil, false
		}
	}
}

// declareLocal looks for variables in the constraint text that starts at tok.
func (p *prolog) declareLocal(c *prologClause) {
	ahead := token.Lexer{File: p.File, Comment: "%", At: p.At}
	for ahead.Next(); ahead.Tok != "" && ahead.Tok != "}"; ahead.Next() {
		if ch := ahead.Tok[0]; ch >= 'A' && ch <= 'Z' || ch == '_' && len(ahead.Tok) > 1 {
			c.value(argument{name: ahead.Tok})
		}
	}
}

func linearFormula(f *logic.Term) bool {
	for _, a := range logic.Atoms(f) {
		_, sum, _, _, ok := logic.LinearAtom(a)
		if !ok {
			return false
		}
		for _, m := range sum.Terms {
			if m.Term.Op() != logic.OpVar {
				return false
			}
		}
	}
	return true
}

// finish makes the initial regions from the b-terms.
func (p *prolog) finish() {
	if len(p.Errs) > 0 {
		return
	}
	nowhere := p.File.Span(0, 0)
	switch {
	case len(p.system.Edges) == 0 && len(p.system.Error) == 0:
		p.Errs.Errorf(nowhere, "empty", "the text has no r(...) and no s(...) terms")
		return
	case len(p.system.Error) == 0:
		p.system.Warnings.Warnf(nowhere, "no-error", "no unsafe states are given: every system is safe then")
	}
	covered := make([]*logic.Term, len(p.system.Locations))
	for i := range covered {
		covered[i] = logic.False()
	}
	for _, r := range p.notInit {
		covered[r.Location] = logic.Or(covered[r.Location], r.Where)
	}
	for i, l := range p.system.Locations {
		where := logic.Not(covered[i])
		if !p.blocked && l.Name != "init" {
			continue
		}
		if !where.IsFalse() {
			p.system.Init = append(p.system.Init, program.Region{Location: i, Where: where, Name: l.Name})
		}
	}
	if len(p.system.Init) == 0 {
		p.Errs.Errorf(nowhere, "no-init", "there are no initial states").Help = "leave out the b(...) term of the initial location, which is called init"
	}
}
