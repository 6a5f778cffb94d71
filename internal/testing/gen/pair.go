package gen

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/lks"
)

// PairShapes are of pairs to be compared: without and with silent steps, propositions
// and special states.
var PairShapes = []Shape{
	{States: 5, Actions: []string{"a", "b"}, Degree: 1.8},
	{States: 5, Actions: []string{"a", "b", "c"}, Degree: 1.7, Tau: 0.3, Props: 0.4, Special: 0.3, ManyInitial: 0.3},
	{States: 7, Actions: []string{"a", "b"}, Degree: 2.2, Tau: 0.2, Props: 0.2, ManyInitial: 0.2},
}

// Dump has everything that an LKS consists of, but for names of states.
func Dump(m *lks.LKS) string {
	text := fmt.Sprintf("%v %v, initial %v\n", m.Alphabet(), m.Props(), m.Initial())
	for s := range int32(m.NumStates()) {
		text += fmt.Sprintf("  %d %s %v:", s, m.Kind(s), m.Label(s))
		for _, e := range m.Edges(s) {
			text += fmt.Sprintf(" %s->%d", m.Alphabet()[e.Action], e.Target)
		}
		text += "\n"
	}
	return text
}

// plan is an LKS that can still be changed.
type plan struct {
	actions []string // with tau
	props   []string
	labels  []uint32 // by state, bits over props
	kinds   []lks.Kind
	initial []int32
	edges   []planEdge
}

type planEdge struct{ from, action, to int32 }

// Pair returns two random LKSs with the same alphabet and propositions, made to
// be compared: half of the time the second is a copy of the first with a few
// changes (states copied or merged, transitions added or removed), so that every
// preorder and equivalence holds and fails often. spec says whether the second
// has silent transitions when the first may.
func Pair(r *rand.Rand, shape Shape, silentSpec bool) (impl, spec *lks.LKS) {
	a := randomPlan(r, shape)
	var b *plan
	if r.IntN(4) == 0 {
		b = randomPlan(r, shape)
		b.actions, b.props = a.actions, a.props
		for i := range b.edges {
			b.edges[i].action %= int32(len(a.actions))
		}
		for i := range b.labels {
			b.labels[i] &= 1<<len(a.props) - 1
		}
	} else {
		b = a.copy()
		for range r.IntN(4) {
			b.mutate(r)
		}
	}
	if r.IntN(2) == 0 {
		a, b = b, a
	}
	if !silentSpec {
		b.edges = slices.DeleteFunc(b.edges, func(e planEdge) bool { return e.action == 0 })
	}
	return a.build("I"), b.build("S")
}

// Similar returns a random LKS and a second with the same alphabet and
// propositions that is the first with so many random changes.
func Similar(r *rand.Rand, shape Shape, changes int) (a, b *lks.LKS) {
	p := randomPlan(r, shape)
	q := p.copy()
	for range changes {
		q.mutate(r)
	}
	return p.build("A"), q.build("B")
}

// Mutate returns m with so many random changes, under another name. m has at most
// 32 propositions.
func Mutate(r *rand.Rand, m *lks.LKS, name string, changes int) *lks.LKS {
	p := &plan{actions: m.Alphabet(), props: m.Props(), initial: slices.Clone(m.Initial())}
	for s := range int32(m.NumStates()) {
		label := uint32(0)
		for _, q := range m.Label(s) {
			label |= 1 << q
		}
		p.labels = append(p.labels, label)
		p.kinds = append(p.kinds, m.Kind(s))
		for _, e := range m.Edges(s) {
			p.edges = append(p.edges, planEdge{s, e.Action, e.Target})
		}
	}
	for range changes {
		p.mutate(r)
	}
	return p.build(name)
}

func randomPlan(r *rand.Rand, shape Shape) *plan {
	p := &plan{actions: append([]string{lks.TauName}, shape.Actions[:1+r.IntN(len(shape.Actions))]...)}
	if chance(r, shape.Props) {
		p.props = []string{"p", "q"}
	}
	special := chance(r, shape.Special)
	n := 1 + r.IntN(shape.States)
	for range n {
		label, kind := uint32(0), lks.Normal
		if p.props != nil && r.IntN(3) == 0 {
			label = r.Uint32N(4)
		}
		if special && r.IntN(4) == 0 {
			kind = lks.Kind(1 + r.IntN(2))
		}
		p.labels = append(p.labels, label)
		p.kinds = append(p.kinds, kind)
	}
	p.initial = []int32{int32(r.IntN(n))}
	if chance(r, shape.ManyInitial) {
		p.initial = append(p.initial, int32(r.IntN(n)), int32(r.IntN(n)))
	}
	for range int(shape.Degree*float64(n) + r.Float64()) {
		p.addEdge(r, shape.Tau)
	}
	return p
}

func (p *plan) addEdge(r *rand.Rand, tau float64) {
	n := int32(len(p.labels))
	e := planEdge{r.Int32N(n), r.Int32N(int32(len(p.actions))), r.Int32N(n)}
	if e.action == 0 && len(p.actions) > 1 {
		e.action = 1 + r.Int32N(int32(len(p.actions)-1))
	}
	if chance(r, tau) {
		e.action = 0
	}
	p.edges = append(p.edges, e)
}

func (p *plan) copy() *plan {
	c := *p
	c.labels, c.kinds = slices.Clone(p.labels), slices.Clone(p.kinds)
	c.initial, c.edges = slices.Clone(p.initial), slices.Clone(p.edges)
	return &c
}

// mutate makes one random change.
func (p *plan) mutate(r *rand.Rand) {
	n := int32(len(p.labels))
	s := r.Int32N(n)
	switch r.IntN(6) {
	case 0: // a copy of s, which some transitions into s use
		p.labels, p.kinds = append(p.labels, p.labels[s]), append(p.kinds, p.kinds[s])
		for _, e := range slices.Clone(p.edges) {
			if e.from == s {
				p.edges = append(p.edges, planEdge{n, e.action, e.to})
			}
		}
		for i := range p.edges {
			if p.edges[i].to == s && r.IntN(2) == 0 {
				p.edges[i].to = n
			}
		}
	case 1: // s and t become one
		t := r.Int32N(n)
		if p.labels[s] != p.labels[t] || p.kinds[s] != p.kinds[t] {
			return
		}
		for i := range p.edges {
			if p.edges[i].to == s {
				p.edges[i].to = t
			}
			if p.edges[i].from == s {
				p.edges[i].from = t
			}
		}
	case 2:
		if len(p.edges) > 0 {
			i := r.IntN(len(p.edges))
			p.edges = slices.Delete(p.edges, i, i+1)
		}
	case 3: // a silent step before s
		p.labels, p.kinds = append(p.labels, p.labels[s]), append(p.kinds, lks.Normal)
		for i := range p.edges {
			if p.edges[i].to == s && r.IntN(2) == 0 {
				p.edges[i].to = n
			}
		}
		p.edges = append(p.edges, planEdge{n, 0, s})
	default:
		p.addEdge(r, 0.1)
	}
}

func (p *plan) build(name string) *lks.LKS {
	b := lks.NewBuilder(name)
	for _, a := range p.actions[1:] {
		b.Action(a)
	}
	for _, q := range p.props {
		b.Prop(q)
	}
	for s := range p.labels {
		var label []int32
		for i := range p.props {
			// In networks no proposition holds in a state in error.
			if p.labels[s]>>i&1 == 1 && p.kinds[s] != lks.Error {
				label = append(label, int32(i))
			}
		}
		b.StateID(p.kinds[s], label)
	}
	b.Initial(p.initial...)
	for _, e := range p.edges {
		if p.kinds[e.from] == lks.Normal {
			b.TransitionID(e.from, b.Action(p.actions[e.action]), e.to)
		}
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}
