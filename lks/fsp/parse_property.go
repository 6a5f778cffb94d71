package fsp

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// Definitions of properties, and of what is about them: progress, fair, fluent, assert,
// ltl; and animation, which is skipped.

func (p *parser) progress() definition {
	p.advance()
	d := &progressDef{defHead: defHead{name: p.upper("the name of a progress property")}}
	d.ranges = p.optionalRanges()
	p.expect("=", "")
	if p.accept("if") {
		d.condition = p.label()
		p.expect("then", "")
	}
	if p.is("(") {
		p.unexpected("a set of actions", "write it in braces: progress NAME = {a, b}")
	}
	d.set = p.label()
	return d
}

// fair reads fair strong SET or fair weak SET, with a forall before the set for
// one requirement each. None of the three words is a keyword: LTSA's models may
// have actions of these names.
func (p *parser) fair() definition {
	d := &fairDef{defHead: defHead{name: name{pos: p.advance().pos()}}}
	switch t := p.tok(); {
	case t.kind == tLower && t.text == "strong":
		d.strong = true
	case t.kind == tLower && t.text == "weak":
	default:
		help := "write fair strong {a, b}, or fair weak {a, b}"
		if t.kind == tLower {
			if near := source.DidYouMean(t.text, []string{"strong", "weak"}); near != "" {
				help = near
			}
		}
		p.unexpected(`"strong" or "weak"`, help)
	}
	p.advance()
	if p.accept("forall") {
		d.ranges = p.ranges()
	}
	d.set = p.label()
	return d
}

// animation skips an animation definition: it says how LTSA draws a model.
func (p *parser) animation() definition {
	start := p.advance().pos()
	d := &animationDef{defHead{name: p.upper("the name of an animation")}}
	depth := 0
	for p.tok().kind != tEOF {
		t := p.tok()
		composeBlock := t.kind == tKeyword && t.text == "compose" && p.peek(1).symbol("{")
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
	p.errs.Warnf(p.file.span(start.to(d.name.pos)), "animation-skipped", "animation %s is ignored: seltl draws no animations", d.name.text)
	return d
}

func (p *parser) fluent() definition {
	p.advance()
	d := &fluentDef{defHead: defHead{name: p.upper("the name of a fluent")}}
	d.ranges = p.optionalRanges()
	p.expect("=", "")
	p.expect("<", "a fluent is written <{begin}, {end}>")
	d.begin = p.label()
	p.expect(",", "a fluent is written <{begin}, {end}>")
	d.end = p.label()
	p.expect(">", "a fluent is written <{begin}, {end}>")
	if p.accept("initially") {
		d.initially = p.simpleExpr()
	}
	return d
}

func (p *parser) assert() definition {
	d := &assertDef{constraint: p.advance().text == "constraint"}
	d.name = p.upper("the name of an assertion")
	d.params = p.params("an assertion")
	p.expect("=", "")
	d.formula = p.assertUnary()
	if t := p.tok(); t.kind == tSymbol {
		switch t.text {
		case "&&", "||", "->", "<->":
			if t.text != "||" || !p.definitionStarts() {
				p.unexpected("the end of the assertion", "an assertion with a binary operator stands in parentheses: (a -> b)")
			}
		}
	}
	if t := p.tok(); t.kind == tUpper && t.newlines == 0 && strings.Contains("U W R M V", t.text) && !p.definitionStarts() {
		help := "an assertion with a binary operator stands in parentheses: (a U b)"
		if t.text != "U" && t.text != "W" {
			help = "assertions use ! && || -> <-> [] <> X U W; write ltl NAME = ... for SE-LTL"
		}
		p.unexpected("the end of the assertion", help)
	}
	if t := p.tok(); t.symbol("&") || t.symbol("|") {
		p.unexpected("the end of the assertion", fmt.Sprintf("in assertions write %s%s, and parentheses around a binary operator: (a %s%s b)", t.text, t.text, t.text, t.text))
	}
	if p.accept("+") {
		d.extension = p.labelSet()
	}
	return d
}

// ltl finds the extent of an SE-LTL formula: it runs to the next definition.
func (p *parser) ltl() definition {
	p.advance()
	d := &ltlDef{defHead: defHead{name: p.upper("the name of a property")}}
	p.expect("=", "a property is written ltl NAME = formula")
	first := p.tok()
	last := first
	for n := 0; p.tok().kind != tEOF && (n == 0 || !p.definitionStarts()); n++ {
		if n == 0 && p.tok().kind == tKeyword && definitionKeywords[p.tok().text] {
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
	d.formula = pos{first.start, last.end}
	return d
}
