package smt

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Options of Z3. The zero value is useful.
type Options struct {
	Path    string        // of the program; "" is "z3", searched in PATH
	RLimit  uint64        // Z3's resource units for each question, 0 without limit; deterministic
	Timeout time.Duration // for each question, 0 without limit
	Memory  int           // megabytes for each child, 0 without limit
}

// Missing is the error of NewZ3 where the program is not installed or of no use.
type Missing struct {
	Path string
	Why  string
}

func (e *Missing) Error() string {
	return fmt.Sprintf("z3 (%s): %s; install it with `apt-get install z3`, `dnf install z3` or `brew install z3`, version %d.%d or newer",
		e.Path, e.Why, minVersion[0], minVersion[1])
}

// minVersion is the oldest version that the recipes here were measured with.
var minVersion = [2]int{4, 8}

// Z3 is the Solver behind z3 processes: one for the assertions, and others for Horn
// problems, optimisation and what they ask to validate their answers.
type Z3 struct {
	Checker // validated
	*backend
	stack                  *stack
	spacer                 *spacer
	optimizer              *optimizer
	attempts               []HornSolver // of the spacer
	proved, unproved, kept HornSolver   // of the spacer, see Transformed
	forAll                 HornSolver   // of the spacer, see ForAll
	soft                   Optimizer
	others                 []*stack // see Beside
}

// backend is what the parts of a Z3 share.
type backend struct {
	options Options
	path    string
	stats   Stats
	closed  bool
	spare   *process // that nobody uses: one that a stack beside or Spacer has left, or the first one
}

var errClosed = errors.New("smt: the solver is closed")

// NewZ3 starts z3. The error is a *Missing if there is none that can be used.
func NewZ3(options Options) (*Z3, error) {
	if options.Path == "" {
		options.Path = "z3"
	}
	path, err := exec.LookPath(options.Path)
	if err != nil {
		return nil, &Missing{options.Path, "not found"}
	}
	b := &backend{options: options, path: path}
	z := &Z3{backend: b, stack: newStack(b), spacer: &spacer{backend: b}, optimizer: &optimizer{backend: b}}
	z.Checker = Validated(z.stack)
	for _, text := range spacerAttempts {
		z.attempts = append(z.attempts, z.attempt(text))
	}
	z.proved, z.unproved, z.kept = z.attempt(proved), z.attempt(transformed), z.attempt(kept)
	z.forAll = z.attempt(quantified)
	z.soft = ValidatedOptimizer(z.optimizer)
	if err := z.checkVersion(); err != nil {
		z.Close()
		return nil, err
	}
	return z, nil
}

// attempt is Spacer with some options, whose solutions are validated.
func (z *Z3) attempt(options string) HornSolver {
	return &validatedHorn{solver: &attempt{z.spacer, options}, refuter: z, mend: transforming(options)}
}

// checkVersion starts a child and asks who it is. Whoever needs one first has it.
func (z *Z3) checkVersion() error {
	child, err := z.start()
	if err != nil {
		return &Missing{z.options.Path, err.Error()}
	}
	answers, err := child.exchange(context.Background(), "(get-info :version)\n", 10*time.Second)
	if err != nil {
		return &Missing{z.options.Path, "does not answer: " + err.Error()}
	}
	z.spare = child
	version := ""
	if len(answers) == 1 && len(answers[0].List) == 2 {
		version = answers[0].List[1].Atom
	}
	major, minor, ok := parseVersion(version)
	switch {
	case !ok:
		return &Missing{z.options.Path, "does not say its version"}
	case major < minVersion[0] || major == minVersion[0] && minor < minVersion[1]:
		return &Missing{z.options.Path, "version " + version + " is too old"}
	}
	return nil
}

func parseVersion(v string) (major, minor int, ok bool) {
	parts := strings.Split(v, ".")
	if len(parts) < 2 {
		return 0, 0, false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return major, minor, err1 == nil && err2 == nil
}

// child returns the child that is left, or starts one. What it was asked before must be forgotten, by (reset).
func (b *backend) child() (p *process, left bool, err error) {
	if p = b.spare; p != nil {
		b.spare = nil
		return p, true, nil
	}
	p, err = b.start()
	return p, false, err
}

// spareWork is the most work of a child that is left to others: one that has done more may hold much memory.
const spareWork = 100_000

// leave leaves a child to whoever needs one next; false if it is not to be left.
func (b *backend) leave(p *process) bool {
	if b.closed || b.spare != nil || p.worked > spareWork || p.killed.Load() {
		return false
	}
	b.spare = p
	return true
}

func (b *backend) args() []string {
	args := []string{"-in"}
	if b.options.Memory > 0 {
		args = append(args, fmt.Sprintf("-memory:%d", b.options.Memory))
	}
	return args
}

// plainStrategy keeps z3 from putting together its default strategy after each reset: that
// takes 5 ms, and questions with assumptions do not use it.
const plainStrategy = "(set-option :tactic.default_tactic smt)\n"

// budget are the options that every child gets. Where the user's options bound nothing,
// work does (0: not either): resource units and not time, so that the answer does not
// depend on what else the machine does.
func (b *backend) budget(work uint64) string {
	var text strings.Builder
	if b.options.RLimit > 0 || b.options.Timeout > 0 {
		work = b.options.RLimit
	}
	if work > 0 {
		fmt.Fprintf(&text, "(set-option :rlimit %d)\n", work)
	}
	if b.options.Timeout > 0 {
		fmt.Fprintf(&text, "(set-option :timeout %d)\n", max(1, b.options.Timeout.Milliseconds()))
	}
	return text.String()
}

// within are the options of budget, and a bound of the work that the user's cannot raise.
func (b *backend) within(limit uint64) string {
	if own := b.options.RLimit; limit > 0 && (own == 0 || own > limit) {
		return b.budget(0) + fmt.Sprintf("(set-option :rlimit %d)\n", limit)
	}
	return b.budget(0)
}

// hardLimit is when a child that should have answered is killed: it has as long again, and
// some more to be scheduled.
func (b *backend) hardLimit() time.Duration {
	if b.options.Timeout <= 0 {
		return 0
	}
	return 2*b.options.Timeout + min(max(5*b.options.Timeout, 200*time.Millisecond), time.Second)
}

// uncounted is the hard limit of a question that work bounds, where the options give no
// timeout: z3 does not count all it does, and might never answer.
const uncounted = 5 * time.Minute

func (b *backend) count(s Status) {
	b.stats.Queries++
	switch s {
	case Sat:
		b.stats.Sat++
	case Unsat:
		b.stats.Unsat++
	default:
		b.stats.Unknown++
	}
}

// Horn implements Solver: Spacer is asked with one choice of options after the other
// until it has an answer.
func (z *Z3) Horn(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error) {
	attempts := z.attempts
	if !recursive(problem) {
		attempts = attempts[1:]
	}
	if bitVectors(problem) {
		attempts = attempts[:1] // it is slow on them, and others do no better
	}
	return z.horn(problem, func() (result HornResult, err error) {
		for i, a := range attempts {
			if result, err = a.Horn(ctx, problem, share(limit, i, len(attempts))); err != nil || result.Status != Unknown {
				break
			}
		}
		return result, err
	})
}

// againFactor is how much more work than an answer that was of no use another one may take, leastAgain what it may
// take in any case.
const (
	againFactor = 4
	leastAgain  = 1_000_000
)

// provedMost is the work up to which a proof is asked for at once. What takes more is answered without one first: proofs
// change the course of Spacer, mostly little, sometimes twentyfold.
const provedMost = 20_000_000

// Transformed implements Solver.
func (z *Z3) Transformed(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error) {
	return z.horn(problem, func() (HornResult, error) {
		if limit > 0 && limit <= provedMost {
			return z.transformed(ctx, problem, z.proved, limit)
		}
		if limit == 0 {
			before := z.stats.Work
			if result, err := z.transformed(ctx, problem, z.proved, provedMost); err != nil || result.Status != Unknown || z.stats.Work-before < provedMost {
				return result, err
			}
		}
		before := z.stats.Work
		result, err := z.transformed(ctx, problem, z.unproved, limit)
		if err != nil || result.Status != Unsat {
			return result, err
		}
		again, err := z.proved.Horn(ctx, problem, max(againFactor*(z.stats.Work-before), leastAgain))
		if err != nil || again.Status != Unsat {
			return result, err
		}
		return again, nil
	})
}

// transformed asks an attempt, and where what it says is no solution, once more with all predicates kept.
func (z *Z3) transformed(ctx context.Context, problem *horn.Problem, a HornSolver, limit uint64) (HornResult, error) {
	before := z.stats.Work
	result, err := a.Horn(ctx, problem, limit)
	if err != nil || !result.useless {
		return result, err
	}
	if limit > 0 {
		limit = min(limit, max(againFactor*(z.stats.Work-before), leastAgain))
	}
	return z.kept.Horn(ctx, problem, limit)
}

// ForAll implements Solver.
func (z *Z3) ForAll(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error) {
	return z.horn(problem, func() (HornResult, error) { return z.forAll.Horn(ctx, problem, limit) })
}

func (z *Z3) horn(problem *horn.Problem, ask func() (HornResult, error)) (HornResult, error) {
	if z.closed {
		return HornResult{}, errClosed
	}
	z.stats.Horn++
	if overFunctions(problem) {
		z.count(Unknown)
		return HornResult{Reason: "Horn clauses over unknown functions"}, nil
	}
	if overFloats(problem) {
		z.count(Unknown)
		return HornResult{Reason: "Horn clauses over floating-point numbers"}, nil
	}
	result, err := ask()
	if err != nil {
		return HornResult{}, err
	}
	z.count(result.Status)
	return result, nil
}

// Refute implements Solver.
func (z *Z3) Refute(ctx context.Context, problem *horn.Problem, limit uint64) (horn.Refutation, error) {
	if z.closed {
		return nil, errClosed
	}
	if overFunctions(problem) || overFloats(problem) {
		return nil, nil
	}
	return z.spacer.refute(ctx, problem, limit), ctx.Err()
}

// HornShares is what part of the work of a Horn problem each way of asking may do at least: one that came to its
// limit has done so much.
const HornShares = 13

// share is the limit of one of some attempts: the first one has three quarters of the work, and the others the rest.
func share(limit uint64, i, attempts int) uint64 {
	switch {
	case limit == 0 || attempts == 1:
		return limit
	case i == 0:
		return limit - limit/4
	}
	rest := uint64(attempts - 1)
	return (limit/4 + rest - 1) / rest
}

// Maximize implements Solver by assert-soft.
func (z *Z3) Maximize(ctx context.Context, hard, soft []*logic.Term, weights []int) (status Status, m logic.Model, best bool, err error) {
	if len(soft) != len(weights) {
		panic("smt: as many weights as soft formulas, please")
	}
	if z.closed {
		return Unknown, nil, false, errClosed
	}
	status, m, best, err = z.soft.Maximize(ctx, hard, soft, weights)
	if err == nil {
		z.count(status)
	}
	return status, m, best, err
}

// Beside implements Solver.
func (z *Z3) Beside() (Checker, func()) {
	other := newStack(z.backend)
	other.words = true
	z.others = append(z.others, other)
	return Validated(withProducts{other}), func() {
		z.others = slices.DeleteFunc(z.others, func(s *stack) bool { return s == other })
		other.close()
	}
}

// Stats implements Solver.
func (z *Z3) Stats() Stats { return z.stats }

// Close implements Solver.
func (z *Z3) Close() error {
	z.closed = true
	for _, other := range z.others {
		defer other.close()
	}
	for _, p := range []**process{&z.stack.proc, &z.spacer.proc, &z.optimizer.proc, &z.spare} {
		if child := *p; child != nil {
			child.kill()
			*p = nil
			defer child.gone()
		}
	}
	return nil
}
