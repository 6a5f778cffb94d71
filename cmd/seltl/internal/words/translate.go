package words

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

const DefaultStatsFormat = "%f: %s states, %e edges, %a acceptance sets, deterministic: %d, %r s"

func TranslateCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "translate",
		Usage:     "translate LTL formulas to Büchi automata",
		ArgsUsage: "FORMULA...",
		Description: `Prints an automaton that accepts exactly the words that satisfy FORMULA, in the
Hanoi Omega-Automata format (HOA v1) unless another form is asked for. Formulas
are read without a model: every name is an atom. Several formulas give several
automata in one stream.

EXAMPLES
   seltl translate "G(a -> F b)"
   seltl translate "G(a -> F b)" --svg automaton.svg
   seltl translate "GFa -> GFb" --never          a never claim for SPIN
   seltl translate "F(a & X b)" --events a,b     a and b never at the same time
   seltl translate "G(req -> F ack)" --finite-words --deterministic --dot
   seltl translate -F formulas.ltl --stats "%f;%s;%e"
   seltl translate "G F(a & X F b)" --minimise=sat --timeout 10s

MINIMISING (--minimise=sat)
   The automaton becomes a deterministic one with the fewest states possible and
   one acceptance set, if that has no more states; there are formulas for which
   there is none. Where no smaller automaton was found in time, or none exists,
   a note says so, and the automaton is printed as it was. The time is that of
   --timeout, or else 60s.

STATISTICS (--stats)
   %f formula, %s states, %e edges, %t transitions (one a letter), %a acceptance
   sets, %d 1 if deterministic, %r seconds, %% a percent sign`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.StringSliceFlag{Name: "formula-file", Aliases: []string{"F"}, Usage: "translate the formulas of `FILE`, one a line, # comments (-: standard input, translated as it comes)"},
			&cli.StringFlag{Name: "acceptance", Value: "ba", Usage: "`KIND` of acceptance: ba (state-based Büchi), tba (one set of edges), tgba (generalised)"},
			&cli.BoolFlag{Name: "deterministic", Usage: "prefer deterministic automata to small ones (best effort)"},
			&cli.StringFlag{Name: "minimise", Value: "none", Usage: "`METHOD` to look for a smallest deterministic automaton: none, sat"},
			&cli.BoolFlag{Name: "complete", Usage: "give every state an edge for every letter"},
			&cli.BoolFlag{Name: "finite-words", Usage: "formulas are about finite words (LTLf; X is weak, X[!] strong): the automaton reads them with the atom alive, and then words without it"},
			&cli.StringFlag{Name: "events", Usage: "these `NAMES` (a,b,c) are events: at most one at each step"},
			&cli.BoolFlag{Name: "hoa", Usage: "print HOA (the default)"},
			&cli.BoolFlag{Name: "dot", Usage: "print a DOT graph"},
			&cli.StringFlag{Name: "svg", Usage: "draw a picture in `FILE`, of one automaton"},
			&cli.BoolFlag{Name: "never", Usage: "print a never claim for SPIN"},
			&cli.StringFlag{Name: "stats", Usage: "print a line of figures in this `FORMAT`, which may be left out"},
			&cli.BoolFlag{Name: "explain", Usage: "print what kind of property each formula is"},
			&cli.BoolFlag{Name: "echo", Usage: "print how each formula was read, and nothing else"},
			&cli.StringFlag{Name: "syntax", Usage: "print each formula in the `SYNTAX` of seltl, spot, ltsa, spin, ltsmin, lbt, wring or latex, and nothing else"},
			&cli.BoolFlag{Name: "low", Usage: "translate as is, without simplifying formula or automaton"},
			cmdline.HTMLFlag(),
			&cli.DurationFlag{Name: "timeout", Usage: "give up on a formula after `TIME` (30s, 5m)"},
			&cli.StringFlag{Name: "max-memory", Usage: "give up when `SIZE` of memory is in use (500M, 8G)"},
		}),
		Action: func(c *cli.Context) error { return translate(c, s) },
	}
}

func translate(c *cli.Context, s cmdline.Streams) error {
	ask.RoomyHeap(c)
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	opts, err := translateOptions(c)
	if err != nil {
		return err
	}
	t := translator{c: c, s: s, opts: opts, page: ask.NewGallery(c)}
	if t.build, err = makerOf(c, s.Err, opts); err != nil {
		return err
	}
	if t.page != nil {
		t.build = keeping(t.build, &t.last)
	}
	if t.render, err = rendererOf(c, opts, t.build); err != nil {
		return err
	}
	var events []string
	if list := c.String("events"); list != "" {
		for _, e := range strings.Split(list, ",") {
			events = append(events, strings.TrimSpace(e))
		}
	}
	if err := fileAsFormula(c); err != nil {
		return err
	}
	var files []string
	streamed := false
	for _, name := range c.StringSlice("formula-file") {
		if name == "-" {
			streamed = true
		} else {
			files = append(files, name)
		}
	}
	parse := ltl.ParseOptions{Events: events, Finite: finiteWords(c)}
	formulas, wrong := ask.ReadFormulas(c, s, c.Args().Slice(), files, parse)
	if wrong != nil && (len(files) == 0 || len(formulas) == 0) {
		return wrong // of a file the other lines are translated
	}
	if len(formulas) == 0 && !streamed {
		return cmdline.Usagef(c, "no formula: write it behind the command, in quotes")
	}
	if t.limits, err = cmdline.Limits(c); err != nil {
		return err
	}
	if len(events) > 0 {
		group := buchi.Constraint{Kind: buchi.AtMostOne}
		for _, e := range events {
			group.Atoms = append(group.Atoms, ltl.Atom{Kind: ltl.Event, Name: e})
		}
		t.opts.Constraints = append(t.opts.Constraints, group)
	}
	t.out, t.finite = bufio.NewWriter(s.Out), parse.Finite
	defer t.out.Flush()
	for _, f := range formulas {
		if err := t.translate(f); err != nil {
			return err
		}
	}
	if streamed {
		if err := t.stream(parse); err != nil {
			return err
		}
	}
	t.told.Exit = t.status
	if err := t.page.Write(c, s, &t.told); err != nil {
		return err
	}
	if wrong != nil {
		return wrong
	}
	if t.status != report.ExitHolds {
		return cmdline.ExitError(t.status)
	}
	return nil
}

// alive holds at the letters of the finite words of --finite-words.
var alive = ltl.Atom{Kind: ltl.Name, Name: "alive"}

// finiteWords says how LTLf is read, nil for formulas about infinite words.
func finiteWords(c *cli.Context) *ltl.Ending {
	if !c.Bool("finite-words") {
		return nil
	}
	return ltl.EndingAlive(ltl.AtomOf(alive))
}

// fileAsFormula notices the name of a file where a formula should stand, also of one that is
// not there: it would be read as an atom.
func fileAsFormula(c *cli.Context) error {
	for _, text := range c.Args().Slice() {
		if !strings.ContainsAny(text, "./\\") || strings.ContainsAny(text, " ()[]<>!&|\"") {
			continue
		}
		if !cmdline.IsFile(text) {
			if kind := source.KindOf(text); kind == source.Automata || kind == source.Formulas || kind.Model() {
				return &check.InputError{Code: "no-such-file", File: text, Text: fmt.Sprintf("%s: no such file%s", text, check.SuggestFile(text)),
					Help: "if it is an atom, write \"(" + text + ")\""}
			}
			continue
		}
		help := "formulas in a file: -F " + text
		if source.KindOf(text) == source.Automata {
			help = "`seltl " + c.Command.Name + "` reads formulas, no automata"
		}
		return &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("%s is a file, and would be read as an atom", text),
			Help: help + "; if it is an atom, write \"(" + text + ")\""}
	}
	return nil
}

// translator translates one formula after the other.
type translator struct {
	c      *cli.Context
	s      cmdline.Streams
	out    *bufio.Writer
	opts   buchi.Options
	limits budget.Limits
	render renderer
	finite *ltl.Ending // how LTLf is read, nil for formulas about infinite words
	status int         // so far
	build  maker
	page   *ask.Gallery
	last   *buchi.Automaton // that was made, for the page
	told   report.Report    // what the page says beside
}

// translate prints what is asked for about a formula. Where a limit is reached, it says so
// and returns nil.
func (t *translator) translate(f ask.FormulaText) error {
	opts := t.opts
	opts.Meter = budget.New(t.c.Context, t.limits, nil)
	if t.finite != nil {
		f.Formula = ltl.MakeAnd(t.finite.Words(), f.Formula)
	}
	t.last = nil
	err := t.render(t.out, f, opts)
	if err == nil {
		err = translated(t.page, f, t.last, t.build, opts)
	}
	var exhausted *budget.Exhausted
	switch {
	case errors.Is(err, budget.ErrInterrupted):
		fmt.Fprintf(t.s.Err, "seltl: interrupted while translating %s\n", f.Text)
		return cmdline.ExitError(report.ExitInterrupted)
	case errors.As(err, &exhausted):
		t.out.Flush()
		fmt.Fprintf(t.s.Err, "seltl: %s: %v\n    help: try a larger limit, or a smaller formula\n", f.Text, err)
		t.told.Messages = append(t.told.Messages, report.Message{Severity: "error", Text: f.Text + ": " + err.Error()})
		t.status = report.Worst(t.status, report.ExitUnknown)
	case err != nil:
		return fmt.Errorf("%s: %w", f.Text, err)
	}
	return nil
}

// stream translates the formulas of standard input, one a line, and prints what is
// asked for before it reads the next line. A wrong line is reported and left out.
func (t *translator) stream(parse ltl.ParseOptions) error {
	lines := bufio.NewScanner(t.s.StandardIn())
	lines.Buffer(nil, source.MaxText)
	seen := false
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		located, err := ltl.ParseAll(source.NewPart("<stdin>", line, n), parse)
		if list, ok := errors.AsType[source.List](err); ok {
			list.RenderWidth(t.s.Err, cmdline.TextWidth(t.s.Err))
			t.told.Messages = append(t.told.Messages, check.Messages(list)...)
			t.status = report.Worst(t.status, report.ExitInput)
			seen = true
			continue
		}
		if err != nil {
			return err
		}
		for _, l := range located {
			seen = true
			if err := t.translate(ask.FormulaText{Text: strings.TrimSpace(l.Span.Text()), Formula: l.Formula, At: l.Span}); err != nil {
				return err
			}
		}
		if err := t.out.Flush(); err != nil {
			return err
		}
	}
	if err := lines.Err(); errors.Is(err, budget.ErrInterrupted) {
		return err
	} else if err != nil {
		return fmt.Errorf("<stdin>: %w", err)
	}
	if !seen {
		return errors.New("<stdin>: no formula in it")
	}
	return nil
}

// renderer writes what is asked for about one formula.
type renderer func(w io.Writer, f ask.FormulaText, opts buchi.Options) error

func translateOptions(c *cli.Context) (opts buchi.Options, err error) {
	if err := cmdline.Choose(c, "acceptance", &opts.Acceptance); err != nil {
		return opts, err
	}
	if c.Bool("deterministic") {
		opts.Prefer = buchi.Deterministic
	}
	if c.Bool("low") {
		opts.Level = buchi.Low
	}
	opts.Complete = c.Bool("complete")
	return opts, nil
}

// rendererOf is the renderer of what the flags ask for.
func rendererOf(c *cli.Context, opts buchi.Options, build maker) (renderer, error) {
	automaton := func(write func(io.Writer, *buchi.Automaton) error) renderer {
		return func(w io.Writer, f ask.FormulaText, opts buchi.Options) error {
			a, err := build(f, opts)
			if err != nil {
				return err
			}
			return write(w, a)
		}
	}
	format, err := ask.ParseStatsFormat(c, c.String("stats"), "fsetadr")
	if err != nil {
		return nil, err
	}
	choices := map[string]renderer{
		"hoa":     automaton(func(w io.Writer, a *buchi.Automaton) error { return a.WriteHOA(w) }),
		"dot":     automaton(writerOfDOT(c)),
		"svg":     automaton(drawOne(c, alive)),
		"never":   automaton(func(w io.Writer, a *buchi.Automaton) error { return a.WriteNever(w) }),
		"stats":   statsRenderer(format, build),
		"explain": explain,
		"echo":    echo,
	}
	asked := lists.Filter(cmdline.SortedKeys(choices), c.IsSet)
	if c.String("syntax") != "" {
		var syntax ltl.Syntax
		if err := cmdline.Choose(c, "syntax", &syntax); err != nil {
			return nil, err
		}
		choices["syntax"] = func(w io.Writer, f ask.FormulaText, _ buchi.Options) error {
			text, err := ltl.Format(f.Formula, syntax)
			if err == nil {
				_, err = fmt.Fprintln(w, text)
			}
			return err
		}
		asked = append(asked, "syntax")
	}
	switch len(asked) {
	case 0:
		return choices["hoa"], nil
	case 1:
		if asked[0] == "never" && opts.Acceptance != buchi.StateBuchi {
			return nil, cmdline.Usagef(c, "--never needs state-based acceptance: leave --acceptance out")
		}
		return choices[asked[0]], nil
	}
	return nil, cmdline.Usagef(c, "--%s and --%s: one output form at a time", asked[0], asked[1])
}

// writerOfDOT draws automata, of finite words as finite ones.
func writerOfDOT(c *cli.Context) func(io.Writer, *buchi.Automaton) error {
	if c.Bool("finite-words") {
		return func(w io.Writer, a *buchi.Automaton) error { return a.WriteFiniteDOT(w, alive) }
	}
	return func(w io.Writer, a *buchi.Automaton) error { return a.WriteDOT(w) }
}

// drawOne draws the first automaton.
func drawOne(c *cli.Context, alive ltl.Atom) func(io.Writer, *buchi.Automaton) error {
	drawn := false
	return func(_ io.Writer, a *buchi.Automaton) error {
		if drawn {
			return cmdline.Usagef(c, "--svg: a picture is of one automaton, and there are several")
		}
		drawn = true
		g := a.Diagram()
		if c.Bool("finite-words") {
			g = a.FiniteDiagram(alive)
		}
		return cmdline.DrawFile(c.String("svg"), "svg", g)
	}
}

// maker makes the automaton of a formula.
type maker func(f ask.FormulaText, opts buchi.Options) (*buchi.Automaton, error)

// makerOf is the maker that the flags ask for.
func makerOf(c *cli.Context, notes io.Writer, opts buchi.Options) (maker, error) {
	build := maker(plainAutomaton)
	smallest, err := cmdline.Switched(c, "minimise", "none", "sat")
	if err != nil {
		return nil, err
	}
	if smallest {
		build = smallestAutomaton(c, notes)
	}
	if opts.Acceptance != buchi.Generalised {
		build = oneSet(build)
	}
	if c.Bool("finite-words") {
		build = namedFinite(build)
	}
	return build, nil
}

// namedFinite names automata after formulas about finite words as they were written.
func namedFinite(build maker) maker {
	return func(f ask.FormulaText, opts buchi.Options) (*buchi.Automaton, error) {
		a, err := build(f, opts)
		if err == nil {
			a.SetName(f.Text + " (finite words)")
		}
		return a, err
	}
}

func plainAutomaton(f ask.FormulaText, opts buchi.Options) (*buchi.Automaton, error) {
	return buchi.Translate(f.Formula, opts)
}

// oneSet has every automaton say how it accepts by an acceptance set.
func oneSet(build maker) maker {
	return func(f ask.FormulaText, opts buchi.Options) (*buchi.Automaton, error) {
		a, err := build(f, opts)
		if err != nil {
			return nil, err
		}
		return a.WithSet(), nil
	}
}

// minimiseTime bounds a minimisation where --timeout does not.
const minimiseTime = time.Minute

// smallestAutomaton minimises the automaton of a formula, and notes where and why
// it stays as it is: that is no failure of the translation.
func smallestAutomaton(c *cli.Context, notes io.Writer) maker {
	return func(f ask.FormulaText, opts buchi.Options) (*buchi.Automaton, error) {
		a, err := buchi.Translate(f.Formula, opts)
		if err != nil {
			return nil, err
		}
		meter := opts.Meter
		if !c.IsSet("timeout") {
			l, err := cmdline.Limits(c)
			if err != nil {
				return nil, err
			}
			l.Time = minimiseTime
			meter = budget.New(c.Context, l, nil)
		}
		b, err := buchi.MinimiseSAT(a, buchi.SATOptions{Meter: meter})
		var exhausted *budget.Exhausted
		switch {
		case err == nil:
		case errors.Is(err, buchi.ErrNotRecurrence), errors.Is(err, buchi.ErrNoSmaller), errors.As(err, &exhausted):
			fmt.Fprintf(notes, "seltl: note: %s: not minimised: %v\n", f.Text, err)
		default:
			return nil, err
		}
		return b, nil
	}
}

// explain says what kind of property the formula is.
func explain(w io.Writer, f ask.FormulaText, opts buchi.Options) error {
	class, err := buchi.Classify(f.Formula, opts)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: %s\n", f.Text, class)
	return err
}

func echo(w io.Writer, f ask.FormulaText, _ buchi.Options) error {
	text, err := ltl.Echo(f.Formula)
	if err == nil {
		_, err = fmt.Fprintln(w, text)
	}
	return err
}

// statsRenderer prints a line of figures.
func statsRenderer(format ask.StatsFormat, build maker) renderer {
	return func(w io.Writer, f ask.FormulaText, opts buchi.Options) error {
		start := time.Now()
		a, err := build(f, opts)
		if err != nil {
			return err
		}
		seconds := time.Since(start).Seconds()
		stats := a.Stats()
		_, err = fmt.Fprintln(w, format.Print(func(letter byte) string {
			switch letter {
			case 'f':
				return f.Text
			case 's':
				return fmt.Sprint(stats.States)
			case 'e':
				return fmt.Sprint(stats.Edges)
			case 't':
				return fmt.Sprint(stats.Transitions)
			case 'a':
				return fmt.Sprint(stats.Sets)
			case 'd':
				if stats.Deterministic {
					return "1"
				}
				return "0"
			}
			return fmt.Sprintf("%.6f", seconds)
		}))
		return err
	}
}

// keeping notes the automaton that a maker has made last.
func keeping(build maker, last **buchi.Automaton) maker {
	return func(f ask.FormulaText, opts buchi.Options) (*buchi.Automaton, error) {
		a, err := build(f, opts)
		*last = a
		return a, err
	}
}

// translated adds to a gallery the automaton of a formula: the one that was printed, or that would be.
func translated(g *ask.Gallery, f ask.FormulaText, a *buchi.Automaton, build maker, opts buchi.Options) error {
	if g == nil {
		return nil
	}
	if a == nil {
		var err error
		if a, err = build(f, opts); err != nil {
			return err
		}
	}
	var facts [][2]string
	if text, err := ltl.Echo(f.Formula); err == nil {
		facts = append(facts, [2]string{"read as", text})
	}
	class, err := buchi.Classify(f.Formula, opts)
	if errors.Is(err, budget.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return err
	}
	if err == nil {
		facts = append(facts, [2]string{"property", class.String()})
	}
	g.Automaton(f.Text, facts, omega.FromBuchi(a))
	return nil
}
