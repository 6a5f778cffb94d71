package cegar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Lasso is a run of the program that goes round for ever.
type Lasso struct {
	Net *lks.Network // of the abstract models
	// Run is the run as the abstract models have it, the loop as often as it takes until
	// every component is again as it was.
	Run *run.Run
	// Parts are by component, steps one after the other. Step.Moves is the number of the
	// step of Run, from 1, that it is part of.
	Parts []Part
	// Repeats says that the loop can be repeated exactly: all that it depends on is, behind
	// it, as it was before it. Otherwise values go on to change, within the closed recurrence
	// sets that Sets holds for some components, nil for others, as a proof that the loop can
	// be followed for ever.
	Repeats bool
	Sets    []*logic.Term
	// Word says what is true before each step of Run, of the values that the components have.
	Word ltl.Word
}

// projection is a component's part of a lasso ([Chaki05], Def. 19): its steps in the stem, and
// in the loop. Steps of others are left out: these cannot change its memory.
type projection struct {
	of         *component
	start      int32 // local states
	stem, loop []run.LocalStep
	moved      []int // for the steps of both: number, from 1, of the step of the run
	length     int   // of the run's loop
}

// projected returns what a component does in an abstract lasso. Repetitions of LostAction are
// no steps.
func (s *satisfaction) projected(f *foundLasso, component int) *projection {
	k := s.components[component]
	p := &projection{of: k, start: f.Lasso.At(0).Local[component], length: len(f.Lasso.Loop)}
	for _, step := range f.Lasso.Project(f.net, component) {
		if step.Action == k.abstracter.LostAction() {
			continue
		}
		if step.Index < len(f.Lasso.Stem) {
			p.stem = append(p.stem, step)
		} else {
			p.loop = append(p.loop, step)
		}
		p.moved = append(p.moved, step.Index+1)
	}
	return p
}

// unrolled returns the stem and some rounds of the loop as a part, nil if it is too large.
func (p *projection) unrolled(l *loop, rounds int) (*part, error) {
	if len(p.stem)+rounds*len(p.loop) > maxPart {
		return nil, nil
	}
	model := p.of.model
	out := &part{of: p.of.abstracter}
	enter := func(state int32, block, moves int) {
		at := model.States[state].Location
		if _, lost := out.of.Component.Lost[at]; lost {
			out.lost = true
		}
		n := len(out.nodes)
		out.nodes = append(out.nodes, node{parent: n - 1, block: block, location: at, moves: int32(moves), holds: model.Needs(state)})
		if n > 0 {
			out.nodes[n-1].children = []int{n}
		}
	}
	follow := func(step run.LocalStep, moves int) error {
		block, err := l.step(p.of, step.From, step.Action, step.To)
		if err != nil {
			return err
		}
		if block < 0 {
			return bug.Errorf("cegar", "%s has no step with %s", out.of.Component.Name, step.Action)
		}
		enter(step.To, block, moves)
		return nil
	}
	enter(p.start, -1, 0)
	for i, step := range p.stem {
		if err := follow(step, p.moved[i]); err != nil {
			return nil, err
		}
	}
	for r := range rounds {
		for i, step := range p.loop {
			if err := follow(step, p.moved[len(p.stem)+i]+r*p.length); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// lasso returns the projection as the lasso of commands that it is, and the part with one round;
// nil if it is too large.
func (p *projection) lasso(of *loop) (*lasso.Lasso, *part, error) {
	once, err := p.unrolled(of, 1)
	if once == nil || err != nil {
		return nil, nil, err
	}
	blocks := once.of.Blocks
	l := &lasso.Lasso{Vars: once.of.Component.System.Vars, Init: blocks.Init[once.nodes[0].location]}
	for i := range once.nodes {
		if i > 0 {
			c := blocks.All[once.nodes[i].block].Command
			if i <= len(p.stem) {
				l.Stem = append(l.Stem, c)
			} else {
				l.Loop = append(l.Loop, c)
			}
		}
		if len(l.Loop) == 0 || i+1 < len(once.nodes) { // the last state of a loop is its first
			l.Where = append(l.Where, once.nodes[i].holds)
		}
	}
	return l, once, nil
}

// Validate asks every component whether it can follow its projection for ever (WeakSimLasso,
// [Chaki05], Procedure 8.1): one round of the loop first, and then whether the loop can be
// gone round again and again.
func (s *satisfaction) Validate(f *foundLasso, round *Round) (bool, error) {
	round.Trees++
	projections := make([]*projection, len(s.components))
	once, err := s.follow(&f.findings, round, func(component int) (*part, error) {
		projections[component] = s.projected(f, component)
		return projections[component].unrolled(s.loop, 1)
	})
	switch {
	case err != nil:
		return false, err
	case once == nil:
		if err := s.alone(f, projections); err != nil {
			return false, err
		}
		return false, f.verdict()
	case f.asks == leaves:
		return false, &outcome.Stuck{What: s.outsideOf(f)}
	}
	verdicts := make([]*lasso.Verdict, len(projections))
	for i, p := range projections {
		if len(p.loop) == 0 {
			continue
		}
		if verdicts[i], err = s.forEver(f, round, i, p); err != nil {
			return false, err
		}
	}
	switch {
	case len(f.spurious)+len(f.loops) > 0:
		return false, nil
	case f.unanswered != "" && len(f.some) > 0:
		f.loops, f.unseen = f.some, f.unanswered
		return false, nil
	case f.unanswered != "":
		return false, &outcome.Stuck{What: f.unanswered}
	}
	f.real, err = s.assemble(f, projections, once, verdicts)
	if err == nil && f.real == nil {
		err = &outcome.Stuck{What: "a counterexample repeats itself only after too many rounds"}
	}
	return err == nil, err
}

// outsideOf says why nothing is known of a lasso that leaves what is modelled.
func (s *satisfaction) outsideOf(f *foundLasso) string {
	for _, u := range s.outside {
		for _, step := range f.Lasso.Steps() {
			if slices.Contains(step.State.Props, u.name) {
				return u.why
			}
		}
	}
	return "a run leaves what is modelled"
}

// forEver asks whether a component that moves in the loop can do so for ever. What is found
// out otherwise is written down.
func (s *satisfaction) forEver(f *foundLasso, round *Round, component int, p *projection) (*lasso.Verdict, error) {
	l, once, err := p.lasso(s.loop)
	if l == nil || err != nil {
		f.unanswered = "a counterexample is too large to be followed"
		return nil, err
	}
	v, err := s.endless(l)
	if err != nil {
		return nil, err
	}
	if v.Ranking == nil && v.Infeasible == nil && v.Recurrence == nil {
		within := p.within(l)
		switch known, err := s.endless(within); {
		case err != nil:
			return nil, err
		case known.Ranking != nil && known.Ranking.Labelled():
			f.loops = append(f.loops, &unrankedLoop{projection: p, once: once, lasso: within, ranking: known.Ranking, conditional: true})
			f.unseen = fmt.Sprintf("it is not known whether %s can follow a counterexample for ever: %s", p.of.abstracter.Component.Name, v.Reason)
			return v, nil
		}
	}
	name := p.of.abstracter.Component.Name
	switch {
	case v.Ranking != nil:
		f.loops = append(f.loops, &unrankedLoop{projection: p, once: once, lasso: l, ranking: v.Ranking, infeasible: v.Infeasible})
		f.unseen = fmt.Sprintf("%s cannot follow a counterexample for ever, since %s decreases; but its abstract model does not show that", name, v.Ranking.Function.String())
	case v.Infeasible != nil:
		if v.Mixed != nil {
			f.mixed = append(f.mixed, &unrankedLoop{projection: p, once: once, lasso: l, ranking: v.Mixed})
		}
		unrolled, err := p.unrolled(s.loop, v.Infeasible.Rounds)
		if err != nil {
			return nil, err
		}
		round.Nodes = max(round.Nodes, len(unrolled.nodes))
		f.spurious = append(f.spurious, spurious{component, unrolled})
		if !slices.Contains(round.Refined, component) {
			round.Refined = append(round.Refined, component)
			slices.Sort(round.Refined)
		}
	case v.Recurrence == nil:
		f.unanswered = fmt.Sprintf("it is not known whether %s can follow a counterexample for ever: %s", name, v.Reason)
		if v.Some != nil {
			f.some = append(f.some, &unrankedLoop{projection: p, once: once, lasso: l, ranking: v.Some, conditional: true})
		}
	}
	return v, nil
}

// often is how many rounds there were when alone looks at loops: most questions take less.
const often = 4

// alone looks for what ranks the loops of a lasso by themselves, though what leads there cannot be
// run: else each number of rounds before the loop may be excluded, one after the other.
func (s *satisfaction) alone(f *foundLasso, projections []*projection) error {
	if len(s.answer.Rounds) < often {
		return nil
	}
	for _, x := range f.spurious {
		p := projections[x.component]
		l, once, err := p.lasso(s.loop)
		if err != nil {
			return err
		}
		if l == nil || len(l.Loop) == 0 {
			continue
		}
		bare := &lasso.Lasso{Vars: l.Vars, Init: logic.True(), Loop: l.Loop, Where: l.Where[len(l.Stem):]}
		v, err := s.endless(bare)
		if err != nil {
			return err
		}
		switch {
		case v.Ranking != nil && v.Ranking.Labelled():
			f.loops = append(f.loops, &unrankedLoop{projection: p, once: once, lasso: bare, ranking: v.Ranking, conditional: true})
		case v.Ranking != nil || v.Mixed != nil:
			f.mixed = append(f.mixed, &unrankedLoop{projection: p, once: once, lasso: bare, ranking: cmp.Or(v.Ranking, v.Mixed)})
		}
	}
	return nil
}

// endless asks whether a lasso can be followed for ever.
func (s *satisfaction) endless(l *lasso.Lasso) (*lasso.Verdict, error) {
	s.solver.Limit(lasso.EnoughWork)
	defer s.solver.Limit(questionWork)
	return lasso.Decide(s.ctx, s.solver, l, lasso.Options{})
}

// within is the lasso with all that the abstract states of the loop say, where a loop that goes
// through others may be another one: in one phase of it a function decreases that does not in all.
func (p *projection) within(l *lasso.Lasso) *lasso.Lasso {
	out := *l
	out.Where = slices.Clone(l.Where)
	for i, step := range p.loop {
		if at := len(p.stem) + i; at < len(out.Where) {
			out.Where[at] = logic.And(out.Where[at], p.of.model.Concrete(step.From))
		}
	}
	return &out
}

// maxRounds bounds how often a loop is unrolled until all components are as they were.
const maxRounds = 5000

// assemble puts the runs of components together to one lasso: after some rounds all are in a
// state that comes again, after as many rounds as all their periods divide. It returns nil if
// that takes too many.
func (s *satisfaction) assemble(f *foundLasso, projections []*projection, once []Part, verdicts []*lasso.Verdict) (*Lasso, error) {
	before, period := 0, 1
	out := &Lasso{Net: f.net, Repeats: true, Sets: make([]*logic.Term, len(projections))}
	for i, v := range verdicts {
		if v == nil {
			continue
		}
		r := v.Recurrence
		before = max(before, r.From)
		if r.Set != nil {
			out.Repeats, out.Sets[i] = false, r.Set
		} else {
			period = lcm(period, r.To-r.From)
		}
	}
	if (before+period)*len(f.Lasso.Loop) > maxPart || period > maxRounds {
		return nil, nil
	}
	out.Run = &run.Run{Stem: slices.Concat(f.Lasso.Stem, slices.Repeat(f.Lasso.Loop, before)), Loop: slices.Repeat(f.Lasso.Loop, period)}
	for i, p := range projections {
		if verdicts[i] == nil {
			out.Parts = append(out.Parts, once[i])
			continue
		}
		part, err := p.run(s.loop, verdicts[i].Recurrence, before, before+period)
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, part)
	}
	return out, s.confirm(out, f)
}

func lcm(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// run returns what a component does in some rounds, evaluated step by step; if the state
// repeats, that it is the same after rounds as before.
func (p *projection) run(of *loop, r *lasso.Recurrence, before, rounds int) (Part, error) {
	l, _, err := p.lasso(of)
	if err != nil {
		return Part{}, err
	}
	unrolled, err := p.unrolled(of, rounds)
	if err != nil {
		return Part{}, err
	}
	x, err := r.Follow(l, rounds)
	if err != nil {
		return Part{}, bug.Errorf("cegar", "%s does not follow a lasso as it was shown to: %v", unrolled.of.Component.Name, err)
	}
	out, err := unrolled.executed(x)
	if err != nil {
		return Part{}, bug.Errorf("cegar", "%s does not follow a lasso as it was shown to: %v", unrolled.of.Component.Name, err)
	}
	if r.Set == nil {
		first, last := out.states[len(p.stem)+before*len(p.loop)], out.states[len(unrolled.nodes)-1]
		for _, v := range r.Relevant {
			if first[v.Name()].Compare(last[v.Name()]) != 0 {
				return Part{}, bug.Errorf("cegar", "%s has another value in %s after the loop", v.Name(), unrolled.of.Component.Name)
			}
		}
	}
	return p.of.steps(unrolled, out)
}

// executed evaluates the steps of a part without branches with the first state and the inputs
// of an execution.
func (p *part) executed(x *program.Execution) (*execution, error) {
	if len(x.Inputs) < len(p.nodes)-1 {
		return nil, fmt.Errorf("inputs for %d steps of %d", len(x.Inputs), len(p.nodes)-1)
	}
	m := logic.Model{}
	maps.Copy(m, x.States[0])
	for n := 1; n < len(p.nodes); n++ {
		for _, in := range p.of.Blocks.All[p.nodes[n].block].Command.Inputs {
			m[inputAt(in, n).Name()] = x.Inputs[n-1][in.Name()]
		}
	}
	return p.replay(m)
}

// status of a question to the solver, for a guard in one state.
func (s *satisfaction) possible(guard *logic.Term, state logic.Model) (bool, error) {
	by := map[*logic.Term]*logic.Term{}
	for _, v := range logic.Vars(guard) {
		if value, ok := state[v.Name()]; ok {
			by[v] = value.Term()
		}
	}
	status, err := smt.CheckAll(s.ctx, s.solver, logic.Substitute(guard, by))
	return status != smt.Unsat, err
}
