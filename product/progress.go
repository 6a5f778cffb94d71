package product

import (
	"context"
	"errors"
	"slices"

	"github.com/seltl/seltl/internal/budget"
	"github.com/seltl/seltl/lks"
)

// ProgressProperty says that one of Actions occurs again and again in every run;
// with a Condition, in every run in which one of Condition occurs again and
// again. Actions that the network does not have never occur.
type ProgressProperty struct {
	Name      string
	Condition []string // nil: none
	Actions   []string
}

// DefaultProgress is the name of what Progress checks without any property: that
// every action of the alphabet occurs again and again.
const DefaultProgress = "(default)"

// ProgressResult is the answer for one property.
type ProgressResult struct {
	Name string
	// Verdict does not judge runs into a state in error: with ProgressReport.Error
	// set, Holds says that all other runs make progress, if there are any
	// (ProgressReport.TerminalSets counts the sets that were judged). It must not be
	// passed on as "holds" then.
	Verdict Verdict
	// For a violated property: a run into a terminal set of states, in which it
	// stays; the actions that occur in the set; and of the default property those
	// of the alphabet that do not. Sorted, without tau.
	Lasso    *Lasso
	Terminal []string
	Missing  []string
}

// ProgressReport is the result of Progress.
type ProgressReport struct {
	Results []ProgressResult
	// Reason is why the verdicts are Unknown: a *budget.Exhausted or
	// budget.ErrInterrupted.
	Reason error
	// Error is a shortest run to a state in error, nil if there is none. With one,
	// LTSA does not check progress.
	Error *Lasso

	States, Transitions int64
	TerminalSets        int
}

// Progress checks progress properties under fair choice: if a transition's source
// is visited again and again, the transition is taken again and again. Then a run
// ends up in a terminal strongly connected set of states and visits all of it
// again and again; so a property is violated iff such a set has none of its
// actions (and, with a condition, some of the condition's). A state without
// successors is such a set. Without properties every action is one. (Magee and
// Kramer, Concurrency, chapter 7.) Only opts.Limits and opts.Progress are used.
func Progress(ctx context.Context, net *lks.Network, props []ProgressProperty, opts Options) (*ProgressReport, error) {
	p := &progressCheck{report: &ProgressReport{}, props: props}
	if len(props) == 0 {
		p.props = []ProgressProperty{{Name: DefaultProgress}}
	}
	for _, prop := range p.props {
		p.report.Results = append(p.report.Results, ProgressResult{Name: prop.Name})
	}
	err := p.run(net, budget.New(ctx, opts.Limits, opts.Progress), len(props) == 0)
	var exhausted *budget.Exhausted
	if errors.As(err, &exhausted) || errors.Is(err, budget.ErrInterrupted) {
		p.report.Reason = err
		return p.report, nil
	}
	if err != nil {
		return nil, err
	}
	return p.report, nil
}

type progressCheck struct {
	report *ProgressReport
	props  []ProgressProperty
	g      *stateGraph
	scc    *sccs
}

func (p *progressCheck) run(net *lks.Network, meter *budget.Meter, byAction bool) error {
	var err error
	if p.g, err = newStateGraph(net, meter, nil); err != nil {
		return err
	}
	p.count()
	if p.g.failed >= 0 {
		if p.report.Error, err = p.lasso(p.g.failed, nil); err != nil {
			return err
		}
	}
	if p.scc, err = components(p.g, func() error { return p.g.tick("looking for terminal sets") }); err != nil {
		return err
	}
	for i := range p.props {
		if err := p.check(i, byAction); err != nil {
			return err
		}
	}
	return nil
}

// count fills in the sizes as lks.Reach counts them, but for rules that show the
// same transition.
func (p *progressCheck) count() {
	g := p.g
	p.report.States = int64(g.table.Len())
	for _, r := range g.rule {
		if r != Stutter {
			p.report.Transitions++
		}
	}
}

// terminalSet is a terminal component with a state that is nearest to the
// beginning and the actions in it.
type terminalSet struct {
	id      int32
	nearest int32
	has     []bool // by action
}

// sets returns the terminal sets, nearest first.
func (p *progressCheck) sets() []*terminalSet {
	byID := map[int32]*terminalSet{}
	var all []*terminalSet
	alphabet := len(p.g.net.Alphabet())
	for s := range int32(p.g.nodes()) {
		id := p.scc.of[s]
		if !p.scc.terminal[id] || p.g.net.Kind(p.g.table.State(s)) == lks.Error {
			continue
		}
		t := byID[id]
		if t == nil {
			t = &terminalSet{id: id, nearest: s, has: make([]bool, alphabet)}
			byID[id] = t
			all = append(all, t)
		}
		for e := p.g.first[s]; e < p.g.first[s+1]; e++ {
			if r := p.g.rule[e]; r != Stutter {
				t.has[p.g.net.Rules()[r].Action] = true
			}
		}
	}
	return all
}

func (p *progressCheck) check(i int, byAction bool) error {
	result := &p.report.Results[i]
	sets := p.sets()
	p.report.TerminalSets = len(sets)
	result.Verdict = Holds
	for _, t := range sets {
		if !p.violates(t, &p.props[i], byAction) {
			continue
		}
		lasso, err := p.lasso(t.nearest, t)
		if err != nil {
			return err
		}
		result.Verdict, result.Lasso = Violated, lasso
		for a, name := range p.g.net.Alphabet() {
			switch {
			case a == int(lks.TauID):
			case t.has[a]:
				result.Terminal = append(result.Terminal, name)
			case byAction:
				result.Missing = append(result.Missing, name)
			}
		}
		return nil
	}
	return nil
}

func (p *progressCheck) violates(t *terminalSet, prop *ProgressProperty, byAction bool) bool {
	if byAction {
		return slices.Contains(t.has[1:], false)
	}
	has := func(name string) bool {
		a := p.g.net.Action(name)
		return a > 0 && t.has[a]
	}
	if prop.Condition != nil && !slices.ContainsFunc(prop.Condition, has) {
		return false
	}
	return !slices.ContainsFunc(prop.Actions, has)
}

// lasso makes a run to a state and, within a terminal set, a shortest loop.
func (p *progressCheck) lasso(s int32, t *terminalSet) (*Lasso, error) {
	stem := p.g.stemTo(s)
	var loop []int64
	if p.g.deadEnd(s) {
		loop = []int64{p.g.first[s]}
	} else {
		inside := func(n int32) bool { return p.scc.of[n] == t.id }
		loop = p.g.edgesOf(wayTo(p.g, []int32{s}, true, inside, func(n int32) bool { return n == s }))
	}
	l, err := p.g.run(stem, loop)
	if err != nil {
		return nil, err
	}
	if err := Replay(p.g.net, l); err != nil {
		return nil, &InternalError{Stage: "replay of the progress violation", Err: err}
	}
	return l, nil
}
