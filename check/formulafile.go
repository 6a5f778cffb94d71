package check

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// ListedFormula is a formula with where it comes from, on its way to an answer or a list.
type ListedFormula struct {
	FormulaText
	File              string // "" if it comes from none
	Line              int
	Before, After     string // the columns around it in a file of columns, with their separators
	Family, Arguments string // of a scalable family
}

// FormulaFile says how to read a file of formulas.
type FormulaFile struct {
	Name string
	// Column is the column of a file of comma-separated values, from 1; 0 is the whole line.
	Column    int
	Header    bool // the first line names the columns
	Separator byte // between columns; 0 is a comma
	Syntax    ltl.Syntax
	Finite    *ltl.Ending // how formulas about finite words are read, nil for others
}

var columnSuffix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+)/(-?)([1-9][0-9]*)$`) })

// ParseFormulaFile reads FILE, FILE/COLUMN, or FILE/-COLUMN, where the first line is a header.
// A file that has such a name wins.
func ParseFormulaFile(text string, isFile func(string) bool) FormulaFile {
	m := columnSuffix().FindStringSubmatch(text)
	if m == nil || isFile(text) {
		return FormulaFile{Name: text}
	}
	column, err := strconv.Atoi(m[3])
	if err != nil {
		return FormulaFile{Name: text}
	}
	return FormulaFile{Name: m[1], Column: column, Header: m[2] == "-"}
}

// Each calls yield for every formula of the file as soon as it has read its line: a stream may
// be without an end. Lines that cannot be read go to bad, as errors with positions, and are
// passed over. Each returns the first error of yield, or that the file cannot be read.
func (ff FormulaFile) Each(open Open, yield func(ListedFormula) error, bad func(error)) error {
	if open == nil {
		open = OpenFile
	}
	r, err := open(ff.Name)
	if err != nil {
		return err
	}
	defer r.Close()
	name := ff.Name
	if name == "-" {
		name = "<stdin>"
	}
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return FileError(name, err)
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		if item, wrong := ff.line(name, text, line); wrong != nil {
			bad(wrong)
		} else if item != nil {
			if err := yield(*item); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// line reads one line; both results are nil if there is no formula in it.
func (ff FormulaFile) line(name, text string, line int) (*ListedFormula, error) {
	item := &ListedFormula{File: name, Line: line}
	src := source.NewPart(name, text, line)
	formula := strings.TrimSpace(text)
	switch {
	case formula == "" || ff.Column == 0 && (formula[0] == '#' || strings.HasPrefix(formula, "//")) || line == 1 && ff.Header:
		return nil, nil
	case ff.Column > 0:
		sep := ff.Separator
		if sep == 0 {
			sep = ','
		}
		fields := splitColumns(text, sep)
		if len(fields) < ff.Column {
			var errs source.List
			errs.Errorf(src.Span(0, len(text)), "no-column", "there is no column %d in this line", ff.Column).
				Help = "columns are counted from 1 and separated by " + strconv.QuoteRune(rune(sep))
			return nil, errs.Err()
		}
		field := fields[ff.Column-1]
		item.Before, item.After = text[:field.start], text[field.end:]
		if formula = strings.TrimSpace(text[field.start:field.end]); strings.HasPrefix(formula, `"`) && field.quoted {
			formula = strings.ReplaceAll(formula[1:max(1, len(formula)-1)], `""`, `"`)
		}
		// Blanks stand for the columns before, so that messages have the right positions
		// (but behind doubled quotes).
		at := field.start + strings.Index(text[field.start:field.end], formula)
		src = source.NewPart(name, strings.Repeat(" ", utf8.RuneCountInString(text[:max(at, field.start)]))+formula, line)
	default:
		src = source.NewPart(name, strings.TrimRight(text, " \t"), line)
	}
	f, err := ltl.ParseFinite(src, ff.Syntax, ff.Finite)
	if err != nil {
		return nil, err
	}
	item.Formula, item.Text, item.At = f, formula, src.Span(strings.Index(src.Text(), formula), len(src.Text()))
	return item, nil
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
