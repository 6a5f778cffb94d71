package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/expectation"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/program/gcl"
)

// ExpectedQuestion is a question of which the author of a file says what should come out.
type ExpectedQuestion struct {
	Kind    string // "property", "progress", "safety", "deadlock", "conform"; "" is the question of a system or a query
	Name    string // of a property, or of an abstraction of a specification
	Process string // or the program of a specification; "" is the default
	Verdict string // of a system or a query: "holds" or "fails"; others are compared where they are decided
	At      source.Span
}

// Unread is what comments say that look like expectations and cannot be asked.
type Unread struct{ List source.List }

func (e *Unread) Error() string { return e.List.Error() }

// unread is an error if there are such comments: who asks what is expected asks for them.
func unread(list source.List) error {
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		list[i].Severity = source.Error
	}
	return &Unread{List: list}
}

// ExpectedQuestions returns the questions of a file by its comments: of a model, a
// specification of C programs, a system or a query, as its name says; of others, none. The
// error is that of reading, diagnostics about the text, or *Unread.
func ExpectedQuestions(ctx context.Context, name string, open Open) ([]ExpectedQuestion, error) {
	kind := source.KindOf(name)
	if kind != source.Processes && kind != source.Spec && !kind.System() && !kind.Query() {
		return nil, nil
	}
	src, err := ReadSource(name, open)
	if err != nil || !strings.Contains(strings.ToLower(src.Text()), "expect") {
		return nil, err
	}
	switch {
	case kind == source.Processes:
		return expectedOfModel(ctx, src, open)
	case kind == source.Spec:
		return expectedOfSpec(src)
	}
	return expectedOfSystem(src)
}

func expectedOfModel(ctx context.Context, src *source.File, open Open) (all []ExpectedQuestion, err error) {
	file, err := syntax.Parse(src)
	if err != nil {
		return nil, err
	}
	compiled, err := fsp.Compile(file, fsp.Options{Meter: budget.New(ctx, budget.Limits{}, nil), Import: importer(src.Name(), open)})
	if err != nil {
		return nil, err
	}
	for _, e := range compiled.AllExpectations() {
		all = append(all, ExpectedQuestion{Kind: string(e.Kind), Name: e.Name, Process: e.Process, At: e.At})
	}
	return all, unread(compiled.UnreadExpectations())
}

func expectedOfSpec(src *source.File) (all []ExpectedQuestion, err error) {
	file, err := specification.Parse(src)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Defs {
		d, ok := d.(*specification.ProgDef)
		if !ok {
			continue
		}
		for _, s := range d.Statements {
			q := ExpectedQuestion{Process: d.Name.Text, At: file.Place(s.Extent())}
			switch s := s.(type) {
			case *specification.Abstract:
				q.Kind, q.Name = "conform", s.Name.Text
			case *specification.Property:
				q.Kind, q.Name = "property", s.Name.Text
			}
			if q.Kind != "" && file.Expected(s) != "" {
				all = append(all, q)
			}
		}
		if file.Expected(d) != "" {
			all = append(all, ExpectedQuestion{Kind: "deadlock", Process: d.Name.Text, At: file.Place(d.Name.Span)})
		}
	}
	return all, unread(expectation.Unread(file.Diagnostics))
}

// comment matches, in a line of a system or a query, a comment that says what is expected: what
// stands before it, and its words.
var comment = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(.*?)(?://+|/\*+|;+|%+|\*)[ \t]*` + expectation.Prefix + `(.*)`)
})

// expectedOfSystem reads the comment of a system or a query, which asks one question: it
// stands on a line of its own. Comments behind formulas that a system declares are about these.
func expectedOfSystem(src *source.File) (all []ExpectedQuestion, err error) {
	var wrong source.List
	declared := map[int]bool{} // lines
	var properties []ExpectedQuestion
	if source.KindOf(src.Name()) == source.Commands {
		if sys, err := gcl.Parse(src); err == nil { // else whoever reads it says so
			wrong = expectation.Unread(sys.Warnings)
			for _, p := range sys.Properties {
				declared[src.Span(p.Span.End, p.Span.End).Pos().Line] = true
				if p.Expected != "" {
					properties = append(properties, ExpectedQuestion{Kind: "property", Name: p.Name, At: p.Span})
				}
			}
		}
	}
	at := 0
	for line := range strings.Lines(src.Text()) {
		span := src.Span(at, at+len(strings.TrimRight(line, "\r\n")))
		at += len(line)
		found := comment().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if found == nil || declared[span.Pos().Line] {
			continue
		}
		word, words := "", strings.Fields(strings.TrimSuffix(found[2], "*/"))
		if len(words) > 0 {
			word, _ = expectation.Next(words)
		}
		allowed := []string{expectation.Holds, expectation.Fails}
		switch {
		case !slices.Contains(allowed, word):
			wrong.Warnf(span, expectation.Unknown, "%q cannot be expected of a system", word).Help = expectation.Help(word, allowed)
		case strings.TrimSpace(found[1]) != "":
			wrong.Warnf(span, expectation.Stray, "this expectation belongs to nothing").Help = "it stands on a line of its own, and is about the whole file"
		case len(all) == 0:
			all = append(all, ExpectedQuestion{Verdict: word, At: span})
		case all[0].Verdict != word:
			wrong.Warnf(span, expectation.Stray, "something else is expected above").Help = "a file asks one question"
		}
	}
	return append(all, properties...), unread(wrong)
}
