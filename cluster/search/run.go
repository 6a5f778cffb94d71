package search

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/internal/wordfile"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// Disagreement says that workers are not about the same search: they have other files,
// options, or builds.
type Disagreement struct {
	Ranks []int // of those who differ from worker 0
}

func (e *Disagreement) Error() string {
	ranks := make([]string, len(e.Ranks))
	for i, r := range e.Ranks {
		ranks[i] = fmt.Sprint(r)
	}
	return "another task, other options or another build on worker " + strings.Join(ranks, ", ") + " than on worker 0"
}

// Run searches, as one of the workers that ex connects. Checkpoints may be nil. The result is
// the same on all workers. Limits are an Unknown result; the error is the exchange's, the
// context's, that of a task that makes no sense (Compile), a *product.FiniteRunError, a
// *Disagreement, or a *bug.Error.
func Run(ctx context.Context, ex exchange.Exchange, ck exchange.Checkpoints, task *Task, opts Options) (*Result, error) {
	c, err := task.Compile(ctx, budget.Limits{})
	if err != nil {
		return nil, err
	}
	return RunCompiled(ctx, ex, ck, c, opts)
}

// RunCompiled is Run for a task that was compiled.
func RunCompiled(ctx context.Context, ex exchange.Exchange, ck exchange.Checkpoints, c *Compiled, opts Options) (*Result, error) {
	s := &search{worker: newWorker(ctx, ex, ck, opts), Compiled: c, meter: budget.New(ctx, budget.Limits{}, nil)}
	s.result = &Result{Resumed: -1}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if err := s.decide(); err != nil {
		return nil, err
	}
	return s.summary()
}

// Stages of a search, as checkpoints name them.
const (
	stageRefuse  = iota // looking for finite runs that are to be refused
	stageExplore        // the states of the question
	stageAccept         // accepting cycles among them
)

// search is one Run.
type search struct {
	*worker
	*Compiled
	meter   *budget.Meter
	product *product.Space // of LTL
	store   explore.Store
	current *levels // what is being explored, or was last
	cycles  *owcty  // in stageAccept
	result  *Result
}

// prepare makes what is searched, and lets workers agree on it.
func (s *search) prepare() (err error) {
	s.store = s.opts.Store
	if s.store == explore.Auto || s.store == explore.Exact && s.Task.Question.Kind == LTL {
		s.store = explore.Numbered // which is exact, too
	}
	switch {
	case s.store != explore.Numbered && s.store != explore.Exact && s.store != explore.Compact:
		return fmt.Errorf("a distributed search has no %v store: numbered, exact or compact", s.store)
	case s.Task.Question.Kind != LTL:
		return s.greet("")
	case s.store != explore.Numbered:
		return fmt.Errorf("formulas need the numbered store, not %v", s.store)
	}
	s.product, err = product.NewSpace(s.Net, s.Formula, product.SpaceOptions{Finite: s.Task.Question.Finite, POR: s.Task.Question.POR}, s.meter)
	if err != nil {
		return err
	}
	s.result.Reduced = s.product.Reduced()
	return s.greet(s.product.Identity())
}

// greet has workers compare what they search, and how.
func (s *search) greet(automaton string) error {
	h := sha256.New()
	net := s.Net.Fingerprint()
	h.Write(net[:])
	fmt.Fprintf(h, "%d %s %v %v %d %d %s", Schema, s.Task.Digest(), s.store, s.opts.CheckpointEvery > 0 && s.ck != nil, s.opts.CheckpointEvery, s.size, automaton)
	fmt.Fprintf(h, "%v %v", s.Net.Props(), s.Net.Alphabet())
	// Owners must be the same for all, whatever build they are of.
	o := newOwners(s.Net, s.size)
	s.owners = o
	fmt.Fprintf(h, "%v %v", o.masks, o.shares)
	many := &owners{words: o.words, size: 1 << 16, shares: o.shares, masks: o.masks}
	for x := range uint64(64) {
		fmt.Fprint(h, many.of(slices.Repeat([]uint64{x * x << x}, s.Net.Words())))
	}
	sum := h.Sum(nil)
	for i := range 4 {
		s.identity = append(s.identity, binary.LittleEndian.Uint64(sum[i*8:]))
	}
	all, err := s.agree(&tally{Text: hex.EncodeToString(sum)})
	if err != nil {
		return err
	}
	var differ []int
	for rank, t := range all {
		if t.Text != all[0].Text {
			differ = append(differ, rank)
		}
	}
	if differ != nil {
		return &Disagreement{differ}
	}
	return nil
}

// decide searches.
func (s *search) decide() error {
	resumed, err := s.resume(s.load)
	if err != nil {
		return err
	}
	s.result.Resumed = resumed
	if s.Task.Question.Kind == LTL {
		return s.decideFormula()
	}
	return s.decideStates()
}

// load reads what a stage has saved.
func (s *search) load(stage uint64, from *wordfile.Reader) (err error) {
	switch stage {
	case stageRefuse:
		err = s.newLevels(stage)
	case stageExplore, stageAccept:
		if err = s.newLevels(stageExplore); err == nil && stage == stageAccept {
			if err = s.current.load(from); err == nil {
				s.current.sum()
				s.cycles = newOWCTY(s.current)
				return s.cycles.load(from)
			}
		}
	default:
		err = wordfile.ErrDamaged
	}
	if err != nil {
		return err
	}
	return s.current.load(from)
}

// newLevels begins a stage.
func (s *search) newLevels(stage uint64) error {
	states, err := s.space(stage)
	if err != nil {
		return err
	}
	s.owners = s.owners.ofWords(states.words())
	vis, err := newVisited(s.Net, states.words(), s.store)
	if err != nil {
		return err
	}
	s.doing = "exploring"
	s.current = newLevels(s.worker, states, vis, stage)
	return nil
}

// space returns what a stage explores.
func (s *search) space(stage uint64) (space, error) {
	q := s.Task.Question.Kind
	switch {
	case stage == stageRefuse:
		return newNetworkSpace(s.Net, foundEnd), nil
	case q == LTL:
		return newProductSpace(s.Net, s.product)
	case q == Deadlock:
		return newNetworkSpace(s.Net, foundDeadlock), nil
	case q == Error:
		return newNetworkSpace(s.Net, foundError), nil
	case q == Reach:
		goal, err := product.NewPredicate(s.Net, s.Formula)
		n := newNetworkSpace(s.Net, foundGoal)
		n.goal = goal
		return n, err
	}
	return newNetworkSpace(s.Net), nil
}

// explore works off a stage, unless the checkpoint is of a later one.
func (s *search) explore(stage uint64) error {
	if s.current == nil || s.current.stage != stage {
		if err := s.newLevels(stage); err != nil {
			return err
		}
		if err := s.current.init(); err != nil {
			return err
		}
	}
	err := s.current.run()
	s.current.sum()
	return err
}

// decideStates answers a question about states.
func (s *search) decideStates() error {
	if err := s.explore(stageExplore); err != nil {
		return err
	}
	l := s.current
	for f, state := range l.found {
		if state == nil {
			continue
		}
		trace, err := s.trace(finding(f), state)
		if err != nil || trace == nil {
			return err
		}
		s.result.Verdict, s.result.Run = report.Violated, trace
		return nil
	}
	s.conclude()
	return nil
}

// conclude answers where nothing was found.
func (s *search) conclude() {
	if l := s.current; l.ended {
		s.result.Verdict, s.result.Complete = report.Holds, true
	} else {
		s.result.Verdict, s.result.Reason = report.Unknown, l.reason
	}
}

// texts of findings, for those who cannot be shown a run.
var texts = map[finding]string{foundDeadlock: "a deadlock", foundError: "a state in error", foundGoal: "a state of which the formula is true", foundEnd: "a finite run"}

// trace returns a run to a state of the level explored last; nil, and the result is unknown,
// if that is beyond a limit.
func (s *search) trace(f finding, state []uint64) (*run.Run, error) {
	found, l := s.current, s.current
	if s.store != explore.Numbered {
		states, err := s.space(found.stage)
		if err != nil {
			return nil, err
		}
		found.vis, found.sent = nil, nil // makes room
		l = newLevels(s.worker, states, newNumbered(states.words()), found.stage)
		l.most = found.depth - 1
		l.ck = nil
		if err := l.init(); err != nil {
			return nil, err
		}
		if err := l.run(); err != nil {
			return nil, err
		}
		if l.reason != "" {
			s.result.Verdict = report.Unknown
			s.result.Reason = fmt.Sprintf("%s was found, after %d steps, but not the run there: %s", texts[f], found.depth-1, l.reason)
			return nil, nil
		}
	}
	way, err := l.way(state, found.depth-1)
	if err != nil {
		return nil, err
	}
	return runOf(s.Net, way)
}

// decideFormula answers whether all runs satisfy the formula.
func (s *search) decideFormula() error {
	if s.Task.Question.Finite == product.RefuseRuns && (s.current == nil || s.current.stage == stageRefuse) {
		if err := s.explore(stageRefuse); err != nil {
			return err
		}
		if err := s.refuse(); err != nil || s.current.reason != "" {
			return err
		}
	}
	if s.product.Trivial() {
		s.result.Verdict, s.result.Complete = report.Holds, true
		return nil
	}
	if s.cycles == nil {
		if err := s.explore(stageExplore); err != nil {
			return err
		}
		l := s.current
		s.result.FiniteMet = l.met
		for _, f := range []finding{foundUniversal, foundLoop} {
			if state := l.found[f]; state != nil {
				return s.violated(f, state)
			}
		}
		if !l.ended {
			s.conclude()
			return nil
		}
		s.cycles = newOWCTY(l)
	}
	s.result.FiniteMet = s.current.met
	s.current.ended = true
	if err := s.cycles.run(); err != nil {
		return err
	}
	if s.cycles.reason != "" {
		s.result.Verdict, s.result.Reason = report.Unknown, s.cycles.reason
		return nil
	}
	if s.cycles.left == 0 {
		s.conclude()
		return nil
	}
	return s.showCycle()
}

// refuse returns a *product.FiniteRunError if the network has a finite run.
func (s *search) refuse() error {
	l := s.current
	state := l.found[foundEnd]
	if state == nil {
		if !l.ended {
			s.conclude()
		}
		return nil
	}
	way, err := l.way(state, l.depth-1)
	if err != nil {
		return err
	}
	trace, err := runOf(s.Net, way)
	if err != nil {
		return err
	}
	return &product.FiniteRunError{Trace: stuttering(trace)}
}

// stuttering has the last state of a finite run repeat for ever.
func stuttering(r *run.Run) *run.Run {
	return &run.Run{Stem: r.Stem, Loop: []run.Step{{State: r.Last, Rule: run.Stutter}}}
}

// violated answers with a run to a state of the level explored last, from which
// all runs are accepted, or which repeats.
func (s *search) violated(f finding, state []uint64) error {
	stem, err := s.current.way(state, s.current.depth-1)
	if err != nil {
		return err
	}
	var loop []uint64
	if f == foundLoop {
		loop = slices.Concat(state, state)
	}
	return s.show(stem, loop)
}

// show answers with a run that violates the formula.
func (s *search) show(stem, loop []uint64) error {
	res, err := s.product.Violated(stem, loop, s.meter)
	if err != nil {
		return err
	}
	if ltl.Eval(s.Formula, product.Word(res.Lasso)) {
		return bug.Errorf("evaluation of the counterexample", "%v holds on it", s.Formula)
	}
	s.result.Verdict, s.result.Run, s.result.Prefix = report.Violated, res.Lasso, res.Prefix
	s.result.FiniteMet = s.result.FiniteMet || res.FiniteMet // states without successors that the run is shown by
	return nil
}

// showCycle answers with a cycle that was found.
func (s *search) showCycle() error {
	loop, err := s.cycles.cycle()
	if err != nil {
		return err
	}
	if loop == nil {
		s.result.Verdict = report.Unknown
		s.result.Reason = "there is a run that violates the formula, but it cannot be shown: " + s.cycles.reason
		return nil
	}
	state := loop[:s.product.Words()]
	level, err := s.current.levelOf(state)
	if err != nil {
		return err
	}
	stem, err := s.current.way(state, level)
	if err != nil {
		return err
	}
	return s.show(stem, loop)
}

// counted is what a worker tells all at the end.
type counted struct {
	Worker                  Worker
	Deadlocks, Ends, Errors int64
	Traffic                 traffic
}

// summary has workers tell each other what they did.
func (s *search) summary() (*Result, error) {
	s.stats.Elapsed = s.last.Sub(s.start)
	mine := counted{Worker: s.stats, Traffic: s.traffic}
	if l := s.current; l != nil {
		mine.Worker.States, mine.Worker.Expanded, mine.Worker.Transitions = l.states, l.space.noted().expanded, l.total.transitions
		mine.Deadlocks, mine.Ends, mine.Errors = l.total.deadlocks, l.total.ends, l.total.errors
		s.result.Depth = int64(l.depth)
		if l.ended || l.anything() {
			s.result.Depth = max(0, s.result.Depth-1)
		}
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	all, err := s.agree(&tally{Text: string(text)})
	if err != nil {
		return nil, err
	}
	r, sum := s.result, traffic{}
	for rank, t := range all {
		var c counted
		if err := json.Unmarshal([]byte(t.Text), &c); err != nil {
			return nil, inconsistent("the summary of worker %d cannot be read: %v", rank, err)
		}
		r.Workers = append(r.Workers, c.Worker)
		r.States += c.Worker.States
		r.Transitions += c.Worker.Transitions
		r.Deadlocks += c.Deadlocks
		r.Ends += c.Ends
		r.Errors += c.Errors
		sum.Sent += c.Traffic.Sent
		sum.Taken += c.Traffic.Taken
	}
	if sum.Sent != sum.Taken {
		return nil, inconsistent("payloads were lost, came twice, or were changed under way")
	}
	r.States -= r.Errors
	r.Rounds = s.round
	return r, nil
}
