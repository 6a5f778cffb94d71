package armc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
)

// parseGCL reads the .gcl language:
//
//	// the lectures' example program
//	var x, y, z: int;                  // int, real, bool, or bv32 (a machine word)
//	locations l1, l2, l3, l4, l5;
//	init l1;                           // or: init l1 when FORMULA;
//	error l5;                          // or: error l3 when FORMULA;
//	rho1: l1 -> l2 when y >= z;
//	rho2: l2 -> l2 when x + 1 <= y do x := x + 1;
//	l3 -> l4 do x := *, y := n - 1;    // * is any value
//	assert l3: x >= z;                 // short for: error l3 when !(x >= z)
//	input n: int;                      // a value chosen anew by every command
//	const N = 10;
//
// Assignments of one command are done at once.
func parseGCL(src *source.File) (*System, error) {
	g := &gcl{lexer: lexer{file: src, comment: "//"}, system: &System{Name: src.Name()},
		scope: logic.Scope{}, guards: logic.Scope{}, declared: map[string]source.Span{}}
	g.next()
	for g.tok != "" && len(g.errs) < 50 {
		if !g.statement() {
			g.skipStatement()
		}
	}
	if len(g.errs) == 0 {
		if len(g.system.Init) == 0 {
			g.errs.Errorf(src.Span(0, 0), "no-init", "there are no initial states").Help = "write for example: init l1;"
		}
		if len(g.system.Error) == 0 {
			g.system.Warnings.Warnf(src.Span(0, 0), "no-error", "no error states are given: every system is safe then")
		}
	}
	if g.errs.HasErrors() {
		return nil, g.errs.Err()
	}
	return g.system, nil
}

type gcl struct {
	lexer
	system   *System
	scope    logic.Scope // variables and constants
	guards   logic.Scope // and inputs
	inputs   []*logic.Term
	declared map[string]source.Span
}

func (g *gcl) skipStatement() {
	for g.tok != "" && g.tok != ";" {
		g.next()
	}
	g.take(";")
}

func (g *gcl) statement() bool {
	switch g.tok {
	case "var", "input":
		return g.declaration(g.tok == "input")
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
	return g.rule()
}

func (g *gcl) declare(name string, span source.Span) bool {
	if first, ok := g.declared[name]; ok {
		d := g.errs.Errorf(span, "duplicate", "%q is declared twice", name)
		d.Related = append(d.Related, source.Related{Span: first, Message: "first declared here"})
		return false
	}
	if logic.Reserved(name) || slices.Contains([]string{"var", "input", "const", "locations", "location", "init", "error", "assert", "when", "do"}, name) {
		g.errs.Errorf(span, "reserved", "%q has a meaning of its own and cannot be declared", name)
		return false
	}
	g.declared[name] = span
	return true
}

// gclSort returns the sort of a name, or nil: int, real, bool, or bv8 and the like.
func gclSort(name string) *logic.Sort {
	switch name {
	case "int":
		return logic.Int
	case "real":
		return logic.Real
	case "bool":
		return logic.Bool
	}
	digits, ok := strings.CutPrefix(name, "bv")
	width, err := strconv.Atoi(digits)
	if !ok || err != nil || width < 1 || width > maxGCLWidth || strconv.Itoa(width) != digits {
		return nil
	}
	return logic.BitVec(width)
}

// maxGCLWidth bounds bit-vectors: of machine words.
const maxGCLWidth = 64

// declaration reads var a, b: int; and input n: int;.
func (g *gcl) declaration(input bool) bool {
	g.next()
	var names []string
	var spans []source.Span
	for {
		name, span, ok := g.name("a variable")
		if !ok {
			return false
		}
		names, spans = append(names, name), append(spans, span)
		if !g.take(",") {
			break
		}
	}
	if !g.expect(":") {
		return false
	}
	sort := gclSort(g.tok)
	if sort == nil {
		g.errs.Errorf(g.span(), "sort", "unknown sort %s", g.found()).Help = "the sorts are int, real, bool, and bv1 to bv64 for machine words"
		return false
	}
	g.next()
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
	return g.expect(";")
}

func (g *gcl) constant() bool {
	g.next()
	name, span, ok := g.name("a constant")
	if !ok || !g.expect("=") {
		return false
	}
	exact, _, _ := logic.ParsePrefixReal(g.file, g.start, logic.C, g.scope)
	t, at, ok := g.term(g.scope)
	if !ok {
		return false
	}
	if t.Sort() == logic.Int && exact != logic.ToReal(t) {
		g.system.Warnings.Warnf(at, "rounded", "the constant %s is the integer %s: / rounds among integers", name, t).Help =
			"write 1.0/2 for a fraction, or div(a, b) for an integer"
	}
	if len(logic.Vars(t)) > 0 {
		g.errs.Errorf(at, "not-constant", "the value of a constant cannot depend on variables")
		return false
	}
	if g.declare(name, span) {
		g.scope[name], g.guards[name] = t, t
	}
	return g.expect(";")
}

func (g *gcl) locations() bool {
	g.next()
	for {
		name, span, ok := g.name("a location")
		if !ok {
			return false
		}
		if g.system.Location(name) >= 0 {
			g.errs.Errorf(span, "duplicate", "location %q is declared twice", name)
		} else {
			g.system.Locations = append(g.system.Locations, name)
		}
		if !g.take(",") {
			return g.expect(";")
		}
	}
}

func (g *gcl) location() (int, bool) {
	name, span, ok := g.name("a location")
	if !ok {
		return 0, false
	}
	i := g.system.Location(name)
	if i < 0 {
		g.errs.Errorf(span, "unknown-location", "unknown location %q", name).Help = source.DidYouMean(name, g.system.Locations)
		return 0, false
	}
	return i, true
}

// term reads a term of package logic at the current token.
func (g *gcl) term(scope logic.Scope) (*logic.Term, source.Span, bool) {
	return g.termBy(logic.ParsePrefix, scope)
}

func (g *gcl) termBy(parse func(*source.File, int, logic.Syntax, logic.Scope) (*logic.Term, int, source.List), scope logic.Scope) (*logic.Term, source.Span, bool) {
	start := g.start
	t, end, errs := parse(g.file, start, logic.C, scope)
	if errs != nil {
		g.errs = append(g.errs, errs...)
		return nil, source.Span{}, false
	}
	g.at = end
	g.next()
	return t, g.file.Span(start, end), true
}

func (g *gcl) formula(scope logic.Scope) (*logic.Term, bool) {
	t, span, ok := g.term(scope)
	if ok && t.Sort() != logic.Bool {
		g.errs.Errorf(span, "sort", "expected a formula, found a term of sort %s", t.Sort())
		return nil, false
	}
	return t, ok
}

func (g *gcl) region(into *[]Region) bool {
	start := g.start
	g.next()
	at, ok := g.location()
	if !ok {
		return false
	}
	where := logic.True()
	if g.take("when") {
		if where, ok = g.formula(g.scope); !ok {
			return false
		}
	}
	*into = append(*into, Region{Location: at, Where: where, Span: g.file.Span(start, g.start)})
	return g.expect(";")
}

func (g *gcl) assertion() bool {
	start := g.start
	g.next()
	at, ok := g.location()
	if !ok || !g.expect(":") {
		return false
	}
	where, ok := g.formula(g.scope)
	if !ok {
		return false
	}
	g.system.Error = append(g.system.Error, Region{Location: at, Where: logic.Not(where), Name: "assert", Span: g.file.Span(start, g.start)})
	return g.expect(";")
}

// rule reads [NAME:] FROM -> TO [when FORMULA] [do x := e, ...];.
func (g *gcl) rule() bool {
	start := g.start
	name := fmt.Sprintf("rule%d", len(g.system.Rules)+1)
	ahead := g.lexer
	if ahead.next(); ahead.tok == ":" {
		word, _, ok := g.name("a command")
		if !ok {
			return false
		}
		name = word
		g.next()
	}
	from, ok := g.location()
	if !ok || !g.expect("->") {
		return false
	}
	to, ok := g.location()
	if !ok {
		return false
	}
	command := &predabs.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
	if g.take("when") {
		if command.Guard, ok = g.formula(g.guards); !ok {
			return false
		}
	}
	if g.take("do") && !g.assignments(command) {
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
	g.system.Rules = append(g.system.Rules, Rule{Name: name, From: from, To: to, Command: command, Span: g.file.Span(start, g.start)})
	return g.expect(";")
}

func (g *gcl) assignments(c *predabs.Command) bool {
	for {
		name, span, ok := g.name("a variable")
		if !ok {
			return false
		}
		v := g.scope[name]
		if v == nil || v.Op() != logic.OpVar {
			g.errs.Errorf(span, "unknown-variable", "unknown variable %q", name).Help = source.DidYouMean(name, varNames(g.system.Vars))
			return false
		}
		if c.Update[v] != nil {
			g.errs.Errorf(span, "duplicate", "%q is assigned twice in one command", name)
			return false
		}
		if !g.expect(":=") {
			return false
		}
		parse := logic.ParsePrefix
		if v.Sort() == logic.Real {
			parse = logic.ParsePrefixReal
		}
		if g.take("*") {
			in := logic.Var("any."+name, v.Sort())
			c.Inputs = append(c.Inputs, in)
			c.Update[v] = in
		} else if e, at, ok := g.termBy(parse, g.guards); !ok {
			return false
		} else if e.Sort() == v.Sort() {
			c.Update[v] = e
		} else {
			g.errs.Errorf(at, "sort", "%s of sort %s is assigned a term of sort %s", name, v.Sort(), e.Sort())
			return false
		}
		if !g.take(",") {
			return true
		}
	}
}

func varNames(vars []*logic.Term) []string {
	out := make([]string, len(vars))
	for i, v := range vars {
		out[i] = v.Name()
	}
	return out
}
