package lasso

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// round is one round of the loop written in terms of the state at the head and of the
// inputs, called as program.InputAt does.
type round struct {
	guard  *logic.Term
	after  map[*logic.Term]*logic.Term // of all variables
	inputs []*logic.Term               // of all commands
}

func (l *Lasso) roundOf() *round {
	u := (&program.Path{Vars: l.Vars, Init: logic.True(), Steps: l.loop(), Error: logic.True()}).Unroll()
	r := &round{guard: logic.And(append(u.Conditions, l.Head())...), after: u.By[len(u.By)-1]}
	for i, c := range l.Loop {
		for _, in := range c.Inputs {
			r.inputs = append(r.inputs, program.InputAt(in, i))
		}
	}
	return r
}

func (r *round) at(f *logic.Term) *logic.Term { return logic.Substitute(f, r.after) }

// with returns the round with terms for its inputs.
func (r *round) with(inputs map[*logic.Term]*logic.Term) *round {
	out := &round{guard: logic.Substitute(r.guard, inputs), after: map[*logic.Term]*logic.Term{}}
	for v, t := range r.after {
		out.after[v] = logic.Substitute(t, inputs)
	}
	return out
}

// closedSet looks for a closed recurrence set ([Gupta08]): of predicates that hold at the
// head in a run of some rounds, those that the loop keeps, if they imply its guard. Inputs
// are what the guard says that they are, or else the same number in each round.
func (q *asker) closedSet(l *Lasso) (*Recurrence, error) {
	r := l.roundOf()
	all := &program.System{Edges: []program.Edge{{Command: l.Relation()}}}
	if all.MayDivideByZero() { // the solver gives a quotient by 0 some value, which is none
		return nil, nil
	}
	for _, h := range r.hypotheses() {
		if q.left <= 0 {
			break
		}
		run, err := q.sample(l, r, h)
		if err != nil {
			return nil, err
		}
		if run == nil {
			continue
		}
		if found, err := q.closedBy(l, r, run); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// maxHypotheses bounds the kinds of runs that are sampled.
const maxHypotheses = 16

// hypotheses say which runs may go on for ever: any; or those in which a comparison of the
// guard cannot fail, or fails only where the sides are the same, since one of them is the last
// number of its sort; or since two sides that must be different differ in their last bit, or, of
// numbers without bounds, one of them is the smaller one.
func (r *round) hypotheses() []*logic.Term {
	all := []*logic.Term{logic.True()}
	for _, a := range logic.Atoms(r.guard) {
		x := a.Args()
		if len(x) == 2 && a.Op() == logic.OpEq && x[0].Sort().Arithmetic() && len(all) < maxHypotheses {
			all = append(all, logic.Lt(x[0], x[1]), logic.Lt(x[1], x[0]))
			continue
		}
		if len(x) != 2 || x[0].Sort().Width() < 2 || len(all) >= maxHypotheses {
			continue
		}
		w := x[0].Sort().Width()
		least, most := extremes(w, a.Op() == logic.OpBVSLe || a.Op() == logic.OpBVSLt)
		lower, upper := logic.Eq(x[0], least), logic.Eq(x[1], most) // x[0] is at most x[1] then
		above, below := logic.Eq(x[0], most), logic.Eq(x[1], least) // and at least here
		switch a.Op() {
		case logic.OpEq:
			all = append(all, logic.Ne(logic.Extract(x[0], 0, 0), logic.Extract(x[1], 0, 0)))
		case logic.OpBVULe, logic.OpBVSLe:
			all = append(all, upper, lower, above, below)
		case logic.OpBVULt, logic.OpBVSLt:
			all = append(all, above, below, upper, lower)
		}
	}
	return all
}

// extremes are the least and the largest word.
func extremes(width int, signed bool) (least, most *logic.Term) {
	half := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	if signed {
		return logic.BVConst(half, width), logic.BVConst(new(big.Int).Sub(half, big.NewInt(1)), width)
	}
	return logic.BVConst(new(big.Int), width), logic.BVConst(big.NewInt(-1), width)
}

// determined returns the inputs that the guard gives a value, in terms of the head.
func (r *round) determined() map[*logic.Term]*logic.Term {
	known := map[*logic.Term]*logic.Term{}
	for _, p := range logic.Conjuncts(r.guard) {
		if p.Op() != logic.OpEq {
			continue
		}
		for i, in := range p.Args() {
			value := logic.Substitute(p.Args()[1-i], known)
			if slices.Contains(r.inputs, in) && known[in] == nil && !slices.ContainsFunc(logic.Vars(value), func(v *logic.Term) bool { return slices.Contains(r.inputs, v) }) {
				known[in] = value
			}
		}
	}
	return known
}

// sample returns a run that a hypothesis is true of at the head, and in which inputs that
// are not determined are the same in each round; nil if there is none.
func (q *asker) sample(l *Lasso, r *round, hypothesis *logic.Term) (*program.Execution, error) {
	path := l.Path(sampleRounds)
	u := path.Unroll()
	conditions := slices.Clone(u.Conditions)
	first, n := len(l.Stem), len(l.Loop)
	known := r.determined()
	inputs := map[*logic.Term]*logic.Term{} // as round calls them: as the path calls those of the first round
	for i, c := range l.Loop {
		for _, in := range c.Inputs {
			name := program.InputAt(in, i)
			inputs[name] = program.InputAt(in, first+i)
			for k := 1; known[name] == nil && k < sampleRounds; k++ {
				conditions = append(conditions, logic.Eq(inputs[name], program.InputAt(in, first+i+k*n)))
			}
		}
	}
	atHead := logic.Substitute(logic.Substitute(hypothesis, inputs), u.By[first+1])
	status, m, err := q.model(nil, append(conditions, atHead)...)
	if err != nil || status != smt.Sat {
		return nil, err
	}
	run, err := u.Run(m)
	if err != nil {
		return nil, nil
	}
	return run, nil
}

// sampleRounds is how long sampled runs are.
const sampleRounds = 4

// closedBy looks for a closed set around the states of a run.
func (q *asker) closedBy(l *Lasso, r *round, run *program.Execution) (*Recurrence, error) {
	terms := r.determined()
	byCommand := make([]map[*logic.Term]*logic.Term, len(l.Loop))
	for i, c := range l.Loop {
		byCommand[i] = map[*logic.Term]*logic.Term{}
		for _, in := range c.Inputs {
			name := program.InputAt(in, i)
			if terms[name] == nil {
				terms[name] = run.Inputs[len(l.Stem)+i][in.Name()].Term()
			}
			byCommand[i][in] = terms[name]
		}
	}
	fixed := r.with(terms)
	heads := l.heads(run)
	for _, from := range []int{0, 1} {
		samples := heads[from:sampleRounds]
		must := slices.Clone(logic.Conjuncts(fixed.guard))
		if slices.ContainsFunc(samples, func(m logic.Model) bool { return !holdsIn(fixed.guard, m) }) {
			continue
		}
		pool := slices.Clone(must)
		for _, p := range predicates(l.Relevant(), []*logic.Term{fixed.guard, fixed.at(fixed.guard)}, samples) {
			if !slices.Contains(pool, p) {
				pool = append(pool, p)
			}
		}
		kept, ok, err := q.inductive(pool, must, logic.True(), l.Vars, fixed.at)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if kept, err = q.enough(must, kept, logic.True(), fixed.guard, fixed.at); err != nil {
			return nil, err
		}
		found := &Recurrence{Run: run, From: from, To: sampleRounds, Relevant: l.Relevant(), Set: logic.And(kept...), Inputs: byCommand}
		if _, err := found.Follow(l, sampleRounds); err != nil {
			return nil, nil // evaluation does not agree: nothing is claimed
		}
		return found, nil
	}
	return nil, nil
}
