//go:build unix

package smt

import (
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps an interrupt typed at the terminal away from the child:
// it would end an idle z3 in the middle of our own orderly end.
func ownProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
