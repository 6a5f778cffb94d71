package syntax

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// What people write who know another language, or are new to this one. The parser's own
// messages say what is expected; the texts here say what was most likely meant.

// place says what is being read, since one mistake has different cures in different
// places.
type place uint8

const (
	inChoice  place = iota + 1 // (a -> P | b -> Q)
	inGroup                    // (P || Q)
	inExpr                     // (i + 1)
	inSet                      // {a, b}
	inIndex                    // [i:0..3]
	inRelabel                  // /{new/old}
	elsewhere
)

const (
	helpAlternatives = "alternatives are separated by |: (a -> P | b -> Q)"
	helpParallel     = "processes in parallel are separated by ||: ||NAME = (P || Q)"
	helpCapital      = "the name of a process begins with a capital letter"
	helpCloseFirst   = `a ")" is missing before the end of the definition`
)

// slip is what to do about the current token where a bracket should be closed.
func (p *parser) slip(in place) string {
	t := p.Tok()
	switch in {
	case inChoice:
		return p.slipInChoice(t)
	case inGroup:
		return p.slipInGroup(t)
	case inExpr:
		return p.slipInExpr()
	case inSet:
		switch {
		case t.Is("/"):
			return `a relabelling is written /{new/old}; \{...} hides the actions in it`
		case t.Is(";"), t.Is("|"), t.Kind == Lower:
			return "the elements of a set are separated by commas: {a, b}"
		case t.Is("->"):
			return "a set holds actions; a process stands in parentheses: (a -> P)"
		}
	case inRelabel:
		if t.Is(";") || t.Kind == Lower || t.Is("{") {
			return "the pairs of a relabelling are separated by commas: /{new/old, new2/old2}"
		}
	case inIndex:
		switch {
		case t.Kind == Lower && t.Text == "in", t.Is("="):
			return "a variable and what it ranges over are separated by a colon: [i:0..3]"
		case t.Kind == Lower && t.Text == "to", t.Is("-"):
			return "a range is written LOW..HIGH: [i:0..3]"
		case t.Is(","):
			return "every index has brackets of its own: a[1][2]"
		}
		return p.slipInExpr()
	}
	return ""
}

func (p *parser) slipInChoice(t *Token) string {
	switch {
	case t.Is(",") && p.Peek(1).Text == "else":
		return "no comma stands before else"
	case t.Is("||"):
		return "alternatives are separated by |; processes are composed by ||NAME = (P || Q)"
	case t.Is(","), t.Is("+"), t.Is("[]"), t.Is(";"), t.Is("&"), t.Is("&&"), t.Kind == Lower && t.Text == "or":
		return helpAlternatives
	case t.Is("."), t.Kind == EOF:
		return helpCloseFirst
	case t.Is("->"):
		return fmt.Sprintf("%q is read as a process; the names of actions begin with a small letter", p.Tokens[p.At-1].Text)
	case t.Kind == Lower && (t.Text == "elseif" || t.Text == "elif" || t.Text == "elsif"):
		return "write else if, in two words"
	case t.Kind == Lower, t.Kind == Keyword && t.Text == "when", t.Is("{"):
		return fmt.Sprintf("a | is missing before %q: alternatives are written (a -> P | b -> Q)", t.Text)
	case t.Kind == Upper:
		return `a process ends its alternative: "|" or ")" is missing here`
	case t.Is("("):
		return "a local process has indices in brackets: P[3]"
	}
	return ""
}

func (p *parser) slipInGroup(t *Token) string {
	switch {
	case t.Is("|"), t.Is(","), t.Is(";"), t.Is("&"), t.Is("&&"), t.Is("+"), t.Is("[]"),
		t.Kind == Lower && (t.Text == "and" || t.Text == "or"):
		return helpParallel
	case t.Is("."), t.Kind == EOF:
		return helpCloseFirst
	case t.Is("["):
		return "copies of a process are told apart by prefixes: (p[1..3]:P)"
	case t.Is("->"):
		return "a process with actions is defined without || before its name: NAME = (a -> NAME)"
	case t.Kind == Upper, t.Kind == Lower, t.Is("{"):
		return fmt.Sprintf("a || is missing before %q: ||NAME = (P || Q)", t.Text)
	}
	return ""
}

// slipInExpr is about what stands behind an expression.
func (p *parser) slipInExpr() string {
	t := p.Tok()
	switch {
	case t.Is("="):
		return "to compare, write =="
	case t.Is("=>"):
		return "at least is written >="
	case t.Is("<>"):
		return "unequal is written !="
	case t.Kind == Lower && t.Text == "and", t.Is(","):
		return "and is written &&"
	case t.Kind == Lower && t.Text == "or":
		return "or is written ||"
	case t.Kind == Lower && t.Text == "mod":
		return "the remainder of a division is written %"
	case t.Kind == Lower && t.Text == "div":
		return "a division is written /"
	case t.Is("."), t.Kind == EOF:
		return "a bracket is not closed"
	}
	return ""
}

// wordOperators are operators of other languages that are written as words. Behind an
// expression they may also be actions: when (i > 0) and -> P.
var wordOperators = map[string]bool{"and": true, "or": true, "mod": true, "div": true}

// checkExprEnd reports an operator of another language behind an expression.
func (p *parser) checkExprEnd() {
	t, n := p.Tok(), p.Peek(1)
	word := t.Kind == Lower && wordOperators[t.Text] && !n.Is("->") && !n.Is(".") && !n.Is("[")
	if t.Is("=") || t.Is("=>") || t.Is("<>") || word {
		p.Fail(t.Span, "syntax", p.slipInExpr(), "there is no operator %q in expressions", t.Text)
	}
}

// afterLabel reports what stands behind the label of an action in the place of "->".
func (p *parser) afterLabel(l *Label, first bool) {
	if p.Stopped {
		return
	}
	t, text := p.Tok(), p.file.Place(l.Span).Text()
	help := `an action is followed by "->" and what comes next: a -> P`
	switch {
	case t.Is(")"), t.Is("|"), t.Is(".") && p.Peek(1).Kind != Number, t.Kind == EOF:
		p.noProcess(l, text, first)
	case t.Is("=>"), t.Is("-"), t.Is("<-"):
		if t.Is("-") && p.Peek(1).Kind == Lower {
			help = fmt.Sprintf("names consist of letters, digits and _: %s_%s", text, p.Peek(1).Text)
			break
		}
		help = `the arrow is written "->"`
	case t.Is("||"):
		help = "a composition has || before its name: ||NAME = (P || Q)"
	case t.Is(":"), t.Is("::"):
		help = "a process with a prefix stands in a composition: ||NAME = (a:P || b:Q)"
	case t.Is("(") && text == "while":
		help = "a process goes on by naming what comes next: P = (a -> P); a guard is written when (CONDITION) a -> P"
	case t.Is("("):
		help = fmt.Sprintf("an index stands in brackets: %s[1]", text)
	case t.Is("<"), t.Is(">"), t.Is("<="), t.Is(">="), t.Is("=="), t.Is("!="):
		help = "a guard is written when (CONDITION) a -> P"
	case t.Is("."):
		help = "a number in a label stands in brackets: a[1]"
	case t.Is("["):
		help = ""
	case t.Is(","):
		help = "a choice of actions is written {a, b} -> P; one action after another a -> b -> P"
	case t.Is(";"):
		help = "one action after another is written a -> b -> P"
	case t.Is("="):
		help = "there are no assignments: a local process with an index holds a value, C[i] = (inc -> C[i+1])"
	case t.Is("?"), t.Is("!"):
		help = "there are no channels: processes share actions of the same name, with values as indices: in[v:0..3] -> out[v] -> P"
	}
	p.Unexpected(`"->"`, help)
}

// noProcess reports an action where a process is needed: (a -> q).
func (p *parser) noProcess(l *Label, text string, first bool) {
	help := fmt.Sprintf("%s is an action: say what follows it, as in %s -> STOP", text, text)
	if near := p.capitalised(text); near != "" {
		help = fmt.Sprintf("did you mean %q? %s", near, helpCapital)
	} else if !first {
		help = helpCapital + "; " + help
	}
	p.Fail(l.Span, "syntax", help, "a process is missing: %q is an action", text)
}

// capitalised returns the name of a process that a small word may stand for, or "".
func (p *parser) capitalised(word string) string {
	switch strings.ToLower(word) {
	case "stop", "end", "error":
		return strings.ToUpper(word)
	case "skip", "exit":
		return "END"
	}
	base, _, _ := strings.Cut(word, "[")
	for i := range p.Tokens {
		if t := &p.Tokens[i]; t.Kind == Upper && strings.EqualFold(t.Text, base) {
			return t.Text + word[len(base):]
		}
	}
	return ""
}

// keywordAsAction takes a keyword in the place of an action, and reports it where it is
// met first: every further mention would say the same.
func (p *parser) keywordAsAction(t *Token) bool {
	switch n := p.Peek(1); {
	case n.Is("->"), n.Is("."), n.Is("["), n.Is(","), n.Is("}"), n.Is("/"), n.Is(")"), n.Is("|"):
	default:
		return false
	}
	if p.Quiet || p.keyword[t.Text] {
		return true
	}
	p.keyword[t.Text] = true
	p.Errs.Errorf(p.file.Place(t.Span), "syntax", "%q is a keyword, and no action can be called so", t.Text).Help =
		fmt.Sprintf("choose another name wherever the action is meant, such as %q", t.Text+"_")
	return true
}

// startOfChoice reports what cannot begin an alternative.
func (p *parser) startOfChoice() {
	t := p.Tok()
	switch {
	case p.Is("if"):
		p.Fail(t.Span, "syntax", `leave out the parenthesis before it: else if CONDITION then P else Q; a guard is written (when (CONDITION) a -> P)`,
			`"if" cannot begin an alternative`)
	case t.Is("("):
		p.Fail(t.Span, "syntax", "alternatives need no parentheses of their own: (a -> P | b -> Q); a guard is written when (CONDITION) a -> P",
			`"(" cannot begin an alternative`)
	case t.Is("|"), t.Is(")"):
		help := "write the alternatives as (a -> P | b -> Q)"
		if p.At > 0 && p.Tokens[p.At-1].Is("|") {
			help = `remove the "|" before it, or write another alternative`
		}
		p.Unexpected("an alternative", help)
	case t.Is("->") && p.At > 0 && p.Tokens[p.At-1].Is(")"):
		p.Unexpected("an action", "no arrow stands behind a guard: when (CONDITION) a -> P")
	case t.Kind == String:
		p.Unexpected("an action", fmt.Sprintf("actions are written without quotes: %s", strings.Trim(t.Text, `"`)))
	}
}

// behindArrow reports an arrow that leads nowhere.
func (p *parser) behindArrow() {
	if t := p.Tok(); t.Is(")") || t.Is("|") || t.Is(".") || t.Kind == EOF {
		p.Unexpected(`an action or a process behind "->"`, "say what comes next: a -> P, or a -> STOP")
	}
}

// notADefinition is what to do about a token that begins no definition.
func (p *parser) notADefinition() string {
	t, n := p.Tok(), p.Peek(1)
	switch {
	case t.Is("#") && n.Text == "define":
		return "a constant is written const N = 3"
	case t.Is("#"), t.Is("%"), t.Is("-") && n.Is("-"):
		return "comments are written // to the end of the line, or /* ... */"
	case t.Is(";"):
		return "definitions of constants, ranges, sets and properties end without punctuation, processes with a full stop"
	case t.Is(".") && n.Kind == Number:
		return "numbers are integers"
	case t.Is("."):
		return "only processes end with a full stop; const, range, set and properties end without"
	case t.Is(","):
		return "several labels stand in braces: {a, b}"
	case t.Is(")"), t.Is("}"), t.Is("]"):
		return fmt.Sprintf("this %q closes nothing", t.Text)
	case t.Kind != Lower:
		return ""
	case t.Text == "include":
		return "a model is one file; import P = \"p.aut\" reads a process from an Aldebaran file"
	case t.Text == "process" || t.Text == "proctype" || t.Text == "module" || t.Text == "channel":
		return "there is no word before a definition: NAME = (a -> NAME)."
	}
	if help := p.misspelt(); help != "" {
		return help
	}
	return helpCapital
}

// capitalKeyword suggests the keyword that a capitalised word before a name stands for:
// LTL FOO = G a.
func (p *parser) capitalKeyword(word string) string {
	if p.Tok().Kind != Upper {
		return "a process is defined by NAME = ..."
	}
	return source.DidYouMean(strings.ToLower(word)+" ", definingWords())
}

func (p *parser) threeDots() { p.Unexpected(`".."`, "a range has two dots: 0..3") }

// noPrefix is what to do about a label in a composition without a colon behind it.
func (p *parser) noPrefix(l *Label) string {
	text := p.file.Place(l.Span).Text()
	if last := l.Parts[len(l.Parts)-1]; last.Kind == PartSet && last.Set.Name != "" {
		return fmt.Sprintf("a prefix has a colon behind it: %s:%s", strings.TrimSuffix(strings.TrimSuffix(text, last.Set.Name), "."), last.Set.Name)
	}
	if near := p.capitalised(text); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, helpCapital)
	}
	if p.Is("->") {
		return "a process with actions is defined without || before its name: NAME = (a -> NAME)"
	}
	return helpCapital + "; a prefix has a colon behind it: a:P"
}
