package ask

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/heap"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// Options reads the flags that all questions have in common, and refuses files in folders that
// are not there; done ends the display of progress.
func Options(c *cli.Context, s cmdline.Streams) (o check.Options, done func(), err error) {
	if o.Limits, err = cmdline.Limits(c); err != nil {
		return o, nil, err
	}
	if o.Assume, err = assume(c); err != nil {
		return o, nil, err
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return o, nil, err
	}
	o.Progress, done = cmdline.Progress(c, s)
	o.Profile, o.Illustrate = c.Bool("profile"), c.String("html") != ""
	o.Advise = func(reason error) string { return adviceFor(c.Command.Name, reason) }
	if c.Bool("explain") {
		w := cmdline.Narration(c, s)
		o.Narrate = func(text string) { fmt.Fprint(w, text) }
	}
	return o, done, nil
}

// Analyse loads the model, asks of it what a command asks, draws the pictures that were
// wanted, and prints the report.
func Analyse(c *cli.Context, s cmdline.Streams, ask func(*check.Model, check.Options) (r *report.Report, draw func() error, err error)) error {
	opts, done, err := Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	m, err := LoadModel(c, s)
	if err != nil {
		if !check.Limited(err) {
			return err
		}
		return cmdline.Finish(c, s, check.NotLoaded(c.Command.Name, err, opts))
	}
	r, draw, err := ask(m, opts)
	done()
	if err != nil {
		return err
	}
	_, warnings := check.SplitWarnings(m.Warnings())
	cmdline.ShowWarnings(c, s, warnings)
	cmdline.ShowNotes(c, s, r.Messages)
	if draw != nil {
		if err := draw(); err != nil {
			return Unwritten(c, s, r, err)
		}
	}
	return cmdline.Finish(c, s, r)
}

// Unwritten is the end of a run with an error. If that is only that a picture or
// the like could not be written, what was found is reported first.
func Unwritten(c *cli.Context, s cmdline.Streams, r *report.Report, err error) error {
	var output *cmdline.OutputError
	if !errors.As(err, &output) || len(r.Results) == 0 {
		return err
	}
	var status cmdline.ExitError
	if reportErr := cmdline.Finish(c, s, r); reportErr != nil && !errors.As(reportErr, &status) {
		return reportErr
	}
	return err
}

// assume is what verdicts may rest on: nil is all.
func assume(c *cli.Context) ([]string, error) {
	switch list := c.String("assume"); list {
	case "", "all":
		return nil, nil
	case "none":
		return []string{}, nil
	default:
		names := strings.Split(list, ",")
		for _, name := range names {
			if known := programs.Assumables(); !slices.Contains(known, name) {
				return nil, &cmdline.Error{Command: c.Command.Name, Text: "--assume=" + list + ": there is no assumption " + name, Help: source.DidYouMean(name, known)}
			}
		}
		return names, nil
	}
}

// RoomyHeap is for commands that make many small values (terms, formulas, automata), most
// of which die young: collecting them less often saves a tenth to a third of our own time.
func RoomyHeap(c *cli.Context) {
	room := int64(64 << 20)
	if c.IsSet("max-memory") {
		room = 0 // what is garbage counts, too
	}
	heap.Roomy(room, 200)
}
