package cegar

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// anyOptions draws every option of a question.
func anyOptions(r *rand.Rand, seed uint64, components []*program.Component) Options {
	opts := Options{Predicates: Source(r.IntN(3)), Minimise: Minimisation(r.IntN(5)), Apart: r.IntN(2) == 0, Levels: Levels(r.IntN(3)), Traces: r.IntN(3) == 0, Trees: r.IntN(5), Seed: seed}
	switch r.IntN(3) {
	case 0:
		opts.Without = passes.Default()
	case 1:
		opts.Without = slices.DeleteFunc(passes.Default(), func(passes.Pass) bool { return r.IntN(2) == 0 })
	}
	if r.IntN(4) == 0 {
		opts.MaxSubsets, opts.MaxEliminating = 1+r.IntN(20), 1+r.IntN(5)
	}
	if r.IntN(8) == 0 {
		opts.Rounds = 1 + r.IntN(4)
	}
	if r.IntN(3) == 0 {
		for _, c := range components[:1+r.IntN(len(components))] {
			m := make(predabs.Mapping, len(c.System.Locations))
			for l := range m {
				if r.IntN(3) == 0 {
					m.Add(l, logic.BVULe(c.System.Vars[r.IntN(2)], word(r.IntN(4))))
				}
			}
			opts.User = append(opts.User, m)
		}
	}
	return opts
}

// drawn names the options that a question was asked with, by name.
func (o Options) drawn() []string {
	bound := func(n int) string { return map[bool]string{true: "bounded", false: "not bounded"}[n > 0] }
	return []string{"predicates " + o.Predicates.String(), "minimise " + o.Minimise.String(), fmt.Sprint("apart ", o.Apart), "levels " + o.Levels.String(), fmt.Sprint("passes ", len(passes.Default())-len(o.Without)),
		fmt.Sprint("traces ", o.Traces), fmt.Sprint("user ", len(o.User) > 0), "subsets " + bound(o.MaxSubsets), "rounds " + bound(o.Rounds)}
}

// tally counts answers, and those that are open, by option and by reason.
type tally struct {
	verdicts      map[outcome.Verdict]int
	all, open     map[string]int
	reasons       map[string]int
	certificates  int
	withoutProofs int
}

var numbers = regexp.MustCompile(`\b[pqrs]\b|alive [abc]|\be?[0-9]+`)

func (y *tally) note(opts Options, a *Answer) {
	if y.verdicts == nil {
		y.verdicts, y.all, y.open, y.reasons = map[outcome.Verdict]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	}
	y.verdicts[a.Verdict]++
	for _, o := range opts.drawn() {
		y.all[o]++
		if a.Verdict == outcome.Unknown {
			y.open[o]++
		}
	}
	if a.Verdict == outcome.Unknown {
		y.reasons[numbers.ReplaceAllString(fmt.Sprint(a.Reason), "_")]++
	}
}

func (y *tally) log(t *testing.T, question string) {
	t.Helper()
	var all []string
	for _, o := range sortedKeys(y.all) {
		all = append(all, fmt.Sprintf("%s: %d of %d", o, y.open[o], y.all[o]))
	}
	t.Logf("%s: %v, %d certificates, %d proofs without one; undecided: %s", question, y.verdicts, y.certificates, y.withoutProofs, strings.Join(all, ", "))
	for _, why := range sortedKeys(y.reasons) {
		t.Logf("%s: %d times undecided: %s", question, y.reasons[why], why)
	}
	for _, v := range []outcome.Verdict{outcome.Holds, outcome.Violated} {
		if y.verdicts[v] == 0 && !testing.Short() {
			t.Errorf("%s: %v never comes", question, v)
		}
	}
}

// mayBeOpen reports whether options alone explain that there is no answer.
func (o Options) mayBeOpen() bool {
	return o.Predicates == Branches || o.Rounds > 0
}

// certified asks the checker of certificates about an answer that holds.
func (y *tally) certified(t *testing.T, seed uint64, pool *smt.Pool, a *asked, got *Answer) {
	t.Helper()
	if got.Verdict != outcome.Holds || len(got.Models) == 0 {
		return
	}
	c := got.Certificate(a.task.Question)
	if c == nil {
		y.withoutProofs++
		return
	}
	y.certificates++
	if err := a.proves(t, pool, c); err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
}

// TestEveryOption asks all three questions with every option drawn at random, and compares the
// answers with those about the network that components mean, which is built explicitly. Violations
// are replayed edge by edge, and evaluated by the definitions; proofs have certificates.
func TestEveryOption(t *testing.T) {
	pool := common
	var y [3]tally
	for seed := range uint64(soak.Long(50)) {
		r := rand.New(rand.NewPCG(seed, 180))
		switch q := certificate.Question(seed % 3); q {
		case certificate.Conformance:
			anyConformance(t, seed, r, pool, &y[q])
		case certificate.Deadlock:
			anyDeadlock(t, seed, r, pool, &y[q])
		default:
			anySatisfaction(t, seed, r, pool, &y[q])
		}
	}
	for q := range y {
		y[q].log(t, certificate.Question(q).String())
	}
}

func anyConformance(t *testing.T, seed uint64, r *rand.Rand, pool *smt.Pool, y *tally) {
	a := &asked{}
	for a.task.Spec == nil {
		a = randomAsked(r)
	}
	a.opts = anyOptions(r, seed, a.task.Components)
	a.task.Traces = a.opts.Traces
	var parts []*lks.Network
	_, lost := explicitly(t, a.task.Components)
	for _, c := range a.task.Components {
		parts = append(parts, concrete(t, c))
	}
	preorder := conform.Weak
	if a.opts.Traces {
		preorder = conform.Trace
	}
	wanted, err := conform.Check(context.Background(), composed(t, parts), widened(t, a.task.Spec, a.task.Components), conform.Options{Preorder: preorder, SilentSpec: conform.Saturate})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Simulates(context.Background(), a.task.Components, a.task.Spec, pool, a.opts)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	y.note(a.opts, &got.Answer)
	if x := got.Counterexample; x != nil {
		for i, p := range x.Parts {
			executed(t, a.task.Components[i], &p)
		}
	}
	open := got.Verdict == outcome.Unknown && (lost || a.opts.mayBeOpen())
	if !open && (got.Verdict == outcome.Unknown || (got.Verdict == outcome.Holds) != wanted.Holds()) {
		t.Errorf("seed %d: conformance: verdict %d (%s), wanted %v with %+v", seed, got.Verdict, got.Reason, wanted.Holds(), a.opts)
	}
	y.certified(t, seed, pool, a, &got.Answer)
}

func anyDeadlock(t *testing.T, seed uint64, r *rand.Rand, pool *smt.Pool, y *tally) {
	a := &asked{}
	a.task.Question, a.task.Components = certificate.Deadlock, randomTogether(r)
	a.opts = anyOptions(r, seed, a.task.Components)
	net, lost := explicitly(t, a.task.Components)
	free := naive.Explore(net).Deadlock() < 0
	got, err := DeadlockFree(context.Background(), a.task.Components, pool, a.opts)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	y.note(a.opts, &got.Answer)
	open := got.Verdict == outcome.Unknown && (lost && free || a.opts.mayBeOpen() || unclear(a.task.Components))
	switch {
	case !open && (got.Verdict == outcome.Unknown || (got.Verdict == outcome.Holds) != (free && !lost)):
		t.Errorf("seed %d: deadlock: verdict %d (%s), free %v, lost %v with %+v", seed, got.Verdict, got.Reason, free, lost, a.opts)
	case got.Verdict == outcome.Violated:
		deadlocked(t, seed, a.task.Components, got.Deadlock)
	}
	y.certified(t, seed, pool, a, &got.Answer)
}

func anySatisfaction(t *testing.T, seed uint64, r *rand.Rand, pool *smt.Pool, y *tally) {
	a := &asked{}
	for a.property == nil {
		a = randomAsked(r)
	}
	a.opts = anyOptions(r, seed, a.task.Components)
	var parts []*lks.Network
	for i, c := range a.task.Components {
		parts = append(parts, observed(t, c, seenOf(a.property.Propositions[i])))
	}
	net := composed(t, parts)
	got, err := Satisfies(context.Background(), a.task.Components, a.property, pool, a.opts)
	if err != nil {
		t.Fatalf("seed %d: %v: %v", seed, a.property.Formula, err)
	}
	y.note(a.opts, &got.Answer)
	if got.Verdict == outcome.Violated {
		violation(t, seed, a.task.Components, a.property, got)
	}
	y.certified(t, seed, pool, a, &got.Answer)
	if why, err := product.IgnoresSilentSteps(net, a.property.Formula, nil); why != "" || err != nil {
		return // the abstract models may have other labels, of which it is asked
	}
	wanted, ends := wantedVerdict(t, net, a.task.Components, a.property)
	open := got.Verdict == outcome.Unknown && (a.opts.mayBeOpen() || unclear(a.task.Components))
	if !open && (got.Verdict != wanted || got.Ends != ends) {
		t.Errorf("seed %d: %v: verdict %d (%s), ends %v, wanted %d, %v with %+v after %d rounds", seed, a.property.Formula, got.Verdict, got.Reason, got.Ends, wanted, ends, a.opts, len(got.Rounds))
	}
}
