package sim

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/report"
)

// Load replaces the run by a counterexample. The session is at its start, and all of it lies
// ahead. Every step is done again by the program, with the values and ways of the counterexample,
// and compared with what that tells: the line, the routine, what is given and performed, and the
// values of variables. The error is a *Mismatch; then the session is as it was.
func (s *Program) Load(c *report.Counterexample) error {
	err := s.load(c)
	if mismatch, ok := errors.AsType[*Mismatch](err); ok {
		mismatch.of = "program"
	}
	return err
}

func (s *Program) load(c *report.Counterexample) error {
	if c.Kind != "program" {
		return &Mismatch{Text: "it is a run of a model, and not of a C program", Help: "seltl sim MODEL --trace FILE"}
	}
	if len(c.Components) != len(s.c.Parts) || len(c.Components) > 1 && !slices.Equal(c.Components, s.Components()) {
		return &Mismatch{Text: fmt.Sprintf("it is of %s, and this is %s", strings.Join(c.Components, ", "), strings.Join(s.Components(), ", "))}
	}
	told := slices.Concat(c.Stem, c.Loop)
	if len(c.Arguments) != len(s.c.Parts) || slices.ContainsFunc(told, func(t report.Step) bool { return t.Moves < 0 }) {
		return &Mismatch{Text: "it does not say with which values it can be done again: one of an older seltl, or one that was changed", Help: "the command that wrote it, once more"}
	}
	l := &Program{c: s.c, opts: s.opts, watches: s.watches, refusal: s.refusal, source: s.source, random: s.random, numbers: s.numbers, texts: s.texts, places: s.places}
	l.round, l.kept.most, l.kept.bytes = l.repeat, s.kept.most, s.kept.bytes
	if err := l.beginAgain(c); err != nil {
		return err
	}
	stem := -1
	for from := 0; from < len(told); {
		if from >= len(c.Stem) && stem < 0 {
			stem = len(l.visits) - 1
		}
		by := atOnce(told[from:])
		to, err := l.repeated(l.visit(len(l.visits)-1), by, false)
		if err != nil {
			return &Mismatch{Step: from + 1, Text: err.Error()}
		}
		if err := l.tellsOtherwise(to, &by[len(by)-1]); err != nil {
			return &Mismatch{Step: from + len(by), Text: err.Error()}
		}
		l.leaveOut(to)
		l.push(to)
		from += len(by)
	}
	if err := l.endsAs(l.visit(len(l.visits)-1), c.End); err != nil {
		return &Mismatch{Step: len(told), Text: err.Error()}
	}
	if stem >= 0 {
		l.loop, l.period = stem, len(l.visits)-1-stem
	}
	s.history, s.kept, s.arguments, s.given = l.history, l.kept, l.arguments, l.given
	s.round = s.repeat
	return nil
}

// leaveOut forgets the states that steps tell, if they are what stateOf says.
func (s *Program) leaveOut(to *programVisit) {
	state := s.stateOf(to)
	for k := range to.by {
		if told := &to.by[k].State; slices.Equal(told.Locals, state.Locals) && slices.Equal(told.Props, state.Props) {
			*told = report.State{}
		}
	}
}

// withStates are steps that led to a state, with what is said of that.
func withStates(by []report.Step, state report.State) []report.Step {
	by = slices.Clone(by)
	for k := range by {
		if by[k].State.Locals == nil {
			by[k].State = state
		}
	}
	return by
}

// beginAgain begins a run with the arguments of a counterexample.
func (s *Program) beginAgain(c *report.Counterexample) error {
	var first programVisit
	var given []string
	for i, p := range s.c.Parts {
		values := c.Arguments[i]
		at, err := p.Procedure.Begin(func(a *steps.Ask) (uint64, error) {
			if len(values) == 0 {
				return 0, &Mismatch{Text: fmt.Sprintf("%s has more arguments than the run says", p.Name)}
			}
			bits, err := strconv.ParseUint(values[0], 10, 64)
			if err != nil {
				return 0, &Mismatch{Text: fmt.Sprintf("%q is no value of the argument %s of %s", values[0], a.Param, p.Name)}
			}
			values, given = values[1:], append(given, s.givenText(i, a, bits))
			return bits, nil
		})
		if err == nil && len(values) > 0 {
			err = &Mismatch{Text: fmt.Sprintf("%s has fewer arguments than the run says", p.Name)}
		}
		if err != nil {
			return err
		}
		first.points = append(first.points, at)
	}
	s.begin(first, c.Arguments)
	s.given = given
	return nil
}

// atOnce are the first of some steps that are one of the session: of all components that perform
// an action together, if they stand one after the other.
func atOnce(told []report.Step) []report.Step {
	first := &told[0]
	if first.Action == "" || len(first.With) == 0 {
		return told[:1:1]
	}
	n := 1
	for n < len(told) && n <= len(first.With) && told[n].Action == first.Action && len(told[n].Movers) == 1 && slices.Contains(first.With, told[n].Movers[0]) {
		n++
	}
	return told[:n:n]
}

// done is what is done in a step that is told: the error says what that tells otherwise.
func (s *Program) done(told *report.Step, part int, line *steps.Line, parts []steps.Part) (report.Step, error) {
	step := *told
	if told.Moves == 0 { // of the arguments
		return step, nil
	}
	if told.Action != line.Action {
		return step, fmt.Errorf("it performs %s, not %s", orNothing(line.Action), orNothing(told.Action))
	}
	i := slices.IndexFunc(parts, func(p steps.Part) bool { return placeText(p.Span) == told.Event && p.Depth == told.Depth })
	if i < 0 {
		if told.Event == "" && len(parts) == 0 {
			return step, nil
		}
		at := "nothing is done there"
		if len(parts) > 0 {
			last := parts[len(parts)-1]
			at = fmt.Sprintf("the program is at %s in %s, inside of %s", placeText(last.Span), last.Func.Name, report.Counted(int64(last.Depth), "call"))
		}
		return step, fmt.Errorf("%s, not at %s inside of %s", at, told.Event, report.Counted(int64(told.Depth), "call"))
	}
	line.Span, line.Func, line.Depth = parts[i].Span, parts[i].Func, parts[i].Depth
	own := s.told(part, line.To, line)
	step.Source, step.Routine, step.Returns = own.Source, own.Routine, own.Returns
	if told.Routine != own.Routine {
		return step, fmt.Errorf("the routine is %s, not %s", own.Routine, told.Routine)
	}
	if s.c.Parts[part].Procedure.Context == nil { // where others tell arguments
		at := 0
		for _, given := range line.Found {
			if at < len(told.Inputs) && told.Inputs[at] == given {
				at++
			}
		}
		if at < len(told.Inputs) {
			return step, fmt.Errorf("%s is not what it is given: %s", told.Inputs[at], orNothing(strings.Join(line.Found, ", ")))
		}
	}
	return step, nil
}

func orNothing(action string) string {
	if action == "" {
		return "nothing"
	}
	return action
}

// number finds a value that is a number: "main.n = -3".
var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*) = (-?\d+)$`) })

// gained are the numbers that a step tells of variables, by name, and what these hold while it is
// done: a line can change a variable several times.
type gained struct{ told, held map[string]string }

func gainedNumbers(told *report.Step) gained {
	g := gained{map[string]string{}, map[string]string{}}
	for _, text := range told.Gained {
		if m := number().FindStringSubmatch(text); m != nil && told.Moves > 0 {
			g.told[m[1]] = m[2]
		}
	}
	return g
}

func (g gained) see(at *steps.Point) {
	if len(g.told) == 0 {
		return
	}
	for _, v := range at.Values() {
		outer := v
		outer.Nth = 1
		for _, name := range []string{v.In(), outer.In(), v.Name} {
			if value, ok := g.told[name]; ok && g.held[name] != value {
				g.held[name] = v.Value
			}
		}
	}
}

// wrong says which variable is there and has at no time the number that is told.
func (g gained) wrong() error {
	for _, name := range slices.Sorted(maps.Keys(g.held)) {
		if got := g.held[name]; got != g.told[name] && number().MatchString(name+" = "+got) {
			return fmt.Errorf("%s is %s, not %s", name, got, g.told[name])
		}
	}
	return nil
}

// tellsOtherwise compares the values that a step tells of a state with those that are there. A
// variable that is not alive has none.
func (s *Program) tellsOtherwise(v *programVisit, told *report.Step) error {
	i := s.partOf(told)
	held := map[string]string{}
	for _, h := range v.points[i].Values() {
		if h.As == "" {
			held[h.In()] = h.Value
		}
	}
	entry := s.c.Parts[i].Procedure.Entry
	for _, text := range told.State.Props {
		m := number().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if value, ok := held[m[1]]; ok && value != m[2] && number().MatchString(m[1]+" = "+value) && (strings.Contains(m[1], "#") || !s.recurs(v.points[i], entry)) {
			return fmt.Errorf("%s is %s, not %s", m[1], value, m[2])
		}
	}
	return nil
}

// recurs reports several activations of a routine, the variables of which have one name.
func (s *Program) recurs(p *steps.Point, _ *ir.Func) bool {
	seen := map[*ir.Func]bool{}
	for _, a := range p.Here() {
		if seen[a.Func] {
			return true
		}
		seen[a.Func] = true
	}
	return false
}

// endsAs compares the end of a run with what is said of it.
func (s *Program) endsAs(v *programVisit, end string) error {
	if end == "" {
		return nil
	}
	kind := "a state from which it goes on"
	at := v
	for range mostQuiet { // what is not told of a run
		moves := s.moves(at)
		if len(moves) == 0 {
			kind, _ = s.ending(at)
			break
		}
		to, err := s.made(at, &moves[0], s.noValues())
		if err != nil || len(moves) > 1 {
			break
		}
		at = to
	}
	if end == "error" && kind == "undefined" { // a mistake that was asked for (--check)
		return nil
	}
	if kind != end {
		return fmt.Errorf("the run does not end there as it is said to, in %s: it ends in %s", end, kind)
	}
	return nil
}

// mostQuiet bounds the lines behind a run that are not told.
const mostQuiet = 4

// Report returns the run so far as a report, in the form of counterexamples: ReadTrace and
// Load read it.
func (s *Program) Report() *report.Report {
	c := &report.Counterexample{Kind: "program", Components: s.Components(), Initial: s.stateOf(s.visit(0)), Stem: []report.Step{}, Arguments: s.arguments}
	for i := range c.Arguments {
		if c.Arguments[i] == nil {
			c.Arguments[i] = []string{}
		}
	}
	around := s.loop >= 0 && s.at >= s.loop+s.period
	last := s.at
	if around {
		last = s.loop + s.period
	}
	texts := sharing{texts: map[string]string{}}
	s.each(0, last, func(i int, v *programVisit) {
		switch by := withStates(v.by, texts.of(s.stateOf(v))); {
		case i == 0:
		case around && i > s.loop:
			c.Loop = append(c.Loop, by...)
		default:
			c.Stem = append(c.Stem, by...)
		}
	})
	if len(s.moves(s.now())) == 0 && !around {
		if kind, _ := s.ending(s.now()); slices.Contains([]string{"deadlock", "error", "end"}, kind) {
			c.End = kind
		}
	}
	return &report.Report{Command: "sim", Model: s.Describe(), Results: []report.Result{{
		Kind: "run", Verdict: report.Unknown, Reason: "a run that was stepped through: nothing was asked", Counterexample: c,
		Assumptions: s.c.Assumptions,
	}}}
}
