package concrete

import (
	"math"

	"github.com/seltl/seltl/logic"
)

// span is what guards have left a word that has no value, as a signed number: once that is little, each of
// it is tried (0 <= x in one step, x <= 255 in the next).
type span struct{ lo, hi int64 }

// few is how many numbers of a span are tried.
const few = 1 << 12

var whole = span{math.MinInt64, math.MaxInt64}

func (s span) and(t span) span { return span{max(s.lo, t.lo), min(s.hi, t.hi)} }

// spans have numbers, which stand where values do of what has none; 0 is the whole.
type spans struct {
	all    []span
	number map[span]uint64
}

func newSpans() spans { return spans{[]span{whole}, map[span]uint64{whole: 0}} }

func (s *spans) of(x span) uint64 {
	n, ok := s.number[x]
	if !ok {
		n = uint64(len(s.all))
		s.number[x], s.all = n, append(s.all, x)
	}
	return n
}

// bound is what a conjunct of a guard leaves a variable.
type bound struct {
	slot int
	is   span
}

// bounds reads comparisons of variables with numbers.
func (m *machine) bounds(guard *logic.Term) (all []bound) {
	for _, p := range logic.Conjuncts(guard) {
		holds := true
		if p.Op() == logic.OpNot {
			p, holds = p.Args()[0], false
		}
		if len(p.Args()) != 2 {
			continue
		}
		x, c := p.Args()[0], p.Args()[1]
		left := x.Op() == logic.OpVar // the variable is
		if !left {
			x, c = c, x
		}
		if x.Op() != logic.OpVar || c.Op() != logic.OpNumber || x.Sort().Kind() != logic.BitVecKind {
			continue
		}
		// Read as "x up to n" or "x from n": without its end if the comparison is strict, or does not hold.
		w := width(x.Sort())
		n := signed(c.Num().Num().Uint64(), w)
		upTo := left == holds
		is := whole
		switch op := p.Op(); op {
		case logic.OpBVSLe, logic.OpBVSLt, logic.OpBVULe, logic.OpBVULt:
			if strict := (op == logic.OpBVSLt || op == logic.OpBVULt) == holds; strict && (n == math.MinInt64 || n == math.MaxInt64) {
				continue
			} else if strict && upTo {
				n--
			} else if strict {
				n++
			}
			switch signs := op == logic.OpBVSLe || op == logic.OpBVSLt; {
			case signs && upTo:
				is.hi = n
			case signs:
				is.lo = n
			case upTo && n >= 0: // of words without a sign, as far as both readings agree
				is = span{0, n}
			}
		case logic.OpEq:
			if holds {
				is = span{n, n}
			}
		}
		if is != whole {
			all = append(all, bound{m.slots[x], is})
		}
	}
	return all
}
