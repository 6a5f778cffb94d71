package simui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
)

// late is a context whose time is over a while before it says so, as on a busy machine.
type late struct {
	context.Context
	end time.Time
}

func (c *late) Deadline() (time.Time, bool) { return c.end, true }

// TestTimeOver: a session whose time is over ends with that, also where its input ends first.
func TestTimeOver(t *testing.T) {
	for _, input := range []string{"", "goto deadlock\n"} {
		ui := openUI(t, "first.lks")
		ui.In, ui.Out = strings.NewReader(input), io.Discard
		in, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if err := Lines(&late{in, time.Now()}, ui); !errors.Is(err, budget.ErrInterrupted) {
			t.Errorf("%q: %v", input, err)
		}
	}
}

// TestEmptySets: where no proposition holds there is no set, and no line ends in a blank.
func TestEmptySets(t *testing.T) {
	ui := openUI(t, "deadlock/abb.lks")
	var out strings.Builder
	ui.In, ui.Out = strings.NewReader("1\nrandom 3\ntrace\nshow\n"), &out
	if err := Lines(t.Context(), ui); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "{}") || strings.Contains(text, " \n") || !strings.Contains(text, "    0  initially\n") {
		t.Error(text)
	}
}

// TestWidth: lines are broken at the width that there is.
func TestWidth(t *testing.T) {
	for _, width := range []int{0, 60} {
		ui := openUI(t, "classics/philosophers.lks")
		var out strings.Builder
		ui.In, ui.Out, ui.Width = strings.NewReader("1\nrandom 3\ntrace\nshow\nhelp\n"), &out, width
		if err := Lines(t.Context(), ui); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for line := range strings.Lines(out.String()) {
			longest = max(longest, len(strings.TrimSuffix(line, "\n")))
		}
		if (longest > 60) != (width == 0) {
			t.Errorf("width %d: %d columns", width, longest)
		}
	}
}
