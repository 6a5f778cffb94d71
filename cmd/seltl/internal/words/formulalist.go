package words

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
)

// formulaOutput is how formulas are printed.
type formulaOutput struct {
	syntax      ltl.Syntax
	parentheses bool
	format      *ask.StatsFormat // nil: the formula, with the columns around it
	csv         bool
	count       bool
	separator   byte
}

// formulaSequences are the sequences of --format.
const formulaSequences = "fFLlsbaxh<>"

func (t *formulaTask) readOutput(c *cli.Context) error {
	o := &t.output
	o.csv, o.count, o.parentheses = c.Bool("csv"), c.Bool("count"), c.Bool("parentheses")
	chosen := ""
	for _, f := range formulaSyntaxes {
		if c.Bool(f.flag) && chosen != "" {
			return cmdline.Usagef(c, "--%s and --%s: one syntax at a time", chosen, f.flag)
		} else if c.Bool(f.flag) {
			chosen, o.syntax = f.flag, f.syntax
		}
	}
	if chosen != "" && o.parentheses {
		return cmdline.Usagef(c, "--parentheses and --%s: one of them", chosen)
	}
	if text := c.String("separator"); len(text) == 1 {
		o.separator = text[0]
	} else {
		return cmdline.Usagef(c, "--separator %q: one character is needed", text)
	}
	if c.IsSet("format") {
		format, err := ask.ParseFormat(c, "format", c.String("format"), formulaSequences)
		if err != nil {
			return err
		}
		o.format = &format
	}
	return nil
}

// text writes a formula.
func (o *formulaOutput) text(f *ltl.Formula) (string, error) {
	if o.parentheses {
		return ltl.Echo(f)
	}
	return ltl.Format(f, o.syntax)
}

// line writes what is printed of a formula; number counts those before it.
func (o *formulaOutput) line(item formulas.Listed, f *ltl.Formula, number int) (string, error) {
	text, err := o.text(f)
	if err != nil {
		return "", err
	}
	if o.csv || item.Before != "" || item.After != "" {
		text = formulas.QuoteColumn(text, o.separator)
	}
	if o.format == nil {
		return item.Before + text + item.After, nil
	}
	return o.format.Print(func(letter byte) string { return formulaFigure(letter, text, item, f, number) }), nil
}

// formulaFigure is what a sequence of --format stands for.
func formulaFigure(letter byte, text string, item formulas.Listed, f *ltl.Formula, number int) string {
	switch letter {
	case 'f':
		return text
	case 'F':
		return item.File + item.Family
	case 'L':
		if item.Line > 0 {
			return fmt.Sprint(item.Line)
		}
		return item.Arguments
	case 'l':
		return fmt.Sprint(number)
	case 's':
		return fmt.Sprint(f.Length())
	case 'b':
		return fmt.Sprint(f.BooleanLength())
	case 'a':
		return fmt.Sprint(len(ltl.Atoms(f)))
	case 'x':
		names := lists.Append(nil, ltl.Atoms(f), ltl.Atom.String)
		return strings.Join(names, " ")
	case 'h':
		return ltl.Classify(f).String()
	case '<':
		return strings.TrimSuffix(item.Before, ",")
	}
	return strings.TrimPrefix(item.After, ",") // %>
}

// formulaRun is one run of the command.
type formulaRun struct {
	*formulaTask
	c       *cli.Context
	s       cmdline.Streams
	out     *bufio.Writer
	opts    check.Options
	rep     *report.Report
	read    int // formulas so far
	printed int
	status  int
	stream  bool // flush after each line
}

// errEnough ends the reading of formulas.
var errEnough = errors.New("enough formulas")

func runFormula(c *cli.Context, s cmdline.Streams) error {
	ask.RoomyHeap(c)
	if c.Bool("families") {
		return listFamilies(s)
	}
	t, err := formulaTaskOf(c, s)
	if err != nil {
		return err
	}
	if len(t.args) == 0 && t.random == nil && len(t.members) == 0 && len(c.StringSlice("formula-file")) == 0 {
		return cmdline.Usagef(c, "no formula: write it behind the command, in quotes, or see -F, --random and --family")
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	opts.ShortestWord = c.Bool("shortest")
	r := &formulaRun{formulaTask: t, c: c, s: s, out: bufio.NewWriter(s.Out), opts: opts, rep: &report.Report{Command: "formula"}}
	if len(t.asks) == 0 {
		r.rep.Formulas = &report.Formulas{}
	}
	err = r.all()
	if err != nil && !errors.Is(err, errEnough) {
		r.out.Flush()
		return err
	}
	return r.end()
}

// all goes through the formulas of all sources.
func (r *formulaRun) all() error {
	take := func(item formulas.Listed) error { _, err := r.take(item); return err }
	for _, item := range r.args {
		if err := take(item); err != nil {
			return err
		}
	}
	for _, item := range r.members {
		if _, err := r.takeGenerated(item); err != nil {
			return err
		}
	}
	for _, name := range r.c.StringSlice("formula-file") {
		file := formulas.ParseFile(name, cmdline.IsFile)
		file.Syntax, file.Separator, file.Finite = r.from, r.output.separator, r.finite
		r.stream = file.Name == "-"
		before, broken := r.read, 0
		if err := file.Each(r.s.Open, take, func(err error) { broken++; r.broken(err) }); err != nil {
			return err
		}
		if r.read+broken == before && (!r.stream || len(r.asks) > 0) {
			return fmt.Errorf("%s: no formula in it", file.Name) // of none, all would be true
		}
	}
	if r.random == nil {
		return nil
	}
	err := r.random.Each(r.takeGenerated)
	if errors.Is(err, formulas.ErrTooFewFormulas) {
		r.s.Say(4, "seltl: %v", err)
		r.status, err = report.Worst(r.status, report.ExitUnknown), nil
	}
	return err
}

// takeGenerated is take for a formula that was not read, and may have to be read as LTLf.
func (r *formulaRun) takeGenerated(item formulas.Listed) (wanted bool, err error) {
	if r.finite != nil {
		if item.Formula, err = r.finite.Formula(item.Formula); err != nil {
			return false, r.passOver(item, err)
		}
	}
	return r.take(item)
}

// broken reports a line that cannot be read; the others are not given up for it.
func (r *formulaRun) broken(err error) {
	r.out.Flush()
	if list, ok := errors.AsType[source.List](err); ok {
		list.RenderWidth(r.s.Err, cmdline.TextWidth(r.s.Err))
		r.rep.Messages = append(r.rep.Messages, check.Messages(list)...)
	} else {
		r.s.Say(4, "seltl: %v", err)
	}
	r.status = report.Worst(r.status, report.ExitInput)
}

// take changes and filters one formula, and prints it or answers the questions about it. The
// error ends the run.
func (r *formulaRun) take(item formulas.Listed) (wanted bool, err error) {
	r.read++
	if r.nth != nil && !r.nth.Has(r.read) {
		if r.read > r.nth.Max {
			return false, errEnough
		}
		return false, nil
	}
	f, err := r.change.Apply(r.c.Context, item.Formula, r.opts)
	keep := err == nil
	if keep {
		keep, err = r.filter.Keeps(r.c.Context, f, r.opts)
	}
	if keep && err == nil {
		keep, err = r.unique.New(r.c.Context, f, r.opts)
	}
	switch {
	case err != nil:
		return false, r.passOver(item, err)
	case !keep:
		return false, nil
	case len(r.asks) > 0:
		err = r.ask(item, f)
	default:
		err = r.print(item, f)
	}
	if r.printed++; err == nil && r.most > 0 && r.printed == r.most {
		err = errEnough
	}
	return true, err
}

// passOver says why a formula is left out; an interruption and a bug are no such reasons.
func (r *formulaRun) passOver(item formulas.Listed, err error) error {
	var irreplaceable *ltl.Irreplaceable
	var large *ltl.TooLarge
	var name *ltl.Inexpressible
	var operator *ltl.NoOperator
	status := report.ExitInput
	switch {
	case errors.Is(err, budget.ErrInterrupted) || cmdline.IsBug(err):
		return err
	case check.Limited(err) || errors.As(err, &large):
		status = report.ExitUnknown
	case errors.As(err, &irreplaceable), errors.As(err, &name), errors.As(err, &operator), errors.Is(err, ltl.ErrWeakClosure):
	default:
		return err
	}
	r.out.Flush()
	r.s.Say(4, "seltl: %s: %v", item.Text, err)
	r.rep.Messages = append(r.rep.Messages, report.Message{Severity: "error", Code: "formula", File: item.File, Line: item.Line, Text: item.Text + ": " + err.Error()})
	r.status = report.Worst(r.status, status)
	return nil
}

func (r *formulaRun) print(item formulas.Listed, f *ltl.Formula) error {
	line, err := r.output.line(item, f, r.printed)
	if err != nil {
		r.printed--
		return r.passOver(item, err)
	}
	if r.output.count {
		return nil
	}
	if r.kept() {
		r.rep.Formulas.List = append(r.rep.Formulas.List, report.ListedFormula{
			Formula: line, Source: item.Text, File: item.File, Line: item.Line, Family: item.Family, Arguments: item.Arguments,
			Length: f.Length(), Atoms: len(ltl.Atoms(f)),
		})
	}
	if cmdline.ChosenForm(r.c) != nil {
		return nil
	}
	if _, err := fmt.Fprintln(r.out, line); err != nil {
		return err
	}
	if r.stream {
		return r.out.Flush()
	}
	return nil
}

// ask answers the questions about one formula: on text at once, as JSON at the end.
func (r *formulaRun) ask(item formulas.Listed, f *ltl.Formula) error {
	text := formulas.Written{Formula: f, Text: item.Text, At: item.At}
	if r.c.Bool("finite-words") {
		text.Finite = r.finite
	}
	if f != item.Formula {
		text.Text = f.String()
	}
	for _, a := range r.asks {
		result, status, err := formulas.Ask(r.c.Context, a.question, text, a.other, r.opts)
		if err != nil {
			return err
		}
		r.status = report.Worst(r.status, status)
		if r.kept() {
			r.rep.Results = append(r.rep.Results, result)
		}
		if cmdline.ChosenForm(r.c) != nil {
			continue
		}
		one := &report.Report{Command: "formula", Results: []report.Result{result}}
		if err := one.Text(r.s.Out, report.TextOptions{Quiet: r.c.Bool("quiet"), Color: cmdline.Colorful(r.c, r.s.Out), Width: cmdline.TextWidth(r.s.Out)}); err != nil {
			return err
		}
		if status == report.ExitInterrupted {
			return cmdline.ExitError(status)
		}
	}
	return nil
}

// end prints what is left to be printed, and ends with the status of the run: 1 if filters
// have left nothing.
func (r *formulaRun) end() error {
	if len(r.asks) == 0 {
		if r.rep.Formulas.Count = r.printed; r.printed == 0 && r.filters {
			r.status = report.Worst(r.status, report.ExitViolated)
		}
		if r.output.count && cmdline.ChosenForm(r.c) == nil {
			fmt.Fprintln(r.out, r.printed)
		}
	}
	if err := r.out.Flush(); err != nil {
		return err
	}
	r.rep.Exit = r.status
	if cmdline.ChosenForm(r.c) != nil {
		return cmdline.Finish(r.c, r.s, r.rep)
	}
	r.rep.Version = cmdline.VersionText()
	if err := cmdline.WriteHTML(r.c, r.s, r.rep); err != nil {
		return err
	}
	if r.status != report.ExitHolds {
		return cmdline.ExitError(r.status)
	}
	return nil
}

// kept reports whether there is to be a report in the end.
func (r *formulaRun) kept() bool { return cmdline.ChosenForm(r.c) != nil || r.c.String("html") != "" }
