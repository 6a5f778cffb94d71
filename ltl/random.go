package ltl

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Random makes random formulas. The result depends on the generator of numbers only.
type Random struct {
	Atoms []Atom
	// MinSize and MaxSize bound the number of nodes of the syntax tree, every size with the
	// same probability; formulas may come out smaller, since constructors simplify.
	MinSize, MaxSize int
	// Weights say how often each operator is drawn, among those that fit the size that is
	// left; True, False and Atomic are the leaves. Nil is DefaultWeights.
	Weights map[Op]int
}

// DefaultWeights draws every operator equally often but no past operators, and a leaf is a constant in one of
// twenty cases.
func DefaultWeights() map[Op]int {
	return map[Op]int{
		True: 1, False: 1, Atomic: 38, Not: 1, And: 1, Or: 1, Xor: 1, Implies: 1, Iff: 1, Next: 1, Eventually: 1, Always: 1,
		Until: 1, Release: 1, WeakUntil: 1, StrongRelease: 1,
	}
}

// ParseWeights reads weights as "U=3,xor=0,X=0": changes to DefaultWeights. The weight of
// "ap" is that of all atoms together; "past" stands for each past operator.
func ParseWeights(text string) (map[Op]int, error) {
	weights := DefaultWeights()
	for _, item := range strings.Split(text, ",") {
		name, number, ok := strings.Cut(strings.TrimSpace(item), "=")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 || n > 1_000_000 {
			return nil, fmt.Errorf("%q: OPERATOR=NUMBER is needed, such as U=3 or xor=0", item)
		}
		if name == "past" {
			for op := Yesterday; op <= Triggered; op++ {
				weights[op] = n
			}
			continue
		}
		op, err := ParseOp(name)
		if err != nil {
			return nil, err
		}
		weights[op] = n
	}
	return weights, nil
}

// AddRegexps gives {r}[]-> f and {r}<>-> f the weight of most other operators in DefaultWeights, where
// they have none yet.
func AddRegexps(weights map[Op]int) {
	for _, op := range []Op{SuffixImplies, SuffixAnd} {
		if _, set := weights[op]; !set {
			weights[op] = 1
		}
	}
}

// arity is the number of operands in random formulas.
func arity(op Op) int {
	switch op {
	case True, False, Atomic:
		return 0
	case Not, Next, Eventually, Always, Yesterday, WeakYesterday, Once, Historically:
		return 1
	}
	return 2
}

// Formula returns a random formula. Where no operator that has a weight fits the size that is
// left, a leaf stands there; where no leaf has a weight, an atom.
func (g *Random) Formula(r *rand.Rand) *Formula {
	size := max(g.MinSize, 1)
	if g.MaxSize > size {
		size += r.IntN(g.MaxSize - size + 1)
	}
	weights := g.Weights
	if weights == nil {
		weights = DefaultWeights()
	}
	return g.grow(r, weights, size)
}

func (g *Random) grow(r *rand.Rand, weights map[Op]int, size int) *Formula {
	op := draw(r, weights, func(op Op) bool { n := arity(op); return n > 0 && n < size })
	if op == Atomic { // nothing fits
		op = draw(r, weights, func(op Op) bool { return arity(op) == 0 })
	}
	switch arity(op) {
	case 1:
		return Make(op, g.grow(r, weights, size-1))
	case 2:
		if op == SuffixImplies || op == SuffixAnd {
			return g.growSuffix(r, weights, op, size)
		}
		left := 1 + r.IntN(size-2)
		f := g.grow(r, weights, left)
		return Make(op, f, g.grow(r, weights, size-1-left))
	}
	if op == Atomic && len(g.Atoms) > 0 {
		return AtomOf(g.Atoms[r.IntN(len(g.Atoms))])
	}
	return Constant(op == True)
}

// draw chooses one of the operators that fit, by weight; Atomic if none has any.
func draw(r *rand.Rand, weights map[Op]int, fits func(Op) bool) Op {
	total := 0
	for op := False; op < numOps; op++ {
		if fits(op) {
			total += weights[op]
		}
	}
	if total == 0 {
		return Atomic
	}
	n := r.IntN(total)
	for op := False; ; op++ {
		if fits(op) {
			if n -= weights[op]; n < 0 {
				return op
			}
		}
	}
}
