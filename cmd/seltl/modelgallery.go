package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

// composed writes the report of a composition, and of what it was reduced to.
func composed(c *cli.Context, s cmdline.Streams, m *check.Model, built, reduced *lks.LKS, picture *diagram.Graph, format string) error {
	g := ask.NewGallery(c)
	if g == nil {
		return nil
	}
	if picture == nil {
		picture = reduced.Diagram()
	}
	if reduced == built {
		g.Structure(reduced.Name(), reduced, picture, format)
	} else {
		g.Structure(reduced.Name()+" reduced: "+c.String("minimise"), reduced, picture, format)
		g.Structure(built.Name()+" before", built, nil, "")
	}
	return g.Write(c, s, modelReport(m))
}

// modelReport is a report about a model in which nothing is asked.
func modelReport(m *check.Model) *report.Report {
	warnings := m.Warnings()
	grave, _ := check.SplitWarnings(warnings)
	return &report.Report{Model: m.Describe(), Messages: check.Messages(warnings), Grave: check.Messages(grave)}
}

// counted writes the report of a model's figures, with the composition if it is small.
func counted(c *cli.Context, s cmdline.Streams, m *check.Model, figures report.Figures, status int) error {
	g := ask.NewGallery(c)
	if g == nil {
		return nil
	}
	made := html.Made{Title: m.Process, Facts: figures.Lines()}
	if built := check.Small(c.Context, m); built != nil {
		made.Picture = ask.Drawing("The composition", built.Diagram())
	}
	g.Add(made)
	r := modelReport(m)
	r.Exit = status
	return g.Write(c, s, r)
}
