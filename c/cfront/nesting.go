package cfront

import "strings"

// maxNesting bounds how deep brackets are nested in a text, and how many prefix operators
// stand in a row: the parser takes up to ten thousand bytes of the stack for each, and a
// stack that is full cannot be recovered from.
const maxNesting = 10_000

// maxChain bounds what is nested without brackets, of which a bracket is a part, too: operators
// one behind the other, casts, statements in statements, else behind else.
const maxChain = 2 * maxNesting

// unnested returns how long the part is that a text begins with and whose brackets and
// operators mean nothing: a comment, or a literal without the quote behind it, which ends with
// its line at the latest. It is 0 for a slash of another meaning.
func unnested(text string) int {
	switch {
	case strings.HasPrefix(text, "/*"):
		inside, _, closed := strings.Cut(text[2:], "*/")
		if !closed {
			return len(text)
		}
		return len(inside) + 4
	case strings.HasPrefix(text, "//"):
		line, _, _ := strings.Cut(text, "\n")
		return len(line)
	case text[0] == '/':
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0], '\n':
			return i
		case '\\':
			if i+1 == len(text) || text[i+1] == '\n' {
				return i
			}
			i++
		}
	}
	return len(text)
}

// nesting follows how deep a text is nested that is read from its begin on.
type nesting struct {
	open     []int // the links of the chain that each open bracket interrupts
	here     int   // those of the innermost one
	sum      int   // of all of them
	prefixes int   // in a row
	ended    bool  // a statement has ended, unless else comes now
}

// link takes note of an operator, a bracket, or a word by which a statement is inside of another.
func (n *nesting) link() {
	n.here++
	n.sum++
}

// separate ends a chain.
func (n *nesting) separate() { n.sum, n.here, n.ended = n.sum-n.here, 0, false }

func (n *nesting) enter() {
	n.link()
	n.open, n.here, n.prefixes = append(n.open, n.here), 0, 0
}

func (n *nesting) leave() {
	n.separate()
	n.prefixes = 0
	if k := len(n.open); k > 0 {
		n.open, n.here = n.open[:k-1], n.open[k-1]
	}
}

// word takes note of a name or a keyword.
func (n *nesting) word(w string) {
	if n.ended && w != "else" {
		n.separate()
	}
	n.ended, n.prefixes = false, 0
	switch w {
	case "else", "do", "sizeof", "_Alignof", "__alignof__", "return", "goto":
		n.link()
	}
}

// operator takes note of a character that is one, or a part of one.
func (n *nesting) operator(prefix bool) {
	if n.ended {
		n.separate()
	}
	n.link()
	if n.prefixes++; !prefix {
		n.prefixes = 0
	}
}

// tooDeep finds where a text is nested more than maxNesting deep, or has a chain longer than
// maxChain, or -1. Branches of #if count one after the other, and macros as they are written.
// Linear in the text.
func tooDeep(text string) int {
	n := &nesting{}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			if n.ended {
				n.separate()
			}
			n.enter()
		case ')', ']':
			n.leave()
		case '}':
			n.leave()
			n.ended = true
		case ';':
			n.ended, n.prefixes = true, 0
		case ',', '#':
			n.separate()
			n.prefixes = 0
		case '!', '~', '-', '+', '*', '&':
			n.operator(true)
		case '?', ':', '=', '<', '>', '|', '^', '%', '.':
			n.operator(false)
		case ' ', '\t', '\r', '\n', '\f', '\v':
		case '/', '"', '\'':
			n.prefixes = 0
			length := max(unnested(text[i:]), 1)
			if c == '/' && length == 1 {
				n.operator(false)
			}
			i += length - 1
			if c != '/' && i+1 < len(text) && text[i+1] == c {
				i++ // the quote behind
			}
		default:
			end := i + 1
			for end < len(text) && wordByte(text[end]) {
				end++
			}
			n.word(text[i:end])
			i = end - 1
		}
		if len(n.open) > maxNesting || n.prefixes > maxNesting || n.sum > maxChain {
			return i
		}
	}
	return -1
}

// wordByte reports a part of a name or a number.
func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
