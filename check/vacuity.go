package check

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// What holds may hold for a reason that nobody meant. A place in a formula has no effect if the
// strongest constant can stand there and the formula still holds ([Beer01]). What is said without
// being asked for is cheaper: a part that never happens, and so leaves another part without effect.

const (
	// mostPlaces are those of a formula that is looked at.
	mostPlaces = 2_000
	// fewStates may be explored for what never happens, or as many as the proof took, up to manyStates.
	fewStates, manyStates = 10_000, 1 << 20
	// mostAntecedents with temporal operators are asked about, and mostAgain Boolean parts that so many
	// states do not decide: as many of a search with reductions may.
	mostAntecedents, mostAgain = 8, 2
)

// vacuity is a formula that holds, and what of it has no effect.
type vacuity struct {
	q      *Question
	places ltl.Occurrences
	words  Words
	finite product.FiniteRuns
	meter  *budget.Meter
	most   int64 // states of a search
	unfair bool  // not all runs count
	all    bool  // parts are asked about whatever that takes
	// verdict decides a formula within so many states; 0: as many as the question may take. nil: nothing
	// is asked again.
	verdict func(f *ltl.Formula, most int64) (*product.Result, error)
	// whatever decides whether a formula holds whatever values an atom takes along a run; nil: nobody knows.
	whatever func(f *ltl.Formula, x ltl.Atom) (*product.Result, error)
	causes   []*cause
	counts   map[*ltl.Formula]int // see count
	again    int                  // parts that were asked about again
}

// cause is a subformula that never happens, or not at the start of runs.
type cause struct {
	formula *ltl.Formula
	at      int // a place of it, if match is nil
	atStart bool
	match   *ltl.Formula // of which it is the regular expression, or nil
	// by has what can stand for it, and for what contains it, without any effect on the verdict.
	by map[int]*ltl.Formula
}

// findVacuity says of a formula that holds what of it has no effect, as far as that is cheap, and with
// Verification.Vacuity of all parts.
func (s *session) findVacuity(result *report.Result, q *Question, res *product.Result, fair fairRuns, opts product.Options) error {
	switch {
	case res.NoRuns && q.Formula != nil:
		result.Vacuity = &report.Vacuity{NoRun: true, Unfair: true}
		return nil
	case q.Formula == nil || q.finite:
		if s.asked.Vacuity {
			AddNote(result, "vacuity is asked of formulas about all runs")
		}
		return nil
	}
	ctx, cancel := s.ctx, context.CancelFunc(func() {})
	if limit := opts.Limits.Time; limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	opts.Shortest, opts.NoPrefix, opts.AsFound = false, true, true
	v := &vacuity{q: q, places: ltl.OccurrencesIn(q.Formula, mostPlaces), words: s.wordsOf(q), finite: opts.Finite, most: max(fewStates, min(res.Stats.States, manyStates)),
		all: s.asked.Vacuity, unfair: fair.choice || fair.kind != product.NoFairness || len(fair.sets) > 0, meter: budget.New(ctx, opts.Limits, opts.Progress)}
	// A limit, of the translation too, is an unknown verdict.
	v.verdict = func(f *ltl.Formula, most int64) (*product.Result, error) {
		asked, opts := *q, opts
		asked.Formula = f
		if most > 0 && (opts.Limits.States == 0 || opts.Limits.States > most) {
			opts.Limits.States, opts.Workers = most, 1
		}
		res, err := asked.decide(ctx, fair, opts)
		if err != nil && Limited(err) {
			return &product.Result{Reason: err}, nil
		}
		return res, err
	}
	v.whatever = func(f *ltl.Formula, x ltl.Atom) (*product.Result, error) {
		asked := *q
		violations, err := buchi.Translate(ltl.MakeNot(f), buchi.Options{Meter: v.meter})
		if err == nil {
			asked.Formula, asked.Language = nil, &product.Language{Automaton: omega.FromBuchi(violations).Project(x), Negative: true}
			var res *product.Result
			if res, err = asked.decide(ctx, fair, opts); err == nil {
				return res, nil
			}
		}
		if Limited(err) {
			return &product.Result{Reason: err}, nil
		}
		return nil, err
	}
	if v.places == nil {
		if s.asked.Vacuity {
			AddNote(result, "the formula is too large to be asked for vacuity")
		}
		return nil
	}
	found, err := v.find()
	if err == nil && (s.asked.Vacuity || found.NoRun || found.Valid || len(found.Never) > 0) {
		result.Vacuity = found
	}
	return err
}

// AbstractVacuity says what never happens in a network that abstracts a program of which a formula
// holds, and so not in the program, and leaves a part of the formula without effect; nil if there is
// nothing to say. Verdict asks another formula of the program; with it each part is asked about. Text
// is how the formula was written.
func AbstractVacuity(ctx context.Context, net *lks.Network, f *ltl.Formula, text Words, asked *Verification, verdict func(*ltl.Formula) (*product.Result, error)) (*report.Vacuity, error) {
	v := &vacuity{q: &Question{Kind: "ltl", Formula: f, net: net}, places: ltl.OccurrencesIn(f, mostPlaces), words: text, most: fewStates, meter: budget.New(ctx, budget.Limits{}, nil)}
	if v.places == nil {
		return nil, nil
	}
	if v.all = verdict != nil; v.all {
		v.finite, v.unfair = asked.Finite, EngineFairness[asked.Fair] != product.NoFairness
		v.verdict = func(f *ltl.Formula, _ int64) (*product.Result, error) { return verdict(f) }
	}
	found, err := v.find()
	if err != nil || !v.all && !found.NoRun && !found.Valid && len(found.Never) == 0 {
		return nil, err
	}
	return found, nil
}

// find finds what has no effect, of each part if all are asked.
func (v *vacuity) find() (*report.Vacuity, error) {
	found := &report.Vacuity{}
	if v.finite == product.IgnoreRuns {
		res, err := v.verdict(ltl.Ff(), v.most)
		found.NoRun = err == nil && res.Verdict == product.Holds
		if found.Unfair = found.NoRun && v.unfair; found.NoRun || err != nil {
			return found, err
		}
	}
	if v.q.Formula == ltl.T() {
		found.Valid = v.words.named()
		return found, nil
	}
	if err := v.findCauses(); err != nil {
		return found, err
	}
	v.tell(found)
	if v.all {
		return found, v.askAll(found)
	}
	return found, nil
}

// findCauses finds what never happens and leaves something else without effect, smaller parts first.
func (v *vacuity) findCauses() error {
	candidates := v.candidates()
	occasions := lists.Map(candidates, func(c *cause) product.Occasion { return product.Occasion{Formula: c.formula, AtStart: c.atStart} })
	if len(candidates) == 0 {
		return v.temporalCauses()
	}
	never, err := product.Never(v.q.net, occasions, v.most, v.meter)
	if err != nil && !Limited(err) {
		return err
	}
	for i, c := range candidates {
		if v.explained(c) {
			continue
		}
		if never[i] == product.Unknown && (v.all || v.again < mostAgain) {
			v.again++
			if never[i], err = v.never(c); err != nil {
				return err
			}
		}
		if never[i] == product.Holds {
			v.causes = append(v.causes, c)
		}
	}
	return v.temporalCauses()
}

// never decides whether a cause never comes, in the runs that count.
func (v *vacuity) never(c *cause) (product.Verdict, error) {
	if v.verdict == nil {
		return product.Unknown, nil
	}
	f := ltl.MakeNot(c.formula)
	if !c.atStart {
		f = ltl.MakeAlways(f)
	}
	most := v.most
	if v.all {
		most = 0
	}
	res, err := v.verdict(f, most)
	if err != nil {
		return product.Unknown, err
	}
	return res.Verdict, nil
}

// candidates are the Boolean parts of negative polarity, as antecedents of implications are, that
// something hangs on, smaller ones first. Others are alternatives, which need not happen.
func (v *vacuity) candidates() (all []*cause) {
	type key struct {
		f       *ltl.Formula
		atStart bool
	}
	known := map[key]bool{}
	for i := range v.places {
		o := &v.places[i]
		k := key{o.Formula, o.AtStart}
		if !o.Negative || known[k] || !o.Formula.Is(ltl.Boolean) || !v.asked(o.Formula) {
			continue
		}
		known[k] = true
		c := &cause{formula: o.Formula, at: i, atStart: o.AtStart, by: map[int]*ltl.Formula{}}
		for j := range v.places {
			if p := &v.places[j]; p.Formula == c.formula && (p.AtStart || !c.atStart) {
				c.by[j] = ltl.Ff()
			}
		}
		if v.silences(c) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *cause) int {
		if n := cmp.Compare(a.formula.Size(), b.formula.Size()); n != 0 || a.atStart == b.atStart {
			return n
		}
		return map[bool]int{true: -1, false: 1}[b.atStart] // what is more comes first
	})
	return all
}

// asked reports whether a part is of what was asked: that of an assert about last actions has
// deadlock in it, which nobody wrote.
func (v *vacuity) asked(f *ltl.Formula) bool {
	atoms := ltl.Atoms(f)
	if v.words.Places == nil && v.q.Kind == "assert" {
		atoms = slices.DeleteFunc(atoms, func(a ltl.Atom) bool { return a.Kind == ltl.Deadlock })
	}
	return len(atoms) > 0
}

// explained reports whether the causes that are known say that c never comes: with them out of the way
// it is false. A regular expression is not looked into.
func (v *vacuity) explained(c *cause) bool {
	by := map[int]*ltl.Formula{}
	for _, d := range v.causes {
		if c.atStart || !d.atStart {
			maps.Copy(by, d.by)
		}
	}
	return c.match == nil && len(by) > 0 && v.places.Images(by)[c.at] == ltl.Ff()
}

// silences reports whether a part that has nothing to do with the cause has no effect: with the cause
// out of the way the formula is the same whatever stands there. Such a part is beside something
// that becomes constant, in what becomes constant by that.
func (v *vacuity) silences(c *cause) bool {
	images := v.places.Images(c.by)
	for i := 1; i < len(v.places); i++ {
		o := &v.places[i]
		if _, itself := c.by[o.Parent]; itself || o.Mixed || constant(images[i]) || !constant(images[o.Parent]) {
			continue
		}
		if v.places.Replaced(with(c.by, i, o.Strongest())) == images[0] {
			return true
		}
	}
	return false
}

func constant(f *ltl.Formula) bool { return f == ltl.T() || f == ltl.Ff() }

// with returns a copy of by with another entry.
func with(by map[int]*ltl.Formula, i int, f *ltl.Formula) map[int]*ltl.Formula {
	all := map[int]*ltl.Formula{i: f}
	for k, g := range by {
		if k != i {
			all[k] = g
		}
	}
	return all
}

// temporalCauses finds antecedents with temporal operators that are never true: of implications, and
// regular expressions that never match.
func (v *vacuity) temporalCauses() error {
	asked := 0
	for i := range v.places {
		o, c := &v.places[i], &cause{by: map[int]*ltl.Formula{}}
		switch op := o.Formula.Op(); {
		case op == ltl.Implies && !o.Negative && !o.Mixed && !o.Formula.Left().Is(ltl.Boolean):
			c.formula, c.at = o.Formula.Left(), v.places.Operand(i, 0)
		case op == ltl.SuffixImplies && !o.Negative && !o.Mixed, op == ltl.SuffixAnd && o.Negative:
			c.formula, c.match = ltl.MakeSuffixAnd(o.Formula.Regexp(), ltl.T()), o.Formula
		}
		c.atStart = o.AtStart
		if c.formula == nil || len(ltl.Atoms(o.Formula.Last())) == 0 || v.explained(c) {
			continue
		}
		if asked++; asked > mostAntecedents {
			return nil
		}
		switch never, err := v.never(c); {
		case err != nil:
			return err
		case never == product.Holds:
			c.by[i] = ltl.Constant(!o.Negative)
			v.causes = append(v.causes, c)
		}
	}
	return nil
}

// anything is what stands for a part that has no polarity. No model has a proposition of that name.
var anything = ltl.Atom{Kind: ltl.Prop, Name: "anything at all"}

// without decides the formula with the strongest constant at a place, or with anything at all where there
// is none. nil: nobody knows how.
func (v *vacuity) without(i int) (*product.Result, error) {
	o, alone := &v.places[i], v.places.Alone(i)
	switch {
	case !o.Mixed:
		return v.verdict(v.places.Replaced(with(alone, i, o.Strongest())), 0)
	case v.whatever == nil:
		return nil, nil
	}
	return v.whatever(v.places.Replaced(with(alone, i, ltl.AtomOf(anything))), anything)
}

// askAll asks of each place whether it has no effect, operands first: where one has an effect, what
// it is in has one too.
func (v *vacuity) askAll(found *report.Vacuity) error {
	type state int
	const (
		silent state = iota + 1
		open
		effective
	)
	states, reasons := make([]state, len(v.places)), make([]error, len(v.places))
	for i := len(v.places) - 1; i > 0; i-- {
		o := &v.places[i]
		if !v.asked(o.Formula) {
			continue
		}
		if states[i] != effective {
			res, err := v.without(i)
			if res == nil && err == nil {
				continue
			}
			if err != nil {
				return err
			}
			found.Asked++
			states[i] = map[product.Verdict]state{product.Holds: silent, product.Violated: effective, product.Unknown: open}[res.Verdict]
			reasons[i] = res.Reason
		}
		if states[i] == effective {
			states[o.Parent] = effective
		}
	}
	within := make([]bool, len(v.places)) // of something without effect
	for i := 1; i < len(v.places); i++ {
		o := &v.places[i]
		within[i] = within[o.Parent] || states[o.Parent] == silent
		if states[i] == 0 || states[i] == effective || states[i] == states[o.Parent] || within[i] {
			continue
		}
		part := v.part(i)
		if part.With = "anything"; !o.Mixed {
			part.With = o.Strongest().String()
		}
		switch {
		case states[i] == silent:
			found.NoEffect = append(found.NoEffect, part)
		case reasons[i] != nil:
			part.Reason = goErrors.Replace(reasons[i].Error())
			found.Open = append(found.Open, part)
		}
	}
	return nil
}
