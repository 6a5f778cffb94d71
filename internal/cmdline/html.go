package cmdline

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

func HTMLFlag() cli.Flag {
	return &cli.StringFlag{Name: "html", Usage: "write a report for a browser to `FILE`: verdicts, sources, pictures, runs to step through"}
}

// Reporting has the texts kept that a command reads, if its report is to show them, and checks
// how it is to be printed.
func Reporting(action cli.ActionFunc, s Streams) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := checkColor(c); err != nil {
			return err
		}
		s.Opened.Keep = c.String("html") != ""
		return action(c)
	}
}

// WriteHTML writes the report for a browser, if asked for. The error is an *OutputError.
func WriteHTML(c *cli.Context, s Streams, r *report.Report) error {
	return WritePage(c, s, &html.Page{Report: r})
}

// WritePage writes a page with the texts that were read, if asked for, and if there is something
// to be seen: where nothing could be read, what was written before stays. The error is an
// *OutputError.
func WritePage(c *cli.Context, s Streams, page *html.Page) error {
	name := c.String("html")
	if name == "" || page.Empty() {
		return nil
	}
	for file, text := range s.Opened.Each {
		page.Sources = append(page.Sources, html.Source{Name: file, Text: text})
	}
	return WriteFile(name, func(w io.Writer) error { return page.Write(w) })
}
