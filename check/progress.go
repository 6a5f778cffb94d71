package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/report"
)

// Progress decides the progress properties of the file, or that all actions occur again
// and again, as LTSA does. All asks less where the file declares no progress, without
// what fails for models that are as they should be: actions may occur at the beginning
// only, or never, and the model may terminate.
func Progress(ctx context.Context, m *Model, opts Options) (*report.Report, error) {
	s := newSession(ctx, "progress", m, opts)
	if err := s.progress(fairchoice.EveryAction, nil); err != nil {
		return nil, err
	}
	if err := s.safetyToo(explore.Resources{}); err != nil {
		return nil, err
	}
	return s.report(), nil
}

// safetyToo asks for a way to ERROR, if progress was only decided of runs that do not come there: else
// nothing would say that it is reachable.
func (s *session) safetyToo(search explore.Resources) error {
	qualified := slices.ContainsFunc(s.r.Results, func(r report.Result) bool { return slices.Contains(r.Assumptions, clearText) })
	if !qualified || slices.ContainsFunc(s.r.Results, func(r report.Result) bool { return r.Kind == "safety" }) {
		return nil
	}
	s.open++
	return s.reachability(search, map[string]bool{"safety": true})
}

// clearText is the assumption of progress where ERROR is reachable.
const clearText = "that ERROR is not reached: runs that come there, which there are, make no progress"

var progressTexts = map[fairchoice.ProgressOf]string{
	fairchoice.EveryAction:          "every action occurs again and again",
	fairchoice.EveryRecurringAction: "every action that can occur again and again does",
}

// progress decides the progress properties of the file that are wanted (nil: all); without any in
// the file, that of the actions given.
func (s *session) progress(undeclared fairchoice.ProgressOf, wanted func(fsp.Progress) bool) error {
	net, err := s.m.Composition()
	if err != nil {
		return err
	}
	var props []fairchoice.ProgressProperty
	var declared []fsp.Progress
	if s.m.FSP != nil {
		if declared, err = s.m.FSP.Progress(); err != nil {
			return err
		}
		if wanted != nil {
			declared = slices.DeleteFunc(declared, func(p fsp.Progress) bool { return !wanted(p) })
		}
		if err = s.m.FSP.NoteUnknownActions(net); err != nil {
			return err
		}
		for _, p := range declared {
			props = append(props, fairchoice.ProgressProperty{Name: p.Name, Condition: p.Condition, Actions: p.Actions})
		}
	}
	if len(props) == 0 && s.ended > 0 {
		// It would only say again that runs end.
		expected := &s.r.Results[s.ended-1]
		s.open--
		AddNote(expected, fmt.Sprintf("not asked, since this is expected: whether %s", progressTexts[undeclared]))
		return nil
	}
	if len(props) == 0 {
		props = []fairchoice.ProgressProperty{{Name: fairchoice.DefaultProgress, Of: undeclared}}
	}
	defer s.turn()()
	rep, err := fairchoice.Progress(s.ctx, net, props, s.product())
	if err != nil {
		return err
	}
	for i, p := range rep.Results {
		r := report.Result{Kind: "progress", Name: p.Name, Formula: describeProgress(&props[i])}
		if props[i].Of != fairchoice.ListedActions {
			r.Never = rep.Never
		} else {
			Placed(&r, declared[i].Span)
			r.Expected = s.m.expected(declared[i].Expect)
		}
		r.Statistics = &report.Statistics{States: report.NewCount(rep.States), Transitions: report.NewCount(rep.Transitions), Method: report.Counted(int64(rep.TerminalSets), "terminal set")}
		r.Assumptions = []string{choiceText}
		status := report.ExitHolds
		if p.Clear && p.Verdict != product.Unknown {
			// A run into ERROR makes no progress, but that is not what the property
			// is about (LTSA does not check it either).
			r.Formula += ", where ERROR is not reached"
			r.Assumptions = append(r.Assumptions, clearText)
		}
		switch {
		case p.Verdict == product.Holds:
			r.Verdict = report.Holds
		case p.Verdict == product.Violated:
			r.Verdict, status = report.Violated, report.ExitViolated
			r.Counterexample = s.m.progressRun(net, &p, rep.Never)
		case p.Clear:
			status = s.opts.Unknown(&r, ErrReached)
		default:
			status = s.opts.Unknown(&r, rep.Reason)
		}
		s.add(r, status)
	}
	return nil
}

func describeProgress(p *fairchoice.ProgressProperty) string {
	if p.Of != fairchoice.ListedActions {
		return progressTexts[p.Of]
	}
	text := "{" + strings.Join(p.Actions, ", ") + "} again and again"
	if p.Condition != nil {
		text = "if {" + strings.Join(p.Condition, ", ") + "} then " + text
	}
	return text
}

// progressRun turns the run of a violated progress property into a Counterexample.
// never are the actions that occur in no run.
func (m *Model) progressRun(net *lks.Network, p *fairchoice.ProgressResult, never []string) *report.Counterexample {
	c := m.Shown(net, p.Lasso)
	c.Progress = &report.Progress{Occurring: append([]string{}, p.Terminal...), Missing: p.Missing}
	c.Note = "from there on nothing happens"
	if len(p.Terminal) > 0 {
		c.Note = "from there on only {" + strings.Join(report.Listed(p.Terminal), ", ") + "} can happen"
	}
	again := slices.DeleteFunc(slices.Clone(p.Missing), func(a string) bool { return slices.Contains(never, a) })
	if len(again) > 0 {
		c.Note += "; never again {" + strings.Join(report.Listed(again), ", ") + "}"
	}
	return c
}
