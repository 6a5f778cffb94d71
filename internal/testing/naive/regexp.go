package naive

import (
	"fmt"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/ltl"
)

// spans says of a word from where to where a regular expression matches it: spans[i][j] for
// the letters i, i+1, ..., j-1.
type spans [][]bool

func newSpans(n int, holds func(i, j int) bool) spans {
	s := make(spans, n+1)
	for i := range s {
		s[i] = make([]bool, n+1)
		for j := i; j <= n; j++ {
			s[i][j] = holds(i, j)
		}
	}
	return s
}

// chain is the spans of a word of s and one of t behind it, which begins with the last letter of
// the first if they overlap by one.
func (s spans) chain(t spans, overlap int) spans {
	u := newSpans(len(s)-1, func(int, int) bool { return false })
	for i := range s {
		for k := i + overlap; k < len(s); k++ {
			if !s[i][k] {
				continue
			}
			for j := k; j < len(s); j++ {
				u[i][j] = u[i][j] || t[k-overlap][j]
			}
		}
	}
	return u
}

func (s spans) or(t spans) spans {
	return newSpans(len(s)-1, func(i, j int) bool { return s[i][j] || t[i][j] })
}

func (s spans) equal(t spans) bool {
	for i := range s {
		for j := range s[i] {
			if s[i][j] != t[i][j] {
				return false
			}
		}
	}
	return true
}

// prefixed is where s matches and t a prefix of the same letters.
func (s spans) prefixed(t spans) spans {
	return newSpans(len(s)-1, func(i, j int) bool {
		for k := i; k <= j; k++ {
			if s[i][j] && t[i][k] {
				return true
			}
		}
		return false
	})
}

// repeat is lo to hi copies of s; zero is what no copies match.
func (s spans) repeat(zero spans, lo, hi, overlap int) spans {
	exactly := zero
	for range lo {
		exactly = s.chain(exactly, overlap)
	}
	all := exactly
	for n := lo; n < hi; n++ {
		exactly = s.chain(exactly, overlap)
		more := all.or(exactly)
		if n > lo+2*len(s) && more.equal(all) {
			break // what more copies match, so many do
		}
		all = more
	}
	return all
}

// RegexpSpans matches a regular expression against all parts of a word, from the definition of
// each operator.
func RegexpSpans(r *gen.Regexp, word []ltl.Letter) [][]bool { return regexpSpans(r, word) }

func regexpSpans(r *gen.Regexp, word []ltl.Letter) spans {
	n := len(word)
	letter := func(f *ltl.Formula) spans {
		return newSpans(n, func(i, j int) bool {
			return j == i+1 && LTLHolds(f, ltl.Word{Loop: word[i:j]})
		})
	}
	empty := newSpans(n, func(i, j int) bool { return i == j })
	var args []spans
	for _, a := range r.Args {
		args = append(args, regexpSpans(a, word))
	}
	switch r.Op {
	case "letter":
		return letter(r.Letter)
	case "empty":
		return empty
	case ";":
		return args[0].chain(args[1], 0)
	case ":":
		return args[0].chain(args[1], 1)
	case "|":
		return args[0].or(args[1])
	case "&&":
		return newSpans(n, func(i, j int) bool { return args[0][i][j] && args[1][i][j] })
	case "&":
		return args[0].prefixed(args[1]).or(args[1].prefixed(args[0]))
	case "*":
		return args[0].repeat(empty, r.Lo, r.Hi, 0)
	case ":*":
		return args[0].repeat(letter(ltl.T()), r.Lo, r.Hi, 1)
	case "->", "=": // {!b[*]; b}[*lo..hi], and !b[*] behind it
		others := letter(ltl.MakeNot(r.Letter)).repeat(empty, 0, ltl.Unbounded, 0)
		s := others.chain(letter(r.Letter), 0).repeat(empty, r.Lo, r.Hi, 0)
		if r.Op == "=" {
			s = s.chain(others, 0)
		}
		return s
	case "first_match":
		return newSpans(n, func(i, j int) bool {
			for k := i; k < j; k++ {
				if args[0][i][k] {
					return false
				}
			}
			return args[0][i][j]
		})
	}
	panic("naive: unknown operator " + r.Op)
}

// Closure evaluates {r} on a lasso from its definition: some prefix that is not empty matches,
// or every prefix can go on to a match, by at most most letters out of the given ones. Prefixes
// of up to long letters are looked at.
func Closure(r *gen.Regexp, w ltl.Word, letters []ltl.Letter, long, most int) bool {
	var prefix []ltl.Letter
	for i := 0; len(prefix) < long; i = w.Next(i) {
		prefix = append(prefix, w.At(i))
	}
	for _, yes := range regexpSpans(r, prefix)[0][1:] {
		if yes {
			return true
		}
	}
	// Shorter prefixes go on to whatever the longest does.
	return goesOn(r, prefix, letters, most)
}

func goesOn(r *gen.Regexp, prefix, letters []ltl.Letter, most int) bool {
	if s := regexpSpans(r, prefix); s[0][len(prefix)] {
		return true
	}
	if most == 0 {
		return false
	}
	for _, l := range letters {
		if goesOn(r, append(prefix[:len(prefix):len(prefix)], l), letters, most-1) {
			return true
		}
	}
	return false
}

// RawRegexp returns an expression as its constructors left it.
func RawRegexp(r *ltl.Regexp) *gen.Regexp {
	names := map[ltl.RegexpOp]string{
		ltl.Concat: ";", ltl.Fusion: ":", ltl.Union: "|", ltl.AnyLength: "&", ltl.SameLength: "&&",
		ltl.Star: "*", ltl.FusionStar: ":*", ltl.FirstMatch: "first_match",
	}
	switch r.Op() {
	case ltl.NoWord:
		return &gen.Regexp{Op: "letter", Letter: ltl.Ff()}
	case ltl.EmptyWord:
		return &gen.Regexp{Op: "empty"}
	case ltl.OneLetter:
		return &gen.Regexp{Op: "letter", Letter: r.Letter()}
	}
	name, known := names[r.Op()]
	if !known {
		panic(fmt.Sprintf("naive: unknown regular expression %s", r))
	}
	s := RawRegexp(r.Args()[0])
	if name == "*" || name == ":*" || name == "first_match" {
		lo, hi := r.Bounds()
		return &gen.Regexp{Op: name, Args: []*gen.Regexp{s}, Lo: lo, Hi: hi}
	}
	for _, a := range r.Args()[1:] {
		s = &gen.Regexp{Op: name, Args: []*gen.Regexp{s, RawRegexp(a)}}
	}
	return s
}
