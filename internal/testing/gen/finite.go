package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Finite is a random system with few states that matter: commands between locations over
// integers x, y and z, an array a of integers that are 0 but for a few, and an input n.
type Finite struct {
	Locations int
	First     []FiniteState // at location 0; they differ in x only, by 1
	Errors    []FiniteRegion
	Commands  []FiniteCommand
	c         bool // as C can say it: no div, and indices from 0 to 3
}

// FiniteRegion is the states at a location where a formula holds.
type FiniteRegion struct {
	At    int
	Where *FiniteTerm
}

// FiniteCommand assigns terms to targets: x, y, z, or the element of a at an index.
type FiniteCommand struct {
	From, To int
	Inputs   []int // that n can be; nil: it has none
	within   string
	Guard    *FiniteTerm
	Targets  []string
	Index    *FiniteTerm
	Terms    []*FiniteTerm
}

// FiniteState has values of x, y and z, and the elements of a that are not 0.
type FiniteState struct {
	At      int
	Numbers [3]int
	Array   map[int]int
}

// FiniteTerm is a number N, a variable, or what an operator makes of terms: "a" takes an element,
// "?" chooses.
type FiniteTerm struct {
	Op   string
	N    int
	Args []*FiniteTerm
}

type finite struct {
	*rand.Rand
	*Finite
}

// NewFinite returns a random system; c: one that can be written as a C program, too.
func NewFinite(r *rand.Rand, c bool) *Finite {
	f := finite{r, &Finite{Locations: 1 + r.IntN(3), c: c}}
	first := FiniteState{Numbers: [3]int{r.IntN(3), r.IntN(5) - 1, r.IntN(3)}, Array: map[int]int{}}
	if r.IntN(2) == 0 {
		first.Array[1], first.Array[2] = 2, -1
	}
	for range 1 + r.IntN(3) {
		f.First = append(f.First, first)
		first.Numbers[0]++
	}
	for range 3 + r.IntN(5) {
		f.Commands = append(f.Commands, f.command())
	}
	for range 1 + r.IntN(2) {
		f.Errors = append(f.Errors, FiniteRegion{r.IntN(f.Locations), f.of("&&", f.formula(false), f.formula(false))})
	}
	return f.Finite
}

func (f finite) command() FiniteCommand {
	c := FiniteCommand{From: f.IntN(f.Locations), To: f.IntN(f.Locations)}
	input := f.IntN(2) == 0
	switch f.IntN(3) {
	case 0:
		c.Inputs, c.within = []int{-1, 3}, "(n == -1 || n == 3)"
	case 1:
		c.Inputs, c.within = []int{0, 1, 2}, "0 <= n && n < 3"
	default:
		c.Inputs, c.within = []int{2, 3}, "n >= 2 && !(n > 3)"
	}
	if !input {
		c.Inputs = nil
	}
	c.Guard = f.formula(input)
	for _, v := range []string{"x", "y", "z", "a"} {
		if f.IntN(3) > 0 {
			continue
		}
		c.Targets, c.Terms = append(c.Targets, v), append(c.Terms, f.kept(input))
		if v == "a" {
			c.Index = f.index(f.term(2, input))
		}
	}
	return c
}

func (f finite) of(op string, args ...*FiniteTerm) *FiniteTerm {
	return &FiniteTerm{Op: op, Args: args}
}

func number(n int) *FiniteTerm { return &FiniteTerm{Op: "number", N: n} }

// kept is a term whose values stay small.
func (f finite) kept(input bool) *FiniteTerm {
	return f.of([]string{"%", "mod"}[f.IntN(2)], f.term(2, input), number(2+f.IntN(4)))
}

func (f finite) index(t *FiniteTerm) *FiniteTerm {
	if f.c {
		return f.of("mod", t, number(4))
	}
	return t
}

func (f finite) term(depth int, input bool) *FiniteTerm {
	if depth == 0 || f.IntN(4) == 0 {
		leaves := []string{"x", "y", "z", "number", "n", "n"}
		if !input {
			leaves = leaves[:4]
		}
		if op := leaves[f.IntN(len(leaves))]; op != "number" {
			return f.of(op)
		}
		return number(f.IntN(6) - 1)
	}
	sub := func() *FiniteTerm { return f.term(depth-1, input) }
	operators := []string{"+", "-", "*", "a", "?", "/", "%", "mod", "div"}
	if f.c {
		operators = operators[:7]
	}
	switch op := operators[f.IntN(len(operators))]; op {
	case "a":
		return f.of(op, f.index(sub()))
	case "/", "%", "div", "mod":
		if f.IntN(4) == 0 {
			return f.of(op, sub(), sub())
		}
		return f.of(op, sub(), number([]int{2, 3, 4, 5, -2, -3}[f.IntN(6)]))
	case "?":
		return f.of(op, f.formula(input), sub(), sub())
	default:
		return f.of(op, sub(), sub())
	}
}

func (f finite) formula(input bool) *FiniteTerm {
	atom := func() *FiniteTerm {
		return f.of([]string{"==", "!=", "<", "<="}[f.IntN(4)], f.term(2, input), f.term(1, input))
	}
	switch f.IntN(6) {
	case 0:
		return f.of("&&", atom(), atom())
	case 1:
		return f.of("||", atom(), atom())
	case 2:
		return f.of("!", atom())
	case 3:
		return f.of("==", number(1), number(1))
	default:
		return atom()
	}
}

// text writes a term; as C, which has no remainders that are never negative.
func (t *FiniteTerm) text(c bool) string {
	var a []any
	for _, x := range t.Args {
		a = append(a, x.text(c))
	}
	switch t.Op {
	case "number":
		return fmt.Sprintf("(%d)", t.N)
	case "x", "y", "z", "n":
		return t.Op
	case "a":
		return fmt.Sprintf("a[%s]", a...)
	case "mod", "div":
		if c {
			return fmt.Sprintf("((%[1]s %% %[2]s + %[2]s) %% %[2]s)", a...)
		}
		return fmt.Sprintf(t.Op+"(%s, %s)", a...)
	case "?":
		return fmt.Sprintf("(%s ? %s : %s)", a...)
	case "!":
		return fmt.Sprintf("!(%s)", a...)
	}
	return fmt.Sprintf("(%s "+strings.ReplaceAll(t.Op, "%", "%%")+" %s)", a...)
}

// Text is the system as .gcl.
func (f *Finite) Text() string {
	var b strings.Builder
	b.WriteString("var x, y, z: int;\nvar a: array[int] of int;\ninput n: int;\nlocations l0")
	for l := 1; l < f.Locations; l++ {
		fmt.Fprintf(&b, ", l%d", l)
	}
	array := `const_array("(Array Int Int)", 0)`
	for i := range 4 {
		if v := f.First[0].Array[i]; v != 0 {
			array = fmt.Sprintf("store(%s, %d, %d)", array, i, v)
		}
	}
	x, last := f.First[0].Numbers, f.First[len(f.First)-1].Numbers[0]
	fmt.Fprintf(&b, ";\ninit l0 when %d <= x && x <= %d && y == %d && z == %d && a == %s;\n", x[0], last, x[1], x[2], array)
	for _, e := range f.Errors {
		fmt.Fprintf(&b, "error l%d when %s;\n", e.At, e.Where.text(false))
	}
	for i, c := range f.Commands {
		fmt.Fprintf(&b, "c%d: l%d -> l%d when %s", i, c.From, c.To, c.Guard.text(false))
		if c.Inputs != nil {
			fmt.Fprintf(&b, " && %s", c.within)
		}
		for j, v := range c.Targets {
			if v == "a" {
				v = fmt.Sprintf("a[%s]", c.Index.text(false))
			}
			fmt.Fprintf(&b, "%s%s := %s", []string{" do ", ", "}[min(j, 1)], v, c.Terms[j].text(false))
		}
		b.WriteString(";\n")
	}
	return b.String()
}

// C is the system as a C program, which calls __VERIFIER_error where there is an error.
func (f *Finite) C() string {
	var b strings.Builder
	x, last := f.First[0].Numbers, f.First[len(f.First)-1].Numbers[0]
	b.WriteString("int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assume(int);\nvoid __VERIFIER_error(void);\nint main(void) {\n")
	fmt.Fprintf(&b, "    int x = __VERIFIER_nondet_int(), y = %d, z = %d, at = 0, a[4] = {0, %d, %d, 0};\n", x[1], x[2], f.First[0].Array[1], f.First[0].Array[2])
	fmt.Fprintf(&b, "    __VERIFIER_assume(%d <= x && x <= %d);\n    while (1) {\n", x[0], last)
	for _, e := range f.Errors {
		fmt.Fprintf(&b, "        if (at == %d && %s) __VERIFIER_error();\n", e.At, e.Where.text(true))
	}
	b.WriteString("        int n = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();\n        switch (c) {\n")
	for i, c := range f.Commands {
		fmt.Fprintf(&b, "        case %d: {\n            __VERIFIER_assume(at == %d", i, c.From)
		if c.Inputs != nil {
			fmt.Fprintf(&b, " && %s", c.within)
		}
		fmt.Fprintf(&b, " && %s);\n", c.Guard.text(true))
		for j, v := range c.Targets {
			fmt.Fprintf(&b, "            int %s1 = %s;\n", v, c.Terms[j].text(true))
			if v == "a" {
				fmt.Fprintf(&b, "            int i1 = %s;\n", c.Index.text(true))
			}
		}
		for _, v := range c.Targets {
			if v == "a" {
				b.WriteString("            a[i1] = a1;\n")
				continue
			}
			fmt.Fprintf(&b, "            %s = %s1;\n", v, v)
		}
		fmt.Fprintf(&b, "            at = %d;\n            break;\n        }\n", c.To)
	}
	b.WriteString("        }\n    }\n}\n")
	return b.String()
}
