package cross

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/seltl/seltl/ltl"
)

// randomOps are the operators of random formulas, each as likely as the others.
var randomOps = []ltl.Op{
	ltl.Not, ltl.And, ltl.Or, ltl.Xor, ltl.Implies, ltl.Iff, ltl.Next, ltl.Eventually, ltl.Always,
	ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease,
}

// Random returns a random formula over p0, p1, ... of at most size nodes, every number of
// nodes as likely as the others before constructors simplify.
func Random(r *rand.Rand, atoms, size int) *ltl.Formula {
	return grow(r, atoms, 1+r.IntN(size))
}

func grow(r *rand.Rand, atoms, size int) *ltl.Formula {
	if size == 1 {
		if r.IntN(20) == 0 {
			return ltl.Constant(r.IntN(2) == 0)
		}
		return ltl.AtomOf(ltl.Atom{Kind: ltl.Name, Name: "p" + strconv.Itoa(r.IntN(atoms))})
	}
	for {
		op := randomOps[r.IntN(len(randomOps))]
		switch op {
		case ltl.Not, ltl.Next, ltl.Eventually, ltl.Always:
			return ltl.Make(op, grow(r, atoms, size-1))
		}
		if size > 2 {
			left := 1 + r.IntN(size-2)
			f := grow(r, atoms, left)
			return ltl.Make(op, f, grow(r, atoms, size-1-left))
		}
	}
}

// lbtOps are the prefix operators of LBT and its successors.
var lbtOps = map[ltl.Op]string{
	ltl.Not: "!", ltl.And: "&", ltl.Or: "|", ltl.Xor: "^", ltl.Implies: "i", ltl.Iff: "e", ltl.Next: "X", ltl.Eventually: "F",
	ltl.Always: "G", ltl.Until: "U", ltl.Release: "V", ltl.WeakUntil: "W", ltl.StrongRelease: "M",
}

var lbtAtom = regexp.MustCompile(`^p[0-9]+$`)

// formatLBT writes the formula in prefix notation; atoms but p0, p1, ... are quoted, as Spot
// reads them.
func formatLBT(f *ltl.Formula) (string, error) {
	if f.Size() > ltl.MaxPrinted {
		return "", &ltl.TooLarge{Size: f.Size()}
	}
	var words []string
	var write func(f *ltl.Formula)
	write = func(f *ltl.Formula) {
		switch f.Op() {
		case ltl.True:
			words = append(words, "t")
		case ltl.False:
			words = append(words, "f")
		case ltl.Atomic:
			name := f.Atom().Name
			if !lbtAtom.MatchString(name) {
				name = `"` + name + `"`
			}
			words = append(words, name)
		default:
			// And and Or have any number of operands, LBT's have two.
			for range max(len(f.Args())-1, 1) {
				words = append(words, lbtOps[f.Op()])
			}
			for _, g := range f.Args() {
				write(g)
			}
		}
	}
	write(f)
	return strings.Join(words, " "), nil
}
