package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/cfront/encode"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// cFlags say how C sources are read.
func cFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "D", Usage: "C: define a macro, `NAME` or NAME=TEXT"},
		&cli.StringSliceFlag{Name: "I", Usage: "C: look for included files in `FOLDER`"},
		&cli.StringFlag{Name: "entry", Value: "main", Usage: "C: begin with routine `NAME`"},
		&cli.StringFlag{Name: "data-model", Usage: "C: `MODEL` of types: lp64, ilp32; default: ilp32 for .i and .cil.c, else lp64"},
	}
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
	for _, name := range []string{"D", "I", "entry", "data-model", "integers", "harness", "passes", "calls", "method"} {
		if c.IsSet(name) {
			return usagef(c, "%s is for C programs (.c, .i, .pp)", spelledFlag(name))
		}
	}
	return nil
}

// loadC reads the C sources that the arguments name.
func loadC(c *cli.Context, s streams, files []string) (*cfront.Program, error) {
	return loadCAs(c, s, files, chosenOptions(c))
}

// loadCAs reads C sources with options.
func loadCAs(c *cli.Context, s streams, files []string, chosen systemOptions) (*cfront.Program, error) {
	o := cfront.Options{Defines: chosen["D"], Include: c.StringSlice("I"), Entry: chosen.one("entry")}
	var err error
	if o.Model, err = dataModel(c, chosen.one("data-model"), files[0]); err != nil {
		return nil, err
	}
	var kinds []cfront.Check
	if list := chosen.one("check"); list != "" {
		if kinds, err = cfront.ParseChecks(list); err != nil {
			return nil, usagef(c, "--check=%s: %v", list, err)
		}
	}
	prog, err := check.LoadC(files, o, s.open)
	if err == nil {
		prog.AddChecks(kinds)
	}
	return prog, err
}

// dataModel reads --data-model; without it, a file's name decides.
func dataModel(c *cli.Context, name, file string) (cfront.DataModel, error) {
	if name == "" {
		return check.ModelOf(file), nil
	}
	known := cfront.DataModel(0).Names()
	k := slices.Index(known, name)
	if k < 0 {
		return 0, noChoice(c, "data-model", known)
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
			return nil, noChoice(c, "passes", append([]string{"all", "none"}, known...))
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
func reachC(c *cli.Context, s streams, files []string, o armc.Options) error {
	var how check.Integers
	if err := choose(c, "integers", &how); err != nil {
		return err
	}
	without, err := passesLeftOut(c)
	if err != nil {
		return err
	}
	opts, done, err := options(c, s)
	if err != nil {
		return err
	}
	defer done()
	if err := checkOutputs(c); err != nil {
		return err
	}
	prog, err := loadC(c, s, files)
	if err != nil {
		return err
	}
	apart, method, err := callsOf(c)
	if err != nil {
		return err
	}
	enc, err := encodedC(c, prog, apart)
	if budget.Stopped(err) {
		return finish(c, s, check.NotLoaded(c.Command.Name, err, opts))
	}
	if err != nil {
		return err
	}
	if enc.Routines != nil {
		return reachRoutines(c, s, done, enc, opts, method, how)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, res, err := check.ReachC(c.Context, enc, pool, opts, o, how, without...)
	done()
	if err != nil {
		return err
	}
	if res == nil {
		return finish(c, s, r)
	}
	if c.Bool("stats") {
		pool.Close() // as in reach
		r.Results[0].Note += "\n        " + tableRow(res.Stats)
	}
	chosen := chosenOptions(c)
	chosen["data-model"] = []string{prog.Model.String()}
	if name := c.String("certificate"); name != "" && res.Certificate == nil && r.Exit == report.ExitHolds {
		r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-certificate", Text: "--certificate: none is written, since the proof is not one for machine words"})
	}
	if err := writeReachFiles(c, enc.Words, res.Searched, res.Result, chosen); err != nil {
		return unwritten(c, s, r, err)
	}
	if name := c.String("harness"); name != "" && res.Run != nil {
		var no *cfront.NoHarness
		if err := writeFile(name, res.Run.WriteHarness); errors.As(err, &no) {
			r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-harness", Text: "--harness: " + no.Error()})
		} else if err != nil {
			return unwritten(c, s, r, err)
		}
	}
	showMessages(c, s, r.Messages)
	return finish(c, s, r)
}

// showMessages prints what the front end noted, and what could not be written: with --json,
// and with --quiet, not here.
func showMessages(c *cli.Context, s streams, all []report.Message) {
	if c.Bool("json") || c.Bool("quiet") {
		return
	}
	if n := len(all); n > 0 && c.Bool("no-warnings") {
		fmt.Fprintf(s.err, "seltl: %s left out (--no-warnings)\n", report.Counted(int64(n), "warning"))
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
		s.say(4, "%swarning: %s", place, text)
	}
}

func programCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "program",
		Usage:     "print what the front end understood of a C program",
		ArgsUsage: "FILE...",
		Description: `Prints the simplified program: one instruction a line with the line of the
source that it comes from, conversions written out, short circuits, loops and
switches as jumps.

--chc and --gcl write what "seltl reach" decides, with calls inlined and memory
as variables, for other tools: linear Horn clauses in SMT-LIB, which have a
solution (sat) if the program cannot fail, and guarded commands. With recursion,
clauses have a relation for each routine, and are not linear. Both count with
unbounded integers, or with --integers=machine with machine words; beside the
failures of the program, the ways out of what is modelled (an index outside of
its array, a division by zero) are errors.

EXAMPLES
   seltl program specs/c/lock.c
   seltl program specs/c/lock.c --svg lock.svg
   seltl program specs/c/lock.c --stats
   seltl program specs/c/lock.c --chc lock.smt2
   z3 fp.engine=spacer lock.smt2
   seltl program specs/c/lock.c --gcl lock.gcl --blocks=small
   seltl reach lock.gcl`,
		Flags: concat([]cli.Flag{
			&cli.BoolFlag{Name: "stats", Usage: "print sizes instead: routines, blocks, instructions, and of what reach works on"},
			&cli.StringFlag{Name: "svg", Usage: "draw control-flow graphs into `FILE` instead"},
			&cli.StringFlag{Name: "dot", Usage: "draw control-flow graphs into `FILE` instead, for Graphviz"},
			checkFlag(),
			&cli.StringFlag{Name: "chc", Usage: "write Horn clauses into `FILE` instead"},
			&cli.StringFlag{Name: "gcl", Usage: "write guarded commands into `FILE` instead"},
			&cli.StringFlag{Name: "integers", Value: "math", Usage: "with --chc and --gcl: `INTEGERS`: math (unbounded), machine (words)"},
			&cli.StringFlag{Name: "blocks", Value: "large", Usage: "with --chc and --gcl, a relation or location for: `BLOCKS`: small (every step), spliced (what several paths go through), large (loops, as far as possible)"},
		}, cFlags()),
		Action: func(c *cli.Context) error { return showProgram(c, s) },
	}
}

func showProgram(c *cli.Context, s streams) error {
	files := cFiles(c)
	if files == nil {
		return usagef(c, "C sources are needed (.c, .i, .pp)")
	}
	if err := checkOutputs(c); err != nil {
		return err
	}
	prog, err := loadC(c, s, files)
	if err != nil {
		return err
	}
	if err := drawInto(c, prog.Diagrams); err != nil {
		return err
	}
	if c.IsSet("chc") || c.IsSet("gcl") {
		if err := exportC(c, prog); err != nil {
			return err
		}
	}
	if !c.Bool("stats") {
		if c.IsSet("dot") || c.IsSet("svg") || c.IsSet("chc") || c.IsSet("gcl") {
			return nil
		}
		return prog.WriteC(s.out)
	}
	blocks, instrs, bodies := 0, 0, 0
	for _, f := range prog.Funcs {
		if !f.Extern() {
			bodies++
		}
		blocks += len(f.Blocks)
		for _, b := range f.Blocks {
			instrs += len(b.Instrs)
		}
	}
	fmt.Fprintf(s.out, "data model %s\n%s with a body, %s without\n%s, %s, %s\n", prog.Model, report.Counted(int64(bodies), "routine"),
		report.Counted(int64(len(prog.Funcs)-bodies), "routine"), report.Counted(int64(len(prog.Globals)), "global"), report.Counted(int64(blocks), "block"), report.Counted(int64(instrs), "instruction"))
	enc, err := encode.EncodeContext(c.Context, prog, c.String("entry"))
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(s.out, "inlined: %s, %s, %s; %s to a place that is not modelled\n", report.Counted(int64(len(enc.Words.Locations)), "location"),
		report.Counted(int64(len(enc.Words.Edges)), "edge"), report.Counted(int64(len(enc.Words.Vars)), "variable"), report.Counted(int64(len(enc.Lost)), "way")); err != nil {
		return err
	}
	return writeSizes(s.out, passes.Apply(c.Context, enc.Numbers, passes.Default()))
}

// writeSizes says how small each pass that did something made the system, the last time.
func writeSizes(w io.Writer, p *passes.Passed) error {
	last := map[passes.Pass]passes.Size{}
	for _, size := range p.Sizes[1:] {
		last[size.After] = size
	}
	text := func(size passes.Size) string {
		return fmt.Sprintf("%s, %s, %s", report.Counted(int64(size.Locations), "location"), report.Counted(int64(size.Edges), "edge"), report.Counted(int64(size.Variables), "variable"))
	}
	for _, pass := range passes.Default() {
		if size, ok := last[pass]; ok {
			if _, err := fmt.Fprintf(w, "after %s: %s\n", pass, text(size)); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "searched: %s\n", text(p.Sizes[len(p.Sizes)-1]))
	return err
}

// exportC writes the system of a program for other tools.
func exportC(c *cli.Context, prog *cfront.Program) error {
	var how check.Integers
	var blocks armc.Encoding
	if err := choose(c, "integers", &how); err != nil {
		return err
	}
	if how == check.AutoIntegers {
		return usagef(c, "--integers=auto: one of math, machine is written")
	}
	if err := choose(c, "blocks", &blocks); err != nil {
		return err
	}
	enc, err := encodedC(c, prog, autoCalls)
	if err != nil {
		return err
	}
	if enc.Routines != nil {
		if c.IsSet("gcl") {
			return usagef(c, "--gcl: guarded commands have no recursion; --chc writes relations for the routines")
		}
		return writeFile(c.String("chc"), func(w io.Writer) error { return check.ExportedRoutines(enc, how).Write(w) })
	}
	sys := check.ExportedC(enc, how, blocks)
	if name := c.String("chc"); name != "" {
		if err := writeFile(name, func(w io.Writer) error { return check.WriteClauses(w, sys) }); err != nil {
			return err
		}
	}
	if name := c.String("gcl"); name != "" {
		return writeFile(name, func(w io.Writer) error { return check.WriteGCL(w, sys) })
	}
	return nil
}
