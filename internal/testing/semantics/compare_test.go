package semantics_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/conform/equivalence"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/semantics"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// TestEngine compares the answers of the engine with the meaning of random models.
// SELTL_MODELS is their number, SELTL_SEED the first seed.
func TestEngine(t *testing.T) {
	n, seed := number("SELTL_MODELS", soak.Long(50)), number("SELTL_SEED", 1)
	shape := semantics.Small
	c := &comparison{counts: map[string]int{}, kinds: map[string]int{}}
	shown := map[string]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(seed+i), 2))
		model, meaning := semantics.Random(r, shape)
		model.CountFeatures(meaning, c.counts)
		for _, d := range c.compare(model, meaning) {
			c.kinds[d.question]++
			if shown[d.question]++; shown[d.question] <= number("SELTL_SHOW", 2) {
				small := semantics.Shrink(model, func(m *semantics.Model) bool { return question(m, d.question) != "" })
				t.Errorf("seed %d: %s: %s\n%s", seed+i, d.question, question(small, d.question), small.Text())
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(c.counts)) {
		t.Logf("%8d %s", c.counts[k], k)
	}
	for _, k := range slices.Sorted(maps.Keys(c.kinds)) {
		t.Errorf("%8d DIFFERENCES of %s", c.kinds[k], k)
	}
	t.Logf("seeds %d to %d", seed, seed+n-1)
}

// question compares again, and returns the difference of one question.
func question(m *semantics.Model, name string) string {
	meaning := semantics.NewMeaning(m, semantics.Small.MaxStates)
	if len(m.Processes)+len(m.Composites) == 0 || !m.Valid(meaning) {
		return ""
	}
	c := &comparison{counts: map[string]int{}, kinds: map[string]int{}}
	for _, d := range c.compare(m, meaning) {
		if d.question == name {
			return d.text
		}
	}
	return ""
}

// difference is an answer of the engine that differs from the meaning.
type difference struct{ question, text string }

type comparison struct {
	counts, kinds map[string]int
	found         []difference
}

func (c *comparison) differ(question, format string, args ...any) {
	c.found = append(c.found, difference{question, fmt.Sprintf(format, args...)})
}

// failed says that the engine refused a model. What it says is part of the question,
// so that it remains when the model becomes smaller.
func (c *comparison) failed(question string, err error) {
	text := err.Error()
	if list, ok := errors.AsType[syntax.Diagnostics](err); ok {
		for _, d := range list {
			if d.Severity == source.Error {
				text = d.Error()
				question += ": " + d.Code
				break
			}
		}
	}
	c.differ(question, "%s", text)
}

func (c *comparison) same(question string, engine, meaning any) {
	c.counts["compared: "+question]++
	if engine != meaning {
		c.differ(question, "the engine says %v, the meaning is %v", engine, meaning)
	}
}

// compare asks everything about the default process of a model.
func (c *comparison) compare(model *semantics.Model, meaning *semantics.Meaning) []difference {
	c.found = nil
	r := rand.New(rand.NewPCG(uint64(len(model.Text())), 3))
	process := model.Default()
	file, err := syntax.ParseText("random.lks", model.Text())
	if err != nil {
		c.failed("parse", err)
		return c.found
	}
	compiled, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		c.failed("compile", err)
		return c.found
	}
	asked, silent, err := meaning.Asked(process)
	if err != nil {
		panic(err)
	}
	seen, err := meaning.Seen(process)
	if err != nil {
		panic(err)
	}
	c.sizes(compiled, process, seen)
	c.questions(compiled, process, asked, model)
	query := &semantics.Query{Graph: asked, Silent: silent, Fluents: model.Fluents}
	for _, p := range model.LTLs {
		c.ltl(r, compiled, process, p, query)
	}
	for _, p := range model.Asserts {
		c.assert(compiled, process, p, query)
	}
	return c.found
}

// graphOf is an LKS of the engine as a graph.
func graphOf(m *lks.LKS) *semantics.Graph {
	g := &semantics.Graph{Alphabet: map[string]bool{}, Props: map[string]bool{}, States: make([]semantics.State, m.NumStates())}
	names := m.Alphabet()
	for _, a := range names[1:] {
		g.Alphabet[a] = true
	}
	for _, p := range m.Props() {
		g.Props[p] = true
	}
	if len(m.Initial()) != 1 || m.Initial()[0] != 0 {
		panic("the initial state is not number 0")
	}
	for s := range g.States {
		state := &g.States[s]
		state.Kind = map[lks.Kind]semantics.Kind{lks.Normal: semantics.Normal, lks.End: semantics.End, lks.Error: semantics.Error}[m.Kind(int32(s))]
		for _, p := range m.Label(int32(s)) {
			state.Props = append(state.Props, m.Props()[p])
		}
		slices.Sort(state.Props)
		for _, e := range m.Edges(int32(s)) {
			state.Edges = append(state.Edges, semantics.Edge{Action: names[e.Action], To: int(e.Target)})
		}
	}
	return g
}

// bisimilar compares graphs by a relation, and what they know.
func (c *comparison) bisimilar(question string, engine, meaning *semantics.Graph, by semantics.Equivalence) {
	c.counts["compared: "+question]++
	switch {
	case !semantics.Equivalent(engine, meaning, by):
		c.differ(question, "not %s equivalent:\nengine %v\nmeaning %v", by, engine.States, meaning.States)
	case !maps.Equal(engine.Alphabet, meaning.Alphabet):
		c.differ(question, "alphabets: engine %v, meaning %v", engine.Alphabet, meaning.Alphabet)
	case !maps.Equal(engine.Props, meaning.Props):
		c.differ(question+": propositions", "propositions: engine %v, meaning %v", engine.Props, meaning.Props)
	}
}

// sizes compares the composition as it is seen from outside: stats and compose.
func (c *comparison) sizes(compiled *fsp.Model, process string, seen *semantics.Graph) {
	net, err := compiled.Network(process)
	if err != nil {
		c.failed("network", err)
		return
	}
	m, err := net.Build(nil)
	if err != nil {
		c.differ("build", "%v", err)
		return
	}
	states, transitions := seen.Sizes()
	st := m.Stats()
	c.same("stats: states", st.States, states)
	c.same("stats: transitions", st.Transitions, transitions)
	c.same("stats: deadlock", st.Deadlocks > 0, seen.Deadlock() >= 0)
	c.bisimilar("compose", graphOf(m), seen, semantics.Strong)
	c.rewritten("compose, written and read", m, seen, semantics.Strong)
	for q, by := range map[lks.Equivalence]semantics.Equivalence{lks.Strong: semantics.Strong, lks.Weak: semantics.Weak, lks.Branching: semantics.Branching} {
		small, err := lks.Minimise(m, q, nil)
		if err != nil {
			c.differ("minimise", "%v", err)
			continue
		}
		c.bisimilar("minimise "+string(by), graphOf(small), seen, by)
		c.rewritten("minimise "+string(by)+", written and read", small, seen, by)
	}
	if small, err := lks.Determinise(m, lks.AllTraces, nil); err == nil {
		c.bisimilar("minimise trace", graphOf(small), seen, semantics.Traces)
	} else {
		c.differ("minimise trace", "%v", err)
	}
}

// rewritten compares what is read again after it was written.
func (c *comparison) rewritten(question string, m *lks.LKS, seen *semantics.Graph, by semantics.Equivalence) {
	var text strings.Builder
	if err := fsp.Write(&text, m); err != nil {
		if !strings.Contains(err.Error(), "ERROR") {
			c.differ(question, "%v", err)
		}
		return
	}
	file, err := syntax.ParseText("written.lks", text.String())
	if err != nil {
		c.differ(question, "%v\n%s", err, text.String())
		return
	}
	compiled, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		c.differ(question, "%v\n%s", err, text.String())
		return
	}
	net, err := compiled.Network("")
	if err != nil {
		c.differ(question, "%v\n%s", err, text.String())
		return
	}
	again, err := net.Build(nil)
	if err != nil {
		c.differ(question, "%v", err)
		return
	}
	c.bisimilar(question, graphOf(again), seen, by)
}

// questions compares deadlock, ERROR and progress.
func (c *comparison) questions(compiled *fsp.Model, process string, asked *semantics.Graph, model *semantics.Model) {
	ctx := context.Background()
	net, err := compiled.Composition(process)
	if err != nil {
		c.failed("composition", err)
		return
	}
	if m, err := net.Build(nil); err != nil {
		c.differ("build", "%v", err)
	} else {
		c.bisimilar("composition", graphOf(m), asked, semantics.Strong)
	}
	shortest := asked.Deadlock()
	for _, method := range []deadlock.Method{deadlock.Auto, deadlock.Plain, deadlock.Iter, deadlock.Tree} {
		res, err := deadlock.Check(ctx, net, deadlock.Options{Method: method})
		question := fmt.Sprintf("deadlock %v", method)
		switch {
		case err != nil || res.Reason != nil:
			c.differ(question, "%v, %v", err, res.Reason)
		default:
			c.same(question, !res.Free(), shortest >= 0)
			if method == deadlock.Plain && !res.Free() && shortest >= 0 {
				c.same("deadlock: shortest trace", res.Deadlock.Trace.Len(), shortest)
			}
		}
	}
	var props []fairchoice.ProgressProperty
	for _, p := range model.Progress {
		props = append(props, fairchoice.ProgressProperty{Name: p.Name, Condition: p.If, Actions: p.Actions})
	}
	report, err := fairchoice.Progress(ctx, net, props, product.Options{})
	if err != nil {
		c.differ("progress", "%v", err)
		return
	}
	c.same("ERROR reachable", report.Error != nil, asked.ErrorDistance() >= 0)
	if report.Error != nil && asked.ErrorDistance() >= 0 {
		c.same("ERROR: shortest trace", report.Error.Len()-len(report.Error.Loop), asked.ErrorDistance())
	}
	for i, p := range model.Progress {
		r := report.Results[i]
		c.same("progress", r.Verdict != product.Violated || r.Clear, asked.Progresses(p))
		if r.Clear {
			holds, some := asked.ProgressesClear(p)
			c.same("progress clear of ERROR", r.Verdict == product.Holds, holds && some)
			c.same("runs clear of ERROR", r.Verdict != product.Unknown, some)
		}
	}
}

// verdict asks the engine.
func (c *comparison) verdict(question string, p *fsp.Property, choice bool, opts product.Options, meaning bool) {
	decide := product.Verify
	if choice {
		decide = fairchoice.Verify
	}
	res, err := decide(context.Background(), p.Network, p.Formula, opts)
	if err != nil {
		if _, ok := errors.AsType[*bug.Error](err); ok {
			question += ": internal error"
		}
		c.differ(question, "%v", err)
		return
	}
	c.counts["compared: "+question]++
	if engine := res.Verdict == product.Holds; engine != meaning {
		c.differ(question, "%s (%v): engine holds %v, meaning %v, counterexample %v", p.Text, p.Formula, engine, meaning, res.Lasso)
	}
}

func (c *comparison) ltl(r *rand.Rand, compiled *fsp.Model, process string, p *semantics.Property, q *semantics.Query) {
	property, err := compiled.Property(process, p.Name)
	if err != nil {
		c.failed("ltl: read", err)
		return
	}
	stutter := q.Runs(semantics.Stutter)
	c.verdict("ltl, stutter", property, false, product.Options{}, stutter.Satisfies(p.Formula, nil))
	for name, opts := range map[string]product.Options{
		"components": {Reductions: product.Reductions{Reduce: product.ReduceComponents, POR: product.NoPOR}},
		"tree":       {Reductions: product.Reductions{Reduce: product.ReduceTree, POR: product.NoPOR}},
		"tree, por":  {Reductions: product.Reductions{Reduce: product.ReduceTree, POR: product.EagerPOR}},
		"por":        {Reductions: product.Reductions{POR: product.EagerPOR}},
	} {
		c.verdict("ltl, reduced: "+name, property, false, opts, stutter.Satisfies(p.Formula, nil))
	}
	c.verdict("ltl, ignore", property, false, product.Options{Finite: product.IgnoreRuns}, q.Runs(semantics.Ignore).Satisfies(p.Formula, nil))
	c.verdict("ltl, fair choice", property, true, product.Options{}, stutter.SatisfiesByChoice(p.Formula))
	c.verdict("ltl, fair processes", property, false, product.Options{Fairness: product.ProcessFairness}, stutter.Satisfies(p.Formula, q.Graph.FairLeaves()))
	actions := slices.Sorted(maps.Keys(q.Graph.Alphabet))
	if len(actions) == 0 {
		return
	}
	set := semantics.FairSet{Strong: r.IntN(2) == 0, Actions: []string{actions[r.IntN(len(actions))], actions[r.IntN(len(actions))]}}
	sets := []product.FairSet{{Actions: slices.Compact(slices.Clone(set.Actions)), Strong: set.Strong}}
	c.verdict("ltl, fair set", property, false, product.Options{FairSets: sets}, stutter.Satisfies(p.Formula, []semantics.FairSet{set}))
}

func (c *comparison) assert(compiled *fsp.Model, process string, p *semantics.Property, q *semantics.Query) {
	property, err := compiled.Property(process, p.Name)
	if err != nil {
		c.failed("assert: read", err)
		return
	}
	runs := q.AssertRuns()
	c.verdict("assert, fair choice", property, true, product.Options{}, runs.SatisfiesByChoice(p.Formula))
	c.verdict("assert, all runs", property, false, product.Options{}, runs.Satisfies(p.Formula, nil))
}

// TestEquivalent compares equivalences of random pairs of processes.
func TestEquivalent(t *testing.T) {
	n, seed := number("SELTL_MODELS", soak.Long(1000)), number("SELTL_SEED", 1)
	shape := semantics.Small
	counts := map[string]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(seed+i), 4))
		shape.Props = r.IntN(2) == 0
		model, _ := semantics.RandomPair(r, shape)
		for relation, by := range relations {
			if text := unequal(model, relation, by, counts); text != "" {
				small := semantics.Shrink(model, func(m *semantics.Model) bool { return unequal(m, relation, by, map[string]int{}) != "" })
				t.Errorf("seed %d: %s: %s\n%s", seed+i, by, unequal(small, relation, by, counts), small.Text())
			}
		}
	}
	t.Logf("seeds %d to %d: %v", seed, seed+n-1, counts)
}

var relations = map[equivalence.Relation]semantics.Equivalence{
	equivalence.Strong:    semantics.Strong,
	equivalence.Weak:      semantics.Weak,
	equivalence.Branching: semantics.Branching,
	equivalence.Trace:     semantics.Traces,
}

// unequal says how the engine's answer about P and Q differs from the meaning.
func unequal(model *semantics.Model, relation equivalence.Relation, by semantics.Equivalence, counts map[string]int) string {
	meaning := semantics.NewMeaning(model, semantics.Small.MaxStates)
	p, err1 := meaning.Seen("P")
	q, err2 := meaning.Seen("Q")
	if err1 != nil || err2 != nil || !maps.Equal(p.Alphabet, q.Alphabet) || !maps.Equal(p.Props, q.Props) {
		return ""
	}
	file, err := syntax.ParseText("pair.lks", model.Text())
	if err != nil {
		return err.Error()
	}
	compiled, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		return err.Error()
	}
	a, err1 := compiled.Network("P")
	b, err2 := compiled.Network("Q")
	if err := errors.Join(err1, err2); err != nil {
		return err.Error()
	}
	res, err := equivalence.Check(context.Background(), a, b, equivalence.Options{Relation: relation})
	if err != nil {
		return err.Error()
	}
	same := semantics.Equivalent(p, q, by)
	counts[fmt.Sprint(by, " ", same)]++
	if res.Equivalent() != same {
		return fmt.Sprintf("the engine says %v, the meaning is %v", res.Equivalent(), same)
	}
	return ""
}
