package armc_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"
)

var ctx = context.Background()

func newPool(t testing.TB) *smt.Pool {
	t.Helper()
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z.Close()
	// Work is what ends a question; time only where z3 does not count it.
	p := smt.Z3Pool(2, smt.Options{Timeout: 5 * time.Minute, RLimit: 50_000_000})
	t.Cleanup(p.Close)
	return p
}

func load(t testing.TB, name string) *program.System {
	t.Helper()
	file := filepath.Join("..", "specs", "armc", name)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := reader.Parse(source.NewFile(name, string(text)))
	if err != nil {
		var b strings.Builder
		if l, ok := err.(source.List); ok {
			l.Render(&b)
		}
		t.Fatalf("%v\n%s", err, b.String())
	}
	return sys
}

func parseText(t testing.TB, text string) *program.System {
	t.Helper()
	sys, err := reader.Parse(source.NewFile("test.gcl", text))
	if err != nil {
		t.Fatal(err)
	}
	return sys
}
