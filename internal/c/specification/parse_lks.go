package specification

import (
	"fmt"
	"strings"
)

// lks reads NAME = body, LOCAL = body, ... +{extension}.
func (p *parser) lks() Definition {
	d := &LKSDef{}
	d.Name = Name{Text: p.Tok().Text, Span: p.Tok().Span}
	for {
		d.States = append(d.States, p.equation())
		if !p.Accept(",") {
			break
		}
		if p.Is(".") || p.Tok().Kind == EOF {
			p.Unexpected("a state", `nothing follows the last ",": a definition ends with "."`)
		}
	}
	if p.Accept("+") {
		d.Extension = p.set("actions of the alphabet are added by +{a, b}")
	}
	p.endOfLKS()
	return d
}

func (p *parser) equation() *State {
	start := p.Tok().Span
	s := &State{Name: p.state("a state")}
	help := "a state is defined by NAME = (a -> NAME)"
	if p.Is(":=") {
		help = `"=" defines a state; := assigns in a transition {v := 1} -> S`
	}
	p.Expect("=", help)
	s.Body = p.body()
	s.Span = p.Since(start)
	return s
}

// endOfLKS expects the full stop, and says what is most often meant where something else
// stands.
func (p *parser) endOfLKS() {
	if p.Accept(".") || p.Stopped {
		return
	}
	help := `a definition ends with "."`
	switch t := p.Tok(); {
	case t.Is("|"):
		help = "alternatives stand in parentheses: (a -> S | b -> T)"
	case t.Is("->"):
		help = "actions stand in parentheses: (a -> S)"
	case t.Is(";"), t.Is(".."):
		help = `a definition ends with one full stop and nothing else`
	case t.Is("/"):
		help = "actions are renamed in a cprog block: rename {old/new};"
	case t.Is("{"):
		help = "+{a, b} adds actions to the alphabet"
	case t.Is(")"), t.Is("}"), t.Is("]"):
		help = fmt.Sprintf("this %q closes nothing: remove it, or open it before", t.Text)
	}
	if t := p.Tok(); t.Kind != EOF && t.Newlines > 0 && p.definitionStarts() {
		// Only the full stop is missing: say so where it belongs and go on.
		d := p.Errs.Errorf(p.file.Place(p.Prev()), "missing-full-stop", `"." is missing behind this definition`)
		d.Help = `a definition ends with "."; states of one definition are separated by ","`
		return
	}
	p.Unexpected(`"."`, help)
}

func (p *parser) body() *Body {
	p.Enter()
	defer p.Leave()
	b := &Body{}
	start := p.Tok().Span
	switch t := p.Tok(); {
	case t.Is("("):
		p.Advance()
		b.Kind = BodyChoice
		for {
			b.Choices = append(b.Choices, p.choice())
			if !p.Accept("|") {
				break
			}
		}
		p.closeBracket(")", start, p.slipInChoice())
	case isWord(t, "ERROR"):
		p.Unexpected("a state", "there is no ERROR here: leave out what must not happen; a routine that fails performs error -> STOP")
	case upper(t):
		p.Advance()
		b.Kind, b.Name = BodyRef, Name{Text: t.Text, Span: t.Span}
	case lower(t) && p.Peek(1).Is("->"):
		p.Unexpected(`"("`, "actions stand in parentheses: (a -> S)")
	default:
		p.state("a state, or alternatives in parentheses")
	}
	b.Span = p.Since(start)
	return b
}

// slipInChoice is what to do about the current token where alternatives should be closed.
func (p *parser) slipInChoice() string {
	const alternatives = "alternatives are separated by |: (a -> S | b -> T)"
	switch t := p.Tok(); {
	case t.Is("||"), t.Is(","), t.Is(";"), t.Is("+"), isWord(t, "or"):
		return alternatives
	case t.Is("."), t.Newlines > 0 && p.definitionStarts(), t.Kind == EOF:
		return `a ")" is missing before the end of the definition`
	case t.Is("->"):
		return fmt.Sprintf("%q is read as a state; the names of actions begin with a small letter", p.Before().Text)
	case t.Is("["):
		return "states have no indices"
	case lower(t), t.Is("{"):
		return fmt.Sprintf("a | is missing before %q: %s", t.Text, alternatives)
	case upper(t):
		return `a state ends its alternative: "|" or ")" is missing here`
	}
	return ""
}

func (p *parser) choice() *Choice {
	c := &Choice{}
	start := p.Tok().Span
	if isWord(p.Tok(), "when") {
		p.Advance()
		c.Guard = p.guard()
	}
	for !p.Stopped {
		s := p.step()
		c.Steps = append(c.Steps, s)
		if !p.Accept("->") {
			p.noArrow(s, len(c.Steps) == 1)
			break
		}
		if t := p.Tok(); t.Is("(") || upper(t) && !p.Peek(1).Is("->") {
			break
		}
	}
	c.Body = p.body()
	c.Span = p.Since(start)
	return c
}

// guard reads the condition behind when, which stands in parentheses.
func (p *parser) guard() *CExpr {
	const help = "a guard stands in parentheses: when (CONDITION) a -> S"
	open := p.Tok().Span
	if !p.Accept("(") {
		p.Unexpected(`"("`, help)
	}
	e := p.cexpr("a condition", false)
	p.closeBracket(")", open, help)
	e.Span = p.Since(open)
	e.Text = p.file.Place(e.Span).Text()
	if t := p.Tok(); t.Is("->") {
		p.Unexpected("an action", "no arrow stands behind a guard: when (CONDITION) a -> S")
	} else if t.Is(".") || t.Is("|") || t.Is(",") {
		p.Unexpected("an action", `is a ")" missing behind the condition of the guard? when (CONDITION) a -> S`)
	} else if t.Kind == Symbol && !t.Is("{") {
		p.Unexpected("an action", "the condition of a guard stands in parentheses as a whole: when ((a) && (b)) c -> S")
	}
	return e
}

func (p *parser) step() *Step {
	s := &Step{}
	start := p.Tok().Span
	switch t := p.Tok(); {
	case isWord(t, "epsilon"):
		p.Advance()
		s.Kind = StepSilent
	case isWord(t, "return"):
		s.Kind = StepReturn
		p.returned(s)
	case t.Is("{"):
		s.Kind = StepAssign
		p.assignment(s)
	case isWord(t, "when"):
		p.Unexpected("an action", "a guard stands at the beginning of an alternative: (when (CONDITION) a -> S)")
	case t.Is("(") && p.Before().Is("("), t.Is("(") && p.Before().Is("|"):
		p.Unexpected("an action", "alternatives need no parentheses of their own: (a -> S | b -> T)")
	case t.Is("|"), t.Is(")"), t.Is("."), t.Kind == EOF:
		help := "write the alternatives as (a -> S | b -> T)"
		if p.Before().Is("|") {
			help = `remove the "|" before it, or write another alternative`
		} else if p.Before().Is("->") {
			help = "say what comes next: a -> S, or a -> STOP"
		}
		p.Unexpected("an action", help)
	case t.Is("["):
		p.Unexpected("an action", "a guard is written when (CONDITION) a -> S")
	default:
		s.Kind = StepAction
		s.Label = p.label()
	}
	if s.Span = p.Since(start); p.Stopped {
		s.Kind = StepBad
	}
	return s
}

// returned reads return {condition} or return {}.
func (p *parser) returned(s *Step) {
	const help = "what a routine returns is written return {$0 == 1}, or return {} for any value and for none"
	p.Advance()
	open := p.Tok().Span
	p.Expect("{", help)
	if !p.Is("}") {
		s.Condition = p.cexpr("a condition on the result $0", true)
	}
	p.closeBracket("}", open, help)
}

// assignment reads {left := right}.
func (p *parser) assignment(s *Step) {
	const help = "a transition that assigns is written {v := 1} -> S"
	open := p.Tok().Span
	p.Advance()
	s.Left = p.cexpr("what is assigned to", false)
	if p.Is(",") || p.Is("}") {
		p.Unexpected(`":="`, help+"; a choice of actions is written (a -> S | b -> S)")
	}
	p.Expect(":=", help)
	s.Right = p.cexpr("the value that is assigned", false)
	closing := ""
	if p.Is(",") {
		closing = "one assignment after another is written {v := 1} -> {w := 2} -> S"
	}
	p.closeBracket("}", open, closing)
}

// noArrow reports what stands behind a step in the place of "->".
func (p *parser) noArrow(s *Step, first bool) {
	if p.Stopped {
		return
	}
	t, text := p.Tok(), p.file.Place(s.Span).Text()
	help := `an action is followed by "->" and what comes next: a -> S`
	switch {
	case t.Is(")"), t.Is("|"), t.Is("."), t.Kind == EOF:
		help = fmt.Sprintf("%s is an action: say what follows it, as in %s -> STOP", text, text)
		if near := p.capitalised(text); near != "" {
			help = fmt.Sprintf("did you mean %q? %s", near, helpCapital)
		} else if !first && s.Kind == StepAction {
			help = helpCapital + "; " + help
		}
		p.Fail(s.Span, "syntax", help, "a state is missing: %q is an action", text)
		return
	case t.Kind == Number:
		help = "a number in the name of an action stands in brackets: a[1]"
	case t.Is("=="), t.Is("-"), t.Is("="):
		help = `the arrow is written "->"`
	case t.Is("("):
		help = fmt.Sprintf("an index stands in brackets: %s[1]", text)
	case t.Is(";"), t.Is(","):
		help = "one action after another is written a -> b -> S"
	case t.Is(":="):
		help = fmt.Sprintf("a transition that assigns is written {%s := 1} -> S", strings.TrimSpace(text))
	}
	p.Unexpected(`"->"`, help)
}
