package equivalence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks"
)

// distinguish returns a formula that holds in state odd and in none of others,
// which are in other classes, or nil if it would be too large.
func distinguish(both *lks.LKS, sys *system, class []int32, kind Relation, odd int32, others []int32, meter *budget.Meter) (*Formula, error) {
	small := class
	if kind == Weak {
		// Branching bisimulation is finer and needs no saturation.
		var err error
		if small, err = lks.Classes(both, lks.Branching, meter); err != nil {
			return nil, err
		}
	}
	r := newRounds(sys.quotient(small, kind == Strong), kind)
	s := small[odd]
	apart := func() bool {
		return !slices.ContainsFunc(others, func(t int32) bool { return r.parted(s, small[t]) < 0 })
	}
	for !apart() {
		if err := tick(meter, r.sys.len()); err != nil {
			return nil, err
		}
		if len(r.blocks) > maxRounds || len(r.blocks)*r.sys.len() > maxRoundStates {
			return nil, nil
		}
		if !r.refine() && !apart() {
			return nil, bug.Errorf("equivalence", "refinement in rounds finds equivalent what partition refinement does not")
		}
	}
	f := &formulas{rounds: r, eval: newEvaluator(r.sys), made: map[string]*Formula{}, known: map[[2]int32]*Formula{}}
	var parts []*Formula
	for _, t := range others {
		if !slices.ContainsFunc(parts, func(p *Formula) bool { return !f.eval.holds(p).Has(small[t]) }) {
			parts = append(parts, f.apart(s, small[t]))
		}
		if f.full {
			return nil, nil
		}
	}
	formula := f.and(parts)
	return formula, sys.verify(formula, odd, others)
}

// verify evaluates the formula on the processes themselves.
func (s *system) verify(f *Formula, odd int32, others []int32) error {
	set := newEvaluator(s).holds(f)
	wrong := !set.Has(odd)
	for _, t := range others {
		wrong = wrong || set.Has(t)
	}
	if wrong {
		return bug.Errorf("equivalence", "the formula %s does not tell the processes apart", f)
	}
	return nil
}

// formulas builds formulas from the rounds. They are shared when equal, and
// evaluated as they are built, so that conjuncts that add nothing are left out.
type formulas struct {
	*rounds
	eval  *evaluator
	made  map[string]*Formula
	known map[[2]int32]*Formula
	names map[*Formula]string
	full  bool // there were too many
}

func (f *formulas) make(op Op, name string, args ...*Formula) *Formula {
	if f.names == nil {
		f.names = map[*Formula]string{}
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%d %q", op, name)
	for _, a := range args {
		key.WriteString(" " + f.names[a])
	}
	made, ok := f.made[key.String()]
	if !ok {
		made = &Formula{Op: op, Name: name, Args: args}
		f.names[made] = fmt.Sprint(len(f.made))
		f.made[key.String()] = made
		f.full = f.full || len(f.made) > maxSubformulas
		if !f.full {
			f.eval.holds(made)
		}
	}
	return made
}

func (f *formulas) and(parts []*Formula) *Formula { return f.join(OpAnd, parts) }

// join is true without parts and a part if there is only one.
func (f *formulas) join(op Op, parts []*Formula) *Formula {
	var different []*Formula
	for _, p := range parts {
		if !slices.Contains(different, p) {
			different = append(different, p)
		}
	}
	switch len(different) {
	case 0:
		return f.make(OpTrue, "")
	case 1:
		return different[0]
	}
	return f.make(op, "", different...)
}

func (f *formulas) not(g *Formula) *Formula {
	if g.Op == OpNot {
		return g.Args[0]
	}
	return f.make(OpNot, "", g)
}

// apart returns a formula that holds in s and not in t. They have parted. The
// recursion goes to earlier rounds, so it is at most maxRounds deep.
func (f *formulas) apart(s, t int32) *Formula {
	if f.full {
		return f.make(OpTrue, "")
	}
	if g, ok := f.known[[2]int32{s, t}]; ok {
		return g
	}
	g := f.build(s, t)
	f.known[[2]int32{s, t}] = g
	return g
}

func (f *formulas) build(s, t int32) *Formula {
	round := f.parted(s, t)
	if round == 0 {
		return f.looksApart(s, t)
	}
	block := f.blocks[round-1]
	if x, ok := f.only(s, t, block); ok {
		if f.order != nil {
			return f.until(s, t, x, block)
		}
		return f.diamond(s, t, x, block)
	}
	return f.not(f.apart(t, s))
}

// looksApart tells apart states with different propositions or kinds.
func (f *formulas) looksApart(s, t int32) *Formula {
	for _, p := range f.sys.m.Props() {
		if in := f.sys.hasProp(s, p); in != f.sys.hasProp(t, p) {
			g := f.make(OpProp, p)
			if !in {
				return f.not(g)
			}
			return g
		}
	}
	if k := f.sys.kindName(s); k != "" {
		return f.make(OpKind, k)
	}
	return f.not(f.make(OpKind, f.sys.kindName(t)))
}

// only returns a step into a block that s can do and t cannot.
func (f *formulas) only(s, t int32, block []int32) (lks.Edge, bool) {
	of := f.abilities(t, block)
	for _, x := range f.abilities(s, block) {
		if !slices.Contains(of, x) {
			return x, true
		}
	}
	return lks.Edge{}, false
}

// abilities is the signature of one state.
func (f *formulas) abilities(s int32, block []int32) []lks.Edge {
	var sig []lks.Edge
	for _, u := range f.inertly(s, block) {
		for _, e := range f.of(u) {
			if f.order == nil || e.Action != lks.TauID || block[e.Target] != block[s] {
				sig = append(sig, lks.Edge{Action: e.Action, Target: block[e.Target]})
			}
		}
	}
	return lks.SortEdges(sig)
}

// inertly returns what s reaches by silent steps inside its block, s first, for
// branching equivalences; only s for others.
func (f *formulas) inertly(s int32, block []int32) []int32 {
	all := []int32{s}
	if f.order == nil {
		return all
	}
	for i := 0; i < len(all); i++ {
		for _, e := range f.sys.out[all[i]] {
			if e.Action == lks.TauID && block[e.Target] == block[s] && !slices.Contains(all, e.Target) {
				all = append(all, e.Target)
			}
		}
	}
	return all
}

// diamond: s can do x, t cannot. One target of s in the block is told apart from
// all targets of t, which are in other blocks.
func (f *formulas) diamond(s, t int32, x lks.Edge, block []int32) *Formula {
	op := OpDiamond
	if f.weak != nil {
		op = OpWeak
	}
	target := int32(-1)
	for _, e := range f.of(s) {
		if e.Action == x.Action && block[e.Target] == x.Target {
			target = e.Target
			break
		}
	}
	var parts []*Formula
	for _, e := range f.of(t) {
		if e.Action != x.Action || f.excluded(parts, e.Target) {
			continue
		}
		parts = append(parts, f.apart(target, e.Target))
	}
	return f.make(op, f.sys.actions[x.Action], f.and(parts))
}

// excluded reports whether some part does not hold in s.
func (f *formulas) excluded(parts []*Formula, s int32) bool {
	return !f.full && slices.ContainsFunc(parts, func(p *Formula) bool { return !f.eval.holds(p).Has(s) })
}

// until: s can do x after inert steps, t cannot. The path of s and the target are
// told apart from whatever t could do instead, until t can do nothing.
func (f *formulas) until(s, t int32, x lks.Edge, block []int32) *Formula {
	path, target := f.path(s, x, block)
	var along, after []*Formula
	for !f.full {
		g := f.make(OpUntil, f.sys.actions[x.Action], f.and(along), f.and(after))
		if f.full || !f.eval.holds(g).Has(t) {
			return g
		}
		via, end := f.attempt(t, x.Action, f.eval.holds(f.and(along)), f.eval.holds(f.and(after)))
		outside := slices.IndexFunc(via, func(u int32) bool { return block[u] != block[s] })
		if outside < 0 {
			// Then end is not in the block, or t could do x.
			after = append(after, f.apart(target, end))
			continue
		}
		some := lists.Append(nil, path, func(p int32) *Formula { return f.apart(p, via[outside]) })
		along = append(along, f.join(OpOr, some))
	}
	return f.make(OpTrue, "")
}

// path returns a shortest inert path from s to a state with step x, and its
// target.
func (f *formulas) path(s int32, x lks.Edge, block []int32) ([]int32, int32) {
	inside := func(u int32) bool { return block[u] == block[s] }
	return f.search(s, x.Action, inside, func(to int32) bool { return block[to] == x.Target })
}

// attempt returns a path of t through along and a target in after.
func (f *formulas) attempt(t, action int32, along, after numset.Bits) ([]int32, int32) {
	return f.search(t, action, along.Has, after.Has)
}

// search finds a shortest path of silent steps through states with along to one
// with a step by action to a state with after; if the action is tau, the step may
// be none.
func (f *formulas) search(from, action int32, along, after func(int32) bool) ([]int32, int32) {
	queue, parent := []int32{from}, map[int32]int32{from: -1}
	pathTo := func(u int32) []int32 {
		var path []int32
		for ; u >= 0; u = parent[u] {
			path = append(path, u)
		}
		slices.Reverse(path)
		return path
	}
	for i := 0; i < len(queue); i++ {
		u := queue[i]
		if action == lks.TauID && after(u) {
			return pathTo(u), u
		}
		for _, e := range f.sys.out[u] {
			if e.Action == action && after(e.Target) {
				return pathTo(u), e.Target
			}
		}
		for _, e := range f.sys.out[u] {
			if _, seen := parent[e.Target]; e.Action == lks.TauID && !seen && along(e.Target) {
				parent[e.Target] = u
				queue = append(queue, e.Target)
			}
		}
	}
	panic("conform: a formula holds without a reason")
}
