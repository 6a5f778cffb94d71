package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// simLine is what --json answers to a command.
type simLine struct {
	Command  string                 `json:"command,omitempty"`
	Model    *report.Model          `json:"model,omitempty"` // of the first line
	Steps    []report.Step          `json:"steps,omitempty"`
	Text     string                 `json:"text,omitempty"`
	Error    string                 `json:"error,omitempty"`
	Help     string                 `json:"help,omitempty"`
	Among    []sim.Choice           `json:"among,omitempty"` // what an ambiguous name can be
	Run      *report.Counterexample `json:"run,omitempty"`   // of trace
	Position *sim.Position          `json:"position,omitempty"`
}

// lineSession answers commands that come line by line.
type lineSession struct {
	c       *cli.Context
	s       streams
	session *sim.Session
	text    *simText
	prompt  bool // a person types
}

// simLines reads commands and answers them until the input ends.
func simLines(c *cli.Context, s streams, session *sim.Session) error {
	l := &lineSession{c: c, s: s, session: session, prompt: isTerminal(s.in) && isTerminal(s.out),
		text: &simText{w: s.out, session: session, quiet: c.Bool("quiet")}}
	if c.Bool("json") {
		l.write(&simLine{Model: session.Model().Describe(), Position: session.Now()})
	} else {
		l.text.begin()
		l.text.position(session.Now())
	}
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(s.in)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-c.Context.Done():
				return
			}
		}
		failed <- in.Err()
	}()
	for {
		if l.prompt && !c.Bool("json") {
			fmt.Fprint(s.out, "> ")
		}
		select {
		case <-c.Context.Done():
			return exitError(report.ExitInterrupted)
		case line, more := <-lines:
			if !more {
				return inputError(<-failed)
			}
			if !l.answer(line) {
				return nil
			}
		}
	}
}

// inputError says that standard input could not be read.
func inputError(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return errors.New("standard input: a line is longer than 1 MiB: commands are one a line")
	}
	return err
}

// answer answers a line; it returns false for the last one.
func (l *lineSession) answer(line string) (more bool) {
	command := sim.ParseCommand(line)
	if command.Verb == "" {
		return true
	}
	if !l.prompt && !l.c.Bool("json") {
		fmt.Fprintf(l.s.out, "> %s\n", strings.TrimSpace(line))
	}
	if command.Verb == "quit" {
		return false
	}
	out := &simLine{Command: strings.TrimSpace(line)}
	answer, err := l.do(command)
	if err == nil && l.c.Context.Err() != nil {
		return true // which is seen next
	}
	out.Steps, out.Text = answer.Taken, answer.Text
	if err != nil {
		out.Error, out.Help = errorText(err)
		var ambiguous *sim.Ambiguous
		if errors.As(err, &ambiguous) {
			out.Among = ambiguous.Choices
		}
	}
	if l.c.Bool("json") {
		if command.Verb == "trace" {
			out.Run = l.session.Report().Results[0].Counterexample
		} else if err == nil {
			out.Position = l.session.Now()
		}
		l.write(out)
		return true
	}
	l.text.answer(out, command, answer.Moved)
	return true
}

// do carries a command out.
func (l *lineSession) do(command sim.Command) (*sim.Answer, error) {
	switch command.Verb {
	case "save":
		if command.Text == "" {
			return &sim.Answer{}, &sim.NotPossible{Text: "save needs the name of a file", Help: "as in: save run.json"}
		}
		if err := saveRun(l.session, command.Text); err != nil {
			return &sim.Answer{}, err
		}
		return &sim.Answer{Text: fmt.Sprintf("%s saved in %s", report.Counted(int64(l.session.At()), "step"), command.Text)}, nil
	case "load":
		return l.load(command)
	}
	return l.session.Do(l.c.Context, command)
}

// load loads a run: of a file, and of one of several in it.
func (l *lineSession) load(command sim.Command) (*sim.Answer, error) {
	none := &sim.Answer{}
	name, result, _ := strings.Cut(command.Text, " ")
	if name == "" {
		return none, &sim.NotPossible{Text: "load needs the name of a file", Help: "a report, as of: seltl verify MODEL --json > run.json"}
	}
	_, found, err := readTrace(l.s, name, strings.TrimSpace(result))
	if err != nil {
		return none, err
	}
	if err := l.session.Load(found.Counterexample); err != nil {
		return none, err
	}
	return &sim.Answer{Moved: true, Text: "loaded: redo takes the next step of it"}, nil
}

func (l *lineSession) write(line *simLine) {
	enc := json.NewEncoder(l.s.out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(line)
}

// errorText is an error of a session, and what to do about it.
func errorText(err error) (text, help string) {
	var not *sim.NotPossible
	var menu *sim.NotOnMenu
	var list source.List
	switch {
	case errors.As(err, &not):
		return not.Text, not.Help
	case errors.As(err, &menu):
		return menu.Error(), "run lets the system go on; menu off lifts the menu"
	case errors.As(err, &list):
		var b strings.Builder
		list.RenderWidth(&b, 0)
		return strings.TrimSpace(b.String()), ""
	}
	return err.Error(), helpFor(err)
}
