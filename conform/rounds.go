package conform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
)

// Limits of distinguishing formulas: rounds of refinement (nested modalities),
// rounds times states, and different subformulas.
const (
	maxRounds      = 2000
	maxRoundStates = 1 << 24
	maxSubformulas = 20_000
)

// rounds is partition refinement in rounds: two states are in the same block of
// round k+1 if they are in the same block of round k and can do the same steps
// into the blocks of round k. It is slower than lks.Classes, but the round in
// which two states part is the depth of a formula that tells them apart, which can
// be read off the blocks (Cleaveland 1990 for strong bisimulation, Korver 1991 for
// branching; here by one scheme, see formulas).
type rounds struct {
	sys    *system
	kind   Relation
	blocks [][]int32 // by round and state
	weak   *weakSteps
	steps  [][]step // weak steps by state, as far as computed
	order  []int32  // branching: targets of inert steps before their sources
}

func newRounds(sys *system, kind Relation) *rounds {
	r := &rounds{sys: sys, kind: kind, blocks: [][]int32{sys.label}}
	switch kind {
	case WeakBisimulation:
		r.weak = newWeakSteps(sys)
		r.steps = make([][]step, sys.len())
	case BranchingBisimulation, DivergenceBisimulation:
		comp := sys.silentComponents(func(from int32, e step) bool {
			return e.action == lks.TauID && sys.label[from] == sys.label[e.to]
		})
		r.order = make([]int32, sys.len())
		for i := range r.order {
			r.order[i] = int32(i)
		}
		slices.SortStableFunc(r.order, func(a, b int32) int { return int(comp[a]) - int(comp[b]) })
	}
	return r
}

// of returns the steps that the relation compares: weak ones for weak
// bisimulation.
func (r *rounds) of(s int32) []step {
	if r.weak == nil {
		return r.sys.out[s]
	}
	if r.steps[s] == nil {
		r.steps[s] = r.weak.of(s)
	}
	return r.steps[s]
}

// signatures returns, for every state, what it can do into the blocks of the last
// round, sorted.
func (r *rounds) signatures(block []int32) [][]step {
	sigs := make([][]step, r.sys.len())
	if r.order == nil {
		for s := range sigs {
			for _, e := range r.of(int32(s)) {
				sigs[s] = append(sigs[s], step{e.action, block[e.to]})
			}
			sigs[s] = sortSteps(sigs[s])
		}
		return sigs
	}
	// The system has no circles of silent steps within a label, so order is
	// topological.
	for _, s := range r.order {
		for _, e := range r.sys.out[s] {
			if e.action == lks.TauID && block[e.to] == block[s] {
				sigs[s] = append(sigs[s], sigs[e.to]...)
			} else {
				sigs[s] = append(sigs[s], step{e.action, block[e.to]})
			}
		}
		sigs[s] = sortSteps(sigs[s])
	}
	return sigs
}

// refine makes the next round. It reports whether a block was split.
func (r *rounds) refine() bool {
	block := r.blocks[len(r.blocks)-1]
	next := make([]int32, len(block))
	ids, old := map[string]int32{}, map[int32]bool{}
	var key []byte
	for s, sig := range r.signatures(block) {
		key = appendNumber(key[:0], block[s])
		for _, e := range sig {
			key = appendNumber(appendNumber(key, e.action), e.to)
		}
		id, ok := ids[string(key)]
		if !ok {
			id = int32(len(ids))
			ids[string(key)] = id
		}
		next[s] = id
		old[block[s]] = true
	}
	r.blocks = append(r.blocks, next)
	return len(ids) > len(old)
}

func appendNumber(key []byte, x int32) []byte {
	return append(key, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
}

// parted returns the round in which s and t part, or -1 if they have not.
func (r *rounds) parted(s, t int32) int {
	// Blocks only ever split: binary search.
	low, high := 0, len(r.blocks)
	for low < high {
		mid := (low + high) / 2
		if r.blocks[mid][s] != r.blocks[mid][t] {
			high = mid
		} else {
			low = mid + 1
		}
	}
	if low == len(r.blocks) {
		return -1
	}
	return low
}

// quotientSystem merges states of a class; silent steps inside a class are dropped
// unless strong is set. It returns the state of every class.
func (s *system) quotient(class []int32, strong bool) *system {
	n := slices.Max(class) + 1
	q := &system{m: s.m, actions: s.actions, origin: make([]int32, n), label: make([]int32, n), out: make([][]step, n)}
	for state := len(class) - 1; state >= 0; state-- {
		c := class[state]
		q.origin[c], q.label[c] = s.origin[state], s.label[state]
		for _, e := range s.out[state] {
			if strong || e.action != lks.TauID || class[e.to] != c {
				q.out[c] = append(q.out[c], step{e.action, class[e.to]})
			}
		}
	}
	for c := range q.out {
		q.out[c] = sortSteps(q.out[c])
	}
	return q
}

// distinguish returns a formula that holds in state odd and in none of others,
// which are in other classes, or nil if it would be too large.
func distinguish(both *lks.LKS, sys *system, class []int32, kind Relation, odd int32, others []int32, meter *budget.Meter) (*Formula, error) {
	small := class
	if kind == WeakBisimulation {
		// Branching bisimulation is finer and needs no saturation.
		var err error
		if small, err = lks.Classes(both, lks.Branching, meter); err != nil {
			return nil, err
		}
	}
	r := newRounds(sys.quotient(small, kind == StrongBisimulation), kind)
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
			return nil, bug.Errorf("conform", "refinement in rounds finds equivalent what partition refinement does not")
		}
	}
	f := &formulas{rounds: r, eval: newEvaluator(r.sys), made: map[string]*Formula{}, known: map[[2]int32]*Formula{}}
	var parts []*Formula
	for _, t := range others {
		if !slices.ContainsFunc(parts, func(p *Formula) bool { return !f.eval.holds(p).has(small[t]) }) {
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
	wrong := !set.has(odd)
	for _, t := range others {
		wrong = wrong || set.has(t)
	}
	if wrong {
		return bug.Errorf("conform", "the formula %s does not tell the processes apart", f)
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

func (f *formulas) make(op FormulaOp, name string, args ...*Formula) *Formula {
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

func (f *formulas) and(parts []*Formula) *Formula { return f.join(FormulaAnd, parts) }

// join is true without parts and a part if there is only one.
func (f *formulas) join(op FormulaOp, parts []*Formula) *Formula {
	var different []*Formula
	for _, p := range parts {
		if !slices.Contains(different, p) {
			different = append(different, p)
		}
	}
	switch len(different) {
	case 0:
		return f.make(FormulaTrue, "")
	case 1:
		return different[0]
	}
	return f.make(op, "", different...)
}

func (f *formulas) not(g *Formula) *Formula {
	if g.Op == FormulaNot {
		return g.Args[0]
	}
	return f.make(FormulaNot, "", g)
}

// apart returns a formula that holds in s and not in t. They have parted. The
// recursion goes to earlier rounds, so it is at most maxRounds deep.
func (f *formulas) apart(s, t int32) *Formula {
	if f.full {
		return f.make(FormulaTrue, "")
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
			g := f.make(FormulaProp, p)
			if !in {
				return f.not(g)
			}
			return g
		}
	}
	if k := f.sys.kindName(s); k != "" {
		return f.make(FormulaKind, k)
	}
	return f.not(f.make(FormulaKind, f.sys.kindName(t)))
}

// only returns a step into a block that s can do and t cannot.
func (f *formulas) only(s, t int32, block []int32) (step, bool) {
	of := f.abilities(t, block)
	for _, x := range f.abilities(s, block) {
		if !slices.Contains(of, x) {
			return x, true
		}
	}
	return step{}, false
}

// abilities is the signature of one state.
func (f *formulas) abilities(s int32, block []int32) []step {
	var sig []step
	for _, u := range f.inertly(s, block) {
		for _, e := range f.of(u) {
			if f.order == nil || e.action != lks.TauID || block[e.to] != block[s] {
				sig = append(sig, step{e.action, block[e.to]})
			}
		}
	}
	return sortSteps(sig)
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
			if e.action == lks.TauID && block[e.to] == block[s] && !slices.Contains(all, e.to) {
				all = append(all, e.to)
			}
		}
	}
	return all
}

// diamond: s can do x, t cannot. One target of s in the block is told apart from
// all targets of t, which are in other blocks.
func (f *formulas) diamond(s, t int32, x step, block []int32) *Formula {
	op := FormulaDiamond
	if f.weak != nil {
		op = FormulaWeak
	}
	target := int32(-1)
	for _, e := range f.of(s) {
		if e.action == x.action && block[e.to] == x.to {
			target = e.to
			break
		}
	}
	var parts []*Formula
	for _, e := range f.of(t) {
		if e.action != x.action || f.excluded(parts, e.to) {
			continue
		}
		parts = append(parts, f.apart(target, e.to))
	}
	return f.make(op, f.sys.actions[x.action], f.and(parts))
}

// excluded reports whether some part does not hold in s.
func (f *formulas) excluded(parts []*Formula, s int32) bool {
	return !f.full && slices.ContainsFunc(parts, func(p *Formula) bool { return !f.eval.holds(p).has(s) })
}

// until: s can do x after inert steps, t cannot. The path of s and the target are
// told apart from whatever t could do instead, until t can do nothing.
func (f *formulas) until(s, t int32, x step, block []int32) *Formula {
	path, target := f.path(s, x, block)
	var along, after []*Formula
	for !f.full {
		g := f.make(FormulaUntil, f.sys.actions[x.action], f.and(along), f.and(after))
		if f.full || !f.eval.holds(g).has(t) {
			return g
		}
		via, end := f.attempt(t, x.action, f.eval.holds(f.and(along)), f.eval.holds(f.and(after)))
		outside := slices.IndexFunc(via, func(u int32) bool { return block[u] != block[s] })
		if outside < 0 {
			// Then end is not in the block, or t could do x.
			after = append(after, f.apart(target, end))
			continue
		}
		var some []*Formula
		for _, p := range path {
			some = append(some, f.apart(p, via[outside]))
		}
		along = append(along, f.join(FormulaOr, some))
	}
	return f.make(FormulaTrue, "")
}

// path returns a shortest inert path from s to a state with step x, and its
// target.
func (f *formulas) path(s int32, x step, block []int32) ([]int32, int32) {
	inside := func(u int32) bool { return block[u] == block[s] }
	return f.search(s, x.action, inside, func(to int32) bool { return block[to] == x.to })
}

// attempt returns a path of t through along and a target in after.
func (f *formulas) attempt(t, action int32, along, after bitset) ([]int32, int32) {
	return f.search(t, action, along.has, after.has)
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
			if e.action == action && after(e.to) {
				return pathTo(u), e.to
			}
		}
		for _, e := range f.sys.out[u] {
			if _, seen := parent[e.to]; e.action == lks.TauID && !seen && along(e.to) {
				parent[e.to] = u
				queue = append(queue, e.to)
			}
		}
	}
	panic("conform: a formula holds without a reason")
}
