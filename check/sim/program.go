package sim

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Program is a run of a C program, or of the components that a specification makes of one,
// that is made line by line. It is not safe for concurrent use.
type Program struct {
	c       *programs.SteppedC
	opts    Options
	watches []programWatch
	refusal bool // formulas speak of what is possible
	source  *rand.PCG
	random  *rand.Rand // of source
	regions int        // that were drawn for pointers
	numbers []uint64   // that the program compares with, for values that are drawn
	texts   map[*source.File][]string
	places  map[spot]string

	history[programStep]
	kept      checkpoints // of the run
	arguments [][]string  // of the run, by component
	given     []string    // the same, as they are told
}

// programStep is what is kept of every state of the run.
type programStep struct {
	// by is what led here: a line of one component, or one of each that take part in an action;
	// empty at the start. The state is said only where a run that was loaded says another one than
	// stateOf.
	by   []report.Step
	cost int // moves up to here
	*followed
}

// followed is what formulas know of a state: of all states the same one, if there are none.
type followed struct {
	props     [][]string // that hold, by component
	undefined [][]string // propositions without a value, by component
	standings []product.Standing
	read      []run.Step // what formulas read of by
	letter    run.State  // the state as formulas read it
	stuck     bool       // nothing is possible
}

// programVisit is a state of the run.
type programVisit struct {
	programStep
	points []*steps.Point // by component
	// parts and lines are what by tells, until it does.
	parts []int
	lines []*steps.Line
}

// NewProgram begins a session at the start of a program, with arguments that are drawn. The
// error is that of a formula or of a limit.
func NewProgram(ctx context.Context, c *programs.SteppedC, opts Options) (*Program, error) {
	s := &Program{c: c, opts: opts, source: rand.NewPCG(opts.Seed, 0), texts: map[*source.File][]string{}, places: map[spot]string{}}
	s.random, s.numbers = rand.New(s.source), comparedWith(c)
	s.round, s.kept.most, s.kept.bytes = s.repeat, cmp.Or(opts.Checkpoints, mostKept), mostKeptBytes
	meter := budget.New(ctx, opts.Limits, opts.Progress)
	for _, f := range c.Formulas {
		w, err := product.NewWatch(c.Net, f.Formula, meter)
		if err != nil {
			return nil, err
		}
		s.watches = append(s.watches, programWatch{w, f})
		s.refusal = s.refusal || slices.ContainsFunc(ltl.Atoms(f.Formula), func(a ltl.Atom) bool { return a.Kind == ltl.Enabled || a.Kind == ltl.Deadlock })
	}
	return s, s.Begin(nil)
}

// Begin begins a new run with the arguments of the components' routines, one after the other;
// those that are not given are drawn. The old run is gone. The error is a *NotPossible.
func (s *Program) Begin(values []string) error {
	for tries := mostDraws; ; tries-- {
		err := s.beginOnce(values)
		if refused, ok := errors.AsType[*steps.Refused](err); ok {
			if tries > 1 && !slices.ContainsFunc(values, func(v string) bool { return v != drawn }) {
				continue
			}
			return &NotPossible{Text: refused.Text, Help: "start VALUE...: the arguments, and then what the guard reads of memory"}
		}
		return err
	}
}

func (s *Program) beginOnce(values []string) error {
	g := &giver{s: s, values: values, draws: true}
	var first programVisit
	var arguments [][]string
	var given []string
	for i, p := range s.c.Parts {
		var own []string
		at, err := p.Procedure.Begin(func(a *steps.Ask) (uint64, error) {
			bits, err := g.give(a)
			own, given = append(own, fmt.Sprint(ir.Canonical(a.Type, bits))), append(given, s.givenText(i, a, bits))
			return bits, err
		})
		if err != nil {
			return err
		}
		first.points, arguments = append(first.points, at), append(arguments, own)
	}
	if err := g.leftOver(); err != nil {
		return err
	}
	s.begin(first, arguments)
	s.given = given
	return nil
}

// givenText is what a component is given at its start.
func (s *Program) givenText(part int, a *steps.Ask, bits uint64) string {
	text := a.What() + " = " + ir.Number(a.Type, ir.Canonical(a.Type, bits))
	if len(s.c.Parts) > 1 {
		text = s.c.Parts[part].Name + "::" + text
	}
	return text
}

// begin makes the run one of a single state.
func (s *Program) begin(first programVisit, arguments [][]string) {
	s.clear()
	s.kept.cut(-1)
	s.arguments = arguments
	first.by = nil
	first.followed = &followed{props: make([][]string, len(first.points)), undefined: make([][]string, len(first.points))}
	for i := range first.points {
		now, _ := s.observe(i, first.points[i])
		first.props[i], first.undefined[i] = now.props, now.undefined
	}
	first.standings = make([]product.Standing, len(s.watches))
	for i, w := range s.watches {
		first.standings[i] = w.Begin()
	}
	s.push(&first)
}

// keyOf tells the states of the run apart.
func (s *Program) keyOf(v *programVisit) string {
	if key := stateKey(v); key != "" {
		return key
	}
	return fmt.Sprint("step ", len(s.visits))
}

// stateKey is the same for two states only if they are one, as far as hashes tell; "" if that
// cannot be told.
func stateKey(v *programVisit) string {
	all := sha256.New()
	for _, p := range v.points {
		key := p.Key()
		if key == "" {
			return ""
		}
		fmt.Fprintf(all, "%d %s", len(key), key)
	}
	return string(all.Sum(nil)[:16])
}

// programMove is a way to go on: of one component, or of those that perform an action.
type programMove struct {
	parts []int
	moves []steps.Move
}

func (m *programMove) action() string { return m.moves[0].Action }

// sharing are the components that take part in an action.
func (s *Program) sharing(action string) (all []int) {
	for i, p := range s.c.Parts {
		if _, ok := slices.BinarySearch(p.Alphabet, action); ok {
			all = append(all, i)
		}
	}
	return all
}

// moves returns what is possible in a state, by component.
func (s *Program) moves(v *programVisit) (all []programMove) {
	if s.over(v) {
		return nil
	}
	all = s.joined(movesOf(v.points))
	return slices.DeleteFunc(all, func(m programMove) bool { return m.moves[0].Result && s.hopeless(v, &m) })
}

// movesOf are the moves of each component.
func movesOf(points []*steps.Point) [][]steps.Move {
	return lists.Map(points, (*steps.Point).Moves)
}

// joined are the ways in which components with such moves go on.
func (s *Program) joined(own [][]steps.Move) (all []programMove) {
	for i := range own {
		for _, m := range own[i] {
			parts := []int{i}
			if m.Action != "" {
				if with := s.sharing(m.Action); len(with) > 0 {
					parts = with
				}
			}
			if parts[0] != i {
				continue // the first of them has it
			}
			all = append(all, together(parts, own, m)...)
		}
	}
	return all
}

// together are the ways in which components perform the action of a move of the first one.
func together(parts []int, own [][]steps.Move, first steps.Move) []programMove {
	all := []programMove{{parts, []steps.Move{first}}}
	for _, i := range parts[1:] {
		var longer []programMove
		for _, m := range all {
			for _, other := range own[i] {
				if other.Action == first.Action {
					longer = append(longer, programMove{parts, append(slices.Clip(m.moves), other)})
				}
			}
		}
		all = longer
	}
	return all
}

// over reports a state from which the run does not go on, though some component could: one has
// failed, or done what C does not define.
func (s *Program) over(v *programVisit) bool {
	return slices.ContainsFunc(v.points, func(p *steps.Point) bool {
		out := p.End()
		return out != nil && out.Ending != machine.Returned && out.Ending != machine.Stopped && !s.endsQuietly(p)
	})
}

// endsQuietly reports a component that a failure ends as a return would: its action says it.
func (s *Program) endsQuietly(p *steps.Point) bool {
	return p.End().Ending == machine.Failed && p.FailureIsAction()
}

// stops says where a line of a component stops: before what others take part in.
func (s *Program) stops(next []steps.Move) bool {
	return next[0].Action != "" && len(s.sharing(next[0].Action)) > 1
}

// made is what a move leads to.
func (s *Program) made(from *programVisit, m *programMove, give steps.Source) (*programVisit, error) {
	to, err := s.moved(from, m, give)
	if err == nil {
		s.tell(from, to)
	}
	return to, err
}

// next is a state as this one, before a move.
func (v *programVisit) next() *programVisit {
	return &programVisit{points: slices.Clone(v.points), programStep: programStep{followed: v.followed}}
}

// moved is made without what is told of it.
func (s *Program) moved(from *programVisit, m *programMove, give steps.Source) (*programVisit, error) {
	to := from.next()
	to.parts = m.parts
	var all []*follower
	for k, i := range m.parts {
		f := &follower{s: s, part: i}
		line, err := from.points[i].Line(m.moves[k], give, s.stops, f.see)
		if err != nil {
			return nil, err
		}
		to.points[i] = line.To
		to.lines, all = append(to.lines, line), append(all, f)
	}
	s.read(from, to, all)
	return to, nil
}

// tell says what led from one state to another.
func (s *Program) tell(from, to *programVisit) {
	for k, i := range to.parts {
		to.by = append(to.by, s.told(i, from.points[i], to.lines[k]))
	}
	to.lines = nil
	for k := range to.by {
		for n := range to.by {
			if n != k {
				to.by[k].With = append(to.by[k].With, to.by[n].Movers...)
			}
		}
	}
}

// push puts what a move led to behind the last visit.
func (s *Program) push(to *programVisit) {
	if n := len(s.visits); n > 0 {
		to.cost = s.visits[n-1].cost
	}
	for k := range to.by {
		to.cost += to.by[k].Moves
	}
	if len(s.watches) > 0 {
		to.letter, to.stuck = s.letterOf(to), len(s.moves(to)) == 0
	}
	s.add(to.programStep, s.keyOf(to))
	s.kept.put(len(s.visits)-1, to.points, to.cost)
}

// take goes on. If this is what lies ahead, that stays.
func (s *Program) take(to *programVisit) {
	if next := s.next(); next != nil && sameMoves(next.by, to.by) {
		_ = s.Redo()
		s.kept.put(s.at, to.points, s.visits[s.at].cost)
		return
	}
	s.branch()
	s.kept.cut(s.at)
	s.loop = -1
	s.push(to)
	s.at++
}

// sameMoves reports whether steps do the same.
func sameMoves(a, b []report.Step) bool {
	return slices.EqualFunc(a, b, func(x, y report.Step) bool {
		return x.Event == y.Event && x.Moves == y.Moves && slices.Equal(x.Movers, y.Movers) && slices.Equal(x.Choices, y.Choices)
	})
}

// repeat makes the step of a visit again behind the last one: once more round a loop.
func (s *Program) repeat(v programStep) error {
	last := s.visit(len(s.visits) - 1)
	if !sameControl(last, s.visit(len(s.visits)-1-s.period)) {
		to, ok := s.likewise(last, &v)
		if !ok {
			return &NotPossible{Text: "the loop cannot be gone round once more: its values have changed"}
		}
		s.push(to)
		return nil
	}
	to, err := s.repeated(last, v.by, true)
	if err != nil {
		return &NotPossible{Text: "the loop cannot be gone round once more: " + err.Error()}
	}
	s.push(to)
	return nil
}

// sameControl reports components that are at the same places.
func sameControl(v, w *programVisit) bool {
	return slices.EqualFunc(v.points, w.points, func(p, q *steps.Point) bool { return p.Control() == q.Control() })
}

// likewise does the line of a visit from another state, where its moves can be others: the way
// into a loop is not the way round it.
func (s *Program) likewise(from *programVisit, v *programStep) (to *programVisit, ok bool) {
	if len(v.by) != 1 {
		return nil, false
	}
	told := &v.by[0]
	part, moves := s.partOf(told), s.moves(from)
	k := slices.IndexFunc(moves, func(m programMove) bool { return len(m.parts) == 1 && m.parts[0] == part })
	if k < 0 {
		return nil, false
	}
	values := slices.DeleteFunc(slices.Clone(told.Choices), steps.IsWay)
	to, err := s.made(from, &moves[k], func(*steps.Ask) (uint64, error) {
		if len(values) == 0 {
			return 0, nil
		}
		bits, err := strconv.ParseUint(values[0], 10, 64)
		values = values[1:]
		return bits, err
	})
	return to, err == nil && to.by[0].Event == told.Event && to.by[0].Action == told.Action
}

// repeated does steps again that are told, from a state. What it tells of them is what is done, but
// for the values of variables: of which a counterexample tells those that matter, unless this is
// another round of a loop.
func (s *Program) repeated(from *programVisit, by []report.Step, round bool) (*programVisit, error) {
	to := from.next()
	var all []*follower
	for k := range by {
		i := s.partOf(&by[k])
		if i < 0 {
			return nil, &steps.Refused{Text: "there is no component " + strings.Join(by[k].Movers, ", ")}
		}
		f, held := &follower{s: s, part: i}, gainedNumbers(&by[k])
		line, parts, err := to.points[i].Repeat(by[k].Moves, by[k].Choices, func(m steps.Move, at *steps.Point) {
			f.see(m, at)
			held.see(at)
		})
		if err != nil {
			return nil, err
		}
		done, err := s.done(&by[k], i, line, parts)
		if err == nil && !round {
			err = held.wrong()
		}
		if err != nil {
			return nil, err
		}
		if round {
			done.Gained, done.Lost, done.State = s.told(i, from.points[i], line).Gained, nil, report.State{}
		}
		to.points[i] = line.To
		to.by, all = append(to.by, done), append(all, f)
	}
	s.read(from, to, all)
	return to, nil
}

// partOf is the component of a step, -1 if there is none.
func (s *Program) partOf(step *report.Step) int {
	if len(step.Movers) == 0 && len(s.c.Parts) == 1 {
		return 0
	}
	return slices.IndexFunc(s.c.Parts, func(p programs.SteppedPart) bool { return len(step.Movers) == 1 && step.Movers[0] == p.Name })
}
