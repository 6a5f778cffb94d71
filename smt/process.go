package smt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/seltl/seltl/internal/sexp"
)

// process is a running child that reads SMT-LIB commands and prints
// S-expressions.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.ReadCloser
	answers *sexp.Reader  // of stdout
	ended   chan struct{} // closed when a child that was killed is no more, and its times are known
	sent    *int64        // counts the bytes of commands
	killed  atomic.Bool
	late    atomic.Bool // killed since it does work that it does not count
	watched atomic.Pointer[watched]
	looking atomic.Bool   // a timer runs that looks at it
	each    time.Duration // between two looks: lookEach when the child was started
	sync    int
	worked  uint64 // that the child has reported since it was reset
}

// errDied is the error of a child that ended, or was killed, before it answered.
var errDied = errors.New("the solver ended unexpectedly")

// Half of the processor time of a child that answers a few questions goes into page faults:
// glibc (others do not look at this) is told to take memory in larger pieces.
const (
	tunables = "GLIBC_TUNABLES"
	roomy    = "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216"
)

// start runs the program.
func (b *backend) start() (*process, error) {
	cmd := exec.Command(b.path, b.args()...)
	if _, set := os.LookupEnv(tunables); !set {
		cmd.Env = append(os.Environ(), tunables+"="+roomy)
	}
	setAttributes(cmd)
	theirs, stdin, err := blockingPipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	stdout, w, err := blockingPipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	defer w.Close()
	cmd.Stdin, cmd.Stdout = theirs, w
	if err := cmd.Start(); err != nil {
		stdin.Close()
		stdout.Close()
		return nil, err
	}
	return &process{cmd: cmd, stdin: stdin, stdout: stdout, answers: sexp.NewReader(stdout), ended: make(chan struct{}), sent: &b.stats.Bytes, each: lookEach}, nil
}

// kill ends the child at once, and whoever waits for its answers. It may be called several
// times and from any goroutine.
func (p *process) kill() {
	if p.killed.CompareAndSwap(false, true) {
		p.cmd.Process.Kill()
		p.stdin.Close()
		p.stdout.Close()
		go func() {
			p.cmd.Wait()
			close(p.ended)
		}()
	}
}

// gone waits, but not for ever, until a child that was killed has ended.
func (p *process) gone() {
	select {
	case <-p.ended:
	case <-time.After(time.Second):
	}
}

// countedLate is the processor time that a question may take whose work is bounded. z3 does
// some 300,000 units in a second, but there is work that it does not count (products of
// variables are full of it), and such a question might never end.
func countedLate(work uint64) time.Duration {
	if work == 0 {
		return 0
	}
	return lateBase + time.Duration(work)*(time.Second/100_000)
}

// lateWork is what z3 could have counted in the time of countedLate. Questions that end so
// would otherwise cost nothing where work is what is bounded.
func lateWork(work uint64) uint64 { return uint64(300_000 * countedLate(work).Seconds()) }

// lateBase is for questions with little work, lookEach the time between two looks; tests
// lower them.
var lateBase, lookEach = 5 * time.Second, time.Second

// watched is a question whose processor time is watched.
type watched struct {
	most  time.Duration
	began time.Time
	first time.Duration // what the child had used when it was first looked at; -1 before
}

// watch kills the child once it has used so much processor time for a question, as far as
// the system tells, or else so much time that it must have. The end of what it returns ends
// it. There is one timer for all questions: most are answered long before it is over.
func (p *process) watch(most time.Duration) (stop func()) {
	if most == 0 {
		return func() {}
	}
	w := &watched{most: most, began: time.Now(), first: -1}
	p.watched.Store(w)
	p.lookLater()
	return func() { p.watched.CompareAndSwap(w, nil) }
}

// lookLater sees to it that there is a timer.
func (p *process) lookLater() {
	if p.looking.CompareAndSwap(false, true) {
		time.AfterFunc(p.each, p.look)
	}
}

// look looks at the question of the moment, again and again while there is one.
func (p *process) look() {
	w := p.watched.Load()
	if w == nil {
		p.looking.Store(false)
		if p.watched.Load() != nil { // one that has just begun, and found this timer
			p.lookLater()
		}
		return
	}
	used, known := processorTime(p.cmd.Process.Pid)
	if w.first < 0 {
		w.first = used
	}
	late := known && used-w.first > w.most || !known && time.Since(w.began) > max(w.most, uncounted)
	if late && p.watched.CompareAndSwap(w, nil) {
		p.late.Store(true)
		p.kill()
	}
	time.AfterFunc(p.each, p.look)
}

// exchange sends commands and returns what the child prints in answer to them.
// It ends every batch with an echo, so that each answer is known to belong to
// these commands. The child is killed when ctx ends or the limit (if any) is
// over; after an error the child is of no use any more.
func (p *process) exchange(ctx context.Context, commands string, limit time.Duration) ([]sexp.Node, error) {
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if limit > 0 {
		timer := time.AfterFunc(limit, p.kill)
		defer timer.Stop()
	}
	p.sync++
	mark := fmt.Sprintf("sync-%d", p.sync)
	*p.sent += int64(len(commands))
	if err := p.send(commands + "(echo \"" + mark + "\")\n"); err != nil {
		p.kill()
		return nil, p.died(ctx, nil)
	}
	var answers []sexp.Node
	for {
		n, err := p.answers.Next()
		switch {
		case err != nil:
			p.kill()
			return nil, p.died(ctx, answers)
		case (n.Kind == sexp.Symbol || n.Kind == sexp.String) && n.Atom == mark:
			return answers, nil
		}
		answers = append(answers, n)
		if len(answers) > 1<<16 {
			p.kill()
			return nil, errors.New("the solver does not stop printing")
		}
	}
}

// send writes commands, without waiting for the child where there are more than a pipe
// holds: it might itself wait until what it prints is read. An error is seen by the reader,
// too.
func (p *process) send(commands string) error {
	if len(commands) > 1<<15 {
		go io.WriteString(p.stdin, commands)
		return nil
	}
	_, err := io.WriteString(p.stdin, commands)
	return err
}

// died explains the end of the child, by its last words if it had any.
func (p *process) died(ctx context.Context, answers []sexp.Node) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, a := range answers {
		if text, ok := errorText(a); ok {
			return fmt.Errorf("%w: %s", errDied, text)
		}
	}
	return errDied
}

// askWork is the question that work reads the answer of.
const askWork = "(get-info :rlimit)\n"

// work takes the child's resource units from its last answer, where it gives them, and adds
// what is new to the statistics.
func (b *backend) work(p *process, answers []sexp.Node) []sexp.Node {
	last := len(answers) - 1
	if last < 0 || answers[last].Head() != ":rlimit" || len(answers[last].List) != 2 {
		return answers
	}
	if now, err := strconv.ParseUint(answers[last].List[1].Atom, 10, 64); err == nil {
		if now > p.worked {
			b.stats.Work += now - p.worked
		}
		p.worked = now
	}
	return answers[:last]
}

// errorText recognises (error "...").
func errorText(n sexp.Node) (string, bool) {
	if n.Head() == "error" && len(n.List) == 2 {
		return strings.TrimSpace(n.List[1].Atom), true
	}
	return "", false
}
