package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/cmd/seltl/internal/programcmds"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

func verifyCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "decide SE-LTL properties of a model",
		ArgsUsage: "MODEL [FORMULA...]",
		Description: `Decides whether every run of MODEL satisfies each FORMULA, and prints a run that
does not if there is one. Without a formula: every ltl and assert declaration of
the model file; "// expect: fails" behind one makes failing the right answer.
MODEL is a .lks, .lts or .fsp file, an Aldebaran .aut file, or - for standard
input. Of C programs, SOURCE.c... [SPEC.spec] FORMULA..., calls of routines are
events: "G(lock -> F unlock)", lock.return, "lock.return {$0 < 0}"; quoted C
expressions are conditions; a specification says what components and routines
do, and may declare properties. Systems
with data (.gcl, .pl, .armc, linear .smt2) are those of seltl reach; that all
runs end is "F deadlock".

--automaton takes properties from a file with automata (HOA with any acceptance
condition, or never claims). Their atoms are texts of atoms of formulas. A never
claim accepts the runs that violate the property, a HOA automaton those that
satisfy it, unless --positive or --negative says otherwise.

That a formula holds only since a part of it never happens is said beside the
verdict; --vacuity asks of each part whether it has an effect.

EXAMPLES
   seltl verify specs/first.lks "G(press & dark -> X lit)"
   seltl verify specs/classics/philosophers.lks -D N=3
   seltl verify specs/classics/philosophers.lks --process MIXED "G !deadlock"
   seltl verify specs/fairness/semaphore.lks --fair=none
   seltl verify model.lks --formula-file properties.ltl --json
   seltl verify specs/classics/courier.lks --finite-words "F home"
   seltl verify specs/first.lks "G(press & dark -> X lit)" --vacuity
   seltl verify specs/first.lks --automaton specs/automata/even-dark.hoa
   seltl verify specs/live/ranking/mccarthy.gcl "F deadlock" "G(call -> F back)"
   seltl verify specs/live/ranking/two_phases_never.gcl
   seltl verify specs/c/logger.c \
      "G(pthread_mutex_lock -> F pthread_mutex_unlock)"
   seltl verify specs/live/ranking/handed_on.gcl
   echo "G F a" | seltl verify model.lks -F -`,
		Flags: cmdline.Concat(cmdline.ModelFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "formula-file", Aliases: []string{"F"}, Usage: "check the formulas of `FILE`, one a line, # comments (- is standard input)"},
			&cli.StringSliceFlag{Name: "automaton", Usage: "check the automata of `FILE`, HOA or never claims (- is standard input); may be repeated"},
			&cli.BoolFlag{Name: "positive", Usage: "automata accept the runs that satisfy the property (the default for HOA)"},
			&cli.BoolFlag{Name: "negative", Usage: "automata accept the runs that violate the property (the default for never claims)"},
			&cli.BoolFlag{Name: "finite-words", Usage: "formulas are about the runs that end (LTLf; X is weak, X[!] strong); infinite runs are left out"},
			&cli.StringSliceFlag{Name: "property", Usage: "check only the declaration `NAME` of the model file; may be repeated"},
			&cli.StringFlag{Name: "svg", Usage: "draw the first counterexample into `FILE`"},
		}, propertyFlags(), cmdline.StoreFlags(), cmdline.DiskFlags(true), programcmds.VerifyCFlags(), cmdline.LimitFlags(), []cli.Flag{cmdline.ProfileFlag()}, cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return verify(c, s) },
	}
}

func verify(c *cli.Context, s cmdline.Streams) error {
	if sources, spec, formulas, err := programcmds.Split(c, s); err != nil || len(sources) > 0 {
		if err != nil {
			return err
		}
		return programcmds.VerifiesC(c, s, sources, spec, formulas)
	}
	if programcmds.IsSystem(c.Args().First()) {
		return programcmds.VerifiesSystem(c, s)
	}
	if err := cmdline.OnlyFor(c, cmdline.NamesOfFlags(programcmds.VerifyCFlags()), programcmds.ForCSpecified); err != nil {
		return err
	}
	if err := cmdline.OnlyInMemory(c, "verify searches in depth, for cycles, with the states in memory",
		"`seltl check --only=deadlock,safety` searches in breadth; here --store=compact needs less memory"); err != nil {
		return err
	}
	opts, err := ask.VerifyOptions(c)
	if err != nil {
		return err
	}
	return ask.Analyse(c, s, func(m *check.Model, o check.Options) (*report.Report, func() error, error) {
		opts.Options = o
		questions, err := ask.Questions(c, s, m)
		if err != nil {
			return nil, nil, err
		}
		r, err := check.Verify(c.Context, m, questions, opts)
		return r, func() error { return ask.DrawFirst(c, r) }, ask.StoreAdvice(c, err)
	})
}
