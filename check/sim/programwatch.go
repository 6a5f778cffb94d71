package sim

import (
	"slices"

	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
)

// programWatch follows a formula along a run.
type programWatch struct {
	*product.Watch
	programs.SteppedFormula
}

// follower notes what formulas read of a line of a component: its action, and where propositions
// change, as silent steps.
type follower struct {
	s    *Program
	part int
	all  []reading
}

// reading is an action, "" for a silent step, and what holds after it.
type reading struct {
	action    string
	props     []string
	undefined []string
	moves     []steps.Move // that are possible then, if formulas speak of that
}

// see is told of each move of a line.
func (f *follower) see(move steps.Move, at *steps.Point) {
	if len(f.s.watches) == 0 {
		return
	}
	now, known := f.s.observe(f.part, at)
	if !known {
		now.props = unknown
	}
	if now.action = move.Action; f.s.refusal {
		now.moves = at.Moves()
	}
	f.all = append(f.all, now)
}

// unknown stands for the propositions that held before: a run that has ended says nothing.
var unknown = []string{"\x00"}

// observe says which propositions of a component hold at a point; not known where its run has
// ended.
func (s *Program) observe(part int, at *steps.Point) (now reading, known bool) {
	if at.End() != nil || len(at.Here()) == 0 {
		return now, false
	}
	for _, p := range s.c.Parts[part].Propositions {
		holds := false
		if p.Condition == nil {
			holds = at.AtLabel(p.Label)
		} else {
			var defined bool
			if holds, defined = at.Observe(at.Program(), p.Condition, 0); !defined {
				now.undefined = append(now.undefined, p.Name)
			}
		}
		if holds {
			now.props = append(now.props, p.Name)
		}
	}
	slices.Sort(now.props)
	return now, true
}

// read has formulas read what components have done together: what each did before the action,
// the action, and what came then.
func (s *Program) read(from, to *programVisit, all []*follower) {
	if len(s.watches) == 0 {
		return
	}
	at := &followed{props: slices.Clone(from.props), undefined: slices.Clone(from.undefined), standings: slices.Clone(from.standings)}
	var own [][]steps.Move // that are possible on the way
	if s.refusal {
		own = movesOf(from.points)
	}
	letter := func() run.State {
		state := run.State{Local: []int32{0}, Props: at.truths(), Enabled: []string{lks.TauName}}
		if s.refusal {
			state.Enabled = enabledBy(s.joined(own))
		}
		return state
	}
	apply := func(part int, r reading) {
		if s.refusal {
			own[part] = r.moves
		}
		if !slices.Equal(r.props, unknown) {
			at.props[part], at.undefined[part] = r.props, r.undefined
		}
	}
	step := func(before run.State, event string) {
		by := &run.Step{State: before, Event: event}
		at.read = append(at.read, *by)
		for i, w := range s.watches {
			at.standings[i] = w.After(at.standings[i], by)
		}
	}
	silent := func(part int, r reading) {
		before := letter()
		apply(part, r)
		if after := letter(); !slices.Equal(before.Props, after.Props) || !slices.Equal(before.Enabled, after.Enabled) {
			step(before, lks.TauName)
		}
	}
	rest := make([][]reading, len(all))
	action := ""
	for k, f := range all {
		n := slices.IndexFunc(f.all, func(r reading) bool { return r.action != "" })
		if n < 0 {
			n = len(f.all)
		} else {
			action = f.all[n].action
		}
		for _, r := range f.all[:n] {
			silent(f.part, r)
		}
		rest[k] = f.all[n:]
	}
	if action != "" {
		step(letter(), action)
		for k, f := range all {
			if len(rest[k]) > 0 {
				apply(f.part, rest[k][0])
				rest[k] = rest[k][1:]
			}
		}
	}
	for k, f := range all {
		for _, r := range rest[k] {
			silent(f.part, r)
		}
	}
	to.followed = at
}

// letterOf is a state as formulas read it.
func (s *Program) letterOf(v *programVisit) run.State {
	state := run.State{Local: []int32{0}, Props: v.truths(), Enabled: enabledBy(s.moves(v))}
	if s.over(v) { // there is no such run, or nobody knows how it goes on: its end settles nothing
		state.Enabled = []string{lks.TauName}
	}
	return state
}

// enabledBy are the names of what is possible, sorted.
func enabledBy(moves []programMove) (names []string) {
	for _, m := range moves {
		name := m.action()
		if name == "" {
			name = lks.TauName
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Properties says how formulas stand.
func (s *Program) Properties() (all []Property) {
	for i := range s.watches {
		all = append(all, s.property(i))
	}
	return all
}

func (s *Program) property(i int) Property {
	w := &s.watches[i]
	p := Property{Kind: "ltl", Name: w.Name, Formula: w.Text}
	p.stand(w.Watch, s.at, func(at int) (product.Standing, *run.State) { return s.visits[at].standings[i], &s.visits[at].letter })
	p.AtEnd = p.Verdict != Open && s.visits[p.Since].stuck
	if s.loop >= 0 && s.at >= s.loop && p.Verdict == Open {
		p.Lasso = Violated
		if w.Eval(s.lasso()) {
			p.Lasso = Satisfied
		}
	}
	return p
}

// lasso is the lasso that was loaded, as formulas read it.
func (s *Program) lasso() *run.Run {
	r := &run.Run{}
	for i := range s.visits[:s.loop+s.period] {
		if read := s.visits[i+1].read; i < s.loop {
			r.Stem = append(r.Stem, read...)
		} else {
			r.Loop = append(r.Loop, read...)
		}
	}
	if len(r.Loop) == 0 { // nothing that they read happens
		r.Loop = []run.Step{{State: s.visits[s.loop].letter, Event: lks.TauName}}
	}
	return r
}
