package gen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// FloatProgram draws a routine that computes with floating-point numbers, and mixes all that it has into one number.
// What is no number counts as one value, since its bits are nobody's.
func FloatProgram(r *rand.Rand, name string) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	variable := func() string { return pick("a", "b", "c", "d", "in1", "v.f", "w.d", "x[i & 3]") }
	whole := func() string { return pick("i", "j", "u", "l", "s", "h", "in0", "v.u") }
	number := func() string {
		return pick("0.1f", "0.2f", "0.1", "0.3", "1.5f", "-0.0", "0.0f", "1e-40f", "1e308", "3.4e38f", "0x1.8p3", "16777217.0f", "2.5", "-7", "1e-310", "100", "2147483647", "4294967295u", "1e39", "9007199254740993.0", ".5", "1.")
	}
	var expr func(depth int) string
	expr = func(depth int) string {
		switch n := r.IntN(14); {
		case depth == 0 || n < 2:
			return pick(variable(), variable(), number())
		case n < 3:
			return "(double)" + whole()
		case n < 4:
			return pick("(float)", "(double)", "-", "+") + "(" + expr(depth-1) + ")"
		case n < 5:
			return fmt.Sprintf("(%s ? %s : %s)", pick("i", "a > b", "c == d", "in1", "!d"), expr(depth-1), expr(depth-1))
		case n < 6:
			return fmt.Sprintf("%s(%s)", pick("fabs", "sqrt", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrtf", "floorf", "fabsf", "truncf"), expr(depth-1))
		case n < 7:
			return fmt.Sprintf("%s(%s, %s)", pick("fmod", "remainder", "copysign", "fmodf", "remainderf"), expr(depth-1), expr(depth-1))
		case n < 8: // which compilers fold
			operands := []string{pick("0.0", "-0.0", "0", "(1.5f - 1.5f)"), pick("(double)"+whole(), "-(double)"+whole(), "fabs("+variable()+")", expr(depth-1))}
			k := r.IntN(2)
			return fmt.Sprintf("(%s %s %s)", operands[k], pick("+", "-"), operands[1-k])
		}
		return fmt.Sprintf("(%s %s %s)", expr(depth-1), pick("+", "-", "*", "/"), expr(depth-1))
	}
	condition := func() string {
		switch r.IntN(4) {
		case 0:
			return fmt.Sprintf("%s(%s)", pick("isnan", "isinf", "isfinite", "isnormal", "!signbit", "FP_ZERO == fpclassify", "FP_SUBNORMAL == fpclassify"), variable())
		case 1:
			return fmt.Sprintf("%s(%s, %s)", pick("isgreater", "islessequal", "isunordered", "islessgreater"), expr(1), expr(1))
		}
		return fmt.Sprintf("%s %s %s", expr(1), pick("<", "<=", ">", ">=", "==", "!="), expr(1))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "unsigned long long %s(int in0, float in1) {\n", name)
	b.WriteString("  float a = 1.5f, b = in1, x[4] = {1, 2.5f, in1, 0}; double c = 0.1, d = in1; int i = in0, j = 3; unsigned u = 7; long long l = in0; short s = 2; signed char h = -3; _Bool q = 0;\n" +
		"  union { float f; unsigned u; unsigned char b[4]; } v; v.u = 0x3fc00001; union { double d; unsigned long long u; } w; w.d = 2.25; unsigned long long z = 0;\n")
	for range 3 + r.IntN(6) {
		switch r.IntN(13) {
		case 0, 1, 2, 3:
			fmt.Fprintf(&b, "  %s = %s;\n", variable(), expr(2))
		case 4:
			fmt.Fprintf(&b, "  %s %s= %s;\n", variable(), pick("+", "-", "*", "/"), expr(1))
		case 5:
			fmt.Fprintf(&b, "  %s%s;\n", variable(), pick("++", "--"))
		case 6:
			fmt.Fprintf(&b, "  c = %s; i = c > -2e9 && c < 2e9 ? (int)c : 77; j = c > -2e9 && c < 2e9 ? c : 7;\n", expr(2))
		case 7:
			fmt.Fprintf(&b, "  d = %s; if (d > -1 && d < 250) u = d, h = d / 2, s = (short)d; if (d > -9e18 && d < 9e18) l = d; if (d > -0.5 && d < 1.8e19) z += (unsigned long long)d;\n", expr(2))
		case 8:
			fmt.Fprintf(&b, "  q = %s; i += q;\n", variable())
		case 9:
			fmt.Fprintf(&b, "  if (%s) { %s = %s; } else i ^= 5;\n", condition(), variable(), expr(1))
		case 10:
			fmt.Fprintf(&b, "  for (int k = 0; k < %d; k++) %s = %s;\n", 2+r.IntN(4), variable(), expr(1))
		case 11:
			b.WriteString("  v.u ^= " + pick("0x80000000u", "1u", "0x00400000u") + "; if (v.f == v.f) v.b[3] &= 0x7f;\n")
		default:
			fmt.Fprintf(&b, "  %s = %s; i += (%s) + 2 * (%s);\n", pick("a", "c", "u", "l"), whole(), condition(), condition())
		}
	}
	b.WriteString("  v.f = v.f != v.f ? 9 : v.f; w.d = w.d != w.d ? 9 : w.d; z = z * 31 + v.u; z = z * 31 + w.u;\n")
	for _, f := range []string{"a", "b", "x[0]", "x[1]", "x[2]", "x[3]"} {
		fmt.Fprintf(&b, "  v.f = %s != %s ? 9 : %s; z = z * 31 + v.u;\n", f, f, f)
	}
	b.WriteString("  w.d = c != c ? 9 : c; z = z * 31 + w.u; w.d = d != d ? 9 : d; z = z * 31 + w.u;\n" +
		"  return z * 31 + (unsigned)i + 3 * (unsigned)j + 5 * u + 7 * (unsigned long long)l + 11 * (unsigned)s + 13 * (unsigned)h;\n}\n")
	return b.String()
}

// FloatInput draws what a program is given.
func FloatInput(r *rand.Rand) (i int32, f uint32) {
	edges := []uint32{0, 1 << 31, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x4b800001, 0x3dcccccd, 0xc0200000, 0x4f000000}
	if f = edges[r.IntN(len(edges))]; r.IntN(3) == 0 {
		f = r.Uint32()
	}
	if i = int32(r.IntN(40) - 20); r.IntN(3) == 0 {
		i = []int32{1<<31 - 1, -1 << 31, 16777217, 1 << 24}[r.IntN(4)]
	}
	return i, f
}

// FloatFlags are those of gcc with which floating-point numbers of programs for so many bits are computed in their own types.
func FloatFlags(bits int) []string {
	flags := []string{"-O0", "-fwrapv", "-ffp-contract=off", "-lm"}
	if bits == 32 {
		flags = append(flags, "-msse2", "-mfpmath=sse")
	}
	return flags
}
