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

// loaded is how much longer than its processor time a program may take on a busy machine.
const loaded = 20

// wallLimit is the limit of time for a program.
func (b *bench) wallLimit() time.Duration {
	if b.cpu {
		return loaded * b.limit
	}
	return b.limit
}

// run runs a program within the limit and measures it, with the children that it waited for.
// What was late is no answer.
func (b *bench) run(name string, args ...string) (answer, string) {
	ctx, cancel := context.WithTimeout(context.Background(), b.wallLimit()+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = grace
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err := cmd.Start()
	seen := func() time.Duration { return 0 }
	if err == nil && b.cpu {
		seen = watch(cmd.Process.Pid, b.limit, cancel)
	}
	if err == nil {
		err = cmd.Wait()
	}
	a := answer{verdict: "unknown", wall: time.Since(began), cpu: seen()}
	if cmd.ProcessState != nil {
		a.cpu = max(a.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		a.verdict, a.why = "error", err.Error()
	}
	return a, out.String()
}

// judge sets the verdict, unless it is an error or late.
func (b *bench) judge(a *answer, verdict string) {
	took := a.wall
	if b.cpu {
		took = a.cpu
	}
	if a.verdict != "error" && took <= b.limit+b.limit/10 {
		a.verdict = verdict
	}
}

var statistics = regexp.MustCompile(`queries=(\d+) bytes=(\d+) time=([0-9.]+)s, (\d+)% of it in the solver`)

// ours runs seltl reach with the options of a lane.
func (b *bench) ours(l lane, file string) answer {
	args := append([]string{"reach", file, "--stats", "--no-warnings", "--timeout=" + b.wallLimit().String()}, l.args...)
	a, out := b.run(b.seltl, args...)
	switch {
	case strings.Contains(out, "\nHOLDS") || strings.HasPrefix(out, "HOLDS"):
		b.judge(&a, "safe")
	case strings.Contains(out, "\nFAILS") || strings.HasPrefix(out, "FAILS"):
		b.judge(&a, "unsafe")
	case !strings.Contains(out, "UNKNOWN") && a.wall < b.wallLimit()+grace && !(b.cpu && a.cpu >= b.limit):
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
	a, out := b.run(b.z3, fmt.Sprintf("-T:%d", max(1, int(b.wallLimit().Seconds()+0.5))), "fp.engine=spacer", file)
	switch first, _, _ := strings.Cut(out, "\n"); first {
	case "sat":
		b.judge(&a, "safe")
	case "unsat":
		b.judge(&a, "unsafe")
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
