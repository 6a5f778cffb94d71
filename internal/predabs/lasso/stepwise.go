package lasso

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// A loop of several commands is ranked command by command where that is possible: no command
// increases the function, and one decreases it, from states of an invariant of its own
// position. The questions are about one command each, much easier than those about a whole
// round, and their answers are the labels and the predicates that an abstraction needs.

// stepwise is a ranker of commands.
type stepwise struct {
	*ranker
	loop  []*program.Command
	vars  []*logic.Term // that the loop speaks of
	at    [][]logic.Model
	steps [][]transition // by command, that exist
}

func (k *ranker) commands(run *program.Execution) *stepwise {
	s := &stepwise{ranker: k, loop: k.lasso.loop()}
	n := len(s.loop)
	used := map[*logic.Term]bool{}
	for _, v := range k.relevant {
		used[v] = true
	}
	for _, c := range s.loop {
		for _, v := range logic.Vars(c.Guard) {
			used[v] = true
		}
		for _, v := range k.lasso.Vars {
			if e := c.Update[v]; e != nil {
				for _, w := range append(logic.Vars(e), v) {
					used[w] = true
				}
			}
		}
	}
	for _, v := range k.lasso.Vars {
		if used[v] && !program.Rigid(v) {
			s.vars = append(s.vars, v)
		}
	}
	s.at, s.steps = make([][]logic.Model, n), make([][]transition, n)
	for i := len(k.lasso.Stem); i < len(run.States); i++ {
		p := (i - len(k.lasso.Stem)) % n
		s.at[p] = append(s.at[p], run.States[i])
		if i+1 < len(run.States) {
			s.steps[p] = append(s.steps[p], transition{run.States[i], run.States[i+1]})
		}
	}
	return s
}

// ranks looks for a function and labels, with invariants by position.
func (s *stepwise) ranks(invariants [][]*logic.Term) (*Ranking, error) {
	seen := make([][]transition, len(s.steps)) // and steps of attempts that failed
	for i := range s.steps {
		seen[i] = slices.Clone(s.steps[i])
	}
	r, err := s.among(s.pool, invariants, seen)
	if r != nil || err != nil || s.left <= 0 {
		return r, err
	}
	f, err := s.together(invariants)
	if f == nil || err != nil {
		return nil, err
	}
	return s.among([]Function{*f}, invariants, seen)
}

// together returns a linear function that all commands of the loop which change something decrease,
// read linearly, nil if none is found.
func (s *stepwise) together(invariants [][]*logic.Term) (*Function, error) {
	var changing []*program.Command
	var known [][]*logic.Term
	for i, c := range s.loop {
		if slices.ContainsFunc(s.vars, func(v *logic.Term) bool { return c.Update[v] != nil && counts(v.Sort()) }) {
			changing, known = append(changing, c), append(known, invariants[i])
		}
	}
	if len(changing) < 2 { // templates have those of one
		return nil, nil
	}
	return s.synthesised(changing, s.vars, known)
}

// among looks for a function among some, and labels. One that rests on the values that variables
// have in this loop is for no other: it is taken where there is none else.
func (s *stepwise) among(functions []Function, invariants [][]*logic.Term, seen [][]transition) (*Ranking, error) {
	var first *Ranking
	for _, f := range functions {
		candidates := []Function{f}
		if g, ok := f.lowered(); ok {
			candidates = append(candidates, g)
		}
		for _, g := range candidates {
			if s.left <= 0 {
				return first, nil
			}
			labels, err := s.labels(&g, invariants, seen)
			if err != nil {
				return nil, err
			}
			if slices.Contains(labels, Decrease) {
				r, err := s.ranking(g, labels, invariants)
				if err != nil || !slices.ContainsFunc(slices.Concat(r.Within...), givesValue) {
					return r, err
				}
				if first == nil {
					first = r
				}
				break
			}
			if labels == nil { // it increases: so it does with another constant
				break
			}
		}
	}
	return first, nil
}

// labels returns those of the commands, nil if one may increase the function.
func (s *stepwise) labels(f *Function, invariants [][]*logic.Term, seen [][]transition) ([]Label, error) {
	for _, steps := range seen {
		if slices.ContainsFunc(steps, func(t transition) bool { return !f.staysIn(t) }) {
			return nil, nil
		}
	}
	changes := make([]bool, len(s.loop))
	for i, c := range s.loop {
		if changes[i] = slices.ContainsFunc(f.Vars(), func(v *logic.Term) bool { return c.Update[v] != nil }); !changes[i] {
			continue
		}
		vars := append(slices.Clone(s.lasso.Vars), c.Inputs...)
		status, m, err := s.model(vars, append(slices.Clone(invariants[i]), c.Guard, logic.Not(f.Stays(c)))...)
		if err != nil {
			return nil, err
		}
		if status == smt.Sat {
			if next, err := c.Step(m, nil); err == nil {
				seen[i] = append(seen[i], transition{m, next})
			}
		}
		if status != smt.Unsat {
			return nil, nil
		}
	}
	labels := make([]Label, len(s.loop))
	for i, c := range s.loop {
		if labels[i] = Same; !changes[i] {
			continue
		}
		ok, err := s.proves(append(slices.Clone(invariants[i]), c.Guard, logic.Not(logic.And(f.Bounded(), f.Decreases(c))))...)
		if err != nil {
			return nil, err
		}
		if ok {
			labels[i] = Decrease
		}
	}
	return labels, nil
}

func (f *Function) staysIn(t transition) bool {
	before, err := f.Value(t.before)
	if err != nil {
		return false
	}
	after, err := f.Value(t.after)
	return err == nil && after.Cmp(before) <= 0
}

// ranking finds few predicates that the labels rest on.
func (s *stepwise) ranking(f Function, labels []Label, invariants [][]*logic.Term) (*Ranking, error) {
	r := &Ranking{Function: f, Labels: labels, Within: make([][]*logic.Term, len(s.loop))}
	need := func(p int, goal *logic.Term) error {
		if len(invariants[p]) == 0 {
			return nil
		}
		because, ok, err := s.core(invariants[p], s.loop[p].Guard, logic.Not(goal))
		if err != nil {
			return err
		}
		if !ok {
			because = invariants[p]
		}
		for _, c := range because {
			if !slices.Contains(r.Within[p], c) {
				r.Within[p] = append(r.Within[p], c)
			}
		}
		return nil
	}
	for p := range s.loop {
		if err := need(p, s.goal(&f, p, labels[p])); err != nil {
			return nil, err
		}
	}
	// What is needed at a position is to be kept by the command before it.
	for done, n := 0, len(s.loop); done < n; {
		for p := n - 1; p >= 0; p-- {
			size := len(r.Within[p])
			for _, c := range slices.Clone(r.Within[(p+1)%n]) {
				if err := need(p, s.loop[p].After(c)); err != nil {
					return nil, err
				}
			}
			if done++; len(r.Within[p]) > size {
				done = 0
			}
		}
	}
	if err := s.fewer(r); err != nil {
		return nil, err
	}
	r.Supports = r.Within[0]
	for i, c := range s.loop {
		if slices.ContainsFunc(f.Vars(), func(v *logic.Term) bool { return c.Update[v] != nil }) {
			r.Paths = append(r.Paths, f.Excludes(s.lasso.Vars, logic.And(r.Supports...), s.loop[:i], c, labels[i]))
		}
	}
	return r, nil
}

// goal is what the label of a command claims.
func (s *stepwise) goal(f *Function, position int, label Label) *logic.Term {
	c := s.loop[position]
	if label == Decrease {
		return logic.And(f.Bounded(), f.Decreases(c))
	}
	return f.Stays(c)
}

// fewer leaves out predicates that the others of their position make superfluous.
func (s *stepwise) fewer(r *Ranking) error {
	n := len(s.loop)
	for p := n - 1; p >= 0; p-- {
		c := s.loop[p]
		then := []*logic.Term{s.goal(&r.Function, p, r.Labels[p])}
		for _, g := range r.Within[(p+1)%n] {
			then = append(then, c.After(g))
		}
		for i := len(r.Within[p]) - 1; i >= 0; i-- {
			rest := slices.Delete(slices.Clone(r.Within[p]), i, i+1)
			ok, err := s.proves(append(slices.Clone(rest), c.Guard, logic.Not(logic.And(then...)))...)
			if err != nil {
				return err
			}
			if ok {
				r.Within[p] = rest
			}
		}
	}
	return nil
}

// invariants are predicates by position: at the head those of a pool that hold after the
// stem, elsewhere what commands make of them. Each command leads from those of its position
// to those of the next.
func (s *stepwise) invariants(head []*logic.Term) ([][]*logic.Term, error) {
	n := len(s.loop)
	pools := make([][]*logic.Term, n)
	pools[0] = head
	for p := 1; p < n; p++ {
		pools[p] = predicates(s.vars, s.tests(), s.at[p])
	}
	for p, settled := 0, 0; settled < n; p = (p + 1) % n {
		next := (p + 1) % n
		kept, err := s.kept(s.lasso.Vars, pools[p], pools[next], s.loop[p])
		if err != nil {
			return nil, err
		}
		if settled++; len(kept) < len(pools[next]) {
			pools[next], settled = kept, 0
		}
	}
	return pools, nil
}
