package programcmds

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/report"
)

// propertyOf reads --property: a name, a file, or, in a certificate, its text. nil: none is asked for.
func propertyOf(c *cli.Context, s cmdline.Streams, chosen systemOptions) (p *svcomp.Property, err error) {
	name := chosen.One("property")
	switch {
	case name == "":
		return nil, nil
	case chosen.One("check") != "":
		return nil, cmdline.Usagef(c, "--property asks that and nothing else: leave --check out")
	}
	if p, err = programs.LoadProperty(name, s.Open); err != nil {
		return nil, err
	}
	if entry := chosen.One("entry"); entry != "" && entry != p.Entry {
		return nil, cmdline.Usagef(c, "--entry %s: the property is about runs that begin in %s()", entry, p.Entry)
	}
	if p.Entry != "main" {
		chosen["entry"] = []string{p.Entry} // of all that is asked with these options
	}
	return p, nil
}

// single are options about one answer.
var single = []string{"certificate", "harness", "dot", "svg", "write-witness"}

// reachTask is reach of a task definition: of the property that --property names, or of all.
func reachTask(c *cli.Context, s cmdline.Streams, name string, o armc.Options) error {
	if c.IsSet("witness") {
		return cmdline.Usagef(c, "--witness: name the program, not the task")
	}
	task, err := programs.LoadTask(name, s.Open)
	if err != nil {
		return err
	}
	if task.Language != "" && task.Language != "C" {
		return cmdline.Usagef(c, "%s: the program is in %s, and C is read", name, task.Language)
	}
	all, err := asked(c, name, task)
	if err != nil {
		return err
	}
	if len(all) > 1 {
		for _, flag := range single {
			if c.IsSet(flag) {
				return cmdline.Usagef(c, "%s is about one property, and the task has %d: name one (--property %s)", cmdline.SpelledFlag(flag), len(all), strings.TrimSuffix(filepath.Base(all[0].File), ".prp"))
			}
		}
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	a := &askedC{c: c, s: s, engine: o, opts: opts, done: done}
	for _, f := range task.Files {
		a.files = append(a.files, beside(name, f))
	}
	if i := slices.IndexFunc(a.files, func(f string) bool { return !check.IsC(f) }); i >= 0 {
		return cmdline.Usagef(c, "%s: %s is no C source (.c, .i, .pp)", name, task.Files[i])
	}
	if err := a.read(); err != nil {
		return err
	}
	return a.properties(name, task, all)
}

// properties asks for each property of a task; the time is shared.
func (a *askedC) properties(name string, task *svcomp.Task, all []svcomp.Asked) error {
	c, whole := a.c, &report.Report{Command: "reach"}
	begin, limit := time.Now(), a.opts.Limits.Time
	for i, p := range all {
		a.chosen = ChosenOptions(c)
		if a.chosen["property"] = []string{beside(name, p.File)}; task.Model != "" && a.chosen.One("data-model") == "" {
			model, known := programs.ModelNamed(task.Model)
			if !known {
				return cmdline.Usagef(c, "%s: data_model %s is not known: it is ILP32 or LP64", name, task.Model)
			}
			a.chosen["data-model"] = []string{model.String()}
		}
		if limit > 0 {
			a.opts.Limits.Time = max((limit-time.Since(begin))/time.Duration(len(all)-i), time.Millisecond).Round(time.Millisecond)
		}
		r, run, err := a.ask()
		if err != nil {
			return err
		}
		if p.Known {
			programs.Expect(r, p.Expected)
		}
		if len(all) == 1 {
			return finishC(c, a.s, r, run)
		}
		whole.Results, whole.Exit = append(whole.Results, r.Results...), report.Worst(whole.Exit, r.Exit)
		for _, m := range r.Messages {
			if !slices.Contains(whole.Messages, m) {
				whole.Messages = append(whole.Messages, m)
			}
		}
	}
	return finishC(c, a.s, whole, nil)
}

// beside is the name of a file that another one names.
func beside(name, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(name), file)
}

// asked are the properties that are asked for: all of a task, or the one that --property names by its file or its name; for a task without any, that.
func asked(c *cli.Context, name string, task *svcomp.Task) ([]svcomp.Asked, error) {
	wanted := c.String("property")
	if wanted == "" {
		if len(task.Asked) == 0 {
			return nil, cmdline.Usagef(c, "%s has no properties: name one (--property)", name)
		}
		return task.Asked, nil
	}
	plain := func(file string) string { return strings.TrimSuffix(filepath.Base(file), ".prp") }
	var names []string
	for _, p := range task.Asked {
		if plain(p.File) == plain(wanted) {
			return []svcomp.Asked{p}, nil
		}
		names = append(names, plain(p.File))
	}
	if strings.HasSuffix(wanted, ".prp") { // of which nothing is expected
		if !filepath.IsAbs(wanted) {
			var err error
			if wanted, err = filepath.Abs(wanted); err != nil {
				return nil, err
			}
		}
		return []svcomp.Asked{{File: wanted}}, nil
	}
	return nil, &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("--property %s: the task has no such property", wanted), Help: "it has " + strings.Join(names, ", ")}
}
