package cegar

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/smt"
)

// Where no function ranks a loop in a way that labels of its steps show, since it becomes smaller
// in some rounds together, or another one does in each mixture of ways around, a transition invariant
// ([PodelskiRybalchenkoLICS04]) excludes the steps of all loops that were met so far. It is
// found as [CookPodelskiRybalchenko06] do it: a safety question about the steps of the abstract model
// that these loops have, with a copy of the variables that is made at the head at any time, which
// asks whether some function is smaller whenever a run is at the head again. Ways around
// that no function ranks give another function. Labels have the meaning that they have for a
// function (see ranked.go): a step from the head is dec, other steps that keep the relation are same.

// around are the loops of a component that come to a state of its abstract model, and what is known of
// them. States are told by their formulas: these stay the same while the model does not change.
type around struct {
	head      lodged
	steps     []looped
	functions []*lasso.Function
	measure   int // of ranked.measures, -1 before there is one
	work      int // ways looked at
	failed    int // attempts
}

// looped is a step of a loop.
type looped struct {
	from, to lodged
	block    int
}

// lodged is an abstract state: a location, and what holds there.
type lodged struct {
	at    int
	holds *logic.Term
}

const (
	// mostWays bounds the ways around that are looked at for one set of steps, and what is asked
	// about ways that are none.
	mostWays = 120
	// invariantWork bounds a safety question, in the solver's units, earlyWork one that is asked before
	// others have found nothing.
	invariantWork = 8_000_000
	earlyWork     = 1_000_000
	// mostLooked bounds all ways of one head.
	mostLooked = 3000
	// mostFailed bounds the attempts with one head that come to nothing.
	mostFailed = 3
)

// disjoin looks for a transition invariant of a loop that ranking functions do not exclude, and of
// those before it that have a state in common with it: first of locations and commands alone, whatever
// is tracked, and then, unless it is early, of states. It returns how much is new.
func (l *loop) disjoin(u *unrankedLoop, early bool) (added int, err error) {
	steps, err := l.looped(u.projection)
	if err != nil || len(steps) == 0 {
		return 0, err
	}
	coarse := slices.Clone(steps)
	for i := range coarse {
		coarse[i].from.holds, coarse[i].to.holds = logic.True(), logic.True()
	}
	if !slices.Equal(coarse, steps) {
		if added, err = l.disjoinSteps(u, coarse, false, early); added > 0 || err != nil {
			return added, err
		}
	}
	if early {
		return 0, nil
	}
	return l.disjoinSteps(u, steps, true, false)
}

// disjoinSteps is disjoin with the steps of the loop. It may track predicates.
func (l *loop) disjoinSteps(u *unrankedLoop, steps []looped, tracks, early bool) (added int, err error) {
	k := u.of
	x := k.ranked.meeting(steps)
	all := slices.Clone(x.steps)
	for _, s := range steps {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) == len(x.steps) || x.work > mostLooked || x.failed >= mostFailed {
		return 0, nil
	}
	functions := x.functions
	if !slices.ContainsFunc(functions, func(f *lasso.Function) bool { return f.String() == u.ranking.Function.String() }) {
		functions = append(slices.Clone(functions), &u.ranking.Function)
	}
	at := slices.IndexFunc(steps, func(s looped) bool { return s.from == x.head })
	d := &disjoining{loop: l, component: k, of: x, steps: all, functions: functions, lasso: u.upTo(at), tracks: tracks, limit: invariantWork}
	if early {
		d.limit = earlyWork
	}
	l.solver.Limit(lasso.EnoughWork)
	t, err := d.decide()
	l.solver.Limit(questionWork)
	if d.tracked > 0 || err != nil {
		return d.tracked, err
	}
	if t == nil {
		x.failed++
		return 0, nil
	}
	x.steps, x.functions = all, d.functions
	k.ranked.replace(x, t)
	return 1, nil
}

// looped are the steps of a lasso's loop.
func (l *loop) looped(p *projection) (all []looped, err error) {
	m := p.of.model
	state := func(s int32) lodged { return lodged{m.States[s].Location, m.Concrete(s)} }
	for _, s := range p.loop {
		block, err := l.step(p.of, s.From, s.Action, s.To)
		if err != nil || block < 0 {
			return nil, err
		}
		all = append(all, looped{state(s.From), state(s.To), block})
	}
	return all, nil
}

// meeting are the loops that come to a state of some steps, those of the first such state; new
// ones if there are none.
func (r *ranked) meeting(steps []looped) *around {
	for _, s := range steps {
		for _, x := range r.around {
			if x.head == s.from {
				return x
			}
		}
	}
	x := &around{head: steps[0].from, measure: -1}
	r.around = append(r.around, x)
	return x
}

// upTo is the way to a position of the loop.
func (u *unrankedLoop) upTo(position int) *lasso.Lasso {
	l := *u.lasso
	l.Stem = append(slices.Clone(l.Stem), l.Loop[:position]...)
	l.Loop = nil
	l.Where = l.Where[:min(len(l.Where), len(l.Stem))]
	return &l
}

// replace has loops a transition invariant in place of the one that they had.
func (r *ranked) replace(x *around, t *lasso.TransitionInvariant) {
	if x.measure < 0 {
		x.measure = len(r.measures)
		r.measures = append(r.measures, Ranking{})
	}
	r.measures[x.measure] = Ranking{Invariant: t}
	for key := range r.known {
		if key.measure == x.measure {
			delete(r.known, key)
		}
	}
}

// disjoining looks for a transition invariant of steps.
type disjoining struct {
	*loop
	component *component
	of        *around
	steps     []looped
	functions []*lasso.Function
	lasso     *lasso.Lasso // what leads to the head
	tracks    bool         // whether it may track predicates
	limit     uint64
	tracked   int // predicates that a function needs, and that are tracked now
}

// decide looks at ways around, the short ones first, until each of them makes one of the functions
// smaller, and then asks whether all do; nil if that is not known.
func (d *disjoining) decide() (*lasso.TransitionInvariant, error) {
	for most := mostWays / 4; most <= mostWays; most *= 2 {
		if ok, err := d.cover(most); !ok || err != nil {
			return nil, err
		}
		t := d.invariant()
		sys, places := d.question(t)
		relation, again, err := d.related(sys)
		if err != nil || relation == nil && !again {
			return nil, err
		}
		if relation == nil {
			continue
		}
		t.Relation = map[int]*logic.Term{}
		for i, p := range places {
			if known := logic.And(p.holds, relation[i+1]); t.Relation[p.at] == nil {
				t.Relation[p.at] = known
			} else {
				t.Relation[p.at] = logic.Or(t.Relation[p.at], known)
			}
		}
		return t, nil
	}
	return nil, nil
}

// related answers the safety question: formulas by location, nil if there are none, or none are found;
// again says that there are none, and that longer ways may say why.
func (d *disjoining) related(sys *program.System) (relation []*logic.Term, again bool, err error) {
	result, err := d.solver.Horn(d.ctx, clauses.Problem(sys), d.limit)
	switch {
	case err != nil || result.Status == smt.Unsat:
		return nil, true, err
	case result.Status == smt.Sat:
		return result.Solution, false, nil
	}
	var copies []*logic.Term
	for _, v := range sys.Vars {
		if !slices.Contains(d.component.abstracter.Component.System.Vars, v) {
			copies = append(copies, v)
		}
	}
	relation, err = d.guessed(sys, copies)
	return relation, false, err
}

// invariant has the functions, and copies with names that nothing has.
func (d *disjoining) invariant() *lasso.TransitionInvariant {
	taken := map[string]bool{}
	for _, v := range d.component.abstracter.Component.System.Vars {
		taken[v.Name()] = true
	}
	for _, s := range d.steps {
		for _, in := range d.command(s).Inputs {
			taken[in.Name()] = true
		}
	}
	return lasso.NewTransitionInvariant(d.of.head.at, d.functions, taken)
}

func (d *disjoining) command(s looped) *program.Command {
	return d.component.abstracter.Blocks.All[s.block].Command
}

// cover gives each of some ways from the head to itself a function that it makes smaller; false if
// there is one for which none is found.
func (d *disjoining) cover(most int) (bool, error) {
	queue := [][]looped{nil}
	for asked := 0; len(queue) > 0 && asked < most; queue = queue[1:] {
		way := queue[0]
		for _, s := range d.steps {
			if end := d.end(way); s.from != end {
				continue
			}
			asked++
			d.of.work++
			longer := append(slices.Clone(way), s)
			possible, ok, err := d.covers(longer)
			if !ok || err != nil {
				return false, err
			}
			if possible {
				queue = append(queue, longer)
			}
		}
	}
	return true, nil
}

// end is where a way from the head comes to.
func (d *disjoining) end(way []looped) lodged {
	if len(way) == 0 {
		return d.of.head
	}
	return way[len(way)-1].to
}

// covers asks whether a way is possible, and, if it comes back to the head, makes a function smaller;
// if none does, for one. ok is false if there is none, or it needs more predicates.
func (d *disjoining) covers(way []looped) (possible, ok bool, err error) {
	l := d.round(way)
	if d.end(way) != d.end(nil) {
		r := l.Relation()
		status, err := smt.CheckAll(d.ctx, d.solver, r.Guard, r.After(d.end(way).holds))
		return status != smt.Unsat, true, err
	}
	misses, impossible, err := d.invariant().Misses(d.ctx, d.solver, l)
	if !misses || err != nil {
		return !impossible, true, err
	}
	both := []*lasso.Lasso{l, d.reached(l)}
	for _, l := range both {
		r, _, err := lasso.Rank(d.ctx, d.solver, l, lasso.Options{})
		if err != nil {
			return false, false, err
		}
		if r != nil {
			ok, err := d.add(way, l, r)
			return true, ok, err
		}
	}
	if !d.tracks {
		return true, false, nil
	}
	for _, l := range both { // that it cannot be repeated may be what no state knows
		u, err := lasso.Unroll(d.ctx, d.solver, l, lasso.Options{})
		if err != nil {
			return true, false, err
		}
		if u.Status != smt.Unsat {
			continue
		}
		found, err := d.refuting(d.component, u.Path)
		if err != nil {
			return true, false, err
		}
		for i, ps := range found {
			if i >= len(l.Stem) {
				d.tracked += d.component.track(way[(i-len(l.Stem))%len(way)].from.at, ps)
			}
		}
		if d.tracked > 0 {
			break
		}
	}
	return true, false, nil
}

// add adds the function of a way that none made smaller. ok is false if it needs more predicates.
func (d *disjoining) add(way []looped, l *lasso.Lasso, r *lasso.Ranking) (ok bool, err error) {
	if !d.tracks && len(slices.Concat(append(r.Within, r.Supports)...)) > 0 {
		return false, nil
	}
	d.tracked += d.component.track(d.of.head.at, r.Supports)
	for i, ps := range r.Within {
		d.tracked += d.component.track(way[i].from.at, ps)
	}
	if d.tracked > 0 {
		return false, nil
	}
	d.functions = append(slices.Clone(d.functions), &r.Function)
	misses, _, err := d.invariant().Misses(d.ctx, d.solver, l)
	return !misses, err
}

// round is a way from the head to itself as a loop that any state may begin.
func (d *disjoining) round(way []looped) *lasso.Lasso {
	l := &lasso.Lasso{Vars: d.component.abstracter.Component.System.Vars, Init: logic.True()}
	for _, s := range way {
		l.Loop = append(l.Loop, d.command(s))
		l.Where = append(l.Where, s.from.holds)
	}
	return l
}

// reached is a loop with what leads to the head in the lasso.
func (d *disjoining) reached(l *lasso.Lasso) *lasso.Lasso {
	out := *l
	out.Init, out.Stem = d.lasso.Init, d.lasso.Stem
	out.Where = append(slices.Clone(d.lasso.Where), l.Where...)
	return &out
}

// question is the safety question whether one of the functions is smaller whenever a run is at the
// head again, and the places of its locations but the first, where copies are made.
func (d *disjoining) question(t *lasso.TransitionInvariant) (*program.System, []lodged) {
	vars, copies := d.vars(t)
	sys := &program.System{Name: "transition invariant", Vars: slices.Concat(vars, copies), Locations: []program.Location{{Name: "copied"}}}
	var places []lodged
	at := func(s lodged) int {
		i := slices.Index(places, s)
		if i < 0 {
			i = len(places)
			places = append(places, s)
			sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprintf("at%d", i)})
		}
		return i + 1
	}
	head := d.end(nil)
	equal := []*logic.Term{head.holds}
	for v, c := range t.Copies {
		equal = append(equal, logic.Eq(v, c))
	}
	slices.SortFunc(equal[1:], (*logic.Term).Compare)
	sys.Init = []program.Region{{Location: 0, Where: logic.And(equal...)}}
	sys.Error = []program.Region{{Location: at(head), Where: logic.And(head.holds, logic.Not(t.Smaller()))}}
	for _, s := range d.steps {
		c := d.command(s)
		small := &program.Command{Inputs: c.Inputs, Guard: logic.And(s.from.holds, c.Guard, c.After(s.to.holds)), Update: map[*logic.Term]*logic.Term{}}
		for _, v := range vars {
			if e := c.Update[v]; e != nil {
				small.Update[v] = e
			}
		}
		sys.Edges = append(sys.Edges, program.Edge{From: at(s.from), To: at(s.to), Command: small})
		if s.from == head {
			sys.Edges = append(sys.Edges, program.Edge{From: 0, To: at(s.to), Command: small})
		}
	}
	return sys, places
}

// vars are the variables that the steps and the functions depend on, in their order, and the copies.
func (d *disjoining) vars(t *lasso.TransitionInvariant) (vars, copies []*logic.Term) {
	used := map[*logic.Term]bool{}
	use := func(f *logic.Term) (more bool) {
		for _, v := range logic.Vars(f) {
			more, used[v] = more || !used[v], true
		}
		return more
	}
	for v := range t.Copies {
		used[v] = true
	}
	for _, s := range d.steps {
		use(s.from.holds)
		use(s.to.holds)
		use(d.command(s).Guard)
	}
	for more := true; more; {
		more = false
		for _, s := range d.steps {
			for v, e := range d.command(s).Update {
				if used[v] && use(e) {
					more = true
				}
			}
		}
	}
	for _, v := range d.component.abstracter.Component.System.Vars {
		if used[v] {
			vars = append(vars, v)
		}
		if c := t.Copies[v]; c != nil {
			copies = append(copies, c)
		}
	}
	return vars, copies
}
