package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/report"
)

// What a model file says of the verdicts that its author expects (// expect: fails): a
// result that is as expected counts as one that holds, another as one that fails.

// expected is what the file expects of one of its properties.
func (m *model) expected(e fsp.Expectations) report.Verdict {
	if m.fsp == nil {
		return ""
	}
	switch m.fsp.Expected(e, m.process) {
	case "holds":
		return report.Holds
	case "fails":
		return report.Violated
	}
	return ""
}

// expectReached fills in what is expected of deadlock and safety.
func (m *model) expectReached(r *report.Result) {
	if m.fsp == nil {
		return
	}
	if r.Kind == "deadlock" {
		if deadlock, ok := m.fsp.ExpectedDeadlock(m.process); ok {
			if r.Expected = report.Holds; deadlock {
				r.Expected = report.Violated
			}
		}
		return
	}
	for _, word := range m.fsp.ExpectedSafety(m.process) {
		if word == "fails" {
			r.Expected = report.Violated
		} else if r.Expected == "" {
			r.Expected = report.Holds
		}
	}
}

// judge compares a result with what is expected of it, and returns the exit status that
// it counts as.
func (m *model) judge(r *report.Result, status int) int {
	if r.Expected == "" {
		return status
	}
	as := r.Verdict == r.Expected
	if as && r.Kind == "safety" && r.Verdict == report.Violated {
		if other := m.violatedInstead(r.Counterexample); other != "" {
			as = false
			addNote(r, other)
		}
	}
	if r.Verdict == report.Unknown {
		return status
	}
	r.AsExpected = &as
	if as {
		return exitHolds
	}
	return exitViolated
}

// violatedInstead says which process went into ERROR if it is none of the properties
// that are expected to fail: safety is one question, whose answer is the first violation
// of them all.
func (m *model) violatedInstead(c *report.Counterexample) string {
	expected := m.fsp.ExpectedSafety(m.process)
	var failed, wanted []string
	if c == nil || len(c.Stem) == 0 {
		return ""
	}
	for _, change := range c.Stem[len(c.Stem)-1].Changed {
		if change.To != "ERROR" {
			continue
		}
		// A component is called {a,b}::x:NAME(3).
		base, _, _ := strings.Cut(change.Component[strings.LastIndexByte(change.Component, ':')+1:], "(")
		if slices.ContainsFunc(m.fsp.Parts(base), func(part string) bool { return expected[part] == "fails" }) {
			return ""
		}
		failed = append(failed, base)
	}
	for name, word := range expected {
		if word == "fails" {
			wanted = append(wanted, name)
		}
	}
	slices.Sort(wanted)
	if len(failed) == 0 {
		return ""
	}
	return fmt.Sprintf("a violation of %s was expected, not of %s", strings.Join(wanted, ", "), strings.Join(failed, ", "))
}
