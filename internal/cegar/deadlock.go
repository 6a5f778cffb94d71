package cegar

import (
	"context"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// DeadlockResult is the result of DeadlockFree.
type DeadlockResult struct {
	Answer
	// Net are the last abstract models side by side, and Abstract is what was found out about
	// them; nil where there was no time for it.
	Net      *lks.Network
	Abstract *deadlock.Result
	// Deadlock is the counterexample of a question that fails.
	Deadlock *Deadlock
}

// Deadlock is a run of the program behind which nothing is possible. Its trace and who waits
// for whom are told of the abstract models, whose last states offer what the program offers.
type Deadlock struct {
	*deadlock.Deadlock
	// Parts are by component, steps one after the other. Step.Moves is the number of the
	// step of Trace, from 1, that it is part of.
	Parts []Part
}

// DeadlockFree decides whether components that run side by side can get stuck: whether a state
// can be reached in which nothing is possible, though not all of them have ended ([Chaki05],
// 10.8, over components with data). A run in which an assumption fails does not exist.
//
// Existential abstraction alone loses deadlocks: an abstract state offers what one of its
// concrete states offers. So what decides which actions are possible is always tracked where a
// component communicates (predabs.Observation.Offers), and abstract states agree about it with
// all their concrete ones. Where it cannot be tracked, only deadlocks are found, no proofs. A
// proof also shows that no Lost location is reached.
//
// Verdicts, errors and limits are as for Simulates.
func DeadlockFree(ctx context.Context, components []*program.Component, pool *smt.Pool, opts Options) (*DeadlockResult, error) {
	if err := usable(components); err != nil {
		return nil, err
	}
	r, err := deadlockFree(ctx, components, pool, opts)
	if err == nil && r.NoRun && !slices.Contains(opts.Without, passes.Slice) {
		r.NoRun = noRun(ctx, components, pool, opts)
	}
	return r, err
}

func deadlockFree(ctx context.Context, components []*program.Component, pool *smt.Pool, opts Options) (*DeadlockResult, error) {
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer pool.Release(solver)
	seen := make([]predabs.Observation, len(components))
	for i := range seen {
		seen[i].Offers = true
	}
	r := &DeadlockResult{}
	d := &deadlockFreedom{result: r}
	if d.loop, err = newSmallLoop(ctx, components, smaller(ctx, components, seen, passes.Sight{Ends: true, Offers: true}, opts), seen, solver, opts, &r.Answer); err != nil {
		return nil, err
	}
	f, err := decide(d.loop, d)
	if err != nil {
		return r, err
	}
	if r.Verdict == outcome.Violated {
		r.Deadlock = f.real
	}
	return r, nil
}

// deadlockFreedom is a refine.Problem. With two levels, its Check is a loop of its own:
// IterDeadlock ([Chaki05], Procedure 10.3) on quotients of the abstract models.
type deadlockFreedom struct {
	*loop
	result *DeadlockResult
}

// stuck is what a round finds: a run of the abstract models into a deadlock, or into a Lost
// location.
type stuck struct {
	findings
	trace *run.Run
	lost  bool
	real  *Deadlock
}

// Check builds the abstract models and looks for a deadlock of their composition.
func (d *deadlockFreedom) Check(_ int, round *Round) (*stuck, bool, error) {
	d.result.Net, d.result.Abstract = nil, nil
	nets, err := d.abstract(round)
	if err != nil {
		return nil, false, err
	}
	net, err := lks.Compose("program", nets...)
	if err != nil {
		return nil, false, err
	}
	r, err := deadlock.Check(d.ctx, net, deadlock.Options{Method: d.method(), Limits: d.opts.Limits, Progress: d.opts.Progress})
	d.result.Net, d.result.Abstract = net, r
	if err != nil {
		return nil, false, err
	}
	account(round, r)
	switch r.Verdict {
	case outcome.Unknown:
		return nil, false, r.Reason
	case outcome.Violated:
		return &stuck{trace: r.Deadlock.Trace}, true, nil
	}
	stray, err := d.strays(round)
	if stray != nil || err != nil {
		return stray, true, err
	}
	trace, err := d.lost(net, round)
	switch {
	case err != nil:
		return nil, false, err
	case trace != nil:
		return &stuck{trace: trace, lost: true}, true, nil
	case d.unclear != "":
		return nil, false, &outcome.Stuck{What: d.unclear}
	}
	d.result.NoRun, err = d.vacuous(net, product.Options{Limits: d.opts.Limits, Progress: d.opts.Progress})
	return nil, false, err
}

func (d *deadlockFreedom) method() deadlock.Method {
	switch d.opts.Levels {
	case OneLevel:
		return deadlock.Plain
	case TwoLevels:
		return deadlock.Iter
	}
	return deadlock.Auto
}

// account writes down how a search for a deadlock went.
func account(round *Round, r *deadlock.Result) {
	if e := r.Exploration; e != nil {
		round.Positions = e.States
	}
	if a := r.Abstraction; a != nil && r.Method == deadlock.Iter {
		round.Positions, round.Above, round.Classes = int64(a.MaxStates), a.Rounds, a.Classes
	}
}

// strays looks for components that, whatever the others do, could come to a Lost location in
// their abstract models and do not: the way there is a counterexample for that component alone,
// which is found without any composition. Where one does come there, the others decide.
func (d *deadlockFreedom) strays(round *Round) (*stuck, error) {
	s := &stuck{lost: true}
	for i, k := range d.components {
		ways := k.strays()
		for _, p := range ways[:min(len(ways), maxStrays)] {
			status, _, _, err := p.feasible(d.ctx, d.solver)
			if err != nil {
				return nil, err
			}
			if status == smt.Unsat {
				round.Nodes, round.Trees = max(round.Nodes, len(p.nodes)), round.Trees+1
				if !slices.Contains(round.Refined, i) {
					round.Refined = append(round.Refined, i)
				}
				s.spurious = append(s.spurious, spurious{i, p})
			}
		}
	}
	if len(s.spurious) == 0 {
		return nil, nil
	}
	return s, nil
}

// maxStrays bounds the ways to Lost locations that a round looks at, of each component.
const maxStrays = 16

// strays are shortest ways of the abstract model to the Lost locations that it reaches, the
// nearest first; those that are too long are left out.
func (k *component) strays() (ways []*part) {
	type from struct{ state, block int32 }
	came := map[int32]from{}
	var queue []int32
	for _, s := range k.model.Initial {
		came[s] = from{-1, -1}
		queue = append(queue, s)
	}
	met := map[int]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		at := k.model.States[s].Location
		if _, lost := k.abstracter.Component.Lost[at]; lost && !met[at] {
			met[at] = true
			var way []int32
			for t := s; t >= 0; t = came[t].state {
				way = append(way, t)
			}
			if len(way) > maxPart {
				continue
			}
			p := &part{of: k.abstracter}
			for n := len(way) - 1; n >= 0; n-- {
				p.enter(k.model.States[way[n]].Location, int(came[way[n]].block), int32(len(way)-1-n))
			}
			ways = append(ways, p)
		}
		for _, step := range k.model.Out[s] {
			if _, known := came[step.Target]; !known {
				came[step.Target] = from{s, int32(step.Block)}
				queue = append(queue, step.Target)
			}
		}
	}
	return ways
}

// lost returns a shortest run in which a component leaves what is modelled, nil if there is
// none: a deadlock could be behind it. Stubborn sets do not keep such runs, so all states are
// looked at; but only where an abstract model has a Lost location at all.
func (d *deadlockFreedom) lost(net *lks.Network, round *Round) (*run.Run, error) {
	lost, some := make([][]bool, len(d.components)), false
	for i, k := range d.components {
		lost[i] = make([]bool, net.Components()[i].NumStates())
		for s, at := range k.model.States {
			_, lost[i][s] = k.abstracter.Component.Lost[at.Location]
			some = some || lost[i][s]
		}
	}
	if !some {
		return nil, nil
	}
	local := make([]int32, len(lost))
	goal := func(state []uint64) bool {
		net.Unpack(state, local)
		for i, s := range local {
			if lost[i][s] {
				return true
			}
		}
		return false
	}
	r, err := explore.Reach(net, explore.Options{Meter: d.meter, Traces: true, Resources: explore.Resources{Store: explore.Numbered, Workers: 1}, Goal: goal, StopAtGoal: true})
	if err != nil {
		return nil, err
	}
	round.Positions = max(round.Positions, r.States)
	if r.GoalState == nil {
		return nil, nil
	}
	return r.TraceTo(r.GoalState, d.meter)
}

// Validate asks every component whether it can do its part of the run, and be in a state then
// that offers just what its abstract state offers.
//
// [Chaki05], 10.5, asks for one reachable state that refuses all of the abstract refusal. Here
// these are the same question: the abstract state refuses what each of its concrete states
// refuses, and a deadlock with another refusal is another abstract state.
func (d *deadlockFreedom) Validate(s *stuck, round *Round) (bool, error) {
	if s.trace == nil { // see strays
		return false, nil
	}
	round.Trees = 1
	last := s.trace.Last.Local
	parts, err := d.follow(&s.findings, round, func(component int) (*part, error) {
		p, err := d.part(s.trace, component)
		if p != nil && !s.lost {
			p.nodes[len(p.nodes)-1].holds = d.needs(component, last[component])
		}
		return p, err
	})
	switch {
	case err != nil:
		return false, err
	case parts == nil:
		return false, s.verdict()
	case s.lost:
		return false, bug.Errorf("cegar", "a run into a Lost location leads nowhere else")
	}
	if err := d.refuted(parts); err != nil {
		return false, err
	}
	s.real = &Deadlock{Deadlock: d.result.Abstract.Deadlock, Parts: parts}
	return true, nil
}

// needs is what has to be true where a component gets stuck. Where abstract states need not
// agree with their concrete ones about what is possible, that is all that is known there: what
// an abstract state refuses is refused by each of its concrete states.
func (d *deadlockFreedom) needs(component int, state int32) *logic.Term {
	k := d.components[component]
	if k.abstracter.Unclear != "" {
		return k.model.Concrete(state)
	}
	return k.model.Needs(state)
}

// part is what a component does in a run of the abstract models, nil if that is too much.
func (d *deadlockFreedom) part(trace *run.Run, component int) (*part, error) {
	k := d.components[component]
	steps := trace.Project(d.result.Net, component)
	if len(steps) > maxPart {
		return nil, nil
	}
	p := &part{of: k.abstracter}
	start := trace.At(0).Local[component]
	p.enter(k.model.States[start].Location, -1, 0)
	for _, step := range steps {
		if step.Action == k.abstracter.DiscardedAction() {
			continue // it stays where it is
		}
		block := k.model.Step(step.From, step.Action, step.To)
		if block < 0 {
			return nil, bug.Errorf("cegar", "%s has no step with %s", p.of.Component.Name, step.Action)
		}
		p.enter(k.model.States[step.To].Location, block, int32(step.Index+1))
	}
	return p, nil
}

// enter adds a node behind the last one.
func (p *part) enter(location, block int, moves int32) {
	n := len(p.nodes)
	p.nodes = append(p.nodes, node{parent: n - 1, block: block, location: location, moves: moves})
	if n > 0 {
		p.nodes[n-1].children = []int{n}
	}
	if _, lost := p.of.Component.Lost[location]; lost {
		p.lost = true
	}
}

// Refine gives predicates to the components that cannot follow.
func (d *deadlockFreedom) Refine(s *stuck, round *Round) (bool, error) {
	return d.learn(&s.findings, round)
}

// refuted looks at the states that the components have reached themselves, without any
// abstraction: it says which step is possible there, if one may be.
func (d *deadlockFreedom) refuted(parts []Part) error {
	ended := true
	refusing, offering := map[string]bool{}, map[string]string{}
	for i, k := range d.components {
		c := k.source
		offers, err := d.offers(c, &parts[i].Steps[len(parts[i].Steps)-1])
		switch {
		case err != nil:
			return err
		case offers[""]:
			return bug.Errorf("cegar", "%s can go on by itself where it gets stuck", c.Name)
		}
		for _, a := range c.Alphabet {
			if offers[a] {
				offering[a] = c.Name
			} else {
				refusing[a] = true
			}
		}
		ended = ended && slices.Contains(c.Ends, parts[i].Steps[len(parts[i].Steps)-1].Location)
	}
	if ended {
		return bug.Errorf("cegar", "all components have ended where they get stuck")
	}
	for a, by := range offering {
		if !refusing[a] {
			return bug.Errorf("cegar", "%s can go on with %s where it gets stuck", by, a)
		}
	}
	return nil
}

// offers returns the actions, "" for a silent step, that a component can do in a state. Where
// nothing is possible since an assumption fails, that is an error.
func (d *deadlockFreedom) offers(c *program.Component, at *Step) (map[string]bool, error) {
	value := map[*logic.Term]*logic.Term{}
	for _, v := range c.System.Vars {
		value[v] = at.State[v.Name()].Term()
	}
	offers := map[string]bool{}
	for i, e := range c.System.Edges {
		if e.From != at.Location {
			continue
		}
		switch status, err := smt.CheckAll(d.ctx, d.solver, logic.Substitute(e.Command.Guard, value)); {
		case err != nil:
			return nil, err
		case status == smt.Unknown:
			return nil, &outcome.Stuck{What: "the solver cannot say what is possible where a run gets stuck: " + d.solver.Reason()}
		case status == smt.Sat:
			offers[c.Actions[i]] = true
		}
	}
	if !slices.Contains(c.Ends, at.Location) && !c.Waiting()[at.Location] {
		return nil, bug.Errorf("cegar", "an assumption of %s fails where it gets stuck: that run does not exist", c.Name)
	}
	return offers, nil
}
