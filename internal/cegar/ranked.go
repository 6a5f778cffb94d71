package cegar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// A loop that no run follows for ever, be it that some rounds of it are possible or any number,
// is excluded by a ranking function: every transition of the abstract model is labelled with
// what it does to the function, as the solver proves for all states of its valuation, and runs
// in which the function decreases again and again increase it again and again, or do not
// exist. Labels are parts of the component's own names for actions; formulas do not see them.
//
// What the argument rests on, and a certificate has to contain, is, by component, the abstract
// model and the functions (exact integers: sums of words by a reading), and for each function
// and each transition, from a state s by a block with guard g and update u, its label:
//
//	dec:   gamma(s) and g imply f >= 0 and f(u) < f
//	same:  gamma(s) and g imply f(u) <= f
//	other: nothing
//
// one query each that is unsatisfiable, gamma(s) being the valuation of s. Steps of other
// components are same. After the last step that is other for f, f never increases, so it
// decreases finitely often, since it is not negative where it does. Hence a run of the
// product of the composed models with the automaton of the negation counts only if for each
// f it has finitely many dec or infinitely many other, and there must be no accepting one:
// of each strongly connected part that is accepting, leave out the steps that are dec for an f
// for which no step in it is other, and look at the parts of the rest, until there is no
// such f, and the part is a counterexample, or no accepting part is left.

// Ranking is what excludes runs: a ranking function, or a transition invariant.
type Ranking struct {
	Function  *lasso.Function
	Invariant *lasso.TransitionInvariant // if Function is nil
}

func (r Ranking) String() string {
	if r.Function == nil {
		return r.Invariant.String()
	}
	return r.Function.String()
}

// ranked are the ranking functions of a component.
type ranked struct {
	measures []Ranking
	known    map[labelKey]lasso.Label
	base     map[string]string // of actions with labels: the action, "" for a silent one
	labels   map[string][]lasso.Label
	around   []*around
}

// labelKey is a question about a transition: what a block does to a function, from the
// states of a valuation. The label of a transition invariant depends on the state to which it leads.
type labelKey struct {
	measure, block int
	from, to       *logic.Term
}

// key is the question what a transition does.
func (r Ranking) key(measure int, m *predabs.AbstractLKS, from int32, step predabs.AbstractStep) labelKey {
	key := labelKey{measure: measure, block: step.Block, from: m.Concrete(from)}
	if r.Function == nil {
		key.to = m.Concrete(step.Target)
	}
	return key
}

// add adds a function, and reports whether it is new.
func (r *ranked) add(f *lasso.Function) bool {
	if slices.ContainsFunc(r.measures, func(g Ranking) bool { return g.Function != nil && g.String() == f.String() }) {
		return false
	}
	r.measures = append(r.measures, Ranking{Function: f})
	return true
}

// labelled makes a network of a component's model, with labels in the component's names for
// actions.
func (l *loop) labelled(k *component, together bool) (*lks.Network, error) {
	r := &k.ranked
	if len(r.measures) == 0 {
		m, err := k.model.LKS(together)
		if err != nil {
			return nil, err
		}
		return lks.Single(m), nil
	}
	if r.known == nil {
		r.known = map[labelKey]lasso.Label{}
	}
	r.base, r.labels = map[string]string{}, map[string][]lasso.Label{}
	m, err := k.model.Named(together, func(from int32, step predabs.AbstractStep) (string, error) { return l.label(k, from, step) })
	if err != nil {
		return nil, err
	}
	return lks.Single(m).Relabel(func(name string) []string {
		base, has := r.base[name]
		switch {
		case !has:
			return []string{name}
		case base == "":
			return []string{lks.TauName}
		}
		return []string{base}
	}), nil
}

// label returns the name of a transition with its labels, "" if it changes no function.
func (l *loop) label(k *component, from int32, step predabs.AbstractStep) (string, error) {
	var labels []lasso.Label
	var text strings.Builder
	for i, f := range k.ranked.measures {
		key := f.key(i, k.model, from, step)
		label, known := k.ranked.known[key]
		if !known {
			var err error
			if label, err = l.classify(k, f, from, step); err != nil {
				return "", err
			}
			k.ranked.known[key] = label
		}
		labels = append(labels, label)
		fmt.Fprintf(&text, " %v", label)
	}
	if !slices.ContainsFunc(labels, func(label lasso.Label) bool { return label != lasso.Same }) {
		return "", nil
	}
	base := k.abstracter.Actions[step.Block]
	name := base + text.String()
	k.ranked.base[name], k.ranked.labels[name] = base, labels
	return name, nil
}

// classify asks what a transition does.
func (l *loop) classify(k *component, r Ranking, from int32, step predabs.AbstractStep) (lasso.Label, error) {
	m, block := k.model, &k.abstracter.Blocks.All[step.Block]
	if r.Function != nil {
		return lasso.Classify(l.ctx, l.solver, r.Function, block.Command, m.Concrete(from))
	}
	return r.Invariant.Classify(l.ctx, l.solver, &lasso.AbstractStep{From: m.States[from].Location, To: m.States[step.Target].Location,
		Before: m.Concrete(from), After: m.Concrete(step.Target), Command: block.Command})
}

// step returns the block by which a state leads to another with the component's own name of
// an action, -1 if there is none.
func (l *loop) step(k *component, from int32, name string, to int32) (block int, err error) {
	for _, s := range k.model.Out[from] {
		if s.Target != to {
			continue
		}
		called := ""
		if len(k.ranked.measures) > 0 {
			if called, err = l.label(k, from, s); err != nil {
				return -1, err
			}
		}
		if called == "" {
			called = k.abstracter.Actions[s.Block]
		}
		if called == name || called == "" && name == lks.TauName {
			return s.Block, nil
		}
	}
	return -1, nil
}

// compassion is what ranking functions say of runs of the composed models.
func (l *loop) compassion() (all []product.Compassion) {
	for c, k := range l.components {
		for i := range k.ranked.measures {
			var pair product.Compassion
			for _, name := range sortedKeys(k.ranked.labels) {
				switch k.ranked.labels[name][i] {
				case lasso.Decrease:
					pair.Premise = append(pair.Premise, product.LocalAction{Component: c, Action: name})
				case lasso.Other:
					pair.Conclusion = append(pair.Conclusion, product.LocalAction{Component: c, Action: name})
				}
			}
			if len(pair.Premise) > 0 {
				all = append(all, pair)
			}
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// unrankedLoop is a loop that a component cannot follow for ever, or that some of its runs
// cannot.
type unrankedLoop struct {
	*projection
	once    *part // with one round
	lasso   *lasso.Lasso
	ranking *lasso.Ranking
	// infeasible: so many rounds are not possible, nil if it is not known that any are.
	infeasible  *lasso.Unrolling
	conditional bool // the ranking is of some of the runs
}

// rank makes the abstraction one that sees how the function of a loop decreases: the function
// is kept, what it rests on is tracked, and what labels are seen by, and that the stem leads
// there. It returns how much is new; where nothing is, rounds that are not possible are
// excluded.
func (l *loop) rank(u *unrankedLoop) (added int, err error) {
	k, r := u.of, u.ranking
	if k.ranked.add(&r.Function) {
		added++
	}
	head := len(u.stem)
	at := func(position int) int { return u.once.nodes[head+position].location }
	added += k.track(at(0), r.Supports)
	for i, ps := range r.Within {
		added += k.track(at(i), ps)
	}
	if r.Within == nil && len(u.loop) > 1 { // the proof is about whole rounds
		for _, p := range slices.Concat(r.Paths, u.supports()) {
			found, err := l.refuting(k, p)
			if err != nil {
				return added, err
			}
			for i, ps := range found {
				if i <= len(u.loop) {
					added += k.track(at(i%len(u.loop)), ps)
				}
			}
		}
	}
	for _, p := range u.elsewhere() {
		more, err := l.spurious(k, p)
		if added += more; err != nil {
			return added, err
		}
	}
	if added > 0 || u.infeasible == nil {
		return added, nil
	}
	unrolled, err := u.unrolled(l, u.infeasible.Rounds)
	if err != nil {
		return added, err
	}
	return l.spurious(k, unrolled)
}

// spurious excludes a part that cannot be followed, unless it is excluded.
func (l *loop) spurious(k *component, p *part) (added int, err error) {
	if gone, err := l.excludes(k, k.mapping, p); gone || err != nil {
		return 0, err
	}
	return l.exclude(k, p)
}

// elsewhere are the stem to states at the head where one of the predicates that the ranking
// rests on does not hold, for each of them; none if some runs lead there.
func (u *unrankedLoop) elsewhere() (all []*part) {
	if u.conditional {
		return nil
	}
	n := len(u.stem) + 1
	for _, f := range u.ranking.Supports {
		p := &part{of: u.once.of, nodes: slices.Clone(u.once.nodes[:n])}
		last := &p.nodes[n-1]
		last.children = nil
		if last.holds == nil || last.holds.IsTrue() {
			last.holds = logic.Not(f)
		} else {
			last.holds = logic.And(last.holds, logic.Not(f))
		}
		all = append(all, p)
	}
	return all
}

// supports are paths that cannot be run since one round of the loop keeps what a ranking rests
// on.
func (u *unrankedLoop) supports() (all []*program.Path) {
	if len(u.ranking.Supports) == 0 {
		return nil
	}
	round := u.lasso.Path(1)
	for _, f := range u.ranking.Supports {
		all = append(all, &program.Path{Vars: round.Vars, Init: logic.And(u.ranking.Supports...), Steps: round.Steps[len(u.lasso.Stem):], Error: logic.Not(f)})
	}
	return all
}

// refuting returns predicates by position that exclude a path, none if it is not known that it
// cannot be run.
func (l *loop) refuting(k *component, p *program.Path) ([][]*logic.Term, error) {
	status, _, _, err := predabs.Feasible(l.ctx, l.solver, p)
	if err != nil || status != smt.Unsat {
		return nil, err
	}
	found, err := predabs.Refine(l.ctx, l.solver, p, predabs.Interpolation, k.predicates())
	if err != nil {
		return nil, err
	}
	return found.At, nil
}
