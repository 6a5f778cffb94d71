package armc

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// unrolling looks for runs to an error that have one length after the other ([Biere99]): a
// formula for each step, asserted once, and an assumption that an error is met at one of the
// last few steps. It reads backwards: being at a location needs a block that leads there, so
// that only what the error needs is decided.
type unrolling struct {
	*run
	checker smt.Checker
	vars    []map[*logic.Term]*logic.Term // by step: what stands for the variables
	at      []map[int]*logic.Term         // by step: of the locations that paths of blocks come to
	take    []map[int]*logic.Term         // by step: of the blocks that lead there
	inputs  []map[int][]*logic.Term       // by step: the inputs of these, in the block's order
}

func (r *run) unrolled() error {
	checker, end := r.solver.Beside()
	defer end()
	u := &unrolling{run: r, checker: checker}
	u.begin()
	for from := 0; ; {
		// The further it is the more steps are asked for at once.
		to := from + 1 + from/4
		var goals []*logic.Term
		for k := from; k < to; k++ {
			if k > 0 {
				u.step(k)
			}
			goals = append(goals, u.error(k))
		}
		if len(u.at[to-1]) == 0 {
			to-- // the goals of later ones are false
		}
		goal := logic.Or(goals...)
		r.result.Stats.Iterations, r.result.Stats.States = to, to
		if !goal.IsFalse() {
			m, err := u.solve(goal, to)
			if err != nil {
				return err
			}
			if m != nil {
				return u.found(m, goals, from)
			}
			u.checker.Assert(logic.Not(goal))
		}
		if len(u.at[len(u.at)-1]) == 0 {
			return &unknown{fmt.Sprintf("no run to an error, and none is longer than %d blocks", len(u.at)-2)}
		}
		if limit := r.options.MaxRounds; limit > 0 && to > limit {
			return &unknown{fmt.Sprintf("no run to an error of up to %d blocks", to-1)}
		}
		from = to
	}
}

// begin asserts where runs begin.
func (u *unrolling) begin() {
	u.open(0)
	for l, init := range u.blocks.Init {
		if !init.IsFalse() {
			at := u.stand(0, l)
			u.checker.Assert(logic.Implies(at, logic.Substitute(init, u.vars[0])))
		}
	}
}

// open names the variables of a step.
func (u *unrolling) open(k int) {
	now := map[*logic.Term]*logic.Term{}
	for _, v := range u.sys.Vars {
		now[v] = logic.Var(fmt.Sprintf("%s@%d", v.Name(), k), v.Sort())
	}
	u.vars = append(u.vars, now)
	u.at = append(u.at, map[int]*logic.Term{})
	u.take = append(u.take, map[int]*logic.Term{})
	u.inputs = append(u.inputs, map[int][]*logic.Term{})
}

// stand makes the variable that says that the run is at a location.
func (u *unrolling) stand(k, l int) *logic.Term {
	u.at[k][l] = logic.Var(fmt.Sprintf("@at.%d.%d", l, k), logic.Bool)
	return u.at[k][l]
}

// step asserts step k, from k-1.
func (u *unrolling) step(k int) {
	u.open(k)
	for l := range u.sys.Locations {
		var ways []*logic.Term
		for _, b := range u.blocks.In[l] {
			if from := u.at[k-1][u.blocks.All[b].From]; from != nil {
				ways = append(ways, u.way(k, b, from))
			}
		}
		if len(ways) > 0 {
			u.checker.Assert(logic.Implies(u.stand(k, l), logic.Or(ways...)))
		}
	}
}

// way asserts what taking a block in step k needs, and returns the variable that says so.
func (u *unrolling) way(k, b int, from *logic.Term) *logic.Term {
	c := u.blocks.All[b].Command
	take := logic.Var(fmt.Sprintf("@take.%d.%d", b, k), logic.Bool)
	u.take[k][b] = take
	by := map[*logic.Term]*logic.Term{}
	for v, now := range u.vars[k-1] {
		by[v] = now
	}
	for i, in := range c.Inputs {
		by[in] = logic.Var(fmt.Sprintf("@in.%d.%d.%d", b, i, k), in.Sort())
		u.inputs[k][b] = append(u.inputs[k][b], by[in])
	}
	needs := []*logic.Term{from, logic.Substitute(c.Guard, by)}
	for _, v := range u.sys.Vars {
		e := v
		if c.Update[v] != nil {
			e = c.Update[v]
		}
		needs = append(needs, logic.Eq(u.vars[k][v], logic.Substitute(e, by)))
	}
	u.checker.Assert(logic.Implies(take, logic.And(needs...)))
	return take
}

// error says that step k is an error.
func (u *unrolling) error(k int) *logic.Term {
	var any []*logic.Term
	for l := range u.sys.Locations {
		if at := u.at[k][l]; at != nil && !u.blocks.Error[l].IsFalse() {
			any = append(any, logic.And(at, logic.Substitute(u.blocks.Error[l], u.vars[k])))
		}
	}
	return logic.Or(any...)
}

// solve returns values that make the goal true, nil if there are none.
func (u *unrolling) solve(goal *logic.Term, steps int) (logic.Model, error) {
	for limit := uint64(firstLimit); ; limit *= 2 {
		u.asked++
		if err := u.tick("bounded", steps); err != nil {
			return nil, err
		}
		if u.lane != nil {
			u.checker.Limit(limit)
		}
		status, err := u.checker.Check(u.ctx, goal)
		switch {
		case err != nil:
			return nil, err
		case status == smt.Unsat:
			return nil, u.tooLong(steps)
		case status == smt.Sat:
			m, err := u.checker.Model(u.ctx)
			if err == nil && m == nil {
				err = &unknown{"the solver gives no values of a run: " + u.checker.Reason()}
			}
			return m, err
		case u.lane == nil || limit >= questionMost:
			return nil, &unknown{fmt.Sprintf("the solver cannot decide whether an error is %d blocks away: %s", steps-1, u.checker.Reason())}
		}
		if err := u.tooLong(steps); err != nil {
			return nil, err
		}
	}
}

// tooLong ends a search beside others that would go on for ever.
func (u *unrolling) tooLong(steps int) error {
	if u.lane != nil && u.level() >= wholeMost {
		return &unknown{fmt.Sprintf("no run to an error was found in %d blocks", steps-1)}
	}
	return nil
}

// found reads the run from the values: goals[i] is of step from+i.
func (u *unrolling) found(m logic.Model, goals []*logic.Term, from int) error {
	holds := func(f *logic.Term) bool {
		ok, err := logic.Holds(f, m)
		return ok && err == nil
	}
	for i := range goals {
		for l, at := range u.at[from+i] {
			if !holds(at) || !holds(logic.Substitute(u.blocks.Error[l], u.vars[from+i])) {
				continue
			}
			start, blocks, inputs, ok := u.back(from+i, l, holds, m)
			if !ok {
				continue
			}
			first := logic.Model{}
			for v, now := range u.vars[0] {
				first[v.Name()] = valueOr0(m, now)
			}
			e, err := u.blocks.Path(start, blocks).Replay(first, inputs)
			if err != nil {
				return &unknown{"the counterexample cannot be replayed: " + err.Error()}
			}
			return u.unsafe(start, blocks, e)
		}
	}
	return &unknown{"the solver's values are of no run"}
}

// back walks from a location at a step to the start.
func (u *unrolling) back(k, l int, holds func(*logic.Term) bool, m logic.Model) (start int, blocks []int, inputs []logic.Model, ok bool) {
	blocks, inputs = make([]int, k), make([]logic.Model, k)
	for ; k > 0; k-- {
		taken := -1
		for _, b := range u.blocks.In[l] {
			if t := u.take[k][b]; t != nil && holds(t) {
				taken = b
				break
			}
		}
		if taken < 0 {
			return 0, nil, nil, false
		}
		blocks[k-1], inputs[k-1] = taken, logic.Model{}
		for i, in := range u.blocks.All[taken].Command.Inputs {
			inputs[k-1][in.Name()] = valueOr0(m, u.inputs[k][taken][i])
		}
		l = u.blocks.All[taken].From
	}
	return l, blocks, inputs, true
}

func valueOr0(m logic.Model, v *logic.Term) logic.Value {
	if value, ok := m[v.Name()]; ok {
		return value
	}
	return logic.Zero(v.Sort())
}
