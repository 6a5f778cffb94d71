package cfront

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestPadding: the padding of random types is what gcc clears in them.
func TestPadding(t *testing.T) {
	for seed := range soak.Long(60) {
		rng := rand.New(rand.NewPCG(uint64(seed), 31))
		var text strings.Builder
		names := []string{}
		for i := range 8 {
			name := fmt.Sprintf("struct t%d", i)
			if rng.IntN(4) == 0 {
				name = fmt.Sprintf("union t%d", i)
			}
			fmt.Fprintf(&text, "%s {", name)
			for j := range 1 + rng.IntN(4) {
				of := []string{"char", "short", "int", "long long", "char *", "_Bool"}[rng.IntN(6)]
				if len(names) > 0 && rng.IntN(3) == 0 {
					of = names[rng.IntN(len(names))]
				}
				switch k := rng.IntN(5); {
				case k == 0 && !strings.Contains(of, " t"): // of arrays of structs gcc 12 clears other bytes
					fmt.Fprintf(&text, " %s m%d[%d];", of, j, 1+rng.IntN(3))
				case k == 1:
					fmt.Fprintf(&text, " unsigned m%d : %d;", j, 1+rng.IntN(17))
				default:
					fmt.Fprintf(&text, " %s m%d;", of, j)
				}
			}
			text.WriteString(" };\n")
			names = append(names, name)
		}
		for i, name := range names {
			fmt.Fprintf(&text, "%s v%d;\n", name, i)
		}
		p, err := Parse([]*source.File{source.NewFile("t.c", text.String()+"int main(void) { return 0; }\n")}, Options{Model: ir.LP64})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text.String())
		}
		want := ""
		for i := range names {
			v := p.Globals[slices.IndexFunc(p.Globals, func(g *ir.Var) bool { return g.Name == fmt.Sprintf("v%d", i) })]
			line := bytes.Repeat([]byte{'.'}, int(v.Type.Size))
			for _, gap := range padding(v.Type) {
				for at := gap[0]; at < gap[1]; at++ {
					line[at] = 'p'
				}
			}
			want += string(line) + "\n"
		}
		text.WriteString("int printf(const char *, ...); void *memset(void *, int, unsigned long);\nint main(void) {\n")
		for i := range names {
			fmt.Fprintf(&text, "memset(&v%d, 255, sizeof v%d); __builtin_clear_padding(&v%d); for (unsigned i = 0; i < sizeof v%d; i++) printf(\"%%c\", ((unsigned char *)&v%d)[i] ? '.' : 'p'); printf(\"\\n\");\n", i, i, i, i, i)
		}
		text.WriteString("}\n")
		exe, err := gcc.Build(t.TempDir(), text.String(), 64)
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, out, _, err := gcc.Run(t.Context(), exe)
		if err != nil || out != want {
			t.Fatalf("seed %d: %v\n%s\ngcc:\n%s\nhere:\n%s", seed, err, text.String(), out, want)
		}
	}
}

// TestPaddingArrays: the padding of an array is that of its elements.
func TestPaddingArrays(t *testing.T) {
	char, word := &ir.Type{Kind: ir.Integer, Size: 1}, &ir.Type{Kind: ir.Integer, Size: 4}
	s := &ir.Type{Kind: ir.Struct, Size: 12, Fields: []ir.Field{{Type: char}, {Type: word, Off: 4}, {Type: char, Off: 8}}}
	a := &ir.Type{Kind: ir.Array, Size: 36, Len: 3, Elem: s}
	in := &ir.Type{Kind: ir.Struct, Size: 40, Fields: []ir.Field{{Type: char}, {Type: a, Off: 4}}}
	for _, c := range []struct {
		of   *ir.Type
		want [][2]int64
	}{
		{char, nil}, {&ir.Type{Kind: ir.Array, Size: 9, Len: 9, Elem: char}, nil}, {s, [][2]int64{{1, 4}, {9, 12}}},
		{a, [][2]int64{{1, 4}, {9, 12}, {13, 16}, {21, 24}, {25, 28}, {33, 36}}},
		{in, [][2]int64{{1, 4}, {5, 8}, {13, 16}, {17, 20}, {25, 28}, {29, 32}, {37, 40}}},
	} {
		if got := padding(c.of); !slices.Equal(got, c.want) {
			t.Errorf("%v, expected %v", got, c.want)
		}
	}
}

// TestManyMembers: what is asked about a type takes as long as its text, also where two members of
// one struct are another one, and so on, fifty times. Types with more padding than is told stay such.
func TestManyMembers(t *testing.T) {
	for name, first := range map[string]string{"plain": "int a;", "bit-fields": "int a : 3; int b;", "padding": "char a; int b;"} {
		var text strings.Builder
		fmt.Fprintf(&text, "struct s0 { %s };\n", first)
		for i := 1; i <= 50; i++ {
			fmt.Fprintf(&text, "struct s%d { struct s%[2]d a, b; };\n", i, i-1)
		}
		text.WriteString("struct s50 *p; int main(void) { return p == &p[1] || &p->a == &p->b; }")
		prog, err := Parse([]*source.File{source.NewFile("s.c", text.String())}, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		struct50 := prog.Globals[0].Type.Elem
		if got, want := len(padding(struct50)) > mostPadding, name != "plain"; got != want || struct50.Size < 4<<50 {
			t.Errorf("%s: %d bytes, too much padding: %v", name, struct50.Size, got)
		}
	}
}

// TestPaddingUnions: another member may have all that one with much padding leaves.
func TestPaddingUnions(t *testing.T) {
	char, word := &ir.Type{Kind: ir.Integer, Size: 1}, &ir.Type{Kind: ir.Integer, Size: 4}
	s := &ir.Type{Kind: ir.Struct, Size: 8, Fields: []ir.Field{{Type: char}, {Type: word, Off: 4}}}
	n := int64(mostPadding + 5)
	many, raw := &ir.Type{Kind: ir.Array, Size: 8 * n, Len: n, Elem: s}, &ir.Type{Kind: ir.Array, Size: 8 * n, Len: 8 * n, Elem: char}
	union := func(members ...*ir.Type) *ir.Type {
		u := &ir.Type{Kind: ir.Struct, Union: true, Size: 8 * n}
		for _, m := range members {
			u.Fields = append(u.Fields, ir.Field{Type: m})
		}
		return u
	}
	if got := len(padding(union(many, char))); got <= mostPadding {
		t.Errorf("%d places", got)
	}
	for _, u := range []*ir.Type{union(many, raw), union(raw, many)} {
		if got := padding(u); got != nil {
			t.Errorf("%d places", len(got))
		}
	}
	if got := padding(union(s, word)); !slices.Equal(got, [][2]int64{{8, 8 * n}}) {
		t.Errorf("%v", got)
	}
}
