package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

func htmlFlag() cli.Flag {
	return &cli.StringFlag{Name: "html", Usage: "write a report for a browser to `FILE`: verdicts, sources, pictures, runs to step through"}
}

// reporting has the texts kept that a command reads, if its report is to show them, and checks
// how it is to be printed.
func reporting(action cli.ActionFunc, s streams) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := checkColor(c); err != nil {
			return err
		}
		s.opened.Keep = c.String("html") != ""
		return action(c)
	}
}

// writeHTML writes the report for a browser, if asked for. The error is an *outputError.
func writeHTML(c *cli.Context, s streams, r *report.Report) error {
	return writePage(c, s, &html.Page{Report: r})
}

// writePage writes a page with the texts that were read, if asked for, and if there is something
// to be seen: where nothing could be read, what was written before stays. The error is an
// *outputError.
func writePage(c *cli.Context, s streams, page *html.Page) error {
	name := c.String("html")
	if name == "" || page.Empty() {
		return nil
	}
	for file, text := range s.opened.Each {
		page.Sources = append(page.Sources, html.Source{Name: file, Text: text})
	}
	return writeFile(name, func(w io.Writer) error { return page.Write(w) })
}
