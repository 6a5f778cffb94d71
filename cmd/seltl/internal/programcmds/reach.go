package programcmds

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

func ReachCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "reach",
		Usage:     "decide whether an infinite-state system can reach an error",
		ArgsUsage: "FILE",
		Description: `Decides whether an error state of a guarded-command system over integers, reals
and machine words is reachable, by predicate abstraction and refinement. FILE is
in the .gcl language, in ARMC's Prolog terms (.pl, .armc), or in linear Horn
clauses of SMT-LIB (.smt2), which have a solution (sat) if no error is
reachable, or a C program (.c, .i; several files make one). It needs the
program z3.

A C program fails where it reaches the label ERROR, calls reach_error() or
__VERIFIER_error(), or an assertion fails. --property asks instead what the
competition on software verification asks, and a task of that (.yml) names a
program with its properties; --write-witness and --witness write and validate
its witnesses. --check=termination asks whether every run of a C program ends.

An error is shown as a run with the values of all variables, which was replayed.
Safety comes with an invariant for each location, which was checked by three
kinds of queries; --certificate writes it to a file for "seltl
check-certificate".

EXAMPLES
   seltl reach specs/armc/lecture.gcl
   seltl reach specs/armc/bakery.gcl --direction=forward \
      --refine=interpolation --explain
   seltl reach specs/armc/inssort.pl --direction=backward \
      --abstraction=a2 --atomics=global --cfp-check=false --stats
   seltl reach specs/armc/ticket.gcl --certificate ticket.inv
   seltl check-certificate specs/armc/ticket.gcl ticket.inv
   seltl reach specs/c/lock.c
   seltl reach specs/c/queue.c --harness run.c
   seltl reach specs/c/svcomp/sum.yml
   seltl reach specs/c/svcomp/sum.c --property=no-overflow
   seltl reach specs/c/svcomp/sum.c --write-witness sum.witness.yml
   seltl reach specs/c/svcomp/sum.c --witness sum.witness.yml
   seltl reach specs/c/queue.c -D FIXED --check=null,bounds,div,overflow,uninit
   seltl reach specs/c/logger.c --rules=pthread-locks,stdio
   seltl reach specs/c/memory/buffer.c --check=memory,leaks
   seltl reach specs/c/termination/lexicographic.c --check=termination`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.StringFlag{Name: "passes", Value: "all", Usage: "C: what makes the program smaller before the search, `PASSES`: all, none, or a list of slice, constants, copies, dead, merge, remainders, split"},
			&cli.StringFlag{Name: "calls", Value: "auto", Usage: "C: `CALLS`: auto (inlined; by relations for the routines where the program is recursive, or too large), inline, relations (for what calls itself or is called in several places)"},
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "C, calls by relations: decide them by `METHOD`: car, spacer, auto (both)"},
			&cli.StringFlag{Name: "integers", Value: "auto", Usage: "C: `INTEGERS`: auto (a proof for unbounded integers, confirmed for machine words; else words from the start), math (unbounded), machine (words from the start)"},
			&cli.StringFlag{Name: "direction", Value: "auto", Usage: "`DIRECTION`: backward (Method I of ARMC), forward (AbstRefineLoop), bounded (runs to errors, and proofs where no run is longer), spacer (one Horn problem), induction (k-induction with facts), values (explicit values), enumerate (concrete states), symbolic (all runs at once until they have ended), cells (Spacer, with invariants about all elements of arrays), houdini (such of what the system mentions), auto (all of them in turn)"},
			&cli.StringFlag{Name: "without", Usage: "auto: leave out `DIRECTIONS`, a list like spacer,backward"},
			&cli.StringFlag{Name: "abstraction", Value: "a3", Usage: "`ABSTRACTION`: a1, a2, a3 (Cartesian, from coarse to exact), boolean"},
			&cli.StringFlag{Name: "refine", Value: "interpolation", Usage: "find predicates by `METHOD`: " + strings.Join(predabs.Interpolation.Names(), ", ")},
			&cli.StringFlag{Name: "predicates", Aliases: []string{"atomics"}, Value: "local", Usage: "track predicates `WHERE`: local (where they were found), global; ARMC's option atomics"},
			&cli.BoolFlag{Name: "cfp-check", Value: true, Usage: "backward: let the concrete fixpoint decide if it is reached while a path is tested, the default; ARMC's option cfp_chk"},
			&cli.BoolFlag{Name: "minimise-predicates", Aliases: []string{"minimize-predicates"}, Usage: "forward: look for a proof with fewer predicates once there is one"},
			&cli.StringFlag{Name: "blocks", Value: "auto", Usage: "`ENCODING`: small (one edge, one step), spliced (one path, one step), large (all paths between two locations in one step), auto (what the method does best with)"},
			&cli.StringFlag{Name: "facts", Value: "on", Usage: "on, off: find equations, congruences, intervals and octagons that hold at each location first, and use them"},
			&cli.StringFlag{Name: "acceleration", Value: "on", Usage: "on, off: take simple loops any number of times in one step (bounded, and forward with interpolants)"},
			checkFlag(),
			rulesFlag(),
			&cli.IntFlag{Name: "max-rounds", Usage: "give up after `N` refinements"},
			&cli.BoolFlag{Name: "explain", Usage: "narrate the rounds"},
			&cli.BoolFlag{Name: "stats", Usage: "print the columns of ARMC's tables: R refinement steps, I steps of the last fixpoint, P predicates in the invariant, G generated; facts, queries and their bytes, time, processor time"},
			&cli.StringFlag{Name: "certificate", Usage: "write the invariant to `FILE`"},
			&cli.StringFlag{Name: "harness", Usage: "C: write a failing run to `FILE`, as C that gcc compiles and that does it again"},
			&cli.StringFlag{Name: "property", Usage: "C: ask `PROPERTY` of the competition on software verification and nothing else: unreach-call, no-overflow, ..., or a file (.prp); of a task (.yml) one of its properties"},
			&cli.StringFlag{Name: "witness", Usage: "C: validate the witness in `FILE` (format 2.0, YAML), also of another tool"},
			&cli.StringFlag{Name: "write-witness", Usage: "C: write a witness to `FILE` (format 2.0, YAML): of a proof invariants at loops, of a failing run what calls returned"},
			&cli.StringFlag{Name: "dot", Usage: "draw the last abstract reachability graph into `FILE`, for Graphviz"},
			&cli.StringFlag{Name: "svg", Usage: "draw the last abstract reachability graph into `FILE`"},
		}, cFlags(), cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return reach(c, s) },
	}
}

func checkFlag() cli.Flag {
	return &cli.StringFlag{Name: "check", Usage: "`WHAT` is an error, too: div (a number is divided by 0); for C a list of null (pointers), bounds (of arrays and objects), div, overflow (of signed arithmetic), uninit (a variable without a value is read), memory (it is used or freed when it has ended, or was not allocated), leaks (not all is freed at the end), shift (a left shift does not fit); all: what sanitizers check, all but leaks. Not an error, but a question of its own: termination, whether every run ends; alone nothing else is asked"}
}

func rulesFlag() cli.Flag {
	return &cli.StringFlag{Name: "rules", Usage: "C: calls of the library that break one of `RULES` are errors, too, a list of pthread-locks (a mutex is locked twice, unlocked or waited with and not held, used when destroyed), stdio (a stream is used or closed after it was closed, or is null), malloc (memory is freed twice)"}
}

func loadSystem(c *cli.Context, s cmdline.Streams) (*program.System, error) {
	return loadSystemAs(c, s, ChosenOptions(c))
}

// loadSystemAs reads the system that the first argument names with options.
func loadSystemAs(c *cli.Context, s cmdline.Streams, chosen systemOptions) (*program.System, error) {
	name := c.Args().First()
	if name == "" {
		return nil, cmdline.Usagef(c, "no program or system: name a .c, .gcl, .pl or .smt2 file, or - for standard input")
	}
	sys, err := programs.LoadSystem(name, s.Open)
	if err != nil {
		return nil, ask.OtherKind(c, err)
	}
	switch what := chosen.One("check"); what {
	case "":
	case "div":
		sys = sys.WithDivisions()
	case termination:
		return nil, cmdline.Usagef(c, "--check=%s is for C programs; of a system, seltl verify %s \"F deadlock\" asks whether all runs end", what, name)
	default:
		return nil, cmdline.Usagef(c, "--check=%s: only div is known, beside C programs", what)
	}
	return sys, nil
}

func reachOptions(c *cli.Context) (o armc.Options, err error) {
	if err := cmdline.Choose(c, "direction", &o.Method); err != nil {
		return o, err
	}
	if o.Without, err = leftOut(c, "direction", o.Method, armc.Auto); err != nil {
		return o, err
	}
	if err := cmp.Or(cmdline.Choose(c, "abstraction", &o.Abstraction), cmdline.Choose(c, "refine", &o.Refine), cmdline.Choose(c, "blocks", &o.Blocks)); err != nil {
		return o, err
	}
	if o.Global, err = cmdline.Switched(c, "predicates", "local", "global"); err != nil {
		return o, err
	}
	if o.NoFacts, err = cmdline.Switched(c, "facts", "on", "off"); err != nil {
		return o, err
	}
	if o.NoAcceleration, err = cmdline.Switched(c, "acceleration", "on", "off"); err != nil {
		return o, err
	}
	o.AbstractOnly, o.Minimize = !c.Bool("cfp-check"), c.Bool("minimise-predicates")
	switch {
	case o.Method == armc.Backward && o.Abstraction == armc.Boolean:
		return o, cmdline.Usagef(c, "--abstraction=boolean needs --direction=forward")
	case o.Method != armc.Auto && o.Method != armc.Forward && o.Minimize:
		return o, cmdline.Usagef(c, "--minimise-predicates needs --direction=forward: Method I takes all atoms of iterated pre, and others have none")
	}
	o.Rounds, err = maxRounds(c)
	return o, err
}

// leftOut reads --without: names of methods, of which one, all of them together, is what m has
// to be. flag is the one that m was read from.
func leftOut[M interface {
	comparable
	Names() []string
	String() string
}, P interface {
	*M
	UnmarshalText([]byte) error
}](c *cli.Context, flag string, m, all M) (without []M, err error) {
	if !c.IsSet("without") {
		return nil, nil
	}
	if m != all {
		return nil, cmdline.Usagef(c, "--without needs --%s=%s: the others are one method each", flag, all.String())
	}
	known := slices.DeleteFunc(m.Names(), func(n string) bool { return n == all.String() })
	for _, name := range strings.Split(c.String("without"), ",") {
		if !slices.Contains(known, name) || P(&m).UnmarshalText([]byte(name)) != nil {
			return nil, &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("--without %s: of %s some may be left out", name, strings.Join(known, ", ")),
				Help: source.DidYouMean(name, known)}
		}
		if !slices.Contains(without, m) {
			without = append(without, m)
		}
	}
	if len(without) == len(known) {
		return nil, cmdline.Usagef(c, "--without %s: nothing is left", c.String("without"))
	}
	return without, nil
}

// maxRounds reads --max-rounds, 0 if it is not given.
func maxRounds(c *cli.Context) (int, error) {
	n := c.Int("max-rounds")
	if n < 0 || c.IsSet("max-rounds") && n == 0 {
		return 0, cmdline.Usagef(c, "--max-rounds %d: a positive number is needed", n)
	}
	return n, nil
}

func reach(c *cli.Context, s cmdline.Streams) error {
	ask.RoomyHeap(c)
	o, err := reachOptions(c)
	if err != nil {
		return err
	}
	if c.NArg() == 1 && programs.IsTask(c.Args().First()) {
		return reachTask(c, s, c.Args().First(), o)
	}
	if files := cFiles(c); files != nil {
		return reachC(c, s, files, o)
	}
	if err := onlyForC(c); err != nil {
		return err
	}
	if c.NArg() > 1 {
		return cmdline.Usagef(c, "unexpected argument %q: one system is checked at a time", c.Args().Get(1))
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	sys, err := loadSystem(c, s)
	if err != nil {
		return err
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	r, res, err := programs.Reach(c.Context, sys, pool, opts, o)
	done()
	cmdline.ShowWarnings(c, s, sys.Warnings)
	if err != nil {
		return err
	}
	if res != nil && c.Bool("stats") {
		note := &r.Results[0].Note
		pool.Close() // so that the times of its processes are known
		*note = strings.TrimSpace(*note + "\n        " + tableRow(res.Stats))
	}
	if err := writeReachFiles(c, sys, sys, res, ChosenOptions(c)); err != nil {
		return ask.Unwritten(c, s, r, err)
	}
	return cmdline.Finish(c, s, r)
}

// tableRow has the columns of tables 6.1 and 6.2 of [Rybalchenko02], what the solver was
// asked, and what processor time was used, by this process so far and by solvers that have
// ended.
func tableRow(s armc.Stats) string {
	seconds := max(s.Time.Seconds(), 1e-9)
	row := fmt.Sprintf("R=%d I=%d P=%d G=%d facts=%d queries=%d bytes=%d time=%.2fs, %.0f%% of it in the solver",
		s.Refinements, s.Iterations, s.Used, s.Generated, s.Facts, s.Solver.Queries, s.Solver.Bytes, seconds, min(100, 100*s.Solver.Time.Seconds()/seconds))
	if own, solver, ok := cmdline.ProcessorTimes(); ok {
		row += fmt.Sprintf("; processor time %.4fs, of the solver %.4fs", own.Seconds(), solver.Seconds())
	}
	return row
}

func writeReachFiles(c *cli.Context, sys, searched *program.System, res *armc.Result, chosen systemOptions) error {
	if res == nil {
		return nil
	}
	if name := c.String("certificate"); name != "" && res.Certificate != nil {
		cert := armc.Certificate{Invariant: res.Certificate.Invariant, Enumeration: res.Certificate.Enumeration, Execution: res.Certificate.Execution, Options: chosen}
		if err := cmdline.WriteFile(name, func(w io.Writer) error { return cert.Write(w, sys) }); err != nil {
			return err
		}
	}
	return cmdline.DrawInto(c, func() []*diagram.Graph {
		if res.Graph == nil {
			return nil
		}
		return []*diagram.Graph{res.Graph.Diagram(searched)}
	})
}
