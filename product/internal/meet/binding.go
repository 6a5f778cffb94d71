package meet

import (
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Binding knows what the atoms of an automaton mean in a network. A valuation is
// a bitset over the atoms by index. Propositions are looked up per component
// and local state; a global state's valuation is the union, except that in error
// those are void that lks.Network.LabelVoid names.
type Binding struct {
	net        *lks.Network
	Words      int // of a valuation
	components []boundComponent
	deadlock   []uint64   // the valuation of the atom deadlock; nil if no atom
	enables    [][]uint64 // by rule: the enabled(a) that it makes true; nil if no atoms
	Class      []int32    // by rule: its event class
	Events     [][]uint64 // by event class: the valuation of events; class 0 has none

	scratch []uint64
	letters int32
	direct  []int32 // letter by valuation plus 1, if that is small
	single  map[uint64]int32
	many    map[string]int32
	Letter  []uint64 // valuations by letter
	bytes   []byte
}

// boundComponent is a component with propositions that matter.
type boundComponent struct {
	lks.Field
	values []uint64 // words per local state
	number int32
}

// NewBinding returns the binding, or an *ltl.AtomError.
func NewBinding(net *lks.Network, atoms []ltl.Atom) (*Binding, error) {
	b := &Binding{
		net:    net,
		Words:  max(1, (len(atoms)+63)/64),
		Class:  make([]int32, len(net.Rules())),
		single: map[uint64]int32{},
		many:   map[string]int32{},
	}
	b.scratch = make([]uint64, b.Words)
	b.Events = [][]uint64{make([]uint64, b.Words)}
	if len(atoms) <= 12 {
		b.direct = make([]int32, 1<<len(atoms))
	}
	values := map[int32][]uint64{} // by component
	for i, a := range atoms {
		if err := b.bind(net, i, a, values); err != nil {
			return nil, err
		}
	}
	for c := range int32(len(net.Components())) {
		if v, ok := values[c]; ok {
			b.components = append(b.components, boundComponent{net.Field(c), v, c})
		}
	}
	return b, nil
}

// bind gives meaning to atom number i.
func (b *Binding) bind(net *lks.Network, i int, a ltl.Atom, values map[int32][]uint64) error {
	word, bit := i/64, uint64(1)<<(i%64)
	switch a.Kind {
	case ltl.Prop:
		c, p, ok := net.Prop(a.Name)
		if !ok {
			return &ltl.AtomError{Atom: a, Why: "is no proposition of " + net.Name()}
		}
		m := net.Components()[c]
		if values[c] == nil {
			values[c] = make([]uint64, m.NumStates()*b.Words)
		}
		for s := range m.NumStates() {
			if m.HasProp(int32(s), p) {
				values[c][s*b.Words+word] |= bit
			}
		}
	case ltl.Event:
		id := net.Action(a.Name)
		if id < 0 {
			return &ltl.AtomError{Atom: a, Why: "is no event of " + net.Name()}
		}
		v := make([]uint64, b.Words)
		v[word] = bit
		for r, rule := range net.Rules() {
			if rule.Action == id {
				b.Class[r] = int32(len(b.Events))
			}
		}
		b.Events = append(b.Events, v)
	case ltl.Deadlock:
		b.deadlock = make([]uint64, b.Words)
		b.deadlock[word] = bit
	case ltl.Enabled:
		id := net.Action(a.Name)
		if id < 0 {
			return &ltl.AtomError{Atom: a, Why: "is no event of " + net.Name()}
		}
		if b.enables == nil {
			b.enables = make([][]uint64, len(net.Rules()))
			for r := range b.enables {
				b.enables[r] = make([]uint64, b.Words)
			}
		}
		for r, rule := range net.Rules() {
			if rule.Action == id {
				b.enables[r][word] |= bit
			}
		}
	default:
		return &ltl.AtomError{Atom: a, Why: "was read without a model: it is neither a proposition nor an event"}
	}
	return nil
}

// LetterOf numbers what is true in a packed state with these successors, events
// apart. Numbers are given in the order of asking.
func (b *Binding) LetterOf(state []uint64, succ *lks.Successors) int32 {
	if b.Words == 1 && succ.Len() > 0 && b.enables == nil {
		v := uint64(0)
		for i := range b.components {
			c := &b.components[i]
			v |= c.values[state[c.Word]>>(c.Shift&63)&c.Mask]
		}
		return b.intern1(v)
	}
	v := b.scratch
	clear(v)
	kind := lks.Normal
	if succ.Len() == 0 {
		kind = b.net.Kind(state)
	}
	for i := range b.components {
		c := &b.components[i]
		if local := int32(state[c.Word] >> (c.Shift & 63) & c.Mask); !b.net.LabelVoid(kind, c.number, local) {
			Or(v, c.values[int(local)*b.Words:])
		}
	}
	if b.deadlock != nil && succ.Len() == 0 {
		Or(v, b.deadlock)
	}
	if b.enables != nil {
		for _, r := range succ.Rules {
			Or(v, b.enables[r])
		}
	}
	return b.Number(v)
}

// Number numbers a valuation.
func (b *Binding) Number(v []uint64) int32 {
	if b.Words == 1 {
		return b.intern1(v[0])
	}
	return b.internMany(v)
}

func (b *Binding) internMany(v []uint64) int32 {
	b.bytes = b.bytes[:0]
	for _, w := range v {
		for s := 0; s < 64; s += 8 {
			b.bytes = append(b.bytes, byte(w>>s))
		}
	}
	l, ok := b.many[string(b.bytes)]
	if !ok {
		l = b.newLetter(v)
		b.many[string(b.bytes)] = l
	}
	return l
}

func (b *Binding) intern1(v uint64) int32 {
	if b.direct != nil {
		if l := b.direct[v]; l != 0 {
			return l - 1
		}
		l := b.newLetter([]uint64{v})
		b.direct[v] = l + 1
		return l
	}
	l, ok := b.single[v]
	if !ok {
		l = b.newLetter([]uint64{v})
		b.single[v] = l
	}
	return l
}

func (b *Binding) newLetter(v []uint64) int32 {
	b.Letter = append(b.Letter, v...)
	b.letters++
	return b.letters - 1
}

// Or adds the bits of w, which may be longer, to v.
func Or(v, w []uint64) {
	for i := range v {
		v[i] |= w[i]
	}
}
