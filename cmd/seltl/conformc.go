package main

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/program/magic"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// conformCFlags are for conform of C programs.
func conformCFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "abstraction", Usage: "C: ask the abstract statement `NAME` of the cprog block; may be repeated; default: all"},
		&cli.StringFlag{Name: "process", Usage: "C: the cprog block `NAME`; default: the only one"},
		&cli.StringFlag{Name: "by", Value: "simulation", Usage: "C: compare by `RELATION`: simulation (weak), traces"},
		&cli.StringFlag{Name: "predicates", Value: "auto", Usage: "C: find predicates by `SOURCE`: branches (conditions of branches, as MAGIC does), interpolants (of spurious runs), auto"},
		&cli.StringFlag{Name: "minimise", Aliases: []string{"minimize"}, Value: "minimal", Usage: "C, with --predicates=branches: as few branches as possible by `HOW`: minimal (AbsRefMin), smallest (AbsRefine), greedy (GreedyMin), none"},
		&cli.BoolFlag{Name: "branch-by-branch", Usage: "C: choose branches one by one, as the thesis does, not all that speak of one variable together"},
		&cli.IntFlag{Name: "max-subsets", Usage: "C: try at most `N` sets of branches for a counterexample (MAXSUB), default 1000"},
		&cli.IntFlag{Name: "max-eliminating", Usage: "C: stop after `N` sets that exclude a counterexample (MAXELM), default 20"},
		&cli.IntFlag{Name: "max-rounds", Usage: "C: give up after `N` refinements"},
		&cli.StringFlag{Name: "passes", Value: "all", Usage: "C: what makes components smaller before they are abstracted, `PASSES`: all, none, or a list of slice, constants, copies, dead, merge, split"},
		&cli.BoolFlag{Name: "check-assumptions", Usage: "C: verify the abstractions that are assumed, too, of routines that have bodies"},
		&cli.StringFlag{Name: "globals", Value: "shared", Usage: "C: variables of several components are `WHAT`: shared (an error), private (each has its own)"},
		&cli.BoolFlag{Name: "explain", Usage: "C: tell alphabets and narrate the rounds"},
		&cli.StringFlag{Name: "draw-models", Usage: "C: draw the abstract models of the components as Graphviz graphs into `FILE`: those that the first question failed with, or was proved with"},
		&cli.StringSliceFlag{Name: "I", Usage: "C: look for included files in `FOLDER`"},
		&cli.StringFlag{Name: "data-model", Usage: "C: `MODEL` of types: lp64, ilp32; default: ilp32 for .i and .cil.c, else lp64"},
	}
}

// specified returns the arguments of conform that are C sources, and the one that is a
// specification of them; "" if this is not about C.
func specified(c *cli.Context) (sources []string, spec string, err error) {
	for _, name := range c.Args().Slice() {
		switch {
		case check.IsSpec(name) && spec != "":
			return nil, "", usagef(c, "one specification is needed, not %s and %s", spec, name)
		case check.IsSpec(name):
			spec = name
		case check.IsC(name):
			sources = append(sources, name)
		}
	}
	switch {
	case spec == "" && len(sources) > 0:
		return nil, "", usagef(c, "a specification is needed beside %s: a file NAME.spec (seltl help conform)", sources[0])
	case spec != "" && len(sources) == 0:
		return nil, "", usagef(c, "C sources are needed beside %s (.c, .i, .pp)", spec)
	case spec != "" && len(sources)+1 < c.NArg():
		return nil, "", usagef(c, "C sources (.c, .i, .pp) and one specification (.spec) are needed, nothing else")
	}
	return sources, spec, nil
}

// notForC are the flags of conform that compare models.
var notForC = []string{"preorder", "method", "restrict", "silent-spec"}

func conformCOptions(c *cli.Context) (o cegar.Options, err error) {
	for _, name := range notForC {
		if c.IsSet(name) {
			return o, usagef(c, "%s is for models, not for C programs", spelledFlag(name))
		}
	}
	if err := choose(c, "predicates", &o.Predicates); err != nil {
		return o, err
	}
	if err := choose(c, "minimise", &o.Minimise); err != nil {
		return o, err
	}
	if o.Traces, err = switched(c, "by", "simulation", "traces"); err != nil {
		return o, err
	}
	if o.Without, err = passesLeftOut(c); err != nil {
		return o, err
	}
	if c.IsSet("trees") {
		o.Trees = c.Int("trees")
	}
	for flag, to := range map[string]*int{"max-subsets": &o.MaxSubsets, "max-eliminating": &o.MaxEliminating, "max-rounds": &o.Rounds} {
		if *to = c.Int(flag); *to < 0 || c.IsSet(flag) && *to == 0 {
			return o, usagef(c, "--%s %d: a positive number is needed", flag, *to)
		}
	}
	if o.Trees < 0 || c.IsSet("trees") && o.Trees == 0 {
		return o, usagef(c, "--trees %d: a positive number is needed", o.Trees)
	}
	o.Apart = c.Bool("branch-by-branch")
	return o, nil
}

// specifiedTask reads the files.
func specifiedTask(c *cli.Context, s streams, sources []string, spec string) (q *check.SpecifiedC, err error) {
	q = &check.SpecifiedC{Abstractions: c.StringSlice("abstraction"), Assumed: c.Bool("check-assumptions")}
	q.Task.Program = c.String("process")
	if q.Task.PrivateGlobals, err = switched(c, "globals", "shared", "private"); err != nil {
		return nil, err
	}
	if q.Task.Spec, err = check.LoadSpec(spec, s.open); err != nil {
		return nil, err
	}
	if q.Task.C.Model, err = dataModel(c, c.String("data-model"), sources[0]); err != nil {
		return nil, err
	}
	for _, name := range sources {
		src, err := check.ReadSource(name, s.open)
		if err != nil {
			return nil, err
		}
		q.Task.Sources = append(q.Task.Sources, src)
	}
	q.Task.C.Include = c.StringSlice("I")
	q.Task.C.Open = func(name string) (*source.File, error) { return check.ReadSource(name, s.open) }
	q.Task.Constants = magic.Values{}
	for _, d := range c.StringSlice("D") {
		name, value, _ := strings.Cut(d, "=")
		if !constantOf(q.Task.Spec, name) {
			q.Task.C.Defines = append(q.Task.C.Defines, d)
			continue
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return nil, usagef(c, "-D %s: a number is needed for the constant %s", d, name)
		}
		q.Task.Constants[name] = int32(n)
	}
	return q, nil
}

// constantOf reports whether a specification has a constant of that name: other definitions
// of the command line are macros of C.
func constantOf(f *magic.File, name string) bool {
	return slices.ContainsFunc(f.Defs, func(d magic.Definition) bool {
		k, ok := d.(*magic.ConstDef)
		return ok && k.Name.Text == name
	})
}

// conformsC is conform of C programs.
func conformsC(c *cli.Context, s streams, sources []string, spec string) error {
	engine, err := conformCOptions(c)
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
	q, err := specifiedTask(c, s, sources, spec)
	if err != nil {
		return err
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, asked, err := check.ConformC(c.Context, q, pool, opts, engine)
	done()
	if err != nil {
		return err
	}
	for i := range r.Results {
		if len(r.Results[i].Games) > 0 {
			if err := drawConform(c, &r.Results[i]); err != nil {
				return unwritten(c, s, r, err)
			}
			break
		}
	}
	if name := c.String("draw-models"); name != "" {
		if err := drawModels(name, r, asked); err != nil {
			return unwritten(c, s, r, err)
		}
	}
	showMessages(c, s, r.Messages)
	return finish(c, s, r)
}

// drawModels writes the abstract models of the last round of the first question that failed,
// or of the first one: a graph for each component ([Chaki05], 6.4.6).
func drawModels(name string, r *report.Report, asked []*check.ConformedC) error {
	n := max(0, slices.IndexFunc(r.Results, func(res report.Result) bool { return res.Verdict == report.Violated }))
	return writeFile(name, func(w io.Writer) error {
		if n >= len(asked) || asked[n].Result == nil {
			return nil
		}
		for _, m := range asked[n].Result.Models {
			model, err := m.LKS()
			if err != nil {
				return err
			}
			if err := lks.WriteDOT(w, model); err != nil {
				return err
			}
		}
		return nil
	})
}

// conformAdvice says what to try where conform of C programs has no answer.
func conformAdvice(reason *check.Inconclusive) string {
	if reason.Limit == "time" {
		return "a longer --timeout, or --predicates=interpolants or branches"
	}
	return "--predicates=interpolants or branches; --explain shows which component is refined"
}
