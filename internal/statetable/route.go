package statetable

// Route appends every state to one of parts, chosen by its hash, and to which the
// number of the part: equal states always go to the same part, different ones
// evenly to all. States have that many words and lie one after the other. The choice is
// the same in every process, and independent of the hashes of the tables.
func Route(states []uint64, words int, parts [][]uint64, which []uint16) []uint16 {
	n := uint64(len(parts))
	if words == 1 {
		for _, x := range states {
			p := permute(x) & (1<<32 - 1) * n >> 32
			parts[p] = append(parts[p], x)
			which = append(which, uint16(p))
		}
		return which
	}
	for ; len(states) > 0; states = states[words:] {
		p := mixAll(states[:words]) & (1<<32 - 1) * n >> 32
		parts[p] = append(parts[p], states[:words]...)
		which = append(which, uint16(p))
	}
	return which
}

// PartOf returns the part, of so many, that Route chooses for a state.
func PartOf(state []uint64, parts int) int {
	return int(mixAll(state) & (1<<32 - 1) * uint64(parts) >> 32)
}

// Belong reports whether Route chooses that part, of so many, for all of the states.
func Belong(states []uint64, words, part, parts int) bool {
	p, n := uint64(part), uint64(parts)
	if words == 1 {
		for _, x := range states {
			if permute(x)&(1<<32-1)*n>>32 != p {
				return false
			}
		}
		return true
	}
	for ; len(states) > 0; states = states[words:] {
		if PartOf(states[:words], parts) != part {
			return false
		}
	}
	return true
}
