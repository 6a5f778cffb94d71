package names

import (
	"fmt"
	"strings"
)

// Counted says how many there are of something whose plural is regular: "1 state", "2 classes".
func Counted(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}
