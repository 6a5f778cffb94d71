// Package decide runs programs that decide whether something can fail, within limits, and
// measures them: seltl and Z3's Spacer, for benchmarks.
package decide

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

	"github.com/seltl/seltl/bench/internal/cputime"
)

// Limits bound one run of a program.
type Limits struct {
	Time time.Duration
	CPU  bool // of processor time, for busy machines (on Linux)
}

// String says what is limited.
func (l Limits) String() string {
	if l.CPU {
		return l.Time.String() + " of processor time"
	}
	return l.Time.String()
}

// Answer is what one run of a program said, and what it took.
type Answer struct {
	Verdict   string // "safe", "unsafe", "unknown", "refused" or "error"
	Why       string // of errors and refusals
	Wall, CPU time.Duration
	// Peak is the most memory of the program, or of a child if that had more, in bytes.
	Peak float64
	Work Work
}

// Solved reports an answer that is one.
func (a Answer) Solved() bool { return a.Verdict == "safe" || a.Verdict == "unsafe" }

// Work is what seltl's statistics say.
type Work struct {
	Rounds, Predicates, Queries, Bytes int
	States, Branches                   int     // of Specified
	Positions, Above                   int     // the same: most positions of a round, and searches of quotients
	Time, InSolver                     float64 // seconds
	CPU, CPUInSolver                   float64 // the same of processor time, of seltl reach where it says what the solver used
	Translating, Searching             float64 // of Specified verify, seconds of Time
}

// Add adds up questions and times.
func (w *Work) Add(v Work) {
	w.Queries += v.Queries
	w.Bytes += v.Bytes
	w.Time += v.Time
	w.InSolver += v.InSolver
	w.CPU += v.CPU
	w.CPUInSolver += v.CPUInSolver
}

// grace is what programs may take longer than their limit before they are killed.
const grace = 5 * time.Second

// loaded is how much longer than its processor time a program may take on a busy machine.
const loaded = 60

// Wall is the limit of time for a program.
func (l Limits) Wall() time.Duration {
	if l.CPU {
		return loaded * l.Time
	}
	return l.Time
}

// Run runs a program within the limit and measures it, with the children that it waited
// for: an answer that is unknown or an error, and what was printed.
func (l Limits) Run(name string, args ...string) (Answer, string) {
	ctx, cancel := context.WithTimeout(context.Background(), l.Wall()+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = grace
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	err := cmd.Start()
	seen := func() time.Duration { return 0 }
	if err == nil && l.CPU {
		seen = watch(cmd.Process.Pid, l.Time, cancel)
	}
	if err == nil {
		err = cmd.Wait()
	}
	a := Answer{Verdict: "unknown", Wall: time.Since(began), CPU: seen()}
	if cmd.ProcessState != nil {
		a.CPU = max(a.CPU, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		a.Peak = cputime.Peak(cmd.ProcessState)
	}
	var exit *exec.ExitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		a.Verdict, a.Why = "error", err.Error()
	}
	return a, out.String()
}

// judge sets the verdict, unless it is an error or late: what was late is no answer.
func (l Limits) judge(a *Answer, verdict string) {
	took := a.Wall
	if l.CPU {
		took = a.CPU
	}
	if a.Verdict != "error" && took <= l.Time+l.Time/10 {
		a.Verdict = verdict
	}
}

// refusal is a message at a place in the text.
var refusal = regexp.MustCompile(`(?m)^\S+:(\d+):\d+: (?:error|unknown): (.*)$`)

var statistics = regexp.MustCompile(`R=(\d+) I=\d+ P=\d+ G=(\d+) facts=\d+ queries=(\d+) bytes=(\d+) time=([0-9.]+)s, (\d+)% of it in the solver(?:; processor time [0-9.]+s, of the solver ([0-9.]+)s)?`)

// Seltl runs seltl reach on a file, with options.
func (l Limits) Seltl(seltl, file string, options ...string) Answer {
	args := append([]string{"reach", file, "--stats", "--no-warnings", "--timeout=" + l.Wall().String()}, options...)
	a, out := l.Run(seltl, args...)
	l.read(&a, out)
	if m := statistics.FindStringSubmatch(out); m != nil {
		number := func(i int) float64 {
			n, _ := strconv.ParseFloat(m[i], 64) // the expression has digits there
			return n
		}
		a.Work = Work{Rounds: int(number(1)), Predicates: int(number(2)), Queries: int(number(3)), Bytes: int(number(4)), Time: number(5), InSolver: number(5) * number(6) / 100}
		if m[7] != "" {
			a.Work.CPU, a.Work.CPUInSolver = a.CPU.Seconds(), number(7)
		}
	}
	return a
}

// round is what seltl conform --explain says of a component in a round.
var round = regexp.MustCompile(`(?m)^ *round: .*$`)

var model = regexp.MustCompile(`\S+ (\d+) states with (\d+) predicates at most, of (\d+) branches`)

// above is what it says of quotients.
var above = regexp.MustCompile(`quotients of these were looked at (\d+) time`)

var positions = regexp.MustCompile(`; (\d+) positions`)

// Specified runs seltl conform, or another command, on a C program and a specification, with
// options: safe is what holds. States, predicates (the most at one location) and branches are
// those of the last round, added up over components.
func (l Limits) Specified(seltl, command, file, spec string, options ...string) Answer {
	args := append([]string{command, file, spec, "--explain", "--no-warnings", "--timeout=" + l.Wall().String()}, options...)
	a, out := l.Run(seltl, args...)
	l.read(&a, out)
	rounds := round.FindAllString(out, -1)
	if len(rounds) == 0 {
		return a
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text) // the expressions have digits there
		return n
	}
	a.Work.Rounds = len(rounds)
	for _, m := range model.FindAllStringSubmatch(rounds[len(rounds)-1], -1) {
		for i, to := range []*int{&a.Work.States, &a.Work.Predicates, &a.Work.Branches} {
			*to += number(m[i+1])
		}
	}
	for _, m := range positions.FindAllStringSubmatch(out, -1) {
		a.Work.Positions = max(a.Work.Positions, number(m[1]))
	}
	for _, m := range above.FindAllStringSubmatch(out, -1) {
		a.Work.Above += number(m[1])
	}
	for _, m := range phases.FindAllStringSubmatch(out, -1) {
		for i, to := range []*float64{&a.Work.Time, &a.Work.Translating, &a.Work.Searching} {
			n, _ := strconv.ParseFloat(m[i+1], 64) // digits, or nothing
			*to += n
		}
	}
	return a
}

// phases are what seltl --explain says of its time.
var phases = regexp.MustCompile(`took ([0-9.]+) s: (?:automata of the formula ([0-9.]+) s, )?searches of the abstract models ([0-9.]+) s`)

// read finds the verdict, or why there is none, in what seltl printed.
func (l Limits) read(a *Answer, out string) {
	switch {
	case strings.Contains(out, "\nHOLDS") || strings.HasPrefix(out, "HOLDS"):
		l.judge(a, "safe")
	case strings.Contains(out, "\nFAILS") || strings.HasPrefix(out, "FAILS"):
		l.judge(a, "unsafe")
	case refusal.MatchString(out):
		m := refusal.FindStringSubmatch(out)
		a.Verdict, a.Why = "refused", "line "+m[1]+": "+m[2]
	case !strings.Contains(out, "UNKNOWN") && a.Wall < l.Wall()+grace && !(l.CPU && a.CPU >= l.Time):
		a.Verdict, a.Why = "error", lastLine(out)
	}
}

// Query runs seltl clp on a file, with options.
func (l Limits) Query(seltl, file string, options ...string) Answer {
	args := append([]string{"clp", file, "--quiet", "--timeout=" + l.Wall().String()}, options...)
	a, out := l.Run(seltl, args...)
	l.read(&a, out)
	return a
}

// Spacer runs z3 on clauses: sat is safe, or, where the file has (query P), which asks for
// a derivation, unsafe. Of several queries one with a derivation is enough.
func (l Limits) Spacer(z3, file string, derivation bool) Answer {
	a, out := l.Run(z3, fmt.Sprintf("-T:%d", max(1, int(l.Wall().Seconds()+0.5))), "fp.engine=spacer", file)
	safe, unsafe := "sat", "unsat"
	if derivation {
		safe, unsafe = unsafe, safe
	}
	count := map[string]int{}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "(error") && !strings.Contains(line, "is not available") { // a model that the file asks for
			a.Verdict, a.Why = "error", line
		}
		count[line]++
	}
	switch {
	case count[unsafe] > 0:
		l.judge(&a, "unsafe")
	case count[safe] > 0 && count["unknown"]+count["timeout"] == 0:
		l.judge(&a, "safe")
	}
	return a
}

func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}
