package programs

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Bounds of contractsOf: how much work of the solver one question may be, of each lane where an activation has loops,
// and of all where it has none; how often candidates are left out; and how many numbers of a routine are in them.
const (
	contractLane   = 800_000
	contractWork   = 20_000_000
	contractRounds = 60
	contractBases  = 8
)

// contractsOf finds out what routines that call themselves return, and what they leave of what they share with
// others, and adds that to the edges of enc.Words that pass over a call (encode.Recursion). Of bounds of each of
// these numbers, and of its difference to what an activation began with, those are left out that do not hold of
// all activations which come back ([FlanaganLeino01]): of inner ones they are assumed, of outer ones proved.
// found says that there are some. The error is the solver's.
func contractsOf(ctx context.Context, enc *encode.Encoding, pool *smt.Pool) (found bool, err error) {
	for i := range enc.Recursions {
		k := &contract{sys: enc.Words, r: &enc.Recursions[i]}
		if !k.candidates() {
			continue
		}
		proved, err := k.prove(ctx, pool)
		if err != nil {
			return found, err
		}
		if proved && len(k.all) > 0 {
			k.strongest()
			for _, over := range k.r.Over {
				c := k.sys.Edges[over.Edge].Command
				c.Guard = logic.And(c.Guard, k.assumed(over))
			}
			found = true
		}
	}
	return found, nil
}

// contract is a relation between what activations of a routine begin with and what they leave, in conjuncts.
type contract struct {
	sys   *program.System
	r     *encode.Recursion
	pre   map[*logic.Term]*logic.Term // of what an activation begins with, the variable that keeps it
	post  map[*logic.Term]*logic.Term // of what it leaves likewise
	value *logic.Term                 // what it returns; nil: no number, or not known
	all   []bound
}

// bound is one of left - right: at most, or at least, a number. right may be nil.
type bound struct {
	left, right *logic.Term
	by          int64
	least       bool
	holds       *logic.Term
}

// candidates prepares the conjuncts, and reports that there are any.
func (k *contract) candidates() bool {
	known := map[*logic.Term]bool{}
	for _, v := range k.sys.Vars {
		known[v] = true
	}
	k.pre, k.post = map[*logic.Term]*logic.Term{}, map[*logic.Term]*logic.Term{}
	type number struct {
		x *logic.Term
		t *ir.Type
	}
	var before, after []number
	for _, x := range slices.Concat(k.r.Begins, k.r.Shared) {
		if x != nil && known[x] && k.pre[x] == nil {
			k.pre[x] = logic.Var("before!"+x.Name(), x.Sort())
			before = append(before, number{k.pre[x], k.r.Types[x]})
		}
	}
	for _, x := range k.r.Shared {
		if known[x] {
			k.post[x] = logic.Var("after!"+x.Name(), x.Sort())
			after = append(after, number{k.post[x], k.r.Types[x]})
		}
	}
	if k.r.Result != nil && k.returnsKnown(known) {
		k.value = logic.Var("after!result", logic.BitVec(k.r.Result.Width()))
		after = append(after, number{k.value, k.r.Result})
	}
	numbers, sums := constantsOf(k.r.Func)
	for _, y := range after {
		for _, c := range sums {
			k.add(y.x, y.t, nil, nil, c)
		}
		for _, x := range before {
			for _, c := range numbers {
				k.add(y.x, y.t, x.x, x.t, c)
			}
		}
	}
	return len(k.all) > 0
}

// returnsKnown reports that the result is known wherever the routine comes back.
func (k *contract) returnsKnown(known map[*logic.Term]bool) bool {
	return !slices.ContainsFunc(k.r.Returns, func(p encode.Passed) bool {
		return p.Result == nil || slices.ContainsFunc(logic.Vars(p.Result), func(v *logic.Term) bool {
			return !known[v] && !slices.Contains(k.sys.Edges[p.Edge].Command.Inputs, v)
		})
	})
}

// constantsOf are numbers near those that a routine mentions, and near sums of two of these.
func constantsOf(f *ir.Func) (numbers, sums []int64) {
	numbers = []int64{0, 1, -1}
	f.Expressions(func(e ir.Expr) {
		if c, ok := e.(*ir.Const); ok && c.T.Kind == ir.Integer && len(numbers) < 3+2*contractBases {
			if n := int64(c.Bits); n > 1 && n < 1<<20 {
				numbers = append(numbers, n, -n)
			}
		}
	})
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for _, a := range numbers {
		for _, b := range numbers {
			sums = append(sums, a+b-1, a+b, a+b+1)
		}
	}
	slices.Sort(sums)
	return numbers, slices.Compact(sums)
}

// add adds that left - right is at least a number, and that it is at most that; numbers have the values of their types.
func (k *contract) add(left *logic.Term, lt *ir.Type, right *logic.Term, rt *ir.Type, by int64) {
	width := left.Sort().Width() + 2
	if right != nil {
		width = max(width, right.Sort().Width()+2)
	}
	wide := func(x *logic.Term, t *ir.Type) *logic.Term {
		if t.Signed {
			return logic.SignExtend(x, width-x.Sort().Width())
		}
		return logic.ZeroExtend(x, width-x.Sort().Width())
	}
	if big.NewInt(by).BitLen() > width-3 {
		return
	}
	l, r := wide(left, lt), logic.BVConst(big.NewInt(by), width)
	if right != nil {
		r = logic.BVAdd(wide(right, rt), r)
	}
	k.all = append(k.all, bound{left, right, by, true, logic.BVSLe(r, l)}, bound{left, right, by, false, logic.BVSLe(l, r)})
}

func (k *contract) conjunction() *logic.Term {
	var all []*logic.Term
	for _, b := range k.all {
		all = append(all, b.holds)
	}
	return logic.And(all...)
}

// assumed is the contract of an edge that passes over a call: over its variables and inputs.
func (k *contract) assumed(over encode.Passed) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, x := range k.r.Shared {
		if k.pre[x] != nil {
			by[k.pre[x]] = x
		}
	}
	for i, x := range k.r.Begins {
		if x == nil || k.pre[x] == nil {
			continue
		}
		delete(by, k.pre[x])
		if i < len(over.Given) && over.Given[i] != nil && over.Given[i].Sort() == x.Sort() {
			by[k.pre[x]] = over.Given[i]
		}
	}
	k.left(over, by)
	known := map[*logic.Term]bool{}
	for _, v := range slices.Concat(k.sys.Vars, k.sys.Edges[over.Edge].Command.Inputs) {
		known[v] = true
	}
	var all []*logic.Term
	for _, b := range k.all {
		whole := true
		for _, v := range logic.Vars(b.holds) {
			whole = whole && by[v] != nil && !slices.ContainsFunc(logic.Vars(by[v]), func(w *logic.Term) bool { return !known[w] })
		}
		if whole {
			all = append(all, logic.Substitute(b.holds, by))
		}
	}
	return logic.And(all...)
}

// left says what an activation leaves, or one that is passed over.
func (k *contract) left(p encode.Passed, by map[*logic.Term]*logic.Term) {
	for x, after := range k.post {
		if by[after] = x; p.After[x] != nil {
			by[after] = p.After[x]
		}
	}
	if k.value != nil && p.Result != nil && p.Result.Sort() == k.value.Sort() {
		by[k.value] = p.Result
	}
}

// activations is the system whose runs are activations of the routine: they begin with anything, an error is
// that one comes back and the contract does not hold of it.
func (k *contract) activations() *program.System {
	sys := &program.System{Name: k.r.Func.Name, Locations: append(slices.Clone(k.sys.Locations), program.Location{Name: "back"}), Vars: slices.Clone(k.sys.Vars)}
	back := len(k.sys.Locations)
	same := []*logic.Term{}
	for _, x := range k.sys.Vars {
		if k.pre[x] != nil {
			sys.Vars, same = append(sys.Vars, k.pre[x]), append(same, logic.Eq(k.pre[x], x))
		}
	}
	for _, x := range k.sys.Vars {
		if k.post[x] != nil {
			sys.Vars = append(sys.Vars, k.post[x])
		}
	}
	if k.value != nil {
		sys.Vars = append(sys.Vars, k.value)
	}
	sys.Init = []program.Region{{Location: k.r.Begin, Where: logic.And(same...)}}
	sys.Error = []program.Region{{Location: back, Where: logic.Not(k.conjunction())}}
	returns, over := map[int]encode.Passed{}, map[int]encode.Passed{}
	for _, p := range k.r.Returns {
		returns[p.Edge] = p
	}
	for _, p := range k.r.Over {
		over[p.Edge] = p
	}
	for i, e := range k.sys.Edges {
		if slices.Contains(k.r.Again, i) {
			continue
		}
		c := *e.Command
		if p, is := over[i]; is {
			c.Guard = logic.And(c.Guard, k.assumed(p))
		}
		if p, is := returns[i]; is {
			by := map[*logic.Term]*logic.Term{}
			k.left(p, by)
			c.Update = maps.Clone(c.Update)
			maps.Copy(c.Update, by)
			e.To = back
		}
		e.Command = &c
		sys.Edges = append(sys.Edges, e)
	}
	return sys
}

// prove leaves conjuncts out until the others hold of all activations.
func (k *contract) prove(ctx context.Context, pool *smt.Pool) (bool, error) {
	for range contractRounds {
		state, safe, err := k.broken(ctx, pool)
		if err != nil || safe || state == nil {
			return safe, err
		}
		before := len(k.all)
		k.all = slices.DeleteFunc(k.all, func(b bound) bool {
			holds, err := logic.Holds(b.holds, state)
			return err != nil || !holds
		})
		if len(k.all) == before || len(k.all) == 0 {
			return false, nil
		}
	}
	return false, nil
}

// broken is the end of an activation of which the contract does not hold, or nil; safe says that there is none.
func (k *contract) broken(ctx context.Context, pool *smt.Pool) (state logic.Model, safe bool, err error) {
	sys := k.activations()
	if ways, all := waysThrough(sys); all {
		return brokenBy(ctx, pool, sys, ways)
	}
	res, err := armc.Check(ctx, sys, pool, armc.Options{MaxWork: contractLane})
	switch {
	case err != nil && outcome.Open(err):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case res.Verdict == armc.Unsafe:
		return res.Trace.States[len(res.Trace.States)-1], false, nil
	}
	return nil, res.Verdict == armc.Safe, nil
}

// way is one through a system without loops, to its error: when it is gone, over the first values of variables and
// the inputs of its edges, and what variables are behind it.
type way struct {
	when, behind []*logic.Term
}

// maxWays bounds how many ways are looked at.
const maxWays = 200

// waysThrough are all ways; all is false if there are loops, or too many.
func waysThrough(sys *program.System) (ways []way, all bool) {
	out := make([][]int, len(sys.Locations))
	for i, e := range sys.Edges {
		out[e.From] = append(out[e.From], i)
	}
	onWay := map[int]bool{}
	var walk func(at int, now map[*logic.Term]*logic.Term, when []*logic.Term) bool
	walk = func(at int, now map[*logic.Term]*logic.Term, when []*logic.Term) bool {
		if at == sys.Error[0].Location {
			w := way{when: when}
			for _, v := range sys.Vars {
				w.behind = append(w.behind, now[v])
			}
			ways = append(ways, w)
			return len(ways) <= maxWays
		}
		if onWay[at] {
			return false
		}
		onWay[at] = true
		defer delete(onWay, at)
		for _, i := range out[at] {
			c, then := sys.Edges[i].Command, maps.Clone(now)
			by := maps.Clone(now)
			for _, in := range c.Inputs {
				by[in] = logic.Var(fmt.Sprintf("%s!%d", in.Name(), len(onWay)), in.Sort())
			}
			guard := logic.Substitute(c.Guard, by)
			if guard.IsFalse() {
				continue
			}
			for v, t := range c.Update {
				then[v] = logic.Substitute(t, by)
			}
			if !walk(sys.Edges[i].To, then, append(slices.Clone(when), guard)) {
				return false
			}
		}
		return true
	}
	first := map[*logic.Term]*logic.Term{}
	for _, v := range sys.Vars {
		first[v] = v
	}
	return ways, walk(sys.Init[0].Location, first, []*logic.Term{sys.Init[0].Where})
}

// brokenBy is broken of a system without loops.
func brokenBy(ctx context.Context, pool *smt.Pool, sys *program.System, ways []way) (state logic.Model, safe bool, err error) {
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return nil, false, err
	}
	defer pool.Release(solver)
	solver.Limit(contractWork)
	for _, w := range ways {
		behind := map[*logic.Term]*logic.Term{}
		for i, v := range sys.Vars {
			behind[v] = w.behind[i]
		}
		status, m, err := smt.ModelOf(ctx, solver, append(slices.Clone(w.when), logic.Substitute(sys.Error[0].Where, behind))...)
		switch {
		case err != nil || status == smt.Unknown:
			return nil, false, err
		case status == smt.Sat:
			state = logic.Model{}
			for _, v := range logic.Vars(sys.Error[0].Where) {
				for _, x := range logic.Vars(behind[v]) { // that the question did not depend on
					if _, known := m[x.Name()]; !known {
						m[x.Name()] = logic.Zero(x.Sort())
					}
				}
				if state[v.Name()], err = logic.Eval(behind[v], m); err != nil {
					return nil, false, nil
				}
			}
			return state, false, nil
		}
	}
	return nil, true, nil
}

// strongest leaves out bounds that others imply.
func (k *contract) strongest() {
	k.all = slices.DeleteFunc(slices.Clone(k.all), func(b bound) bool {
		return slices.ContainsFunc(k.all, func(o bound) bool {
			return o.left == b.left && o.right == b.right && o.least == b.least && (o.by > b.by) == b.least && o.by != b.by
		})
	})
}
