package specification

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Statements of blocks, and what they look like.
var (
	procStatements = map[string]string{
		"abstract":  "an abstraction of a procedure is written abstract {NAME, (GUARD), LKS};",
		"predicate": "predicates are written predicate (x < 10), (y > 0);",
		"inline":    "routines that are inlined are written inline f, g;",
		"alphabet":  "actions of a procedure are written alphabet {a, b};",
	}
	progStatements = map[string]string{
		"abstract": "an abstraction of a program is written abstract NAME, {(GUARD), ...}, LKS;",
		"rename":   "actions are renamed by rename {old/new};",
		"hide":     "actions are hidden by hide {a, b};",
		"assume":   "what arguments components begin with is written assume {(GUARD), ...};",
		"ltl":      "a property is written ltl NAME = G (a -> F b);",
	}
)

// cproc reads cproc NAME {...} or cproc SCOPE::NAME {...}.
func (p *parser) cproc() Definition {
	const help = "a block about a procedure is written cproc NAME { ... }"
	p.Advance()
	d := &ProcDef{}
	d.Name = p.name("the name of a procedure", help)
	if p.Accept("::") {
		d.Scope = d.Name
		d.Name = p.name("the name of a procedure", "a block about f where p calls it is written cproc p::f { ... }")
	}
	if p.Is("[") {
		p.Unexpected(`"{"`, "a block is about all copies of a procedure: cproc phil { ... }")
	}
	if p.Is("=") {
		p.Unexpected(`"{"`, "a program is written cprog NAME = p, q { ... }")
	}
	d.Statements, d.Bad = p.block("cproc", help)
	return d
}

// cprog reads cprog NAME = p, q[i:0..2] {...}.
func (p *parser) cprog() Definition {
	const help = "a program is written cprog NAME = p, q { ... }"
	p.Advance()
	d := &ProgDef{}
	d.Name = p.name("the name of a program", help)
	p.Expect("=", help)
	for {
		d.Components = append(d.Components, p.component())
		if p.Is("||") || p.Is(";") || p.Tok().Kind == Word {
			p.Unexpected(`"{"`, "components are separated by commas: cprog NAME = p, q { ... }")
		}
		if !p.Accept(",") {
			break
		}
	}
	d.Statements, d.Bad = p.block("cprog", help)
	return d
}

func (p *parser) component() *ComponentRef {
	start := p.Tok().Span
	c := &ComponentRef{Procedure: p.name("the name of a procedure", "")}
	if p.Is("[") {
		at := p.Tok().Span
		if c.Index = p.index(); !p.Stopped && (c.Index.Hi == nil || c.Index.Variable.Text == "") {
			p.Fail(p.Since(at), "syntax", "copies are written phil[i:0..3]", "copies of a procedure need a variable and a range")
		}
	}
	c.Span = p.Since(start)
	return c
}

// block reads the statements of a block. Behind a mistake in one it goes on with the next;
// bad reports whether there was any.
func (p *parser) block(kind, help string) (statements []Statement, bad bool) {
	open := p.Tok().Span
	p.Expect("{", help)
	for !p.Stopped && !p.Is("}") && p.Tok().Kind != EOF && !p.blockStarts() && !p.stateStarts() && len(p.Errs) < maxParseErrors {
		from := p.At
		s := p.statement(kind)
		if p.Stopped {
			p.Stopped, bad = false, true
			p.toNextStatement(from)
		}
		statements = append(statements, s)
	}
	p.closeBracket("}", open, fmt.Sprintf(`a %s block ends with "}"`, kind))
	return statements, bad
}

// stateStarts reports whether an equation begins here, which no statement does.
func (p *parser) stateStarts() bool { return upper(p.Tok()) && p.Peek(1).Is("=") }

// toNextStatement goes from the first token of a statement with a mistake behind its
// semicolon, or to the end of the block.
func (p *parser) toNextStatement(from int) {
	depth := 0
	for p.At = from; p.Tok().Kind != EOF; p.At++ {
		switch t := p.Tok(); {
		case t.Is(";"):
			p.At++
			return
		case t.Is("{"):
			depth++
		case t.Is("}"):
			if depth--; depth < 0 {
				return
			}
		case p.At > from && p.fresh() && (p.blockStarts() || p.stateStarts()):
			return
		}
	}
}

func (p *parser) statement(kind string) Statement {
	known, other, otherKind := procStatements, progStatements, "cprog"
	if kind == "cprog" {
		known, other, otherKind = progStatements, procStatements, "cproc"
	}
	t := p.Tok()
	start := t.Span
	if help := known[t.Text]; t.Kind != Word || help == "" {
		switch {
		case t.Is(";"):
			help = `one ";" stands behind a statement`
		case t.Kind != Word:
		case other[t.Text] != "":
			help = fmt.Sprintf("%s stands in a %s block", t.Text, otherKind)
		default:
			help = source.DidYouMean(t.Text, slices.Sorted(maps.Keys(known)))
		}
		p.Unexpected(fmt.Sprintf("a statement of a %s block", kind), help)
		return &BadStatement{p.Since(start)}
	}
	p.Advance()
	var s Statement
	var span *Span
	switch t.Text {
	case "abstract":
		a := p.abstract(kind, known[t.Text])
		s, span = a, &a.Span
	case "ltl":
		a := p.property(known[t.Text])
		s, span = a, &a.Span
	case "assume":
		a := &Assume{Guards: p.guardSet(known[t.Text])}
		s, span = a, &a.Span
	case "predicate":
		a := &Predicate{}
		a.Exprs = p.cexprs("a predicate")
		s, span = a, &a.Span
	case "inline":
		a := &Inline{}
		for {
			a.Routines = append(a.Routines, p.name("the name of a routine", known[t.Text]))
			if !p.Accept(",") {
				break
			}
		}
		s, span = a, &a.Span
	case "alphabet":
		a := &Alphabet{Set: p.set(known[t.Text])}
		s, span = a, &a.Span
	case "rename":
		a := p.rename(known[t.Text])
		s, span = a, &a.Span
	case "hide":
		a := &Hide{Component: p.optionalName()}
		a.Set = p.set(known[t.Text])
		s, span = a, &a.Span
	}
	p.endOfStatement(known[t.Text])
	*span = p.Since(start)
	return s
}

// statementStarts reports whether a statement begins on a line of its own here.
func (p *parser) statementStarts() bool {
	t := p.Tok()
	return t.Newlines > 0 && t.Kind == Word && (procStatements[t.Text] != "" || progStatements[t.Text] != "") && p.Peek(1).Kind != EOF
}

// endOfStatement expects the semicolon. If only that is missing, it says so where it
// belongs and goes on.
func (p *parser) endOfStatement(help string) {
	if p.Accept(";") || p.Stopped {
		return
	}
	if p.Is("}") || p.statementStarts() {
		p.Errs.Errorf(p.file.Place(p.Prev()), "missing-semicolon", `";" is missing behind this statement`).Help = help
		return
	}
	p.Unexpected(`";"`, help)
}

// cexprs reads C expressions separated by commas.
func (p *parser) cexprs(what string) (all []*CExpr) {
	for {
		all = append(all, p.cexpr(what, false))
		if !p.Accept(",") {
			return all
		}
	}
}

// abstract reads {NAME, guard, LKS} or NAME, {guard, ...}, LKS.
func (p *parser) abstract(kind, help string) *Abstract {
	a := &Abstract{}
	open := p.Tok().Span
	braces := kind == "cproc"
	if braces {
		p.Expect("{", help)
	} else if p.Is("{") {
		p.Unexpected("the name of the abstraction", help)
	}
	a.Name = p.name("the name of the abstraction", help)
	p.Expect(",", help)
	if braces {
		a.Guards = []*CExpr{p.cexpr("a guard", false)}
	} else {
		a.Guards = p.guardSet(help)
	}
	p.Expect(",", help)
	a.LKS = p.state("the name of an LKS")
	if braces {
		p.closeBracket("}", open, help)
	}
	return a
}

// closes reports that so many open brackets are closed by what stands between here and the next
// statement: a semicolon among them is one of a regular expression, {a; b[*]}.
func (p *parser) closes(depth int) bool {
	at := p.At
	defer func() { p.At = at }()
	for ; depth > 0 && p.Tok().Kind != EOF && !p.statementStarts() && !p.blockStarts(); p.Advance() {
		switch t := p.Tok(); {
		case t.Kind == Symbol && closers[t.Text] != "":
			depth++
		case t.Is(")"), t.Is("]"), t.Is("}"):
			depth--
		}
	}
	return depth == 0
}

// property reads NAME = FORMULA. The formula reaches to the semicolon that stands in no brackets and
// no quotes.
func (p *parser) property(help string) *Property {
	a := &Property{Name: p.name("the name of the property", help)}
	p.Expect("=", help)
	start, depth := p.Tok().Span, 0
read:
	for ; p.Tok().Kind != EOF && !p.blockStarts(); p.Advance() {
		switch t := p.Tok(); {
		case t.Is(";") && (depth == 0 || !p.closes(depth)):
			break read
		case depth == 0 && (t.Is("}") || p.statementStarts()):
			break read // the semicolon is missing
		case t.Kind == Symbol && closers[t.Text] != "":
			depth++
		case t.Is(")"), t.Is("]"), t.Is("}"):
			depth--
		}
	}
	if p.Tok().Start == start.Start {
		p.Unexpected("a formula", help)
	}
	a.Formula = Formula{Bad: p.Stopped, Span: p.Since(start)}
	place := p.file.Place(a.Formula.Span)
	a.Formula.Text = place.Text()
	if list, wrong := ltl.CheckSyntax(place, nil).(source.List); wrong && !p.Stopped {
		p.Errs, a.Formula.Bad = append(p.Errs, list...), true
	}
	return a
}

// guardSet reads {guard, ...}.
func (p *parser) guardSet(help string) []*CExpr {
	open := p.Tok().Span
	p.Expect("{", help)
	guards := p.cexprs("a guard")
	p.closeBracket("}", open, help)
	return guards
}

// optionalName reads the name of a procedure before a set.
func (p *parser) optionalName() Name {
	if p.Tok().Kind != Word {
		return Name{Span: p.Prev()}
	}
	return p.name("", "")
}

// rename reads PROCEDURE {old/new, ...}.
func (p *parser) rename(help string) *Rename {
	r := &Rename{Component: p.optionalName()}
	open := p.Tok().Span
	p.Expect("{", help)
	for !p.Is("}") && !p.Stopped {
		start := p.Tok().Span
		pair := &RenamePair{Old: p.label()}
		p.Expect("/", help)
		pair.New = p.label()
		pair.Span = p.Since(start)
		r.Pairs = append(r.Pairs, pair)
		if !p.Accept(",") {
			break
		}
	}
	p.closeBracket("}", open, "the pairs of a renaming are separated by commas: rename {old/new, old2/new2};")
	return r
}
