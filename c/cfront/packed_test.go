package cfront

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// drawing draws types with attributes.
type drawing struct {
	*rand.Rand
	model   ir.DataModel
	before  strings.Builder // what stands before
	n       int             // how many types there are
	checked strings.Builder // gcc's program: what it prints
}

func (d *drawing) one(of ...string) string { return of[d.IntN(len(of))] }

// attribute is one of a few, or mostly none.
func (d *drawing) attribute(of ...string) string {
	if d.IntN(6) > 0 {
		return ""
	}
	return fmt.Sprintf(" __attribute__((%s))", d.one(of...))
}

// member draws the type of a member: what stands before its name, and behind it.
func (d *drawing) member(depth int) (before, behind string, integer bool) {
	switch x := d.IntN(26); {
	case x > 23:
		if d.model == ir.LP64 {
			return d.one("v2", "v4", "va", "_Float128", "float _Complex", "double _Complex", "long double _Complex"), "", false
		}
		return d.one("va", "_Float128", "float _Complex", "double _Complex", "long double _Complex"), "", false
	case x < 14:
		return d.one("char", "short", "int", "unsigned", "long", "long long", "unsigned char", "_Bool", "unsigned short", "signed char", "enum e"), "", true
	case x < 16:
		return d.one("float", "double", "char *", "const int *", "long double"), "", false
	case x < 17:
		return d.one("t1", "t2", "t8", "t16", "l4", "ta"), "", false
	case x < 20 || depth > 2:
		return d.one("char", "short", "int", "double", "long long", "t1", "struct lone"), d.one("[3]", "[2]", "[2][3]", "[1]"), false
	}
	return d.record(depth + 1), d.one("", "", "", "[2]"), false
}

// record draws a struct or union, and names it.
func (d *drawing) record(depth int) string {
	name := fmt.Sprintf("%s s%d", d.one("struct", "struct", "struct", "union"), d.n)
	d.n++
	word, tag, _ := strings.Cut(name, " ")
	var b strings.Builder
	pack := ""
	if d.IntN(6) == 0 {
		pack = d.one("1", "2", "4", "8", "16")
	}
	fmt.Fprintf(&b, "%s%s %s {\n", word, d.attribute("packed", "__packed__", "aligned(8)", "aligned(1)", "packed, aligned(2)", "aligned"), tag)
	var plain, narrow []string
	for k := range 1 + d.IntN(5) {
		before, behind, integer := d.member(depth)
		field := fmt.Sprintf("m%d", k)
		switch {
		case integer && d.IntN(2) == 0:
			most := map[string]int{"char": 8, "unsigned char": 8, "signed char": 8, "_Bool": 1, "short": 16, "unsigned short": 16, "long": 32, "long long": 64}[before]
			if most == 0 {
				most = 32
			}
			width := 1 + d.IntN(most)
			if d.IntN(7) == 0 && before != "enum e" { // which the parser takes for C23's enum e : type
				fmt.Fprintf(&b, "  %s : %d;\n", before, width*d.IntN(2))
				break
			}
			fmt.Fprintf(&b, "  %s%s %s : %d%s;\n", before, d.attribute("packed"), field, width, d.attribute("packed", "aligned(4)", "aligned(8)"))
			narrow = append(narrow, field)
		default:
			by, own := "", []string{"packed", "aligned(2)", "aligned(4)", "aligned(8)", "aligned(16)", "packed, aligned(2)", "aligned"}
			if strings.HasPrefix(before, "t") || before == "l4" { // two alignments are refused
				own = own[:1]
			}
			if integer && d.IntN(8) == 0 {
				by, own = d.one("_Alignas(8) ", "_Alignas(16) "), own[:1]
			}
			fmt.Fprintf(&b, "  %s%s %s%s%s;\n", by, before, field, behind, d.attribute(own...))
			plain = append(plain, field)
		}
	}
	last := []string{"packed", "aligned(4)", "aligned(16)", "aligned(1)", "packed, aligned(8)"}
	if strings.Contains(b.String()[:strings.Index(b.String(), "{")], "aligned") { // the parser reads one only
		last = last[:1]
	}
	fmt.Fprintf(&b, "}%s;\n", d.attribute(last...))
	text := b.String()
	if pack != "" {
		text = fmt.Sprintf("#pragma pack(push, %s)\n%s#pragma pack(pop)\n", pack, text)
	}
	fmt.Fprintf(&d.before, "%s%s v_%s;\nunsigned long size_%[3]s = sizeof(%[2]s), align_%[3]s = _Alignof(%[2]s);\n", text, name, tag)
	fmt.Fprintf(&d.checked, "  printf(\"%s size %%lu align %%lu\\n\", (unsigned long)sizeof(%s), (unsigned long)_Alignof(%[2]s));\n", tag, name)
	for _, f := range plain {
		of := d.one("v_%s.%s", "(*&v_%s).%s", "(&v_%s)->%s", "(v_%s).%s")
		fmt.Fprintf(&d.before, "unsigned long own_%s_%s = __alignof__("+of+");\n", tag, f, tag, f)
		fmt.Fprintf(&d.checked, "  printf(\"%s %s.own %%lu\\n\", (unsigned long)__alignof__(v_%[1]s.%s));\n", tag, f)
		fmt.Fprintf(&d.checked, "  printf(\"%s %s %%lu 0\\n\", (unsigned long)__builtin_offsetof(%s, %[2]s) * 8);\n", tag, f, name)
	}
	for _, f := range narrow {
		fmt.Fprintf(&d.checked, "  memset(&v_%s, 0, sizeof v_%[1]s); v_%[1]s.%s = -1; bits(\"%[1]s %[2]s\", (unsigned char *)&v_%[1]s, sizeof v_%[1]s);\n", tag, f)
	}
	return name
}

const drawnBefore = `enum e { A, B };
typedef int t1 __attribute__((aligned(1)));
typedef int t2 __attribute__((aligned(2)));
typedef char t8 __attribute__((aligned(8)));
typedef struct { char c; int i; } t16 __attribute__((aligned(16)));
typedef long long l4 __attribute__((aligned(4)));
typedef int ta[2];
struct lone { long long l; };
typedef int v2 __attribute__((vector_size(8)));
typedef short v4 __attribute__((vector_size(16)));
typedef __builtin_va_list va;
`

const drawnMain = `
int printf(const char *, ...);
void *memset(void *, int, __SIZE_TYPE__);
static void bits(const char *what, unsigned char *p, unsigned long n) {
  long first = -1, count = 0;
  for (unsigned long i = 0; i < n * 8; i++) if (p[i / 8] >> i % 8 & 1) { if (first < 0) first = i; count++; }
  printf("%s %ld %ld\n", what, first, count);
}
int main(void) {
`

// TestPacked: sizes, alignments, offsets and bits of members are gcc's, of random types with packing,
// alignments by hand and bit-fields, for both data models.
func TestPacked(t *testing.T) {
	const each = 100
	for seed := range uint64(soak.Cases(12)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			comparePacked(t, seed, each, []ir.DataModel{ir.LP64, ir.ILP32}[seed%2])
		})
	}
}

func comparePacked(t *testing.T, seed uint64, each int, model ir.DataModel) {
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, 45)), model: model}
	for d.n < each {
		d.record(0)
	}
	text := drawnBefore + d.before.String()
	prog, err := Parse([]*source.File{source.NewFile("t.c", text)}, Options{Model: model, NoEntry: true})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	exe, err := gcc.Build(t.TempDir(), text+drawnMain+d.checked.String()+"  return 0;\n}\n", int(model.PointerSize())*8, "-w", "-O0")
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, out, _, err := gcc.Run(context.Background(), exe)
	if err != nil {
		t.Fatal(err)
	}
	vars, first, seen := map[string]*ir.Var{}, map[string]uint64{}, 0
	for _, v := range prog.Globals {
		vars[v.Name] = v
	}
	for _, b := range prog.Init.Blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ir.Assign); ok {
				first[a.To.Var.Name] = a.Value.(*ir.Const).Bits
			}
		}
	}
	for line := range strings.Lines(string(out)) {
		word := strings.Fields(line)
		v := vars["v_"+word[0]]
		if v == nil {
			t.Fatalf("seed %d: %s is refused: %v", seed, word[0], prog.Unread[0])
		}
		got := ""
		if word[1] == "size" {
			got = fmt.Sprintf("%s size %d align %d", word[0], first["size_"+word[0]], first["align_"+word[0]])
		}
		if f, own := strings.CutSuffix(word[1], ".own"); own {
			n, known := first["own_"+word[0]+"_"+f]
			if !known && model == ir.ILP32 { // what is aligned by 4 in a struct, and by 8 elsewhere
				continue
			}
			got = fmt.Sprintf("%s %s %d", word[0], word[1], n)
		}
		for _, f := range v.Type.Fields {
			if f.Name == word[1] {
				got = fmt.Sprintf("%s %s %d %d", word[0], f.Name, f.Off*8+int64(f.BitOff), f.Bits)
			}
		}
		if seen++; got != strings.TrimSpace(line) {
			t.Errorf("seed %d, %s: %s, gcc: %s", seed, model, got, line)
		}
	}
	if seen < 3*each {
		t.Errorf("seed %d: only %d numbers are compared", seed, seen)
	}
}

// TestAlignments: what __alignof__ says of expressions is gcc's, or not known.
func TestAlignments(t *testing.T) {
	const by = "_Alignas(16) char by; char a __attribute__((aligned(32))); char *p __attribute__((aligned(32)));\n"
	const text = `int plain, array[3], *pointer; void routine(void); struct { char c; short s; struct { int deep; } __attribute__((packed)); int bit : 3; } m;
__builtin_va_list list; enum e { A } e; struct s { double d; } s;
`
	for of, want := range map[string]uint64{"plain": 4, "(array)": 4, "*pointer": 4, "list": 8, "s": 8, "e": 4, "m.deep": 1, "(&m)->c": 1,
		"*(char *)pointer": 0, "routine": 0, "plain + 1": 0, "array[1]": 4, "pointer[1]": 0, "BY array[1]": 0, "\"text\"": 1, "BY a": 0, "BY by": 0, "BY p": 0, "BY m.s": 8, "BY plain": 0} {
		of, asks := strings.CutPrefix(of, "BY ")
		text := text
		if asks {
			text = by + strings.Replace(text, "short s", "short s __attribute__((aligned(8)))", 1)
		}
		prog, err := Parse([]*source.File{source.NewFile("t.c", text+"unsigned long n = __alignof__("+of+");\n")}, Options{Model: ir.LP64, NoEntry: true})
		if err != nil {
			t.Fatal(of, err)
		}
		got := uint64(0)
		for _, b := range prog.Init.Blocks {
			for _, i := range b.Instrs {
				if a, ok := i.(*ir.Assign); ok && a.To.Var.Name == "n" {
					got = a.Value.(*ir.Const).Bits
				}
			}
		}
		if got != want || want == 0 && len(prog.Unread) == 0 {
			t.Errorf("__alignof__(%s): %d, not %d (%d not read)", of, got, want, len(prog.Unread))
		}
	}
}
