package cfront

import (
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// isoMacros are the macros that ISO C has in headers that are built in (C11 annex B), by header;
// * stands for float, double and long double, # for the widths of integers.
var isoMacros = map[string]string{
	"errno.h":    "EDOM EILSEQ ERANGE errno",
	"iso646.h":   "and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq",
	"float.h":    "FLT_ROUNDS FLT_EVAL_METHOD FLT_RADIX DECIMAL_DIG *_HAS_SUBNORM *_MANT_DIG *_DECIMAL_DIG *_DIG *_MIN_EXP *_MIN_10_EXP *_MAX_EXP *_MAX_10_EXP *_MAX *_EPSILON *_MIN *_TRUE_MIN",
	"inttypes.h": "PRId# PRIi# PRIo# PRIu# PRIx# PRIX# SCNd# SCNi# SCNo# SCNu# SCNx#",
	"limits.h":   "CHAR_BIT SCHAR_MIN SCHAR_MAX UCHAR_MAX CHAR_MIN CHAR_MAX MB_LEN_MAX SHRT_MIN SHRT_MAX USHRT_MAX INT_MIN INT_MAX UINT_MAX LONG_MIN LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX",
	"math.h":     "HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal isless islessequal islessgreater isunordered",
	"stdalign.h": "alignas alignof __alignas_is_defined __alignof_is_defined",
	"stdarg.h":   "va_start va_arg va_copy va_end",
	"stdbool.h":  "bool true false __bool_true_false_are_defined",
	"stddef.h":   "NULL offsetof",
	"stdint.h": "INT8_MIN INT16_MIN INT32_MIN INT64_MIN INT8_MAX INT16_MAX INT32_MAX INT64_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX " +
		"INT_LEAST8_MIN INT_LEAST16_MIN INT_LEAST32_MIN INT_LEAST64_MIN INT_LEAST8_MAX INT_LEAST16_MAX INT_LEAST32_MAX INT_LEAST64_MAX UINT_LEAST8_MAX UINT_LEAST16_MAX UINT_LEAST32_MAX UINT_LEAST64_MAX " +
		"INT_FAST8_MIN INT_FAST16_MIN INT_FAST32_MIN INT_FAST64_MIN INT_FAST8_MAX INT_FAST16_MAX INT_FAST32_MAX INT_FAST64_MAX UINT_FAST8_MAX UINT_FAST16_MAX UINT_FAST32_MAX UINT_FAST64_MAX " +
		"INTPTR_MIN INTPTR_MAX UINTPTR_MAX INTMAX_MIN INTMAX_MAX UINTMAX_MAX PTRDIFF_MIN PTRDIFF_MAX SIG_ATOMIC_MIN SIG_ATOMIC_MAX SIZE_MAX WCHAR_MIN WCHAR_MAX WINT_MIN WINT_MAX INT8_C INT16_C INT32_C INT64_C UINT8_C UINT16_C UINT32_C UINT64_C INTMAX_C UINTMAX_C",
	"stdio.h":       "BUFSIZ EOF FILENAME_MAX FOPEN_MAX _IOFBF _IOLBF _IONBF L_tmpnam NULL SEEK_CUR SEEK_END SEEK_SET stderr stdin stdout TMP_MAX",
	"stdlib.h":      "EXIT_FAILURE EXIT_SUCCESS MB_CUR_MAX NULL RAND_MAX",
	"stdnoreturn.h": "noreturn",
	"string.h":      "NULL",
	"assert.h":      "assert static_assert",
	"ctype.h":       "",
	"pthread.h":     "PTHREAD_MUTEX_INITIALIZER PTHREAD_COND_INITIALIZER PTHREAD_RWLOCK_INITIALIZER PTHREAD_MUTEX_NORMAL PTHREAD_MUTEX_RECURSIVE PTHREAD_MUTEX_ERRORCHECK PTHREAD_MUTEX_DEFAULT",
	"strings.h":     "",
}

func spread(names string) string {
	for _, all := range []struct{ sign, of string }{{"*", "FLT DBL LDBL"}, {"#", "8 16 32 64 LEAST8 LEAST16 LEAST32 LEAST64 FAST8 FAST16 FAST32 FAST64 MAX PTR"}} {
		var out []string
		for _, n := range strings.Fields(names) {
			for _, x := range strings.Fields(all.of) {
				out = append(out, strings.Replace(n, all.sign, x, 1))
				if !strings.Contains(n, all.sign) {
					break
				}
			}
		}
		names = strings.Join(out, " ")
	}
	return names
}

// TestHeaderMacros: each macro that ISO C wants of a header that is built in is there.
func TestHeaderMacros(t *testing.T) {
	files, err := standardHeaders.ReadDir("include")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names, ok := isoMacros[f.Name()]
		if !ok {
			t.Errorf("the macros of %s are not in the list", f.Name())
		}
		text := "#include <" + f.Name() + ">\n"
		for _, n := range strings.Fields(spread(names)) {
			text += "#ifndef " + n + "\n#error " + n + "\n#endif\n"
		}
		for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
			if _, err := Parse([]*source.File{source.NewFile("t.c", text+"int main(void) { return 0; }\n")}, Options{Model: model}); err != nil {
				t.Errorf("%s: %v", f.Name(), err)
			}
		}
	}
}

// TestHeaderValues: what macros stand for, those that are predefined, too, is what gcc has.
func TestHeaderValues(t *testing.T) {
	var predefined []string
	for _, m := range regexp.MustCompile(`(?m)^#define (\w+) `).FindAllStringSubmatch(predefinedMacros, -1) {
		predefined = append(predefined, m[1])
	}
	for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
		if !valuesAre(t, model, "", predefined) {
			continue
		}
		for i, h := range slices.Sorted(maps.Keys(isoMacros)) {
			if soak.Thin(i + int(model)) {
				continue
			}
			if h != "iso646.h" && h != "stdalign.h" && h != "stdnoreturn.h" {
				valuesAre(t, model, "#include <"+h+">\n", strings.Fields(spread(isoMacros[h])))
			}
		}
	}
}

// valuesAre compares the macros that stand for integers and strings with gcc's; false: there is no gcc
// with headers for the data model.
func valuesAre(t *testing.T, model ir.DataModel, head string, names []string) bool {
	theirs := expanded(t, model, head, names)
	if theirs == nil {
		return false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%sint main(void) {\n", head)
	for k, n := range names {
		switch x := theirs[n]; {
		case x == "" || strings.HasPrefix(n, "__STDC_"): // that is of the dialect
		case integer().MatchString(x):
			fmt.Fprintf(&b, "#if %s != %s\n#error %[1]s is not %[2]s\n#endif\nif (%[1]s != %[2]s || sizeof(%[1]s) != sizeof(%[2]s)) return %[3]d;\n", n, x, k+1)
		case strings.HasPrefix(x, `"`):
			fmt.Fprintf(&b, "{ static const char a[] = %s, b[] = %s; if (sizeof a != sizeof b) return %d; for (int i = 0; i < sizeof a; i++) if (a[i] != b[i]) return %[3]d; }\n", n, x, k+1)
		}
	}
	p, err := Parse([]*source.File{source.NewFile("t.c", b.String()+"return 0; }\n")}, Options{Model: model})
	if err != nil {
		t.Fatalf("%s%v", head, err)
	}
	out, err := (&machine.Machine{Program: p}).Run(p.Func("main"), nil)
	if err != nil || out.Ending != machine.Returned {
		t.Fatalf("%s%v, %+v", head, err, out)
	}
	if k := out.Value; k != 0 {
		t.Errorf("%s%s is not %s", head, names[k-1], theirs[names[k-1]])
	}
	return true
}

var integer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[-+*() 0-9a-fA-FxXuUlL]+$`) })

// expanded is what gcc has for macros, by name, nil if there is none.
func expanded(t *testing.T, model ir.DataModel, head string, names []string) map[string]string {
	text := head
	for _, n := range names {
		text += "@ " + n + "_ " + n + "\n"
	}
	cmd := exec.Command("gcc", map[ir.DataModel]string{ir.LP64: "-m64", ir.ILP32: "-m32"}[model], "-std=c11", "-E", "-P", "-")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Logf("SKIPPED: gcc has no headers for %v: %v", model, err)
		return nil
	}
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^@ (\w+)_ (.*)$`).FindAllStringSubmatch(string(out), -1) {
		if m[1] != m[2] {
			all[m[1]] = m[2]
		}
	}
	return all
}
