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

// arithmeticTypes are the types that associations name.
var arithmeticTypes = []string{"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long", "long long",
	"unsigned long long", "float", "double", "long double"}

// genericHead has a variable v0, v1, ... of each of them, and a macro that numbers the type of its argument from 0.
func genericHead() string {
	var b strings.Builder
	b.WriteString("enum { E1 = 7 };\nshort arr[3]; unsigned short *p = (unsigned short *)arr; struct { float f; } st;\n")
	var associations []string
	for i, t := range arithmeticTypes {
		fmt.Fprintf(&b, "%s v%d;\n", t, i)
		associations = append(associations, fmt.Sprintf("%s: %d", t, i))
	}
	return b.String() + "#define T(x) _Generic((x), " + strings.Join(associations, ", ") + ")\n"
}

// typedExpression is an expression of arithmetic type.
func typedExpression(r *rand.Rand, depth int) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	integer := func() string { return fmt.Sprintf("v%d", r.IntN(12)) }
	below := func() string { return typedExpression(r, depth-1) }
	k := r.IntN(9)
	switch {
	case depth == 0 || r.IntN(6) == 0:
		switch r.IntN(5) {
		case 0, 1, 2:
			return fmt.Sprintf("v%d", r.IntN(len(arithmeticTypes)-1))
		case 3:
			return pick("1", "2u", "3l", "4ul", "5ll", "6ull", "1.5", "2.5f", "'a'", "0x80000000", "2147483648", "4294967295", "0xffffffffffffffff", "E1", "07777777777777777777", "sizeof(int)", "L'a'")
		}
		return pick("arr[1]", "*p", "st.f", "(v1, v5)", "(v6 = 3)", "v3++", "!v2", "(v6 < v7)", "(v6 && v7)")
	case k < 4:
		return fmt.Sprintf("(%s %s %s)", below(), pick("+", "-", "*"), below())
	case k == 4 && r.IntN(2) == 0:
		return fmt.Sprintf("(%s %s (%s)3)", integer(), pick("<<", ">>", "&", "|", "^", "%"), arithmeticTypes[r.IntN(12)])
	case k == 4:
		return fmt.Sprintf("(%s %s %s)", integer(), pick("<<", ">>", "&", "|", "^", "%"), integer())
	case k == 5:
		return fmt.Sprintf("%s(%s)", pick("+", "-"), below())
	case k == 6:
		return fmt.Sprintf("(v6 ? %s : %s)", below(), below())
	case k == 7:
		return fmt.Sprintf("((%s)%s)", arithmeticTypes[r.IntN(14)], below())
	}
	return "(~" + integer() + ")"
}

// TestGenericLikeGcc: what a generic selection chooses is what gcc chooses, or not known.
func TestGenericLikeGcc(t *testing.T) {
	const seed = 6511
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	head, count := genericHead(), map[report.Verdict]int{}
	n := soak.Long(40)
	for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
		r := rand.New(rand.NewPCG(seed, uint64(model)))
		var all []string
		var main strings.Builder
		for range n {
			all = append(all, typedExpression(r, r.IntN(4)))
			fmt.Fprintf(&main, "printf(\"%%d\\n\", T(%s));\n", all[len(all)-1])
		}
		chosen := printed(t, "#include <stdio.h>\n"+head+"int main(void) {\n"+main.String()+"return 0; }\n", model, len(all))
		for i, e := range all {
			text := fmt.Sprintf("void reach_error(void);\n%sint main(void) { if (T(%s) != %s) reach_error(); return 0; }\n", head, e, chosen[i])
			verdict, why := reachTextWith(t, pool, text, cfront.Options{Model: model})
			count[verdict]++
			if verdict != report.Holds && (verdict != report.Unknown || !strings.Contains(why, "chooses is not known")) {
				t.Errorf("seed %d, %s: of %s gcc chooses %s: %s (%s)", seed, model, e, chosen[i], verdict, why)
			}
		}
	}
	t.Logf("%v", count)
	if count[report.Holds] < 2*count[report.Unknown] {
		t.Error("too little is known")
	}
}
