package fairchoice

import (
	"context"
	"slices"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/finite"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/silent"
)

// Verify decides whether f holds in all runs under fair choice in the
// sense of LTSA: whatever finite sequence of transitions is possible again and
// again happens again and again. These are the runs of a random walk through the
// network; f holds iff a random walk satisfies it with probability 1, whatever
// the probabilities are.
//
// LTSA looks for terminal sets of states in the product with a Büchi automaton,
// which depends on the automaton and can miss violations; here the answer is
// exact. The method is that of [CourcoubetisYannakakis95], section 3.1: temporal operators
// are eliminated from the inside out. For each, the states of the walk are split
// into those where it holds with probability 1, with probability 0, and a copy
// of either kind for the rest. The walk's states are here the transitions of the
// network, since events are part of what is true. A state without successors
// repeats itself with no event, as under StutterRuns. Under IgnoreRuns the walk is
// conditioned on not ending: steps after which it ends with probability 1 are
// left out, and the rest is again a walk with positive probabilities. Where every
// walk ends with probability 1 no run counts, so that every formula holds, with
// Result.NoRuns set. RefuseRuns gives a *FiniteRunError as in Verify.
//
// Regular expressions that no rule says by other operators cannot be eliminated so; then the whole
// formula is decided as VerifyAutomaton does it.
//
// All of the network and of the nodes of the refined walk is kept in memory: some 30
// bytes per transition, of which some 10 at most double with each temporal operator
// whose value is open somewhere. Of opts, Limits, Progress and Finite are used.
func Verify(ctx context.Context, net *lks.Network, f *ltl.Formula, opts product.Options) (*product.Result, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	if f == nil {
		return nil, ltl.ErrNil
	}
	if err := suits(opts); err != nil {
		return nil, err
	}
	w := newWalk(ctx, net, opts)
	w.f = f
	if f.HasRegexp() {
		// Simple ones are said by other operators.
		w.f = ltl.Simplify(f, ltl.SimplifyOptions{})
	}
	if w.f.HasRegexp() {
		return w.answer(w.byAutomaton)
	}
	return w.answer(w.run)
}

// VerifyAutomaton is Verify for a property that an automaton says: f holds iff a random walk satisfies
// it with probability 1. The automaton is determinised along the runs, unless it is deterministic; all
// pairs of a state of the network and one of the deterministic automaton are kept in memory, with 20
// bytes for each step. There are no bad prefixes.
func VerifyAutomaton(ctx context.Context, net *lks.Network, l product.Language, opts product.Options) (*product.Result, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	if l.Automaton == nil {
		return nil, product.ErrNoAutomaton
	}
	if err := suits(opts); err != nil {
		return nil, err
	}
	w := newWalk(ctx, net, opts)
	return w.answer(func() error { return w.byLanguage(l) })
}

// suits returns a *product.StoreError for a store that is not for fair choice.
func suits(opts product.Options) error {
	if opts.Store != explore.Auto && opts.Store != explore.Numbered {
		return &product.StoreError{Store: opts.Store, Why: "is not for fair choice, which needs numbered states"}
	}
	return nil
}

func newWalk(ctx context.Context, net *lks.Network, opts product.Options) *walk {
	w := &walk{net: net, opts: opts, meter: budget.New(ctx, opts.Limits, opts.Progress)}
	w.result = &product.Result{Finite: opts.Finite, Fairness: product.ChoiceFairness, Emptiness: product.Components, Workers: 1, Store: explore.Numbered, Coverage: 1, NoPORBecause: silent.FairnessSees}
	if opts.Symmetry {
		w.result.NoSymmetryBecause = silent.FairnessSees
	}
	if opts.Reduce != product.NoReduce && opts.Reduce != product.AutoReduce {
		w.result.NoReductionBecause = silent.FairnessSees
	}
	return w
}

// answer is the result of work that a limit may end.
func (w *walk) answer(work func() error) (*product.Result, error) {
	err := budget.Within(work)
	if budget.Stopped(err) {
		w.result.Verdict, w.result.Reason = product.Unknown, err
		return w.result, nil
	}
	if err != nil {
		return nil, err
	}
	return w.result, nil
}

// walk is the random walk, refined step by step, and what is known of it.
type walk struct {
	walkGraph
	net    *lks.Network
	f      *ltl.Formula
	opts   product.Options
	meter  *budget.Meter
	result *product.Result
	bind   *meet.Binding
	letter []int32 // by state of the network: the valuation of its atoms
	atoms  map[ltl.Atom]int

	// truth is what is known of temporal subformulas, by node.
	truth map[*ltl.Formula][]bool
	// fulfilled has, for each until, the nodes at which it does not wait for its
	// right side: a loop through one of them keeps the until's promise.
	fulfilled [][]bool
}

// explore makes the state graph of the network, with what is true of the atoms, and returns the states
// that count (nil: all).
func (w *walk) explore(atoms []ltl.Atom) (counts []bool, err error) {
	if w.bind, err = meet.NewBinding(w.net, atoms); err != nil {
		return nil, err
	}
	if w.opts.Finite == product.RefuseRuns {
		trace, err := finite.Find(w.net, w.meter, w.opts.Limits, nil)
		if err != nil {
			return nil, err
		}
		if trace != nil {
			return nil, &product.FiniteRunError{Trace: trace}
		}
	}
	w.g, err = newStateGraph(w.net, w.meter, func(state []uint64, succ *lks.Successors) {
		w.letter = append(w.letter, w.bind.LetterOf(state, succ))
	})
	if err != nil {
		return nil, err
	}
	return w.goesOn()
}

func (w *walk) run() error {
	start := time.Now()
	core := coreForm(w.f)
	atoms := ltl.Atoms(w.f)
	counts, err := w.explore(atoms)
	if err != nil {
		return err
	}
	w.atoms = map[ltl.Atom]int{}
	for i, a := range atoms {
		w.atoms[a] = i
	}
	w.truth = map[*ltl.Formula][]bool{}
	w.begin(counts)
	w.result.NoRuns = len(w.initial()) == 0
	for _, sub := range ltl.Subformulas(core) { // operands come first
		switch sub.Op() {
		case ltl.Next:
			err = w.next(sub)
		case ltl.Until, ltl.Eventually:
			err = w.until(sub)
		default:
			if sub.IsPast() {
				err = w.past(sub)
			}
		}
		if err != nil {
			return err
		}
	}
	w.result.FiniteMet = w.g.stops
	w.result.Stats.ModelStates = int64(w.g.states.Len())
	w.result.Stats.States, w.result.Stats.Transitions = int64(w.Nodes()), w.countEdges()
	w.result.Stats.StoreBytes = w.g.states.Table.Bytes() + w.bytes()
	w.result.Stats.Search = time.Since(start)

	value := w.eval(core)
	if !slices.ContainsFunc(w.initial(), func(n int32) bool { return !value[n] }) {
		w.result.Verdict = product.Holds
		return nil
	}
	return w.violated(value, counts)
}

// coreForm writes a formula with X, F, U, past operators and boolean operators only.
func coreForm(f *ltl.Formula) *ltl.Formula {
	memo := map[*ltl.Formula]*ltl.Formula{}
	not := ltl.MakeNot
	for _, g := range ltl.Subformulas(f) {
		args := lists.Map(g.Args(), func(a *ltl.Formula) *ltl.Formula { return memo[a] })
		switch g.Op() {
		case ltl.Always:
			memo[g] = not(ltl.MakeEventually(not(args[0])))
		case ltl.Release: // f R g = !(!f U !g)
			memo[g] = not(ltl.MakeUntil(not(args[0]), not(args[1])))
		case ltl.WeakUntil: // f W g = !(!g U (!f & !g))
			memo[g] = not(ltl.MakeUntil(not(args[1]), ltl.MakeAnd(not(args[0]), not(args[1]))))
		case ltl.StrongRelease: // f M g = g U (f & g)
			memo[g] = ltl.MakeUntil(args[1], ltl.MakeAnd(args[0], args[1]))
		case ltl.Atomic:
			memo[g] = g
		default:
			memo[g] = ltl.Make(g.Op(), args...)
		}
	}
	return memo[f]
}

// goesOn returns the states from which a walk need not end: those that lead to a
// terminal set other than a state without successors. nil: all count.
func (w *walk) goesOn() ([]bool, error) {
	g := w.g
	if w.opts.Finite != product.IgnoreRuns || !g.stops {
		return nil, nil
	}
	scc, err := components(g, func() error { return g.tick("looking for runs that do not end") })
	if err != nil {
		return nil, err
	}
	lives := make([]bool, len(scc.terminal)) // by component
	counts := make([]bool, g.Nodes())
	for s := range int32(g.Nodes()) {
		lives[scc.of[s]] = scc.terminal[scc.of[s]] && !g.deadEnd(s)
	}
	members := make([][]int32, len(lives))
	for s := range int32(g.Nodes()) {
		members[scc.of[s]] = append(members[scc.of[s]], s)
	}
	for c := range lives { // components come after those that they lead to
		for _, s := range members[c] {
			for _, t := range g.successors(s) {
				lives[c] = lives[c] || lives[scc.of[t]]
			}
		}
		for _, s := range members[c] {
			counts[s] = lives[c]
		}
	}
	return counts, nil
}

// tick asks the meter now and then.
func (w *walk) tick(n int) error {
	if n%budget.TickEvery != 0 {
		return nil
	}
	return w.meter.Tick(budget.Progress{Phase: "splitting", States: int64(w.g.Nodes()), Transitions: int64(w.Nodes())})
}

// atom returns the truth of an atom at every node.
func (w *walk) atom(a ltl.Atom) []bool {
	i := w.atoms[a]
	word, bit := i/64, uint64(1)<<(i%64)
	value := make([]bool, w.Nodes())
	words := w.bind.Words
	for n, e := range w.edge {
		v := w.bind.Letter[int(w.letter[w.source[e]])*words+word]
		if r := w.g.rule[e]; r != run.Stutter {
			v |= w.bind.Events[w.bind.Class[r]][word]
		}
		value[n] = v&bit != 0
	}
	return value
}

// eval returns the truth of a formula at every node; its temporal subformulas
// have been eliminated.
func (w *walk) eval(f *ltl.Formula) []bool {
	memo := map[*ltl.Formula][]bool{}
	var eval func(f *ltl.Formula) []bool
	eval = func(f *ltl.Formula) []bool {
		if v, ok := w.truth[f]; ok {
			return v
		}
		if v, ok := memo[f]; ok {
			return v
		}
		v := make([]bool, w.Nodes())
		args := lists.Append(nil, f.Args(), func(a *ltl.Formula) []bool { return eval(a) })
		if f.Op() == ltl.Atomic {
			v = w.atom(f.Atom())
		} else {
			operands := make([]bool, len(args))
			for n := range v {
				for i, a := range args {
					operands[i] = a[n]
				}
				v[n] = boolean(f.Op(), operands)
			}
		}
		memo[f] = v
		return v
	}
	return eval(f)
}

// boolean applies a boolean operator.
func boolean(op ltl.Op, args []bool) bool {
	switch op {
	case ltl.True:
		return true
	case ltl.Not:
		return !args[0]
	case ltl.And:
		return !slices.Contains(args, false)
	case ltl.Or:
		return slices.Contains(args, true)
	case ltl.Xor:
		return args[0] != args[1]
	case ltl.Implies:
		return !args[0] || args[1]
	case ltl.Iff:
		return args[0] == args[1]
	}
	return false
}

// The probability of a formula at a node.
const (
	probabilityZero uint8 = iota
	probabilityOne
	probabilityBetween
)

// next eliminates f = X g.
func (w *walk) next(f *ltl.Formula) error {
	value := w.eval(f.Args()[0])
	probability := make([]uint8, w.Nodes())
	for n := range probability {
		yes, no := false, false
		for m, end := w.candidates(int32(n)); m < end && !(yes && no); m++ {
			if w.follows(int32(n), m) {
				yes, no = yes || value[m], no || !value[m]
			}
		}
		switch {
		case yes && no:
			probability[n] = probabilityBetween
		case yes:
			probability[n] = probabilityOne
		}
		if err := w.tick(n); err != nil {
			return err
		}
	}
	_, err := w.split(f, probability, nil, value)
	return err
}

// until eliminates f = g U h, or F h.
func (w *walk) until(f *ltl.Formula) error {
	args := f.Args()
	right := w.eval(args[len(args)-1])
	var left []bool // nil: true
	if len(args) == 2 {
		left = w.eval(args[0])
	}
	pending := make([]bool, w.Nodes())
	for n := range pending {
		pending[n] = (left == nil || left[n]) && !right[n]
	}
	possible, err := w.backwards(right, pending, w.tick)
	if err != nil {
		return err
	}
	hopeless := make([]bool, w.Nodes())
	for n := range hopeless {
		hopeless[n] = !possible[n]
	}
	avoidable, err := w.backwards(hopeless, pending, w.tick)
	if err != nil {
		return err
	}
	probability := make([]uint8, w.Nodes())
	for n := range probability {
		switch {
		case !possible[n]:
			probability[n] = probabilityZero
		case !avoidable[n]:
			probability[n] = probabilityOne
		default:
			probability[n] = probabilityBetween
		}
	}
	origin, err := w.split(f, probability, pending, nil)
	if err != nil {
		return err
	}
	// Where the until waits and will come true, a loop must pass its right side.
	done := make([]bool, w.Nodes())
	for n, value := range w.truth[f] {
		old := int32(n)
		if origin != nil {
			old = origin[n]
		}
		done[n] = !value || !pending[old]
	}
	w.fulfilled = append(w.fulfilled, done)
	return nil
}

// past eliminates a past operator: nodes get a bit for what it has to know of the node before.
func (w *walk) past(f *ltl.Formula) error {
	args := f.Args()
	right := w.eval(args[len(args)-1])
	left := right
	if len(args) == 2 {
		left = w.eval(args[0])
	}
	law := func(n int32, bit bool) bool {
		switch f.Op() {
		case ltl.Once:
			return right[n] || bit
		case ltl.Historically:
			return right[n] && bit
		case ltl.Since:
			return right[n] || left[n] && bit
		case ltl.Triggered:
			return right[n] && (left[n] || bit)
		}
		return bit // Y and Z
	}
	handed := law
	if f.Op() == ltl.Yesterday || f.Op() == ltl.WeakYesterday {
		handed = func(n int32, _ bool) bool { return right[n] }
	}
	first := f.Op() == ltl.WeakYesterday || f.Op() == ltl.Historically || f.Op() == ltl.Triggered
	origin, bit, err := w.remember(first, handed, w.tick)
	if err != nil {
		return err
	}
	w.inherit(origin)
	value := make([]bool, len(origin))
	for k, n := range origin {
		value[k] = law(n, bit[k])
	}
	w.truth[f] = value
	return nil
}

// inherit gives copies of nodes what is known of these.
func (w *walk) inherit(origin []int32) {
	for g, old := range w.truth {
		w.truth[g] = inherit(old, origin)
	}
	for i, old := range w.fulfilled {
		w.fulfilled[i] = inherit(old, origin)
	}
}

// split refines the walk by the value of f, whose probability is given by node. It
// returns what the nodes were before, or nil if they are what they were. needs and
// have are those of walkGraph.split.
func (w *walk) split(f *ltl.Formula, probability []uint8, needs, have []bool) ([]int32, error) {
	if !slices.Contains(probability, probabilityBetween) {
		value := make([]bool, w.Nodes())
		for n, p := range probability {
			value[n] = p == probabilityOne
		}
		w.truth[f] = value
		return nil, nil
	}
	origin, value, err := w.walkGraph.split(probability, needs, have, w.tick)
	if err != nil {
		return nil, err
	}
	w.inherit(origin)
	w.truth[f] = value
	return origin, nil
}

// violated shows a violation: by a run, and a bad prefix if there is one.
func (w *walk) violated(value, counts []bool) error {
	start := time.Now()
	lasso, err := w.explain(value)
	if err != nil {
		return err
	}
	return w.shown(lasso, counts, start)
}

// shown is the result of a run that violates the formula, and a bad prefix if there is one.
func (w *walk) shown(lasso *run.Run, counts []bool, start time.Time) (err error) {
	p := &product.PrefixQuestion{
		Net: w.net, Formula: w.f, Lasso: lasso, Meter: w.meter,
		Most: w.most(w.g.Nodes()), Counts: product.EveryState, Anywhere: true,
	}
	if counts != nil {
		p.Counts = func(state []uint64) bool { return counts[w.g.states.Find(state)] }
	}
	if w.result.Prefix, err = product.FindBadPrefix(p); err != nil {
		return err
	}
	w.result.Verdict, w.result.Lasso = product.Violated, lasso
	w.result.Stats.Trace = time.Since(start)
	return nil
}

func (w *walk) edges(nodes []int32) []int64 {
	return lists.Map(nodes, func(n int32) int64 { return int64(w.edge[n]) })
}
