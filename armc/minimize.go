package armc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Predicate minimisation ([Chaki05], ch. 7) of a finished proof of the forward
// method, in two steps:
//
// The spurious paths that the method met are kept with all sets of predicates,
// one from each refinement method, that are proved to exclude them. A smallest
// set for all of them (procedure 7.1) is tried; a new spurious path is one path
// more (procedure 7.2), until there is a proof or no smaller set is left. Then
// predicates are left out one by one (procedure 7.3).
//
// During refinement, where procedure 7.2 does it, it does not pay here: smallest
// sets for short paths mislead, and selection sort is not proved any more.
type minimization struct {
	known  []LocatedPredicate
	number map[LocatedPredicate]int
	paths  [][][]int // by path: alternative sets of numbers
	seen   map[string]bool
}

// spuriousPath is one that the method met.
type spuriousPath struct {
	path      *program.Path
	locations []int
	blocks    []int
}

// minimizeProof replaces the predicates and the graph of a proof if that makes the
// certificate smaller. It asks the solver at most about twice as much as the
// proof did.
func (l *abstRefineLoop) minimizeProof() error {
	before, plain := *l, l.invariant()
	size := certificateSize(plain)
	limit := 2*l.prover.Stats().Queries + 200
	if l.deadline == 0 || limit < l.deadline {
		defer func(deadline int) { l.deadline = deadline }(l.deadline)
		l.deadline = limit
	}
	best, err := l.smallestForPaths(before.predicates)
	if err == nil {
		best, err = l.leaveOut(best)
	}
	if err == nil || isLimit(err) {
		l.deadline = 0
		_, err = l.proves(best) // the graph was that of the last attempt
	}
	if err == nil && certificateSize(l.invariant()) < size {
		l.plain, err = l.certificate(plain)
		return err
	}
	l.predicates, l.nodes, l.at, l.live, l.worklist = before.predicates, before.nodes, before.at, before.live, before.worklist
	if isLimit(err) {
		return nil
	}
	return err
}

// isLimit reports an error that leaves the question open.
func isLimit(err error) bool {
	var limit *budget.Exhausted
	return ended(err) || errors.As(err, &limit)
}

func certificateSize(invariant []*logic.Term) int {
	size := 0
	for _, f := range invariant {
		size += f.Size()
	}
	return size
}

func count(predicates [][]*logic.Term) int {
	n := 0
	for _, ps := range predicates {
		n += len(ps)
	}
	return n
}

// proves abstracts everything anew with the predicates and returns a node that
// overlaps with error states, nil if there is none.
func (l *abstRefineLoop) proves(predicates [][]*logic.Term) (bad *node, err error) {
	l.predicates = predicates
	if err := l.restart(); err != nil {
		return nil, err
	}
	return l.reach()
}

// leaveOut drops one predicate after the other, the newest first, as long as the
// rest is a proof.
func (l *abstRefineLoop) leaveOut(best [][]*logic.Term) ([][]*logic.Term, error) {
	for loc := len(best) - 1; loc >= 0; loc-- {
		for i := len(best[loc]) - 1; i >= 0; i-- {
			fewer := slices.Clone(best)
			fewer[loc] = slices.Delete(slices.Clone(best[loc]), i, i+1)
			bad, err := l.proves(fewer)
			if err != nil {
				return best, err
			}
			if bad == nil {
				best = fewer
			}
		}
	}
	return best, nil
}

// smallestForPaths looks for a proof with the smallest set of predicates that
// excludes all spurious paths.
func (l *abstRefineLoop) smallestForPaths(best [][]*logic.Term) ([][]*logic.Term, error) {
	m := &minimization{number: map[LocatedPredicate]int{}, seen: map[string]bool{}}
	for _, s := range l.spurious {
		if ok, err := l.addPath(m, s); !ok || err != nil {
			return best, err
		}
	}
	for {
		chosen, _, err := predabs.Minimize(l.ctx, l.solver, len(m.known), m.paths)
		if err != nil {
			return best, err
		}
		predicates := m.predicates(chosen, len(best))
		if count(predicates) >= count(best) {
			return best, nil
		}
		bad, err := l.proves(predicates)
		if err != nil {
			return best, err
		}
		if bad == nil {
			return predicates, nil
		}
		start, blocks, nodes := makePath(bad)
		s := spuriousPath{l.path(start, blocks), locationsOf(nodes), blocks}
		status, _, _, err := predabs.Feasible(l.ctx, l.solver, s.path)
		if err != nil || status != smt.Unsat {
			return best, err
		}
		if ok, err := l.addPath(m, s); !ok || err != nil {
			return best, err
		}
	}
}

func locationsOf(nodes []*node) []int {
	return lists.Map(nodes, func(n *node) int { return n.location })
}

// addPath adds a path with its alternatives. ok is false where it came before or
// no method gives predicates that are proved to exclude it.
func (l *abstRefineLoop) addPath(m *minimization, s spuriousPath) (ok bool, err error) {
	key := fmt.Sprint(s.locations[0], s.blocks)
	if m.seen[key] {
		return false, nil
	}
	m.seen[key] = true
	var sets [][]int
	for _, h := range []predabs.Refinement{predabs.Interpolation, predabs.Spacer, predabs.UnsatCore, predabs.Greatest, predabs.Least} {
		found, err := predabs.Refine(l.ctx, l.solver, s.path, h, nil)
		if err != nil {
			return false, err
		}
		if predabs.Verify(l.ctx, l.prover, s.path, found.Solution()) != nil {
			if l.ctx.Err() != nil {
				return false, l.ctx.Err()
			}
			continue // not proved to exclude it
		}
		set := m.set(s.locations, found)
		if !slices.ContainsFunc(sets, func(other []int) bool { return slices.Equal(other, set) }) {
			sets = append(sets, set)
		}
	}
	m.paths = append(m.paths, sets)
	return len(sets) > 0, nil
}

// set numbers what was found, increasing.
func (m *minimization) set(locations []int, found *predabs.Predicates) []int {
	var out []int
	for i, ps := range found.At {
		for _, p := range ps {
			if p.IsTrue() || p.IsFalse() {
				continue
			}
			at := LocatedPredicate{locations[i], p}
			n, ok := m.number[at]
			if !ok {
				n = len(m.known)
				m.number[at] = n
				m.known = append(m.known, at)
			}
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// predicates returns the chosen ones by location.
func (m *minimization) predicates(chosen []int, locations int) [][]*logic.Term {
	out := make([][]*logic.Term, locations)
	for _, n := range chosen {
		at := m.known[n]
		out[at.Location] = append(out[at.Location], at.Predicate)
	}
	return out
}
