package magic

import (
	"fmt"
	"strings"
)

// lks reads NAME = body, LOCAL = body, ... +{extension}.
func (p *parser) lks() Definition {
	d := &LKSDef{}
	d.Name = Name{p.tok().Text, p.tok().Span}
	for {
		d.States = append(d.States, p.equation())
		if !p.accept(",") {
			break
		}
		if p.is(".") || p.tok().Kind == EOF {
			p.unexpected("a state", `nothing follows the last ",": a definition ends with "."`)
		}
	}
	if p.accept("+") {
		d.Extension = p.set("actions of the alphabet are added by +{a, b}")
	}
	p.endOfLKS()
	return d
}

func (p *parser) equation() *State {
	start := p.tok().Span
	s := &State{Name: p.state("a state")}
	help := "a state is defined by NAME = (a -> NAME)"
	if p.is(":=") {
		help = `"=" defines a state; := assigns in a transition {v := 1} -> S`
	}
	p.expect("=", help)
	s.Body = p.body()
	s.Span = p.since(start)
	return s
}

// endOfLKS expects the full stop, and says what is most often meant where something else
// stands.
func (p *parser) endOfLKS() {
	if p.accept(".") || p.stopped {
		return
	}
	help := `a definition ends with "."`
	switch t := p.tok(); {
	case t.symbol("|"):
		help = "alternatives stand in parentheses: (a -> S | b -> T)"
	case t.symbol("->"):
		help = "actions stand in parentheses: (a -> S)"
	case t.symbol(";"), t.symbol(".."):
		help = `a definition ends with one full stop and nothing else`
	case t.symbol("/"):
		help = "actions are renamed in a cprog block: rename {old/new};"
	case t.symbol("{"):
		help = "+{a, b} adds actions to the alphabet"
	case t.symbol(")"), t.symbol("}"), t.symbol("]"):
		help = fmt.Sprintf("this %q closes nothing: remove it, or open it before", t.Text)
	}
	if t := p.tok(); t.Kind != EOF && t.Newlines > 0 && p.definitionStarts() {
		// Only the full stop is missing: say so where it belongs and go on.
		d := p.errs.Errorf(p.file.Place(p.prev()), "missing-full-stop", `"." is missing behind this definition`)
		d.Help = `a definition ends with "."; states of one definition are separated by ","`
		return
	}
	p.unexpected(`"."`, help)
}

func (p *parser) body() *Body {
	p.enter()
	defer p.leave()
	b := &Body{}
	start := p.tok().Span
	switch t := p.tok(); {
	case t.symbol("("):
		p.advance()
		b.Kind = BodyChoice
		for {
			b.Choices = append(b.Choices, p.choice())
			if !p.accept("|") {
				break
			}
		}
		p.closeBracket(")", start, p.slipInChoice())
	case t.word("ERROR"):
		p.unexpected("a state", "there is no ERROR here: leave out what must not happen; a routine that fails performs error -> STOP")
	case t.upper():
		p.advance()
		b.Kind, b.Name = BodyRef, Name{t.Text, t.Span}
	case t.lower() && p.peek(1).symbol("->"):
		p.unexpected(`"("`, "actions stand in parentheses: (a -> S)")
	default:
		p.state("a state, or alternatives in parentheses")
	}
	b.Span = p.since(start)
	return b
}

// slipInChoice is what to do about the current token where alternatives should be closed.
func (p *parser) slipInChoice() string {
	const alternatives = "alternatives are separated by |: (a -> S | b -> T)"
	switch t := p.tok(); {
	case t.symbol("||"), t.symbol(","), t.symbol(";"), t.symbol("+"), t.word("or"):
		return alternatives
	case t.symbol("."), t.Newlines > 0 && p.definitionStarts(), t.Kind == EOF:
		return `a ")" is missing before the end of the definition`
	case t.symbol("->"):
		return fmt.Sprintf("%q is read as a state; the names of actions begin with a small letter", p.before().Text)
	case t.symbol("["):
		return "states have no indices"
	case t.lower(), t.symbol("{"):
		return fmt.Sprintf("a | is missing before %q: %s", t.Text, alternatives)
	case t.upper():
		return `a state ends its alternative: "|" or ")" is missing here`
	}
	return ""
}

func (p *parser) choice() *Choice {
	c := &Choice{}
	start := p.tok().Span
	if p.tok().word("when") {
		p.advance()
		c.Guard = p.guard()
	}
	for !p.stopped {
		s := p.step()
		c.Steps = append(c.Steps, s)
		if !p.accept("->") {
			p.noArrow(s, len(c.Steps) == 1)
			break
		}
		if t := p.tok(); t.symbol("(") || t.upper() && !p.peek(1).symbol("->") {
			break
		}
	}
	c.Body = p.body()
	c.Span = p.since(start)
	return c
}

// guard reads the condition behind when, which stands in parentheses.
func (p *parser) guard() *CExpr {
	const help = "a guard stands in parentheses: when (CONDITION) a -> S"
	open := p.tok().Span
	if !p.accept("(") {
		p.unexpected(`"("`, help)
	}
	e := p.cexpr("a condition", false)
	p.closeBracket(")", open, help)
	e.Span = p.since(open)
	e.Text = p.file.Place(e.Span).Text()
	if t := p.tok(); t.symbol("->") {
		p.unexpected("an action", "no arrow stands behind a guard: when (CONDITION) a -> S")
	} else if t.symbol(".") || t.symbol("|") || t.symbol(",") {
		p.unexpected("an action", `is a ")" missing behind the condition of the guard? when (CONDITION) a -> S`)
	} else if t.Kind == Symbol && !t.symbol("{") {
		p.unexpected("an action", "the condition of a guard stands in parentheses as a whole: when ((a) && (b)) c -> S")
	}
	return e
}

func (p *parser) step() *Step {
	s := &Step{}
	start := p.tok().Span
	switch t := p.tok(); {
	case t.word("epsilon"):
		p.advance()
		s.Kind = StepSilent
	case t.word("return"):
		s.Kind = StepReturn
		p.returned(s)
	case t.symbol("{"):
		s.Kind = StepAssign
		p.assignment(s)
	case t.word("when"):
		p.unexpected("an action", "a guard stands at the beginning of an alternative: (when (CONDITION) a -> S)")
	case t.symbol("(") && p.before().symbol("("), t.symbol("(") && p.before().symbol("|"):
		p.unexpected("an action", "alternatives need no parentheses of their own: (a -> S | b -> T)")
	case t.symbol("|"), t.symbol(")"), t.symbol("."), t.Kind == EOF:
		help := "write the alternatives as (a -> S | b -> T)"
		if p.before().symbol("|") {
			help = `remove the "|" before it, or write another alternative`
		} else if p.before().symbol("->") {
			help = "say what comes next: a -> S, or a -> STOP"
		}
		p.unexpected("an action", help)
	case t.symbol("["):
		p.unexpected("an action", "a guard is written when (CONDITION) a -> S")
	default:
		s.Kind = StepAction
		s.Label = p.label()
	}
	if s.Span = p.since(start); p.stopped {
		s.Kind = StepBad
	}
	return s
}

// returned reads return {condition} or return {}.
func (p *parser) returned(s *Step) {
	const help = "what a routine returns is written return {$0 == 1}, or return {} for any value and for none"
	p.advance()
	open := p.tok().Span
	p.expect("{", help)
	if !p.is("}") {
		s.Condition = p.cexpr("a condition on the result $0", true)
	}
	p.closeBracket("}", open, help)
}

// assignment reads {left := right}.
func (p *parser) assignment(s *Step) {
	const help = "a transition that assigns is written {v := 1} -> S"
	open := p.tok().Span
	p.advance()
	s.Left = p.cexpr("what is assigned to", false)
	if p.is(",") || p.is("}") {
		p.unexpected(`":="`, help+"; a choice of actions is written (a -> S | b -> S)")
	}
	p.expect(":=", help)
	s.Right = p.cexpr("the value that is assigned", false)
	closing := ""
	if p.is(",") {
		closing = "one assignment after another is written {v := 1} -> {w := 2} -> S"
	}
	p.closeBracket("}", open, closing)
}

// noArrow reports what stands behind a step in the place of "->".
func (p *parser) noArrow(s *Step, first bool) {
	if p.stopped {
		return
	}
	t, text := p.tok(), p.file.Place(s.Span).Text()
	help := `an action is followed by "->" and what comes next: a -> S`
	switch {
	case t.symbol(")"), t.symbol("|"), t.symbol("."), t.Kind == EOF:
		help = fmt.Sprintf("%s is an action: say what follows it, as in %s -> STOP", text, text)
		if near := p.capitalised(text); near != "" {
			help = fmt.Sprintf("did you mean %q? %s", near, helpCapital)
		} else if !first && s.Kind == StepAction {
			help = helpCapital + "; " + help
		}
		p.fail(s.Span, "syntax", help, "a state is missing: %q is an action", text)
		return
	case t.Kind == Number:
		help = "a number in the name of an action stands in brackets: a[1]"
	case t.symbol("=="), t.symbol("-"), t.symbol("="):
		help = `the arrow is written "->"`
	case t.symbol("("):
		help = fmt.Sprintf("an index stands in brackets: %s[1]", text)
	case t.symbol(";"), t.symbol(","):
		help = "one action after another is written a -> b -> S"
	case t.symbol(":="):
		help = fmt.Sprintf("a transition that assigns is written {%s := 1} -> S", strings.TrimSpace(text))
	}
	p.unexpected(`"->"`, help)
}
