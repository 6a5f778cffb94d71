package machine

import (
	"fmt"
	"maps"
	"slices"
)

// Arguments says how what a run of a Hosted program has read of argv is no list of arguments; "" if it is
// one: argc pointers that are not null, to strings that do not overlap and lie outside of the list, and then null
// (C11 5.1.2.2.1).
func (m *Machine) Arguments(args []uint64) string {
	if !m.Program.Hosted || len(args) < 2 {
		return ""
	}
	size := m.Program.Model.PointerSize()
	begins := map[uint64]int64{}
	for _, base := range sortedKeys(m.region) {
		o := m.region[base]
		k, is := m.argument(o)
		if !is {
			continue
		}
		at := uint64(0)
		for off := range size {
			b, chosen := m.lazy[origin{0, o, off}]
			if !chosen {
				return ""
			}
			at |= uint64(b) << (8 * off)
		}
		other, again := begins[at]
		switch {
		case (at == 0) != (k == m.argc):
			return fmt.Sprintf("argv[%d] at the beginning", k)
		case again:
			return fmt.Sprintf("argv[%d] and argv[%d] being one string", other, k)
		case at != 0:
			begins[at] = k
		}
	}
	return m.overlapping(begins, m.argv+uint64(size*(m.argc+1)))
}

// overlapping says which of the strings of arguments, given where they begin, runs into another one or into the list
// of arguments, which ends at an address, or begins in it; "" if none does.
func (m *Machine) overlapping(begins map[uint64]int64, end uint64) string {
	for _, at := range slices.Sorted(maps.Keys(begins)) {
		bad := m.argv <= at && at < end
		for next, known, b := at, true, byte(1); known && b != 0 && !bad; next++ {
			_, other := begins[next]
			bad = next == m.argv || other && next != at
			b, known = m.atFirst(next)
		}
		if bad {
			return fmt.Sprintf("what argv[%d] points to", begins[at])
		}
	}
	return ""
}

// atFirst is a byte that the environment gave the run at the beginning.
func (m *Machine) atFirst(at uint64) (b byte, known bool) {
	for base, o := range m.region {
		if base <= at && at-base < uint64(len(o.data)) {
			b, known = m.lazy[origin{0, o, int64(at - base)}]
		}
	}
	return b, known
}
