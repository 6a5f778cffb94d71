package certificate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// local is what is proved of one component: the obligations of an
// abstraction. Each is a formula that nothing satisfies.
type local struct {
	ctx    context.Context
	c      *program.Component
	of     *Component
	props  []Prop
	offers bool
	s      smt.Checker
	walk   *walker
	at     map[int][]*logic.Term // predicates by location
	open   []obligation
	chosen map[*logic.Term]bool // formulas over inputs alone: whether a choice satisfies them
}

// obligation is a formula that is to be unsatisfiable.
type obligation struct {
	wrong *logic.Term
	claim string
	where string
	state int
}

func newLocal(ctx context.Context, t *Task, component int, of *Component, s smt.Checker) (*local, error) {
	l := &local{ctx: ctx, c: t.Components[component], of: of, props: t.props(component), offers: t.offers(), s: s, at: map[int][]*logic.Term{}, chosen: map[*logic.Term]bool{}}
	if err := l.wellFormed(); err != nil {
		return nil, err
	}
	l.walk = newWalker(l.c, of.Cuts, l.props, l.offers)
	return l, nil
}

// refuse is the error of something that is wrong by its look.
func (l *local) refuse(where, claim string, args ...any) error {
	return &Refused{Component: l.c.Name, Claim: fmt.Sprintf(claim, args...), Where: where, Status: smt.Sat}
}

// wellFormed checks all that refers to something else, so that the rest need not.
func (l *local) wellFormed() error {
	if l.of.Name != l.c.Name {
		return l.refuse("", "it is this component: the certificate calls it %s", l.of.Name)
	}
	for _, k := range l.of.Cuts {
		if k.Location < 0 || k.Location >= len(l.c.System.Locations) {
			return l.refuse("", "there is a location %d", k.Location)
		}
		if _, twice := l.at[k.Location]; twice {
			return l.refuse(l.c.System.Locations[k.Location].Name, "the location is there once")
		}
		for _, p := range k.Predicates {
			if p.Sort() != logic.Bool || slices.ContainsFunc(logic.Vars(p), func(v *logic.Term) bool { return !slices.Contains(l.c.System.Vars, v) }) {
				return l.refuse(p.String(), "it is a predicate over the component's variables")
			}
		}
		l.at[k.Location] = slices.Concat([]*logic.Term{}, k.Predicates)
	}
	for i, s := range l.of.States {
		predicates, known := l.at[s.Location]
		if !known || len(predicates) != len(s.Holds) {
			return l.refuse(fmt.Sprintf("state %d", i)+l.of.placeOf(i), "the state has a value for each predicate of its location")
		}
		for _, step := range s.Steps {
			_, action := slices.BinarySearch(l.c.Alphabet, step.Action)
			if step.To < 0 || step.To >= len(l.of.States) || !action && step.Action != "" {
				return l.refuse(l.name(i)+l.of.placeOf(i), "there is a step %q to a state %d", step.Action, step.To)
			}
		}
	}
	if err := l.measured(); err != nil {
		return err
	}
	if len(l.of.Initial) == 0 {
		return l.refuse("", "there is an initial state")
	}
	for _, i := range l.of.Initial {
		if i < 0 || i >= len(l.of.States) {
			return l.refuse("", "there is an initial state %d", i)
		}
	}
	return nil
}

// name tells a state.
func (l *local) name(i int) string {
	s := &l.of.States[i]
	text := fmt.Sprintf("state %d at %s", i, l.c.System.Locations[s.Location].Name)
	if literals := l.literals(s); len(literals) > 0 {
		text += " [" + logic.Formats(literals, logic.C, ", ") + "]"
	}
	return text
}

// literals are what holds in a state.
func (l *local) literals(s *State) []*logic.Term {
	all := slices.Clone(l.at[s.Location])
	for i := range all {
		if !s.Holds[i] {
			all[i] = logic.Not(all[i])
		}
	}
	return all
}

// check proves everything about the component.
func (l *local) check(meter *budget.Meter) error {
	if err := l.initial(); err != nil {
		return err
	}
	states := map[int][]int{}
	var order []int
	for i, s := range l.of.States {
		if states[s.Location] == nil {
			order = append(order, s.Location)
		}
		states[s.Location] = append(states[s.Location], i)
	}
	done := 0
	for _, at := range order {
		paths, err := l.walk.from(at)
		if err != nil {
			return err
		}
		ways := l.ways(paths)
		for _, i := range states[at] {
			if err := meter.Tick(budget.Progress{Phase: "checking " + l.c.Name, States: int64(done)}); err != nil {
				return err
			}
			done++
			if err := l.state(i, ways); err != nil {
				return err
			}
		}
	}
	return l.settle()
}

// initial: every initial concrete state is in an initial state.
func (l *local) initial() error {
	for _, r := range l.c.System.Init {
		var covered []*logic.Term
		for _, i := range l.of.Initial {
			if s := &l.of.States[i]; s.Location == r.Location {
				covered = append(covered, logic.And(l.literals(s)...))
			}
		}
		if err := l.owe(logic.And(r.Where, logic.Not(logic.Or(covered...))), "every beginning is in an initial state", l.c.System.Locations[r.Location].Name, -1); err != nil {
			return err
		}
	}
	return nil
}

// way is a path with what holds behind it.
type way struct {
	*path
	there []*logic.Term // the predicates of the location where it ends, in terms of where it begins
	// effects are the formulas that it has an effect on a measure, by measure; of one over several,
	// which depend on the state, nil.
	effects []map[byte]*logic.Term
}

func (l *local) ways(paths []path) (all []way) {
	for i := range paths {
		p := &paths[i]
		w := way{path: p, there: logic.SubstituteAll(l.at[p.to], p.value)}
		for m := range l.of.Measures {
			if l.of.Measures[m].Over != nil {
				w.effects = append(w.effects, nil)
				continue
			}
			w.effects = append(w.effects, l.of.Measures[m].effects(p.value))
		}
		all = append(all, w)
	}
	return all
}

// state proves what is claimed of a state.
func (l *local) state(i int, ways []way) error {
	s := &l.of.States[i]
	here := l.literals(s)
	known := values(here)
	for _, w := range ways {
		if err := l.step(i, here, known, w); err != nil {
			return err
		}
	}
	if err := l.labels(i, here); err != nil {
		return err
	}
	if l.offers {
		return l.offered(i, here)
	}
	return nil
}

// values are the variables that have one value where literals hold.
func values(literals []*logic.Term) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, f := range literals {
		switch {
		case f.Op() == logic.OpVar:
			by[f] = logic.True()
		case f.Op() == logic.OpNot && f.Args()[0].Op() == logic.OpVar:
			by[f.Args()[0]] = logic.False()
		case f.Op() == logic.OpEq:
			for k, x := range f.Args() {
				if y := f.Args()[1-k]; x.Op() == logic.OpVar && y.Op() == logic.OpNumber {
					by[x] = y
				}
			}
		}
	}
	return by
}

// step: whoever takes a path from a state comes to one that the state has a step to, with the
// action of the path, and with the effects that the path has on measures.
func (l *local) step(i int, here []*logic.Term, known map[*logic.Term]*logic.Term, w way) error {
	guard := logic.SubstituteAll(w.guard, known)
	for k, f := range guard {
		switch {
		case f.IsFalse() || slices.Contains(here, logic.Not(f)):
			return nil
		case slices.Contains(here, f):
			guard[k] = logic.True()
		}
	}
	there := logic.SubstituteAll(w.there, known)
	var covered []*logic.Term
	taken := l.taken(w.path)
	for _, step := range l.of.States[i].Steps {
		to := &l.of.States[step.To]
		if step.Action != w.action || to.Location != w.to {
			continue
		}
		var all []*logic.Term
		for k, f := range there {
			if !to.Holds[k] {
				f = logic.Not(f)
			}
			all = append(all, f)
		}
		for m, effects := range w.effects {
			f := effects[step.Effects[m]]
			if over := l.of.Measures[m].Over; over != nil {
				f = over.effect(step.Effects[m], l.of.States[i].Location, here, w.path, taken)
			}
			all = append(all, logic.Substitute(f, known))
		}
		covered = append(covered, logic.And(all...))
	}
	wrong := logic.And(slices.Concat(here, guard, []*logic.Term{logic.Not(logic.Or(covered...))})...)
	if wrong.IsFalse() {
		return nil
	}
	return l.owe(wrong, "the steps of the state are all that there are", l.name(i)+" by "+l.route(w.path), i)
}

// taken are the names in what is asked about a path; none are needed without disjunctions.
func (l *local) taken(p *path) map[string]bool {
	taken := map[string]bool{}
	if !slices.ContainsFunc(l.of.Measures, func(m Measure) bool { return m.Over != nil }) {
		return taken
	}
	all := slices.Concat(l.c.System.Vars, p.guard, slices.Collect(maps.Values(p.value)))
	for _, m := range l.of.Measures {
		if m.Over != nil {
			all = slices.AppendSeq(all, maps.Values(m.Over.Copies))
		}
	}
	for _, v := range logic.Vars(all...) {
		taken[v.Name()] = true
	}
	return taken
}

// route names the edges of a path.
func (l *local) route(p *path) string {
	all := lists.Append(nil, p.edges, func(e int) string { return l.c.System.Edges[e].Name })
	const most = 6
	if len(all) > most {
		all = append(all[:most-1], "..", all[len(all)-1])
	}
	text := strings.Join(all, " ")
	if p.action != "" {
		text += " with " + p.action
	}
	return text + " to " + l.c.System.Locations[p.to].Name
}

// labels: the propositions of a state hold in all that it stands for, and no others do in any.
// Where a run has left what is modelled nothing is to be known; compose shows that none does.
func (l *local) labels(i int, here []*logic.Term) error {
	s := &l.of.States[i]
	if _, lost := l.c.Lost[s.Location]; lost {
		return nil
	}
	known := map[string]bool{}
	for _, p := range l.props {
		known[p.Name] = true
		claimed := slices.Contains(s.Props, p.Name)
		wrong := p.where(s.Location)
		if claimed {
			wrong = logic.Not(wrong)
		}
		if p.Formula != nil || p.Local != nil {
			if slices.Contains(here, logic.Not(wrong)) {
				continue
			}
			wrong = logic.And(append(slices.Clone(here), wrong)...)
		}
		claim := fmt.Sprintf("%s never holds", p.Name)
		if claimed {
			claim = fmt.Sprintf("%s always holds", p.Name)
		}
		if err := l.owe(wrong, claim, l.name(i), i); err != nil {
			return err
		}
	}
	for _, p := range s.Props {
		if !known[p] {
			return l.refuse(l.name(i)+l.of.placeOf(i), "there is a proposition %s", p)
		}
	}
	return nil
}

// offered: every concrete state can do what the state can. (What it cannot do, none can: step.)
// Where a component can only go on by itself, it does, or its run does not exist.
func (l *local) offered(i int, here []*logic.Term) error {
	s := &l.of.States[i]
	alone := !l.walk.waits[s.Location] && !ended(l.c, s.Location)
	done := map[string]bool{}
	for _, step := range s.Steps {
		if done[step.Action] || alone && step.Action == "" {
			continue
		}
		done[step.Action] = true
		var must []*logic.Term
		for _, e := range l.walk.out[s.Location] {
			if l.c.Actions[e] != step.Action {
				continue
			}
			f, err := l.possible(l.c.System.Edges[e].Command)
			if err != nil {
				return err
			}
			must = append(must, f)
		}
		what := step.Action
		if what == "" {
			what = "a silent step"
		}
		if err := l.owe(logic.And(append(slices.Clone(here), logic.Not(logic.Or(must...)))...), what+" is always possible", l.name(i), i); err != nil {
			return err
		}
	}
	return nil
}

// possible is where a command can be done: what its guard says of variables, if there is a
// choice of inputs that satisfies what it says of inputs. Where some conjunct speaks of both, inputs
// are eliminated, and if that cannot be done exactly, it is not believed to be possible.
func (l *local) possible(c *program.Command) (*logic.Term, error) {
	var vars, inputs []*logic.Term
	for _, f := range logic.Conjuncts(c.Guard) {
		chosen := 0
		all := logic.Vars(f)
		for _, v := range all {
			if slices.Contains(c.Inputs, v) {
				chosen++
			}
		}
		switch chosen {
		case 0:
			vars = append(vars, f)
		case len(all):
			inputs = append(inputs, f)
		default:
			if where, exact := c.Able(); exact {
				return where, nil
			}
			return logic.False(), nil
		}
	}
	choice := logic.And(inputs...)
	able, known := l.chosen[choice]
	if !known {
		status, err := smt.CheckAll(l.ctx, l.s, choice)
		if err != nil {
			return nil, err
		}
		able = status == smt.Sat
		l.chosen[choice] = able
	}
	if !able {
		return logic.False(), nil
	}
	return logic.And(vars...), nil
}

// together is how many obligations are asked about with one question.
const together = 24

// owe notes an obligation.
func (l *local) owe(wrong *logic.Term, claim, where string, state int) error {
	if wrong.IsFalse() {
		return nil
	}
	l.open = append(l.open, obligation{wrong, claim, where, state})
	if len(l.open) >= together {
		return l.settle()
	}
	return nil
}

// settle asks about all open obligations at once, and, if that is not enough, one by one.
func (l *local) settle() error {
	open := l.open
	l.open = nil
	if len(open) > 1 {
		any := lists.Append(nil, open, func(o obligation) *logic.Term { return o.wrong })
		status, err := smt.CheckAll(l.ctx, l.s, logic.Or(any...))
		if status == smt.Unsat || err != nil {
			return err
		}
	}
	for _, o := range open {
		status, m, err := smt.ModelOf(l.ctx, l.s, o.wrong)
		switch {
		case err != nil:
			return err
		case status != smt.Unsat:
			return &Refused{Component: l.c.Name, Claim: o.claim, Where: o.where + l.of.placeOf(o.state), Status: status, Example: m}
		}
	}
	return nil
}
