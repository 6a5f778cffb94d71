package armc_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/program/clauses"

	. "github.com/seltl/seltl/armc"
)

// finite is a random system with few states, as .gcl text, and as what its own evaluation
// reads: integers x, y and z, an array a, inputs n and b.
type finite struct {
	*rand.Rand
	locations int
	init      finiteGuard
	first     []finiteState
	bad       []finiteGuard // errors
	commands  []finiteCommand
}

type finiteGuard struct {
	at    int
	where *tiny
}

type finiteCommand struct {
	from, to int
	inputs   []int // that n can be; nil: it has none
	range_   string
	guard    *tiny
	targets  []string // x, y, z or a
	index    *tiny    // of a
	terms    []*tiny
}

// finiteState has values of x, y and z, and elements of a that are not 0.
type finiteState struct {
	at      int
	numbers [3]int
	array   map[int]int
}

func (s finiteState) key() string { return fmt.Sprint(s.at, s.numbers, s.array) }

// tiny is a term.
type tiny struct {
	op   string
	n    int
	args []*tiny
}

func num(n int) *tiny                       { return &tiny{op: "number", n: n} }
func tinyOf(op string, args ...*tiny) *tiny { return &tiny{op: op, args: args} }

func (t *tiny) String() string {
	switch a := t.args; t.op {
	case "number":
		return fmt.Sprint(t.n)
	case "x", "y", "z", "n", "true":
		return t.op
	case "a":
		return fmt.Sprintf("a[%s]", a[0])
	case "div", "mod":
		return fmt.Sprintf("%s(%s, %s)", t.op, a[0], a[1])
	case "?":
		return fmt.Sprintf("(%s ? %s : %s)", a[0], a[1], a[2])
	case "!":
		return fmt.Sprintf("!(%s)", a[0])
	default:
		return fmt.Sprintf("(%s %s %s)", a[0], t.op, a[1])
	}
}

var errByZero = errors.New("division by zero")

// eval computes a term; formulas are 0 or 1.
func (t *tiny) eval(s *finiteState, n int) int {
	truth := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch t.op {
	case "number":
		return t.n
	case "x", "y", "z":
		return s.numbers[t.op[0]-'x']
	case "n":
		return n
	case "true":
		return 1
	case "a":
		return s.array[t.args[0].eval(s, n)]
	case "!":
		return 1 - t.args[0].eval(s, n)
	case "?":
		v, w := t.args[1].eval(s, n), t.args[2].eval(s, n)
		if t.args[0].eval(s, n) == 1 {
			return v
		}
		return w
	}
	l, r := t.args[0].eval(s, n), t.args[1].eval(s, n)
	if strings.Contains("/ % div mod", t.op) && r == 0 {
		panic(errByZero)
	}
	switch t.op {
	case "+":
		return l + r
	case "-":
		return l - r
	case "*":
		return l * r
	case "/":
		return l / r
	case "%":
		return l % r
	case "div", "mod":
		q := l / r
		for l-q*r < 0 {
			q += truth(r < 0) - truth(r > 0)
		}
		if t.op == "div" {
			return q
		}
		return l - q*r
	case "==":
		return truth(l == r)
	case "!=":
		return truth(l != r)
	case "<":
		return truth(l < r)
	case "<=":
		return truth(l <= r)
	case "&&":
		return l * r
	case "||":
		return max(l, r)
	}
	panic(t.op)
}

func (f *finite) term(depth int, input bool) *tiny {
	leaves := []string{"x", "y", "z", "number"}
	if input {
		leaves = append(leaves, "n", "n")
	}
	if depth == 0 || f.IntN(4) == 0 {
		switch op := leaves[f.IntN(len(leaves))]; op {
		case "number":
			return num(f.IntN(6) - 1)
		default:
			return tinyOf(op)
		}
	}
	sub := func() *tiny { return f.term(depth-1, input) }
	switch op := []string{"+", "-", "*", "a", "/", "%", "div", "mod", "?"}[f.IntN(9)]; op {
	case "a":
		return tinyOf(op, sub())
	case "/", "%", "div", "mod":
		by := num([]int{2, 3, 4, 5, -2, -3}[f.IntN(6)])
		if f.IntN(4) == 0 {
			by = sub()
		}
		return tinyOf(op, sub(), by)
	case "?":
		return tinyOf(op, f.formula(input), sub(), sub())
	default:
		return tinyOf(op, sub(), sub())
	}
}

func (f *finite) formula(input bool) *tiny {
	atom := func() *tiny {
		return tinyOf([]string{"==", "!=", "<", "<="}[f.IntN(4)], f.term(2, input), f.term(1, input))
	}
	switch f.IntN(6) {
	case 0:
		return tinyOf("&&", atom(), atom())
	case 1:
		return tinyOf("||", atom(), atom())
	case 2:
		return tinyOf("!", atom())
	case 3:
		return tinyOf("true")
	default:
		return atom()
	}
}

// kept is a term whose values stay small.
func (f *finite) kept(input bool) *tiny {
	return tinyOf([]string{"%", "mod"}[f.IntN(2)], f.term(2, input), num(2+f.IntN(4)))
}

func newFinite(r *rand.Rand) *finite {
	f := &finite{Rand: r, locations: 1 + r.IntN(3)}
	x, y, z := r.IntN(3), r.IntN(5)-1, r.IntN(3)
	a := map[int]int{}
	array := `a == const_array("(Array Int Int)", 0)`
	if r.IntN(2) == 0 {
		a[1], a[2] = 2, -1
		array = `a == store(store(const_array("(Array Int Int)", 0), 1, 2), 2, -1)`
	}
	several := r.IntN(3)
	f.init.where = &tiny{op: "text"}
	for i := range several + 1 {
		f.first = append(f.first, finiteState{numbers: [3]int{x + i, y, z}, array: a})
	}
	f.init.where.op = fmt.Sprintf("%d <= x && x <= %d && y == %d && z == %d && %s", x, x+several, y, z, array)
	for range 3 + r.IntN(5) {
		c := finiteCommand{from: r.IntN(f.locations), to: r.IntN(f.locations)}
		if r.IntN(2) == 0 {
			switch r.IntN(3) {
			case 0:
				c.inputs, c.range_ = []int{-1, 3}, "(n == -1 || n == 3)"
			case 1:
				c.inputs, c.range_ = []int{0, 1, 2}, "0 <= n && n < 3"
			default:
				c.inputs, c.range_ = []int{2, 3}, "n >= 2 && !(n > 3)"
			}
		}
		c.guard = f.formula(c.inputs != nil)
		for _, v := range []string{"x", "y", "z", "a"} {
			if r.IntN(3) > 0 {
				continue
			}
			c.targets = append(c.targets, v)
			c.terms = append(c.terms, f.kept(c.inputs != nil))
			if v == "a" {
				c.index = f.kept(c.inputs != nil)
			}
		}
		f.commands = append(f.commands, c)
	}
	for range 1 + r.IntN(2) {
		f.bad = append(f.bad, finiteGuard{r.IntN(f.locations), tinyOf("&&", f.formula(false), f.formula(false))})
	}
	return f
}

func (f *finite) text() string {
	var b strings.Builder
	b.WriteString("var x, y, z: int;\nvar a: array[int] of int;\ninput n: int;\nlocations ")
	for l := range f.locations {
		fmt.Fprintf(&b, "%sl%d", []string{"", ", "}[min(l, 1)], l)
	}
	fmt.Fprintf(&b, ";\ninit l0 when %s;\n", f.init.where.op)
	for _, e := range f.bad {
		fmt.Fprintf(&b, "error l%d when %s;\n", e.at, e.where)
	}
	for i, c := range f.commands {
		fmt.Fprintf(&b, "c%d: l%d -> l%d when %s", i, c.from, c.to, c.guard)
		if c.inputs != nil {
			fmt.Fprintf(&b, " && %s", c.range_)
		}
		for j, t := range c.targets {
			if t == "a" {
				t = fmt.Sprintf("a[%s]", c.index)
			}
			fmt.Fprintf(&b, "%s%s := %s", []string{" do ", ", "}[min(j, 1)], t, c.terms[j])
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// enumerate visits all states, or most of them; ok is false if there are more or a divisor is 0.
func (f *finite) enumerate(most int) (states int, unsafe, ok bool) {
	defer func() {
		if p := recover(); p == errByZero {
			ok = false
		} else if p != nil {
			panic(p)
		}
	}()
	seen := map[string]bool{}
	queue := slices.Clone(f.first)
	for _, s := range queue {
		seen[s.key()] = true
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for _, e := range f.bad {
			if v := e.where.eval(&s, 0); e.at == s.at && v == 1 {
				unsafe = true
			}
		}
		for _, c := range f.commands {
			if c.from != s.at {
				continue
			}
			inputs := c.inputs
			if inputs == nil {
				inputs = []int{0}
			}
			for _, n := range inputs {
				if c.guard.eval(&s, n) == 0 {
					continue
				}
				next := s
				next.at = c.to
				for j, t := range c.targets {
					v := c.terms[j].eval(&s, n)
					if t != "a" {
						next.numbers[t[0]-'x'] = v
						continue
					}
					next.array = maps.Clone(s.array)
					if i := c.index.eval(&s, n); v != 0 {
						next.array[i] = v
					} else {
						delete(next.array, i)
					}
				}
				if !seen[next.key()] {
					seen[next.key()] = true
					queue = append(queue, next)
				}
			}
		}
		if len(queue) > most {
			return len(queue), unsafe, false
		}
	}
	return len(queue), unsafe, true
}

// TestFinite: systems with few states are decided by enumeration, as a twin that reads and
// computes by itself says, at once and alone, also where they are written as Horn clauses.
func TestFinite(t *testing.T) {
	pool := thePool(t)
	count := map[Verdict]int{}
	n := soak.Long(uint64(12_000))
	for seed := range n {
		f := newFinite(rand.New(rand.NewPCG(seed, 90)))
		states, unsafe, ok := f.enumerate(60)
		if !ok || states < 4 {
			continue
		}
		want := Safe
		if unsafe {
			want = Unsafe
		}
		sys := parseText(t, f.text())
		if seed%3 == 0 {
			var err error
			if sys, err = clauses.System(clauses.Problem(sys)); err != nil {
				t.Fatal(err)
			}
		}
		o := Options{Method: []Method{Auto, Enumerate}[seed%2]}
		res, err := Check(ctx, sys, pool, o)
		if err := right(res, err, want); err != nil || res.Verdict == Unknown {
			t.Fatalf("seed %d: %v, %s\n%s", seed, err, res.Reason, f.text())
		}
		if res.Method != Enumerate {
			t.Errorf("seed %d: decided by %s: %v", seed, res.Method, res.Tried)
		}
		if res.Verdict == Unsafe {
			if err := res.Trace.Replay(sys); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		count[res.Verdict]++
	}
	t.Logf("verdicts: %v", count)
	if count[Safe] < soak.Least(300) || count[Unsafe] < soak.Least(300) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}
