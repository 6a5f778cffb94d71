// Package source holds input texts, positions in them, and the diagnostics
// that every parser of seltl reports.
//
// A Diagnostic points at a Span of a File and renders as
//
//	model.lks:3:14: error: unknown process "BUFFR"
//	    3 | ||SYS = (BUFFR || USER).
//	      |          ^^^^^
//	    help: did you mean "BUFFER"?
//
// Columns count characters, not bytes. Nothing here knows what is parsed.
package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// File is a named text with a table of its lines. It is immutable and safe for
// concurrent use.
type File struct {
	name  string
	text  string
	lines []int // byte offset of the start of each line; lines[0] == 0
	marks []mark
	above int // lines before the text, where it is a part of a longer one
}

// mark is a character inside of a long line, and its column from 0, so that columns are not
// counted from the beginning of the line each time; every apart bytes there is one.
type mark struct{ at, column int }

const apart = 1 << 10

// NewFile makes a File. The name is what diagnostics print: a path, or
// something like "<formula>" for text that came from elsewhere.
func NewFile(name, text string) *File {
	f := &File{name: name, text: text, lines: []int{0}}
	last := mark{}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			f.lines = append(f.lines, i+1)
			last = mark{at: i + 1}
		case i-last.at >= apart && utf8.RuneStart(text[i]):
			last = mark{i, last.column + utf8.RuneCountInString(text[last.at:i])}
			f.marks = append(f.marks, last)
		}
	}
	return f
}

// NewPart makes a File of a part of a text that begins with the line of this
// number, from 1, so that positions are those in the whole.
func NewPart(name, text string, line int) *File {
	f := NewFile(name, text)
	f.above = line - 1
	return f
}

// Name returns the name given to NewFile.
func (f *File) Name() string { return f.name }

// Text returns the whole text.
func (f *File) Text() string { return f.text }

// Span returns the half-open byte range [start, end) of f, clamped to the text.
func (f *File) Span(start, end int) Span {
	start = min(max(start, 0), len(f.text))
	end = min(max(end, start), len(f.text))
	return Span{File: f, Start: start, End: end}
}

// Position is a place for people: Line and Column start at 1 and Column counts
// characters.
type Position struct {
	Line, Column int
}

// position converts a byte offset (clamped to the text).
func (f *File) position(offset int) Position {
	offset = min(max(offset, 0), len(f.text))
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }) - 1
	from := mark{at: f.lines[line]}
	if i := sort.Search(len(f.marks), func(i int) bool { return f.marks[i].at > offset }) - 1; i >= 0 && f.marks[i].at > from.at {
		from = f.marks[i]
	}
	return Position{
		Line:   f.above + line + 1,
		Column: from.column + utf8.RuneCountInString(f.text[from.at:offset]) + 1,
	}
}

// line returns the text of a line (from 1) without its line end, or "" if there
// is no such line.
func (f *File) line(line int) string {
	line -= f.above
	if line < 1 || line > len(f.lines) {
		return ""
	}
	end := len(f.text)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	return strings.TrimSuffix(f.text[f.lines[line-1]:end], "\r")
}

// Span is a half-open range of bytes [Start, End) of a File. The zero Span is
// "nowhere": diagnostics at it print without a position.
type Span struct {
	File       *File
	Start, End int
}

// Valid reports whether the span points into a file.
func (s Span) Valid() bool { return s.File != nil }

// Text returns the text that the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.text[s.Start:s.End]
}

// Place is FILE:LINE:COLUMN, where the span begins; "" of one that is not valid.
func (s Span) Place() string {
	if s.File == nil {
		return ""
	}
	pos := s.Pos()
	return fmt.Sprintf("%s:%d:%d", s.File.name, pos.Line, pos.Column)
}

// Pos returns the position of the span's start.
func (s Span) Pos() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.position(s.Start)
}
