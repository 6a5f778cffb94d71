//go:build unix

package cross

import (
	"os/exec"
	"syscall"
)

// ownGroup has the command lead a group of processes, all of which are killed with it: the
// shell may have started others.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
