package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seltl/seltl/internal/cmdline"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

// gallery is what a report for a browser shows of a command that makes or counts something. A
// nil one takes nothing: no report is wanted.
type gallery struct {
	subject string // of the title, if it is not what was made or read
	summary *html.Made
	made    []html.Made
	left    int // so many were too many
}

// What a report shows: so many automata, and texts of structures and automata of so many edges.
const (
	mostMade  = 100
	mostEdges = 5000
)

func newGallery(c *cli.Context) *gallery {
	if c.String("html") == "" {
		return nil
	}
	return &gallery{}
}

// write writes the report, if one is wanted. The error is an *outputError.
func (g *gallery) write(c *cli.Context, s cmdline.Streams, r *report.Report) error {
	if g == nil {
		return nil
	}
	r.Command, r.Version = c.Command.Name, cmdline.VersionText()
	if g.left > 0 {
		r.Messages = append(r.Messages, report.Message{Severity: "note", Text: fmt.Sprintf("%d more are not shown", g.left)})
	}
	return cmdline.WritePage(c, s, &html.Page{Report: r, Summary: g.summary, Made: g.made, Subject: g.subject})
}

// drawing is a graph as a picture; what cannot be drawn is left out.
func drawing(title string, g *diagram.Graph) report.Picture {
	g.Name = "" // the picture has a title
	var b bytes.Buffer
	if err := diagram.WriteSVG(&b, g); err != nil {
		return report.Picture{}
	}
	return report.Picture{Title: title, SVG: b.Bytes(), Result: -1}
}

// textOf is what a writer writes, with a name for it.
func textOf(name string, write func(io.Writer) error) html.Source {
	var b strings.Builder
	if err := write(&b); err != nil {
		return html.Source{}
	}
	return html.Source{Name: name, Text: b.String()}
}

// structure adds a composition: its figures, the picture, and the text if it is in a format for
// people.
func (g *gallery) structure(title string, m *lks.LKS, picture *diagram.Graph, format string) {
	if g == nil {
		return
	}
	made := html.Made{Title: title, Facts: check.FiguresOf(m).Lines()}
	if picture != nil {
		made.Picture = drawing("States and transitions", picture)
	}
	if format != "svg" && format != "" && m.NumTransitions() <= mostEdges {
		made.Text = textOf("composition."+format, func(w io.Writer) error { return check.Write(w, format, m) })
	}
	g.made = append(g.made, made)
}

// automaton adds one that stands for a formula, or comes from a file.
func (g *gallery) automaton(title string, first [][2]string, a *omega.Automaton) {
	if len(g.made) == mostMade {
		g.left++
		return
	}
	f := a.Figures()
	made := html.Made{Title: title, Facts: append(first,
		[2]string{"states, edges", report.Group(int64(f.States)) + ", " + report.Group(int64(f.Edges))},
		[2]string{"transitions", f.Transitions.String() + ", one a letter"},
		[2]string{"acceptance", a.Condition().String()},
		[2]string{"deterministic", yesNo(a.Deterministic())}, [2]string{"complete", yesNo(f.Complete)})}
	made.Picture = drawing("Automaton", a.Diagram())
	if f.AllEdges <= mostEdges {
		made.Text = textOf("automaton.hoa", a.WriteHOA)
	}
	g.made = append(g.made, made)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// composed writes the report of a composition, and of what it was reduced to.
func composed(c *cli.Context, s cmdline.Streams, m *check.Model, built, reduced *lks.LKS, picture *diagram.Graph, format string) error {
	g := newGallery(c)
	if g == nil {
		return nil
	}
	if picture == nil {
		picture = reduced.Diagram()
	}
	if reduced == built {
		g.structure(reduced.Name(), reduced, picture, format)
	} else {
		g.structure(reduced.Name()+" reduced: "+c.String("minimise"), reduced, picture, format)
		g.structure(built.Name()+" before", built, nil, "")
	}
	return g.write(c, s, modelReport(m))
}

// modelReport is a report about a model in which nothing is asked.
func modelReport(m *check.Model) *report.Report {
	warnings := m.Warnings()
	grave, _ := check.SplitWarnings(warnings)
	return &report.Report{Model: m.Describe(), Messages: check.Messages(warnings), Grave: check.Messages(grave)}
}

// counted writes the report of a model's figures, with the composition if it is small.
func counted(c *cli.Context, s cmdline.Streams, m *check.Model, figures report.Figures, status int) error {
	g := newGallery(c)
	if g == nil {
		return nil
	}
	made := html.Made{Title: m.Process, Facts: figures.Lines()}
	if built := check.Small(c.Context, m); built != nil {
		made.Picture = drawing("The composition", built.Diagram())
	}
	g.made = append(g.made, made)
	r := modelReport(m)
	r.Exit = status
	return g.write(c, s, r)
}

// Of a routine of a program up to so many blocks are drawn: its picture is a page then.
const mostBlocks = 40

// understood writes the report of a program as it was read: its sizes, the whole of it
// simplified, and its routines.
func understood(c *cli.Context, s cmdline.Streams, prog *cfront.Program, sizes []sizeLine) error {
	g := newGallery(c)
	if g == nil {
		return nil
	}
	whole := html.Made{Title: prog.Name, Text: textOf("simplified.c", prog.WriteC)}
	for _, line := range sizes {
		whole.Facts = append(whole.Facts, [2]string{line.of, line.size})
	}
	g.made = append(g.made, whole)
	for _, f := range prog.Funcs {
		if !f.Extern() {
			g.routine(f)
		}
	}
	return g.write(c, s, &report.Report{Messages: check.MessagesOfC(prog)})
}

// routine adds one with a body.
func (g *gallery) routine(f *cfront.Func) {
	if len(g.made) == mostMade {
		g.left++
		return
	}
	made := html.Made{Title: f.Name + "()", Facts: [][2]string{{"size", count(len(f.Blocks), "block") + ", " + count(instructions(f), "instruction")}}}
	for _, p := range f.Params {
		made.Facts = append(made.Facts, [2]string{"parameter", cfront.Declaration(p.Name, p.Type)})
	}
	if f.Library {
		made.Facts = append(made.Facts, [2]string{"source", "seltl's own, of a routine of the C library"})
	} else if f.Span.Valid() {
		made.Facts = append(made.Facts, [2]string{"source", fmt.Sprintf("%s, line %d", f.Span.File.Name(), f.Span.Pos().Line)})
	}
	if len(f.Blocks) <= mostBlocks {
		made.Picture = drawing("Control-flow graph", f.Diagram())
	} else {
		made.Facts = append(made.Facts, [2]string{"control-flow graph", fmt.Sprintf("not drawn: more than %d blocks; --svg draws it", mostBlocks)})
	}
	g.made = append(g.made, made)
}

// mergedBatch writes the report of a work list: its units as a table, and those results that are
// not as they should be.
func mergedBatch(c *cli.Context, s cmdline.Streams, b *report.Batch) error {
	g := newGallery(c)
	if g == nil {
		return nil
	}
	g.subject = strings.Join(b.Lists, ", ")
	facts := append([][2]string{{"all", b.Counts.String()}}, b.GroupLines()...)
	if b.Counts.Missing > 0 && b.Redo != "" {
		facts = append(facts, [2]string{"what is missing is done by", b.Redo})
	}
	g.summary = &html.Made{Title: "units", Facts: facts, Table: html.TableOf(b.Table(), 0)}
	return g.write(c, s, &report.Report{Results: b.Wrong(mostMade), Messages: b.Messages, Exit: b.Exit})
}

// keeping notes the automaton that a maker has made last.
func keeping(build maker, last **buchi.Automaton) maker {
	return func(f formulaText, opts buchi.Options) (*buchi.Automaton, error) {
		a, err := build(f, opts)
		*last = a
		return a, err
	}
}

// translated adds the automaton of a formula: the one that was printed, or that would be.
func (g *gallery) translated(f formulaText, a *buchi.Automaton, build maker, opts buchi.Options) error {
	if g == nil {
		return nil
	}
	if a == nil {
		var err error
		if a, err = build(f, opts); err != nil {
			return err
		}
	}
	var facts [][2]string
	if text, err := ltl.Echo(f.formula); err == nil {
		facts = append(facts, [2]string{"read as", text})
	}
	class, err := buchi.Classify(f.formula, opts)
	if errors.Is(err, budget.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return err
	}
	if err == nil {
		facts = append(facts, [2]string{"property", class.String()})
	}
	g.automaton(f.text, facts, omega.FromBuchi(a))
	return nil
}
