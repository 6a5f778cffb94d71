package armc

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// k-induction with facts ([Sheeran00], incrementally as in [EenSorensson03]): no run of
// less than k blocks meets an error, and none of k blocks, from anywhere, meets its first
// error at the end. Both are questions to one unrolling: that it begins where runs do is an
// assumption, facts hold at every step.
//
// The certificate is an inductive invariant as of all methods: the facts, and that no error
// is less than k blocks away, which is a formula by weakest preconditions. It is kept:
// were there an error less than k blocks away after a block, and none before it, then it
// would be k blocks away, along states of which only the last is an error.

// maxInduction bounds k: what is proved so at all mostly is with a small one, and the
// invariant grows with the number of paths of that length.
const maxInduction = 12

func (r *run) induction() error {
	checker, end := r.solver.Beside()
	defer end()
	u := r.newUnrolling(checker)
	initial := u.beginAnywhere()
	for k := 1; ; k++ {
		r.result.Stats.Iterations, r.result.Stats.States = k, k
		// Errors at k-1 blocks, none before.
		if bad := u.error(k - 1); !bad.IsFalse() {
			m, err := u.solve(k, bad, initial)
			if err != nil {
				return err
			}
			if m != nil {
				return u.found(m, []*logic.Term{bad}, k-1)
			}
			u.checker.Assert(logic.Not(bad))
		}
		if err := u.step(k); err != nil {
			return err
		}
		m, err := u.reached(k)
		if err != nil {
			return err
		}
		if m == nil {
			return u.inductive(k)
		}
		if k == maxInduction || k == r.options.Rounds {
			return &outcome.Stuck{What: fmt.Sprintf("no error is %d blocks away or less, but that it never will be does not follow by %d-induction", k-1, k)}
		}
	}
}

// reached returns a run from anywhere that meets its first error after k blocks, nil if
// there is none.
func (u *unrolling) reached(k int) (logic.Model, error) {
	bad := u.error(k)
	if bad.IsFalse() {
		return nil, nil
	}
	return u.solve(k+1, bad)
}

// beginAnywhere is begin for runs that start in any state which the facts allow. The
// formula it returns says that it is an initial one.
func (u *unrolling) beginAnywhere() (initial *logic.Term) {
	u.assumed = u.known.at
	for b, block := range u.blocks.All {
		u.add(block.To, leap{blocks: []int{b}, command: block.Command})
	}
	u.open(0)
	initial = logic.Var("@initial", logic.Bool)
	for l, init := range u.blocks.Init {
		start := logic.And(logic.Or(logic.Not(initial), init), u.assumed[l])
		u.checker.Assert(logic.Implies(u.stand(0, l), logic.Substitute(start, u.vars[0])))
	}
	return initial
}

// inductive makes the invariant that no error is less than k blocks away.
func (u *unrolling) inductive(k int) error {
	now := make([]*logic.Term, len(u.sys.Locations))
	for l := range now {
		now[l] = logic.Not(u.blocks.Error[l])
	}
	for range k - 1 {
		if err := u.tick("induction", k); err != nil {
			return err
		}
		next := make([]*logic.Term, len(now))
		size := 0
		for l := range now {
			all := []*logic.Term{logic.Not(u.blocks.Error[l])}
			for _, b := range u.blocks.Out[l] {
				before, ok := whatever(u.blocks.All[b].Command, now[u.blocks.All[b].To])
				if !ok {
					return &outcome.Stuck{What: fmt.Sprintf("there is a proof by %d-induction, of which no invariant can be written down", k)}
				}
				all = append(all, before)
			}
			next[l] = logic.And(all...)
			size += next[l].Size()
		}
		if size > largestInduction {
			return &outcome.Stuck{What: fmt.Sprintf("there is a proof by %d-induction, whose invariant is too large", k)}
		}
		now = next
	}
	return u.safe(now)
}

// largestInduction bounds the size of an invariant by k-induction.
const largestInduction = 1_000_000

// whatever is the weakest precondition of f for a command, whatever its inputs are, or
// something stronger, where inputs cannot be eliminated exactly. ok is false if that is too large.
func whatever(c *program.Command, f *logic.Term) (before *logic.Term, ok bool) {
	if len(c.Inputs) == 0 {
		return logic.Implies(c.Guard, c.After(f)), true
	}
	cubes, ok := logic.DNF(logic.And(c.Guard, c.After(logic.Not(f))), maxWhatever)
	if !ok {
		return nil, false
	}
	all := []*logic.Term{}
	for _, cube := range cubes {
		some, _ := logic.Project(cube, c.Inputs)
		all = append(all, logic.Not(logic.And(some...)))
	}
	return logic.And(all...), true
}

// maxWhatever bounds the cubes of which inputs are eliminated.
const maxWhatever = 256
