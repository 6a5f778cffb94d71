// Package interpolate finds inductive sequences of interpolants of paths that cannot be
// run, without a solver: formulas, one for each position, that solve the refinement
// constraints ([TUMLectures], eq. 10).
//
// A path is a conjunction of one formula for every step, over the values before it. A
// proof that it cannot be true has linear literals at its leaves that Farkas
// coefficients add up to a contradiction, equations that have no integer solution, or
// Booleans that contradict each other; above are disjunctions, each of one step, that were
// decided where simplex did not make them true. From a proof follow the sequences: partial
// sums of the leaves, joined by "and" and "or" ([McMillan04]). They are inductive by
// construction; whoever relies on them checks them all the same (predabs.Verify).
//
// Conditional values, division, remainders and roundings by numbers are understood; products and
// other terms are taken as numbers of which nothing is known, other atoms as Booleans.
// What needs more, or more than a bounded number of cases, gives no sequence.
//
// # Decisions
//
// Interpolants without a solver (internal/predabs/interpolate): one refutation of the path by simplex
// (internal/simplex) and case splits gives the whole sequence, since each premise belongs to one step:
// partial sums of the Farkas coefficients, cases of a step joined by "or" behind it and by "and" before it.
// No cut couples steps, so integers are only branched, on values that are born in one step. Disjunctions
// are decided only where simplex contradicts them, and a case whose refutation does not need it settles the
// others. It is inductive by construction, and predabs still asks the solver once (Excludes). Bounds may
// lie anywhere between the strongest and the weakest; what is known already decides.
package interpolate

import (
	"cmp"
	"context"
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Sequences returns sequences of interpolants for a path that cannot be run, best first
// by price, none if no proof is found (as for a path that can be run). known
// are predicates that exist already. Once the context ends there are no more. Deterministic, and polynomial but for the cases of
// disjunctions, whose number is bounded.
func Sequences(ctx context.Context, p *program.Path, known []*logic.Term) [][]*logic.Term {
	t := newTrace(ctx, p)
	var proofs []*proof
	for _, order := range t.orders() {
		if p := t.refute(order); p != nil {
			proofs = append(proofs, p)
		}
	}
	policies := []policy{{}, {weak: true}, {equations: true}}
	var all [][]*logic.Term
	var prices []price
	k := newLedger(t, known)
	for _, p := range proofs {
		for _, by := range policies {
			if ctx.Err() != nil {
				return nil
			}
			by.known = k.bounds
			seq := t.sequence(p, by)
			if seq == nil || slices.ContainsFunc(all, func(other []*logic.Term) bool { return slices.Equal(other, seq) }) {
				continue
			}
			all, prices = append(all, seq), append(prices, k.price(seq))
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return prices[a].cmp(prices[b]) })
	out := make([][]*logic.Term, len(all))
	for i, j := range order {
		out[i] = all[j]
	}
	return out
}

// orders in which steps are assumed: from the start, whose proofs are of the shortest
// prefix of the path that cannot be run, and from the end ([Beyer15] compares prefixes).
func (t *trace) orders() [][]int {
	forward := make([]int, len(t.steps))
	for k := range forward {
		forward[k] = k
	}
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	return [][]int{forward, backward}
}

// price is what a sequence costs: new predicates, then constants that neither the path
// nor known predicates have, then how often variables occur.
type price struct{ predicates, constants, size int }

func (a price) cmp(b price) int {
	return cmp.Or(a.predicates-b.predicates, a.constants-b.constants, a.size-b.size)
}

// ledger knows what exists already.
type ledger struct {
	known   map[*logic.Term]bool
	numbers map[string]bool // absolute values
	bounds  bounds
}

func newLedger(t *trace, known []*logic.Term) *ledger {
	k := &ledger{known: map[*logic.Term]bool{}, numbers: map[string]bool{"0": true, "1": true}, bounds: bounds{}}
	seen := map[*logic.Term]bool{}
	note := func(f *logic.Term) { constants(f, seen, func(n string) { k.numbers[n] = true }) }
	for _, f := range known {
		k.known[f] = true
		note(f)
		if f.Op() == logic.OpLe {
			k.bounds[f.Args()[0]] = append(k.bounds[f.Args()[0]], rational.Of(f.Args()[1].Num()).Neg())
		}
	}
	for _, c := range t.steps {
		note(c.Guard)
		for _, e := range c.Update {
			note(e)
		}
	}
	return k
}

// constants tells the absolute values of the numbers in a term.
func constants(f *logic.Term, seen map[*logic.Term]bool, tell func(string)) {
	if seen[f] {
		return
	}
	seen[f] = true
	if f.Op() == logic.OpNumber {
		tell(rational.Of(f.Num()).Abs().String())
	}
	for _, a := range f.Args() {
		constants(a, seen, tell)
	}
}

// variables counts their occurrences, up to a bound.
func variables(f *logic.Term) int {
	if f.Op() == logic.OpVar {
		return 1
	}
	n := 0
	for _, a := range f.Args() {
		if n += variables(a); n > 1000 {
			break
		}
	}
	return n
}

func (k *ledger) price(seq []*logic.Term) price {
	var out price
	seen := map[*logic.Term]bool{}
	fresh := map[string]bool{}
	looked := map[*logic.Term]bool{}
	for _, f := range seq {
		for _, c := range logic.Conjuncts(f) {
			out.size += variables(c)
			if k.known[c] || seen[c] || c.IsFalse() {
				continue
			}
			seen[c] = true
			out.predicates++
			constants(c, looked, func(n string) {
				if !k.numbers[n] {
					fresh[n] = true
				}
			})
		}
	}
	out.constants = len(fresh)
	return out
}
