package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// ProgramVerbs are the commands of a C program.
var ProgramVerbs = []Verb{
	{"take", "", "NUMBER|ACTION [VALUE...]", "the step of that number, or action, with values for what it asks for: numbers, or random. \"take\" can be left out"},
	{"give", "", "VALUE...", "take the step that asks for values, with these"},
	{"undo", "u", "[N]", "go back a step, or N"},
	{"redo", "next", "[N]", "take the step that lies ahead: what was undone, or loaded; or N of them"},
	{"reset", "", "", "go back to the start; the steps lie ahead"},
	{"jump", "", "N", "go to the state after N steps of the run, back or ahead"},
	{"start", "", "[VALUE...]", "begin a new run, with these arguments of the first routine; others are drawn"},
	{"over", "", "[N]", "the next line of this routine, or the N-th: what it calls is done, with values that are drawn"},
	{"out", "", "", "on to behind the end of this routine"},
	{"goto", "g", "GOAL", "on, with values that are drawn, to a line (12, FILE.c:12), into ROUTINE(), to an action, to where a C expression is true (x > 3, ROUTINE::x > 3), to error, end, deadlock, return"},
	{"random", "", "[N]", "N steps at random (1)"},
	{"run", "", "[N]", "go on as long as there is one choice only and no value is asked for; at most N steps (1000)"},
	{"show", "", "", "where the session is, and all choices"},
	{"state", "", "", "the values of all variables, and the propositions that hold"},
	{"stack", "where", "", "the routines that are being called"},
	{"properties", "props", "", "how every formula stands"},
	{"trace", "", "", "the run so far"},
	{"load", "", "FILE [NAME]", "a counterexample, or a saved run: the --json of a command; of the formula NAME"},
	{"save", "", "FILE", "the run so far, in the same form"},
	{"help", "?", "[COMMAND]", "this list, or what it says of a command"},
	{"quit", "exit", "", "end; so does the end of the input"},
}

// Verbs are the commands of a C program.
func (s *Program) Verbs() []Verb { return ProgramVerbs }

// Do carries a command out: see Session.Do.
func (s *Program) Do(ctx context.Context, c Command) (*Answer, error) {
	before := s.at
	a, err := s.do(ctx, c)
	if refused, ok := errors.AsType[*steps.Refused](err); ok {
		err = &NotPossible{Text: refused.Text}
	}
	var limit *budget.Exhausted
	if errors.As(err, &limit) && limit.Advice == "" {
		err = &budget.Exhausted{What: limit.What, Limit: limit.Limit, At: limit.At, Advice: limitAdvice[limit.What]}
	}
	if a == nil {
		a = &Answer{}
	}
	if a.Moved && s.at > before && c.Verb != "jump" {
		a.Taken, a.Numbers = make([]report.Step, 0, s.at-before), make([]int, 0, s.at-before)
		for i := before + 1; i <= s.at; i++ {
			for _, by := range s.visits[i].by {
				a.Taken, a.Numbers = append(a.Taken, by), append(a.Numbers, i)
			}
		}
	}
	return a, err
}

// limitAdvice is what to do about a limit: programs have no constants to be made smaller.
var limitAdvice = map[string]string{"states": "a larger --max-states", "memory": "a larger --max-memory", "time": "a longer --timeout"}

// TellStates says in the steps that a command has made which states they led to.
func (s *Program) TellStates(a *Answer) {
	if len(a.Numbers) == 0 {
		return
	}
	k, texts := 0, sharing{texts: map[string]string{}}
	s.each(a.Numbers[0], a.Numbers[len(a.Numbers)-1], func(step int, v *programVisit) {
		state := texts.of(s.stateOf(v))
		for ; k < len(a.Numbers) && a.Numbers[k] == step; k++ {
			a.Taken[k] = withStates(a.Taken[k:k+1], state)[0]
		}
	})
}

func (s *Program) do(ctx context.Context, c Command) (*Answer, error) {
	if a, done, err := s.travel(c); done {
		return a, err
	}
	moved := &Answer{Moved: true}
	switch c.Verb {
	case "take":
		return moved, s.choose(strings.Fields(c.Text))
	case "give":
		return moved, s.giveValues(valuesOf(c.Text))
	case "start":
		return moved, s.Begin(valuesOf(c.Text))
	case "goto":
		return s.doGoto(ctx, c.Text)
	case "over", "out":
		return s.doOver(ctx, c)
	case "random":
		n, err := count(c, 1)
		if err != nil {
			return nil, err
		}
		taken, err := s.Random(ctx, n)
		switch {
		case impossible(err) && taken > 0:
			moved.Text, err = "stopped: "+err.Error(), nil
		case err == nil && taken < n:
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
	}
	return nil, nil
}

// impossible reports the error of a step that cannot be made with the values that were drawn.
func impossible(err error) bool {
	var not *NotPossible
	var refused *steps.Refused
	return errors.As(err, &not) || errors.As(err, &refused)
}

// choose makes the step of a number or an action, with values.
func (s *Program) choose(words []string) error {
	if len(words) == 0 {
		return &NotPossible{Text: "take needs a number or the name of an action", Help: "as in: take 1"}
	}
	choices := s.Choices()
	values := valuesOf(strings.Join(words[1:], " "))
	if n := wayNumber(words[0]); n >= 0 {
		if n < 1 || n > len(choices) {
			help := s.whatToType(choices)
			if len(choices) == 1 && choices[0].Asks != "" {
				help = "give " + strings.Join(words, " ") + ", if that is the value"
			}
			return &NotPossible{Text: fmt.Sprintf("there is no choice %d", n), Help: help}
		}
		return s.with(&choices[n-1], values)
	}
	named := keep(choices, func(c *Choice) bool { return c.Action == words[0] && c.Action != "" })
	if len(named) == 0 {
		named = keep(choices, func(c *Choice) bool { return strings.HasPrefix(c.Action, words[0]) && c.Action != "" })
	}
	switch len(named) {
	case 0:
		return s.unknown(words[0], choices)
	case 1:
		return s.with(&named[0], values)
	}
	return &Ambiguous{Name: words[0], Choices: named}
}

// with makes the step of a choice with values for all that it asks for.
func (s *Program) with(c *Choice, values []string) error {
	g := &giver{s: s, values: values}
	to, err := s.made(s.now(), &c.program, g.give)
	if err == nil {
		err = g.leftOver()
	}
	if err != nil {
		return s.missing(err, values)
	}
	s.take(to)
	return nil
}

// giveValues makes the one step that asks for values.
func (s *Program) giveValues(values []string) error {
	if len(values) == 0 {
		return &NotPossible{Text: "give needs a value", Help: "as in: give 3; give " + drawn}
	}
	choices := s.Choices()
	asking := keep(choices, func(c *Choice) bool { return c.Asks != "" })
	switch len(asking) {
	case 0:
		return &NotPossible{Text: "nothing asks for a value here", Help: s.whatToType(choices)}
	case 1:
		return s.with(&asking[0], values)
	}
	return &Ambiguous{Name: "give", Choices: asking}
}

func (s *Program) whatToType(choices []Choice) string {
	switch len(choices) {
	case 0:
		return "nothing is possible here: undo or reset lead elsewhere"
	case 1:
		if choices[0].Asks != "" {
			return "give VALUE, or give " + drawn
		}
		return "type 1"
	}
	return fmt.Sprintf("type a number from 1 to %d", len(choices))
}

// unknown says of a word that it is no action that is possible.
func (s *Program) unknown(word string, choices []Choice) error {
	var actions, verbs []string
	for _, p := range s.c.Parts {
		actions = append(actions, p.Alphabet...)
	}
	if slices.Contains(actions, word) {
		return &NotPossible{Text: word + " is not possible here", Help: s.whatToType(choices)}
	}
	for _, v := range ProgramVerbs {
		verbs = append(verbs, v.Name)
	}
	e := &NotPossible{Text: "there is no action and no command " + clipped(word), Help: s.whatToType(choices) + "; help lists the commands"}
	candidates := slices.Concat(actions, verbs)
	if len(word) <= 3 {
		candidates = slices.DeleteFunc(candidates, func(name string) bool { return name[0] != word[0] })
	}
	if like := source.Suggest(word, candidates); like != "" {
		e.Help = fmt.Sprintf("did you mean %q? help lists the commands", like)
	}
	return e
}

// step makes one step at random. False: nothing is possible.
func (s *Program) step(at *programVisit) (to *programVisit, chose bool, err error) {
	moves := s.moves(at)
	if len(moves) == 0 {
		return nil, false, nil
	}
	m := &moves[0]
	if chose = len(moves) > 1; chose {
		m = &moves[s.random.IntN(len(moves))]
	}
	to, err = s.moved(at, m, func(a *steps.Ask) (uint64, error) {
		chose = true
		return s.draw(a)
	})
	return to, chose, err
}

// Random makes up to so many steps, with moves and values that are drawn, and returns how many:
// fewer where the run ends, or with an error.
func (s *Program) Random(ctx context.Context, n int) (int, error) {
	meter := budget.New(ctx, s.opts.Limits, s.opts.Progress)
	for i := range n {
		to, _, err := s.step(s.now())
		if to == nil || err != nil {
			return i, err
		}
		s.tell(s.now(), to)
		s.take(to)
		if i%64 == 63 {
			if err := meter.Tick(budget.Progress{Phase: "walking"}); err != nil {
				return i + 1, err
			}
		}
	}
	return n, nil
}

// Asking is why a run stops by itself beside the others.
const Asking Stop = "a value is asked for"

// RunOn makes steps as long as there is one choice, and no value is asked for, at most so many,
// and returns how many and why it stops.
func (s *Program) RunOn(ctx context.Context, most int) (int, Stop, error) {
	meter := budget.New(ctx, s.opts.Limits, s.opts.Progress)
	start := s.at
	for i := range most {
		moves := s.moves(s.now())
		switch {
		case len(moves) == 0:
			return i, Ended, nil
		case len(moves) > 1:
			return i, Choosing, nil
		}
		to, err := s.made(s.now(), &moves[0], s.noValues())
		var need *asked
		switch {
		case errors.As(err, &need):
			return i, Asking, nil
		case err != nil:
			return i, Enough, err
		}
		s.take(to)
		if s.same() >= start {
			return i + 1, Again, nil
		}
		if err := meter.Tick(budget.Progress{Phase: "running"}); err != nil {
			return i + 1, Enough, err
		}
	}
	return most, Enough, nil
}

// doOver goes on to the next line of a routine, or to behind its end.
func (s *Program) doOver(ctx context.Context, c Command) (*Answer, error) {
	n := 1
	if c.Verb == "over" {
		var err error
		if n, err = count(c, 1); err != nil {
			return nil, err
		}
	}
	part := 0
	if by := s.now().by; len(by) > 0 {
		part = max(0, s.partOf(&by[0]))
	}
	taken := 0
	for range n {
		depth := len(s.now().points[part].Here())
		if c.Verb == "out" {
			depth--
		}
		found, err := s.search(ctx, func(v *programVisit) bool {
			return v.points[part].End() != nil || len(v.points[part].Here()) <= depth
		}, mostSought)
		if err != nil {
			if taken > 0 {
				break
			}
			return nil, err
		}
		taken += found.Steps
	}
	return &Answer{Moved: true}, nil
}

func (s *Program) doGoto(ctx context.Context, goal string) (*Answer, error) {
	found, err := s.Goto(ctx, goal)
	if err != nil {
		return nil, err
	}
	switch {
	case found.Loaded:
		return &Answer{Moved: true, Text: fmt.Sprintf("a run that fails lies ahead, from the start: %s (redo takes them)", s.ahead())}, nil
	case found.Steps == 0:
		return &Answer{Text: "it is so here already"}, nil
	}
	return &Answer{Moved: true, Text: report.Counted(int64(found.Steps), "step")}, nil
}
