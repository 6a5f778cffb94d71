package lasso

import (
	"context"
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Recurrence is a proof that the lasso can be followed for ever.
type Recurrence struct {
	// Run goes along the stem and To rounds of the loop. It was replayed by evaluation.
	Run *program.Execution
	// From and To: if Set is nil, the states at the head after so many rounds agree on
	// Relevant, and the inputs of the rounds between lead from the later one to itself
	// again, and so on. Else the state after From rounds is in Set.
	From, To int
	// Relevant are the variables that guards, Where, and the values of Relevant after a
	// round depend on at the head. Others may be different in each round.
	Relevant []*logic.Term
	// Set is a closed recurrence set, a formula over Vars: from each of its states the loop
	// leads to one of its states, with the values of Inputs, which are by command of the loop
	// and in terms of the state at the head.
	Set    *logic.Term
	Inputs []map[*logic.Term]*logic.Term
}

// Recur looks for a proof that the lasso can be followed for ever; nil without an error if
// there is none within the options.
func Recur(ctx context.Context, s smt.Checker, l *Lasso, o Options) (*Recurrence, error) {
	q := newAsker(ctx, s, o)
	r, err := q.repeat(l, o.rounds())
	if r != nil || err != nil {
		return r, err
	}
	return q.closedSet(l)
}

// Relevant returns the variables whose values at the head decide which rounds are
// possible: the cone of influence of guards and Where, by the order of Vars.
func (l *Lasso) Relevant() []*logic.Term {
	relation := l.Relation()
	known := map[*logic.Term]bool{}
	todo := logic.Vars(relation.Guard, l.Head())
	for len(todo) > 0 {
		v := todo[0]
		todo = todo[1:]
		if known[v] {
			continue
		}
		known[v] = true
		if e := relation.Update[v]; e != nil {
			todo = append(todo, logic.Vars(e)...)
		}
	}
	return slices.DeleteFunc(slices.Clone(l.Vars), func(v *logic.Term) bool { return !known[v] || program.Rigid(v) })
}

// repeat looks for an execution in which two states at the head agree on what is relevant.
func (q *asker) repeat(l *Lasso, rounds int) (*Recurrence, error) {
	relevant := l.Relevant()
	path := l.Path(rounds)
	u := path.Unroll()
	at := func(round int, v *logic.Term) *logic.Term {
		return logic.Substitute(v, u.By[len(l.Stem)+round*len(l.Loop)+1])
	}
	// What repeats can go on so: it is enough to compare the last state.
	var some []*logic.Term
	for i := range rounds {
		same := lists.Append(nil, relevant, func(v *logic.Term) *logic.Term { return logic.Eq(at(i, v), at(rounds, v)) })
		some = append(some, logic.And(same...))
	}
	status, m, err := q.model(nil, append(slices.Clone(u.Conditions), logic.Or(some...))...)
	if err != nil || status != smt.Sat {
		return nil, err
	}
	run, err := u.Run(m)
	if err != nil {
		return nil, nil // a value that evaluation does not have: nothing is claimed
	}
	return l.repeated(run, relevant), nil
}

// repeated finds the repetition in a run by evaluation, nil if there is none.
func (l *Lasso) repeated(run *program.Execution, relevant []*logic.Term) *Recurrence {
	heads := l.heads(run)
	if len(l.Loop) == 0 {
		heads = append(heads, heads[0])
	}
	for j := range heads {
		for i := range j {
			agree := func(v *logic.Term) bool { return heads[i][v.Name()].Compare(heads[j][v.Name()]) == 0 }
			if !slices.ContainsFunc(relevant, func(v *logic.Term) bool { return !agree(v) }) {
				n := len(l.Stem) + j*len(l.Loop)
				return &Recurrence{Run: &program.Execution{States: run.States[:n+1], Inputs: run.Inputs[:n]}, From: i, To: j, Relevant: relevant}
			}
		}
	}
	return nil
}

// Follow returns an execution along the stem and so many rounds, which begins like Run and
// goes on as the proof says: by evaluation, so that it confirms the proof as far as it goes.
func (r *Recurrence) Follow(l *Lasso, rounds int) (*program.Execution, error) {
	inputs := slices.Clone(r.Run.Inputs)
	state := r.Run.States[len(r.Run.States)-1]
	first, n := len(l.Stem), len(l.Loop)
	if r.Set != nil { // go back to where the set is known to hold
		inputs = inputs[:first+r.From*n]
		state = r.Run.States[first+r.From*n]
	}
	loop := l.loop()
	for round := len(inputs) - first; round < rounds*n; round += n {
		for i, c := range loop {
			in := logic.Model{}
			if r.Set != nil {
				for _, v := range c.Inputs {
					value, err := logic.Eval(r.Inputs[i][v], state)
					if err != nil {
						return nil, err
					}
					in[v.Name()] = value
				}
			} else {
				maps.Copy(in, inputs[len(inputs)-(r.To-r.From)*n])
			}
			inputs = append(inputs, in)
		}
		if r.Set != nil {
			next, err := l.round(state, inputs[len(inputs)-n:])
			if err != nil {
				return nil, err
			}
			state = next
		}
	}
	return l.Path((len(inputs)-first)/max(1, n)).Replay(r.Run.States[0], inputs)
}

// round does one round of the loop by evaluation.
func (l *Lasso) round(state logic.Model, inputs []logic.Model) (logic.Model, error) {
	for i, c := range l.loop() {
		next, err := c.Step(state, inputs[i])
		if err != nil {
			return nil, err
		}
		state = next
	}
	return state, nil
}
