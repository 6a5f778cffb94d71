package lasso

import (
	"context"
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Ranking is a proof that the loop cannot be followed for ever.
type Ranking struct {
	Function Function
	// Supports are predicates that hold at the head after the stem, and after every round
	// from a state where they hold. In such states each round begins with a function that
	// is not negative, and makes it smaller.
	Supports []*logic.Term
	// Within has for each position of the loop predicates with which its command leads to
	// those of the next, and that its label rests on; nil if the proof is about whole rounds.
	Within [][]*logic.Term
	// Labels has for each command of the loop what it does to the function, in a round that
	// begins with Supports. With Decrease somewhere and Other nowhere, an abstraction that
	// knows enough can exclude the loop by compassion between labelled steps.
	Labels []Label
	// Paths are those that the abstraction has to exclude to see the labels of commands that
	// change the function: each begins at the head, with Supports.
	Paths []*program.Path
}

// Labelled reports that the labels show that the loop ends.
func (r *Ranking) Labelled() bool {
	return slices.Contains(r.Labels, Decrease) && !slices.Contains(r.Labels, Other)
}

// Rank looks for a ranking function of the loop. Where there is none, some may be a proof for
// some of the runs: its Supports hold after each round if they hold before it, and at the
// head in some run after the stem, but not in all. What they say is worth tracking.
func Rank(ctx context.Context, s smt.Checker, l *Lasso, o Options) (r, some *Ranking, err error) {
	q := newAsker(ctx, s, o)
	u, err := q.unroll(l, 0, o.rounds())
	if err != nil || u.Status == smt.Unsat {
		return nil, nil, err
	}
	return q.rank(l, u.Run)
}

// rank is Rank with a run along the lasso, or nil.
func (q *asker) rank(l *Lasso, run *program.Execution) (r, some *Ranking, err error) {
	k := q.newRanker(l, run)
	if r, err = k.simple(); r != nil || err != nil {
		return r, nil, err
	}
	return k.supported()
}

// ranker looks for a ranking function of one loop.
type ranker struct {
	*asker
	lasso     *Lasso
	relation  *program.Command
	vars      []*logic.Term // program variables and inputs of the relation
	relevant  []*logic.Term
	heads     []logic.Model // states at the head in a run
	steps     []transition  // that exist: what ranks the loop ranks them
	pool      []Function
	afterStem []*logic.Term // see pooled
	stepwise  *stepwise     // nil if there is one command only, or no run
	fallback  *Ranking      // one whose labels do not show that the loop ends
}

// transition is a step of the relation between two states.
type transition struct{ before, after logic.Model }

func (q *asker) newRanker(l *Lasso, run *program.Execution) *ranker {
	k := &ranker{asker: q, lasso: l, relation: l.Relation(), relevant: l.Relevant()}
	k.vars = append(slices.Clone(l.Vars), k.relation.Inputs...)
	k.pool = templates(k.relation, k.relevant)
	k.follow(run)
	return k
}

// follow learns from a run along the lasso; nil is none.
func (k *ranker) follow(run *program.Execution) {
	if run == nil {
		return
	}
	k.heads, k.steps, k.afterStem = k.lasso.heads(run), nil, nil
	for i := 1; i < len(k.heads); i++ {
		k.steps = append(k.steps, transition{k.heads[i-1], k.heads[i]})
	}
	if len(k.lasso.Loop) > 1 {
		k.stepwise = k.commands(run)
	}
}

// simple looks for a function that needs no support; if there are several commands, for one
// that is proved command by command, with invariants of each position.
func (k *ranker) simple() (*Ranking, error) {
	if len(k.lasso.Loop) == 0 {
		return nil, nil
	}
	if k.stepwise != nil {
		if r, err := k.stepwise.ranks(make([][]*logic.Term, len(k.lasso.Loop))); r != nil || err != nil {
			return r, err
		}
		pool, err := k.pooled()
		if err != nil {
			return nil, err
		}
		invariants, err := k.stepwise.invariants(pool)
		if err != nil {
			return nil, err
		}
		return k.stepwise.ranks(invariants)
	}
	return k.rounds(nil)
}

// supported looks for invariants of the loop, and functions that decrease with these.
func (k *ranker) supported() (r, some *Ranking, err error) {
	if len(k.heads) == 0 || len(k.lasso.Loop) == 0 {
		return k.fallback, nil, nil
	}
	if r, err = k.invariant(); r != nil || err != nil {
		return r, nil, err
	}
	if r = k.fallback; r != nil {
		return r, nil, nil
	}
	some, err = k.conditional()
	return nil, some, err
}

// invariant looks for functions that decrease in each round, with invariants of rounds if
// need be.
func (k *ranker) invariant() (r *Ranking, err error) {
	if k.stepwise != nil {
		if r, err = k.rounds(nil); r != nil || err != nil {
			return r, err
		}
	}
	pool, err := k.pooled()
	if err != nil {
		return nil, err
	}
	invariants, ok, err := k.inductive(pool, nil, k.relation.Guard, k.vars, k.relation.After)
	if err != nil || !ok || len(invariants) == 0 {
		return nil, err
	}
	return k.rounds(invariants)
}

// maxConditional bounds the templates that runs are looked for in which they decrease.
const maxConditional = 4

// conditional looks for predicates that some run satisfies, and with which the loop ends.
func (k *ranker) conditional() (*Ranking, error) {
	for _, f := range k.pool[:min(len(k.pool), maxConditional)] {
		run, err := k.decreasingRun(f)
		if err != nil {
			return nil, err
		}
		if run == nil {
			continue
		}
		k.heads, k.steps = k.lasso.heads(run), nil
		pool := slices.DeleteFunc(predicates(k.relevant, k.tests(), k.heads), givesValue)
		kept, ok, err := k.inductive(pool, nil, k.relation.Guard, k.vars, k.relation.After)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if r, err := k.rounds(kept); r != nil || err != nil {
			return r, err
		}
	}
	return k.fallback, nil
}

// givesValue recognises equations with numbers: what one run says of values is not for others.
func givesValue(p *logic.Term) bool {
	return p.Op() == logic.OpEq && (p.Args()[0].Num() != nil || p.Args()[1].Num() != nil)
}

// decreasingRun returns a run in which a function becomes smaller in each round, nil if
// there is none.
func (k *ranker) decreasingRun(f Function) (*program.Execution, error) {
	l := k.lasso
	u := l.Path(sampleRounds).Unroll()
	conditions := slices.Clone(u.Conditions)
	term := f.Term()
	at := func(round int) *logic.Term { return logic.Substitute(term, u.By[len(l.Stem)+round*len(l.Loop)+1]) }
	for i := range sampleRounds {
		conditions = append(conditions, below(at(i+1), at(i), Signed))
	}
	status, m, err := k.model(nil, conditions...)
	if err != nil || status != smt.Sat {
		return nil, err
	}
	run, err := u.Run(m)
	if err != nil {
		return nil, nil
	}
	return run, nil
}

// rounds looks for a function that decreases in each round from states of the invariants:
// templates, then by Farkas's lemma.
func (k *ranker) rounds(invariants []*logic.Term) (*Ranking, error) {
	if r, err := k.try(invariants, k.pool); r != nil || err != nil {
		return r, err
	}
	f, err := k.synthesised([]*program.Command{k.relation}, k.relevant, [][]*logic.Term{invariants})
	if f == nil || err != nil {
		return nil, err
	}
	return k.try(invariants, []Function{*f})
}

// try proves one of the functions with the invariants, nil if it can prove none. A function
// whose labels say too little is put aside.
func (k *ranker) try(invariants []*logic.Term, functions []Function) (*Ranking, error) {
	steps := slices.Clone(k.steps) // and those of attempts that failed
	for _, f := range functions {
		if k.left <= 0 {
			break
		}
		if slices.ContainsFunc(steps, func(t transition) bool { return !f.decreasesIn(t) }) {
			continue
		}
		status, m, err := k.model(k.vars, append(slices.Clone(invariants), k.relation.Guard, logic.Not(f.Decreases(k.relation)))...)
		if err != nil {
			return nil, err
		}
		if status == smt.Sat {
			if next, err := k.relation.Step(m, nil); err == nil {
				steps = append(steps, transition{m, next})
			}
			continue
		}
		if status == smt.Unknown {
			continue
		}
		r, err := k.bounded(f, invariants)
		if err != nil {
			return nil, err
		}
		if r != nil && r.Labelled() {
			return r, nil
		}
		if k.fallback == nil {
			k.fallback = r
		}
	}
	return nil, nil
}

func (f *Function) decreasesIn(t transition) bool {
	before, err := f.Value(t.before)
	if err != nil {
		return false
	}
	after, err := f.Value(t.after)
	return err == nil && after.Cmp(before) < 0
}

// bounded makes a ranking of a function that decreases: its constant is the one it has, 0,
// or else the least with which the sorts bound it.
func (k *ranker) bounded(f Function, invariants []*logic.Term) (*Ranking, error) {
	given := append(slices.Clone(invariants), k.relation.Guard)
	candidates := []Function{f}
	if f.Constant.Sign() != 0 {
		candidates = append(candidates, Function{f.Summands, new(big.Int)})
	}
	if g, ok := f.lowered(); ok {
		candidates = append(candidates, g)
	}
	for _, g := range candidates {
		ok, err := k.proves(append(slices.Clone(given), logic.Not(g.Bounded()))...)
		if err != nil {
			return nil, err
		}
		if ok {
			return k.ranking(g, invariants)
		}
	}
	return nil, nil
}

// ranking finds the supports and labels of a function that ranks the loop.
func (k *ranker) ranking(f Function, invariants []*logic.Term) (*Ranking, error) {
	r := &Ranking{Function: f}
	if len(invariants) > 0 {
		goal := logic.And(f.Bounded(), f.Decreases(k.relation))
		some, ok, err := k.core(invariants, k.relation.Guard, logic.Not(goal))
		if err != nil {
			return nil, err
		}
		if !ok {
			some = invariants
		}
		if r.Supports, err = k.enough(some, invariants, k.relation.Guard, goal, k.relation.After); err != nil {
			return nil, err
		}
	}
	return r, k.label(r)
}

// label finds what each command of the loop does to the function, given what goes before.
func (k *ranker) label(r *Ranking) error {
	loop := k.lasso.loop()
	support := logic.And(r.Supports...)
	u := (&program.Path{Vars: k.lasso.Vars, Init: support, Steps: loop, Error: logic.True()}).Unroll()
	f := &r.Function
	for i, c := range loop {
		if !slices.ContainsFunc(f.Vars(), func(v *logic.Term) bool { return c.Update[v] != nil }) {
			r.Labels = append(r.Labels, Same)
			continue
		}
		given := u.Conditions[:i+2]
		before := logic.And(f.Bounded(), f.Decreases(c))
		label := Other
		for _, try := range []Label{Decrease, Same} {
			if try == Same {
				before = f.Stays(c)
			}
			ok, err := k.proves(append(slices.Clone(given), logic.Not(logic.Substitute(before, u.By[i+1])))...)
			if err != nil {
				return err
			}
			if ok {
				label = try
				break
			}
		}
		r.Labels = append(r.Labels, label)
		if label != Other {
			r.Paths = append(r.Paths, f.Excludes(k.lasso.Vars, support, loop[:i], c, label))
		}
	}
	return nil
}

// tests are the formulas of the program, and some that have the numbers of its terms.
func (k *ranker) tests() (formulas []*logic.Term) {
	formulas = []*logic.Term{k.relation.Guard, k.lasso.Head(), k.lasso.Init}
	for _, c := range slices.Concat(k.lasso.Stem, []*program.Command{k.relation}) {
		formulas = append(formulas, c.Guard)
		for _, v := range k.lasso.Vars {
			if e := c.Update[v]; e != nil && counts(e.Sort()) {
				formulas = append(formulas, logic.Eq(e, number(0, e.Sort())))
			}
		}
	}
	return formulas
}

// pooled returns the predicates that hold at the head after the stem, and in the run.
func (k *ranker) pooled() ([]*logic.Term, error) {
	if k.afterStem == nil {
		stem := program.Join(k.lasso.Path(0).Steps...)
		stem.Guard = logic.And(k.lasso.Init, stem.Guard, stem.After(k.lasso.Head()))
		pool, err := k.kept(k.lasso.Vars, nil, predicates(k.relevant, k.tests(), k.heads), stem)
		if err != nil {
			return nil, err
		}
		k.afterStem = append([]*logic.Term{}, pool...)
	}
	return k.afterStem, nil
}
