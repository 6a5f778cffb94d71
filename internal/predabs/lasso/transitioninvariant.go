package lasso

import (
	"context"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// TransitionInvariant is a proof that some loops end, none of which has to be ranked by one
// function: whenever a run comes to the head again, one of some functions is smaller than it was
// at each earlier time, though not always the same ([PodelskiRybalchenkoLICS04]). By Ramsey's theorem
// no run comes there for ever.
type TransitionInvariant struct {
	// Functions of which one becomes smaller, and was not negative.
	Functions []*Function
	// Copies has for each variable of Functions one that is its value at the earlier time
	// ([CookPodelskiRybalchenko06]).
	Copies map[*logic.Term]*logic.Term
	// Relation says, by location, what is known there of variables and copies. At others
	// nothing was copied.
	Relation map[int]*logic.Term
	// Head is the location at which variables are copied, and functions compared.
	Head int
}

// NewTransitionInvariant returns one with functions and no relation. taken are names that copies
// may not have; those of copies are added.
func NewTransitionInvariant(head int, functions []*Function, taken map[string]bool) *TransitionInvariant {
	t := &TransitionInvariant{Functions: functions, Copies: map[*logic.Term]*logic.Term{}, Head: head}
	for _, f := range functions {
		for _, v := range f.Vars() {
			if t.Copies[v] == nil {
				t.Copies[v] = logic.Var(logic.UnusedName(taken, v.Name()+"_then"), v.Sort())
			}
		}
	}
	return t
}

// String prints the functions for people.
func (t *TransitionInvariant) String() string {
	return "one of " + strings.Join(lists.Append(nil, t.Functions, (*Function).String), ", ")
}

// Smaller is the formula that a function is smaller than it was.
func (t *TransitionInvariant) Smaller() *logic.Term {
	swapped := map[*logic.Term]*logic.Term{}
	for v, c := range t.Copies {
		swapped[v], swapped[c] = c, v
	}
	back := &program.Command{Update: t.Copies}
	return logic.Substitute(logic.Or(lists.Append(nil, t.Functions, func(f *Function) *logic.Term {
		return logic.And(f.Bounded(), f.Decreases(back))
	})...), swapped)
}

// AbstractStep is a step of an abstract model: a command that leads from states at a location to
// states at another one.
type AbstractStep struct {
	From, To      int         // locations
	Before, After *logic.Term // what holds there, each of the values there
	Command       *program.Command
}

// Classify says what a step does: Decrease if it leaves the head, where a function is smaller than
// it was at each earlier time in states of Before, and where a copy is made, Same if it keeps the
// relation, and Other if the solver does not prove that. Three questions at most.
func (t *TransitionInvariant) Classify(ctx context.Context, s smt.Checker, step *AbstractStep) (Label, error) {
	q := newAsker(ctx, s, Options{})
	from, to := t.at(step.From), t.at(step.To)
	given := []*logic.Term{step.Before, step.Command.Guard, step.Command.After(step.After)}
	kept, err := q.proves(append(slices.Clone(given), from, logic.Not(step.Command.After(to)))...)
	if !kept || err != nil {
		return Other, err
	}
	if step.From != t.Head {
		return Same, nil
	}
	begin := map[*logic.Term]*logic.Term{}
	for v := range t.Copies {
		begin[t.Copies[v]] = v
	}
	for v, e := range step.Command.Update {
		begin[v] = e
	}
	if ok, err := q.proves(append(slices.Clone(given), logic.Not(logic.Substitute(to, begin)))...); !ok || err != nil {
		return Same, err
	}
	if ok, err := q.proves(append(given, from, t.then(step.Before), logic.Not(t.Smaller()))...); !ok || err != nil {
		return Same, err
	}
	return Decrease, nil
}

func (t *TransitionInvariant) at(location int) *logic.Term {
	if f := t.Relation[location]; f != nil {
		return f
	}
	return logic.False()
}

// then is what a formula says of copies alone.
func (t *TransitionInvariant) then(f *logic.Term) *logic.Term {
	var all []*logic.Term
	for _, g := range logic.Conjuncts(f) {
		if !slices.ContainsFunc(logic.Vars(g), func(v *logic.Term) bool { return t.Copies[v] == nil }) {
			all = append(all, logic.Substitute(g, t.Copies))
		}
	}
	return logic.And(all...)
}

// Misses reports that it is not known that each round of a loop, from all states, makes a function
// smaller. Impossible says that there is no round.
func (t *TransitionInvariant) Misses(ctx context.Context, s smt.Checker, l *Lasso) (misses, impossible bool, err error) {
	q := newAsker(ctx, s, Options{})
	r := l.Relation()
	round := logic.And(r.Guard, r.After(l.Head()))
	if impossible, err = q.proves(round); impossible || err != nil {
		return false, impossible, err
	}
	smaller := lists.Append(nil, t.Functions, func(f *Function) *logic.Term { return logic.And(f.Bounded(), f.Decreases(r)) })
	covered, err := q.proves(round, logic.Not(logic.Or(smaller...)))
	return !covered, false, err
}
