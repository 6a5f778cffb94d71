package formulas

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Listed is a formula with where it comes from, on its way to an answer or a list.
type Listed struct {
	Written
	File              string // "" if it comes from none
	Line              int
	Before, After     string // the columns around it in a file of columns, with their separators
	Family, Arguments string // of a scalable family
}

// File says how to read a file of formulas.
type File struct {
	Name string
	// Column is the column of a file of comma-separated values, from 1; 0 is the whole line.
	Column    int
	Header    bool // the first line names the columns
	Separator byte // between columns; 0 is a comma
	Syntax    ltl.Syntax
	Finite    *ltl.Ending // how formulas about finite words are read, nil for others
}

var columnSuffix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+)/(-?)([1-9][0-9]*)$`) })

// ParseFile reads FILE, FILE/COLUMN, or FILE/-COLUMN, where the first line is a header.
// A file that has such a name wins.
func ParseFile(text string, isFile func(string) bool) File {
	m := columnSuffix().FindStringSubmatch(text)
	if m == nil || isFile(text) {
		return File{Name: text}
	}
	column, err := strconv.Atoi(m[3])
	if err != nil {
		return File{Name: text}
	}
	return File{Name: m[1], Column: column, Header: m[2] == "-"}
}

// Field is what a line of a file holds: all of it, or a column.
type Field struct {
	Line          int
	Text          string       // without blanks around it, and quotes
	Before, After string       // the columns around it, with their separators
	Source        *source.File // the line up to its end, for messages
	At            source.Span  // where it is in Source
}

// Each calls yield for every formula of the file as soon as it has read its line: a stream may
// be without an end. Lines that cannot be read go to bad, as errors with positions, and are
// passed over. Each returns the first error of yield, or that the file cannot be read.
func (ff File) Each(open check.Open, yield func(Listed) error, bad func(error)) error {
	return ff.EachField(open, func(d Field) error {
		f, err := ltl.ParseFinite(d.Source, ff.Syntax, ff.Finite)
		if err != nil {
			bad(err)
			return nil
		}
		item := Listed{File: ff.title(), Line: d.Line, Before: d.Before, After: d.After}
		item.Formula, item.Text, item.At = f, d.Text, d.At
		return yield(item)
	}, bad)
}

// title is what messages call the file.
func (ff File) title() string {
	if ff.Name == "-" {
		return "<stdin>"
	}
	return ff.Name
}

// EachField is Each for files whose lines hold something else than formulas.
func (ff File) EachField(open check.Open, yield func(Field) error, bad func(error)) error {
	if open == nil {
		open = check.OpenFile
	}
	r, err := open(ff.Name)
	if err != nil {
		return err
	}
	defer r.Close()
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := readLine(in)
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			var errs source.List
			errs.Errorf(source.NewPart(ff.title(), "", line).Span(0, 0), "too-large", "the line has more than %d MiB, which is the most that is read", source.MaxText>>20).
				Help = "is it the file that was meant?"
			return errs
		case err != nil && !errors.Is(err, io.EOF):
			return check.FileError(ff.title(), err)
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		if field, wrong := ff.line(text, line); wrong != nil {
			bad(wrong)
		} else if field != nil {
			if err := yield(*field); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// readLine reads a line with its end; the error is bufio.ErrTooLong for one of more than
// source.MaxText bytes.
func readLine(in *bufio.Reader) (string, error) {
	var line strings.Builder
	for {
		part, err := in.ReadSlice('\n')
		if line.Len()+len(part) > source.MaxText {
			return "", bufio.ErrTooLong
		}
		if line.Write(part); !errors.Is(err, bufio.ErrBufferFull) {
			return line.String(), err
		}
	}
}

// line reads one line; both results are nil if there is nothing in it.
func (ff File) line(text string, line int) (*Field, error) {
	d := &Field{Line: line, Text: strings.TrimSpace(text)}
	switch {
	case d.Text == "" || ff.Column == 0 && (d.Text[0] == '#' || strings.HasPrefix(d.Text, "//")) || line == 1 && ff.Header:
		return nil, nil
	case ff.Column > 0:
		sep := ff.Separator
		if sep == 0 {
			sep = ','
		}
		fields := splitColumns(text, sep)
		if len(fields) < ff.Column {
			var errs source.List
			errs.Errorf(source.NewPart(ff.title(), text, line).Span(0, len(text)), "no-column", "there is no column %d in this line", ff.Column).
				Help = "columns are counted from 1 and separated by " + strconv.QuoteRune(rune(sep))
			return nil, errs.Err()
		}
		field := fields[ff.Column-1]
		d.Before, d.After = text[:field.start], text[field.end:]
		if d.Text = strings.TrimSpace(text[field.start:field.end]); strings.HasPrefix(d.Text, `"`) && field.quoted {
			d.Text = strings.ReplaceAll(d.Text[1:max(1, len(d.Text)-1)], `""`, `"`)
		}
		// Blanks stand for the columns before, so that messages have the right positions
		// (but behind doubled quotes).
		at := field.start + strings.Index(text[field.start:field.end], d.Text)
		d.Source = source.NewPart(ff.title(), strings.Repeat(" ", utf8.RuneCountInString(text[:max(at, field.start)]))+d.Text, line)
	default:
		d.Source = source.NewPart(ff.title(), strings.TrimRight(text, " \t"), line)
	}
	d.At = d.Source.Span(strings.Index(d.Source.Text(), d.Text), len(d.Source.Text()))
	return d, nil
}

// column is where a field stands in a line.
type column struct {
	start, end int
	quoted     bool
}

// splitColumns splits a line of comma-separated values (RFC 4180).
func splitColumns(line string, separator byte) []column {
	var fields []column
	at := column{}
	inside := false
	for i := range len(line) {
		switch c := line[i]; {
		case c == '"' && (inside || strings.TrimSpace(line[at.start:i]) == ""):
			at.quoted, inside = true, !inside
		case c == '"' && at.quoted && line[i-1] == '"': // a doubled quote opens again
			inside = true
		case c == separator && !inside:
			at.end = i
			fields = append(fields, at)
			at = column{start: i + 1}
		}
	}
	at.end = len(line)
	return append(fields, at)
}

// QuoteColumn writes a text as one column: in quotes if it has one, or a separator.
func QuoteColumn(text string, separator byte) string {
	if strings.IndexByte(text, separator) < 0 && !strings.ContainsAny(text, "\"\n") {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
