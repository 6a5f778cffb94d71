package bind_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// interrupted ends its context at the n-th question.
type interrupted struct {
	smt.Checker
	n      int
	cancel context.CancelFunc
}

func (s *interrupted) Check(ctx context.Context, assumptions ...*logic.Term) (smt.Status, error) {
	if s.n--; s.n < 0 {
		s.cancel()
	}
	return s.Checker.Check(ctx, assumptions...)
}

// TestBindStops: the error of a context that ends is the context's, not one of the program.
func TestBindStops(t *testing.T) {
	var text strings.Builder
	text.WriteString("int f(int);\nint p(int x) {\n")
	for i := range 200 {
		fmt.Fprintf(&text, "if (x == %d) x = f(x);\n", i)
	}
	text.WriteString("return x; }\n")
	file, err := specification.ParseText("p.spec", "F = (f -> return {} -> STOP).\ncproc f { abstract {f_abs, 1, F}; }\nS = (f -> S | return {} -> STOP).\ncprog p = p { abstract conforms, {1}, S; }\n")
	if err != nil {
		t.Fatal(err)
	}
	stops := 0
	for n := range 4 {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := bind.Bind(ctx, &bind.Task{Sources: []*source.File{source.NewFile("p.c", text.String())}, Spec: file}, &interrupted{solver(t), n, cancel})
		if ctx.Err() == nil {
			cancel()
			break
		}
		stops++
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d questions: %v", n, err)
		}
	}
	if stops == 0 {
		t.Error("never stopped")
	}
}
