package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
)

// Verb is a command of a session that is written as a line.
type Verb struct {
	Name  string
	Other string // another name, or ""
	Args  string // "[N]"
	About string
}

// Verbs are all commands, beside the numbers and names of choices.
var Verbs = []Verb{
	{"take", "", "NUMBER|NAME", "the step of that number, or action; the beginning of its name is enough. \"take\" can be left out, unless the action is named as a command is"},
	{"undo", "u", "[N]", "go back a step, or N"},
	{"redo", "next", "[N]", "take the step that lies ahead: what was undone, or loaded; or N of them"},
	{"reset", "", "", "go back to the start; the steps lie ahead"},
	{"jump", "", "N", "go to the state after N steps of the run, back or ahead"},
	{"start", "", "[N]", "begin a new run, in initial state N"},
	{"goto", "g", "GOAL", "the shortest way to a state or step where a formula without temporal operators is true; to COMPONENT in STATE, a local state; to deadlock, end, error, violation, violation of PROPERTY or FORMULA"},
	{"random", "", "[N]", "N steps at random (1)"},
	{"run", "", "[N]", "go on as long as there is one choice only, or, with a menu, as what is not on it is possible; at most N steps (1000)"},
	{"menu", "", "[NAME|off]", "choose among the actions of the menu only; off lifts that"},
	{"show", "", "", "where the session is, and all choices"},
	{"state", "", "", "the local state of every component, and what is true"},
	{"properties", "props", "", "how every property stands"},
	{"trace", "", "", "the run so far"},
	{"load", "", "FILE [NAME]", "a counterexample, or a saved run: the --json of a command; of the property NAME"},
	{"save", "", "FILE", "the run so far, in the same form"},
	{"help", "?", "[COMMAND]", "this list, or what it says of a command"},
	{"quit", "exit", "", "end; so does the end of the input"},
}

// FindVerb finds a command by one of its names, among Verbs if none are given. The error says
// which name is like it.
func FindVerb(name string, verbs ...Verb) (*Verb, error) {
	if len(verbs) == 0 {
		verbs = Verbs
	}
	var names []string
	for i := range verbs {
		if v := &verbs[i]; name == v.Name || name == v.Other && name != "" {
			return v, nil
		}
		names = append(names, verbs[i].Name)
	}
	return nil, &NotPossible{Text: "there is no command " + name, Help: cmp.Or(source.DidYouMean(name, names), "help lists them")}
}

// Command is a line that was read.
type Command struct {
	Verb   string // the name of one of Verbs, "" of an empty line or a # comment
	Text   string // what stands behind it
	Number int    // Text, if that is a number, else -1
}

// ParseCommand reads a line, a command of a model. It has no errors: what is no command is an
// action's name.
func ParseCommand(line string) Command { return ParseCommandOf(line, Verbs) }

// ParseCommandOf is ParseCommand with the commands of a Stepper.
func ParseCommandOf(line string, verbs []Verb) Command {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, "#") {
		return Command{Number: -1}
	}
	word, rest, _ := strings.Cut(line, " ")
	c := Command{Verb: "take", Text: line}
	for _, v := range verbs {
		if word == v.Name || word == v.Other {
			c = Command{Verb: v.Name, Text: strings.TrimSpace(rest)}
		}
	}
	var err error
	if c.Number, err = strconv.Atoi(c.Text); err != nil {
		c.Number = -1
	}
	return c
}

// Answer is what a command did.
type Answer struct {
	// Taken are the steps that it made; Numbers are theirs, where several have one: those of
	// components of a program that perform an action together. The states that they led to are
	// said of models only, until Stepper.TellStates does.
	Taken   []report.Step
	Made    int // how many steps that were, also where they are not told (Options.Untold)
	Numbers []int
	// Text says what else there is to say, "" for nothing.
	Text string
	// Moved is set if the session is, or may be, somewhere else than before.
	Moved bool
}

// MostSteps bounds the steps of one command.
const MostSteps = 100_000

// Do carries a command out, but for those that are about files and the session's end, or
// only show something: there is nothing to be done for these. Errors are those of the
// methods, a *NotPossible for a command that is not written as it should be.
func (s *Session) Do(ctx context.Context, c Command) (*Answer, error) {
	before, named := s.at, c.Verb != "take" && slices.Contains(s.now().state.Enabled, firstWord(c))
	a, err := s.do(ctx, c)
	if a == nil {
		a = &Answer{}
	}
	if a.Moved && s.at > before && c.Verb != "jump" {
		a.Made = s.at - before
	}
	if a.Made > 0 && !s.opts.Untold {
		for _, v := range s.visits[before+1 : s.at+1] {
			from := v.by
			a.Taken = append(a.Taken, s.stepOf(&from, &v.state))
		}
	}
	if named && err == nil {
		a.Text = strings.TrimPrefix(a.Text+"; ", "; ") + fmt.Sprintf("that was the command; for the action: take %s", firstWord(c))
	}
	return a, err
}

// firstWord is the word of a command that nothing stands behind.
func firstWord(c Command) string {
	if c.Text == "" {
		return c.Verb
	}
	return ""
}

func (s *Session) do(ctx context.Context, c Command) (*Answer, error) {
	if a, done, err := s.travel(c); done {
		return a, err
	}
	moved := &Answer{Moved: true}
	switch c.Verb {
	case "take":
		return moved, s.choice(c)
	case "start":
		if c.Text == "" {
			c.Number = 1
		}
		return moved, s.Start(c.Number)
	case "goto":
		return s.doGoto(ctx, c)
	case "random":
		n, err := count(c, 1)
		if err != nil {
			return nil, err
		}
		taken, err := s.Random(ctx, n)
		if err == nil && taken < n {
			moved.Text = "the run has ended"
		}
		return moved, err
	case "run":
		n, err := count(c, 1000)
		if err != nil {
			return nil, err
		}
		_, stop, err := s.RunOn(ctx, n)
		moved.Text = "stopped: " + string(stop)
		return moved, err
	case "menu":
		return s.doMenu(c)
	}
	return nil, nil
}

// choice makes the step that a command asks for. A command that looks like one of Verbs is
// told so.
func (s *Session) choice(c Command) error {
	if c.Text == "" {
		return needs(c, "a number or the name of an action", "take 1")
	}
	if c.Number >= 0 {
		return s.Choose(c.Number)
	}
	err := s.ChooseNamed(c.Text)
	var not *NotPossible
	if !errors.As(err, &not) || s.net.Action(dotted(c.Text)) >= 0 {
		return err
	}
	word, _, _ := strings.Cut(c.Text, " ")
	candidates := slices.Clone(s.net.Alphabet()[1:])
	for _, v := range Verbs {
		candidates = append(candidates, v.Name)
	}
	if len(word) <= 3 { // most short words are near to something
		candidates = slices.DeleteFunc(candidates, func(name string) bool { return name[0] != word[0] })
	}
	e := &NotPossible{Text: "there is no action and no command " + c.Text, Help: s.whatToType(s.Choices()) + "; help lists the commands"}
	if like := cmp.Or(source.Suggest(word, candidates), s.similarAction(word)); like != "" {
		e.Help = fmt.Sprintf("did you mean %q? help lists the commands", like)
	}
	return e
}

// similarAction is an action whose last part is like a name, one that is possible here before
// others; "" for none.
func (s *Session) similarAction(name string) string {
	last := func(action string) string { return action[strings.LastIndexByte(action, '.')+1:] }
	var lasts []string
	actions := slices.Concat(s.now().state.Enabled, s.net.Alphabet()[1:])
	for _, a := range actions {
		lasts = append(lasts, last(a))
	}
	like := source.Suggest(last(name), lasts)
	if slices.Contains(lasts, last(name)) {
		like = last(name)
	}
	if i := slices.Index(lasts, like); i >= 0 && like != "" && actions[i] != lks.TauName {
		return actions[i]
	}
	return ""
}

// needs says that something is missing behind a command.
func needs(c Command, what, example string) error {
	return &NotPossible{Text: fmt.Sprintf("%s needs %s", c.Verb, what), Help: "as in: " + example}
}

// count reads the number of steps of a command.
func count(c Command, usual int) (int, error) {
	switch {
	case c.Text == "":
		return usual, nil
	case c.Number < 1 || c.Number > MostSteps:
		return 0, &NotPossible{Text: fmt.Sprintf("%s %s: a number of steps is needed, from 1 to %s", c.Verb, c.Text, report.Group(MostSteps)), Help: fmt.Sprintf("as in: %s 10", c.Verb)}
	}
	return c.Number, nil
}

// repeated goes so many steps back or forth, as far as that is possible.
func repeated(c Command, once func() error) (*Answer, error) {
	n, err := count(c, 1)
	if err != nil {
		return nil, err
	}
	for i := range n {
		if err := once(); err != nil {
			if i > 0 {
				return &Answer{Moved: true, Text: err.Error()}, nil
			}
			return nil, err
		}
	}
	return &Answer{Moved: true}, nil
}

func (s *Session) doGoto(ctx context.Context, c Command) (*Answer, error) {
	found, err := s.Goto(ctx, c.Text)
	switch {
	case err != nil:
		return nil, err
	case found.Loaded:
		return &Answer{Moved: true, Text: fmt.Sprintf("a run that violates it lies ahead, from the start: %s (redo takes them)", s.ahead())}, nil
	case found.Steps == 0:
		return &Answer{Text: "it is so here already"}, nil
	}
	return &Answer{Moved: true, Text: report.Counted(int64(found.Steps), "step") + ", the fewest"}, nil
}

func (s *Session) doMenu(c Command) (*Answer, error) {
	if c.Text != "" {
		if err := s.SetMenu(c.Text); err != nil {
			return nil, err
		}
	}
	switch {
	case s.menu >= 0:
		return &Answer{Moved: c.Text != "", Text: fmt.Sprintf("menu %s: {%s}", s.menus[s.menu].Name, strings.Join(s.menus[s.menu].Actions, ", "))}, nil
	case len(s.menus) > 0:
		return &Answer{Moved: c.Text != "", Text: "no menu is in force; there are " + strings.Join(s.Menus(), ", ")}, nil
	}
	return &Answer{Text: ErrNoMenus.Error()}, nil
}
