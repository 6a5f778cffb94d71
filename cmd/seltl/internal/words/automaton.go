package words

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/automata"
	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

func AutomatonCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "automaton",
		Usage:     "convert, combine and compare automata over infinite words",
		ArgsUsage: "[FILE...]",
		Description: `Reads automata in the Hanoi format (HOA v1, any acceptance condition) and never
claims, any number in a file (- is standard input); changes each as the flags
say, in the order in which they are listed here; then answers a question, or
prints it. One automaton is read, answered and printed before the next; one that
is broken is reported and passed over, and the exit status is 2 in the end.
FILE/3 is the third column of a file of comma-separated values, one automaton a
line; FILE/-3 has a first line with the names of columns.

A question has status 0 for yes, 1 for no, with a word where there is one, and 3
where a limit was reached. OTHER is a file with one automaton, or a formula.

EXAMPLES
   seltl automaton a.hoa --complement
   seltl automaton a.hoa --included-in b.hoa
   seltl automaton a.hoa --equivalent-to "G(a -> F b)"
   seltl automaton --formula "G F a & F G b" --determinise --acceptance=rabin
   seltl automaton a.hoa --accepts "a & !b; cycle{b}"
   seltl translate "G F a" | seltl automaton - --complement --stats "%s, %g"
   seltl automaton a.hoa --class
   seltl automaton --random 20 --sets "Rabin 1..2" --determinise --stats "%S %s"

WORDS
   a & !b; cycle{b}: first a without b, then b for ever; 1 is any letter. Atoms
   that a letter leaves open may have any value: the word is accepted if it is
   for some values.

STATISTICS (--stats); capital letters are about the automaton as it was read
   %s states, %e edges, %t transitions (one a letter), %a acceptance sets,
   %g acceptance condition, %x atoms, %d 1 if deterministic, %n states with a
   choice, %p 1 if complete, %c strongly connected components, %m name,
   %h HOA in one line, %w a word that is accepted, %u 1 if branching is
   universal, %F file, %L line, %< and %> the columns before and behind it,
   %l number in the output, %r seconds, %R processor time, %% a percent sign.
   Letters in brackets: %[r]s reachable (as without), %[u]s unreachable, %[a]s
   all, also of %e and %t; %[a]c accepting components, and r rejecting, c
   complete, v trivial, t terminal, w weak, iw inherently weak, capitals for the
   opposite; %[]g name of the condition, 0 without numbers, o "other" for none;
   %[n]x names of atoms, d in quotes, s where needed, c as in columns, p in
   parentheses, and any sign between them; %[s]U states with branching, e edges`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.StringFlag{Name: "formula", Aliases: []string{"f"}, Usage: "the automaton of the formula `F`, before those of files"},
		}, randomAutomatonFlags(), []cli.Flag{
			&cli.StringFlag{Name: "product", Usage: "words that `OTHER` accepts, too"},
			&cli.StringFlag{Name: "union", Usage: "words that it or `OTHER` accepts"},
			&cli.StringFlag{Name: "project", Usage: "leave out these `ATOMS` (a,b): some values of them are accepted"},
			&cli.BoolFlag{Name: "closure", Usage: "the smallest safety property that contains it"},
			&cli.BoolFlag{Name: "liveness", Usage: "the liveness property that together with --closure is it"},
			&cli.BoolFlag{Name: "determinise", Usage: "a deterministic automaton (parity unless it is one)"},
			&cli.BoolFlag{Name: "complement", Usage: "words that it does not accept"},
			&cli.StringFlag{Name: "acceptance", Value: "generic", Usage: "`FORM` of acceptance: " + strings.Join(omega.Generic.Names(), ", ")},
			&cli.BoolFlag{Name: "trim", Usage: "without useless states, with a simpler condition"},
			&cli.BoolFlag{Name: "state-based", Usage: "acceptance on states"},
			&cli.BoolFlag{Name: "complete", Usage: "an edge for every letter in every state"},
		}, automatonQuestions(), []cli.Flag{
			&cli.BoolFlag{Name: "hoa", Usage: "print HOA (the default)"},
			&cli.BoolFlag{Name: "dot", Usage: "print a DOT graph"},
			&cli.StringFlag{Name: "svg", Usage: "draw a picture in `FILE`, of one automaton"},
			&cli.BoolFlag{Name: "never", Usage: "print a never claim for SPIN"},
			&cli.StringFlag{Name: "stats", Usage: "print a line of figures in this `FORMAT`, which may be left out"},
			&cli.BoolFlag{Name: "json", Usage: "print the answers as one JSON object (see: seltl help json)"},
			cmdline.HTMLFlag(),
		}, cmdline.LimitFlags()),
		Action: func(c *cli.Context) error { return automaton(c, s) },
	}
}

// randomAutomatonFlags say how random automata look.
func randomAutomatonFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "random", Usage: "`N` random automata, before those of files"},
		&cli.IntFlag{Name: "seed", Usage: "`SEED` of random automata"},
		&cli.StringFlag{Name: "states", Value: "10", Usage: "`RANGE` of the states of random automata"},
		&cli.StringFlag{Name: "alphabet", Value: "2", Usage: "atoms of random automata: `NAMES` (a,b,c), or how many (p0, p1, ...)"},
		&cli.StringFlag{Name: "sets", Value: "Buchi", Usage: "acceptance of random automata, `NAME` as HOA has it with ranges: Rabin 1..3, parity rand even 4, random 2..5; or a condition"},
		&cli.Float64Flag{Name: "density", Value: 0.2, Usage: "`P` that a random automaton has an edge from one state to another"},
		&cli.Float64Flag{Name: "marks", Value: 0.2, Usage: "`P` that an edge is in an acceptance set"},
		&cli.BoolFlag{Name: "coloured", Usage: "random automata: each edge is in one set"},
		&cli.BoolFlag{Name: "deterministic", Usage: "random automata that are deterministic and complete"},
		&cli.BoolFlag{Name: "marked-states", Usage: "random automata with acceptance on states"},
	}
}

// automatonQuestions are the flags that ask, and those about answers.
func automatonQuestions() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "empty", Usage: "ask: is no word accepted?"},
		&cli.BoolFlag{Name: "universal", Usage: "ask: is every word accepted?"},
		&cli.StringFlag{Name: "accepts", Usage: "ask: is this `WORD` accepted?"},
		&cli.StringFlag{Name: "included-in", Usage: "ask: does `OTHER` accept all its words?"},
		&cli.StringFlag{Name: "equivalent-to", Usage: "ask: does `OTHER` accept the same words?"},
		&cli.BoolFlag{Name: "stutter-invariant", Usage: "ask: does repeating letters change nothing?"},
		&cli.BoolFlag{Name: "shortest", Usage: "answer no with a word of as few letters as any has"},
		&cli.BoolFlag{Name: "class", Usage: "print what kind of property the language is"},
	}
}

// toolbox is one run of the command.
type toolbox struct {
	c        *cli.Context
	s        cmdline.Streams
	out      *bufio.Writer
	limits   budget.Limits
	steps    []step
	question automata.Question // nil: print
	ask      string            // its flag
	render   func(io.Writer, *automata.Subject) error
	report   report.Report
	seen     int // automata
	page     *ask.Gallery
}

// step changes an automaton.
type step func(a *omega.Automaton, m *budget.Meter) (*omega.Automaton, error)

func automaton(c *cli.Context, s cmdline.Streams) error {
	ask.RoomyHeap(c)
	t := &toolbox{c: c, s: s, out: bufio.NewWriter(s.Out), page: ask.NewGallery(c)}
	defer t.out.Flush()
	if c.NArg() == 0 && c.String("formula") == "" && !c.IsSet("random") {
		return cmdline.Usagef(c, "no automaton: name a file, - for standard input, or give --formula F or --random N")
	}
	var err error
	if t.limits, err = cmdline.Limits(c); err != nil {
		return err
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	if err := t.plan(); err != nil {
		return err
	}
	status := report.ExitHolds
	if f := c.String("formula"); f != "" {
		a, err := t.formula("<formula>", f)
		if err == nil {
			status, err = t.one(&automata.Subject{Automaton: a, File: "<formula>"})
		}
		if err != nil {
			return err
		}
	}
	if c.IsSet("random") {
		own, err := t.random()
		if err != nil {
			return err
		}
		status = report.Worst(status, own)
	}
	for _, name := range c.Args().Slice() {
		if status == report.ExitInterrupted {
			break
		}
		own, err := t.file(name)
		if err != nil {
			return err
		}
		if status = report.Worst(status, own); status == report.ExitInterrupted {
			break
		}
	}
	t.report.Exit = status
	if err := t.page.Write(c, s, &t.report); err != nil {
		return err
	}
	if c.Bool("json") {
		t.report.Command, t.report.Version, t.report.Exit = c.Command.Name, cmdline.VersionText(), status
		if err := t.report.JSON(t.out); err != nil {
			return err
		}
	}
	if status != report.ExitHolds {
		return cmdline.ExitError(status)
	}
	return nil
}

// meter bounds what is done to one automaton.
func (t *toolbox) meter() *budget.Meter { return budget.New(t.c.Context, t.limits, nil) }

// field is a column of a line.
type field = formulas.Field

// file works on the automata of a file, one after the other. That there is none is an error,
// lest a question about nothing be answered with yes; a pipe that changes automata may be
// empty.
func (t *toolbox) file(name string) (status int, err error) {
	if f := formulas.ParseFile(name, cmdline.IsFile); f.Column > 0 && (f.Name == "-" || cmdline.IsFile(f.Name)) {
		return t.column(f)
	}
	in, err := t.s.Open(name)
	if err != nil {
		if _, wrong := ltl.Parse(source.NewFile("<formula>", name), ltl.ParseOptions{}); wrong == nil && !cmdline.IsFile(name) && !budget.Stopped(err) {
			return 0, &check.InputError{Code: "no-such-file", File: name, Text: err.Error(), Help: fmt.Sprintf("a formula is given by --formula %q", name)}
		}
		return 0, err
	}
	defer in.Close()
	title := name
	if name == "-" {
		title = "<stdin>"
	}
	before := t.seen
	status, err = t.stream(title, in, nil)
	if err == nil && t.seen == before && status == report.ExitHolds && (name != "-" || t.question != nil) {
		err = check.NoAutomaton(title)
	}
	return status, err
}

// column works on automata in a column of a file of comma-separated values, each in one line.
func (t *toolbox) column(file formulas.File) (status int, err error) {
	before := t.seen
	err = file.EachField(t.s.Open, func(d field) error {
		if status == report.ExitInterrupted {
			return nil
		}
		text := strings.Repeat("\n", d.Line-1) + d.Source.Text()
		own, err := t.stream(d.Source.Name(), strings.NewReader(text), &d)
		status = report.Worst(status, own)
		return err
	}, func(err error) { status = report.Worst(status, t.broken(err)) })
	if err == nil && t.seen == before && status == report.ExitHolds {
		err = check.NoAutomaton(file.Name)
	}
	return status, err
}

// broken tells of what cannot be read.
func (t *toolbox) broken(err error) int {
	if list, ok := errors.AsType[source.List](err); ok {
		t.out.Flush()
		list.RenderWidth(t.s.Err, cmdline.TextWidth(t.s.Err))
		t.report.Messages = append(t.report.Messages, check.Messages(list)...)
	}
	return report.ExitInput
}

// stream works on the automata of a text, which may be a column of a line.
func (t *toolbox) stream(title string, in io.Reader, d *field) (status int, err error) {
	r := omega.NewReader(title, in)
	r.Meter = t.meter
	for {
		a, err := r.Next()
		var broken omega.Diagnostics
		switch {
		case err == io.EOF:
			return status, nil
		case errors.As(err, &broken):
			status = report.Worst(status, t.broken(err))
			continue
		case budget.Stopped(err): // universal branching
			t.seen++
			if status = report.Worst(status, t.stopped(&automata.Subject{File: title, Label: title}, err)); status == report.ExitInterrupted {
				return status, nil
			}
			continue
		case err != nil:
			return status, check.FileError(title, err)
		}
		text, _ := r.Last()
		h := &automata.Subject{Automaton: a, File: title, Line: firstLine(text)}
		h.Branches[0], h.Branches[1] = r.Branches()
		if d != nil {
			h.Before, h.After = d.Before, d.After
		}
		own, err := t.one(h)
		if err != nil {
			return status, err
		}
		if status = report.Worst(status, own); status == report.ExitInterrupted {
			return status, nil
		}
		if err := t.out.Flush(); err != nil {
			return status, err
		}
	}
}

// firstLine is the number of the line where a text begins that has blanks in front.
func firstLine(text *source.File) int {
	blanks := len(text.Text()) - len(strings.TrimLeft(text.Text(), " \t\r\n"))
	return text.Span(blanks, blanks).Pos().Line
}

// other reads the second automaton of a question or a combination: the one of a file, or that
// of a formula.
func (t *toolbox) other(flag string) (*omega.Automaton, error) {
	name := t.c.String(flag)
	if !cmdline.IsFile(name) && name != "-" {
		return t.formula("<"+flag+">", name)
	}
	in, err := t.s.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := omega.NewReader(name, in)
	r.Meter = t.meter
	all, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(all) != 1 {
		return nil, cmdline.Usagef(t.c, "--%s %s: one automaton is needed, %d are there", flag, name, len(all))
	}
	return all[0], nil
}

// formula translates a formula.
func (t *toolbox) formula(name, text string) (*omega.Automaton, error) {
	f, err := ltl.Parse(source.NewFile(name, text), ltl.ParseOptions{})
	if err != nil {
		return nil, err
	}
	if cmdline.IsFile(text) {
		return nil, cmdline.Usagef(t.c, "--formula %s: this is a file; name it without --formula", text)
	}
	if f.Op() == ltl.Atomic && strings.ContainsAny(text, "./") && !strings.Contains(text, `"`) {
		return nil, &check.InputError{Code: "no-such-file", File: text, Text: fmt.Sprintf("%s: no such file%s", text, check.SuggestFile(text)),
			Help: fmt.Sprintf("the formula of this atom is written with quotes: '%q'", text)}
	}
	b, err := buchi.Translate(f, buchi.Options{Meter: t.meter()})
	if err != nil {
		return nil, err
	}
	return omega.FromBuchi(b).Named(), nil
}
