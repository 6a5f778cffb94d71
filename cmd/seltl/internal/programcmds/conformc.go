package programcmds

import (
	"cmp"
	"slices"

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

// ConformCFlags are for conform of C programs.
func ConformCFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.StringSliceFlag{Name: "abstraction", Usage: "C: ask the abstract statement `NAME` of the cprog block; may be repeated; default: all"},
		&cli.StringFlag{Name: "process", Usage: "C: the cprog block `NAME`; default: the only one, or that of a named abstraction"},
		&cli.StringFlag{Name: "by", Value: "simulation", Usage: "C: compare by `RELATION`: simulation (weak), traces"},
		&cli.BoolFlag{Name: "check-assumptions", Usage: "C: verify the abstractions that are assumed, too, of routines that have bodies"},
		&cli.BoolFlag{Name: "explain", Usage: "C: tell alphabets and narrate the rounds"},
	}, SpecifiedFlags())
}

// notForC are the flags of conform that compare models.
var notForC = []string{"preorder", "method", "restrict", "silent-spec"}

// ConformsC is conform of C programs.
func ConformsC(c *cli.Context, s cmdline.Streams, sources []string, spec string) error {
	if err := cmdline.OnlyFor(c, notForC, ForModels); err != nil {
		return err
	}
	engine, err := cegarOptions(c)
	if err != nil {
		return err
	}
	if engine.Traces, err = cmdline.Switched(c, "by", "simulation", "traces"); err != nil {
		return err
	}
	if c.IsSet("trees") {
		if engine.Trees = c.Int("trees"); engine.Trees <= 0 {
			return cmdline.Usagef(c, "--trees %d: a positive number is needed", engine.Trees)
		}
	}
	return asksC(c, s, sources, spec, func(q *programs.SpecifiedC, pool *smt.Pool, opts check.Options) (*report.Report, []*cegar.Answer, error) {
		q.Abstractions, q.Assumed = c.StringSlice("abstraction"), c.Bool("check-assumptions")
		q.Task.Program = cmp.Or(q.Task.Program, bind.Declaring(q.Task.Spec, q.Abstractions...))
		if err := oneQuestion(c, q); err != nil {
			return nil, nil, err
		}
		r, asked, err := programs.ConformC(c.Context, q, pool, opts, engine)
		return r, lists.Append(nil, asked, (*programs.ConformedC).Answer), err
	}, func(r *report.Report) error {
		for i := range r.Results {
			if len(r.Results[i].Games) > 0 {
				return ask.DrawConform(c, &r.Results[i])
			}
		}
		return nil
	})
}
