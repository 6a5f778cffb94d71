package ltl

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
)

// This file makes the messages about syntax errors.

// found says what stands where something else was expected: `, found "x"`.
func (p *parser) found() string {
	if p.tok.kind == tEOF {
		return ", found the end of the formula"
	}
	return fmt.Sprintf(", found %q", shorten(p.lexeme()))
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) > 40 {
		return string([]rune(text)[:40]) + "…"
	}
	return text
}

func (p *parser) expected(what, help string) {
	d := p.fail(p.tok.start, p.tok.end, "expected-token", "expected %s%s", what, p.found())
	if d.Help == "" {
		d.Help = help
	}
}

// missingOperand reports that the operator or parenthesis at has no operand
// behind it.
func (p *parser) missingOperand(at token) {
	if p.failed {
		return
	}
	text := p.text[at.start:at.end]
	switch {
	case p.tok.kind == tRParen && at.kind == tLParen:
		p.fail(at.start, p.tok.end, "expected-operand", "there is no formula between the parentheses").
			Help = "\"()\" without a blank is the operator next"
	case at.kind == tAnd && p.tok.kind == tAnd || at.kind == tOr && p.tok.kind == tOr:
		p.fail(p.tok.start, p.tok.end, "expected-operand", "expected a formula behind %q%s", text, p.found()).
			Help = "one of the two operators is too many"
	case p.tok.kind == tLt:
		p.unexpectedOperand()
	case p.splitWord() != "":
		p.unknownUpper(p.splitWord())
	default:
		p.fail(at.start, at.end, "expected-operand", "expected a formula behind %q%s", text, p.found()).
			Help = p.wordHelp(at)
	}
}

// splitWord returns the upper-case word of which the current token is the first
// operator letter, or "" if it stands alone.
func (p *parser) splitWord() string {
	if !isUpper(firstByte(p.lexeme())) || p.wordEnd(p.tok.start) == p.tok.end {
		return ""
	}
	word := p.wordAround(p.tok.start)
	if !strings.HasPrefix(p.text[p.tok.start:], word) {
		return "" // more letters stand before
	}
	return word
}

// unknownUpper reports an upper-case word at the current token that is no name.
func (p *parser) unknownUpper(word string) {
	help := fmt.Sprintf("it was read as operator letters; quote names that start with an upper-case letter: %q", word)
	if s := p.suggestUpper(word); s != "" {
		help = fmt.Sprintf("did you mean %q?", s)
	}
	p.fail(p.tok.start, p.tok.start+len(word), "upper-case-name", "%q is neither an operator nor a known name", shorten(word)).Help = help
}

// wordHelp explains that a reserved word is not the model's name.
func (p *parser) wordHelp(at token) string {
	text := p.text[at.start:at.end]
	if words[text] == 0 && letters[firstByte(text)] == 0 {
		return ""
	}
	if _, binary := binaryOps[at.kind]; binary && p.wordAround(at.start) == text {
		return fmt.Sprintf("%s stands between two formulas: a %s b", text, text)
	}
	// Operator letters were split off a word: the word may have been a name.
	if whole := p.wordAround(at.start); isUpper(firstByte(whole)) && len(whole) > 1 {
		if s := p.suggestUpper(whole); s != "" {
			return fmt.Sprintf("did you mean %q?", s)
		}
		return fmt.Sprintf("%q was read as operator letters; quote names that start with an upper-case letter", whole)
	}
	v := p.opts.Vocabulary
	if v != nil && (v.Prop(text) || v.Event(text)) {
		return fmt.Sprintf("%q is an operator here; for the name of the model write %q in quotes", text, text)
	}
	return ""
}

// isWordByte reports whether a letter, a digit or '_' stands at pos.
func (p *parser) isWordByte(pos int) bool {
	c := p.text[pos]
	return isUpper(c) || isLower(c) || isDigit(c)
}

// wordAround returns the run of letters, digits and '_' that pos is in.
func (p *parser) wordAround(pos int) string {
	start := pos
	for start > 0 && p.isWordByte(start-1) {
		start--
	}
	return p.text[start:p.wordEnd(pos)]
}

// mathSymbols are what people paste from papers.
var mathSymbols = map[rune]string{
	'¬': "!", '∧': "&", '∨': "|", '→': "->", '⇒': "->", '↔': "<->", '⇔': "<->", '⊕': "xor",
	'□': "G", '◻': "G", '◇': "F", '◊': "F", '○': "X", '◯': "X", '⊤': "true", '⊥': "false",
	'≤': "<=", '≥': ">=", '≠': "!=", '’': "\"", '“': "\"", '”': "\"", '–': "-", '−': "-",
}

// badCharacter reports a character that no token starts with.
func (p *parser) badCharacter() {
	if strings.HasPrefix(p.text[p.tok.start:p.end], "/*") {
		p.fail(p.tok.start, p.tok.start+2, "unterminated-comment", "the comment has no end").Help = "close it by */"
		return
	}
	r, _ := utf8.DecodeRuneInString(p.lexeme())
	d := p.fail(p.tok.start, p.tok.end, "unexpected-character", "unexpected character %q", r)
	switch ascii, ok := mathSymbols[r]; {
	case ok:
		d.Help = fmt.Sprintf("write %s", ascii)
	case r == ';' || r == '.':
		d.Help = "a formula ends without punctuation"
	case unicode.IsLetter(r):
		d.Help = "quote names with other letters than a-z: \"any text\""
	}
}

// unexpectedOperand reports that no operand starts at the current token.
func (p *parser) unexpectedOperand() {
	at := p.tok
	if p.failed {
		return
	}
	text := shorten(p.lexeme())
	switch at.kind {
	case tBad:
		if strings.HasPrefix(p.text[at.start:p.end], "/*") {
			p.badCharacter()
			return
		}
		p.badCharacter()
	case tBadString:
		p.fail(at.start, at.start+1, "unterminated-string", "the quoted name has no end on this line").
			Help = "close it by \""
	case tUpper:
		// Operator letters may have been split off a name that begins like one.
		whole := p.wordAround(at.start)
		text = shorten(whole)
		d := p.fail(at.end-len(whole), at.end, "upper-case-name", "%q is neither an operator nor a known name", text)
		d.Help = fmt.Sprintf("atoms start with a lower-case letter; quote other names: %q", text)
		if s := p.suggestUpper(text); s != "" {
			d.Help = fmt.Sprintf("did you mean %q?", s)
		}
	case tRParen:
		p.fail(at.start, at.end, "unbalanced-parenthesis", "this %q closes nothing", text)
	case tLBracket:
		p.expectedOperand("use ( ) to group; [] is always, a[1] an index")
	case tLt:
		p.expectedOperand("fluents <a, b> are declared in the model file; in a formula use their names")
	case tNe, tEq, tLe, tGt, tGe:
		p.expectedOperand("comparisons are between an indexed proposition and a number, as in m = 2")
	default:
		p.expectedOperand(p.wordHelp(at))
	}
}

func (p *parser) expectedOperand(help string) {
	d := p.fail(p.tok.start, p.tok.end, "expected-operand", "expected a formula%s", p.found())
	d.Help = help
}

// unexpected reports a token behind a complete formula.
func (p *parser) unexpected() {
	if p.failed {
		return
	}
	at := p.tok
	switch at.kind {
	case tRParen:
		p.fail(at.start, at.end, "unbalanced-parenthesis", "this \")\" closes nothing").
			Help = "remove it, or add a \"(\" before"
	case tBad, tBadString:
		p.unexpectedOperand()
	default:
		help := p.joinHelp()
		p.fail(at.start, at.end, "unexpected-token", "unexpected %q behind a complete formula", shorten(p.lexeme())).
			Help = help
	}
}

// joinHelp guesses what was meant where a formula has ended and something
// follows it.
func (p *parser) joinHelp() string {
	before := p.text[:p.last]
	switch {
	case p.tok.kind == tEq:
		return "equivalence is <->; = compares an indexed proposition with a number, as in m = 2"
	case comparisons[p.tok.kind] != "":
		return "comparisons are between an indexed proposition and a number, as in m = 2"
	case p.tok.kind == tDot:
		return "a formula ends without punctuation"
	case p.tok.kind == tNumber:
		return "indices are written as in a[1]"
	case p.outsideHelp() != "":
		return p.outsideHelp()
	case !p.startsOperand():
		return ""
	}
	// a U b written as aU b.
	start := len(before)
	for start > 0 && (isUpper(before[start-1]) || isLower(before[start-1]) || isDigit(before[start-1])) {
		start--
	}
	if word := before[start:]; len(word) > 1 && binaryOps[letters[word[len(word)-1]]].op != 0 {
		return fmt.Sprintf("write blanks around a binary operator: %s %s", word[:len(word)-1], word[len(word)-1:])
	}
	return "put an operator such as & or -> between two formulas"
}

func (p *parser) suggestUpper(text string) string {
	names := p.opts.Defined
	if p.opts.Vocabulary != nil {
		names = slices.Concat(names, p.opts.Vocabulary.Names())
	}
	return source.Suggest(text, names)
}
