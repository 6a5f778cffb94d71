package programcmds

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// VerifyCFlags are for verify of C programs.
func VerifyCFlags() []cli.Flag {
	return append(SpecifiedFlags(),
		&cli.StringFlag{Name: "entry", Value: "main", Usage: "C without a specification: the component is routine `NAME`"},
		&cli.StringFlag{Name: "rules", Hidden: true}) // to be told where they are
}

// verifyNotForC are the flags of verify that say how models are searched.
var verifyNotForC = []string{"finite-words", "emptiness", "por", "reduce", "symmetry", "shortest", "store", "store-bytes", "seed", "workers", "profile", "automaton", "positive", "negative"}

// ByKind sorts arguments into C sources, the specification of them, if there is one, and others,
// which are formulas: all of them if the first is a model.
func ByKind(c *cli.Context, s cmdline.Streams) (sources []string, spec string, formulas []string, err error) {
	ofModel := false // the first argument is none of C
	for i, name := range c.Args().Slice() {
		isFormula := strings.ContainsAny(name, " !()&|<>\"") && !cmdline.IsFile(s.Path(name)) // G !x.c
		ofModel = ofModel || i == 0 && !isFormula && !check.IsSpec(name) && !check.IsC(name)
		switch {
		case isFormula || ofModel:
			formulas = append(formulas, name)
		case check.IsSpec(name) && spec != "":
			return nil, "", nil, cmdline.Usagef(c, "one specification is needed, not %s and %s", spec, name)
		case check.IsSpec(name):
			spec = name
		case check.IsC(name):
			sources = append(sources, name)
		default:
			formulas = append(formulas, name)
		}
	}
	return sources, spec, formulas, nil
}

// Split returns the arguments of verify that are C sources, the one that is a specification of
// them, "" if there is none, and the others, which are formulas; without sources this is not about C.
func Split(c *cli.Context, s cmdline.Streams) (sources []string, spec string, formulas []string, err error) {
	sources, spec, formulas, err = ByKind(c, s)
	if err == nil {
		err = there(s, append(sources[:len(sources):len(sources)], spec)...)
	}
	switch {
	case err != nil:
		return nil, "", nil, err
	case spec != "" && len(sources) == 0:
		return nil, "", nil, cmdline.Usagef(c, "C sources are needed beside %s (.c, .i, .pp)", spec)
	}
	return sources, spec, formulas, nil
}

// VerifiesC is verify of C programs.
func VerifiesC(c *cli.Context, s cmdline.Streams, sources []string, spec string, formulas []string) error {
	if err := cmdline.OnlyFor(c, verifyNotForC, ForModels); err != nil {
		return err
	}
	if c.IsSet("rules") {
		return cmdline.Usagef(c, "rules for the order of calls are decided by seltl reach %s --rules=%s: a call that breaks one is a failure", strings.Join(sources, " "), c.String("rules"))
	}
	engine, err := cegarOptions(c)
	if err != nil {
		return err
	}
	opts, err := ask.VerifyOptions(c)
	if err != nil {
		return err
	}
	switch opts.Fair {
	case check.FairTransitions, check.FairChoice:
		return cmdline.Usagef(c, "--fair=%v is for models: of C programs, processes and actions can be fair", opts.Fair)
	}
	return asksC(c, s, sources, spec, func(q *programs.SpecifiedC, pool *smt.Pool, o check.Options) (*report.Report, []*cegar.Answer, error) {
		asked, err := formulasC(c, s, q, formulas)
		if err != nil {
			return nil, nil, err
		}
		if c.IsSet("certificate") && len(asked) > 1 {
			return nil, nil, cmdline.Usagef(c, "--certificate is of one formula, not of %d (--property NAME chooses)", len(asked))
		}
		opts.Options = o
		r, results, err := programs.VerifyC(c.Context, q, asked, pool, opts, engine)
		return r, lists.Append(nil, results, (*programs.VerifiedC).Answer), err
	}, func(r *report.Report) error { return ask.DrawFirst(c, r) })
}

// formulasC are the formulas of the command line and of files, or those of the specification.
func formulasC(c *cli.Context, s cmdline.Streams, q *programs.SpecifiedC, texts []string) (all []programs.FormulaC, err error) {
	all, err = FormulasAsked(c, s, q, texts)
	if err == nil && len(all) == 0 && q.Task.Plain {
		return nil, cmdline.Usagef(c, "a formula is needed beside %s: events are calls of routines (G(lock -> F unlock)) and what they return, states are conditions in quotes (seltl help verify)", q.Task.Sources[0].Name())
	}
	if err == nil && len(all) == 0 {
		return nil, &check.InputError{Code: "no-property", File: q.Task.Spec.Source.Name(),
			Text: fmt.Sprintf("%s: no property to verify: give a formula, or declare one in the program (ltl NAME = formula;)", q.Task.Spec.Source.Name())}
	}
	return all, err
}

// FormulasAsked is formulasC where there may be none.
func FormulasAsked(c *cli.Context, s cmdline.Streams, q *programs.SpecifiedC, texts []string) (all []programs.FormulaC, err error) {
	given, err := formulasGiven(c, s, texts)
	if err != nil {
		return nil, err
	}
	for _, at := range given {
		all = append(all, programs.FormulaC{At: at})
	}
	wanted := c.StringSlice("property")
	if len(all) == 0 || len(wanted) > 0 {
		q.Task.Program = cmp.Or(q.Task.Program, bind.Declaring(q.Task.Spec, wanted...))
		declared, err := programs.PropertiesC(q.Task.Spec, q.Task.Program, wanted...)
		if err != nil {
			return nil, err
		}
		all = append(all, declared...)
	}
	return all, nil
}
