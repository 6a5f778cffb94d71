package lks

import "slices"

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

// Low returns the priorities of the network, one mask over Rules for every call
// of Yield, in the order in which they apply: where a rule that is not low is
// enabled, rules that are low are not. It is nil without priorities and must not
// be changed.
func (n *Network) Low() [][]bool { return n.low }
