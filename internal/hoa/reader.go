package hoa

import (
	"bufio"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/source"
)

// maxText bounds the text of one automaton.
const maxText = 1 << 28

// Reader reads one automaton after the other, and consumes no more of its input than
// what lies before the end of each, but for a buffer.
type Reader struct {
	name   string
	in     *bufio.Reader
	line   int // of the next character, from 1
	column int // of it, from 0, in bytes
	src    *source.File
	claim  bool
	ended  bool // an automaton was too large, or no text: nothing behind it is looked for
}

// NewReader makes a Reader; name is what messages call the text.
func NewReader(name string, r io.Reader) *Reader {
	in := bufio.NewReader(r)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\xef\xbb\xbf" {
		in.Discard(3) // peeked: no error
	}
	return &Reader{name: name, in: in, line: 1}
}

// Next returns the next automaton, in the Hanoi format or a never claim; those that
// end in --ABORT-- are passed over. The error is io.EOF behind the last, a
// source.List about an automaton that is broken, after which Next can be called for
// those behind it (but one that is too large, or no text, is the last), or what the input says.
func (r *Reader) Next() (*Automaton, error) {
	for {
		if r.ended {
			return nil, io.EOF
		}
		src, claim, err := r.split()
		if err != nil {
			return nil, err
		}
		r.src, r.claim = src, claim
		read := Parse
		if claim {
			read = ParseNever
		}
		if a, err := read(src); a != nil || err != nil {
			return a, err
		}
	}
}

// Last returns the text of the automaton that Next came to last, and whether it is a never claim.
func (r *Reader) Last() (text *source.File, claim bool) { return r.src, r.claim }

// splitter finds where an automaton ends, knowing no more of the formats than where
// comments and strings are.
type splitter struct {
	began    bool // anything but blanks and comments was met
	claim    bool // it began with "never"
	depth    int  // of comments, which nest in the Hanoi format
	inLine   bool // in a comment that ends with the line, of Promela
	inString bool // in a string, of the Hanoi format
	braces   int
	before   byte // the last character
	escaped  bool // it was a backslash in a string
}

// outside reports whether the next character is in no comment and no string.
func (s *splitter) outside() bool { return s.depth == 0 && !s.inLine && !s.inString }

// read goes over a character.
func (s *splitter) read(c byte) {
	pair := string([]byte{s.before, c})
	s.before = c
	switch {
	case s.inLine:
		s.inLine = c != '\n'
	case s.inString:
		s.inString = s.escaped || c != '"'
		s.escaped = !s.escaped && c == '\\'
	case pair == "/*" && (s.depth == 0 || !s.claim):
		s.depth++
		s.before = 0
	case s.depth > 0:
		if pair == "*/" {
			s.depth--
			s.before = 0
		}
	case s.claim && pair == "//":
		s.inLine = true
	default:
		s.code(c)
	}
}

// code goes over a character outside of comments and strings.
func (s *splitter) code(c byte) {
	switch c {
	case ' ', '\t', '\n', '\r', '\f', '\v', '/':
		return
	case '"':
		s.inString = !s.claim
	case '{':
		s.braces++
	case '}':
		s.braces--
	}
	s.began = true
}

// The words with which an automaton begins, and those with which one ends.
const (
	hoaWord     = "HOA:"
	neverWord   = "never"
	endMarker   = "--END--"
	abortMarker = "--ABORT--"
)

// at returns the first of the words that is next.
func (r *Reader) at(words ...string) string {
	first, err := r.in.Peek(1)
	if err != nil {
		return ""
	}
	for _, w := range words {
		if first[0] != w[0] {
			continue
		}
		if ahead, err := r.in.Peek(len(w)); err == nil && string(ahead) == w {
			return w
		}
	}
	return ""
}

// part is the text of one automaton, while it is collected.
type part struct {
	splitter
	text strings.Builder
}

// take moves n characters into the part.
func (r *Reader) take(p *part, n int) error {
	for range n {
		c, err := r.in.ReadByte()
		if err != nil {
			return err
		}
		if c == 0 {
			r.ended = true
			var errs source.List
			errs.Errorf(source.NewPart(r.name, p.text.String(), r.line-strings.Count(p.text.String(), "\n")).Span(p.text.Len(), p.text.Len()), "not-text", "there is a NUL character: this is no text").
				Help = "is it the file that was meant?"
			return errs
		}
		p.text.WriteByte(c)
		if r.column++; c == '\n' {
			r.line, r.column = r.line+1, 0
		}
		p.read(c)
	}
	if p.text.Len() > maxText {
		r.ended = true
		return source.TooLarge(r.name, maxText)
	}
	return nil
}

// split returns the text of the next automaton and whether it is a never claim. What
// is no automaton goes up to where one begins.
func (r *Reader) split() (src *source.File, claim bool, err error) {
	var p part
	line := r.line
	p.text.WriteString(strings.Repeat(" ", r.column)) // so that columns are right
	for done := false; !done; {
		n := 1
		if p.outside() {
			end := r.at(endMarker, abortMarker)
			begin := ""
			if !isLetter(p.before) && !isDigit(p.before) {
				begin = r.at(hoaWord, neverWord)
			}
			switch {
			case end != "" && !p.claim:
				n, done = len(end), true
			case begin == hoaWord && p.began, begin == neverWord && p.began && !p.claim && p.before == '\n':
				return source.NewPart(r.name, p.text.String(), line), p.claim, nil
			case begin != "" && !p.began:
				p.claim = begin == neverWord
				n = len(begin)
			}
		}
		err := r.take(&p, n)
		if err == io.EOF {
			if !p.began && p.depth == 0 {
				return nil, false, io.EOF
			}
			break
		}
		if err != nil {
			return nil, false, err
		}
		done = done || p.claim && p.braces <= 0 && p.before == '}' && p.outside()
	}
	return source.NewPart(r.name, p.text.String(), line), p.claim, nil
}
