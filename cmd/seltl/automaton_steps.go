package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/cmdline"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

// answer is what a question says of an automaton.
type answer struct {
	yes  bool
	text string // behind the name of the automaton
	word *omega.Word
	note string // about the word
}

// facts are what a report says of the automaton.
func (a *answer) facts() (all [][2]string) {
	if a.text != "" {
		all = append(all, [2]string{"it", a.text})
	}
	if a.word != nil {
		all = append(all, [2]string{"the word", a.word.String() + " " + a.note})
	}
	return all
}

type question func(a *omega.Automaton, m *budget.Meter) (answer, error)

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
	choices := map[string]func(io.Writer, *inHand) error{
		"hoa":   func(w io.Writer, a *inHand) error { return a.WriteHOA(w) },
		"dot":   func(w io.Writer, a *inHand) error { return a.WriteDOT(w) },
		"never": writeNever,
		"class": t.class,
		"svg":   t.draw,
	}
	var asked []string
	for _, name := range append(cmdline.SortedKeys(choices), "stats") {
		if t.c.IsSet(name) {
			asked = append(asked, name)
		}
	}
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
		if err := t.checkFormat(format); err != nil {
			return err
		}
		t.render = func(w io.Writer, a *inHand) error { return t.writeFigures(w, format, a) }
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
		var err error
		if t.ask = flag; flag == "accepts" {
			err = t.askWord()
		} else if flag == "included-in" || flag == "equivalent-to" {
			err = t.askOther(flag)
		} else {
			t.question = map[string]question{"empty": t.askEmpty, "universal": t.askUniversal, "stutter-invariant": askStutter}[flag]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *toolbox) askWord() error {
	w, err := omega.ParseWord("<word>", t.c.String("accepts"))
	if err != nil {
		return err
	}
	t.question = func(a *omega.Automaton, _ *budget.Meter) (answer, error) {
		if a.Accepts(w) {
			return answer{yes: true, text: fmt.Sprintf("accepts %v", w)}, nil
		}
		return answer{text: fmt.Sprintf("does not accept %v", w)}, nil
	}
	return nil
}

func (t *toolbox) askOther(flag string) error {
	b, err := t.other(flag)
	if err != nil {
		return err
	}
	name := t.c.String(flag)
	if flag == "included-in" {
		t.question = func(a *omega.Automaton, m *budget.Meter) (answer, error) {
			ok, w, err := omega.Included(a, b, m)
			if err != nil || ok {
				return answer{yes: true, text: "is included in " + name}, err
			}
			err = t.shorten(&w, a, b, m)
			return answer{text: "is not included in " + name, word: &w, note: "is accepted, and not by " + name}, err
		}
		return nil
	}
	t.question = func(a *omega.Automaton, m *budget.Meter) (answer, error) {
		ok, w, first, err := omega.Equivalent(a, b, m)
		switch {
		case err != nil || ok:
			return answer{yes: true, text: "is equivalent to " + name}, err
		case first:
			err = t.shorten(&w, a, b, m)
			return answer{text: "is not equivalent to " + name, word: &w, note: "is accepted, and not by " + name}, err
		}
		err = t.shorten(&w, b, a, m)
		return answer{text: "is not equivalent to " + name, word: &w, note: "is not accepted, but by " + name}, err
	}
	return nil
}

func (t *toolbox) askEmpty(a *omega.Automaton, m *budget.Meter) (answer, error) {
	w, ok := a.AcceptedWord()
	if !ok {
		return answer{yes: true, text: "is empty"}, nil
	}
	err := t.shorten(&w, a, omega.Nothing(), m)
	return answer{text: "is not empty", word: &w, note: "is accepted"}, err
}

func (t *toolbox) askUniversal(a *omega.Automaton, m *budget.Meter) (answer, error) {
	ok, w, err := a.Universal(m)
	if err != nil || ok {
		return answer{yes: true, text: "is universal"}, err
	}
	err = t.shorten(&w, omega.Everything(a.Atoms()...), a, m)
	return answer{text: "is not universal", word: &w, note: "is not accepted"}, err
}

// shorten makes a word that a accepts and b does not a shortest one, if that is asked for.
func (t *toolbox) shorten(w *omega.Word, a, b *omega.Automaton, m *budget.Meter) (err error) {
	if t.c.Bool("shortest") {
		*w, err = omega.ShortestOutside(a, b, *w, m)
	}
	return err
}

func askStutter(a *omega.Automaton, m *budget.Meter) (answer, error) {
	ok, err := a.StutterInvariant(m)
	if err != nil || ok {
		return answer{yes: true, text: "is stutter-invariant"}, err
	}
	return answer{text: "is not stutter-invariant"}, nil
}

// one works on one automaton and returns its status.
func (t *toolbox) one(a *inHand) (status int, err error) {
	a.read, a.label, a.number = a.Automaton, a.file, t.seen
	t.seen++
	if a.Name() != "" {
		a.label += " (" + a.Name() + ")"
	}
	m := t.meter()
	start := time.Now()
	used, _, _ := cmdline.ProcessorTimes()
	var ans answer
	a.Bound(m)
	err = omega.Guard(func() error {
		for _, do := range t.steps {
			b, err := do(a.Automaton, m)
			if err != nil {
				return err
			}
			a.Automaton = b
		}
		a.work = time.Since(start).Seconds()
		now, _, _ := cmdline.ProcessorTimes()
		a.processor = (now - used).Seconds()
		if t.question == nil {
			err = t.render(t.out, a)
		} else {
			ans, err = t.question(a.Automaton, m)
		}
		if err == nil && t.page != nil {
			t.page.automaton(a.label, ans.facts(), a.Automaton)
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
		t.s.Say(4, "seltl: %s: %v", a.label, err)
		return report.ExitInput, nil
	case budget.Stopped(err) || check.Limited(err):
		return t.stopped(a, err), nil
	}
	return 0, err
}

// say prints an answer.
func (t *toolbox) say(a *inHand, ans answer) int {
	verdict := map[bool]report.Verdict{true: report.Holds, false: report.Violated}[ans.yes]
	word := ""
	if ans.word != nil {
		word = ans.word.String()
	}
	t.report.Results = append(t.report.Results, report.Result{Kind: t.ask, File: a.file, Name: a.Name(), Verdict: verdict, Note: ans.text, Word: word})
	if !t.c.Bool("json") {
		fmt.Fprintf(t.out, "%s %s\n", a.label, ans.text)
		if word != "" {
			fmt.Fprintf(t.out, "    %s\n    %s\n", word, ans.note)
		}
	}
	return verdict.Exit()
}

// stopped tells of a limit.
func (t *toolbox) stopped(a *inHand, err error) int {
	t.out.Flush()
	name := ""
	if a.Automaton != nil {
		name = a.Name()
	}
	t.report.Results = append(t.report.Results, report.Result{Kind: t.ask, File: a.file, Name: name, Verdict: report.Unknown, Reason: err.Error()})
	t.s.Say(4, "seltl: %s: unknown: %v", a.label, err)
	if errors.Is(err, budget.ErrInterrupted) {
		return report.ExitInterrupted
	}
	t.s.Say(10, "    help: try a larger limit, or --trim first")
	return report.ExitUnknown
}

// errNoClaim is the error of --never for other conditions.
var errNoClaim = errors.New("a never claim has Büchi acceptance on states: --acceptance=buchi --state-based")

func writeNever(w io.Writer, a *inHand) error {
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
func (t *toolbox) draw(_ io.Writer, a *inHand) error {
	if a.number > 0 {
		return cmdline.Usagef(t.c, "--svg: a picture is of one automaton, and there are several")
	}
	return cmdline.WriteFile(t.c.String("svg"), a.WriteSVG)
}

// class prints what kind of property the language is.
func (t *toolbox) class(w io.Writer, a *inHand) error {
	class, err := a.Classify(t.meter())
	if err == nil {
		_, err = fmt.Fprintf(w, "%s: %s\n", a.label, class)
	}
	return err
}
