package ask

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/report"
)

// DrawFirst writes the picture of the first counterexample, if asked for.
func DrawFirst(c *cli.Context, r *report.Report) error {
	name := c.String("svg")
	if name == "" {
		return nil
	}
	for i := range r.Results {
		if ce := r.Results[i].Counterexample; ce != nil {
			return cmdline.WriteFile(name, func(w io.Writer) error {
				return ce.SVG(w, r.Results[i].PictureTitle())
			})
		}
	}
	return nil
}

// DrawConform writes the pictures that were asked for.
func DrawConform(c *cli.Context, result *report.Result) error {
	title := result.PictureTitle()
	game := func() []*diagram.Graph {
		if len(result.Games) == 0 {
			return nil
		}
		return []*diagram.Graph{result.Games[0].Diagram(title)}
	}
	run := result.Counterexample
	if name := c.String("svg"); name != "" && run != nil && (run.Kind == "program" || len(result.Games) == 0) {
		if err := cmdline.WriteFile(name, func(w io.Writer) error { return run.SVG(w, title) }); err != nil {
			return err
		}
		return cmdline.DrawAs(c, "dot", game)
	}
	return cmdline.DrawInto(c, game)
}

// DrawWaits draws who waits for whom in the first deadlock.
func DrawWaits(c *cli.Context, r *report.Report) error {
	for i := range r.Results {
		ce := r.Results[i].Counterexample
		if ce == nil {
			continue
		}
		waits := ce.WaitForDiagram()
		if waits == nil {
			return nil
		}
		for _, flag := range []string{"waits", "dot"} {
			format := map[string]string{"waits": "svg", "dot": "dot"}[flag]
			if name := c.String(flag); name != "" {
				if err := cmdline.DrawFile(name, format, waits); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return nil
}
