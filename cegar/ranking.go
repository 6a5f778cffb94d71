package cegar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/predabs/lasso"
	"github.com/seltl/seltl/product"
)

// A lasso of the abstract models whose every unrolling is possible, but which a component
// cannot follow for ever, is excluded by a ranking function f of the component: each step of
// its abstract model is labelled by what every concrete step that it stands for does to f,
// and of the runs of the models only those count in which steps that decrease f again and
// again come with steps that may increase it again and again. All runs of the program are
// such, since f is not negative where it decreases.

// rankings are the functions that are known of a component.
type rankings struct {
	functions []*lasso.Function
	labels    map[labelled]lasso.Label
	names     []string // of the labelled actions of the last model, sorted
}

// labelled is a step of which a label is known: what holds where it begins, the block and the
// function.
type labelled struct {
	from            *logic.Term
	block, function int
}

func newRankings() *rankings { return &rankings{labels: map[labelled]lasso.Label{}} }

// separator is between the name of an action and its labels, one letter of letters for
// each function.
const (
	separator = " # "
	letters   = "osd" // by lasso.Label
)

// plain returns the name of an action without labels.
func plain(action string) string {
	name, _, _ := strings.Cut(action, separator)
	return name
}

// label asks for the labels of all steps of a component's model.
func (l *loop) label(k *component) error {
	r, m := k.rankings, k.model
	if r.names = nil; len(r.functions) == 0 {
		return nil
	}
	l.solver.Limit(lasso.EnoughWork)
	defer l.solver.Limit(questionWork)
	type step struct {
		from  int32
		block int
	}
	suffixes := map[step]string{}
	for s, steps := range m.Out {
		from := m.Concrete(int32(s))
		for _, x := range steps {
			at := step{int32(s), x.Block}
			if _, done := suffixes[at]; done {
				continue
			}
			suffix := ""
			for i, f := range r.functions {
				key := labelled{from, x.Block, i}
				label, known := r.labels[key]
				if !known {
					var err error
					if label, err = lasso.Classify(l.ctx, l.solver, f, k.abstracter.Blocks.All[x.Block].Command, from); err != nil {
						return err
					}
					r.labels[key] = label
				}
				suffix += letters[label : label+1]
			}
			if suffix = separator + suffix; strings.Trim(suffix[len(separator):], letters[lasso.Same:lasso.Same+1]) == "" {
				suffix = ""
			}
			suffixes[at] = suffix
			if suffix == "" {
				continue
			}
			name := lks.TauName
			if a := k.abstracter.Actions[x.Block]; a != "" {
				name = a
			}
			if name += suffix; !slices.Contains(r.names, name) {
				r.names = append(r.names, name)
			}
		}
	}
	slices.Sort(r.names)
	m.Suffix = func(state int32, block int) string { return suffixes[step{state, block}] }
	return nil
}

// unlabelled is the network of a model in which labels are not seen.
func unlabelled(m *lks.LKS) *lks.Network {
	if !slices.ContainsFunc(m.Alphabet(), func(a string) bool { return a != plain(a) }) {
		return lks.Single(m)
	}
	return lks.Single(m).Relabel(func(a string) []string { return []string{plain(a)} })
}

// compassion says of all functions that they do not decrease for ever.
func (l *loop) compassion() (all []product.Compassion) {
	for c, k := range l.components {
		for i := range k.rankings.functions {
			var pair product.Compassion
			for _, name := range k.rankings.names {
				_, labels, _ := strings.Cut(name, separator)
				at := product.LocalAction{Component: c, Action: name}
				switch labels[i] {
				case letters[lasso.Decrease]:
					pair.Premise = append(pair.Premise, at)
				case letters[lasso.Other]:
					pair.Conclusion = append(pair.Conclusion, at)
				}
			}
			if len(pair.Premise) > 0 {
				all = append(all, pair)
			}
		}
	}
	return all
}

// rank makes use of a ranking function: it is known from now on, with the predicates that
// its labels rest on, and with those by which the abstract stem leads to where they hold.
func (s *satisfaction) rank(f *foundLasso, round *Round, component int, p *projection, r *lasso.Ranking) error {
	k := s.components[component]
	if !r.Labelled() {
		f.unanswered = fmt.Sprintf("%s cannot follow a counterexample for ever, since %v decreases in every round, but not step by step", k.abstracter.Component.Name, &r.Function)
		return nil
	}
	known := func(g *lasso.Function) bool { return g.String() == r.Function.String() }
	if !slices.ContainsFunc(k.rankings.functions, known) {
		k.rankings.functions = append(k.rankings.functions, &r.Function)
		f.ranked = true
	}
	once, err := p.unrolled(1)
	if err != nil {
		return err
	}
	head := len(p.stem)
	track := func(position int, ps []*logic.Term) {
		at := once.nodes[head+position].location
		for _, q := range ps {
			k.seeds.empty.Add(at, q)
		}
		round.New += k.track(at, ps)
	}
	track(0, r.Supports)
	for i, ps := range r.Within {
		track(i, ps)
	}
	if r.Within == nil && len(p.loop) > 1 { // a proof about rounds
		for _, path := range r.Paths {
			found, err := predabs.Refine(s.ctx, s.solver, path, predabs.Interpolation, k.predicates())
			if err != nil {
				return err
			}
			for i, ps := range found.At[:len(path.Steps)] {
				track(i, ps)
			}
		}
	}
	if !slices.Contains(round.Refined, component) {
		round.Refined = append(round.Refined, component)
		slices.Sort(round.Refined)
	}
	if err := s.reaches(f, component, p, r.Supports); err != nil {
		return err
	}
	if !f.ranked && round.New == 0 && len(f.spurious) == 0 {
		f.unanswered = fmt.Sprintf("%s cannot follow a counterexample for ever, since %v decreases, but its abstraction does not see that", k.abstracter.Component.Name, &r.Function)
	}
	f.ranked = f.ranked || round.New > 0
	return nil
}

// reaches writes down that a component cannot come by the stem of a lasso to a state in which
// some predicates do not hold all.
func (s *satisfaction) reaches(f *foundLasso, component int, p *projection, predicates []*logic.Term) error {
	if len(predicates) == 0 || len(p.stem) == 0 {
		return nil
	}
	stem, err := p.unrolled(0)
	if err != nil {
		return err
	}
	last := &stem.nodes[len(stem.nodes)-1]
	elsewhere := logic.Not(logic.And(predicates...))
	if last.holds != nil {
		elsewhere = logic.And(last.holds, elsewhere)
	}
	last.holds = elsewhere
	f.spurious = append(f.spurious, spurious{component, stem})
	return nil
}
