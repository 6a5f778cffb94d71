//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach gives a process a group of its own, which the terminal's signals do not reach.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
