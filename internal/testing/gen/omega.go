package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// AutomatonKinds are the kinds of acceptance conditions that HOA has.
var AutomatonKinds = []string{
	"all", "none", "Buchi", "generalized-Buchi", "co-Buchi", "generalized-co-Buchi", "Rabin", "Streett",
	"generalized-Rabin", "parity min even", "parity min odd", "parity max even", "parity max odd", "Emerson-Lei",
}

// AutomatonOptions say what random automata look like.
type AutomatonOptions struct {
	States        int      // at most so many, at least one
	Atoms         []string // of labels
	Sets          int      // at most so many of kinds that have any number of them
	Kind          string   // one of AutomatonKinds; "" is any
	Deterministic bool     // at most one edge of a state for each letter
	StateBased    bool     // marks on states
	Density       float64  // of edges: how many a letter has, on average; 0: 1.5
	Universal     bool     // some edges, and initial states, lead to several states at once
}

// HOA returns a random automaton as a text in the Hanoi format.
func HOA(r *rand.Rand, o AutomatonOptions) string {
	if o.Kind == "" {
		o.Kind = AutomatonKinds[r.IntN(len(AutomatonKinds))]
	}
	if o.Density == 0 {
		o.Density = 1.5
	}
	n := 1 + r.IntN(max(o.States, 1))
	name, sets, condition := acceptance(r, o.Kind, 1+r.IntN(max(o.Sets, 1)))
	var b strings.Builder
	conjunct := func(to int) string {
		text := fmt.Sprint(to)
		for o.Universal && r.IntN(3) == 0 {
			text += fmt.Sprintf("&%d", r.IntN(n))
		}
		return text
	}
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: %s\n", n, conjunct(r.IntN(n)))
	for o.Universal && r.IntN(4) == 0 {
		fmt.Fprintf(&b, "Start: %s\n", conjunct(r.IntN(n)))
	}
	fmt.Fprintf(&b, "AP: %d", len(o.Atoms))
	for _, at := range o.Atoms {
		fmt.Fprintf(&b, " %q", at)
	}
	b.WriteByte('\n')
	if name != "" {
		fmt.Fprintf(&b, "acc-name: %s\n", name)
	}
	fmt.Fprintf(&b, "Acceptance: %d %s\n--BODY--\n", sets, condition)
	marked := []float64{0.2, 0.4, 0.7}[r.IntN(3)]
	marks := func() string {
		var list []string
		for i := range sets {
			if r.Float64() < marked {
				list = append(list, fmt.Sprint(i))
			}
		}
		if len(list) == 0 {
			return ""
		}
		return " {" + strings.Join(list, " ") + "}"
	}
	for s := range n {
		fmt.Fprintf(&b, "State: %d", s)
		if o.StateBased {
			b.WriteString(marks())
		}
		b.WriteByte('\n')
		for letter := range 1 << len(o.Atoms) {
			for _, to := range targets(r, o, n) {
				fmt.Fprintf(&b, "[%s] %s", minterm(letter, len(o.Atoms)), conjunct(to))
				if !o.StateBased {
					b.WriteString(marks())
				}
				b.WriteByte('\n')
			}
		}
	}
	b.WriteString("--END--\n")
	return b.String()
}

// targets draws where a state goes on a letter.
func targets(r *rand.Rand, o AutomatonOptions, n int) []int {
	var list []int
	if o.Deterministic {
		if r.Float64() < 0.9 {
			list = append(list, r.IntN(n))
		}
		return list
	}
	for range 3 {
		if r.Float64() < o.Density/3 {
			list = append(list, r.IntN(n))
		}
	}
	return list
}

func minterm(letter, atoms int) string {
	if atoms == 0 {
		return "t"
	}
	var parts []string
	for i := range atoms {
		sign := "!"
		if letter>>i&1 != 0 {
			sign = ""
		}
		parts = append(parts, sign+fmt.Sprint(i))
	}
	return strings.Join(parts, "&")
}

// acceptance returns the name, the number of sets, and the condition of a kind, written out
// by the format's definition. n is the number of sets, pairs, or priorities.
func acceptance(r *rand.Rand, kind string, n int) (name string, sets int, condition string) {
	list := func(sign, form string) string {
		var parts []string
		for i := range n {
			parts = append(parts, strings.NewReplacer("<even>", fmt.Sprint(2*i), "<odd>", fmt.Sprint(2*i+1), "<set>", fmt.Sprint(i)).Replace(form))
		}
		return strings.Join(parts, sign)
	}
	counted := fmt.Sprintf("%s %d", kind, n)
	switch kind {
	case "all":
		return kind, 0, "t"
	case "none":
		return kind, 0, "f"
	case "Buchi":
		return kind, 1, "Inf(0)"
	case "co-Buchi":
		return kind, 1, "Fin(0)"
	case "generalized-Buchi":
		return counted, n, list("&", "Inf(<set>)")
	case "generalized-co-Buchi":
		return counted, n, list("|", "Fin(<set>)")
	case "Rabin":
		return counted, 2 * n, list(" | ", "(Fin(<even>)&Inf(<odd>))")
	case "Streett":
		return counted, 2 * n, list(" & ", "(Fin(<even>)|Inf(<odd>))")
	case "generalized-Rabin":
		return generalizedRabin(r, n)
	case "Emerson-Lei":
		n = min(n, 4)
		return "", n, emersonLei(r, n, 2+r.IntN(5))
	}
	words := strings.Fields(kind)
	return counted, n, parity(words[1] == "max", words[2] == "odd", n)
}

func generalizedRabin(r *rand.Rand, n int) (name string, sets int, condition string) {
	name = fmt.Sprintf("generalized-Rabin %d", n)
	var parts []string
	for range n {
		k := r.IntN(3)
		part := fmt.Sprintf("Fin(%d)", sets)
		for j := range k {
			part += fmt.Sprintf("&Inf(%d)", sets+1+j)
		}
		parts = append(parts, "("+part+")")
		sets += 1 + k
		name += fmt.Sprint(" ", k)
	}
	return name, sets, strings.Join(parts, " | ")
}

// parity is written from the number that counts most inwards.
func parity(maximum, odd bool, n int) string {
	text := ""
	for k := range n { // from the least important
		i := n - 1 - k
		if maximum {
			i = k
		}
		term, sign := fmt.Sprintf("Fin(%d)", i), " & "
		if (i%2 != 0) == odd {
			term, sign = fmt.Sprintf("Inf(%d)", i), " | "
		}
		if text != "" {
			term += sign + "(" + text + ")"
		}
		text = term
	}
	return text
}

// emersonLei is a random condition with so many terms.
func emersonLei(r *rand.Rand, sets, size int) string {
	if size <= 1 {
		switch set := r.IntN(sets); r.IntN(12) {
		case 0:
			return []string{"t", "f"}[r.IntN(2)]
		case 1:
			return fmt.Sprintf("Fin(!%d)", set)
		case 2:
			return fmt.Sprintf("Inf(!%d)", set)
		case 3, 4, 5, 6:
			return fmt.Sprintf("Fin(%d)", set)
		default:
			return fmt.Sprintf("Inf(%d)", set)
		}
	}
	left := 1 + r.IntN(size-1)
	return "(" + emersonLei(r, sets, left) + []string{" & ", " | "}[r.IntN(2)] + emersonLei(r, sets, size-left) + ")"
}
