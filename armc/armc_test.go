package armc_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"
)

var ctx = context.Background()

// started says whether z3 can be started; the error tells how to install it.
var started = sync.OnceValue(func() error {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		return err
	}
	return z.Close()
})

// limited are the limits of questions: work is what ends one; time only where z3 does not
// count it.
var limited = smt.Options{Timeout: 5 * time.Minute, RLimit: 50_000_000}

// common is the pool of all tests that do not ask what their questions cost: a start of z3
// costs as much as a hundred of them.
var common = smt.Z3Pool(2, limited)

// thePool returns common.
func thePool(t testing.TB) *smt.Pool {
	t.Helper()
	needZ3(t)
	return common
}

// newPool returns a pool of its own.
func newPool(t testing.TB) *smt.Pool {
	t.Helper()
	needZ3(t)
	p := smt.Z3Pool(2, limited)
	t.Cleanup(p.Close)
	return p
}

// lent is a solver of common for a pool of its own, which gets it back.
type lent struct {
	smt.Solver
	ended bool
}

func lend() (*lent, error) {
	s, err := common.Another()
	return &lent{Solver: s}, err
}

func (l *lent) Close() error {
	if !l.ended {
		l.ended = true
		common.Release(l.Solver)
	}
	return nil
}

func needZ3(t testing.TB) {
	t.Helper()
	if err := started(); err != nil {
		t.Fatal(err)
	}
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
