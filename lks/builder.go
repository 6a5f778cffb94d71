package lks

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/seltl/seltl/budget"
)

// Builder makes an LKS. States are added in order and numbered from 0; actions
// and propositions are interned. A Builder is not safe for concurrent use.
//
//	b := lks.NewBuilder("SWITCH")
//	off, on := b.State("off"), b.State()
//	b.Initial(off)
//	b.Transition(off, "press", on)
//	b.Transition(on, "press", off)
//	m, err := b.Build()
//
// The zero Builder is NewBuilder("").
type Builder struct {
	name     string
	actions  map[string]int32 // provisional numbers, TauName has TauID
	names    []string
	props    map[string]int32
	labels   [][]int32 // per state, provisional proposition numbers
	kinds    []Kind
	special  bool
	initial  []int32
	edges    []builderEdge
	describe func(int32) string
}

type builderEdge struct {
	from, action, to int32
}

// NewBuilder returns an empty builder of a component with that name.
func NewBuilder(name string) *Builder {
	b := &Builder{name: name}
	b.init()
	return b
}

// init makes the tables, which the zero Builder lacks.
func (b *Builder) init() {
	if b.actions == nil {
		b.actions = map[string]int32{TauName: TauID}
		b.names = []string{TauName}
		b.props = map[string]int32{}
	}
}

// Action puts the action into the alphabet and returns its number for
// TransitionID (not its number in the finished LKS).
func (b *Builder) Action(name string) int32 {
	b.init()
	id, ok := b.actions[name]
	if !ok {
		id = int32(len(b.names))
		b.actions[name] = id
		b.names = append(b.names, name)
	}
	return id
}

// Prop declares an atomic proposition and returns its number for StateID.
func (b *Builder) Prop(name string) int32 {
	b.init()
	id, ok := b.props[name]
	if !ok {
		id = int32(len(b.props))
		b.props[name] = id
	}
	return id
}

// State adds a state with these propositions and returns its number.
func (b *Builder) State(props ...string) int32 {
	ids := make([]int32, len(props))
	for i, p := range props {
		ids[i] = b.Prop(p)
	}
	return b.StateID(Normal, ids)
}

// StateID adds a state of a kind with propositions by the numbers that Prop
// returned. It keeps props.
func (b *Builder) StateID(kind Kind, props []int32) int32 {
	b.labels = append(b.labels, props)
	b.kinds = append(b.kinds, kind)
	b.special = b.special || kind != Normal
	return int32(len(b.labels) - 1)
}

// Initial declares initial states. Without it, state 0 is initial.
func (b *Builder) Initial(states ...int32) { b.initial = append(b.initial, states...) }

// Transition adds a transition, declaring its action.
func (b *Builder) Transition(from int32, action string, to int32) {
	b.TransitionID(from, b.Action(action), to)
}

// TransitionID adds a transition by the number that Action returned.
func (b *Builder) TransitionID(from, action, to int32) {
	if len(b.edges) == cap(b.edges) {
		b.edges = slices.Grow(b.edges, len(b.edges)+16) // twice as much; append would give less
	}
	b.edges = append(b.edges, builderEdge{from, action, to})
}

// Transitions returns how many transitions have been added.
func (b *Builder) Transitions() int { return len(b.edges) }

// Describe sets the function that names states for people (see LKS.StateName).
// It must be safe for concurrent use.
func (b *Builder) Describe(f func(state int32) string) { b.describe = f }

// checkNames refuses names that no text could have: empty ones, and those with line breaks or other
// control characters. Blanks are allowed: programs perform return {$0 == 1}.
func (b *Builder) checkNames() error {
	control := func(name string) bool { return name == "" || strings.ContainsFunc(name, unicode.IsControl) }
	for id, name := range b.names {
		if id != int(TauID) && control(name) {
			return fmt.Errorf("lks: component %q: %q is no name of an action", b.name, name)
		}
	}
	for name := range b.props {
		if control(name) {
			return fmt.Errorf("lks: component %q: %q is no name of a proposition", b.name, name)
		}
	}
	return nil
}

// Build returns the LKS, or an error if it is not one: no states, a number out
// of range, or a transition that leaves an End or Error state. The builder must
// not be used afterwards. Time O(m log m) in the number of transitions.
func (b *Builder) Build() (*LKS, error) {
	b.init()
	n := len(b.labels)
	if n == 0 {
		return nil, fmt.Errorf("lks: component %q has no states", b.name)
	}
	if len(b.edges) > math.MaxInt32 || n >= math.MaxInt32 {
		return nil, budget.Full("states or transitions of "+b.name, max(n, len(b.edges)), budget.Progress{})
	}
	if err := b.checkNames(); err != nil {
		return nil, err
	}
	m := &LKS{name: b.name, describe: b.describe}
	if b.special {
		m.kinds = b.kinds
	}

	m.initial = slices.Clone(b.initial)
	if len(m.initial) == 0 {
		m.initial = []int32{0}
	}
	slices.Sort(m.initial)
	m.initial = slices.Compact(m.initial)
	for _, s := range m.initial {
		if s < 0 || int(s) >= n {
			return nil, fmt.Errorf("lks: component %q: there is no initial state %d (states are 0 to %d)", b.name, s, n-1)
		}
	}

	// Final numbers: tau, then the alphabet by name.
	m.alphabet = slices.Clone(b.names)
	slices.Sort(m.alphabet[1:])
	newAction := make([]int32, len(b.names))
	for i, name := range m.alphabet {
		newAction[b.actions[name]] = int32(i)
	}
	m.props = make([]string, 0, len(b.props))
	for p := range b.props {
		m.props = append(m.props, p)
	}
	slices.Sort(m.props)
	newProp := make([]int32, len(m.props))
	for i, p := range m.props {
		newProp[b.props[p]] = int32(i)
	}
	if err := m.setLabels(b.labels, newProp); err != nil {
		return nil, err
	}

	m.first = make([]int32, n+1)
	for _, e := range b.edges {
		if e.from < 0 || int(e.from) >= n || e.to < 0 || int(e.to) >= n || e.action < 0 || int(e.action) >= len(newAction) {
			return nil, b.outOfRange(e)
		}
		if kind := b.kinds[e.from]; kind != Normal {
			return nil, fmt.Errorf("lks: component %q: transition %d -%s-> %d leaves a state of kind %v, which has none", b.name, e.from, b.names[e.action], e.to, kind)
		}
		m.first[e.from+1]++
	}
	for s := range n {
		m.first[s+1] += m.first[s]
	}
	m.edges = make([]Edge, len(b.edges))
	next := slices.Clone(m.first[:n])
	for _, e := range b.edges {
		m.edges[next[e.from]] = Edge{Action: newAction[e.action], Target: e.to}
		next[e.from]++
	}
	m.sortEdges()
	return m, nil
}

// outOfRange says which number of a transition is none.
func (b *Builder) outOfRange(e builderEdge) error {
	if e.action < 0 || int(e.action) >= len(b.names) {
		return fmt.Errorf("lks: component %q: transition from %d to %d: there is no action number %d (Action returned 0 to %d)", b.name, e.from, e.to, e.action, len(b.names)-1)
	}
	state := e.to
	if e.from < 0 || int(e.from) >= len(b.labels) {
		state = e.from
	}
	return fmt.Errorf("lks: component %q: transition %d -%s-> %d: there is no state %d (states are 0 to %d)", b.name, e.from, b.names[e.action], e.to, state, len(b.labels)-1)
}

// sortEdges sorts every state's edges and removes duplicates in place.
func (m *LKS) sortEdges() {
	w := int32(0)
	var keys []uint64 // edges as numbers: they sort faster
	for s := range m.NumStates() {
		edges := m.edges[m.first[s]:m.first[s+1]]
		keys = keys[:0]
		for _, e := range edges {
			keys = append(keys, uint64(e.Action)<<32|uint64(e.Target))
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		m.first[s] = w
		for _, k := range keys {
			m.edges[w] = Edge{Action: int32(k >> 32), Target: int32(k & math.MaxUint32)}
			w++
		}
	}
	m.first[m.NumStates()] = w
	m.edges = m.edges[:w:w]
}

// setLabels stores each different label once.
func (m *LKS) setLabels(labels [][]int32, newProp []int32) error {
	if len(m.props) == 0 {
		for s, label := range labels {
			if len(label) > 0 {
				return fmt.Errorf("lks: component %q: state %d: there is no proposition number %d (%s)", m.name, s, label[0], propNumbers(0))
			}
		}
		return nil
	}
	m.labelOf = make([]int32, len(labels))
	class := map[string]int32{}
	var key []byte
	for s, label := range labels {
		final := make([]int32, len(label))
		for i, p := range label {
			if p < 0 || int(p) >= len(newProp) {
				return fmt.Errorf("lks: component %q: state %d: there is no proposition number %d (%s)", m.name, s, p, propNumbers(len(newProp)))
			}
			final[i] = newProp[p]
		}
		slices.Sort(final)
		final = slices.Compact(final)
		key = key[:0]
		for _, p := range final {
			key = append(key, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
		}
		id, ok := class[string(key)]
		if !ok {
			id = int32(len(m.labels))
			class[string(key)] = id
			m.labels = append(m.labels, final)
		}
		m.labelOf[s] = id
	}
	return nil
}

func propNumbers(n int) string {
	if n == 0 {
		return "Prop was not called"
	}
	return fmt.Sprintf("Prop returned 0 to %d", n-1)
}
