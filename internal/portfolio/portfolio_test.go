package portfolio

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// count is a search that finds n after n steps.
func count(n int64, met *int64) func(*Lane) (int64, error) {
	return func(l *Lane) (int64, error) {
		for i := range n {
			*met = i
			if err := l.Reach(i); err != nil {
				return i, fmt.Errorf("wrapped: %w", err)
			}
		}
		return n, nil
	}
}

func TestTry(t *testing.T) {
	for n := range int64(6) {
		var met int64
		got, enough, err := Try(3, count(n, &met))
		if err != nil || enough != (n <= 3) || got != min(n, 3) {
			t.Errorf("%d steps: %d, %v, %v", n, got, enough, err)
		}
	}
	wrong := errors.New("wrong")
	if _, enough, err := Try(3, func(*Lane) (int, error) { return 0, wrong }); !enough || err != wrong {
		t.Errorf("an error of the search: %v, %v", enough, err)
	}
}

// An attempt that ends for the sake of another lane than its own has not come as far as
// it may: who made the other one decides.
func TestNested(t *testing.T) {
	var met int64
	_, enough, err := Try(3, func(outer *Lane) (int64, error) {
		got, enough, err := Try(Ever, func(*Lane) (int64, error) { return count(10, &met)(outer) })
		if !enough || err == nil {
			t.Errorf("inside: %v, %v", enough, err)
		}
		return got, err
	})
	if enough || err != nil || met != 3 {
		t.Errorf("outside: %v, %v, met %d", enough, err, met)
	}
}

func TestTurns(t *testing.T) {
	var met int64
	a := Start(0, count(20, &met))
	var levels []int64
	for a.Wait(); !a.Ended(); a.Wait() {
		if met != a.Level() {
			t.Fatalf("at %d, not %d", met, a.Level())
		}
		levels = append(levels, met)
		a.Resume(2*met + 1)
	}
	if want := []int64{0, 1, 3, 7, 15}; !slices.Equal(levels, want) {
		t.Errorf("waited at %v, not %v", levels, want)
	}
	a.Resume(7) // of no use, but no mistake
	if got, enough, err := a.Stop(); got != 20 || !enough || err != nil {
		t.Errorf("%d, %v, %v", got, enough, err)
	}
}

// An allowance that has been used up already, by a step that was longer, ends where it
// begins.
func TestNoFurther(t *testing.T) {
	waits := 0
	a := Start(0, func(l *Lane) (int, error) { return 0, l.Reach(10) })
	for a.Wait(); !a.Ended(); a.Wait() {
		waits++
		a.Resume(int64(4 * waits))
	}
	if waits != 3 {
		t.Errorf("waited %d times", waits)
	}
}

func TestStop(t *testing.T) {
	var met int64
	a := Start(5, count(20, &met))
	if got, enough, err := a.Stop(); got != 5 || enough || err != nil || !a.Ended() {
		t.Errorf("%d, %v, %v", got, enough, err)
	}
	if got, enough, _ := a.Stop(); got != 5 || enough {
		t.Errorf("again: %d, %v", got, enough)
	}
}

func TestLast(t *testing.T) {
	for _, c := range []struct {
		level int64
		waits bool
	}{{4, false}, {5, true}, {9, true}, {10, true}} {
		_, enough, err := Try(10, func(l *Lane) (int, error) { return 0, l.Last(c.level) })
		if err != nil || enough == c.waits {
			t.Errorf("level %d: %v, %v", c.level, enough, err)
		}
	}
	if _, enough, _ := Try(Ever, func(l *Lane) (int, error) { return 0, l.Last(1 << 40) }); !enough {
		t.Error("it need not wait, and does")
	}
}

func TestNilLane(t *testing.T) {
	var met int64
	if got, err := count(20, &met)(nil); got != 20 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
	if err := (*Lane)(nil).Last(7); err != nil {
		t.Error(err)
	}
}

func TestPanic(t *testing.T) {
	a := Start(0, func(l *Lane) (int, error) {
		_ = l.Reach(1)
		panic("a bug")
	})
	a.Wait()
	a.Resume(Ever)
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "a bug") || !strings.Contains(p, "portfolio_test.go") {
			t.Errorf("panicked with %q", p)
		}
	}()
	a.Wait()
	t.Error("no panic")
}
