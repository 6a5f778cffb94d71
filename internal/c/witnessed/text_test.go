package witnessed

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestWeave puts random nested insertions into a text, and into a tree of its parts, which is printed: the same
// comes out, and places come back to where they were.
func TestWeave(t *testing.T) {
	for seed := range soak.Cases(3000) {
		r := rand.New(rand.NewSource(int64(seed)))
		text := strings.Repeat("abcdefghij", 3)
		var all []insertion
		var build func(from, to, depth int) string
		build = func(from, to, depth int) string {
			if depth == 0 || to-from < 2 {
				return text[from:to]
			}
			a := from + r.Intn(to-from)
			b := a + 1 + r.Intn(to-a)
			n := len(all)
			all = append(all, insertion{from: a, to: b, open: fmt.Sprintf("<%d|", n), shut: fmt.Sprintf("|%d>", n), mark: n})
			inner := build(a, b, depth-1)
			return build(from, a, depth-1) + all[n].open + inner + all[n].shut + build(b, to, depth-1)
		}
		want := build(0, len(text), 3)
		w := weave(source.NewFile("a.c", text), all)
		if got := w.new.Text(); got != want {
			t.Fatalf("seed %d: %s, want %s", seed, got, want)
		}
		for i := range w.new.Text() {
			if c := w.new.Text()[i]; c >= 'a' && c <= 'j' {
				if old := w.back(i); text[old] != c {
					t.Fatalf("seed %d: %d comes from %d, which is %c, not %c", seed, i, old, text[old], c)
				}
			} else if k := w.marked(i); w.new.Text()[i] == '<' && !strings.HasPrefix(w.new.Text()[i:], fmt.Sprintf("<%d|", k)) {
				t.Fatalf("seed %d: %d is of %d", seed, i, k)
			}
		}
	}
}

// TestWeaveBlank: several insertions where nothing stands become one condition.
func TestWeaveBlank(t *testing.T) {
	w := weave(source.NewFile("a.c", "for(;;) x;"), []insertion{
		{from: 5, to: 5, open: "A, (", shut: ")", blank: true, mark: 0}, {from: 5, to: 5, open: "((", shut: ") ? 1 : 0)", blank: true, mark: 1}, {from: 8, to: 8, open: "B; ", mark: -1}})
	if got, want := w.new.Text(), "for(;A, (((1) ? 1 : 0));) B; x;"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
