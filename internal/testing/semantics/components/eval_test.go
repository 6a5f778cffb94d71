package components

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

var wideTypes = []string{"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"}

// wideExpr is an expression over variables v0, v1, ... of wideTypes.
func wideExpr(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(3) == 0 {
			return []string{"0", "1", "2", "3u", "7L", "255", "'a'", "0x80000000", "100000", "5ul", "010", "-1"}[r.IntN(12)]
		}
		return fmt.Sprint("v", r.IntN(len(wideTypes)))
	}
	sub := func() string { return wideExpr(r, depth-1) }
	switch r.IntN(6) {
	case 0:
		return []string{"-", "~", "!", "+"}[r.IntN(4)] + "(" + sub() + ")"
	case 1:
		return "((" + wideTypes[r.IntN(len(wideTypes))] + ")(" + sub() + "))"
	case 2:
		return "(" + sub() + " ? " + sub() + " : " + sub() + ")"
	case 3:
		return "(" + sub() + " " + []string{"<<", ">>"}[r.IntN(2)] + " " + fmt.Sprint(r.IntN(9)) + ")"
	}
	return "(" + sub() + " " + []string{"+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", ">", "<=", ">=", "&&", "||", ","}[r.IntN(17)] + " " + sub() + ")"
}

// TestEvaluate: expressions have the values that gcc's programs print.
func TestEvaluate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	var source, tests strings.Builder
	for i, typ := range wideTypes {
		value := []int64{0, 1, -1, 127, 128, 255, 256, 32767, -32768, 65535, 2147483647, -2147483648, 4294967295, r.Int64()}[r.IntN(14)]
		fmt.Fprintf(&source, "%s v%d = (%s)%dL;\n", typ, i, typ, max(value, -1<<62))
	}
	var want []int64
	for n := 0; n < soak.Cases(600); n++ {
		text := wideExpr(r, 4)
		p := readC(source.String() + "long f(void) { return (long)(" + text + "); }")
		c := &component{p: p, layout: &layout{}, globals: &activation{vars: map[*variable]int{}}}
		for _, v := range p.globals {
			c.globals.vars[v] = c.layout.add(v.t)
		}
		m := newMemory(c.layout)
		for _, v := range p.globals {
			m.initialised(v, c.globals)
		}
		got, ok := func() (v int64, ok bool) {
			defer func() {
				if _, mistake := recover().(mistaken); mistake {
					ok = false
				}
			}()
			return evaluate(p.funcs["f"].body.list[0].e, c.globals, m), true
		}()
		if !ok { // a division by zero
			continue
		}
		want = append(want, got)
		fmt.Fprintf(&tests, "__builtin_printf(\"%%ld\\n\", (long)(%s));\n", text)
	}
	lines, err := gcc.Lines(t.Context(), t.TempDir(), source.String()+"int main(void) {\n"+tests.String()+"return 0;\n}\n", 64, "-fwrapv")
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != len(want) || len(want) < soak.Cases(600)/3 {
		t.Fatalf("%d values, and gcc has %d", len(want), len(lines))
	}
	texts := strings.Split(tests.String(), "\n")
	for i, v := range want {
		if fmt.Sprint(v) != lines[i] {
			t.Errorf("%s is %d, and gcc prints %s\n%s", texts[i], v, lines[i], source.String())
			return
		}
	}
}
