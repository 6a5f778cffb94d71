package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/report"
)

// A file says what to expect of several processes, of which one is checked; and of properties that
// no checked process contains. Each expectation is asked, or a result says that it is not: a suite
// would be green without having asked otherwise.

// elsewhere asks what the file expects of another process, and nothing else about it.
func (s *session) elsewhere(process string, wanted map[string]bool, search explore.Resources) error {
	main, first := s.m, len(s.r.Results)
	defer func() {
		s.m = main
		for i := first; i < len(s.r.Results); i++ {
			s.r.Results[i].Process = process
		}
	}()
	net, err := s.m.FSP.Network(process)
	if err != nil {
		if !Limited(err) {
			return err
		}
		result := report.Result{Kind: "expectation", Formula: "what is expected"}
		s.record(result, s.opts.Unknown(&result, err))
		return nil
	}
	s.m = &Model{File: s.m.File, Process: process, FSP: s.m.FSP, Net: net}
	search.Checkpoint = ""
	var properties []string
	kinds := map[string]bool{}
	for _, e := range s.m.FSP.AllExpectations() {
		if e.Process != process {
			continue
		}
		if e.Kind == fsp.ExpectedProperty {
			properties = append(properties, e.Name)
		}
		kinds[string(e.Kind)] = wanted[string(e.Kind)]
	}
	// A property that is outside is none of this search.
	var sought report.Result
	s.m.ExpectReached(&sought)
	kinds["safety"] = kinds["safety"] && sought.Expected != ""
	if kinds["deadlock"] || kinds["safety"] {
		if err := s.reachability(search, kinds); err != nil {
			return err
		}
	}
	if kinds["progress"] {
		expected := func(p fsp.Progress) bool { return s.m.expected(p.Expect) != "" }
		if err := s.progress(fairchoice.EveryRecurringAction, expected); err != nil {
			return err
		}
	}
	if len(properties) == 0 {
		return nil
	}
	questions, err := s.m.Declared(properties...)
	if err != nil {
		return err
	}
	return s.answerAll(slices.DeleteFunc(questions, func(q Question) bool { return !wanted[q.Kind] }))
}

// notAsked adds a result for each expectation that no question is about.
func (s *session) notAsked(wanted map[string]bool, others []string) error {
	if wanted["safety"] {
		for _, process := range append([]string{s.m.Process}, others...) {
			s.outside(process)
		}
	}
	if left := s.leftOut(wanted, others); left != "" {
		s.notes = append(s.notes, report.Message{Severity: "note", Code: "not-asked", File: s.m.File, Text: left, Help: "seltl check without --process and --only asks all"})
	}
	for _, w := range s.m.FSP.UnreadExpectations() {
		s.record(UnreadExpectation(&w), report.ExitUnknown)
	}
	return nil
}

// UnreadExpectation is the result about a comment that cannot be read, of which there is a warning.
func UnreadExpectation(w *source.Diagnostic) report.Result {
	r := report.Result{Kind: "expectation", Formula: OneLine(w.Span.Text()), Verdict: report.Unknown, Reason: "it is not asked: " + w.Message, Advice: w.Help}
	Placed(&r, w.Span)
	return r
}

// leftOut says which expectations a narrower question leaves out; "" if none.
func (s *session) leftOut(wanted map[string]bool, others []string) string {
	var left []string
	count := 0
	for _, e := range s.m.FSP.AllExpectations() {
		process := cmp.Or(e.Process, s.m.FSP.DefaultProcess())
		kind := string(e.Kind)
		asked := wanted[kind] || e.Kind == fsp.ExpectedProperty && (wanted["ltl"] || wanted["assert"])
		if asked && (process == s.m.Process || slices.Contains(others, process)) {
			continue
		}
		count++
		if text := fmt.Sprintf("%s of %s", cmp.Or(e.Name, kind), process); !slices.Contains(left, text) {
			left = append(left, text)
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s not asked: %s", report.Counted(int64(count), "expectation"), strings.Join(report.Listed(left), ", "))
}

// outside adds a result for each property of which something is expected for a process that does not
// contain it.
func (s *session) outside(process string) {
	for _, p := range s.m.FSP.ExpectedOutside(process) {
		r := report.Result{Kind: "safety", Name: p.Name, Verdict: report.Unknown, Expected: report.Holds}
		if p.Expect == "fails" {
			r.Expected = report.Violated
		}
		if process != s.m.Process {
			r.Process = process
		}
		Placed(&r, p.At)
		r.Reason = fmt.Sprintf("not asked: %s does not contain the property %s", process, p.Name)
		if holders := s.m.FSP.Holders(p.Name); len(holders) > 0 {
			r.Advice = fmt.Sprintf("%s contains it: // expect: %s: %s", strings.Join(holders, ", "), holders[len(holders)-1], p.Expect)
		} else {
			r.Advice = fmt.Sprintf("compose it with what it is about: ||%s_%s = (%s || %s).", process, p.Name, process, p.Name)
		}
		s.record(r, report.ExitUnknown)
	}
}
