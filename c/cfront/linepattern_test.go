package cfront

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestLinePatterns: what is found where lines begin with # is what the pattern finds in the whole text.
func TestLinePatterns(t *testing.T) {
	const seed = 41
	parts := []string{"\n#define A", "\n # define B(x) ", "\n#if ", "\n#1", "\n#undef __LINE__", "#", "#", " ", "\t", "\n", "\n", "\\\n", "define ", "if ", "A", "B(x)", "&&", "x", "1", "line ", "import"}
	found := 0
	for _, p := range []func() linePattern{definitions, anyMacro, objectMacro, andMacros, conditional, otherLine, ignored, predefines, lineMarkers} {
		whole := regexp.MustCompile("(?m)" + p().re.String())
		for k := range uint64(soak.Long(2000)) {
			r := rand.New(rand.NewPCG(seed, k))
			var b strings.Builder
			for range r.IntN(30) {
				b.WriteString(parts[r.IntN(len(parts))])
			}
			text := b.String()
			got, want := p().all(text), whole.FindAllStringSubmatchIndex(text, -1)
			if found += len(want); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %d: %s in %q: %v, want %v", seed, k, whole, text, got, want)
			}
		}
	}
	if found < soak.Least(1000) {
		t.Error("only ", found)
	}
}
