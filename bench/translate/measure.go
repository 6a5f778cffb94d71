package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/cputime"
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
)

// measurement says how translations are measured.
type measurement struct {
	limit time.Duration // of the processor, for each formula
	spot  string        // folder of ltl2tgba, or ""
}

// outcome is what came of one formula.
type outcome struct {
	row            row
	size, spot     size
	compared       bool
	note           string
	time, spotTime time.Duration // of the processor
}

func (o outcome) larger() int {
	if !o.compared {
		return 0
	}
	return o.size.states - o.spot.states
}

// slow reports whether we take more than five times Spot's time. Below some
// milliseconds processor time is not exact enough to say.
func (o outcome) slow() bool {
	return o.spotTime > 0 && o.time > 5*o.spotTime && o.time > 50*time.Millisecond
}

func (o outcome) String() string {
	text := fmt.Sprintf("%s: %d, Spot %d", o.row.set, o.size.states, o.spot.states)
	if !o.compared {
		text = fmt.Sprintf("%s: %s, Spot %d", o.row.set, o.note, o.spot.states)
	}
	switch {
	case o.slow():
		text += fmt.Sprintf(" (%.2f s, Spot %.2f s)", o.time.Seconds(), o.spotTime.Seconds())
	case o.time > 50*time.Millisecond:
		text += fmt.Sprintf(" (%.2f s)", o.time.Seconds())
	}
	return text + ": `" + o.row.text + "`"
}

// set translates all formulas of a set, and returns Spot's time for all of them as well.
func (m measurement) set(k kind, rows []row) (outcomes []outcome, spotTotal time.Duration, err error) {
	spot, spotTotal, err := m.spotTimes(k, rows)
	if err != nil {
		return nil, 0, err
	}
	for i, r := range rows {
		o, err := m.formula(k, r)
		if err != nil {
			return nil, 0, err
		}
		if spot != nil {
			o.spotTime = spot[i]
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, spotTotal, nil
}

func (m measurement) formula(k kind, r row) (outcome, error) {
	o := outcome{row: r, spot: r.spot[k.name]}
	opts := k.options
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	start := cputime.Used()
	go func() {
		for ctx.Err() == nil {
			if cputime.Used()-start > m.limit {
				cancel()
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	opts.Meter = budget.New(ctx, budget.Limits{}, nil)
	a, err := buchi.Translate(r.formula, opts)
	o.time = cputime.Used() - start
	var exhausted *budget.Exhausted
	switch {
	case errors.Is(err, budget.ErrInterrupted):
		o.note = fmt.Sprintf("not in %v", m.limit)
		return o, nil
	case errors.As(err, &exhausted):
		o.note = err.Error()
		return o, nil
	case err != nil:
		return o, err
	}
	s := a.Stats()
	o.size = size{s.States, s.Edges}
	switch {
	case k.name != "det":
		o.compared = true
	case !r.deterministic:
	case !s.Deterministic:
		o.note = "not deterministic"
	default:
		o.compared = true
	}
	return o, nil
}

// spotTimes asks ltl2tgba for its processor time for each formula, which it counts in
// hundredths of a second, in one process, and returns that of the process, too; nil where
// it is not there.
func (m measurement) spotTimes(k kind, rows []row) (times []time.Duration, total time.Duration, err error) {
	if m.spot == "" {
		return nil, 0, nil
	}
	var in bytes.Buffer
	for _, r := range rows {
		fmt.Fprintln(&in, r.text)
	}
	cmd := exec.Command(filepath.Join(m.spot, "ltl2tgba"), append(append([]string{}, k.spot...), "-F", "-", "--stats=%R")...)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("ltl2tgba: %w", err)
	}
	fields := strings.Fields(string(out))
	if len(fields) != len(rows) {
		return nil, 0, fmt.Errorf("ltl2tgba: %d automata of %d formulas", len(fields), len(rows))
	}
	times = make([]time.Duration, len(rows))
	for i, text := range fields {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, 0, err
		}
		times[i] = time.Duration(seconds * float64(time.Second))
	}
	return times, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
