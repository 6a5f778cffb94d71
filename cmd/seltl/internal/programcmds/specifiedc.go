package programcmds

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// SpecifiedFlags are for questions about C programs with a specification.
func SpecifiedFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "predicates", Value: "auto", Usage: "C: find predicates by `SOURCE`: branches (conditions of branches, as MAGIC does), interpolants (of spurious runs), auto"},
		&cli.StringFlag{Name: "minimise", Aliases: []string{"minimize"}, Value: "few", Usage: "C, with --predicates=branches: as few branches as possible by `HOW`: few (AbsRefMin, one size of sets), minimal (AbsRefMin), smallest (AbsRefine), greedy (GreedyMin), none"},
		&cli.BoolFlag{Name: "branch-by-branch", Usage: "C: choose branches one by one, as the thesis does, not all that speak of one variable together"},
		&cli.IntFlag{Name: "max-subsets", Usage: "C: try at most `N` sets of branches for a counterexample (MAXSUB), default 1000, for minimal 100000"},
		&cli.IntFlag{Name: "max-eliminating", Usage: "C: stop after `N` sets that exclude a counterexample (MAXELM), default 20, for minimal all"},
		&cli.StringFlag{Name: "levels", Value: "auto", Usage: "C: abstract by `N` levels: 1 (predicates), 2 (quotients of these, refined first), auto"},
		&cli.StringFlag{Name: "passes", Value: "all", Usage: "C: what makes components smaller before they are abstracted, `PASSES`: all, none, or a list of slice, constants, copies, dead, merge, remainders, split; with --certificate none does"},
		&cli.IntFlag{Name: "max-rounds", Usage: "C: give up after `N` refinements"},
		&cli.StringFlag{Name: "globals", Value: "shared", Usage: "C: variables of several components are `WHAT`: shared (an error), private (each has its own)"},
		&cli.StringFlag{Name: "certificate", Usage: "C: write the proof of an answer that holds to `FILE`, for seltl check-certificate; of one question"},
		&cli.StringFlag{Name: "draw-models", Usage: "C: draw the abstract models of the components into `FILE`, for Graphviz unless it ends in .svg: those that the first question failed with, or was proved with"},
		&cli.StringSliceFlag{Name: "I", Usage: "C: look for included files in `FOLDER`"},
		&cli.StringFlag{Name: "data-model", Usage: "C: `MODEL` of types: lp64, ilp32; default: ilp32 for .i and .cil.c, else lp64"},
	}, environmentFlags()...)
}

// Specified returns the arguments of a command that are C sources, and the one that is a
// specification of them; "" if this is not about C.
func Specified(c *cli.Context, s cmdline.Streams) (sources []string, spec string, err error) {
	for _, name := range c.Args().Slice() {
		switch {
		case check.IsSpec(name) && spec != "":
			return nil, "", cmdline.Usagef(c, "one specification is needed, not %s and %s", spec, name)
		case check.IsSpec(name):
			spec = name
		case check.IsC(name):
			sources = append(sources, name)
		}
	}
	if err := there(s, append(sources[:len(sources):len(sources)], spec)...); err != nil {
		return nil, "", err
	}
	switch {
	case spec == "" && len(sources) > 0:
		return nil, "", cmdline.Usagef(c, "%s", withoutSpec(c.Command.Name, sources[0]))
	case spec != "" && len(sources) == 0:
		return nil, "", cmdline.Usagef(c, "C sources are needed beside %s (.c, .i, .pp)", spec)
	case spec != "" && len(sources)+1 < c.NArg():
		return nil, "", cmdline.Usagef(c, "C sources (.c, .i, .pp) and one specification (.spec) are needed, nothing else")
	}
	return sources, spec, nil
}

// withoutSpec says what a command needs beside C sources.
func withoutSpec(command, name string) string {
	if command == "deadlock" {
		return fmt.Sprintf("a specification is needed beside %s: a file NAME.spec that says which components wait for one another, and by which routines (seltl help deadlock); one program alone waits for nobody: ask whether it comes to its end by seltl reach %[1]s --check=termination", name)
	}
	return fmt.Sprintf("a specification is needed beside %s: a file NAME.spec with what the program is compared with, in which calls of routines are actions, as in P = (lock -> unlock -> P | return {} -> STOP). cprog p = main { abstract CLAIM, {1}, P; } (seltl help %s)", name, command)
}

// there is the error about the first of some names, "" aside, of which there is no file: it goes before
// what is missed beside it.
func there(s cmdline.Streams, names ...string) error {
	for _, name := range names {
		if _, err := os.Stat(s.Path(name)); name != "" && errors.Is(err, fs.ErrNotExist) {
			_, err := check.OpenFile(s.Path(name))
			return err
		}
	}
	return nil
}

const (
	ForModels     = "models, not for C programs"
	ForCSpecified = "C programs (.c, .i, .pp) with a specification (.spec)"
)

// cegarOptions reads the flags of refinement.
func cegarOptions(c *cli.Context) (o cegar.Options, err error) {
	if err := cmdline.Choose(c, "predicates", &o.Predicates); err != nil {
		return o, err
	}
	if err := cmdline.Choose(c, "minimise", &o.Minimise); err != nil {
		return o, err
	}
	for flag, to := range map[string]*int{"max-subsets": &o.MaxSubsets, "max-eliminating": &o.MaxEliminating, "max-rounds": &o.Rounds} {
		if *to = c.Int(flag); *to < 0 || c.IsSet(flag) && *to == 0 {
			return o, cmdline.Usagef(c, "--%s %d: a positive number is needed", flag, *to)
		}
	}
	if err := cmdline.Choose(c, "levels", &o.Levels); err != nil {
		return o, err
	}
	o.Apart = c.Bool("branch-by-branch")
	if c.IsSet("certificate") { // it speaks of the components as they are
		o.Without = passes.Default()
		return o, nil
	}
	o.Without, err = passesLeftOut(c)
	return o, err
}

// SpecifiedTask reads the files.
func SpecifiedTask(c *cli.Context, s cmdline.Streams, sources []string, spec string) (q *programs.SpecifiedC, err error) {
	return specifiedAs(c, s, sources, spec, chosenFor(c, specifiedChoices))
}

// specifiedAs reads the files with options.
func specifiedAs(c *cli.Context, s cmdline.Streams, sources []string, spec string, chosen systemOptions) (q *programs.SpecifiedC, err error) {
	ask.RoomyHeap(c)
	q = &programs.SpecifiedC{}
	q.Task.Program, q.Task.Plain = chosen.One("process"), spec == ""
	if q.Task.PrivateGlobals, err = oneOf(c, chosen, "globals", "shared", "private"); err != nil {
		return nil, err
	}
	switch entry := chosen.One("entry"); {
	case spec == "":
		if names := slices.DeleteFunc(slices.Clone(specifiedOnly), func(name string) bool { return len(chosen[name]) == 0 }); len(names) > 0 {
			return nil, cmdline.Usagef(c, "%s is for %s", cmdline.SpelledFlag(names[0]), ForCSpecified)
		}
		q.Task.Spec, err = programs.PlainSpec(cmp.Or(entry, "main"))
	case entry != "":
		return nil, cmdline.Usagef(c, "--entry is for C programs without a specification: the cprog blocks of %s say what the components are", spec)
	default:
		q.Task.Spec, err = programs.LoadSpec(spec, s.Open)
	}
	if err != nil {
		return nil, err
	}
	if q.Task.C.Model, err = DataModel(c, chosen.One("data-model"), sources[0]); err != nil {
		return nil, err
	}
	q.Task.C.System = programs.SystemHeaders(q.Task.C.Model)
	if err := Surroundings(c, chosen, &q.Task.C); err != nil {
		return nil, err
	}
	for _, name := range sources {
		src, err := check.ReadSource(name, s.Open)
		if err != nil {
			return nil, err
		}
		q.Task.Sources = append(q.Task.Sources, src)
	}
	q.Task.C.Include = c.StringSlice("I")
	q.Task.C.Open = func(name string) (*source.File, error) { return check.ReadSource(name, s.Open) }
	q.Task.Constants = specification.Values{}
	for _, d := range chosen["D"] {
		name, value, _ := strings.Cut(d, "=")
		if !constantOf(q.Task.Spec, name) {
			q.Task.C.Defines = append(q.Task.C.Defines, d)
			continue
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return nil, cmdline.Usagef(c, "-D %s: a number is needed for the constant %s", d, name)
		}
		q.Task.Constants[name] = int32(n)
	}
	return q, nil
}

// constantOf reports whether a specification has a constant of that name: other definitions
// of the command line are macros of C.
func constantOf(f *specification.File, name string) bool {
	return slices.ContainsFunc(f.Defs, func(d specification.Definition) bool {
		k, ok := d.(*specification.ConstDef)
		return ok && k.Name.Text == name
	})
}

// asker asks a question about a specified C program, and returns the answers that the engine
// gave: by result of the report, nil where it gave none.
type asker func(q *programs.SpecifiedC, pool *smt.Pool, opts check.Options) (*report.Report, []*cegar.Answer, error)

// asksC asks a question about a C program with a specification, draws its pictures and the
// models, and prints the report.
func asksC(c *cli.Context, s cmdline.Streams, sources []string, spec string, answered asker, draw func(*report.Report) error) error {
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	q, err := SpecifiedTask(c, s, sources, spec)
	if err != nil {
		return err
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, answers, err := answered(q, pool, opts)
	done()
	if err != nil {
		return err
	}
	if err = draw(r); err == nil && c.IsSet("draw-models") {
		err = drawModels(c.String("draw-models"), r, answers)
	}
	if err == nil {
		err = certifiesC(c, q, r, answers)
	}
	if err != nil {
		return ask.Unwritten(c, s, r, err)
	}
	ShowMessages(c, s, r.Messages)
	return cmdline.Finish(c, s, r)
}

// drawModels writes the abstract models of the last round of the first question that failed,
// or of the first one: a graph for each component ([Chaki05], 6.4.6).
func drawModels(name string, r *report.Report, answers []*cegar.Answer) error {
	n := max(0, slices.IndexFunc(r.Results, func(res report.Result) bool { return res.Verdict == report.Violated }))
	var models []*diagram.Graph
	if n < len(answers) && answers[n] != nil {
		for _, m := range answers[n].Models {
			model, err := m.LKS(false)
			if err != nil {
				return err
			}
			models = append(models, model.Diagram())
		}
	}
	return cmdline.DrawFile(name, "dot", models...)
}
