package smt

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// processorTime returns what a process has used.
func processorTime(pid int) (used time.Duration, known bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name of the program, in parentheses, may have blanks.
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, false
	}
	for _, f := range fields[11:13] { // user and system time in ticks
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, false
		}
		used += time.Duration(n) * (time.Second / 100)
	}
	return used, true
}

// setAttributes keeps an interrupt typed at the terminal away from the child: it
// would end an idle z3 in the middle of our own orderly end. And the child ends
// with us if we are killed, even in the middle of a query, when it does not look at
// its input. (The kernel means the thread that started the child. Should the Go
// runtime end that thread, the solver is started again, as after a crash.)
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
