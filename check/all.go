package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/report"
)

// Kinds are the kinds of questions of All, in their order.
var Kinds = []string{"deadlock", "safety", "progress", "ltl", "assert"}

// Everything says what All is to decide.
type Everything struct {
	Verification
	// Kinds are those of the questions to ask, nil for all.
	Kinds []string
	// Elsewhere asks also what the file expects of processes other than the model's.
	Elsewhere bool
	// Search are the resources of the search for deadlocks and errors.
	Search explore.Resources
}

// All decides everything that can be asked of a model, or what is of the kinds given:
// deadlock and safety by one search, progress, and the declared properties. What the file expects
// and is not asked is a result, too, which is unknown. A question that is interrupted is the last
// one.
func All(ctx context.Context, m *Model, opts Everything) (*report.Report, error) {
	s := newSession(ctx, "check", m, opts.Options)
	s.asked = opts.Verification
	wanted := map[string]bool{}
	for _, kind := range Kinds {
		wanted[kind] = opts.Kinds == nil || slices.Contains(opts.Kinds, kind)
	}
	var others []string
	if m.FSP != nil && opts.Elsewhere {
		others = m.FSP.Elsewhere()
	}
	questions, err := s.plan(wanted, len(others))
	if err != nil {
		return nil, err
	}
	steps := []func() error{}
	if wanted["deadlock"] || wanted["safety"] {
		steps = append(steps, func() error { return s.reachability(opts.Search, wanted) })
	}
	if wanted["progress"] {
		steps = append(steps, func() error { return s.progress(fairchoice.EveryRecurringAction, nil) })
	}
	if wanted["progress"] && !wanted["safety"] {
		steps = append(steps, func() error { return s.safetyToo(opts.Search) })
	}
	if wanted["ltl"] || wanted["assert"] {
		steps = append(steps, func() error { return s.answerAll(questions) })
	}
	for _, process := range others {
		steps = append(steps, func() error { return s.elsewhere(process, wanted, opts.Search) })
	}
	if m.FSP != nil {
		steps = append(steps, func() error { return s.notAsked(wanted, others) })
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
		if s.r.Exit == report.ExitInterrupted {
			break
		}
	}
	if len(s.r.Results) == 0 {
		return nil, &InputError{Code: "nothing-asked", File: m.File, Text: fmt.Sprintf("%s: nothing of this kind to decide: the file declares no %s", m.File, strings.Join(opts.Kinds, ", ")),
			Help: "leave out --only to ask everything"}
	}
	s.r.Table = wanted["progress"] || wanted["ltl"] || wanted["assert"]
	return s.report(), nil
}

// reachability explores the composition once for deadlocks and errors, or for one
// of them, which is sought no longer once it is found.
func (s *session) reachability(search explore.Resources, wanted map[string]bool) error {
	net, err := s.m.Composition()
	if err != nil {
		return err
	}
	defer s.turn()()
	meter := s.meter()
	reached, err := explore.Reach(net, explore.Options{
		Resources: search, Meter: meter, StopAtDeadlock: !wanted["safety"], StopAtError: !wanted["deadlock"],
	})
	if err != nil && !Limited(err) {
		return err
	}
	elapsed := meter.Elapsed().Seconds()
	stats := &report.Statistics{States: report.NewCount(reached.States), Transitions: report.NewCount(reached.Transitions), Depth: reached.Depth,
		SearchSeconds: elapsed, StoreBytes: reached.Bytes(), Method: "breadth-first" + storeText(reached)}
	profile := reachProfile(reached)
	for _, q := range []struct {
		kind, end string
		state     []uint64
	}{{"deadlock", "deadlock", reached.DeadlockState}, {"safety", "error", reached.ErrorState}} {
		if !wanted[q.kind] {
			continue
		}
		r := report.Result{Kind: q.kind, Verdict: report.Holds, Statistics: stats, Profile: profile}
		profile = nil // once is enough
		status := report.ExitHolds
		missing := reached.Lossy()
		switch {
		case q.state != nil:
			// err stays: of the other kind the exploration may not have seen all.
			var failed error
			if status, failed = s.showTrace(&r, net, reached, q.state, q.end); failed != nil {
				return failed
			}
		case err != nil:
			status = s.opts.Unknown(&r, resumable(err, &search))
		case missing != nil:
			status = s.opts.Unknown(&r, missing)
		case !reached.Complete:
			return bug.Errorf("check", "an exploration without a state in %s ended before its end", q.end)
		case q.kind == "deadlock" && reached.Ends > 0:
			r.Assumptions = append(r.Assumptions, "that END is termination, not deadlock: it is reachable")
		}
		s.m.ExpectReached(&r)
		status, failed := s.judgeSafety(&r, net, search, status)
		if failed != nil {
			return failed
		}
		s.record(r, status)
	}
	return nil
}

// showTrace fills in the trace to a state that was found. Without it the verdict
// remains unknown: nothing is reported that was not replayed.
func (s *session) showTrace(r *report.Result, net *lks.Network, reached *explore.Reached, state []uint64, end string) (int, error) {
	trace, err := reached.TraceTo(state, s.meter())
	switch {
	case err != nil && Limited(err):
		return s.opts.Unknown(r, fmt.Errorf("a state in %s was found, %s, but not the way there: %w", end, net.StateName(state), err)), nil
	case err != nil:
		return report.ExitInternal, bug.Errorf("check", "the state in %s that was found: %v", end, err)
	}
	if err := trace.Replay(net); err != nil {
		return report.ExitInternal, bug.Errorf("check", "the trace to %s does not replay: %v", end, err)
	}
	r.Verdict = report.Violated
	if end == "deadlock" {
		explained, err := deadlock.Explain(net, trace)
		if err != nil {
			return report.ExitInternal, bug.Errorf("check", "the deadlock that was found: %v", err)
		}
		r.Counterexample = DeadlockTrace(s.m.Shown(net, explained.Trace), net, explained)
		return report.ExitViolated, nil
	}
	r.Counterexample = s.m.Shown(net, trace)
	r.Counterexample.End = end
	return report.ExitViolated, nil
}

// plan reads the declarations of the file that are wanted, and counts the questions, with so many
// about other processes.
func (s *session) plan(wanted map[string]bool, elsewhere int) ([]Question, error) {
	var questions []Question
	if wanted["ltl"] || wanted["assert"] {
		declared, err := s.m.Declared()
		if err != nil {
			return nil, err
		}
		questions = slices.DeleteFunc(declared, func(q Question) bool { return !wanted[q.Kind] })
	}
	s.open = len(questions) + elsewhere
	if wanted["deadlock"] || wanted["safety"] {
		s.open++
	}
	if wanted["progress"] {
		s.open++
	}
	return questions, nil
}
