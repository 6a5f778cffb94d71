package programs

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// bitField is a member of a struct of the test below.
type bitField struct{ name, typ string }

// bitFieldProgram is a struct with bit-fields of int and long long, statements about two of these, x and y, and the expressions
// that show what they come to.
func bitFieldProgram(r *rand.Rand) (declared, statements string, shown []string) {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	var fields []bitField
	var b strings.Builder
	for i := range 2 + r.IntN(4) {
		if i > 0 && r.IntN(3) == 0 {
			fmt.Fprintf(&b, "%s p%d; ", pick("int", "unsigned char"), i)
			continue
		}
		width, t := 1+r.IntN(64), pick("long long", "unsigned long long")
		switch r.IntN(4) {
		case 0:
			width, t = 1+r.IntN(32), pick("int", "unsigned")
		case 1:
			width = []int{31, 32, 33, 40, 48, 63, 64}[r.IntN(7)]
		}
		f := bitField{fmt.Sprintf("f%d", i), t}
		fields = append(fields, f)
		fmt.Fprintf(&b, "%s %s : %d; ", t, f.name, width)
	}
	declared = fmt.Sprintf("struct s { %s};\n", b.String())
	b.Reset()
	b.WriteString("struct s x, y; __builtin_memset(&x, 0, sizeof x); __builtin_memset(&y, 0, sizeof y); unsigned long long a = in, b = 12345678901234ull; long long c = -5; int i = -3;\n")
	value := func() string {
		f := fields[r.IntN(len(fields))]
		return strings.NewReplacer("F", f.name, "T", f.typ).Replace(pick("a", "b", "c", "i", "7", "-1", "0x123456789abcdefull", "(T)x.F", "y.F", "(unsigned long long)y.F + a", "(long long)x.F * 3",
			"x.F == y.F", "x.F < 100", "x.F > a", "x.F != 0 ? 4 : 9", "!x.F"))
	}
	for range 4 + r.IntN(8) {
		f := fields[r.IntN(len(fields))]
		switch r.IntN(9) {
		default:
			fmt.Fprintf(&b, "%s.%s = %s;\n", pick("x", "y"), f.name, value())
		case 0:
			fmt.Fprintf(&b, "x.%s %s= %s;\n", f.name, pick("+", "-", "&", "|", "^", "*"), pick("a", "3", "b", "y."+f.name))
		case 1:
			fmt.Fprintf(&b, pick("x.%s++;\n", "--y.%s;\n"), f.name)
		case 2:
			fmt.Fprintf(&b, "a += (unsigned long long)(x.%s = %s);\n", f.name, value())
		case 3:
			b.WriteString("y = x;\n")
		}
	}
	for _, f := range fields {
		shown = append(shown, "(unsigned long long)x."+f.name, "(unsigned long long)y."+f.name)
	}
	return declared, b.String(), append(shown, "a", "sizeof(struct s)")
}

// TestBitFieldsLikeGcc: structs with bit-fields up to the width of long long have the values that they have with gcc, of
// constants and of inputs.
func TestBitFieldsLikeGcc(t *testing.T) {
	const seed = 4540
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	count := map[report.Verdict]int{}
	for k := range uint64(soak.Long(24)) {
		r := rand.New(rand.NewPCG(seed, k))
		model := []ir.DataModel{ir.LP64, ir.ILP32}[k%2]
		declared, statements, shown := bitFieldProgram(r)
		var main strings.Builder
		fmt.Fprintf(&main, "#include <stdio.h>\n%sint main(void) { int in = 9; %s", declared, statements)
		for _, e := range shown {
			fmt.Fprintf(&main, "printf(\"%%llu\\n\", (unsigned long long)(%s));\n", e)
		}
		results := printed(t, main.String()+"return 0; }\n", model, len(shown), "-fwrapv")
		start := "int in = 9;"
		if k%3 == 0 {
			start = "int in = any(); if (in < 9 || in > 9) return 0;"
		}
		e := r.IntN(len(shown))
		for op, want := range map[string]report.Verdict{"!=": report.Holds, "==": report.Violated} {
			text := fmt.Sprintf("void reach_error(void); int any(void);\n%sint main(void) { %s %sif (%s %s %sull) reach_error(); return 0; }\n", declared, start, statements, shown[e], op, results[e])
			verdict, why := reachTextWith(t, pool, text, cfront.Options{Model: model})
			if count[verdict]++; verdict != want && verdict != report.Unknown {
				t.Errorf("seed %d, program %d, %s: %s, not %s (%s)\n%s", seed, k, model, verdict, want, why, text)
			}
		}
	}
	t.Logf("%v", count)
	if count[report.Holds]+count[report.Violated] < 2*count[report.Unknown] {
		t.Error("too little is known")
	}
}
