package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// answer is what one run of a program said, and what it took.
type answer struct {
	verdict   string // "safe", "unsafe", "unknown" or "error"
	why       string // of errors
	wall, cpu time.Duration
	work      work
}

func (a answer) solved() bool { return a.verdict == "safe" || a.verdict == "unsafe" }

// work is what our statistics say of the questions to the solver.
type work struct {
	queries, bytes int
	time, inSolver float64 // seconds
}

func (w *work) add(v work) {
	w.queries += v.queries
	w.bytes += v.bytes
	w.time += v.time
	w.inSolver += v.inSolver
}

// grace is what programs may take longer than their limit before they are killed.
const grace = 5 * time.Second

// run runs a program with a limit of its own and measures it, with the children that it
// waited for. What was late is no answer.
func run(limit time.Duration, name string, args ...string) (answer, string) {
	ctx, cancel := context.WithTimeout(context.Background(), limit+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = grace
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err := cmd.Run()
	a := answer{verdict: "unknown", wall: time.Since(began)}
	if cmd.ProcessState != nil {
		a.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		a.verdict, a.why = "error", err.Error()
	}
	return a, out.String()
}

// judge sets the verdict, unless it is an error or late.
func (a *answer) judge(limit time.Duration, verdict string) {
	if a.verdict != "error" && a.wall <= limit+limit/10 {
		a.verdict = verdict
	}
}

var statistics = regexp.MustCompile(`queries=(\d+) bytes=(\d+) time=([0-9.]+)s, (\d+)% of it in the solver`)

// ours runs seltl reach with the options of a lane.
func (b *bench) ours(l lane, file string) answer {
	args := append([]string{"reach", file, "--stats", "--no-warnings", "--timeout=" + b.limit.String()}, l.args...)
	a, out := run(b.limit, b.seltl, args...)
	switch {
	case strings.Contains(out, "\nHOLDS") || strings.HasPrefix(out, "HOLDS"):
		a.judge(b.limit, "safe")
	case strings.Contains(out, "\nFAILS") || strings.HasPrefix(out, "FAILS"):
		a.judge(b.limit, "unsafe")
	case !strings.Contains(out, "UNKNOWN") && a.wall < b.limit+grace:
		a.verdict, a.why = "error", lastLine(out)
	}
	if m := statistics.FindStringSubmatch(out); m != nil {
		number := func(i int) float64 {
			n, _ := strconv.ParseFloat(m[i], 64) // the expression has digits there
			return n
		}
		a.work = work{int(number(1)), int(number(2)), number(3), number(3) * number(4) / 100}
	}
	return a
}

// spacer runs z3 on clauses.
func (b *bench) spacer(file string) answer {
	a, out := run(b.limit, b.z3, fmt.Sprintf("-T:%d", max(1, int(b.limit.Seconds()+0.5))), "fp.engine=spacer", file)
	switch first, _, _ := strings.Cut(out, "\n"); first {
	case "sat":
		a.judge(b.limit, "safe")
	case "unsat":
		a.judge(b.limit, "unsafe")
	case "unknown", "timeout", "":
	default:
		a.verdict, a.why = "error", first
	}
	return a
}

func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}
