package lks

import (
	"cmp"
	"slices"
)

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
		action int32
		old    int
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
			rules = append(rules, renamed{id, i})
		}
	}
	slices.SortStableFunc(rules, func(a, b renamed) int { return cmp.Compare(a.action, b.action) })
	c.takeRules(n, len(rules), func(i int) (int, int32) { return rules[i].old, rules[i].action })
}

// takeRules gives c so many rules: which tells of each the rule of n that it is, and its action.
// They are sorted by action.
func (c *Network) takeRules(n *Network, count int, which func(i int) (old int, action int32)) {
	c.rules = make([]Rule, count)
	c.uncounted = make([]bool, count)
	c.low = make([][]bool, len(n.low))
	for l := range c.low {
		c.low[l] = make([]bool, count)
	}
	for i := range c.rules {
		old, action := which(i)
		c.rules[i] = Rule{Action: action, Parts: n.rules[old].Parts}
		c.uncounted[i] = n.uncounted[old]
		for l := range c.low {
			c.low[l][i] = n.low[l][old]
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

// Rename returns n with another name.
func (n *Network) Rename(name string) *Network {
	c := n.clone()
	c.name = name
	return c
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
	c.crews = slices.Clone(n.crews)
	for i, k := range c.crews {
		if k != nil {
			c.crews[i] = &crew{moved: k.moved}
			for _, name := range k.names {
				c.crews[i].names = append(c.crews[i].names, new(name))
			}
		}
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
