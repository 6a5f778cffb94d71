// Package symmetry finds components of a network that can change places without anything
// being seen of it, and chooses one of the states that differ only by that.
//
// Two components can change places if
//
//   - they have as many states, the same initial ones, and the same kinds;
//   - exchanging them maps the rules to themselves. What a rule is to that end is its
//     priorities, its action if the formula sees that, and for each component with a
//     part the set of local transitions that the part allows: so a controller may call
//     its partners' actions by different names. Each swap is checked, rule by rule;
//   - their propositions of the formula, if any, correspond, and the automaton does not
//     notice if they are exchanged in what it reads: its states have the same edges for
//     all valuations and the exchanged ones. That too is checked by trying all.
//
// Then the swap is an automorphism of the network's states, and if it maps s to t, the
// product has the same accepting runs from (s, q) and (t, q), step by step through
// exchanged states, with the same marks. Swaps with one member of a group generate all
// permutations of it. So it is enough to search the product of the automaton with one
// state for each orbit ("quotient": [EmersonSistla96]): that with sorted fields. It
// does not matter that special states are left alone: any choice will do.
//
// With partial-order reduction the sets of a state are taken to be those of the state
// that stands for it, exchanged accordingly. They satisfy the conditions of package stubborn,
// whose sets of visible, sticky, and final rules must for that be mapped to themselves
// by all swaps: the first and the last are, the sticky ones are completed (Close).
//
// Fairness is not preserved: it depends on which component moves.
package symmetry

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Symmetry is what was found of a network. It is for one goroutine.
type Symmetry struct {
	net *lks.Network
	// Groups are components that can change places, sorted; two or more each.
	Groups [][]int32
	fields [][]lks.Field // by group, where packed states have their local states
	values []uint64      // scratch
	keys   *ruleKeys
}

// maxSymmetricAtoms bounds the atoms of an automaton whose valuations are tried.
const maxSymmetricAtoms = 10

// Find returns the symmetry of a network that neither the formula nor the
// automaton notices; nil and why, if there is none.
func Find(net *lks.Network, f *ltl.Formula, aut *meet.Automaton) (s *Symmetry, why string) {
	atoms := ltl.Atoms(f)
	for _, m := range net.Components() {
		for state := range int32(m.NumStates()) {
			if m.Kind(state) == lks.End {
				return nil, "the model has END"
			}
		}
	}
	s = &Symmetry{net: net, keys: newRuleKeys(net, atoms)}
	columns := make([]*column, len(net.Components()))
	for c := range columns {
		columns[c] = newColumn(net, int32(c), atoms)
	}
	for c, own := range columns {
		joined := false
		for g := range s.Groups {
			first := s.Groups[g][0]
			if columns[first].like(own) && s.keys.swaps(first, int32(c)) && unnoticed(aut, columns[first].atoms, own.atoms) {
				s.Groups[g] = append(s.Groups[g], int32(c))
				joined = true
				break
			}
		}
		if !joined {
			s.Groups = append(s.Groups, []int32{int32(c)})
		}
	}
	s.Groups = slices.DeleteFunc(s.Groups, func(g []int32) bool { return len(g) < 2 })
	if len(s.Groups) == 0 {
		return nil, "no components can change places unnoticed"
	}
	for _, g := range s.Groups {
		var fields []lks.Field
		for _, c := range g {
			fields = append(fields, net.Field(c))
		}
		s.fields = append(s.fields, fields)
	}
	return s, ""
}

// column is what must be alike of components that change places: text, and the atoms
// that correspond in order.
type column struct {
	text  string
	atoms []ltl.Atom
}

func (c *column) like(d *column) bool { return c.text == d.text && len(c.atoms) == len(d.atoms) }

func newColumn(net *lks.Network, component int32, atoms []ltl.Atom) *column {
	m := net.Components()[component]
	var text []byte
	text = fmt.Append(text, m.NumStates(), m.Initial(), net.Observer(int(component)))
	for s := range int32(m.NumStates()) {
		text = append(text, byte(m.Kind(s)))
	}
	type seen struct {
		atom  ltl.Atom
		holds string
	}
	var props []seen
	for _, a := range atoms {
		if a.Kind != ltl.Prop {
			continue
		}
		if c, p, ok := net.Prop(a.Name); ok && c == component {
			holds := make([]byte, m.NumStates())
			for s := range holds {
				if m.HasProp(int32(s), p) {
					holds[s] = 1
				}
			}
			props = append(props, seen{a, string(holds)})
		}
	}
	slices.SortStableFunc(props, func(a, b seen) int { return slices.Compare([]byte(a.holds), []byte(b.holds)) })
	c := &column{}
	for _, p := range props {
		text = append(text, p.holds...)
		c.atoms = append(c.atoms, p.atom)
	}
	c.text = string(text)
	return c
}

// unnoticed reports whether an automaton has the same edges if each atom of from and
// the one at its place in to are exchanged in what it reads.
func unnoticed(aut *meet.Automaton, from, to []ltl.Atom) bool {
	if len(from) == 0 {
		return true
	}
	if len(aut.Atoms) > maxSymmetricAtoms {
		return false
	}
	image := make([]int, len(aut.Atoms))
	for i := range image {
		image[i] = i
	}
	for k := range from {
		i, j := slices.Index(aut.Atoms, from[k]), slices.Index(aut.Atoms, to[k])
		if i < 0 && j < 0 {
			continue
		}
		if i < 0 || j < 0 {
			return false
		}
		image[i], image[j] = j, i
	}
	var some, other []int32
	for v := range uint64(1) << len(aut.Atoms) {
		w := uint64(0)
		for i, j := range image {
			w |= v >> i & 1 << j
		}
		for q := range int32(len(aut.Out)) {
			some = aut.Reads.Match(q, []uint64{v}, some[:0])
			other = aut.Reads.Match(q, []uint64{w}, other[:0])
			if !slices.Equal(some, other) {
				return false
			}
		}
	}
	return true
}

// ruleKeys says which rules of a network are the same but for names.
type ruleKeys struct {
	rules []ruleShape
	with  [][]int32 // by component: rules with a part there
	byKey map[string][]int32
}

// ruleShape is a rule by what it does.
type ruleShape struct {
	head  string // priorities, and the action if it is seen
	parts []shapePart
}

type shapePart struct{ component, relation int32 }

func newRuleKeys(net *lks.Network, atoms []ltl.Atom) *ruleKeys {
	k := &ruleKeys{with: make([][]int32, len(net.Components())), byKey: map[string][]int32{}}
	seen := make([]bool, len(net.Alphabet()))
	for _, a := range atoms {
		if a.Kind == ltl.Event || a.Kind == ltl.Enabled {
			seen[net.Action(a.Name)] = true
		}
	}
	relation := relations(net)
	for r, rule := range net.Rules() {
		shape := ruleShape{}
		head := []byte{}
		for _, low := range net.Low() {
			head = fmt.Append(head, low[r])
		}
		if seen[rule.Action] {
			head = fmt.Append(head, rule.Action)
		}
		shape.head = string(head)
		for _, p := range rule.Parts {
			shape.parts = append(shape.parts, shapePart{p.Component, relation[p.Component][p.Action]})
			k.with[p.Component] = append(k.with[p.Component], int32(r))
		}
		k.rules = append(k.rules, shape)
		key := shape.key(0, 0)
		k.byKey[key] = append(k.byKey[key], int32(r))
	}
	return k
}

// relations numbers, by component and local action, the set of the action's
// transitions: equal sets have equal numbers in all components.
func relations(net *lks.Network) [][]int32 {
	number := map[string]int32{}
	all := make([][]int32, len(net.Components()))
	for c, m := range net.Components() {
		texts := make([][]byte, len(m.Alphabet()))
		for s := range int32(m.NumStates()) {
			for _, e := range m.Edges(s) {
				t := binary.LittleEndian.AppendUint32(texts[e.Action], uint32(s))
				texts[e.Action] = binary.LittleEndian.AppendUint32(t, uint32(e.Target))
			}
		}
		for _, text := range texts {
			id, ok := number[string(text)]
			if !ok {
				id = int32(len(number))
				number[string(text)] = id
			}
			all[c] = append(all[c], id)
		}
	}
	return all
}

// key identifies the shape of a rule after components c and d have changed places.
func (s *ruleShape) key(c, d int32) string {
	parts := slices.Clone(s.parts)
	for i := range parts {
		switch parts[i].component {
		case c:
			parts[i].component = d
		case d:
			parts[i].component = c
		}
	}
	slices.SortFunc(parts, func(a, b shapePart) int { return int(a.component) - int(b.component) })
	key := append([]byte(s.head), '|')
	for _, p := range parts {
		key = binary.LittleEndian.AppendUint32(key, uint32(p.component))
		key = binary.LittleEndian.AppendUint32(key, uint32(p.relation))
	}
	return string(key)
}

// swaps reports whether exchanging c and d maps the rules to themselves.
func (k *ruleKeys) swaps(c, d int32) bool {
	for _, at := range [2]int32{c, d} {
		for _, r := range k.with[at] {
			shape := &k.rules[r]
			if len(k.byKey[shape.key(c, d)]) != len(k.byKey[shape.key(0, 0)]) {
				return false
			}
		}
	}
	return true
}

// Close adds to a set of rules those that permutations map them to.
func (s *Symmetry) Close(rules []bool) {
	var todo []int32
	for r, in := range rules {
		if in {
			todo = append(todo, int32(r))
		}
	}
	add := func(r int32) {
		if !rules[r] {
			rules[r] = true
			todo = append(todo, r)
		}
	}
	for len(todo) > 0 {
		shape := &s.keys.rules[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, other := range s.keys.byKey[shape.key(0, 0)] {
			add(other)
		}
		for _, g := range s.Groups {
			for _, c := range g[1:] {
				if !slices.ContainsFunc(shape.parts, func(p shapePart) bool { return p.component == c || p.component == g[0] }) {
					continue
				}
				for _, image := range s.keys.byKey[shape.key(g[0], c)] {
					add(image)
				}
			}
		}
	}
}

// Canonicalise replaces a packed state by the one that stands for it.
func (s *Symmetry) Canonicalise(state []uint64) {
	if s.net.Kind(state) != lks.Normal {
		return
	}
	for _, fields := range s.fields {
		s.values = s.values[:0]
		sorted := true
		for _, f := range fields {
			v := state[f.Word] >> (f.Shift & 63) & f.Mask
			sorted = sorted && (len(s.values) == 0 || s.values[len(s.values)-1] <= v)
			s.values = append(s.values, v)
		}
		if sorted {
			continue
		}
		slices.Sort(s.values)
		for i, f := range fields {
			state[f.Word] = state[f.Word]&^(f.Mask<<(f.Shift&63)) | s.values[i]<<(f.Shift&63)
		}
	}
}

// Clone returns a copy for another goroutine.
func (s *Symmetry) Clone() *Symmetry {
	c := *s
	c.values = nil
	return &c
}
