package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/radix"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/report"
)

// MaxTrace bounds the size of reports that ReadTrace reads, in bytes.
const MaxTrace = 256 << 20

// Trace is a run that was read: of the Report, Result has it.
type Trace struct {
	Report *report.Report
	Result *report.Result

	text  *source.JSONText
	index int // of Result
}

// LoadInto loads the run into a session. The error is that of Load; a *Mismatch has a Place.
func (t *Trace) LoadInto(s Stepper) error {
	c := t.Result.Counterexample
	err := s.Load(c)
	if mismatch := (*Mismatch)(nil); errors.As(err, &mismatch) {
		path := []any{"results", t.index, "counterexample"}
		switch k := mismatch.Step - 1; {
		case k < 0:
		case k < len(c.Stem):
			path = append(path, "stem", k)
		default:
			path = append(path, "loop", k-len(c.Stem))
		}
		mismatch.Place = t.text.At(path...).Place()
	}
	return err
}

// ReadTrace reads a report in its JSON form, and finds the result with that name, or the
// first, that has a run. The error says what the report has instead; of a text that is none it is a source
// list, in a file with the reader's Name, if it has one.
func ReadTrace(r io.Reader, of string) (*Trace, error) {
	file, err := source.Read(source.NameOf(r, "<report>"), r, MaxTrace)
	if err != nil {
		return nil, err
	}
	all, text, err := source.JSONOf[report.Report]("report of seltl", file)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(all.Schema, "seltl.report/") {
		return nil, text.Errorf([]any{"schema"}, "report", "this is no report of seltl: its schema is %q, not %q", all.Schema, report.Schema)
	}
	var names []string
	for i := range all.Results {
		res := &all.Results[i]
		if res.Counterexample == nil {
			continue
		}
		title := cmp.Or(res.Name, res.Formula, res.Kind)
		if of == "" || of == title {
			return &Trace{all, res, text, i}, nil
		}
		names = append(names, title)
	}
	switch {
	case len(names) > 0:
		return nil, fmt.Errorf("the report has no run of %s, but of %s", of, strings.Join(names, ", "))
	case len(all.Results) > 0 && len(all.Results[0].Games) > 0:
		return nil, errors.New("the report has a game and no run: a counterexample to a simulation is a tree")
	}
	return nil, errors.New("the report has no run: nothing in it failed")
}

// Mismatch says that a run is not one of the model.
type Mismatch struct {
	Step int // 0: the initial state, or the components
	Text string
	Help string // what to do, "" where the reason is not known
	// Place is where a report that was read tells of that step, FILE:LINE:COLUMN; or "".
	Place string
	of    string // "model", if it is ""
}

func (e *Mismatch) Error() string {
	of := cmp.Or(e.of, "model")
	if e.Step == 0 {
		return fmt.Sprintf("this is no run of the %s: %s", of, e.Text)
	}
	return fmt.Sprintf("this is no run of the %s: step %d: %s", of, e.Step, e.Text)
}

// Load replaces the run by a counterexample. The session is at its start, and all of it
// lies ahead. Every state and step is compared with what the model does. The error is a
// *Mismatch; then the session is as it was.
func (s *Session) Load(c *report.Counterexample) error {
	if c.Kind == "program" {
		return &Mismatch{Text: "it is a run of a C program, whose sources take the place of the model", Help: "seltl sim PROGRAM.c --trace FILE"}
	}
	l := &loading{s: s, trace: c, steps: slices.Concat(c.Stem, c.Loop)}
	found, err := l.find()
	if err != nil && l.tellsWhole() && !budget.Stopped(err) {
		l.whole = true
		if again, wholeErr := l.find(); wholeErr == nil || len(s.net.Components()) > 1 {
			found, err = again, wholeErr
		}
	}
	if err != nil {
		return err
	}
	s.begin(found[0].local)
	meter := s.meter(context.Background())
	for _, m := range found[1:] {
		if err := meter.Tick(budget.Progress{Phase: "following the trace"}); err != nil {
			return err
		}
		s.push(m)
	}
	if len(c.Loop) > 0 {
		s.loop, s.period = len(c.Stem), len(c.Loop)
	}
	if err := s.upTo(len(s.visits) - 1).Replay(s.net); err != nil {
		return &bug.Error{Stage: "replay of a run that was loaded", Err: err}
	}
	return nil
}

// loading finds the states and rules of a run that is told by names.
type loading struct {
	s     *Session
	trace *report.Counterexample
	steps []report.Step
	// at says where State.Locals has the components of the network, -1: nowhere.
	at     []int
	hidden map[string]bool // actions that others see as silent
	// whole is set of a trace that tells of the process as one component, as conform does:
	// with one name for a state of all, and without propositions that do not matter.
	whole  bool
	levels [][]reached
}

// tellsWhole reports whether the trace may tell of the process as one component.
func (l *loading) tellsWhole() bool {
	process := l.s.model.Net
	components := 0
	for c := range l.s.net.Components() {
		if !l.s.net.Observer(c) {
			components++
		}
	}
	if slices.ContainsFunc(l.steps, func(s report.Step) bool { return len(s.Changed) > 0 }) {
		return false
	}
	return len(l.trace.Components) == 1 && l.trace.Components[0] == process.Name() && len(process.Components()) == components
}

// reached is what a run may have reached after some steps.
type reached struct {
	move
	from int // index in the level before
}

// match finds the components of the network among those of the trace.
func (l *loading) match() error {
	net := l.s.net
	l.hidden = map[string]bool{}
	for _, a := range net.Alphabet()[1:] {
		if l.s.model.Net.Action(a) < 0 {
			l.hidden[a] = true
		}
	}
	l.at = slices.Repeat([]int{-1}, len(net.Components()))
	if l.whole {
		return nil
	}
	taken := make([]bool, len(l.trace.Components))
	for c := range l.at {
		name := net.ComponentName(c)
		for i, other := range l.trace.Components {
			if other == name && !taken[i] {
				l.at[c], taken[i] = i, true
				break
			}
		}
	}
	if i := slices.Index(taken, false); i >= 0 {
		return &Mismatch{Text: fmt.Sprintf("the model has no component %s: its components are %s", l.trace.Components[i], strings.Join(l.s.Components(), ", "))}
	}
	for c, at := range l.at {
		if at < 0 && !net.Observer(c) {
			return &Mismatch{Text: fmt.Sprintf("the run has no component %s, which the model has", net.ComponentName(c))}
		}
	}
	return nil
}

// state checks the form of a told state.
func (l *loading) state(step int) (*report.State, error) {
	told := &l.trace.Initial
	if step > 0 {
		told = &l.steps[step-1].State
	}
	if len(told.Locals) != len(l.trace.Components) {
		return nil, &Mismatch{Step: step, Text: fmt.Sprintf("it has %d local states for %s", len(told.Locals), report.Counted(int64(len(l.trace.Components)), "component"))}
	}
	return told, nil
}

// named reports whether a local state has the name that the trace says.
func (l *loading) named(c int, local int32, told *report.State) bool {
	return l.at[c] < 0 || l.s.net.Components()[c].StateName(local) == told.Locals[l.at[c]]
}

// mostReached bounds the states that a run can be in, where names do not tell which.
const mostReached = 1 << 12

// find returns the moves of the run, the first of which is the initial state.
func (l *loading) find() ([]move, error) {
	if err := l.match(); err != nil {
		return nil, err
	}
	told, err := l.state(0)
	if err != nil {
		return nil, err
	}
	first := l.initial(told)
	if len(first) == 0 {
		return nil, &Mismatch{Text: fmt.Sprintf("no initial state of the model is (%s) with {%s}", strings.Join(told.Locals, ", "), strings.Join(told.Props, ", "))}
	}
	l.levels = [][]reached{first}
	meter := l.s.meter(context.Background())
	for i := range l.steps {
		if err := meter.Tick(budget.Progress{Phase: "following the trace"}); err != nil {
			return nil, err
		}
		told, err := l.state(i + 1)
		if err != nil {
			return nil, err
		}
		var next []reached
		have := map[string]bool{}
		for from := range l.levels[i] {
			for _, m := range l.moves(l.levels[i][from].local, &l.steps[i], told) {
				if key := keyOf(m.local); !have[key] && len(next) < mostReached {
					have[key] = true
					next = append(next, reached{m, from})
				}
			}
		}
		if len(next) == 0 {
			return nil, l.explain(i, told)
		}
		l.levels = append(l.levels, next)
	}
	return l.close()
}

// initial returns the initial states that are told so.
func (l *loading) initial(told *report.State) []reached {
	net := l.s.net
	choices := make([][]int32, len(net.Components()))
	for c, m := range net.Components() {
		for _, local := range m.Initial() {
			if l.named(c, local, told) {
				choices[c] = append(choices[c], local)
			}
		}
		if len(choices[c]) == 0 {
			return nil
		}
	}
	var all []reached
	for at := make([]int, len(choices)); ; {
		local := make([]int32, len(choices))
		for c, choice := range choices {
			local[c] = choice[at[c]]
		}
		if l.agrees(local, told) {
			all = append(all, reached{move: move{rule: run.Stutter, local: local}, from: -1})
		}
		if len(all) == mostReached || !radix.Next(at, func(i int) int { return len(choices[i]) }) {
			return all
		}
	}
}

// agrees reports whether the propositions are those that are told: of fluents that the
// trace does not tell of, none need be.
func (l *loading) agrees(local []int32, told *report.State) bool {
	net := l.s.net
	holds := l.s.shown(local).Props
	for _, p := range told.Props {
		if _, ok := slices.BinarySearch(holds, p); !ok {
			return false
		}
	}
	if l.whole {
		process := l.s.model.Net
		packed := make([]uint64, process.Words())
		process.Pack(local[:len(process.Components())], packed)
		return process.StateName(packed) == told.Locals[0]
	}
	for _, p := range holds {
		c, _, _ := net.Prop(p)
		if l.at[c] >= 0 && !slices.Contains(told.Props, p) {
			return false
		}
	}
	return true
}

// moves returns what can follow local states and is told so.
func (l *loading) moves(local []int32, step *report.Step, told *report.State) []move {
	net := l.s.net
	packed := make([]uint64, net.Words())
	net.Pack(local, packed)
	var succ lks.Successors
	l.s.ex.Successors(packed, &succ)
	var all []move
	for _, rule := range slices.Compact(slices.Clone(succ.Rules)) {
		if event := l.s.eventOf(rule); event != step.Event && !(step.Event == lks.TauName && l.hidden[event]) {
			continue
		}
		all = append(all, l.targets(local, rule, step, told)...)
	}
	return all
}

// targets returns where a rule leads as the trace tells it. It takes the components' own
// transitions, since explorers take states in ERROR, and at END, for one.
func (l *loading) targets(local []int32, rule int32, step *report.Step, told *report.State) []move {
	net := l.s.net
	parts := net.Rules()[rule].Parts
	choices := make([][]int32, len(parts))
	moves := map[int]bool{}
	for i, p := range parts {
		c := int(p.Component)
		moves[c] = true
		for _, e := range net.Components()[c].Succ(local[c], p.Action) {
			if l.named(c, e.Target, told) {
				choices[i] = append(choices[i], e.Target)
			}
		}
		if len(choices[i]) == 0 || !l.whole && !net.Observer(c) && !slices.Contains(step.Movers, net.ComponentName(c)) {
			return nil
		}
	}
	for c := range local {
		if !moves[c] && !l.named(c, local[c], told) {
			return nil
		}
	}
	var all []move
	for at := make([]int, len(parts)); ; {
		next := slices.Clone(local)
		for i, p := range parts {
			next[p.Component] = choices[i][at[i]]
		}
		if l.agrees(next, told) {
			all = append(all, move{rule, next})
		}
		if len(all) == mostReached || !radix.Next(at, func(i int) int { return len(choices[i]) }) {
			return all
		}
	}
}

// explain says why a step is not possible.
func (l *loading) explain(i int, told *report.State) error {
	enabled := map[string]bool{}
	for _, r := range l.levels[i] {
		for _, event := range l.s.describe(r.local).Enabled {
			enabled[event] = true
		}
	}
	step := &l.steps[i]
	if !enabled[step.Event] {
		possible := "nothing is"
		if len(enabled) > 0 {
			possible = strings.Join(slices.Sorted(maps.Keys(enabled)), ", ") + " is"
		}
		return &Mismatch{Step: i + 1, Text: fmt.Sprintf("%s is not possible, %s", cmp.Or(step.Event, "a step without event"), possible)}
	}
	return &Mismatch{Step: i + 1, Text: fmt.Sprintf("%s does not lead to (%s) with {%s}", step.Event, strings.Join(told.Locals, ", "), strings.Join(told.Props, ", "))}
}

// close returns a run that is told, one whose loop is closed and whose end is as it is said
// to be.
func (l *loading) close() ([]move, error) {
	last := len(l.steps)
	for i := range l.levels[last] {
		moves := make([]move, last+1)
		for level, at := last, i; level >= 0; level-- {
			r := &l.levels[level][at]
			moves[level], at = r.move, r.from
		}
		if len(l.trace.Loop) > 0 && !slices.Equal(moves[last].local, moves[len(l.trace.Stem)].local) {
			continue
		}
		if state := l.s.describe(moves[last].local); l.trace.End != "" && (len(state.Enabled) > 0 || check.EndOf(state.Kind) != l.trace.End) {
			continue
		}
		return moves, nil
	}
	if len(l.trace.Loop) > 0 {
		return nil, &Mismatch{Step: last, Text: fmt.Sprintf("the loop does not lead back to state %d", len(l.trace.Stem))}
	}
	return nil, &Mismatch{Step: last, Text: "the run does not end there as it is said to: " + l.trace.End}
}

// Report returns the run so far as a report, in the form of counterexamples: ReadTrace and
// Load read it.
func (s *Session) Report() *report.Report {
	c := s.model.Shown(s.net, s.Run())
	if last := &s.now().state; len(c.Loop) == 0 && len(last.Enabled) == 0 {
		c.End = check.EndOf(last.Kind)
	}
	return &report.Report{Command: "sim", Model: s.model.Describe(), Results: []report.Result{{
		Kind: "run", Verdict: report.Unknown, Reason: "a run that was stepped through: nothing was asked", Counterexample: c,
	}}}
}
