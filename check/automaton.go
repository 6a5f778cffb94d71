package check

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Reading says what the words of an automaton that is a property are.
type Reading uint8

const (
	// AutoReading: those of a never claim are the bad ones, of others the good ones.
	AutoReading Reading = iota
	// Positive: all runs are to be accepted.
	Positive
	// Negative: no run is to be accepted.
	Negative
)

var readings = names.Of[Reading]("reading", "auto", "positive", "negative")

func (r Reading) String() string { return readings.String(r) }

// AskAutomata reads automata about the model, in the Hanoi format or never claims, each of which
// is a question. Atoms are texts of formulas without temporal operators. The error is diagnostics, or an
// *InputError.
func (m *Model) AskAutomata(src *source.File, how Reading) ([]Question, error) {
	opts, err := m.ParseOptions()
	if err != nil {
		return nil, err
	}
	var qs []Question
	var bad source.List
	reader := omega.NewReader(src.Name(), strings.NewReader(src.Text()))
	for number := 1; ; number++ {
		a, err := reader.Next()
		if err == io.EOF {
			break
		}
		text, claim := reader.Last()
		var q Question
		if err == nil {
			q, err = m.askAutomaton(a, text, claim, how, opts)
		}
		var list source.List
		switch {
		case errors.As(err, &list):
			bad = append(bad, list...)
		case err != nil:
			return nil, err
		}
		q.Text = fmt.Sprintf("automaton %d of %s", number, src.Name())
		if a != nil && a.Name() != "" {
			q.Text = fmt.Sprintf("automaton %q of %s", a.Name(), src.Name())
		}
		qs = append(qs, q)
	}
	if err := bad.Err(); err != nil {
		return nil, err
	}
	if len(qs) == 0 {
		return nil, NoAutomaton(src.Name())
	}
	return qs, nil
}

// NoAutomaton says that a text, of this name, holds none.
func NoAutomaton(name string) *InputError {
	return &InputError{Code: "no-automaton", File: name, Text: name + ": no automaton in it",
		Help: "an automaton begins with HOA: or never; seltl translate makes one of a formula"}
}

func (m *Model) askAutomaton(a *omega.Automaton, text *source.File, claim bool, how Reading, opts ltl.ParseOptions) (Question, error) {
	atoms, err := resolveAtoms(a.Atoms(), text, claim, opts)
	if err != nil {
		return Question{}, err
	}
	net, err := m.observed(ltl.MakeAnd(atoms...))
	if err != nil {
		return Question{}, err
	}
	q := Question{Kind: "automaton", net: net}
	q.Language = &product.Language{Automaton: a.Substitute(atoms), Negative: how == Negative || how == AutoReading && claim}
	what, flag := "the runs that satisfy the property", Positive
	if q.Language.Negative {
		what, flag = "the runs that violate the property", Negative
	}
	q.Reading = fmt.Sprintf("that the automaton accepts %s (--%v)", what, flag)
	return q, nil
}

// resolveAtoms returns what the names of atoms mean, each as the text of a formula without temporal
// operators.
func resolveAtoms(atoms []ltl.Atom, text *source.File, claim bool, opts ltl.ParseOptions) ([]*ltl.Formula, error) {
	var bad source.List
	resolved := make([]*ltl.Formula, len(atoms))
	for i, at := range atoms {
		span := atomSpan(text, at.Name, claim)
		f, err := ltl.ParseSpan(span, opts)
		var list source.List
		switch {
		case errors.As(err, &list):
			bad = append(bad, list...)
		case err != nil:
			return nil, err
		case !omega.Boolean(f):
			bad.Errorf(span, "no-atom", "%q has temporal operators: it is no atom", at.Name).Help =
				"an atom is a proposition, an event, deadlock, enabled(event), or a Boolean combination of these"
		}
		resolved[i] = f
	}
	return resolved, bad.Err()
}

// atomSpan finds an atom in the text of an automaton. Where it is written in another way, with
// blanks or escapes, it stands in a text of its own.
func atomSpan(text *source.File, name string, claim bool) source.Span {
	whole, from, shown := text.Text(), 0, name
	if !claim {
		from, shown = max(0, strings.Index(whole, "AP:")), `"`+name+`"`
	}
	for at := from; ; {
		i := strings.Index(whole[at:], shown)
		if i < 0 {
			return source.NewFile(text.Name()+": atom", name).Span(0, len(name))
		}
		start := at + i
		end := start + len(shown)
		switch {
		case !claim:
			return text.Span(start+1, end-1)
		case !wordAt(whole, start-1) && !wordAt(whole, end) && strings.LastIndex(whole[:start], "/*") <= strings.LastIndex(whole[:start], "*/"):
			return text.Span(start, end)
		}
		at = end
	}
}

// wordAt reports whether a word goes on at a place of a text.
func wordAt(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	c := text[at]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// passed turns the states that a run passes into those of a report.
func passed(p *product.Passed) *report.Passed {
	if p == nil {
		return nil
	}
	lists := func(sets [][]int32) [][]int32 {
		out := make([][]int32, len(sets))
		for i, set := range sets {
			out[i] = append([]int32{}, set...) // for JSON
		}
		return out
	}
	return &report.Passed{Accepted: p.Accepted, Stem: lists(p.Stem), Loop: lists(p.Loop)}
}
