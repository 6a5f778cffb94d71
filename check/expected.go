package check

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/expectation"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/program/magic"
)

// ExpectedQuestion is a question of which the author of a file says what should come out.
type ExpectedQuestion struct {
	Kind    string // "property", "progress", "safety", "deadlock", "conform"; "" is the question of a system or a query
	Name    string // of a property, or of an abstraction of a specification
	Process string // or the program of a specification; "" is the default
	Verdict string // of a system or a query: "holds" or "fails"; others are compared where they are decided
	At      source.Span
}

// ExpectedQuestions returns the questions of a file by its comments: of a model, a
// specification of C programs, a system or a query, as its name says; of others, none. The
// error is that of reading, or diagnostics about the text.
func ExpectedQuestions(ctx context.Context, name string, open Open) ([]ExpectedQuestion, error) {
	ending := filepath.Ext(name)
	ofModel := slices.Contains(ModelFiles, ending) && ending != ".aut"
	if !ofModel && !IsSpec(name) && !slices.Contains(systemFiles, ending) {
		return nil, nil
	}
	src, err := ReadSource(name, open)
	if err != nil || !strings.Contains(src.Text(), expectation.Prefix) {
		return nil, err
	}
	switch {
	case ofModel:
		return expectedOfModel(ctx, src, open)
	case IsSpec(name):
		return expectedOfSpec(src)
	}
	return expectedOfSystem(src), nil
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
	return all, nil
}

func expectedOfSpec(src *source.File) (all []ExpectedQuestion, err error) {
	file, err := magic.Parse(src)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Defs {
		d, ok := d.(*magic.ProgDef)
		if !ok {
			continue
		}
		for _, s := range d.Statements {
			q := ExpectedQuestion{Process: d.Name.Text, At: file.Place(s.Extent())}
			switch s := s.(type) {
			case *magic.Abstract:
				q.Kind, q.Name = "conform", s.Name.Text
			case *magic.Property:
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
	return all, nil
}

// expectedOfSystem reads the comment of a system or a query, which asks one question: it
// stands on a line of its own.
func expectedOfSystem(src *source.File) []ExpectedQuestion {
	at := 0
	for line := range strings.Lines(src.Text()) {
		text := strings.TrimSpace(line)
		comment := strings.TrimLeft(text, "/%;* ")
		words, _, ok := expectation.Words(comment)
		if ok && comment != text && len(words) > 0 {
			if word, _ := expectation.Next(words); word == expectation.Holds || word == expectation.Fails {
				return []ExpectedQuestion{{Verdict: word, At: src.Span(at, at+len(strings.TrimRight(line, "\r\n")))}}
			}
		}
		at += len(line)
	}
	return nil
}
