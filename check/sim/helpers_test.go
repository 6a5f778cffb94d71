package sim_test

import (
	"io"
	"strings"

	"github.com/seltl/seltl/check"
)

// opener opens a text under any name.
func opener(text string) check.Open {
	return func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}
