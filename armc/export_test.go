package armc

import (
	"context"

	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// QuestionCheck is the limit by which a solver can tell the check of a certificate.
const QuestionCheck = questionCheck

// CheckUnaided is Check without some of what saves questions to the solver.
func CheckUnaided(ctx context.Context, sys *program.System, pool *smt.Pool, o Options, noCache, noSyntactic bool) (*Result, error) {
	return check(ctx, sys, pool, o, unaided{noCache: noCache, noSyntactic: noSyntactic})
}

// CheckEverything is Check that tries all variables as soon as explicit values begin.
func CheckEverything(ctx context.Context, sys *program.System, pool *smt.Pool, o Options) (*Result, error) {
	return check(ctx, sys, pool, o, unaided{everything: true})
}

// Lanes are the methods of Auto's lanes, each alone.
func Lanes() (out []Options) {
	for _, l := range lanes {
		out = append(out, Options{Method: l.method, Abstraction: l.abstraction, Refine: l.refine, Blocks: l.blocks})
	}
	return out
}
