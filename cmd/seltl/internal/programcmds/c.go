package programcmds

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/cmd/seltl/internal/ask"

	"github.com/seltl/seltl/internal/cmdline"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// cFlags say how C sources are read.
func cFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringSliceFlag{Name: "D", Usage: "C: define a macro, `NAME` or NAME=TEXT"},
		&cli.StringSliceFlag{Name: "I", Usage: "C: look for included files in `FOLDER`"},
		&cli.StringFlag{Name: "entry", Value: "main", Usage: "C: begin with routine `NAME`"},
		&cli.StringFlag{Name: "data-model", Usage: "C: `MODEL` of types: lp64, ilp32; default: ilp32 for .i and .cil.c, else lp64"},
	}, environmentFlags()...)
}

// cFiles are the arguments, if they are C sources.
func cFiles(c *cli.Context) []string {
	files := c.Args().Slice()
	if len(files) == 0 || slices.ContainsFunc(files, func(f string) bool { return !check.IsC(f) }) {
		return nil
	}
	return files
}

// onlyForC refuses flags about C where no C is read.
func onlyForC(c *cli.Context) error {
	for _, name := range []string{"D", "I", "entry", "data-model", "integers", "harness", "passes", "calls", "method", "malloc", "volatile", "assume"} {
		if c.IsSet(name) {
			return cmdline.Usagef(c, "%s is for C programs (.c, .i, .pp)", cmdline.SpelledFlag(name))
		}
	}
	return nil
}

// loadC reads the C sources that the arguments name.
func loadC(c *cli.Context, s cmdline.Streams, files []string) (*cfront.Program, error) {
	return LoadCAs(c, s, files, ChosenOptions(c))
}

// LoadCAs reads C sources with options.
func LoadCAs(c *cli.Context, s cmdline.Streams, files []string, chosen systemOptions) (*cfront.Program, error) {
	o := cfront.Options{Context: c.Context, Defines: chosen["D"], Include: c.StringSlice("I"), Entry: chosen.One("entry")}
	o.NoEntry = c.Command.Name == "program" && !runsProgram(c)
	var err error
	if o.Model, err = DataModel(c, chosen.One("data-model"), files[0]); err != nil {
		return nil, err
	}
	if err := Surroundings(c, chosen, &o); err != nil {
		return nil, err
	}
	if list := chosen.One("check"); list != "" {
		if o.Checks, err = cfront.ParseChecks(list); err != nil {
			return nil, cmdline.Usagef(c, "--check=%s: %v", list, err)
		}
	}
	return programs.LoadC(files, o, s.Open)
}

// DataModel reads --data-model; without it, a file's name decides.
func DataModel(c *cli.Context, name, file string) (cfront.DataModel, error) {
	if name == "" {
		return programs.ModelOf(file), nil
	}
	known := cfront.DataModel(0).Names()
	k := slices.Index(known, name)
	if k < 0 {
		return 0, cmdline.NoChoice(c, "data-model", known)
	}
	return cfront.DataModel(k), nil
}

// passesLeftOut reads --passes: those that are not in the list.
func passesLeftOut(c *cli.Context) (without []passes.Pass, err error) {
	list := strings.Split(c.String("passes"), ",")
	switch c.String("passes") {
	case "all":
		return nil, nil
	case "none":
		list = nil
	}
	known := passes.Pass(0).Names()
	for _, name := range list {
		if !slices.Contains(known, name) {
			return nil, cmdline.NoChoice(c, "passes", append([]string{"all", "none"}, known...))
		}
	}
	for i, name := range known {
		if !slices.Contains(list, name) {
			without = append(without, passes.Pass(i))
		}
	}
	return without, nil
}

// reachC is reach of C sources.
func reachC(c *cli.Context, s cmdline.Streams, files []string, o armc.Options) error {
	var how safety.Integers
	if err := cmdline.Choose(c, "integers", &how); err != nil {
		return err
	}
	without, err := passesLeftOut(c)
	if err != nil {
		return err
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	prog, err := loadC(c, s, files)
	if budget.Stopped(err) {
		return cmdline.Finish(c, s, check.NotLoaded(c.Command.Name, err, opts))
	}
	if err != nil {
		return err
	}
	var calls programs.Calls
	var method clp.Method
	if err := cmdline.Choose(c, "calls", &calls); err != nil {
		return err
	}
	if err := cmdline.Choose(c, "method", &method, clp.ARMC.String()); err != nil {
		return err
	}
	enc, err := calls.Encode(c.Context, prog, c.String("entry"))
	if budget.Stopped(err) {
		return cmdline.Finish(c, s, check.NotLoaded(c.Command.Name, err, opts))
	}
	if err != nil {
		return err
	}
	if enc.Routines != nil {
		return reachRoutines(c, s, done, enc, opts, method, how)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, res, err := programs.ReachC(c.Context, enc, pool, opts, o, how, without...)
	done()
	if err != nil {
		return err
	}
	if res == nil {
		return cmdline.Finish(c, s, r)
	}
	if c.Bool("stats") {
		pool.Close() // as in reach
		r.Results[0].Note += "\n        " + tableRow(res.Stats)
	}
	chosen := ChosenOptions(c)
	chosen["data-model"] = []string{prog.Model.String()}
	if name := c.String("certificate"); name != "" && res.Certificate == nil && r.Exit == report.ExitHolds {
		r.Messages = append(r.Messages, numbersOnly)
	}
	if err := writeReachFiles(c, enc.Words, res.Searched, res.Result, chosen); err != nil {
		return ask.Unwritten(c, s, r, err)
	}
	return finishC(c, s, r, res.Run)
}

// numbersOnly says that a proof is not one that can be written.
var numbersOnly = report.Message{Severity: "warning", Code: "c-certificate", Text: "--certificate: none is written, since the proof is not one for machine words"}

// finishC writes a run, nil if there is none, as --harness has it, and shows what was found.
func finishC(c *cli.Context, s cmdline.Streams, r *report.Report, run *cfront.Recording) error {
	if name := c.String("harness"); name != "" && run != nil {
		var no *cfront.NoHarness
		if err := cmdline.WriteFile(name, run.WriteHarness); errors.As(err, &no) {
			r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-harness", Text: "--harness: " + no.Error()})
		} else if err != nil {
			return ask.Unwritten(c, s, r, err)
		}
	}
	ShowMessages(c, s, r.Messages)
	return cmdline.Finish(c, s, r)
}

// ShowMessages prints what the front end noted, and what could not be written: with --json,
// and with --quiet, not here.
func ShowMessages(c *cli.Context, s cmdline.Streams, all []report.Message) {
	if c.Bool("json") || c.Bool("quiet") {
		return
	}
	if n := len(all); n > 0 && c.Bool("no-warnings") {
		fmt.Fprintf(s.Err, "seltl: %s left out (--no-warnings)\n", report.Counted(int64(n), "warning"))
		return
	}
	for _, m := range all {
		place := "seltl: "
		if m.File != "" {
			place = fmt.Sprintf("%s:%d:%d: ", m.File, m.Line, m.Column)
		}
		text := m.Text
		if strings.HasPrefix(m.Help, "did you mean") {
			text += "; " + m.Help
		}
		s.Say(4, "%swarning: %s", place, text)
	}
}
