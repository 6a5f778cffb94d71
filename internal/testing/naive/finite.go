package naive

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/testing/gen"
)

var errByZero = errors.New("division by zero")

// Finite visits all states of a system. ok is false if there are more than most, or a divisor
// may be 0.
func Finite(f *gen.Finite, most int) (states int, unsafe, ok bool) {
	defer func() {
		if p := recover(); p == errByZero {
			ok = false
		} else if p != nil {
			panic(p)
		}
	}()
	queue, seen := slices.Clone(f.First), map[string]bool{}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		if key := fmt.Sprint(s.At, s.Numbers, s.Array); seen[key] {
			continue
		} else if seen[key] = true; len(seen) > most {
			return len(seen), unsafe, false
		}
		for _, e := range f.Errors {
			if finiteTerm(e.Where, &s, 0) == 1 && e.At == s.At {
				unsafe = true
			}
		}
		for _, c := range f.Commands {
			inputs := c.Inputs
			if inputs == nil {
				inputs = []int{0}
			}
			for _, n := range inputs {
				if c.From == s.At && finiteTerm(c.Guard, &s, n) == 1 {
					queue = append(queue, finiteStep(&c, s, n))
				}
			}
		}
	}
	return len(seen), unsafe, true
}

func finiteStep(c *gen.FiniteCommand, s gen.FiniteState, n int) gen.FiniteState {
	next := s
	next.At = c.To
	for j, t := range c.Targets {
		v := finiteTerm(c.Terms[j], &s, n)
		if t != "a" {
			next.Numbers[t[0]-'x'] = v
			continue
		}
		next.Array = maps.Clone(s.Array)
		if i := finiteTerm(c.Index, &s, n); v != 0 {
			next.Array[i] = v
		} else {
			delete(next.Array, i)
		}
	}
	return next
}

// finiteTerm computes a term, all parts of it; formulas are 0 or 1.
func finiteTerm(t *gen.FiniteTerm, s *gen.FiniteState, n int) int {
	var a [3]int
	for i, x := range t.Args {
		a[i] = finiteTerm(x, s, n)
	}
	l, r := a[0], a[1]
	truth := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch t.Op {
	case "/", "%", "div", "mod":
		if r == 0 {
			panic(errByZero)
		}
		// Towards zero, or so that nothing negative is left.
		q := l / r
		for (t.Op == "div" || t.Op == "mod") && l-q*r < 0 {
			q += truth(r < 0) - truth(r > 0)
		}
		if t.Op == "/" || t.Op == "div" {
			return q
		}
		return l - q*r
	case "number":
		return t.N
	case "x", "y", "z":
		return s.Numbers[t.Op[0]-'x']
	case "n":
		return n
	case "a":
		return s.Array[l]
	case "!":
		return 1 - l
	case "?":
		return l*r + (1-l)*a[2]
	case "+":
		return l + r
	case "-":
		return l - r
	case "*", "&&":
		return l * r
	case "==":
		return truth(l == r)
	case "!=":
		return truth(l != r)
	case "<":
		return truth(l < r)
	case "<=":
		return truth(l <= r)
	case "||":
		return max(l, r)
	}
	panic(t.Op)
}
