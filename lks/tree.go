package lks

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/statetable"
)

// TreeLimits are the limits of SimplifyTree.
type TreeLimits struct {
	States int   // of a composition before it is minimised; positive
	Effort int64 // parts of rules looked at, states and transitions built; 0: TreeEffort
}

// TreeEffort takes about a second.
const TreeEffort = 1 << 24

// SimplifyTree minimises the components of n as Simplify does, and then again and
// again composes two of them, makes silent what happens only between these two and
// is not seen, minimises the result, and puts it in their place: compositional
// minimisation along a tree that is chosen on the way ("smart reduction",
// [CrouzenLang11]). Compositions of more than bound states, or sixteen times as
// many transitions, are given up. When composing and choosing has taken the effort
// allowed, it ends.
//
// Always the two are taken that share a rule and for which the product of their
// sizes, times the share of their rules that stay visible to others, is least.
//
// # Soundness
//
// Replacing two components by their composition changes nothing but names: every
// rule gets one part for both, whose action says which parts the two had in it.
// Rules that move only these two and are not seen become the composition's tau,
// all such rules together; nothing else depends on them, since only DivergenceBranching
// has silent actions, and under it there are no priorities. So what Simplify says of
// minimised components holds for the minimised composition.
//
// Special states need care. A composition with a component in error is in error, as
// the network is. Its termination is not the network's: while some components are
// at their End, their partners may go on until all others are. Components that
// decide on termination are therefore minimised, but not composed. If the network
// cannot terminate, End states are but states without transitions, and lose their
// kind first; so do those of observers, which have no say. Where a component can be in
// error, observers are not composed either: in error, what they know remains, and
// what holds of a component with which they were composed does not (LabelVoid).
//
// The error is the meter's, which may be nil.
func (n *Network) SimplifyTree(view View, q Equivalence, limits TreeLimits, meter *budget.Meter) (*Simplified, error) {
	plain, err := n.withoutIdleEnds()
	if err != nil {
		return nil, err
	}
	s, err := plain.Simplify(view, q, meter)
	if err != nil {
		return nil, err
	}
	if limits.Effort == 0 {
		limits.Effort = TreeEffort
	}
	t := newTree(s, view, limits, meter)
	for {
		i, j, ok := t.next()
		if !ok {
			break
		}
		if err := t.join(i, j); err != nil {
			return nil, err
		}
	}
	s.Network, s.Parts, s.nodes = t.net, nil, t.nodes
	for _, node := range t.nodes {
		s.Parts = append(s.Parts, node.leaves())
	}
	return s, nil
}

// withoutIdleEnds makes Normal what is End but has no say in termination.
func (n *Network) withoutIdleEnds() (*Network, error) {
	decide := n.Termination().Deciders
	components := slices.Clone(n.components)
	for c, m := range components {
		if m.hasKind(End) && !slices.Contains(decide, int32(c)) {
			plain := *m
			plain.kinds = slices.Clone(m.kinds)
			for s, k := range plain.kinds {
				if k == End {
					plain.kinds[s] = Normal
				}
			}
			components[c] = &plain
		}
	}
	return n.Replace(components)
}

// treeNode is what a component of the simplified network stands for: a component of
// the original, or two nodes and the states of their composition.
type treeNode struct {
	component   int32 // if left is nil
	left, right *treeNode
	net         *Network          // of the two
	states      *statetable.Table // of net, by number
	class       []int32           // by number or local state; -1: it does not occur
	number      int               // of all nodes, in the order of their making
}

// stateOf returns the state that stands for local states of the original, or -1.
func (d *treeNode) stateOf(local []int32) int32 {
	if d.left == nil {
		return d.class[local[d.component]]
	}
	pair := []int32{d.left.stateOf(local), d.right.stateOf(local)}
	if pair[0] < 0 || pair[1] < 0 {
		return -1
	}
	packed := make([]uint64, d.net.Words())
	d.net.Pack(pair, packed)
	number := d.states.Find(packed)
	if number < 0 {
		return -1
	}
	return d.class[number]
}

// leaves returns the components of the original, sorted.
func (d *treeNode) leaves() []int32 {
	if d.left == nil {
		return []int32{d.component}
	}
	all := append(d.left.leaves(), d.right.leaves()...)
	slices.Sort(all)
	return all
}

// tree is the state of the composing.
type tree struct {
	net    *Network
	s      *Simplified
	view   View
	limits TreeLimits
	meter  *budget.Meter
	nodes  []*treeNode // by component of net
	given  map[[2]int]bool
	made   int // nodes
	decide []bool
	effort int64 // rules looked at for choosing, and states built
}

// Bound of the choice of the next two components.
const treePartners = 64 // parts of a rule: rules with more do not say what to compose

func newTree(s *Simplified, view View, limits TreeLimits, meter *budget.Meter) *tree {
	t := &tree{net: s.Network, s: s, view: view, limits: limits, meter: meter, given: map[[2]int]bool{}}
	t.nodes, t.made = slices.Clone(s.nodes), len(s.nodes)
	t.decide = make([]bool, len(t.nodes))
	for _, c := range s.Network.Termination().Deciders {
		t.decide[c] = true
	}
	if slices.ContainsFunc(s.Network.components, func(m *LKS) bool { return m.hasKind(Error) }) {
		for c, watches := range s.Network.observer {
			t.decide[c] = t.decide[c] || watches
		}
	}
	return t
}

// silent reports whether a rule becomes silent when it moves only what has been
// composed.
func (t *tree) silent(r Rule) bool {
	return t.s.Equivalence != Strong && !t.view.Action(t.net.alphabet[r.Action])
}

// pairing counts the rules with both of two components, and those that would
// become silent.
type pairing struct{ shared, silent int }

// next returns the two components to compose next.
func (t *tree) next() (i, j int32, ok bool) {
	if t.effort > t.limits.Effort {
		t.s.Stopped = true
		return 0, 0, false
	}
	pairs := map[[2]int32]pairing{}
	rules := make([]int, len(t.nodes)) // by component
	for _, r := range t.net.rules {
		t.effort += int64(len(r.Parts))
		for _, p := range r.Parts {
			rules[p.Component]++
		}
		if len(r.Parts) > treePartners {
			continue
		}
		t.effort += int64(len(r.Parts) * len(r.Parts))
		for k, p := range r.Parts {
			for _, o := range r.Parts[k+1:] {
				count := pairs[[2]int32{p.Component, o.Component}]
				count.shared++
				if len(r.Parts) == 2 && t.silent(r) {
					count.silent++
				}
				pairs[[2]int32{p.Component, o.Component}] = count
			}
		}
	}
	var best [2]int32
	least := 0.0
	for pair, count := range pairs {
		if t.decide[pair[0]] || t.decide[pair[1]] || t.given[[2]int{t.nodes[pair[0]].number, t.nodes[pair[1]].number}] {
			continue
		}
		size := float64(t.net.components[pair[0]].NumStates()) * float64(t.net.components[pair[1]].NumStates())
		all := rules[pair[0]] + rules[pair[1]] - count.shared
		cost := size * float64(all-count.silent+1) / float64(all+1)
		if !ok || cost < least || cost == least && slices.Compare(pair[:], best[:]) < 0 {
			best, least, ok = pair, cost, true
		}
	}
	return best[0], best[1], ok
}

// join composes components i < j of the network, or gives them up.
func (t *tree) join(i, j int32) error {
	t.s.Tried++
	w := &weld{t: t, i: i, j: j, number: map[string]int32{}}
	sub := w.composition()
	b := sub.building(t.meter, t.limits.States)
	m, err := b.build()
	t.effort += int64(b.states.Len() + b.edges.len)
	t.s.Largest = max(t.s.Largest, b.states.Len())
	if err != nil {
		return err
	}
	if m == nil {
		t.given[[2]int{t.nodes[i].number, t.nodes[j].number}] = true
		t.s.GivenUp++
		return nil
	}
	small, class, err := m.minimiseKeepingKinds(t.s.Equivalence, t.meter)
	if err != nil {
		return err
	}
	node := &treeNode{left: t.nodes[i], right: t.nodes[j], net: sub, states: b.states.Table, class: class, number: t.made}
	t.made++
	t.net = w.replace(small)
	t.nodes[i] = node
	t.nodes = slices.Delete(t.nodes, int(j), int(j)+1)
	t.decide = slices.Delete(t.decide, int(j), int(j)+1)
	return nil
}

// weld makes one component of two: i < j.
type weld struct {
	t      *tree
	i, j   int32
	local  []int32 // by rule of the network: the composition's action, or -1
	number map[string]int32
	rules  []Rule // of the composition; TauID is what becomes silent
}

// composition returns the network of the two. Its actions are numbers of what the
// rest of the network can tell apart: for rules with other components the parts that
// the two have in them, for others what is seen of the rule.
func (w *weld) composition() *Network {
	n := w.t.net
	w.local = make([]int32, len(n.rules))
	known := map[string]bool{}
	for r, rule := range n.rules {
		own := w.own(rule)
		w.local[r] = -1
		if len(own) == 0 {
			continue
		}
		w.local[r] = w.action(r, own)
		key := string(appendParts(binary.LittleEndian.AppendUint32(nil, uint32(w.local[r])), own))
		if !known[key] {
			known[key] = true
			w.rules = append(w.rules, Rule{Action: w.local[r], Parts: own})
		}
	}
	slices.SortStableFunc(w.rules, func(a, b Rule) int { return cmp.Compare(a.Action, b.Action) })
	sub := &Network{
		name:       n.names[w.i] + "||" + n.names[w.j],
		components: []*LKS{n.components[w.i], n.components[w.j]},
		names:      []string{n.names[w.i], n.names[w.j]},
		observer:   make([]bool, 2),
		alphabet:   []string{TauName},
		rules:      w.rules,
		uncounted:  make([]bool, len(w.rules)),
	}
	for a := range len(w.number) {
		sub.alphabet = append(sub.alphabet, fmt.Sprintf("a%08d", a+1))
	}
	for _, p := range n.props { // sorted
		switch p.component {
		case w.i:
			sub.props = append(sub.props, netProp{p.name, 0, p.prop})
		case w.j:
			sub.props = append(sub.props, netProp{p.name, 1, p.prop})
		}
	}
	return sub
}

// own returns the parts that i and j have in a rule, as components 0 and 1.
func (w *weld) own(rule Rule) []Part {
	var own []Part
	for _, p := range rule.Parts {
		switch p.Component {
		case w.i:
			own = append(own, Part{0, p.Action})
		case w.j:
			own = append(own, Part{1, p.Action})
		}
	}
	return own
}

// action returns the composition's action for a rule, of which it has these parts.
func (w *weld) action(r int, own []Part) int32 {
	n := w.t.net
	rule := n.rules[r]
	var key []byte
	switch {
	case len(own) < len(rule.Parts):
		key = appendParts([]byte("with others"), own)
	case w.t.silent(rule):
		return TauID
	case w.t.view.Action(n.alphabet[rule.Action]):
		key = n.appendLow(binary.LittleEndian.AppendUint32([]byte("seen"), uint32(rule.Action)), r)
	default:
		key = n.appendLow([]byte("unseen"), r)
	}
	id, ok := w.number[string(key)]
	if !ok {
		id = int32(len(w.number)) + 1
		w.number[string(key)] = id
	}
	return id
}

func appendParts(key []byte, parts []Part) []byte {
	for _, p := range parts {
		key = binary.LittleEndian.AppendUint32(key, uint32(p.Component))
		key = binary.LittleEndian.AppendUint32(key, uint32(p.Action))
	}
	return key
}

// appendLow appends the priorities of a rule.
func (n *Network) appendLow(key []byte, r int) []byte {
	for _, mask := range n.low {
		if mask[r] {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	return key
}

// replace returns the network with m, a quotient of the composition, in the place of
// the two: component i. Rules that m can take no part in are left out; whether the
// network can terminate does not depend on them.
func (w *weld) replace(m *LKS) *Network {
	n := w.t.net
	c := &Network{name: n.name, alphabet: n.alphabet, low: make([][]bool, len(n.low)), compound: n.compound}
	for k := range n.components {
		switch int32(k) {
		case w.j:
		case w.i:
			c.components = append(c.components, m)
			c.names = append(c.names, n.names[w.i]+"||"+n.names[w.j])
			c.observer = append(c.observer, n.observer[w.i] && n.observer[w.j])
		default:
			c.components = append(c.components, n.components[k])
			c.names = append(c.names, n.names[k])
			c.observer = append(c.observer, n.observer[k])
		}
	}
	for _, p := range n.props {
		if p.component == w.i || p.component == w.j {
			c.props = append(c.props, netProp{p.name, w.i, m.Prop(p.name)})
		} else {
			c.props = append(c.props, netProp{p.name, w.place(p.component), p.prop})
		}
	}
	w.replaceRules(c, m)
	return c
}

// place returns the new number of a component that is not j.
func (w *weld) place(component int32) int32 {
	if component > w.j {
		return component - 1
	}
	return component
}

const unseen = 1<<32 - 1 // no action

func (w *weld) replaceRules(c *Network, m *LKS) {
	n := w.t.net
	occurs := make([]bool, len(m.alphabet))
	for _, e := range m.edges {
		occurs[e.Action] = true
	}
	at := map[string]int{}
	order := make([]int, 0, len(n.rules)) // old rules by what they become: silent first
	for r := range n.rules {
		if w.local[r] == TauID {
			order = append(order, r)
		}
	}
	for r := range n.rules {
		if w.local[r] != TauID {
			order = append(order, r)
		}
	}
	for _, r := range order {
		if w.local[r] >= 0 && !occurs[w.local[r]] {
			continue
		}
		rule := w.rewritten(r)
		shown := uint32(rule.Action)
		if !w.t.view.Action(n.alphabet[rule.Action]) {
			shown = unseen // one of those that differ by their action alone will do
		}
		key := string(n.appendLow(appendParts(binary.LittleEndian.AppendUint32(nil, shown), rule.Parts), r))
		k, ok := at[key]
		if ok {
			c.uncounted[k] = c.uncounted[k] && n.uncounted[r]
			continue
		}
		at[key] = len(c.rules)
		c.rules = append(c.rules, rule)
		c.uncounted = append(c.uncounted, n.uncounted[r])
		for l := range n.low {
			c.low[l] = append(c.low[l], n.low[l][r])
		}
	}
	if len(n.low) == 0 {
		c.low = nil
	}
}

// rewritten returns rule r of the network with one part for the two.
func (w *weld) rewritten(r int) Rule {
	rule := w.t.net.rules[r]
	if w.local[r] < 0 {
		parts := slices.Clone(rule.Parts)
		for k := range parts {
			parts[k].Component = w.place(parts[k].Component)
		}
		return Rule{rule.Action, parts}
	}
	if w.local[r] == TauID {
		return Rule{TauID, []Part{{w.i, TauID}}}
	}
	parts := []Part{{w.i, w.local[r]}}
	for _, p := range rule.Parts {
		if p.Component != w.i && p.Component != w.j {
			parts = append(parts, Part{w.place(p.Component), p.Action})
		}
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(a.Component, b.Component) })
	return Rule{rule.Action, parts}
}
