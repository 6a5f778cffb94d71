package statetable

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestCompactAgainstMap adds numbers of all widths, with repetitions, and
// compares with a map.
func TestCompactAgainstMap(t *testing.T) {
	for _, width := range []uint{1, 2, 3, 5, 8, 13, 17, 24, 31, 32, 33, 40, 47, 55, 63, 64} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(width), 3))
			c := NewCompact(width)
			seen := map[uint64]bool{}
			mask := ^uint64(0) >> (64 - width)
			for i := range 120_000 {
				x := r.Uint64() & mask
				switch i % 4 {
				case 1:
					x = uint64(i) & mask
				case 2:
					x = r.Uint64N(1000) & mask
				}
				if fresh := c.Add(x); fresh == seen[x] {
					t.Fatalf("%d after %d: new %v", x, c.Len(), fresh)
				}
				seen[x] = true
			}
			count := 0
			for x := range c.All {
				if !seen[x] {
					t.Fatalf("%d was never added", x)
				}
				count++
			}
			if count != len(seen) || c.Len() != len(seen) {
				t.Errorf("%d numbers, All gives %d, want %d", c.Len(), count, len(seen))
			}
		})
	}
}

// TestCompactSplits adds enough for shards to split twice, and looks at memory.
func TestCompactSplits(t *testing.T) {
	const n = 1_200_000
	c := NewCompact(42)
	for i := range uint64(n) {
		if !c.Add(i * 3_000_001) {
			t.Fatalf("%d is not new", i)
		}
	}
	for i := range uint64(n) {
		if c.Add(i * 3_000_001) {
			t.Fatalf("%d is new again", i)
		}
	}
	per := float64(c.Bytes()) / n
	t.Logf("%.2f bytes for each", per)
	if c.Len() != n || per > 5 {
		t.Errorf("%d numbers in %.2f bytes each, want %d in at most 5", c.Len(), per, n)
	}
}

func BenchmarkCompact(b *testing.B) {
	for b.Loop() {
		c := NewCompact(48)
		for i := range uint64(1 << 20) {
			c.Add(i * 77_777_777 & (1<<48 - 1))
		}
	}
}
