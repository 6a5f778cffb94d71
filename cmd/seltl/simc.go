package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check"
	ofData "github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/cmd/seltl/internal/programcmds"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// Flags of sim that are about C programs only, those about a specification of them, and those
// that are about models only.
var (
	simForC         = append([]string{"I", "entry", "data-model", "check", "rules", "globals", "abstraction"}, programcmds.EnvironmentChoices...)
	simForSpecified = []string{"globals", "abstraction", "process", "property"}
	simForPlain     = []string{"check", "rules"}
	simForModels    = []string{"menu"}
)

func simCFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringSliceFlag{Name: "I", Usage: "C: look for included files in `FOLDER`"},
		&cli.StringFlag{Name: "entry", Value: "main", Usage: "C: begin with routine `NAME`"},
		&cli.StringFlag{Name: "data-model", Usage: "C: `MODEL` of types: lp64, ilp32; default: ilp32 for .i and .cil.c, else lp64"},
		&cli.StringFlag{Name: "check", Usage: "C: mistakes that are failures, a list of null (pointers), bounds (of arrays and objects), div, overflow (of signed arithmetic), uninit (a variable without a value is read), memory (it is used or freed when it has ended, or was not allocated), leaks (not all is freed at the end); all: what sanitizers check, all but leaks"},
		&cli.StringFlag{Name: "rules", Usage: "C: calls of the library that break one of `RULES` are failures, a list of pthread-locks, stdio, malloc"},
		&cli.StringFlag{Name: "globals", Value: "shared", Usage: "C with a specification: variables of several components are `WHAT`: shared (an error), private (each has its own)"},
		&cli.StringFlag{Name: "abstraction", Usage: "C with a specification: returns perform what the abstract statement `NAME` says; of a counterexample of seltl conform the one that it is of"},
	}, programcmds.SurroundingFlags()...)
}

// simulatesC reports whether the arguments of sim are C programcmds.
func simulatesC(c *cli.Context) bool {
	name := c.Args().First()
	return check.IsC(name) || check.IsSpec(name)
}

// simulateC steps through a C program.
func simulateC(c *cli.Context, s cmdline.Streams) error {
	if err := cmdline.OnlyFor(c, simForModels, programcmds.ForModels); err != nil {
		return err
	}
	sources, spec, formulas, err := simArguments(c, s)
	if err != nil {
		return err
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	var trace *sim.Trace
	if name := c.String("trace"); name != "" {
		if trace, err = readTrace(s, name, c.String("result")); err != nil {
			return err
		}
	}
	var stepped *ofData.SteppedC
	if spec == "" && len(formulas) == 0 && (trace == nil || trace.Result.Kind != "ltl") {
		stepped, err = steppedPlain(c, s, sources)
	} else {
		var of *report.Result
		if trace != nil {
			of = trace.Result
		}
		stepped, err = steppedSpecified(c, s, sources, spec, formulas, of)
	}
	if err != nil {
		return err
	}
	programcmds.ShowMessages(c, s, stepped.Messages)
	session, err := sim.NewProgram(c.Context, stepped, sim.Options{Seed: c.Uint64("seed"), Limits: opts.Limits, Progress: opts.Progress})
	if err != nil {
		return err
	}
	if trace != nil {
		if err := trace.LoadInto(session); err != nil {
			which := "--entry"
			if spec != "" {
				which = "--process"
			}
			return notOf(c, err, fmt.Sprintf("the same sources and options (-D, %s, --data-model) as for the command that wrote it", which))
		}
	}
	return converse(c, s, session)
}

// simArguments are sources, the specification if there is one, and formulas.
func simArguments(c *cli.Context, s cmdline.Streams) (sources []string, spec string, formulas []string, err error) {
	sources, spec, formulas, err = programcmds.ByKind(c, s)
	switch {
	case err != nil:
		return nil, "", nil, err
	case len(sources) == 0:
		return nil, "", nil, cmdline.Usagef(c, "C sources are needed beside %s (.c, .i, .pp)", spec)
	case spec == "":
		err = cmdline.OnlyFor(c, simForSpecified, programcmds.ForCSpecified)
	default:
		err = cmdline.OnlyFor(c, simForPlain, "C programs without a specification")
	}
	return sources, spec, formulas, err
}

func steppedPlain(c *cli.Context, s cmdline.Streams, sources []string) (*ofData.SteppedC, error) {
	chosen := programcmds.ChosenOptions(c)
	prog, err := programcmds.LoadCAs(c, s, sources, chosen)
	if err != nil {
		return nil, err
	}
	model, err := programcmds.DataModel(c, chosen.One("data-model"), sources[0])
	if err != nil {
		return nil, err
	}
	o := cfront.Options{Context: c.Context, Defines: chosen["D"], Include: c.StringSlice("I"), Entry: c.String("entry"), Model: model, System: ofData.SystemHeaders(model)}
	if err := programcmds.Surroundings(c, chosen, &o); err != nil {
		return nil, err
	}
	return ofData.StepC(prog, sources, o, s.Open)
}

// steppedSpecified makes components of a specification. Those of a counterexample are made as for
// the question that it answers: its formula and its abstraction decide which actions there are.
func steppedSpecified(c *cli.Context, s cmdline.Streams, sources []string, spec string, formulas []string, trace *report.Result) (*ofData.SteppedC, error) {
	q, err := programcmds.SpecifiedTask(c, s, sources, spec)
	if err != nil {
		return nil, err
	}
	q.Task.Abstraction = c.String("abstraction")
	var asked []ofData.FormulaC
	switch {
	case trace != nil && trace.Kind == "conform" && !c.IsSet("abstraction"):
		q.Task.Abstraction = trace.Name
	case trace != nil && trace.Kind == "ltl" && len(formulas) == 0 && !c.IsSet("property"):
		src := source.NewFile("<formula>", trace.Formula)
		asked = []ofData.FormulaC{{Name: trace.Name, At: src.Span(0, len(trace.Formula))}}
	case trace != nil && len(formulas) == 0 && !c.IsSet("property"):
	default:
		if asked, err = programcmds.FormulasAsked(c, s, q, formulas); err != nil {
			return nil, err
		}
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	return ofData.StepSpecifiedC(c.Context, q.Task, asked, pool)
}

// onlyForSimC refuses flags about C where a model is stepped.
func onlyForSimC(c *cli.Context) error {
	if i := slices.IndexFunc(simForC, c.IsSet); i >= 0 {
		return cmdline.Usagef(c, "%s is for C programs (.c, .i, .pp)", cmdline.SpelledFlag(simForC[i]))
	}
	return nil
}
