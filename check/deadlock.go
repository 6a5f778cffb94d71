package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
)

// Deadlock decides whether a model can deadlock, as engine says (its limits and
// callbacks apart). What the engine answered comes with the report, to be drawn and
// kept; it is nil if it had no answer.
func Deadlock(ctx context.Context, m *Model, opts Options, engine deadlock.Options) (*report.Report, *deadlock.Result, error) {
	net, err := m.Composition()
	if err != nil {
		return nil, nil, err
	}
	s := newSession(ctx, "deadlock", m, opts)
	s.prepare(&engine, net)
	r := report.Result{Kind: "deadlock", Verdict: report.Holds}
	meter := budget.New(ctx, budget.Limits{}, nil)
	res, err := deadlock.Check(ctx, net, engine)
	if r.Statistics = deadlockStatistics(res); r.Statistics != nil {
		r.Statistics.SearchSeconds = meter.Elapsed().Seconds()
		r.Profile = deadlockProfile(res, r.Statistics)
	}
	if res != nil && res.Abstraction != nil && res.Method == deadlock.Iter {
		r.Abstraction = refinement(net, res.Abstraction)
	}
	status := report.ExitHolds
	switch {
	case err != nil:
		if r, status, err = s.opts.Undecided(r, err); err != nil {
			return nil, nil, err
		}
	case res.Verdict == outcome.Unknown:
		status = s.opts.Unknown(&r, resumable(res.Reason, &engine.Search))
	case res.Free():
		if res.Proof != nil {
			r.Note = res.Proof.Text
		}
	default:
		r.Verdict, status = report.Violated, report.ExitViolated
		r.Counterexample = DeadlockTrace(m.Shown(net, res.Deadlock.Trace), net, res.Deadlock)
	}
	m.ExpectReached(&r)
	s.add(r, status)
	return s.report(), res, nil
}

// prepare gives an engine what all questions have.
func (s *session) prepare(engine *deadlock.Options, net *lks.Network) {
	engine.Limits, engine.Progress = s.opts.Limits, s.opts.Progress
	if s.opts.Narrate != nil {
		engine.Explain = func(r deadlock.Round) { s.opts.Narrate(r.Write(net)) }
	}
}

// LocalDeadlock asks for a component that can never move again.
func LocalDeadlock(ctx context.Context, m *Model, opts Options, engine deadlock.Options) (*report.Report, error) {
	net, err := m.Composition()
	if err != nil {
		return nil, err
	}
	s := newSession(ctx, "deadlock", m, opts)
	s.prepare(&engine, net)
	r := report.Result{Kind: "deadlock", Name: "local", Formula: "every component can move again, or has terminated", Verdict: report.Holds}
	res, err := deadlock.Local(ctx, net, engine)
	if err != nil {
		return s.alone(s.opts.Undecided(r, err))
	}
	r.Statistics = explorationStatistics(&res.Exploration)
	if res.Trace == nil {
		return s.alone(r, report.ExitHolds, nil)
	}
	r.Verdict = report.Violated
	r.Counterexample = m.Shown(net, res.Trace)
	r.Counterexample.Note = "from there on these never move again: " + strings.Join(namesOf(net, res.Dead), ", ")
	return s.alone(r, report.ExitViolated, nil)
}

// Livelock asks for a cycle of silent steps. What a process hides is silent only from
// outside.
func Livelock(ctx context.Context, m *Model, opts Options, engine deadlock.Options) (*report.Report, error) {
	s := newSession(ctx, "deadlock", m, opts)
	s.prepare(&engine, m.Net)
	r := report.Result{Kind: "livelock", Formula: "no cycle of silent steps", Verdict: report.Holds}
	res, err := deadlock.Livelock(ctx, m.Net, engine)
	switch {
	case err != nil:
		return s.alone(s.opts.Undecided(r, err))
	case res.Verdict == outcome.Unknown:
		status := s.opts.Unknown(&r, res.Reason)
		return s.alone(r, status, nil)
	}
	r.Statistics = explorationStatistics(&res.Exploration)
	if res.Lasso == nil {
		return s.alone(r, report.ExitHolds, nil)
	}
	r.Verdict = report.Violated
	r.Counterexample = m.Shown(m.Net, res.Lasso)
	return s.alone(r, report.ExitViolated, nil)
}

// alone reports one result, or its error.
func (s *session) alone(r report.Result, status int, err error) (*report.Report, error) {
	if err != nil {
		return nil, err
	}
	s.add(r, status)
	return s.report(), nil
}

func explorationStatistics(e *deadlock.Exploration) *report.Statistics {
	method, depth := "plain", int64(0)
	switch {
	case e.Reduced:
		method = "plain with stubborn sets"
	case e.Search != nil:
		method += storeText(e.Search)
		depth = e.Search.Depth
	}
	return &report.Statistics{States: report.NewCount(e.States), Transitions: report.NewCount(e.Transitions), Depth: depth, StoreBytes: e.Bytes, Method: method}
}

// deadlockProfile says where the time of what decided went, in detail if all states
// were explored.
func deadlockProfile(res *deadlock.Result, st *report.Statistics) *report.Profile {
	if e := res.Exploration; res.Method == deadlock.Plain && e != nil && e.Search != nil {
		return reachProfile(e.Search)
	}
	p := &report.Profile{States: st.States, Transitions: st.Transitions, TableBytes: st.StoreBytes, Seconds: st.SearchSeconds,
		Phases: report.NewPhases([]string{st.Method}, []float64{st.SearchSeconds})}
	if p.Seconds > 0 {
		p.StatesPerSecond = p.States.Float() / p.Seconds
	}
	return p
}

func deadlockStatistics(res *deadlock.Result) *report.Statistics {
	switch {
	case res == nil:
		return nil
	case res.Proof != nil:
		return &report.Statistics{Method: "by condition: " + res.Proof.Rule}
	case res.Method == deadlock.Tree && res.Minimised != nil:
		m := res.Minimised
		st := explorationStatistics(&m.Exploration)
		st.Method = fmt.Sprintf("tree: minimised from %d components of %d states in all to %d of %d", m.Components, m.States, m.Left, m.LeftStates)
		return st
	case res.Method == deadlock.Iter && res.Abstraction != nil:
		a := res.Abstraction
		return &report.Statistics{States: report.NewCount(int64(a.MaxStates)), StoreBytes: a.Bytes,
			Method: fmt.Sprintf("iter: %s, %s classes of %s component states", report.Counted(int64(a.Rounds), "round"), sum(a.Classes), sum(a.Components))}
	case res.Exploration != nil:
		return explorationStatistics(res.Exploration)
	}
	return nil
}

func sum(ns []int) string {
	parts := make([]string, len(ns))
	total := 0
	for i, n := range ns {
		total += n
		parts[i] = fmt.Sprint(n)
	}
	if len(ns) > 8 {
		return fmt.Sprint(total)
	}
	return strings.Join(parts, "+")
}
