package ask

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

// Gallery is what a report for a browser shows of a command that makes or counts something. A
// nil one takes nothing: no report is wanted.
type Gallery struct {
	Subject string // of the title, if it is not what was made or read
	Summary *html.Made
	made    []html.Made
	left    int // so many were too many
}

// What a report shows: so many automata, and texts of structures and automata of so many edges.
const (
	MostMade  = 100
	mostEdges = 5000
)

func NewGallery(c *cli.Context) *Gallery {
	if c.String("html") == "" {
		return nil
	}
	return &Gallery{}
}

// Add takes what was made; if there are too many, their number.
func (g *Gallery) Add(made html.Made) {
	if len(g.made) == MostMade {
		g.left++
		return
	}
	g.made = append(g.made, made)
}

// Write writes the report, if one is wanted. The error is an *OutputError.
func (g *Gallery) Write(c *cli.Context, s cmdline.Streams, r *report.Report) error {
	if g == nil {
		return nil
	}
	r.Command, r.Version = c.Command.Name, cmdline.VersionText()
	if g.left > 0 {
		r.Messages = append(r.Messages, report.Message{Severity: "note", Text: fmt.Sprintf("%d more are not shown", g.left)})
	}
	return cmdline.WritePage(c, s, &html.Page{Report: r, Summary: g.Summary, Made: g.made, Subject: g.Subject})
}

// Drawing is a graph as a picture; what cannot be drawn is left out.
func Drawing(title string, g *diagram.Graph) report.Picture {
	g.Name = "" // the picture has a title
	var b bytes.Buffer
	if err := diagram.WriteSVG(&b, g); err != nil {
		return report.Picture{}
	}
	return report.Picture{Title: title, SVG: b.Bytes(), Result: -1}
}

// TextOf is what a writer writes, with a name for it.
func TextOf(name string, write func(io.Writer) error) html.Source {
	var b strings.Builder
	if err := write(&b); err != nil {
		return html.Source{}
	}
	return html.Source{Name: name, Text: b.String()}
}

// Structure adds a composition: its figures, the picture, and the text if it is in a format for
// people.
func (g *Gallery) Structure(title string, m *lks.LKS, picture *diagram.Graph, format string) {
	if g == nil {
		return
	}
	made := html.Made{Title: title, Facts: check.FiguresOf(m).Lines()}
	if picture != nil {
		made.Picture = Drawing("States and transitions", picture)
	}
	if format != "svg" && format != "" && m.NumTransitions() <= mostEdges {
		made.Text = TextOf("composition."+format, func(w io.Writer) error { return check.Write(w, format, m) })
	}
	g.made = append(g.made, made)
}

// Automaton adds one that stands for a formula, or comes from a file.
func (g *Gallery) Automaton(title string, first [][2]string, a *omega.Automaton) {
	if len(g.made) == MostMade {
		g.left++
		return
	}
	f := a.Figures()
	made := html.Made{Title: title, Facts: append(first,
		[2]string{"states, edges", report.Group(int64(f.States)) + ", " + report.Group(int64(f.Edges))},
		[2]string{"transitions", f.Transitions.String() + ", one a letter"},
		[2]string{"acceptance", a.Condition().String()},
		[2]string{"deterministic", yesNo(a.Deterministic())}, [2]string{"complete", yesNo(f.Complete)})}
	made.Picture = Drawing("Automaton", a.Diagram())
	if f.AllEdges <= mostEdges {
		made.Text = TextOf("automaton.hoa", a.WriteHOA)
	}
	g.made = append(g.made, made)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
