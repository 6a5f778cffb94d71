package check

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// Words are those of the text of a formula.
type Words struct {
	Text   string
	Places map[*ltl.Formula]ltl.Place // nil if they are not known
}

// wordsOf reads the text of a question again, for the places of its parts. Where that is not the
// formula that was asked, such as an assert about last actions, there are none.
func (s *session) wordsOf(q *Question) Words {
	opts, err := s.m.ParseOptions()
	if err != nil || strings.ContainsFunc(q.Text, unicode.IsControl) {
		return Words{}
	}
	f, places, err := ltl.ParsePlaces(q.Text, opts)
	if err != nil || f != q.Formula {
		return Words{}
	}
	return Words{q.Text, places}
}

// part says a subformula as it was written, or as it was read.
func (w Words) part(f *ltl.Formula) report.VacuousPart {
	part := report.VacuousPart{Formula: f.String()}
	if place, ok := w.Places[f]; ok {
		span := place.Span
		part.From, part.To = utf8.RuneCountInString(w.Text[:span.Start]), utf8.RuneCountInString(w.Text[:span.End])
		if !place.Instance {
			part.Formula = span.Text()
		}
	}
	return part
}

// named reports whether the text names events or propositions: rigid(2 > 1) does not.
func (w Words) named() bool {
	for f := range w.Places {
		if f.Op() == ltl.Atomic {
			return true
		}
	}
	return false
}

// part says what stands at a place. Where it stands at others, too, it says in what that does not.
func (v *vacuity) part(i int) report.VacuousPart {
	f := v.places[i].Formula
	part := v.words.part(f)
	if v.count(f) == 1 {
		return part
	}
	part.From, part.To = 0, 0
	for i = v.places[i].Parent; i > 0; i = v.places[i].Parent {
		if f := v.places[i].Formula; v.count(f) == 1 {
			part.In = v.words.part(f).Formula
			break
		}
	}
	return part
}

// tell says which parts never happen, and whether anything is left without them.
func (v *vacuity) tell(found *report.Vacuity) {
	all := map[int]*ltl.Formula{}
	for _, c := range v.causes {
		found.Never = append(found.Never, v.said(c))
		maps.Copy(all, c.by)
	}
	found.Whole = len(all) > 0 && v.places.Replaced(all) == ltl.T()
}

// said says of a cause that it never comes.
func (v *vacuity) said(c *cause) report.VacuousPart {
	part := v.words.part(c.formula)
	if c.match != nil {
		part = v.words.part(c.match)
		part.Formula = beforeArrow(part.Formula)
		part.To = min(part.To, part.From+utf8.RuneCountInString(part.Formula))
	} else if len(c.by) < v.count(c.formula) { // where it is not the case may be written first
		part.From, part.To = 0, 0
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

// count is at how many places of the formula, as a tree, f stands.
func (v *vacuity) count(f *ltl.Formula) int {
	if v.counts == nil {
		v.counts = ltl.CountSubformulas(v.q.Formula)
	}
	return v.counts[f]
}

// beforeArrow is the regular expression with which a formula begins: up to the brace that closes its
// first one, and what repeats it.
func beforeArrow(text string) string {
	depth, quoted := 0, false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '{':
			depth++
		case r == '}':
			if depth--; depth == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}
