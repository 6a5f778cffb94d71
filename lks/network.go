package lks

import (
	"slices"
	"strings"
	"sync"
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
// that have it ([Chaki05], Def. 5), and one for each component's own tau. Relabel
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
	crews      []*crew  // by component, of those that Union made; may be shorter
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

	manned    sync.Once
	processes *Processes
}

type netProp struct {
	name            string
	component, prop int32
}

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

// clone copies n for a change; slices are shared until replaced.
func (n *Network) clone() *Network {
	return &Network{
		name: n.name, components: n.components, names: n.names, observer: n.observer,
		rules: n.rules, uncounted: n.uncounted, alphabet: n.alphabet, props: n.props,
		low: n.low, compound: n.compound, crews: n.crews,
	}
}

// Name returns the name of the network, for people.
func (n *Network) Name() string { return n.name }

// Components returns the components. The slice must not be changed.
func (n *Network) Components() []*LKS { return n.components }

// LocalStates returns the number of the components' states together.
func (n *Network) LocalStates() int {
	sum := 0
	for _, m := range n.components {
		sum += m.NumStates()
	}
	return sum
}

// ComponentName returns the name of component i within the network, which may
// carry prefixes that the component itself lacks.
func (n *Network) ComponentName(i int) string { return n.names[i] }

// Observer reports whether component i was added by With.
func (n *Network) Observer(i int) bool { return n.observer[i] }

// Rules returns the rules, sorted by action. They must not be changed.
func (n *Network) Rules() []Rule { return n.rules }

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
