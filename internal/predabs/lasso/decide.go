package lasso

import (
	"cmp"
	"context"

	"github.com/seltl/seltl/smt"
)

// Verdict is what is known of a lasso: one of Infeasible, Recurrence and Ranking, none if the
// question is open.
type Verdict struct {
	Infeasible *Unrolling // so many rounds cannot be run: its path is one to refine by
	Recurrence *Recurrence
	// Ranking is also there where a loop that cannot be run so often has one: it excludes loops
	// like this one too, of which each takes some rounds more.
	Ranking *Ranking
	// Mixed is one, of a loop that cannot be run so often, whose labels do not show that it ends.
	Mixed *Ranking
	// Some is a proof that some of the runs end, where the question is open; see Rank.
	Some   *Ranking
	Reason string // why it is open
}

const (
	firstRounds = 2 // in which a state that repeats is looked for before anything else
	moreRounds  = 3 // times as many are tried where a few decide nothing

	lastQuestions = 10 // for these, if attempts to rank the loop have used up all
)

// Decide asks whether the lasso can be followed for ever: a few rounds, ranking functions that
// are proved command by command, a state that repeats, ranking functions that need no invariant,
// more rounds, closed recurrence sets, ranking functions with invariants, and then many rounds.
// Options.Questions bounds all questions together, but a few of the last.
func Decide(ctx context.Context, s smt.Checker, l *Lasso, o Options) (*Verdict, error) {
	q := newAsker(ctx, s, o)
	few := min(firstRounds, o.rounds())
	u, err := q.unroll(l, 0, few)
	for ; err == nil && u.Run == nil && u.Status != smt.Unsat && u.Rounds > 1; u, err = q.unroll(l, 0, u.Rounds-1) {
	}
	if err != nil || u.Status == smt.Unsat {
		return q.infeasible(l, u, err)
	}
	k := q.newRanker(l, u.Run)
	if k.stepwise != nil { // the easiest questions
		if r, err := k.simple(); r != nil || err != nil {
			return &Verdict{Ranking: r}, err
		}
	}
	if r, err := q.repeat(l, few); r != nil || err != nil {
		return &Verdict{Recurrence: r}, err
	}
	if k.stepwise == nil {
		if r, err := k.simple(); r != nil || err != nil {
			return &Verdict{Ranking: r}, err
		}
	}
	if o.rounds() > few {
		if u, err = q.unroll(l, few+1, o.rounds()); err != nil || u.Status == smt.Unsat {
			return q.infeasible(l, u, err)
		}
		k.follow(u.Run)
	}
	if k.fallback == nil { // otherwise there is no recurrence
		if r, err := q.repeat(l, o.rounds()); r != nil || err != nil {
			return &Verdict{Recurrence: r}, err
		}
		if r, err := q.closedSet(l); r != nil || err != nil {
			return &Verdict{Recurrence: r}, err
		}
	}
	r, some, err := k.supported()
	if r != nil && r.Labelled() || err != nil {
		return &Verdict{Ranking: r}, err
	}
	q.left = max(q.left, lastQuestions)
	many := moreRounds * o.rounds()
	more, err := q.unroll(l, o.rounds()+1, many)
	if err != nil || more.Status == smt.Unsat {
		return &Verdict{Infeasible: more}, err
	}
	if r != nil { // no labels show that it ends
		return &Verdict{Ranking: r}, nil
	}
	again, err := q.repeat(l, many)
	if again != nil || err != nil {
		return &Verdict{Recurrence: again}, err
	}
	reason := more.Reason
	switch {
	case q.left < 0:
		reason = errSpent.Error()
	case reason == "":
		reason = "neither a recurrence set nor a ranking function was found"
	}
	return &Verdict{Some: some, Reason: reason}, nil
}

// infeasible is the verdict on a loop that can be run some rounds but no more. What ranks it
// is asked with a run of these.
func (q *asker) infeasible(l *Lasso, u *Unrolling, err error) (*Verdict, error) {
	v := &Verdict{Infeasible: u}
	if err != nil || u.Rounds < 2 {
		return v, err
	}
	fewer, err := q.feasible(l, u.Rounds-1)
	if err != nil || fewer.Run == nil {
		return v, err
	}
	k := q.newRanker(l, fewer.Run)
	r, err := k.simple()
	if r == nil && err == nil {
		r, err = k.invariant()
	}
	if r != nil && r.Labelled() {
		v.Ranking = r
	} else {
		v.Mixed = cmp.Or(r, k.fallback)
	}
	return v, err
}
