package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/seltl/seltl/ltl"
)

// Regexp is a regular expression as it is written, which no constructor has simplified.
type Regexp struct {
	Op     string       // "letter", "empty", ";", ":", "|", "&", "&&", "*", ":*", "->", "=", "first_match"
	Letter *ltl.Formula // of "letter", and of "->" and "="
	Args   []*Regexp
	Lo, Hi int // of repetitions; ltl.Unbounded is no upper bound
}

// String writes the expression in the syntax of seltl and Spot, with braces everywhere.
func (r *Regexp) String() string {
	letter := func() string {
		text, err := ltl.Format(r.Letter, ltl.Spot)
		if err != nil {
			panic(err)
		}
		return "(" + text + ")"
	}
	bounds := func(star string) string {
		if r.Hi == ltl.Unbounded {
			return fmt.Sprintf("[%s%d..]", star, r.Lo)
		}
		return fmt.Sprintf("[%s%d..%d]", star, r.Lo, r.Hi)
	}
	switch r.Op {
	case "letter":
		return letter()
	case "empty":
		return "[*0]"
	case "->", "=":
		return letter() + bounds(r.Op)
	case "*", ":*":
		return "{" + r.Args[0].String() + "}" + bounds(r.Op)
	case "first_match":
		return "first_match(" + r.Args[0].String() + ")"
	}
	var parts []string
	for _, a := range r.Args {
		parts = append(parts, "{"+a.String()+"}")
	}
	return strings.Join(parts, r.Op)
}

// RegexpOptions say what random regular expressions look like.
type RegexpOptions struct {
	Size  int // operators and leaves, at least 1
	Atoms []ltl.Atom
	// Plain leaves out what squares the number of states of an automaton or more, & && and
	// first_match, and repetitions of repetitions.
	Plain bool
}

// NewRegexp returns a random regular expression.
func NewRegexp(r *rand.Rand, o RegexpOptions) *Regexp {
	if o.Size <= 1 {
		switch r.IntN(12) {
		case 0:
			return &Regexp{Op: "empty"}
		case 1:
			return &Regexp{Op: "letter", Letter: ltl.T()}
		}
		return &Regexp{Op: "letter", Letter: booleanLetter(r, o.Atoms)}
	}
	sub := func(size int) *Regexp {
		return NewRegexp(r, RegexpOptions{Size: size, Atoms: o.Atoms, Plain: o.Plain})
	}
	unary := []string{"*", "*", ":*", "->", "=", "first_match"}
	binary := []string{";", ";", ";", ":", "|", "&", "&&"}
	if o.Plain {
		unary, binary = unary[:5], binary[:5]
	}
	if o.Size == 2 || r.IntN(3) == 0 {
		s := &Regexp{Op: unary[r.IntN(len(unary))], Lo: r.IntN(3)}
		if s.Hi = ltl.Unbounded; r.IntN(2) == 0 {
			s.Hi = s.Lo + r.IntN(3)
		}
		if s.Op == "->" || s.Op == "=" {
			s.Letter = booleanLetter(r, o.Atoms)
		} else {
			s.Args = []*Regexp{sub(o.Size - 1)}
			for o.Plain && (s.Args[0].Op == "*" || s.Args[0].Op == ":*") {
				s.Args[0] = s.Args[0].Args[0]
			}
		}
		return s
	}
	left := 1 + r.IntN(o.Size-2)
	return &Regexp{Op: binary[r.IntN(len(binary))], Args: []*Regexp{sub(left), sub(o.Size - 1 - left)}}
}

// booleanLetter is a literal or a small Boolean formula.
func booleanLetter(r *rand.Rand, atoms []ltl.Atom) *ltl.Formula {
	return Formula(r, FormulaOptions{Size: []int{1, 1, 2, 3}[r.IntN(4)], Atoms: atoms, Ops: []ltl.Op{ltl.Not, ltl.And, ltl.Or}})
}

// Suffix returns a random formula with regular expressions, as text: of {r}[]-> f, {r}<>-> f, {r}, {r}!
// and operators of temporal logic around and in them.
func Suffix(r *rand.Rand, size int, o RegexpOptions) string {
	o.Size = 1 + r.IntN(max(size, 1))
	expression := "{" + NewRegexp(r, o).String() + "}"
	rest := func() string {
		if size > 4 && r.IntN(3) == 0 {
			return Suffix(r, size/2, o)
		}
		return Formula(r, FormulaOptions{Size: 1 + r.IntN(max(size/2, 1)), Atoms: o.Atoms}).String()
	}
	var text string
	switch r.IntN(8) {
	case 0, 1, 2:
		text = expression + []string{"[]-> ", "[]=> "}[r.IntN(2)] + "(" + rest() + ")"
	case 3, 4:
		text = expression + []string{"<>-> ", "<>=> "}[r.IntN(2)] + "(" + rest() + ")"
	case 5:
		text = expression + "!"
	default:
		text = expression
	}
	switch r.IntN(8) {
	case 0:
		return "G(" + text + ")"
	case 1:
		return "F(" + text + ")"
	case 2:
		return "!(" + text + ")"
	case 3:
		return "(" + rest() + ") U (" + text + ")"
	case 4:
		return "(" + text + ") W (" + rest() + ")"
	}
	return text
}
