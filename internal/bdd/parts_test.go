package bdd

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestManyClasses splits letters of which the labels tell more apart than a word has bits.
func TestManyClasses(t *testing.T) {
	for vars := 5; vars <= 7; vars++ {
		m := New()
		var labels []Node
		for v := range vars {
			labels = append(labels, m.Var(v))
		}
		l := m.Splitter(True, slices.Values(labels))
		if got, want := l.Classes(), map[int]int{5: 32, 6: 64}[vars]; got != want {
			t.Fatalf("%d classes, want %d", got, want)
		}
		parts := Split(l, func(yield func(Node, int) bool) {
			for i, label := range labels {
				if !yield(label, i) {
					return
				}
			}
		})
		if len(parts) != 1<<vars {
			t.Fatalf("%d parts of %d variables", len(parts), vars)
		}
		for _, p := range parts {
			want := True
			for v := range vars {
				if slices.Contains(p.Read, v) {
					want = m.And(want, labels[v])
				} else {
					want = m.And(want, m.NotVar(v))
				}
			}
			if p.Letters != want {
				t.Fatalf("part %v of %d variables", p.Read, vars)
			}
		}
	}
}

// TestParts compares Split and Classes with what each letter satisfies.
func TestParts(t *testing.T) {
	const vars = 4
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 41))
		m := New()
		random := func() Node {
			f := False
			for range r.IntN(4) {
				cube := True
				for v := range vars {
					switch r.IntN(3) {
					case 0:
						cube = m.And(cube, m.Var(v))
					case 1:
						cube = m.And(cube, m.NotVar(v))
					}
				}
				f = m.Or(f, cube)
			}
			return f
		}
		all, labels := m.Or(random(), m.Var(0)), make([]Node, r.IntN(5))
		for i := range labels {
			labels[i] = random()
		}
		numbered := func(yield func(Node, int) bool) {
			for i, l := range labels {
				if !yield(l, i) {
					return
				}
			}
		}
		parts := Split(m.Splitter(all, slices.Values(labels)), numbered)
		if nodes := splitNodes(m, all, numbered); fmt.Sprint(parts) != fmt.Sprint(nodes) {
			t.Fatalf("seed %d: %v by classes, %v by diagrams", seed, parts, nodes)
		}
		classes := m.Classes(all, slices.Values(labels), 1<<vars)
		if len(classes) > 1 && m.Classes(all, slices.Values(labels), len(classes)-1) != nil {
			t.Errorf("seed %d: more classes than the limit", seed)
		}
		class := map[int]int{} // part to class
		for letter := range 1 << vars {
			value := func(v int) bool { return letter>>v&1 == 1 }
			var read, in, of []int
			for i, l := range labels {
				if m.Sat(l, value) {
					read = append(read, i)
				}
			}
			for i, p := range parts {
				if m.Sat(p.Letters, value) {
					in = append(in, i)
				}
			}
			for i, c := range classes {
				if m.Sat(c, value) {
					of = append(of, i)
				}
			}
			switch {
			case !m.Sat(all, value):
				if len(in)+len(of) > 0 {
					t.Fatalf("seed %d: letter %b is of no interest", seed, letter)
				}
				continue
			case len(in) != 1 || len(of) != 1 || !slices.Equal(parts[in[0]].Read, read):
				t.Fatalf("seed %d: letter %b is in parts %v, classes %v, labels %v", seed, letter, in, of, read)
			}
			if c, ok := class[in[0]]; ok && c != of[0] {
				t.Fatalf("seed %d: part %d is in classes %d and %d", seed, in[0], c, of[0])
			}
			class[in[0]] = of[0]
		}
		if len(parts) != len(classes) {
			t.Fatalf("seed %d: %d parts, %d classes", seed, len(parts), len(classes))
		}
	}
}
