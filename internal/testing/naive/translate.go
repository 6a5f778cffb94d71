package naive

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/ltl"
)

// Tableau is a generalised Büchi automaton with labels on states: state i reads
// a letter in which the atoms Pos[i] are true and Neg[i] are false, then goes on
// to one of Next[i]. A run accepts if it is in each of Sets infinitely often.
type Tableau struct {
	Initial  []int
	Pos, Neg [][]ltl.Atom
	Next     [][]int
	Sets     [][]bool
}

// TranslateLTL is the tableau of [Gerth95], with sets of
// formulas as they are in the paper.
func TranslateLTL(f *ltl.Formula) *Tableau {
	t := &gpvw{ids: map[*ltl.Formula]int{}, byKey: map[string]int{}}
	initial := t.expand([]*ltl.Formula{push(f, false)})
	for i := 0; i < len(t.nodes); i++ {
		t.nodes[i].succ = t.expand(t.nodes[i].next)
	}
	return t.result(initial)
}

// push moves negations to the atoms and removes ->, <-> and xor.
func push(f *ltl.Formula, neg bool) *ltl.Formula {
	a := f.Args()
	dual := func(op, other ltl.Op) *ltl.Formula {
		if neg {
			op = other
		}
		var args []*ltl.Formula
		for _, g := range a {
			args = append(args, push(g, neg))
		}
		return ltl.Make(op, args...)
	}
	switch f.Op() {
	case ltl.True, ltl.False:
		return ltl.Constant((f.Op() == ltl.True) != neg)
	case ltl.Atomic:
		if neg {
			return ltl.MakeNot(f)
		}
		return f
	case ltl.Not:
		return push(a[0], !neg)
	case ltl.Implies:
		return push(ltl.MakeOr(ltl.MakeNot(a[0]), a[1]), neg)
	case ltl.Xor:
		return push(ltl.MakeOr(ltl.MakeAnd(a[0], ltl.MakeNot(a[1])), ltl.MakeAnd(ltl.MakeNot(a[0]), a[1])), neg)
	case ltl.Iff:
		return push(ltl.MakeXor(a[0], a[1]), !neg)
	case ltl.And:
		return dual(ltl.And, ltl.Or)
	case ltl.Or:
		return dual(ltl.Or, ltl.And)
	case ltl.Next:
		return dual(ltl.Next, ltl.Next)
	case ltl.Eventually:
		return dual(ltl.Eventually, ltl.Always)
	case ltl.Always:
		return dual(ltl.Always, ltl.Eventually)
	case ltl.Until:
		return dual(ltl.Until, ltl.Release)
	case ltl.Release:
		return dual(ltl.Release, ltl.Until)
	case ltl.WeakUntil:
		return dual(ltl.WeakUntil, ltl.StrongRelease)
	case ltl.StrongRelease:
		return dual(ltl.StrongRelease, ltl.WeakUntil)
	}
	panic(fmt.Sprint("naive: operator ", f.Op()))
}

type gpvwNode struct {
	old, next []*ltl.Formula
	succ      []int
}

type gpvw struct {
	ids   map[*ltl.Formula]int
	nodes []*gpvwNode
	byKey map[string]int
}

func (t *gpvw) key(fs []*ltl.Formula) string {
	var ids []int
	for _, f := range fs {
		if _, ok := t.ids[f]; !ok {
			t.ids[f] = len(t.ids)
		}
		ids = append(ids, t.ids[f])
	}
	slices.Sort(ids)
	return fmt.Sprint(ids)
}

// add puts the formulas into the set.
func add(set []*ltl.Formula, fs ...*ltl.Formula) []*ltl.Formula {
	set = slices.Clone(set)
	for _, f := range fs {
		if !slices.Contains(set, f) {
			set = append(set, f)
		}
	}
	return set
}

// expand returns the nodes that satisfy all formulas of `now`.
func (t *gpvw) expand(now []*ltl.Formula) []int {
	var found []int
	var split func(todo, old, next []*ltl.Formula)
	split = func(todo, old, next []*ltl.Formula) {
		if len(todo) == 0 {
			k := t.key(old) + "/" + t.key(next)
			n, ok := t.byKey[k]
			if !ok {
				n = len(t.nodes)
				t.byKey[k] = n
				t.nodes = append(t.nodes, &gpvwNode{old: old, next: next})
			}
			if !slices.Contains(found, n) {
				found = append(found, n)
			}
			return
		}
		f, todo := todo[0], todo[1:]
		if slices.Contains(old, f) {
			split(todo, old, next)
			return
		}
		old = add(old, f)
		a := f.Args()
		switch f.Op() {
		case ltl.False:
		case ltl.True:
			split(todo, old, next)
		case ltl.Atomic, ltl.Not:
			if !slices.Contains(old, ltl.MakeNot(f)) {
				split(todo, old, next)
			}
		case ltl.And:
			split(add(todo, a...), old, next)
		case ltl.Or:
			for _, g := range a {
				split(add(todo, g), old, next)
			}
		case ltl.Next:
			split(todo, old, add(next, a[0]))
		case ltl.Eventually:
			split(add(todo, a[0]), old, next)
			split(todo, old, add(next, f))
		case ltl.Always:
			split(add(todo, a[0]), old, add(next, f))
		case ltl.Until, ltl.WeakUntil:
			split(add(todo, a[1]), old, next)
			split(add(todo, a[0]), old, add(next, f))
		case ltl.Release, ltl.StrongRelease:
			split(add(todo, a[0], a[1]), old, next)
			split(add(todo, a[1]), old, add(next, f))
		}
	}
	split(now, nil, nil)
	return found
}

// result reads labels and acceptance sets off the nodes.
func (t *gpvw) result(initial []int) *Tableau {
	r := &Tableau{Initial: initial}
	promises := map[*ltl.Formula]*ltl.Formula{}
	var order []*ltl.Formula
	for _, n := range t.nodes {
		var pos, neg []ltl.Atom
		for _, f := range n.old {
			switch f.Op() {
			case ltl.Atomic:
				pos = append(pos, f.Atom())
			case ltl.Not:
				neg = append(neg, f.Left().Atom())
			case ltl.Eventually, ltl.StrongRelease, ltl.Until:
				if promises[f] == nil {
					order = append(order, f)
				}
				promises[f] = f.Left()
				if f.Op() == ltl.Until {
					promises[f] = f.Right()
				}
			}
		}
		r.Pos, r.Neg, r.Next = append(r.Pos, pos), append(r.Neg, neg), append(r.Next, n.succ)
	}
	for _, f := range order {
		set := make([]bool, len(t.nodes))
		for i, n := range t.nodes {
			set[i] = !slices.Contains(n.old, f) || slices.Contains(n.old, promises[f])
		}
		r.Sets = append(r.Sets, set)
	}
	return r
}
