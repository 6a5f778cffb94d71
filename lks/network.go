package lks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seltl/seltl/budget"
)

// Part says that a component takes part in a rule by one of its own actions.
type Part struct {
	Component int32 // index into Network.Components
	Action    int32 // index into that component's alphabet
}

// Rule is one way in which components of a network move together.
type Rule struct {
	Action int32  // what the rest of the world sees: index into Network.Alphabet
	Parts  []Part // sorted by Component, at least one
}

// Network is a parallel composition of components that is explored on the fly,
// never built unless asked for. It is immutable and safe for concurrent use:
// its methods return changed copies.
//
// A network moves by its rules. A rule is enabled in a global state if each of
// its parts is possible in its component's local state; then these components
// move, each to any of its targets, and the others stay. Compose makes one rule
// for every action that any component has in its alphabet, with all components
// that have it (thesis Def. 5), and one for each component's own tau. Relabel
// and Hide rewrite what rules show, so that networks of networks stay flat.
//
// # Special states
//
// The kinds End and Error work as in FSP. A network is in error as soon as one
// component is in an Error state. It has terminated (End) where it can terminate,
// every component that has End states is in one of them, and no rule is enabled;
// see Termination. Observers (see With) have no say in termination. States in error,
// and terminated states, have no successors.
//
// In error no component has a local state any more, but those that failed, and
// observers, which remember what has happened: no other's propositions hold. All
// states in error in which the same propositions hold and observers are alike are one. At End every proposition
// means what it always does; all terminated states with the same propositions are
// one. Explorers store these canonical states; the other local states in them mean
// nothing (package lks/run takes them apart along a run). Who evaluates propositions
// on local states must ask LabelVoid first.
type Network struct {
	name       string
	components []*LKS
	names      []string // of the components, for people
	observer   []bool   // by component
	rules      []Rule   // sorted by Action
	uncounted  []bool   // by rule: not asked when deciding whether the network can terminate
	alphabet   []string // [0] is TauName, the rest sorted
	props      []netProp
	parts      int      // of rules that this composition has made
	low        [][]bool // by rule; applied in this order, see Yield
	// compound: hiding or relabelling has made several components one process in
	// the eyes of FSP's termination rule. Composing forgets it, because no such
	// part has End states then.
	compound bool

	once     sync.Once
	compiled *program
	layoutOf sync.Once
	layout   *layout
}

type netProp struct {
	name            string
	component, prop int32
}

// PropClash is the error of a composition whose components share a proposition
// (thesis Def. 5 demands disjoint sets).
type PropClash struct {
	Prop          string
	First, Second string // names of the components
}

func (e *PropClash) Error() string {
	return fmt.Sprintf("proposition %s belongs to both %s and %s: components of a composition must not share propositions; prefix one of them", e.Prop, e.First, e.Second)
}

// NotFlat is the error of a composition that cannot be explored on the fly,
// because one part must be built first (Build, then Single).
type NotFlat struct {
	Index int    // of the part, in Compose's arguments
	Part  string // name of the network
	Why   string
}

func (e *NotFlat) Error() string {
	return fmt.Sprintf("%s cannot be a part of a composition as it stands, because it %s: build it first", e.Part, e.Why)
}

// maxRules bounds the number of rules: several rules for one action multiply
// when networks are composed.
const maxRules = 1 << 22

// maxParts bounds their parts, those of components that are composed together counted
// once: 8 bytes each.
const maxParts = 1 << 28

// maxInitial bounds the initial states of a composition.
const maxInitial = 1 << 22

// Single returns the network of one component. Time O(alphabet).
func Single(m *LKS) *Network {
	n := &Network{
		name:       m.Name(),
		components: []*LKS{m},
		names:      []string{m.Name()},
		observer:   []bool{false},
		alphabet:   m.Alphabet(),
		rules:      make([]Rule, len(m.Alphabet())),
		uncounted:  make([]bool, len(m.Alphabet())),
	}
	for a := range n.rules {
		n.rules[a] = Rule{Action: int32(a), Parts: []Part{{Component: 0, Action: int32(a)}}}
	}
	n.uncounted[TauID] = true
	for p, name := range m.Props() {
		n.props = append(n.props, netProp{name, 0, int32(p)})
	}
	return n
}

// Compose returns the parallel composition of networks, in which they
// synchronise on the actions they share. Its components are those of the parts
// in order. The error is *PropClash, *NotFlat, or says that there are no parts,
// or too many rules or initial states.
func Compose(name string, parts ...*Network) (*Network, error) {
	return ComposeWithin(nil, name, parts...)
}

// ComposeWithin is Compose for very many components or rules: meter is asked meanwhile,
// and its error ends the composition.
func ComposeWithin(meter *budget.Meter, name string, parts ...*Network) (*Network, error) {
	switch len(parts) {
	case 0:
		return nil, fmt.Errorf("composition %s has no parts", name)
	case 1:
		n := parts[0].clone()
		n.name = name
		return n, nil
	}
	n := &Network{name: name}
	offsets := make([]int32, len(parts))
	for i, p := range parts {
		if why := p.notFlat(); why != "" {
			return nil, &NotFlat{Index: i, Part: p.name, Why: why}
		}
		offsets[i] = int32(len(n.components))
		n.components = append(n.components, p.components...)
		n.names = append(n.names, p.names...)
		n.observer = append(n.observer, p.observer...)
		for _, q := range p.props {
			n.props = append(n.props, netProp{q.name, q.component + offsets[i], q.prop})
		}
	}
	if err := n.sortProps(); err != nil {
		return nil, err
	}
	if err := n.checkInitial(); err != nil {
		return nil, err
	}
	n.alphabet = unionAlphabet(parts)
	if err := n.synchronise(parts, offsets, meter); err != nil {
		return nil, err
	}
	if c := n.restless(); c >= 0 {
		i := len(offsets) - 1
		for offsets[i] > c {
			i--
		}
		return nil, &NotFlat{Index: i, Part: parts[i].name, Why: "hides actions of several processes, and others terminate"}
	}
	return n, nil
}

// checkInitial bounds the combinations of initial states, which are enumerated
// before a search can look at its limits.
func (n *Network) checkInitial() error {
	combinations := 1
	for _, m := range n.components {
		if combinations *= len(m.initial); combinations > maxInitial {
			return &budget.Exhausted{What: "initial states", Limit: fmt.Sprintf("%d of %s", maxInitial, n.name), Advice: "fewer components with several initial states"}
		}
	}
	return nil
}

// notFlat says why n cannot be composed further, or "".
func (n *Network) notFlat() string {
	switch {
	case n.low != nil:
		return "has priorities"
	case slices.Contains(n.observer, true):
		return "has observers"
	case n.compound && n.hasEnd():
		// The parts of such a process count as one process with (or without) an
		// END, and its terminated states are one.
		return "hides or merges actions of several processes of which some terminate"
	}
	return ""
}

func (n *Network) hasEnd() bool {
	return slices.ContainsFunc(n.components, func(m *LKS) bool { return slices.Contains(m.kinds, End) })
}

func unionAlphabet(parts []*Network) []string {
	alphabet := []string{TauName}
	for _, p := range parts {
		alphabet = append(alphabet, p.alphabet[1:]...)
	}
	slices.Sort(alphabet[1:])
	return slices.Compact(alphabet)
}

// synchronise makes the rules of the composition: for every action the product
// of the rules that the parts with that action in their alphabet have for it.
func (n *Network) synchronise(parts []*Network, offsets []int32, meter *budget.Meter) error {
	for i, p := range parts {
		for _, r := range p.rules {
			if r.Action == TauID {
				n.addRule(TauID, true, shiftParts(nil, r.Parts, offsets[i]))
			}
		}
	}
	sharers, from := n.sharers(parts)
	next := make([]int, len(parts)) // first rule not yet used, in each part
	at := make([]int32, len(parts)) // position in the alphabet, in each part
	for i, p := range parts {
		next[i], at[i] = p.firstRule(TauID+1), TauID+1
	}
	var choices [][]Rule
	for a := int32(1); int(a) < len(n.alphabet); a++ {
		own := sharers[from[a]:from[a+1]]
		choices = choices[:0]
		for _, i := range own {
			rules := parts[i].rules[next[i]:]
			k := 0
			for k < len(rules) && rules[k].Action == at[i] {
				k++
			}
			next[i] += k
			at[i]++
			choices = append(choices, rules[:k])
		}
		if err := n.product(a, own, choices, offsets, meter); err != nil {
			return err
		}
	}
	return nil
}

// sharers returns the parts that have an action in their alphabet, in order: those of
// action a are list[from[a]:from[a+1]].
func (n *Network) sharers(parts []*Network) (list []int32, from []int) {
	from = make([]int, len(n.alphabet)+1)
	var actions []int32 // of all parts, one after the other
	for _, p := range parts {
		for _, name := range p.alphabet[1:] {
			a := n.Action(name)
			actions = append(actions, a)
			from[a+1]++
		}
	}
	for a := range n.alphabet {
		from[a+1] += from[a]
	}
	list = make([]int32, len(actions))
	free := slices.Clone(from)
	for i, p := range parts {
		for range p.alphabet[1:] {
			list[free[actions[0]]] = int32(i)
			free[actions[0]]++
			actions = actions[1:]
		}
	}
	return list, from
}

// product adds a rule for every way to choose one rule of each sharer.
func (n *Network) product(action int32, sharers []int32, choices [][]Rule, offsets []int32, meter *budget.Meter) error {
	total := len(n.rules)
	ways := 1
	for i, c := range choices {
		ways *= len(c)
		if total+ways > maxRules || n.parts+ways*(i+1) > maxParts {
			return &budget.Exhausted{What: "rules", Limit: fmt.Sprintf("%d in %s, which has more ways to synchronise on %s", maxRules, n.name, n.alphabet[action]),
				Advice: "minimal or deterministic before the parts that relabel several actions to it, so that they are built first"}
		}
	}
	pick := make([]int, len(choices))
	for range ways {
		if n.parts += len(sharers); meter != nil && (n.parts-len(sharers))/budget.TickEvery != n.parts/budget.TickEvery {
			if err := meter.Tick(budget.Progress{Phase: "composing", Transitions: int64(len(n.rules))}); err != nil {
				return err
			}
		}
		var parts []Part
		for i, s := range sharers {
			parts = shiftParts(parts, choices[i][pick[i]].Parts, offsets[s])
		}
		n.addRule(action, false, parts)
		for i := len(pick) - 1; i >= 0; i-- {
			if pick[i]++; pick[i] < len(choices[i]) {
				break
			}
			pick[i] = 0
		}
	}
	return nil
}

func shiftParts(to, parts []Part, offset int32) []Part {
	to = slices.Grow(to, len(parts))
	for _, p := range parts {
		to = append(to, Part{p.Component + offset, p.Action})
	}
	return to
}

func (n *Network) addRule(action int32, uncounted bool, parts []Part) {
	n.rules = append(n.rules, Rule{Action: action, Parts: parts})
	n.uncounted = append(n.uncounted, uncounted)
}

// firstRule returns the index of the first rule with that action or a later one.
func (n *Network) firstRule(action int32) int {
	i, _ := slices.BinarySearchFunc(n.rules, action, func(r Rule, a int32) int { return cmp.Compare(r.Action, a) })
	return i
}

// clone copies n for a change; slices are shared until replaced.
func (n *Network) clone() *Network {
	return &Network{
		name: n.name, components: n.components, names: n.names, observer: n.observer,
		rules: n.rules, uncounted: n.uncounted, alphabet: n.alphabet, props: n.props,
		low: n.low, compound: n.compound,
	}
}

// Rename returns n with another name.
func (n *Network) Rename(name string) *Network {
	c := n.clone()
	c.name = name
	return c
}

// Relabel renames actions. new returns the new names of an action: several
// duplicate its rules (FSP's relabelling is a relation), none removes the action
// and its rules, TauName hides them. tau itself cannot be relabelled. Old names
// that become one new name stay alternatives: components do not synchronise
// anew.
func (n *Network) Relabel(new func(old string) []string) *Network {
	targets := make([][]string, len(n.alphabet))
	targets[TauID] = []string{TauName}
	alphabet := []string{TauName}
	for a, old := range n.alphabet[1:] {
		names := slices.Clone(new(old))
		slices.Sort(names)
		names = slices.Compact(names)
		targets[a+1] = names
		for _, name := range names {
			if name != TauName {
				alphabet = append(alphabet, name)
			}
		}
	}
	slices.Sort(alphabet[1:])
	merged := len(alphabet)
	c := n.clone()
	c.alphabet = slices.Compact(alphabet)
	merged -= len(c.alphabet)
	hides := slices.ContainsFunc(targets[1:], func(names []string) bool { return slices.Contains(names, TauName) })
	c.compound = n.compound || len(n.components) > 1 && (merged > 0 || hides)
	c.rewriteRules(n, targets)
	return c
}

// rewriteRules gives c the rules of n under the new names of their actions,
// sorted by new action, otherwise in the old order.
func (c *Network) rewriteRules(n *Network, targets [][]string) {
	type renamed struct {
		rule Rule
		old  int
	}
	ids := make([][]int32, len(targets))
	for a, names := range targets {
		for _, name := range names {
			ids[a] = append(ids[a], c.Action(name))
		}
	}
	var rules []renamed
	for i, r := range n.rules {
		for _, id := range ids[r.Action] {
			rules = append(rules, renamed{Rule{Action: id, Parts: r.Parts}, i})
		}
	}
	slices.SortStableFunc(rules, func(a, b renamed) int { return cmp.Compare(a.rule.Action, b.rule.Action) })
	c.rules = make([]Rule, len(rules))
	c.uncounted = make([]bool, len(rules))
	c.low = make([][]bool, len(n.low))
	for l := range c.low {
		c.low[l] = make([]bool, len(rules))
	}
	for i, r := range rules {
		c.rules[i] = r.rule
		c.uncounted[i] = n.uncounted[r.old]
		for l := range c.low {
			c.low[l][i] = n.low[l][r.old]
		}
	}
	if len(c.low) == 0 {
		c.low = nil
	}
}

// Hide makes actions silent: they leave the alphabet and become tau. As in FSP,
// that makes several components one process with regard to termination, even if
// nothing is hidden.
func (n *Network) Hide(hidden func(action string) bool) *Network {
	c := n.Relabel(func(old string) []string {
		if hidden(old) {
			return []string{TauName}
		}
		return []string{old}
	})
	c.compound = c.compound || len(c.components) > 1
	return c
}

// Yield gives actions low priority: where a rule whose action is not low is
// enabled, no rule whose action is low is. low is asked for every action, tau
// included. FSP's P>>L is Yield(in L), its P<<L is Yield(not in L, or tau).
// Priorities look at the actions as they are now; later relabelling and hiding
// do not change them. A network with priorities cannot be composed further.
func (n *Network) Yield(low func(action string) bool) *Network {
	c := n.clone()
	mask := make([]bool, len(n.rules))
	for i, r := range n.rules {
		mask[i] = low(n.alphabet[r.Action])
	}
	c.low = append(slices.Clone(n.low), mask)
	return c
}

// With adds observers: components that move along with every rule whose action
// is in their alphabet, and never prevent it; where an observer has no
// transition for the action it stays where it is. They see the actions as they
// are now: With before Hide sees what is hidden. Actions that only an observer
// has do not occur. The error is *PropClash, or says that an observer has tau
// transitions. A network with observers cannot be composed further.
func (n *Network) With(observers ...*LKS) (*Network, error) {
	c := n.clone()
	c.rules = slices.Clone(n.rules)
	c.components, c.names = slices.Clip(n.components), slices.Clip(n.names)
	c.observer, c.props = slices.Clip(n.observer), slices.Clone(n.props)
	for _, o := range observers {
		if slices.ContainsFunc(o.edges, func(e Edge) bool { return e.Action == TauID }) {
			return nil, fmt.Errorf("observer %s has silent transitions", o.Name())
		}
		o = o.withSelfLoops()
		id := int32(len(c.components))
		c.components = append(c.components, o)
		c.names = append(c.names, o.Name())
		c.observer = append(c.observer, true)
		for p, name := range o.Props() {
			c.props = append(c.props, netProp{name, id, int32(p)})
		}
		for i, r := range c.rules {
			if r.Action == TauID {
				continue
			}
			if a := o.Action(n.alphabet[r.Action]); a >= 0 {
				c.rules[i].Parts = append(slices.Clip(r.Parts), Part{id, a})
			}
		}
	}
	if err := c.sortProps(); err != nil {
		return nil, err
	}
	return c, nil
}

// withSelfLoops returns m with a self-loop wherever a Normal or End state has no
// transition for an action of the alphabet.
func (m *LKS) withSelfLoops() *LKS {
	c := *m
	c.first = make([]int32, len(m.first))
	c.edges = nil
	for s := range int32(m.NumStates()) {
		edges := m.Edges(s)
		for a := int32(1); int(a) < len(m.alphabet); a++ {
			from := len(c.edges)
			for len(edges) > 0 && edges[0].Action == a {
				c.edges = append(c.edges, edges[0])
				edges = edges[1:]
			}
			if len(c.edges) == from && m.Kind(s) != Error {
				c.edges = append(c.edges, Edge{a, s})
			}
		}
		c.first[s+1] = int32(len(c.edges))
	}
	return &c
}

// sortProps sorts the propositions by name and finds clashes.
func (n *Network) sortProps() error {
	slices.SortFunc(n.props, func(a, b netProp) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.component, b.component))
	})
	for i := 1; i < len(n.props); i++ {
		if a, b := n.props[i-1], n.props[i]; a.name == b.name {
			return &PropClash{Prop: a.name, First: n.names[a.component], Second: n.names[b.component]}
		}
	}
	return nil
}

// RenameProps renames propositions. The error is *PropClash if two get the same
// name.
func (n *Network) RenameProps(new func(old string) string) (*Network, error) {
	c := n.clone()
	c.props = slices.Clone(n.props)
	for i := range c.props {
		c.props[i].name = new(c.props[i].name)
	}
	if err := c.sortProps(); err != nil {
		return nil, err
	}
	return c, nil
}

// RenameComponents changes the names of components that people see.
func (n *Network) RenameComponents(new func(old string) string) *Network {
	c := n.clone()
	c.names = slices.Clone(n.names)
	for i, name := range c.names {
		c.names[i] = new(name)
	}
	return c
}

// Prefix is FSP's p:P: every action a becomes p.a, every proposition q becomes
// p.q, every component C is shown as p:C.
func (n *Network) Prefix(p string) *Network {
	c := n.Relabel(func(old string) []string { return []string{p + "." + old} })
	c, err := c.RenameProps(func(old string) string { return p + "." + old })
	if err != nil {
		panic("lks: a prefix made two different names equal")
	}
	return c.RenameComponents(func(old string) string { return p + ":" + old })
}

// Name returns the name of the network, for people.
func (n *Network) Name() string { return n.name }

// Components returns the components. The slice must not be changed.
func (n *Network) Components() []*LKS { return n.components }

// ComponentName returns the name of component i within the network, which may
// carry prefixes that the component itself lacks.
func (n *Network) ComponentName(i int) string { return n.names[i] }

// Observer reports whether component i was added by With.
func (n *Network) Observer(i int) bool { return n.observer[i] }

// Rules returns the rules, sorted by action. They must not be changed.
func (n *Network) Rules() []Rule { return n.rules }

// Low returns the priorities of the network, one mask over Rules for every call
// of Yield, in the order in which they apply: where a rule that is not low is
// enabled, rules that are low are not. It is nil without priorities and must not
// be changed.
func (n *Network) Low() [][]bool { return n.low }

// Alphabet returns the names of the actions by number: TauName at TauID, then
// the alphabet, sorted. The slice must not be changed.
func (n *Network) Alphabet() []string { return n.alphabet }

// Action returns the number of the named action, or -1.
func (n *Network) Action(name string) int32 {
	if name == TauName {
		return TauID
	}
	if i, ok := slices.BinarySearch(n.alphabet[1:], name); ok {
		return int32(i) + 1
	}
	return -1
}

// Props returns the names of the atomic propositions, sorted, in a new slice.
func (n *Network) Props() []string {
	names := make([]string, len(n.props))
	for i, p := range n.props {
		names[i] = p.name
	}
	return names
}

// Prop finds a proposition: it holds in a global state iff the proposition with
// index prop of that component holds in the component's local state.
func (n *Network) Prop(name string) (component, prop int32, ok bool) {
	i, ok := slices.BinarySearchFunc(n.props, name, func(p netProp, name string) int { return strings.Compare(p.name, name) })
	if !ok {
		return -1, -1, false
	}
	return n.props[i].component, n.props[i].prop, true
}
