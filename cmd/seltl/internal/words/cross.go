package words

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/cross"
	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

func CrossCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "cross",
		Usage:     "compare translators of formulas on their automata",
		ArgsUsage: "TRANSLATOR...",
		Description: `Has every translator make the automata of formulas and of their negations, and
checks that no automaton of a formula has a word in common with one of its
negation; that complements of deterministic ones agree with the others; and that
random words are accepted iff the formula is true on them. A formula on which
they disagree is made small, with a word that shows which translator is wrong.

A translator is ours, seltl or seltl:OPTION,... with ba, tba, tgba (as in
seltl translate --acceptance), det, low, complete, parity (determinised); or a
command for the shell, with %f, %s or %l for the formula as Spot, SPIN or LBT
writes it, in quotes, and %O for a file that it writes, else its standard
output. It writes HOA or a never claim. '{NAME} COMMAND' gives it a name.

Status 0: all agree. 1: a translator is wrong or fails. 2: wrong input. 3: no
disagreement, but some translations or checks reached a limit.

EXAMPLES
   seltl cross seltl seltl:ba,det
   seltl cross seltl seltl:low seltl:parity -n 20 --seed 7 --json
   seltl cross 'seltl translate %f' seltl -F formulas.ltl`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "formula-file", Aliases: []string{"F"}, Usage: "the formulas of `FILE`, one a line, # comments, in place of random ones"},
			&cli.StringFlag{Name: "formula", Aliases: []string{"f"}, Usage: "one `FORMULA` in place of random ones"},
			&cli.IntFlag{Name: "random", Aliases: []string{"n"}, Value: 100, Usage: "`N` random formulas"},
			&cli.IntFlag{Name: "seed", Usage: "`SEED` of formulas and words"},
			&cli.StringFlag{Name: "alphabet", Value: "3", Usage: "atoms of random formulas: `NAMES` (a,b,c), or how many (p0, p1, ...)"},
			&cli.StringFlag{Name: "tree-size", Value: "1..12", Usage: "`RANGE` of the sizes of random formulas, before they are simplified on the way"},
			&cli.BoolFlag{Name: "psl", Usage: "random formulas have regular expressions, too"},
			&cli.StringFlag{Name: "weights", Usage: "how often operators are drawn, `LIST` such as U=3,xor=0; ap, true and false are the leaves, past every past operator (none is drawn unless asked for)"},
			&cli.IntFlag{Name: "words", Value: 20, Usage: "`N` random words for each formula"},
			&cli.DurationFlag{Name: "each", Value: 30 * time.Second, Usage: "`TIME` of each translation; an overdue command is killed"},
			&cli.IntFlag{Name: "max-failures", Value: 10, Usage: "end at `N` failures (0: never)"},
			&cli.BoolFlag{Name: "determinise", Usage: "check complements of automata that are not deterministic, too"},
			&cli.StringFlag{Name: "save", Usage: "write the formulas of failures, made small, into `FILE`, one a line"},
			&cli.StringFlag{Name: "csv", Usage: "write a line for each translation into `FILE`"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (see: seltl help json)"},
			cmdline.HTMLFlag(),
		}, cmdline.LimitFlags()),
		Action: func(c *cli.Context) error { return crossed(c, s) },
	}
}

func crossed(c *cli.Context, s cmdline.Streams) error {
	if c.NArg() == 0 {
		return cmdline.Usagef(c, "no translator: name two or more, such as seltl, seltl:ba,det and 'ltl2tgba -B %%f'")
	}
	for _, flag := range []string{"random", "words", "seed", "max-failures"} {
		if least := map[string]int{"random": 1}[flag]; c.Int(flag) < least {
			return cmdline.Usagef(c, "--%s %d: at least %d is needed", flag, c.Int(flag), least)
		}
	}
	if c.Duration("each") <= 0 {
		return cmdline.Usagef(c, "--each %v: a positive time is needed, such as 30s or 5m", c.Duration("each"))
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	var translators []cross.Translator
	for _, text := range c.Args().Slice() {
		t, err := cross.ParseTranslator(text)
		if err != nil {
			return cmdline.Usagef(c, "%v", err)
		}
		translators = append(translators, t)
	}
	chosen, err := crossFormulas(c, s)
	if err != nil {
		return err
	}
	l, err := cmdline.Limits(c)
	if err != nil {
		return err
	}
	l.Time = c.Duration("each")
	found, err := cross.Run(c.Context, translators, chosen,
		cross.Options{Seed: uint64(c.Int("seed")), Words: c.Int("words"), Limits: l, Determinise: c.Bool("determinise"), MaxFailures: c.Int("max-failures")})
	status := found.Exit()
	switch {
	case errors.Is(err, budget.ErrInterrupted) && errors.Is(c.Context.Err(), context.DeadlineExceeded): // --timeout
		status = report.Worst(status, report.ExitUnknown)
	case errors.Is(err, budget.ErrInterrupted):
		status = report.ExitInterrupted
	case err != nil:
		return err
	}
	return tellCross(c, s, found, status)
}

// crossFormulas are those of files, or random ones.
func crossFormulas(c *cli.Context, s cmdline.Streams) (chosen []*ltl.Formula, err error) {
	var texts []string
	if text := c.String("formula"); text != "" {
		texts = append(texts, text)
	}
	files := c.StringSlice("formula-file")
	if len(files)+len(texts) > 0 {
		for _, flag := range []string{"random", "alphabet", "tree-size", "weights", "psl"} {
			if c.IsSet(flag) {
				return nil, cmdline.Usagef(c, "--%s and --formula or --formula-file: formulas are random, or given", flag)
			}
		}
		read, err := ask.ReadFormulas(c, s, texts, files, ltl.ParseOptions{})
		for _, f := range read {
			chosen = append(chosen, f.Formula)
		}
		return chosen, err
	}
	random, err := crossRandom(c)
	if err != nil {
		return nil, err
	}
	err = random.Each(func(f formulas.Listed) (bool, error) {
		chosen = append(chosen, f.Formula)
		return true, nil
	})
	return chosen, err
}

// crossRandom reads how random formulas look, by the flags of `seltl formula`.
func crossRandom(c *cli.Context) (*formulas.Random, error) {
	sizes, err := formulas.ParseRange(c.String("tree-size"), 1, 5000)
	if err != nil {
		return nil, cmdline.Usagef(c, "--tree-size: %v", err)
	}
	random := &formulas.Random{Count: c.Int("random"), Seed: uint64(c.Int("seed"))}
	random.MinSize, random.MaxSize = sizes.Min, sizes.Max
	if random.Atoms, err = formulas.ParseAlphabet(c.String("alphabet")); err != nil {
		return nil, cmdline.Usagef(c, "--alphabet: %v", err)
	}
	if random.Weights, err = randomWeights(c); err != nil {
		return nil, err
	}
	return random, nil
}

func tellCross(c *cli.Context, s cmdline.Streams, found *report.Cross, status int) error {
	if name := c.String("csv"); name != "" {
		if err := cmdline.WriteFile(name, func(w io.Writer) error { return found.CSV(w) }); err != nil {
			return err
		}
	}
	if name := c.String("save"); name != "" {
		err := cmdline.WriteFile(name, func(w io.Writer) error {
			for _, f := range found.Failures {
				if _, err := fmt.Fprintln(w, f.Formula); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	r := &report.Report{Command: c.Command.Name, Version: cmdline.VersionText(), Exit: status, Cross: found}
	if err := cmdline.WritePage(c, s, &html.Page{Report: r, Subject: strings.Join(c.Args().Slice(), ", ")}); err != nil {
		return err
	}
	if c.Bool("json") {
		if err := r.JSON(s.Out); err != nil {
			return err
		}
	} else if err := found.Text(s.Out); err != nil {
		return err
	}
	if err := c.Context.Err(); err != nil {
		why := "interrupted"
		if errors.Is(err, context.DeadlineExceeded) {
			why = "time limit reached"
		}
		s.Say(4, "seltl: stopped after %s: %s", report.Counted(int64(found.Formulas), "formula"), why)
	}
	if status != report.ExitHolds {
		return cmdline.ExitError(status)
	}
	return nil
}
