package simui

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// Line is what --json answers to a command.
type Line struct {
	Command  string                 `json:"command,omitempty"`
	Model    *report.Model          `json:"model,omitempty"` // of the first line
	Steps    []report.Step          `json:"steps,omitempty"`
	Text     string                 `json:"text,omitempty"`
	Error    string                 `json:"error,omitempty"`
	Help     string                 `json:"help,omitempty"`
	Among    []sim.Choice           `json:"among,omitempty"` // what an ambiguous name can be
	Run      *report.Counterexample `json:"run,omitempty"`   // of trace
	Position *sim.Position          `json:"position,omitempty"`
	numbers  []int                  // of Steps, where they are not consecutive
}

// lines answers commands that come line by line.
type lines struct {
	*UI
	ctx  context.Context
	text *teller
}

// Lines reads commands and answers them until the input ends. The error is
// budget.ErrInterrupted, or that of reading.
func Lines(ctx context.Context, ui *UI) error {
	l := &lines{UI: ui, ctx: ctx, text: &teller{w: report.Wrapped(ui.Out, ui.Width), session: ui.Session, quiet: ui.Quiet}}
	if l.JSON {
		l.write(&Line{Model: ui.Session.Describe(), Position: ui.Session.Now()})
	} else {
		l.text.begin()
	}
	input := make(chan string)
	failed := make(chan error, 1)
	go func() {
		defer close(input)
		in := bufio.NewScanner(ui.In)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			select {
			case input <- in.Text():
			case <-ctx.Done():
				return
			}
		}
		failed <- in.Err()
	}()
	for {
		if l.Prompt && !l.JSON {
			fmt.Fprint(ui.Out, "> ")
		}
		select {
		case <-ctx.Done():
			return budget.ErrInterrupted
		case line, more := <-input:
			if !more && over(ctx) {
				return budget.ErrInterrupted // the reader has ended for that
			}
			if !more {
				return inputError(<-failed)
			}
			if !l.answer(line) {
				return nil
			}
			if over(ctx) {
				return budget.ErrInterrupted // even if the input has ended meanwhile
			}
		}
	}
}

// over reports whether the session's time has ended. A search sees that by the clock, and ends
// before the context does where the machine is busy.
func over(ctx context.Context) bool {
	if end, timed := ctx.Deadline(); timed && !time.Now().Before(end) {
		<-ctx.Done()
	}
	return ctx.Err() != nil
}

// inputError says that standard input could not be read.
func inputError(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return errors.New("standard input: a line is longer than 1 MiB: commands are one a line")
	}
	return err
}

// answer answers a line; it returns false for the last one.
func (l *lines) answer(line string) (more bool) {
	command := sim.ParseCommandOf(line, l.Session.Verbs())
	if command.Verb == "" {
		return true
	}
	if !l.Prompt && !l.JSON {
		fmt.Fprintf(l.Out, "> %s\n", source.Beginning(strings.TrimSpace(line), mostEchoed))
	}
	if command.Verb == "quit" {
		return false
	}
	out := &Line{Command: strings.TrimSpace(line)}
	answer, err := l.do(l.ctx, command)
	if err == nil && l.ctx.Err() != nil { // which ends the session next
		err = budget.ErrInterrupted
	}
	if l.JSON {
		l.Session.TellStates(answer)
	}
	out.Steps, out.Text, out.numbers = answer.Taken, answer.Text, answer.Numbers
	if err != nil {
		out.Error, out.Help = l.errorText(err)
		if ambiguous, ok := errors.AsType[*sim.Ambiguous](err); ok {
			out.Among = ambiguous.Choices
		}
	}
	if l.JSON {
		if command.Verb == "trace" {
			out.Run = l.Session.Report().Results[0].Counterexample
		} else if err == nil {
			out.Position = l.Session.Now()
		}
		l.write(out)
		return true
	}
	l.text.answer(out, command, answer.Moved)
	return true
}

// do carries a command out.
func (ui *UI) do(ctx context.Context, command sim.Command) (*sim.Answer, error) {
	switch command.Verb {
	case "save":
		if command.Text == "" {
			return &sim.Answer{}, &sim.NotPossible{Text: "save needs the name of a file", Help: "as in: save run.json"}
		}
		if err := ui.Save(command.Text); err != nil {
			return &sim.Answer{}, err
		}
		return &sim.Answer{Text: fmt.Sprintf("%s saved in %s", report.Counted(int64(ui.Session.Len()), "step"), command.Text)}, nil
	case "load":
		return ui.load(command)
	case "help":
		answer, err := ui.Session.Do(ctx, command)
		if err != nil {
			return answer, err
		}
		text, err := helpText(command.Text, ui.Session.Verbs())
		answer.Text = strings.TrimSuffix(strings.TrimPrefix(answer.Text+"\n", "\n")+text, "\n")
		return answer, err
	}
	return ui.Session.Do(ctx, command)
}

// load loads a run: of a file, and of one of several in it.
func (ui *UI) load(command sim.Command) (*sim.Answer, error) {
	none := &sim.Answer{}
	name, result, _ := strings.Cut(command.Text, " ")
	if name == "" {
		return none, &sim.NotPossible{Text: "load needs the name of a file", Help: "a report, as of: seltl verify MODEL --json > run.json"}
	}
	found, err := ui.Read(name, strings.TrimSpace(result))
	if err != nil {
		return none, err
	}
	if err := found.LoadInto(ui.Session); err != nil {
		return none, err
	}
	return &sim.Answer{Moved: true, Text: "loaded: redo takes the next step of it"}, nil
}

func (l *lines) write(line *Line) {
	enc := json.NewEncoder(l.Out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(line)
}

// mostEchoed bounds what is repeated of a line that was read, in characters.
const mostEchoed = 400

// errorText is an error of a session, and what to do about it.
func (ui *UI) errorText(err error) (text, help string) {
	text, help = ui.errorWords(err)
	return source.Shown(text), source.Shown(help)
}

func (ui *UI) errorWords(err error) (text, help string) {
	var mismatch *sim.Mismatch
	var not *sim.NotPossible
	var menu *sim.NotOnMenu
	var list source.List
	switch {
	case errors.As(err, &not):
		return not.Text, not.Help
	case errors.As(err, &mismatch) && mismatch.Help != "":
		return mismatch.Error(), mismatch.Help
	case errors.As(err, &menu):
		return menu.Error(), "run lets the system go on; menu off lifts the menu"
	case errors.As(err, &list):
		var b strings.Builder
		list.RenderWidth(&b, 0)
		return strings.TrimSpace(b.String()), ""
	}
	return err.Error(), ui.Help(err)
}
