package statetable

// Route appends every state to one of parts, chosen by its hash, and to which the
// number of the part: equal states always go to the same part, different ones
// evenly to all. States have that many words and lie one after the other.
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
