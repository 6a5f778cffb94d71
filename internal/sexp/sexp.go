// Package sexp reads S-expressions as SMT-LIB 2 writes them: symbols, quoted
// symbols (|a b|), strings ("a ""b"""), comments (;) and lists. It knows no
// meaning.
package sexp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Node is an atom or a list.
type Node struct {
	Atom  string // of an atom: its text, without the quotes of |...| and "..."
	Kind  Kind
	List  []Node // of a list
	Start int    // byte offset in the text given to Parse
	End   int
}

// Kind tells atoms from lists.
type Kind uint8

const (
	// List is a parenthesised list, possibly empty.
	List Kind = iota
	// Symbol is a plain atom: a symbol, number or keyword.
	Symbol
	// Quoted is |...|: a symbol, never a number or keyword.
	Quoted
	// String is "...".
	String
)

// Is reports whether n is the plain symbol s.
func (n Node) Is(s string) bool { return n.Kind == Symbol && n.Atom == s }

// Head returns the first element's text if n is a list that starts with a plain
// symbol, else "".
func (n Node) Head() string {
	if n.Kind == List && len(n.List) > 0 && n.List[0].Kind == Symbol {
		return n.List[0].Atom
	}
	return ""
}

// String prints the node in one line.
func (n Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	switch n.Kind {
	case Symbol:
		b.WriteString(n.Atom)
	case Quoted:
		b.WriteByte('|')
		b.WriteString(n.Atom)
		b.WriteByte('|')
	case String:
		b.WriteByte('"')
		b.WriteString(strings.ReplaceAll(n.Atom, `"`, `""`))
		b.WriteByte('"')
	default:
		b.WriteByte('(')
		for i, c := range n.List {
			if i > 0 {
				b.WriteByte(' ')
			}
			c.write(b)
		}
		b.WriteByte(')')
	}
}

// maxDepth bounds the nesting of lists: far beyond what people and solvers
// write, small enough for recursive readers.
const maxDepth = 10_000

// Error is a syntax error at a byte offset.
type Error struct {
	Offset  int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Message) }

// Parse reads all expressions of a text. The error, if any, is an *Error.
func Parse(text string) ([]Node, error) {
	root := []Node{{Kind: List}} // stack of open lists, the outermost is the text itself
	for i := 0; i < len(text); {
		top := &root[len(root)-1]
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == ';':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '(':
			if len(root) > maxDepth {
				return nil, &Error{i, fmt.Sprintf("more than %d nested parentheses", maxDepth)}
			}
			root = append(root, Node{Kind: List, Start: i})
			i++
		case c == ')':
			if len(root) == 1 {
				return nil, &Error{i, "closing parenthesis without an opening one"}
			}
			closed := *top
			i++
			closed.End = i
			root = root[:len(root)-1]
			root[len(root)-1].List = append(root[len(root)-1].List, closed)
		default:
			n, end, err := atom(text, i)
			if err != nil {
				return nil, err
			}
			top.List = append(top.List, n)
			i = end
		}
	}
	if len(root) > 1 {
		return nil, &Error{root[len(root)-1].Start, "parenthesis is never closed"}
	}
	return root[0].List, nil
}

// atom reads the atom that starts at i.
func atom(text string, i int) (Node, int, error) {
	start := i
	switch text[i] {
	case '|':
		end := strings.IndexByte(text[i+1:], '|')
		if end < 0 {
			return Node{}, 0, &Error{i, "quoted symbol is never closed"}
		}
		end += i + 2
		return Node{Kind: Quoted, Atom: text[i+1 : end-1], Start: start, End: end}, end, nil
	case '"':
		var b strings.Builder
		for i++; i < len(text); i++ {
			if text[i] != '"' {
				b.WriteByte(text[i])
				continue
			}
			if i+1 < len(text) && text[i+1] == '"' {
				b.WriteByte('"')
				i++
				continue
			}
			return Node{Kind: String, Atom: b.String(), Start: start, End: i + 1}, i + 1, nil
		}
		return Node{}, 0, &Error{start, "string is never closed"}
	}
	for i < len(text) && !strings.ContainsRune(" \t\r\n();|\"", rune(text[i])) {
		i++
	}
	return Node{Kind: Symbol, Atom: text[start:i], Start: start, End: i}, i, nil
}

// maxExpression bounds one expression that Reader returns, in bytes.
const maxExpression = 64 << 20

// Reader splits a stream into expressions.
type Reader struct{ in *bufio.Reader }

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader { return &Reader{bufio.NewReaderSize(r, 1<<16)} }

// Next returns the next expression of the stream, which ends as soon as its
// closing parenthesis, quote, or the blank after it is read. io.EOF at the end
// of the stream; any other error makes the stream useless.
func (r *Reader) Next() (Node, error) {
	text, err := r.text()
	if err != nil {
		return Node{}, err
	}
	nodes, err := Parse(text)
	if err != nil {
		return Node{}, err
	}
	if len(nodes) != 1 {
		return Node{}, &Error{0, "not one expression"}
	}
	return nodes[0], nil
}

var errTooLong = errors.New("expression is too long")

// text collects the bytes of one expression.
func (r *Reader) text() (string, error) {
	var b strings.Builder
	depth := 0
	quote := byte(0)
	for b.Len() < maxExpression {
		c, err := r.in.ReadByte()
		if err != nil {
			if err == io.EOF && b.Len() > 0 && depth == 0 && quote == 0 {
				return b.String(), nil
			}
			return "", err
		}
		blank := c == ' ' || c == '\t' || c == '\n' || c == '\r'
		switch {
		case quote != 0:
			b.WriteByte(c)
			if c == quote {
				quote = 0
				// "" inside a string is a quote, not its end.
				if next, err := r.in.Peek(1); depth == 0 && (c == '|' || err != nil || next[0] != '"') {
					return b.String(), nil
				}
			}
		case blank && b.Len() == 0:
		case blank && depth == 0:
			return b.String(), nil
		case c == ';':
			if err := r.skipLine(); err != nil {
				return "", err
			}
		case c == '(' || c == '"' || c == '|':
			if depth == 0 && b.Len() > 0 {
				r.in.UnreadByte()
				return b.String(), nil
			}
			b.WriteByte(c)
			if c == '(' {
				depth++
			} else {
				quote = c
			}
		case c == ')':
			b.WriteByte(c)
			if depth--; depth <= 0 {
				return b.String(), nil
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", errTooLong
}

func (r *Reader) skipLine() error {
	for {
		c, err := r.in.ReadByte()
		if err != nil || c == '\n' {
			return err
		}
	}
}
