package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// words are those of the text of a formula.
type words struct {
	text   string
	places map[*ltl.Formula]ltl.Place // nil if they are not known
}

// wordsOf reads the text of a question again, for the places of its parts. Where that is not the
// formula that was asked, such as an assert about last actions, there are none.
func (s *session) wordsOf(q *Question) words {
	opts, err := s.m.ParseOptions()
	if err != nil || strings.ContainsFunc(q.Text, unicode.IsControl) {
		return words{}
	}
	f, places, err := ltl.ParsePlaces(q.Text, opts)
	if err != nil || f != q.Formula {
		return words{}
	}
	return words{q.Text, places}
}

// part says a subformula as it was written, or as it was read.
func (w words) part(f *ltl.Formula) report.VacuousPart {
	part := report.VacuousPart{Formula: f.String()}
	if place, ok := w.places[f]; ok {
		span := place.Span
		part.From, part.To = utf8.RuneCountInString(w.text[:span.Start]), utf8.RuneCountInString(w.text[:span.End])
		if !place.Instance {
			part.Formula = span.Text()
		}
	}
	return part
}

// tell says which parts never happen, and whether anything is left without them.
func (v *vacuity) tell(found *report.Vacuity) {
	all := map[int]*ltl.Formula{}
	for _, c := range v.causes {
		found.Never = append(found.Never, v.said(c))
		for i, f := range c.by {
			all[i] = f
		}
	}
	found.Whole = len(all) > 0 && v.places.Replaced(all) == ltl.T()
}

// said says of a cause that it never comes.
func (v *vacuity) said(c *cause) report.VacuousPart {
	part := v.words.part(c.formula)
	if c.match != nil {
		part = v.words.part(c.match)
		// The expression is what stands before the arrow.
		if head, _, found := strings.Cut(part.Formula, "}["); found && part.To > 0 {
			part.Formula, part.To = head+"}", part.From+utf8.RuneCountInString(head)+1
		}
	}
	event := slices.ContainsFunc(ltl.Atoms(c.formula), func(a ltl.Atom) bool { return a.Kind == ltl.Event })
	switch {
	case c.match != nil && c.atStart:
		part.Says = "matches at the beginning of no run"
	case c.match != nil:
		part.Says = "never matches"
	case c.atStart:
		part.Says = "is true at the beginning of no run"
	case event && c.formula.Is(ltl.Boolean):
		part.Says = "never happens"
	default:
		part.Says = "is never true"
	}
	return part
}
