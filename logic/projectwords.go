package logic

import "math/big"

// solveWord returns the value that an equality of words gives a variable, nil if none of its
// sides is a sum with the variable once, or the variable is elsewhere too.
func solveWord(l, v *Term) *Term {
	if l.op != OpEq || v.sort.kind != BitVecKind {
		return nil
	}
	for i, side := range l.args {
		for value := l.args[1-i]; !mentions(value, v); {
			if side == v {
				return value
			}
			if side.op == OpBVNeg {
				side, value = side.args[0], BVNeg(value)
				continue
			}
			if side.op != OpBVAdd {
				break
			}
			with, without := side.args[0], side.args[1]
			if !mentions(with, v) {
				with, without = without, with
			}
			side, value = with, BVSub(value, without)
			if mentions(without, v) {
				break
			}
		}
	}
	return nil
}

// wordBound is a side of a comparison of words whose other side is a variable.
type wordBound struct {
	term   *Term
	strict bool
}

// eliminateWord eliminates a variable that is a machine word from literals that compare it
// with other terms: every lower bound is below every upper one. That is exact if they are all
// of one reading, signed or unsigned, and nothing else speaks of the variable.
func eliminateWord(cube []*Term, v *Term) (out []*Term, exact bool) {
	exact = true
	var lower, upper [2][]wordBound // unsigned, signed
	for _, l := range cube {
		if !mentions(l, v) {
			out = append(out, l)
			continue
		}
		reading := 0
		if l.op == OpBVSLe || l.op == OpBVSLt {
			reading = 1
		}
		strict := l.op == OpBVULt || l.op == OpBVSLt
		compares := reading == 1 || strict || l.op == OpBVULe
		switch {
		case compares && l.args[0] == v && !mentions(l.args[1], v):
			upper[reading] = append(upper[reading], wordBound{l.args[1], strict})
		case compares && l.args[1] == v && !mentions(l.args[0], v):
			lower[reading] = append(lower[reading], wordBound{l.args[0], strict})
		default:
			exact = false
		}
	}
	both := len(lower[0])+len(upper[0]) > 0 && len(lower[1])+len(upper[1]) > 0
	for reading := range 2 {
		los, ups := lower[reading], upper[reading]
		if len(los)*len(ups) > maxProjected {
			return simplifyCube(out), false
		}
		out = append(out, between(los, ups, reading == 1, v.sort.Width())...)
	}
	return simplifyCube(out), exact && !both
}

// between says that there is a word between lower and upper bounds.
func between(lower, upper []wordBound, signed bool, width int) (out []*Term) {
	below, atMost := BVULt, BVULe
	least, most := new(big.Int), new(big.Int).Sub(modulus(width), big.NewInt(1))
	if signed {
		below, atMost = BVSLt, BVSLe
		least.Rsh(modulus(width), 1) // as a word that is negative
		most = new(big.Int).Sub(least, big.NewInt(1))
	}
	one := BVConst(big.NewInt(1), width)
	for _, lo := range lower {
		if lo.strict {
			out = append(out, below(lo.term, BVConst(most, width)))
		}
		for _, up := range upper {
			switch {
			case lo.strict && up.strict: // lo + 1 is no larger than up, and does not overflow
				out = append(out, below(lo.term, up.term), below(BVAdd(lo.term, one), up.term))
			case lo.strict || up.strict:
				out = append(out, below(lo.term, up.term))
			default:
				out = append(out, atMost(lo.term, up.term))
			}
		}
	}
	for _, up := range upper {
		if up.strict {
			out = append(out, below(BVConst(least, width), up.term))
		}
	}
	return out
}
