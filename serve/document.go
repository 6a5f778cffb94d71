package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/aut"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/lks/fsp/types"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
	"github.com/seltl/seltl/specs"
)

// document is the text of an editor, with what is meant of it.
type document struct {
	Name    string         `json:"name"`
	Text    string         `json:"text"`
	From    string         `json:"from"` // where it comes from: fromExamples, or the folder
	Process string         `json:"process"`
	Params  map[string]int `json:"params"`
}

const fromExamples = "examples"

// mostLabels bounds labels and sets of a text that is being typed.
const mostLabels = 200_000

// usable says what is wrong with a document as a whole.
func (s *Server) usable(d *document) error {
	switch {
	case len(d.Text) > s.opts.Model:
		return failed(http.StatusRequestEntityTooLarge, "too-large", "the model is larger than "+budget.FormatBytes(int64(s.opts.Model)), "check it on the command line")
	case !isModel(d.Name):
		return failed(http.StatusUnprocessableEntity, "file", fmt.Sprintf("%q is no name for a model", d.Name), "its name is to end in "+strings.Join(check.ModelFiles, ", "))
	case !utf8.ValidString(d.Text):
		return failed(http.StatusUnprocessableEntity, "bad-encoding", "the text is not UTF-8", "")
	}
	return nil
}

// open opens the document, and what it imports.
func (s *Server) open(d *document) check.Open {
	return func(name string) (io.ReadCloser, error) {
		switch {
		case name == d.Name:
			return io.NopCloser(strings.NewReader(d.Text)), nil
		case d.From == fromExamples:
			text, err := specs.Examples.ReadFile(path.Clean(name))
			if err != nil {
				return nil, &check.InputError{Code: "no-such-file", File: name, Text: name + ": there is no such example"}
			}
			return io.NopCloser(bytes.NewReader(text)), nil
		}
		return s.folder.open(name)
	}
}

// load compiles a document.
func (s *Server) load(ctx context.Context, d *document, limits budget.Limits) (*check.Model, error) {
	if err := s.usable(d); err != nil {
		return nil, err
	}
	return check.Load(ctx, d.Name, check.LoadOptions{Process: d.Process, Params: d.Params, Open: s.open(d), Limits: limits})
}

// reading is what a page is told about a document.
type reading struct {
	Messages   []message     `json:"messages"`
	Marks      [][3]any      `json:"marks"` // start, end, class of what is highlighted
	Processes  []process     `json:"processes"`
	Process    string        `json:"process"` // that is meant
	Properties []property    `json:"properties"`
	Constants  []constant    `json:"constants"`
	Model      *report.Model `json:"model,omitempty"` // none: it has mistakes
}

type process struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	Line int    `json:"line"`
}

type property struct {
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Text   string `json:"text,omitempty"`
	Line   int    `json:"line,omitempty"`
	Expect string `json:"expect,omitempty"`
	// Outside says of a process that the one which is checked does not contain it.
	Outside bool `json:"outside,omitempty"`
}

type constant struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// message is a diagnostic. Start and End are its place in the text, in the units of
// JavaScript; both are 0 if it is about none.
type message struct {
	report.Message
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Related []string `json:"related,omitempty"`
}

// mostMessages bounds the messages about a text.
const mostMessages = 100

// messagesOf says diagnostics with their places.
func messagesOf(list source.List) []message {
	list = list[:min(len(list), mostMessages)]
	all := []message{}
	places := map[*source.File]*units{}
	for i, m := range check.Messages(list) {
		out := message{Message: m}
		if span := list[i].Span; span.Valid() {
			if places[span.File] == nil {
				places[span.File] = newUnits(span.File.Text())
			}
			out.Start, out.End = places[span.File].at(span.Start), places[span.File].at(span.End)
		}
		for _, r := range list[i].Related {
			text := r.Message
			if r.Span.Valid() {
				text = fmt.Sprintf("line %d: %s", r.Span.Pos().Line, text)
			}
			out.Related = append(out.Related, text)
		}
		all = append(all, out)
	}
	return all
}

// units turns places in bytes into places in UTF-16, which JavaScript counts.
type units struct {
	text    string
	offsets []int32 // of the bytes, nil where all are ASCII
}

func newUnits(text string) *units {
	u := &units{text: text}
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return u
	}
	u.offsets = make([]int32, len(text)+1)
	at := int32(0)
	for i, r := range text {
		size := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		for k := range size {
			u.offsets[i+k] = at
		}
		if at++; r > 0xFFFF {
			at++
		}
	}
	u.offsets[len(text)] = at
	return u
}

func (u *units) at(offset int) int {
	offset = max(0, min(offset, len(u.text)))
	if u.offsets == nil {
		return offset
	}
	return int(u.offsets[offset])
}

// read says what is in a document, and what is wrong with it.
func (s *Server) read(ctx context.Context, _ *http.Request, d *document) (*reading, error) {
	if err := s.usable(d); err != nil {
		return nil, err
	}
	a := &reading{Messages: []message{}, Marks: [][3]any{}, Processes: []process{}, Properties: []property{}, Constants: []constant{}}
	u := newUnits(d.Text)
	for _, m := range html.Highlight(d.Name, d.Text) {
		a.Marks = append(a.Marks, [3]any{u.at(m.Start), u.at(m.End), m.Class})
	}
	return a, s.quickly(ctx, func(ctx context.Context) error {
		wrong := s.understand(ctx, d, a)
		var list source.List
		var f *failure
		switch {
		case wrong == nil:
		case errors.As(wrong, &list):
			a.Messages = append(messagesOf(list), a.Messages...)
		case ctx.Err() != nil && !check.Limited(wrong):
			return wrong
		default:
			f = failureOf(wrong)
			a.Messages = append(a.Messages, message{Message: report.Message{Severity: "error", Code: f.Code, Text: f.Text, Help: f.Help}})
		}
		return nil
	})
}

// understand reads a document as far as that is possible. The error is what is wrong with it.
func (s *Server) understand(ctx context.Context, d *document, a *reading) error {
	if source.KindOf(d.Name) == source.Transitions {
		if _, err := aut.Parse(source.NewFile(d.Name, d.Text), d.Name); err != nil {
			return err
		}
	} else {
		file, _ := syntax.ParseText(d.Name, d.Text) // whose mistakes Check tells
		info := types.Check(file, types.Options{Params: d.Params, MaxLabels: mostLabels})
		outline(file, info, a)
		if info.Diagnostics.HasErrors() {
			return info.Diagnostics
		}
	}
	m, err := s.load(ctx, d, s.quickLimits())
	if err != nil {
		return err
	}
	a.Process = m.Process
	if err := declared(m, a); err != nil {
		return err
	}
	a.Model = m.Describe()
	warnings := m.Warnings()
	a.Messages = messagesOf(warnings)
	return nil
}

// outline lists the processes and constants of a file.
func outline(file *syntax.File, info *types.Info, a *reading) {
	for _, o := range info.Objects {
		line := 0
		if len(o.Defs) > 0 {
			line = file.Place(o.Defs[0]).Pos().Line
		}
		switch o.Kind {
		case syntax.Process, syntax.Composite:
			a.Processes = append(a.Processes, process{Name: o.Name, Kind: o.Kind.String(), Line: line})
		case syntax.Constant:
			a.Constants = append(a.Constants, constant{Name: o.Name, Value: info.Value(o)})
		}
	}
}

// declared lists the properties of a model.
func declared(m *check.Model, a *reading) error {
	questions, err := m.Declared()
	if err != nil {
		return err
	}
	for i := range questions {
		q := &questions[i]
		p := property{Kind: q.Kind, Name: q.Name, Text: q.Text, Expect: string(q.Expect)}
		if q.At.Valid() {
			p.Line = q.At.Pos().Line
		}
		a.Properties = append(a.Properties, p)
	}
	if m.FSP == nil {
		return nil
	}
	progress, err := m.FSP.Progress()
	for _, p := range progress {
		a.Properties = append(a.Properties, property{Kind: "progress", Name: p.Name, Text: "{" + strings.Join(report.Listed(p.Actions), ", ") + "} again and again", Line: p.Span.Pos().Line})
	}
	inside, expected := m.FSP.Parts(m.Process), m.FSP.ExpectedSafety(m.Process)
	for _, p := range m.FSP.ExpectedOutside(m.Process) {
		expected[p.Name] = p.Expect
	}
	for _, p := range m.FSP.Processes() {
		if p.Property {
			a.Properties = append(a.Properties, property{Kind: "safety", Name: p.Name, Line: p.Span.Pos().Line, Expect: expected[p.Name], Outside: !slices.Contains(inside, p.Name)})
		}
	}
	slices.SortStableFunc(a.Properties, func(p, q property) int { return cmp.Compare(p.Line, q.Line) })
	return err
}

// asking is a formula about a document.
type asking struct {
	document
	Formula string `json:"formula"`
	Negate  bool   `json:"negate"`
}

// echoed is a formula that was understood.
type echoed struct {
	ReadAs string `json:"readAs"`
}

// formula says what is wrong with a formula, or how it was read.
func (s *Server) formula(ctx context.Context, _ *http.Request, q *asking) (*echoed, error) {
	a := &echoed{}
	return a, s.quickly(ctx, func(ctx context.Context) error {
		f, err := s.parse(ctx, q)
		if err == nil {
			a.ReadAs, err = ltl.Echo(f)
		}
		return err
	})
}

// parse reads a formula about a document. Mistakes in the document are told as such.
func (s *Server) parse(ctx context.Context, q *asking) (*ltl.Formula, error) {
	m, err := s.load(ctx, &q.document, s.quickLimits())
	var opts ltl.ParseOptions
	if err == nil {
		opts, err = m.ParseOptions()
	}
	if err != nil {
		return nil, inModel(err)
	}
	return ltl.Parse(source.NewFile("<formula>", q.Formula), opts)
}

// inModel says of diagnostics that they are not about what was asked, but about the model.
func inModel(err error) error {
	f := failureOf(err)
	if f.Code != "mistakes" {
		return err
	}
	return &failure{Code: "model", Text: "the model has mistakes: " + f.Text, Help: f.Help, status: f.status}
}
