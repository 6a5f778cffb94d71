package check

import (
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/report"
)

// SplitWarnings separates the warnings that are shown in any case: what makes the
// verdicts speak of another system than was meant.
func SplitWarnings(warnings source.List) (grave, other source.List) {
	for _, w := range warnings {
		if w.Code == fsp.SwappedRelabelling || w.Code == fsp.UncheckedProperty {
			grave = append(grave, w)
		} else {
			other = append(other, w)
		}
	}
	return grave, slices.Clip(other)
}

// Messages turns diagnostics into the report's messages.
func Messages(list source.List) []report.Message {
	var out []report.Message
	for _, d := range list {
		m := report.Message{Severity: d.Severity.String(), Code: d.Code, Text: d.Message, Help: d.Help}
		if d.Span.Valid() {
			pos := d.Span.Pos()
			m.File, m.Line, m.Column = d.Span.File.Name(), pos.Line, pos.Column
		}
		out = append(out, m)
	}
	return out
}

// Placed says in a result where its property stands.
func Placed(r *report.Result, at source.Span) {
	if at.Valid() {
		pos := at.Pos()
		r.File, r.Line, r.Column = at.File.Name(), pos.Line, pos.Column
	}
}
