package source

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Severity of a diagnostic.
type Severity uint8

const (
	// Error: the input cannot be used.
	Error Severity = iota
	// Warning: the input can be used, but probably means something else than
	// its author thinks.
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Diagnostic is one message about an input.
type Diagnostic struct {
	Severity Severity
	Code     string // stable, lower-case with hyphens ("unknown-process"); never empty for parsers
	Span     Span
	Message  string // no position, no final full stop
	Help     string // what to do about it, "" if unknown
	// Limit: nothing is wrong with the input, but what it describes exceeds a limit.
	Limit   bool
	Related []Related
}

// Related is a second place that a diagnostic talks about ("first declared
// here").
type Related struct {
	Span    Span
	Message string
}

// Error renders the diagnostic in one line, without the source text.
func (d Diagnostic) Error() string {
	var b strings.Builder
	writePos(&b, d.Span)
	kind := d.Severity.String()
	if d.Limit {
		kind = "unknown"
	}
	fmt.Fprintf(&b, "%s: %s", kind, Shown(d.Message))
	return b.String()
}

func writePos(b *strings.Builder, s Span) {
	if !s.Valid() {
		return
	}
	p := s.Pos()
	fmt.Fprintf(b, "%s:%d:%d: ", s.File.name, p.Line, p.Column)
}

// maxShown is the longest part of a source line that is printed, in characters:
// enough for any line that a person wrote, short enough for a megabyte of
// garbage in one line.
const maxShown = 100

// Render renders the diagnostic as the package comment shows, ending in a
// newline. Control characters of the source are printed as '.'.
func (d Diagnostic) Render() string { return d.render(0) }

// render is Render with the message and the help wrapped at a width, 0 for not at all.
func (d Diagnostic) render(width int) string {
	var b strings.Builder
	b.WriteString(Wrap(d.Error(), width, 4))
	b.WriteByte('\n')
	writeExcerpt(&b, d.Span)
	for _, r := range d.Related {
		b.WriteString("  ")
		writePos(&b, r.Span)
		b.WriteString(Shown(r.Message))
		b.WriteByte('\n')
		writeExcerpt(&b, r.Span)
	}
	if d.Help != "" {
		b.WriteString(Wrap("    help: "+Shown(d.Help), width, 10))
		b.WriteByte('\n')
	}
	return b.String()
}

// writeExcerpt writes the first source line of the span with carets under it.
func writeExcerpt(b *strings.Builder, s Span) {
	if !s.Valid() || s.File.text == "" {
		return
	}
	pos := s.Pos()
	line := s.File.line(pos.Line)
	lineStart := s.File.lines[pos.Line-1-s.File.above]
	before := line[:min(max(s.Start-lineStart, 0), len(line))]
	marked := line[len(before):min(max(s.End-lineStart, len(before)), len(line))]
	col := utf8.RuneCountInString(before)
	width := max(utf8.RuneCountInString(marked), 1)

	// A window of the line around the span, so that a very long line stays readable.
	runes := []rune(line)
	from := 0
	if col > maxShown*2/3 {
		from = col - maxShown/2
	}
	to := min(len(runes), from+maxShown)
	shown := make([]rune, 0, to-from+2)
	if from > 0 {
		shown = append(shown, '…')
	}
	for _, r := range runes[min(from, to):to] {
		switch {
		case r == '\t':
			r = ' '
		case r == utf8.RuneError || unicode.IsControl(r):
			r = '.'
		}
		shown = append(shown, r)
	}
	if to < len(runes) {
		shown = append(shown, '…')
	}
	indent := col - from
	if from > 0 {
		indent++
	}
	width = min(width, max(1, maxShown+2-indent))
	number := fmt.Sprintf("%5d", pos.Line)
	fmt.Fprintf(b, "%s | %s\n", number, string(shown))
	fmt.Fprintf(b, "%s | %s%s\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", indent), strings.Repeat("^", width))
}

// List is the diagnostics of one run of a parser or checker. As an error it
// prints its first entry and how many more there are; Render prints all.
type List []Diagnostic

// Errorf appends an error.
func (l *List) Errorf(span Span, code, format string, args ...any) *Diagnostic {
	*l = append(*l, Diagnostic{Severity: Error, Code: code, Span: span, Message: fmt.Sprintf(format, args...)})
	return &(*l)[len(*l)-1]
}

// Warnf appends a warning.
func (l *List) Warnf(span Span, code, format string, args ...any) *Diagnostic {
	d := l.Errorf(span, code, format, args...)
	d.Severity = Warning
	return d
}

// HasErrors reports whether any entry is an error, not just a warning.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error })
}

// Limited reports whether there are errors and all say that a limit was exceeded.
func (l List) Limited() bool {
	return l.HasErrors() && !slices.ContainsFunc(l, func(d Diagnostic) bool { return d.Severity == Error && !d.Limit })
}

// Err returns nil if no entry is an error, else the sorted list of all entries.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	l.Sort()
	return l
}

// Sort orders the entries by file and position, stably.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		if a.Span.File != b.Span.File {
			an, bn := "", ""
			if a.Span.File != nil {
				an = a.Span.File.name
			}
			if b.Span.File != nil {
				bn = b.Span.File.name
			}
			return strings.Compare(an, bn)
		}
		return a.Span.Start - b.Span.Start
	})
}

func (l List) Error() string {
	switch len(l) {
	case 0:
		return "no errors"
	case 1:
		return l[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", l[0].Error(), len(l)-1)
}

// maxRendered bounds how many diagnostics one run prints.
const maxRendered = 20

// Render writes every diagnostic (at most 20, then how many are left) to w.
func (l List) Render(w io.Writer) { l.RenderWidth(w, 0) }

// RenderWidth is Render for a screen of that width, 0 for no bound.
func (l List) RenderWidth(w io.Writer, width int) {
	for i, d := range l {
		if i == maxRendered {
			fmt.Fprintf(w, "... and %d more\n", len(l)-i)
			return
		}
		io.WriteString(w, d.render(width))
	}
}

// Suggest returns the known name nearest to name by edit distance (ignoring
// case), or "" if none is near enough to be a likely typing mistake. Ties go to
// the first in known.
func Suggest(name string, known []string) string {
	best, bestDistance := "", len(name)/3+2
	lower := []rune(strings.ToLower(name))
	for _, k := range known {
		if k == name {
			continue
		}
		if d := editDistance(lower, []rune(strings.ToLower(k)), bestDistance); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// DidYouMean is Suggest as a help text: `did you mean "x"?`, or "".
func DidYouMean(name string, known []string) string {
	if s := Suggest(name, known); s != "" {
		return fmt.Sprintf("did you mean %q?", s)
	}
	return ""
}

// Distance is how many typing mistakes lie between two names: the optimal-string-alignment distance of
// their runes (a rune left out, put in, another one, or two neighbours exchanged).
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	return editDistance(x, y, max(len(x), len(y))+1)
}

// editDistance is the optimal-string-alignment distance (insert, delete,
// replace, swap neighbours) of a and b, or limit if it is at least limit.
func editDistance(a, b []rune, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit)
}
