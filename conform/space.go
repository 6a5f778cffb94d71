package conform

import (
	"cmp"
	"math"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/lks"
)

// labels numbers sets of propositions, so that implementation and specification
// states can be compared by number. A set is a numset.Bits over props.
type labels struct {
	props []string
	ids   map[string]int32
	sets  [][]uint64
}

func newLabels(props []string) *labels {
	return &labels{props: props, ids: map[string]int32{}}
}

func (l *labels) words() int { return (len(l.props) + 63) / 64 }

// id returns the number of a set, which it copies if new.
func (l *labels) id(set []uint64) int32 {
	key := make([]byte, 0, 8*len(set))
	for _, w := range set {
		for range 8 {
			key = append(key, byte(w))
			w >>= 8
		}
	}
	id, ok := l.ids[string(key)]
	if !ok {
		id = int32(len(l.sets))
		l.ids[string(key)] = id
		l.sets = append(l.sets, slices.Clone(set))
	}
	return id
}

// names returns the propositions of a set, sorted as props are.
func (l *labels) names(id int32) []string {
	names := []string{}
	for i, p := range l.props {
		if l.sets[id][i/64]>>(i%64)&1 == 1 {
			names = append(names, p)
		}
	}
	return names
}

// class is what a preorder compares of two states: label and kind.
type class struct {
	label int32
	kind  lks.Kind
}

// fits reports whether a specification state of class spec may answer for an
// implementation state of class c.
func (c class) fits(spec class) bool {
	return c.label == spec.label && (c.kind == spec.kind || c.kind == lks.Normal && spec.kind == lks.End)
}

// edge is a transition of a space. Its action is a number of the alphabet that
// implementation and specification share.
type edge struct {
	action, target int32
	rule           int32 // of the network; the first of those that make this transition
}

// space is a network explored as far as a search has asked for. States are
// numbered in the order of discovery, the initial states first.
type space struct {
	net      *lks.Network
	labels   *labels
	explorer *lks.Explorer
	states   *frontier.Frontier
	initial  []int32
	classes  []class // by state
	first    []int32 // by state: index of its first edge, -1 until expanded
	edges    []edge
	last     []int32 // by state: end of its edges

	succ   lks.Successors
	bits   []uint64
	byProp []propOf
	cache  []map[int32][]uint64 // by component: bits of its label classes
}

// propOf says where proposition i of the labels is found.
type propOf struct {
	component, prop int32
	index           int
}

// mostEntries bounds what has numbers of 32 bits: states, edges, positions, clauses. Tests
// lower it.
var mostEntries = math.MaxInt32 - 1<<24

// newSpace prepares the exploration of net, whose propositions include those of
// l.
func newSpace(net *lks.Network, l *labels) *space {
	s := &space{
		net: net, labels: l, explorer: net.Explorer(), states: frontier.New(net.Words()),
		bits:  make([]uint64, l.words()),
		cache: make([]map[int32][]uint64, len(net.Components())),
	}
	for i, name := range l.props {
		if c, p, ok := net.Prop(name); ok {
			s.byProp = append(s.byProp, propOf{c, p, i})
			if s.cache[c] == nil {
				s.cache[c] = map[int32][]uint64{}
			}
		}
	}
	s.explorer.Initial(&s.succ)
	s.initial = slices.Clone(s.insert())
	slices.Sort(s.initial)
	return s
}

// insert numbers the states of s.succ and classifies those that are new.
func (s *space) insert() []int32 {
	before := s.len()
	numbers := s.states.Number(s.succ.States)
	for n := before; n < s.len(); n++ {
		s.classes = append(s.classes, s.classify(s.states.State(int32(n))))
		s.first = append(s.first, -1)
		s.last = append(s.last, -1)
	}
	return numbers
}

func (s *space) classify(state []uint64) class {
	clear(s.bits)
	kind := s.net.Kind(state)
	for c, cache := range s.cache {
		if cache == nil {
			continue
		}
		local := s.net.Local(state, int32(c))
		if s.net.LabelVoid(kind, int32(c), local) {
			continue
		}
		for w, b := range s.labelBits(int32(c), local) {
			s.bits[w] |= b
		}
	}
	return class{s.labels.id(s.bits), kind}
}

func (s *space) labelBits(component, local int32) []uint64 {
	m := s.net.Components()[component]
	of := m.LabelClass(local)
	set, ok := s.cache[component][of]
	if !ok {
		set = make([]uint64, s.labels.words())
		for _, p := range s.byProp {
			if p.component == component && m.HasProp(local, p.prop) {
				set[p.index/64] |= 1 << (p.index % 64)
			}
		}
		s.cache[component][of] = set
	}
	return set
}

// len returns the number of states discovered.
func (s *space) len() int { return s.states.Len() }

// expanded returns the edges of a state, sorted by action and target, without
// two equal ones. The slice is valid until the next call.
func (s *space) expanded(state int32) ([]edge, error) {
	if s.first[state] < 0 {
		if err := s.expand(state); err != nil {
			return nil, err
		}
	}
	return s.edges[s.first[state]:s.last[state]], nil
}

func (s *space) expand(state int32) error {
	if len(s.edges) > mostEntries || s.len() > mostEntries || s.states.Full() {
		return budget.Full("states of "+s.net.Name(), s.len(), budget.Progress{})
	}
	s.explorer.Successors(s.states.State(state), &s.succ)
	targets := s.insert()
	from := len(s.edges)
	rules := s.net.Rules()
	for i, r := range s.succ.Rules {
		s.edges = append(s.edges, edge{action: rules[r].Action, target: targets[i], rule: r})
	}
	own := s.edges[from:]
	sortEdges(own)
	own = slices.CompactFunc(own, func(a, b edge) bool { return a.action == b.action && a.target == b.target })
	s.edges = s.edges[:from+len(own)]
	s.first[state], s.last[state] = int32(from), int32(len(s.edges))
	return nil
}

func sortEdges(edges []edge) {
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.target, b.target), cmp.Compare(a.rule, b.rule))
	})
}

// byAction returns the part of edges, which are sorted by action, that has it.
func byAction(edges []edge, action int32) []edge {
	from, ok := slices.BinarySearchFunc(edges, action, func(e edge, a int32) int { return cmp.Compare(e.action, a) })
	if !ok {
		return nil
	}
	to := from + 1
	for to < len(edges) && edges[to].action == action {
		to++
	}
	return edges[from:to]
}
