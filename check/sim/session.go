package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Options of a session. The zero value is good.
type Options struct {
	// Menu is the menu of the model that is in force: "" for the first that the file
	// declares, NoMenu for none.
	Menu string
	// Seed of random choices: the same seed, the same choices.
	Seed uint64
	// Limits of each search for a goal.
	Limits budget.Limits
	// Checkpoints is how many states of a run a Program keeps at most, from which it makes others
	// again: 0 for 64, less than 2 is 2.
	Checkpoints int
	// Untold: answers say how many steps were made, and not which.
	Untold bool
	// Progress of searches is told about once a second; it may be nil.
	Progress func(budget.Progress)
}

// NoMenu is the name that stands for no menu.
const NoMenu = "off"

// Session is a run of a model that is made step by step. It is not safe for concurrent
// use.
type Session struct {
	model *check.Model
	opts  Options
	net   *lks.Network // the model's composition, with all fluents
	ex    *lks.Explorer
	// fluents are the names of those propositions that are fluents, sorted.
	fluents []string
	menus   []menu
	menu    int // in force, -1: none
	watches []*watch
	random  *rand.Rand

	history[visit]
}

// visit is a state of the run.
type visit struct {
	state run.State
	by    run.Step // that led here, of the state before
	// standings of the watches, before anything is known of what leaves the state.
	standings []product.Standing
}

// New begins a session with the model in its first initial state. The questions are
// followed on the way: those of Declared, or others. The error is that of the model, of a
// question, or that of a limit.
func New(ctx context.Context, m *check.Model, questions []check.Question, opts Options) (*Session, error) {
	net, fluents, err := m.Watched()
	if err != nil {
		return nil, err
	}
	s := &Session{model: m, opts: opts, net: net, ex: net.Explorer(), fluents: fluents, menu: -1, random: rand.New(rand.NewPCG(opts.Seed, 0))}
	s.round = func(v visit) error {
		s.push(move{rule: v.by.Rule, local: v.state.Local})
		return nil
	}
	if err := s.readMenus(); err != nil {
		return nil, err
	}
	if err := s.SetMenu(opts.Menu); err != nil {
		return nil, err
	}
	meter := s.meter(ctx)
	for i := range questions {
		w, err := newWatch(net, &questions[i], meter)
		if err != nil {
			return nil, err
		}
		s.watches = append(s.watches, w)
	}
	return s, s.Start(1)
}

func (s *Session) meter(ctx context.Context) *budget.Meter {
	return budget.New(ctx, s.opts.Limits, s.opts.Progress)
}

// starts returns the local states of the initial states, those that explorers take for one
// once.
func (s *Session) starts() ([][]int32, error) {
	var initial lks.Successors
	s.ex.Initial(&initial)
	words := s.net.Words()
	all := make([][]int32, initial.Len())
	for i := range all {
		var err error
		if all[i], err = run.Start(s.net, initial.States[i*words:(i+1)*words]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Starts returns the initial states.
func (s *Session) Starts() ([]report.State, error) {
	all, err := s.starts()
	if err != nil {
		return nil, err
	}
	states := make([]report.State, len(all))
	for i, local := range all {
		state := s.describe(local)
		states[i] = check.StateOf(s.net, &state)
	}
	return states, nil
}

// Start begins a new run in an initial state, counted from 1. The old run is gone.
func (s *Session) Start(number int) error {
	all, err := s.starts()
	switch {
	case err != nil:
		return err
	case number < 1 || number > len(all):
		return fmt.Errorf("there is no initial state %d: the model has %s", number, report.Counted(int64(len(all)), "initial state"))
	}
	s.begin(all[number-1])
	return nil
}

// begin makes the run one of a single state.
func (s *Session) begin(local []int32) {
	s.clear()
	first := visit{state: s.describe(local), standings: make([]product.Standing, len(s.watches))}
	for i, w := range s.watches {
		first.standings[i] = w.Begin()
	}
	s.append(first)
}

// stepOf describes a step and the state it leads to, and where in the model it stands.
func (s *Session) stepOf(by *run.Step, to *run.State) report.Step {
	return s.model.Shown(s.net, &run.Run{Stem: []run.Step{*by}, Last: *to}).Stem[0]
}

// describe says all that runs say of a state.
func (s *Session) describe(local []int32) run.State {
	return run.New(s.net, [][]int32{local}, nil, -1).Last
}

func (s *Session) append(v visit) {
	s.add(v, keyOf(v.state.Local))
}

func keyOf(local []int32) string {
	key := make([]byte, 0, 4*len(local))
	for _, l := range local {
		key = append(key, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(key)
}

// push adds a step behind the last visit.
func (s *Session) push(m move) {
	last := &s.visits[len(s.visits)-1]
	by := run.Step{State: last.state, Rule: m.rule, Event: s.eventOf(m.rule)}
	for _, p := range s.net.Rules()[m.rule].Parts {
		by.Moved = append(by.Moved, p.Component)
	}
	next := visit{by: by, state: s.describe(m.local), standings: make([]product.Standing, len(s.watches))}
	for i, w := range s.watches {
		next.standings[i] = w.after(last.standings[i], &by)
	}
	s.append(next)
}

func (s *Session) eventOf(rule int32) string { return s.net.Alphabet()[s.net.Rules()[rule].Action] }

// take makes a step. If it is the one that lies ahead, that stays.
func (s *Session) take(m move) {
	if s.isAhead(m) {
		_ = s.Redo() // which can only fail where nothing lies ahead
		return
	}
	s.branch()
	s.loop = -1
	s.push(m)
	s.at++
}

// isAhead reports whether a move is the one that lies ahead.
func (s *Session) isAhead(m move) bool {
	next := s.next()
	return next != nil && next.by.Rule == m.rule && slices.Equal(next.state.Local, m.local)
}

// Position says where a session is.
type Position struct {
	// Step is the number of steps so far, Ahead that of those which Redo can take.
	Step  int `json:"step"`
	Ahead int `json:"ahead,omitempty"`
	// By is the step that led here, nil at the start.
	By    *report.Step `json:"by,omitempty"`
	State report.State `json:"state"`
	// End says why nothing is possible: "deadlock", "error", "end"; "" where something is.
	End string `json:"end,omitempty"`
	// Failed are the components that are in ERROR.
	Failed []string `json:"failed,omitempty"`
	// Waiting says of a deadlock what every component waits for, Cycle who waits for whom.
	Waiting []report.Waiting `json:"waiting,omitempty"`
	Cycle   []string         `json:"cycle,omitempty"`
	// Same is the number of an earlier state of the run that is the same one, -1 if there
	// is none.
	Same int `json:"same"`
	// Loop is set on the loop of a lasso that was loaded.
	Loop *Loop `json:"loop,omitempty"`
	// Menu is the name of the menu in force, "" for none.
	Menu    string   `json:"menu,omitempty"`
	Choices []Choice `json:"choices"`
	// More is how many further steps are possible that Choices leaves out, since each would show
	// the states of a great many components. They can be taken by their names.
	More       int        `json:"more,omitempty"`
	Properties []Property `json:"properties,omitempty"`
	// Program is set of a C program.
	Program *ProgramPosition `json:"program,omitempty"`
}

// Loop says of a lasso where its loop begins and how many steps it has.
type Loop struct {
	Start  int `json:"start"`
	Length int `json:"length"`
}

// Components returns the names of the components, in the order of State.Locals.
func (s *Session) Components() []string {
	names := make([]string, len(s.net.Components()))
	for i := range names {
		names[i] = s.net.ComponentName(i)
	}
	return names
}

// Watching reports whether a component only watches: a fluent.
func (s *Session) Watching(component int) bool { return s.net.Observer(component) }

// Props returns all propositions, sorted, fluents among them.
func (s *Session) Props() []string { return s.net.Props() }

// Fluents returns the propositions that are fluents, sorted.
func (s *Session) Fluents() []string { return s.fluents }

// Model returns what is stepped through.
func (s *Session) Model() *check.Model { return s.model }

// Now says where the session is. Time is linear in the steps that are possible and in the
// properties.
func (s *Session) Now() *Position {
	v := s.now()
	p := &Position{Step: s.at, Ahead: len(s.visits) - 1 - s.at, State: check.StateOf(s.net, &v.state), Same: s.same(), Properties: s.Properties()}
	p.Choices, p.More = s.choices(s.offers())
	if s.at > 0 {
		by := s.stepOf(&v.by, &v.state)
		p.By = &by
	}
	if s.menu >= 0 {
		p.Menu = s.menus[s.menu].Name
	}
	p.Loop = s.onLoop()
	if len(v.state.Enabled) == 0 {
		p.End = check.EndOf(v.state.Kind)
	}
	switch p.End {
	case "error":
		for c, m := range s.net.Components() {
			if m.Kind(v.state.Local[c]) == lks.Error {
				p.Failed = append(p.Failed, s.net.ComponentName(c))
			}
		}
	case "deadlock":
		if d, err := check.ExplainDeadlock(s.net, s.upTo(s.at)); err == nil {
			p.Cycle = d.Cycle
			for c, w := range d.Waiting {
				if !s.net.Observer(c) {
					p.Waiting = append(p.Waiting, w)
				}
			}
		}
	}
	return p
}

// upTo returns the run of so many steps.
func (s *Session) upTo(steps int) *run.Run {
	r := &run.Run{Last: s.visits[steps].state}
	for i := 1; i <= steps; i++ {
		r.Stem = append(r.Stem, s.visits[i].by)
	}
	return r
}

// Run returns the run so far, which ends in the state where the session is: a lasso, once it
// has gone round the loop of one that was loaded.
func (s *Session) Run() *run.Run {
	if s.loop < 0 || s.at < s.loop+s.period {
		return s.upTo(s.at)
	}
	r := s.upTo(s.loop + s.period)
	r.Stem, r.Loop = r.Stem[:s.loop:s.loop], r.Stem[s.loop:]
	return r
}

// History lists the events of the run, those that lie ahead behind the others.
func (s *Session) History() []string {
	events := make([]string, 0, len(s.visits)-1)
	for i := range s.visits[1:] {
		events = append(events, s.visits[i+1].by.Event)
	}
	return events
}

// OnProgress has searches tell their progress to another function, or to nobody (nil).
func (s *Session) OnProgress(progress func(budget.Progress)) { s.opts.Progress = progress }

// dotted is a name as models have it inside: indices as segments.
func dotted(name string) string {
	return strings.NewReplacer("[", ".", "]", "").Replace(strings.TrimSpace(name))
}
