package programs

import (
	"context"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/shapes"
)

// NotProved sees that graphs of memory prove nothing of a program that fails, or of which nothing is known.
func NotProved(t *testing.T, p *ir.Program, text string) {
	t.Helper()
	if _, err := shapes.Prove(context.Background(), p, shapes.Options{Work: 100_000}); err == nil {
		t.Errorf("proved by graphs of memory: %s", text)
	}
}
