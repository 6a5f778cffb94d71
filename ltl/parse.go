package ltl

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/source"
)

// Vocabulary is what a formula may talk about: the names of a model. Names are
// canonical, with indices as dotted segments ("phil.0.eat").
type Vocabulary interface {
	// Prop reports whether there is such a proposition.
	Prop(name string) bool
	// Event reports whether there is such an action.
	Event(name string) bool
	// Indexed returns the i for which base.i is a proposition, sorted.
	Indexed(base string) []int
	// Range returns the bounds of a named range.
	Range(name string) (lo, hi int, ok bool)
	// Set returns the labels of a named set.
	Set(name string) (labels []string, ok bool)
	// Const returns the value of a named constant.
	Const(name string) (value int, ok bool)
	// Names returns all propositions and events, for suggestions.
	Names() []string
}

// Hinter is a Vocabulary that knows what to write instead of a text that it has no name for, or
// instead of a comparison of a name with a number. "" is no hint.
type Hinter interface {
	Hint(text string) string
}

// ParseOptions say what the names in a formula mean. In the zero value every
// label is an atom of kind Name.
type ParseOptions struct {
	// Vocabulary resolves names to propositions and events; names it does not
	// have are errors. It may be nil.
	Vocabulary Vocabulary
	// Events are names to be read as events where there is no vocabulary.
	Events []string
	// Silent are events of the vocabulary that tau stands for, too: those that are
	// silent for others.
	Silent []string
	// Named returns the formula that was defined under an upper-case name
	// elsewhere, or nil. It may be nil.
	Named func(name string) *Formula
	// Defined are the names that Named knows, for suggestions.
	Defined []string
	// Finite, if not nil, reads formulas of LTLf, about finite words: the result is about the infinite
	// words that stand for them.
	Finite *Ending
}

// Limits of the parser. They are far beyond what people write, and small enough
// for every recursion over a formula to stay within a few megabytes of stack.
const (
	// MaxDepth bounds the nesting of formulas: parentheses, operators in
	// operators, and the n of X[n].
	MaxDepth = 10_000
	// MaxNodes bounds the operators and atoms of a formula after quantifiers,
	// sets and bounded operators have been expanded.
	MaxNodes = 250_000
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// Parse reads one formula, which must be the whole file. The language is
// described in docs/formulas.md. The error, if any, is a source.List of
// positioned messages: the first syntax error, or all unknown names. Time is
// linear in the size of the text and of its expansion.
func Parse(src *source.File, opts ParseOptions) (*Formula, error) {
	return ParseSpan(src.Span(0, len(src.Text())), opts)
}

// ParseSpan is Parse for a part of a file; messages are positioned in the file.
func ParseSpan(span source.Span, opts ParseOptions) (*Formula, error) {
	f, _, _, err := parseSpan(span, opts, false)
	return f, err
}

// Place is where a subformula was written.
type Place struct {
	Span source.Span
	// Instance: an index stands there, of a quantifier around it.
	Instance bool
}

// ParsePlaces is ParseText, and where subformulas were written, each for the first time. Those that
// are not as they were written, such as a part of a range, have no place.
func ParsePlaces(text string, opts ParseOptions) (*Formula, map[*Formula]Place, error) {
	src := source.NewFile("<formula>", text)
	r := &resolver{src: src, opts: opts, places: map[*Formula]Place{}}
	f, _, _, err := r.parse(src.Span(0, len(text)), false)
	return f, r.places, err
}

// CheckSyntax reports the syntax error of a formula, if it has one, without a
// model: names are not resolved and nothing is expanded. The upper-case words in
// defined are names, which are not split into operator letters. The error is a
// source.List.
func CheckSyntax(span source.Span, defined []string) error {
	if err := checkUTF8(span); err != nil {
		return err
	}
	p := newParser(span, ParseOptions{Defined: defined, Named: func(word string) *Formula {
		if slices.Contains(defined, word) {
			return trueFormula // any formula: it is not looked at
		}
		return nil
	}}, false)
	p.formula()
	return p.errs.Err()
}

// ParsePrefix reads a formula from the start of the span as far as it goes and
// returns the byte offset in the file where it ended. It is meant for files in
// which other things follow a formula; a formula also ends before a line that
// starts with an upper-case word and '=', or with || and an upper-case word
// that is not in the vocabulary, because these start FSP definitions.
func ParsePrefix(span source.Span, opts ParseOptions) (f *Formula, end int, err error) {
	f, _, end, err = parseSpan(span, opts, true)
	return f, end, err
}

// parseSpan also returns the end of the formula's last token, and the start of
// the token behind it.
func parseSpan(span source.Span, opts ParseOptions, prefix bool) (f *Formula, last, next int, err error) {
	return (&resolver{src: span.File, opts: opts}).parse(span, prefix)
}

func (r *resolver) parse(span source.Span, prefix bool) (f *Formula, last, next int, err error) {
	if err := checkUTF8(span); err != nil {
		return nil, span.Start, span.Start, err
	}
	p := newParser(span, r.opts, prefix)
	n := p.formula()
	if len(p.errs) > 0 {
		return nil, p.last, p.tok.start, p.errs.Err()
	}
	f = r.resolve(n)
	if err := r.errs.Err(); err != nil {
		return nil, p.last, p.tok.start, err
	}
	return f, p.last, p.tok.start, nil
}

// ParseText is Parse of a text: the formula of a model, with its vocabulary in the
// options.
func ParseText(text string, opts ParseOptions) (*Formula, error) {
	return Parse(source.NewFile("<formula>", text), opts)
}

// ParseString reads a formula without a model: every label is an atom of kind Name.
func ParseString(text string) (*Formula, error) {
	return Parse(source.NewFile("<formula>", text), ParseOptions{})
}

// MustParse is ParseString for formulas that are known to be right; it panics
// if they are not.
func MustParse(text string) *Formula {
	f, err := ParseString(text)
	if err != nil {
		panic("ltl.MustParse: " + err.Error())
	}
	return f
}

// Located is a formula and where it was read.
type Located struct {
	Formula *Formula
	Span    source.Span // without blanks and comments around it
}

// ParseAll reads a file with one formula in each line. Blank lines and comments
// (# or // to the end of the line) are skipped. All lines are read even if some
// have errors; the error is then a source.List, and the result what the others say.
func ParseAll(src *source.File, opts ParseOptions) ([]Located, error) {
	if err := checkUTF8(src.Span(0, len(src.Text()))); err != nil {
		return nil, err
	}
	var all []Located
	var errs source.List
	text := src.Text()
	for start := 0; start < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		s := scanner{text: text, end: end}
		if first := s.skip(start, true); first < end {
			f, last, _, err := parseSpan(src.Span(first, end), opts, false)
			if list, ok := err.(source.List); ok {
				errs = append(errs, list...)
			} else {
				all = append(all, Located{Formula: f, Span: src.Span(first, last)})
			}
		}
		start = end + 1
	}
	return all, errs.Err()
}

func checkUTF8(span source.Span) error {
	text := span.Text()
	if utf8.ValidString(text) {
		return nil
	}
	at := 0
	for {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	var errs source.List
	at += span.Start
	errs.Errorf(span.File.Span(at, at+1), "invalid-utf8", "the text is not valid UTF-8").
		Help = "save the file as UTF-8"
	return errs.Err()
}
