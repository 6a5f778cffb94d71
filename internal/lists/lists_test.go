package lists_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/seltl/seltl/internal/lists"
)

func Example() {
	fmt.Println(lists.Map([]int{1, 2, 30}, strconv.Itoa))
	fmt.Println(lists.Filter([]int{1, 2, 30}, func(n int) bool { return n%2 == 0 }))
	fmt.Println(lists.Append([]string{"0"}, []int{1, 2}, strconv.Itoa))
	// Output:
	// [1 2 30]
	// [2 30]
	// [0 1 2]
}

// TestEmpty: what becomes of lists without elements, on which callers and JSON depend.
func TestEmpty(t *testing.T) {
	if got := lists.Map[int, string](nil, strconv.Itoa); got == nil || len(got) != 0 {
		t.Errorf("Map gives %#v", got)
	}
	if got := lists.Append[int, string](nil, []int{}, strconv.Itoa); got != nil {
		t.Errorf("Append gives %#v", got)
	}
	list := []int{1, 3}
	if got := lists.Filter(list, func(n int) bool { return n > 3 }); got != nil || !slices.Equal(list, []int{1, 3}) {
		t.Errorf("Filter gives %#v of %v", got, list)
	}
}
