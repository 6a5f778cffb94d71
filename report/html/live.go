package html

import (
	"bytes"
	"encoding/json"
	"html/template"

	"github.com/seltl/seltl/internal/lists"
)

// Part is what a page that is already there shows of a report.
type Part struct {
	// HTML is the results, as they are in a document: everything of a model in it is text.
	HTML template.HTML `json:"html"`
	// Report and Cuts are for run.js, as in a document.
	Report any `json:"report"`
	Cuts   any `json:"cuts"`
}

// Part returns the results of a page and what makes their runs live. The page that shows them
// has report.css and run.js. The error is that of a report that is no JSON.
func (p *Page) Part() (*Part, error) {
	shown, cuts := shortened(p.Report)
	if _, err := json.Marshal(shown); err != nil {
		return nil, err
	}
	t, err := parsed()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i := range p.Report.Results {
		if err := t.ExecuteTemplate(&out, "result", p.result(i)); err != nil {
			return nil, err
		}
	}
	return &Part{HTML: template.HTML(out.String()), Report: shown, Cuts: cuts}, nil
}

// Span is a part of a text, in bytes, with what it is: "keyword", "name", "action", "number",
// "string" or "comment".
type Span struct {
	Start, End int
	Class      string
}

// Highlight finds what is highlighted in a text, by the language that the file's name says, in
// the order of the text. Time is linear in its length.
func Highlight(name, source string) []Span {
	return lists.Append(nil, spansOf(name, source), func(s span) Span { return Span{s.start, s.end, s.class} })
}
