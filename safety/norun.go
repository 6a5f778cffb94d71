package safety

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// A proof that no failure is reachable says nothing of a program that has no run: in which an
// assumption fails, or null is accessed, whatever it is given.

// Bounds of looking for a run: attempts, and steps of each, behind which it may go on for ever.
const (
	runAttempts = 24
	runSteps    = 20_000
)

// ranAtRandom reports that a program does something on values at random that is not refused.
func ranAtRandom(enc *encode.Encoding) bool {
	rng := rand.New(rand.NewPCG(1, 0))
	draw := func(t *ir.Type, most int) uint64 {
		n := rng.Int64N(int64(most))
		if rng.IntN(4) == 0 {
			n = -n
		}
		return ir.Canonical(t, uint64(n))
	}
	for attempt := range runAttempts {
		most := 2 << attempt
		args := lists.Append(nil, enc.Entry.Params, func(p *ir.Var) uint64 { return draw(p.Type, most) })
		m := &machine.Machine{Program: enc.Program, MaxSteps: runSteps, MaxDepth: 1000, Regions: true,
			Choose: func(c *machine.Choice) (uint64, error) { return draw(c.Type, most), nil }}
		out, err := m.Run(enc.Entry, args)
		if out.Ending == machine.Exceeded && out.Steps == 0 { // it has not begun
			continue
		}
		if err != nil || out.Ending != machine.Refused && !out.Large && (out.Ending != machine.Undefined || out.Broken != ir.CheckNull) {
			return true
		}
	}
	return false
}

// NoRun reports that no run of a program in which no failure is reachable comes to an end, or goes
// on for ever, as far as a search with few questions shows: where it does not, or is interrupted, it
// is false; of routines that are not inlined, only if none is called. Options of the engine give its
// limits.
func NoRun(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, engine armc.Options) (bool, error) {
	if ranAtRandom(enc) {
		return false, nil
	}
	sys := *enc.Words
	sys.Error = slices.Clone(sys.Error)
	for _, l := range enc.Ends {
		sys.Error = append(sys.Error, program.Region{Location: l, Where: logic.True(), Name: "end"})
	}
	// A call of a routine that is not inlined counts as a run that goes on.
	for i, e := range sys.Edges {
		if enc.CallOf(i) >= 0 {
			sys.Error = append(sys.Error, program.Region{Location: e.From, Where: logic.True(), Name: "call"})
		}
	}
	for _, r := range enc.Routines {
		sys.Error = append(sys.Error, program.Region{Location: r.End, Where: logic.True(), Name: "end"})
	}
	res, err := armc.Check(ctx, &sys, pool, armc.Options{Method: armc.Forward, Blocks: armc.Small, MaxQueries: firstQueries, Limits: engine.Limits, Progress: engine.Progress})
	if errors.Is(err, budget.ErrInterrupted) || err == nil && (res.Verdict != outcome.Holds || res.Graph == nil) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return acyclic(res.Graph), nil
}

// acyclic reports that no path of a graph goes on for ever.
func acyclic(g *armc.Graph) bool {
	next := make([][]int32, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], int32(e.To))
	}
	return !scc.Cyclic(scc.EdgesOf(next))
}
