package words

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/automata"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

// plan reads the flags: what is done, asked and printed.
func (t *toolbox) plan() error {
	for _, flag := range randomFlags {
		if t.c.IsSet(flag) && !t.c.IsSet("random") {
			return cmdline.Usagef(t.c, "--%s is about random automata: give --random N, too", flag)
		}
	}
	if err := t.planSteps(); err != nil {
		return err
	}
	if err := t.planQuestion(); err != nil {
		return err
	}
	choices := map[string]func(io.Writer, *automata.Subject) error{
		"hoa":   func(w io.Writer, a *automata.Subject) error { return a.WriteHOA(w) },
		"dot":   func(w io.Writer, a *automata.Subject) error { return a.WriteDOT(w) },
		"never": writeNever,
		"class": t.class,
		"svg":   t.draw,
	}
	asked := lists.Filter(append(cmdline.SortedKeys(choices), "stats"), func(name string) bool { return t.c.IsSet(name) })
	switch {
	case len(asked) > 1:
		return cmdline.Usagef(t.c, "--%s and --%s: one output form at a time", asked[0], asked[1])
	case len(asked) == 1 && t.question != nil:
		return cmdline.Usagef(t.c, "--%s and --%s: a question has an answer, no output form", t.ask, asked[0])
	case t.c.Bool("json") && t.question == nil:
		return cmdline.Usagef(t.c, "--json is for questions: --empty, --included-in OTHER and the like")
	}
	t.render = choices["hoa"]
	if len(asked) == 1 {
		t.render = choices[asked[0]]
	}
	if format := t.c.String("stats"); t.c.IsSet("stats") {
		if wrong, known := automata.CheckFormat(format); wrong != "" {
			return &cmdline.Error{Command: t.c.Command.Name, Text: fmt.Sprintf("--stats: %q is no sequence", wrong),
				Help: "there are " + known + ", where brackets can be left out, and capital letters for the automaton as it was read"}
		}
		t.render = func(w io.Writer, a *automata.Subject) error {
			return a.WriteFigures(w, format, t.c.Bool("shortest"), t.meter())
		}
	}
	return nil
}

// planSteps collects the changes in their order.
func (t *toolbox) planSteps() error {
	add := func(s step) { t.steps = append(t.steps, s) }
	for _, flag := range []string{"product", "union"} {
		if t.c.String(flag) == "" {
			continue
		}
		b, err := t.other(flag)
		if err != nil {
			return err
		}
		join := map[string]func(a, b *omega.Automaton) (*omega.Automaton, error){"product": omega.Product, "union": omega.Union}[flag]
		add(func(a *omega.Automaton, _ *budget.Meter) (*omega.Automaton, error) { return join(a, b) })
	}
	if list := t.c.String("project"); list != "" {
		var atoms []ltl.Atom
		for _, name := range strings.Split(list, ",") {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Name, Name: strings.TrimSpace(name)})
		}
		add(func(a *omega.Automaton, _ *budget.Meter) (*omega.Automaton, error) { return a.Project(atoms...), nil })
	}
	var form omega.Form
	if err := cmdline.Choose(t.c, "acceptance", &form); err != nil {
		return err
	}
	plain := func(do func(a *omega.Automaton) *omega.Automaton) step {
		return func(a *omega.Automaton, _ *budget.Meter) (*omega.Automaton, error) { return do(a), nil }
	}
	convert := func(a *omega.Automaton, m *budget.Meter) (*omega.Automaton, error) {
		if form == omega.Generic {
			return a, nil
		}
		return a.Convert(form, m)
	}
	for _, s := range []struct {
		flag string
		do   step
	}{
		{"closure", plain((*omega.Automaton).Closure)}, {"liveness", (*omega.Automaton).Liveness},
		{"determinise", (*omega.Automaton).Determinise}, {"complement", (*omega.Automaton).Complement},
		{"acceptance", convert}, {"trim", plain((*omega.Automaton).Trim)},
		{"state-based", (*omega.Automaton).StateBasedForm}, {"complete", plain((*omega.Automaton).Completed)},
	} {
		if t.c.IsSet(s.flag) {
			add(s.do)
		}
	}
	return nil
}

// planQuestion finds the question, of which there may be one.
func (t *toolbox) planQuestion() error {
	for _, flag := range []string{"empty", "universal", "accepts", "included-in", "equivalent-to", "stutter-invariant"} {
		if !t.c.IsSet(flag) {
			continue
		}
		if t.question != nil {
			return cmdline.Usagef(t.c, "--%s and --%s: one question at a time", t.ask, flag)
		}
		t.ask = flag
		var err error
		if t.question, err = t.asked(flag); err != nil {
			return err
		}
	}
	return nil
}

// asked is the question of a flag.
func (t *toolbox) asked(flag string) (automata.Question, error) {
	short := t.c.Bool("shortest")
	switch flag {
	case "empty":
		return automata.Empty(short), nil
	case "universal":
		return automata.Universal(short), nil
	case "stutter-invariant":
		return automata.StutterInvariant, nil
	case "accepts":
		w, err := omega.ParseWord("<word>", t.c.String(flag))
		return automata.Accepts(w), err
	}
	b, err := t.other(flag)
	if err != nil {
		return nil, err
	}
	if flag == "included-in" {
		return automata.IncludedIn(b, t.c.String(flag), short), nil
	}
	return automata.EquivalentTo(b, t.c.String(flag), short), nil
}

// one works on one automaton and returns its status.
func (t *toolbox) one(a *automata.Subject) (status int, err error) {
	a.Read, a.Label, a.Number = a.Automaton, a.File, t.seen
	t.seen++
	if a.Name() != "" {
		a.Label += " (" + a.Name() + ")"
	}
	m := t.meter()
	start := time.Now()
	used, _, _ := cmdline.ProcessorTimes()
	var ans automata.Answer
	a.Bound(m)
	err = omega.Guard(func() error {
		for _, do := range t.steps {
			b, err := do(a.Automaton, m)
			if err != nil {
				return err
			}
			a.Automaton = b
		}
		a.Work = time.Since(start).Seconds()
		now, _, _ := cmdline.ProcessorTimes()
		a.Processor = (now - used).Seconds()
		if t.question == nil {
			err = t.render(t.out, a)
		} else {
			ans, err = t.question(a.Automaton, m)
		}
		if err == nil && t.page != nil {
			t.page.Automaton(a.Label, ans.Facts(), a.Automaton)
		}
		return err
	})
	switch {
	case err == nil && t.question == nil:
		return report.ExitHolds, nil
	case err == nil:
		return t.say(a, ans), nil
	case errors.Is(err, omega.ErrNotPersistence), errors.Is(err, errNoClaim):
		t.out.Flush()
		t.s.Say(4, "seltl: %s: %v", a.Label, err)
		return report.ExitInput, nil
	case budget.Stopped(err) || check.Limited(err):
		return t.stopped(a, err), nil
	}
	return 0, err
}

// say prints an answer.
func (t *toolbox) say(a *automata.Subject, ans automata.Answer) int {
	verdict := map[bool]report.Verdict{true: report.Holds, false: report.Violated}[ans.Yes]
	word := ""
	if ans.Word != nil {
		word = ans.Word.String()
	}
	t.report.Results = append(t.report.Results, report.Result{Kind: t.ask, File: a.File, Name: a.Name(), Verdict: verdict, Note: ans.Text, Word: word})
	if !t.c.Bool("json") {
		fmt.Fprintf(t.out, "%s %s\n", a.Label, ans.Text)
		if word != "" {
			fmt.Fprintf(t.out, "    %s\n    %s\n", word, ans.Note)
		}
	}
	return verdict.Exit()
}

// stopped tells of a limit.
func (t *toolbox) stopped(a *automata.Subject, err error) int {
	t.out.Flush()
	name := ""
	if a.Automaton != nil {
		name = a.Name()
	}
	t.report.Results = append(t.report.Results, report.Result{Kind: t.ask, File: a.File, Name: name, Verdict: report.Unknown, Reason: err.Error()})
	t.s.Say(4, "seltl: %s: unknown: %v", a.Label, err)
	if errors.Is(err, budget.ErrInterrupted) {
		return report.ExitInterrupted
	}
	t.s.Say(10, "    help: try a larger limit, or --trim first")
	return report.ExitUnknown
}

// errNoClaim is the error of --never for other conditions.
var errNoClaim = errors.New("a never claim has Büchi acceptance on states: --acceptance=buchi --state-based")

func writeNever(w io.Writer, a *automata.Subject) error {
	b, err := a.Buchi()
	if err != nil {
		return errNoClaim
	}
	if err = b.WriteNever(w); errors.Is(err, buchi.ErrNotBuchi) {
		return errNoClaim
	}
	return err
}

// draw writes a picture, of the only automaton.
func (t *toolbox) draw(_ io.Writer, a *automata.Subject) error {
	if a.Number > 0 {
		return cmdline.Usagef(t.c, "--svg: a picture is of one automaton, and there are several")
	}
	return cmdline.WriteFile(t.c.String("svg"), a.WriteSVG)
}

// class prints what kind of property the language is.
func (t *toolbox) class(w io.Writer, a *automata.Subject) error {
	class, err := a.Classify(t.meter())
	if err == nil {
		_, err = fmt.Fprintf(w, "%s: %s\n", a.Label, class)
	}
	return err
}
