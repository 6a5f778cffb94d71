package batches

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/batch"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// A unit of a work list is a command line of seltl. It is read twice: to find out what its
// answer depends on, which gives its key, and to be run, with its report taken instead of
// printed. Names of files are those that the command would have in the folder of its first
// file, so that neither a key nor a report says where the list lies.

// unitCommands are those whose answer is a report, and that depend on nothing but files.
var unitCommands = []string{"verify", "check", "deadlock", "progress", "conform", "equivalent", "reach", "clp", "check-certificate"}

// noUnitFlags of these commands are not for units: reports are printed by merge, and a unit
// writes nothing but its result.
var noUnitFlags = slices.Concat(cmdline.FileFlags, []string{"cpuprofile", "json", "color", "quiet", "no-warnings", "echo"})

// Flags that name inputs, and those that say only where the machine has room.
var (
	inputFlags  = []string{"formula-file", "automaton"}
	folderFlags = []string{"I"}
	roomFlags   = []string{"disk", "disk-memory", "checkpoint", "checkpoint-every"}
)

// Program is whose commands the units are.
type Program struct {
	App     func(cmdline.Streams) *cli.App
	Grammar *cmdline.Grammar
}

// metadata is where an app says whose commands units are.
const metadata = "units"

// In has the command of an app know whose commands its units are.
func (p *Program) In(app *cli.App) { app.Metadata = map[string]any{metadata: p} }

func programOf(c *cli.Context) *Program { return c.App.Metadata[metadata].(*Program) }

// reading guards what urfave/cli has in common for all command lines.
var reading sync.Mutex

// readCommand reads the command line of a unit, and returns what runs it.
func (p *Program) readCommand(ctx context.Context, s cmdline.Streams, words []string) (c *cli.Context, action cli.ActionFunc, err error) {
	reading.Lock()
	defer reading.Unlock()
	app := p.App(s)
	ordered, err := p.Grammar.Order(app, append([]string{"seltl"}, words...))
	if err != nil {
		return nil, nil, err
	}
	for _, command := range app.Commands {
		original := command.Action
		command.Action = func(found *cli.Context) error {
			c, action = found, original
			return nil
		}
	}
	if err := app.RunContext(ctx, ordered); err != nil {
		return nil, nil, err
	}
	if c == nil {
		return nil, nil, &cmdline.Error{Text: fmt.Sprintf("%s: this is no command that a work list can have", strings.Join(words, " "))}
	}
	return c, action, nil
}

// units prepares the units of a list.
type units struct {
	program *Program
	build   string
	known   map[string]*knownFile // by path
}

// knownFile is a file that units depend on.
type knownFile struct {
	sha256   string
	includes []string
	err      error
}

// prepare finds out what the answer to a unit depends on. folder is what its names of files
// are relative to. The error is that of the command line, or that a file cannot be read.
func (u *units) prepare(unit batch.Unit, folder string) (*batch.Task, error) {
	c, _, err := u.program.readCommand(context.Background(), cmdline.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, unit.Words)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(unitCommands, c.Command.Name) {
		return nil, &cmdline.Error{Command: "batch", Text: fmt.Sprintf("seltl %s cannot be in a work list: it answers no question", c.Command.Name), Help: "the commands of a list are " + strings.Join(unitCommands, ", ")}
	}
	for _, name := range noUnitFlags {
		if c.IsSet(name) {
			return nil, &cmdline.Error{Command: "batch", Text: fmt.Sprintf("%s is not for a work list: the report of a unit is its only result", cmdline.SpelledFlag(name)), Help: "leave it out; seltl batch merge prints reports"}
		}
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	t := &batch.Task{Unit: unit, Apart: c.IsSet("max-memory"), Question: batch.Question{Schema: batch.QuestionSchema, Build: u.build, Inputs: []batch.Input{}}}
	p := &preparing{units: u, c: c, from: folder, task: t, seen: map[string]bool{}}
	if err := p.words(); err != nil {
		return nil, err
	}
	slices.SortFunc(t.Question.Inputs, func(a, b batch.Input) int { return strings.Compare(a.Name, b.Name) })
	t.Key = t.Question.Key()
	return t, nil
}

// preparing is the work at one unit.
type preparing struct {
	*units
	c    *cli.Context
	from string // what names of the list are relative to
	task *batch.Task
	seen map[string]bool
}

// words fills in the command lines of the task, and its inputs.
func (p *preparing) words() error {
	operands := p.c.Args().Slice()
	if len(operands) == 0 {
		return cmdline.Usagef(p.c, "no file is named")
	}
	files := make([]string, len(operands)) // what each of them is relative to the list, "" for no file
	for i, text := range operands {
		files[i] = p.fileOf(i, operands)
		if text == "-" {
			return cmdline.Usagef(p.c, "a unit of a work list reads no standard input")
		}
	}
	p.task.Folder = filepath.Dir(p.path(files[0]))
	flags, room, err := p.flags()
	if err != nil {
		return err
	}
	// With several workers it depends on chance which counterexample is found, and a batch has
	// others to keep the processors busy.
	if p.has("workers") && !p.c.IsSet("workers") && !check.IsC(operands[0]) && !check.IsSpec(operands[0]) {
		flags = append(flags, "--workers=1")
	}
	for i, file := range files {
		if file == "" {
			continue
		}
		if err := p.input(p.path(file)); err != nil {
			return err
		}
		operands[i] = p.name(p.path(file)) + operands[i][len(file):]
	}
	behind := append([]string{"--"}, operands...)
	p.task.Question.Words = slices.Concat([]string{p.c.Command.Name}, flags, behind)
	p.task.Words = slices.Concat([]string{p.c.Command.Name}, flags, room, behind)
	return nil
}

// fileOf returns the part of the i-th operand that names a file, "" if it is something else.
func (p *preparing) fileOf(i int, operands []string) string {
	text := operands[i]
	ofC := func(text string) bool {
		return (check.IsC(text) || check.IsSpec(text)) && !strings.ContainsAny(text, " !()&|<>\"")
	}
	switch p.c.Command.Name {
	case "reach", "clp", "check-certificate":
		return text
	case "conform", "equivalent":
		if file, _ := ask.SplitProcess(cmdline.Streams{Folder: p.from}, text); file != "" || i > 0 {
			return file
		}
		return text
	}
	if i == 0 || ofC(operands[0]) && ofC(text) {
		return text
	}
	return ""
}

// has reports whether the command has a flag.
func (p *preparing) has(flag string) bool {
	return slices.ContainsFunc(p.c.Command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), flag) })
}

// path is where a file of the list is.
func (p *preparing) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(p.from, name)
}

// name is what a file is called in the folder of the task.
func (p *preparing) name(path string) string { return nameIn(p.task.Folder, path) }

// nameIn is what a file is called in a folder.
func nameIn(folder, path string) string {
	name, err := filepath.Rel(folder, path)
	if err != nil {
		return path // on another disk
	}
	return filepath.ToSlash(name)
}

// flags returns the flags that are set, each as one word, in the order of the command's help;
// room are those that change no answer.
func (p *preparing) flags() (flags, room []string, err error) {
	for _, f := range p.c.Command.Flags {
		name := f.Names()[0]
		if !p.c.IsSet(name) {
			continue
		}
		var values []string
		if list, ok := p.c.Value(name).(cli.StringSlice); ok {
			values = list.Value()
		} else {
			values = []string{fmt.Sprint(p.c.Value(name))}
		}
		for _, value := range values {
			switch {
			case slices.Contains(inputFlags, name):
				if value == "-" {
					return nil, nil, cmdline.Usagef(p.c, "a unit of a work list reads no standard input")
				}
				if err := p.input(p.path(value)); err != nil {
					return nil, nil, err
				}
				value = p.name(p.path(value))
			case slices.Contains(folderFlags, name):
				value = p.name(p.path(value))
			case name == "disk" || name == "checkpoint":
				value = p.path(value)
			}
			word := "--" + name + "=" + value
			if slices.Contains(roomFlags, name) {
				room = append(room, word)
			} else {
				flags = append(flags, word)
			}
		}
	}
	return flags, room, nil
}

// input adds a file to what the answer depends on, and the files that it names.
func (p *preparing) input(path string) error {
	if p.seen[path] {
		return nil
	}
	p.seen[path] = true
	file := p.file(path)
	if file.err != nil {
		return calledIn(file.err, path, nameIn(p.from, path))
	}
	p.task.Question.Inputs = append(p.task.Question.Inputs, batch.Input{Name: p.name(path), SHA256: file.sha256})
	folders := []string{filepath.Dir(path)}
	for _, folder := range p.c.StringSlice("I") {
		folders = append(folders, p.path(folder))
	}
	for _, include := range file.includes {
		for _, folder := range folders {
			other := include
			if !filepath.IsAbs(other) {
				other = filepath.Join(folder, other)
			}
			if !cmdline.IsFile(other) {
				continue // another folder has it, or it is one of the standard headers
			}
			if err := p.input(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// file reads a file, once for all units.
func (u *units) file(path string) *knownFile {
	if f, ok := u.known[path]; ok {
		return f
	}
	f := &knownFile{}
	u.known[path] = f
	err := cmdline.SteadyFile(path)
	if err != nil {
		f.err = err
		return f
	}
	r, err := check.OpenFile(path)
	if err != nil {
		f.err = err
		return f
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, source.MaxSpace+1))
	if err != nil {
		f.err = check.FileError(path, err)
		return f
	}
	f.sha256 = batch.Digest(text)
	if len(text) <= source.MaxText && utf8.Valid(text) { // else it is read no further
		f.includes = check.Includes(source.NewFile(path, string(text)))
	}
	return f
}

// calledIn has an error about a file call it by another name.
func calledIn(err error, path, name string) error {
	var input *check.InputError
	if !errors.As(err, &input) {
		return err
	}
	e := *input
	e.File = name
	e.Text = strings.ReplaceAll(strings.ReplaceAll(e.Text, path, name), filepath.Dir(path)+string(filepath.Separator), "")
	return &e
}

// unitFiles opens the files of a unit: those that its key names, with the texts that it names.
type unitFiles struct {
	task *batch.Task
	mu   sync.Mutex
	err  error // why the answer would be one to another question
}

func (u *unitFiles) open(name string) (io.ReadCloser, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(u.task.Folder, path)
	}
	r, err := check.OpenFile(path)
	if err != nil {
		return nil, calledIn(err, path, name)
	}
	defer r.Close()
	known := nameIn(u.task.Folder, path)
	i := slices.IndexFunc(u.task.Question.Inputs, func(in batch.Input) bool { return in.Name == known })
	if i < 0 {
		return nil, u.fail(fmt.Errorf("%s is read, and no file of the unit names it: write its name in the #include itself", name))
	}
	text, err := io.ReadAll(io.LimitReader(r, source.MaxSpace+1))
	if err != nil {
		return nil, u.fail(check.FileError(name, err))
	}
	if u.task.Question.Inputs[i].SHA256 != batch.Digest(text) {
		return nil, u.fail(fmt.Errorf("%s has changed since the batch began", name))
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// fail keeps the first error: what looks for included files elsewhere does not hand it on.
func (u *unitFiles) fail(err error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.err == nil {
		u.err = err
	}
	return err
}

// askUnit runs a unit in this process.
func (p *Program) askUnit(ctx context.Context, t *batch.Task) (r *report.Report, err error) {
	files := &unitFiles{task: t}
	s := cmdline.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Opened: &check.Opened{}, Files: &cmdline.FileUse{},
		Folder: t.Folder, Source: files.open, Take: func(found *report.Report) { r = found }}
	defer func() {
		if v := recover(); v != nil {
			cmdline.ReportPanic(os.Stderr, t.Words, v, debug.Stack())
			r, err = cmdline.ErrorReport(t.Words[0], bug.Errorf("panic", "%v", v), report.ExitInternal), nil
		}
	}()
	c, action, err := p.readCommand(ctx, s, t.Words)
	command := t.Words[0]
	if err == nil {
		err = action(c)
	}
	if files.err != nil {
		return nil, files.err
	}
	if status := cmdline.StatusOf(err, s); r == nil {
		r = cmdline.ErrorReport(command, err, status)
	}
	return r, nil
}
