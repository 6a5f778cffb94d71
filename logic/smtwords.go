package logic

import (
	"math/big"
	"slices"
	"strings"
)

// Functions of SMT-LIB, and of what z3 prints, that are made of others.

// mostBits bounds the bits of words that are numbers as well: each is a conditional number.
const mostBits = 1 << 10

// smtOfBits makes a number of the bits of a word.
func smtOfBits(word *Term, isSigned bool) *Term {
	var all []*Term
	w := word.sort.width
	for i := range w {
		value := new(big.Int).Lsh(big.NewInt(1), uint(i))
		if isSigned && i == w-1 {
			value.Neg(value)
		}
		bit := Eq(Extract(word, i, i), BVConst(big.NewInt(1), 1))
		all = append(all, Ite(bit, Number(new(big.Rat).SetInt(value), Int), IntConst(0)))
	}
	return Add(all...)
}

// smtToBits is the word whose value is a number modulo a power of two.
func smtToBits(n *Term, width int) *Term {
	var word *Term
	for i := range width {
		power := Number(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(i))), Int)
		odd := Eq(IntMod(IntDiv(n, power), IntConst(2)), IntConst(1))
		bit := Ite(odd, BVConst(big.NewInt(1), 1), BVConst(new(big.Int), 1))
		if word == nil {
			word = bit
		} else {
			word = Concat(bit, word)
		}
	}
	return word
}

// smtSignedMod is bvsmod: the remainder has the sign of the divisor.
func smtSignedMod(s, t *Term) *Term {
	w := s.sort.width
	zero := BVConst(new(big.Int), w)
	negative := func(x *Term) *Term { return BVSLt(x, zero) }
	abs := func(x *Term) *Term { return Ite(negative(x), BVNeg(x), x) }
	u := BVOp(OpBVURem, abs(s), abs(t))
	return Ite(Eq(u, zero), u,
		Ite(negative(s),
			Ite(negative(t), BVNeg(u), BVOp(OpBVAdd, BVNeg(u), t)),
			Ite(negative(t), BVOp(OpBVAdd, u, t), u)))
}

// smtRotate rotates a word to the left by some bits of its width.
func smtRotate(word *Term, bits int) *Term {
	w := word.sort.width
	if bits %= w; bits == 0 {
		return word
	}
	return Concat(Extract(word, w-1-bits, 0), Extract(word, w-1, w-bits))
}

// smtUnfit says why a function here does not take operands that have the right sorts, "" where it does.
func smtUnfit(name string, params []int, args []*Term) string {
	switch name {
	case "repeat":
		if params[0] == 0 {
			return "a word is repeated once at least"
		}
	case "int2bv", "int_to_bv":
		if params[0] == 0 || params[0] > mostBits {
			return "words of numbers have 1 to 1024 bits"
		}
	case "bv2nat", "bv2int", "ubv_to_int", "sbv_to_int":
		if args[0].sort.width > mostBits {
			return "words that are numbers have 1 to 1024 bits"
		}
	}
	return ""
}

func init() {
	binary := func(f func(a, b *Term) *Term) func([]int, *Sort, []*Term) *Term {
		return func(_ []int, _ *Sort, ts []*Term) *Term { return f(ts[0], ts[1]) }
	}
	two := func(f func(a, b *Term) *Term) function { return function{2, 2, 0, oneBV, binary(f)} }
	negated := func(op Op) function {
		return two(func(a, b *Term) *Term { return BVNot(BVOp(op, a, b)) })
	}
	functions["is_int"] = function{1, 1, 0, allArithmetic, func(_ []int, _ *Sort, ts []*Term) *Term {
		return Eq(ToReal(Floor(ts[0])), ToReal(ts[0]))
	}}
	functions["bvnand"], functions["bvnor"], functions["bvxnor"] = negated(OpBVAnd), negated(OpBVOr), negated(OpBVXor)
	functions["bvcomp"] = two(func(a, b *Term) *Term { return Ite(Eq(a, b), BVConst(big.NewInt(1), 1), BVConst(new(big.Int), 1)) })
	functions["bvsmod"] = two(smtSignedMod)
	// What z3 writes behind a test that the divisor is not 0, or where 0 divides as in SMT-LIB (its option hi_div0).
	for _, name := range []string{"bvsdiv", "bvudiv", "bvsrem", "bvurem", "bvsmod"} {
		functions[name+"_i"] = function{2, 2, 0, oneBV, functions[name].make}
	}
	rotation := func(sign int) function {
		return function{1, 1, 1, allBV, func(p []int, _ *Sort, ts []*Term) *Term {
			w := ts[0].sort.width
			return smtRotate(ts[0], (w+sign*(p[0]%w))%w)
		}}
	}
	functions["rotate_left"], functions["rotate_right"] = rotation(1), rotation(-1)
	functions["repeat"] = function{1, 1, 1, allBV, func(p []int, _ *Sort, ts []*Term) *Term {
		return leftAssociative(Concat)(nil, nil, slices.Repeat(ts, p[0]))
	}}
	for _, name := range strings.Fields("bv2nat bv2int ubv_to_int sbv_to_int") {
		functions[name] = function{1, 1, 0, allBV, func(_ []int, _ *Sort, ts []*Term) *Term { return smtOfBits(ts[0], name == "sbv_to_int") }}
	}
	for _, name := range strings.Fields("int2bv int_to_bv") {
		functions[name] = function{1, 1, 1, allInt, func(p []int, _ *Sort, ts []*Term) *Term { return smtToBits(ts[0], p[0]) }}
	}
}
