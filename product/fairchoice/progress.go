package fairchoice

import (
	"context"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
)

// ProgressProperty says that one of Actions occurs again and again in every run;
// with a Condition, in every run in which one of Condition occurs again and
// again. Actions that the network does not have never occur.
type ProgressProperty struct {
	Name      string
	Condition []string // nil: none
	Actions   []string
	// Of says that the property is about other actions than these.
	Of ProgressOf
}

// ProgressOf are the actions that a property is about.
type ProgressOf int

const (
	// ListedActions: some of Actions occur again and again.
	ListedActions ProgressOf = iota
	// EveryAction of the alphabet occurs again and again.
	EveryAction
	// EveryRecurringAction, one that can occur again and again (it lies on a cycle of
	// the network), does so in every run that does not terminate (lks.End). In contrast
	// to EveryAction, models satisfy it that terminate, that begin with actions which
	// are not meant to come again, or in which an alphabet only prevents an action.
	EveryRecurringAction
)

// DefaultProgress is the name of what Progress checks without any property, as LTSA
// does: EveryAction.
const DefaultProgress = "(default)"

// ProgressResult is the answer for one property.
type ProgressResult struct {
	Name string
	// Verdict does not judge runs into a state in error. With ProgressReport.Error
	// set, it is about the runs that stay clear of these, and choose fairly among
	// what does not lead there, unless it is Violated in a set that nothing
	// leaves (Clear is false). Unknown: there is no run that stays clear.
	Verdict product.Verdict
	Clear   bool
	// For a violated property: a run into a terminal set of states, in which it
	// stays; the actions that occur in the set; and those that do not, of what the
	// property demands each (unless it is of ListedActions). Sorted, without tau.
	Lasso    *run.Run
	Terminal []string
	Missing  []string
}

// ProgressReport is the result of Progress.
type ProgressReport struct {
	Results []ProgressResult
	// Reason is why the verdicts are Unknown: a *budget.Exhausted or
	// budget.ErrInterrupted.
	Reason error
	// Never are the actions of the alphabet that occur in no run, sorted.
	Never []string
	// Error is a shortest run to a state in error, nil if there is none. With one,
	// LTSA does not check progress.
	Error *run.Run

	States, Transitions int64
	// TerminalSets are those that were judged: that nothing leaves, or only for ERROR.
	TerminalSets int
}

// Progress checks progress properties under fair choice: if a transition's source
// is visited again and again, the transition is taken again and again. Then a run
// ends up in a terminal strongly connected set of states and visits all of it
// again and again; so a property is violated iff such a set has none of its
// actions (and, with a condition, some of the condition's). A state without
// successors is such a set. Without properties it is EveryAction. ([MageeKramer06],
// chapter 7.) Only opts.Limits and opts.Progress are used.
func Progress(ctx context.Context, net *lks.Network, props []ProgressProperty, opts product.Options) (*ProgressReport, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	p := &progressCheck{report: &ProgressReport{}, props: props}
	if len(props) == 0 {
		p.props = []ProgressProperty{{Name: DefaultProgress, Of: EveryAction}}
	}
	for _, prop := range p.props {
		p.report.Results = append(p.report.Results, ProgressResult{Name: prop.Name})
	}
	err := budget.Within(func() error { return p.run(net, budget.New(ctx, opts.Limits, opts.Progress)) })
	if budget.Stopped(err) {
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
	recurs []bool // by action: it lies on a cycle
	doomed []bool // by state: each run from it comes to a state in error; nil if there is none
}

func (p *progressCheck) run(net *lks.Network, meter *budget.Meter) error {
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
	if p.report.Error != nil {
		p.findDoomed()
	}
	p.recurs = make([]bool, len(net.Alphabet()))
	for s := range int32(p.g.Nodes()) {
		for e := p.g.first[s]; e < p.g.first[s+1]; e++ {
			if r := p.g.rule[e]; r != run.Stutter && p.scc.of[s] == p.scc.of[p.g.target[e]] {
				p.recurs[net.Rules()[r].Action] = true
			}
		}
	}
	for i := range p.props {
		if err := p.check(i); err != nil {
			return err
		}
	}
	return nil
}

// count fills in the sizes as explore.Reach counts them, but for rules that show the
// same transition, and which actions never occur.
func (p *progressCheck) count() {
	g := p.g
	p.report.States = int64(g.states.Len())
	occurs := make([]bool, len(g.net.Alphabet()))
	for _, r := range g.rule {
		if r != run.Stutter {
			p.report.Transitions++
			occurs[g.net.Rules()[r].Action] = true
		}
	}
	for a, name := range g.net.Alphabet() {
		if a != int(lks.TauID) && !occurs[a] {
			p.report.Never = append(p.report.Never, name)
		}
	}
}

// terminalSet is a terminal component with a state that is nearest to the
// beginning and the actions of its steps.
type terminalSet struct {
	id      int32
	nearest int32
	has     []bool // by action
}

// findDoomed finds the states from which no run stays clear of error. None lies on a loop, so that each is
// a component of its own, behind those that it leads to.
func (p *progressCheck) findDoomed() {
	p.doomed = make([]bool, p.g.Nodes())
	order := make([]int32, len(p.scc.terminal)) // by component: one of its states
	for s := range int32(p.g.Nodes()) {
		order[p.scc.of[s]] = s
	}
	for _, s := range order {
		doomed := p.g.net.Kind(p.g.states.State(s)) == lks.Error
		if !doomed {
			doomed = true
			for e := p.g.first[s]; doomed && e < p.g.first[s+1]; e++ {
				doomed = p.doomed[p.g.target[e]]
			}
		}
		p.doomed[s] = doomed
	}
}

// leave finds the components that are not terminal: something leaves them, but to states from
// which no run stays clear of error, if these are left aside.
func (p *progressCheck) leave(aside bool) []bool {
	left := make([]bool, len(p.scc.terminal))
	for s := range int32(p.g.Nodes()) {
		for e := p.g.first[s]; e < p.g.first[s+1]; e++ {
			if t := p.g.target[e]; p.scc.of[s] != p.scc.of[t] && !(aside && p.doomed[t]) {
				left[p.scc.of[s]] = true
			}
		}
	}
	return left
}

// sets returns the terminal sets, nearest first; those that are only left for ERROR, too, if that is
// left aside.
func (p *progressCheck) sets(aside bool) []*terminalSet {
	left := p.leave(aside)
	byID := map[int32]*terminalSet{}
	var all []*terminalSet
	alphabet := len(p.g.net.Alphabet())
	for s := range int32(p.g.Nodes()) {
		id := p.scc.of[s]
		if left[id] || p.doomed != nil && p.doomed[s] {
			continue
		}
		t := byID[id]
		if t == nil {
			t = &terminalSet{id: id, nearest: s, has: make([]bool, alphabet)}
			byID[id] = t
			all = append(all, t)
		}
		for e := p.g.first[s]; e < p.g.first[s+1]; e++ {
			if r := p.g.rule[e]; r != run.Stutter && p.scc.of[p.g.target[e]] == id {
				t.has[p.g.net.Rules()[r].Action] = true
			}
		}
	}
	return all
}

func (p *progressCheck) check(i int) error {
	result := &p.report.Results[i]
	sets := p.sets(false)
	p.report.TerminalSets, result.Verdict = len(sets), product.Holds
	if found, err := p.judge(result, &p.props[i], sets); found || err != nil || p.doomed == nil {
		return err
	}
	sets, result.Clear = p.sets(true), true
	if p.report.TerminalSets = len(sets); len(sets) == 0 {
		result.Verdict = product.Unknown
	}
	_, err := p.judge(result, &p.props[i], sets)
	return err
}

// judge looks for a set in which a property fails.
func (p *progressCheck) judge(result *ProgressResult, prop *ProgressProperty, sets []*terminalSet) (found bool, err error) {
	for _, t := range sets {
		if !p.violates(t, prop) {
			continue
		}
		lasso, err := p.lasso(t.nearest, t)
		if err != nil {
			return false, err
		}
		result.Verdict, result.Lasso = product.Violated, lasso
		for a, name := range p.g.net.Alphabet() {
			switch {
			case a == int(lks.TauID):
			case t.has[a]:
				result.Terminal = append(result.Terminal, name)
			case p.demands(prop, a):
				result.Missing = append(result.Missing, name)
			}
		}
		return true, nil
	}
	return false, nil
}

// demands reports whether a property is about this very action.
func (p *progressCheck) demands(prop *ProgressProperty, action int) bool {
	return action != int(lks.TauID) && (prop.Of == EveryAction || prop.Of == EveryRecurringAction && p.recurs[action])
}

func (p *progressCheck) violates(t *terminalSet, prop *ProgressProperty) bool {
	if prop.Of != ListedActions {
		if prop.Of == EveryRecurringAction && p.g.net.Kind(p.g.states.State(t.nearest)) == lks.End {
			return false
		}
		for a, has := range t.has {
			if !has && p.demands(prop, a) {
				return true
			}
		}
		return false
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
func (p *progressCheck) lasso(s int32, t *terminalSet) (*run.Run, error) {
	stem := p.g.stemTo(s)
	var loop []int64
	if p.g.deadEnd(s) {
		loop = []int64{p.g.first[s]}
	} else {
		inside := func(n int32) bool { return p.scc.of[n] == t.id }
		loop = p.g.edgesOf(wayTo(p.g, []int32{s}, true, inside, func(n int32) bool { return n == s }))
	}
	l, err := p.g.lasso(stem, loop)
	if err != nil {
		return nil, err
	}
	if err := l.Replay(p.g.net); err != nil {
		return nil, &bug.Error{Stage: "replay of the progress violation", Err: err}
	}
	return l, nil
}
