package check

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
)

// What a model file says of the verdicts that its author expects (// expect: fails): a
// result that is as expected counts as one that holds, another as one that fails.

// expected is what the file expects of one of its properties.
func (m *Model) expected(e fsp.Expectations) report.Verdict {
	if m.FSP == nil {
		return ""
	}
	return report.Expected(m.FSP.Expected(e, m.Process))
}

// ExpectReached fills in what is expected of deadlock and safety.
func (m *Model) ExpectReached(r *report.Result) {
	if m.FSP == nil {
		return
	}
	if r.Kind == "deadlock" {
		if deadlock, ok := m.FSP.ExpectedDeadlock(m.Process); ok {
			if r.Expected = report.Holds; deadlock {
				r.Expected = report.Violated
			}
		}
		return
	}
	if m.FSP.ExpectsError(m.Process) {
		r.Expected = report.Violated
		return
	}
	for _, word := range m.FSP.ExpectedSafety(m.Process) {
		if r.Expected != report.Violated {
			r.Expected = report.Expected(word)
		}
	}
}

// Judge compares a result with what is expected of it, and returns the exit status that
// it counts as.
func Judge(r *report.Result, status int) int {
	if r.Expected == "" || r.Verdict == report.Unknown {
		return status
	}
	as := r.Verdict == r.Expected
	r.AsExpected = &as
	if as {
		return report.ExitHolds
	}
	return report.ExitViolated
}

// judgeSafety is Judge for safety. That is one question, answered by the first violation
// of all properties, of which some may be expected to fail: each of them is decided on
// its own, and nothing else may fail, unless ERROR is what is expected.
func (s *session) judgeSafety(r *report.Result, net *lks.Network, search explore.Resources, status int) (int, error) {
	if r.Expected != report.Violated || r.Verdict != report.Violated {
		return Judge(r, status), nil
	}
	search.Checkpoint = ""
	b := s.newBlame(net, search)
	var wrong, open []string
	for _, name := range slices.Sorted(maps.Keys(b.expected)) {
		fails, err := b.fails(name)
		switch word := b.expected[name]; {
		case err != nil && !isOpen(err):
			return report.ExitInternal, err
		case err != nil:
			open = append(open, fmt.Sprintf("it is not known whether %s fails: %v", name, err))
			status = worstOpen(status, err)
		case fails && word == "holds":
			wrong = append(wrong, name+" was expected to hold, and fails")
		case !fails && word == "fails":
			wrong = append(wrong, name+" was expected to fail, and holds")
		}
	}
	others, err := false, error(nil)
	if !s.m.FSP.ExpectsError(s.m.Process) {
		others, err = b.others()
	}
	switch {
	case err != nil && !isOpen(err):
		return report.ExitInternal, err
	case err != nil:
		open = append(open, fmt.Sprintf("it is not known whether anything else fails: %v", err))
		status = worstOpen(status, err)
	case others:
		wrong = append(wrong, "ERROR is reachable also without the properties of which something is expected")
	}
	for _, text := range slices.Concat(wrong, open) {
		AddNote(r, text)
	}
	if len(wrong) == 0 && len(open) > 0 {
		return status, nil
	}
	as := len(wrong) == 0
	r.AsExpected = &as
	if as {
		return report.ExitHolds, nil
	}
	return report.ExitViolated, nil
}

// worstOpen is the exit status of a question that stays open.
func worstOpen(status int, err error) int {
	if status == report.ExitInterrupted || errors.Is(err, budget.ErrInterrupted) {
		return report.ExitInterrupted
	}
	return report.ExitUnknown
}

// blame tells which components of a network can get into ERROR.
type blame struct {
	s         *session
	net       *lks.Network
	resources explore.Resources
	expected  map[string]string  // "holds" or "fails" by property
	of        map[string][]int32 // the components that are a property, by its name
	opaque    []string           // other components with ERROR inside which are properties
}

// untold is why it cannot be told who fails.
type untold struct{ text string }

func (e *untold) Error() string { return e.text }

// isOpen reports whether an error leaves a question open, in contrast to a mistake.
func isOpen(err error) bool {
	var cannot *untold
	return Limited(err) || outcome.Open(err) || errors.As(err, &cannot)
}

func (s *session) newBlame(net *lks.Network, resources explore.Resources) *blame {
	b := &blame{s: s, net: net, resources: resources, expected: s.m.FSP.ExpectedSafety(s.m.Process), of: map[string][]int32{}}
	for i, k := range net.Components() {
		if !hasError(k) {
			continue
		}
		full := net.ComponentName(i)
		name, property := s.m.FSP.OfComponent(full)
		inside := func(part string) bool { _, is := s.m.FSP.OfComponent(part); return is }
		switch {
		case property:
			b.of[name] = append(b.of[name], int32(i))
		case name == "" || slices.ContainsFunc(s.m.FSP.Parts(name), inside):
			b.opaque = append(b.opaque, full)
		}
	}
	return b
}

func hasError(k *lks.LKS) bool {
	for s := range int32(k.NumStates()) {
		if k.Kind(s) == lks.Error {
			return true
		}
	}
	return false
}

// fails reports whether a property is violated, whatever others are. If the answer is
// not known, the error is as isOpen says.
func (b *blame) fails(name string) (bool, error) {
	var ignored []int32
	for other, components := range b.of {
		if other != name {
			ignored = append(ignored, components...)
		}
	}
	asked := b.of[name]
	net, reached, err := b.search(asked, ignored, func(net *lks.Network, state []uint64) bool {
		return slices.ContainsFunc(asked, func(c int32) bool { return net.Fails(state, c) })
	})
	if err != nil {
		return false, err
	}
	return reached.GoalState != nil, b.told(net, reached)
}

// others reports whether anything but the properties of which something is expected
// fails.
func (b *blame) others() (bool, error) {
	var ignored []int32
	for name, components := range b.of {
		if b.expected[name] != "" {
			ignored = append(ignored, components...)
		}
	}
	net, reached, err := b.search(nil, ignored, func(net *lks.Network, state []uint64) bool {
		return len(b.opaque) == 0 && net.Kind(state) == lks.Error
	})
	if err != nil {
		return false, err
	}
	return reached.GoalState != nil, b.told(net, reached)
}

// told is an error if a state in error was met, but not the one sought, and may be the
// fault of a property that cannot be seen.
func (b *blame) told(net *lks.Network, reached *explore.Reached) error {
	if reached.GoalState != nil || reached.Errors == 0 || len(b.opaque) == 0 {
		return nil
	}
	return &untold{fmt.Sprintf("%s can get into ERROR, and is built as one process in which properties cannot be told apart", strings.Join(b.opaque, ", "))}
}

func (b *blame) search(asked, ignored []int32, goal func(*lks.Network, []uint64) bool) (*lks.Network, *explore.Reached, error) {
	net, ok := b.net.Blame(asked, ignored)
	if !ok {
		return nil, nil, &untold{"another property refuses actions, and cannot be left out"}
	}
	reached, err := explore.Reach(net, explore.Options{
		Resources: b.resources, Meter: b.s.meter(), StopAtGoal: true,
		Goal: func(state []uint64) bool { return goal(net, state) },
	})
	switch {
	case err != nil:
		return nil, nil, err
	case reached.GoalState == nil && reached.Lossy() != nil:
		return nil, nil, reached.Lossy()
	case reached.GoalState == nil && !reached.Complete:
		return nil, nil, bug.Errorf("expectation", "a search for the component in ERROR ended before its end")
	}
	return net, reached, nil
}
