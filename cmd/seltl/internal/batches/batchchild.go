package batches

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check/batch"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

// A unit that is done in a process of its own: the task goes to its standard input, which
// stays open as long as the batch lives, and the result comes from its standard output. If
// the process dies, of memory or of a bug that ends all of it, there is no result, and the
// batch goes on.

// asking returns what runs units.
func asking(c *cli.Context) batch.Ask {
	several := c.Int("jobs") > 1
	isolate, program := c.Bool("isolate"), programOf(c)
	return func(ctx context.Context, t *batch.Task) (*report.Report, error) {
		// --max-memory is about a process.
		if isolate || several && t.Apart {
			return askApart(ctx, t)
		}
		return program.askUnit(ctx, t)
	}
}

// childDelay is how long an interrupted process may take to end.
const childDelay = 5 * time.Second

// askApart runs a unit in another process.
func askApart(ctx context.Context, t *batch.Task) (*report.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	task, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, program, "batch", "unit")
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = childDelay
	var said firstBytes
	var answer bytes.Buffer
	child.Stderr, child.Stdout = &said, &answer
	lifeline, err := child.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	_, written := lifeline.Write(append(task, '\n'))
	err = child.Wait() // it closes the pipe, too
	if ctx.Err() != nil {
		return nil, budget.ErrInterrupted
	}
	var out unitAnswer
	switch {
	case written == nil && json.Unmarshal(answer.Bytes(), &out) == nil && out.Key == t.Key && out.Report != nil:
		return out.Report, nil
	case out.Error != "":
		return nil, errors.New(out.Error)
	case err == nil:
		err = errors.New("nothing came of it")
	}
	return nil, fmt.Errorf("its process ended: %w%s", err, said.firstLine())
}

// unitAnswer is what a process has found out.
type unitAnswer struct {
	Key    string         `json:"key"`
	Report *report.Report `json:"report,omitempty"`
	Error  string         `json:"error,omitempty"` // why there is no report
}

// oneUnit is the other side: `seltl batch unit`.
func oneUnit(c *cli.Context, s cmdline.Streams, operands []string) error {
	if len(operands) > 0 {
		return cmdline.Usagef(c, "unit is what seltl batch --isolate starts; to do a unit, give its command to seltl")
	}
	var t batch.Task
	in := json.NewDecoder(s.In)
	if err := in.Decode(&t); err != nil {
		return cmdline.Usagef(c, "unit is what seltl batch --isolate starts: %v", err)
	}
	ctx, cancel := context.WithCancel(c.Context)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, s.In)
		cancel() // the batch has ended
	}()
	answer := unitAnswer{Key: t.Key}
	var err error
	if answer.Report, err = programOf(c).askUnit(ctx, &t); err != nil {
		answer.Error = err.Error()
	}
	return json.NewEncoder(s.Out).Encode(answer)
}

// firstBytes keeps the beginning of what is written.
type firstBytes struct{ text []byte }

func (l *firstBytes) Write(p []byte) (int, error) {
	const most = 4 << 10
	l.text = append(l.text, p[:min(len(p), max(0, most-len(l.text)))]...)
	return len(p), nil
}

func (l *firstBytes) firstLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(l.text)), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}
