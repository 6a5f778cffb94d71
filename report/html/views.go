package html

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/report"
)

// result is what the template shows of a result.
type result struct {
	*report.Result
	Number     int
	Answer     string
	Class      string // of the verdict, for the style
	Title      string
	Remark     string
	Reason     string
	Statistics string
	Never      string
	Notes      []string
	Facts      [][2]string
	Profile    []report.ProfileLine
	Run        *run
	Pictures   []picture
}

// run is what is shown of a counterexample without the script.
type run struct {
	*report.Counterexample
	Program    bool
	Walked     bool // by somebody; it shows nothing
	Several    bool // components
	Rows       []row
	Conclusion []said
	States     []int // for the heads of the table of truth
}

// said is a line of a conclusion; an inner one belongs to the line before it.
type said struct {
	Text  string
	Inner bool
}

// row is a state, with the step that leads to it.
type row struct {
	report.Row
	Initial bool
	Bad     bool
	State   *report.State
	Event   string
	Passed  string // by the automaton that is the property
	Before  int    // the number of the state before the step
	Moves   []string
}

// Place is where a step of a program is, without the folder of the file.
func (r row) Place() string { return filepath.Base(r.Event) }

// picture is a drawing that may stand in the document.
type picture struct {
	Title  string
	SVG    template.HTML
	Number int // in Report.Pictures; -1: none of them
	Graph  bool
}

// title is the name of the document.
func (p *Page) title() string {
	r := p.Report
	what := "seltl " + r.Command
	switch {
	case p.Subject != "":
		what += " " + p.Subject
	case r.Model != nil:
		what += " " + cmp.Or(r.Model.File, r.Model.Process)
	case len(p.Made) > 0 && len(p.Sources) == 0:
		what += " " + p.Made[0].Title
		if more := len(p.Made) - 1; more > 0 {
			what += fmt.Sprintf(" and %d more", more)
		}
	case len(p.Sources) == 2:
		what += " " + p.Sources[0].Name + " " + p.Sources[1].Name
	case len(p.Sources) > 0:
		what += " " + p.Sources[0].Name
		if more := len(p.Sources) - 1; more > 0 {
			what += " and " + report.Counted(int64(more), "other file")
		}
	case len(r.Results) > 0 && r.Results[0].Name != "":
		what += " " + r.Results[0].Name
	}
	return what
}

func (p *Page) result(i int) *result {
	r := &p.Report.Results[i]
	v := &result{Result: r, Number: i, Answer: strings.TrimSpace(r.Answer()), Title: cmp.Or(r.Subject(), "reachable states"), Class: string(r.Verdict), Reason: r.Reason}
	if r.Kind == "run" {
		v.Title, v.Reason = "stepped through", "" // not unknown
	}
	switch {
	case r.AsExpected == nil:
	case *r.AsExpected:
		v.Remark = "as expected"
	case r.Verdict == r.Expected:
		v.Remark = "expected, but not this way"
	default:
		v.Remark = "expected: " + r.ExpectedAnswer()
	}
	if vacuous := r.Vacuous(); vacuous != "" {
		v.Remark = strings.TrimPrefix(v.Remark+"; "+vacuous, "; ")
	}
	if r.Statistics != nil {
		v.Statistics = r.Statistics.String()
	}
	if len(r.Never) > 0 {
		v.Never = strings.Join(r.Never, ", ")
	}
	for line := range strings.SplitSeq(r.Note, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			v.Notes = append(v.Notes, line)
		}
	}
	v.Notes = append(v.Notes, r.Vacuity.Lines()...)
	if r.Profile != nil {
		v.Profile = r.Profile.Lines()
	}
	for _, f := range r.Invariant {
		v.Facts = append(v.Facts, [2]string{f.Location, cmp.Or(f.Formula, fmt.Sprintf("a term of %d nodes", f.Nodes))})
	}
	if c := r.Counterexample; c != nil {
		v.Run = newRun(c)
		v.Run.Walked = r.Kind == "run"
		v.addPicture("Sequence chart", false, func(w *bytes.Buffer) error {
			return c.SVG(w, r.PictureTitle())
		})
		if c.WaitsForOthers() {
			v.addPicture("Who waits for whom", true, func(w *bytes.Buffer) error { return c.WaitForSVG(w) })
		}
	}
	v.Pictures = append(v.Pictures, p.pictures(i)...)
	return v
}

// addPicture adds a drawing that report makes: of a graph, or one on white.
func (v *result) addPicture(title string, graph bool, draw func(*bytes.Buffer) error) {
	var b bytes.Buffer
	if err := draw(&b); err != nil {
		return
	}
	if svg, ok := plainDrawing(b.Bytes(), title); ok {
		v.Pictures = append(v.Pictures, picture{Title: title, SVG: svg, Number: -1, Graph: graph})
	}
}

// pictures are those of a result, or of the model.
func (p *Page) pictures(of int) (all []picture) {
	for i, drawn := range p.Report.Pictures {
		if drawn.Result != of {
			continue
		}
		if svg, ok := plainDrawing(drawn.SVG, drawn.Title); ok {
			all = append(all, picture{Title: drawn.Title, SVG: svg, Number: i, Graph: true})
		}
	}
	return all
}

func newRun(c *report.Counterexample) *run {
	v := &run{Counterexample: c, Program: c.Kind == "program", Several: len(c.Components) > 1}
	told := *c
	if len(c.Waiting) > 0 { // the document says it itself
		told.Note = ""
	}
	for _, line := range told.Conclusion() {
		text := strings.TrimSpace(line)
		v.Conclusion = append(v.Conclusion, said{text, line != text})
	}
	bad := func(n int) bool { return c.Bad != nil && c.Bad.State == n }
	if !v.Program {
		v.Rows = append(v.Rows, row{Initial: true, State: &c.Initial, Bad: bad(0)})
	}
	in := c.PassedStates()
	passed := func(state int) string {
		if state < len(in) {
			return in[state]
		}
		return ""
	}
	if len(v.Rows) > 0 {
		v.Rows[0].Passed = passed(0)
	}
	for _, r := range c.Rows() {
		line := row{Row: r, State: &r.Step.State, Event: cmp.Or(r.Step.Event, "(nothing)"), Bad: bad(r.Number), Passed: passed(r.Number), Before: r.Before}
		for _, ch := range r.Changed {
			line.Moves = append(line.Moves, fmt.Sprintf("%s: %s → %s", ch.Component, ch.From, ch.To))
		}
		for _, name := range r.Unchanged() {
			line.Moves = append(line.Moves, name+" takes part unchanged")
		}
		if by := r.By(); by != "" {
			line.Moves = append(line.Moves, by)
		}
		v.Rows = append(v.Rows, line)
	}
	if c.Truth != nil && len(c.Truth.Parts) > 0 {
		for i := range c.Truth.Parts[0].Holds {
			v.States = append(v.States, i)
		}
	}
	return v
}

// Signs are the truth of a part in each state, for the table.
func (*run) Signs(p report.Part) (all []sign) {
	for _, s := range p.Holds {
		all = append(all, map[rune]sign{report.HoldsThere: {"+", "yes", "holds"}, report.FailsThere: {"−", "no", "fails"},
			report.DependsThere: {"?", "open", "depends on what follows"}}[s])
	}
	return all
}

// sign is a truth: as it is written, for the style, and as it is read out.
type sign struct{ Sign, Class, Says string }
