package programcmds

import (
	"cmp"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

func ClpCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "clp",
		Usage:     "decide a query of constraint logic (Horn clauses)",
		ArgsUsage: "FILE",
		Description: `Decides whether a query has a derivation by recursive rules over integers,
reals, Booleans and arrays, by abstraction refinement. FILE has constrained Horn
clauses of SMT-LIB (.smt2: logic HORN, or declare-rel, rule and query), rules
(.clp), or a system (.gcl, .pl). It needs the program z3.

Status 0: the query has no derivation; the clauses have a solution (sat), which
is printed and was checked clause by clause. Status 1: it has one (unsat), which
is printed as a tree with values and was replayed.

EXAMPLES
   seltl clp specs/clp/rational.clp --explain
   seltl clp specs/clp/rational_bug.clp --svg derivation.svg
   seltl clp specs/clp/mc91.smt2 --method=car --solution mc91.model
   seltl clp problem.smt2 --timeout 60s --json
   seltl clp problem.smt2 --format=smtlib
   seltl check-certificate problem.smt2 problem.model     what --solution wrote`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "`METHOD`: car (abstraction refinement of constraint logic queries), armc (the methods of seltl reach; linear clauses only), spacer (Z3's), sizes (Spacer on the sizes of lists and trees: solutions only), cells (Spacer on single elements of arrays: solutions only), auto (all of them, two at a time)"},
			&cli.StringFlag{Name: "without", Usage: "auto: leave out `METHODS`, a list like spacer,armc"},
			&cli.StringFlag{Name: "explication", Value: "complete", Usage: "car: what the abstraction knows of its predicates, `HOW`: complete (all that is true), lazy (clauses that explained a trace)"},
			&cli.StringFlag{Name: "source", Value: "interpolants", Usage: "car: explain traces by `WHAT`: interpolants, cores (localised unsatisfiable cores)"},
			&cli.StringFlag{Name: "facts", Value: "on", Usage: "on, off: car: find equations, congruences and bounds that hold first, and use them"},
			&cli.StringFlag{Name: "passes", Value: "on", Usage: "on, off: car: replace relations by their rules where that makes fewer clauses, and leave out arguments that nobody reads"},
			&cli.StringFlag{Name: "unrolling", Value: "on", Usage: "on, off: car: look for derivations by unrolling the query, before facts and between rounds"},
			&cli.StringFlag{Name: "widening", Value: "on", Usage: "on, off: car: generalise predicates that compare a sum with ever new numbers"},
			&cli.IntFlag{Name: "max-rounds", Usage: "give up after `N` refinements"},
			&cli.BoolFlag{Name: "explain", Usage: "narrate the rounds"},
			&cli.StringFlag{Name: "solution", Usage: "write the solution to `FILE`, by a define-fun for each predicate"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "print the answer as `FORM`: text, or smtlib for scripts (sat, unsat or unknown in the first line, then a model, a derivation or the reason)"},
			&cli.StringFlag{Name: "svg", Usage: "draw the derivation into `FILE`"},
			&cli.StringFlag{Name: "dot", Usage: "draw it into `FILE`, for Graphviz"},
		}, cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return decideQuery(c, s) },
	}
}

func clpOptions(c *cli.Context) (o clp.Options, err error) {
	if err := cmp.Or(cmdline.Choose(c, "method", &o.Method), cmdline.Choose(c, "explication", &o.Explication), cmdline.Choose(c, "source", &o.Source)); err != nil {
		return o, err
	}
	for _, part := range []struct {
		flag string
		off  *bool
	}{{"facts", &o.NoFacts}, {"passes", &o.NoPasses}, {"unrolling", &o.NoUnrolling}, {"widening", &o.NoWidening}} {
		if *part.off, err = cmdline.Switched(c, part.flag, "on", "off"); err != nil {
			return o, err
		}
	}
	if o.Without, err = leftOut(c, "method", o.Method, clp.Auto); err != nil {
		return o, err
	}
	o.Rounds, err = maxRounds(c)
	return o, err
}

func decideQuery(c *cli.Context, s cmdline.Streams) error {
	ask.RoomyHeap(c)
	o, err := clpOptions(c)
	if err != nil {
		return err
	}
	switch {
	case c.NArg() == 0:
		return cmdline.Usagef(c, "no query: name a .smt2 or .clp file, or - for standard input")
	case c.NArg() > 1:
		return cmdline.Usagef(c, "unexpected argument %q: one query is decided at a time", c.Args().Get(1))
	}
	smtlib, err := cmdline.Switched(c, "format", "text", "smtlib")
	if err != nil {
		return err
	}
	if smtlib && c.Bool("json") {
		return cmdline.Usagef(c, "--format=smtlib and --json: one output form at a time")
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	q, err := programs.LoadQuery(c.Args().First(), s.Open)
	if err != nil {
		return ask.OtherKind(c, err)
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, res, err := programs.CLP(c.Context, q, pool, opts, o)
	done()
	cmdline.ShowWarnings(c, s, q.Warnings)
	if err != nil {
		return err
	}
	if err := writeAnswer(c, q, r, res); err != nil {
		return ask.Unwritten(c, s, r, err)
	}
	if smtlib {
		return cmdline.FinishAs(c, s, r, func(w io.Writer) error { return q.WriteSMTLIB(w, r, res) })
	}
	return cmdline.Finish(c, s, r)
}

// writeAnswer writes the files that flags ask for.
func writeAnswer(c *cli.Context, q *programs.Query, r *report.Report, res *clp.Result) error {
	if name := c.String("solution"); name != "" && res != nil && res.Verdict == clp.Underivable {
		if err := cmdline.WriteFile(name, func(w io.Writer) error { return q.Clauses.Problem.With(res.Folds).WriteSolution(w, res.Solution) }); err != nil {
			return err
		}
	}
	return cmdline.DrawInto(c, func() []*diagram.Graph {
		if d := r.Results[0].Derivation; d != nil {
			return []*diagram.Graph{d.Diagram("a derivation of the query of " + q.Name)}
		}
		return nil
	})
}
