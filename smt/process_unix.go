//go:build unix && !linux

package smt

import (
	"os/exec"
	"syscall"
	"time"
)

// setAttributes keeps an interrupt typed at the terminal away from the child: it
// would end an idle z3 in the middle of our own orderly end.
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func processorTime(int) (used time.Duration, known bool) { return 0, false }
