package statetable

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
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
			for i := range soak.Size(120_000) {
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

// TestCompactBytes adds enough for shards to split twice, and looks at memory.
func TestCompactBytes(t *testing.T) {
	n := 1_200_000
	if testing.Short() {
		n /= 2
	}
	c := NewCompact(42)
	var sum, least, most float64 = 0, 100, 0
	samples := 0
	for i := range uint64(n) {
		if !c.Add(i * 3_000_001) {
			t.Fatalf("%d is not new", i)
		}
		if i >= 1<<18 && i%1000 == 0 {
			per := float64(c.Bytes()) / float64(c.Len())
			sum, least, most = sum+per, min(least, per), max(most, per)
			samples++
		}
	}
	for i := range uint64(n) {
		if c.Add(i * 3_000_001) {
			t.Fatalf("%d is new again", i)
		}
	}
	average := sum / float64(samples)
	t.Logf("%.2f to %.2f bytes for each, %.2f on average; load %.2f", least, most, average, c.Load())
	if c.Len() != n || most > 5 || average > 4.5 {
		t.Errorf("%d numbers in up to %.2f bytes each, %.2f on average; want %d in at most 5 and 4.5", c.Len(), most, average, n)
	}
}

// TestSelect compares with looking at one bit after the other.
func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 3000 {
		head, tail := r.Uint64()&r.Uint64(), r.Uint64()|r.Uint64()
		k := uint(0)
		for bit := range uint(128) {
			word := head
			if bit >= 64 {
				word = tail
			}
			if word>>(bit%64)&1 == 1 {
				continue
			}
			if got := selectZero(head, tail, k); got != bit {
				t.Fatalf("zero %d of %x, %x is at %d, want %d", k, head, tail, got, bit)
			}
			k++
		}
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
