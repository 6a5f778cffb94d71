package main

import (
	"fmt"
	"strconv"
	"strings"
)

// family is a system that grows with a number.
type family struct {
	name  string
	sizes []int // by default
	safe  bool
	text  func(n int) string
}

var families = []family{
	{"path", []int{160}, true, path},
	{"ifs", []int{300}, true, ifs},
	{"compared", []int{300}, true, compared},
	{"cancel", []int{300}, true, cancel},
	{"nested-ifs", []int{6}, true, nestedIfs},
	{"largest", []int{8, 20}, true, largest},
	{"flags", []int{7, 9, 20, 40}, true, flags},
	{"line", []int{5000}, true, line},
	{"until-safe", []int{100_000}, true, counter("x != N", "", "assert loop: x <= N;")},
	{"until-unsafe", []int{100_000}, false, counter("x != N", "x == N", "error end;")},
	{"below-safe", []int{100_000}, true, counter("x <= N", "x > N", "assert end: x == N + 1;")},
	{"below-unsafe", []int{100_000}, false, counter("x <= N", "x > N", "error end when x == N + 1;")},
	{"predicates", []int{40}, true, predicates},
}

// chosen returns the families of a flag like "path=40,flags", "all" or "none".
func chosen(text string) ([]problem, error) {
	var out []problem
	add := func(f family, n int) {
		out = append(out, problem{name: fmt.Sprintf("%s %d", f.name, n), ending: ".gcl", text: f.text(n), expect: verdictOf(f.safe)})
	}
	if text == "all" {
		for _, f := range families {
			for _, n := range f.sizes {
				add(f, n)
			}
		}
	}
	if text == "all" || text == "none" {
		return out, nil
	}
next:
	for _, word := range strings.Split(text, ",") {
		name, size, given := strings.Cut(word, "=")
		for _, f := range families {
			if f.name != name {
				continue
			}
			sizes := f.sizes
			if given {
				n, err := strconv.Atoi(size)
				if err != nil || n < 1 {
					return nil, fmt.Errorf("-families %s: a positive size is needed", word)
				}
				sizes = []int{n}
			}
			for _, n := range sizes {
				add(f, n)
			}
			continue next
		}
		return nil, fmt.Errorf("-families %s: there is no such family", word)
	}
	return out, nil
}

// locations declares l0 to ln.
func locations(b *strings.Builder, n int) {
	b.WriteString("locations l0")
	for i := range n {
		fmt.Fprintf(b, ", l%d", i+1)
	}
	b.WriteString(";\n")
}

// path has n steps that exclude the error only together, with loops between them that
// keep them apart.
func path(n int) string {
	var b strings.Builder
	b.WriteString("var x, y: int;\n")
	locations(&b, n)
	b.WriteString("init l0 when x == 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d do y := y + 1;\nl%d -> l%d do x := x + 1;\n", i, i, i, i+1)
	}
	fmt.Fprintf(&b, "assert l%d: x == %d;\n", n, n)
	return b.String()
}

// ifs has n branches after one another: 2^n paths, of n + 1 values in the end.
func ifs(n int) string {
	var b strings.Builder
	b.WriteString("var x: int;\ninput c: int;\n")
	locations(&b, n)
	b.WriteString("init l0 when x == 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d when c > 0 do x := x + 1;\nl%d -> l%d when c <= 0;\n", i, i+1, i, i+1)
	}
	fmt.Fprintf(&b, "assert l%d: 0 <= x && x <= %d;\n", n, n)
	return b.String()
}

// compared has n branches on a variable, of which each can be taken: n + 1 ways to the end.
func compared(n int) string {
	var b strings.Builder
	b.WriteString("var x, y: int;\n")
	locations(&b, n)
	b.WriteString("init l0 when x == 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d when y > %d do x := x + 1;\nl%d -> l%d when y <= %d do x := x - 1;\n", i, i+1, i, i, i+1, i)
	}
	fmt.Fprintf(&b, "assert l%d: -%d <= x && x <= %d;\n", n, n, n)
	return b.String()
}

// cancel has n branches that move something from x to y, or nothing.
func cancel(n int) string {
	var b strings.Builder
	b.WriteString("var x, y, z: int;\n")
	locations(&b, 2*n)
	b.WriteString("init l0 when x == 0 && y == 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d when z > %d do x := x + %d;\nl%d -> l%d when z <= %d;\n", 2*i, 2*i+1, i, i, 2*i, 2*i+1, i)
		fmt.Fprintf(&b, "l%d -> l%d when z > %d do y := y - %d;\nl%d -> l%d when z <= %d;\n", 2*i+1, 2*i+2, i, i, 2*i+1, 2*i+2, i)
	}
	fmt.Fprintf(&b, "assert l%d: x + y == 0;\n", 2*n)
	return b.String()
}

// nestedIfs has a loop with branches that nest n deep, each of which takes one off what
// another one has added.
func nestedIfs(n int) string {
	var b strings.Builder
	b.WriteString("var x, y, i, m: int;\ninput c: int;\nlocations loop, end")
	for k := range n {
		fmt.Fprintf(&b, ", in%d, out%d", k, k)
	}
	b.WriteString(";\ninit loop when x == 0 && y == 0 && i == 0;\nloop -> end when i >= m;\nloop -> in0 when i < m do i := i + 1;\n")
	for k := range n {
		inner := fmt.Sprintf("out%d", k)
		if k+1 < n {
			inner = fmt.Sprintf("in%d", k+1)
		}
		fmt.Fprintf(&b, "in%d -> %s when c > %d do x := x + 1;\nin%d -> out%d when c <= %d do y := y + 1;\n", k, inner, k, k, k, k)
	}
	for k := n - 1; k > 0; k-- {
		fmt.Fprintf(&b, "out%d -> out%d when x > y do y := y + 1, x := x - 1;\nout%d -> out%d when x <= y;\n", k, k-1, k, k-1)
	}
	fmt.Fprintf(&b, "out0 -> loop;\nassert end: x + y >= i && x + y <= %d * i;\n", n)
	return b.String()
}

// largest finds the largest of n numbers.
func largest(n int) string {
	var b strings.Builder
	b.WriteString("var m")
	for i := range n {
		fmt.Fprintf(&b, ", a%d", i)
	}
	b.WriteString(": int;\n")
	locations(&b, n)
	b.WriteString("init l0;\n")
	fmt.Fprintf(&b, "l0 -> l1 do m := a0;\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "l%d -> l%d when a%d > m do m := a%d;\nl%d -> l%d when a%d <= m;\n", i, i+1, i, i, i, i+1, i)
	}
	fmt.Fprintf(&b, "assert l%d: m >= a0", n)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, " && m >= a%d", i)
	}
	b.WriteString(";\n")
	return b.String()
}

// flags has k flags that are set at will, and tested again in the same order.
func flags(k int) string {
	var b strings.Builder
	b.WriteString("var x: int;\nvar b0")
	for i := range k - 1 {
		fmt.Fprintf(&b, ", b%d", i+1)
	}
	b.WriteString(": bool;\n")
	locations(&b, 2*k)
	b.WriteString("init l0 when x == 0;\n")
	for i := range k {
		fmt.Fprintf(&b, "l%d -> l%d do x := x + 1, b%d := true;\nl%d -> l%d do b%d := false;\n", i, i+1, i, i, i+1, i)
		fmt.Fprintf(&b, "l%d -> l%d when b%d do x := x - 1;\nl%d -> l%d when !b%d;\n", k+i, k+i+1, i, k+i, k+i+1, i)
	}
	fmt.Fprintf(&b, "assert l%d: x == 0;\n", 2*k)
	return b.String()
}

// line has n steps and nothing else.
func line(n int) string {
	var b strings.Builder
	b.WriteString("var x: int;\n")
	locations(&b, n)
	b.WriteString("init l0 when x == 0;\n")
	for i := range n {
		fmt.Fprintf(&b, "l%d -> l%d do x := x + 1;\n", i, i+1)
	}
	fmt.Fprintf(&b, "assert l%d: x == %d;\n", n, n)
	return b.String()
}

// counter counts to a number N.
func counter(on, off, property string) func(int) string {
	return func(n int) string {
		text := fmt.Sprintf("const N = %d;\nvar x: int;\nlocations loop, end;\ninit loop when x == 0;\nloop -> loop when %s do x := x + 1;\n", n, on)
		if off != "" {
			text += "loop -> end when " + off + ";\n"
		}
		return text + property + "\n"
	}
}

// predicates has n variables that change in one command, and a property that needs a
// predicate about each.
func predicates(n int) string {
	var vars, inputs, zero, guard, update, property []string
	for i := range n {
		v, c := fmt.Sprintf("x%d", i), fmt.Sprintf("c%d", i)
		vars, inputs, zero = append(vars, v), append(inputs, c), append(zero, v+" == 0")
		guard, update, property = append(guard, c+" >= 0"), append(update, v+" := "+v+" + "+c), append(property, v+" >= 0")
	}
	and := func(fs []string) string { return strings.Join(fs, " && ") }
	return fmt.Sprintf("var %s: int;\ninput %s: int;\nlocations loop;\ninit loop when %s;\nloop -> loop when %s do %s;\nassert loop: %s;\n",
		strings.Join(vars, ", "), strings.Join(inputs, ", "), and(zero), and(guard), strings.Join(update, ", "), and(property))
}
