package programcmds

import (
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// deadlockNotForC are the flags of deadlock that search models.
var deadlockNotForC = []string{"method", "no-reduction", "local", "livelock", "profile"}

// StuckC is deadlock of C programs.
func StuckC(c *cli.Context, s cmdline.Streams, sources []string, spec string) error {
	if err := cmdline.OnlyFor(c, append(cmdline.NamesOfFlags(append(cmdline.StoreFlags(), cmdline.DiskFlags(false)...)), deadlockNotForC...), ForModels); err != nil {
		return err
	}
	engine, err := cegarOptions(c)
	if err != nil {
		return err
	}
	var res *cegar.DeadlockResult
	return asksC(c, s, sources, spec, func(q *programs.SpecifiedC, pool *smt.Pool, opts check.Options) (r *report.Report, answers []*cegar.Answer, err error) {
		if r, res, err = programs.DeadlockC(c.Context, q, pool, opts, engine); res != nil {
			answers = append(answers, &res.Answer)
		}
		return r, answers, err
	}, func(r *report.Report) error {
		if err := ask.DrawWaits(c, r); err != nil {
			return err
		}
		return ask.DrawFirst(c, r)
	})
}
