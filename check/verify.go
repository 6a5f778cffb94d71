package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/report"
)

// Verify decides questions about a model, each in its share of the time of ctx. Once one
// is interrupted the others are not asked.
func Verify(ctx context.Context, m *Model, questions []Question, opts Verification) (*report.Report, error) {
	s := newSession(ctx, "verify", m, opts.Options)
	s.asked, s.open = opts, len(questions)
	if err := s.answerAll(questions); err != nil {
		return nil, err
	}
	return s.report(), nil
}

// answerAll decides questions. What an engine does not decide as it was asked, such as fairness with a
// lossy store, leaves that question open, and is refused if it is so with all.
func (s *session) answerAll(questions []Question) error {
	if err := s.requireFairness(questions); err != nil {
		return err
	}
	var refused error
	n := 0
	for i := range questions {
		done := s.turn()
		r, status, err := s.answer(&questions[i])
		if store := (*Unsuited)(nil); errors.As(err, &store) {
			refused, n = cmp.Or(refused, err), n+1
			status = s.asked.Unknown(&r, err)
			r.Reason = store.Err.Error() // the message names the question
			err = nil
		}
		if err != nil {
			done()
			return err
		}
		s.add(r, status)
		done()
		if status == report.ExitInterrupted {
			for _, rest := range questions[i+1:] {
				s.add(report.Result{Kind: rest.Kind, Name: rest.Name, Formula: rest.Text, Verdict: report.Unknown, Reason: "interrupted before it was looked at"}, report.ExitInterrupted)
			}
			return nil
		}
	}
	if n < len(questions) {
		return nil
	}
	return refused
}

// Unsuited says that states cannot be kept as was asked for, for a question.
type Unsuited struct {
	Question string // its name, or its text
	Fair     bool   // not all runs count
	Several  bool   // workers were asked for
	Err      *product.StoreError
}

func (e *Unsuited) Error() string { return fmt.Sprintf("%s: %v", e.Question, e.Err) }
func (e *Unsuited) Unwrap() error { return e.Err }

// Help says what to do instead.
func (e *Unsuited) Help() string {
	switch {
	case e.Fair:
		return "leave --store out, or decide it for all runs by --fair=none"
	case e.Several:
		return "leave --store or --workers out"
	}
	return "leave --store out, or what it does not suit"
}

// answer decides one question. An error means that the question made no sense;
// a bug of ours is a result with exit status 4.
func (s *session) answer(q *Question) (report.Result, int, error) {
	result := report.Result{Kind: q.Kind, Name: q.Name, Formula: q.Text}
	if q.Language == nil {
		result.ReadAs = EchoText(q.Formula)
	}
	Placed(&result, q.At)
	result.Expected = q.Expect
	if s.whole.Err() != nil { // the time of all questions is over
		return s.asked.Undecided(result, s.meter().Tick(budget.Progress{}))
	}
	fair, opts := q.runs(s.asked.Fair), s.product()
	opts.Fairness, opts.FairSets = fair.kind, fair.sets
	res, err := q.decide(s.ctx, fair, opts)
	var finite *product.FiniteRunError
	var store *product.StoreError
	switch {
	case errors.As(err, &store):
		return result, report.ExitInput, &Unsuited{Question: cmp.Or(q.Name, q.Text), Fair: fair.choice || fair.kind != product.NoFairness || len(fair.sets) > 0, Several: opts.Workers > 1, Err: store}
	case errors.As(err, &finite):
		return result, report.ExitInput, RefuseEnding(q.net, finite)
	case err != nil:
		return contradicted(result, err)
	}
	s.fillResult(&result, q, res, fair)
	if q.finite && res.Verdict == product.Holds {
		result.Note, err = q.vacuous(s.ctx, opts)
		if err != nil {
			return result, report.ExitInput, err
		}
	}
	if res.Verdict == product.Holds {
		if err := s.findVacuity(&result, q, res, fair, opts); err != nil {
			return contradicted(result, err)
		}
	}
	s.drawAutomaton(q.Formula)
	fillStore(&result, res)
	noteReductions(&result, res, opts)
	if errors.Is(res.Reason, budget.ErrInterrupted) {
		return result, report.ExitInterrupted, nil
	}
	return result, result.Verdict.Exit(), nil
}

// contradicted is the answer after an error, which may be a bug of ours.
func contradicted(result report.Result, err error) (report.Result, int, error) {
	var internal *bug.Error
	if !errors.As(err, &internal) {
		return result, report.ExitInput, err
	}
	result.Verdict, result.Reason = report.Unknown, internal.Error()
	result.Advice = "this is a bug in seltl; please report it with the model and the formula"
	return result, report.ExitInternal, nil
}

// vacuous says so if no run ends, so that there is none that the formula is about. Where that
// would take too long it says nothing.
func (q *Question) vacuous(ctx context.Context, opts product.Options) (string, error) {
	opts.Fairness, opts.FairSets, opts.Shortest = product.NoFairness, nil, false
	never := ltl.MakeAlways(ltl.MakeNot(ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock})))
	res, err := product.Verify(ctx, q.net, never, opts)
	if err != nil || res.Verdict != product.Holds {
		return "", err
	}
	return "no run of this model ends: there is none that the formula is about", nil
}

// decide has the engine for the question decide it.
func (q *Question) decide(ctx context.Context, fair fairRuns, opts product.Options) (*product.Result, error) {
	switch {
	case q.Language != nil && fair.choice:
		return fairchoice.VerifyAutomaton(ctx, q.net, *q.Language, opts)
	case q.Language != nil:
		return product.VerifyAutomaton(ctx, q.net, *q.Language, opts)
	case fair.choice:
		return fairchoice.Verify(ctx, q.net, q.Formula, opts)
	}
	return product.Verify(ctx, q.net, q.Formula, opts)
}

func (s *session) fillResult(result *report.Result, q *Question, res *product.Result, fair fairRuns) {
	result.Statistics = &report.Statistics{
		States: report.NewCount(res.Stats.States), Transitions: report.NewCount(res.Stats.Transitions), ModelStates: report.NewCount(res.Stats.ModelStates),
		Depth: res.Stats.Depth, AutomatonStates: res.Stats.AutomatonStates, AutomatonEdges: res.Stats.AutomatonEdges,
		TranslateSeconds: res.Stats.Translate.Seconds(),
		SearchSeconds:    (res.Stats.Search + res.Stats.Trace).Seconds(),
		StoreBytes:       res.Stats.StoreBytes, Method: res.Emptiness.String(),
	}
	switch res.Verdict {
	case product.Holds:
		result.Verdict = report.Holds
	case product.Violated:
		result.Verdict = report.Violated
		if res.Prefix != nil {
			result.Counterexample = badPrefix(q.net, res.Prefix)
			s.m.locate(result.Counterexample, q.net, res.Prefix.Run)
		} else {
			result.Counterexample = s.m.Shown(q.net, res.Lasso)
			fair.explain(result.Counterexample, q.net, res)
		}
		if s.asked.Explain && q.Formula != nil {
			explain(result.Counterexample, q.Formula, res)
		}
		if q.Language != nil {
			result.Counterexample.Automaton = passed(q.Language.Passes(res.Lasso))
			if s.asked.Explain {
				explainAtoms(result.Counterexample, q.Language.Automaton.Atoms(), res)
			}
		}
	default:
		s.opts.Unknown(result, res.Reason)
	}
	if q.Language != nil {
		result.Assumptions = append(result.Assumptions, q.Reading)
	}
	switch {
	case q.finite:
		result.Assumptions = append(result.Assumptions, "that only runs that end count, and the formula is about finite words (--finite-words)")
	case res.FiniteMet:
		result.Assumptions = append(result.Assumptions, FiniteText(res.Finite))
	}
	if res.POR {
		result.Statistics.Method += " with partial-order reduction"
	}
	if res.AllRuns {
		result.Note = "it holds in all runs: no fairness is needed"
	} else {
		result.Assumptions = append(result.Assumptions, fair.assumptions(q.net)...)
	}
	if res.NoRuns {
		result.Note = "there is no run to judge: all fair runs of this model end, and --finite=ignore leaves those out"
	}
	if s.asked.Shortest && res.Verdict == product.Violated {
		if result.Note = shortestText(res); q.Language != nil {
			result.Note = "shorter runs may violate it: none is looked for where the property is an automaton"
		}
	}
	if res.Trivial {
		result.Statistics.Method = "no search needed: true of every run with such labels"
	}
}

// shortestText says whether a counterexample is as short as any.
func shortestText(res *product.Result) string {
	switch {
	case res.Prefix != nil && res.Prefix.Minimal:
		return "no beginning of a run with fewer steps violates it, whatever follows"
	case res.Prefix == nil && res.ShortestRun:
		return "no run with fewer steps in stem and loop violates it"
	}
	return "shorter runs may violate it: the search for them was given up"
}

// noteReductions says which reductions were used, and why others that were asked for
// were not.
func noteReductions(result *report.Result, res *product.Result, opts product.Options) {
	if r := res.Reduction; r != nil {
		result.Statistics.Method += ", " + reductionText(r)
		result.Statistics.SearchSeconds += r.Time.Seconds()
	}
	if len(res.Symmetric) > 0 {
		result.Statistics.Method += ", " + symmetryText(res.Symmetric)
	}
	if res.NoSymmetryBecause != "" && !res.Trivial {
		AddNote(result, "no symmetry: "+res.NoSymmetryBecause)
	}
	if opts.POR == product.EagerPOR && !res.POR && !res.Trivial && res.NoPORBecause != "" {
		AddNote(result, "no partial-order reduction: "+res.NoPORBecause)
	}
	if res.NoReductionBecause != "" {
		AddNote(result, "nothing was minimised: "+res.NoReductionBecause)
	}
}

// fillStore says what the search kept its states in, and what that has missed.
func fillStore(result *report.Result, res *product.Result) {
	if res.Workers > 1 {
		result.Statistics.Method += fmt.Sprintf(", %d workers", res.Workers)
	}
	if res.Store != explore.Numbered {
		result.Statistics.Method += fmt.Sprintf(", %v store", res.Store)
	}
	result.Profile = productProfile(res)
}

func symmetryText(groups [][]int32) string {
	sizes := lists.Append(nil, groups, func(g []int32) string { return fmt.Sprint(len(g)) })
	return "symmetry of " + strings.Join(sizes, " and ") + " components"
}

func reductionText(r *product.Reduction) string {
	before, after := 0, 0
	for _, n := range r.Before {
		before += n
	}
	for _, n := range r.After {
		after += n
	}
	text := "minimised"
	if r.Searched > 0 {
		text += fmt.Sprintf(" after %d states without an answer", r.Searched)
	}
	text += fmt.Sprintf(" from %d components of %d states in all to %d of %d", len(r.Before), before, len(r.After), after)
	if r.GivenUp > 0 {
		text += fmt.Sprintf(" (compositions too large: %d)", r.GivenUp)
	}
	if r.Stopped {
		text += " (composing took too long)"
	}
	return text
}

// FiniteText says how runs that end were read, as an assumption of a verdict.
func FiniteText(f product.FiniteRuns) string {
	switch f {
	case product.IgnoreRuns:
		return "that only infinite runs count (--finite=ignore): some runs of this model end"
	case product.RefuseRuns:
		return "that no run ends"
	}
	return "that a run that ends repeats its last state with no event (--finite=stutter): some runs of this model end"
}

// EndingRun is the refusal of a model with runs that end (--finite=error).
type EndingRun struct {
	err   *product.FiniteRunError
	trace *report.Counterexample
}

// RefuseEnding is the refusal of a network with a run that ends.
func RefuseEnding(net *lks.Network, err *product.FiniteRunError) *EndingRun {
	return &EndingRun{err: err, trace: Counterexample(net, err.Trace)}
}

func (e *EndingRun) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, and --finite=error refuses such models; the way there:", e.err)
	for _, step := range e.trace.Stem {
		fmt.Fprintf(&b, " %s", step.Event)
	}
	return b.String()
}

// EchoText writes a formula with all parentheses; a formula that is too large to
// be written is shown as its size.
func EchoText(f *ltl.Formula) string {
	text, err := ltl.Echo(f)
	if err != nil {
		return fmt.Sprintf("(a formula of %d nodes)", f.Size())
	}
	return text
}
