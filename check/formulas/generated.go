package formulas

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/ltl/family"
)

// Random are Count random formulas, made from a seed.
type Random struct {
	ltl.Random
	Count int
	Seed  uint64
}

// mostRejected is how many random formulas in a row may be refused before Each gives up.
const mostRejected = 100_000

// ErrTooFewFormulas is why there are less random formulas than were asked for.
var ErrTooFewFormulas = fmt.Errorf("of %d random formulas in a row none was wanted: the conditions leave too few", mostRejected)

// Each calls yield for random formulas until it has wanted Count of them. The error is one of
// yield, or ErrTooFewFormulas.
func (r *Random) Each(yield func(Listed) (wanted bool, err error)) error {
	numbers := rand.New(rand.NewPCG(r.Seed, 0))
	rejected := 0
	for n := 0; n < r.Count; {
		f := r.Formula(numbers)
		wanted, err := yield(Listed{Written: Written{Formula: f, Text: f.String()}})
		if err != nil {
			return err
		}
		if rejected++; wanted {
			n++
			rejected = 0
		}
		if rejected == mostRejected {
			return ErrTooFewFormulas
		}
	}
	return nil
}

// ParseAlphabet reads names of atoms with commas between them, or how many there are: p0, p1,
// and so on.
func ParseAlphabet(text string) ([]ltl.Atom, error) {
	names := strings.Split(text, ",")
	if n, err := strconv.Atoi(text); err == nil {
		if n < 0 || n > 10_000 {
			return nil, fmt.Errorf("%d atoms: a number up to 10000 is needed", n)
		}
		names = nil
		for i := range n {
			names = append(names, fmt.Sprint("p", i))
		}
	}
	var atoms []ltl.Atom
	for _, name := range names {
		f, err := ltl.Parse(source.NewFile("<alphabet>", name), ltl.ParseOptions{})
		if err != nil || f.Op() != ltl.Atomic {
			return nil, fmt.Errorf("%q is no atom", name)
		}
		atoms = append(atoms, f.Atom())
	}
	return atoms, nil
}

// mostMembers bounds the formulas that one range of a family gives.
const mostMembers = 100_000

// FamilyMembers reads "name=range", "name=range,range" for a family with two arguments, or
// the name alone of a list of patterns, and returns the formulas.
func FamilyMembers(text string) ([]Listed, error) {
	name, ranges, given := strings.Cut(text, "=")
	f, err := family.Named(name)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(ranges, ",")
	if !given {
		if !f.Patterns() {
			return nil, fmt.Errorf("a range is needed: %s=1..3", name)
		}
		parts = []string{fmt.Sprintf("%d..%d", f.Least, f.Most)}
	}
	if len(parts) != f.Arity {
		return nil, fmt.Errorf("the family has %d arguments: %s", f.Arity, f.About)
	}
	args := [][]int{nil}
	for _, part := range parts {
		r, err := ParseRange(part, f.Least, f.Most)
		if err != nil {
			return nil, err
		}
		var next [][]int
		for _, before := range args {
			for n := r.Min; n <= r.Max && len(next) <= mostMembers; n++ {
				next = append(next, append(before[:len(before):len(before)], n))
			}
		}
		args = next
	}
	var members []Listed
	for _, a := range args {
		g, err := f.Formula(a...)
		if err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(strings.Trim(fmt.Sprint(a), "[]"), " ", ",")
		members = append(members, Listed{Written: Written{Formula: g, Text: g.String()}, Family: f.Name, Arguments: text})
	}
	return members, nil
}
