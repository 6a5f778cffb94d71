package lks

import (
	"fmt"
	"slices"
)

// Replace returns n with other components in the places of its own, moving by
// the same rules: each must have the alphabet and the propositions of the one
// that it replaces. It serves abstraction: if every component is simulated by its
// replacement, and state kinds agree where states are related, then n without
// priorities is simulated by the result.
func (n *Network) Replace(components []*LKS) (*Network, error) {
	if len(components) != len(n.components) {
		return nil, fmt.Errorf("%s has %d components, not %d", n.name, len(n.components), len(components))
	}
	for i, m := range components {
		old := n.components[i]
		if !slices.Equal(m.alphabet, old.alphabet) || !slices.Equal(m.props, old.props) {
			return nil, fmt.Errorf("%s cannot replace %s in %s: alphabets or propositions differ", m.name, n.names[i], n.name)
		}
	}
	c := n.clone()
	c.components = slices.Clone(components)
	return c, nil
}

// Canonicalise turns a packed state in error, or a terminated one, into the one
// state that stands for all of them (see Network), in place; other states stay as
// they are.
func (n *Network) Canonicalise(state []uint64) { n.canonicalise(state) }
