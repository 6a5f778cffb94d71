package fsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestPathNames: short sequences are named whole, of long ones the ends and how many are between.
func TestPathNames(t *testing.T) {
	for n := range 3 * mostShown {
		var p pathNames
		whole := []string{"P"}
		for i := range n {
			whole = append(whole, fmt.Sprint("a", i))
		}
		for i := n - 1; i >= 0; i-- {
			p.add(fmt.Sprint("a", i))
		}
		want := whole
		if more := n - mostShown; more > 0 {
			want = slices.Concat(whole[:1+mostShown/2], []string{fmt.Sprintf("(%d more)", more)}, whole[len(whole)-mostShown/2:])
		}
		if got := p.behind("P"); got != strings.Join(want, "->") {
			t.Errorf("%d actions: %s", n, got)
		}
	}
}
