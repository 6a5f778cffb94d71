package batches

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/batch"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/report/html"
)

func BatchCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "batch",
		Usage:     "work off a list of questions, on one machine or many",
		ArgsUsage: "[run | list] LIST... | merge DIR [LIST...]",
		Description: `LIST is a file with a command of seltl on each line, or a folder: then every
"// expect:" of a model or specification below it is a question. Each question
(unit) has one result in a folder of results (--out), named by a hash of all
that it depends on. A unit whose result is there is not done again, so a batch
that was killed is begun anew by the same command, and several machines with the
folder in common can share it.

run     does the units of the list, or of a part of it: --shard K/N, or the part
        that JOB_COMPLETION_INDEX (Kubernetes, with --shards N) or
        SLURM_ARRAY_TASK_ID says. The status is 0 if every unit has a result,
        whatever that says, and 3 if some have none.
list    prints the units with their keys, and which have results.
merge   makes one report of all results, tells which are missing, and ends with
        the worst status; what is missing counts as unknown (3). It is about the
        lists as they are now, or without any, what was worked at last.

A list has words as a shell reads them, with {2..8} and {a,b} for several units,
and # comments; "# expect: holds" or "# expect: fails" behind a unit says what
should come out. --swarm N makes N units of one with a bitstate store, with
different seeds. [NAME] on a line begins a group. A line can be an object:
{"words": ["verify", "model.lks", "G p"]}.

EXAMPLES
   seltl batch work.list --out results
   seltl batch list work.list --shard 3/8
   seltl batch run specs/classics --out results --jobs 2
   seltl batch merge results
   seltl batch merge results --json`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "`DIR` of results (default: in the working directory, named after the list, with the ending .results)"},
			&cli.StringFlag{Name: "shard", Usage: "do the part `K/N` of the list"},
			&cli.IntFlag{Name: "shards", Usage: "the list has `N` parts; the surroundings say which this is"},
			&cli.IntFlag{Name: "jobs", Value: 1, Usage: "do `N` units at a time"},
			&cli.DurationFlag{Name: "unit-timeout", Usage: "give every unit without a --timeout one of `TIME`"},
			&cli.BoolFlag{Name: "isolate", Usage: "do each unit in a process of its own: if one dies (memory), the others go on"},
			&cli.StringFlag{Name: "again", Usage: "do units again whose results are of some `KINDS`: unknown, input, internal, all"},
			&cli.BoolFlag{Name: "json", Usage: "merge: print one JSON object (docs/json.md)"},
			&cli.BoolFlag{Name: "details", Usage: "merge: print the reports of units that are not as they should be"},
			&cli.StringFlag{Name: "html", Usage: "merge: write a report for a browser to `FILE`"},
			cmdline.ColorFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print sums only; no progress"},
		},
		Action: func(c *cli.Context) error { return batchAction(c, s) },
	}
}

// notFor are the flags that are not for what is done with a batch.
var notFor = map[string][]string{
	"run":   {"json", "html", "details"},
	"list":  {"json", "html", "details", "jobs", "isolate", "again"},
	"merge": {"out", "shard", "shards", "jobs", "isolate", "again"},
}

func batchAction(c *cli.Context, s cmdline.Streams) error {
	name, operands := c.Args().First(), c.Args().Tail()
	act := runBatch
	switch name {
	case "run":
	case "list":
		act = listBatch
	case "merge":
		act = mergeBatch
	case "unit":
		act = oneUnit
	default:
		name, operands = "run", c.Args().Slice()
	}
	for _, flag := range notFor[name] {
		if c.IsSet(flag) {
			return cmdline.Usagef(c, "%s is not for seltl batch %s", cmdline.SpelledFlag(flag), name)
		}
	}
	return act(c, s, operands)
}

// workList are the units of the lists that a command line names.
type workList struct {
	names []string // the lists
	build string
	tasks []*batch.Task
}

// readLists reads lists and folders, and finds out what their units depend on. What is wrong
// with any unit's command line is an error, before anything is done.
func readLists(c *cli.Context, s cmdline.Streams, names []string) (*workList, error) {
	if len(names) == 0 {
		return nil, cmdline.Usagef(c, "no work list: name a file with commands, or a folder with expectations")
	}
	if limit := c.Duration("unit-timeout"); limit < 0 || c.IsSet("unit-timeout") && limit == 0 {
		return nil, cmdline.Usagef(c, "--unit-timeout %v: a positive time is needed, such as 30s or 5m", limit)
	}
	w := &workList{names: names, build: buildText()}
	u := &units{program: programOf(c), build: w.build, known: map[string]*knownFile{}}
	var errs source.List
	for _, name := range names {
		read, folder := readUnits, filepath.Dir(name)
		if cmdline.IsFolder(name) {
			read, folder = ExpectedUnits, "."
		}
		list, err := read(c, s, name)
		if err != nil {
			return nil, err
		}
		for _, unit := range list {
			if c.Context.Err() != nil {
				return nil, budget.ErrInterrupted
			}
			t, err := u.prepare(timedUnit(c, unit), folder)
			if err != nil {
				addTo(&errs, unit.At, err)
				continue
			}
			w.tasks = append(w.tasks, t)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	if len(w.tasks) == 0 {
		return nil, &check.InputError{Code: "input", File: names[0], Text: fmt.Sprintf("%s: there is no unit in it", strings.Join(names, ", ")),
			Help: "write a command on each line, such as: verify model.lks \"G p\""}
	}
	return w, nil
}

// timedUnit gives a unit the time of --unit-timeout, if it has none of its own.
func timedUnit(c *cli.Context, unit batch.Unit) batch.Unit {
	limit := c.Duration("unit-timeout")
	end := slices.Index(unit.Words, "--")
	if end < 0 {
		end = len(unit.Words)
	}
	if limit > 0 && !slices.ContainsFunc(unit.Words[:end], func(w string) bool { return w == "--timeout" || strings.HasPrefix(w, "--timeout=") }) {
		unit.Words = slices.Insert(slices.Clone(unit.Words), end, "--timeout="+limit.String())
	}
	return unit
}

// readUnits reads a file.
func readUnits(_ *cli.Context, s cmdline.Streams, name string) ([]batch.Unit, error) {
	src, err := check.ReadSource(name, s.Open)
	if err != nil {
		return nil, err
	}
	return batch.ReadList(src)
}

// addTo adds an error about a unit to others, with the unit's place.
func addTo(errs *source.List, at source.Span, err error) {
	d := errs.Errorf(at, cmdline.ErrorCode(err), "%v", err)
	var usage *cmdline.Error
	if d.Help = cmdline.HelpFor(err); errors.As(err, &usage) {
		d.Help = usage.Help
	}
}

// buildText says which program answers: a release by its version, another build by the hash
// of the program itself.
var buildText = sync.OnceValue(ProgramText)

func ProgramText() string {
	text := cmdline.VersionText()
	if cmdline.Version != "" && !strings.Contains(text, "dirty") && text != "unknown" {
		return text
	}
	name, err := os.Executable()
	if err != nil {
		return text
	}
	f, err := os.Open(name)
	if err != nil {
		return text
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return text
	}
	return text + " " + hex.EncodeToString(h.Sum(nil))
}

// resultsEnding is what a folder of results is called behind the name of its list.
const resultsEnding = ".results"

// resultsOf is the folder of the results of lists. One that lies beside its list, where earlier
// versions put it, is gone on with if there is none in the working directory.
func resultsOf(c *cli.Context, names []string) (string, error) {
	switch name := filepath.Clean(names[0]); {
	case c.String("out") != "":
		return c.String("out"), nil
	case len(names) > 1 || name == "-" || name == "." || name == "..":
		return "", cmdline.Usagef(c, "--out is missing: where are the results to be?")
	default:
		beside := strings.TrimSuffix(name, filepath.Ext(name)) + resultsEnding
		here := filepath.Base(beside)
		if _, err := os.Stat(here); errors.Is(err, fs.ErrNotExist) && hasPlan(beside) {
			return beside, nil
		}
		return here, nil
	}
}

// hasPlan reports whether batches were worked at in a folder.
func hasPlan(dir string) bool {
	folder, err := batch.Open(dir)
	if err != nil {
		return false
	}
	_, _, err = folder.LastPlan()
	return err == nil
}

// shardOf reads --shard, --shards and the environment. from says where it was found.
func shardOf(c *cli.Context) (shard batch.Shard, from string, err error) {
	if text := c.String("shard"); text != "" {
		if shard, err = batch.ParseShard(text); err != nil {
			return shard, "", cmdline.Usagef(c, "--shard %v", err)
		}
	}
	if n := c.Int("shards"); n < 0 || c.IsSet("shards") && n == 0 {
		return shard, "", cmdline.Usagef(c, "--shards %d: a positive number is needed", n)
	}
	shard, from, err = batch.ShardOf(shard, c.Int("shards"), os.Getenv)
	if err != nil {
		return shard, "", cmdline.Usagef(c, "%v", err)
	}
	return shard, from, nil
}

// againKinds are the results that --again speaks of, by their exit statuses.
var againKinds = map[string][]int{
	"unknown": {report.ExitUnknown}, "input": {report.ExitInput}, "internal": {report.ExitInternal},
	"all": {report.ExitHolds, report.ExitViolated, report.ExitInput, report.ExitUnknown, report.ExitInternal},
}

// againOf reads --again.
func againOf(c *cli.Context) (func(int) bool, error) {
	text := c.String("again")
	if text == "" {
		return nil, nil
	}
	var statuses []int
	for _, kind := range strings.Split(text, ",") {
		some, ok := againKinds[kind]
		if !ok {
			return nil, &cmdline.Error{Command: "batch", Text: fmt.Sprintf("--again %s: of unknown, input, internal, all some are needed", text), Help: source.DidYouMean(kind, cmdline.SortedKeys(againKinds))}
		}
		statuses = append(statuses, some...)
	}
	return func(status int) bool { return slices.Contains(statuses, status) }, nil
}

func runBatch(c *cli.Context, s cmdline.Streams, names []string) error {
	if c.Int("jobs") < 1 || c.Int("jobs") > cmdline.MaxWorkers {
		return cmdline.Usagef(c, "--jobs %d: a number from 1 to %d is needed", c.Int("jobs"), cmdline.MaxWorkers)
	}
	shard, from, err := shardOf(c)
	if err != nil {
		return err
	}
	again, err := againOf(c)
	if err != nil {
		return err
	}
	w, err := readLists(c, s, names)
	if err != nil {
		return err
	}
	dir, err := resultsOf(c, names)
	if err != nil {
		return err
	}
	folder, err := batch.Create(dir)
	if err != nil {
		return check.FileError(dir, err)
	}
	if err := folder.Clean(); err != nil {
		return check.FileError(dir, err)
	}
	if err := folder.AddPlan(batch.PlanOf(w.build, names, w.tasks)); err != nil {
		return check.FileError(dir, err)
	}
	fmt.Fprintf(s.Out, "results in %s\n", dir)
	show, done := batchProgress(c, s)
	outcome, err := batch.Run(c.Context, folder, w.tasks, asking(c), batch.Options{Shard: shard, Jobs: c.Int("jobs"), Again: again, Report: show})
	done()
	fmt.Fprintln(s.Out, outcomeText(shard, from, outcome))
	switch {
	case err != nil:
		return ofFolder(dir, err)
	case outcome.Failed > 0:
		return cmdline.ExitError(report.ExitUnknown)
	}
	return nil
}

// ofFolder is an error that a folder of results gave.
func ofFolder(dir string, err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); !ok {
		return err
	}
	return &check.InputError{Code: "file", File: dir, Text: err.Error(), Help: "what was done before is kept: repair the folder, and give the same command again", Err: err}
}

// outcomeText sums up a run.
func outcomeText(shard batch.Shard, from string, o batch.Outcome) string {
	text := report.Counted(int64(o.Units), "unit")
	if shard != batch.Whole || from != "" {
		text = fmt.Sprintf("shard %v (%s): %s", shard, from, text)
	}
	parts := []string{fmt.Sprintf("%s done", report.Group(int64(o.Done))), fmt.Sprintf("%s there before", report.Group(int64(o.There)))}
	if o.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%s without a result", report.Group(int64(o.Failed))))
	}
	if left := o.Left(); left > 0 {
		parts = append(parts, fmt.Sprintf("%s not begun or interrupted", report.Group(int64(left))))
	}
	return text + ": " + strings.Join(parts, ", ")
}

// listBatch prints the units of lists.
func listBatch(c *cli.Context, s cmdline.Streams, names []string) error {
	shard, _, err := shardOf(c)
	if err != nil {
		return err
	}
	w, err := readLists(c, s, names)
	if err != nil {
		return err
	}
	dir, err := resultsOf(c, names)
	var folder *batch.Folder
	if err == nil {
		folder, _ = batch.Open(dir) // without one, no result is there
	}
	for _, t := range shard.Of(w.tasks) {
		state := "-"
		if folder != nil {
			if r, err := folder.Result(t.Key); err == nil {
				state = fmt.Sprint(r.Report.Exit)
			}
		}
		if _, err := fmt.Fprintf(s.Out, "%s %s %s\n", t.Key[:16], state, batch.Quote(t.Unit.Words)); err != nil {
			return err
		}
	}
	return nil
}

// mergeBatch prints one report of the results in a folder.
func mergeBatch(c *cli.Context, s cmdline.Streams, operands []string) error {
	if len(operands) == 0 {
		return cmdline.Usagef(c, "merge needs the folder of the results")
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	dir := operands[0]
	folder, err := batch.Open(dir)
	if err != nil {
		return check.FileError(dir, err)
	}
	plan, others, err := planOf(c, s, folder, operands)
	if err != nil {
		return err
	}
	b, err := folder.Merge(plan)
	if err != nil {
		return check.FileError(dir, err)
	}
	b.Version = cmdline.VersionText()
	if others > 0 {
		b.Messages = append(b.Messages, report.Message{Severity: "note", Code: "other-plans",
			Text: fmt.Sprintf("not in this report: %s worked at before, with other files or other units (seltl batch merge %s LIST is about a list as it is now)", report.Counted(int64(others), "list"), dir)})
	}
	if b.Counts.Missing > 0 {
		b.Redo = "seltl batch " + batch.Quote(append(slices.Clone(plan.Lists), "--out", dir))
	}
	if c.Bool("json") {
		err = b.JSON(s.Out)
	} else {
		err = b.Text(s.Out, report.TextOptions{Quiet: c.Bool("quiet"), Color: cmdline.Colorful(c, s.Out), Width: cmdline.TextWidth(s.Out)}, c.Bool("details"))
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	switch err := mergedBatch(c, s, b); {
	case err != nil:
		return err
	case b.Exit != 0:
		return cmdline.ExitError(b.Exit)
	}
	return nil
}

// planOf is what a report is to be about: the lists behind the folder as they are now, or
// what was worked at last; others is how many there are beside that.
func planOf(c *cli.Context, s cmdline.Streams, folder *batch.Folder, operands []string) (p *batch.Plan, others int, err error) {
	dir, lists := operands[0], operands[1:]
	if len(lists) > 0 {
		w, err := readLists(c, s, lists)
		if err != nil {
			return nil, 0, err
		}
		return batch.PlanOf(w.build, lists, w.tasks), 0, nil
	}
	p, others, err = folder.LastPlan()
	var damaged *batch.Damaged
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = &check.InputError{Code: "input", File: dir, Text: fmt.Sprintf("%s: no batch has results here: there is no plan-....json in it", dir), Help: "seltl batch LIST --out " + dir}
	case errors.As(err, &damaged):
		err = &check.InputError{Code: "input", File: damaged.File, Text: damaged.Error(), Help: "the command that ran the batch writes it again"}
	case err != nil:
		err = check.FileError(dir, err)
	}
	return p, others, err
}

// batchProgress returns what shows how far a batch is: a line that rewrites itself on a
// terminal, a line every so often elsewhere. Units without a result are told at once.
func batchProgress(c *cli.Context, s cmdline.Streams) (show func(batch.Event), done func()) {
	line := newBatchLine(c, s)
	return func(e batch.Event) {
		if e.Err != nil {
			line.clear()
			s.Say(4, "seltl: no result of %s: %v", cmp.Or(e.Task.Place(), batch.Quote(e.Task.Unit.Words)), e.Err)
		}
		line.show(e.Outcome)
	}, line.clear
}

// mergedBatch writes the report of a work list: its units as a table, and those results that are
// not as they should be.
func mergedBatch(c *cli.Context, s cmdline.Streams, b *report.Batch) error {
	g := ask.NewGallery(c)
	if g == nil {
		return nil
	}
	g.Subject = strings.Join(b.Lists, ", ")
	facts := append([][2]string{{"all", b.Counts.String()}}, b.GroupLines()...)
	if b.Counts.Missing > 0 && b.Redo != "" {
		facts = append(facts, [2]string{"what is missing is done by", b.Redo})
	}
	g.Summary = &html.Made{Title: "units", Facts: facts, Table: html.TableOf(b.Table(), 0)}
	return g.Write(c, s, &report.Report{Results: b.Wrong(ask.MostMade), Messages: b.Messages, Exit: b.Exit})
}
