package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// Bounds of behind: how far from a pointer that lies which is given with it, and how long names are.
const regionReach, longestName = 1 << 19, 120

// behind lists what a pointer to memory of its own (Machine.Regions) points to, as far as the run
// has come to it: as C has it, elements of an array that the pointer points into.
func (l *lister) behind(name string, t *ir.Type, bits uint64, of *Held) {
	if t == nil || t.Size <= 0 || len(l.regions) == 0 || len(name) > longestName || !l.m.mem.foreign(bits) {
		return
	}
	l.pointing++
	number := l.pointing
	star := "(*" + name + ")"
	for _, i := range l.elements(t, bits) {
		e := scalar{Place: ir.Place{Off: i * t.Size, Type: t}, name: fmt.Sprintf("%s[%d]", name, i)}
		switch {
		case i == 0 && t.Scalar():
			e.name = "*" + name
		case i == 0:
			e.name = star
		}
		l.scalars(math.MaxInt64, e, func(p scalar) bool {
			at := bits + uint64(p.Off)
			if o := l.regionAt(at); o != nil && (l.given[at] == 0 || l.given[at] == number) {
				l.given[at] = number
				arrow := strings.NewReplacer(star+".", name+"->")
				p.name, p.as = arrow.Replace(p.name), arrow.Replace(p.as)
				p.Off = int64(at - o.base)
				l.held(o, p, of)
			}
			return true
		})
	}
}

// elements are those of an array of a type at an address that regions have parts of.
func (l *lister) elements(t *ir.Type, bits uint64) (all []int64) {
	for _, base := range l.regions {
		first := int64(base - bits)
		if first <= -regionReach || first >= regionReach {
			continue
		}
		last := first + int64(len(l.m.region[base].data)) - 1
		for i := floor(first, t.Size); i <= floor(last, t.Size) && len(all) < maxHeld; i++ {
			if n := len(all); n == 0 || all[n-1] != i {
				all = append(all, i)
			}
		}
	}
	return all
}

func floor(a, b int64) int64 {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// regionAt is the region that has the byte of an address.
func (l *lister) regionAt(at uint64) *object {
	i, exact := slices.BinarySearch(l.regions, at)
	if !exact {
		i--
	}
	if i < 0 || at >= l.regions[i]+uint64(len(l.m.region[l.regions[i]].data)) {
		return nil
	}
	return l.m.region[l.regions[i]]
}
