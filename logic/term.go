package logic

import (
	"cmp"
	"hash/maphash"
	"iter"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
)

// Op is the outermost operator of a Term.
type Op uint8

const (
	OpFalse Op = iota
	OpTrue
	OpVar    // a variable, see Name
	OpNumber // an Int, Real or bit-vector constant, see Num
	OpNot
	OpAnd // two or more operands, sorted
	OpOr  // likewise
	OpEq  // of Bool (if and only if), numbers, bit-vectors or arrays
	OpIte // of any sort but Bool, where it becomes And and Or

	// Arithmetic. The comparisons have a sum without constant on the left and a
	// number on the right; OpLt is of Real only.
	OpLe
	OpLt
	OpAdd    // two or more monomials, sorted, then the constant if not 0
	OpMul    // an optional number, then one or more factors, sorted
	OpDiv    // of Real, divisor not a number other than 0
	OpIntDiv // Euclidean, of Int
	OpIntMod
	OpToReal // of Int
	OpFloor  // of Real

	// Bit-vectors.
	OpBVAdd
	OpBVMul
	OpBVNeg
	OpBVUDiv
	OpBVURem
	OpBVSDiv
	OpBVSRem
	OpBVAnd
	OpBVOr
	OpBVXor
	OpBVNot
	OpBVShl
	OpBVLShr
	OpBVAShr
	OpBVULe
	OpBVULt
	OpBVSLe
	OpBVSLt
	OpConcat     // most significant first
	OpExtract    // bits Params()
	OpZeroExtend // by Params()
	OpSignExtend
	OpFloat // of floating-point numbers, see FloatOp

	// Arrays.
	OpSelect
	OpStore
	OpConstArray // every element is the operand

	OpApply // a variable of a function sort, then its arguments

	// Datatypes.
	OpConstruct // by a constructor, of the values of its fields
	OpField
	OpBuiltBy // a constructor
	OpSymbol  // a name that scopes have, and no term: see Symbols
)

// Term is a term of any sort; see the package comment. Terms are safe for
// concurrent use, and terms that nobody refers to any more are collected.
type Term struct {
	structure
	float bool                 // OpFloat is in it
	hash  uint64               // differs from run to run: nothing may be ordered by it
	size  int                  // kept, since counting a term with shared parts takes exponential time
	neg   atomic.Pointer[Term] // of junctions and inequalities: their negation once it was built
}

// structure is what tells a term from others.
type structure struct {
	op     Op
	hi, lo int32 // of OpExtract; lo of the extensions, and the operation of OpFloat
	sort   *Sort
	name   string   // of OpVar
	num    *big.Rat // of OpNumber
	args   []*Term
}

// Op returns the outermost operator.
func (t *Term) Op() Op { return t.op }

// Sort returns the sort.
func (t *Term) Sort() *Sort { return t.sort }

// Name returns the name of a variable, "" for other terms.
func (t *Term) Name() string { return t.name }

// Num returns the value of a number (of a bit-vector: unsigned), nil for other
// terms. It must not be changed.
func (t *Term) Num() *big.Rat { return t.num }

// Args returns the operands. The slice must not be changed.
func (t *Term) Args() []*Term { return t.args }

// Params returns the bit numbers hi, lo of OpExtract, or 0 and the number of
// added bits of OpZeroExtend and OpSignExtend.
func (t *Term) Params() (hi, lo int) { return int(t.hi), int(t.lo) }

// Size returns the number of nodes of the term as a tree, saturating.
func (t *Term) Size() int { return t.size }

// Floats reports a term with an operation on floating-point numbers in it.
func (t *Term) Floats() bool { return t.float }

// IsTrue and IsFalse recognise the constants of sort Bool.
func (t *Term) IsTrue() bool  { return t.op == OpTrue }
func (t *Term) IsFalse() bool { return t.op == OpFalse }

var seed = maphash.MakeSeed()

// mix is a step of murmur3's finaliser: terms differ in few bits (an operator, one
// operand), which have to reach all of a bucket's number.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

func (t *structure) computeHash() uint64 {
	h := mix(0x9e3779b97f4a7c15, uint64(t.op)|uint64(t.sort.kind)<<8|uint64(t.sort.width)<<16)
	if t.hi|t.lo != 0 {
		h = mix(h, uint64(t.hi)<<32|uint64(t.lo))
	}
	if t.name != "" {
		h = mix(h, maphash.String(seed, t.name))
	}
	if t.sort.data != nil {
		h = mix(h, t.sort.data.hash)
	}
	if t.num != nil {
		// Every limb counts; most numbers have one.
		for _, w := range t.num.Num().Bits() {
			h = mix(h, uint64(w))
		}
		h = mix(h, uint64(t.num.Sign()+1))
		for _, w := range t.num.Denom().Bits() {
			h = mix(h, uint64(w))
		}
	}
	for _, a := range t.args {
		h = mix(h, a.hash)
	}
	return h
}

// node interns an operator as it is: only constructors, which normalise, call it.
func node(op Op, sort *Sort, args ...*Term) *Term {
	return intern(structure{op: op, sort: sort, args: args})
}

// Compare is a total order of terms by structure, the same in every run: normal forms
// are sorted by it, so that verdicts and counterexamples do not depend on addresses.
func (t *Term) Compare(u *Term) int {
	if t == u {
		return 0
	}
	// Variables come first and in order of their names: x, then 2*x, then f(x).
	if c := rank(t.op) - rank(u.op); c != 0 {
		return c
	}
	if c := strings.Compare(t.name, u.name); c != 0 {
		return c
	}
	if c := t.sort.compare(u.sort); c != 0 {
		return c
	}
	if t.num != nil {
		if c := compareNumbers(t.num, u.num); c != 0 {
			return c
		}
	}
	if c := cmp.Or(t.hi-u.hi, t.lo-u.lo); c != 0 {
		return int(c)
	}
	for i := range min(len(t.args), len(u.args)) {
		if c := t.args[i].Compare(u.args[i]); c != 0 {
			return c
		}
	}
	return len(t.args) - len(u.args)
}

func rank(op Op) int {
	switch op {
	case OpVar:
		return 0
	case OpFalse, OpTrue:
		return 1 + int(op)
	}
	return 3 + int(op)
}

// fewNodes is the size up to which walking over a term as a tree is faster than keeping
// a set of what was seen.
const fewNodes = 32

// Vars returns the variables of the terms, sorted by Compare, without duplicates.
func Vars(terms ...*Term) []*Term {
	var w varsOf
	for _, t := range terms {
		w.visit(t)
	}
	slices.SortFunc(w.vars, (*Term).Compare)
	return slices.Compact(w.vars)
}

type varsOf struct {
	vars []*Term        // with duplicates
	seen map[*Term]bool // of large terms, and variables
}

func (w *varsOf) visit(t *Term) {
	switch {
	case t.op == OpVar:
		if n := len(w.vars); n > 0 && w.vars[n-1] == t {
			return
		}
		if len(w.vars) >= fewNodes {
			if w.seen[t] {
				return
			}
			w.remember(t)
		}
		w.vars = append(w.vars, t)
		return
	case t.size > fewNodes:
		if w.seen[t] {
			return
		}
		w.remember(t)
	}
	for _, a := range t.args {
		w.visit(a)
	}
}

func (w *varsOf) remember(t *Term) {
	if w.seen == nil {
		w.seen = map[*Term]bool{}
	}
	w.seen[t] = true
}

// Subterms yields the terms and all their parts, each once, a term before its operands.
func Subterms(terms ...*Term) iter.Seq[*Term] {
	return func(yield func(*Term) bool) {
		seen := map[*Term]bool{}
		var visit func(t *Term) bool
		visit = func(t *Term) bool {
			if seen[t] {
				return true
			}
			seen[t] = true
			if !yield(t) {
				return false
			}
			for _, a := range t.args {
				if !visit(a) {
					return false
				}
			}
			return true
		}
		for _, t := range terms {
			if !visit(t) {
				return
			}
		}
	}
}

// Applications returns the parts of the terms that apply functions, operands before what
// uses them, without duplicates.
func Applications(terms ...*Term) []*Term {
	var out []*Term
	seen := map[*Term]bool{}
	var visit func(t *Term)
	visit = func(t *Term) {
		if len(t.args) == 0 || seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.args {
			visit(a)
		}
		if t.op == OpApply {
			out = append(out, t)
		}
	}
	for _, t := range terms {
		visit(t)
	}
	return out
}
