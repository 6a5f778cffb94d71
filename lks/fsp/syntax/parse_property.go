package syntax

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Definitions of properties, and of what is about them: progress, fair, fluent, assert,
// ltl; and animation, which is skipped.

func (p *parser) progress() Definition {
	p.advance()
	d := &ProgressDef{DefHead: DefHead{Name: p.upper("the name of a progress property")}}
	d.Ranges = p.optionalRanges()
	p.expect("=", "")
	if p.accept("if") {
		d.Condition = p.label()
		p.expect("then", "")
	}
	if p.is("(") {
		p.unexpected("a set of actions", "write it in braces: progress NAME = {a, b}")
	}
	d.Set = p.label()
	return d
}

// fair reads fair strong SET or fair weak SET, with a forall before the set for
// one requirement each. None of the three words is a keyword: LTSA's models may
// have actions of these names.
func (p *parser) fair() Definition {
	d := &FairDef{DefHead: DefHead{Name: Name{Span: p.advance().Span}}}
	switch t := p.tok(); {
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
		p.unexpected(`"strong" or "weak"`, help)
	}
	p.advance()
	if p.accept("forall") {
		d.Ranges = p.ranges()
	}
	d.Set = p.label()
	return d
}

// animation skips an animation definition: it says how LTSA draws a model.
func (p *parser) animation() Definition {
	start := p.advance().Span
	d := &AnimationDef{DefHead{Name: p.upper("the name of an animation")}}
	depth := 0
	for p.tok().Kind != EOF {
		t := p.tok()
		composeBlock := t.Kind == Keyword && t.Text == "compose" && p.peek(1).symbol("{")
		if depth == 0 && !composeBlock && p.definitionStarts() {
			break
		}
		switch {
		case t.symbol("{"):
			depth++
		case t.symbol("}"):
			depth--
		}
		p.advance()
	}
	if !p.quiet && !p.stopped {
		p.errs.Warnf(p.file.Place(start.To(d.Name.Span)), "animation-skipped", "animation %s is ignored: seltl draws no animations", d.Name.Text)
	}
	return d
}

func (p *parser) fluent() Definition {
	p.advance()
	d := &FluentDef{DefHead: DefHead{Name: p.upper("the name of a fluent")}}
	d.Ranges = p.optionalRanges()
	p.expect("=", "")
	p.expect("<", "a fluent is written <{begin}, {end}>")
	d.Begin = p.label()
	p.expect(",", "a fluent is written <{begin}, {end}>")
	d.End = p.label()
	p.expect(">", "a fluent is written <{begin}, {end}>")
	if p.accept("initially") {
		d.Initially = p.simpleExpr()
	}
	return d
}

func (p *parser) assert() Definition {
	d := &AssertDef{Constraint: p.advance().Text == "constraint"}
	d.Name = p.upper("the name of an assertion")
	d.Params = p.params("an assertion")
	p.expect("=", "")
	d.Formula = p.assertUnary()
	if t := p.tok(); t.Kind == Symbol {
		switch t.Text {
		case "&&", "||", "->", "<->":
			if t.Text != "||" || !p.definitionStarts() {
				p.unexpected("the end of the assertion", "an assertion with a binary operator stands in parentheses: (a -> b)")
			}
		}
	}
	if t := p.tok(); t.Kind == Upper && t.Newlines == 0 && strings.Contains("U W R M V", t.Text) && !p.definitionStarts() {
		help := "an assertion with a binary operator stands in parentheses: (a U b)"
		if t.Text != "U" && t.Text != "W" {
			help = "assertions use ! && || -> <-> [] <> X U W; write ltl NAME = ... for SE-LTL"
		}
		p.unexpected("the end of the assertion", help)
	}
	if t := p.tok(); t.symbol("&") || t.symbol("|") {
		p.unexpected("the end of the assertion", fmt.Sprintf("in assertions write %s%s, and parentheses around a binary operator: (a %s%s b)", t.Text, t.Text, t.Text, t.Text))
	}
	if p.accept("+") {
		d.Extension = p.labelSet()
	}
	return d
}

// ltl finds the extent of an SE-LTL formula: it runs to the next definition.
func (p *parser) ltl() Definition {
	p.advance()
	d := &LTLDef{DefHead: DefHead{Name: p.upper("the name of a property")}}
	p.expect("=", "a property is written ltl NAME = formula")
	first := p.tok()
	last := first
	for n := 0; p.tok().Kind != EOF && (n == 0 || !p.definitionStarts()); n++ {
		if n == 0 && p.tok().Kind == Keyword && definitionKeywords[p.tok().Text] {
			break
		}
		last = p.advance()
	}
	if p.at > 0 && last.symbol(".") && last != first {
		last = &p.tokens[p.at-2] // a full stop behind the formula
	}
	if first == p.tok() {
		p.unexpected("a formula", "")
	}
	d.Formula = Span{first.Start, last.End}
	return d
}
