package budget

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	var exhausted *Exhausted
	m := New(nil, Limits{States: 10}, nil)
	if err := m.Tick(Progress{States: 10}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if err := m.Tick(Progress{States: 11}); !errors.As(err, &exhausted) || exhausted.What != "states" {
		t.Errorf("over the limit: %v", err)
	}
	if err := New(nil, Limits{Memory: 1}, nil).Tick(Progress{}); !errors.As(err, &exhausted) || exhausted.What != "memory" {
		t.Errorf("over a byte: %v", err)
	}
	roomy := New(nil, Limits{Memory: heapInUse() + 1<<30}, nil)
	if err := roomy.Tick(Progress{Need: 1 << 20}); err != nil {
		t.Errorf("room for what is needed: %v", err)
	}
	if err := roomy.Tick(Progress{Need: 2 << 30}); !errors.As(err, &exhausted) || exhausted.What != "memory" {
		t.Errorf("no room for what is needed: %v", err)
	}
	if err := New(nil, Limits{Time: 1}, nil).Tick(Progress{}); !errors.As(err, &exhausted) || exhausted.What != "time" {
		t.Errorf("over a nanosecond: %v", err)
	}
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := New(ctx, Limits{}, nil)
	if err := m.Tick(Progress{}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := m.Tick(Progress{}); !errors.Is(err, ErrInterrupted) {
		t.Errorf("cancelled: %v", err)
	}
	ctx, cancel = context.WithDeadline(context.Background(), time.Now().Add(-time.Hour))
	defer cancel()
	var exhausted *Exhausted
	if err := New(ctx, Limits{}, nil).Tick(Progress{}); !errors.As(err, &exhausted) || exhausted.What != "time" || exhausted.Limit != "" {
		t.Errorf("deadline: %v", err)
	}
}

func TestReportWhenDue(t *testing.T) {
	var got []Progress
	m := New(nil, Limits{}, func(p Progress) { got = append(got, p) })
	if err := m.Tick(Progress{States: 1}); err != nil || len(got) != 0 {
		t.Fatalf("reported at once: %v, %v", got, err)
	}
	m.next = time.Now()
	if err := m.Tick(Progress{States: 2}); err != nil || len(got) != 1 {
		t.Fatalf("not reported when due: %v, %v", got, err)
	}
	if got[0].States != 2 || got[0].Memory == 0 {
		t.Errorf("reported %+v", got[0])
	}
}

func TestWatch(t *testing.T) {
	stop := errors.New("stop")
	var got Progress
	m := Watch(func(p Progress) error { got = p; return stop })
	if err := m.Tick(Progress{States: 7}); err != stop || got.States != 7 {
		t.Errorf("told %+v, %v", got, err)
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 30: "3.0 GiB"} {
		if got := FormatBytes(n); got != want {
			t.Errorf("FormatBytes(%d) = %q, want %q", n, got, want)
		}
	}
}

// A late search and a cancelled one are told apart by what package context says, too.
func TestContextErrors(t *testing.T) {
	for _, c := range []struct {
		name           string
		err            error
		late, canceled bool
	}{
		{"time", &Exhausted{What: "time"}, true, false},
		{"states", &Exhausted{What: "states"}, false, false},
		{"interrupted", ErrInterrupted, false, true},
		{"full", Full("states", 7, Progress{}), false, false},
	} {
		err := fmt.Errorf("around it: %w", c.err)
		if !Stopped(err) || errors.Is(err, context.DeadlineExceeded) != c.late || errors.Is(err, context.Canceled) != c.canceled {
			t.Errorf("%s: stopped %v, late %v, cancelled %v", c.name, Stopped(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled))
		}
	}
	if Stopped(errors.New("wrong")) || Stopped(nil) {
		t.Error("any error stops")
	}
}
