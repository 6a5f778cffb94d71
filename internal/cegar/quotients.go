package cegar

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
)

// quotients are the upper of two levels for SE-LTL: a quotient of each component of a network,
// refined by lassos that the component cannot follow ([Chaki05], ch. 9, which has trees only).
//
// Conformance and deadlock have their own in packages conform and deadlock, where an abstract
// state may offer more than its members do. Here members of a class offer the same actions: ends of
// runs, the propositions deadlock and enabled(a), and fairness are then the same of a state and of
// its class, so that a quotient satisfies nothing that its component does not.
type quotients struct {
	net   *lks.Network
	parts []*quotient
}

// quotient is a component under an equivalence that respects outlooks (Def. 27).
type quotient struct {
	m *lks.LKS
	*partition.Partition
	outlook []outlook // by state
}

// outlook is what equivalent states have in common.
type outlook struct {
	label   int32
	kind    lks.Kind
	offered string
}

func newQuotients(net *lks.Network) *quotients {
	q := &quotients{net: net}
	for _, m := range net.Components() {
		k := &quotient{m: m, outlook: make([]outlook, m.NumStates())}
		k.Partition = partition.By(m.NumStates(), func(s int32) (outlook, bool) {
			offered, last := []byte(nil), int32(-1)
			for _, e := range m.Edges(s) { // sorted by action
				if e.Action != last {
					offered = binary.AppendUvarint(offered, uint64(e.Action))
				}
				last = e.Action
			}
			k.outlook[s] = outlook{m.LabelClass(s), m.Kind(s), string(offered)}
			return k.outlook[s], true
		})
		q.parts = append(q.parts, k)
	}
	return q
}

// verify decides as product.Verify does: a formula that holds of the quotients holds of the
// network, and a lasso of the quotients is one of the network, or refines them. It writes down
// how often they were searched.
func (q *quotients) verify(round *Round, search func(*lks.Network) (*product.Result, error)) (*product.Result, error) {
	defer func() {
		round.Classes = nil
		for _, k := range q.parts {
			round.Classes = append(round.Classes, len(k.Members))
		}
	}()
	for {
		round.Above++
		models := make([]*lks.LKS, len(q.parts))
		for i, k := range q.parts {
			var err error
			if models[i], err = lks.Quotient(k.m, k.Class); err != nil {
				return nil, err
			}
		}
		above, err := q.net.Replace(models)
		if err != nil {
			return nil, err
		}
		r, err := search(above)
		if err != nil || r.Verdict != product.Violated {
			return r, err
		}
		able := make([]*able, len(q.parts))
		refined := false
		for i, k := range q.parts {
			moves := movesOf(q.net, r.Lasso, int32(i))
			if able[i] = k.follow(moves); able[i] != nil {
				continue
			}
			if refined = true; !k.refine(moves) {
				return nil, bug.Errorf("cegar", "%s cannot follow a lasso, but nothing tells its states apart", q.net.ComponentName(i))
			}
		}
		if refined {
			continue
		}
		lasso, err := q.concretise(r.Lasso, able)
		if err != nil || lasso == nil {
			return nil, err
		}
		found := *r
		found.Lasso, found.Prefix, found.Minimal, found.ShortestRun = lasso, nil, false, false
		return &found, nil
	}
}

// moves is the projection of a lasso on a component ([Chaki05], Def. 19), over rules: the class
// that it begins in, and its actions with the classes that they lead to.
type moves struct {
	start      int32
	stem, loop []localMove
}

type localMove struct{ from, action, to int32 }

func movesOf(net *lks.Network, lasso *run.Run, component int32) *moves {
	m := &moves{start: lasso.At(0).Local[component]}
	steps := lasso.Steps()
	for i := range steps {
		if steps[i].Rule == run.Stutter {
			continue
		}
		action := conform.Part(net, steps[i].Rule, component)
		if action < 0 {
			continue
		}
		next := i + 1
		if next == len(steps) {
			next = len(lasso.Stem)
		}
		step := localMove{steps[i].State.Local[component], action, steps[next].State.Local[component]}
		if i < len(lasso.Stem) {
			m.stem = append(m.stem, step)
		} else {
			m.loop = append(m.loop, step)
		}
	}
	return m
}

// able are the states from which a component can follow its projection for ever: before each
// move of the stem and of the loop, and behind the last move of the stem.
type able struct {
	stem, loop []numset.Bits
	behind     numset.Bits
}

// follow is WeakSimulAG (Procedure 9.1) for lassos, that is AbsSimLasso (8.3) on the states of
// the component: the greatest set of states from which the loop leads back into the set, and
// from which initial states the stem leads there. Nil: the component cannot follow. Time
// O(length · transitions) for each round of the loop.
func (k *quotient) follow(m *moves) *able {
	last := m.start
	if len(m.stem) > 0 {
		last = m.stem[len(m.stem)-1].to
	}
	a := &able{behind: k.alike(last), stem: make([]numset.Bits, len(m.stem)), loop: make([]numset.Bits, len(m.loop))}
	for again := len(m.loop) > 0; again; {
		next := a.behind
		for i := len(m.loop) - 1; i >= 0; i-- {
			next = k.before(m.loop[i], next)
			a.loop[i] = next
		}
		smaller := numset.NewBits(k.m.NumStates())
		again = false
		for s := range int32(k.m.NumStates()) {
			if a.behind.Has(s) && next.Has(s) {
				smaller.Add(s)
			} else if a.behind.Has(s) {
				again = true
			}
		}
		a.behind = smaller
	}
	next := a.behind
	for i := len(m.stem) - 1; i >= 0; i-- {
		next = k.before(m.stem[i], next)
		a.stem[i] = next
	}
	if !slices.ContainsFunc(k.m.Initial(), next.Has) {
		return nil
	}
	return a
}

// alike are the states with the outlook of a class.
func (k *quotient) alike(class int32) numset.Bits {
	set := numset.NewBits(k.m.NumStates())
	for s := range int32(k.m.NumStates()) {
		if k.outlook[s] == k.outlook[k.Members[class][0]] {
			set.Add(s)
		}
	}
	return set
}

// before are the states from which a move can lead into a set.
func (k *quotient) before(m localMove, behind numset.Bits) numset.Bits {
	set := numset.NewBits(k.m.NumStates())
	for s := range int32(k.m.NumStates()) {
		if k.outlook[s] == k.outlook[k.Members[m.from][0]] && slices.ContainsFunc(k.m.Succ(s, m.action), func(e lks.Edge) bool { return behind.Has(e.Target) }) {
			set.Add(s)
		}
	}
	return set
}

// refine is AbsRefineAG (9.4.3): each class on the way of which not all members can make the
// move to the next class is split by all abstract successors by that action. There is one: if
// all members of all classes could, the component could follow.
func (k *quotient) refine(m *moves) bool {
	old := k.Partition.Clone()
	done, proper := map[int32]bool{}, false
	for _, step := range slices.Concat(m.stem, m.loop) {
		leads := func(s int32) bool {
			return slices.ContainsFunc(k.m.Succ(s, step.action), func(e lks.Edge) bool { return old.Class[e.Target] == step.to })
		}
		if done[step.from] || !slices.ContainsFunc(old.Members[step.from], func(s int32) bool { return !leads(s) }) {
			continue
		}
		done[step.from] = true
		parts := k.Split(step.from, func(key []byte, s int32) []byte {
			classes := lists.Append(nil, k.m.Succ(s, step.action), func(e lks.Edge) int32 { return old.Class[e.Target] })
			slices.Sort(classes)
			for _, c := range slices.Compact(classes) {
				key = binary.AppendUvarint(key, uint64(c))
			}
			return key
		})
		proper = proper || parts > 1
	}
	return proper
}

// maxUnrolled bounds the steps of a lasso of the network.
const maxUnrolled = 1 << 20

// concretise is the lasso as the network has it: each component goes through states from which
// it can go on, the first of each, until all are again, where the loop begins, in states in
// which they were there before. It is nil if that takes too long.
func (q *quotients) concretise(above *run.Run, all []*able) (*run.Run, error) {
	at := make([]int, len(all)) // moves made of the stem, or of the loop
	now := make([]int32, len(all))
	for i, a := range all {
		set := a.behind
		if len(a.stem) > 0 {
			set = a.stem[0]
		}
		initial := q.parts[i].m.Initial()
		now[i] = initial[slices.IndexFunc(initial, set.Has)]
	}
	var local [][]int32
	var rules []int32
	step := func(rule int32, sets func(i, next int) numset.Bits) {
		local, rules = append(local, slices.Clone(now)), append(rules, rule)
		if rule == run.Stutter {
			return
		}
		for _, p := range q.net.Rules()[rule].Parts {
			i := int(p.Component)
			at[i]++
			set := sets(i, at[i])
			succ := q.parts[i].m.Succ(now[i], p.Action)
			now[i] = succ[slices.IndexFunc(succ, func(e lks.Edge) bool { return set.Has(e.Target) })].Target
		}
	}
	for _, s := range above.Stem {
		step(s.Rule, func(i, next int) numset.Bits {
			if next < len(all[i].stem) {
				return all[i].stem[next]
			}
			return all[i].behind
		})
	}
	seen := map[string]int{}
	for len(rules) <= maxUnrolled {
		key := fmt.Sprint(now)
		if first, known := seen[key]; known {
			r := run.New(q.net, local, rules, first)
			if err := r.Replay(q.net); err != nil {
				return nil, &bug.Error{Stage: "cegar", Err: err}
			}
			return r, nil
		}
		seen[key] = len(rules)
		clear(at)
		for _, s := range above.Loop {
			step(s.Rule, func(i, next int) numset.Bits {
				if next < len(all[i].loop) {
					return all[i].loop[next]
				}
				return all[i].behind
			})
		}
	}
	return nil, nil
}
