package lks

import "slices"

// Distinct counts different transitions; it is memory that is used again. The zero value is
// ready.
type Distinct struct {
	one     []uint64
	targets []int32
}

// Count returns the number of different pairs of action and target among
// transitions from to to, of one state, as an Explorer lists them. If its Alternatives are
// false that is all of them.
func (d *Distinct) Count(n *Network, succ *Successors, from, to int) int64 {
	count := int64(0)
	all, rules := n.rules, succ.Rules[:to]
	for i := from; i < to; {
		first := i
		action := all[rules[i]].Action
		for i < to && all[rules[i]].Action == action {
			i++
		}
		// One rule never has two equal targets.
		if rules[first] == rules[i-1] {
			count += int64(i - first)
		} else {
			count += d.targetsOf(n.Words(), succ.States, first, i)
		}
	}
	return count
}

// targetsOf counts different states from to to, by sorting.
func (d *Distinct) targetsOf(words int, states []uint64, from, to int) int64 {
	if words == 1 {
		d.one = append(d.one[:0], states[from:to]...)
		slices.Sort(d.one)
		return int64(len(slices.Compact(d.one)))
	}
	d.targets = d.targets[:0]
	for i := from; i < to; i++ {
		d.targets = append(d.targets, int32(i))
	}
	state := func(i int32) []uint64 { return states[int(i)*words : (int(i)+1)*words] }
	compare := func(a, b int32) int { return slices.Compare(state(a), state(b)) }
	slices.SortFunc(d.targets, compare)
	return int64(len(slices.CompactFunc(d.targets, func(a, b int32) bool { return compare(a, b) == 0 })))
}
