package check

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Question is a formula, or an automaton, to decide on a model.
type Question struct {
	Kind     string // "ltl", "assert" or "automaton"
	Name     string // "" for one that the model does not declare
	Text     string
	Formula  *ltl.Formula      // nil of an automaton
	Language *product.Language // nil of a formula
	// Reading says how the automaton is read.
	Reading string
	finite  bool           // the formula is about the runs that end
	Expect  report.Verdict // what the model's author expects, or ""
	At      source.Span    // where it stands, nowhere for one that is in no file
	net     *lks.Network
	// The fairness that the model declares, and whether it declares any.
	fair     []product.FairSet
	declares bool
}

// Network is what the question is asked of: the model's Composition with what the formula
// needs beside it, which are fluents, and actions that only an assert mentions.
func (q *Question) Network() *lks.Network { return q.net }

// Ask reads a formula about the model. The error is diagnostics.
func (m *Model) Ask(formula string) (Question, error) {
	opts, err := m.ParseOptions()
	if err != nil {
		return Question{}, err
	}
	f, err := ltl.Parse(source.NewFile("<formula>", formula), opts)
	if err != nil {
		return Question{}, err
	}
	return m.AskParsed(formula, f, source.Span{})
}

// AskParsed is Ask for a formula that was read already, with ParseOptions: its text, and
// where it stands.
func (m *Model) AskParsed(text string, f *ltl.Formula, at source.Span) (Question, error) {
	net, err := m.observed(f)
	return Question{Kind: "ltl", Text: text, Formula: f, At: at, net: net}, err
}

// FiniteRuns is for ParseOptions of formulas of LTLf about the runs that end. The last letter of such
// a run is that of its last state, where no event is true; behind it a run repeats that.
func FiniteRuns() *ltl.Ending { return ltl.EndingWhere(ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock})) }

// AskFinite is AskParsed for a formula that was read with FiniteRuns: does it hold of the runs that
// end? Infinite runs are left out.
func (m *Model) AskFinite(text string, f *ltl.Formula, at source.Span) (Question, error) {
	q, err := m.AskParsed(text, ltl.MakeImplies(FiniteRuns().Words(), f), at)
	q.finite = true
	return q, err
}

// Declared returns the ltl and assert declarations of the file: those of the names
// given, or all.
func (m *Model) Declared(names ...string) ([]Question, error) {
	if m.FSP == nil {
		if len(names) > 0 {
			return nil, fmt.Errorf("%s: an Aldebaran file declares no property %s", m.File, names[0])
		}
		return nil, nil
	}
	properties, err := m.properties(names)
	if err != nil {
		return nil, err
	}
	qs := make([]Question, len(properties))
	for i, p := range properties {
		qs[i] = Question{Kind: p.Kind.String(), Name: p.Name, Text: OneLine(p.Text), Formula: p.Formula, Expect: m.expected(p.Expect), At: p.At, net: p.Network}
	}
	return qs, nil
}

func (m *Model) properties(names []string) ([]*fsp.Property, error) {
	if len(names) == 0 {
		return m.FSP.Properties(m.Process)
	}
	var properties []*fsp.Property
	for _, name := range names {
		p, err := m.FSP.Property(m.Process, name)
		if err != nil {
			return nil, err
		}
		properties = append(properties, p)
	}
	return properties, nil
}

// OneLine folds white space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
