package lks

// Low returns the priorities of the network, one mask over Rules for every call
// of Yield, in the order in which they apply: where a rule that is not low is
// enabled, rules that are low are not. It is nil without priorities and must not
// be changed.
func (n *Network) Low() [][]bool { return n.low }
