package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// unrolling looks for runs to an error that have one length after the other ([Biere99]): a
// formula for each step, asserted once, and an assumption that an error is met at one of the
// last few steps. It reads backwards: being at a location needs a block that leads there, so
// that only what the error needs is decided. A loop with a closed form is a step, too. What has one
// value only at a location after so many steps is put in (unrolledconstants.go).
type unrolling struct {
	*run
	checker smt.Checker
	assumed []*logic.Term // by location, of all states; nil: nothing
	ways    []leap
	in      [][]int                       // indices into ways, by location
	vars    []map[*logic.Term]*logic.Term // by step: what stands for the variables
	at      []map[int]*logic.Term         // by step: of the locations that paths of blocks come to
	take    []map[int]*logic.Term         // by step: of the ways that lead there
	inputs  []map[int][]*logic.Term       // by step: the inputs of these, in the command's order
	fixed   []map[int]constants           // by step: of the locations
	useful  []bool                        // locations that paths lead from to an error
}

func (r *run) newUnrolling(c smt.Checker) *unrolling {
	return &unrolling{run: r, checker: c, in: make([][]int, len(r.sys.Locations))}
}

func (r *run) unrolled() error {
	checker, end := r.solver.Beside()
	defer end()
	u := r.newUnrolling(checker)
	u.begin()
	u.prune()
	for from := 0; ; {
		// The further it is the more steps are asked for at once.
		to := from + 1 + from/4
		var goals []*logic.Term
		for k := from; k < to; k++ {
			if k > 0 {
				// The solver may be asked nothing for long: limits count steps, too.
				if err := u.tick(r.result.Method.String(), k); err != nil {
					return err
				}
				if err := u.step(k); err != nil {
					return err
				}
			}
			goals = append(goals, u.error(k))
		}
		if len(u.at[to-1]) == 0 {
			to-- // the goals of later ones are false
		}
		goal := logic.Or(goals...)
		r.result.Stats.Iterations, r.result.Stats.States = to, to
		if !goal.IsFalse() {
			m, err := u.solve(to, goal)
			if err != nil {
				return err
			}
			if m != nil {
				return u.found(m, goals, from)
			}
			u.checker.Assert(logic.Not(goal))
		} else if err := u.tooLong(to); err != nil {
			return err // the solver has nothing to answer where all values are known
		}
		if len(u.at[len(u.at)-1]) == 0 {
			return u.unwound()
		}
		if limit := r.options.Rounds; limit > 0 && to > limit {
			return &outcome.Stuck{What: fmt.Sprintf("no run to an error of up to %d blocks", to-1)}
		}
		from = to
	}
}

// begin lists the ways, and asserts where runs begin.
func (u *unrolling) begin() {
	for b, block := range u.blocks.All {
		ways := []leap{{blocks: []int{b}, command: block.Command}}
		if block.From == block.To {
			// An acceleration that does all that the block does takes its place. Of several
			// cases, which one has its turn when is harder to find than single steps are.
			if fast := u.accelerations([]int{b}); fast.all && len(fast.leaps) == 1 {
				ways = fast.leaps
			}
		}
		for _, w := range ways {
			u.add(block.To, w)
		}
	}
	u.open(0)
	for l, init := range u.blocks.Init {
		if !init.IsFalse() {
			at := u.stand(0, l)
			u.fixed[0][l] = constantsIn(init)
			u.checker.Assert(logic.Implies(at, logic.Substitute(init, u.vars[0])))
		}
	}
}

// prune leaves out the ways to locations that no path of blocks leads to an error from, as
// runs to an error take none of them. Without it a search with no such path would go on
// where there is nothing to ask.
func (u *unrolling) prune() {
	u.useful = leadingTo(u.blocks)
	for l := range u.in {
		if !u.useful[l] {
			u.in[l] = nil
		}
	}
}

// add adds a way that leads to a location.
func (u *unrolling) add(to int, w leap) {
	u.in[to] = append(u.in[to], len(u.ways))
	u.ways = append(u.ways, w)
}

// open names the variables of a step.
func (u *unrolling) open(k int) {
	now := map[*logic.Term]*logic.Term{}
	for _, v := range u.sys.Vars {
		if now[v] = v; !program.Rigid(v) {
			now[v] = logic.Var(fmt.Sprintf("%s@%d", v.Name(), k), v.Sort())
		}
	}
	u.vars = append(u.vars, now)
	u.at = append(u.at, map[int]*logic.Term{})
	u.take = append(u.take, map[int]*logic.Term{})
	u.inputs = append(u.inputs, map[int][]*logic.Term{})
	u.fixed = append(u.fixed, map[int]constants{})
}

// stand makes the variable that says that the run is at a location.
func (u *unrolling) stand(k, l int) *logic.Term {
	u.at[k][l] = logic.Var(fmt.Sprintf("@at.%d.%d", l, k), logic.Bool)
	return u.at[k][l]
}

// step asserts step k, from k-1. The error is the context's.
func (u *unrolling) step(k int) error {
	u.open(k)
	for l := range u.sys.Locations {
		var ways []*logic.Term
		var fixed constants
		for _, w := range u.in[l] {
			if err := u.ctx.Err(); err != nil {
				return err
			}
			if u.at[k-1][u.from(w)] == nil {
				continue
			}
			if take, after := u.way(k, w); take != nil {
				if ways = append(ways, take); len(ways) == 1 {
					fixed = after
				} else {
					fixed.meet(after)
				}
			}
		}
		if len(ways) > 0 {
			u.fixed[k][l] = fixed
			needs := logic.Or(ways...)
			if u.assumed != nil {
				needs = logic.And(needs, logic.Substitute(u.assumed[l], u.vars[k]))
			}
			u.checker.Assert(logic.Implies(u.stand(k, l), needs))
		}
	}
	return nil
}

// from is where a way begins.
func (u *unrolling) from(w int) int { return u.blocks.All[u.ways[w].blocks[0]].From }

// way asserts what taking it in step k needs, and returns the variable that says so, and what is
// constant behind it; nil if it cannot be taken then.
func (u *unrolling) way(k, w int) (take *logic.Term, after constants) {
	c, from := u.ways[w].command, u.from(w)
	u.spent += workUnrolled
	before := u.fixed[k-1][from]
	by := map[*logic.Term]*logic.Term{}
	for v, now := range u.vars[k-1] {
		if by[v] = now; before[v] != nil {
			by[v] = before[v]
		}
	}
	for i, in := range c.Inputs {
		by[in] = logic.Var(fmt.Sprintf("@in.%d.%d.%d", w, i, k), in.Sort())
	}
	guard := logic.Substitute(c.Guard, by)
	if guard.IsFalse() {
		return nil, nil
	}
	take = logic.Var(fmt.Sprintf("@take.%d.%d", w, k), logic.Bool)
	u.take[k][w] = take
	for _, in := range c.Inputs {
		u.inputs[k][w] = append(u.inputs[k][w], by[in])
	}
	needs := []*logic.Term{u.at[k-1][from], guard}
	if n := u.ways[w].count; n != nil {
		needs = append(needs, logic.Le(by[n], logic.IntConst(maxUnfolded)))
	}
	if before := u.take[k-1][w]; before != nil && u.ways[w].exact {
		needs = append(needs, logic.Not(before)) // it is one step
	}
	after = constants{}
	for _, v := range u.sys.Vars {
		if program.Rigid(v) {
			continue
		}
		now := by[v]
		if e := c.Update[v]; e != nil {
			now = logic.Substitute(e, by)
		}
		if constant(now) {
			after[v] = now
			u.spent += int64(bits(now) / 64) // long numbers take time and memory, each anew
		}
		needs = append(needs, logic.Eq(u.vars[k][v], now))
	}
	u.checker.Assert(logic.Implies(take, logic.And(needs...)))
	return take, after
}

// error says that step k is an error.
func (u *unrolling) error(k int) *logic.Term {
	var any []*logic.Term
	for l := range u.sys.Locations {
		if at := u.at[k][l]; at != nil && !logic.Substitute(u.blocks.Error[l], u.fixed[k][l]).IsFalse() {
			any = append(any, logic.And(at, logic.Substitute(u.blocks.Error[l], u.vars[k])))
		}
	}
	return logic.Or(any...)
}

// solve returns values that make the goals true, nil if there are none.
func (u *unrolling) solve(steps int, goals ...*logic.Term) (logic.Model, error) {
	limit := uint64(firstLimit)
	if overWords(u.sys) {
		limit = firstLimitWords
	}
	for ; ; limit *= 2 {
		u.asked++
		if err := u.tick(u.result.Method.String(), steps); err != nil {
			return nil, err
		}
		u.checker.Limit(limit)
		status, err := u.checker.Check(u.ctx, goals...)
		switch {
		case err != nil:
			return nil, err
		case status == smt.Unsat:
			return nil, u.tooLong(steps)
		case status == smt.Sat:
			m, err := u.checker.Model(u.ctx)
			if err == nil && m == nil {
				err = &outcome.Stuck{What: "the solver gives no values of a run: " + u.checker.Reason()}
			}
			return m, err
		case limit >= u.each:
			return nil, &outcome.Stuck{What: fmt.Sprintf("the solver cannot decide whether an error is %d blocks away: %s", steps-1, u.checker.Reason())}
		}
		if err := u.tooLong(steps); err != nil {
			return nil, err
		}
	}
}

// tooLong ends a search beside others that would go on for ever.
func (u *unrolling) tooLong(steps int) error {
	if u.lane != nil && u.level() >= wholeMost {
		return &outcome.Stuck{What: fmt.Sprintf("no run to an error was found in %d blocks", steps-1)}
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
			path, values := u.back(from+i, l, holds, m)
			if path == nil {
				continue
			}
			if done, err := path.shortest(values); done || err != nil {
				return err
			}
			return &outcome.Stuck{What: fmt.Sprintf("there is a run to an error, of more than %d steps or with a division by zero", maxUnfolded)}
		}
	}
	return &outcome.Stuck{What: "the solver's values are of no run"}
}

// back walks from a location at a step to the start, and returns the path with the values
// of its first state and inputs; nil if the values are of no path.
func (u *unrolling) back(k, l int, holds func(*logic.Term) bool, m logic.Model) (*leaps, logic.Model) {
	path := &leaps{run: u.run, steps: make([]leap, k)}
	taken := make([]int, k+1)
	for j := k; j > 0; j-- {
		i := slices.IndexFunc(u.in[l], func(w int) bool { return u.take[j][w] != nil && holds(u.take[j][w]) })
		if i < 0 {
			return nil, nil
		}
		taken[j] = u.in[l][i]
		path.steps[j-1] = u.ways[taken[j]]
		l = u.from(taken[j])
	}
	path.start = l
	values := logic.Model{}
	for v, now := range u.vars[0] {
		values[v.Name()] = valueOr0(m, now)
	}
	for j := 1; j <= k; j++ {
		for i, in := range u.ways[taken[j]].command.Inputs {
			values[program.InputAt(in, j-1).Name()] = valueOr0(m, u.inputs[j][taken[j]][i])
		}
	}
	return path, values
}

func valueOr0(m logic.Model, v *logic.Term) logic.Value {
	if value, ok := m[v.Name()]; ok {
		return value
	}
	return logic.Zero(v.Sort())
}
