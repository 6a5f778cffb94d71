package syntax

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Definitions of properties, and of what is about them: progress, fair, fluent, assert,
// ltl; and animation, which is skipped.

func (p *parser) progress() Definition {
	p.Advance()
	d := &ProgressDef{DefHead: DefHead{Name: p.upper("the name of a progress property")}}
	d.Ranges = p.optionalRanges()
	p.Expect("=", "")
	if p.Accept("if") {
		d.Condition = p.label()
		p.Expect("then", "")
	}
	if p.Is("(") {
		p.Unexpected("a set of actions", "write it in braces: progress NAME = {a, b}")
	}
	d.Set = p.label()
	return d
}

// fair reads fair strong SET or fair weak SET, with a forall before the set for
// one requirement each. None of the three words is a keyword: LTSA's models may
// have actions of these names.
func (p *parser) fair() Definition {
	d := &FairDef{DefHead: DefHead{Name: Name{Span: p.Advance().Span}}}
	switch t := p.Tok(); {
	case t.Kind == Lower && t.Text == "strong":
		d.Strong = true
	case t.Kind == Lower && t.Text == "weak":
	default:
		help := "write fair strong {a, b}, or fair weak {a, b}"
		if t.Kind == Lower {
			if near := source.DidYouMean(t.Text, []string{"strong", "weak"}); near != "" {
				help = near
			}
		}
		p.Unexpected(`"strong" or "weak"`, help)
	}
	p.Advance()
	if p.Accept("forall") {
		d.Ranges = p.ranges()
	}
	d.Set = p.label()
	return d
}

// animation skips an animation definition: it says how LTSA draws a model.
func (p *parser) animation() Definition {
	start := p.Advance().Span
	d := &AnimationDef{DefHead{Name: p.upper("the name of an animation")}}
	depth := 0
	for p.Tok().Kind != EOF {
		t := p.Tok()
		composeBlock := t.Kind == Keyword && t.Text == "compose" && p.Peek(1).Is("{")
		if depth == 0 && !composeBlock && p.definitionStarts() {
			break
		}
		switch {
		case t.Is("{"):
			depth++
		case t.Is("}"):
			depth--
		}
		p.Advance()
	}
	if !p.Quiet && !p.Stopped {
		p.Errs.Warnf(p.file.Place(start.To(d.Name.Span)), "animation-skipped", "animation %s is ignored: seltl draws no animations", d.Name.Text)
	}
	return d
}

func (p *parser) fluent() Definition {
	p.Advance()
	d := &FluentDef{DefHead: DefHead{Name: p.upper("the name of a fluent")}}
	d.Ranges = p.optionalRanges()
	p.Expect("=", "")
	p.Expect("<", "a fluent is written <{begin}, {end}>")
	d.Begin = p.label()
	p.Expect(",", "a fluent is written <{begin}, {end}>")
	d.End = p.label()
	p.Expect(">", "a fluent is written <{begin}, {end}>")
	if p.Accept("initially") {
		d.Initially = p.simpleExpr()
	}
	return d
}

func (p *parser) assert() Definition {
	d := &AssertDef{Constraint: p.Advance().Text == "constraint"}
	d.Name = p.upper("the name of an assertion")
	d.Params = p.params("an assertion")
	p.Expect("=", "")
	d.Formula = p.assertUnary()
	if t := p.Tok(); t.Kind == Symbol {
		switch t.Text {
		case "&&", "||", "->", "<->":
			if t.Text != "||" || !p.definitionStarts() {
				p.Unexpected("the end of the assertion", "an assertion with a binary operator stands in parentheses: (a -> b)")
			}
		}
	}
	if t := p.Tok(); t.Kind == Upper && t.Newlines == 0 && strings.Contains("U W R M V", t.Text) && !p.definitionStarts() {
		help := "an assertion with a binary operator stands in parentheses: (a U b)"
		if t.Text != "U" && t.Text != "W" {
			help = "assertions use ! && || -> <-> [] <> X U W; write ltl NAME = ... for SE-LTL"
		}
		p.Unexpected("the end of the assertion", help)
	}
	if t := p.Tok(); t.Is("&") || t.Is("|") {
		p.Unexpected("the end of the assertion", fmt.Sprintf("in assertions write %s%s, and parentheses around a binary operator: (a %s%s b)", t.Text, t.Text, t.Text, t.Text))
	}
	if p.Accept("+") {
		d.Extension = p.labelSet()
	}
	return d
}

// ltl finds the extent of an SE-LTL formula: it runs to the next definition.
func (p *parser) ltl() Definition {
	p.Advance()
	d := &LTLDef{DefHead: DefHead{Name: p.upper("the name of a property")}}
	p.Expect("=", "a property is written ltl NAME = formula")
	first := p.Tok()
	last := first
	for n := 0; p.Tok().Kind != EOF && (n == 0 || !p.definitionStarts()); n++ {
		if n == 0 && p.Tok().Kind == Keyword && definitionKeywords[p.Tok().Text] {
			break
		}
		last = p.Advance()
	}
	if p.At > 0 && last.Is(".") && last != first {
		last = &p.Tokens[p.At-2] // a full stop behind the formula
	}
	if first == p.Tok() {
		p.Unexpected("a formula", "")
	}
	d.Formula = first.To(last.Span)
	return d
}
