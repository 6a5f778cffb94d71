package programcmds

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/logic"
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
	for _, name := range []string{"D", "I", "entry", "data-model", "rules", "integers", "harness", "passes", "calls", "method", "malloc", "volatile", "assume", "property", "witness", "write-witness"} {
		if c.IsSet(name) {
			return cmdline.Usagef(c, "%s is for C programs (.c, .i, .pp)", cmdline.SpelledFlag(name))
		}
	}
	return nil
}

// loadC reads the C sources that the arguments name.
func loadC(c *cli.Context, s cmdline.Streams, files []string) (*ir.Program, error) {
	return LoadCAs(c, s, files, ChosenOptions(c))
}

// LoadCAs reads C sources with options.
func LoadCAs(c *cli.Context, s cmdline.Streams, files []string, chosen systemOptions) (*ir.Program, error) {
	o, err := readAs(c, s, files, chosen)
	if err != nil {
		return nil, err
	}
	return programs.LoadC(files, o, s.Open)
}

// readAs says how C sources are read with options.
func readAs(c *cli.Context, s cmdline.Streams, files []string, chosen systemOptions) (o cfront.Options, err error) {
	o = cfront.Options{Context: c.Context, Defines: chosen["D"], Include: c.StringSlice("I"), Entry: chosen.One("entry")}
	o.NoEntry = c.Command.Name == "program" && !runsProgram(c)
	if o.Model, err = DataModel(c, chosen.One("data-model"), files[0]); err != nil {
		return o, err
	}
	o.System = programs.SystemHeaders(o.Model)
	if err := Surroundings(c, chosen, &o); err != nil {
		return o, err
	}
	asked, err := propertyOf(c, s, chosen)
	if err != nil {
		return o, err
	}
	if asked != nil {
		q, err := programs.Question(asked)
		if err != nil {
			return o, err
		}
		if q.Ends && c.Command.Name != "reach" || q.Stricter && (c.Command.Name != "reach" || c.IsSet("certificate")) {
			return o, cmdline.Usagef(c, "--property=%s: no certificate is about that; seltl reach decides it", chosen.One("property"))
		}
		o.Failures, o.Checks, o.Entry = q.Failures, q.Checks, chosen.One("entry")
	}
	if list, given := chosen["check"]; given {
		if o.Checks, err = checks.Parse(strings.Join(list, ",")); err != nil {
			also := ""
			if c.Command.Name == "reach" {
				also = ", " + termination
			}
			return o, cmdline.Usagef(c, "--check=%s: %v%s", strings.Join(list, ","), err, also)
		}
	}
	if list := chosen.One("rules"); list != "" || c.IsSet("rules") {
		if o.Rules, err = cfront.ParseRules(list); err != nil {
			return o, cmdline.Usagef(c, "--rules=%s: %v", list, err)
		}
	}
	return o, nil
}

// DataModel reads --data-model; without it, a file's name decides.
func DataModel(c *cli.Context, name, file string) (ir.DataModel, error) {
	if name == "" {
		return programs.ModelOf(file), nil
	}
	known := ir.DataModel(0).Names()
	k := slices.Index(known, name)
	if k < 0 {
		return 0, cmdline.NoChoice(c, "data-model", known)
	}
	return ir.DataModel(k), nil
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
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	a := &askedC{c: c, s: s, files: files, engine: o, opts: opts, done: done, chosen: ChosenOptions(c)}
	if err := a.read(); err != nil {
		return err
	}
	if c.IsSet("witness") {
		return a.validate()
	}
	r, run, err := a.ask()
	if err != nil {
		return err
	}
	return finishC(c, s, r, run)
}

// askedC is a question about C sources, and how it is asked.
type askedC struct {
	c        *cli.Context
	s        cmdline.Streams
	files    []string
	engine   armc.Options
	opts     check.Options
	done     func() // ends what is shown of the search
	chosen   systemOptions
	integers safety.Integers
	without  []passes.Pass
	calls    programs.Calls
	method   clp.Method
	asked    *svcomp.Property // that is asked about, if it is one
}

// read reads the options that say how it is asked.
func (a *askedC) read() (err error) {
	if err := cmdline.Choose(a.c, "integers", &a.integers); err != nil {
		return err
	}
	if a.without, err = passesLeftOut(a.c); err != nil {
		return err
	}
	if err := cmdline.Choose(a.c, "calls", &a.calls); err != nil {
		return err
	}
	return cmdline.Choose(a.c, "method", &a.method, clp.ARMC.String())
}

// ask answers it, and writes what is asked for beside the report.
func (a *askedC) ask() (*report.Report, *machine.Recording, error) {
	c := a.c
	asked, err := propertyOf(c, a.s, a.chosen)
	if err != nil {
		return nil, nil, err
	}
	unasked := func(reason error) (*report.Report, *machine.Recording, error) {
		r := programs.NotAsked(strings.Join(a.files, " "), asked, reason, a.opts)
		return r, nil, a.writeWitness(r, nil, asked)
	}
	var question programs.QuestionC
	if a.asked = asked; asked != nil {
		if question, err = programs.Question(asked); err != nil {
			return unasked(err)
		}
	}
	if a.endsAsked() {
		return a.withEnds()
	}
	prog, err := LoadCAs(c, a.s, a.files, a.chosen)
	if budget.Stopped(err) {
		return check.NotLoaded(c.Command.Name, err, a.opts), nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	enc, err := a.calls.Encode(c.Context, prog, a.chosen.One("entry"))
	if budget.Stopped(err) {
		return check.NotLoaded(c.Command.Name, err, a.opts), nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	found := &foundC{enc: enc, tracked: question.Tracked}
	var r *report.Report
	if enc.Routines != nil {
		r, err = a.routines(found)
	} else {
		r, err = a.inlined(found)
	}
	if err == nil && asked != nil {
		if reason := question.Undecided(prog, r, found.run, enc.Routines == nil); reason != nil {
			return unasked(reason)
		}
		programs.OfProperty(r, asked)
	}
	if err == nil {
		err = a.writeWitness(r, found, asked)
	}
	if err != nil && r != nil {
		return nil, nil, ask.Unwritten(c, a.s, r, err)
	}
	return r, found.run, err
}

// foundC is what was found out about a program.
type foundC struct {
	enc       *encode.Encoding
	invariant []*logic.Term // by location of Encoding.Words; nil: none that is written so
	run       *machine.Recording
	tracked   bool // it is asked whether memory is lost
}

// inlined decides a program all of whose calls are inlined.
func (a *askedC) inlined(found *foundC) (*report.Report, error) {
	c := a.c
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, res, err := programs.ReachC(c.Context, found.enc, pool, a.opts, safety.Options{Engine: a.engine, Integers: a.integers, Without: a.without, Heaps: !c.IsSet("certificate"), Tracked: found.tracked})
	a.done()
	if err != nil || res == nil {
		return r, err
	}
	if found.run = res.Run; res.Certificate != nil {
		found.invariant = res.Certificate.Invariant
	}
	if r.Exit == report.ExitHolds && found.invariant == nil && c.IsSet("write-witness") { // all states were visited
		solver, err := pool.Acquire(c.Context)
		if err != nil {
			return r, err
		}
		ctx, cancel := a.opts.Limits.Within(c.Context)
		defer cancel()
		found.invariant, err = programs.Known(ctx, found.enc, solver)
		pool.Release(solver)
		if err != nil {
			return r, err
		}
	}
	if c.Bool("stats") {
		pool.Close() // as in reach
		r.Results[0].Note += "\n        " + tableRow(res.Stats)
	}
	if name := c.String("certificate"); name != "" && res.Certificate == nil && r.Exit == report.ExitHolds {
		r.Messages = append(r.Messages, numbersOnly)
	}
	return r, writeReachFiles(c, found.enc.Words, res.Searched, res.Result, a.certified(found.enc))
}

// certified are the options that a certificate names.
func (a *askedC) certified(enc *encode.Encoding) systemOptions {
	chosen := maps.Clone(a.chosen)
	chosen["data-model"] = []string{enc.Program.Model.String()}
	if a.asked != nil { // by what it says, not by where that stands
		chosen["property"] = []string{a.asked.String()}
		if p := svcomp.Named(string(a.asked.Kind)); p != nil && p.Same(a.asked) {
			chosen["property"] = []string{string(p.Kind)}
		}
	}
	return chosen
}

// numbersOnly says that a proof is not one that can be written.
var numbersOnly = report.Message{Severity: "warning", Code: "c-certificate", Text: "--certificate: none is written, since the proof is not one for machine words"}

// finishC writes a run, nil if there is none, as --harness has it, and shows what was found.
func finishC(c *cli.Context, s cmdline.Streams, r *report.Report, run *machine.Recording) error {
	if name := c.String("harness"); name != "" && run != nil {
		var no *machine.NoHarness
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
