package cfront

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// librarySample writes random calls of routines of the library.
type librarySample struct {
	*rand.Rand
	large bool // numbers may be too large
}

// text is a string literal: with letters of both cases, separators, digits and large bytes.
func (r librarySample) text(most int) string {
	var b strings.Builder
	for range r.Intn(most + 1) {
		b.WriteString([]string{"a", "b", "A", "B", "z", "Z", ",", ";", " ", "1", "-", "@", "[", "`", "{", `\377`, `\200`, `\t`}[r.Intn(18)])
	}
	return `"` + b.String() + `"`
}

// numeral is a string literal with a number in it, most of the time.
func (r librarySample) numeral() string {
	pick := func(all ...string) string { return all[r.Intn(len(all))] }
	if r.Intn(8) == 0 {
		return pick(`"2147483647"`, `"-2147483648"`)
	}
	if r.large && r.Intn(4) == 0 {
		return pick(`"9223372036854775807"`, `"9223372036854775808"`, `" -9223372036854775809x"`, `"18446744073709551616"`, `"2147483648"`, `"-2147483649"`, `"4294967296"`, `"99999999999999999999999"`)
	}
	return `"` + pick("", "", " ", `\t\n`, "x") + pick("", "", "-", "+", "+-") + pick("", "", "0x", "0X", "0", "00") + pick("", "7", "12", "9", "f", "Zz", "123", "0") + pick("", "", " ", "8", "g", "z1") + `"`
}

func (r librarySample) c() int {
	return []int{'a', 'A', 'b', ',', 0, 255, -1, 128, '1', 'z'}[r.Intn(10)]
}
func (r librarySample) word() string {
	return fmt.Sprintf("(long long)0x%xull", r.Uint64()>>r.Intn(64)<<r.Intn(8))
}

// memory fills s with random bytes, so many of which are those that routines are asked about.
func (r librarySample) memory() string {
	var b strings.Builder
	b.WriteString("char s[16] = {")
	for range 15 {
		fmt.Fprintf(&b, "%d, ", []int{'a', 'b', 'A', ',', 200 - 256, 'x'}[r.Intn(6)])
	}
	return b.String() + "0}; "
}

// Statements about kinds of routines: %[1]s is the name.
const (
	showMemory  = "for (i = 0; i < 16; i++) out((unsigned char)s[i]);"
	showPointer = "out(p ? (unsigned long long)(p - s) : 99);"
	showSign    = "out((n > 0) - (n < 0) + 1);"
)

// samples are how routines are called, by name: what is declared is char *p, long n, int i.
var samples = map[string]func(r librarySample, name string) string{}

func init() {
	add := func(names string, do func(r librarySample, name string) string) {
		for name := range strings.FieldsSeq(names) {
			samples[name] = do
		}
	}
	say := fmt.Sprintf
	add("isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isascii", func(r librarySample, f string) string {
		return say("for (i = -1; i < 256; i++) out(%s(i) != 0);", f)
	})
	add("tolower toupper toascii", func(r librarySample, f string) string { return say("for (i = -1; i < 256; i++) out(%s(i));", f) })
	add("strlen", func(r librarySample, f string) string { return say("out(%s(%s));", f, r.text(5)) })
	add("strcmp strcoll strcasecmp __strcasecmp", func(r librarySample, f string) string {
		return say("n = %s(%s, %s); "+showSign, f, r.text(3), r.text(3))
	})
	add("strncmp strncasecmp", func(r librarySample, f string) string {
		return say("n = %s(%s, %s, %d); "+showSign, f, r.text(3), r.text(3), r.Intn(5))
	})
	add("strchr strrchr index rindex strchrnul", func(r librarySample, f string) string {
		return say("%sp = %s(s, %d); "+showPointer, r.memory(), f, r.c())
	})
	add("strpbrk strstr strcasestr", func(r librarySample, f string) string {
		return say("char s[] = %s; p = %s(s, %s); "+showPointer, r.text(7), f, r.text(2))
	})
	add("strspn strcspn", func(r librarySample, f string) string {
		return say("%sout(%s(s, %s));", r.memory(), f, r.text(5))
	})
	add("strnlen", func(r librarySample, f string) string { return say("out(%s(%s, %d));", f, r.text(5), r.Intn(7)) })
	other := func(r librarySample) string { return []string{`"abc"`, `"abB"`, `"a\377c"`, `"\200bc"`}[r.Intn(4)] }
	add("memcmp", func(r librarySample, f string) string {
		return say("n = %s(\"abc\", %s, %d); "+showSign, f, other(r), r.Intn(4))
	})
	add("bcmp", func(r librarySample, f string) string {
		return say("out(%s(\"abc\", %s, %d) != 0);", f, other(r), r.Intn(4))
	})
	add("memchr memrchr", func(r librarySample, f string) string {
		return say("%sp = %s(s, %d, %d); "+showPointer, r.memory(), f, r.c(), r.Intn(17))
	})
	add("rawmemchr", func(r librarySample, f string) string {
		return say("%ss[12] = 'q'; s[13] = 'a'; p = %s(s, %d); "+showPointer, r.memory(), f, []int{'q', 'a', 0}[r.Intn(3)])
	})
	add("memmem", func(r librarySample, f string) string {
		return say("%sp = %s(s, %d, \"ab\", %d); "+showPointer, r.memory(), f, r.Intn(17), r.Intn(3))
	})
	add("memcpy memmove mempcpy __mempcpy", func(r librarySample, f string) string {
		return say("%sp = %s(s, %s, %d); "+showPointer+showMemory, r.memory(), f, `"abcdefgh"`, r.Intn(9))
	})
	add("__memcpy_chk __memmove_chk __mempcpy_chk __strncpy_chk __stpncpy_chk", func(r librarySample, f string) string {
		return say("%sp = %s(s, %s, %d, 16); "+showPointer+showMemory, r.memory(), f, `"abcd\0fgh"`, r.Intn(9))
	})
	add("memccpy", func(r librarySample, f string) string {
		return say("%sp = %s(s, \"abcd\", %d, %d); "+showPointer+showMemory, r.memory(), f, r.c(), r.Intn(5))
	})
	add("memset", func(r librarySample, f string) string {
		return say("%sp = %s(s, %d, %d); "+showPointer+showMemory, r.memory(), f, r.c(), r.Intn(17))
	})
	add("__memset_chk", func(r librarySample, f string) string {
		return say("%sp = %s(s, %d, %d, 16); "+showPointer+showMemory, r.memory(), f, r.c(), r.Intn(17))
	})
	add("bzero explicit_bzero", func(r librarySample, f string) string {
		return say("%s%s(s + 1, %d); "+showMemory, r.memory(), f, r.Intn(15))
	})
	add("bcopy", func(r librarySample, f string) string {
		return say("%s%s(s + %d, s + %d, %d); "+showMemory, r.memory(), f, r.Intn(4), r.Intn(4), r.Intn(12))
	})
	add("strcpy stpcpy __stpcpy strcat", func(r librarySample, f string) string {
		return say("%ss[%d] = 0; p = %s(s, %s); "+showPointer+showMemory, r.memory(), r.Intn(4), f, r.text(5))
	})
	add("__strcpy_chk __stpcpy_chk __strcat_chk", func(r librarySample, f string) string {
		return say("%ss[%d] = 0; p = %s(s, %s, 16); "+showPointer+showMemory, r.memory(), r.Intn(4), f, r.text(5))
	})
	add("strncpy stpncpy __stpncpy strncat", func(r librarySample, f string) string {
		return say("%ss[%d] = 0; p = %s(s, %s, %d); "+showPointer+showMemory, r.memory(), r.Intn(4), f, r.text(5), r.Intn(9))
	})
	add("__strncat_chk", func(r librarySample, f string) string {
		return say("%ss[%d] = 0; p = %s(s, %s, %d, 16); "+showPointer+showMemory, r.memory(), r.Intn(4), f, r.text(5), r.Intn(9))
	})
	add("strxfrm", func(r librarySample, f string) string { // of s, so much is said as fits
		return say("%sfor (i = 0; i < 16; i++) s[i] = 0; out(n = %s(s, %s, %d)); if (n < 7) "+showMemory, r.memory(), f, r.text(5), 7+r.Intn(2))
	})
	add("strdup __strdup", func(r librarySample, f string) string {
		return say("p = %s(%s); for (i = 0; p[i]; i++) out((unsigned char)p[i]);", f, r.text(5))
	})
	add("strndup __strndup", func(r librarySample, f string) string {
		return say("p = %s(%s, %d); for (i = 0; p[i]; i++) out((unsigned char)p[i]);", f, r.text(5), r.Intn(6))
	})
	add("strsep", func(r librarySample, f string) string {
		return say("char s[] = %s; char *at = s; for (i = 0; i < 5; i++) { p = %s(&at, %s); %s out(at ? at - s : 99); } for (i = 0; i < (int)sizeof s; i++) out((unsigned char)s[i]);", r.text(9), f, r.text(2), showPointer)
	})
	add("strtok", func(r librarySample, f string) string {
		return say("char s[] = %s; p = %s(s, %s); for (i = 0; p && i < 5; i++) { out(p - s); p = %[2]s((char *)0, %s); } for (i = 0; i < (int)sizeof s; i++) out((unsigned char)s[i]);", r.text(9), f, r.text(2), r.text(2))
	})
	add("strtok_r __strtok_r", func(r librarySample, f string) string {
		return say("char s[] = %s; char *at; p = %s(s, %s, &at); for (i = 0; p && i < 5; i++) { out(p - s); p = %[2]s((char *)0, %s, &at); } for (i = 0; i < (int)sizeof s; i++) out((unsigned char)s[i]);", r.text(9), f, r.text(2), r.text(2))
	})
	add("atoi atol atoll", func(r librarySample, f string) string { return say("out(%s(%s));", f, r.numeral()) })
	add("strtol strtoll strtoul strtoull strtoimax strtoumax", func(r librarySample, f string) string {
		text, base := r.numeral(), []int{0, 2, 8, 10, 16, 36}[r.Intn(6)]
		if len(text) > 10 { // the largest numbers
			base = 10
		}
		return say("char s[] = %s; out(%s(s, &p, %d)); out(p - s);", text, f, base)
	})
	add("abs labs llabs imaxabs ffs ffsl ffsll", func(r librarySample, f string) string { return say("out(%s(%s)); out(%[1]s(0));", f, r.word()) })
	add("__builtin_clz __builtin_clzl __builtin_clzll __builtin_ctz __builtin_ctzl __builtin_ctzll", func(r librarySample, f string) string {
		return say("out(%s(1 | (%s)));", f, r.word()) + say("out(%s(1u << %d));", f, r.Intn(32))
	})
	add("__builtin_popcount __builtin_popcountl __builtin_popcountll __builtin_parity __builtin_parityl __builtin_parityll __builtin_clrsb __builtin_clrsbl __builtin_clrsbll __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 htonl htons ntohl ntohs", func(r librarySample, f string) string {
		return say("out(%s(%s)); out(%[1]s(0)); out(%[1]s(-1));", f, r.word())
	})
	add("div ldiv lldiv imaxdiv", func(r librarySample, f string) string {
		t := map[string]string{"div": "int", "ldiv": "long", "lldiv": "long long", "imaxdiv": "long long"}[f]
		return say("struct %s_t d = %[1]s((%s)%s, %d); out(d.quot); out(d.rem);", f, t, r.word(), []int{1, 2, 7, -3, 1000}[r.Intn(5)])
	})
	number := func(r librarySample) string {
		return []string{"0.0", "-0.0", "1.5", "-2.5", "3.5", "1e-40", "1e-310", "1e308 * 10", "-1e308 * 10", "0.0 / 0.0", "1e300", "-7", "0.49999999999999994", "8388609.5", "0.3f"}[r.Intn(15)]
	}
	add("isnan isnanf __isnan __isnanf isinf isinff __isinf __isinff finite finitef __finite __finitef", func(r librarySample, f string) string {
		return say("double d = %s; out(%s(d) != 0);", number(r), f)
	})
	add("__signbit __signbitf __builtin_signbit __builtin_signbitf", func(r librarySample, f string) string { // not of NaN, whose sign is nobody's
		return say("double d = %s; out(d == d && %s(d) != 0);", number(r), f)
	})
	add("__fpclassify __fpclassifyf", func(r librarySample, f string) string { return say("double d = %s; out(%s(d));", number(r), f) })
	add("lrint lrintf lround lroundf llrint llrintf llround llroundf", func(r librarySample, f string) string {
		return say("double d = %s; if (d > -1e9 && d < 1e9) out(%s(d));", number(r), f)
	})
	add("__errno_location", func(r librarySample, f string) string { return say("*%s() = %d; out(*%[1]s());", f, r.Intn(9)) })
}

// declaredTypes are what a sample may need before it.
func declaredTypes(name string) string {
	switch name {
	case "div":
		return "struct div_t { int quot, rem; }; struct div_t div(int, int);"
	case "ldiv":
		return "struct ldiv_t { long quot, rem; }; struct ldiv_t ldiv(long, long);"
	case "lldiv", "imaxdiv":
		return fmt.Sprintf("struct %s_t { long long quot, rem; }; struct %[1]s_t %[1]s(long long, long long);", name)
	}
	if strings.HasPrefix(name, ir.BuiltinPrefix) {
		return ""
	}
	line := ir.KnownLines()[name]
	at := strings.Index(line.Typ, "(")
	return fmt.Sprintf("%s%s%s;", line.Typ[:at], name, line.Typ[at:])
}

// TestLibraryGCC: what the bodies of the library's routines compute is what the C library of gcc's
// programs computes, for random arguments and both data models.
func TestLibraryGCC(t *testing.T) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(ir.KnownLines())) {
		switch {
		case ir.KnownAs(name).Meaning != ir.AsBody:
		case reading[name], name == ir.WordRoutine, contracts[name]: // TestReadingGCC, TestContracts
		case name == "strlcpy" || name == "strlcat": // not in all versions of glibc: TestStrl
		case samples[name] == nil:
			t.Errorf("nothing calls %s", name)
		default:
			names = append(names, name)
		}
	}
	for model := range ir.DataModel(2) {
		if testing.Short() && model != ir.ILP32 {
			continue // this one differs more from what runs the tests
		}
		t.Run(model.String(), func(t *testing.T) {
			for round := range soak.Long(2) {
				sampleLibrary(t, model, names, int64(round))
			}
		})
	}
}

func sampleLibrary(t *testing.T, model ir.DataModel, names []string, round int64) {
	calls := 10
	if testing.Short() {
		calls = 4
	}
	var all strings.Builder
	texts := map[string]string{}
	var routines []string
	for k, name := range names {
		r := librarySample{rand.New(rand.NewSource(round*1000 + int64(k))), strings.HasPrefix(name, "strto")}
		var b strings.Builder
		fmt.Fprintf(&b, "%s\nvoid try_%s(void) {\n", declaredTypes(name), name)
		for range calls {
			fmt.Fprintf(&b, "{ char *p = 0; long n = 0; int i = 0; %s }\n", samples[name](r, name))
		}
		b.WriteString("}\n")
		texts[name] = b.String()
		all.WriteString(strings.ReplaceAll(b.String(), "int atoi(const char *);", ""))
		routines = append(routines, "try_"+name)
	}
	want, ok := compiled(t, model, all.String(), routines)
	if !ok {
		t.Skip("SKIPPED: ", gcc.ErrMissing)
	}
	for k, name := range names {
		p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+texts[name])}, Options{Model: model, Entry: routines[k]})
		if err != nil {
			t.Errorf("%s, round %d: %v\n%s", name, round, err, texts[name])
			continue
		}
		if got := computed(t, p, routines[k]); got != want[k] {
			t.Errorf("%s, round %d: %s\n%s", name, round, difference(got, want[k]), texts[name])
		}
	}
}

// TestStrl: strlcpy and strlcat do what their manual says.
func TestStrl(t *testing.T) {
	for seed := range int64(soak.Cases(40)) {
		r := librarySample{Rand: rand.New(rand.NewSource(seed))}
		letters := func(n int) string { return "abcdefghij"[:n] }
		old, from, room := letters(r.Intn(5)), letters(r.Intn(8)), r.Intn(9)
		copied, joined := "", old
		if room > 0 {
			copied = from[:min(len(from), room-1)]
		}
		length := min(len(old), room) + len(from)
		if room > len(old) {
			joined = old + from[:min(len(from), room-1-len(old))]
		}
		text := fmt.Sprintf(`unsigned long strlcpy(char *, const char *, unsigned long), strlcat(char *, const char *, unsigned long); int strcmp(const char *, const char *);
int main(void) { char s[16] = "%s"; if (strlcat(s, "%s", %d) != %d || strcmp(s, "%s")) return 1;
char d[16] = ""; if (strlcpy(d, "%s", %d) != %d || strcmp(d, "%s")) return 2; return 0; }`, old, from, room, length, joined, from, room, len(from), copied)
		p, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := &machine.Machine{Program: p}
		if out, err := m.Run(p.Func("main"), nil); err != nil || out.Ending != machine.Returned || out.Value != 0 {
			t.Fatalf("seed %d: %v %+v\n%s", seed, err, out, text)
		}
	}
}

// TestOverflowGCC: what builtins say that detect overflow is what they say in gcc's programs. The few
// that are not followed, over mixed types of the widest kind, are left out.
func TestOverflowGCC(t *testing.T) {
	const batch = 40
	types := []string{"char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long"}
	for model := range ir.DataModel(2) {
		if testing.Short() && model != ir.ILP32 {
			continue // this one differs more from what runs the tests
		}
		t.Run(model.String(), func(t *testing.T) {
			for round := range int64(soak.Long(4)) {
				rng := rand.New(rand.NewSource(round))
				r := librarySample{Rand: rng}
				var texts, routines []string
				edge := func() string {
					return []string{"0", "-1", "1", "0x7fffffff", "-0x7fffffff - 1", "0x7fffffffffffffffll", "-0x7fffffffffffffffll - 1", "0x80000000u", "127", "-128", "65535", r.word(), r.word()}[rng.Intn(13)]
				}
				for k := range batch {
					a, b, c := types[rng.Intn(10)], types[rng.Intn(10)], types[rng.Intn(10)]
					if rng.Intn(2) == 0 {
						b, c = a, a
					}
					name := "__builtin_" + []string{"add", "sub", "mul"}[rng.Intn(3)] + "_overflow"
					if rng.Intn(3) == 0 {
						sign, width := rng.Intn(2), rng.Intn(3)
						name = "__builtin_" + []string{"s", "u"}[sign] + []string{"add", "sub", "mul"}[rng.Intn(3)] + []string{"", "l", "ll"}[width] + "_overflow"
						c = []string{"", "unsigned "}[sign] + []string{"int", "long", "long long"}[width]
					}
					text := fmt.Sprintf("void try%d(void) {\n", k)
					for range 8 {
						text += fmt.Sprintf("{ %s a = %s; %s b = %s; %s c; out(%s(a, b, &c)); out(c); }\n", a, edge(), b, edge(), c, name)
					}
					texts = append(texts, text+"}\n")
					routines = append(routines, fmt.Sprintf("try%d", k))
				}
				want, ok := compiled(t, model, strings.Join(texts, ""), routines)
				if !ok {
					t.Skip("SKIPPED: ", gcc.ErrMissing)
				}
				followed := 0
				for k, text := range texts {
					p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+text)}, Options{Model: model, Entry: routines[k]})
					if err != nil {
						t.Fatalf("round %d: %v\n%s", round, err, text)
					}
					got := computed(t, p, routines[k])
					if strings.Contains(got, "overflow() is not modelled") {
						continue
					}
					if followed++; got != want[k] {
						t.Errorf("round %d: %s\n%s", round, difference(got, want[k]), text)
					}
				}
				if followed < batch/4 {
					t.Errorf("round %d: %d of %d are followed", round, followed, batch)
				}
			}
		})
	}
}
