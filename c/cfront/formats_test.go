package cfront

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// drawnFormat draws a call of snprintf or sprintf, and shows what it writes.
func drawnFormat(r *rand.Rand) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	format, args := "", ""
	for range r.IntN(4) {
		format += one("", "", "a", "x=", "%%", ", ", `\377`)
		if r.IntN(12) == 0 {
			format += `\0`
		}
		switch letter := one("d", "i", "u", "x", "X", "o", "c", "s"); letter {
		case "s":
			format += "%" + one("", "-") + one("", "", "3", "12") + one("", ".", ".0", ".2", ".20") + "s"
			args += ", " + one(`""`, `"text"`, `"a\200"`, `"abcdefghij"`)
		case "c":
			format += "%" + one("", "-") + one("", "", "3") + "c"
			args += ", " + one("65", "-3", "200", "' '")
		default:
			length, typ := one("", "", "hh", "h", "l", "ll", "j", "z"), "int"
			switch length {
			case "l", "z":
				typ = "long"
			case "ll", "j":
				typ = "long long"
			}
			format += "%" + one("", "", "-", "0", "+", " ", "0+", "- ", "-0") + one("", "", "1", "7", "25") + one("", "", ".", ".0", ".1", ".5", ".21") + length + letter
			args += fmt.Sprintf(", (%s)%s", typ, one("0", "1", "-1", "7", "-10", "127", "-128", "65535", "1000000000", "(-2147483647 - 1)", "4294967295u", fmt.Sprintf("0x%xll", r.Uint64()>>(1+r.IntN(60)))))
		}
	}
	call := fmt.Sprintf(`sprintf(b, "%s"%s)`, format, args)
	if r.IntN(3) > 0 {
		call = fmt.Sprintf(`snprintf(b, %d, "%s"%s)`, r.IntN(30)*r.IntN(3), format, args)
	}
	return "{ char b[160]; int i; for (i = 0; i < 160; i++) b[i] = 7; out(" + call + "); for (i = 0; i < 160; i++) if (b[i] != 7) out((unsigned char)b[i]); }\n"
}

// TestFormatsGCC: what sprintf and snprintf write is what they write in gcc's programs, for random formats.
func TestFormatsGCC(t *testing.T) {
	const declared = "int sprintf(char *, const char *, ...), snprintf(char *, __SIZE_TYPE__, const char *, ...);\n"
	for model := range ir.DataModel(2) {
		for seed := range uint64(soak.Long(20)) {
			r := rand.New(rand.NewPCG(seed, 452))
			var b strings.Builder
			for range 25 {
				b.WriteString(drawnFormat(r))
			}
			text := declared + "void try_it(void) {\n" + b.String() + "}\n"
			want, ok := compiled(t, model, text, []string{"try_it"})
			if !ok {
				t.Skip("SKIPPED: ", gcc.ErrMissing)
			}
			p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+text)}, Options{Model: model, Entry: "try_it"})
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			if got := computed(t, p, "try_it"); got != want[0] {
				t.Fatalf("%v, seed %d: %s\n%s", model, seed, difference(got, want[0]), text)
			}
		}
	}
}

// TestFormatsOpen: what is not followed stays a call that leaves what is modelled.
func TestFormatsOpen(t *testing.T) {
	for _, call := range []string{`sprintf(b, "%f", 1.0)`, `sprintf(b, "%*d", 3, 4)`, `sprintf(b, "%d", 4l)`, `sprintf(b, "%s", 4)`, `sprintf(b, "%d")`, `sprintf(b, b)`, `sprintf(b, "%n", &n)`,
		`sprintf(b, "%05s", b)`, `sprintf(b, "%#x", 4)`, `sprintf(b, "%p", b)`, `sprintf(b, "%")`, `sprintf(b, "%5%")`, `sprintf(b, "` + strings.Repeat("%d", 201) + `")`, `sprintf(b, "a%%")`} {
		text := "int sprintf(char *, const char *, ...); char b[9]; int n; int main(void) { " + call + "; return 0; }"
		p, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{})
		if err != nil {
			t.Fatal(call, err)
		}
		followed := true
		for _, block := range p.Func("main").Blocks {
			for _, i := range block.Instrs {
				if c, ok := i.(*ir.Call); ok && c.Callee.Extern() && c.Callee.Unmodelled(c) != "" {
					followed = false
				}
			}
		}
		if followed != strings.Contains(call, `a%%`) {
			t.Errorf("%s: followed: %v", call, followed)
		}
	}
}
