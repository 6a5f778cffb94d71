package cegar

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// asked is a random question: to the engine, and as a task of the checker of certificates.
type asked struct {
	task     certificate.Task
	property *Property
	opts     Options
}

func randomAsked(r *rand.Rand) *asked {
	a := &asked{opts: Options{Predicates: Source(r.IntN(3)), Without: passes.Default()}}
	a.task.Question = certificate.Question(r.IntN(3))
	switch a.task.Question {
	case certificate.Conformance:
		actions, all := []string{"a", "b", "c"}, map[string]bool{}
		lost := r.IntN(10) == 0
		for i := range 1 + r.IntN(2) {
			c := randomComponent(r, string(rune('p'+i)), [][]string{actions, actions[:2], actions[1:]}[r.IntN(3)], lost)
			a.task.Components = append(a.task.Components, c)
			for _, x := range c.Alphabet {
				all[x] = true
			}
		}
		a.task.Spec = randomSpec(r, slices.Sorted(maps.Keys(all)))
		a.opts.Traces = r.IntN(3) == 0
		a.task.Traces = a.opts.Traces
	case certificate.Deadlock:
		a.task.Components = randomTogether(r)
		for _, c := range a.task.Components {
			decided(c)
		}
	default:
		a.task.Components, a.property = randomProperty(r)
		waitSomewhere(r, a.task.Components)
		a.task.Formula, a.task.Finite, a.task.Fairness = a.property.Formula, certificate.Finite(a.property.Finite), certificate.Fairness(a.property.Fairness)
		for i, all := range a.property.Propositions {
			for _, p := range all {
				a.task.Observe(i, certificate.Prop{Name: p.Name, Formula: p.Formula, At: p.At}, p.Undefined)
			}
		}
	}
	return a
}

// answer asks the engine.
func (a *asked) answer(t *testing.T, pool *smt.Pool) *Answer {
	t.Helper()
	ctx := context.Background()
	var out *Answer
	var err error
	switch a.task.Question {
	case certificate.Conformance:
		var r *Result
		if r, err = Simulates(ctx, a.task.Components, a.task.Spec, pool, a.opts); r != nil {
			out = &r.Answer
		}
	case certificate.Deadlock:
		var r *DeadlockResult
		if r, err = DeadlockFree(ctx, a.task.Components, pool, a.opts); r != nil {
			out = &r.Answer
		}
	default:
		var r *SatisfiesResult
		if r, err = Satisfies(ctx, a.task.Components, a.property, pool, a.opts); r != nil {
			out = &r.Answer
		}
	}
	if _, ok := errors.AsType[*NoInitialState](err); ok {
		return &Answer{}
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// proves asks the checker, of what is written and read again.
func (a *asked) proves(t *testing.T, pool *smt.Pool, c *certificate.Certificate) error {
	t.Helper()
	ctx := context.Background()
	var text bytes.Buffer
	if err := c.Write(&text, a.task.Components); err != nil {
		t.Fatal(err)
	}
	again, err := certificate.Read(&text, a.task.Components)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(solver)
	err = certificate.Check(ctx, &a.task, again, solver, budget.New(ctx, budget.Limits{}, nil))
	var refused *certificate.Refused
	if err != nil && !errors.As(err, &refused) {
		t.Fatal(err)
	}
	return err
}

// copied is a certificate that can be changed.
func copied(c *certificate.Certificate) *certificate.Certificate {
	out := &certificate.Certificate{Question: c.Question}
	for _, k := range c.Components {
		k.Initial, k.Cuts, k.States = slices.Clone(k.Initial), slices.Clone(k.Cuts), slices.Clone(k.States)
		for i := range k.Cuts {
			k.Cuts[i].Predicates = slices.Clone(k.Cuts[i].Predicates)
		}
		for i := range k.States {
			s := &k.States[i]
			s.Holds, s.Props, s.Steps = slices.Clone(s.Holds), slices.Clone(s.Props), slices.Clone(s.Steps)
		}
		out.Components = append(out.Components, k)
	}
	return out
}

// mutants are ways to spoil a certificate; false if it has nothing of the kind.
var mutants = map[string]func(r *rand.Rand, t *certificate.Task, component int, k *certificate.Component) bool{
	"drop a transition": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		s := &k.States[r.IntN(len(k.States))]
		if len(s.Steps) == 0 {
			return false
		}
		i := r.IntN(len(s.Steps))
		s.Steps = slices.Delete(s.Steps, i, i+1)
		return true
	},
	"redirect a transition": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		s := &k.States[r.IntN(len(k.States))]
		if len(s.Steps) == 0 || len(k.States) < 2 {
			return false
		}
		step := &s.Steps[r.IntN(len(s.Steps))]
		step.To = (step.To + 1 + r.IntN(len(k.States)-1)) % len(k.States)
		return true
	},
	"drop a state": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		if len(k.States) < 2 {
			return false
		}
		gone := r.IntN(len(k.States))
		move := func(n int) int {
			if n > gone {
				n--
			}
			return n
		}
		k.States = slices.Delete(k.States, gone, gone+1)
		for i := range k.States {
			steps := slices.DeleteFunc(k.States[i].Steps, func(s certificate.Step) bool { return s.To == gone })
			for j := range steps {
				steps[j].To = move(steps[j].To)
			}
			k.States[i].Steps = steps
		}
		k.Initial = slices.DeleteFunc(k.Initial, func(i int) bool { return i == gone })
		for i := range k.Initial {
			k.Initial[i] = move(k.Initial[i])
		}
		return true
	},
	"drop an initial state": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		i := r.IntN(len(k.Initial))
		k.Initial = slices.Delete(k.Initial, i, i+1)
		return true
	},
	"flip a valuation": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		s := &k.States[r.IntN(len(k.States))]
		if len(s.Holds) == 0 {
			return false
		}
		i := r.IntN(len(s.Holds))
		s.Holds[i] = !s.Holds[i]
		return true
	},
	"drop a predicate": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		cut := &k.Cuts[r.IntN(len(k.Cuts))]
		if len(cut.Predicates) == 0 {
			return false
		}
		i := r.IntN(len(cut.Predicates))
		cut.Predicates = slices.Delete(cut.Predicates, i, i+1)
		for j := range k.States {
			if s := &k.States[j]; s.Location == cut.Location {
				s.Holds = slices.Delete(s.Holds, i, i+1)
			}
		}
		return true
	},
	"drop a location": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		i := r.IntN(len(k.Cuts))
		if slices.ContainsFunc(k.States, func(s certificate.State) bool { return s.Location == k.Cuts[i].Location }) {
			return false
		}
		k.Cuts = slices.Delete(k.Cuts, i, i+1)
		return true
	},
	"remove an offer": func(r *rand.Rand, _ *certificate.Task, _ int, k *certificate.Component) bool {
		s := &k.States[r.IntN(len(k.States))]
		if len(s.Steps) == 0 {
			return false
		}
		a := s.Steps[r.IntN(len(s.Steps))].Action
		s.Steps = slices.DeleteFunc(s.Steps, func(x certificate.Step) bool { return x.Action == a })
		return true
	},
	"add an offer": func(r *rand.Rand, t *certificate.Task, component int, k *certificate.Component) bool {
		s := &k.States[r.IntN(len(k.States))]
		actions := append([]string{""}, t.Components[component].Alphabet...)
		a := actions[r.IntN(len(actions))]
		if slices.ContainsFunc(s.Steps, func(x certificate.Step) bool { return x.Action == a }) {
			return false
		}
		s.Steps = append(s.Steps, certificate.Step{Action: a, To: r.IntN(len(k.States))})
		return true
	},
	"change a label": func(r *rand.Rand, t *certificate.Task, component int, k *certificate.Component) bool {
		if component >= len(t.Props) || len(t.Props[component]) == 0 {
			return false
		}
		s := &k.States[r.IntN(len(k.States))]
		p := t.Props[component][r.IntN(len(t.Props[component]))].Name
		if i := slices.Index(s.Props, p); i >= 0 {
			s.Props = slices.Delete(s.Props, i, i+1)
		} else {
			s.Props = append(s.Props, p)
			slices.Sort(s.Props)
		}
		return true
	},
}

// TestCertificates: what holds has a certificate that is accepted, and of each kind of
// mutants many are not. What fails has none: not the models that it fails with, and no mutant of these.
func TestCertificates(t *testing.T) {
	pool := common
	accepted, rejected, passed := map[certificate.Question]int{}, map[string]int{}, map[string]int{}
	kinds := slices.Sorted(maps.Keys(mutants))
	for seed := range uint64(soak.Long(48)) {
		r := rand.New(rand.NewPCG(seed, 81))
		a := randomAsked(r)
		got := a.answer(t, pool)
		if got.Verdict == outcome.Unknown || len(got.Models) == 0 {
			continue
		}
		c := got.Certificate(a.task.Question)
		err := a.proves(t, pool, c)
		switch {
		case got.Verdict == outcome.Holds && err != nil:
			t.Errorf("seed %d: %v: %v", seed, a.task.Question, err)
		case got.Verdict == outcome.Violated && err == nil:
			t.Errorf("seed %d: %v: it fails, and has a certificate", seed, a.task.Question)
		case got.Verdict == outcome.Holds:
			accepted[a.task.Question]++
		}
		for range 6 {
			m := copied(c)
			i, kind := r.IntN(len(m.Components)), kinds[r.IntN(len(kinds))]
			if !mutants[kind](r, &a.task, i, &m.Components[i]) {
				continue
			}
			switch err := a.proves(t, pool, m); {
			case err == nil && got.Verdict == outcome.Violated:
				t.Errorf("seed %d: %v: it fails, and after %s has a certificate", seed, a.task.Question, kind)
			case err == nil:
				passed[kind]++
			default:
				rejected[kind]++
			}
		}
	}
	t.Log(accepted, "accepted; mutants rejected", rejected, "and accepted, since they prove it as well", passed)
	if testing.Short() {
		return
	}
	for q := range certificate.Question(3) {
		if accepted[q] == 0 {
			t.Errorf("%v: no certificate", q)
		}
	}
	for kind := range mutants {
		if rejected[kind] == 0 {
			t.Errorf("%s: none is rejected", kind)
		}
	}
}

// TestCertificatesOfOthers: a certificate proves nothing about another program, or another
// specification, unless that holds there, too.
func TestCertificatesOfOthers(t *testing.T) {
	pool := common
	rejected, accepted := map[string]int{}, 0
	for seed := range uint64(soak.Long(20)) {
		r := rand.New(rand.NewPCG(seed, 82))
		a := randomAsked(r)
		got := a.answer(t, pool)
		if got.Verdict != outcome.Holds {
			continue
		}
		c := got.Certificate(a.task.Question)
		for range 4 {
			b := *a
			kind := "another program"
			if a.task.Spec != nil && r.IntN(2) == 0 {
				kind = "another specification"
				b.task.Spec = weakened(t, r, a.task.Spec)
			} else {
				b.task.Components = changedProgram(r, a.task.Components)
			}
			if b.proves(t, pool, c) != nil {
				rejected[kind]++
				continue
			}
			accepted++
			if other := b.answer(t, pool); other.Verdict == outcome.Violated {
				t.Errorf("seed %d: %v: %s fails, and has a certificate", seed, a.task.Question, kind)
			}
		}
	}
	t.Log(rejected, "rejected,", accepted, "hold as well")
	if !testing.Short() && (len(rejected) < 2 || accepted == 0) {
		t.Error("a kind of outcome is missing")
	}
}

// weakened is a specification that can do less.
func weakened(t *testing.T, r *rand.Rand, spec *lks.LKS) *lks.LKS {
	b := lks.NewBuilder(spec.Name())
	for _, a := range spec.Alphabet()[1:] {
		b.Action(a)
	}
	gone, n := r.IntN(max(1, spec.NumTransitions())), 0
	for q := range int32(spec.NumStates()) {
		b.StateID(spec.Kind(q), nil)
		for _, e := range spec.Edges(q) {
			if n++; n-1 != gone {
				b.Transition(q, spec.Alphabet()[e.Action], e.Target)
			}
		}
	}
	b.Initial(spec.Initial()...)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// changedProgram has another guard, or another value, in one edge.
func changedProgram(r *rand.Rand, components []*program.Component) []*program.Component {
	out := slices.Clone(components)
	i := r.IntN(len(out))
	c, sys := *out[i], *out[i].System
	out[i], c.System = &c, &sys
	sys.Edges = slices.Clone(sys.Edges)
	if len(sys.Edges) == 0 {
		return out
	}
	e := &sys.Edges[r.IntN(len(sys.Edges))]
	command := *e.Command
	e.Command = &command
	switch r.IntN(3) {
	case 0:
		command.Guard = logic.Not(command.Guard)
	case 1:
		command.Guard = logic.True()
	default:
		updated := map[*logic.Term]*logic.Term{}
		maps.Copy(updated, command.Update)
		command.Update = updated
		command.Update[sys.Vars[r.IntN(2)]] = word(r.IntN(4))
	}
	return out
}
