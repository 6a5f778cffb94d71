package radix

import (
	"fmt"
	"slices"
	"testing"
)

func TestNext(t *testing.T) {
	for _, sizes := range [][]int{{}, {1}, {3}, {2, 3}, {3, 1, 2}} {
		var got, want []string
		digits := make([]int, len(sizes))
		for more := true; more; more = Next(digits, func(i int) int { return sizes[i] }) {
			got = append(got, fmt.Sprint(digits))
		}
		all := 1
		for _, n := range sizes {
			all *= n
		}
		for k := range all {
			number := make([]int, len(sizes))
			for i := len(sizes) - 1; i >= 0; i-- {
				number[i], k = k%sizes[i], k/sizes[i]
			}
			want = append(want, fmt.Sprint(number))
		}
		if !slices.Equal(got, want) || slices.ContainsFunc(digits, func(d int) bool { return d != 0 }) {
			t.Errorf("%v: %v, then %v, want %v", sizes, got, digits, want)
		}
	}
}
