package lks

import "slices"

// special is what it takes to know and to make special states.
type special struct {
	errors []int32      // components with Error states
	fails  []fieldValue // what their Error states look like in a packed state; nil if they have many
	ends   Termination
	// If every decider has one End state: all of them are in it iff
	// state[w]&endMask[w] == endWant[w] for all w. Nil otherwise.
	endMask, endWant []uint64
	// rest[c][k] is the local state in which a component that does not decide is in
	// the canonical terminated state, if its label class is k: the first quiet one.
	// Of components without propositions all classes count as 0. Nil for observers
	// and deciders.
	rest [][]int32
	// By component, what canonical states are made of.
	firsts []firsts
}

// firsts are the first states of a component by what they are, -1 where there is none.
type firsts struct {
	harmless        int32 // not Error
	unlabelledError int32
	end             int32
	alike           map[kindLabel]int32 // of each kind and label that special states have
}

// kindLabel is what special states have in common that are alike.
type kindLabel struct {
	kind  Kind
	class int32 // of its label
}

func (m *LKS) firsts() firsts {
	f := firsts{harmless: 0, unlabelledError: -1, end: -1}
	if m.kinds == nil {
		return f
	}
	f.harmless, f.alike = -1, map[kindLabel]int32{}
	for i, k := range m.kinds {
		s := int32(i)
		if k != Error && f.harmless < 0 {
			f.harmless = s
		}
		if k == Normal {
			continue
		}
		if k == End && f.end < 0 {
			f.end = s
		}
		if k == Error && f.unlabelledError < 0 && len(m.Label(s)) == 0 {
			f.unlabelledError = s
		}
		of := kindLabel{k, m.LabelClass(s)}
		if _, ok := f.alike[of]; !ok {
			f.alike[of] = s
		}
	}
	return f
}

// firstAlike returns the first state of component c with the label and kind of s if s is
// special, else s.
func (l *layout) firstAlike(m *LKS, c, s int32) int32 {
	if k := m.Kind(s); k != Normal {
		return l.firsts[c].alike[kindLabel{k, m.LabelClass(s)}]
	}
	return s
}

// fieldValue says that state[word]&mask == value.
type fieldValue struct {
	mask, value uint64
	word        int32
}

func (l *layout) setSpecial(n *Network) {
	for i, m := range n.components {
		if slices.Contains(m.kinds, Error) {
			l.errors = append(l.errors, int32(i))
		}
		l.firsts = append(l.firsts, m.firsts())
	}
	l.setFails(n)
	l.ends = n.Termination()
	if l.ends.Deciders != nil {
		l.setEndMask()
		l.setRest(n)
	}
}

func (l *layout) setFails(n *Network) {
	const many = 4 // for one component
	for _, c := range l.errors {
		f := l.fields[c]
		before := len(l.fails)
		for _, s := range n.components[c].statesOf(Error) {
			l.fails = append(l.fails, fieldValue{f.Mask << f.Shift, uint64(s) << f.Shift, f.Word})
		}
		if len(l.fails) > before+many {
			l.fails = nil
			return
		}
	}
}

func (l *layout) setEndMask() {
	mask, want := make([]uint64, l.words), make([]uint64, l.words)
	for i, c := range l.ends.Deciders {
		ends := l.ends.Ends[i]
		if len(ends) > 1 {
			return
		}
		f := l.fields[c]
		mask[f.Word] |= f.Mask << f.Shift
		want[f.Word] |= uint64(ends[0]) << f.Shift
	}
	l.endMask, l.endWant = mask, want
}

func (l *layout) setRest(n *Network) {
	l.rest = make([][]int32, len(n.components))
	silent := n.SilentActions(l.ends)
	for c, m := range n.components {
		if !n.observer[c] && !slices.Contains(l.ends.Deciders, int32(c)) {
			l.rest[c] = m.quiet(silent[int32(c)])
		}
	}
}

// quiet returns, for every label class, the first state with that label that
// offers none of the actions and is not Error; -1 if there is none. Without
// propositions all states count as class 0.
func (m *LKS) quiet(actions []int32) []int32 {
	first := slices.Repeat([]int32{-1}, m.NumLabelClasses())
	for s := range int32(m.NumStates()) {
		class := m.restClass(s)
		if first[class] >= 0 || m.Kind(s) == Error {
			continue
		}
		if !slices.ContainsFunc(actions, func(a int32) bool { return m.can(s, a) }) {
			first[class] = s
		}
	}
	return first
}

// restClass is the index of s in the table that quiet returns.
func (m *LKS) restClass(s int32) int32 {
	if len(m.props) == 0 {
		return 0
	}
	return m.LabelClass(s)
}

// Kind returns Error if a component is in an Error state, else End if the
// network has terminated, else Normal.
func (n *Network) Kind(state []uint64) Kind {
	l := n.packing()
	switch {
	case l.failed(n, state):
		return Error
	case l.settled(n, state) && !l.restive(n, state):
		return End
	}
	return Normal
}

// Special reports whether states may be in error or terminated: without, Kind says Normal
// of all.
func (n *Network) Special() bool {
	return n.packing().errors != nil || n.packing().ends.Deciders != nil
}

// failed reports whether a component is in an Error state.
func (l *layout) failed(n *Network, state []uint64) bool {
	if l.fails == nil {
		return slices.ContainsFunc(l.errors, func(c int32) bool { return n.components[c].kinds[l.local(state, c)] == Error })
	}
	for i := range l.fails {
		if f := &l.fails[i]; state[f.word]&f.mask == f.value {
			return true
		}
	}
	return false
}

func (l *layout) settled(n *Network, state []uint64) bool {
	if l.ends.Deciders == nil {
		return false
	}
	if l.endMask != nil {
		for w, mask := range l.endMask {
			if state[w]&mask != l.endWant[w] {
				return false
			}
		}
		return true
	}
	for _, c := range l.ends.Deciders {
		if n.components[c].kinds[l.local(state, c)] != End {
			return false
		}
	}
	return true
}

// restive reports whether a silent rule is enabled. Priorities do not matter: they
// leave some rule where one is enabled.
func (l *layout) restive(n *Network, state []uint64) bool {
	return slices.ContainsFunc(l.ends.Silent, func(r int32) bool {
		return !slices.ContainsFunc(n.rules[r].Parts, func(p Part) bool {
			return !n.components[p.Component].can(l.local(state, p.Component), p.Action)
		})
	})
}

// LabelVoid reports whether no proposition of a component holds in a global state of
// that kind, although its local state may carry some: in error, unless the component
// is an observer or itself in error. (Error states carry labels where networks with
// observers have been built.)
func (n *Network) LabelVoid(kind Kind, component, local int32) bool {
	return kind == Error && !n.observer[component] && n.components[component].Kind(local) != Error
}

// HasProp reports whether a proposition, as found by Prop, holds in state.
func (n *Network) HasProp(state []uint64, component, prop int32) bool {
	local := n.Local(state, component)
	return n.components[component].HasProp(local, prop) && !n.LabelVoid(n.Kind(state), component, local)
}

// AppendProps appends to props the propositions that hold in a global state of that kind
// with these local states, sorted.
func (n *Network) AppendProps(props []string, local []int32, kind Kind) []string {
	for _, p := range n.props {
		s := local[p.component]
		if n.components[p.component].HasProp(s, p.prop) && !n.LabelVoid(kind, p.component, s) {
			props = append(props, p.name)
		}
	}
	return props
}

// canonicalise makes a state in error, or a terminated one, the one that stands
// for all of them (see Network), in place. Other states stay as they are.
func (n *Network) canonicalise(state []uint64) {
	l := n.packing()
	switch n.Kind(state) {
	case Error:
		l.canonicaliseError(n, state)
	case End:
		for i, m := range n.components {
			c := int32(i)
			s := l.local(state, c)
			switch {
			case l.rest[c] != nil:
				if r := l.rest[c][m.restClass(s)]; r >= 0 {
					s = r
				}
			case n.observer[c] || len(m.props) > 0:
				s = l.firstAlike(m, c, s)
			default: // a decider
				s = l.firsts[c].end
			}
			l.setLocal(state, c, s)
		}
	}
}

// canonicaliseError keeps the labels that hold, and makes one component the culprit
// if none of those that keep their state is.
func (l *layout) canonicaliseError(n *Network, state []uint64) {
	failed := false
	for i, m := range n.components {
		c := int32(i)
		s := l.local(state, c)
		switch isError := m.Kind(s) == Error; {
		case n.observer[c] || isError && len(m.Label(s)) > 0 || l.firsts[c].harmless < 0:
			s = l.firstAlike(m, c, s)
			failed = failed || isError
		default:
			s = l.firsts[c].harmless
		}
		l.setLocal(state, c, s)
	}
	if failed {
		return
	}
	for _, c := range l.errors {
		if s := l.firsts[c].unlabelledError; s >= 0 && !n.observer[c] {
			l.setLocal(state, c, s)
			return
		}
	}
}

// statesOf returns the states of a special kind, nil if there are none.
func (m *LKS) statesOf(k Kind) []int32 {
	var states []int32
	for s, kind := range m.kinds {
		if kind == k {
			states = append(states, int32(s))
		}
	}
	return states
}
