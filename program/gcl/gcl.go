// Package gcl reads the .gcl language of guarded commands:
//
//	// the example program of [TUMLectures]
//	var x, y, z: int;                  // int, real, bool, or bv32 (a machine word)
//	var a: array[int] of bool;         // a[i], and a[i] := true
//	fun f(int, int): int;              // some function, always the same
//	locations l1, l2, l3, l4, l5;
//	init l1;                           // or: init l1 when FORMULA;
//	error l5;                          // or: error l3 when FORMULA;
//	rho1: l1 -> l2 when y >= z;
//	rho2: l2 -> l2 when x + 1 <= y do x := x + 1;
//	l3 -> l4 do x := *, y := n - 1;    // * is any value
//	assert l3: x >= z;                 // short for: error l3 when !(x >= z)
//	input n: int;                      // a value chosen anew by every command
//	const N = 10;
//	ltl ENDS = F deadlock;             // expect: holds
//
// Assignments of one command are done at once.
package gcl

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
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
	g := &gcl{Lexer: token.Lexer{File: src, Comment: "//"}, system: &program.System{Name: src.Name(), Constants: map[string]*logic.Term{}},
		scope: logic.Scope{}, guards: logic.Scope{}, declared: map[string]source.Span{}, places: map[string]int{}}
	g.Next()
	for g.Tok != "" && len(g.Errs) < 50 {
		if !g.statement() {
			g.skipStatement()
		}
	}
	if len(g.Errs) == 0 {
		if len(g.system.Init) == 0 {
			g.Errs.Errorf(src.Span(0, 0), "no-init", "there are no initial states").Help = "write for example: init l1;"
		}
		if len(g.system.Error) == 0 && len(g.system.Properties) == 0 {
			g.system.Warnings.Warnf(src.Span(0, 0), "no-error", "no error states are given: every system is safe then")
		}
	}
	if g.Errs.HasErrors() {
		return nil, g.Errs.Err()
	}
	g.warnEntered()
	return g.system, nil
}

type gcl struct {
	token.Lexer
	system   *program.System
	scope    logic.Scope // variables and constants
	guards   logic.Scope // and inputs
	inputs   []*logic.Term
	declared map[string]source.Span
	places   map[string]int // locations
}

func (g *gcl) skipStatement() {
	for g.Tok != "" && g.Tok != ";" {
		g.Next()
	}
	g.Take(";")
}

func (g *gcl) statement() bool {
	switch g.Tok {
	case "var", "input":
		return g.declaration(g.Tok == "input")
	case "fun":
		return g.function()
	case "const":
		return g.constant()
	case "locations", "location":
		return g.locations()
	case "init":
		return g.region(&g.system.Init)
	case "error":
		return g.region(&g.system.Error)
	case "assert":
		return g.assertion()
	}
	ahead := g.Lexer
	if ahead.Next(); sortOf(g.Tok) != nil && ahead.Tok != ":" && ahead.Tok != "->" {
		return g.otherDeclaration(sortOf(g.Tok))
	}
	if g.Tok == "ltl" && ahead.Tok != ":" && ahead.Tok != "->" {
		return g.property()
	}
	return g.edge()
}

func (g *gcl) declare(name string, span source.Span) bool {
	if first, ok := g.declared[name]; ok {
		d := g.Errs.Errorf(span, "duplicate", "%q is declared twice", name)
		d.Related = append(d.Related, source.Related{Span: first, Message: "first declared here"})
		return false
	}
	if reservedWord(name) {
		g.Errs.Errorf(span, "reserved", "%q has a meaning of its own and cannot be declared", name)
		return false
	}
	g.declared[name] = span
	return true
}

// declaration reads var a, b: int; and input n: int;.
func (g *gcl) declaration(input bool) bool {
	g.Next()
	var names []string
	var spans []source.Span
	for {
		name, span, ok := g.Name("a variable")
		if !ok {
			return false
		}
		names, spans = append(names, name), append(spans, span)
		if !g.Take(",") {
			break
		}
	}
	if !g.Expect(":") {
		return false
	}
	sort, ok := g.sort()
	if !ok {
		return false
	}
	for i, name := range names {
		if !g.declare(name, spans[i]) {
			continue
		}
		v := logic.Var(name, sort)
		g.guards[name] = v
		if input {
			g.inputs = append(g.inputs, v)
			continue
		}
		g.scope[name] = v
		g.system.Vars = append(g.system.Vars, v)
	}
	return g.Expect(";")
}

func (g *gcl) constant() bool {
	g.Next()
	name, span, ok := g.Name("a constant")
	if !ok || !g.Expect("=") {
		return false
	}
	exact, _, _ := logic.ParsePrefixReal(g.File, g.Start, logic.C, g.scope)
	t, at, ok := g.term(g.scope)
	if !ok {
		return false
	}
	if t.Sort() == logic.Int && exact != logic.ToReal(t) {
		g.system.Warnings.Warnf(at, "rounded", "the constant %s is the integer %s: / rounds among integers", name, t).Help =
			"write 1.0/2 for a fraction, or div(a, b) for an integer"
	}
	if len(logic.Vars(t)) > 0 {
		g.Errs.Errorf(at, "not-constant", "the value of a constant cannot depend on variables")
		return false
	}
	if g.declare(name, span) {
		g.scope[name], g.guards[name] = t, t
		g.system.Constants[name] = t
	}
	return g.Expect(";")
}

func (g *gcl) locations() bool {
	g.Next()
	for {
		name, span, ok := g.Name("a location")
		if !ok {
			return false
		}
		if _, ok := g.places[name]; ok {
			g.Errs.Errorf(span, "duplicate", "location %q is declared twice", name)
		} else {
			g.places[name] = len(g.system.Locations)
			g.system.Locations = append(g.system.Locations, program.Location{Name: name, Span: span})
		}
		if !g.Take(",") {
			return g.Expect(";")
		}
	}
}

func (g *gcl) location() (int, bool) {
	name, span, ok := g.Name("a location")
	if !ok {
		return 0, false
	}
	i, ok := g.places[name]
	if !ok {
		g.Errs.Errorf(span, "unknown-location", "unknown location %q", name).Help = g.helpLocation(name)
		return 0, false
	}
	return i, true
}

func (g *gcl) locationNames() []string {
	return lists.Map(g.system.Locations, func(l program.Location) string { return l.Name })
}

// term reads a term of package logic at the current token.
func (g *gcl) term(scope logic.Scope) (*logic.Term, source.Span, bool) {
	return g.termBy(logic.ParsePrefix, scope)
}

func (g *gcl) termBy(parse func(*source.File, int, logic.Syntax, logic.Scope) (*logic.Term, int, source.List), scope logic.Scope) (*logic.Term, source.Span, bool) {
	start := g.Start
	t, end, errs := parse(g.File, start, logic.C, scope)
	if errs != nil {
		for i := range errs {
			g.helpTerm(&errs[i], scope)
		}
		g.Errs = append(g.Errs, errs...)
		return nil, source.Span{}, false
	}
	g.At = end
	g.Next()
	return t, g.File.Span(start, end), true
}

func (g *gcl) formula(scope logic.Scope) (*logic.Term, bool) {
	t, span, ok := g.term(scope)
	if ok && t.Sort() != logic.Bool {
		g.Errs.Errorf(span, "sort", "expected a formula, found a term of sort %s", t.Sort())
		return nil, false
	}
	if ok {
		g.warnRounded(span, t, scope)
	}
	return t, ok
}

func (g *gcl) region(into *[]program.Region) bool {
	start := g.Start
	g.Next()
	at, ok := g.location()
	if !ok {
		return false
	}
	where := logic.True()
	if g.Take("when") {
		if where, ok = g.formula(g.scope); !ok {
			return false
		}
	}
	*into = append(*into, program.Region{Location: at, Where: where, Span: g.File.Span(start, g.Start)})
	return g.Expect(";")
}

func (g *gcl) assertion() bool {
	start := g.Start
	g.Next()
	at, ok := g.location()
	if !ok || !g.Expect(":") {
		return false
	}
	where, ok := g.formula(g.scope)
	if !ok {
		return false
	}
	g.system.Error = append(g.system.Error, program.Region{Location: at, Where: logic.Not(where), Name: "assert", Span: g.File.Span(start, g.Start)})
	return g.Expect(";")
}

// edge reads [NAME:] FROM -> TO [when FORMULA] [do x := e, ...];.
func (g *gcl) edge() bool {
	start := g.Start
	name := fmt.Sprintf("rule%d", len(g.system.Edges)+1)
	ahead := g.Lexer
	if ahead.Next(); ahead.Tok == ":" {
		word, _, ok := g.Name("a command")
		if !ok {
			return false
		}
		name = word
		g.Next()
	}
	from, ok := g.location()
	if !ok || !g.Expect("->") {
		return false
	}
	to, ok := g.location()
	if !ok {
		return false
	}
	command := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
	if g.Take("when") {
		if command.Guard, ok = g.formula(g.guards); !ok {
			return false
		}
	}
	if g.Take("do") && !g.assignments(command) {
		return false
	}
	used := []*logic.Term{command.Guard}
	for _, e := range command.Update {
		used = append(used, e)
	}
	vars := logic.Vars(used...)
	for _, in := range g.inputs {
		if slices.Contains(vars, in) {
			command.Inputs = append(command.Inputs, in)
		}
	}
	g.system.Edges = append(g.system.Edges, program.Edge{Name: name, From: from, To: to, Command: command, Span: g.File.Span(start, g.Start)})
	return g.Expect(";")
}

func varNames(vars []*logic.Term) []string {
	return lists.Map(vars, (*logic.Term).Name)
}
