package machine

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
)

// TestConstants: ?: without its middle, casts of floating
// constants and tests of characters have gcc's values.
func TestConstants(t *testing.T) {
	text := `#include <ctype.h>
#include <string.h>
#include <inttypes.h>
static int calls;
extern unsigned wrong_size;
extern short wrong_short;
static long folded = sizeof(int) == 4 ? -1 : wrong_size, chosen = sizeof(char[2]) == 1 && 1 ? wrong_size : -7, kept = 1 ? -1 : wrong_short;
static int one_of(unsigned x)
{
	switch (x) {
	case (sizeof(int) == sizeof(int[1]) && sizeof(int) < 99 ? -1 : wrong_size): return 5;
	case (sizeof(int) > 4 ? wrong_size : 9) << 2: return 7;
	}
	return 1;
}
static int once(int x) { calls++; return x; }
int main(void)
{
	unsigned h = 0;
	h = h * 31 + (folded > 0); h = h * 31 + (chosen > 0); h = h * 31 + (kept > 0); h = h * 31 + one_of(-1); h = h * 31 + one_of(36); h = h * 31 + one_of(0);
	h = h * 31 + (int)sizeof(0 ? wrong_short : 'x') + ((1 ? -1 : wrong_size) > 0);
	const char *null = 0, *s = "abcab";
	unsigned char u = 200;
	long long big = 1LL << 40;
	h = h * 31 + (once(5) ?: 7); h = h * 31 + (once(0) ?: 7); h = h * 31 + calls;
	h = h * 31 + *(null ?: "x"); h = h * 31 + *(s ?: "x"); h = h * 31 + (int)sizeof(u ?: big) + (u ?: -1 > 0);
	h = h * 31 + (int)2.75; h = h * 31 + (long)1e9; int x = 7.9; h = h * 31 + x; x = 9.5; h = h * 31 + x;
#if __FLT_EVAL_METHOD__ == 0
	h = h * 31 + (int)(1.5 * 2); h = h * 31 + (int)-2.75; h = h * 31 + (unsigned char)(0.5 + 254.6);
	x = 7.9 / 2; h = h * 31 + x; x = 9.5 - 1; h = h * 31 + x;
#endif
	for (int c = 0; c < 128; c++)
		h = h * 31 + !!isdigit(c) + 2 * !!isalpha(c) + 4 * !!isalnum(c) + 8 * !!isspace(c) + 16 * !!isupper(c) + 32 * !!islower(c) + 64 * !!isprint(c) + 128 * !!ispunct(c)
			+ 256 * !!isxdigit(c) + 512 * !!iscntrl(c) + 1024 * !!isgraph(c) + 2048 * !!isblank(c) + 4096 * toupper(c) + 8192 * tolower(c);
	h = h * 31 + strspn(s, "ab"); h = h * 31 + strcspn(s, "cx"); h = h * 31 + (strstr(s, "cab") - s); h = h * 31 + (strstr(s, "cb") == 0); h = h * 31 + (strstr(s, "") - s);
	h = h * 31 + UINT32_C(7) + (int)sizeof(INT64_C(1)) + (int)sizeof(uint_fast16_t) + (int)sizeof(intmax_t) + (SIZE_MAX > UINT32_MAX - 1);
	return (h ^ h >> 8 ^ h >> 16 ^ h >> 24) & 255;
}
`
	for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
		p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: model})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		m := &Machine{Program: p}
		out, err := m.Run(p.Func("main"), nil)
		if err != nil || out.Ending != Returned || out.Guessed != "" {
			t.Fatalf("%v, %+v", err, out)
		}
		exe, err := gcc.Build(t.TempDir(), text, int(model.PointerSize())*8, "-w")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if status, _, _, err := gcc.Run(context.Background(), exe); err != nil || uint64(status) != out.Value {
			t.Errorf("%s: gcc's program ends with %d, %v; the machine with %d", model, status, err, out.Value)
		}
	}
}
